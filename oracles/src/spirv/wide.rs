//! Operations on numbers of 8, 16 and 64 bits, and conversions between all widths: rarer, so one lane at a time.

use spirv::Op;

use super::lanes::{Lanes, Registers};
use super::number::{self, from_half, half, modulo, sign};
use super::operations::{Binary, Ternary, Unary, binary, ternary, unary};
use super::types::Scalar;

/// The NaN that 64-bit operations give.
const NAN64: u64 = 0x7ff8 << 48;

/// An operation of any kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Unary(Unary),
    Binary(Binary),
    Ternary(Ternary),
    /// One of the conversion instructions.
    Convert(Op),
}

/// An operation on vectors of any width.
#[derive(Clone, Debug)]
pub(super) struct Wide {
    pub(super) operation: Operation,
    /// First slot and scalar of the result.
    pub(super) to: (u32, Scalar),
    /// Those of the operands.
    pub(super) from: Vec<(u32, Scalar)>,
    /// Components.
    pub(super) count: u32,
}

impl Wide {
    /// Whether there is such an operation.
    pub(super) fn is_known(&self) -> bool {
        let from: Vec<(u64, Scalar)> = self.from.iter().map(|&(_, scalar)| (1, scalar)).collect();
        evaluate(self.operation, &from, self.to.1).is_some()
    }

    /// Executes it.
    pub(super) fn run(&self, registers: &mut Registers, lanes: Lanes<'_>) {
        let mut from = vec![(0, Scalar::Bool); self.from.len()];
        for index in 0..self.count {
            for lane in lanes.iter() {
                for (value, &(slot, scalar)) in from.iter_mut().zip(&self.from) {
                    let slot = slot + index * scalar.slots();
                    let low = u64::from(registers.get(slot, lane));
                    let high = match scalar.slots() {
                        2 => u64::from(registers.get(slot + 1, lane)),
                        _ => 0,
                    };
                    *value = (high << 32 | low, scalar);
                }
                let result = evaluate(self.operation, &from, self.to.1).unwrap_or(0);
                let slot = self.to.0 + index * self.to.1.slots();
                registers.set(slot, lane, result as u32);
                if self.to.1.slots() == 2 {
                    registers.set(slot + 1, lane, (result >> 32) as u32);
                }
            }
        }
    }
}

fn evaluate(operation: Operation, from: &[(u64, Scalar)], to: Scalar) -> Option<u64> {
    if let Operation::Convert(op) = operation {
        return convert(op, *from.first()?, to);
    }
    let first = from.first()?.1;
    if first.width().max(to.width()) < 64 {
        return narrow(operation, from, to);
    }
    match first {
        Scalar::Float { .. } => float64(operation, from),
        _ => integer64(operation, from),
    }
}

/// The value with its sign.
fn signed((value, scalar): (u64, Scalar)) -> i64 {
    let unused = 64 - scalar.width();
    ((value << unused) as i64) >> unused
}

/// What of a word a scalar of this width keeps.
fn truncate(value: u64, to: Scalar) -> u64 {
    if to.width() == 64 {
        value
    } else {
        value & ((1 << to.width()) - 1)
    }
}

fn as_double((value, scalar): (u64, Scalar)) -> f64 {
    match scalar.width() {
        16 => f64::from(from_half(value as u32)),
        64 => f64::from_bits(value),
        _ => f64::from(f32::from_bits(value as u32)),
    }
}

fn double(value: f64) -> u64 {
    if value.is_nan() {
        NAN64
    } else {
        value.to_bits()
    }
}

fn convert(op: Op, from: (u64, Scalar), to: Scalar) -> Option<u64> {
    let width = to.width();
    let real = |value: f64, single: f32| match width {
        16 => u64::from(half(value)),
        64 => double(value),
        _ => u64::from(number::word(single)),
    };
    Some(match op {
        Op::UConvert => truncate(from.0, to),
        Op::SConvert => truncate(signed(from) as u64, to),
        Op::ConvertFToU => (as_double(from) as u64).min(u64::MAX >> (64 - width)),
        Op::ConvertFToS => {
            let greatest = i64::MAX >> (64 - width);
            truncate(
                (as_double(from) as i64).clamp(!greatest, greatest) as u64,
                to,
            )
        }
        Op::ConvertSToF => real(signed(from) as f64, signed(from) as f32),
        Op::ConvertUToF => real(from.0 as f64, from.0 as f32),
        Op::FConvert => real(as_double(from), as_double(from) as f32),
        _ => return None,
    })
}

