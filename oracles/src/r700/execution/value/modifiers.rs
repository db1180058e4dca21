//! Modifiers of operands and results.

use super::{Doubt, Outcomes, Reason, SIGN, Value};

/// What a float result is multiplied by: the field OMOD.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Omod {
    /// Nothing.
    #[default]
    Off,
    /// Twice.
    M2,
    /// Four times.
    M4,
    /// Half.
    D2,
}

impl Omod {
    /// The modifier of a number in the field, as RG p. 93 lists them.
    pub fn new(field: u32) -> Option<Self> {
        match field {
            0 => Some(Self::Off),
            1 => Some(Self::M2),
            2 => Some(Self::M4),
            3 => Some(Self::D2),
            _ => None,
        }
    }

    /// The factor.
    pub fn factor(self) -> f32 {
        match self {
            Self::Off => 1.0,
            Self::M2 => 2.0,
            Self::M4 => 4.0,
            Self::D2 => 0.5,
        }
    }
}

impl Value {
    /// |x|: the sign bit cleared, also that of a NaN.
    pub fn absolute(&self) -> Self {
        self.signed(
            |word| word & !SIGN,
            |low, high| {
                if low >= 0.0 {
                    (low, high)
                } else if high <= 0.0 {
                    (-high, -low)
                } else {
                    (0.0, high.max(-low))
                }
            },
        )
    }

    /// -x: the sign bit turned, also that of a NaN.
    pub fn negated(&self) -> Self {
        self.signed(|word| word ^ SIGN, |low, high| (-high, -low))
    }

    fn signed(&self, word: impl Fn(u32) -> u32, bounds: impl Fn(f32, f32) -> (f32, f32)) -> Self {
        let bits = word(self.bits);
        let Some(open) = &self.open else {
            return Self::settled(bits);
        };
        match &open.doubt {
            Doubt::OneOf(words) => {
                let words: Vec<u32> = words.iter().map(|each| word(*each)).collect();
                Self::one_of(bits, &words, open.reason)
            }
            Doubt::Within { low, high, nan } => {
                let (low, high) = bounds(*low, *high);
                Self::within(f32::from_bits(bits), low, high, *nan, open.reason)
            }
            Doubt::AnyNan => Self::any_nan(bits, open.reason),
            Doubt::Settled | Doubt::Unknown => Self::unknown(bits, open.reason),
        }
    }

    /// The result multiplied, as a float operation does it: a denormal may be flushed, a NaN is any NaN.
    pub fn output_modifier(&self, modifier: Omod) -> Self {
        if modifier == Omod::Off {
            return self.clone();
        }
        let factor = modifier.factor();
        self.mapped(|word, out| {
            out.flushing(word, |number, out| {
                out.float(number * factor);
                // What is rounded up to the least normal number was less before.
                if number != 0.0 && (number * factor).abs() == f32::MIN_POSITIVE {
                    let exact = f64::from(number) * f64::from(factor);
                    if exact.abs() < f64::from(f32::MIN_POSITIVE) {
                        out.also_float(0.0f32.copysign(number), Reason::Denormal);
                    }
                }
            });
        })
    }

    /// What arithmetic that does not change it passes on: a denormal may be flushed, a NaN is any NaN.
    pub(in crate::r700::execution) fn flushable(&self) -> Self {
        self.mapped(|word, out| out.float(f32::from_bits(word)))
    }

    /// The result clamped to 0 to 1. Which zero -0 becomes and what becomes of a NaN is open (DX10_CLAMP decides the
    /// latter, in a way that no source describes).
    pub fn clamped(&self) -> Self {
        self.mapped(|word, out| {
            out.flushing(word, |number, out| {
                if number.is_nan() {
                    out.unknown(number.to_bits(), Reason::ClampedNan);
                } else if number.to_bits() == SIGN {
                    out.float(0.0);
                    out.also(SIGN, Reason::ClampedZero);
                } else {
                    out.float(number.clamp(0.0, 1.0));
                }
            });
        })
    }

    /// A monotone float function of it.
    fn mapped(&self, function: impl Fn(u32, &mut Outcomes)) -> Self {
        let mut out = Outcomes::new(true);
        if let Some(reason) = self.reason() {
            out.because(reason);
        }
        function(self.bits, &mut out);
        match self.doubt() {
            Doubt::Settled => {}
            Doubt::OneOf(words) => words[1..].iter().for_each(|word| function(*word, &mut out)),
            Doubt::Within { low, high, nan } => {
                out.spread();
                function(low.to_bits(), &mut out);
                function(high.to_bits(), &mut out);
                if *nan {
                    function(super::NAN, &mut out);
                }
            }
            Doubt::AnyNan => function(super::NAN, &mut out),
            Doubt::Unknown => out.unknown(self.bits, self.reason().unwrap_or(Reason::Unset)),
        }
        out.finish()
    }
}
