//! Control flow: the states of lanes, the stack, and what each branching instruction does to them.
//!
//! A lane is active, or inactive for a branch, until the end of a loop's iteration (it continued), or until the end of the
//! loop (it broke out). Inactive-branch is what none of the three masks has. Lanes that continued or broke out stay so
//! whatever branches are popped; only the end of their loop wakes them.

mod branches;
mod loops;
#[cfg(test)]
mod tests;

use super::code::{Condition, Scope};
use super::error::Fault;

/// The states of all lanes, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct States {
    pub(super) active: u64,
    pub(super) continued: u64,
    pub(super) broken: u64,
}

impl States {
    /// Lanes that wait for the end of an iteration or of a loop.
    fn away(self) -> u64 {
        self.continued | self.broken
    }
}

/// A place in a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    /// 0 the program, 1 the fetch shader.
    pub(super) code: usize,
    pub(super) slot: u32,
}

/// Where control goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// To the next slot.
    On,
    /// To a slot of the same program.
    Jump(u32),
    /// To the start of the fetch shader.
    FetchShader,
    /// Back behind a call.
    Return(Place),
}

/// An entry of the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entry {
    /// The states at a PUSH.
    Branch(States),
    Loop(Loop),
    Call {
        to: Place,
        depth: u32,
        /// Lanes that did not go along.
        waiting: u64,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Loop {
    /// The states before it.
    before: States,
    /// The lanes that went in.
    entered: u64,
    /// Iterations to come, this one included; none where no constant counts them.
    remaining: Option<u32>,
    /// What the loop index advances by, if the loop has it.
    step: Option<i32>,
    /// The loop index outside.
    outer_index: Option<i32>,
}

/// What branching instructions read of the environment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Constants<'a> {
    pub(super) booleans: u32,
    pub(super) loops: &'a [corpora::execution::LoopConstant; 32],
}

/// The state of control flow.
#[derive(Clone, Debug)]
pub(super) struct Flow {
    pub(super) states: States,
    /// Lanes that are covered and not killed.
    pub(super) valid: u64,
    /// The loop index, aL; none outside of loops that have one.
    pub(super) loop_index: Option<i32>,
    stack: Vec<Entry>,
    /// Entries that the stack has room for.
    room: usize,
    /// The depth of calls, as CALL_COUNT counts it.
    depth: u32,
    /// All lanes.
    all: u64,
}

impl Flow {
    pub(super) fn new(all: u64, valid: u64, room: usize) -> Self {
        Self {
            states: States {
                active: all,
                ..States::default()
            },
            valid,
            loop_index: None,
            stack: Vec::new(),
            room,
            depth: 0,
            all,
        }
    }

    /// Whether every push has been popped.
    pub(super) fn is_balanced(&self) -> bool {
        self.stack.is_empty()
    }

    /// The lanes that pass a condition test (R6 p. 30).
    pub(super) fn test(
        &self,
        scope: Scope,
        condition: Condition,
        constant: usize,
        constants: Constants<'_>,
    ) -> u64 {
        let boolean = constants.booleans >> (constant & 31) & 1 == 1;
        match condition {
            Condition::False => 0,
            Condition::Boolean if !boolean => 0,
            Condition::NotBoolean if boolean => 0,
            _ => self.in_scope(scope),
        }
    }

    /// The lanes that an instruction without a condition runs for.
    pub(super) fn in_scope(&self, scope: Scope) -> u64 {
        let mut lanes = self.states.active;
        if scope.whole_quad {
            lanes = whole_quads(lanes) & self.all;
        }
        if scope.valid {
            lanes &= self.valid;
        }
        lanes
    }

    fn push_entry(&mut self, entry: Entry) -> Result<(), Fault> {
        if self.stack.len() >= self.room {
            return Err(Fault::StackOverflow { room: self.room });
        }
        self.stack.push(entry);
        Ok(())
    }
}

/// The quads of these lanes.
pub(super) fn whole_quads(lanes: u64) -> u64 {
    const FIRST: u64 = 0x1111_1111_1111_1111;
    let any = (lanes | lanes >> 1 | lanes >> 2 | lanes >> 3) & FIRST;
    any * 0xf
}
