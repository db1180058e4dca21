//! The headers whose members decide something, with the places of those members.

use super::structure::{Book, Form, Member, Structure, Word};
use crate::table::TableError;

/// The header of a file.
#[derive(Clone, Debug)]
pub(super) struct FileHeader {
    pub(super) structure: Structure,
    pub(super) magic: Word,
    pub(super) header_size: Word,
    pub(super) major: Word,
    pub(super) minor: Word,
    pub(super) align: Word,
}

impl FileHeader {
    pub(super) fn read(book: &Book<'_>) -> Result<Self, TableError> {
        let structure = Structure::read(book, "GFDHeader")?;
        Ok(Self {
            magic: structure.word(book, "magic")?,
            header_size: structure.word(book, "headerSize")?,
            major: structure.word(book, "majorVersion")?,
            minor: structure.word(book, "minorVersion")?,
            align: structure.word(book, "align")?,
            structure,
        })
    }
}

/// The header of a block.
#[derive(Clone, Debug)]
pub(super) struct BlockHeader {
    pub(super) structure: Structure,
    pub(super) magic: Word,
    pub(super) header_size: Word,
    pub(super) kind: Word,
    pub(super) data_size: Word,
}

impl BlockHeader {
    pub(super) fn read(book: &Book<'_>) -> Result<Self, TableError> {
        let structure = Structure::read(book, "GFDBlockHeader")?;
        Ok(Self {
            magic: structure.word(book, "magic")?,
            header_size: structure.word(book, "headerSize")?,
            kind: structure.word(book, "type")?,
            data_size: structure.word(book, "dataSize")?,
            structure,
        })
    }
}

/// The relocation trailer of a shader header's data.
#[derive(Clone, Debug)]
pub(super) struct Trailer {
    pub(super) structure: Structure,
    pub(super) magic: Word,
    pub(super) header_size: Word,
    pub(super) data_size: Word,
    pub(super) data_offset: Word,
    pub(super) text_size: Word,
    pub(super) text_offset: Word,
    pub(super) patch_count: Word,
    pub(super) patch_offset: Word,
}

impl Trailer {
    pub(super) fn read(book: &Book<'_>) -> Result<Self, TableError> {
        let structure = Structure::read(book, "GFDRelocationHeader")?;
        Ok(Self {
            magic: structure.word(book, "magic")?,
            header_size: structure.word(book, "headerSize")?,
            data_size: structure.word(book, "dataSize")?,
            data_offset: structure.word(book, "dataOffset")?,
            text_size: structure.word(book, "textSize")?,
            text_offset: structure.word(book, "textOffset")?,
            patch_count: structure.word(book, "patchCount")?,
            patch_offset: structure.word(book, "patchOffset")?,
            structure,
        })
    }
}

/// A shader header: a structure and the arrays that it points to.
#[derive(Clone, Debug)]
pub(super) struct ShaderHeader {
    pub(super) structure: Structure,
    pub(super) arrays: Vec<Array>,
}

/// An array of a shader header.
#[derive(Clone, Debug)]
pub(super) struct Array {
    pub(super) count: Word,
    pub(super) pointer: Word,
    pub(super) element: Structure,
    /// The name pointers of an element.
    pub(super) names: Vec<Word>,
}

impl ShaderHeader {
    /// The structure of that name, with its rows of `arrays.tsv` in their order.
    pub(super) fn read(book: &Book<'_>, name: &str) -> Result<Self, TableError> {
        let structure = Structure::read(book, name)?;
        let mut arrays = Vec::new();
        for row in book.tables.arrays.rows() {
            if row.text("struct") != name {
                continue;
            }
            let element = Structure::read_element(book, row.text("element"))?;
            let names = element
                .members
                .iter()
                .filter(|member| matches!(member.form, Form::Text))
                .map(Member::word)
                .collect();
            arrays.push(Array {
                count: structure.word(book, row.text("count"))?,
                pointer: structure.word(book, row.text("pointer"))?,
                element,
                names,
            });
        }
        Ok(Self { structure, arrays })
    }
}
