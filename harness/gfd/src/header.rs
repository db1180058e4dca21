//! The 32-byte headers of a file and of a block (wut `libraries/libgfd/include/gfd.h`).

use crate::BlockType;
use crate::word::{Field, put, structure};

/// Size of the file header and of every block header in bytes.
pub const HEADER_SIZE: usize = 0x20;

/// `Gfx2`, which every file starts with.
pub const FILE_MAGIC: u32 = 0x4766_7832;

/// `BLK{`, which every block starts with.
pub const BLOCK_MAGIC: u32 = 0x424C_4B7B;

structure! {
    /// A version of a file or of a block.
    pub struct Version: 0x0 .. 0x8 {
        /// Major number.
        0x0 major: u32,
        /// Minor number.
        0x4 minor: u32,
    }
}

impl Version {
    /// The version of every file that has been seen.
    pub const V7_1: Version = Version { major: 7, minor: 1 };

    /// Whether a file has the block numbers of version 6.0 and no alignment mode.
    pub const fn is_6_0(self) -> bool {
        self.major == 6 && self.minor == 0
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

structure! {
    /// What a file header says (GFDHeader), less its magic number and its own size.
    pub struct FileHeader: 0x08 .. 0x20 {
        /// Version of the container.
        0x08 version: Version,
        /// Version of the graphics processor; 2 in every file seen.
        0x10 gpu_version: u32,
        /// Alignment mode: with 1, padding blocks bring program data to multiples of 0x100. Unused in version 6.0.
        0x14 align: u32,
        /// Reserved word; 0 in every file seen.
        0x18 reserved0: u32,
        /// Reserved word.
        0x1C reserved1: u32,
    }
}

structure! {
    /// What a block header says (GFDBlockHeader), less its magic number and its own size.
    pub struct BlockHeader: 0x08 .. 0x20 {
        /// Version of the block; 1.0 in every file seen.
        0x08 version: Version,
        /// What the block holds; see [`BlockType::kind`].
        0x10 block_type: BlockType,
        /// Bytes of data behind the header.
        0x14 data_size: u32,
        /// A running number, or 0: tools differ.
        0x18 id: u32,
        /// 0 in every file seen.
        0x1C index: u32,
    }
}

impl FileHeader {
    /// The header's 32 bytes.
    pub fn to_bytes(&self) -> [u8; HEADER_SIZE] {
        framed(FILE_MAGIC, self)
    }
}

impl BlockHeader {
    /// The header's 32 bytes.
    pub fn to_bytes(&self) -> [u8; HEADER_SIZE] {
        framed(BLOCK_MAGIC, self)
    }
}

fn framed(magic: u32, header: &impl Field) -> [u8; HEADER_SIZE] {
    let mut bytes = [0; HEADER_SIZE];
    put(&mut bytes, 0, magic);
    put(&mut bytes, 4, HEADER_SIZE as u32);
    header.write(&mut bytes, 0);
    bytes
}
