//! Numbers as words: the float rules of this engine, and conversions of 16-bit floats.
//!
//! Every operation rounds to nearest even, keeps denormals, and gives the quiet NaN `0x7fc00000` where it gives a NaN.

/// The NaN that every operation gives.
pub(super) const NAN: u32 = 0x7fc0_0000;

/// The float of a word.
#[inline(always)]
pub(super) fn float(word: u32) -> f32 {
    f32::from_bits(word)
}

/// The word of a float that an operation gave.
#[inline(always)]
pub(super) fn word(value: f32) -> u32 {
    if value.is_nan() { NAN } else { value.to_bits() }
}

/// The word of a Boolean.
#[inline(always)]
pub(super) fn truth(value: bool) -> u32 {
    value as u32
}

/// A function of one float by way of double precision, rounded once to the nearest: correctly rounded wherever the
/// double result's error of less than one unit does not straddle the middle of two floats.
#[inline(always)]
pub(super) fn through(a: u32, f: impl Fn(f64) -> f64) -> u32 {
    word(f(f64::from(float(a))) as f32)
}

/// The half-precision float nearest to a double, ties to even.
pub(super) fn half(value: f64) -> u32 {
    let sign = ((value.to_bits() >> 48) & 0x8000) as u32;
    if value.is_nan() {
        return 0x7e00;
    }
    let size = value.abs();
    // 65520 lies in the middle between the greatest finite value, 65504, and what would be 65536.
    if size >= 65520.0 {
        return sign | 0x7c00;
    }
    // The unit of the last place: 2^-24 below 2^-14, and 2^(e - 10) above.
    let exponent = (((size.to_bits() >> 52) & 0x7ff) as i32 - 1023).max(-14);
    let units = libm::rint(libm::scalbn(size, 10 - exponent)) as u32;
    // `units` may have become 2048: the carry runs into the exponent as it should.
    sign | ((((exponent + 14) as u32) << 10) + units)
}

/// The value of a half-precision float, which every wider format holds exactly.
pub(super) fn from_half(half: u32) -> f32 {
    let sign = if half & 0x8000 != 0 { -1.0f32 } else { 1.0 };
    let (exponent, fraction) = ((half >> 10) & 31, half & 0x3ff);
    match exponent {
        0 => sign * fraction as f32 * f32::from_bits(0x3380_0000),
        31 if fraction != 0 => f32::from_bits(NAN),
        31 => sign * f32::INFINITY,
        _ => f32::from_bits((half & 0x8000) << 16 | (exponent + 112) << 23 | fraction << 13),
    }
}

/// The remainder that has the sign of the divisor.
#[inline(always)]
pub(super) fn modulo(a: f64, b: f64) -> f64 {
    let rest = libm::fmod(a, b);
    if rest != 0.0 && (rest < 0.0) != (b < 0.0) {
        rest + b
    } else {
        rest
    }
}

/// -1, 0 or 1; a NaN stays one.
#[inline(always)]
pub(super) fn sign(value: f64) -> f64 {
    if value > 0.0 {
        1.0
    } else if value < 0.0 {
        -1.0
    } else if value == 0.0 {
        0.0
    } else {
        value
    }
}

/// Smooth Hermite interpolation, every step rounded.
#[inline(always)]
pub(super) fn smooth_step(low: f32, high: f32, value: f32) -> f32 {
    let t = lesser(greater((value - low) / (high - low), 0.0), 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// FMin: the second if it is less, else the first.
#[inline(always)]
pub(super) fn lesser(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

/// FMax: the second if the first is less, else the first.
#[inline(always)]
pub(super) fn greater(a: f32, b: f32) -> f32 {
    if a < b { b } else { a }
}
