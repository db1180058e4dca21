//! What a call that broke a rule says to C.

use crate::Error;

/// Which kind of rule a call broke. The numbers stay; later versions may add some.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A pointer that is null though something has to be there, or that is not aligned for its type.
    InvalidArgument = -1,
    /// A layout that no loader has: stride, stream, number of components, slot, offset.
    InvalidLayout = -2,
    /// A format that is not there.
    UnsupportedFormat = -3,
    /// A float that is infinite or NaN.
    UnsupportedValue = -4,
    /// A selected index or attribute ends beyond its span.
    Truncated = -5,
    /// More attributes, streams, vertices or bytes than a call may have.
    Limit = -6,
    /// More vertices than the output has room for.
    Capacity = -7,
    /// The output or the error shares bytes with an input or with each other.
    Alias = -8,
    /// A sum that does not fit: a vertex or byte number above 4294967295, or memory that ends above the last address.
    Overflow = -9,
}

/// What of the call broke the rule.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// The array of attributes, or their number.
    Attributes = 1,
    /// The array of streams, or their number.
    Streams = 2,
    /// The description of the indices.
    Indices = 3,
    /// The output.
    Output = 4,
    /// A stream's span: `bytes`, `length`.
    StreamBytes = 5,
    /// A stream's `stride`.
    Stride = 6,
    /// An attribute's `stream`.
    AttributeStream = 7,
    /// An attribute's `format`.
    Format = 8,
    /// An attribute's `components`.
    Components = 9,
    /// An attribute's `slot`: above 15, or that of an earlier attribute.
    Slot = 10,
    /// An attribute's `offset`: the attribute ends beyond the stride.
    Offset = 11,
    /// The indices' span: `bytes`, `length`.
    IndexBytes = 12,
    /// The indices' `format`.
    IndexFormat = 13,
    /// The argument `count`.
    Count = 14,
    /// The argument `first`, together with `count`.
    First = 15,
    /// The place of an attribute of a selected vertex in its stream's span.
    Range = 16,
    /// The place of the selected indices in their span.
    IndexRange = 17,
    /// A component of a selected vertex.
    Value = 18,
}

/// A position of an error that does not apply.
pub const NONE: u32 = u32::MAX;

/// The first rule that a call broke.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CError {
    /// What the call returned.
    pub kind: Kind,
    /// What broke the rule. Of an alias: the input that the output shares bytes with.
    pub field: Field,
    /// Index of the attribute, or `PICA_NONE`.
    pub attribute: u32,
    /// Index of the stream, or `PICA_NONE`.
    pub stream: u32,
    /// Number of the vertex in its stream, or `PICA_NONE`. (Vertex 4294967295 is never in range, and looks the same.)
    pub vertex: u32,
    /// Component of the attribute, 0 to 3, or `PICA_NONE`.
    pub component: u32,
    /// The value that was found: a number as it was given, the byte at which something ends, the bits of a float, the
    /// first address of a pointer or of the bytes that are shared.
    pub found: u64,
    /// The largest value that was allowed, where there is one; else 0.
    pub allowed: u64,
    /// `PICA_FIELD_VALUE`: the byte of the float in its stream's span; else 0.
    pub byte: u64,
}

impl CError {
    pub(super) fn new(kind: Kind, field: Field, found: u64, allowed: u64) -> Self {
        Self {
            kind,
            field,
            attribute: NONE,
            stream: NONE,
            vertex: NONE,
            component: NONE,
            found,
            allowed,
            byte: 0,
        }
    }

    fn of_attribute(self, attribute: usize) -> Self {
        Self {
            attribute: attribute as u32,
            ..self
        }
    }

    pub(super) fn of_stream(self, stream: usize) -> Self {
        Self {
            stream: stream as u32,
            ..self
        }
    }

    fn of_vertex(self, vertex: u32) -> Self {
        Self { vertex, ..self }
    }
}

impl From<Error> for CError {
    fn from(error: Error) -> Self {
        use Kind::{
            Capacity, InvalidLayout, Limit, Overflow, Truncated, UnsupportedFormat,
            UnsupportedValue,
        };
        const WORD: u64 = u32::MAX as u64;
        let new = Self::new;
        match error {
            Error::AttributeCount { found } => new(
                Limit,
                Field::Attributes,
                found as u64,
                crate::MAX_ATTRIBUTES as u64,
            ),
            Error::StreamCount { found } => new(
                Limit,
                Field::Streams,
                found as u64,
                crate::MAX_STREAMS as u64,
            ),
            Error::StreamLength { stream, found } => new(
                Limit,
                Field::StreamBytes,
                found as u64,
                crate::MAX_SPAN as u64,
            )
            .of_stream(stream),
            Error::Stride { stream, found } => {
                new(InvalidLayout, Field::Stride, found.into(), 255).of_stream(stream)
            }
            Error::AttributeStream {
                attribute,
                found,
                streams,
            } => {
                let last = (streams as u64).saturating_sub(1);
                new(InvalidLayout, Field::AttributeStream, found.into(), last)
                    .of_attribute(attribute)
            }
            Error::Format { attribute, found } => {
                new(UnsupportedFormat, Field::Format, found.into(), 3).of_attribute(attribute)
            }
            Error::Components { attribute, found } => {
                new(InvalidLayout, Field::Components, found.into(), 4).of_attribute(attribute)
            }
            Error::Slot { attribute, found } | Error::SlotTaken { attribute, found } => {
                new(InvalidLayout, Field::Slot, found.into(), 15).of_attribute(attribute)
            }
            Error::BeyondStride {
                attribute,
                end,
                stride,
            } => new(InvalidLayout, Field::Offset, end, stride.into()).of_attribute(attribute),
            Error::IndexFormat { found } => {
                new(UnsupportedFormat, Field::IndexFormat, found.into(), 1)
            }
            Error::IndexLength { found } => new(
                Limit,
                Field::IndexBytes,
                found as u64,
                crate::MAX_SPAN as u64,
            ),
            Error::VertexCount { found } => new(
                Limit,
                Field::Count,
                found.into(),
                crate::MAX_VERTICES.into(),
            ),
            Error::Capacity { count, capacity } => {
                new(Capacity, Field::Count, count.into(), capacity as u64)
            }
            Error::LastOverflow { first, count } => {
                let last = u64::from(first) + u64::from(count) - 1;
                new(Overflow, Field::First, last, WORD)
            }
            Error::IndexOverflow { end } => new(Overflow, Field::IndexRange, end, WORD),
            Error::IndexTruncated { end, length } => {
                new(Truncated, Field::IndexRange, end, length as u64)
            }
            Error::RangeOverflow {
                attribute,
                vertex,
                end,
            } => new(Overflow, Field::Range, end, WORD)
                .of_attribute(attribute)
                .of_vertex(vertex),
            Error::RangeTruncated {
                attribute,
                vertex,
                end,
                length,
            } => new(Truncated, Field::Range, end, length as u64)
                .of_attribute(attribute)
                .of_vertex(vertex),
            Error::NonFinite {
                attribute,
                stream,
                vertex,
                component,
                at,
                bits,
            } => Self {
                component: component.into(),
                byte: at as u64,
                ..new(
                    UnsupportedValue,
                    Field::Value,
                    bits.into(),
                    f32::MAX.to_bits().into(),
                )
                .of_attribute(attribute)
                .of_stream(stream)
                .of_vertex(vertex)
            },
        }
    }
}
