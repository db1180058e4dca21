//! Encoding: an instruction back to bytes, and a new one from its name and arguments.

use crate::{Error, Instruction, Op, Operands, Rule, Word};

/// Why arguments make no instruction. Nothing is ever masked to fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the message says what the fields are")]
pub enum EncodeError {
    /// [`Op::Unknown`] is no name.
    #[error("unknown is no instruction")]
    Unknown,
    /// An address beyond the pixel's bits.
    #[error("{op}: addr {found}, 0 to 255 is allowed")]
    Addr { op: Op, found: u32 },
    /// A length that the rule can't say.
    #[error("{op}: len {found}, rule {rule} allows 0 to {longest}{}", if *rule == Rule::ZeroOrM { " without 12, which it can't tell from none" } else { "" })]
    Len {
        op: Op,
        found: u32,
        rule: Rule,
        longest: u8,
    },
    /// An argument that the instruction does not have.
    #[error("{op}: has no {argument}")]
    Surplus { op: Op, argument: &'static str },
    /// An argument that the instruction needs.
    #[error("{op}: {argument} is missing")]
    Missing { op: Op, argument: &'static str },
    /// An argument that its bits have no room for.
    #[error("{op}: {argument} {found}, {least} to {most} is allowed")]
    Argument {
        op: Op,
        argument: &'static str,
        found: u32,
        least: u32,
        most: u32,
    },
    /// The words would break an acceptance rule; offsets are within the instruction.
    #[error(transparent)]
    Rule(#[from] Error),
}

/// Arguments for an instruction.
///
/// ```
/// use igc::{Builder, Op};
/// let tree = Builder::new(Op::TreeIntoMemL3).addr(57).len(7).coefficients([1.0, -1.0, 0.0]).build()?;
/// assert_eq!(tree.words(), [0x3d2a_4339, 0x3f80_0000, 0xbf80_0000, 0]);
/// # Ok::<(), igc::EncodeError>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Builder {
    op: Op,
    addr: Option<u32>,
    len: Option<u32>,
    number: Option<u32>,
    operand: Argument,
}

#[derive(Clone, Copy, Debug)]
enum Argument {
    None,
    Coefficients([u32; 3]),
    Scalar(u32),
    Source(u32),
    Sweep { src: u32, len2: u32 },
    Raw(u32),
}

impl Argument {
    fn name(self) -> &'static str {
        match self {
            Self::None => "operand",
            Self::Coefficients(_) => "coefficients",
            Self::Scalar(_) => "scalar",
            Self::Source(_) => "source",
            Self::Sweep { .. } => "source and second length",
            Self::Raw(_) => "raw word",
        }
    }
}

impl Builder {
    /// An instruction without arguments: where it has an address, 0.
    pub fn new(op: Op) -> Self {
        Self {
            op,
            addr: None,
            len: None,
            number: None,
            operand: Argument::None,
        }
    }

    /// The address, 0 to 255.
    pub fn addr(mut self, addr: u32) -> Self {
        self.addr = Some(addr);
        self
    }

    /// The length of the field, in bits.
    pub fn len(mut self, len: u32) -> Self {
        self.len = Some(len);
        self
    }

    /// The number of EDGE (1 to 3) or MCWRITE (0 to 511).
    pub fn number(mut self, number: u32) -> Self {
        self.number = Some(number);
        self
    }

    /// A, B, C.
    pub fn coefficients(mut self, abc: [f32; 3]) -> Self {
        self.operand = Argument::Coefficients(abc.map(f32::to_bits));
        self
    }

    /// The scalar of SCAintoMEM.
    pub fn scalar(mut self, scalar: u32) -> Self {
        self.operand = Argument::Scalar(scalar);
        self
    }

    /// The source of CPY, OVFIX or SWEEP_121, 0 to 255.
    pub fn source(mut self, src: u32) -> Self {
        self.operand = Argument::Source(src);
        self
    }

    /// The source, 0 to 255, and second length, 0 to 127, of MEMpluseqMEM_K or SWEEP_125. The destination is repeated.
    pub fn sweep(mut self, src: u32, len2: u32) -> Self {
        self.operand = Argument::Sweep { src, len2 };
        self
    }

    /// The second word of FBITS or MEMgeSCA, as it is.
    pub fn raw(mut self, word: u32) -> Self {
        self.operand = Argument::Raw(word);
        self
    }

    /// The instruction, if its words can say all of this and keep the acceptance rules.
    pub fn build(self) -> Result<Instruction, EncodeError> {
        let op = self.op;
        if op == Op::Unknown {
            return Err(EncodeError::Unknown);
        }
        let addr = self.address()?;
        let first = (op.row().base + self.numbered()?) | self.length()? << 23 | addr;
        let [a, b, c] = self.operands(addr)?;
        Ok(Instruction::from_words(&[first, a, b, c])?)
    }

