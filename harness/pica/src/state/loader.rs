//! Loaders: which attributes an array holds, and where in its records.

use super::registers::{BASE, FORMAT_HIGH, FORMAT_LOW, LOADERS, Registers};

/// How many loaders there are, and how many components one can name.
pub(super) const NUMBER: usize = 12;

/// An array of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loader {
    /// The address of its first record.
    pub address: u32,
    /// From record to record, in bytes.
    pub stride: u8,
    /// The bytes that its components need with their padding. Hardware may hang where this is not the stride (3dbrew).
    pub size: u32,
}

/// Where a loader has an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) loader: u8,
    pub(super) attribute: u8,
    /// In the record, in bytes.
    pub(super) offset: u32,
}

/// Format and number of components of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// 0 to 3, as in [`crate::Attribute`].
    pub(super) format: u8,
    pub(super) components: u8,
}

impl Shape {
    pub(super) fn of(attribute: u8, registers: &Registers) -> Self {
        let nibble = registers.nibble(FORMAT_LOW, FORMAT_HIGH, attribute);
        Self {
            format: nibble & 3,
            components: (nibble >> 2) + 1,
        }
    }

    fn element(self) -> u32 {
        match self.format {
            0 | 1 => 1,
            2 => 2,
            _ => 4,
        }
    }

    pub(super) fn size(self) -> u32 {
        self.element() * u32::from(self.components)
    }
}

/// The address of all arrays: in units of 16 bytes.
pub(super) fn base(registers: &Registers) -> u32 {
    (registers.read(BASE) >> 1 & 0x0fff_ffff) << 4
}

/// What a loader holds.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    pub(super) loader: Loader,
    pub(super) places: Vec<Place>,
    /// Whether it counts components that have no id.
    pub(super) crowded: bool,
}

impl Walk {
    /// Walks through a record. None of a loader without components.
    pub(super) fn of(number: u8, registers: &Registers) -> Option<Self> {
        let first = LOADERS + 3 * u16::from(number);
        let last = registers.read(first + 2);
        let count = last >> 28;
        if count == 0 {
            return None;
        }
        let mut places = Vec::new();
        let mut position: u32 = 0;
        for component in 0..count.min(NUMBER as u32) as u8 {
            match registers.nibble(first + 1, first + 2, component) {
                attribute @ 0..12 => {
                    let shape = Shape::of(attribute, registers);
                    // In the record, not in memory (Citra 1535).
                    position = position.next_multiple_of(shape.element());
                    places.push(Place {
                        loader: number,
                        attribute,
                        offset: position,
                    });
                    position += shape.size();
                }
                // 12 to 15 are 4 to 16 bytes of padding (Citra 1395).
                padding => {
                    position = position.next_multiple_of(4) + 4 * (u32::from(padding) - 11);
                }
            }
        }
        let offset = registers.read(first) & 0x0fff_ffff;
        Some(Self {
            loader: Loader {
                address: base(registers).wrapping_add(offset),
                stride: (last >> 16 & 0xff) as u8,
                size: position,
            },
            places,
            crowded: count > NUMBER as u32,
        })
    }
}
