//! Cases and outcomes: what every part of Assay says to every other part.
//!
//! - A [`Vocabulary`] is the public list of a target's field paths, each with its kind, bits, source and evidence.
//! - A [`Record`] holds fields as indices into a vocabulary, in one flat reusable buffer. Nothing is rendered, and
//!   nothing allocated once the buffer has grown, until two records disagree.
//! - An [`Outcome`] is what a decoder or an oracle says of an input: accepted (with a record), rejected, unsupported.
//! - A [`Case`] is an input, options, an expectation and how it is known; [`load`] reads them from TOML files.
//! - [`execution`] is what a run of a shader reads and writes: the microcode's environment, a translation's launch.
//! - [`generate`] makes inputs from a seed.
//!
//! This crate knows no decoder and no oracle.

mod case;
pub mod evidence;
pub mod execution;
pub mod generate;
pub mod hex;
mod implementation;
pub mod load;
mod options;
mod outcome;
mod record;
mod value;
mod vocabulary;

pub use case::{Case, Expectation, ExpectationError, Expected, Unmet};
pub use evidence::Evidence;
pub use implementation::{Implementation, OptionError};
pub use options::Options;
pub use outcome::{Outcome, RejectClass, Status};
pub use record::{Entry, Record, Section};
pub use value::{Kind, Value};
pub use vocabulary::{Bits, Field, FieldId, SymbolId, Vocabulary, VocabularyError};
