//! Explaining: for each word of a stream, which instruction owns it, and as what.

use std::fmt;

use crate::stream::{Instructions, instructions};
use crate::{Error, Instruction, Op, Operands, Rule, Word};

/// What a word is to its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// The instruction's first word.
    First,
    /// The first coefficient.
    A,
    /// The second coefficient.
    B,
    /// The third coefficient.
    C,
    /// A scalar.
    Scalar,
    /// P: a source.
    Source,
    /// W: a source, the destination again and a second length.
    Sweep,
    /// A word kept as it is.
    Raw,
}

impl Part {
    fn of(operands: Operands, n: usize) -> Self {
        match (operands, n) {
            (_, 0) | (Operands::None, _) => Self::First,
            (Operands::Coefficients, 1) => Self::A,
            (Operands::Coefficients, 2) => Self::B,
            (Operands::Coefficients, _) => Self::C,
            (Operands::Scalar, _) => Self::Scalar,
            (Operands::Source, _) => Self::Source,
            (Operands::Sweep, _) => Self::Sweep,
            (Operands::Raw, _) => Self::Raw,
        }
    }

    /// The contract's name of it.
    pub fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::A => "A",
            Self::B => "B",
            Self::C => "C",
            Self::Scalar => "scalar",
            Self::Source => "P",
            Self::Sweep => "W",
            Self::Raw => "R",
        }
    }
}

/// A word of a stream, explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explained {
    /// Its byte.
    pub at: usize,
    /// The word.
    pub word: Word,
    /// The number of the instruction that owns it, from 0.
    pub number: usize,
    /// The byte of that instruction's first word.
    pub owner: usize,
    /// That instruction.
    pub instruction: Instruction,
    /// What the word is to it.
    pub part: Part,
}

impl Explained {
    /// The owner's name.
    pub fn op(&self) -> Op {
        self.instruction.op()
    }

    /// How the owner's L says a length.
    pub fn rule(&self) -> Rule {
        self.op().row().rule
    }

    /// The owner's L.
    pub fn length(&self) -> u8 {
        self.instruction.word().length()
    }

    /// The owner's length, if its L says one.
    #[allow(clippy::len_without_is_empty, reason = "the length of a field")]
    pub fn len(&self) -> Option<u8> {
        self.instruction.len()
    }
}

impl fmt::Display for Explained {
    /// One line: `0x0004 3ae94200 1 TREEltZERO_L3 addr=0 rule=E L=117 len=-` for a first word, and
    /// `0x0008 3f800000 1 TREEltZERO_L3 A=1` for an operand.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            at,
            word,
            number,
            part,
            ..
        } = *self;
        write!(f, "{at:#06x} {word} {number} {} ", self.op())?;
        let float = f32::from_bits(word.0);
        match part {
            Part::First => {
                write!(
                    f,
                    "addr={} rule={} L={}",
                    word.addr(),
                    self.rule(),
                    self.length()
                )?;
                match self.len() {
                    Some(len) => write!(f, " len={len}"),
                    None => f.write_str(" len=-"),
                }
            }
            Part::A | Part::B | Part::C => write!(f, "{}={float}", part.name()),
            Part::Scalar => write!(f, "scalar={}", word.0),
            _ => write!(f, "{}{}", part.name(), self.instruction.operand()),
        }
    }
}

/// The words of a stream, explained in order. Ends behind the first error.
#[derive(Clone, Debug)]
pub struct Explanations<'a> {
    instructions: Instructions<'a>,
    /// The instruction under way, with its number.
    owner: Option<(usize, crate::Placed)>,
    /// Its words that were handed out.
    done: usize,
}

/// Explains a stream word by word.
pub fn explain(bytes: &[u8]) -> Result<Explanations<'_>, Error> {
    Ok(Explanations {
        instructions: instructions(bytes)?,
        owner: None,
        done: 0,
    })
}

impl Iterator for Explanations<'_> {
    type Item = Result<Explained, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let (number, placed) = match self.owner {
            Some((number, placed)) if self.done < placed.instruction.count() => (number, placed),
            last => {
                let placed = match self.instructions.next()? {
                    Ok(placed) => placed,
                    Err(error) => return Some(Err(error)),
                };
                let next = (last.map_or(0, |(number, _)| number + 1), placed);
                self.owner = Some(next);
                self.done = 0;
                next
            }
        };
        let n = self.done;
        self.done += 1;
        let instruction = placed.instruction;
        Some(Ok(Explained {
            at: placed.at + 4 * n,
            word: Word(*instruction.words().get(n)?),
            number,
            owner: placed.at,
            instruction,
            part: Part::of(instruction.op().row().operands, n),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_has_its_owner_and_its_part() {
        let words: [u32; 10] = [
            0x100,
            0x3ae9_4200,
            0x3f80_0000,
            0xbf80_0000,
            0,
            0xba01_253a,
            0x0014_3a21,
            0x0910_f734,
            29,
            0x1_979d,
        ];
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let lines: Vec<_> = explain(&bytes)
            .unwrap()
            .map(|word| word.unwrap().to_string())
            .collect();
        assert_eq!(
            lines,
            [
                "0x0000 00000100 0 SETENABS addr=0 rule=0 L=0 len=-",
                "0x0004 3ae94200 1 TREEltZERO_L3 addr=0 rule=E L=117 len=-",
                "0x0008 3f800000 1 TREEltZERO_L3 A=1",
                "0x000c bf800000 1 TREEltZERO_L3 B=-1",
                "0x0010 00000000 1 TREEltZERO_L3 C=0",
                "0x0014 ba01253a 2 SWEEP_125 addr=58 rule=M L=116 len=0",
                "0x0018 00143a21 2 SWEEP_125 W src=33 dst2=58 len2=20 rest=0x0",
                "0x001c 0910f734 3 SCAintoMEM_S1 addr=52 rule=M L=18 len=30",
                "0x0020 0000001d 3 SCAintoMEM_S1 scalar=29",
                "0x0024 0001979d 4 unknown addr=157 rule=- L=0 len=-",
            ]
        );
    }

    #[test]
    fn words_before_an_error_are_explained() {
        let bytes = [0, 1, 0, 0, 0x34, 0x4c, 0x00, 0xbc];
        let mut words = explain(&bytes).unwrap();
        assert_eq!(words.next().unwrap().unwrap().op(), Op::SetEnabs);
        let error = words.next().unwrap().unwrap_err();
        assert_eq!((error.class(), error.offset()), ("truncated", 4));
        assert!(words.next().is_none());
    }
}
