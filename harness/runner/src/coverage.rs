//! Which opcodes were seen, and which bits of which fields varied with them.

use std::collections::BTreeMap;

use corpora::{Entry, FieldId, Kind, Record, SymbolId, Vocabulary};

use crate::report::model::{Coverage as CoverageTable, CoverageRow, Varied};
use crate::target::Target;

/// Bits of one field seen as one and as zero under one opcode.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    ones: u64,
    zeros: u64,
}

#[derive(Clone, Debug, Default)]
struct Row {
    seen: u64,
    /// By field index.
    cells: Vec<Cell>,
}

/// Rows by axis and name. Axes are symbol fields, for example `alu.op`; a row takes the fields that share the first word
/// of the axis's path (`alu.…`) and the section of the record in which the opcode stands.
#[derive(Clone, Debug)]
pub struct Coverage {
    axes: Vec<Axis>,
    fields: usize,
}

#[derive(Clone, Debug)]
struct Axis {
    field: FieldId,
    /// By symbol index.
    rows: Vec<Option<Box<Row>>>,
    /// By field index: does the field belong to this axis?
    belongs: Vec<bool>,
}

fn family(path: &str) -> &str {
    path.split(['.', '[']).next().unwrap_or(path)
}

impl Coverage {
    /// Nothing seen yet.
    pub fn new(target: &dyn Target) -> Self {
        let vocabulary = target.vocabulary();
        let axes = target.axes().into_iter().map(|field| {
            let path = &vocabulary.field(field).path;
            // An axis without a dot (a container's block type) takes every field of its section.
            let own = path.contains('.').then(|| family(path));
            let belongs = vocabulary
                .fields()
                .iter()
                .map(|other| own.is_none_or(|own| family(&other.path) == own))
                .collect();
            Axis {
                field,
                rows: Vec::new(),
                belongs,
            }
        });
        Self {
            axes: axes.collect(),
            fields: vocabulary.fields().len(),
        }
    }

    /// Takes in the fields of an accepted input.
    pub fn add(&mut self, record: &Record) {
        for section in record.entries().chunk_by(|a, b| a.section == b.section) {
            for axis in &mut self.axes {
                if let Some(op) = section.iter().find(|entry| entry.field == axis.field) {
                    axis.add(op, section, record, self.fields);
                }
            }
        }
    }

    /// Adds what another has seen.
    pub fn join(&mut self, other: &Self) {
        for (axis, other) in self.axes.iter_mut().zip(&other.axes) {
            for (symbol, row) in other.rows.iter().enumerate() {
                let Some(row) = row else { continue };
                let own = axis.row(symbol, self.fields);
                own.seen += row.seen;
                for (cell, other) in own.cells.iter_mut().zip(&row.cells) {
                    cell.ones |= other.ones;
                    cell.zeros |= other.zeros;
                }
            }
        }
    }

    /// The tables, a row for each expected name and for each other name that was seen.
    pub fn tables(&self, target: &dyn Target) -> Vec<CoverageTable> {
        let vocabulary = target.vocabulary();
        self.axes
            .iter()
            .map(|axis| axis.table(target, vocabulary))
            .collect()
    }
}

impl Axis {
    fn row(&mut self, symbol: usize, fields: usize) -> &mut Row {
        if self.rows.len() <= symbol {
            self.rows.resize(symbol + 1, None);
        }
        self.rows[symbol].get_or_insert_with(|| {
            Box::new(Row {
                seen: 0,
                cells: vec![Cell::default(); fields],
            })
        })
    }

    fn add(&mut self, op: &Entry, section: &[Entry], record: &Record, fields: usize) {
        let symbol = op.raw as u32 as usize;
        let axis = self.field;
        // Taken out for the loop, since a row and the list of fields are both parts of this axis.
        let belongs = std::mem::take(&mut self.belongs);
        let row = self.row(symbol, fields);
        row.seen += 1;
        for entry in section {
            let at = entry.field.index();
            if belongs[at] && entry.field != axis {
                let value = if entry.stored {
                    record
                        .stored(entry)
                        .iter()
                        .fold(0, |sum: u64, &byte| sum ^ u64::from(byte))
                } else {
                    entry.raw
                };
                row.cells[at].ones |= value;
                row.cells[at].zeros |= !value;
            }
        }
        self.belongs = belongs;
    }

    fn table(&self, target: &dyn Target, vocabulary: &Vocabulary) -> CoverageTable {
        let mut rows: BTreeMap<String, Option<&Row>> = BTreeMap::new();
        for name in target.axis_names(self.field) {
            rows.insert(name, None);
        }
        for (symbol, row) in self.rows.iter().enumerate() {
            if let Some(row) = row {
                let name = vocabulary.symbol_name(SymbolId::from_index(symbol as u32));
                rows.insert(name.to_owned(), Some(row));
            }
        }
        let used = |id: &FieldId| {
            self.belongs[id.index()]
                && rows
                    .values()
                    .flatten()
                    .any(|row| row.cells[id.index()].touched())
        };
        let columns: Vec<FieldId> = vocabulary.ids().filter(used).collect();
        let rows = rows.iter().map(|(name, row)| CoverageRow {
            name: name.clone(),
            seen: row.map_or(0, |row| row.seen),
            varied: columns
                .iter()
                .map(|&id| row.and_then(|row| row.cells[id.index()].varied(vocabulary, id)))
                .collect(),
        });
        CoverageTable {
            target: target.name().to_owned(),
            axis: vocabulary.field(self.field).path.clone(),
            rows: rows.collect(),
            fields: columns
                .iter()
                .map(|&id| vocabulary.field(id).path.clone())
                .collect(),
        }
    }
}

impl Cell {
    fn touched(self) -> bool {
        self.ones | self.zeros != 0
    }

    fn varied(self, vocabulary: &Vocabulary, field: FieldId) -> Option<Varied> {
        if !self.touched() {
            return None;
        }
        let field = vocabulary.field(field);
        let width = field
            .bits
            .map_or(if field.kind == Kind::Symbol { 8 } else { 32 }, |b| b.width);
        let (ones, zeros) = match field.kind {
            Kind::Symbol => (self.ones >> 32, self.zeros >> 32),
            Kind::Text | Kind::Bytes => (self.ones & 0xff, self.zeros & 0xff),
            _ => (self.ones, self.zeros),
        };
        let width = if matches!(field.kind, Kind::Text | Kind::Bytes) {
            8
        } else {
            width
        };
        let mask = u64::MAX >> (64 - u32::from(width.clamp(1, 64)));
        Some(Varied {
            width,
            ones: ones & mask,
            zeros: zeros & mask,
        })
    }
}
