//! The `pica` target: vertex fetch of the 3DS's PICA200.

mod draws;
mod fetch;
mod ids;
mod laws;
#[cfg(test)]
mod planted;
pub mod request;
mod subject;
mod sweeps;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use corpora::generate::Random;
use corpora::generate::pica as generate;
use corpora::{FieldId, Implementation, Options, Vocabulary};
use oracles::pica::{Oracle, Tables};

use fetch::Fetcher;
use ids::Ids;
use request::Request;

use crate::report::model::SingleSource;
use crate::target::single_source;
use crate::target::{Enumeration, Found, Generator, Input, Law, Target};

/// Requests that decode vertices in sequence.
pub const DECODE: &str = "decode";
/// Requests that gather vertices through indices.
pub const INDEXED: &str = "indexed";
/// Command lists.
pub const STATE: &str = "state";

/// The options of a unit.
pub fn unit(name: &str) -> Options {
    Options::new().with("unit", name)
}

/// The unit of some options: `decode` if they name none.
pub(super) fn unit_of(options: &Options) -> &str {
    options.get("unit").unwrap_or(DECODE)
}

/// Why the decoder refuses an input of a unit, for people; none if it does not.
pub fn explain(input: &[u8], unit: &str) -> Option<String> {
    if unit == STATE {
        return pica::state::draws(input)
            .err()
            .map(|error| error.to_string());
    }
    let request = match Request::read(input, unit == INDEXED) {
        Ok(request) => request,
        Err(refusal) => return Some(request::explain(refusal)),
    };
    let mut out = vec![pica::Vertex::DEFAULT; request.capacity.min(4097) as usize];
    let error = Fetcher::default().call(&request, &mut out).err()?;
    Some(error.to_string())
}

/// The `pica` target.
pub struct Pica {
    vocabulary: Arc<Vocabulary>,
    ids: Arc<Ids>,
    oracle: Oracle,
    single: Vec<SingleSource>,
}

impl Pica {
    /// The target with the specification's own tables.
    pub fn new() -> Result<Self> {
        Self::with_tables(Tables::embedded())
    }

    /// The target with other tables: a wrong oracle, to see whether it is noticed.
    pub fn with_tables(tables: Tables) -> Result<Self> {
        let mut vocabulary = oracles::pica::vocabulary(&tables)?;
        let ids = Arc::new(Ids::new(&mut vocabulary)?);
        let vocabulary = Arc::new(vocabulary);
        Ok(Self {
            oracle: Oracle::new(&tables, Arc::clone(&vocabulary))?,
            vocabulary,
            ids,
            single: single_source_rows(&tables),
        })
    }
}

impl Target for Pica {
    fn name(&self) -> &'static str {
        "pica"
    }

    fn vocabulary(&self) -> &Arc<Vocabulary> {
        &self.vocabulary
    }

    fn subject(&self) -> Box<dyn Implementation> {
        Box::new(subject::Subject::new(Arc::clone(&self.ids)))
    }

    fn oracle(&self) -> Box<dyn Implementation> {
        Box::new(self.oracle.clone())
    }

    fn enumerations(&self) -> Vec<Enumeration> {
        sweeps::all()
    }

    fn reads(&self, path: &Path) -> bool {
        kind(path).is_some()
    }

    fn inputs(&self, path: &Path, bytes: &[u8], origin: &str) -> Result<Found, String> {
        let input = |options: Options| Input {
            origin: origin.to_owned(),
            options,
            bytes: bytes.into(),
            peer: None,
        };
        let inputs = match kind(path) {
            // A request does not say whether it has indices, and every byte string has an answer as either.
            Some(File::Request) => vec![input(unit(DECODE)), input(unit(INDEXED))],
            Some(File::Commands) => vec![input(unit(STATE))],
            None => Vec::new(),
        };
        Ok(Found {
            inputs,
            passed_over: Vec::new(),
        })
    }

    fn generators(&self) -> Vec<Generator> {
        let generator = |name, make: Make, full| Generator {
            name,
            options: unit(name),
            make: Box::new(
                move |random: &mut Random, corpus: &[Input], out: &mut Vec<u8>| {
                    let own = corpus
                        .iter()
                        .filter(|input| unit_of(&input.options) == name);
                    let own: Vec<&[u8]> = own.map(AsRef::as_ref).collect();
                    make(random, &own, out);
                },
            ),
            quick: 300_000,
            full,
        };
        vec![
            generator(DECODE, generate::sequential, 100_000_000),
            generator(INDEXED, generate::indexed, 100_000_000),
            generator(STATE, generate::commands, 20_000_000),
        ]
    }

    fn laws(&self) -> Vec<Law> {
        laws::all()
    }

    fn axes(&self) -> Vec<FieldId> {
        vec![self.ids.status]
    }

    fn axis_names(&self, _: FieldId) -> Vec<String> {
        self.ids.statuses()
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

    fn grain(&self, options: &Options) -> usize {
        if unit_of(options) == STATE { 8 } else { 1 }
    }
}

type Make = fn(&mut Random, &[&[u8]], &mut Vec<u8>);

/// What a file of the target holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum File {
    Request,
    Commands,
}

/// What a file of that name holds.
fn kind(path: &Path) -> Option<File> {
    let ending = path.extension()?;
    let kinds = [("pica", File::Request), ("picacmd", File::Commands)];
    let kind = kinds
        .iter()
        .find(|kind| ending.eq_ignore_ascii_case(kind.0));
    kind.map(|kind| kind.1)
}

/// Rows that rest on one source and are no field of the vocabulary.
fn single_source_rows(tables: &Tables) -> Vec<SingleSource> {
    let lists = [
        (&tables.formats, &["list", "name"][..]),
        (&tables.registers, &["name"]),
        (&tables.fields, &["part", "field", "index"]),
        (&tables.packing, &["component", "word"]),
        (&tables.ids, &["id"]),
        (&tables.request, &["structure", "member"]),
        (&tables.limits, &["name"]),
    ];
    let rows = lists
        .into_iter()
        .flat_map(|(table, columns)| single_source("pica", table, columns));
    rows.collect()
}
