//! Oracles: second implementations, written from the published specifications alone, slow and obvious.
//!
//! An oracle is driven by tables: a bit field is a row, an opcode is a row, a structure member is a row, and the code
//! that reads them is the same few lines for all. The tables are in `oracles/spec`, each row with its source, and
//! [`table`] reads them. An oracle can be made from altered tables, which is how the suite proves that it would notice.
//!
//! This crate knows the cases and outcomes of `corpora` and no decoder.

pub mod errata;
pub mod gfd;
pub mod igc;
pub mod pica;
pub mod r700;
pub mod spirv;
pub mod table;
