//! Requests as calls of the library.

use corpora::RejectClass;
use pica::{Error, Indices, Stream, Vertex};

use super::request::{MOST, Refusal, Request};

/// What no decoder writes: a NaN of its own, in every component.
pub(super) const POISON: Vertex = Vertex {
    slots: [[f32::from_bits(0xffa5_a5a5); 4]; 16],
};

/// What a call gives besides the vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fetched {
    /// Slots that attributes go to.
    pub(super) enabled: u16,
    /// How many vertices were written.
    pub(super) vertices: u32,
}

/// Calls the library, with room for the zero bytes that requests add to their data.
#[derive(Default)]
pub(super) struct Fetcher {
    /// Zero between calls.
    bytes: Vec<u8>,
}

impl Fetcher {
    /// Asks the library. An error is of the contract's class and place.
    pub(super) fn fetch(
        &mut self,
        request: &Request<'_>,
        out: &mut [Vertex],
    ) -> Result<Fetched, Refusal> {
        let enabled = self
            .call(request, out)
            .map_err(|error| refusal(request, &error))?;
        Ok(Fetched {
            enabled,
            vertices: if request.decode { request.count } else { 0 },
        })
    }

    /// Asks the library, and leaves its error as it is.
    pub(super) fn call(&mut self, request: &Request<'_>, out: &mut [Vertex]) -> Result<u16, Error> {
        if request.zeros == 0 {
            return call(request, request.data, out);
        }
        let stored = request.data.len();
        let length = stored + request.zeros as usize;
        if self.bytes.len() < length {
            self.bytes = vec![0; length];
        }
        self.bytes[..stored].copy_from_slice(request.data);
        let answer = call(request, &self.bytes[..length], out);
        self.bytes[..stored].fill(0);
        answer
    }
}

fn call(request: &Request<'_>, data: &[u8], out: &mut [Vertex]) -> Result<u16, Error> {
    // A request's spans are in its data: that was judged when it was read.
    let span = |start: u32, length: u32| {
        let rest = data.get(start as usize..).unwrap_or(&[]);
        rest.get(..length as usize).unwrap_or(rest)
    };
    let mut attributes = [pica::Attribute {
        stream: 0,
        format: 0,
        components: 1,
        slot: 0,
        offset: 0,
    }; MOST];
    for (to, from) in attributes.iter_mut().zip(request.attributes()) {
        *to = pica::Attribute {
            stream: from.stream,
            format: from.format,
            components: from.components,
            slot: from.slot,
            offset: from.offset,
        };
    }
    let mut streams = [Stream {
        bytes: &[],
        offset: 0,
        stride: 1,
    }; MOST];
    for (to, from) in streams.iter_mut().zip(request.streams()) {
        *to = Stream {
            bytes: span(from.start, from.length),
            offset: from.offset,
            stride: from.stride,
        };
    }
    let attributes = &attributes[..request.attributes().len()];
    let streams = &streams[..request.streams().len()];
    let indices = request.indices.map(|indices| Indices {
        format: indices.format,
        bytes: span(indices.start, indices.length),
        offset: indices.offset,
    });
    let (first, count) = (request.first, request.count);
    // Rust has no output that is absent and has a capacity. An output without room, and a vertex for it at least, is
    // refused at the same point of the contract's order.
    if !request.decode && request.capacity > 0 {
        return decode(attributes, streams, indices, first, count.max(1), &mut []);
    }
    if request.decode {
        return decode(attributes, streams, indices, first, count, out);
    }
    match &indices {
        Some(indices) => pica::validate_indexed(attributes, streams, indices, first, count),
        None => pica::validate(attributes, streams, first, count),
    }
}

fn decode(
    attributes: &[pica::Attribute],
    streams: &[Stream<'_>],
    indices: Option<Indices<'_>>,
    first: u32,
    count: u32,
    out: &mut [Vertex],
) -> Result<u16, Error> {
    match &indices {
        Some(indices) => pica::decode_indexed(attributes, streams, indices, first, count, out),
        None => pica::decode(attributes, streams, first, count, out),
    }
}

/// Where in the request an error is, and of which class.
fn refusal(request: &Request<'_>, error: &Error) -> Refusal {
    use RejectClass::{Limit, Nonfinite, OutOfRange, Overflow, Overlap, Reserved, Truncated};
    let (attribute_at, stream_at) = (
        |at: usize| request.attribute_at(at),
        |at: usize| request.stream_at(at),
    );
    let indices_at = request.indices_at();
    match *error {
        Error::AttributeCount { .. } => (Limit, 0),
        Error::StreamCount { .. } => (Limit, 1),
        Error::StreamLength { stream, .. } => (Limit, stream_at(stream) + 4),
        Error::Stride { stream, .. } => (OutOfRange, stream_at(stream) + 12),
        Error::AttributeStream { attribute, .. } => (OutOfRange, attribute_at(attribute)),
        Error::Format { attribute, .. } => (Reserved, attribute_at(attribute) + 1),
        Error::Components { attribute, .. } => (OutOfRange, attribute_at(attribute) + 2),
        Error::Slot { attribute, .. } => (OutOfRange, attribute_at(attribute) + 3),
        Error::SlotTaken { attribute, .. } => (Overlap, attribute_at(attribute) + 3),
        Error::BeyondStride { attribute, .. } => (OutOfRange, attribute_at(attribute) + 4),
        Error::IndexFormat { .. } => (Reserved, indices_at),
        Error::IndexLength { .. } => (Limit, indices_at + 12),
        Error::VertexCount { .. } => (Limit, 8),
        Error::Capacity { .. } => (OutOfRange, 12),
        Error::LastOverflow { .. } => (Overflow, 4),
        Error::IndexOverflow { .. } => (Overflow, indices_at + 4),
        Error::IndexTruncated { .. } => (Truncated, indices_at + 4),
        Error::RangeOverflow { attribute, .. } => (Overflow, attribute_at(attribute)),
        Error::RangeTruncated { attribute, .. } => (Truncated, attribute_at(attribute)),
        Error::NonFinite { stream, at, .. } => {
            let start = request.streams().get(stream).map_or(0, |one| one.start);
            (Nonfinite, request.data_at() + start as usize + at)
        }
        // An error that the contract does not have differs from everything.
        _ => (RejectClass::BadMagic, usize::MAX),
    }
}
