//! What is not executed, and why.

use crate::{Instruction, Op, Operand, Rule};

/// Why an instruction is not executed: what it does is not known, or not for such words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the message says what the fields are")]
pub enum Unsupported {
    /// What the instruction does is not known.
    #[error("what it does is not known")]
    NotKnown,
    /// It uses the tree, and there is none yet.
    #[error("no live tree")]
    NoTree,
    /// A coefficient that is infinite or no number.
    #[error("coefficient {} is {bits:#010x}, a finite number is allowed", ["A", "B", "C"][*coefficient])]
    NonFinite { coefficient: usize, bits: u32 },
    /// L says no length where one is needed.
    #[error("L is {found}, which is no length by rule {rule}")]
    NoLength { found: u8, rule: Rule },
    /// A length of 0.
    #[error("the length is 0, 1 or more is allowed")]
    ZeroLength,
    /// A scalar into a field longer than it.
    #[error("the length is {found}, 1 to 32 is allowed")]
    LongScalar { found: u8 },
    /// A second length of 0.
    #[error("the second length is 0, 1 or more is allowed")]
    ZeroSecondLength,
    /// Another L than the rule asks.
    #[error("L is {found}, rule {rule} allows {}", allowed(*rule))]
    Length { found: u8, rule: Rule },
    /// An address where none has a meaning.
    #[error("addr is {found}, 0 is allowed")]
    Addr { found: u8 },
    /// Bits of the operand word that have no known meaning.
    #[error("rest is {found:#x}, 0 is allowed")]
    Rest { found: u32 },
    /// A second word that names another destination than the first.
    #[error("dst2 is {found}, addr is {addr}: the same is allowed")]
    Destination { found: u8, addr: u8 },
}

fn allowed(rule: Rule) -> &'static str {
    match rule {
        Rule::Fixed => "117",
        Rule::ZeroOrM => "0 and, of one bit, 117",
        _ => "0",
    }
}

/// The first reason not to execute an instruction, if there is one. Nothing has changed then.
pub(super) fn refusal(instruction: &Instruction, live_tree: bool) -> Option<Unsupported> {
    refuse(instruction, live_tree).err()
}

fn refuse(instruction: &Instruction, live_tree: bool) -> Result<(), Unsupported> {
    let (op, word) = (instruction.op(), instruction.word());
    let unless = |fine: bool, why| if fine { Ok(()) } else { Err(why) };
    unless(known(op), Unsupported::NotKnown)?;
    unless(live_tree || op != Op::TreeIntoMemL0, Unsupported::NoTree)?;
    if let Operand::Coefficients(abc) = instruction.operand()
        && let Some(coefficient) = abc.iter().position(|c| !c.is_finite())
    {
        let bits = instruction.following()[coefficient];
        return Err(Unsupported::NonFinite { coefficient, bits });
    }
    length(instruction)?;
    let found = word.addr();
    unless(found == 0 || !addressless(op), Unsupported::Addr { found })?;
    match instruction.operand() {
        Operand::Source { rest, .. } => unless(rest == 0, Unsupported::Rest { found: rest }),
        Operand::Sweep {
            dst2, len2, rest, ..
        } => {
            unless(len2 != 0, Unsupported::ZeroSecondLength)?;
            let found = rest.into();
            unless(rest == 0, Unsupported::Rest { found })?;
            let addr = word.addr();
            unless(dst2 == addr, Unsupported::Destination { found: dst2, addr })
        }
        _ => Ok(()),
    }
}

fn known(op: Op) -> bool {
    !matches!(
        op,
        Op::Edge
            | Op::SEdge
            | Op::SEdgeBar
            | Op::MemEdge
            | Op::OvFix
            | Op::FBits
            | Op::MemGeScaS1
            | Op::Sweep121
            | Op::Sweep125
            | Op::McWrite
            | Op::Unknown
    )
}

fn addressless(op: Op) -> bool {
    matches!(
        op,
        Op::Noop | Op::SetEnabs | Op::ClrEnabs | Op::TreeLtZeroL3 | Op::TreeGeZeroL3
    )
}

fn length(instruction: &Instruction) -> Result<(), Unsupported> {
    let rule = instruction.op().row().rule;
    let found = instruction.word().length();
    let l = Unsupported::Length { found, rule };
    match (rule, instruction.len()) {
        (Rule::None, _) => Ok(()),
        (Rule::Zero, _) => (found == 0).then_some(()).ok_or(l),
        (Rule::Fixed, _) => (found == 117).then_some(()).ok_or(l),
        (Rule::ZeroOrM, _) => matches!(found, 0 | 117).then_some(()).ok_or(l),
        (_, None) => Err(Unsupported::NoLength { found, rule }),
        (_, Some(0)) => Err(Unsupported::ZeroLength),
        (_, Some(found)) if instruction.op() == Op::ScaIntoMemS1 && found > 32 => {
            Err(Unsupported::LongScalar { found })
        }
        _ => Ok(()),
    }
}
