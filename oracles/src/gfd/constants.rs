//! `constants.tsv`: single numbers by name.

use crate::table::{Table, TableError};

/// The rows of `constants.tsv`.
pub(super) struct Constants<'t>(pub(super) &'t Table);

impl Constants<'_> {
    /// Every value of that name, at least one.
    pub(super) fn all(&self, name: &str) -> Result<Vec<u32>, TableError> {
        let values = self
            .0
            .rows()
            .filter(|row| row.text("name") == name)
            .map(|row| row.number("value"))
            .collect::<Result<Vec<_>, _>>()?;
        if values.is_empty() {
            return Err(missing(self.0, name));
        }
        Ok(values)
    }

    /// The first value of that name.
    pub(super) fn one(&self, name: &str) -> Result<u32, TableError> {
        Ok(self.all(name)?[0])
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
