use crate::check::Selection;
use crate::{Attribute, Error, Stream, Vertex};

/// Vertices at a time: their output (16 KiB) stays in the first cache while attributes come in one after another.
const BLOCK: usize = 64;

const EXPONENT: u32 = 0x7f80_0000;

/// Calls `each` with the place of a block's first vertex and the block's vertex numbers.
fn blocks<E>(
    selection: &Selection<'_>,
    mut each: impl FnMut(usize, &[u32]) -> Result<(), E>,
) -> Result<(), E> {
    let mut numbers = [0; BLOCK];
    for start in (0..selection.len()).step_by(BLOCK) {
        let numbers = &mut numbers[..BLOCK.min(selection.len() - start)];
        selection.fill(start, numbers);
        each(start, numbers)?;
    }
    Ok(())
}

pub(crate) fn check_floats(
    attributes: &[Attribute],
    streams: &[Stream<'_>],
    selection: &Selection<'_>,
) -> Result<(), Error> {
    for (index, attribute) in attributes.iter().enumerate().filter(|(_, a)| a.format == 3) {
        let stream = &streams[usize::from(attribute.stream)];
        blocks(selection, |_, numbers| {
            let finite = match attribute.components {
                1 => finite::<1>(attribute, stream, numbers),
                2 => finite::<2>(attribute, stream, numbers),
                3 => finite::<3>(attribute, stream, numbers),
                _ => finite::<4>(attribute, stream, numbers),
            };
            if finite {
                Ok(())
            } else {
                first_nonfinite(index, attribute, stream, numbers)
            }
        })?;
    }
    Ok(())
}

fn place(attribute: &Attribute, stream: &Stream<'_>, number: u32) -> usize {
    (stream.offset + attribute.offset) as usize + number as usize * stream.stride as usize
}

/// N little-endian words of a vertex.
fn elements<const N: usize, const W: usize>(bytes: &[u8], at: usize) -> &[[u8; W]; N] {
    let (words, _) = bytes[at..at + N * W].as_chunks::<W>();
    words.first_chunk().expect("N · W bytes are N words")
}

fn finite<const N: usize>(attribute: &Attribute, stream: &Stream<'_>, numbers: &[u32]) -> bool {
    let mut bad = false;
    for &number in numbers {
        for &word in elements::<N, 4>(stream.bytes, place(attribute, stream, number)) {
            bad |= u32::from_le_bytes(word) & EXPONENT == EXPONENT;
        }
    }
    !bad
}

fn first_nonfinite(
    index: usize,
    attribute: &Attribute,
    stream: &Stream<'_>,
    numbers: &[u32],
) -> Result<(), Error> {
    for &vertex in numbers {
        for component in 0..attribute.components {
            let at = place(attribute, stream, vertex) + 4 * usize::from(component);
            let bits = u32::from_le_bytes(elements::<1, 4>(stream.bytes, at)[0]);
            if bits & EXPONENT == EXPONENT {
                let stream = usize::from(attribute.stream);
                let attribute = index;
                return Err(Error::NonFinite {
                    attribute,
                    stream,
                    vertex,
                    component,
                    at,
                    bits,
                });
            }
        }
    }
    Ok(())
}

/// Writes vertices that were found to be in range and finite.
pub(crate) fn write(
    attributes: &[Attribute],
    streams: &[Stream<'_>],
    selection: &Selection<'_>,
    output: &mut [Vertex],
) {
    let written = blocks(selection, |start, numbers| {
        let output = &mut output[start..start + numbers.len()];
        output.fill(Vertex::DEFAULT);
        for attribute in attributes {
            let stream = &streams[usize::from(attribute.stream)];
            match attribute.format {
                0 => by_components(attribute, stream, numbers, output, |[byte]: [u8; 1]| {
                    f32::from(byte as i8)
                }),
                1 => by_components(attribute, stream, numbers, output, |[byte]: [u8; 1]| {
                    f32::from(byte)
                }),
                2 => by_components(attribute, stream, numbers, output, |word: [u8; 2]| {
                    f32::from(i16::from_le_bytes(word))
                }),
                _ => by_components(attribute, stream, numbers, output, f32::from_le_bytes),
            }
        }
        Ok::<(), std::convert::Infallible>(())
    });
    let Ok(()) = written;
}

fn by_components<const W: usize>(
    attribute: &Attribute,
    stream: &Stream<'_>,
    numbers: &[u32],
    output: &mut [Vertex],
    convert: impl Fn([u8; W]) -> f32,
) {
    match attribute.components {
        1 => gather::<1, W>(attribute, stream, numbers, output, convert),
        2 => gather::<2, W>(attribute, stream, numbers, output, convert),
        3 => gather::<3, W>(attribute, stream, numbers, output, convert),
        _ => gather::<4, W>(attribute, stream, numbers, output, convert),
    }
}

fn gather<const N: usize, const W: usize>(
    attribute: &Attribute,
    stream: &Stream<'_>,
    numbers: &[u32],
    output: &mut [Vertex],
    convert: impl Fn([u8; W]) -> f32,
) {
    let slot = usize::from(attribute.slot & 15);
    for (vertex, &number) in output.iter_mut().zip(numbers) {
        let from = elements::<N, W>(stream.bytes, place(attribute, stream, number));
        // One store of 16 bytes rather than up to four.
        let mut value = [0.0, 0.0, 0.0, 1.0];
        for (to, &word) in value.iter_mut().zip(from) {
            *to = convert(word);
        }
        vertex.slots[slot] = value;
    }
}
