//! The structures of a request, and rules 1 to 3: the request itself.

use corpora::RejectClass;

use super::Tables;
use super::input::{Bytes, Rejection, require};
use super::limits::{Limits, missing};
use crate::table::{Table, TableError};

/// A number of a request, and the place of its first byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Number {
    pub(super) value: u64,
    pub(super) at: u64,
}

/// Where a number stands in its structure.
#[derive(Clone, Copy, Debug)]
struct Member {
    offset: u64,
    size: u64,
}

impl Member {
    fn read(table: &Table, structure: &str, member: &str) -> Result<Self, TableError> {
        let row = (table.rows())
            .find(|row| row.text("structure") == structure && row.text("member") == member)
            .ok_or_else(|| missing(table, &format!("{member} of {structure}")))?;
        let size = u64::from(row.number("size")?);
        if size > 8 {
            return Err(row.fault(format!("{size} bytes are no number")));
        }
        Ok(Self {
            offset: row.number("offset")?.into(),
            size,
        })
    }
}

/// Makes a structure of numbers, and the places of its members as `request.tsv` has them.
macro_rules! structure {
    ($(#[$doc:meta])* $name:ident, $places:ident, $text:literal: $($member:ident),*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub(super) struct $name {
            $(pub(super) $member: Number,)*
        }

        #[derive(Clone, Copy, Debug)]
        struct $places {
            size: u64,
            $($member: Member,)*
        }

        impl $places {
            fn read(table: &Table) -> Result<Self, TableError> {
                Ok(Self {
                    size: Member::read(table, $text, "(end)")?.offset,
                    $($member: Member::read(table, $text, stringify!($member))?,)*
                })
            }

            fn get(&self, request: Bytes<'_>, at: u64) -> $name {
                let number = |member: Member| Number {
                    value: request.number(at + member.offset, member.size),
                    at: at + member.offset,
                };
                $name { $($member: number(self.$member),)* }
            }
        }
    };
}

structure!(
    /// What a request starts with.
    Header, HeaderPlaces, "header":
    attributes, streams, mode, reserved, first, count, capacity, zeros
);
structure!(
    /// Where the indices are.
    Indices, IndicesPlaces, "indices": format, offset, start, length
);
structure!(
    /// An attribute of the layout.
    Attribute, AttributePlaces, "attribute": stream, format, components, slot, offset
);
structure!(
    /// A stream of the layout.
    Stream, StreamPlaces, "stream": start, length, offset, stride
);

impl Header {
    /// Whether vertices are to be written; otherwise the request is validated only.
    pub(super) fn decodes(&self) -> bool {
        self.mode.value != 0
    }
}

/// A request whose structures are there and whose spans are inside the data.
#[derive(Clone, Debug)]
pub(super) struct Request<'a> {
    pub(super) header: Header,
    /// Of an indexed request.
    pub(super) indices: Option<Indices>,
    /// Each with the place of its first byte.
    pub(super) attributes: Vec<(u64, Attribute)>,
    pub(super) streams: Vec<Stream>,
    /// The data, with its zero bytes.
    pub(super) data: Bytes<'a>,
    /// The place of the data's first byte.
    pub(super) data_at: u64,
}

/// Rules 1 to 3.
#[derive(Clone, Debug)]
pub(super) struct RequestRules {
    header: HeaderPlaces,
    indices: IndicesPlaces,
    attribute: AttributePlaces,
    stream: StreamPlaces,
    mode_max: u64,
    zeros_max: u64,
    attributes_max: u64,
    streams_max: u64,
}

impl RequestRules {
    pub(super) fn read(tables: &Tables) -> Result<Self, TableError> {
        let limits = Limits(&tables.limits);
        Ok(Self {
            header: HeaderPlaces::read(&tables.request)?,
            indices: IndicesPlaces::read(&tables.request)?,
            attribute: AttributePlaces::read(&tables.request)?,
            stream: StreamPlaces::read(&tables.request)?,
            mode_max: limits.number("mode_max")?,
            zeros_max: limits.number("zeros_max")?,
            attributes_max: limits.few("attributes_max")?.into(),
            streams_max: limits.few("streams_max")?.into(),
        })
    }

    /// The request that those bytes are.
    pub(super) fn request<'a>(
        &self,
        bytes: &'a [u8],
        indexed: bool,
    ) -> Result<Request<'a>, Rejection> {
        use RejectClass::{Limit, OutOfRange, Reserved, Truncated};
        let bytes = Bytes::stored(bytes);

        // Rule 1.
        require(bytes.len() >= self.header.size, Truncated, 0)?;
        let header = self.header.get(bytes, 0);
        let mode = header.mode;
        require(mode.value <= self.mode_max, OutOfRange, mode.at)?;
        let reserved = header.reserved;
        require(reserved.value == 0, Reserved, reserved.at)?;
        let zeros = header.zeros;
        require(zeros.value <= self.zeros_max, Limit, zeros.at)?;
        let number = header.attributes;
        require(number.value <= self.attributes_max, Limit, number.at)?;
        let number = header.streams;
        require(number.value <= self.streams_max, Limit, number.at)?;

        // Rule 2.
        let mut at = self.header.size;
        let mut next = |size: u64| {
            let place = at;
            at += size;
            require(at <= bytes.len(), Truncated, place).map(|()| place)
        };
        let indices = if indexed {
            Some(self.indices.get(bytes, next(self.indices.size)?))
        } else {
            None
        };
        let mut attributes = Vec::new();
        for _ in 0..header.attributes.value {
            let place = next(self.attribute.size)?;
            attributes.push((place, self.attribute.get(bytes, place)));
        }
        let mut streams = Vec::new();
        for _ in 0..header.streams.value {
            let place = next(self.stream.size)?;
            streams.push(self.stream.get(bytes, place));
        }

        // Rule 3.
        let data_at = at;
        let data = bytes.behind(data_at, header.zeros.value);
        let of_indices = indices
            .iter()
            .map(|indices| (indices.start, indices.length));
        let of_streams = streams.iter().map(|stream| (stream.start, stream.length));
        for (start, length) in of_indices.chain(of_streams) {
            let inside = start.value + length.value <= data.len();
            require(inside, Truncated, start.at)?;
        }
        Ok(Request {
            header,
            indices,
            attributes,
            streams,
            data,
            data_at,
        })
    }
}
