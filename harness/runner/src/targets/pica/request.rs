//! Requests as `docs/targets/pica.md` writes them: read by the adapter of the decoder, written by sweeps and commands.

use corpora::RejectClass;

/// Most attributes, and most streams, of a request.
pub const MOST: usize = 12;

/// Most zero bytes that a request adds to its data.
pub const MOST_ZEROS: u32 = 8 << 20;

const HEADER: usize = 20;
const INDICES: usize = 16;
const ATTRIBUTE: usize = 8;
const STREAM: usize = 16;

/// The indices of a gather. All numbers are as they stand in the request: nothing is checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Indices {
    /// 0 for u8, 1 for u16.
    pub format: u32,
    /// Byte of index 0 in the span.
    pub offset: u32,
    /// Where the span starts in the data.
    pub start: u32,
    /// Bytes of the span.
    pub length: u32,
}

/// An attribute, unchecked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Attribute {
    /// Index of its stream.
    pub stream: u8,
    /// 0 to 3: s8, u8, s16, f32.
    pub format: u8,
    /// How many components.
    pub components: u8,
    /// The input slot that it goes to.
    pub slot: u8,
    /// Byte of its first component in a vertex.
    pub offset: u32,
}

/// A stream, unchecked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stream {
    /// Where the span starts in the data.
    pub start: u32,
    /// Bytes of the span.
    pub length: u32,
    /// Byte of vertex 0 in the span.
    pub offset: u32,
    /// Bytes from vertex to vertex.
    pub stride: u32,
}

/// A request. Its layout fits its bytes, and its spans fit its data; nothing else is checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request<'a> {
    /// Whether vertices are wanted; otherwise the request is only validated.
    pub decode: bool,
    /// First vertex, or first index.
    pub first: u32,
    /// How many vertices.
    pub count: u32,
    /// For how many there is room.
    pub capacity: u32,
    /// Zero bytes behind the data.
    pub zeros: u32,
    /// The indices of a gather.
    pub indices: Option<Indices>,
    attributes: [Attribute; MOST],
    attribute_count: usize,
    streams: [Stream; MOST],
    stream_count: usize,
    /// The data, without its zero bytes.
    pub data: &'a [u8],
}

/// Why bytes are no request: rules 1 to 3 of the contract.
pub type Refusal = (RejectClass, usize);

impl<'a> Request<'a> {
    /// A request for `count` vertices, with room for them, of a layout still to be added.
    pub fn new(count: u32, data: &'a [u8]) -> Self {
        Self {
            decode: true,
            count,
            capacity: count,
            data,
            ..Self::default()
        }
    }

    /// Reads a request, with indices or without. Rules 1 to 3 are judged here: what is left is the decoder's.
    pub fn read(bytes: &'a [u8], indexed: bool) -> Result<Self, Refusal> {
        let Some((header, _)) = bytes.split_at_checked(HEADER) else {
            return Err((RejectClass::Truncated, 0));
        };
        let (attribute_count, stream_count) = (usize::from(header[0]), usize::from(header[1]));
        let zeros = word(header, 16);
        if header[2] > 1 {
            return Err((RejectClass::OutOfRange, 2));
        }
        if header[3] != 0 {
            return Err((RejectClass::Reserved, 3));
        }
        if zeros > MOST_ZEROS {
            return Err((RejectClass::Limit, 16));
        }
        if attribute_count > MOST {
            return Err((RejectClass::Limit, 0));
        }
        if stream_count > MOST {
            return Err((RejectClass::Limit, 1));
        }
        let mut request = Self {
            decode: header[2] == 1,
            first: word(header, 4),
            count: word(header, 8),
            capacity: word(header, 12),
            zeros,
            attribute_count,
            stream_count,
            ..Self::default()
        };
        let mut at = HEADER;
        let mut take = |length: usize| {
            let part = bytes.get(at..at + length);
            let part = part.ok_or((RejectClass::Truncated, at))?;
            at += length;
            Ok::<&[u8], Refusal>(part)
        };
        if indexed {
            let part = take(INDICES)?;
            request.indices = Some(Indices {
                format: word(part, 0),
                offset: word(part, 4),
                start: word(part, 8),
                length: word(part, 12),
            });
        }
        for attribute in &mut request.attributes[..attribute_count] {
            let part = take(ATTRIBUTE)?;
            *attribute = Attribute {
                stream: part[0],
                format: part[1],
                components: part[2],
                slot: part[3],
                offset: word(part, 4),
            };
        }
        for stream in &mut request.streams[..stream_count] {
            let part = take(STREAM)?;
            *stream = Stream {
                start: word(part, 0),
                length: word(part, 4),
                offset: word(part, 8),
                stride: word(part, 12),
            };
        }
        request.data = &bytes[at..];
        request.check_spans()?;
        Ok(request)
    }

