use crate::check::Selection;
use crate::{Attribute, Error, Stream, Vertex};

/// Vertices at a time: their output (16 KiB) stays in the first cache while attributes come in one after another.
pub(crate) const BLOCK: usize = 64;

const EXPONENT: u32 = 0x7f80_0000;

/// Calls `each` with the items and the N words of W bytes of the selected vertices, from place `start` on.
///
/// A loop per kind of selection; a sequence steps by the stride, without numbers and products.
#[inline(always)]
fn records<const N: usize, const W: usize, T>(
    (attribute, stream): (&Attribute, &Stream<'_>),
    selection: &Selection<'_>,
    start: usize,
    items: impl Iterator<Item = T>,
    mut each: impl FnMut(T, &[[u8; W]; N]),
) {
    let bytes = &stream.bytes[(stream.offset + attribute.offset) as usize..];
    let stride = stream.stride as usize;
    match selection {
        Selection::Sequence { first, .. } => {
            let bytes = &bytes[(*first as usize + start) * stride..];
            for (item, record) in items.zip(bytes.chunks(stride)) {
                each(item, words(record));
            }
        }
        Selection::Bytes(indices) => {
            for (item, &index) in items.zip(&indices[start..]) {
                each(item, words(&bytes[usize::from(index) * stride..]));
            }
        }
        Selection::Shorts(indices) => {
            for (item, &index) in items.zip(&indices[start..]) {
                let index = usize::from(u16::from_le_bytes(index));
                each(item, words(&bytes[index * stride..]));
            }
        }
    }
}

#[inline(always)]
fn words<const N: usize, const W: usize>(bytes: &[u8]) -> &[[u8; W]; N] {
    let (words, _) = bytes[..N * W].as_chunks::<W>();
    words.first_chunk().expect("N · W bytes are N words")
}

pub(crate) fn check_floats(
    attributes: &[Attribute],
    streams: &[Stream<'_>],
    selection: &Selection<'_>,
) -> Result<(), Error> {
    for (index, attribute) in attributes.iter().enumerate().filter(|(_, a)| a.format == 3) {
        let source = (attribute, &streams[usize::from(attribute.stream)]);
        let finite = match attribute.components {
            1 => finite::<1>(source, selection),
            2 => finite::<2>(source, selection),
            3 => finite::<3>(source, selection),
            _ => finite::<4>(source, selection),
        };
        if !finite {
            return first_nonfinite(index, source, selection);
        }
    }
    Ok(())
}

/// Without a branch per float: an exponent is all ones if adding one to it carries into the sign's place.
fn finite<const N: usize>(source: (&Attribute, &Stream<'_>), selection: &Selection<'_>) -> bool {
    let mut carries = [0; N];
    records::<N, 4, _>(source, selection, 0, 0..selection.len(), |_, words| {
        for (carry, &word) in carries.iter_mut().zip(words) {
            *carry |= (u32::from_le_bytes(word) & EXPONENT) + (1 << 23);
        }
    });
    carries.iter().all(|carry| carry >> 31 == 0)
}

fn first_nonfinite(
    attribute: usize,
    source: (&Attribute, &Stream<'_>),
    selection: &Selection<'_>,
) -> Result<(), Error> {
    let (layout, stream) = source;
    for place in 0..selection.len() {
        let vertex = selection.vertex(place);
        let start = (stream.offset + layout.offset) as usize;
        for component in 0..layout.components {
            let at = start + vertex as usize * stream.stride as usize + 4 * usize::from(component);
            let [word] = *words::<1, 4>(&stream.bytes[at..]);
            let bits = u32::from_le_bytes(word);
            if bits & EXPONENT == EXPONENT {
                let stream = usize::from(layout.stream);
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

/// Writes the attributes of vertices that were found to be in range and finite, from place `start` on.
pub(crate) fn write(
    attributes: &[Attribute],
    streams: &[Stream<'_>],
    selection: &Selection<'_>,
    start: usize,
    block: &mut [Vertex],
) {
    for attribute in attributes {
        let stream = &streams[usize::from(attribute.stream)];
        let to = Target {
            source: (attribute, stream),
            selection,
            start,
            output: &mut *block,
        };
        match attribute.format {
            0 => to.put(|[byte]: [u8; 1]| f32::from(byte as i8)),
            1 => to.put(|[byte]: [u8; 1]| f32::from(byte)),
            2 => to.put(|word: [u8; 2]| f32::from(i16::from_le_bytes(word))),
            _ => to.put(f32::from_le_bytes),
        }
    }
}

/// An attribute of a block of vertices.
struct Target<'a> {
    source: (&'a Attribute, &'a Stream<'a>),
    selection: &'a Selection<'a>,
    start: usize,
    output: &'a mut [Vertex],
}

impl Target<'_> {
    fn put<const W: usize>(self, convert: impl Fn([u8; W]) -> f32) {
        match self.source.0.components {
            1 => self.gather::<1, W>(convert),
            2 => self.gather::<2, W>(convert),
            3 => self.gather::<3, W>(convert),
            _ => self.gather::<4, W>(convert),
        }
    }

    fn gather<const N: usize, const W: usize>(self, convert: impl Fn([u8; W]) -> f32) {
        let slot = usize::from(self.source.0.slot & 15);
        records::<N, W, _>(
            self.source,
            self.selection,
            self.start,
            self.output.iter_mut(),
            |vertex, words| {
                // One store of 16 bytes rather than up to four.
                let mut value = [0.0, 0.0, 0.0, 1.0];
                for (to, &word) in value.iter_mut().zip(words) {
                    *to = convert(word);
                }
                vertex.slots[slot] = value;
            },
        );
    }
}
