//! What a run found out, as data. `report.json` is exactly this; the other formats are views of it.
//!
//! Nothing here depends on the machine or on time: the same seed gives the same report, byte for byte. How long things
//! took is in `durations.json`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of this schema.
pub const SCHEMA: u32 = 2;

/// A whole report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: u32,
    /// Version of the program that made it.
    pub version: String,
    /// `quick` or `full`.
    pub mode: String,
    /// The seed of everything generated.
    pub seed: u64,
    /// What the plan of the run is told apart by: its jobs, cases and inputs. Parts of one run have the same.
    pub plan: String,
    /// Parts of the run that this report holds, for example `1/4`; empty for a whole run.
    pub shards: Vec<String>,
    /// Filters that were in force, for example `target=r700`; empty for everything.
    pub filters: Vec<String>,
    /// Whether all agreed.
    pub verdict: Verdict,
    /// Counts by target and kind, in that order.
    pub tallies: Vec<Tally>,
    /// Disagreements, one for each cause.
    pub findings: Vec<Finding>,
    /// What was swept.
    pub certificates: Vec<Certificate>,
    /// Which opcodes were seen with which fields varied.
    pub coverage: Vec<Coverage>,
    /// What was executed.
    pub execution: Vec<Execution>,
    /// The ledger of contradictions, with how its cases went.
    pub errata: Vec<ErratumResult>,
    /// How expectations are known: target, then evidence, then how many cases.
    pub evidence: BTreeMap<String, BTreeMap<String, u64>>,
    /// Fields and names that rest on one source only.
    pub single_source: Vec<SingleSource>,
    /// Collections of inputs that were judged.
    pub corpora: Vec<Corpus>,
    /// Peers and engines.
    pub peers: Vec<Peer>,
    /// What was not run, and why.
    pub not_run: Vec<NotRun>,
}

/// The one-word answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Everything that ran agreed.
    Agree,
    /// Something disagreed.
    Findings,
}

/// How many cases of a kind went how.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    /// The target.
    pub target: String,
    /// `golden`, `property`, `differential` or `sweep`.
    pub kind: String,
    /// A part of the kind, for example the law or the corpus.
    pub part: String,
    /// Cases that agreed.
    pub agree: u64,
    /// Cases that disagreed.
    pub disagree: u64,
    /// Cases whose only differences are left open by the specification.
    pub poisoned: u64,
    /// Cases that were not judged.
    pub skipped: u64,
}

/// Disagreements with one cause, shown by one minimised case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// Stable name made of target, kind and cause; also the anchor in the HTML.
    pub id: String,
    /// The target.
    pub target: String,
    /// The kind of check that found it.
    pub kind: String,
    /// The cause in one line: the fields that differ, or the law that is broken.
    pub cause: String,
    /// How many cases showed it.
    pub count: u64,
    /// The case that is shown: a case id, a file, or the generator and its number.
    pub origin: String,
    /// Options of the case.
    pub options: BTreeMap<String, String>,
    /// The minimised input, in hex.
    pub hex: String,
    /// The input as 32-bit little-endian words, where the target is made of words.
    pub words: Vec<String>,
    /// Bytes of the input before reduction.
    pub original_bytes: u64,
    /// The input before reduction in hex, or its SHA-256 if it is longer than 64 bytes. The smallest one by length and
    /// then by this text stands for the cause, in a split run as in a whole one.
    pub original: String,
    /// Where the parties differ on the minimised input.
    pub differences: Vec<Difference>,
    /// Who stands alone, when three or more spoke.
    pub odd_one_out: Option<String>,
    /// Documents that say what the fields are.
    pub citations: Vec<String>,
    /// One line that shows it again.
    pub replay: String,
}

/// One field, or the status, on which parties differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Difference {
    /// The field's full path, `status`, or `law`.
    pub path: String,
    /// Each party's name and answer, the expectation first where there is one.
    pub answers: Vec<Answer>,
}

/// What one party says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Who: `expected`, `r700 decoder`, `r700 oracle`, a peer.
    pub who: String,
    /// The value, rendered.
    pub value: String,
}

/// What a sweep proved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// The target.
    pub target: String,
    /// The options, for example `chip=r700,unit=alu`.
    pub unit: String,
    /// What was swept: a field's bits, or `random words`.
    pub what: String,
    /// Values of the field that were taken.
    pub values: u64,
    /// Values that the field can have; 0 where that is not the measure.
    pub of: u64,
    /// Inputs that were judged.
    pub inputs: u64,
    /// Inputs on which all agreed, but for what the specification leaves open.
    pub agree: u64,
}

