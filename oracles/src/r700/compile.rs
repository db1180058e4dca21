//! From rows to layouts: done once, so that answering touches neither text nor maps.

use std::collections::HashMap;

use corpora::{FieldId, Kind, SymbolId, Vocabulary};

use super::names::{Conduct, Names};
use super::rows::{self, FieldRow, Place, Role, WORDS};
use super::word::{Compiled, Layout, Part, Reading, Step};
use super::{Chip, Tables};
use crate::table::TableError;

/// Widest field whose numbers have names: a list of 2048.
const WIDEST_SYMBOL: u32 = 11;

/// A number with its name, as records hold symbols.
#[derive(Clone, Copy, Debug)]
pub(super) struct Symbol {
    pub(super) code: u32,
    pub(super) name: SymbolId,
}

/// Compiles the tables for one chip.
pub(super) struct Compiler<'a> {
    tables: &'a Tables,
    rows: Vec<FieldRow<'a>>,
    names: Names<'a>,
    vocabulary: &'a mut Vocabulary,
    chip: Chip,
}

impl<'a> Compiler<'a> {
    pub(super) fn new(
        tables: &'a Tables,
        vocabulary: &'a mut Vocabulary,
        chip: Chip,
    ) -> Result<Self, TableError> {
        Ok(Self {
            tables,
            rows: rows::field_rows(tables)?,
            names: Names::read(tables, chip)?,
            vocabulary,
            chip,
        })
    }

    /// The index of a field that the walk of a program reads or writes.
    pub(super) fn field(&self, path: &str) -> Result<FieldId, TableError> {
        self.vocabulary.id(path).map_err(|error| TableError {
            table: self.tables.fields.name().to_owned(),
            row: 0,
            why: error.to_string(),
        })
    }

    /// A name as a symbol, whether a list has it or not.
    pub(super) fn name(&mut self, name: &str) -> SymbolId {
        self.vocabulary.intern(name)
    }

    /// A name that the walk gives to a field, and its number.
    pub(super) fn walk_symbol(&mut self, path: &str, name: &str) -> Symbol {
        let of_path = |row: &&FieldRow<'_>| row.role == Role::Walk && row.path() == path;
        let list = self.rows.iter().find(of_path);
        self.symbol(list.map_or("-", |row| row.row.text("enum")), name)
    }

    /// A name and its number in a list; `reserved` if the list lacks it, which only altered tables do.
    fn symbol(&mut self, list: &str, name: &str) -> Symbol {
        match self.names.number(list, name) {
            Some(code) => Symbol {
                code,
                name: self.vocabulary.intern(name),
            },
            None => Symbol {
                code: u32::MAX,
                name: SymbolId::RESERVED,
            },
        }
    }

    /// All layouts of a unit; empty if the chip does not have it.
    pub(super) fn layout(&mut self, unit: &str) -> Result<Layout, TableError> {
        let rows: Vec<FieldRow<'a>> = self
            .rows
            .iter()
            .filter(|row| row.row.text("unit") == unit)
            .filter(|row| rows::has_chip(row.row.text("chip"), self.chip))
            .copied()
            .collect();
        let mut layout = Layout {
            bytes: 4 * rows::words_of(unit) as usize,
            ..Layout::default()
        };
        for row in rows.iter().filter(|row| row.role == Role::Select) {
            let step = self.step(row, &mut layout.format_names)?;
            layout.steps.push(step);
        }
        let mut lists = HashMap::new();
        for format in layout.format_names.clone() {
            let fields = self.fields(&rows, &format, &mut layout, &mut lists)?;
            layout.formats.push(fields);
        }
        Ok(layout)
    }

    /// A row that decides the layout, and the layouts that it leads to.
    fn step(&self, row: &FieldRow<'_>, formats: &mut Vec<String>) -> Result<Step, TableError> {
        let mut number_of = |name: &str| -> Result<Option<u8>, TableError> {
            if name == "-" {
                return Ok(None);
            }
            let at = formats.iter().position(|format| format == name);
            let at = at.unwrap_or_else(|| {
                formats.push(name.to_owned());
                formats.len() - 1
            });
            u8::try_from(at)
                .map(Some)
                .map_err(|_| row.row.fault("too many layouts"))
        };
        let otherwise = number_of(row.row.text("format"))?;
        let mut step = Step {
            part: row.place.map(part).unwrap_or_default(),
            formats: Vec::new(),
            otherwise,
        };
        let Some(place) = row.place else {
            return Ok(step);
        };
        let meanings = self.names.of(row)?;
        step.formats = vec![otherwise; numbers(row, place)?];
        for meaning in meanings {
            let Some(format) = meaning.format else {
                continue;
            };
            let format = number_of(format)?;
            for number in meaning.first..=meaning.last.min(MAX_NUMBER) {
                if let Some(slot) = step.formats.get_mut(number as usize) {
                    *slot = format;
                }
            }
        }
        Ok(step)
    }

