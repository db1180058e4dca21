//! Structures: the members that `structs.tsv` gives them.

use std::collections::HashMap;

use corpora::{FieldId, Kind, RejectClass, Vocabulary};

use super::Tables;
use super::constants::missing;
use super::enumeration::Enumeration;
use super::input::{Input, Rejection, require};
use crate::table::{Row, TableError};

/// The cell of a member that is not reported.
const NONE: &str = "-";

/// What a structure is made from.
pub(super) struct Book<'t> {
    /// The tables.
    pub(super) tables: &'t Tables,
    /// Where paths become fields.
    pub(super) vocabulary: &'t Vocabulary,
    /// Enumerations by the name in the `of` column.
    pub(super) enumerations: HashMap<String, Enumeration>,
}

/// How a member is reported.
#[derive(Clone, Debug)]
pub(super) enum Form {
    /// As a number.
    Unsigned,
    /// As a number, without its tag.
    Offset,
    /// As a number with a name.
    Symbol(Enumeration),
    /// As the text that it points to.
    Text,
    /// As bytes.
    Bytes,
    /// As its own place in the file.
    Position,
    /// As the bytes from its place to the end of what the structure stands in.
    Rest,
}

/// A member that is reported.
#[derive(Clone, Debug)]
pub(super) struct Member {
    /// The field it becomes.
    pub(super) field: FieldId,
    /// Where it stands in its structure.
    pub(super) offset: u64,
    /// How many elements it has.
    pub(super) count: u64,
    /// Bytes of one element.
    pub(super) width: u64,
    /// What is reported.
    pub(super) form: Form,
}

impl Member {
    /// The member as the word that a rule reads.
    pub(super) fn word(&self) -> Word {
        Word(self.offset)
    }
}

/// A 32-bit member that a rule reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word(u64);

impl Word {
    /// Its place in the file, for a structure at `base`.
    pub(super) fn at(self, base: u64) -> u64 {
        base + self.0
    }

    /// Its value, for a structure at `base`; `truncated` @ the structure if the input ends before it.
    pub(super) fn read(self, input: Input<'_>, base: u64) -> Result<u32, Rejection> {
        let value = input.number(self.at(base), 4);
        require(value.is_some(), RejectClass::Truncated, base)?;
        Ok(value.unwrap_or(0) as u32)
    }
}

/// A structure: its size, and its members in the order of the vocabulary.
#[derive(Clone, Debug)]
pub(super) struct Structure {
    /// Bytes of one.
    pub(super) size: u64,
    /// What is reported of it, nested structures included.
    pub(super) members: Vec<Member>,
    /// Members by the source's name, reported or not.
    places: HashMap<String, u64>,
}

impl Structure {
    /// Reads the rows of that structure.
    pub(super) fn read(book: &Book<'_>, name: &str) -> Result<Self, TableError> {
        let mut structure = Self {
            size: 0,
            members: Vec::new(),
            places: HashMap::new(),
        };
        for row in rows(book, name)? {
            let offset = u64::from(row.number("offset")?);
            structure
                .places
                .insert(row.text("member").to_owned(), offset);
            match row.text("kind") {
                "end" => structure.size = offset,
                "structure" => {
                    for inner in rows(book, row.text("of"))? {
                        structure.members.extend(member(book, inner, offset)?);
                    }
                }
                _ => structure.members.extend(member(book, row, 0)?),
            }
        }
        structure.members.sort_by_key(|member| member.field);
        Ok(structure)
    }

    /// Reads the rows of a structure that stands in arrays, which must not be of no size.
    pub(super) fn read_element(book: &Book<'_>, name: &str) -> Result<Self, TableError> {
        let structure = Self::read(book, name)?;
        if structure.size == 0 {
            return Err(missing(
                &book.tables.structs,
                &format!("the size of {name}"),
            ));
        }
        Ok(structure)
    }

    /// The 32-bit member of that name.
    pub(super) fn word(&self, book: &Book<'_>, member: &str) -> Result<Word, TableError> {
        let place = self.places.get(member).copied();
        Ok(Word(
            place.ok_or_else(|| missing(&book.tables.structs, member))?,
        ))
    }
}

fn rows<'t>(book: &Book<'t>, name: &str) -> Result<Vec<Row<'t>>, TableError> {
    let table = &book.tables.structs;
    let rows: Vec<_> = table
        .rows()
        .filter(|row| row.text("struct") == name)
        .collect();
    if rows.is_empty() {
        return Err(missing(table, name));
    }
    Ok(rows)
}

/// The member of a row, `base` bytes into the structure; none if it is not reported.
fn member(book: &Book<'_>, row: Row<'_>, base: u64) -> Result<Option<Member>, TableError> {
    let Some((path, kind)) = field(row)? else {
        return Ok(None);
    };
    let field = book
        .vocabulary
        .id(path)
        .map_err(|error| row.fault(error.to_string()))?;
    if book.vocabulary.field(field).kind != kind {
        return Err(row.fault(format!("{path} is not {kind:?} in the vocabulary")));
    }
    let form = match row.text("kind") {
        "offset" => Form::Offset,
        "symbol" => {
            let of = row.text("of");
            let enumeration = book.enumerations.get(of);
            Form::Symbol(enumeration.cloned().ok_or_else(|| row.fault(of))?)
        }
        "text" => Form::Text,
        "bytes" => Form::Bytes,
        "position" => Form::Position,
        "rest" => Form::Rest,
        _ => Form::Unsigned,
    };
    let (size, count) = (row.number("size")?, row.number("count")?);
    // Members of no size (a position, the rest of the data) are one element.
    if count == 0 || !size.is_multiple_of(count) || count > size.max(1) {
        return Err(row.fault(format!("{size} bytes of {count} elements")));
    }
    let width = size / count;
    if matches!(form, Form::Unsigned | Form::Offset | Form::Symbol(_)) && width > 8 {
        return Err(row.fault(format!("a number of {width} bytes")));
    }
    Ok(Some(Member {
        field,
        offset: base + u64::from(row.number("offset")?),
        count: u64::from(count),
        width: u64::from(width),
        form,
    }))
}

/// The path and kind of a row of `structs.tsv`; none if it is not reported.
pub(super) fn field(row: Row<'_>) -> Result<Option<(&str, Kind)>, TableError> {
    let kind = match row.text("kind") {
        "unsigned" | "offset" | "position" => Kind::Unsigned,
        "symbol" => Kind::Symbol,
        "text" => Kind::Text,
        "bytes" | "rest" => Kind::Bytes,
        "structure" | "end" => return Ok(None),
        other => return Err(row.fault(format!("no kind {other:?}"))),
    };
    Ok(match row.text("path") {
        NONE => None,
        path => Some((path, kind)),
    })
}
