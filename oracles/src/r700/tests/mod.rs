//! Tests of the oracle: against words taken apart by hand, against the contract's rules, against its own tables' form.

mod clauses;
mod fetches;
mod program;
mod tables;
mod totality;
mod words;

use std::sync::Arc;

use corpora::{Implementation, Kind, Outcome, RejectClass, Section, Status, Value};

use super::{Chip, Oracle, Tables, Unit, vocabulary};

fn oracle() -> Oracle {
    let tables = Tables::embedded().unwrap();
    let vocabulary = vocabulary(&tables).unwrap();
    Oracle::new(&tables, Arc::new(vocabulary)).unwrap()
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn ask(unit: Unit, chip: Chip, input: &[u8]) -> (Oracle, Outcome) {
    let mut oracle = oracle();
    oracle.set(unit, chip);
    let mut outcome = Outcome::default();
    oracle.answer(input, &mut outcome);
    (oracle, outcome)
}

/// The fields of an accepted input as text: `alu.op=ADD/0`, `slot[2].clause=0`, masks of unnamed bits in hexadecimal.
fn fields(unit: Unit, chip: Chip, words: &[u32]) -> Vec<String> {
    let (oracle, outcome) = ask(unit, chip, &bytes(words));
    let consumed = match outcome.status {
        Status::Accepted { consumed } => consumed as usize,
        other => panic!("{other}"),
    };
    assert_eq!(consumed, 4 * words.len());
    let vocabulary = oracle.vocabulary();
    let text = |entry: &corpora::Entry| {
        let path = vocabulary.render(entry.section, entry.field, entry.item);
        match outcome.record.value(entry, vocabulary) {
            Value::Symbol { code, name } => format!("{path}={name}/{code}"),
            Value::Unsigned(value) if path.contains("reserved") => format!("{path}={value:#x}"),
            Value::Unsigned(value) => format!("{path}={value}"),
            Value::Signed(value) => format!("{path}={value}"),
            other => panic!("{path}={other}"),
        }
    };
    outcome.record.entries().iter().map(text).collect()
}

/// All fields of an instruction, in order, separated by white space.
#[track_caller]
fn check(unit: Unit, chip: Chip, words: &[u32], expected: &str) {
    let expected: Vec<&str> = expected.split_whitespace().collect();
    assert_eq!(fields(unit, chip, words), expected);
}

/// Some fields of an instruction or a program, in any order.
#[track_caller]
fn check_some(unit: Unit, chip: Chip, words: &[u32], expected: &str) {
    let fields = fields(unit, chip, words);
    for field in expected.split_whitespace() {
        assert!(
            fields.iter().any(|have| have == field),
            "{field} not in {fields:#?}"
        );
    }
}

/// A field of an instruction, as a number.
fn number(unit: Unit, chip: Chip, words: &[u32], path: &str) -> Option<u64> {
    let (oracle, outcome) = ask(unit, chip, &bytes(words));
    let vocabulary = oracle.vocabulary();
    let id = vocabulary.id(path).unwrap();
    let entry = outcome.record.find(Section::WHOLE, id, 0)?;
    Some(match vocabulary.field(id).kind {
        Kind::Symbol => entry.raw >> 32,
        _ => entry.raw,
    })
}

/// A program is rejected with that class at that byte.
#[track_caller]
fn check_rejected(unit: Unit, chip: Chip, input: &[u8], class: RejectClass, offset: u64) {
    let (_, outcome) = ask(unit, chip, input);
    assert_eq!(outcome.status, Status::Rejected { class, offset });
    assert!(outcome.record.entries().is_empty());
}
