//! An instruction: its first word and the operand words that it takes.

use std::fmt;

use crate::{Error, Op, Operands, Word};

/// Bits of memory that a pixel has.
pub const PIXEL_BITS: u16 = 256;

/// A whole instruction that keeps the acceptance rules. Its words are kept as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Instruction {
    op: Op,
    /// Those that the instruction does not take are 0.
    words: [u32; 4],
}

/// The words after the first, read as the table says.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Operand {
    /// Nothing follows.
    None,
    /// A, B, C: any bits, NaN too.
    Coefficients([f32; 3]),
    /// A word, unsigned.
    Scalar(u32),
    /// P: an address and what else is in its word.
    Source {
        /// Bits 7:0.
        src: u8,
        /// Bits 31:8.
        rest: u32,
    },
    /// W: the operand of sweeps and sums.
    Sweep {
        /// Bits 7:0.
        src: u8,
        /// Bits 15:8, the destination again.
        dst2: u8,
        /// Bits 22:16, the second length.
        len2: u8,
        /// Bits 31:23.
        rest: u16,
    },
    /// A word of which nothing is known.
    Raw(u32),
}

impl Instruction {
    /// The instruction at the start of `bytes`, little-endian words. What follows it is not judged.
    #[inline]
    pub fn decode(bytes: &[u8]) -> Result<Self, Error> {
        let first = Word::decode(bytes)?;
        let word = |n: usize| {
            let word = bytes.get(4 * n..)?.first_chunk()?;
            Some(u32::from_le_bytes(*word))
        };
        let words = match bytes.first_chunk::<16>() {
            Some(bytes) => {
                let (words, _) = bytes.as_chunks();
                std::array::from_fn(|n| u32::from_le_bytes(words[n]))
            }
            None => std::array::from_fn(|n| word(n).unwrap_or(0)),
        };
        Self::new(first, words, bytes.len())
    }

    /// The instruction at the start of `words`. What follows it is not judged; offsets are in bytes.
    pub fn from_words(words: &[u32]) -> Result<Self, Error> {
        let left = 4 * words.len();
        let Some(first) = words.first() else {
            return Err(Error::Truncated {
                at: 0,
                needed: 4,
                left,
            });
        };
        let word = |n| words.get(n).copied().unwrap_or(0);
        Self::new(Word(*first), std::array::from_fn(word), left)
    }

    /// The instruction of a first word: as many of `words` as it takes, if there are so many in `left` bytes.
    #[inline]
    fn new(first: Word, words: [u32; 4], left: usize) -> Result<Self, Error> {
        let op = first.op();
        let count = usize::from(op.row().words);
        if left < 4 * count {
            return Err(Error::Truncated {
                at: 0,
                needed: 4 * count,
                left,
            });
        }
        let instruction = Self {
            op,
            words: std::array::from_fn(|n| if n < count { words[n] } else { 0 }),
        };
        instruction.check()?;
        Ok(instruction)
    }

    /// Fields have to end within the pixel's bits. A length of 0 is within.
    #[inline]
    fn check(&self) -> Result<(), Error> {
        let op = self.op;
        let beyond = |start: u8, len: u8| u16::from(start) + u16::from(len) > PIXEL_BITS;
        let len = self.len();
        if let Some(len) = len
            // Where its address is, is not known (I009).
            && op != Op::MemGeScaS1
            && beyond(self.word().addr(), len)
        {
            let addr = self.word().addr();
            return Err(Error::Field {
                at: 0,
                op,
                addr,
                len,
            });
        }
        let (src, len) = match self.operand() {
            Operand::Source { src, .. } if op == Op::Cpy => (src, len.unwrap_or(0)),
            Operand::Sweep { src, len2, .. } => (src, len2),
            _ => return Ok(()),
        };
        if beyond(src, len) {
            return Err(Error::Source {
                at: 4,
                op,
                src,
                len,
            });
        }
        Ok(())
    }

