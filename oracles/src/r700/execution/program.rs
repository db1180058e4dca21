//! From the oracle's record of a program to the form that is run.

mod control;
mod fetches;
mod fields;
mod groups;
mod merges;
mod reads;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use corpora::{Outcome, Status, Vocabulary};
use thiserror::Error;

pub use reads::Reads;

use super::code::{Code, Register, Select, Unsupported};
use crate::r700::{Chip, Core, Oracle, program};
use fields::{Fields, Slot};

/// Why a program cannot be prepared.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// The oracle does not accept it.
    #[error("the program is not decodable: {status}")]
    Rejected {
        /// What the oracle says.
        status: String,
    },
    /// The vocabulary lacks a field of the contract, as one of altered tables can.
    #[error("the vocabulary has no field {path:?}")]
    Vocabulary {
        /// The field.
        path: String,
    },
}

/// A program that can be run: decoded once, run many times.
#[derive(Clone, Debug)]
pub struct Program {
    decoder: Decoder,
    chip: Chip,
    pub(super) code: Code,
}

impl Program {
    /// Decodes a program with the rows of an oracle, whatever unit the oracle is set to.
    pub fn new(oracle: &Oracle, bytes: &[u8], chip: Chip) -> Result<Self, ProgramError> {
        let decoder = Decoder {
            core: oracle.core(chip).clone(),
            vocabulary: oracle.vocabulary().clone(),
        };
        let code = decoder.code(bytes)?;
        Ok(Self {
            decoder,
            chip,
            code,
        })
    }

    /// The chip that it is encoded for.
    pub fn chip(&self) -> Chip {
        self.chip
    }

    /// What has no meaning here. A run that reaches one of these ends with an error; one that does not is unaffected.
    pub fn unsupported(&self) -> &[Unsupported] {
        &self.code.unsupported
    }

    /// The names of all ALU operations and fetches of the program, each once.
    pub fn operations(&self) -> BTreeSet<&str> {
        let alu = self.code.alu.iter().flat_map(|clause| &clause.groups);
        let alu = alu.flat_map(|group| &group.instructions);
        let fetches = self.code.fetches.iter().flat_map(|clause| &clause.fetches);
        alu.map(|instruction| &*instruction.name)
            .chain(fetches.map(|fetch| &*fetch.name))
            .collect()
    }

    /// A program that this one calls, decoded alike.
    pub(super) fn fetch_shader(&self, bytes: &[u8]) -> Result<Code, ProgramError> {
        self.decoder.code(bytes)
    }
}

/// The rows that decode a program, shared with the oracle that they are from.
#[derive(Clone, Debug)]
struct Decoder {
    core: Arc<Core>,
    vocabulary: Arc<Vocabulary>,
}

impl Decoder {
    fn code(&self, bytes: &[u8]) -> Result<Code, ProgramError> {
        let mut outcome = Outcome::default();
        program::answer(&self.core, bytes, &mut outcome);
        if !matches!(outcome.status, Status::Accepted { .. }) {
            let status = outcome.status.to_string();
            return Err(ProgramError::Rejected { status });
        }
        let fields = Fields {
            record: &outcome.record,
            vocabulary: &self.vocabulary,
        };
        Builder::default().build(fields)
    }
}

/// Code under construction.
#[derive(Default)]
struct Builder {
    code: Code,
    /// Index of the clause that starts at a slot: of ALU groups, of fetches.
    alu: BTreeMap<u32, usize>,
    fetches: BTreeMap<u32, usize>,
}

impl Builder {
    fn build(mut self, fields: Fields<'_>) -> Result<Code, ProgramError> {
        // A clause's slots are in one piece, so that a new clause begins where the clause field changes.
        let mut clause = None;
        let mut clauses: Vec<(&str, Vec<Slot<'_>>)> = Vec::new();
        for slot in fields.slots() {
            let kind = slot.name("kind")?;
            if kind == "cf" {
                continue;
            }
            let by = Some(slot.number("clause")?);
            if clause != by {
                clauses.push((kind, Vec::new()));
                clause = by;
            }
            if let Some((_, slots)) = clauses.last_mut() {
                slots.push(slot);
            }
        }
        for (kind, slots) in &clauses {
            let start = slots.first().map_or(0, |slot| slot.number);
            match *kind {
                "alu" => self.alu_clause(start, slots)?,
                _ => self.fetch_clause(start, slots)?,
            }
        }
        for slot in fields.slots() {
            if slot.name("kind")? == "cf" {
                let control = self.control(&slot)?;
                self.code.control.push(control);
            }
        }
        self.code.merged = merges::merged(&self.code);
        Ok(self.code)
    }

    /// Notes something that a run may not reach.
    fn unsupported(&mut self, slot: u32, what: String) -> usize {
        self.code.unsupported.push(Unsupported { slot, what });
        self.code.unsupported.len() - 1
    }

    /// Notes that a register is named.
    fn uses(&mut self, register: u8, relative: bool) {
        self.code.registers |= 1_u128.checked_shl(register.into()).unwrap_or_default();
        self.code.relative |= relative;
    }

    fn uses_register(&mut self, register: Register) {
        self.uses(register.register, register.relative);
    }
}

/// The select of one component; none for a reserved one.
fn select(slot: &Slot<'_>, path: &str) -> Result<Option<Select>, ProgramError> {
    Ok(match slot.name(path)? {
        "X" => Some(Select::Channel(0)),
        "Y" => Some(Select::Channel(1)),
        "Z" => Some(Select::Channel(2)),
        "W" => Some(Select::Channel(3)),
        "0" => Some(Select::Zero),
        "1" => Some(Select::One),
        "MASK" => Some(Select::Mask),
        _ => None,
    })
}

/// The selects `.x` to `.w` of a path; none if one of them is reserved.
fn selects(slot: &Slot<'_>, path: &str) -> Result<Option<[Select; 4]>, ProgramError> {
    let mut selects = [Select::Mask; 4];
    for (to, component) in selects.iter_mut().zip(["x", "y", "z", "w"]) {
        match select(slot, &format!("{path}.{component}"))? {
            Some(select) => *to = select,
            None => return Ok(None),
        }
    }
    Ok(Some(selects))
}

/// The channel that a symbol names.
fn channel(slot: &Slot<'_>, path: &str) -> Result<usize, ProgramError> {
    let name = slot.name(path)?;
    let at = ["X", "Y", "Z", "W"].iter().position(|one| *one == name);
    Ok(at.unwrap_or_default())
}
