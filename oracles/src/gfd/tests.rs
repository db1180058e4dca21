//! Expectations derived by hand from the rules, on files built word by word.

mod accept;
mod files;
mod reject;
mod robust;
mod rows;

use std::collections::BTreeMap;
use std::sync::Arc;

use corpora::{Implementation, Outcome, RejectClass, Status, Value, Vocabulary};

use super::{Oracle, Tables, vocabulary};

/// The oracle of the tables as they are, and what its records are read with.
fn oracle() -> (Oracle, Arc<Vocabulary>) {
    let tables = Tables::embedded();
    let vocabulary = Arc::new(vocabulary(&tables).unwrap());
    (
        Oracle::new(&tables, Arc::clone(&vocabulary)).unwrap(),
        vocabulary,
    )
}

/// What the oracle says of those bytes.
fn answer(bytes: &[u8]) -> Outcome {
    let mut outcome = Outcome::default();
    oracle().0.answer(bytes, &mut outcome);
    outcome
}

/// Why and where those bytes are rejected.
fn rejection(bytes: &[u8]) -> (RejectClass, u64) {
    match answer(bytes).status {
        Status::Rejected { class, offset } => (class, offset),
        other => panic!("{other}"),
    }
}

/// The fields of an accepted file by their full paths, rendered, and the bytes consumed.
fn fields(bytes: &[u8]) -> (BTreeMap<String, String>, u64) {
    let (mut oracle, vocabulary) = oracle();
    let mut outcome = Outcome::default();
    oracle.answer(bytes, &mut outcome);
    let Status::Accepted { consumed } = outcome.status else {
        panic!("{}", outcome.status);
    };
    let record = &outcome.record;
    let mut fields = BTreeMap::new();
    for entry in record.entries() {
        let path = vocabulary.render(entry.section, entry.field, entry.item);
        let text = match record.value(entry, &vocabulary) {
            Value::Unsigned(value) => format!("{value:#x}"),
            other => other.to_string(),
        };
        assert!(fields.insert(path.clone(), text).is_none(), "{path} twice");
    }
    (fields, consumed)
}

/// Whether a field is there, and rendered so.
#[track_caller]
fn assert_field(fields: &BTreeMap<String, String>, path: &str, expected: &str) {
    assert_eq!(
        fields.get(path).map(String::as_str),
        Some(expected),
        "{path}"
    );
}
