//! The operations on words of 32 bits, component by component: one row each. The enumerations, the function of one
//! lane and the loops over lanes are derived from the rows.
//!
//! Where SPIR-V leaves a result undefined, this is what is chosen: a division by zero gives 0; the least integer divided
//! by -1 is itself; shift counts are taken modulo 32; conversions to integers saturate, and a NaN gives 0; bits of a bit
//! field beyond the word are dropped; FMin, FMax and FClamp go by the formulas that have `x` where a comparison fails.

use super::lanes::{Lanes, Operands, Registers};
use super::number::{
    float, from_half, greater, half, lesser, modulo, sign, smooth_step, through, truth, word,
};

macro_rules! operations {
    (
        $(#[$about:meta])*
        $name:ident($($argument:ident),+), $count:literal, $one:ident, $run:ident;
        $($operation:ident => $body:expr;)+
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum $name {
            $($operation),+
        }

        /// One lane's result.
        #[inline(always)]
        pub(super) fn $one(operation: $name, [$($argument),+]: [u32; $count]) -> u32 {
            match operation {
                $($name::$operation => $body),+
            }
        }

        /// The results of all executing lanes.
        pub(super) fn $run(
            operation: $name,
            registers: &mut Registers,
            lanes: Lanes<'_>,
            operands: Operands<$count>,
        ) {
            match operation {
                $($name::$operation => {
                    registers.map(lanes, operands, |values| $one($name::$operation, values));
                })+
            }
        }
    };
}

operations! {
    /// Operations of one operand.
    Unary(a), 1, unary, run_unary;

    FNegate => a ^ 0x8000_0000;
    FAbs => a & 0x7fff_ffff;
    SNegate => a.wrapping_neg();
    Not => !a;
    LogicalNot => a ^ 1;
    BitReverse => a.reverse_bits();
    BitCount => a.count_ones();
    IsNan => truth(float(a).is_nan());
    IsInf => truth(float(a).is_infinite());
    ConvertFToU => float(a) as u32;
    ConvertFToS => float(a) as i32 as u32;
    ConvertSToF => (a as i32 as f32).to_bits();
    ConvertUToF => (a as f32).to_bits();
    QuantizeToF16 => {
        // Denormals of the narrow format become zero.
        let narrow = half(f64::from(float(a)));
        word(from_half(if narrow & 0x7c00 == 0 { narrow & 0x8000 } else { narrow }))
    };
    Round => word(float(a).round_ties_even());
    Trunc => word(float(a).trunc());
    Floor => word(float(a).floor());
    Ceil => word(float(a).ceil());
    Fract => word(float(a) - float(a).floor());
    SAbs => (a as i32).wrapping_abs() as u32;
    FSign => through(a, sign);
    SSign => (a as i32).signum() as u32;
    Radians => through(a, |a| a * (std::f64::consts::PI / 180.0));
    Degrees => through(a, |a| a * (180.0 / std::f64::consts::PI));
    Sin => through(a, libm::sin);
    Cos => through(a, libm::cos);
    Tan => through(a, libm::tan);
    Asin => through(a, libm::asin);
    Acos => through(a, libm::acos);
    Atan => through(a, libm::atan);
    Sinh => through(a, libm::sinh);
    Cosh => through(a, libm::cosh);
    Tanh => through(a, libm::tanh);
    Asinh => through(a, libm::asinh);
    Acosh => through(a, libm::acosh);
    Atanh => through(a, libm::atanh);
    Exp => through(a, libm::exp);
    Log => through(a, libm::log);
    Exp2 => through(a, libm::exp2);
    Log2 => through(a, libm::log2);
    Sqrt => word(float(a).sqrt());
    InverseSqrt => through(a, |a| 1.0 / a.sqrt());
    FindILsb => if a == 0 { u32::MAX } else { a.trailing_zeros() };
    FindUMsb => 31u32.wrapping_sub(a.leading_zeros());
    FindSMsb => 31u32.wrapping_sub((if (a as i32) < 0 { !a } else { a }).leading_zeros());
    ModfFraction => {
        // The fraction has the sign of the whole; an infinity has none.
        let value = float(a);
        let fraction = if value.is_infinite() { 0.0 } else { value - value.trunc() };
        word(if value.is_nan() { fraction } else { fraction.copysign(value) })
    };
    FrexpSignificand => word(libm::frexpf(float(a)).0);
    FrexpExponent => {
        let value = float(a);
        if value.is_finite() { libm::frexpf(value).1 as u32 } else { 0 }
    };
    UnpackHalfLow => word(from_half(a & 0xffff));
    UnpackHalfHigh => word(from_half(a >> 16));
}

operations! {
    /// Operations of two operands.
    Binary(a, b), 2, binary, run_binary;

    FAdd => word(float(a) + float(b));
    FSub => word(float(a) - float(b));
    FMul => word(float(a) * float(b));
    FDiv => word(float(a) / float(b));
    FRem => word(libm::fmodf(float(a), float(b)));
    FMod => word(modulo(f64::from(float(a)), f64::from(float(b))) as f32);
    IAdd => a.wrapping_add(b);
    ISub => a.wrapping_sub(b);
    IMul => a.wrapping_mul(b);
    UDiv => a.checked_div(b).unwrap_or(0);
    SDiv => if b == 0 { 0 } else { (a as i32).wrapping_div(b as i32) as u32 };
    UMod => a.checked_rem(b).unwrap_or(0);
    SRem => if b == 0 { 0 } else { (a as i32).wrapping_rem(b as i32) as u32 };
    SMod => {
        let (a, b) = (a as i32, b as i32);
        let rest = if b == 0 { 0 } else { a.wrapping_rem(b) };
        (if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }) as u32
    };
    UMulHigh => ((u64::from(a) * u64::from(b)) >> 32) as u32;
    SMulHigh => ((i64::from(a as i32) * i64::from(b as i32)) >> 32) as u32;
    Carry => truth(a.checked_add(b).is_none());
    Borrow => truth(a < b);
    And => a & b;
    Or => a | b;
    Xor => a ^ b;
    ShiftLeft => a << (b & 31);
    ShiftRight => a >> (b & 31);
    ShiftRightSigned => ((a as i32) >> (b & 31)) as u32;
    IEqual => truth(a == b);
    INotEqual => truth(a != b);
    ULess => truth(a < b);
    ULessEqual => truth(a <= b);
    SLess => truth((a as i32) < (b as i32));
    SLessEqual => truth((a as i32) <= (b as i32));
    FOrdEqual => truth(float(a) == float(b));
    FUnordEqual => truth(!(float(a) < float(b) || float(a) > float(b)));
    FOrdNotEqual => truth(float(a) < float(b) || float(a) > float(b));
    FUnordNotEqual => truth(float(a) != float(b));
    FOrdLess => truth(float(a) < float(b));
    FOrdLessEqual => truth(float(a) <= float(b));
    FUnordLess => truth(float(a) < float(b) || unordered(a, b));
    FUnordLessEqual => truth(float(a) <= float(b) || unordered(a, b));
    Ordered => truth(!unordered(a, b));
    Unordered => truth(unordered(a, b));
    FMin => word(lesser(float(a), float(b)));
    FMax => word(greater(float(a), float(b)));
    NMin => match (float(a).is_nan(), float(b).is_nan()) {
        (true, _) => word(float(b)),
        (_, true) => a,
        _ => word(lesser(float(a), float(b))),
    };
    NMax => match (float(a).is_nan(), float(b).is_nan()) {
        (true, _) => word(float(b)),
        (_, true) => a,
        _ => word(greater(float(a), float(b))),
    };
    UMin => a.min(b);
    UMax => a.max(b);
    SMin => (a as i32).min(b as i32) as u32;
    SMax => (a as i32).max(b as i32) as u32;
    Atan2 => word(libm::atan2(f64::from(float(a)), f64::from(float(b))) as f32);
    Pow => word(libm::pow(f64::from(float(a)), f64::from(float(b))) as f32);
    Step => word(if float(b) < float(a) { 0.0 } else { 1.0 });
    Ldexp => word(libm::scalbnf(float(a), b as i32));
    PackHalf => half(f64::from(float(a))) | half(f64::from(float(b))) << 16;
    // The second operand is the number of bits, a constant.
    PackSnorm => {
        let top = ((1u32 << (b - 1)) - 1) as f32;
        let value = greater(lesser(float(a), 1.0), -1.0) * top;
        value.round_ties_even() as i32 as u32 & ((1 << b) - 1)
    };
    PackUnorm => {
        let top = ((1u32 << b) - 1) as f32;
        (greater(lesser(float(a), 1.0), 0.0) * top).round_ties_even() as u32
    };
    UnpackSnorm => {
        let value = ((a << (32 - b)) as i32 >> (32 - b)) as f32;
        word(greater(value / ((1u32 << (b - 1)) - 1) as f32, -1.0))
    };
    UnpackUnorm => word((a & ((1 << b) - 1)) as f32 / ((1u32 << b) - 1) as f32);
}

