//! Programs that run: on the reference interpreter as microcode, on an engine as a translation.
//!
//! - [`shader`] is a program with its surroundings; [`shaders`] and [`expected`] find them in files, [`single`] builds one
//!   around an instruction, [`flow`] generates them; [`vectors`] makes inputs.
//! - [`trial`] runs both sides; [`bind`] maps the microcode's inputs to the translation's, [`compare`] its outputs,
//!   [`unexported`] looks for more of them; [`contract`] is the interface of a program that only others translate.
//! - [`instrument`] puts probes into a translation, which [`probed`] runs; [`divergence`] finds the first group that
//!   differs, [`mod@slice`] cuts it out. [`open`] looks for such groups where exports agree only within what is open.
//! - [`source`] is a third opinion: the sources that microcode was compiled from.
//! - [`setup`] is what a run of checks works on, [`seen`] what it saw.

pub mod bind;
pub mod compare;
pub mod contract;
pub mod divergence;
pub mod expected;
pub mod flow;
pub mod instrument;
pub mod open;
pub mod other_trace;
#[cfg(test)]
mod planted;
pub mod probed;
pub mod seen;
pub mod setup;
pub mod shader;
pub mod shaders;
pub mod single;
pub mod slice;
pub mod source;
pub mod trial;
pub mod unexported;
pub mod vectors;
