//! Wii U GFD containers (`Gfx2`: .gsh, .gtx, and blobs in executables): parse, write, build, find.
//!
//! A container is a file header, blocks, and an end block; a block holds a shader's structure or microcode, or a
//! texture's structure or images. Every integer is big-endian, except for microcode and images, which are bytes here.
//!
//! - [`parse`] checks a whole file against the acceptance rules and gives a [`File`] that borrows from it. Whatever it
//!   accepts can be read without a further error.
//! - [`File::write`] gives the same bytes again. [`OwnedFile`] is the same file with every field open to change.
//! - [`Builder`] makes new files.
//! - [`find`] looks for containers in executables, C sources and any other bytes.
//!
//! ```
//! let bytes = b"Gfx2\0\0\0\x20\0\0\0\x07\0\0\0\x01\0\0\0\x02\0\0\0\0\0\0\0\0\0\0\0\0\
//!     BLK{\0\0\0\x20\0\0\0\x01\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\0";
//! let file = gfd::parse(bytes)?;
//! assert_eq!(file.header.version.to_string(), "7.1");
//! assert_eq!(file.blocks()[0].kind().to_string(), "END_OF_FILE");
//!
//! let error = gfd::parse(&bytes[..40]).unwrap_err();
//! assert_eq!((error.class(), error.offset()), ("truncated", 32));
//! # Ok::<(), gfd::Error>(())
//! ```
//!
//! Layouts, names and values are those of wut (devkitPro); the numbers of version 6.0 are GTX-Extractor's, and
//! [`ComputeShader`] is kinnay's. Everything is bounded by the input: [`parse`] allocates at most as many bytes as it
//! is given, works in time linear in them, and never panics.

mod builder;
mod constant;
mod error;
mod file;
pub mod find;
mod gx2;
mod header;
mod owned;
mod pointer;
mod shader;
mod word;

pub use builder::{BlockIds, Builder};
pub use constant::{
    BlockKind, BlockType, SamplerVarType, ShaderMode, ShaderVarType, SurfaceDim, SurfaceFormat,
    TileMode,
};
pub use error::{Error, Part};
pub use file::{Block, Body, File, MAX_BLOCKS, TextureHeader, parse};
pub use gx2::{
    AttribVar, ComputeRegisters, ComputeShader, Elements, GeometryRegisters, GeometryShader,
    InitialValue, LoopVar, Name, PixelRegisters, PixelShader, RBuffer, Register, SamplerVar,
    ShaderStruct, Stage, Texture, UniformBlock, UniformVar, VertexRegisters, VertexShader,
};
pub use header::{BLOCK_MAGIC, BlockHeader, FILE_MAGIC, FileHeader, HEADER_SIZE, Version};
pub use owned::{
    MAX_NAMES_LENGTH, NamesTooLong, OwnedBlock, OwnedBody, OwnedFile, OwnedShader, OwnedTexture,
    PatchStyle, WriteError,
};
pub use pointer::{Pointer, Tag};
pub use shader::{PatchEntries, Relocation, ShaderHeader};
