//! What was executed, and what was not.

use std::collections::BTreeMap;

use oracles::r700::execution::{ControlRecord, FetchRecord, GroupRecord, Observer};
use r700::Chip;
use r700::alu::ALU_OPS;
use r700::cf::{CF_ALU_OPS, CF_OPS};
use r700::fetch::TexOp;

use crate::report::model::{Execution, OpcodeRuns, Refused};

/// How many lanes ran an opcode, by name.
pub type Runs = BTreeMap<String, u64>;

/// Counts over runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// ALU opcodes.
    pub alu: Runs,
    /// Opcodes of control flow.
    pub cf: Runs,
    /// Fetch opcodes.
    pub fetch: Runs,
    /// Shaders that were not translated, by reason.
    pub refused: BTreeMap<String, Vec<String>>,
    /// Shaders that were translated, by part of the run.
    pub translated: BTreeMap<String, u64>,
    /// Doubts that words needed to agree, or that left them open.
    pub doubts: BTreeMap<String, u64>,
}

fn count(runs: &mut Runs, name: &str, lanes: u64) {
    let lanes = u64::from(lanes.count_ones());
    // A name is copied once, not at every step of a run.
    match runs.get_mut(name) {
        Some(known) => *known += lanes,
        None => {
            runs.insert(name.to_owned(), lanes);
        }
    }
}

fn add(own: &mut BTreeMap<String, u64>, other: BTreeMap<String, u64>) {
    for (name, count) in other {
        *own.entry(name).or_default() += count;
    }
}

impl Seen {
    /// Takes in another.
    pub fn join(&mut self, other: Self) {
        add(&mut self.alu, other.alu);
        add(&mut self.cf, other.cf);
        add(&mut self.fetch, other.fetch);
        add(&mut self.doubts, other.doubts);
        for (reason, origins) in other.refused {
            let own = self.refused.entry(reason).or_default();
            own.extend(origins);
            own.sort();
            own.dedup();
        }
        add(&mut self.translated, other.translated);
    }
}

impl Observer for Seen {
    fn group(&mut self, record: &GroupRecord<'_>) {
        for operation in record.operations() {
            count(&mut self.alu, operation.name(), operation.executed());
        }
    }

    fn fetch(&mut self, record: &FetchRecord<'_>) {
        count(&mut self.fetch, record.name, record.origin.active);
    }

    fn cf(&mut self, record: &ControlRecord<'_>) {
        count(&mut self.cf, record.op, record.origin.active);
    }
}

impl Seen {
    /// What of it a report shows: opcodes that could have run stand there with 0. None if nothing was executed.
    pub fn report(self, target: &str) -> Option<Execution> {
        if self == Self::default() {
            return None;
        }
        let mut opcodes = Vec::new();
        let classes = [
            ("alu", self.alu, alu_names()),
            ("cf", self.cf, cf_names()),
            ("fetch", self.fetch, fetch_names()),
        ];
        for (class, mut runs, names) in classes {
            for name in names {
                runs.entry(name.to_owned()).or_default();
            }
            opcodes.extend(runs.into_iter().map(|(name, lanes)| OpcodeRuns {
                class: class.to_owned(),
                name,
                lanes,
            }));
        }
        let refused = self.refused.into_iter();
        Some(Execution {
            target: target.to_owned(),
            translated: self.translated,
            refused: refused
                .map(|(reason, programs)| Refused { reason, programs })
                .collect(),
            opcodes,
            doubts: self.doubts,
        })
    }
}

fn alu_names() -> Vec<&'static str> {
    ALU_OPS.iter().filter_map(|info| info.name).collect()
}

fn cf_names() -> Vec<&'static str> {
    let plain = CF_OPS.iter().filter_map(|info| info.name);
    plain.chain(CF_ALU_OPS.iter().copied().flatten()).collect()
}

fn fetch_names() -> Vec<&'static str> {
    let texture = (0..32).filter_map(|code| TexOp::from_code(code).name(Chip::R700));
    texture.chain(["FETCH", "SEMANTIC"]).collect()
}
