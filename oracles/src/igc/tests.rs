//! The rows against the words of the notes, the cases of `testdata/igc`, and inputs of any kind.

mod cases;
mod robust;
mod rows;

use std::sync::Arc;

use corpora::{Implementation, Options, Outcome, Vocabulary};

use super::{Oracle, Tables, vocabulary};

/// The oracle of the tables as they are, and what its records are read with.
fn oracle() -> (Oracle, Arc<Vocabulary>) {
    let tables = Tables::embedded();
    let vocabulary = Arc::new(vocabulary(&tables).unwrap());
    let oracle = Oracle::new(&tables, Arc::clone(&vocabulary)).unwrap();
    (oracle, vocabulary)
}

/// What the oracle says of those bytes.
fn answer(unit: &str, bytes: &[u8]) -> Outcome {
    let mut oracle = oracle().0;
    oracle.select(&Options::new().with("unit", unit)).unwrap();
    let mut outcome = Outcome::default();
    oracle.answer(bytes, &mut outcome);
    outcome
}

/// The bytes of words in hexadecimal, with blanks between them.
fn words(text: &str) -> Vec<u8> {
    text.split_whitespace()
        .flat_map(|word| u32::from_str_radix(word, 16).unwrap().to_le_bytes())
        .collect()
}
