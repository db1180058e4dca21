//! Programs: a control-flow section, the clauses that it names, and what lies between them.

use crate::cf::{Cf, ClauseKind};
use crate::chip::Chip;
use crate::clause::{AluClause, SLOT_BYTES};
use crate::error::Error;
use crate::fetch::Fetch;
use crate::walk;

/// A decoded program. Slots are 64 bits; slot *n* is at byte 8·*n*.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    pub(crate) chip: Chip,
    pub(crate) slots: usize,
    pub(crate) cf: Vec<CfSlot>,
    pub(crate) clauses: Vec<Clause>,
    pub(crate) gaps: Vec<Gap>,
}

/// An instruction of the control-flow section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CfSlot {
    /// The slot that it stands in.
    pub slot: usize,
    /// The instruction.
    pub cf: Cf,
    /// The clause that it runs, as an index of [`Program::clauses`].
    pub clause: Option<usize>,
}

/// A clause. Several control-flow instructions can run one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// The slot of the first control-flow instruction that names it.
    pub cf_slot: usize,
    /// What it consists of, as that instruction says.
    pub kind: ClauseKind,
    /// Its first slot.
    pub start: usize,
    /// Its slots.
    pub size: usize,
    /// Its contents.
    pub body: ClauseBody,
}

/// The contents of a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClauseBody {
    /// ALU groups.
    Alu(AluClause),
    /// Fetches, two slots each.
    Fetch(Vec<FetchSlot>),
}

/// A fetch of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FetchSlot {
    /// The first of its two slots.
    pub slot: usize,
    /// The fetch.
    pub fetch: Fetch,
}

/// Slots that nothing names: padding or dead code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The first slot.
    pub start: usize,
    /// The words of the slots, as they are.
    pub words: Vec<[u32; 2]>,
}

/// Decodes a program, from little-endian bytes.
///
/// Time and memory are proportional to the input: a clause is decoded once, however many
/// instructions run it.
///
/// # Errors
///
/// The first rule that the program breaks, in the order of the walk: the length, the control-flow
/// section and the addresses in it, then clause by clause its place and its groups.
pub fn decode(bytes: &[u8], chip: Chip) -> Result<Program, Error> {
    walk::walk(bytes, chip)
}

impl Program {
    /// The chip family that the program is for.
    pub const fn chip(&self) -> Chip {
        self.chip
    }

    /// The slots of the program, decoded or not.
    pub const fn slots(&self) -> usize {
        self.slots
    }

    /// The control-flow section, in order.
    pub fn cf(&self) -> &[CfSlot] {
        &self.cf
    }

    /// The clauses, in the order in which the control flow first names them.
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    /// The slots that nothing names, in order.
    pub fn gaps(&self) -> &[Gap] {
        &self.gaps
    }

    /// The bytes of the program: for a decoded program, those that it was decoded from.
    pub fn encode(&self) -> Vec<u8> {
        let mut image = Image {
            bytes: vec![0; SLOT_BYTES * self.slots],
        };
        for CfSlot { slot, cf, .. } in &self.cf {
            image.put(*slot, cf.encode());
        }
        for clause in &self.clauses {
            match &clause.body {
                ClauseBody::Alu(alu) => {
                    for instruction in alu.instructions() {
                        image.put(instruction.slot, instruction.alu.encode());
                    }
                    for literal in alu.literals() {
                        image.put(literal.slot, literal.words);
                    }
                }
                ClauseBody::Fetch(fetches) => {
                    for FetchSlot { slot, fetch } in fetches {
                        let [word0, word1, word2, word3] = fetch.encode();
                        image.put(*slot, [word0, word1]);
                        image.put(slot + 1, [word2, word3]);
                    }
                }
            }
        }
        for gap in &self.gaps {
            for (i, words) in gap.words.iter().enumerate() {
                image.put(gap.start + i, *words);
            }
        }
        image.bytes
    }
}

/// The bytes of a program, written slot by slot.
struct Image {
    bytes: Vec<u8>,
}

impl Image {
    fn put(&mut self, slot: usize, words: [u32; 2]) {
        let place = &mut self.bytes[SLOT_BYTES * slot..][..SLOT_BYTES];
        place[..4].copy_from_slice(&words[0].to_le_bytes());
        place[4..].copy_from_slice(&words[1].to_le_bytes());
    }
}
