//! Specification tables: tab-separated rows under named columns.

use std::fmt;

use thiserror::Error;

/// A table of text cells. The first line of its file names the columns; lines that start with `#` say where the rows
/// come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    name: String,
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// A row of a table.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    table: &'a Table,
    at: usize,
}

/// A fault of a table's text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("table {table}, row {row}: {why}")]
pub struct TableError {
    /// The table's file name.
    pub table: String,
    /// The row, counted from 1 without the header; 0 for the table as a whole.
    pub row: usize,
    /// What is wrong.
    pub why: String,
}

impl Table {
    /// Reads a table from the text of its file.
    pub fn parse(name: &str, text: &str) -> Result<Self, TableError> {
        let mut lines = text
            .lines()
            .filter(|line| !line.starts_with('#') && !line.is_empty());
        let fault = |row, why| TableError {
            table: name.to_owned(),
            row,
            why,
        };
        let header = lines
            .next()
            .ok_or_else(|| fault(0, "it is empty".to_owned()))?;
        let columns: Vec<String> = header.split('\t').map(str::to_owned).collect();
        let mut rows = Vec::new();
        for line in lines {
            let row: Vec<String> = line.split('\t').map(str::to_owned).collect();
            if row.len() != columns.len() {
                let why = format!("{} cells for {} columns", row.len(), columns.len());
                return Err(fault(rows.len() + 1, why));
            }
            rows.push(row);
        }
        Ok(Self {
            name: name.to_owned(),
            columns,
            rows,
        })
    }

    /// The file name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// All rows in order.
    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        (0..self.rows.len()).map(|at| Row { table: self, at })
    }

    fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }

    /// Changes one cell; used to plant mistakes. Returns what was there, or nothing if there is no such cell.
    pub fn replace(&mut self, row: usize, column: &str, value: &str) -> Option<String> {
        let column = self.column(column)?;
        let cell = self.rows.get_mut(row)?.get_mut(column)?;
        Some(std::mem::replace(cell, value.to_owned()))
    }

    /// Swaps one column of two rows; used to plant mistakes. False if there is no such cell.
    pub fn swap(&mut self, first: usize, second: usize, column: &str) -> bool {
        let Some(column) = self.column(column) else {
            return false;
        };
        if first >= self.rows.len() || second >= self.rows.len() {
            return false;
        }
        let cell = std::mem::take(&mut self.rows[first][column]);
        let other = std::mem::replace(&mut self.rows[second][column], cell);
        self.rows[first][column] = other;
        true
    }

    /// The number of the first row whose cells are these.
    pub fn find(&self, cells: &[(&str, &str)]) -> Option<usize> {
        self.rows().position(|row| {
            cells
                .iter()
                .all(|(column, value)| row.text(column) == *value)
        })
    }
}

impl<'a> Row<'a> {
    /// A cell, or empty if there is no such column.
    pub fn text(&self, column: &str) -> &'a str {
        self.table
            .column(column)
            .map_or("", |column| &self.table.rows[self.at][column])
    }

    /// A cell that is a decimal or `0x` number.
    pub fn number(&self, column: &str) -> Result<u32, TableError> {
        let text = self.text(column);
        let number = match text.strip_prefix("0x") {
            Some(hex) => u32::from_str_radix(hex, 16),
            None => text.parse(),
        };
        number.map_err(|_| self.fault(format!("{column} is {text:?}, not a number")))
    }

    /// An error at this row.
    pub fn fault(&self, why: impl Into<String>) -> TableError {
        TableError {
            table: self.table.name.clone(),
            row: self.at + 1,
            why: why.into(),
        }
    }
}

impl fmt::Debug for Row<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.table.rows[self.at]).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# source: made up\nfield\tlo\nA\t3\nB\t0x10\n";

    #[test]
    fn cells_by_column() {
        let table = Table::parse("t.tsv", TEXT).unwrap();
        let rows: Vec<_> = table.rows().collect();
        assert_eq!(rows[0].text("field"), "A");
        assert_eq!(rows[1].number("lo"), Ok(16));
        assert!(
            rows[0]
                .number("field")
                .unwrap_err()
                .to_string()
                .contains("row 1: field is \"A\"")
        );
        assert_eq!(table.find(&[("field", "B")]), Some(1));
    }

    #[test]
    fn a_ragged_row_is_named() {
        let error = Table::parse("t.tsv", "a\tb\n1\t2\n3\n").unwrap_err();
        assert_eq!(
            error.to_string(),
            "table t.tsv, row 2: 1 cells for 2 columns"
        );
    }

    #[test]
    fn mistakes_can_be_planted() {
        let mut table = Table::parse("t.tsv", TEXT).unwrap();
        assert!(table.swap(0, 1, "lo"));
        assert_eq!(table.rows().next().unwrap().text("lo"), "0x10");
        assert_eq!(table.replace(0, "lo", "5").as_deref(), Some("0x10"));
        assert!(!table.swap(0, 2, "lo"));
    }
}
