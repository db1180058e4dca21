//! Gathering what an operation can give.

use super::{Doubt, MAX_POSSIBILITIES, NAN, Reason, Truth, Value, flushed, is_denormal};

/// The results of one operation for all that its operands can be, gathered one by one. The first is the nominal one.
///
/// Without an allocation as long as there is one result.
#[derive(Debug)]
pub(in crate::r700::execution) struct Outcomes {
    /// Whether results are numbers, so that too many of them can still be said to lie between two.
    numeric: bool,
    nominal: Option<u32>,
    words: [u32; MAX_POSSIBILITIES],
    count: usize,
    /// Between which numbers all lie; of use when `spread`.
    low: f32,
    high: f32,
    spread: bool,
    nan: bool,
    overflow: bool,
    unknown: bool,
    truths: [bool; 2],
    truth: Option<bool>,
    reason: Option<Reason>,
}

impl Outcomes {
    /// None yet.
    pub(in crate::r700::execution) fn new(numeric: bool) -> Self {
        Self {
            numeric,
            nominal: None,
            words: [0; MAX_POSSIBILITIES],
            count: 0,
            low: f32::INFINITY,
            high: f32::NEG_INFINITY,
            spread: false,
            nan: false,
            overflow: false,
            unknown: false,
            truths: [false; 2],
            truth: None,
            reason: None,
        }
    }

    /// Why the result is open, unless something else was named before: the first reason stands.
    pub(in crate::r700::execution) fn because(&mut self, reason: Reason) {
        self.reason.get_or_insert(reason);
    }

    /// A word as it is.
    pub(in crate::r700::execution) fn word(&mut self, word: u32) {
        self.nominal.get_or_insert(word);
        if self.words[..self.count].contains(&word) {
            return;
        }
        if self.numeric && f32::from_bits(word).is_nan() {
            // Beside a number a NaN is just that; alone it keeps its bits.
            if self.count == 0 && !self.spread && !self.nan {
                self.words[0] = word;
                self.count = 1;
                return;
            }
            self.nan = true;
            return;
        }
        if self.count < MAX_POSSIBILITIES {
            self.words[self.count] = word;
            self.count += 1;
        } else {
            self.overflow = true;
        }
        // `min` and `max` pass over a NaN.
        self.low = self.low.min(f32::from_bits(word));
        self.high = self.high.max(f32::from_bits(word));
    }

    /// Another word, for a reason of the operation's own.
    pub(in crate::r700::execution) fn also(&mut self, word: u32, reason: Reason) {
        if !self.words[..self.count].contains(&word) {
            self.because(reason);
        }
        self.word(word);
    }

    /// What arithmetic gives: a NaN is any NaN, a denormal may be flushed.
    pub(in crate::r700::execution) fn float(&mut self, number: f32) {
        let word = number.to_bits();
        if number.is_nan() {
            self.nan();
        } else {
            self.word(word);
            if is_denormal(word) {
                self.also(flushed(word), Reason::Denormal);
            }
        }
    }

    /// Another float, for a reason of the operation's own.
    pub(in crate::r700::execution) fn also_float(&mut self, number: f32, reason: Reason) {
        let known = if number.is_nan() {
            self.nan
        } else {
            self.words[..self.count].contains(&number.to_bits())
        };
        if !known {
            self.because(reason);
        }
        self.float(number);
    }

    /// Any NaN.
    pub(in crate::r700::execution) fn nan(&mut self) {
        self.nominal.get_or_insert(NAN);
        self.because(Reason::NanResult);
        self.nan = true;
    }

    /// A float between two bounds. A bound among the denormals lets zero in, as they may be flushed.
    pub(in crate::r700::execution) fn within(
        &mut self,
        nominal: f32,
        low: f32,
        high: f32,
        reason: Reason,
    ) {
        self.because(reason);
        self.nominal.get_or_insert(nominal.to_bits());
        let low = if is_denormal(low.to_bits()) {
            low.min(0.0)
        } else {
            low
        };
        let high = if is_denormal(high.to_bits()) {
            high.max(0.0)
        } else {
            high
        };
        self.low = self.low.min(low).min(nominal);
        self.high = self.high.max(high).max(nominal);
        self.spread = true;
    }

    /// Anything.
    pub(in crate::r700::execution) fn unknown(&mut self, nominal: u32, reason: Reason) {
        self.because(reason);
        self.nominal.get_or_insert(nominal);
        self.unknown = true;
    }

    /// The results lie between those that are named.
    pub(in crate::r700::execution) fn spread(&mut self) {
        self.spread = true;
    }