operations! {
    /// Operations of three operands.
    Ternary(a, b, c), 3, ternary, run_ternary;

    Select => if a != 0 { b } else { c };
    Fma => word(libm::fmaf(float(a), float(b), float(c)));
    FClamp => word(lesser(greater(float(a), float(b)), float(c)));
    NClamp => binary(Binary::NMin, [binary(Binary::NMax, [a, b]), c]);
    UClamp => a.max(b).min(c);
    SClamp => (a as i32).max(b as i32).min(c as i32) as u32;
    FMix => word(float(a) * (1.0 - float(c)) + float(b) * float(c));
    SmoothStep => word(smooth_step(float(a), float(b), float(c)));
    // Value, offset, count.
    BitFieldUExtract => field(a, b, c);
    BitFieldSExtract => {
        let unused = 32 - c.min(32);
        (if unused == 32 { 0 } else { ((field(a, b, c) << unused) as i32) >> unused }) as u32
    };
}

/// Whether one of two is a NaN.
#[inline(always)]
fn unordered(a: u32, b: u32) -> bool {
    float(a).is_nan() || float(b).is_nan()
}

/// `count` bits from `offset`.
#[inline(always)]
fn field(value: u32, offset: u32, count: u32) -> u32 {
    let shifted = value.checked_shr(offset).unwrap_or(0);
    shifted & field_mask(count)
}

/// The lowest bits.
#[inline(always)]
fn field_mask(count: u32) -> u32 {
    1u32.checked_shl(count).map_or(u32::MAX, |bit| bit - 1)
}

/// BitFieldInsert: base, insert, offset, count.
#[inline(always)]
pub(super) fn insert_field([base, insert, offset, count]: [u32; 4]) -> u32 {
    let mask = field_mask(count).checked_shl(offset).unwrap_or(0);
    base & !mask | insert.checked_shl(offset).unwrap_or(0) & mask
}