    /// The instruction's name.
    #[inline]
    pub fn op(&self) -> Op {
        self.op
    }

    /// The first word.
    #[inline]
    pub fn word(&self) -> Word {
        Word(self.words[0])
    }

    /// The length that L says by the instruction's rule, if it says one.
    #[allow(clippy::len_without_is_empty, reason = "the length of a field")]
    #[inline]
    pub fn len(&self) -> Option<u8> {
        self.op.row().rule.len(self.word().length())
    }

    /// Its words, the first included.
    #[inline]
    pub fn words(&self) -> &[u32] {
        &self.words[..self.count()]
    }

    /// How many words it has, the first included.
    #[inline]
    pub fn count(&self) -> usize {
        usize::from(self.op.row().words)
    }

    /// The operand words, as they are.
    #[inline]
    pub fn following(&self) -> &[u32] {
        &self.words()[1..]
    }

    /// The operand words, read.
    #[inline]
    pub fn operand(&self) -> Operand {
        let [_, abc @ ..] = self.words;
        let [first, ..] = abc;
        match self.op.row().operands {
            Operands::None => Operand::None,
            Operands::Coefficients => Operand::Coefficients(abc.map(f32::from_bits)),
            Operands::Scalar => Operand::Scalar(first),
            Operands::Source => Operand::Source {
                src: first as u8,
                rest: first >> 8,
            },
            Operands::Sweep => Operand::Sweep {
                src: first as u8,
                dst2: (first >> 8) as u8,
                len2: (first >> 16 & 0x7f) as u8,
                rest: (first >> 23) as u16,
            },
            Operands::Raw => Operand::Raw(first),
        }
    }
}

impl fmt::Display for Instruction {
    /// `TREEintoMEM_L3 addr=57 len=7 A=1 B=-1 C=0`; the word itself where nothing is known of it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.op)?;
        match self.op {
            Op::Unknown => return write!(f, " {}", self.word()),
            Op::McWrite => write!(f, " number={}", self.word().opcode())?,
            _ => write!(f, " addr={}", self.word().addr())?,
        }
        if let Some(len) = self.len() {
            write!(f, " len={len}")?;
        }
        write!(f, "{}", self.operand())
    }
}

impl fmt::Display for Operand {
    /// Each part with a space before it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::None => Ok(()),
            Self::Coefficients([a, b, c]) => write!(f, " A={a} B={b} C={c}"),
            Self::Scalar(scalar) => write!(f, " scalar={scalar}"),
            Self::Source { src, rest } => write!(f, " src={src} rest={rest:#x}"),
            Self::Sweep {
                src,
                dst2,
                len2,
                rest,
            } => write!(f, " src={src} dst2={dst2} len2={len2} rest={rest:#x}"),
            Self::Raw(word) => write!(f, " operand={word:#010x}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    fn decode(words: &[u32]) -> Result<Instruction, Error> {
        Instruction::decode(&bytes(words))
    }

    fn rejected(words: &[u32]) -> (&'static str, usize) {
        let error = decode(words).unwrap_err();
        (error.class(), error.offset())
    }

    const ONE: u32 = 0x3f80_0000;

