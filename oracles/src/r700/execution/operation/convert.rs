//! Conversions between floats and integers.

use super::arithmetic::nearest_even;
use super::{Outcomes, Reason};

/// Whether a number without its fraction is a signed 32-bit integer.
pub(super) fn fits(number: f32) -> bool {
    (-2_147_483_648.0..2_147_483_648.0).contains(&libm::truncf(number))
}

/// FLT_TO_INT: toward zero; of an integer that does not fit the low 32 bits (R6 p. 128). Mesa uses it where it wants the
/// nearest integer as well (S065, R077). Of infinities and NaNs nothing is stated.
pub(super) fn flt_to_int(words: &[u32; 3], out: &mut Outcomes) {
    let number = f32::from_bits(words[0]);
    if !number.is_finite() {
        out.unknown(number as i32 as u32, Reason::ConversionRange);
        return;
    }
    if !fits(number) {
        out.word(low_bits(number));
        return;
    }
    out.word(libm::truncf(number) as i32 as u32);
    out.also(
        nearest_even(number) as i32 as u32,
        Reason::ConvertedFraction,
    );
}

/// The low 32 bits of a whole number, in two's complement.
fn low_bits(number: f32) -> u32 {
    // A whole number of 2^31 and more is its significand of 24 bits, shifted left.
    let bits = number.to_bits();
    let significand = bits & 0x007f_ffff | 0x0080_0000;
    let shift = (bits >> 23 & 0xff).saturating_sub(150);
    let magnitude = significand.checked_shl(shift).unwrap_or(0);
    if number < 0.0 {
        magnitude.wrapping_neg()
    } else {
        magnitude
    }
}

/// FLT_TO_UINT (RG p. 95 has the name alone; S066): as its sibling, and open for what rounds to a negative integer.
pub(super) fn flt_to_uint(words: &[u32; 3], out: &mut Outcomes) {
    let number = f32::from_bits(words[0]);
    let (truncated, nearest) = (libm::truncf(number), nearest_even(number));
    if !(0.0..4_294_967_296.0).contains(&truncated) || nearest < 0.0 {
        out.unknown(number as u32, Reason::ConversionRange);
        return;
    }
    out.word(truncated as u32);
    out.also(nearest as u32, Reason::ConvertedFraction);
}

/// INT_TO_FLT (R6 p. 130): the nearest float, ties to the even one, or the nearest toward zero.
pub(super) fn int_to_flt(words: &[u32; 3], out: &mut Outcomes) {
    to_float(i64::from(words[0] as i32), out);
}

/// UINT_TO_FLT (R6 p. 225): likewise.
pub(super) fn uint_to_flt(words: &[u32; 3], out: &mut Outcomes) {
    to_float(i64::from(words[0]), out);
}

fn to_float(integer: i64, out: &mut Outcomes) {
    // 32-bit integers are exact as doubles, so either way there is one rounding.
    let exact = integer as f64;
    let nearest = exact as f32;
    out.float(nearest);
    if f64::from(nearest.abs()) > exact.abs() {
        let below = nearest.abs().next_down().copysign(nearest);
        out.also_float(below, Reason::ConversionRounding);
    }
}
