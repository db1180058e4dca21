//! The `assay` program: holds decoders of GPU binaries against independent oracles and writes a report.
//!
//! - [`target`] says what the runner has to know of a format; [`targets`] are the ones there are.
//! - [`context`] is everything read before a run, [`plan`] the list of jobs, [`check`] runs one job, [`run`] all of them.
//! - [`judge`] compares two outcomes, [`finding`] puts disagreements together by cause, [`reduce`] makes their inputs
//!   small, [`present`] renders them.
//! - [`report`] is the result in all its formats, [`command`] the command line.

pub mod check;
pub mod command;
pub mod context;
pub mod coverage;
pub mod engine;
pub mod engines;
pub mod execution;
pub mod finding;
pub mod fuzz;
pub mod guard;
pub mod inputs;
pub mod judge;
pub mod load;
pub mod manual_text;
pub mod peers;
pub mod plan;
pub mod present;
pub mod reduce;
pub mod report;
pub mod run;
pub mod substitute;
pub mod target;
pub mod targets;
