//! A word, and its bits.

use std::fmt;

use crate::{Error, Op};

/// The first word of an instruction, or any other word looked at as one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Word(pub u32);

impl Word {
    /// The word at the start of `bytes`, little-endian. What follows is not looked at.
    #[inline]
    pub fn decode(bytes: &[u8]) -> Result<Self, Error> {
        match bytes.first_chunk() {
            Some(word) => Ok(Self(u32::from_le_bytes(*word))),
            None => Err(Error::Truncated {
                at: 0,
                needed: 4,
                left: bytes.len(),
            }),
        }
    }

    /// Bits 7:0: an address in the pixel memory, or a small number.
    #[inline]
    pub const fn addr(self) -> u8 {
        self.0 as u8
    }

    /// Bits 16:8.
    pub const fn opcode(self) -> u16 {
        (self.0 >> 8 & 0x1ff) as u16
    }

    /// Bits 22:17: bit 22 · 32 + form · 8 + bits 19:18 · 2 + bit 17.
    pub const fn modifier(self) -> u8 {
        (self.0 >> 17 & 0x3f) as u8
    }

    /// Bits 21:20: 2 in `_L3`, 1 in `_S1`, else 0.
    pub const fn form(self) -> u8 {
        (self.0 >> 20 & 3) as u8
    }

    /// L, bits 30:23.
    #[inline]
    pub const fn length(self) -> u8 {
        (self.0 >> 23) as u8
    }

    /// Bit 31: an operand word follows the first.
    pub const fn second(self) -> bool {
        self.0 >> 31 == 1
    }

    /// The instruction that it begins.
    #[inline]
    pub fn op(self) -> Op {
        Op::of(self.0)
    }

    /// The words of that instruction, this one included.
    pub fn words(self) -> usize {
        usize::from(self.op().row().words)
    }

    /// The length that L says by the instruction's rule, if it says one.
    #[allow(clippy::len_without_is_empty, reason = "the length of a field")]
    pub fn len(self) -> Option<u8> {
        self.op().row().rule.len(self.length())
    }

    /// The five parts put back: the inverse of the accessors.
    ///
    /// None if `opcode` is above 511 or `modifier` above 63.
    pub fn from_parts(
        second: bool,
        length: u8,
        modifier: u8,
        opcode: u16,
        addr: u8,
    ) -> Option<Self> {
        (opcode < 0x200 && modifier < 0x40).then(|| {
            Self(
                u32::from(second) << 31
                    | u32::from(length) << 23
                    | u32::from(modifier) << 17
                    | u32::from(opcode) << 8
                    | u32::from(addr),
            )
        })
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_have_their_places() {
        // 0x3daa4352: igc/word/treeintomem-diff; bit 23 belongs to the length.
        let word = Word(0x3daa_4352);
        assert_eq!(
            (word.addr(), word.opcode(), word.modifier(), word.form()),
            (82, 67, 21, 2)
        );
        assert_eq!((word.length(), word.second()), (123, false));
        assert_eq!((word.words(), word.len()), (4, Some(8)));
        // 0xbc916c00: igc/word/memgesca.
        let word = Word(0xbc91_6c00);
        assert_eq!((word.opcode(), word.modifier(), word.form()), (364, 8, 1));
        assert_eq!((word.length(), word.second()), (121, true));
        assert_eq!((word.words(), word.len()), (2, Some(5)));
        // 0x0003ff00: igc/word/mcwrite-511.
        assert_eq!(
            (Word(0x3_ff00).opcode(), Word(0x3_ff00).modifier()),
            (511, 1)
        );
    }

    #[test]
    fn parts_that_have_no_room_are_refused() {
        assert_eq!(
            Word::from_parts(false, 123, 21, 67, 82),
            Some(Word(0x3daa_4352))
        );
        assert_eq!(Word::from_parts(false, 0, 64, 0, 0), None);
        assert_eq!(Word::from_parts(false, 0, 0, 512, 0), None);
    }

    #[test]
    fn a_word_wants_four_bytes() {
        let short = Word::decode(&[0, 1, 0]).unwrap_err();
        assert_eq!((short.class(), short.offset()), ("truncated", 0));
        assert_eq!(Word::decode(&[0, 1, 0, 0, 0xff]), Ok(Word(0x100)));
    }
}