/// 8 and 16 bits by way of 32. What the wider operation gives is exact, or rounds a second time harmlessly: a float of
/// 24 bits holds twice the precision of one of 11 and two bits more.
fn narrow(operation: Operation, from: &[(u64, Scalar)], to: Scalar) -> Option<u64> {
    let width = from.first()?.1.width();
    let is_half = matches!(from.first()?.1, Scalar::Float { width: 16 });
    match operation {
        Operation::Unary(Unary::FNegate) if is_half => return Some(from[0].0 ^ 0x8000),
        Operation::Unary(Unary::FAbs) if is_half => return Some(from[0].0 & 0x7fff),
        Operation::Unary(Unary::BitReverse) => {
            return Some(u64::from((from[0].0 as u32).reverse_bits() >> (32 - width)));
        }
        Operation::Binary(Binary::UMulHigh | Binary::SMulHigh | Binary::Carry) => return None,
        Operation::Unary(Unary::QuantizeToF16) => return None,
        _ => {}
    }
    let with_sign = matches!(
        operation,
        Operation::Unary(Unary::SAbs | Unary::SSign | Unary::FindSMsb)
            | Operation::Binary(
                Binary::SDiv
                    | Binary::SRem
                    | Binary::SMod
                    | Binary::ShiftRightSigned
                    | Binary::SLess
                    | Binary::SLessEqual
                    | Binary::SMin
                    | Binary::SMax
            )
            | Operation::Ternary(Ternary::SClamp)
    );
    let is_shift = matches!(
        operation,
        Operation::Binary(Binary::ShiftLeft | Binary::ShiftRight | Binary::ShiftRightSigned)
    );
    let word = |index: usize| {
        let (value, scalar) = *from.get(index)?;
        Some(match scalar {
            Scalar::Float { width: 16 } => from_half(value as u32).to_bits(),
            _ if is_shift && index == 1 => value as u32 & (width - 1),
            _ if with_sign => signed((value, scalar)) as u32,
            _ => value as u32,
        })
    };
    let result = match operation {
        Operation::Unary(operation) => unary(operation, [word(0)?]),
        Operation::Binary(operation) => binary(operation, [word(0)?, word(1)?]),
        Operation::Ternary(operation) => ternary(operation, [word(0)?, word(1)?, word(2)?]),
        Operation::Convert(_) => return None,
    };
    Some(match to {
        Scalar::Float { width: 16 } => u64::from(half(f64::from(f32::from_bits(result)))),
        _ => truncate(u64::from(result), to),
    })
}

fn integer64(operation: Operation, from: &[(u64, Scalar)]) -> Option<u64> {
    let a = from.first()?.0;
    let b = from.get(1).map_or(0, |operand| operand.0);
    let c = from.get(2).map_or(0, |operand| operand.0);
    let (sa, sb, sc) = (a as i64, b as i64, c as i64);
    Some(match operation {
        Operation::Unary(operation) => match operation {
            Unary::SNegate => a.wrapping_neg(),
            Unary::Not => !a,
            Unary::BitReverse => a.reverse_bits(),
            Unary::BitCount => u64::from(a.count_ones()),
            Unary::SAbs => sa.wrapping_abs() as u64,
            Unary::SSign => sa.signum() as u64,
            _ => return None,
        },
        Operation::Binary(operation) => match operation {
            Binary::IAdd => a.wrapping_add(b),
            Binary::ISub => a.wrapping_sub(b),
            Binary::IMul => a.wrapping_mul(b),
            Binary::UDiv => a.checked_div(b).unwrap_or(0),
            Binary::UMod => a.checked_rem(b).unwrap_or(0),
            Binary::SDiv => {
                if b == 0 {
                    0
                } else {
                    sa.wrapping_div(sb) as u64
                }
            }
            Binary::SRem => {
                if b == 0 {
                    0
                } else {
                    sa.wrapping_rem(sb) as u64
                }
            }
            Binary::SMod => {
                let rest = if b == 0 { 0 } else { sa.wrapping_rem(sb) };
                (if rest != 0 && (rest < 0) != (sb < 0) {
                    rest + sb
                } else {
                    rest
                }) as u64
            }
            Binary::UMulHigh => ((u128::from(a) * u128::from(b)) >> 64) as u64,
            Binary::SMulHigh => ((i128::from(sa) * i128::from(sb)) >> 64) as u64,
            Binary::Carry => u64::from(a.checked_add(b).is_none()),
            Binary::Borrow => u64::from(a < b),
            Binary::And => a & b,
            Binary::Or => a | b,
            Binary::Xor => a ^ b,
            Binary::ShiftLeft => a << (b & 63),
            Binary::ShiftRight => a >> (b & 63),
            Binary::ShiftRightSigned => (sa >> (b & 63)) as u64,
            Binary::IEqual => u64::from(a == b),
            Binary::INotEqual => u64::from(a != b),
            Binary::ULess => u64::from(a < b),
            Binary::ULessEqual => u64::from(a <= b),
            Binary::SLess => u64::from(sa < sb),
            Binary::SLessEqual => u64::from(sa <= sb),
            Binary::UMin => a.min(b),
            Binary::UMax => a.max(b),
            Binary::SMin => sa.min(sb) as u64,
            Binary::SMax => sa.max(sb) as u64,
            _ => return None,
        },
        Operation::Ternary(operation) => match operation {
            Ternary::UClamp => a.max(b).min(c),
            Ternary::SClamp => sa.max(sb).min(sc) as u64,
            _ => return None,
        },
        Operation::Convert(_) => return None,
    })
}

