//! Microcode of the AMD R600 and R700 GPUs, "Latte" of the Wii U among them: decoder, encoder,
//! disassembler.
//!
//! A program is a section of control-flow instructions ([`cf`]) and the clauses that these run: ALU
//! instructions in groups ([`alu`], [`clause`]) or fetches ([`fetch`]). [`program::decode`] walks a
//! whole program and rejects what is none; the types of the instructions decode and encode single
//! words, of which all are accepted.
//!
//! ```
//! use r700::disasm::Listing;
//! use r700::{Chip, program};
//!
//! let words: [u32; 6] = [
//!     0x0000_0002, 0xa000_0000, // ALU: ADDR 2, COUNT 0, BARRIER
//!     0xc001_0000, 0x9420_0688, // EXPORT_DONE: R2.xyzw to PIXEL 0, END_OF_PROGRAM, BARRIER
//!     0x8180_2c00, 0x6040_0010, // ADD R2.w = R0.w, R1.w, LAST
//! ];
//! let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
//! let program = program::decode(&bytes, Chip::R700)?;
//! assert_eq!(
//!     Listing::new(&program).to_string(),
//!     "0 ALU addr=16 (1 slot)\n    \
//!          0.0 w: ADD R2.w = R0.w, R1.w\n\
//!      1 EXPORT_DONE type=PIXEL array_base=0 R2.xyzw END_OF_PROGRAM\n"
//! );
//! assert_eq!(program.encode(), bytes);
//! # Ok::<(), r700::Error>(())
//! ```
//!
//! The types of the instructions hold parsed fields, and encode to exactly the words that they were
//! decoded from: bits without a name are kept. Decoding never panics. Setters panic if a value does
//! not fit its field; their documentation says when.
//!
//! Positions and names come from the headers and tables of Mesa 22.3.6 and from LLVM 19.1.7. Where
//! these disagree, the line says which erratum (R001 to R081) it follows.

mod alu_operand;
mod alu_ops;
mod alu_properties;
mod alu_setters;
mod cf_formats;
mod cf_ops;
mod chip;
mod error;
mod mem;
mod tex;
mod unit;
mod vtx;
mod walk;

pub mod alu;
pub mod alu_tables;
pub mod asm;
pub mod cf;
pub mod clause;
pub mod codes;
pub mod data_format;
pub mod disasm;
pub mod fetch;
pub mod glsl;
pub mod program;
pub mod registers;
pub mod sections;
pub mod words;

pub use chip::{Chip, Chips};
pub use error::{Error, ErrorClass};
pub use program::Program;
