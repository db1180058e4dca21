//! How much a run may do, and why one ends early.

use thiserror::Error;

use super::fetch::FetchError;
use super::program::ProgramError;

/// Bounds of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// ALU groups and fetches.
    pub groups: u64,
    /// Control-flow instructions.
    pub control: u64,
    /// Entries of the stack. The hardware's STACK_SIZE has 8 bits and an entry at most 8 sub-entries.
    pub stack: usize,
}

impl Default for Limits {
    /// A million groups and control-flow instructions, 2040 entries of the stack.
    fn default() -> Self {
        Self {
            groups: 1_000_000,
            control: 1_000_000,
            stack: 255 * 8,
        }
    }
}

/// A run that could not be finished.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("CF slot {slot}{}: {fault}", if *.fetch_shader { " of the fetch shader" } else { "" })]
pub struct RunError {
    /// The slot of the control-flow instruction.
    pub slot: u32,
    /// Whether it is one of the fetch shader.
    pub fetch_shader: bool,
    /// What happened.
    pub fault: Fault,
}

impl RunError {
    /// Whether the run was longer than its bounds allow, and nothing else was wrong with it.
    pub fn is_limit(&self) -> bool {
        matches!(self.fault, Fault::Groups { .. } | Fault::Control { .. })
    }
}

/// Why a run ends early.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Fault {
    /// The environment has no lanes, or more than a wavefront.
    #[error("{lanes} lanes, where a wavefront has 1 to 64")]
    Lanes {
        /// How many.
        lanes: usize,
    },
    /// A lane sets a register that does not exist.
    #[error("lane {lane} sets R{register}, where registers are R0 to R{last}")]
    Register {
        /// The lane.
        lane: usize,
        /// The register.
        register: u8,
        /// The last one.
        last: u8,
    },
    /// Something without a meaning here was reached.
    #[error("slot {slot}: {what} is not supported")]
    Unsupported {
        /// The slot of the instruction.
        slot: u32,
        /// What it is.
        what: String,
    },
    /// A fetch that cannot be run.
    #[error("slot {slot}: {name}: {error}")]
    Fetch {
        /// Its slot.
        slot: u32,
        /// Its name.
        name: String,
        /// Why.
        error: FetchError,
    },
    /// The groups are used up.
    #[error("more than {limit} groups and fetches")]
    Groups {
        /// How many were allowed.
        limit: u64,
    },
    /// The control-flow instructions are used up.
    #[error("more than {limit} control-flow instructions")]
    Control {
        /// How many were allowed.
        limit: u64,
    },
    /// Control goes to a slot that is no control-flow instruction.
    #[error("control goes to slot {slot}, which is not a control-flow instruction")]
    NoInstruction {
        /// The slot.
        slot: u32,
    },
    /// A push with a full stack.
    #[error("the stack has more than {room} entries")]
    StackOverflow {
        /// How many it may have.
        room: usize,
    },
    /// A POP without a PUSH.
    #[error("a POP, but the stack {found}")]
    Pop {
        /// What was found.
        found: &'static str,
    },
    /// An ELSE without a PUSH.
    #[error("an ELSE, but the stack {found}")]
    Else {
        /// What was found.
        found: &'static str,
    },
    /// A RETURN without a call.
    #[error("a RETURN, but the stack {found}")]
    Return {
        /// What was found.
        found: &'static str,
    },
    /// A LOOP_END without a loop.
    #[error("a LOOP_END, but the stack {found}")]
    LoopEnd {
        /// What was found.
        found: &'static str,
    },
    /// A break or continue without a loop.
    #[error("a break or continue outside of a loop")]
    OutsideLoop,
    /// The program ends inside of a branch, loop or call.
    #[error("the program ends, but the stack is not empty")]
    Unbalanced,
    /// The fetch shader cannot be prepared.
    #[error("fetch shader: {0}")]
    FetchShader(#[from] ProgramError),
}
