//! Words and what of them no source settles.
//!
//! A [`Value`] is 32 bits and a [`Doubt`]. The bits are *nominal*: what the interpreter goes on with. The doubt says which
//! other words would be as right. Most values are settled, and a settled one is two machine words without an allocation.

mod modifiers;
mod outcomes;
mod reason;
#[cfg(test)]
mod tests;

pub use modifiers::Omod;
pub(super) use outcomes::Outcomes;
pub use reason::Reason;

/// The most words that a value can be one of.
pub const MAX_POSSIBILITIES: usize = 8;

/// The NaN that stands for any NaN.
pub(super) const NAN: u32 = 0x7fc0_0000;

/// What of a value is open.
#[derive(Clone, Debug, PartialEq)]
pub enum Doubt {
    /// Nothing.
    Settled,
    /// Which of a few words it is: two at least, [`MAX_POSSIBILITIES`] at most, each once, the nominal one first.
    OneOf(Box<[u32]>),
    /// Where a float lies.
    Within {
        /// The least it can be; not a NaN.
        low: f32,
        /// The greatest it can be; not a NaN, not below `low`.
        high: f32,
        /// Whether it can be a NaN as well.
        nan: bool,
    },
    /// It is a NaN; its sign and payload are open.
    AnyNan,
    /// Everything.
    Unknown,
}

/// A 32-bit word and its doubt.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    bits: u32,
    open: Option<Box<Open>>,
}

#[derive(Clone, Debug, PartialEq)]
struct Open {
    doubt: Doubt,
    reason: Reason,
}

/// What holding a found word against a value says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acceptance {
    /// It is the nominal word.
    Agree,
    /// It is another of the words that the value can be; thanks to this doubt.
    Within(Reason),
    /// The value is unknown, for this reason.
    Poisoned(Reason),
    /// No reading of the sources gives it.
    Disagree,
}

/// A truth and its doubt: a predicate, a kill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// It is this.
    Settled(bool),
    /// It may be either.
    Unsettled {
        /// What the interpreter goes on with.
        nominal: bool,
        /// Why it is open.
        reason: Reason,
    },
}

impl Truth {
    /// What the interpreter goes on with.
    pub fn nominal(self) -> bool {
        match self {
            Self::Settled(truth) => truth,
            Self::Unsettled { nominal, .. } => nominal,
        }
    }

    /// Whether it is settled.
    pub fn is_settled(self) -> bool {
        matches!(self, Self::Settled(_))
    }
}

impl Value {
    /// A word that is what it is.
    pub fn settled(bits: u32) -> Self {
        Self { bits, open: None }
    }

    /// A float that is what it is.
    pub fn float(number: f32) -> Self {
        Self::settled(number.to_bits())
    }

    /// One of several words. Words that repeat count once; a single one is settled, and more than
    /// [`MAX_POSSIBILITIES`] are unknown.
    pub fn one_of(nominal: u32, others: &[u32], reason: Reason) -> Self {
        let mut words = vec![nominal];
        for word in others {
            if !words.contains(word) {
                words.push(*word);
            }
        }
        match words.len() {
            1 => Self::settled(nominal),
            2..=MAX_POSSIBILITIES => {
                Self::open(nominal, Doubt::OneOf(words.into_boxed_slice()), reason)
            }
            _ => Self::unknown(nominal, reason),
        }
    }

    /// A float between two bounds, or perhaps a NaN. The bounds are widened to reach the nominal float, and ordered; one
    /// that is a NaN is the nominal float. A single number is settled, zero is of either sign, and all numbers from
    /// -infinity to infinity are unknown.
    pub fn within(nominal: f32, low: f32, high: f32, nan: bool, reason: Reason) -> Self {
        let nan = nan || nominal.is_nan();
        // `min` and `max` of a number and a NaN are the number.
        let (least, greatest) = (low.min(high).min(nominal), low.max(high).max(nominal));
        let bits = nominal.to_bits();
        if least.is_nan() {
            return Self::any_nan(bits, reason);
        }
        if least == f32::NEG_INFINITY && greatest == f32::INFINITY {
            return Self::unknown(bits, reason);
        }
        if !nan && least == greatest {
            let other = if least == 0.0 { bits ^ SIGN } else { bits };
            return Self::one_of(bits, &[other], reason);
        }
        let (low, high) = (least, greatest);
        Self::open(bits, Doubt::Within { low, high, nan }, reason)
    }

