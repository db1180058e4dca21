//! `limits.tsv`: single numbers by name.

use super::Tables;
use crate::table::TableError;

/// The number of that name.
pub(super) fn limit(tables: &Tables, name: &str) -> Result<u32, TableError> {
    let mut rows = tables.limits.rows();
    let row = rows.find(|row| row.text("name") == name);
    row.ok_or_else(|| TableError {
        table: tables.limits.name().to_owned(),
        row: 0,
        why: format!("no row for {name}"),
    })?
    .number("value")
}
