//! What the runner has to know of a target: its vocabulary, the two implementations, what to feed them, and its laws.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use corpora::generate::Random;
use corpora::{
    Bits, Field, FieldId, Implementation, Options, RejectClass, Section, Status, Vocabulary,
};

use oracles::table::{Row, Table};

use crate::report::model::{NotRun, SingleSource};

/// A format or instruction set with a decoder and an oracle.
pub trait Target: Send + Sync {
    /// Its name: `gfd`, `r700`.
    fn name(&self) -> &'static str;

    /// Its fields.
    fn vocabulary(&self) -> &Arc<Vocabulary>;

    /// A new decoder under test.
    fn subject(&self) -> Box<dyn Implementation>;

    /// A new oracle.
    fn oracle(&self) -> Box<dyn Implementation>;

    /// Units of a fixed size, to sweep. A format without such units has none.
    fn units(&self) -> Vec<Unit> {
        Vec::new()
    }

    /// Inputs that are counted off, to be judged one and all. A target whose units say it all has none.
    fn enumerations(&self) -> Vec<Enumeration> {
        Vec::new()
    }

    /// Whether a file of that name holds inputs of this target.
    fn reads(&self, path: &Path) -> bool;

    /// The inputs in a file; `origin` names it.
    fn inputs(&self, path: &Path, bytes: &[u8], origin: &str) -> Result<Found, String>;

    /// Generators of whole inputs.
    fn generators(&self) -> Vec<Generator>;

    /// Laws that its libraries obey.
    fn laws(&self) -> Vec<Law>;

    /// Symbol fields whose names are the rows of a coverage table, in the order of the vocabulary.
    fn axes(&self) -> Vec<FieldId>;

    /// Names that a coverage row is expected for, seen or not, by axis.
    fn axis_names(&self, axis: FieldId) -> Vec<String>;

    /// Names that rest on one source; single-source fields are found in the vocabulary.
    fn single_source_names(&self) -> Vec<SingleSource>;

    /// Whether some inputs are expected to come with the recorded answer of an outside program.
    fn expects_recorded_peer(&self) -> bool;

    /// Whether its inputs are 32-bit little-endian words, and are to be shown so.
    fn is_words(&self) -> bool;

    /// The smallest number of bytes that can be taken away from an input with these options when it is reduced; 0 where
    /// an input keeps its size.
    fn grain(&self, options: &Options) -> usize;
}

/// A unit of a fixed size whose every value is acceptable.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Options that select it.
    pub options: Options,
    /// Its size.
    pub bytes: usize,
    /// Whether a full run gives it everything: units of older chips get a sample.
    pub main: bool,
    /// Its fields' places, in any format.
    pub fields: Vec<Bits>,
}

/// Inputs that are counted off: number `n` is the same input in every run.
pub struct Enumeration {
    /// What they are all of, for reports: `every s16`.
    pub what: &'static str,
    /// Options that they are judged with.
    pub options: Options,
    /// How many inputs there are.
    pub inputs: u64,
    /// How many values all of them together cover.
    pub values: u64,
    /// Whether only a full run takes them.
    pub full: bool,
    /// What must be said of an input, by its number. Two that agree in refusing everything would prove nothing.
    pub stated: fn(u64) -> Stated,
    /// Appends an input by its number, and says how many values it covers.
    #[allow(
        clippy::type_complexity,
        reason = "one use; a named type would say less"
    )]
    pub make: Box<dyn Fn(u64, &mut Vec<u8>) -> u64 + Send + Sync>,
}

/// What a sweep states of the answer to one of its inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stated {
    /// It is accepted.
    Accepted,
    /// It is rejected with this class.
    Rejected(RejectClass),
}

impl Stated {
    /// Whether a status is what is stated.
    pub fn is(self, status: &Status) -> bool {
        match (self, status) {
            (Self::Accepted, Status::Accepted { .. }) => true,
            (Self::Rejected(class), Status::Rejected { class: found, .. }) => class == *found,
            _ => false,
        }
    }
}

impl fmt::Display for Stated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Accepted => f.write_str("accepted"),
            Self::Rejected(class) => write!(f, "rejected: {class}"),
        }
    }
}

/// Makes whole inputs from a seed.
pub struct Generator {
    /// Its name in reports.
    pub name: &'static str,
    /// Options that its inputs are judged with.
    pub options: Options,
    /// Makes input after input; the corpus inputs of the target are there to be mutated.
    #[allow(
        clippy::type_complexity,
        reason = "one use; a named type would say less"
    )]
    pub make: Box<dyn Fn(&mut Random, &[Input], &mut Vec<u8>) + Send + Sync>,
    /// How many inputs a quick run takes.
    pub quick: u64,
    /// How many inputs a full run takes.
    pub full: u64,
}

/// A law: something that holds for every input of a kind.
pub struct Law {
    /// Its name in reports, for example `encode-decode`.
    pub name: &'static str,
    /// The options of the inputs that it speaks of; others are not given to it.
    pub applies: fn(&Options) -> bool,
    /// Checks one input.
    pub check: fn(&[u8], &Options) -> Result<Held, Broken>,
}

/// How a law that is not broken stands to an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// It was tried, and holds.
    Holds,
    /// It says nothing of such an input.
    Silent,
}

/// How a law is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// What the law demands.
    pub expected: String,
    /// What was found.
    pub found: String,
}

/// An input to judge, from a corpus.
#[derive(Clone, Debug)]
pub struct Input {
    /// Where it comes from: a file, or a file and an id in it.
    pub origin: String,
    /// Its options.
    pub options: Options,
    /// The bytes.
    pub bytes: Arc<[u8]>,
    /// What somebody else's tool said of it, if that is on record.
    pub peer: Option<PeerAnswers>,
}

/// What a file holds.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The inputs.
    pub inputs: Vec<Input>,
    /// What looked like an input and is not judged, and why.
    pub passed_over: Vec<NotRun>,
}

impl AsRef<[u8]> for Input {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Names that an outside program gave to fields of an input.
#[derive(Clone, Debug)]
pub struct PeerAnswers {
    /// The program.
    pub name: String,
    /// Place and name of symbol fields, in canonical spelling.
    pub names: Vec<(Section, FieldId, String)>,
}

/// Single-source fields of a vocabulary.
pub fn single_source_fields(vocabulary: &Vocabulary) -> impl Iterator<Item = SingleSource> + '_ {
    let single = |field: &&Field| field.sources == 1;
    vocabulary
        .fields()
        .iter()
        .filter(single)
        .map(|field| SingleSource {
            target: vocabulary.target().to_owned(),
            what: field.path.clone(),
            source: field.source.clone(),
        })
}

/// Rows of a specification table that rest on one source, named by some of their columns.
pub fn single_source(target: &str, table: &Table, columns: &[&str]) -> Vec<SingleSource> {
    let row = |row: Row<'_>| {
        let cells: Vec<_> = columns.iter().map(|column| row.text(column)).collect();
        SingleSource {
            target: target.to_owned(),
            what: format!("{}: {}", table.name(), cells.join(" ").trim()),
            source: row.text("source").to_owned(),
        }
    };
    table
        .rows()
        .filter(|row| row.text("sources") == "1")
        .map(row)
        .collect()
}
