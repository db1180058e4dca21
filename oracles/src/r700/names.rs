//! Names of numbers, from `enums.tsv` and `opcodes.tsv`.

use std::collections::HashMap;

use super::Tables;
use super::rows::has_chip;
use super::{Chip, rows};
use crate::table::{Row, TableError};

/// What the walk of a program has to know of an opcode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Conduct {
    /// Nothing. As an ALU opcode: any unit takes it.
    #[default]
    Plain,
    /// Only the vector units take it.
    Vector,
    /// Only the trans unit takes it.
    Trans,
    /// Its ADDR is a slot that control can go to.
    Jump,
    /// It can end the section of control flow, as END_OF_PROGRAM does.
    Return,
    /// It names a clause.
    Clause(Clause),
}

/// What is in a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clause {
    /// Groups of ALU instructions.
    Alu,
    /// Fetches through the texture unit.
    Tex,
    /// Fetches through the vertex unit.
    Vtx,
}

/// A run of numbers with one name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meaning<'a> {
    pub(super) first: u32,
    pub(super) last: u32,
    pub(super) name: &'a str,
    /// The layout that follows from the number, if one does.
    pub(super) format: Option<&'a str>,
    pub(super) conduct: Conduct,
}

/// All lists of names of one chip.
#[derive(Debug)]
pub(super) struct Names<'a> {
    lists: HashMap<String, Vec<Meaning<'a>>>,
}

impl<'a> Names<'a> {
    pub(super) fn read(tables: &'a Tables, chip: Chip) -> Result<Self, TableError> {
        let mut lists: HashMap<String, Vec<Meaning<'a>>> = HashMap::new();
        let mut add = |list: String, chips: &str, meaning| {
            // A list that has nothing for this chip is known nevertheless.
            let list = lists.entry(list).or_default();
            if has_chip(chips, chip) {
                list.push(meaning);
            }
        };
        for row in tables.enums.rows() {
            let name = row.text("name");
            let (first, last) = range(row)?;
            let meaning = Meaning {
                first,
                last,
                name,
                format: Some(name),
                conduct: Conduct::Plain,
            };
            add(row.text("enum").to_owned(), row.text("chips"), meaning);
        }
        for row in tables.opcodes.rows() {
            let value = row.number("value")?;
            let meaning = Meaning {
                first: value,
                last: value,
                name: row.text("name"),
                format: Some(row.text("format")).filter(|format| *format != "-"),
                conduct: conduct(row)?,
            };
            add(
                format!("@{}", row.text("class")),
                row.text("chips"),
                meaning,
            );
        }
        Ok(Self { lists })
    }

    /// The list that a field row names; empty for `-`.
    pub(super) fn of(&self, field: &rows::FieldRow<'_>) -> Result<&[Meaning<'a>], TableError> {
        match field.row.text("enum") {
            "-" => Ok(&[]),
            list => self
                .lists
                .get(list)
                .map(Vec::as_slice)
                .ok_or_else(|| field.row.fault(format!("no list {list:?}"))),
        }
    }

    /// The number of a name in a list.
    pub(super) fn number(&self, list: &str, name: &str) -> Option<u32> {
        self.lists
            .get(list)?
            .iter()
            .find(|meaning| meaning.name == name)
            .map(|meaning| meaning.first)
    }
}

/// A number, or two with a hyphen between them.
pub(super) fn range(row: Row<'_>) -> Result<(u32, u32), TableError> {
    let cell = row.text("value");
    let number = |text: &str| {
        let why = || row.fault(format!("value is {cell:?}, not a number or a range"));
        text.parse().map_err(|_| why())
    };
    let (first, last) = cell.split_once('-').unwrap_or((cell, cell));
    Ok((number(first)?, number(last)?))
}

fn conduct(row: Row<'_>) -> Result<Conduct, TableError> {
    match (row.text("unit"), row.text("walk")) {
        ("-" | "any", "-") => Ok(Conduct::Plain),
        ("vector", "-") => Ok(Conduct::Vector),
        ("trans", "-") => Ok(Conduct::Trans),
        ("-", "jump") => Ok(Conduct::Jump),
        ("-", "return") => Ok(Conduct::Return),
        ("-", "alu-clause") => Ok(Conduct::Clause(Clause::Alu)),
        ("-", "tex-clause") => Ok(Conduct::Clause(Clause::Tex)),
        ("-", "vtx-clause") => Ok(Conduct::Clause(Clause::Vtx)),
        (unit, walk) => Err(row.fault(format!("no unit {unit:?} with walk {walk:?}"))),
    }
}
