//! placeholder
mod constant;
mod error;
mod file;
mod gx2;
mod header;
mod pointer;
mod shader;
mod word;
pub use constant::*;
pub use error::*;
pub use file::*;
pub use gx2::*;
pub use header::*;
pub use pointer::*;
pub use shader::*;
