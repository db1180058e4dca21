//! The oracle of the `pica` target: vertex fetch of the PICA200.
//!
//! Everything that is a number or a name is a row in `oracles/spec/pica`: formats, registers and their bits, members of a
//! request, component ids, limits, names. The code is the rules of `docs/targets/pica.md` in their order: [`Oracle`]
//! reads one byte at a time and makes one component at a time.

mod acceptance;
mod commands;
mod draw;
mod fixed;
mod formats;
mod input;
mod libctru;
mod limits;
mod loaders;
mod oracle;
mod paths;
mod registers;
mod report;
mod request;
mod selection;
#[cfg(test)]
mod tests;
mod vertices;
mod vocabulary;

pub use libctru::{Constant, Version, libctru, versions};
pub use oracle::Oracle;
pub use vocabulary::vocabulary;

use crate::table::Table;

/// The specification tables of the target. [`Table::replace`] and [`Table::swap`] make an oracle that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tables {
    /// Formats of attributes and indices: number, bytes, sign.
    pub formats: Table,
    /// Registers by number, with libctru's names.
    pub registers: Table,
    /// Bit fields of registers, of a command's header and of a float24.
    pub fields: Table,
    /// How three words make a fixed attribute.
    pub packing: Table,
    /// What a component id of a loader stands for.
    pub ids: Table,
    /// Members of the structures of a request.
    pub request: Table,
    /// Single numbers: limits, defaults, units.
    pub limits: Table,
    /// Names of answers.
    pub symbols: Table,
    /// Field paths, in the order of the vocabulary.
    pub paths: Table,
    /// Revisions of other projects that the numbers are from.
    pub versions: Table,
}

impl Tables {
    /// The tables of `oracles/spec/pica`, which are part of this crate.
    pub fn embedded() -> Self {
        let read = |name, text| Table::parse(name, text).expect("an embedded table is regular");
        Self {
            formats: read("formats.tsv", include_str!("../spec/pica/formats.tsv")),
            registers: read("registers.tsv", include_str!("../spec/pica/registers.tsv")),
            fields: read("fields.tsv", include_str!("../spec/pica/fields.tsv")),
            packing: read("packing.tsv", include_str!("../spec/pica/packing.tsv")),
            ids: read("ids.tsv", include_str!("../spec/pica/ids.tsv")),
            request: read("request.tsv", include_str!("../spec/pica/request.tsv")),
            limits: read("limits.tsv", include_str!("../spec/pica/limits.tsv")),
            symbols: read("symbols.tsv", include_str!("../spec/pica/symbols.tsv")),
            paths: read("paths.tsv", include_str!("../spec/pica/paths.tsv")),
            versions: read("versions.tsv", include_str!("../spec/pica/versions.tsv")),
        }
    }
}

impl Default for Tables {
    fn default() -> Self {
        Self::embedded()
    }
}
