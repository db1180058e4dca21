//! What a run of a shader reads and writes, as data.
//!
//! Two sides are described, and a runner maps one to the other:
//!
//! - the *microcode's*: an [`Environment`] in the terms of the hardware (registers, constant file, constant buffers,
//!   resources), which a reference interpreter reads;
//! - the *translation's*: a [`Launch`] in the terms of SPIR-V (locations, descriptor sets), which an engine runs, and
//!   the [`Returned`] values.
//!
//! Words are bit patterns: whether one is a float or an integer is the business of the instruction that reads it.

pub mod cases;
mod environment;
pub mod inputs;
mod launch;
mod texture;

pub use environment::{Buffer, BufferFormat, Environment, Lane, LoopConstant, Outside, Stage};
pub use launch::{Invocation, LaneReturn, Launch, Returned, Slot};
pub use texture::{Compare, Dimension, Filter, Sampler, Texture, Wrap};

/// Four 32-bit words, X first: a register, a constant, a texel.
pub type Vec4 = [u32; 4];

/// The most lanes of one run: the hardware's wavefront.
pub const MAX_LANES: usize = 64;
