//! The bits of a component as the word that a fetch delivers.

use super::format::Kind;
use super::{Reason, Value};

/// NUM_FORMAT, FORMAT_COMP and SRF_MODE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) format: NumberFormat,
    pub(super) signed: bool,
    /// SRF_MODE 1: no code is zero.
    pub(super) no_zero: bool,
}

/// NUM_FORMAT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NumberFormat {
    /// 0 to 1 or -1 to 1.
    Norm,
    /// The integer.
    Int,
    /// The integer as a float.
    Scaled,
}

impl NumberFormat {
    /// The meaning of the field's number; none for the reserved one.
    pub(super) const fn from_code(code: u8) -> Option<Self> {
        match code {
            0 => Some(Self::Norm),
            1 => Some(Self::Int),
            2 => Some(Self::Scaled),
            _ => None,
        }
    }
}

/// The word of a component. `bits` has nothing above `width`, which is 1 to 32.
pub(super) fn deliver(bits: u32, width: u32, kind: Kind, numbers: Numbers) -> Value {
    match kind {
        Kind::Integer => integer(bits, width, numbers),
        Kind::Float if width == 32 => Value::settled(bits),
        // Whether NUM_FORMAT INT leaves a short float's bits alone is nowhere said.
        Kind::Float if numbers.format == NumberFormat::Int => {
            Value::unknown(bits, Reason::UnstatedFetch)
        }
        Kind::Float => float(bits, width),
        Kind::SharedExponent => Value::unknown(bits, Reason::UnstatedFetch),
    }
}

fn integer(bits: u32, width: u32, numbers: Numbers) -> Value {
    let extended = match numbers.signed {
        // Shifted up to the sign and back down, which copies the sign.
        true => (bits << (32 - width)) as i32 >> (32 - width),
        false => bits as i32,
    };
    let number = match numbers.signed {
        true => i64::from(extended),
        false => i64::from(bits),
    };
    match numbers.format {
        NumberFormat::Int => Value::settled(extended as u32),
        NumberFormat::Scaled => scaled(number),
        NumberFormat::Norm => norm(number, width, numbers),
    }
}

/// An integer as a float: as INT_TO_FLT, of which no source states the rounding.
fn scaled(number: i64) -> Value {
    let nearest = number as f32;
    if nearest as i64 == number {
        return Value::settled(nearest.to_bits());
    }
    let toward_zero = if (nearest as i64).abs() > number.abs() {
        f32::from_bits(nearest.to_bits() - 1)
    } else {
        nearest
    };
    Value::one_of(
        nearest.to_bits(),
        &[toward_zero.to_bits()],
        Reason::ConversionRounding,
    )
}

fn norm(number: i64, width: u32, numbers: Numbers) -> Value {
    let codes = 1_i64 << width;
    let (numerator, denominator) = match (numbers.signed, numbers.no_zero) {
        (false, _) => (number, codes - 1),
        (true, false) => (number, codes / 2 - 1),
        (true, true) => (2 * number + 1, codes - 1),
    };
    if denominator == 0 {
        // One signed bit: 0 and -1 over zero.
        return Value::unknown(0, Reason::UnstatedFetch);
    }
    // Two codes are -1: the lower one is clamped.
    let numerator = numerator.max(-denominator);
    if numerator == 0 || numerator.abs() == denominator {
        return Value::settled((numerator.signum() as f32).to_bits());
    }
    // Numerator and denominator are exact in f64; f32 of an f64 quotient of 33-bit integers is the correctly rounded one
    // or its neighbour, and the bounds are wider than that.
    let nominal = (numerator as f64 / denominator as f64) as f32;
    Value::within(
        nominal,
        nominal.next_down(),
        nominal.next_up(),
        false,
        Reason::Normalized,
    )
}

/// A short float: five bits of exponent with bias 15; 16 bits have a sign and ten bits of fraction, 11 and 10 bits have
/// six and five bits of fraction and no sign.
fn float(bits: u32, width: u32) -> Value {
    let fraction_bits = match width {
        16 => 10,
        11 => 6,
        _ => 5,
    };
    let sign = if width == 16 { (bits >> 15) << 31 } else { 0 };
    let exponent = bits >> fraction_bits & 31;
    let fraction = bits & ((1 << fraction_bits) - 1);
    // The fraction at its place in 23 bits.
    let wide = fraction << (23 - fraction_bits);
    match exponent {
        31 if fraction != 0 => Value::any_nan(sign | 0x7f80_0000 | wide, Reason::NanResult),
        31 => Value::settled(sign | 0x7f80_0000),
        0 if fraction == 0 => Value::settled(sign),
        0 => {
            // A denormal: fraction · 2^(-14 - fraction_bits), which f32 holds exactly. No source says that it is kept.
            let value = fraction as f32 * f32::from_bits((127 - 14 - fraction_bits) << 23);
            Value::one_of(sign | value.to_bits(), &[sign], Reason::Denormal)
        }
        _ => Value::settled(sign | (exponent + 127 - 15) << 23 | wide),
    }
}

/// The three components of 5_9_9_9_SHAREDEXP: fraction · 2^(exponent - 15 - 9), which f32 holds exactly.
pub(super) fn shared_exponent(word: u32) -> [Value; 3] {
    let exponent = word >> 27;
    // 2^(exponent - 24), of which the exponent is -24 to 7.
    let scale = f32::from_bits((127 - 24 + exponent) << 23);
    [0, 9, 18].map(|low| {
        let fraction = word >> low & 0x1ff;
        Value::settled((fraction as f32 * scale).to_bits())
    })
}
