//! What can be wrong with a container: one flat enum, each variant with the place and the value.

/// The part of a container that an [`Error`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// The 32 bytes at the file's start.
    FileHeader,
    /// The 32 bytes at a block's start.
    BlockHeader,
    /// What follows a block header.
    BlockData,
    /// The GX2 structure of a texture header block.
    TextureHeader,
    /// The GX2 structure of a shader header block, with its relocation trailer.
    ShaderHeader,
    /// The 0x28 bytes at the end of a shader header block.
    RelocationTrailer,
}

impl std::fmt::Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Part::FileHeader => "file header",
            Part::BlockHeader => "block header",
            Part::BlockData => "block data",
            Part::TextureHeader => "texture header",
            Part::ShaderHeader => "shader header",
            Part::RelocationTrailer => "relocation trailer",
        })
    }
}

/// Why bytes are not a GFD container.
///
/// `offset` is a byte offset from the file's start; `found` is the offending value as stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A structure does not fit into what is left of the file or block.
    #[error("{offset:#x}: {part} truncated: {left} bytes left, {needed} needed")]
    Truncated {
        /// Where the structure starts.
        offset: usize,
        /// The structure.
        part: Part,
        /// Bytes it needs.
        needed: usize,
        /// Bytes there are.
        left: usize,
    },
    /// Other bytes stand where a magic number should.
    #[error("{offset:#x}: {part} magic is {found:#010x}, not {allowed:#010x}")]
    BadMagic {
        /// Where the magic number should be.
        offset: usize,
        /// The structure that starts with it.
        part: Part,
        /// The word there.
        found: u32,
        /// The magic number.
        allowed: u32,
    },
    /// A structure states another size of itself than it has.
    #[error("{offset:#x}: {part} size is {found:#x}, not {allowed:#x}")]
    BadHeaderSize {
        /// Where the size word is.
        offset: usize,
        /// The structure.
        part: Part,
        /// The stated size.
        found: u32,
        /// The real one.
        allowed: u32,
    },
    /// The end block states data.
    #[error("{offset:#x}: end block with {found} bytes of data, none allowed")]
    EndBlockWithData {
        /// Where its size word is.
        offset: usize,
        /// The stated size.
        found: u32,
    },
    /// A major version other than 6 and 7.
    #[error("{offset:#x}: major version {found}, only 6 and 7 are known")]
    BadVersion {
        /// Where the word is.
        offset: usize,
        /// The version.
        found: u32,
    },
    /// An alignment mode other than 0 and 1.
    #[error("{offset:#x}: alignment mode {found}, only 0 and 1 are known")]
    BadAlignment {
        /// Where the word is.
        offset: usize,
        /// The mode.
        found: u32,
    },
    /// More blocks than [`MAX_BLOCKS`](crate::MAX_BLOCKS).
    #[error("{offset:#x}: more than {allowed} blocks")]
    TooManyBlocks {
        /// Where the first block too many starts.
        offset: usize,
        /// How many are allowed.
        allowed: usize,
    },
    /// The trailer's data size does not cover the structure, or goes beyond the trailer.
    #[error(
        "{offset:#x}: data size {found:#x} of the trailer is not within {least:#x}..={most:#x}"
    )]
    BadDataSize {
        /// Where the word is.
        offset: usize,
        /// The stated size.
        found: u32,
        /// The structure's size.
        least: usize,
        /// The trailer's place in the block's data.
        most: usize,
    },
    /// The trailer's data offset is not the tagged zero.
    #[error("{offset:#x}: data offset of the trailer is {found:#010x}, not 0xd0600000")]
    BadDataOffset {
        /// Where the word is.
        offset: usize,
        /// The offset with its tag.
        found: u32,
    },
    /// The text has another tag than 0xD06, or goes beyond the data.
    #[error(
        "{offset:#x}: text of {size:#x} bytes at {found:#010x}: tag not 0xd06, or beyond {most:#x}"
    )]
    BadText {
        /// Where the text offset word is.
        offset: usize,
        /// The offset with its tag.
        found: u32,
        /// The text's size in bytes.
        size: u32,
        /// The trailer's data size.
        most: u32,
    },
    /// The patch table has another tag than 0xD06, starts inside the data, or meets the trailer.
    #[error(
        "{offset:#x}: table of {count} patches at {found:#010x}: tag not 0xd06, or not within {least:#x}..{most:#x}"
    )]
    BadPatchTable {
        /// Where the patch offset word is.
        offset: usize,
        /// The offset with its tag.
        found: u32,
        /// The number of entries, of four bytes each.
        count: u32,
        /// The trailer's data size.
        least: u32,
        /// The trailer's place in the block's data.
        most: usize,
    },
    /// A patch entry with another tag than 0xD06 and 0xCA7.
    #[error("{offset:#x}: patch entry {found:#010x}: tag is neither 0xd06 nor 0xca7")]
    BadPatchTag {
        /// Where the entry is.
        offset: usize,
        /// The entry.
        found: u32,
    },
    /// A patch entry for a place that is no multiple of four.
    #[error("{offset:#x}: patch entry {found:#010x}: place is not a multiple of 4")]
    MisalignedPatch {
        /// Where the entry is.
        offset: usize,
        /// The entry.
        found: u32,
    },
    /// A patch entry for a place beyond the data.
    #[error("{offset:#x}: patch entry {found:#010x}: place is beyond the {most:#x} bytes of data")]
    PatchBeyondData {
        /// Where the entry is.
        offset: usize,
        /// The entry.
        found: u32,
        /// The trailer's data size.
        most: u32,
    },
    /// A second patch entry for one place.
    #[error("{offset:#x}: patch entry {found:#010x}: an earlier entry has the same place")]
    RepeatedPatch {
        /// Where the later entry is.
        offset: usize,
        /// The entry.
        found: u32,
    },
    /// A pointer in the patch table that leads nowhere.
    #[error("{offset:#x}: patched pointer {found:#010x} is not zero, in the data, or in the text")]
    BadPatchedPointer {
        /// Where the pointer is.
        offset: usize,
        /// The pointer with its tag.
        found: u32,
    },
    /// An array with another tag than 0xD06, or beyond the data.
    #[error(
        "{offset:#x}: array of {count} elements of {size} bytes at {found:#010x}: tag not 0xd06, or beyond {most:#x}"
    )]
    BadArray {
        /// Where the array's pointer is.
        offset: usize,
        /// The pointer with its tag.
        found: u32,
        /// Number of elements.
        count: u32,
        /// Bytes an element.
        size: usize,
        /// The trailer's data size.
        most: u32,
    },
    /// An array at a place that is no multiple of four.
    #[error("{offset:#x}: array at {found:#010x}: not a multiple of 4")]
    MisalignedArray {
        /// Where the array's pointer is.
        offset: usize,
        /// The pointer with its tag.
        found: u32,
    },
    /// An array that shares bytes with the structure or with an earlier array.
    #[error("{offset:#x}: array at {found:#010x} overlaps the structure or an earlier array")]
    OverlappingArray {
        /// Where the array's pointer is.
        offset: usize,
        /// The pointer with its tag.
        found: u32,
    },
    /// A name that has another tag than 0xCA7, or does not start and end in the text.
    #[error("{offset:#x}: name at {found:#010x}: tag not 0xca7, or not ended within the text")]
    BadName {
        /// Where the name's pointer is.
        offset: usize,
        /// The pointer with its tag.
        found: u32,
    },
    /// A search has spent its work on failures before it came here; only [`find`](crate::find) says so.
    #[error("{offset:#x}: not tried: {allowed} bytes of broken containers were read before it")]
    SearchBudget {
        /// Where the magic number is.
        offset: usize,
        /// The budget in bytes.
        allowed: u64,
    },
}

