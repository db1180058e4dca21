//! Streams: instruction after instruction, by their lengths alone.
//!
//! A word is a coefficient because an instruction before it takes it; what it looks like plays no part (I007).

use crate::{Error, Instruction, Op};

/// Bytes that a stream, or a list of DMA commands, may have.
pub const MAX_BYTES: usize = 262_144;

/// An instruction of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The byte of its first word.
    pub at: usize,
    /// The instruction.
    pub instruction: Instruction,
}

/// The instructions of a stream, in order. Ends behind the first error.
#[derive(Clone, Debug)]
pub struct Instructions<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// Segments a stream of little-endian words.
///
/// ```
/// // SETENABS, and an edge that is cut off.
/// let bytes = [0, 1, 0, 0, 0x00, 0x42, 0xe9, 0x3a];
/// let mut instructions = igc::instructions(&bytes)?;
/// assert_eq!(instructions.next().unwrap()?.instruction.op(), igc::Op::SetEnabs);
/// let error = instructions.next().unwrap().unwrap_err();
/// assert_eq!((error.class(), error.offset()), ("truncated", 4));
/// # Ok::<(), igc::Error>(())
/// ```
pub fn instructions(bytes: &[u8]) -> Result<Instructions<'_>, Error> {
    whole(bytes, 4)?;
    Ok(Instructions { bytes, at: 0 })
}

/// All instructions of a stream, or its first error.
pub fn decode(bytes: &[u8]) -> Result<Vec<Placed>, Error> {
    instructions(bytes)?.collect()
}

/// How many instructions there are, and how many of them are unknown; or the first error.
pub fn count(bytes: &[u8]) -> Result<(usize, usize), Error> {
    instructions(bytes)?.try_fold((0, 0), |(all, unknown), placed| {
        let more = usize::from(placed?.instruction.op() == Op::Unknown);
        Ok((all + 1, unknown + more))
    })
}

/// The bytes of instructions, one after the other, if they are not too many.
pub fn encode<'a>(
    instructions: impl IntoIterator<Item = &'a Instruction>,
) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    for instruction in instructions {
        for word in instruction.words() {
            bytes.extend(word.to_le_bytes());
        }
        let found = bytes.len();
        if found > MAX_BYTES {
            return Err(Error::TooLong { found });
        }
    }
    Ok(bytes)
}

/// The length is a multiple of a unit's and within the limit.
pub(crate) fn whole(bytes: &[u8], multiple: usize) -> Result<(), Error> {
    let found = bytes.len();
    if !found.is_multiple_of(multiple) {
        return Err(Error::Length { found, multiple });
    }
    if found > MAX_BYTES {
        return Err(Error::TooLong { found });
    }
    Ok(())
}

impl Iterator for Instructions<'_> {
    type Item = Result<Placed, Error>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let at = self.at;
        let left = &self.bytes[at..];
        if left.is_empty() {
            return None;
        }
        Some(match Instruction::decode(left) {
            Ok(instruction) => {
                self.at += 4 * instruction.count();
                Ok(Placed { at, instruction })
            }
            Err(error) => {
                self.at = self.bytes.len();
                Err(error.moved(at))
            }
        })
    }
}

impl std::iter::FusedIterator for Instructions<'_> {}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    fn rejected(bytes: &[u8]) -> (&'static str, usize) {
        let error = decode(bytes).unwrap_err();
        (error.class(), error.offset())
    }

    /// igc/border/stream-packet.
    #[test]
    fn operands_and_padding_are_no_instructions_of_their_own() {
        let words = [
            0x100,
            0x3ae9_4200,
            0x3f80_0000,
            0,
            0xc200_0000,
            0x44ea_2120,
            0,
            0,
            0x42c8_0000,
            0x438a_4320,
            0x0910_f734,
            0x3f80_0000,
            0,
        ];
        let all = decode(&bytes(&words)).unwrap();
        let found: Vec<_> = all.iter().map(|p| (p.at, p.instruction.op())).collect();
        assert_eq!(
            found,
            [
                (0, Op::SetEnabs),
                (4, Op::TreeLtZeroL3),
                (20, Op::MemLtTreeL3),
                (36, Op::TreeIntoMemL0),
                (40, Op::ScaIntoMemS1),
                (48, Op::Noop),
            ]
        );
        assert_eq!(count(&bytes(&words)), Ok((6, 0)));
        assert_eq!(count(&[]), Ok((0, 0)));
        assert_eq!(count(&bytes(&[0x1979d, 0xba01_253a, 0x1979d])), Ok((2, 1)));
    }

    #[test]
    fn the_first_error_has_its_place_in_the_stream() {
        // igc/reject/stream-*.
        assert_eq!(rejected(&[0, 1, 0, 0, 0]), ("bad-length", 0));
        assert_eq!(
            rejected(&bytes(&[0x100, 0x3ae9_4200, 0x3f80_0000])),
            ("truncated", 4)
        );
        let beyond = bytes(&[0, 0x100, 0x3d2a_43fa, 0x3f80_0000, 0x3f80_0000, 0x3f80_0000]);
        assert_eq!(rejected(&beyond), ("out-of-range", 8));
        // A CPY behind it has a source that ends at 257: the operand word is the one at 8.
        assert_eq!(
            rejected(&bytes(&[0, 0xbc00_4c34, 0xfc])),
            ("out-of-range", 8)
        );
        let mut instructions = instructions(&beyond).unwrap();
        assert_eq!(instructions.by_ref().filter(Result::is_ok).count(), 2);
        assert!(instructions.next().is_none());
    }

    #[test]
    fn a_stream_has_a_greatest_length() {
        assert_eq!(count(&vec![0; MAX_BYTES]), Ok((65_536, 0)));
        assert_eq!(rejected(&vec![0; MAX_BYTES + 4]), ("limit", 0));
        let noop = Instruction::from_words(&[0]).unwrap();
        assert_eq!(encode(vec![&noop; 65_536]), Ok(vec![0; MAX_BYTES]));
        assert!(encode(vec![&noop; 65_537]).is_err());
        // The multiple is judged first.
        assert_eq!(rejected(&vec![0; MAX_BYTES + 3]), ("bad-length", 0));
    }
}
