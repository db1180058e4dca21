//! Enumerations: names of numbers, from `enums.tsv` and `blocks.tsv`.

use std::collections::HashMap;

use corpora::{SymbolId, Vocabulary};

use super::constants::missing;
use crate::table::{Row, Table, TableError};

/// The cell that stands for every number without a row.
pub(super) const ANY: &str = "*";

/// The names of one enumeration.
#[derive(Clone, Debug)]
pub(super) struct Enumeration {
    names: HashMap<u32, SymbolId>,
    other: SymbolId,
}

impl Enumeration {
    /// Reads `number` and `name` of those rows, of which one must name all other numbers. Names that the vocabulary does
    /// not have yet are added to it.
    pub(super) fn read<'t>(
        table: &Table,
        name: &str,
        rows: impl Iterator<Item = Row<'t>>,
        vocabulary: &mut Vocabulary,
    ) -> Result<Self, TableError> {
        let mut names = HashMap::new();
        let mut other = None;
        for row in rows {
            let symbol = vocabulary.intern(row.text("name"));
            if row.text("number") == ANY {
                other = Some(symbol);
            } else {
                names.insert(row.number("number")?, symbol);
            }
        }
        let other = other.ok_or_else(|| missing(table, &format!("{ANY} of {name}")))?;
        Ok(Self { names, other })
    }

    /// The name of a number.
    pub(super) fn name(&self, number: u32) -> SymbolId {
        self.names.get(&number).copied().unwrap_or(self.other)
    }
}

/// All enumerations of `enums.tsv` by name.
pub(super) fn enumerations(
    table: &Table,
    vocabulary: &mut Vocabulary,
) -> Result<HashMap<String, Enumeration>, TableError> {
    let mut enumerations = HashMap::new();
    for row in table.rows() {
        let name = row.text("enum");
        if !enumerations.contains_key(name) {
            let rows = table.rows().filter(|row| row.text("enum") == name);
            let enumeration = Enumeration::read(table, name, rows, vocabulary)?;
            enumerations.insert(name.to_owned(), enumeration);
        }
    }
    Ok(enumerations)
}
