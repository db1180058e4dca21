//! Microcode of the AMD R600 and R700 GPUs, "Latte" of the Wii U among them: decoder, encoder,
//! disassembler.

mod alu_operand; pub mod alu; pub mod alu_ops; mod alu_properties; pub mod alu_tables; pub mod cf; mod cf_formats; mod cf_ops; mod chip; pub mod codes; mod error; pub mod registers; pub mod words;
pub use chip::{Chip, Chips};
pub use error::{Error, ErrorClass};
