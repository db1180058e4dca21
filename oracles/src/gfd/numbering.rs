//! Block types: which number is what, in which version of a file.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use corpora::Vocabulary;

use super::Tables;
use super::constants::missing;
use super::enumeration::{ANY, Enumeration};
use super::headers::{BlockHeader, ShaderHeader};
use super::structure::{Book, Structure};
use crate::table::{Row, TableError};

/// The name under which members refer to the block types of their file's version.
const BLOCK_TYPE: &str = "BlockType";

/// What a block holds.
#[derive(Clone, Debug)]
pub(super) enum Holds {
    /// Nothing, and no block follows.
    End(Structure),
    /// Bytes.
    Opaque(Structure),
    /// A structure, and anything behind it.
    Plain(Structure),
    /// A structure, arrays, text, a patch table and a relocation trailer.
    Relocated(ShaderHeader),
}

/// The block types of one version.
#[derive(Clone, Debug)]
pub(super) struct Numbering {
    /// The block header, whose type is named as in this version.
    pub(super) header: BlockHeader,
    types: HashMap<u32, Holds>,
    other: Holds,
}

impl Numbering {
    /// What a block of that type holds.
    pub(super) fn holds(&self, kind: u32) -> &Holds {
        self.types.get(&kind).unwrap_or(&self.other)
    }

    fn read(
        tables: &Tables,
        vocabulary: &mut Vocabulary,
        enumerations: &HashMap<String, Enumeration>,
        version: &str,
    ) -> Result<Self, TableError> {
        let table = &tables.blocks;
        let rows = || table.rows().filter(|row| row.text("version") == version);
        let names = Enumeration::read(table, version, rows(), vocabulary)?;
        let mut enumerations = enumerations.clone();
        enumerations.insert(BLOCK_TYPE.to_owned(), names);
        let book = Book {
            tables,
            vocabulary,
            enumerations,
        };

        let mut types = HashMap::new();
        let mut other = None;
        for row in rows() {
            let holds = holds(&book, row)?;
            if row.text("number") == ANY {
                other = Some(holds);
            } else {
                types.insert(row.number("number")?, holds);
            }
        }
        Ok(Self {
            header: BlockHeader::read(&book)?,
            types,
            other: other.ok_or_else(|| missing(table, ANY))?,
        })
    }
}

fn holds(book: &Book<'_>, row: Row<'_>) -> Result<Holds, TableError> {
    let name = row.text("struct");
    Ok(match row.text("form") {
        "end" => Holds::End(Structure::read(book, name)?),
        "opaque" => Holds::Opaque(Structure::read(book, name)?),
        "plain" => Holds::Plain(Structure::read(book, name)?),
        "relocated" => Holds::Relocated(ShaderHeader::read(book, name)?),
        form => return Err(row.fault(format!("no form {form:?}"))),
    })
}

/// The block types of every version.
#[derive(Clone, Debug)]
pub(super) struct Numberings {
    versions: HashMap<(u32, u32), Numbering>,
    other: Numbering,
}

impl Numberings {
    /// Reads `blocks.tsv`.
    pub(super) fn read(
        tables: &Tables,
        vocabulary: &mut Vocabulary,
        enumerations: &HashMap<String, Enumeration>,
    ) -> Result<Self, TableError> {
        let mut versions = HashMap::new();
        for row in tables.blocks.rows() {
            let text = row.text("version");
            if text == ANY {
                continue;
            }
            let version = text
                .split_once('.')
                .and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)))
                .ok_or_else(|| row.fault(format!("no version {text:?}")))?;
            if let Entry::Vacant(entry) = versions.entry(version) {
                entry.insert(Numbering::read(tables, vocabulary, enumerations, text)?);
            }
        }
        Ok(Self {
            versions,
            other: Numbering::read(tables, vocabulary, enumerations, ANY)?,
        })
    }

    /// The block types of a file of that version.
    pub(super) fn of(&self, major: u32, minor: u32) -> &Numbering {
        self.versions.get(&(major, minor)).unwrap_or(&self.other)
    }
}
