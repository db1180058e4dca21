//! Loops.

use corpora::execution::LoopConstant;

use super::branches::describe;
use super::{Constants, Entry, Fault, Flow, Loop, Next};
use crate::r700::execution::code::{Branch, BranchOp, Scope};

/// Bits of the loop index (R6 p. 14).
const INDEX_BITS: u32 = 13;

/// The parts of a loop constant: count, start, step.
fn parts(LoopConstant(word): LoopConstant) -> (u32, i32, i32) {
    let count = word & 0xfff;
    let start = (word >> 12 & 0xfff) as i32;
    let step = i32::from((word >> 24) as u8 as i8);
    (count, start, step)
}

/// A loop index as the hardware can hold it.
fn wrapped(index: i32) -> i32 {
    let unused = 32 - INDEX_BITS;
    index << unused >> unused
}

impl Flow {
    pub(super) fn run_loop(
        &mut self,
        branch: &Branch,
        pass: u64,
        constants: Constants<'_>,
        scope: Scope,
    ) -> Result<Next, Fault> {
        let (count, start, step) = parts(constants.loops[branch.constant & 31]);
        match branch.op {
            BranchOp::LoopStart => {
                self.enter_loop(branch, pass, Some(count), Some((wrapped(start), step)))
            }
            BranchOp::LoopStartNoAl => self.enter_loop(branch, pass, Some(count), None),
            BranchOp::LoopStartDx10 => self.enter_loop(branch, pass, None, None),
            BranchOp::LoopEnd => {
                self.wake_continued()?;
                // The test counts the lanes that have just been woken.
                let pass = self.test(scope, branch.condition, branch.constant, constants);
                self.end_iteration(branch, pass)
            }
            BranchOp::LoopBreak => {
                self.innermost()?;
                self.break_out(pass);
                self.rest_of_iteration(branch)
            }
            _ => {
                self.innermost()?;
                self.continue_loop(pass);
                self.rest_of_iteration(branch)
            }
        }
    }

    /// Active lanes of these break out of the innermost loop.
    fn break_out(&mut self, lanes: u64) {
        self.states.broken |= self.states.active & lanes;
        self.states.active &= !lanes;
    }

    /// Active lanes of these wait for its next iteration.
    fn continue_loop(&mut self, lanes: u64) {
        self.states.continued |= self.states.active & lanes;
        self.states.active &= !lanes;
    }

    /// ALU_BREAK and ALU_CONTINUE after their clause: PUSH, clause, ELSE, break or continue, POP. So of the lanes that were
    /// active before it those go away that failed it, and those that passed go on.
    pub(in crate::r700::execution) fn leave_after_clause(
        &mut self,
        before: u64,
        breaks: bool,
    ) -> Result<(), Fault> {
        self.innermost()?;
        let failed = before & !self.states.active;
        self.states.active = before;
        if breaks {
            self.break_out(failed);
        } else {
            self.continue_loop(failed);
        }
        Ok(())
    }

    /// LOOP_START*: `count` iterations; `index` is the loop index's start and step.
    fn enter_loop(
        &mut self,
        branch: &Branch,
        pass: u64,
        count: Option<u32>,
        index: Option<(i32, i32)>,
    ) -> Result<Next, Fault> {
        if pass == 0 || count == Some(0) {
            self.pop(branch.pops)?;
            return Ok(Next::Jump(branch.target));
        }
        let entered = pass & !self.states.away();
        self.push_entry(Entry::Loop(Loop {
            before: self.states,
            entered,
            remaining: count,
            step: index.map(|(_, step)| step),
            outer_index: self.loop_index,
        }))?;
        self.states.broken |= self.states.active & !pass;
        self.states.active = entered;
        if let Some((start, _)) = index {
            self.loop_index = Some(start);
        }
        Ok(Next::On)
    }

    /// The lanes of the loop on top that continued are active again.
    fn wake_continued(&mut self) -> Result<(), Fault> {
        match self.stack.last() {
            Some(Entry::Loop(top)) => {
                let woken = self.states.continued & top.entered;
                self.states.continued &= !woken;
                self.states.active |= woken;
                Ok(())
            }
            other => Err(Fault::LoopEnd {
                found: describe(other),
            }),
        }
    }

    /// LOOP_END with its lanes awake: back to the start, or out.
    fn end_iteration(&mut self, branch: &Branch, pass: u64) -> Result<Next, Fault> {
        let Some(Entry::Loop(top)) = self.stack.last_mut() else {
            return Ok(Next::On);
        };
        let over = match &mut top.remaining {
            Some(remaining) => {
                *remaining = remaining.saturating_sub(1);
                *remaining == 0
            }
            None => false,
        };
        if over || pass == 0 {
            self.states = top.before;
            self.loop_index = top.outer_index;
            self.stack.pop();
            return Ok(Next::On);
        }
        if let Some(step) = top.step {
            self.loop_index = self.loop_index.map(|index| wrapped(index + step));
        }
        self.states.active &= pass;
        Ok(Next::Jump(branch.target))
    }

    /// The innermost loop, not looked for outside of the subroutine.
    fn innermost(&self) -> Result<(usize, Loop), Fault> {
        for (at, entry) in self.stack.iter().enumerate().rev() {
            match entry {
                Entry::Loop(found) => return Ok((at, *found)),
                Entry::Branch(_) => {}
                Entry::Call { .. } => break,
            }
        }
        Err(Fault::OutsideLoop)
    }

    /// After a break or continue: to the LOOP_END if no lane of the loop has anything left to do in this iteration.
    fn rest_of_iteration(&mut self, branch: &Branch) -> Result<Next, Fault> {
        let (at, innermost) = self.innermost()?;
        if innermost.entered & !self.states.away() != 0 {
            return Ok(Next::On);
        }
        self.stack.truncate(at + 1);
        Ok(Next::Jump(branch.target))
    }
}
