//! The oracle of the `igc` target: words of the image generation controller of Pixel-Planes 5.
//!
//! Bases, bit ranges, length rules, limits and paths are rows in `oracles/spec/igc`, transcribed from the notes by line.
//! The code is the rules of `docs/targets/igc.md` in their order. [`Oracle`] reads one bit range at a time, and
//! [`execution`] executes a pixel and a bit at a time.

mod acceptance;
pub mod execution;
mod fields;
mod instructions;
mod limits;
mod oracle;
mod report;
#[cfg(test)]
mod tests;
mod vocabulary;

pub use oracle::Oracle;
pub use vocabulary::vocabulary;

use crate::table::Table;

/// The specification tables of the target. [`Table::replace`] and [`Table::swap`] make an oracle that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tables {
    /// Instructions in the order in which they are tried.
    pub instructions: Table,
    /// Length rules.
    pub lengths: Table,
    /// Bit fields of words.
    pub fields: Table,
    /// Single numbers.
    pub limits: Table,
    /// Field paths, in the order of the vocabulary.
    pub paths: Table,
    /// Words of the notes and what they are; nothing is decoded by them.
    pub samples: Table,
}

impl Tables {
    /// The tables of `oracles/spec/igc`, which are part of this crate.
    pub fn embedded() -> Self {
        let read = |name, text| Table::parse(name, text).expect("an embedded table is regular");
        Self {
            instructions: read(
                "instructions.tsv",
                include_str!("../spec/igc/instructions.tsv"),
            ),
            lengths: read("lengths.tsv", include_str!("../spec/igc/lengths.tsv")),
            fields: read("fields.tsv", include_str!("../spec/igc/fields.tsv")),
            limits: read("limits.tsv", include_str!("../spec/igc/limits.tsv")),
            paths: read("paths.tsv", include_str!("../spec/igc/paths.tsv")),
            samples: read("samples.tsv", include_str!("../spec/igc/samples.tsv")),
        }
    }
}

impl Default for Tables {
    fn default() -> Self {
        Self::embedded()
    }
}