    /// igc/insn/* of testdata/igc/instructions.cases.toml.
    #[test]
    fn operands_are_read_as_the_table_says() {
        let tree = decode(&[0x3d2a_4339, ONE, 0xbf80_0000, 0]).unwrap();
        assert_eq!((tree.op(), tree.len()), (Op::TreeIntoMemL3, Some(7)));
        assert_eq!(tree.operand(), Operand::Coefficients([1.0, -1.0, 0.0]));
        assert_eq!(
            tree.to_string(),
            "TREEintoMEM_L3 addr=57 len=7 A=1 B=-1 C=0"
        );

        let edge = decode(&[0x601, 0x3e01_3991, 0xec00, 0x4000_0000]).unwrap();
        assert_eq!((edge.op(), edge.count()), (Op::Edge, 4));

        let live = decode(&[0x438a_4320, ONE]).unwrap();
        assert_eq!((live.count(), live.operand()), (1, Operand::None));

        let copy = decode(&[0xbb00_4cb3, 0x0001_008f]).unwrap();
        assert_eq!((copy.word().addr(), copy.len()), (179, Some(3)));
        assert_eq!(
            copy.operand(),
            Operand::Source {
                src: 143,
                rest: 256
            }
        );

        let compare = decode(&[0xbc91_6c00, 0x34]).unwrap();
        assert_eq!(compare.operand(), Operand::Raw(52));
        let scalar = decode(&[0x0910_f734, ONE]).unwrap();
        assert_eq!(
            (scalar.len(), scalar.operand()),
            (Some(30), Operand::Scalar(1_065_353_216))
        );
        let sweep = decode(&[0xba01_253a, 0x0014_3a21]).unwrap();
        let expected = Operand::Sweep {
            src: 33,
            dst2: 58,
            len2: 20,
            rest: 0,
        };
        assert_eq!((sweep.len(), sweep.operand()), (Some(0), expected));
        let rest = decode(&[0xba01_253a, 0xff94_3a21]).unwrap();
        assert!(matches!(
            rest.operand(),
            Operand::Sweep {
                len2: 20,
                rest: 511,
                ..
            }
        ));
    }

    /// igc/reject/* of testdata/igc/rules.cases.toml.
    #[test]
    fn what_is_missing_comes_before_what_is_beyond() {
        assert_eq!(rejected(&[0x3d2a_4339, ONE, ONE]), ("truncated", 0));
        assert_eq!(rejected(&[0xbc00_4c34]), ("truncated", 0));
        assert_eq!(rejected(&[0x8000_0000]), ("truncated", 0));
        assert_eq!(rejected(&[0x601]), ("truncated", 0));
        assert_eq!(rejected(&[0x3d2a_43fa, ONE]), ("truncated", 0));
        assert_eq!(rejected(&[0x3d2a_43fa, ONE, ONE, ONE]), ("out-of-range", 0));
        assert_eq!(rejected(&[0xbc00_4c34, 0xfc]), ("out-of-range", 4));
        assert_eq!(rejected(&[0xba01_253a, 0x0014_3aed]), ("out-of-range", 4));
        assert_eq!(rejected(&[0x3b00_48ff]), ("out-of-range", 0));
        let part = bytes(&[0x3d2a_4339, ONE, ONE, ONE]);
        assert_eq!(
            Instruction::decode(&part[..15]),
            Err(Error::Truncated {
                at: 0,
                needed: 16,
                left: 15
            })
        );
    }

    /// igc/border/* of the same file, and what is exempt.
    #[test]
    fn the_last_bit_may_be_used() {
        for words in [
            &[0x3d2a_43f9, 0, 0, 0][..],
            &[0xbc00_4c34, 0xfb],
            &[0xba01_253a, 0x0014_3aec],
            &[0xba01_25ff, 0x0000_ff00],
            // No length by its rule, so no border: T of 114, Z of 116, M of 146.
            &[0x392a_43ff, 0, 0, 0],
            &[0x3a6a_21ff, 0, 0, 0],
            &[0x4910_f7ff, ONE],
            // MEMgeSCA's address is not judged: len 5 at 255.
            &[0xbc91_6cff, 0xff],
            // SWEEP_121's source is one bit, whatever its length (20): 255.
            &[0x8401_213a, 0xff],
            &[0x3ae9_4200, 0x7fc0_0001, 0x7f80_0000, 0xff80_0000],
        ] {
            assert!(decode(words).is_ok(), "{words:08x?}");
        }
    }

    #[test]
    fn the_message_says_where_and_what_is_allowed() {
        let beyond = decode(&[0xbc00_4c34, 0xfc]).unwrap_err();
        assert_eq!(
            beyond.to_string(),
            "0x4: CPY: source: 5 bits at 252 end at bit 257, at most 256 is allowed"
        );
    }
}
