//! Rules 4 to 7: streams, attributes, indices, counts.

use corpora::RejectClass;

use super::Tables;
use super::formats::{Format, Formats};
use super::input::{Rejection, require};
use super::limits::Limits;
use super::request::{Request, Stream};
use crate::table::TableError;

/// An attribute that can be fetched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fetch {
    /// The place of the attribute in the request.
    pub(super) at: u64,
    /// Its stream.
    pub(super) stream: Stream,
    pub(super) format: Format,
    /// How many components it has.
    pub(super) components: u64,
    /// Where they go.
    pub(super) slot: u64,
    /// Its place in a vertex.
    pub(super) offset: u64,
}

impl Fetch {
    /// How many bytes it has.
    pub(super) fn size(&self) -> u64 {
        self.components * self.format.bytes
    }

    /// The place of a component of a vertex, in the stream's span.
    pub(super) fn place(&self, vertex: u64, component: u64) -> u64 {
        self.stream.offset.value
            + vertex * self.stream.stride.value
            + self.offset
            + component * self.format.bytes
    }
}

/// A request that breaks none of rules 1 to 7.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) fetches: Vec<Fetch>,
    /// How the indices of an indexed request are read.
    pub(super) index_format: Option<Format>,
}

/// Rules 4 to 7.
#[derive(Clone, Debug)]
pub(super) struct LayoutRules {
    formats: Formats,
    index_formats: Formats,
    span_bytes_max: u64,
    stride_min: u64,
    stride_max: u64,
    components_min: u64,
    components_max: u64,
    slot_max: u64,
    count_max: u64,
}

impl LayoutRules {
    pub(super) fn read(tables: &Tables) -> Result<Self, TableError> {
        let limits = Limits(&tables.limits);
        Ok(Self {
            formats: Formats::read(&tables.formats, "attribute")?,
            index_formats: Formats::read(&tables.formats, "index")?,
            span_bytes_max: limits.number("span_bytes_max")?,
            stride_min: limits.number("stride_min")?,
            stride_max: limits.number("stride_max")?,
            components_min: limits.number("components_min")?,
            components_max: limits.few("components_max")?.into(),
            slot_max: limits.few("slot_max")?.into(),
            count_max: limits.number("count_max")?,
        })
    }

    /// The layout of a request.
    pub(super) fn layout(&self, request: &Request<'_>) -> Result<Layout, Rejection> {
        use RejectClass::{Limit, OutOfRange, Overlap, Reserved};

        // Rule 4.
        for stream in &request.streams {
            let length = stream.length;
            require(length.value <= self.span_bytes_max, Limit, length.at)?;
            let stride = stream.stride;
            let taken = (self.stride_min..=self.stride_max).contains(&stride.value);
            require(taken, OutOfRange, stride.at)?;
        }

        // Rule 5.
        let mut fetches: Vec<Fetch> = Vec::new();
        for (at, attribute) in &request.attributes {
            let number = attribute.stream;
            let stream = (request.streams.get(number.value as usize)).ok_or(Rejection {
                class: OutOfRange,
                offset: number.at,
            })?;
            let number = attribute.format;
            let format = self.formats.get(number.value).ok_or(Rejection {
                class: Reserved,
                offset: number.at,
            })?;
            let components = attribute.components;
            let taken = (self.components_min..=self.components_max).contains(&components.value);
            require(taken, OutOfRange, components.at)?;
            let slot = attribute.slot;
            require(slot.value <= self.slot_max, OutOfRange, slot.at)?;
            let free = !fetches.iter().any(|earlier| earlier.slot == slot.value);
            require(free, Overlap, slot.at)?;
            let offset = attribute.offset;
            let fetch = Fetch {
                at: *at,
                stream: *stream,
                format,
                components: components.value,
                slot: slot.value,
                offset: offset.value,
            };
            let inside = offset.value + fetch.size() <= stream.stride.value;
            require(inside, OutOfRange, offset.at)?;
            fetches.push(fetch);
        }

        // Rule 6.
        let mut index_format = None;
        if let Some(indices) = &request.indices {
            let number = indices.format;
            let format = self.index_formats.get(number.value).ok_or(Rejection {
                class: Reserved,
                offset: number.at,
            })?;
            let length = indices.length;
            require(length.value <= self.span_bytes_max, Limit, length.at)?;
            index_format = Some(format);
        }

        // Rule 7.
        let header = &request.header;
        let (count, capacity) = (header.count, header.capacity);
        require(count.value <= self.count_max, Limit, count.at)?;
        let room = if header.decodes() {
            count.value <= capacity.value
        } else {
            capacity.value == 0
        };
        require(room, OutOfRange, capacity.at)?;
        Ok(Layout {
            fetches,
            index_format,
        })
    }
}
