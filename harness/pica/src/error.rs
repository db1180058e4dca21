/// The first broken rule of a call. `attribute` and `stream` are indices into the caller's slices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the message says what the fields are")]
pub enum Error {
    /// More attributes than [`crate::MAX_ATTRIBUTES`].
    #[error("{found} attributes, at most 12 are allowed")]
    AttributeCount { found: usize },
    /// More streams than [`crate::MAX_STREAMS`].
    #[error("{found} streams, at most 12 are allowed")]
    StreamCount { found: usize },
    /// A span longer than [`crate::MAX_SPAN`].
    #[error("stream {stream}: {found} bytes, at most 4194304 are allowed")]
    StreamLength { stream: usize, found: usize },
    /// A stride that a loader can't have.
    #[error("stream {stream}: stride {found}, 1 to 255 is allowed")]
    Stride { stream: usize, found: u32 },
    /// A stream that is not there.
    #[error("attribute {attribute}: stream {found}, there are {streams}")]
    AttributeStream {
        attribute: usize,
        found: u8,
        streams: usize,
    },
    /// A format that is not there.
    #[error("attribute {attribute}: format {found}, 0 to 3 is allowed")]
    Format { attribute: usize, found: u8 },
    /// A number of components that is not there.
    #[error("attribute {attribute}: {found} components, 1 to 4 are allowed")]
    Components { attribute: usize, found: u8 },
    /// A slot that is not there.
    #[error("attribute {attribute}: slot {found}, 0 to 15 is allowed")]
    Slot { attribute: usize, found: u8 },
    /// A slot of an earlier attribute.
    #[error("attribute {attribute}: slot {found} belongs to an earlier attribute")]
    SlotTaken { attribute: usize, found: u8 },
    /// An attribute that doesn't end within the stride.
    #[error("attribute {attribute}: ends at byte {end} of a vertex, the stride is {stride}")]
    BeyondStride {
        attribute: usize,
        end: u64,
        stride: u32,
    },
    /// An index format that is not there.
    #[error("indices: format {found}, 0 or 1 is allowed")]
    IndexFormat { found: u32 },
    /// A span of indices longer than [`crate::MAX_SPAN`].
    #[error("indices: {found} bytes, at most 4194304 are allowed")]
    IndexLength { found: usize },
    /// More vertices than [`crate::MAX_VERTICES`].
    #[error("{found} vertices, at most 4096 are allowed")]
    VertexCount { found: u32 },
    /// More vertices than the output has room for.
    #[error("{count} vertices, the output has room for {capacity}")]
    Capacity { count: u32, capacity: usize },
    /// The last element's number is no u32.
    #[error("first {first} and count {count}: the last is above 4294967295")]
    LastOverflow { first: u32, count: u32 },
    /// The selected indices end above 2³² − 1.
    #[error("indices: end at byte {end}, above 4294967295")]
    IndexOverflow { end: u64 },
    /// The selected indices end beyond their span.
    #[error("indices: end at byte {end} of a span of {length}")]
    IndexTruncated { end: u64, length: usize },
    /// A selected vertex's attribute ends above 2³² − 1.
    #[error("attribute {attribute}: vertex {vertex} ends at byte {end}, above 4294967295")]
    RangeOverflow {
        attribute: usize,
        vertex: u32,
        end: u64,
    },
    /// A selected vertex's attribute ends beyond the stream's span.
    #[error("attribute {attribute}: vertex {vertex} ends at byte {end} of a span of {length}")]
    RangeTruncated {
        attribute: usize,
        vertex: u32,
        end: u64,
        length: usize,
    },
    /// An infinity or NaN. `vertex` is its number in the stream, `at` its byte in the stream's span.
    #[error(
        "attribute {attribute}: vertex {vertex}, component {component}: float {bits:#010x} at \
         byte {at} of stream {stream} is not finite"
    )]
    NonFinite {
        attribute: usize,
        stream: usize,
        vertex: u32,
        component: u8,
        at: usize,
        bits: u32,
    },
}
