//! Tagged offsets: a tag in the top bits, and below it a place counted from the start of a block's data.

use super::constants::Constants;
use super::input::Input;
use crate::table::TableError;

/// How pointers are written in shader headers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tags {
    offset_bits: u32,
    /// The tag of places in the data.
    pub(super) data: u32,
    /// The tag of places in the text.
    pub(super) text: u32,
}

impl Tags {
    /// Reads the numbers from `constants.tsv`.
    pub(super) fn read(constants: &Constants<'_>) -> Result<Self, TableError> {
        Ok(Self {
            offset_bits: constants.one("offset_bits")?,
            data: constants.one("data_tag")?,
            text: constants.one("text_tag")?,
        })
    }

    /// The tag of a word.
    pub(super) fn tag(&self, word: u32) -> u32 {
        word.checked_shr(self.offset_bits).unwrap_or(0)
    }

    /// The offset of a word.
    pub(super) fn offset(&self, word: u32) -> u64 {
        let above = u64::MAX.checked_shl(self.offset_bits).unwrap_or(0);
        u64::from(word) & !above
    }
}

/// The text of a shader header: the part of its data that holds names.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text<'a> {
    start: u64,
    bytes: &'a [u8],
    last_zero: Option<u64>,
}

impl<'a> Text<'a> {
    /// The text of `size` bytes at `start`, counted from `data`, the place of the block's data in the file.
    pub(super) fn new(input: Input<'a>, data: u64, start: u64, size: u64) -> Self {
        let bytes = input.bytes(data + start, size).unwrap_or(&[]);
        Self {
            start,
            bytes,
            last_zero: bytes
                .iter()
                .rposition(|&byte| byte == 0)
                .map(|at| start + at as u64),
        }
    }

    /// Whether an offset into the data is inside the text.
    pub(super) fn contains(&self, offset: u64) -> bool {
        self.start <= offset && offset < self.start + self.bytes.len() as u64
    }

    /// Whether a name can start at that offset: it is inside, and a zero byte follows inside.
    pub(super) fn has_name(&self, offset: u64) -> bool {
        // A name runs to the first zero byte behind its start. There is one exactly if the last one is not before it.
        self.contains(offset) && self.last_zero.is_some_and(|zero| offset <= zero)
    }

    /// The name at that offset, without its zero byte.
    pub(super) fn name(&self, offset: u64) -> Option<&'a [u8]> {
        let start = usize::try_from(offset.checked_sub(self.start)?).ok()?;
        let from = self.bytes.get(start..)?;
        let length = from.iter().position(|&byte| byte == 0)?;
        Some(&from[..length])
    }
}
