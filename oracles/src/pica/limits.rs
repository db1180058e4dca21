//! `limits.tsv`: single numbers by name.

use crate::table::{Table, TableError};

/// The rows of `limits.tsv`.
pub(super) struct Limits<'t>(pub(super) &'t Table);

impl Limits<'_> {
    /// The number of that name.
    pub(super) fn number(&self, name: &str) -> Result<u64, TableError> {
        let row = (self.0.rows()).find(|row| row.text("name") == name);
        let row = row.ok_or_else(|| missing(self.0, name))?;
        row.number("value").map(u64::from)
    }

    /// The number of that name, as a number of things that are gone through one by one: 1 to 64.
    pub(super) fn few(&self, name: &str) -> Result<u32, TableError> {
        match self.number(name)? {
            number @ 1..=64 => Ok(number as u32),
            number => Err(missing(
                self.0,
                &format!("{name} from 1 to 64, but {number}"),
            )),
        }
    }
}

/// A table without a row that the rules need.
pub(super) fn missing(table: &Table, what: &str) -> TableError {
    TableError {
        table: table.name().to_owned(),
        row: 0,
        why: format!("no row for {what}"),
    }
}
