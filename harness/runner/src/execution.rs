//! Programs that run: on the reference interpreter as microcode, on an engine as a translation.
//!
//! - [`shader`] is a program with its surroundings; [`shaders`] and [`expected`] find them in files, [`single`] builds one
//!   around an instruction, [`flow`] generates them; [`vectors`] makes inputs.
//! - [`trial`] runs both sides; [`bind`] maps the microcode's inputs to the translation's, [`compare`] its outputs.
//! - [`instrument`] puts probes into a translation, [`divergence`] finds the first group that differs, [`mod@slice`] cuts it
//!   out.
//! - [`source`] is a third opinion: the sources that microcode was compiled from.
//! - [`setup`] is what a run of checks works on, [`seen`] what it saw.

pub mod bind;
pub mod compare;
pub mod divergence;
pub mod expected;
pub mod flow;
pub mod instrument;
pub mod other_trace;
pub mod seen;
pub mod setup;
pub mod shader;
pub mod shaders;
pub mod single;
pub mod slice;
pub mod source;
pub mod trial;
pub mod vectors;