fn float64(operation: Operation, from: &[(u64, Scalar)]) -> Option<u64> {
    let bits = from.first()?.0;
    let real = |index: usize| {
        from.get(index)
            .map_or(f64::NAN, |operand| f64::from_bits(operand.0))
    };
    let (a, b, c) = (real(0), real(1), real(2));
    let unordered = a.is_nan() || b.is_nan();
    let lesser = |a: f64, b: f64| if b < a { b } else { a };
    let greater = |a: f64, b: f64| if a < b { b } else { a };
    Some(match operation {
        Operation::Unary(operation) => match operation {
            Unary::FNegate => bits ^ 1 << 63,
            Unary::FAbs => bits & !(1 << 63),
            Unary::IsNan => u64::from(a.is_nan()),
            Unary::IsInf => u64::from(a.is_infinite()),
            Unary::Round => double(a.round_ties_even()),
            Unary::Trunc => double(a.trunc()),
            Unary::Floor => double(a.floor()),
            Unary::Ceil => double(a.ceil()),
            Unary::Fract => double(a - a.floor()),
            Unary::FSign => double(sign(a)),
            Unary::Sqrt => double(a.sqrt()),
            Unary::InverseSqrt => double(1.0 / a.sqrt()),
            _ => return None,
        },
        Operation::Binary(operation) => match operation {
            Binary::FAdd => double(a + b),
            Binary::FSub => double(a - b),
            Binary::FMul => double(a * b),
            Binary::FDiv => double(a / b),
            Binary::FRem => double(libm::fmod(a, b)),
            Binary::FMod => double(modulo(a, b)),
            Binary::FMin => double(lesser(a, b)),
            Binary::FMax => double(greater(a, b)),
            Binary::Step => double(if b < a { 0.0 } else { 1.0 }),
            Binary::FOrdEqual => u64::from(a == b),
            Binary::FUnordEqual => u64::from(a == b || unordered),
            Binary::FOrdNotEqual => u64::from(a != b && !unordered),
            Binary::FUnordNotEqual => u64::from(a != b),
            Binary::FOrdLess => u64::from(a < b),
            Binary::FOrdLessEqual => u64::from(a <= b),
            Binary::FUnordLess => u64::from(a < b || unordered),
            Binary::FUnordLessEqual => u64::from(a <= b || unordered),
            Binary::Ordered => u64::from(!unordered),
            Binary::Unordered => u64::from(unordered),
            _ => return None,
        },
        Operation::Ternary(operation) => match operation {
            Ternary::Fma => double(libm::fma(a, b, c)),
            Ternary::FClamp => double(lesser(greater(a, b), c)),
            Ternary::FMix => double(a * (1.0 - c) + b * c),
            _ => return None,
        },
        Operation::Convert(_) => return None,
    })
}
