//! The relocation trailer and the patch table of a shader header block (wut `gfd.h`, GFDRelocationHeader).

use crate::pointer::Pointer;
use crate::word::{Field, put, structure, word};

/// `}BLK`, which the trailer starts with.
pub(crate) const TRAILER_MAGIC: u32 = 0x7D42_4C4B;

/// Size of the trailer in bytes.
pub(crate) const TRAILER_SIZE: usize = 0x28;

impl Field for Pointer {
    const SIZE: usize = 4;

    #[inline]
    fn read(bytes: &[u8], at: usize) -> Pointer {
        Pointer(word(bytes, at))
    }

    #[inline]
    fn write(&self, bytes: &mut [u8], at: usize) {
        put(bytes, at, self.0);
    }
}

structure! {
    /// The trailer as stored, less its magic number and its own size.
    pub(crate) struct Trailer: 0x08 .. 0x28 {
        /// Reserved.
        0x08 reserved: u32,
        /// Bytes of structure, arrays and strings.
        0x0C data_size: u32,
        /// Always the tagged zero.
        0x10 data_offset: Pointer,
        /// Bytes of strings.
        0x14 text_size: u32,
        /// Start of the strings.
        0x18 text_offset: Pointer,
        /// Base of the patches.
        0x1C patch_base: u32,
        /// Number of patch entries.
        0x20 patch_count: u32,
        /// Start of the patch table.
        0x24 patch_offset: Pointer,
    }
}

/// The relocations of a shader header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relocation<'a> {
    /// The word behind the trailer's size; 0 in every file seen.
    pub reserved: u32,
    /// Bytes of structure, arrays and strings.
    pub data_size: u32,
    /// Bytes of strings.
    pub text_size: u32,
    /// Start of the strings, in bytes from the data's start, without its tag.
    pub text_offset: u32,
    /// Start of the patch table, in bytes from the data's start, without its tag.
    pub patch_offset: u32,
    /// Base of the patches; 0 in every file seen.
    pub patch_base: u32,
    table: &'a [u8],
}

impl<'a> Relocation<'a> {
    /// The relocations of data that has been checked.
    pub(crate) fn new(data: &'a [u8]) -> Relocation<'a> {
        let trailer = Trailer::read(data, data.len() - TRAILER_SIZE);
        let start = trailer.patch_offset.offset() as usize;
        Relocation {
            reserved: trailer.reserved,
            data_size: trailer.data_size,
            text_size: trailer.text_size,
            text_offset: trailer.text_offset.offset(),
            patch_offset: trailer.patch_offset.offset(),
            patch_base: trailer.patch_base,
            table: &data[start..start + 4 * trailer.patch_count as usize],
        }
    }

    /// The patch entries in order, zero entries included. An entry's offset is the place of a pointer to patch; its
    /// tag is that of the pointer, or always [`Tag::DATA`](crate::Tag::DATA): tools differ.
    pub fn patches(&self) -> PatchEntries<'a> {
        PatchEntries { table: self.table }
    }
}

/// The entries of a patch table.
#[derive(Clone, Debug)]
pub struct PatchEntries<'a> {
    table: &'a [u8],
}

impl Iterator for PatchEntries<'_> {
    type Item = Pointer;

    fn next(&mut self) -> Option<Pointer> {
        let (entry, rest) = self.table.split_first_chunk()?;
        self.table = rest;
        Some(Pointer(u32::from_be_bytes(*entry)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.table.len() / 4, Some(self.table.len() / 4))
    }
}

impl ExactSizeIterator for PatchEntries<'_> {}
