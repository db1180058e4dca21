//! Formats: how many bytes a component or an index has, and what they mean.

use std::collections::HashMap;

use super::input::Bytes;
use crate::table::{Table, TableError};

/// What the bytes of a component mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Unsigned,
    Signed,
    Float,
}

/// One format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Format {
    /// Bytes of a component: 1 to 4.
    pub(super) bytes: u64,
    /// What they mean.
    pub(super) sign: Sign,
}

/// The formats of one list by number.
#[derive(Clone, Debug)]
pub(super) struct Formats(HashMap<u64, Format>);

impl Formats {
    /// Reads the rows of that list in `formats.tsv`.
    pub(super) fn read(table: &Table, list: &str) -> Result<Self, TableError> {
        let mut formats = HashMap::new();
        for row in table.rows().filter(|row| row.text("list") == list) {
            let bytes = u64::from(row.number("bytes")?);
            if !(1..=4).contains(&bytes) {
                return Err(row.fault(format!("{bytes} bytes are not 1 to 4")));
            }
            let sign = match row.text("sign") {
                "unsigned" => Sign::Unsigned,
                "signed" => Sign::Signed,
                "float" => Sign::Float,
                other => return Err(row.fault(format!("no sign {other:?}"))),
            };
            formats.insert(u64::from(row.number("number")?), Format { bytes, sign });
        }
        Ok(Self(formats))
    }

    /// The format of that number, if there is one.
    pub(super) fn get(&self, number: u64) -> Option<Format> {
        self.0.get(&number).copied()
    }
}

impl Format {
    /// The component at `at`, as the bits of a 32-bit float.
    pub(super) fn component(self, data: Bytes<'_>, at: u64) -> u32 {
        let number = data.number(at, self.bytes) as u32;
        match self.sign {
            // "f32 keeps its bits."
            Sign::Float => number,
            // "Components of integers become the float of the same value": at most 16 bits have one.
            Sign::Unsigned => (number as f32).to_bits(),
            Sign::Signed => {
                let unused = 32 - 8 * self.bytes as u32;
                let value = ((number << unused) as i32) >> unused;
                (value as f32).to_bits()
            }
        }
    }
}

/// Whether the bits of a 32-bit float stand for a number: not for infinity or NaN, which have every bit of the exponent.
pub(super) fn is_finite(bits: u32) -> bool {
    bits >> 23 & 0xFF != 0xFF
}
