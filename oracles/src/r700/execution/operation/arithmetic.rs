//! Sums, products, roundings, and the choices among floats.

use super::{Outcomes, Reason};
use crate::r700::execution::value::{SIGN, flushed, is_denormal};

/// The words as floats.
pub(super) fn floats(words: &[u32; 3]) -> [f32; 3] {
    words.map(f32::from_bits)
}

/// ADD: a + b (R6 p. 111).
pub(super) fn add(words: &[u32; 3], out: &mut Outcomes) {
    let [a, b, _] = floats(words);
    out.float(a + b);
}

/// MUL: a · b, where zero times anything is zero (R6 p. 153, S044).
pub(super) fn mul(words: &[u32; 3], out: &mut Outcomes) {
    let [a, b, _] = floats(words);
    let (number, other) = product(a, b);
    out.float(number);
    if let Some(other) = other {
        out.also_float(other, Reason::ZeroSign);
    }
    if let Some(zero) = flushed_product(a, b) {
        out.also_float(zero, Reason::Denormal);
    }
}

/// MUL_IEEE: a · b (R6 p. 154).
pub(super) fn mul_ieee(words: &[u32; 3], out: &mut Outcomes) {
    let [a, b, _] = floats(words);
    out.float(a * b);
    if let Some(zero) = flushed_product(a, b) {
        out.also_float(zero, Reason::Denormal);
    }
}

/// The zero that a product may be flushed to: one that is denormal, or was before it was rounded to the least normal number.
pub(super) fn flushed_product(a: f32, b: f32) -> Option<f32> {
    let exact = f64::from(a) * f64::from(b);
    let tiny = exact != 0.0 && exact.abs() < f64::from(f32::MIN_POSITIVE);
    tiny.then(|| 0.0f32.copysign(a * b))
}

/// The product under the rule that zero times anything is zero; and, where the factors would make that zero negative,
/// the negative zero.
pub(super) fn product(a: f32, b: f32) -> (f32, Option<f32>) {
    if a == 0.0 || b == 0.0 {
        let negative = a.is_sign_negative() != b.is_sign_negative();
        (0.0, negative.then_some(-0.0))
    } else {
        (a * b, None)
    }
}

/// MULADD, _M2, _M4, _D2: a · b + c, times a factor (R6 p. 159-162, S046). The zero rule is implied by the contrast with
/// the _IEEE forms (S044).
pub(super) fn muladd<const FACTOR: u32>(words: &[u32; 3], out: &mut Outcomes) {
    let [a, b, c] = floats(words);
    if a == 0.0 || b == 0.0 {
        let (product, other) = product(a, b);
        scaled::<FACTOR>(product + c, None, out);
        if let Some(other) = other {
            scaled::<FACTOR>(other + c, Some(Reason::ZeroSign), out);
        }
    } else {
        sum_of_product::<FACTOR>(a, b, c, out);
    }
}

/// MULADD_IEEE and its forms (R6 p. 163-166).
pub(super) fn muladd_ieee<const FACTOR: u32>(words: &[u32; 3], out: &mut Outcomes) {
    let [a, b, c] = floats(words);
    sum_of_product::<FACTOR>(a, b, c, out);
}

/// With two roundings, with one; and with a product flushed.
fn sum_of_product<const FACTOR: u32>(a: f32, b: f32, c: f32, out: &mut Outcomes) {
    let twice = a * b + c;
    scaled::<FACTOR>(twice, None, out);
    let once = libm::fmaf(a, b, c);
    if once.to_bits() != twice.to_bits() && !(once.is_nan() && twice.is_nan()) {
        scaled::<FACTOR>(once, Some(Reason::MuladdRounding), out);
    }
    if let Some(zero) = flushed_product(a, b) {
        scaled::<FACTOR>(zero + c, Some(Reason::Denormal), out);
    }
}

/// Adds a number to the outcomes, times the scale of the forms _M2, _M4 and _D2, as its exponent's code: 0 is none, 1 is
/// 2, 2 is 4, 3 is 1/2. It is the nominal one without a reason. What is denormal may be flushed before it is scaled, and
/// after.
fn scaled<const FACTOR: u32>(number: f32, reason: Option<Reason>, out: &mut Outcomes) {
    let factor = match FACTOR {
        1 => 2.0,
        2 => 4.0,
        3 => 0.5,
        _ => 1.0,
    };
    match reason {
        Some(reason) => out.also_float(number * factor, reason),
        None => out.float(number * factor),
    }
    if is_denormal(number.to_bits()) {
        let zero = f32::from_bits(flushed(number.to_bits()));
        out.also_float(zero * factor, Reason::Denormal);
    }
    if let Some(zero) = flushed_product(number, factor) {
        out.also_float(zero, Reason::Denormal);
    }
}