    /// A NaN of any sign and payload. A nominal word that is no NaN is replaced by one.
    pub fn any_nan(nominal: u32, reason: Reason) -> Self {
        let bits = if f32::from_bits(nominal).is_nan() {
            nominal
        } else {
            NAN
        };
        Self::open(bits, Doubt::AnyNan, reason)
    }

    /// Anything.
    pub fn unknown(nominal: u32, reason: Reason) -> Self {
        Self::open(nominal, Doubt::Unknown, reason)
    }

    /// One of several values, the first nominal: whatever any of them can be. Numbers between bounds take in the others,
    /// which are floats then.
    pub fn either(values: &[Self], reason: Reason) -> Self {
        let mut all = Outcomes::new(values.iter().any(|value| value.bounds().is_some()));
        for value in values {
            all.value(value, reason);
        }
        all.finish()
    }

    /// Lets an end among the denormals be any denormal: a choice that compares denormals as zeros may copy the other one.
    pub(super) fn over_denormals(self) -> Self {
        let (Some((low, high, nan)), Some(reason)) = (self.bounds(), self.reason()) else {
            return self;
        };
        const MOST: f32 = f32::from_bits(0x007f_ffff);
        let low = if low.abs() <= MOST { -MOST } else { low };
        let high = if high.abs() <= MOST { MOST } else { high };
        Self::within(self.number(), low, high, nan, reason)
    }

    fn open(bits: u32, doubt: Doubt, reason: Reason) -> Self {
        let open = Some(Box::new(Open { doubt, reason }));
        Self { bits, open }
    }

    /// The nominal word.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// The nominal word as a float.
    pub fn number(&self) -> f32 {
        f32::from_bits(self.bits)
    }

    /// What of it is open.
    pub fn doubt(&self) -> &Doubt {
        match &self.open {
            None => &Doubt::Settled,
            Some(open) => &open.doubt,
        }
    }

    /// Why it is open.
    pub fn reason(&self) -> Option<Reason> {
        self.open.as_ref().map(|open| open.reason)
    }

    /// Whether nothing of it is open.
    pub fn is_settled(&self) -> bool {
        self.open.is_none()
    }

    /// The words that it can be, if they are few: the nominal one first.
    pub fn possibilities(&self) -> Option<&[u32]> {
        match &self.open {
            None => Some(std::slice::from_ref(&self.bits)),
            Some(open) => match &open.doubt {
                Doubt::OneOf(words) => Some(words),
                _ => None,
            },
        }
    }

    /// The numbers that it lies between, if that is what is known of it, and whether it can be a NaN.
    pub(super) fn bounds(&self) -> Option<(f32, f32, bool)> {
        match self.doubt() {
            Doubt::Within { low, high, nan } => Some((*low, *high, *nan)),
            _ => None,
        }
    }

    /// Holds a found word against it.
    pub fn accepts(&self, found: u32) -> Acceptance {
        let Some(open) = &self.open else {
            return if found == self.bits {
                Acceptance::Agree
            } else {
                Acceptance::Disagree
            };
        };
        let number = f32::from_bits(found);
        let possible = match &open.doubt {
            Doubt::Unknown => return Acceptance::Poisoned(open.reason),
            _ if found == self.bits => return Acceptance::Agree,
            Doubt::Settled => false,
            Doubt::OneOf(words) => words.contains(&found),
            Doubt::Within { nan, .. } if number.is_nan() => *nan,
            Doubt::Within { low, high, .. } => (*low..=*high).contains(&number),
            Doubt::AnyNan => number.is_nan(),
        };
        if possible {
            Acceptance::Within(open.reason)
        } else {
            Acceptance::Disagree
        }
    }
}

/// The sign bit of a float.
pub(super) const SIGN: u32 = 0x8000_0000;

/// Whether a word is a denormal as a float.
pub(super) fn is_denormal(word: u32) -> bool {
    word & 0x7f80_0000 == 0 && word & 0x007f_ffff != 0
}

/// A denormal flushed to the zero of its sign.
pub(super) fn flushed(word: u32) -> u32 {
    if is_denormal(word) { word & SIGN } else { word }
}