    /// The fields of one layout, ascending.
    fn fields(
        &mut self,
        rows: &[FieldRow<'a>],
        format: &str,
        layout: &mut Layout,
        lists: &mut HashMap<(&'a str, u32), u32>,
    ) -> Result<Vec<Compiled>, TableError> {
        let rows = || rows.iter().filter(|row| row.in_format(format));
        let mut named = [0_u32; WORDS];
        for row in rows().filter(|row| row.role == Role::Field) {
            if let Some(place) = row.place {
                named[place.word as usize] |= place.mask();
            }
        }
        let mut fields: Vec<Compiled> = Vec::new();
        for row in rows() {
            let (part, reading) = match (row.role, row.place) {
                (Role::Field, Some(place)) => {
                    let reading = match row.kind {
                        Kind::Signed => Reading::Signed(place.width as u8),
                        Kind::Symbol => Reading::Symbol(self.list(row, place, layout, lists)?),
                        _ => Reading::Unsigned,
                    };
                    (part(place), reading)
                }
                (Role::Rest, Some(place)) => {
                    let unnamed = Part {
                        word: place.word as u8,
                        lo: 0,
                        shift: place.shift as u8,
                        mask: place.mask() & !named[place.word as usize],
                    };
                    (unnamed, Reading::Unsigned)
                }
                (Role::Format, _) => {
                    let symbol = self.symbol(row.row.text("enum"), format);
                    (Part::default(), Reading::Format(symbol.code, symbol.name))
                }
                _ => continue,
            };
            let id = self
                .vocabulary
                .id(row.path())
                .map_err(|error| row.row.fault(error.to_string()))?;
            match fields.iter_mut().find(|field| field.id == id) {
                None => fields.push(Compiled { id, part, reading }),
                Some(field) => {
                    field.reading = match (field.reading, reading) {
                        (Reading::Unsigned, Reading::Unsigned) => Reading::Pieces(part),
                        _ => return Err(row.row.fault("not the second of two unsigned pieces")),
                    }
                }
            }
        }
        fields.sort_by_key(|field| field.id);
        Ok(fields)
    }

    /// Where the names of a symbol field begin; they are laid out once for each list and width.
    fn list(
        &mut self,
        row: &FieldRow<'a>,
        place: Place,
        layout: &mut Layout,
        lists: &mut HashMap<(&'a str, u32), u32>,
    ) -> Result<u32, TableError> {
        let key = (row.row.text("enum"), place.width);
        if let Some(&first) = lists.get(&key) {
            return Ok(first);
        }
        let numbers = numbers(row, place)?;
        let first = layout.names.len();
        layout.names.resize(first + numbers, SymbolId::RESERVED);
        layout.conducts.resize(first + numbers, Conduct::Plain);
        for meaning in self.names.of(row)? {
            let name = self.vocabulary.intern(meaning.name);
            for number in meaning.first..=meaning.last.min(MAX_NUMBER) {
                if (number as usize) < numbers {
                    layout.names[first + number as usize] = name;
                    layout.conducts[first + number as usize] = meaning.conduct;
                }
            }
        }
        lists.insert(key, first as u32);
        Ok(first as u32)
    }
}

/// The highest number that can have a name.
const MAX_NUMBER: u32 = (1 << WIDEST_SYMBOL) - 1;

/// How many numbers a place can hold, if they can have names.
fn numbers(row: &FieldRow<'_>, place: Place) -> Result<usize, TableError> {
    if place.width > WIDEST_SYMBOL {
        let why = format!(
            "{} bits, where numbers with names have {WIDEST_SYMBOL}",
            place.width
        );
        return Err(row.row.fault(why));
    }
    Ok(1 << place.width)
}

fn part(place: Place) -> Part {
    Part {
        word: place.word as u8,
        lo: place.lo as u8,
        shift: place.shift as u8,
        mask: place.mask() >> place.lo,
    }
}