    fn address(self) -> Result<u32, EncodeError> {
        let op = self.op;
        match self.addr {
            Some(_) if op == Op::Edge => Err(EncodeError::Surplus {
                op,
                argument: "addr",
            }),
            Some(found) if found > 255 => Err(EncodeError::Addr { op, found }),
            addr => Ok(addr.unwrap_or(0)),
        }
    }

    /// What the number of EDGE or MCWRITE adds to the base.
    fn numbered(self) -> Result<u32, EncodeError> {
        let op = self.op;
        let argument = "number";
        let (least, most) = match op {
            Op::Edge => (1, 3),
            Op::McWrite => (0, 511),
            _ if self.number.is_some() => return Err(EncodeError::Surplus { op, argument }),
            _ => return Ok(0),
        };
        let found = self.number.ok_or(EncodeError::Missing { op, argument })?;
        within(op, argument, found, least, most)?;
        // The base of EDGE is that of number 1.
        Ok(if op == Op::Edge {
            found - 1
        } else {
            found << 8
        })
    }

    /// L.
    fn length(self) -> Result<u32, EncodeError> {
        let op = self.op;
        let rule = op.row().rule;
        let argument = "len";
        let l = match (self.len, rule.longest()) {
            (Some(_), None) => return Err(EncodeError::Surplus { op, argument }),
            (None, _) => rule.l(None).ok_or(EncodeError::Missing { op, argument })?,
            (Some(found), Some(longest)) => {
                let l = u8::try_from(found).ok().and_then(|len| rule.l(Some(len)));
                l.ok_or(EncodeError::Len {
                    op,
                    found,
                    rule,
                    longest,
                })?
            }
        };
        Ok(l.into())
    }

