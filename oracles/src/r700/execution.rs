//! Running microcode: the reference interpreter.
//!
//! What a program does, by `docs/targets/r700-execution.md`. The program is decoded by the oracle itself; nothing here reads
//! a bit of a word.
//!
//! - [`Program`] is a program made ready; [`run`] runs it for the lanes of a `corpora::execution::Environment`.
//! - [`Observer`] is shown each group, fetch, export and control-flow instruction; [`TraceWriter`] is one that writes them.
//! - [`value`]: words, and what of them no source settles.
//! - [`operation`]: what the ALU's instructions compute; [`policy`]: how far an approximation may be off.
//! - [`fetch`]: what vertex and texture fetches deliver.
//!
//! Inside, `program` turns the oracle's record into `code`, and `machine` goes through it: `flow` has the states of lanes
//! and the stack, `groups` (with `operands`, `constants`, `exclusive`, `clause`) the ALU, `fetches` and `exports` the rest;
//! `ahead` is what a lane that is lost may still do.

mod ahead;
mod clause;
mod code;
mod constants;
mod error;
mod exclusive;
mod exports;
pub mod fetch;
mod fetches;
mod flow;
mod groups;
mod lanes;
mod machine;
mod observer;
mod operands;
pub mod operation;
pub mod policy;
mod program;
mod registers;
#[cfg(test)]
mod tests;
mod trace;
pub mod value;

pub use code::Unsupported;
pub use error::{Fault, Limits, RunError};
pub use exports::{LaneOutcome, Outcome, Target};
pub use machine::run;
pub use observer::{
    AluUnit, ControlRecord, ExportRecord, FetchRecord, GroupRecord, Observer, OperationRecord,
    Origin, Write,
};
pub use program::{Program, ProgramError, Reads};
pub use trace::TraceWriter;
