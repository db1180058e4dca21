//! A draw: the registers resolved to arrays and attributes.

use super::fixed::{Fixed, FixedAttributes};
use super::loader::{Loader, NUMBER, Place, Shape, Walk, base};
use super::registers::{FIRST, FORMAT_HIGH, INDICES, Registers, SLOTS_HIGH, SLOTS_LOW, VERTICES};
use crate::MAX_VERTICES;

/// Whether a draw can be decoded, or the first reason why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// More attributes than 12.
    AttributeCount,
    /// A loader counts more components than have an id.
    ComponentCount,
    /// A loader that gives an attribute has stride 0.
    Stride,
    /// An attribute ends beyond its loader's stride.
    BeyondStride,
    /// Two attributes go to one slot.
    Slot,
    /// More vertices than [`MAX_VERTICES`].
    Count,
    /// It can.
    Resolved,
}

/// The indices of a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexArray {
    /// The address of index 0.
    pub address: u32,
    /// The size of an index, in bytes: 1 or 2.
    pub width: u8,
}

/// Where an attribute comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Source {
    /// An array.
    Loader {
        /// The loader's number.
        loader: u8,
        /// The place in its record, in bytes.
        offset: u32,
    },
    /// A value.
    Fixed(Fixed),
    /// Nowhere: what hardware takes is not known.
    Nowhere,
}

/// An attribute of a draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawAttribute {
    /// Where it comes from. The fixed value goes before arrays; of arrays the last that names it counts.
    pub source: Source,
    /// How many places of loaders name it; what more than one does is not known of hardware.
    pub named: u8,
    /// 0 to 3, as in [`crate::Attribute`].
    pub format: u8,
    /// 1 to 4.
    pub components: u8,
    /// The shader input that it goes to, 0 to 15.
    pub slot: u8,
}

/// A draw.
#[derive(Clone, Debug, PartialEq)]
pub struct Draw {
    /// Where its command begins, in bytes from the start of the list.
    pub at: usize,
    /// Whether it can be decoded.
    pub status: Status,
    /// The indices of a draw that has them.
    pub indices: Option<IndexArray>,
    /// How many vertices.
    pub vertices: u32,
    /// The first vertex; 0 with indices, as it does not count then.
    pub first: u32,
    /// The address that arrays are counted from.
    pub base: u32,
    /// The attribute count as the register has it, 1 to 16.
    pub attribute_count: u8,
    /// The loaders that have components.
    pub loaders: [Option<Loader>; NUMBER],
    /// The attributes below the count, at most 12.
    pub attributes: Vec<DrawAttribute>,
}

impl Draw {
    pub(super) fn resolve(
        at: usize,
        indexed: bool,
        registers: &Registers,
        fixed: &FixedAttributes,
    ) -> Self {
        let high = registers.read(FORMAT_HIGH);
        let attribute_count = (high >> 28) as u8 + 1;
        let mut loaders = [None; NUMBER];
        let mut places = Vec::new();
        let mut crowded = false;
        for (number, to) in (0..).zip(&mut loaders) {
            if let Some(walk) = Walk::of(number, registers) {
                *to = Some(walk.loader);
                places.extend(walk.places);
                crowded |= walk.crowded;
            }
        }
        let attributes = (0..attribute_count.min(NUMBER as u8)).map(|attribute| {
            let is_fixed = high >> (16 + attribute) & 1 == 1;
            let value = is_fixed.then(|| fixed.get(attribute));
            resolve(attribute, value, &places, registers)
        });
        let base = base(registers);
        let config = registers.read(INDICES);
        let mut draw = Self {
            at,
            status: Status::Resolved,
            indices: indexed.then(|| IndexArray {
                address: base.wrapping_add(config & 0x0fff_ffff),
                width: if config >> 31 == 1 { 2 } else { 1 },
            }),
            vertices: registers.read(VERTICES),
            first: if indexed { 0 } else { registers.read(FIRST) },
            base,
            attribute_count,
            loaders,
            attributes: attributes.collect(),
        };
        draw.status = draw.judge(crowded);
        draw
    }

    fn judge(&self, crowded: bool) -> Status {
        let from_arrays = || {
            self.attributes.iter().filter_map(|attribute| {
                let Source::Loader { loader, offset } = attribute.source else {
                    return None;
                };
                let loader = self.loaders[usize::from(loader)]?;
                Some((attribute, u32::from(loader.stride), offset))
            })
        };
        let ends_beyond = |(attribute, stride, offset): (&DrawAttribute, u32, u32)| {
            offset + attribute.size() > stride
        };
        let shares_slot = || {
            let mut taken = 0_u16;
            let given = |one: &&DrawAttribute| one.source != Source::Nowhere;
            self.attributes.iter().filter(given).any(|attribute| {
                let slot = 1 << attribute.slot;
                let shared = taken & slot != 0;
                taken |= slot;
                shared
            })
        };
        if usize::from(self.attribute_count) > NUMBER {
            Status::AttributeCount
        } else if crowded {
            Status::ComponentCount
        } else if from_arrays().any(|(_, stride, _)| stride == 0) {
            Status::Stride
        } else if from_arrays().any(ends_beyond) {
            Status::BeyondStride
        } else if shares_slot() {
            Status::Slot
        } else if self.vertices > MAX_VERTICES {
            Status::Count
        } else {
            Status::Resolved
        }
    }
}

impl DrawAttribute {
    /// The bytes of a vertex's components.
    pub fn size(&self) -> u32 {
        let shape = Shape {
            format: self.format,
            components: self.components,
        };
        shape.size()
    }
}

fn resolve(
    attribute: u8,
    fixed: Option<Fixed>,
    places: &[Place],
    registers: &Registers,
) -> DrawAttribute {
    let shape = Shape::of(attribute, registers);
    let named = || places.iter().filter(|place| place.attribute == attribute);
    let source = match (fixed, named().next_back()) {
        (Some(value), _) => Source::Fixed(value),
        (None, Some(place)) => Source::Loader {
            loader: place.loader,
            offset: place.offset,
        },
        (None, None) => Source::Nowhere,
    };
    DrawAttribute {
        source,
        named: named().count() as u8,
        format: shape.format,
        components: shape.components,
        slot: registers.nibble(SLOTS_LOW, SLOTS_HIGH, attribute),
    }
}
