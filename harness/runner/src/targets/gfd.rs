//! The `gfd` target: Wii U GFD containers.

mod corpus;
mod ids;
mod laws;
#[cfg(test)]
mod planted;
mod subject;

use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use corpora::generate::gfd as generate;
use corpora::{FieldId, Implementation, Options, Vocabulary};
use oracles::gfd::{Oracle, Tables};

pub use corpus::{containers, holds, is_program};
use ids::Ids;

use crate::report::model::SingleSource;
use crate::target::single_source;
use crate::target::{Found, Generator, Input, Law, Target};

/// The `gfd` target.
pub struct Gfd {
    vocabulary: Arc<Vocabulary>,
    shared: Arc<subject::Shared>,
    oracle: Oracle,
    single: Vec<SingleSource>,
}

impl Gfd {
    /// The target with the specification's own tables.
    pub fn new() -> Result<Self> {
        Self::with_tables(Tables::embedded())
    }

    /// The target with other tables: a wrong oracle, to see whether it is noticed.
    pub fn with_tables(tables: Tables) -> Result<Self> {
        let mut vocabulary = oracles::gfd::vocabulary(&tables)?;
        let names = subject::Names::new(&mut vocabulary);
        let shared = subject::Shared {
            ids: Ids::new(&vocabulary)?,
            names,
        };
        let vocabulary = Arc::new(vocabulary);
        let oracle = Oracle::new(&tables, Arc::clone(&vocabulary))?;
        Ok(Self {
            vocabulary,
            shared: Arc::new(shared),
            oracle,
            single: single_source_rows(&tables),
        })
    }
}

impl Target for Gfd {
    fn name(&self) -> &'static str {
        "gfd"
    }

    fn vocabulary(&self) -> &Arc<Vocabulary> {
        &self.vocabulary
    }

    fn subject(&self) -> Box<dyn Implementation> {
        Box::new(subject::Subject::new(Arc::clone(&self.shared)))
    }

    fn oracle(&self) -> Box<dyn Implementation> {
        Box::new(self.oracle.clone())
    }

    fn reads(&self, path: &Path) -> bool {
        holds(path)
    }

    fn inputs(&self, _: &Path, bytes: &[u8], origin: &str) -> Result<Found, String> {
        let containers = containers(bytes, origin);
        let input = |(origin, bytes): (String, Vec<u8>)| Input {
            origin,
            options: Options::new(),
            bytes: bytes.into(),
            peer: None,
        };
        Ok(Found {
            inputs: containers.found.into_iter().map(input).collect(),
            passed_over: containers.passed_over,
        })
    }

    fn generators(&self) -> Vec<Generator> {
        vec![Generator {
            name: "files",
            options: Options::new(),
            make: Box::new(generate::file),
            quick: 100_000,
            full: 5_000_000,
        }]
    }

    fn laws(&self) -> Vec<Law> {
        laws::all()
    }

    fn axes(&self) -> Vec<FieldId> {
        vec![self.shared.ids.block_type]
    }

    fn axis_names(&self, _: FieldId) -> Vec<String> {
        subject::block_names().map(str::to_owned).collect()
    }

    fn single_source_names(&self) -> Vec<SingleSource> {
        self.single.clone()
    }

    fn expects_recorded_peer(&self) -> bool {
        false
    }

    fn is_words(&self) -> bool {
        false
    }

    fn grain(&self, _: &Options) -> usize {
        4
    }
}

/// Rows that rest on one source and are no field of the vocabulary.
fn single_source_rows(tables: &Tables) -> Vec<SingleSource> {
    let lists = [
        (&tables.blocks, &["version", "number", "name"][..]),
        (&tables.constants, &["name", "value"]),
        (&tables.enums, &["enum", "value", "name"]),
        (&tables.arrays, &["struct", "count"]),
    ];
    let rows = lists
        .into_iter()
        .flat_map(|(table, columns)| single_source("gfd", table, columns));
    rows.collect()
}