    /// What a predicate setter or a kill finds, beside the word.
    pub(in crate::r700::execution) fn truth(&mut self, truth: bool) {
        self.truth.get_or_insert(truth);
        self.truths[usize::from(truth)] = true;
    }

    /// Runs a function for a float operand, and for the zero that it may be flushed to.
    pub(in crate::r700::execution) fn flushing(
        &mut self,
        word: u32,
        function: impl Fn(f32, &mut Self),
    ) {
        function(f32::from_bits(word), self);
        if is_denormal(word) {
            function(f32::from_bits(flushed(word)), self);
            if self.single().is_none() {
                self.because(Reason::Denormal);
            }
        }
    }

    /// All that a value can be.
    pub(in crate::r700::execution) fn value(&mut self, value: &Value, reason: Reason) {
        if self.nominal.is_some_and(|first| first != value.bits()) {
            self.because(reason);
        }
        if let Some(reason) = value.reason() {
            self.because(reason);
        }
        match value.doubt() {
            Doubt::Settled => self.word(value.bits()),
            Doubt::OneOf(words) => words.iter().for_each(|word| self.word(*word)),
            Doubt::Within { low, high, nan } => {
                self.nominal.get_or_insert(value.bits());
                self.low = self.low.min(*low);
                self.high = self.high.max(*high);
                self.spread = true;
                self.nan |= nan;
            }
            Doubt::AnyNan => {
                self.nominal.get_or_insert(value.bits());
                self.nan = true;
            }
            Doubt::Unknown => {
                self.nominal.get_or_insert(value.bits());
                self.unknown = true;
            }
        }
    }

    /// Anything, and either truth if there is one; for the reason that was named.
    pub(in crate::r700::execution) fn anything(&mut self) {
        self.unknown = true;
        if self.truth.is_some() {
            self.truths = [true; 2];
        }
    }

    /// Takes in all integers between those so far, if they are few.
    pub(in crate::r700::execution) fn fill_integers(&mut self) {
        let words = self.words[..self.count].iter().map(|word| *word as i32);
        let ends = words.clone().min().zip(words.max());
        match ends {
            Some((low, high)) if i64::from(high) - i64::from(low) < MAX_POSSIBILITIES as i64 => {
                (low..=high).for_each(|number| self.word(number as u32));
            }
            _ => self.unknown = true,
        }
    }

    /// The results so far may be off by this much.
    pub(in crate::r700::execution) fn reach(&mut self, by: f32) {
        self.low = (self.low - by).next_down();
        self.high = (self.high + by).next_up();
        self.spread = true;
    }

    /// Whether every result is known to be the same word.
    pub(in crate::r700::execution) fn single(&self) -> Option<u32> {
        (self.count == 1 && !self.nan && !self.spread && !self.unknown).then(|| self.words[0])
    }

    /// The truth of all that were named.
    pub(in crate::r700::execution) fn finish_truth(&self) -> Option<Truth> {
        let nominal = self.truth?;
        Some(match (self.truths, self.reason) {
            ([true, true], reason) => Truth::Unsettled {
                nominal,
                reason: reason.unwrap_or(Reason::LostLane),
            },
            _ => Truth::Settled(nominal),
        })
    }

    /// The value of all that were named. None were: unknown.
    pub(in crate::r700::execution) fn finish(&self) -> Value {
        if let Some(word) = self.single() {
            return Value::settled(word);
        }
        let nominal = self.nominal.unwrap_or(0);
        let reason = self.reason.unwrap_or(Reason::NanResult);
        if self.unknown || (self.overflow && !self.numeric) {
            return Value::unknown(nominal, reason);
        }
        let words = &self.words[..self.count];
        let lone_nan = words.iter().any(|word| f32::from_bits(*word).is_nan());
        let number = f32::from_bits(nominal);
        if self.spread || self.overflow || (self.nan && self.count > 0) {
            if self.low > self.high {
                return Value::any_nan(nominal, reason);
            }
            let nan = self.nan || lone_nan;
            return Value::within(number, self.low, self.high, nan, reason);
        }
        match (self.nan, words) {
            (true, _) => Value::any_nan(nominal, reason),
            (false, []) => Value::unknown(nominal, reason),
            (false, [_]) => Value::settled(nominal),
            // A NaN that came first, and numbers after it.
            (false, words) if self.numeric && lone_nan => {
                let (low, high) = (self.low, self.high);
                debug_assert!(words.len() > 1);
                Value::within(number, low, high, true, reason)
            }
            (false, words) => Value::one_of(nominal, words, reason),
        }
    }
}
