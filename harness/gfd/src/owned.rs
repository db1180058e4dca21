//! A file that can be edited: every field is public, and writing puts it together again.

mod in_place;
mod layout;
mod shader;

pub use shader::{OwnedShader, PatchStyle};

use std::borrow::Cow;

use crate::error::Error;
use crate::gx2::{Stage, Texture};
use crate::header::{BlockHeader, FileHeader, Version};
use crate::word::Field;
use crate::{BlockKind, BlockType, Body, File, parse};

/// A file with memory of its own.
///
/// Taken from a parsed [`File`] and written without a change, it gives the same bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnedFile {
    /// The file header.
    pub header: FileHeader,
    /// The blocks in file order; the last one, and no other, is the end block.
    pub blocks: Vec<OwnedBlock>,
    /// What follows the end block.
    pub trailing: Vec<u8>,
}

/// A block: its header, whose data size is that of the body, and the body.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnedBlock {
    /// Version of the block.
    pub version: Version,
    /// What the block holds, as the number that the file's version has for it.
    pub block_type: BlockType,
    /// A running number, or 0.
    pub id: u32,
    /// 0 in every file seen.
    pub index: u32,
    /// The block's data.
    pub body: OwnedBody,
}

/// The data of a block.
#[derive(Clone, Debug, PartialEq)]
pub enum OwnedBody {
    /// A shader structure with its arrays, names and relocations.
    Shader(Box<OwnedShader>),
    /// A texture structure.
    Texture(Box<OwnedTexture>),
    /// Anything else, as stored.
    Data(Vec<u8>),
}

/// The data of a texture header block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedTexture {
    /// The structure.
    pub texture: Texture,
    /// What follows it.
    pub rest: Vec<u8>,
}

/// Why a file cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// A name holds a zero byte, which would end it early.
    #[error("a name with a zero byte at its byte {at}")]
    NameWithZero {
        /// Where in the name.
        at: usize,
    },
    /// A shader header has grown beyond what a pointer of 20 bits can reach.
    #[error("a shader header needs an offset of {offset:#x}, and pointers end at 0xfffff")]
    OutOfReach {
        /// The offset that a pointer would have to hold.
        offset: usize,
    },
    /// A block has more data than its header can say.
    #[error("a block of {size} bytes, and block sizes have 32 bits")]
    TooMuchData {
        /// The size in bytes.
        size: usize,
    },
    /// A shader that is no vertex shader has attributes.
    #[error("a shader of stage {stage:?} with attributes, which only a vertex shader has")]
    AttribsWithoutVertex {
        /// The shader's stage.
        stage: Stage,
    },
    /// The file's version has no number for a kind of block.
    #[error("version {version} has no block of kind {kind}")]
    NotInVersion {
        /// The kind of block.
        kind: BlockKind,
        /// The file's version.
        version: Version,
    },
    /// The last block is no end block, or another one is.
    #[error("block {index} is the end block, or the last one and is not")]
    EndBlock {
        /// The block's place in the file.
        index: usize,
    },
    /// The file would not parse.
    #[error("the file would be invalid: {0}")]
    Invalid(Error),
}

/// Bytes that the names of an [`OwnedFile`] may have together when it is taken from a [`File`], where they may share
/// their bytes.
pub const MAX_NAMES_LENGTH: usize = 16 << 20;

/// The names of a file are longer together than [`MAX_NAMES_LENGTH`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the file's names have more than {MAX_NAMES_LENGTH} bytes together")]
pub struct NamesTooLong;

impl TryFrom<&File<'_>> for OwnedFile {
    type Error = NamesTooLong;

    fn try_from(file: &File<'_>) -> Result<OwnedFile, NamesTooLong> {
        file.names_length(MAX_NAMES_LENGTH).ok_or(NamesTooLong)?;
        let blocks = file.blocks().iter().map(|block| {
            let BlockHeader {
                version,
                block_type,
                data_size: _,
                id,
                index,
            } = block.header();
            let body = match block.body() {
                Body::Shader(shader) => OwnedBody::Shader(Box::new(OwnedShader::read(&shader))),
                Body::Texture(header) => {
                    let (texture, rest) = (header.texture(), header.rest().to_vec());
                    OwnedBody::Texture(Box::new(OwnedTexture { texture, rest }))
                }
                _ => OwnedBody::Data(block.data().to_vec()),
            };
            OwnedBlock {
                version,
                block_type,
                id,
                index,
                body,
            }
        });
        Ok(OwnedFile {
            header: file.header,
            blocks: blocks.collect(),
            trailing: file.trailing().to_vec(),
        })
    }
}

impl OwnedFile {
    /// The file's bytes, which parse.
    ///
    /// A shader header keeps the layout that it was read with as long as its arrays keep their lengths and every
    /// changed name fits where the old one was; otherwise it is laid out anew ([`OwnedShader::encode`]).
    ///
    /// # Errors
    ///
    /// The file cannot be written down, or [`parse`] would not accept it.
    pub fn write(&self) -> Result<Vec<u8>, WriteError> {
        let ends = |block: &OwnedBlock| block.kind(self.header.version) == BlockKind::EndOfFile;
        let last = self.blocks.len().saturating_sub(1);
        if self.blocks.iter().position(ends) != Some(last) {
            let index = self.blocks.iter().position(ends).unwrap_or(last);
            return Err(WriteError::EndBlock { index });
        }

        let mut bytes = self.header.to_bytes().to_vec();
        for block in &self.blocks {
            block.write(&mut bytes)?;
        }
        bytes.extend_from_slice(&self.trailing);
        parse(&bytes).map_err(WriteError::Invalid)?;
        Ok(bytes)
    }
}

impl OwnedBlock {
    /// A block of version 1.0 with id and index 0.
    pub fn new(block_type: BlockType, body: OwnedBody) -> OwnedBlock {
        let version = Version { major: 1, minor: 0 };
        OwnedBlock {
            version,
            block_type,
            id: 0,
            index: 0,
            body,
        }
    }

    /// What the block holds in a file of the version.
    pub fn kind(&self, version: Version) -> BlockKind {
        self.block_type.kind(version)
    }

    fn write(&self, bytes: &mut Vec<u8>) -> Result<(), WriteError> {
        let data = self.body.encode()?;
        let size = data.len();
        let data_size = u32::try_from(size).map_err(|_| WriteError::TooMuchData { size })?;
        let OwnedBlock {
            version,
            block_type,
            id,
            index,
            body: _,
        } = *self;
        let header = BlockHeader {
            version,
            block_type,
            data_size,
            id,
            index,
        };
        bytes.extend_from_slice(&header.to_bytes());
        bytes.extend_from_slice(&data);
        Ok(())
    }
}

impl OwnedBody {
    /// The data as it stands in a file.
    ///
    /// # Errors
    ///
    /// As [`OwnedShader::encode`].
    pub fn encode(&self) -> Result<Cow<'_, [u8]>, WriteError> {
        Ok(match self {
            OwnedBody::Shader(shader) => Cow::Owned(shader.encode()?),
            OwnedBody::Texture(header) => {
                let mut data = vec![0; Texture::SIZE];
                header.texture.write(&mut data, 0);
                data.extend_from_slice(&header.rest);
                Cow::Owned(data)
            }
            OwnedBody::Data(data) => Cow::Borrowed(data),
        })
    }
}
