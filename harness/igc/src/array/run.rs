//! Running: a stream, and one instruction.

use super::refusal::refusal;
use super::tree::Tree;
use super::{Array, Unsupported};
use crate::stream::{count, instructions};
use crate::{Error, Instruction, Op, Operand};

/// Where execution ended early. What was executed before stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("word {word}: {op}: {why}")]
pub struct Stop {
    /// The index of the instruction's first word in the stream.
    pub word: usize,
    /// Its name.
    pub op: Op,
    /// Why it was not executed.
    pub why: Unsupported,
}

/// Why a stream did not run to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The stream breaks an acceptance rule. Nothing was executed.
    #[error(transparent)]
    Rejected(#[from] Error),
    /// An instruction is not supported. Those before it were executed.
    #[error(transparent)]
    Unsupported(#[from] Stop),
}

impl Array {
    /// Executes a stream, which is judged whole first. Returns how many instructions it has.
    pub fn run(&mut self, bytes: &[u8]) -> Result<usize, RunError> {
        let (all, _) = count(bytes)?;
        for placed in instructions(bytes)? {
            let placed = placed?;
            self.step(&placed.instruction).map_err(|why| Stop {
                word: placed.at / 4,
                op: placed.instruction.op(),
                why,
            })?;
        }
        Ok(all)
    }

    /// Executes one instruction, or changes nothing.
    pub fn step(&mut self, instruction: &Instruction) -> Result<(), Unsupported> {
        if let Some(why) = refusal(instruction, self.tree.is_some()) {
            return Err(why);
        }
        let addr = instruction.word().addr();
        let len = instruction.len().unwrap_or(0);
        if let Operand::Coefficients(abc) = instruction.operand() {
            self.tree = Some(Tree::new(abc));
        }
        match (instruction.op(), instruction.operand(), self.tree) {
            (Op::SetEnabs, ..) => self.enable.copy_from_slice(&self.pixels),
            (Op::ClrEnabs, ..) => self.enable.fill(0),
            (Op::MemIntoEnab, ..) => self.enable_from(addr, |_, memory| memory),
            (Op::MemBarIntoEnab, ..) => self.enable_from(addr, |_, memory| !memory),
            (Op::EnabAndEqMem, ..) => self.enable_from(addr, |enable, memory| enable & memory),
            (Op::EnabAndEqMemBar, ..) => self.enable_from(addr, |enable, memory| enable & !memory),
            (Op::EnabXorEqMem, ..) => self.enable_from(addr, |enable, memory| enable ^ memory),
            (Op::EnabIntoMem, ..) => self.memory_from(addr, |_, enable| enable),
            (Op::MemOrEqEnab, ..) => self.memory_from(addr, |memory, enable| memory | enable),
            (Op::MemAndEqEnab, ..) => self.memory_from(addr, |memory, enable| memory & enable),
            (Op::CryIntoMem, ..) => self.store_carry(addr),
            (Op::TreeLtZeroL3, _, Some(tree)) => self.enable_by_sign(tree, true),
            (Op::TreeGeZeroL3, _, Some(tree)) => self.enable_by_sign(tree, false),
            (Op::MemLtTreeL3, _, Some(tree)) => self.enable_below(tree, addr, len),
            (Op::TreeIntoMemL3 | Op::TreeIntoMemL0, _, Some(tree)) => {
                self.store_tree(tree, addr, len);
            }
            (Op::ScaIntoMemS1, Operand::Scalar(scalar), _) => self.store_scalar(addr, len, scalar),
            (Op::Cpy, Operand::Source { src, .. }, _) => self.copy(addr, src, len),
            (Op::MemPlusEqMemK, Operand::Sweep { src, len2, .. }, _) => {
                self.add((addr, len), (src, len2));
            }
            // NOOP; all others were refused.
            _ => {}
        }
        Ok(())
    }
}
