//! Operands of a fetch as what a sampler computes with: intervals of numbers, and short lists of integers.

use crate::r700::execution::value::{Doubt, Reason, Value};

/// A number and what else it can be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    /// What to go on with.
    pub(super) nominal: f64,
    /// The least it can be.
    pub(super) low: f64,
    /// The greatest.
    pub(super) high: f64,
}

impl Span {
    /// A number that is settled.
    pub(super) const fn exact(number: f64) -> Self {
        Self {
            nominal: number,
            low: number,
            high: number,
        }
    }

    /// The float that a value is; an error, and its reason, if it can be a NaN or anything.
    pub(super) fn of(value: &Value) -> Result<Self, Reason> {
        let nominal = f64::from(value.number());
        let (low, high) = match value.doubt() {
            Doubt::Settled => (nominal, nominal),
            Doubt::OneOf(words) => words
                .iter()
                .map(|word| f64::from(f32::from_bits(*word)))
                .fold((nominal, nominal), |(low, high), number| {
                    // A NaN is kept, so that it is found below.
                    (lesser(low, number), greater(high, number))
                }),
            Doubt::Within {
                low,
                high,
                nan: false,
            } => (f64::from(*low), f64::from(*high)),
            Doubt::Within { .. } | Doubt::AnyNan | Doubt::Unknown => return Err(reason(value)),
        };
        if nominal.is_nan() || low.is_nan() || high.is_nan() {
            return Err(value.reason().unwrap_or(Reason::UnstatedFetch));
        }
        Ok(Self { nominal, low, high })
    }

    /// The same function of all three. It has to be monotone and not to fall.
    pub(super) fn map(self, function: impl Fn(f64) -> f64) -> Self {
        Self {
            nominal: function(self.nominal),
            low: function(self.low),
            high: function(self.high),
        }
    }

    /// The sum.
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            nominal: self.nominal + other.nominal,
            low: self.low + other.low,
            high: self.high + other.high,
        }
    }

    /// The difference.
    pub(super) fn minus(self, other: Self) -> Self {
        Self {
            nominal: self.nominal - other.nominal,
            low: self.low - other.high,
            high: self.high - other.low,
        }
    }

    /// The absolute value.
    pub(super) fn absolute(self) -> Self {
        let (low, high) = if self.low > 0.0 {
            (self.low, self.high)
        } else if self.high < 0.0 {
            (-self.high, -self.low)
        } else {
            (0.0, self.high.max(-self.low))
        };
        Self {
            nominal: self.nominal.abs(),
            low,
            high,
        }
    }

    /// Also that much less or more.
    pub(super) fn widened(self, by: f64) -> Self {
        Self {
            nominal: self.nominal,
            low: self.low - by,
            high: self.high + by,
        }
    }

    /// What either can be; nominal is this one's.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            nominal: self.nominal,
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }

    /// Whether every part of it is finite.
    pub(super) fn is_finite(self) -> bool {
        self.nominal.is_finite() && self.low.is_finite() && self.high.is_finite()
    }
}

fn lesser(a: f64, b: f64) -> f64 {
    if b < a || b.is_nan() { b } else { a }
}

fn greater(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}

/// The words that an integer operand can be, the nominal one first; none if they are not a short list.
pub(super) fn words(value: &Value) -> Option<&[u32]> {
    value.possibilities()
}

/// Why a value is open.
pub(super) fn reason(value: &Value) -> Reason {
    value.reason().unwrap_or(Reason::UnstatedFetch)
}