/// MUL_LIT, _M2, _M4, _D2: -MAX_FLOAT if b is -MAX_FLOAT, -infinity or a NaN, or c is not above zero; else the product
/// by the zero rule; times a factor (R6 p. 155-158). Mesa passes the logarithm, the factor that can be -MAX_FLOAT, as a
/// (R080), so what the test would say of a is possible as well.
pub(super) fn mul_lit<const FACTOR: u32>(words: &[u32; 3], out: &mut Outcomes) {
    let [a, b, c] = floats(words);
    let extreme = |x: f32| x.is_nan() || x <= -f32::MAX;
    let reading = |tested: f32| {
        if extreme(tested) || c.is_nan() || c <= 0.0 {
            (-f32::MAX, None)
        } else {
            product(a, b)
        }
    };
    let (number, other) = reading(b);
    scaled::<FACTOR>(number, None, out);
    if let Some(other) = other {
        scaled::<FACTOR>(other, Some(Reason::ZeroSign), out);
    }
    let (number, other) = reading(a);
    for number in other.into_iter().chain([number]) {
        scaled::<FACTOR>(number, Some(Reason::MulLitOperand), out);
    }
    if let Some(zero) = flushed_product(a, b) {
        // Where a reading multiplies.
        if [a, b].into_iter().any(|tested| reading(tested).0 == a * b) {
            scaled::<FACTOR>(zero, Some(Reason::Denormal), out);
        }
    }
}

/// MAX: a ≥ b ? a : b (R6 p. 139, S047).
pub(super) fn max(words: &[u32; 3], out: &mut Outcomes) {
    let [a, b, _] = floats(words);
    chosen(a, b, greater, out);
}

/// MIN: a < b ? a : b (R6 p. 144, S047).
pub(super) fn min(words: &[u32; 3], out: &mut Outcomes) {
    let [a, b, _] = floats(words);
    chosen(a, b, lesser, out);
}

/// A choice of a MAX or a MIN. A comparison may flush what it compares, and the choice then copies the operand whole.
fn chosen(a: f32, b: f32, choose: Choose, out: &mut Outcomes) {
    out.float(choose(a, b, |number| number));
    out.also_float(choose(a, b, as_zero), Reason::Denormal);
}

type Choose = fn(f32, f32, fn(f32) -> f32) -> f32;

/// How a comparison sees a number that flushes denormals.
pub(super) fn as_zero(number: f32) -> f32 {
    f32::from_bits(flushed(number.to_bits()))
}

/// What MAX says, with a comparison that sees its operands so.
pub(super) fn greater(a: f32, b: f32, seen: fn(f32) -> f32) -> f32 {
    if seen(a) >= seen(b) { a } else { b }
}

fn lesser(a: f32, b: f32, seen: fn(f32) -> f32) -> f32 {
    if seen(a) < seen(b) { a } else { b }
}

/// MAX_DX10: the formula of MAX; of a number and a NaN perhaps the number (R6 p. 140, S047).
pub(super) fn max_dx10(words: &[u32; 3], out: &mut Outcomes) {
    dx10(words, out, greater);
}

/// MIN_DX10: the formula of MIN; of a number and a NaN perhaps the number (R6 p. 145, S047).
pub(super) fn min_dx10(words: &[u32; 3], out: &mut Outcomes) {
    dx10(words, out, lesser);
}

fn dx10(words: &[u32; 3], out: &mut Outcomes, choose: Choose) {
    let [a, b, _] = floats(words);
    // If it is the first that is the NaN, the formula gives the number anyway.
    if b.is_nan() && !a.is_nan() {
        out.because(Reason::DxNan);
        out.float(b);
        out.float(a);
    } else {
        chosen(a, b, choose, out);
    }
}

/// FRACT: a - floor(a) (R6 p. 129). Of a tiny negative number that difference rounds to 1, which some give as the float
/// below.
pub(super) fn fract(words: &[u32; 3], out: &mut Outcomes) {
    let [a, ..] = floats(words);
    let fraction = a - libm::floorf(a);
    out.float(fraction);
    if fraction == 1.0 {
        out.also_float(1.0f32.next_down(), Reason::FractOfTiny);
    }
}

/// TRUNC: toward zero (R6 p. 224).
pub(super) fn trunc(words: &[u32; 3], out: &mut Outcomes) {
    out.float(libm::truncf(f32::from_bits(words[0])));
}

/// CEIL: up (R6 p. 115).
pub(super) fn ceil(words: &[u32; 3], out: &mut Outcomes) {
    out.float(libm::ceilf(f32::from_bits(words[0])));
}

/// FLOOR: down (R6 p. 127).
pub(super) fn floor(words: &[u32; 3], out: &mut Outcomes) {
    out.float(libm::floorf(f32::from_bits(words[0])));
}

/// RNDNE: to the nearest integer, ties to the even one (R6 p. 206). AMD's formula, floor(a + 0.5), makes +0 of numbers
/// from -0.5 to -0; LLVM selects IEEE's operation, which makes -0 (S052).
pub(super) fn rndne(words: &[u32; 3], out: &mut Outcomes) {
    let rounded = nearest_even(f32::from_bits(words[0]));
    out.float(rounded);
    if rounded.to_bits() == SIGN {
        out.also_float(0.0, Reason::RoundedZeroSign);
    }
}

/// The nearest integer, ties to the even one, with the sign of the number.
pub(super) fn nearest_even(number: f32) -> f32 {
    libm::roundevenf(number)
}
