use crate::{
    Attribute, Error, Indices, MAX_ATTRIBUTES, MAX_SPAN, MAX_STREAMS, MAX_VERTICES, Stream,
};

/// Bytes of a component of a format that [`layout`] let through.
fn width(format: u8) -> u32 {
    [1, 1, 2, 4][usize::from(format & 3)]
}

fn size(attribute: &Attribute) -> u64 {
    u64::from(width(attribute.format)) * u64::from(attribute.components)
}

pub(crate) fn layout(attributes: &[Attribute], streams: &[Stream<'_>]) -> Result<u16, Error> {
    if attributes.len() > MAX_ATTRIBUTES {
        return Err(Error::AttributeCount {
            found: attributes.len(),
        });
    }
    if streams.len() > MAX_STREAMS {
        return Err(Error::StreamCount {
            found: streams.len(),
        });
    }
    for (index, stream) in streams.iter().enumerate() {
        if stream.bytes.len() > MAX_SPAN {
            return Err(Error::StreamLength {
                stream: index,
                found: stream.bytes.len(),
            });
        }
        if !(1..=255).contains(&stream.stride) {
            return Err(Error::Stride {
                stream: index,
                found: stream.stride,
            });
        }
    }
    let mut enabled = 0u16;
    for (index, attribute) in attributes.iter().enumerate() {
        let Some(stream) = streams.get(usize::from(attribute.stream)) else {
            let found = attribute.stream;
            return Err(Error::AttributeStream {
                attribute: index,
                found,
                streams: streams.len(),
            });
        };
        if attribute.format > 3 {
            return Err(Error::Format {
                attribute: index,
                found: attribute.format,
            });
        }
        if !(1..=4).contains(&attribute.components) {
            return Err(Error::Components {
                attribute: index,
                found: attribute.components,
            });
        }
        if attribute.slot > 15 {
            return Err(Error::Slot {
                attribute: index,
                found: attribute.slot,
            });
        }
        if enabled & (1 << attribute.slot) != 0 {
            return Err(Error::SlotTaken {
                attribute: index,
                found: attribute.slot,
            });
        }
        let end = u64::from(attribute.offset) + size(attribute);
        if end > u64::from(stream.stride) {
            return Err(Error::BeyondStride {
                attribute: index,
                end,
                stride: stream.stride,
            });
        }
        enabled |= 1 << attribute.slot;
    }
    Ok(enabled)
}

pub(crate) fn request(
    indices: Option<&Indices<'_>>,
    count: u32,
    capacity: Option<usize>,
) -> Result<(), Error> {
    if let Some(indices) = indices {
        if indices.format > 1 {
            return Err(Error::IndexFormat {
                found: indices.format,
            });
        }
        if indices.bytes.len() > MAX_SPAN {
            return Err(Error::IndexLength {
                found: indices.bytes.len(),
            });
        }
    }
    if count > MAX_VERTICES {
        return Err(Error::VertexCount { found: count });
    }
    match capacity {
        Some(capacity) if count as usize > capacity => Err(Error::Capacity { count, capacity }),
        _ => Ok(()),
    }
}

/// Which vertices a call selects; never empty.
pub(crate) enum Selection<'a> {
    Sequence { first: u32, count: usize },
    Bytes(&'a [u8]),
    Shorts(&'a [[u8; 2]]),
}

impl<'a> Selection<'a> {
    pub(crate) fn new(
        indices: Option<&Indices<'a>>,
        first: u32,
        count: u32,
    ) -> Result<Self, Error> {
        if first.checked_add(count - 1).is_none() {
            return Err(Error::LastOverflow { first, count });
        }
        let Some(indices) = indices else {
            return Ok(Self::Sequence {
                first,
                count: count as usize,
            });
        };
        let width = u64::from(indices.format + 1);
        let start = u64::from(indices.offset) + u64::from(first) * width;
        let end = start + u64::from(count) * width;
        if end > u64::from(u32::MAX) {
            return Err(Error::IndexOverflow { end });
        }
        let Some(bytes) = indices.bytes.get(start as usize..end as usize) else {
            return Err(Error::IndexTruncated {
                end,
                length: indices.bytes.len(),
            });
        };
        Ok(match indices.format {
            0 => Self::Bytes(bytes),
            _ => Self::Shorts(bytes.as_chunks().0),
        })
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Sequence { count, .. } => *count,
            Self::Bytes(indices) => indices.len(),
            Self::Shorts(indices) => indices.len(),
        }
    }

    fn largest(&self) -> u32 {
        match self {
            Self::Sequence { first, count } => first + (*count as u32 - 1),
            Self::Bytes(indices) => indices.iter().copied().max().unwrap_or(0).into(),
            Self::Shorts(indices) => indices
                .iter()
                .map(|&index| u16::from_le_bytes(index))
                .max()
                .unwrap_or(0)
                .into(),
        }
    }

    /// The number of the vertex at a place below [`Selection::len`].
    pub(crate) fn vertex(&self, place: usize) -> u32 {
        match self {
            Self::Sequence { first, .. } => first + place as u32,
            Self::Bytes(indices) => indices[place].into(),
            Self::Shorts(indices) => u16::from_le_bytes(indices[place]).into(),
        }
    }
}

pub(crate) fn ranges(
    attributes: &[Attribute],
    streams: &[Stream<'_>],
    selection: &Selection<'_>,
) -> Result<(), Error> {
    let vertex = selection.largest();
    for (index, attribute) in attributes.iter().enumerate() {
        let stream = &streams[usize::from(attribute.stream)];
        let end = u64::from(stream.offset)
            + u64::from(vertex) * u64::from(stream.stride)
            + u64::from(attribute.offset)
            + size(attribute);
        if end > u64::from(u32::MAX) {
            return Err(Error::RangeOverflow {
                attribute: index,
                vertex,
                end,
            });
        }
        let length = stream.bytes.len();
        if end > length as u64 {
            return Err(Error::RangeTruncated {
                attribute: index,
                vertex,
                end,
                length,
            });
        }
    }
    Ok(())
}
