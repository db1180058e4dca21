//! The field paths of the target, from the rows that report them.

use corpora::{Evidence, Field, Vocabulary};

use super::structure::field;
use super::{Tables, enumeration};
use crate::table::TableError;

/// The vocabulary of the target: fields in the order of `structs.tsv`, and every name of a symbol. A path that several
/// structures have is described by the first of them.
pub fn vocabulary(tables: &Tables) -> Result<Vocabulary, TableError> {
    let mut vocabulary = Vocabulary::new("gfd", "block");
    for row in tables.structs.rows() {
        let Some((path, kind)) = field(row)? else {
            continue;
        };
        if let Ok(known) = vocabulary.id(path) {
            if vocabulary.field(known).kind != kind {
                return Err(row.fault(format!("{path} is not {kind:?} elsewhere")));
            }
            continue;
        }
        let evidence = row.text("evidence");
        let added = vocabulary.add(Field {
            path: path.to_owned(),
            kind,
            bits: None,
            source: row.text("source").to_owned(),
            evidence: Evidence::from_name(evidence)
                .ok_or_else(|| row.fault(format!("no evidence {evidence:?}")))?,
            sources: row.number("sources")?.min(u8::MAX.into()) as u8,
        });
        added.map_err(|error| row.fault(error.to_string()))?;
    }
    for row in tables.blocks.rows() {
        vocabulary.intern(row.text("name"));
    }
    enumeration::enumerations(&tables.enums, &mut vocabulary)?;
    Ok(vocabulary)
}