impl Error {
    /// The byte offset from the file's start that the error is reported at.
    pub fn offset(&self) -> usize {
        use Error::*;
        match *self {
            Truncated { offset, .. }
            | BadMagic { offset, .. }
            | BadHeaderSize { offset, .. }
            | EndBlockWithData { offset, .. }
            | BadVersion { offset, .. }
            | BadAlignment { offset, .. }
            | TooManyBlocks { offset, .. }
            | BadDataSize { offset, .. }
            | BadDataOffset { offset, .. }
            | BadText { offset, .. }
            | BadPatchTable { offset, .. }
            | BadPatchTag { offset, .. }
            | MisalignedPatch { offset, .. }
            | PatchBeyondData { offset, .. }
            | RepeatedPatch { offset, .. }
            | BadPatchedPointer { offset, .. }
            | BadArray { offset, .. }
            | MisalignedArray { offset, .. }
            | OverlappingArray { offset, .. }
            | BadName { offset, .. }
            | SearchBudget { offset, .. } => offset,
        }
    }

    /// The class of the broken rule, as the `gfd` target's contract names it.
    pub fn class(&self) -> &'static str {
        use Error::*;
        match self {
            Truncated { .. } => "truncated",
            BadMagic { .. } => "bad-magic",
            BadHeaderSize { .. } | EndBlockWithData { .. } => "bad-length",
            BadVersion { .. } => "bad-version",
            BadAlignment { .. }
            | BadDataSize { .. }
            | BadDataOffset { .. }
            | BadText { .. }
            | BadPatchTable { .. }
            | BadPatchTag { .. }
            | PatchBeyondData { .. }
            | BadPatchedPointer { .. }
            | BadArray { .. }
            | BadName { .. } => "out-of-range",
            MisalignedPatch { .. } | MisalignedArray { .. } => "misaligned",
            RepeatedPatch { .. } | OverlappingArray { .. } => "overlap",
            TooManyBlocks { .. } | SearchBudget { .. } => "limit",
        }
    }
}
