//! The field paths of the target, from the rows that report them.

use corpora::{Evidence, Field, Kind, Vocabulary};

use super::Tables;
use super::paths::{Path, paths};
use super::registers::Place;
use crate::table::TableError;

/// The vocabulary of the target: fields in the order of `paths.tsv`, and every name of a symbol.
///
/// Vertices are sections: `vertex[n]`. Draws are items, and their loaders and attributes are fields, each with its number:
/// `draw[n].loader[3].stride` is item n of `draw[].loader[3].stride`. Bits are those of the register file, counted from bit
/// 0 of register 0; a field of a request has none, for its place depends on the request.
pub fn vocabulary(tables: &Tables) -> Result<Vocabulary, TableError> {
    let mut vocabulary = Vocabulary::new("pica", "vertex");
    for path in paths(tables)? {
        let row = path.row;
        let (kind, evidence) = (row.text("kind"), row.text("evidence"));
        let field = Field {
            path: path.path.clone(),
            kind: Kind::from_name(kind).ok_or_else(|| row.fault(format!("no kind {kind:?}")))?,
            bits: place(tables, &path)?.and_then(Place::bits),
            source: row.text("source").to_owned(),
            evidence: Evidence::from_name(evidence)
                .ok_or_else(|| row.fault(format!("no evidence {evidence:?}")))?,
            sources: row.number("sources")?.min(u8::MAX.into()) as u8,
        };
        let added = vocabulary.add(field);
        added.map_err(|error| row.fault(error.to_string()))?;
    }
    for row in tables.symbols.rows() {
        vocabulary.intern(row.text("name"));
    }
    Ok(vocabulary)
}

/// Where the field is read from, if it is one bit field.
fn place(tables: &Tables, path: &Path<'_>) -> Result<Option<Place>, TableError> {
    let place = match (path.row.text("field"), path.number) {
        ("-", _) => return Ok(None),
        (field, None) => Place::one(tables, field),
        (field, Some(number)) if path.row.text("repeat") == "loader" => {
            Place::of_loader(tables, field, None, number)
        }
        (field, Some(number)) => Place::nth(tables, field, number),
    };
    place.map(Some)
}
