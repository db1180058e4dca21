//! Why a program is not translated.

use crate::alu::AluOp;
use crate::clause::SLOT_BYTES;

/// A program that is not translated: where, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("slot {slot} (byte {offset}): {reason}")]
pub struct Refusal {
    /// The slot of the instruction.
    pub slot: usize,
    /// The byte that it starts at.
    pub offset: usize,
    /// Why.
    pub reason: Reason,
}

impl Refusal {
    pub(crate) const fn new(slot: usize, reason: Reason) -> Self {
        Self {
            slot,
            offset: SLOT_BYTES * slot,
            reason,
        }
    }
}

/// Gives a reason its place.
pub(crate) trait At<T> {
    fn at(self, slot: usize) -> Result<T, Refusal>;
}

impl<T> At<T> for Result<T, Reason> {
    fn at(self, slot: usize) -> Result<T, Refusal> {
        self.map_err(|reason| Refusal::new(slot, reason))
    }
}

/// Why an instruction has no translation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// The stage has no translation.
    #[error("{0} shaders are not translated, only vertex and pixel shaders")]
    Stage(&'static str),
    /// The registers are those of the other stage.
    #[error("the register block is not one of this stage")]
    RegisterBlock,
    /// A control-flow opcode without a translation.
    #[error("no translation of the control-flow instruction {0}")]
    ControlFlow(String),
    /// An ALU opcode without a translation.
    #[error("no translation of {0}: {1}")]
    Operation(AluOp, &'static str),
    /// A fetch without a translation.
    #[error("no translation of the fetch {0}: {1}")]
    Fetch(String, String),
    /// An export without a translation.
    #[error("no translation of the export: {0}")]
    Export(String),
    /// A vertex program that sends no component of a position: the rasterizer has nothing to go by.
    #[error("a vertex program without a position: nothing is exported to POS 60")]
    NoPosition,
    /// Jumps that are no branches and loops.
    #[error("the control flow is not structured: {0}")]
    Unstructured(String),
    /// An operand that cannot be read.
    #[error("operand {operand}: {why}")]
    Operand {
        /// The number of the operand.
        operand: usize,
        /// What is wrong with it.
        why: String,
    },
    /// A modifier on a value that it does not apply to.
    #[error("{0} on an integer {1}: what it does is not settled")]
    IntegerModifier(&'static str, &'static str),
    /// The instructions of a group do not go together.
    #[error("the group: {0}")]
    Group(&'static str),
    /// An input or output that has no place in the interface.
    #[error("{what} {number} has no location: 0 to 31 are possible")]
    Location {
        /// What it is.
        what: &'static str,
        /// Its number.
        number: u32,
    },
    /// An input without a value that the sources settle.
    #[error("R{gpr} starts with {what}, of which the value is not settled")]
    Input {
        /// The register.
        gpr: u8,
        /// What it starts with.
        what: &'static str,
    },
    /// A fetch shader that is more than fetches.
    #[error("the fetch shader: {0}")]
    FetchShader(String),
}
