//! The container: a file header, blocks up to the end block, and what follows it.

use smallvec::SmallVec;

use crate::error::{Error, Part};
use crate::gx2::Texture;
use crate::header::{BLOCK_MAGIC, BlockHeader, FILE_MAGIC, FileHeader, HEADER_SIZE};
use crate::shader::{self, ShaderHeader};
use crate::word::{Field, word};
use crate::{BlockKind, Stage};

/// The most blocks a file may have, the end block included.
pub const MAX_BLOCKS: usize = 65_535;

/// A parsed file. It borrows the bytes it was parsed from, and owns no more memory than there are of them.
#[derive(Clone, Debug)]
pub struct File<'a> {
    /// The file header.
    pub header: FileHeader,
    blocks: SmallVec<[Block<'a>; 8]>,
    consumed: usize,
    trailing: &'a [u8],
}

/// A block of a parsed file: 32 bytes of header, which are in order, and its data.
#[derive(Clone, Copy)]
pub struct Block<'a> {
    bytes: &'a [u8],
    offset: usize,
    kind: BlockKind,
}

// A block takes no more memory than its header takes in the file, so that a file's blocks take no more than the file.
const _: () = assert!(size_of::<Block<'_>>() <= HEADER_SIZE);

/// What a block holds.
#[derive(Clone, Copy, Debug)]
pub enum Body<'a> {
    /// A shader structure with its arrays, names and relocations.
    Shader(ShaderHeader<'a>),
    /// The microcode of a shader: little-endian words.
    Program {
        /// The stage it belongs to.
        stage: Stage,
        /// The microcode.
        code: &'a [u8],
    },
    /// The microcode that copies a geometry shader's output.
    GeometryCopyProgram(&'a [u8]),
    /// A texture structure.
    Texture(TextureHeader<'a>),
    /// The image of a texture.
    Image(&'a [u8]),
    /// The smaller images of a texture.
    Mipmap(&'a [u8]),
    /// Filling.
    Padding(&'a [u8]),
    /// The end of the file.
    End,
    /// A block whose type has no meaning in the file's version.
    Unknown(&'a [u8]),
}

/// The data of a texture header block: the structure, and whatever follows it.
#[derive(Clone, Copy)]
pub struct TextureHeader<'a> {
    data: &'a [u8],
}

/// Parses a file from the start of `bytes`. What follows the end block is not judged, and is kept.
///
/// # Errors
///
/// The first broken rule of the `gfd` target's contract, with its class and the byte offset it is reported at.
#[inline]
pub fn parse(bytes: &[u8]) -> Result<File<'_>, Error> {
    parse_measured(bytes, &mut 0)
}

/// [`parse`], which also adds up the bytes that it had to look at, whether it succeeds or not.
pub(crate) fn parse_measured<'a>(bytes: &'a [u8], work: &mut u64) -> Result<File<'a>, Error> {
    let header = file_header(bytes)?;
    let mut blocks = SmallVec::new();
    let mut at = HEADER_SIZE;
    loop {
        let left = bytes.len() - at;
        if left < HEADER_SIZE {
            let (part, needed) = (Part::BlockHeader, HEADER_SIZE);
            return Err(Error::Truncated {
                offset: at,
                part,
                needed,
                left,
            });
        }
        if blocks.len() == MAX_BLOCKS {
            return Err(Error::TooManyBlocks {
                offset: at,
                allowed: MAX_BLOCKS,
            });
        }
        let block = block(&bytes[at..], at, &header)?;

        *work += HEADER_SIZE as u64;
        let data_at = at + HEADER_SIZE;
        match block.kind {
            BlockKind::ShaderHeader(stage) => {
                *work += block.data().len() as u64;
                shader::check(stage, block.data(), data_at)?;
            }
            BlockKind::TextureHeader if block.data().len() < Texture::SIZE => {
                let (part, left) = (Part::TextureHeader, block.data().len());
                let needed = Texture::SIZE;
                return Err(Error::Truncated {
                    offset: data_at,
                    part,
                    needed,
                    left,
                });
            }
            _ => {}
        }

        if blocks.len() == blocks.capacity() {
            // Doubled, but never beyond the blocks that the rest of the input has room for.
            blocks.reserve_exact(blocks.len().min(left / HEADER_SIZE));
        }
        blocks.push(block);
        at += block.bytes.len();
        if block.kind == BlockKind::EndOfFile {
            break;
        }
    }
    Ok(File {
        header,
        blocks,
        consumed: at,
        trailing: &bytes[at..],
    })
}

/// Rule 1 of the contract.
fn file_header(bytes: &[u8]) -> Result<FileHeader, Error> {
    let part = Part::FileHeader;
    if bytes.len() < HEADER_SIZE {
        let left = bytes.len();
        return Err(Error::Truncated {
            offset: 0,
            part,
            needed: HEADER_SIZE,
            left,
        });
    }
    let (found, allowed) = (word(bytes, 0), FILE_MAGIC);
    if found != allowed {
        return Err(Error::BadMagic {
            offset: 0,
            part,
            found,
            allowed,
        });
    }
    let (found, allowed) = (word(bytes, 4), HEADER_SIZE as u32);
    if found != allowed {
        return Err(Error::BadHeaderSize {
            offset: 4,
            part,
            found,
            allowed,
        });
    }
    let header = FileHeader::read(bytes, 0);
    if !matches!(header.version.major, 6 | 7) {
        return Err(Error::BadVersion {
            offset: 8,
            found: header.version.major,
        });
    }
    if header.align > 1 && !header.version.is_6_0() {
        return Err(Error::BadAlignment {
            offset: 0x14,
            found: header.align,
        });
    }
    Ok(header)
}

/// Rule 2 of the contract: the block at the start of `bytes`, which hold at least a header.
#[inline]
fn block<'a>(bytes: &'a [u8], at: usize, file: &FileHeader) -> Result<Block<'a>, Error> {
    let part = Part::BlockHeader;
    let (found, allowed) = (word(bytes, 0), BLOCK_MAGIC);
    if found != allowed {
        return Err(Error::BadMagic {
            offset: at,
            part,
            found,
            allowed,
        });
    }
    let (found, allowed) = (word(bytes, 4), HEADER_SIZE as u32);
    if found != allowed {
        return Err(Error::BadHeaderSize {
            offset: at + 4,
            part,
            found,
            allowed,
        });
    }
    let header = BlockHeader::read(bytes, 0);
    let (needed, left) = (header.data_size as usize, bytes.len() - HEADER_SIZE);
    if needed > left {
        let (offset, part) = (at + HEADER_SIZE, Part::BlockData);
        return Err(Error::Truncated {
            offset,
            part,
            needed,
            left,
        });
    }
    let kind = header.block_type.kind(file.version);
    if kind == BlockKind::EndOfFile && needed > 0 {
        return Err(Error::EndBlockWithData {
            offset: at + 0x14,
            found: header.data_size,
        });
    }
    Ok(Block {
        bytes: &bytes[..HEADER_SIZE + needed],
        offset: at,
        kind,
    })
}

impl<'a> File<'a> {
    /// The blocks in file order, the end block included.
    pub fn blocks(&self) -> &[Block<'a>] {
        &self.blocks
    }

    /// Where the end block ends, in bytes from the file's start.
    pub fn consumed(&self) -> usize {
        self.consumed
    }

    /// What follows the end block.
    pub fn trailing(&self) -> &'a [u8] {
        self.trailing
    }

    /// Bytes of all names of the file together, as text and as often as they are pointed to, or nothing if they are
    /// more than `most`.
    ///
    /// Names may share their bytes, so that a small file can have names of any length together. The work is bounded by
    /// the file's length and `most`.
    pub fn names_length(&self, most: usize) -> Option<usize> {
        let names = self.blocks.iter().filter_map(|block| match block.body() {
            Body::Shader(header) => Some(header.names()),
            _ => None,
        });
        names.flatten().try_fold(0, |length: usize, name| {
            Some(length + name.text_length()).filter(|&length| length <= most)
        })
    }

    /// The file's bytes: its header, every block's header and data, and what followed the end block.
    ///
    /// Only the file header can have been changed; to change more, take an [`OwnedFile`](crate::OwnedFile).
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.consumed + self.trailing.len());
        bytes.extend_from_slice(&self.header.to_bytes());
        for block in &self.blocks {
            bytes.extend_from_slice(&block.header().to_bytes());
            bytes.extend_from_slice(block.data());
        }
        bytes.extend_from_slice(self.trailing);
        bytes
    }
}

