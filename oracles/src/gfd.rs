//! The oracle of the `gfd` target: Wii U GFD (Gfx2) containers.
//!
//! Everything that is a number or a name is a row in `oracles/spec/gfd`: members of structures, block types, arrays,
//! enumerations, magics, sizes, tags. The code is the rules of `docs/targets/gfd.md` in their order ([`Oracle`]), and one
//! routine that reads members, the same for every structure.

mod constants;
mod enumeration;
mod headers;
mod input;
mod numbering;
mod oracle;
mod report;
mod shader;
mod structure;
mod tagged;
#[cfg(test)]
mod tests;
mod vocabulary;

pub use oracle::Oracle;
pub use vocabulary::vocabulary;

use crate::table::Table;

/// The specification tables of the target. [`Table::replace`] and [`Table::swap`] make an oracle that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tables {
    /// Members of structures, one a row, in the order of the vocabulary.
    pub structs: Table,
    /// Which count and pointer of which shader header lead to which element structure, in order.
    pub arrays: Table,
    /// Block types by file version: number, name and what the data holds.
    pub blocks: Table,
    /// Names of numbers.
    pub enums: Table,
    /// Single numbers: magics, versions, tags, alignments, limits.
    pub constants: Table,
}

impl Tables {
    /// The tables of `oracles/spec/gfd`, which are part of this crate.
    pub fn embedded() -> Self {
        let read = |name, text| Table::parse(name, text).expect("an embedded table is regular");
        Self {
            structs: read("structs.tsv", include_str!("../spec/gfd/structs.tsv")),
            arrays: read("arrays.tsv", include_str!("../spec/gfd/arrays.tsv")),
            blocks: read("blocks.tsv", include_str!("../spec/gfd/blocks.tsv")),
            enums: read("enums.tsv", include_str!("../spec/gfd/enums.tsv")),
            constants: read("constants.tsv", include_str!("../spec/gfd/constants.tsv")),
        }
    }
}

impl Default for Tables {
    fn default() -> Self {
        Self::embedded()
    }
}
