//! Decoders with mistakes, each made of the honest one: what it is asked, or what it answers, is changed.

use std::collections::HashMap;

use corpora::{Kind, Outcome, Record, RejectClass, Section, Status, SymbolId};

use super::Wrong;
use crate::targets::igc::DMA;

impl Wrong {
    fn ask(&mut self, input: &[u8], outcome: &mut Outcome) {
        outcome.clear();
        self.honest.answer(input, outcome);
    }

    /// The name of a field of an instruction, without what stands before it.
    fn field(&self, path: &'static str) -> [corpora::FieldId; 2] {
        let id = |path: &str| self.vocabulary.id(path).expect("a field");
        [id(path), id(&format!("insn.{path}"))]
    }

    /// Changes one field of what was accepted: all fields of its section, by name, give the new value.
    fn rewrite(
        &self,
        outcome: &mut Outcome,
        field: &'static str,
        change: impl Fn(&dyn Fn(&str) -> u64, u64) -> u64,
    ) {
        let Status::Accepted { consumed } = outcome.status else {
            return;
        };
        let mut known: HashMap<(Section, &str), u64> = HashMap::new();
        for entry in outcome.record.entries() {
            let path = &self.vocabulary.field(entry.field).path;
            let name = path.strip_prefix("insn.").unwrap_or(path);
            known.insert((entry.section, name), entry.raw);
        }
        let fields = self.field(field);
        let mut record = Record::new();
        for entry in outcome.record.entries() {
            record.enter(entry.section);
            let of = |name: &str| known.get(&(entry.section, name)).copied().unwrap_or(0);
            let raw = if fields.contains(&entry.field) {
                change(&of, entry.raw)
            } else {
                entry.raw
            };
            if self.vocabulary.field(entry.field).kind == Kind::Symbol {
                let name = SymbolId::from_index(raw as u32);
                record.symbol_item(entry.field, entry.item, (raw >> 32) as u32, name);
            } else {
                record.unsigned_item(entry.field, entry.item, raw);
            }
        }
        outcome.record = record;
        outcome.accept(consumed as usize);
    }
}

pub(super) fn honest(wrong: &mut Wrong, input: &[u8], outcome: &mut Outcome) {
    wrong.ask(input, outcome);
}

/// Bit 16 is taken for something else.
pub(super) fn opcodes_of_a_byte(wrong: &mut Wrong, input: &[u8], outcome: &mut Outcome) {
    wrong.ask(input, outcome);
    wrong.rewrite(outcome, "opcode", |_, opcode| opcode & 0xff);
}

/// The comparison with the tree is read by the rule of the stores.
pub(super) fn one_rule_of_lengths(wrong: &mut Wrong, input: &[u8], outcome: &mut Outcome) {
    wrong.ask(input, outcome);
    wrong.rewrite(outcome, "len", |of, len| match of("length") {
        length if len + 117 == length => len + 2,
        _ => len,
    });
}

pub(super) fn big_endian(wrong: &mut Wrong, input: &[u8], outcome: &mut Outcome) {
    let mut turned = input.to_vec();
    for word in turned.chunks_exact_mut(4) {
        word.reverse();
    }
    wrong.ask(&turned, outcome);
}

/// 1 + bit 31 + the operands by form, which is wrong for two rows.
pub(super) fn words_by_bits(wrong: &mut Wrong, input: &[u8], outcome: &mut Outcome) {
    wrong.ask(input, outcome);
    wrong.rewrite(outcome, "words", |of, _| {
        let behind = [0, 1, 3, 0][(of("modifier") >> 3 & 3) as usize];
        1 + of("second") + behind
    });
}

pub(super) fn source_is_destination(wrong: &mut Wrong, input: &[u8], outcome: &mut Outcome) {
    wrong.ask(input, outcome);
    wrong.rewrite(outcome, "src", |of, src| match of("len2") {
        0 => src,
        _ => of("dst2"),
    });
}

pub(super) fn send_below_127(wrong: &mut Wrong, input: &[u8], outcome: &mut Outcome) {
    wrong.ask(input, outcome);
    if wrong.unit != DMA || !matches!(outcome.status, Status::Accepted { .. }) {
        return;
    }
    let full = input
        .chunks_exact(8)
        .position(|pair| pair[4..] == 0x1000_007f_u32.to_le_bytes());
    if let Some(pair) = full {
        outcome.reject(RejectClass::OutOfRange, 8 * pair + 4);
    }
}
