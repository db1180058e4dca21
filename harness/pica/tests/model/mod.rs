//! The contract of `docs/targets/pica.md` as plainly as it is written: rule by rule, number by number, without bounds.

use pica::{Attribute, Indices, Stream};

/// What of a call broke a rule; numbers are indices of attributes and streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum At {
    Attributes,
    Streams,
    Length(usize),
    Stride(usize),
    Stream(usize),
    Format(usize),
    Components(usize),
    Slot(usize),
    Offset(usize),
    IndexFormat,
    IndexLength,
    Count,
    Capacity,
    First,
    IndexOffset,
    Attribute(usize),
    /// Stream and byte of its span.
    Float(usize, u128),
}

/// Class of the document, and place.
pub(crate) type Broken = (&'static str, At);

/// The bits of x, y, z, w of the sixteen slots.
pub(crate) type Bits = [[u32; 4]; 16];

#[derive(Clone, Debug)]
pub(crate) struct Call<'a> {
    pub(crate) attributes: &'a [Attribute],
    pub(crate) streams: &'a [Stream<'a>],
    pub(crate) indices: Option<Indices<'a>>,
    pub(crate) first: u32,
    pub(crate) count: u32,
    /// None: validate only.
    pub(crate) capacity: Option<usize>,
}

const WORD: u128 = 0xffff_ffff;

fn size_of_component(format: u8) -> u128 {
    match format {
        0 | 1 => 1,
        2 => 2,
        3 => 4,
        other => panic!("format {other} got past rule 5"),
    }
}

fn number(bytes: &[u8], at: u128, size: u128) -> u64 {
    (0..size)
        .map(|n| u64::from(bytes[(at + n) as usize]) << (8 * n))
        .sum()
}

/// Rules 4 to 7.
fn layout(call: &Call<'_>) -> Result<u16, Broken> {
    // Rule 1, of counts, comes first of all.
    if call.attributes.len() > 12 {
        return Err(("limit", At::Attributes));
    }
    if call.streams.len() > 12 {
        return Err(("limit", At::Streams));
    }
    for (n, stream) in call.streams.iter().enumerate() {
        if stream.bytes.len() > 4_194_304 {
            return Err(("limit", At::Length(n)));
        }
        if stream.stride < 1 || stream.stride > 255 {
            return Err(("out-of-range", At::Stride(n)));
        }
    }
    let mut taken = Vec::new();
    for (n, attribute) in call.attributes.iter().enumerate() {
        if usize::from(attribute.stream) >= call.streams.len() {
            return Err(("out-of-range", At::Stream(n)));
        }
        if attribute.format > 3 {
            return Err(("reserved", At::Format(n)));
        }
        if attribute.components < 1 || attribute.components > 4 {
            return Err(("out-of-range", At::Components(n)));
        }
        if attribute.slot > 15 {
            return Err(("out-of-range", At::Slot(n)));
        }
        if taken.contains(&attribute.slot) {
            return Err(("overlap", At::Slot(n)));
        }
        taken.push(attribute.slot);
        let end = u128::from(attribute.offset) + size(attribute);
        if end > u128::from(call.streams[usize::from(attribute.stream)].stride) {
            return Err(("out-of-range", At::Offset(n)));
        }
    }
    if let Some(indices) = &call.indices {
        if indices.format > 1 {
            return Err(("reserved", At::IndexFormat));
        }
        if indices.bytes.len() > 4_194_304 {
            return Err(("limit", At::IndexLength));
        }
    }
    if call.count > 4096 {
        return Err(("limit", At::Count));
    }
    if call
        .capacity
        .is_some_and(|capacity| call.count as usize > capacity)
    {
        return Err(("out-of-range", At::Capacity));
    }
    Ok(taken.iter().map(|slot| 1 << slot).sum())
}

fn size(attribute: &Attribute) -> u128 {
    size_of_component(attribute.format) * u128::from(attribute.components)
}

/// Rules 9 and 10, and the numbers of the vertices.
fn selected(call: &Call<'_>) -> Result<Vec<u64>, Broken> {
    let (first, count) = (u128::from(call.first), u128::from(call.count));
    if first + count - 1 > WORD {
        return Err(("overflow", At::First));
    }
    let Some(indices) = &call.indices else {
        return Ok((first..first + count).map(|vertex| vertex as u64).collect());
    };
    let width = if indices.format == 0 { 1 } else { 2 };
    let end = u128::from(indices.offset) + (first + count) * width;
    if end > WORD {
        return Err(("overflow", At::IndexOffset));
    }
    if end > indices.bytes.len() as u128 {
        return Err(("truncated", At::IndexOffset));
    }
    let at = |n| u128::from(indices.offset) + (first + n) * width;
    Ok((0..count)
        .map(|n| number(indices.bytes, at(n), width))
        .collect())
}

/// Where a component of a vertex is in its stream's span.
fn place(attribute: &Attribute, stream: &Stream<'_>, vertex: u64, component: u8) -> u128 {
    u128::from(stream.offset)
        + u128::from(vertex) * u128::from(stream.stride)
        + u128::from(attribute.offset)
        + u128::from(component) * size_of_component(attribute.format)
}

fn converted(attribute: &Attribute, raw: u64) -> u32 {
    let value = match attribute.format {
        0 if raw >= 0x80 => raw as f32 - 256.0,
        2 if raw >= 0x8000 => raw as f32 - 65536.0,
        3 => return raw as u32,
        _ => raw as f32,
    };
    value.to_bits()
}

/// The mask of slots and the vertices of an accepted call, or the first rule that it breaks.
pub(crate) fn answer(call: &Call<'_>) -> Result<(u16, Vec<Bits>), Broken> {
    let enabled = layout(call)?;
    if call.count == 0 {
        return Ok((enabled, Vec::new()));
    }
    let vertices = selected(call)?;
    let source = |attribute: &Attribute| &call.streams[usize::from(attribute.stream)];
    let largest = *vertices.iter().max().expect("not empty");
    for (n, attribute) in call.attributes.iter().enumerate() {
        let end = place(attribute, source(attribute), largest, 0) + size(attribute);
        if end > WORD {
            return Err(("overflow", At::Attribute(n)));
        }
        if end > source(attribute).bytes.len() as u128 {
            return Err(("truncated", At::Attribute(n)));
        }
    }
    let read = |attribute: &Attribute, vertex, component| {
        let at = place(attribute, source(attribute), vertex, component);
        (
            at,
            number(
                source(attribute).bytes,
                at,
                size_of_component(attribute.format),
            ),
        )
    };
    for attribute in call
        .attributes
        .iter()
        .filter(|attribute| attribute.format == 3)
    {
        for &vertex in &vertices {
            for component in 0..attribute.components {
                let (at, raw) = read(attribute, vertex, component);
                if !f32::from_bits(raw as u32).is_finite() {
                    return Err(("nonfinite", At::Float(attribute.stream.into(), at)));
                }
            }
        }
    }
    if call.capacity.is_none() {
        return Ok((enabled, Vec::new()));
    }
    let vertex = |&vertex| {
        let mut bits = [[0, 0, 0, 1.0f32.to_bits()]; 16];
        for attribute in call.attributes {
            for component in 0..attribute.components {
                let (_, raw) = read(attribute, vertex, component);
                bits[usize::from(attribute.slot)][usize::from(component)] =
                    converted(attribute, raw);
            }
        }
        bits
    };
    Ok((enabled, vertices.iter().map(vertex).collect()))
}
