//! Branches, calls and kills.

use super::{Constants, Entry, Fault, Flow, Next, Place};
use crate::r700::execution::code::{Branch, BranchOp, Scope};

/// The depth of calls that the hardware can keep (R6 p. 37).
const CALL_DEPTH: u32 = 32;

impl Flow {
    /// Runs a branching instruction that stands at `here`.
    pub(in crate::r700::execution) fn branch(
        &mut self,
        branch: &Branch,
        scope: Scope,
        constants: Constants<'_>,
        here: Place,
    ) -> Result<Next, Fault> {
        let pass = |flow: &Self| flow.test(scope, branch.condition, branch.constant, constants);
        match branch.op {
            BranchOp::Push => self.push_or_jump(branch, pass(self), branch.pops),
            BranchOp::PopPush => {
                self.pop(branch.pops)?;
                self.push_or_jump(branch, pass(self), 0)
            }
            BranchOp::PushElse => self.push_always(branch, pass(self)),
            BranchOp::PopPushElse => {
                self.pop(branch.pops)?;
                self.push_always(branch, pass(self))
            }
            BranchOp::Pop => {
                self.pop(branch.pops)?;
                self.keep(pass(self));
                Ok(Next::On)
            }
            BranchOp::Jump => self.jump(branch, scope, pass(self), branch.pops),
            BranchOp::PopJump => {
                self.pop(branch.pops)?;
                self.jump(branch, scope, pass(self), 0)
            }
            BranchOp::Else => {
                self.invert()?;
                self.keep(pass(self));
                if self.states.active != 0 {
                    return Ok(Next::On);
                }
                self.leave(branch, scope, branch.pops)
            }
            BranchOp::Call | BranchOp::CallFetchShader => {
                self.pop(branch.pops)?;
                self.call(branch, pass(self), here)
            }
            BranchOp::Return => self.return_from_call(pass(self)),
            BranchOp::Kill => {
                self.valid &= !pass(self);
                Ok(Next::On)
            }
            BranchOp::LoopStart
            | BranchOp::LoopStartDx10
            | BranchOp::LoopStartNoAl
            | BranchOp::LoopEnd
            | BranchOp::LoopContinue
            | BranchOp::LoopBreak => self.run_loop(branch, pass(self), constants, scope),
        }
    }

    /// PUSH of the current states.
    pub(in crate::r700::execution) fn push(&mut self) -> Result<(), Fault> {
        self.push_entry(Entry::Branch(self.states))
    }

    /// POPs. Lanes that continued or broke out since the PUSH stay away.
    pub(in crate::r700::execution) fn pop(&mut self, count: u32) -> Result<(), Fault> {
        for _ in 0..count {
            match self.stack.last() {
                Some(Entry::Branch(states)) => {
                    self.states.active = states.active & !self.states.away();
                    self.stack.pop();
                }
                other => {
                    return Err(Fault::Pop {
                        found: describe(other),
                    });
                }
            }
        }
        Ok(())
    }

    /// ELSE without its jump: of the lanes that were active at the PUSH, those that were not become active.
    pub(in crate::r700::execution) fn invert(&mut self) -> Result<(), Fault> {
        match self.stack.last() {
            Some(Entry::Branch(states)) => {
                self.states.active = states.active & !self.states.active & !self.states.away();
                Ok(())
            }
            other => Err(Fault::Else {
                found: describe(other),
            }),
        }
    }

    /// Active lanes that fail a test become inactive-branch.
    pub(in crate::r700::execution) fn keep(&mut self, pass: u64) {
        self.states.active &= pass;
    }

    /// PUSH: the instruction jumps and pushes nothing if no lane passes.
    fn push_or_jump(&mut self, branch: &Branch, pass: u64, pops: u32) -> Result<Next, Fault> {
        if pass == 0 {
            self.pop(pops)?;
            return Ok(Next::Jump(branch.target));
        }
        self.push()?;
        // In whole quad mode the lanes that pass may be more than the active ones; the POP takes them back.
        self.states.active = pass & !self.states.away();
        Ok(Next::On)
    }

    /// PUSH_ELSE: it pushes whatever the test says, because the ELSE that it may jump to needs the entry.
    fn push_always(&mut self, branch: &Branch, pass: u64) -> Result<Next, Fault> {
        self.push()?;
        self.states.active = pass & !self.states.away();
        Ok(if pass == 0 {
            Next::Jump(branch.target)
        } else {
            Next::On
        })
    }

    fn jump(&mut self, branch: &Branch, scope: Scope, pass: u64, pops: u32) -> Result<Next, Fault> {
        if pass != 0 {
            self.keep(pass);
            return Ok(Next::On);
        }
        self.leave(branch, scope, pops)
    }

    /// The jump of an instruction that pops when it jumps.
    fn leave(&mut self, branch: &Branch, scope: Scope, pops: u32) -> Result<Next, Fault> {
        self.pop(pops)?;
        // Invalid pixels go off after the POP (R6 p. 29): this is how a kill inside of a branch is made to last.
        if scope.valid && pops > 0 {
            self.keep(self.valid);
        }
        Ok(Next::Jump(branch.target))
    }

    /// CALL. One that would go too deep is skipped.
    fn call(&mut self, branch: &Branch, pass: u64, here: Place) -> Result<Next, Fault> {
        let depth = self.depth + branch.calls;
        if pass == 0 || depth > CALL_DEPTH {
            return Ok(Next::On);
        }
        self.push_entry(Entry::Call {
            to: Place {
                slot: here.slot + 1,
                ..here
            },
            depth: self.depth,
            waiting: self.states.active & !pass,
        })?;
        self.depth = depth;
        self.keep(pass);
        Ok(match branch.op {
            BranchOp::CallFetchShader => Next::FetchShader,
            _ => Next::Jump(branch.target),
        })
    }

    /// RETURN, if all active lanes pass.
    fn return_from_call(&mut self, pass: u64) -> Result<Next, Fault> {
        if self.states.active & !pass != 0 {
            return Ok(Next::On);
        }
        match self.stack.last() {
            Some(&Entry::Call { to, depth, waiting }) => {
                self.stack.pop();
                self.depth = depth;
                self.states.active |= waiting & !self.states.away();
                Ok(Next::Return(to))
            }
            other => Err(Fault::Return {
                found: describe(other),
            }),
        }
    }
}

/// What is on top of the stack, for messages.
pub(super) fn describe(entry: Option<&Entry>) -> &'static str {
    match entry {
        None => "is empty",
        Some(Entry::Branch(_)) => "has a PUSH on top",
        Some(Entry::Loop(_)) => "has a loop on top",
        Some(Entry::Call { .. }) => "has a call on top",
    }
}