    fn check_spans(&self) -> Result<(), Refusal> {
        let length = self.data.len() as u64 + u64::from(self.zeros);
        let beyond = |start: u32, span: u32| u64::from(start) + u64::from(span) > length;
        if let Some(indices) = self.indices
            && beyond(indices.start, indices.length)
        {
            return Err((RejectClass::Truncated, HEADER + 8));
        }
        match self
            .streams()
            .iter()
            .position(|stream| beyond(stream.start, stream.length))
        {
            Some(stream) => Err((RejectClass::Truncated, self.stream_at(stream))),
            None => Ok(()),
        }
    }

    /// The attributes.
    pub fn attributes(&self) -> &[Attribute] {
        &self.attributes[..self.attribute_count]
    }

    /// The attributes, to change.
    pub fn attributes_mut(&mut self) -> &mut [Attribute] {
        &mut self.attributes[..self.attribute_count]
    }

    /// The streams.
    pub fn streams(&self) -> &[Stream] {
        &self.streams[..self.stream_count]
    }

    /// Adds an attribute. Whether there was room for it.
    pub fn add_attribute(&mut self, attribute: Attribute) -> bool {
        let place = self.attributes.get_mut(self.attribute_count);
        let room = place.map(|place| *place = attribute).is_some();
        self.attribute_count += usize::from(room);
        room
    }

    /// Adds a stream. Whether there was room for it.
    pub fn add_stream(&mut self, stream: Stream) -> bool {
        let place = self.streams.get_mut(self.stream_count);
        let room = place.map(|place| *place = stream).is_some();
        self.stream_count += usize::from(room);
        room
    }

    /// Where the indices stand in the request.
    pub fn indices_at(&self) -> usize {
        HEADER
    }

    /// Where attribute `number` stands in the request.
    pub fn attribute_at(&self, number: usize) -> usize {
        HEADER + if self.indices.is_some() { INDICES } else { 0 } + ATTRIBUTE * number
    }

    /// Where stream `number` stands in the request.
    pub fn stream_at(&self, number: usize) -> usize {
        self.attribute_at(self.attribute_count) + STREAM * number
    }

    /// Where the data begins in the request.
    pub fn data_at(&self) -> usize {
        self.stream_at(self.stream_count)
    }

    /// Appends the request's bytes.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend([
            self.attribute_count as u8,
            self.stream_count as u8,
            u8::from(self.decode),
            0,
        ]);
        put(out, &[self.first, self.count, self.capacity, self.zeros]);
        if let Some(indices) = self.indices {
            let Indices {
                format,
                offset,
                start,
                length,
            } = indices;
            put(out, &[format, offset, start, length]);
        }
        for attribute in self.attributes() {
            let Attribute {
                stream,
                format,
                components,
                slot,
                offset,
            } = *attribute;
            out.extend([stream, format, components, slot]);
            put(out, &[offset]);
        }
        for stream in self.streams() {
            put(
                out,
                &[stream.start, stream.length, stream.offset, stream.stride],
            );
        }
        out.extend_from_slice(self.data);
    }
}

/// A refusal in words.
pub fn explain((class, at): Refusal) -> String {
    let what = match (class, at) {
        (RejectClass::Truncated, 0) => "a request has a header of 20 bytes".to_owned(),
        (RejectClass::OutOfRange, _) => "byte 2 is 1 to decode, 0 to validate".to_owned(),
        (RejectClass::Reserved, _) => "byte 3 is 0".to_owned(),
        (RejectClass::Limit, 16) => format!("at most {MOST_ZEROS} zero bytes are added"),
        (RejectClass::Limit, 0) => format!("at most {MOST} attributes are allowed"),
        (RejectClass::Limit, _) => format!("at most {MOST} streams are allowed"),
        _ => "the layout, or a span, reaches beyond the end".to_owned(),
    };
    format!("no request: {class} at byte {at}: {what}")
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn put(out: &mut Vec<u8>, words: &[u32]) {
    for word in words {
        out.extend(word.to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let mut request = Request::new(3, &[1, 2, 3]);
        request.indices = Some(Indices {
            format: 1,
            offset: 2,
            start: 0,
            length: 3,
        });
        let attribute = Attribute {
            stream: 0,
            format: 1,
            components: 2,
            slot: 15,
            offset: 7,
        };
        assert!(request.add_attribute(attribute));
        assert!(request.add_stream(Stream {
            start: 1,
            length: 2,
            offset: 9,
            stride: 255
        }));
        let mut bytes = Vec::new();
        request.write(&mut bytes);
        assert_eq!(bytes.len(), request.data_at() + 3);
        assert_eq!(Request::read(&bytes, true), Ok(request));
        for _ in 1..MOST {
            let mut more = Vec::new();
            let mut request = Request::read(&bytes, true).expect("a request");
            assert!(request.add_attribute(attribute));
            request.write(&mut more);
            bytes = more;
        }
        let mut full = Request::read(&bytes, true).expect("a request");
        assert!(!full.add_attribute(attribute));
    }
}
