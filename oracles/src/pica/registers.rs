//! Registers, and the bit fields in them.

use std::collections::HashMap;

use corpora::Bits;

use super::Tables;
use super::limits::missing;
use crate::table::{Row, TableError};

/// Some bits of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BitField {
    lo: u32,
    width: u32,
}

impl BitField {
    fn read(row: Row<'_>) -> Result<Self, TableError> {
        let (lo, width) = (row.number("lo")?, row.number("width")?);
        if (1..=32).contains(&width) && lo <= 32 - width {
            Ok(Self { lo, width })
        } else {
            Err(row.fault("it is not inside a word"))
        }
    }

    /// The bit field of that name in a word that is no register: `command`, `float24`.
    pub(super) fn of_word(tables: &Tables, part: &str, field: &str) -> Result<Self, TableError> {
        let row = (tables.fields.rows())
            .find(|row| row.text("part") == part && row.text("field") == field)
            .ok_or_else(|| missing(&tables.fields, &format!("{field} of {part}")))?;
        Self::read(row)
    }

    /// Reads columns `lo` and `width`.
    pub(super) fn of_row(row: Row<'_>) -> Result<Self, TableError> {
        Self::read(row)
    }

    /// These bits of a word, as a number.
    pub(super) fn of(self, word: u32) -> u32 {
        let mask = u32::MAX >> (32 - self.width);
        word >> self.lo & mask
    }
}

/// Some bits of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) register: u32,
    bits: BitField,
}

impl Place {
    /// The bit field of that name.
    pub(super) fn one(tables: &Tables, field: &str) -> Result<Self, TableError> {
        Self::find(tables, field, None, None)
    }

    /// Number `index` of the bit fields of that name.
    pub(super) fn nth(tables: &Tables, field: &str, index: u32) -> Result<Self, TableError> {
        Self::find(tables, field, Some(index), None)
    }

    /// The bit field of that name in the registers of a loader; `index` where a loader has several.
    pub(super) fn of_loader(
        tables: &Tables,
        field: &str,
        index: Option<u32>,
        loader: u32,
    ) -> Result<Self, TableError> {
        Self::find(tables, field, index, Some(loader))
    }

    fn find(
        tables: &Tables,
        field: &str,
        index: Option<u32>,
        loader: Option<u32>,
    ) -> Result<Self, TableError> {
        let row = (tables.fields.rows())
            .find(|row| row.text("field") == field && is(*row, index))
            .ok_or_else(|| missing(&tables.fields, &format!("{field} {index:?}")))?;
        Ok(Self {
            register: register(tables, row.text("part"), loader)?,
            bits: BitField::read(row)?,
        })
    }

    /// Where the field stands, counted from bit 0 of register 0; nothing if that is not to be counted.
    pub(super) fn bits(self) -> Option<Bits> {
        let low = self.register.checked_mul(32)?.checked_add(self.bits.lo)?;
        Some(Bits {
            low: u16::try_from(low).ok()?,
            width: self.bits.width as u16,
        })
    }
}

/// Whether the row has that index, or none.
fn is(row: Row<'_>, index: Option<u32>) -> bool {
    match index {
        None => row.text("index") == "-",
        Some(index) => row.number("index") == Ok(index),
    }
}

/// The number of the register that the rules call so; `index` where there are several.
pub(super) fn register(tables: &Tables, part: &str, index: Option<u32>) -> Result<u32, TableError> {
    (tables.registers.rows())
        .find(|row| row.text("part") == part && is(*row, index))
        .ok_or_else(|| missing(&tables.registers, &format!("{part} {index:?}")))?
        .number("number")
}

/// What has been written to the registers. All are zero at first.
#[derive(Clone, Debug, Default)]
pub(super) struct Registers(HashMap<u32, u32>);

impl Registers {
    /// Writes the bytes of a word that the mask lets through: bit n lets byte n through.
    pub(super) fn write(&mut self, register: u32, word: u32, mask: u32) {
        let old = self.word(register);
        let mut new = 0;
        for byte in 0..4 {
            let from = if mask >> byte & 1 == 1 { word } else { old };
            new |= from & 0xFF << (8 * byte);
        }
        self.0.insert(register, new);
    }

    /// A register.
    fn word(&self, register: u32) -> u32 {
        self.0.get(&register).copied().unwrap_or(0)
    }

    /// A bit field.
    pub(super) fn get(&self, place: Place) -> u32 {
        place.bits.of(self.word(place.register))
    }
}
