//! Expectations derived by hand from the rules, on inputs built number by number.

mod draws;
mod fixed;
mod loaders;
mod requests;
mod robust;
mod rows;
mod state;
mod values;

use std::collections::BTreeMap;
use std::sync::Arc;

use corpora::{Implementation, Options, Outcome, RejectClass, Status, Value, Vocabulary};

use super::{Oracle, Tables, vocabulary};

/// The oracle of the tables as they are, and what its records are read with.
fn oracle(unit: &str) -> (Oracle, Arc<Vocabulary>) {
    let tables = Tables::embedded();
    let vocabulary = Arc::new(vocabulary(&tables).unwrap());
    let mut oracle = Oracle::new(&tables, Arc::clone(&vocabulary)).unwrap();
    oracle.select(&Options::new().with("unit", unit)).unwrap();
    (oracle, vocabulary)
}

/// What the oracle says of those bytes.
fn answer(unit: &str, bytes: &[u8]) -> Outcome {
    let mut outcome = Outcome::default();
    oracle(unit).0.answer(bytes, &mut outcome);
    outcome
}

/// Why and where those bytes are rejected.
#[track_caller]
fn rejection(unit: &str, bytes: &[u8]) -> (RejectClass, u64) {
    match answer(unit, bytes).status {
        Status::Rejected { class, offset } => (class, offset),
        other => panic!("{other}"),
    }
}

/// The fields of an accepted input by their full paths, rendered.
type Fields = BTreeMap<String, String>;

/// The fields of those bytes, which are accepted whole.
#[track_caller]
fn fields(unit: &str, bytes: &[u8]) -> Fields {
    let (mut oracle, vocabulary) = oracle(unit);
    let mut outcome = Outcome::default();
    oracle.answer(bytes, &mut outcome);
    let consumed = bytes.len() as u64;
    assert_eq!(outcome.status, Status::Accepted { consumed });
    let record = &outcome.record;
    let mut fields = BTreeMap::new();
    for entry in record.entries() {
        let path = vocabulary.render(entry.section, entry.field, entry.item);
        let text = match record.value(entry, &vocabulary) {
            Value::Unsigned(value) => format!("{value:#x}"),
            Value::Symbol { name, .. } => name,
            Value::Float(bits) => format!("{bits:#010x}"),
            other => other.to_string(),
        };
        assert!(fields.insert(path.clone(), text).is_none(), "{path} twice");
    }
    fields
}

/// Whether fields are there and rendered so; an empty text stands for a field that is not there.
#[track_caller]
fn assert_fields(fields: &Fields, expected: &[(&str, &str)]) {
    for (path, expected) in expected {
        let found = fields.get(*path).map_or("", String::as_str);
        assert_eq!(found, *expected, "{path}");
    }
}

/// A request, number by number.
#[derive(Clone, Debug, Default)]
struct Request {
    mode: u8,
    reserved: u8,
    first: u32,
    count: u32,
    capacity: u32,
    zeros: u32,
    /// Format, offset, start, length.
    indices: Option<[u32; 4]>,
    /// Stream, format, components, slot; and the offset.
    attributes: Vec<([u8; 4], u32)>,
    /// Start, length, offset, stride.
    streams: Vec<[u32; 4]>,
    data: Vec<u8>,
}

impl Request {
    fn bytes(&self) -> Vec<u8> {
        let counts = [self.attributes.len() as u8, self.streams.len() as u8];
        let mut bytes = [counts, [self.mode, self.reserved]].concat();
        let mut words = vec![self.first, self.count, self.capacity, self.zeros];
        words.extend(self.indices.into_iter().flatten());
        bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        for (numbers, offset) in &self.attributes {
            bytes.extend(numbers);
            bytes.extend(offset.to_le_bytes());
        }
        let streams = self.streams.iter().flatten();
        bytes.extend(streams.flat_map(|word| word.to_le_bytes()));
        bytes.extend(&self.data);
        bytes
    }

    fn unit(&self) -> &'static str {
        if self.indices.is_some() {
            "indexed"
        } else {
            "decode"
        }
    }

    #[track_caller]
    fn fields(&self) -> Fields {
        fields(self.unit(), &self.bytes())
    }

    #[track_caller]
    fn rejection(&self) -> (RejectClass, u64) {
        rejection(self.unit(), &self.bytes())
    }
}

/// The bytes of words.
fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// A command with full mask: register and parameter.
fn write(register: u32, parameter: u32) -> Vec<u8> {
    words(&[parameter, 0xF_0000 | register])
}
