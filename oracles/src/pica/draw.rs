//! Resolving: what a draw fetches, from the registers as they are.

use super::Tables;
use super::commands::{Draw, State};
use super::formats::Formats;
use super::limits::Limits;
use super::loaders::{Descriptor, Loader, LoaderRules, Named};
use super::registers::Place;
use crate::table::TableError;

/// Where an attribute comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Loader(Named),
    /// The components as bits of floats, if it was written.
    Fixed(Option<[u32; 4]>),
    None,
}

/// The first of these that holds, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    AttributeCount,
    ComponentCount,
    Stride,
    BeyondStride,
    Slot,
    Count,
    Resolved,
}

/// An attribute of a draw.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attribute {
    pub(super) source: Source,
    /// How many places of loaders name it.
    pub(super) named: u64,
    pub(super) descriptor: Descriptor,
    pub(super) slot: u32,
}

/// A draw, resolved.
#[derive(Clone, Debug)]
pub(super) struct Resolved {
    pub(super) draw: Draw,
    pub(super) status: Status,
    pub(super) vertices: u32,
    pub(super) first: u32,
    /// Address and width of the indices, of an indexed draw.
    pub(super) index: Option<(u32, u64)>,
    pub(super) base: u32,
    /// How many attributes the registers say there are.
    pub(super) count: u32,
    pub(super) loaders: Vec<Loader>,
    /// Those below the count that have a number.
    pub(super) attributes: Vec<Attribute>,
}

/// How draws are resolved.
#[derive(Clone, Debug)]
pub(super) struct DrawRules {
    loaders: LoaderRules,
    index_formats: Formats,
    base: Place,
    base_unit: u32,
    count: Place,
    fixed: Vec<Place>,
    slots: Vec<Place>,
    vertices: Place,
    first: Place,
    index_offset: Place,
    index_format: Place,
    vertices_max: u64,
}

impl DrawRules {
    pub(super) fn read(tables: &Tables) -> Result<Self, TableError> {
        let limits = Limits(&tables.limits);
        let one = |field| Place::one(tables, field);
        let attributes = limits.few("attribute_numbers")?;
        let of_attributes = |field| {
            let places = (0..attributes).map(|n| Place::nth(tables, field, n));
            places.collect::<Result<Vec<_>, _>>()
        };
        Ok(Self {
            loaders: LoaderRules::read(tables)?,
            index_formats: Formats::read(&tables.formats, "index")?,
            base: one("base")?,
            base_unit: limits.few("base_unit")?,
            count: one("attributes")?,
            fixed: of_attributes("fixed")?,
            slots: of_attributes("slot")?,
            vertices: one("vertices")?,
            first: one("first")?,
            index_offset: one("index_offset")?,
            index_format: one("index_format")?,
            vertices_max: limits.number("draw_vertices_max")?,
        })
    }

    /// Resolves a draw.
    pub(super) fn resolve(&self, draw: Draw, state: &State) -> Resolved {
        let registers = &state.registers;
        let base = registers.get(self.base).wrapping_mul(self.base_unit);
        let loaders = self.loaders.loaders(registers);
        let count = registers.get(self.count) + 1;
        let numbers = 0..count.min(self.fixed.len() as u32);
        let attributes = numbers.map(|number| self.attribute(state, &loaders, number));
        let index = draw.indexed.then(|| {
            let format = registers.get(self.index_format).into();
            let width = self.index_formats.get(format);
            let address = base.wrapping_add(registers.get(self.index_offset));
            (address, width.map_or(0, |format| format.bytes))
        });
        let mut resolved = Resolved {
            draw,
            status: Status::Resolved,
            vertices: registers.get(self.vertices),
            // An indexed draw ignores it.
            first: if draw.indexed {
                0
            } else {
                registers.get(self.first)
            },
            index,
            base,
            count,
            attributes: attributes.collect(),
            loaders,
        };
        resolved.status = self.status(&resolved);
        resolved
    }

    fn attribute(&self, state: &State, loaders: &[Loader], number: u32) -> Attribute {
        let registers = &state.registers;
        let named: Vec<Named> = (loaders.iter())
            .flat_map(|loader| &loader.named)
            .filter(|named| named.attribute == number)
            .copied()
            .collect();
        let source = if registers.get(self.fixed[number as usize]) != 0 {
            Source::Fixed(state.fixed.value(number))
        } else if let Some(&last) = named.last() {
            Source::Loader(last)
        } else {
            Source::None
        };
        Attribute {
            source,
            named: named.len() as u64,
            descriptor: self.loaders.descriptor(registers, number),
            slot: registers.get(self.slots[number as usize]),
        }
    }

    fn status(&self, draw: &Resolved) -> Status {
        if draw.count as usize > self.fixed.len() {
            return Status::AttributeCount;
        }
        let ids = self.loaders.ids_of_a_loader();
        if draw.loaders.iter().any(|loader| loader.components > ids) {
            return Status::ComponentCount;
        }
        // Each place that an attribute comes from, with its end and the stride of its loader.
        let mut ends = Vec::new();
        for attribute in &draw.attributes {
            if let Source::Loader(place) = attribute.source {
                let end = place.offset + attribute.descriptor.size();
                let loaders = draw.loaders.iter().filter(|it| it.number == place.loader);
                ends.extend(loaders.map(|loader| (end, u64::from(loader.stride))));
            }
        }
        if ends.iter().any(|&(_, stride)| stride == 0) {
            return Status::Stride;
        }
        if ends.iter().any(|&(end, stride)| end > stride) {
            return Status::BeyondStride;
        }
        let from_somewhere = (draw.attributes.iter()).filter(|it| it.source != Source::None);
        let mut slots: Vec<u32> = from_somewhere.map(|attribute| attribute.slot).collect();
        slots.sort_unstable();
        if slots.windows(2).any(|pair| pair[0] == pair[1]) {
            return Status::Slot;
        }
        if u64::from(draw.vertices) > self.vertices_max {
            return Status::Count;
        }
        Status::Resolved
    }
}
