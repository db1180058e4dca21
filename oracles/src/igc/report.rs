//! The fields of instructions and of DMA pairs.

use corpora::{FieldId, Record, Section, SymbolId, Vocabulary};

use super::Tables;
use super::acceptance::{Instruction, Pair, Rules};
use super::instructions::{Operands, UNKNOWN};
use super::vocabulary::SEND;
use crate::table::TableError;

/// The fields of one instruction.
#[derive(Clone, Copy, Debug)]
struct InstructionIds {
    op: FieldId,
    opcode: FieldId,
    addr: FieldId,
    length: FieldId,
    second: FieldId,
    modifier: FieldId,
    words: FieldId,
    len: FieldId,
    floats: [FieldId; 3],
    scalar: FieldId,
    src: FieldId,
    dst2: FieldId,
    len2: FieldId,
    rest: FieldId,
    operand: FieldId,
}

/// Writes answers into a record.
#[derive(Clone, Debug)]
pub(super) struct Report {
    alone: InstructionIds,
    of_stream: InstructionIds,
    at: FieldId,
    instructions: FieldId,
    unknown: FieldId,
    pair_addr: FieldId,
    pair_count: FieldId,
    pair_op: FieldId,
    names: Vec<(String, SymbolId)>,
}

impl Report {
    pub(super) fn read(tables: &Tables, vocabulary: &Vocabulary) -> Result<Self, TableError> {
        let fault = |why: String| TableError {
            table: tables.paths.name().to_owned(),
            row: 0,
            why,
        };
        let id = |path: &str| {
            vocabulary
                .id(path)
                .map_err(|error| fault(error.to_string()))
        };
        let ids = |prefix: &str| -> Result<InstructionIds, TableError> {
            let id = |name: &str| id(&format!("{prefix}{name}"));
            Ok(InstructionIds {
                op: id("op")?,
                opcode: id("opcode")?,
                addr: id("addr")?,
                length: id("length")?,
                second: id("second")?,
                modifier: id("modifier")?,
                words: id("words")?,
                len: id("len")?,
                floats: [id("a")?, id("b")?, id("c")?],
                scalar: id("scalar")?,
                src: id("src")?,
                dst2: id("dst2")?,
                len2: id("len2")?,
                rest: id("rest")?,
                operand: id("operand")?,
            })
        };
        let rows = tables.instructions.rows().map(|row| row.text("name"));
        let mut names = Vec::new();
        for name in rows.chain([UNKNOWN, SEND]) {
            let symbol = vocabulary.symbol_id(name);
            let symbol = symbol.ok_or_else(|| fault(format!("no name {name:?}")))?;
            names.push((name.to_owned(), symbol));
        }
        Ok(Self {
            alone: ids("insn.")?,
            of_stream: ids("")?,
            at: id("at")?,
            instructions: id("stream.instructions")?,
            unknown: id("stream.unknown")?,
            pair_addr: id("pair[].addr")?,
            pair_count: id("pair[].count")?,
            pair_op: id("pair[].op")?,
            names,
        })
    }

    /// The symbol of a name of `instructions.tsv`.
    fn symbol(&self, name: &str) -> SymbolId {
        let known = self.names.iter().find(|known| known.0 == name);
        known.map_or(SymbolId::RESERVED, |known| known.1)
    }

    /// The one instruction of the units `word` and `instruction`.
    pub(super) fn alone(&self, rules: &Rules, instruction: &Instruction, record: &mut Record) {
        self.fields(rules, &self.alone, instruction, record);
    }

    /// The instructions of a stream, each a section.
    pub(super) fn stream(&self, rules: &Rules, stream: &[Instruction], record: &mut Record) {
        let unknown = stream.iter().filter(|one| one.row.is_none()).count();
        record.unsigned(self.instructions, stream.len() as u64);
        record.unsigned(self.unknown, unknown as u64);
        for (n, instruction) in (0..).zip(stream) {
            record.enter(Section::part(n));
            self.fields(rules, &self.of_stream, instruction, record);
            record.unsigned(self.at, instruction.at as u64);
        }
    }

    fn fields(
        &self,
        rules: &Rules,
        ids: &InstructionIds,
        instruction: &Instruction,
        record: &mut Record,
    ) {
        let word = instruction.word;
        let parts = &rules.instructions;
        let row = instruction.row.as_deref();
        let opcode = parts.opcode.of(word);
        let name = row.map_or(UNKNOWN, |row| &row.name);
        record.symbol(ids.op, opcode, self.symbol(name));
        record.unsigned(ids.opcode, opcode.into());
        record.unsigned(ids.addr, parts.addr.of(word).into());
        record.unsigned(ids.length, parts.length.of(word).into());
        record.unsigned(ids.second, parts.second.of(word).into());
        record.unsigned(ids.modifier, parts.modifier.of(word).into());
        record.unsigned(ids.words, row.map_or(1, |row| row.words).into());
        if let Some(len) = rules.len(instruction) {
            record.unsigned(ids.len, len.into());
        }
        let (Some(row), Some(&operand)) = (row, instruction.operands.first()) else {
            return;
        };
        match row.operands {
            Operands::None => {}
            Operands::Floats => {
                for (field, &bits) in ids.floats.into_iter().zip(&instruction.operands) {
                    record.float(field, bits);
                }
            }
            Operands::Scalar => record.unsigned(ids.scalar, operand.into()),
            Operands::Source => {
                record.unsigned(ids.src, rules.source.of(operand).into());
                record.unsigned(ids.rest, rules.rest.of(operand).into());
            }
            Operands::Sweep => {
                record.unsigned(ids.src, rules.sweep_source.of(operand).into());
                record.unsigned(ids.dst2, rules.sweep_destination.of(operand).into());
                record.unsigned(ids.len2, rules.sweep_length.of(operand).into());
                record.unsigned(ids.rest, rules.sweep_rest.of(operand).into());
            }
            Operands::Raw => record.unsigned(ids.operand, operand.into()),
        }
    }

    /// DMA pairs.
    pub(super) fn pairs(&self, pairs: &[Pair], record: &mut Record) {
        for (n, pair) in (0..).zip(pairs) {
            record.unsigned_item(self.pair_addr, n, pair.addr.into());
            record.unsigned_item(self.pair_count, n, pair.count.into());
            let name = if pair.send { SEND } else { UNKNOWN };
            record.symbol_item(self.pair_op, n, pair.op, self.symbol(name));
        }
    }
}