impl<'a> Block<'a> {
    /// The block's header.
    pub fn header(&self) -> BlockHeader {
        BlockHeader::read(self.bytes, 0)
    }

    /// Where the block's header starts, in bytes from the file's start.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// What the block holds in the file's version.
    pub fn kind(&self) -> BlockKind {
        self.kind
    }

    /// The block's data as stored, whatever it holds.
    pub fn data(&self) -> &'a [u8] {
        &self.bytes[HEADER_SIZE..]
    }

    /// The block's data by what it holds.
    pub fn body(&self) -> Body<'a> {
        let data = self.data();
        match self.kind {
            BlockKind::EndOfFile => Body::End,
            BlockKind::Padding => Body::Padding(data),
            BlockKind::ShaderHeader(stage) => Body::Shader(ShaderHeader::new(stage, data)),
            BlockKind::ShaderProgram(stage) => Body::Program { stage, code: data },
            BlockKind::GeometryCopyProgram => Body::GeometryCopyProgram(data),
            BlockKind::TextureHeader => Body::Texture(TextureHeader { data }),
            BlockKind::TextureImage => Body::Image(data),
            BlockKind::TextureMipmap => Body::Mipmap(data),
            BlockKind::Unknown => Body::Unknown(data),
        }
    }
}

impl std::fmt::Debug for Block<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Block")
            .field("offset", &self.offset)
            .field("kind", &self.kind)
            .field("header", &self.header())
            .finish_non_exhaustive()
    }
}

impl<'a> TextureHeader<'a> {
    /// The structure.
    pub fn texture(&self) -> Texture {
        Texture::read(self.data, 0)
    }

    /// What follows the structure; nothing in every file seen.
    pub fn rest(&self) -> &'a [u8] {
        &self.data[Texture::SIZE..]
    }
}

impl std::fmt::Debug for TextureHeader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Debug::fmt(&self.texture(), f)
    }
}