/// What was executed of one target.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Execution {
    /// The target.
    pub target: String,
    /// Programs that were translated, by part.
    pub translated: BTreeMap<String, u64>,
    /// Programs that were not.
    pub refused: Vec<Refused>,
    /// Opcodes: those that ran, and those that could.
    pub opcodes: Vec<OpcodeRuns>,
    /// Words that agree thanks to a doubt alone, or of which nothing is known, by the reason.
    pub doubts: BTreeMap<String, u64>,
}

/// Programs that were not translated for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Refused {
    /// The reason.
    pub reason: String,
    /// Where the programs are from.
    pub programs: Vec<String>,
}

/// An opcode that can be executed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OpcodeRuns {
    /// `alu`, `cf` or `fetch`.
    pub class: String,
    /// Its name.
    pub name: String,
    /// Lanes that the reference interpreter ran it for; 0 is a hole.
    pub lanes: u64,
}

/// Opcodes against fields, for one unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Coverage {
    /// The target.
    pub target: String,
    /// What the rows are, for example `alu.op`.
    pub axis: String,
    /// Column heads: field paths.
    pub fields: Vec<String>,
    /// One for each name that was seen, and for each that never was.
    pub rows: Vec<CoverageRow>,
}

/// One opcode.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CoverageRow {
    /// The name.
    pub name: String,
    /// How many times it was seen; 0 is a hole.
    pub seen: u64,
    /// For each column: which of the field's bits were seen as 1 and as 0; nothing where the opcode never had the field.
    pub varied: Vec<Option<Varied>>,
}

/// Bits of a field that were seen. In JSON three numbers in a text: `width:ones:zeros`, the last two in hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(into = "String", try_from = "String")]
#[schemars(with = "String")]
pub struct Varied {
    /// The field's bits.
    pub width: u16,
    /// Bits seen as 1.
    pub ones: u64,
    /// Bits seen as 0.
    pub zeros: u64,
}

impl Varied {
    /// How many of the field's bits were seen both 0 and 1, in percent.
    pub fn percent(self) -> u8 {
        let both = (self.ones & self.zeros).count_ones();
        (both * 100 / u32::from(self.width.max(1))).min(100) as u8
    }

    /// What either of two has seen.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        Self {
            width: self.width.max(other.width),
            ones: self.ones | other.ones,
            zeros: self.zeros | other.zeros,
        }
    }
}

impl From<Varied> for String {
    fn from(varied: Varied) -> Self {
        format!("{}:{:x}:{:x}", varied.width, varied.ones, varied.zeros)
    }
}

impl TryFrom<String> for Varied {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let mut parts = text.split(':');
        let mut part = || parts.next().unwrap_or("");
        let (width, ones, zeros) = (part(), part(), part());
        let hex = |text: &str| u64::from_str_radix(text, 16).ok();
        match (width.parse(), hex(ones), hex(zeros), parts.next()) {
            (Ok(width), Some(ones), Some(zeros), None) => Ok(Self { width, ones, zeros }),
            _ => Err(format!("{text:?} is not width:ones:zeros")),
        }
    }
}

/// An entry of the errata ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ErratumResult {
    /// Its id.
    pub id: String,
    /// The target.
    pub target: String,
    /// What the contradiction is about.
    pub title: String,
    /// `settled` or `open`.
    pub status: String,
    /// What Assay holds.
    pub ruling: String,
    /// Each source and what it says.
    pub sources: Vec<(String, String)>,
    /// Cases that settle it, each with `met`, `not met` or `not run`.
    pub cases: Vec<(String, String)>,
}

/// A field or name that only one source gives.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SingleSource {
    /// The target.
    pub target: String,
    /// The field's path, or class and name.
    pub what: String,
    /// The source.
    pub source: String,
}

/// A collection of inputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Corpus {
    /// Its name.
    pub name: String,
    /// What it holds: `14 files, 22 programs`.
    pub holds: String,
}

/// A peer or an engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Peer {
    /// Its name.
    pub name: String,
    /// `used`, `missing` or `not needed`.
    pub state: String,
    /// What it is good for, or the package that brings it.
    pub note: String,
}

/// Something that was not run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NotRun {
    /// What.
    pub what: String,
    /// Why, and what would make it run.
    pub reason: String,
}

impl Report {
    /// All counts added up: agree, disagree, poisoned, skipped.
    pub fn totals(&self) -> Tally {
        let mut total = Tally::default();
        for tally in &self.tallies {
            total.agree = total.agree.saturating_add(tally.agree);
            total.disagree = total.disagree.saturating_add(tally.disagree);
            total.poisoned = total.poisoned.saturating_add(tally.poisoned);
            total.skipped = total.skipped.saturating_add(tally.skipped);
        }
        total
    }

    /// Cases that were judged.
    pub fn judged(&self) -> u64 {
        let total = self.totals();
        total
            .agree
            .saturating_add(total.disagree)
            .saturating_add(total.poisoned)
    }
}