    fn operands(self, addr: u32) -> Result<[u32; 3], EncodeError> {
        let op = self.op;
        let missing = |argument| EncodeError::Missing { op, argument };
        match (op.row().operands, self.operand) {
            (Operands::None, Argument::None) => Ok([0; 3]),
            (Operands::Coefficients, Argument::Coefficients(abc)) => Ok(abc),
            (Operands::Scalar, Argument::Scalar(word)) | (Operands::Raw, Argument::Raw(word)) => {
                Ok([word, 0, 0])
            }
            (Operands::Source, Argument::Source(src)) => {
                within(op, "source", src, 0, 255)?;
                Ok([src, 0, 0])
            }
            (Operands::Sweep, Argument::Sweep { src, len2 }) => {
                within(op, "source", src, 0, 255)?;
                within(op, "second length", len2, 0, 127)?;
                Ok([len2 << 16 | addr << 8 | src, 0, 0])
            }
            (Operands::Coefficients, Argument::None) => Err(missing("coefficients")),
            (Operands::Scalar, Argument::None) => Err(missing("scalar")),
            (Operands::Source, Argument::None) => Err(missing("source")),
            (Operands::Sweep, Argument::None) => Err(missing("source and second length")),
            (Operands::Raw, Argument::None) => Err(missing("raw word")),
            (_, surplus) => Err(EncodeError::Surplus {
                op,
                argument: surplus.name(),
            }),
        }
    }
}

fn within(
    op: Op,
    argument: &'static str,
    found: u32,
    least: u32,
    most: u32,
) -> Result<(), EncodeError> {
    if (least..=most).contains(&found) {
        return Ok(());
    }
    Err(EncodeError::Argument {
        op,
        argument,
        found,
        least,
        most,
    })
}

impl Instruction {
    /// The instruction's bytes: what [`Instruction::decode`] was given.
    pub fn encode(&self) -> Vec<u8> {
        self.words()
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect()
    }
}

/// The word that the notes call MCREAD, of a number up to 511. A decoder answers the instruction that it is as well: MCREAD(1) is
/// SETENABS (I013). None above 511.
pub fn mcread(number: u32) -> Option<Word> {
    (number < 0x200).then_some(Word(number << 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(builder: Builder) -> Vec<u32> {
        builder.build().unwrap().words().to_vec()
    }

    /// Words of testdata/igc/*.cases.toml, from the arguments that the notes name.
    #[test]
    fn names_and_arguments_make_the_notes_words() {
        let new = Builder::new;
        assert_eq!(words(new(Op::SetEnabs)), [0x100]);
        assert_eq!(words(new(Op::EnabXorEqMem).addr(3)), [0x1_0a03]);
        assert_eq!(
            words(new(Op::MemBarIntoEnab).addr(52).len(1)),
            [0x3a80_4834]
        );
        assert_eq!(words(new(Op::MemBarIntoEnab).addr(52)), [0x4834]);
        assert_eq!(
            words(new(Op::TreeIntoMemL0).addr(32).len(20)),
            [0x438a_4320]
        );
        let compare = new(Op::MemLtTreeL3).addr(97).len(20);
        assert_eq!(
            words(compare.coefficients([0.0; 3])),
            [0x44ea_2161, 0, 0, 0]
        );
        let edge = new(Op::TreeLtZeroL3).coefficients([1.0, 2.0, -3.0]);
        assert_eq!(
            words(edge),
            [0x3ae9_4200, 0x3f80_0000, 0x4000_0000, 0xc040_0000]
        );
        let scalar = new(Op::ScaIntoMemS1).addr(52);
        assert_eq!(words(scalar.len(5).scalar(29)), [0x3c90_f734, 29]);
        assert_eq!(
            words(scalar.len(30).scalar(0x3f80_0000)),
            [0x0910_f734, 0x3f80_0000]
        );
        assert_eq!(
            words(new(Op::Cpy).addr(52).len(5).source(64)),
            [0xbc00_4c34, 64]
        );
        assert_eq!(words(new(Op::MemGeScaS1).len(5).raw(52)), [0xbc91_6c00, 52]);
        assert_eq!(
            words(new(Op::FBits).raw(0x4800_0000)),
            [0x8000_0000, 0x4800_0000]
        );
        assert_eq!(words(new(Op::OvFix).source(7)), [0x8000_e600, 7]);
        assert_eq!(
            words(new(Op::Sweep125).addr(58).len(0).sweep(33, 20)),
            [0xba01_253a, 0x0014_3a21]
        );
        assert_eq!(
            words(new(Op::Sweep121).addr(58).len(20).source(33)),
            [0x8401_213a, 33]
        );
        assert_eq!(words(new(Op::McWrite).number(511)), [0x3_ff00]);
        let edge = new(Op::Edge).number(2).coefficients([0.0; 3]);
        assert_eq!(words(edge), [0x602, 0, 0, 0]);
        assert_eq!((mcread(266), mcread(512)), (Some(Word(0x1_0a00)), None));
    }

    #[test]
    fn what_has_no_room_is_refused_and_not_masked() {
        let new = Builder::new;
        let error = |builder: Builder| builder.build().unwrap_err().to_string();
        assert_eq!(
            error(new(Op::MemIntoEnab).addr(256)),
            "MEMintoENAB: addr 256, 0 to 255 is allowed"
        );
        let tree = new(Op::TreeIntoMemL0);
        assert_eq!(
            error(tree.len(141)),
            "TREEintoMEM_L0: len 141, rule T allows 0 to 140"
        );
        assert_eq!(words(tree.len(140)), [0x7f8a_4300]);
        assert_eq!(error(tree), "TREEintoMEM_L0: len is missing");
        let compare = new(Op::MemLtTreeL3).coefficients([0.0; 3]);
        assert_eq!(
            error(compare.len(139)),
            "MEMltTREE_L3: len 139, rule Z allows 0 to 138"
        );
        assert_eq!(
            error(new(Op::ScaIntoMemS1).scalar(0).len(128)),
            "SCAintoMEM_S1: len 128, rule M allows 0 to 127"
        );
        assert_eq!(
            error(new(Op::MemBarIntoEnab).len(12)),
            "MEMBARintoENAB: len 12, rule 0 or M allows 0 to 127 without 12, which it can't tell from none"
        );
        assert_eq!(error(new(Op::SetEnabs).len(1)), "SETENABS: has no len");
        assert_eq!(
            error(new(Op::McWrite).number(512)),
            "MCWRITE: number 512, 0 to 511 is allowed"
        );
        assert_eq!(
            error(new(Op::Edge).number(4)),
            "EDGE: number 4, 1 to 3 is allowed"
        );
        assert_eq!(error(new(Op::Edge).number(1).addr(1)), "EDGE: has no addr");
        assert_eq!(error(new(Op::Noop).number(1)), "NOOP: has no number");
        let sum = new(Op::MemPlusEqMemK).len(8);
        assert_eq!(
            error(sum.sweep(0, 128)),
            "MEMpluseqMEM_K: second length 128, 0 to 127 is allowed"
        );
        assert_eq!(
            error(sum.sweep(256, 1)),
            "MEMpluseqMEM_K: source 256, 0 to 255 is allowed"
        );
        assert_eq!(
            error(sum),
            "MEMpluseqMEM_K: source and second length is missing"
        );
        assert_eq!(error(new(Op::Cpy).len(5).scalar(1)), "CPY: has no scalar");
        assert_eq!(
            error(tree.addr(250).len(7)),
            "0x0: TREEintoMEM_L0: 7 bits at 250 end at bit 257, at most 256 is allowed"
        );
        assert_eq!(error(new(Op::Unknown)), "unknown is no instruction");
    }
}
