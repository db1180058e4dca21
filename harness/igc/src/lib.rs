//! Words of the image generation controller (IGC) of Pixel-Planes 5: decode, encode, explain, execute, build and mine.
//!
//! No decoder of this machine is public. What is known, and how firmly, is in [`TABLE`]; whatever is not known is answered as
//! [`Op::Unknown`], kept whole, and not executed.
//!
//! - [`Word`] and [`Instruction`] decode the start of some bytes; [`Builder`] makes instructions from names.
//! - [`stream`] segments a stream, [`mod@explain`] names the owner of each of its words, [`dma`] reads and splits the commands that
//!   send it.
//! - [`packet`] and [`sweep`] build what is known of the machine's own streams.
//! - [`Array`] executes a stream on pixels.
//! - [`miner`] finds the words of instructions in a C source and its assembly.
//!
//! ```
//! use igc::{Array, Builder, Op};
//! // texu ← 2x + y in the pixels where x − 4 is below zero.
//! let program = [
//!     Builder::new(Op::SetEnabs),
//!     Builder::new(Op::TreeLtZeroL3).coefficients([1.0, 0.0, -4.0]),
//!     Builder::new(Op::TreeIntoMemL3).addr(98).len(16).coefficients([2.0, 1.0, 0.0]),
//! ];
//! let mut array = Array::new(6, 2)?;
//! for instruction in program {
//!     array.step(&instruction.build()?)?;
//! }
//! assert_eq!(array.field(98, 16)?, [0, 2, 4, 6, 0, 0, 1, 3, 5, 7, 0, 0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Everything is bounded by the input, and nothing panics on it.

#![forbid(unsafe_code)]

pub mod array;
pub mod dma;
mod encode;
mod error;
pub mod explain;
mod instruction;
pub mod miner;
pub mod packet;
mod rule;
pub mod stream;
pub mod sweep;
mod table;
mod word;

pub use array::Array;
pub use encode::{Builder, EncodeError, mcread};
pub use error::Error;
pub use explain::explain;
pub use instruction::{Instruction, Operand, PIXEL_BITS};
pub use rule::Rule;
pub use stream::{MAX_BYTES, Placed, instructions};
pub use table::{Evidence, Op, Operands, Row, TABLE, UnknownName};
pub use word::Word;
