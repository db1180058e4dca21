//! `paths.tsv`: the rows of the vocabulary, those that stand for several written out.

use corpora::{FieldId, Vocabulary};

use super::Tables;
use super::limits::{Limits, missing};
use crate::table::{Row, TableError};

/// What stands in a path for the number of a loader or an attribute.
const NUMBER: &str = "[k]";

/// A path and its row.
pub(super) struct Path<'t> {
    pub(super) row: Row<'t>,
    /// The full path: no `[k]` in it.
    pub(super) path: String,
    /// The number of the loader or attribute.
    pub(super) number: Option<u32>,
}

/// The path of a row for one loader or attribute.
pub(super) fn numbered(path: &str, number: u32) -> String {
    path.replace(NUMBER, &format!("[{number}]"))
}

/// All paths in the order of the vocabulary.
pub(super) fn paths(tables: &Tables) -> Result<Vec<Path<'_>>, TableError> {
    let rows: Vec<Row<'_>> = tables.paths.rows().collect();
    let mut paths = Vec::new();
    // Rows next to each other that repeat the same are a block.
    for block in rows.chunk_by(|a, b| a.text("repeat") == b.text("repeat")) {
        let numbers = match block[0].text("repeat") {
            "-" => vec![None],
            repeat => (0..times(tables, block[0], repeat)?).map(Some).collect(),
        };
        for number in numbers {
            for &row in block {
                let path = row.text("path");
                paths.push(Path {
                    row,
                    path: number.map_or_else(|| path.to_owned(), |k| numbered(path, k)),
                    number,
                });
            }
        }
    }
    Ok(paths)
}

fn times(tables: &Tables, row: Row<'_>, repeat: &str) -> Result<u32, TableError> {
    match repeat {
        "loader" => Limits(&tables.limits).few("loaders"),
        "attribute" => Limits(&tables.limits).few("attribute_numbers"),
        other => Err(row.fault(format!("no repeat {other:?}"))),
    }
}

/// The field of that path.
pub(super) fn id(
    tables: &Tables,
    vocabulary: &Vocabulary,
    path: &str,
) -> Result<FieldId, TableError> {
    (vocabulary.id(path)).map_err(|error| missing(&tables.paths, &error.to_string()))
}
