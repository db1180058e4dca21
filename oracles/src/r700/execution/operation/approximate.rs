//! Functions that hardware approximates: reciprocals, roots, powers, logarithms, sine and cosine.
//!
//! AMD states no bound for any of them; what a translation may return is what the policy says. The nominal result is that
//! of the real function, computed as a double and rounded.

use std::f64::consts::TAU;

use super::{Outcomes, Reason};
use crate::r700::Chip;
use crate::r700::execution::policy::Bound;
use crate::r700::execution::value::is_denormal;

/// The real function of a float.
pub(super) type Function = fn(f32, Chip) -> Answer;

/// What a real function says of a float.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Answer {
    /// This, stated by AMD or without any error by its nature.
    Exactly(f32),
    /// A number near this.
    Near(f64),
    /// No number.
    Nan,
    /// No source says; this is what the function would give.
    Outside(f64),
}

/// What becomes of an infinite result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limit {
    /// It stays: _IEEE.
    Ieee,
    /// The largest float of its sign: _CLAMPED (R6 p. 198, 203).
    Clamped,
    /// The largest negative float instead of -infinity: LOG_CLAMPED (R6 p. 135). Of +infinity S053 says the same, and AMD
    /// nothing.
    ClampedBelow,
    /// The zero of its sign: _FF (R6 p. 199, 204).
    Zero,
}

/// Adds what an operation can give, within so many times a bound, to the outcomes.
pub(super) fn run(
    answer: Answer,
    operand: f32,
    limit: Limit,
    (times, bound): (f64, &Bound),
    out: &mut Outcomes,
) {
    let answer = match answer {
        // Beside an exact number the neighbours are not.
        Answer::Exactly(number) if times > 1.0 && number.is_finite() => {
            Answer::Near(f64::from(number))
        }
        _ => answer,
    };
    match answer {
        Answer::Exactly(number) => {
            out.float(limit.applied(number));
            if limit == Limit::ClampedBelow && number == f32::INFINITY {
                out.also_float(f32::MAX, Reason::LogClamp);
            }
        }
        Answer::Near(number) => {
            let nominal = limit.applied(number as f32);
            if bound.is_exact() {
                out.float(nominal);
                return;
            }
            let (low, high) = bound.around_times(times, f64::from(operand), number);
            // Among the denormals a unit is larger than what it measures, and no function changes its sign there.
            let (low, high) = match (is_denormal(low.to_bits()), is_denormal(high.to_bits())) {
                (true, _) if number > 0.0 => (low.max(0.0), high),
                (_, true) if number < 0.0 => (low, high.min(0.0)),
                _ => (low, high),
            };
            // A bound that has become zero may be as well the number that just did not.
            let ends = [low, high].map(|end| end.clamp(-f32::MAX, f32::MAX));
            let ends = match limit {
                Limit::Zero if low.is_finite() || high.is_finite() => ends,
                _ => [low, high].map(|end| limit.applied(end)),
            };
            let [low, high] = [ends[0].min(nominal), ends[1].max(nominal)];
            if low == high && low == nominal {
                out.float(nominal);
            } else {
                out.within(nominal, low, high, Reason::Approximation);
            }
        }
        Answer::Nan => out.nan(),
        Answer::Outside(number) => out.unknown((number as f32).to_bits(), Reason::Domain),
    }
}

impl Limit {
    fn applied(self, number: f32) -> f32 {
        match self {
            Self::Clamped => number.clamp(-f32::MAX, f32::MAX),
            Self::ClampedBelow => number.max(-f32::MAX),
            Self::Zero if number.is_infinite() => 0.0f32.copysign(number),
            Self::Ieee | Self::Zero => number,
        }
    }
}

/// A power so far below the smallest denormal that it is zero, whatever bound grows with the operand.
const LEAST_POWER: f32 = -160.0;

