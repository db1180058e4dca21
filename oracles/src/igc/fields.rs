//! Bit fields of a 32-bit word.

use super::Tables;
use crate::table::TableError;

/// Bits of a word that stand next to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BitField {
    lo: u32,
    width: u32,
}

impl BitField {
    /// The field of that name in `fields.tsv`.
    pub(super) fn read(tables: &Tables, word: &str, field: &str) -> Result<Self, TableError> {
        let row = tables
            .fields
            .rows()
            .find(|row| (row.text("word"), row.text("field")) == (word, field));
        let row = row.ok_or_else(|| TableError {
            table: tables.fields.name().to_owned(),
            row: 0,
            why: format!("no row for {word} {field}"),
        })?;
        let (lo, width) = (row.number("lo")?, row.number("width")?);
        match lo.checked_add(width) {
            Some(1..=32) if width > 0 => Ok(Self { lo, width }),
            _ => Err(row.fault(format!("{width} bits at {lo} are not within a word"))),
        }
    }

    /// The number in the field, bit by bit.
    pub(super) fn of(self, word: u32) -> u32 {
        (0..self.width).fold(0, |number, bit| {
            number | (word >> (self.lo + bit) & 1) << bit
        })
    }
}
