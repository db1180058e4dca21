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
use crate::target::{Generator, Input, Law, Target};

/// The `gfd` target.
pub struct Gfd {
    vocabulary: Arc<Vocabulary>,
    shared: Arc<subject::Shared>,
    oracle: Oracle,
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

    fn inputs(&self, _: &Path, bytes: &[u8], origin: &str) -> Result<Vec<Input>, String> {
        let input = |(origin, bytes): (String, Vec<u8>)| Input {
            origin,
            options: Options::new(),
            bytes: bytes.into(),
            peer: None,
        };
        Ok(containers(bytes, origin).into_iter().map(input).collect())
    }

    fn generators(&self) -> Vec<Generator> {
        vec![Generator {
            name: "files",
            options: Options::new(),
            make: Box::new(|random, inputs, out| {
                let corpus: Vec<&[u8]> = inputs.iter().map(|input| &*input.bytes).collect();
                generate::file(random, &corpus, out);
            }),
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
        Vec::new()
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