/// EXP_IEEE: 2^x, and 1 for 0 (R6 p. 126, S053).
pub(super) fn exp(x: f32, _: Chip) -> Answer {
    if x.is_nan() {
        Answer::Nan
    } else if x == 0.0 {
        Answer::Exactly(1.0)
    } else if x.is_infinite() {
        Answer::Exactly(if x > 0.0 { x } else { 0.0 })
    } else if x < LEAST_POWER {
        Answer::Exactly(0.0)
    } else {
        Answer::Near(libm::exp2(f64::from(x)))
    }
}

/// LOG_IEEE, LOG_CLAMPED: the logarithm to base 2, and 0 for 1 (R6 p. 135-136, S053).
pub(super) fn log(x: f32, _: Chip) -> Answer {
    if x.is_nan() || x < 0.0 {
        Answer::Nan
    } else if x == 0.0 {
        Answer::Exactly(f32::NEG_INFINITY)
    } else if x == 1.0 {
        Answer::Exactly(0.0)
    } else if x.is_infinite() {
        Answer::Exactly(x)
    } else {
        Answer::Near(libm::log2(f64::from(x)))
    }
}

/// RECIP_IEEE, RECIP_CLAMPED, RECIP_FF: 1/x, and 1 for 1 (R6 p. 198-200).
pub(super) fn recip(x: f32, _: Chip) -> Answer {
    if x.is_nan() {
        Answer::Nan
    } else if x == 1.0 || x == 0.0 || x.is_infinite() {
        Answer::Exactly(1.0 / x)
    } else {
        Answer::Near(1.0 / f64::from(x))
    }
}

/// RECIPSQRT_IEEE, RECIPSQRT_CLAMPED, RECIPSQRT_FF: 1/√x, and 1 for 1 (R6 p. 203-205).
pub(super) fn recipsqrt(x: f32, _: Chip) -> Answer {
    if x.is_nan() || x < 0.0 {
        Answer::Nan
    } else if x == 1.0 || x == 0.0 || x.is_infinite() {
        Answer::Exactly(1.0 / x)
    } else {
        Answer::Near(1.0 / libm::sqrt(f64::from(x)))
    }
}

/// SQRT_IEEE: √x, and 1 for 1 (R6 p. 222, whose pseudo-code slips into the reciprocal root: C14).
pub(super) fn sqrt(x: f32, _: Chip) -> Answer {
    if x.is_nan() || x < 0.0 {
        Answer::Nan
    } else if x == 1.0 || x == 0.0 || x.is_infinite() {
        Answer::Exactly(x)
    } else {
        Answer::Near(libm::sqrt(f64::from(x)))
    }
}

/// SIN (R6 p. 221, S056).
pub(super) fn sin(x: f32, chip: Chip) -> Answer {
    circular(x, chip, 0.0)
}

/// COS (R6 p. 122, S056): a quarter of a turn ahead of SIN.
pub(super) fn cos(x: f32, chip: Chip) -> Answer {
    circular(x, chip, 1.0)
}

/// How far SIN turns at most for each 1.0 of its operand: 2π, rounded up.
pub(super) const SLOPE: f32 = 6.283_186;

/// The sine, so many quarters of a turn ahead. R700 takes revolutions, R600 radians from -π to π.
fn circular(x: f32, chip: Chip, ahead: f64) -> Answer {
    if x.is_nan() {
        return Answer::Nan;
    }
    if x.is_infinite() {
        return Answer::Outside(0.0);
    }
    let (turns, domain) = match chip {
        Chip::R700 => (f64::from(x), 256.0),
        Chip::R600 => (f64::from(x) / TAU, std::f32::consts::PI),
    };
    // The nearest quarter of a turn, and the rest: exact in revolutions, so that the sine of half a turn is zero.
    let quarters = libm::rint(turns * 4.0);
    let rest = (turns - quarters / 4.0) * TAU;
    let sine = match (quarters + ahead).rem_euclid(4.0) as u8 {
        0 => libm::sin(rest),
        1 => libm::cos(rest),
        2 => -libm::sin(rest),
        _ => -libm::cos(rest),
    };
    if x.abs() <= domain {
        Answer::Near(sine)
    } else {
        Answer::Outside(sine)
    }
}
