//! The walk of a program: which slots are what, and which programs are rejected.
//!
//! The rules and their order are those of the `r700` target.

use crate::cf::{Cf, ClauseKind, ClauseRef};
use crate::chip::Chip;
use crate::clause::{AluClause, SLOT_BYTES};
use crate::error::Error;
use crate::fetch::Fetch;
use crate::program::{CfSlot, Clause, ClauseBody, FetchSlot, Gap, Program};

pub(crate) fn walk(bytes: &[u8], chip: Chip) -> Result<Program, Error> {
    let slots = slots_of(bytes)?;
    let mut cf = control_flow(&slots, chip)?;

    let mut owners = Owners {
        of: vec![Owner::Nothing; slots.len()],
    };
    owners.claim(0, cf.len(), Owner::ControlFlow);
    let mut clauses: Vec<Clause> = Vec::new();
    for instruction in &mut cf {
        let Some(named) = instruction.cf.clause() else {
            continue;
        };
        let start = named.addr as usize;
        if let Owner::Clause(index) = owners.of[start]
            && let clause = &clauses[index]
            && (clause.start, clause.size, clause.kind) == (start, named.size, named.kind)
        {
            instruction.clause = Some(index);
            continue;
        }
        if let Some(slot) = owners.first_owned(start, named.size) {
            let offset = SLOT_BYTES * instruction.slot;
            return Err(Error::ClauseOverlap { slot, offset });
        }
        let body = clause_body(&slots, &named, chip)?;
        owners.claim(start, named.size, Owner::Clause(clauses.len()));
        instruction.clause = Some(clauses.len());
        clauses.push(Clause {
            cf_slot: instruction.slot,
            kind: named.kind,
            start,
            size: named.size,
            body,
        });
    }

    let gaps = owners.gaps(&slots);
    Ok(Program {
        chip,
        slots: slots.len(),
        cf,
        clauses,
        gaps,
    })
}

fn slots_of(bytes: &[u8]) -> Result<Vec<[u32; 2]>, Error> {
    let (slots, rest) = bytes.as_chunks::<SLOT_BYTES>();
    if !rest.is_empty() {
        return Err(Error::BadLength {
            length: bytes.len(),
            offset: SLOT_BYTES * slots.len(),
        });
    }
    if slots.is_empty() {
        return Err(Error::Empty);
    }
    let words = |[a, b, c, d, e, f, g, h]: [u8; SLOT_BYTES]| {
        [
            u32::from_le_bytes([a, b, c, d]),
            u32::from_le_bytes([e, f, g, h]),
        ]
    };
    Ok(slots.iter().map(|slot| words(*slot)).collect())
}

/// Decodes the control-flow section: from slot 0 to an end of program that no jump seen so far leads
/// beyond, or to the lowest clause seen so far.
fn control_flow(slots: &[[u32; 2]], chip: Chip) -> Result<Vec<CfSlot>, Error> {
    let mut section = Vec::new();
    let mut reach = 0;
    let mut wall = slots.len();
    for (slot, words) in slots.iter().enumerate() {
        if slot >= wall {
            return Ok(section);
        }
        let offset = SLOT_BYTES * slot;
        let cf = Cf::decode(*words, chip);
        if let Some(addr) = cf.jump_target() {
            reach = reach.max(jump_target(addr, slots.len(), offset)?);
        }
        if let Some(clause) = cf.clause() {
            wall = wall.min(clause_start(&clause, slots.len(), offset)?);
        }
        section.push(CfSlot {
            slot,
            cf,
            clause: None,
        });
        let ends = cf.is_return() || cf.end_of_program() == Some(true);
        if ends && reach <= slot {
            return Ok(section);
        }
    }
    if wall < slots.len() {
        // The instruction in the last slot named a clause.
        return Ok(section);
    }
    Err(Error::EndlessControlFlow {
        offset: SLOT_BYTES * slots.len(),
    })
}

fn jump_target(addr: u32, slots: usize, offset: usize) -> Result<usize, Error> {
    match usize::try_from(addr) {
        Ok(target) if target < slots => Ok(target),
        _ => Err(Error::JumpOutOfRange {
            addr,
            slots,
            offset,
        }),
    }
}

fn clause_start(clause: &ClauseRef, slots: usize, offset: usize) -> Result<usize, Error> {
    let ClauseRef { kind, addr, size } = *clause;
    if matches!(kind, ClauseKind::Fetch(_)) && addr % 2 != 0 {
        return Err(Error::MisalignedFetch { addr, offset });
    }
    match usize::try_from(addr) {
        Ok(start) if start < slots && size <= slots - start => Ok(start),
        _ => Err(Error::ClauseOutOfRange {
            addr,
            size,
            slots,
            offset,
        }),
    }
}

/// Decodes a clause that lies in the program.
fn clause_body(slots: &[[u32; 2]], clause: &ClauseRef, chip: Chip) -> Result<ClauseBody, Error> {
    let start = clause.addr as usize;
    let slots = &slots[start..][..clause.size];
    match clause.kind {
        ClauseKind::Alu => AluClause::decode(slots, start, chip).map(ClauseBody::Alu),
        ClauseKind::Fetch(op) => {
            let (pairs, _) = slots.as_chunks::<2>();
            let fetches = pairs.iter().enumerate().map(|(i, [low, high])| FetchSlot {
                slot: start + 2 * i,
                fetch: Fetch::decode([low[0], low[1], high[0], high[1]], op, chip),
            });
            Ok(ClauseBody::Fetch(fetches.collect()))
        }
    }
}

/// What a slot belongs to.
#[derive(Clone, Copy)]
enum Owner {
    Nothing,
    ControlFlow,
    Clause(usize),
}

/// The owner of every slot. A clause is claimed once and looked at once more for each instruction
/// that names it, so the work is proportional to the program.
struct Owners {
    of: Vec<Owner>,
}

impl Owners {
    fn claim(&mut self, start: usize, size: usize, owner: Owner) {
        self.of[start..][..size].fill(owner);
    }

    fn first_owned(&self, start: usize, size: usize) -> Option<usize> {
        let owned = |owner: &Owner| !matches!(owner, Owner::Nothing);
        Some(start + self.of[start..][..size].iter().position(owned)?)
    }

    /// The runs of slots without an owner.
    fn gaps(&self, slots: &[[u32; 2]]) -> Vec<Gap> {
        let mut gaps: Vec<Gap> = Vec::new();
        let mut open = false;
        for (slot, (owner, words)) in self.of.iter().zip(slots).enumerate() {
            let free = matches!(owner, Owner::Nothing);
            match gaps.last_mut() {
                Some(gap) if free && open => gap.words.push(*words),
                _ if free => gaps.push(Gap {
                    start: slot,
                    words: vec![*words],
                }),
                _ => {}
            }
            open = free;
        }
        gaps
    }
}
