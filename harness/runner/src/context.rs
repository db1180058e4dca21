//! Everything a run reads before it begins: settings, targets, cases, corpus inputs.

use corpora::{Case, Expected};

use crate::execution::setup::Setup;
use crate::finding::Kind;
use crate::plan::Mode;
use crate::target::{Input, Target};

/// What the command line asks for.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How much.
    pub mode: Mode,
    /// The seed of everything generated.
    pub seed: u64,
    /// Only these kinds; empty for all.
    pub kinds: Vec<Kind>,
    /// Only golden cases whose id contains this.
    pub case: Option<String>,
    /// Part `.0` of `.1`, from 1.
    pub shard: Option<(u64, u64)>,
}

impl Settings {
    /// Whether a kind is asked for. A filter on cases asks for cases only.
    pub fn wants_kind(&self, kind: Kind) -> bool {
        (self.kinds.is_empty() || self.kinds.contains(&kind))
            && (self.case.is_none() || matches!(kind, Kind::Golden | Kind::Execution))
    }

    /// Whether job number `at` belongs to this part.
    pub fn takes(&self, at: usize) -> bool {
        self.shard
            .is_none_or(|(part, of)| at as u64 % of == part - 1)
    }
}

/// A golden case with its expectation resolved.
#[derive(Clone, Debug)]
pub struct Golden {
    /// The case.
    pub case: Case,
    /// Its expectation, by field index.
    pub expected: Expected,
}

/// What a run works on. Lists are by target, in the order of `targets`.
pub struct Context {
    /// Settings.
    pub settings: Settings,
    /// Targets that are asked for.
    pub targets: Vec<Box<dyn Target>>,
    /// Golden cases.
    pub cases: Vec<Vec<Golden>>,
    /// Corpus inputs, those of a corpus together.
    pub inputs: Vec<Vec<Input>>,
    /// Those of them that are short enough to be mutated a hundred thousand times.
    pub short: Vec<Vec<Input>>,
    /// What execution works on.
    pub execution: Setup,
}

/// Longest input that generators mutate.
const SHORT: usize = 64 << 10;

impl Context {
    /// A context of these parts.
    pub fn new(
        settings: Settings,
        targets: Vec<Box<dyn Target>>,
        cases: Vec<Vec<Golden>>,
        inputs: Vec<Vec<Input>>,
    ) -> Self {
        let short = |inputs: &Vec<Input>| {
            let short = inputs.iter().filter(|input| input.bytes.len() <= SHORT);
            short.cloned().collect()
        };
        Self {
            short: inputs.iter().map(short).collect(),
            execution: Setup::default(),
            settings,
            targets,
            cases,
            inputs,
        }
    }
}
