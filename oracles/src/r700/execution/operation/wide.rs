//! Doubles: operations on pairs of words.
//!
//! R7 has them; of its pages only LDEXP_64's could be read (p. 9-77: a double is YX, two slots, X and Y or Z and W). What
//! each slot reads and writes is known from how Mesa 17.3.9 uses the same operations on the next family
//! (`r600_shader.c`: `tgsi_op2_64_params`, `cayman_mul_double_instr`, `tgsi_dfracexp`, `egcm_int_to_double`):
//!
//! - Two slots: the first reads the *high* words of its operands and writes the *low* word of the result, the second reads
//!   the low words and writes the high one.
//! - MUL_64 and MULADD_64*: four slots. X, Y and Z read the high words, W the low ones; X and Z write the low word, Y and W
//!   the high one.
//! - FREXP_64: four slots, X and Z with the high word, Y and W with the low; Y writes the exponent, Z and W the fraction.
//!
//! Rounding is to nearest even; NaN, denormals and one rounding or two are open as they are of floats. A slot that is not
//! named writes something unknown.

use super::{Context, Gives, Operation, Outcomes, Read, Reason, Rule};
use crate::r700::execution::value::{Truth, Value};

/// What a 64-bit operation does.
#[derive(Clone, Debug, PartialEq)]
pub struct WideEffect {
    /// What each slot that it takes writes, in their order.
    pub results: Vec<Value>,
    /// The predicate that it computes.
    pub predicate: Option<Truth>,
}

/// The operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Double {
    /// a + b.
    Add,
    /// a · b.
    Mul,
    /// a · b + c, times a factor by its code: none, 2, 4, 1/2.
    Muladd(u8),
    /// The nearest float.
    Narrow,
    /// The same number as a double.
    Widen,
    /// b · 2^a, a an integer.
    Ldexp,
    /// Fraction from 1/2 to 1, and exponent.
    Frexp,
    /// a - floor(a).
    Fract,
    /// a > b.
    PredicateGreater,
    /// a = b.
    PredicateEqual,
    /// a ≥ b.
    PredicateNotLess,
}

/// The most combinations of words that are run; beyond, results are unknown.
const MAX_RUNS: usize = 256;

impl Double {
    pub(super) const fn reads(self) -> &'static [Read] {
        match self {
            Self::Narrow | Self::Widen | Self::Frexp | Self::Fract => &[Read::Float],
            Self::Ldexp => &[Read::Integer, Read::Float],
            Self::Muladd(_) => &[Read::Float; 3],
            _ => &[Read::Float; 2],
        }
    }

    pub(super) const fn gives(self) -> Gives {
        match self {
            Self::Narrow
            | Self::PredicateGreater
            | Self::PredicateEqual
            | Self::PredicateNotLess => Gives::Float,
            _ => Gives::Integer,
        }
    }

    const fn slots(self) -> usize {
        match self {
            Self::Mul | Self::Muladd(_) | Self::Frexp => 4,
            _ => 2,
        }
    }

    /// Which slots have the high word of an operand; the others have the low one.
    const fn high_slots(self) -> &'static [bool] {
        match self {
            Self::Mul | Self::Muladd(_) => &[true, true, true, false],
            _ => &[true, false, true, false],
        }
    }

    fn run(self, doubles: &[f64; 3], integer: i32, out: &mut Results) {
        let [a, b, c] = *doubles;
        match self {
            Self::Add => out.double(a + b),
            Self::Mul => out.double(a * b),
            Self::Muladd(factor) => {
                let factor = [1.0, 2.0, 4.0, 0.5][usize::from(factor % 4)];
                out.double((a * b + c) * factor);
                out.double(libm::fma(a, b, c) * factor);
            }
            Self::Narrow => out.float(a as f32),
            Self::Widen => out.double(a),
            Self::Ldexp => out.double(scaled(b, integer)),
            Self::Frexp => {
                if a.is_finite() {
                    let (fraction, exponent) = libm::frexp(a);
                    let exponent = if a == 0.0 { 0 } else { exponent };
                    out.other.word(exponent as u32);
                    out.double(fraction);
                } else {
                    out.other.unknown(0, Reason::Double);
                    out.double(f64::NAN);
                }
            }
            Self::Fract => {
                let fraction = a - libm::floor(a);
                out.double(fraction);
                if fraction == 1.0 {
                    out.double(fraction.next_down());
                }
            }
            Self::PredicateGreater => out.truth(a > b),
            Self::PredicateEqual => out.truth(a == b),
            Self::PredicateNotLess => out.truth(a >= b),
        }
    }
}

/// b · 2^a as R7 p. 9-77 has it: infinities and NaN pass, denormals are zero, and so is what is too small. The printed
/// test for that looks at the shift alone, which cannot be meant.
fn scaled(number: f64, shift: i32) -> f64 {
    let exponent = i64::from((number.to_bits() >> 52) as u32 & 0x7ff);
    let zero = 0.0f64.copysign(number);
    if exponent == 0x7ff {
        return number;
    }
    let sum = exponent + i64::from(shift);
    if exponent == 0 || sum <= 0 {
        zero
    } else if sum >= 0x7ff {
        f64::INFINITY.copysign(number)
    } else {
        f64::from_bits(number.to_bits() & !(0x7ff << 52) | (sum as u64) << 52)
    }
}

/// The two words of a double, and a word beside them.
struct Results {
    low: Outcomes,
    high: Outcomes,
    other: Outcomes,
}

impl Results {
    fn double(&mut self, number: f64) {
        for word in [number, flush(number)].map(f64::to_bits) {
            if number.is_nan() {
                self.low.unknown(word as u32, Reason::Double);
                self.high.unknown((word >> 32) as u32, Reason::Double);
            } else {
                self.low.also(word as u32, Reason::Double);
                self.high.also((word >> 32) as u32, Reason::Double);
            }
        }
    }

    fn float(&mut self, number: f32) {
        self.other.float(number);
    }

    fn truth(&mut self, truth: bool) {
        super::compare::predicate(truth, &mut self.other);
    }
}

/// A denormal double flushed to the zero of its sign.
fn flush(number: f64) -> f64 {
    if number.is_subnormal() {
        0.0f64.copysign(number)
    } else {
        number
    }
}

impl Operation {
    /// How many vector slots it takes: of a 64-bit operation two (X and Y, or Z and W) or four; of a reduction four.
    pub fn slots(&self) -> usize {
        match self.rule {
            Rule::Reduction(_) => 4,
            Rule::Wide(double) => double.slots(),
            _ => 1,
        }
    }

    /// Runs a 64-bit operation on the operands of the slots that it takes, in their order: [`Operation::slots`] of them,
    /// each with as many as [`Operation::operands`] says; further ones are not looked at. Which slot has which half:
    ///
    /// | operation | operands | results |
    /// |---|---|---|
    /// | two slots | high words, low words | low word, high word |
    /// | MUL_64, MULADD_64* | high, high, high, low | low, high, low, high |
    /// | FREXP_64 | high, low, high, low | unknown, exponent, low, high |
    /// | FLT64_TO_FLT32 | high, low | the float, unknown |
    /// | FLT32_TO_FLT64 | the float, not looked at | low, high |
    /// | PRED_SET*_64 | high, low | 0.0 or 1.0, unknown |
    /// | LDEXP_64 | b high, b low; a the integer, the same in both | low, high |
    ///
    /// Operations of other shapes give nothing.
    pub fn wide(&self, slots: &[[Value; 3]], context: &Context<'_>) -> WideEffect {
        let Rule::Wide(double) = self.rule else {
            return WideEffect {
                results: Vec::new(),
                predicate: None,
            };
        };
        let mut all = Results {
            low: Outcomes::new(false),
            high: Outcomes::new(false),
            other: Outcomes::new(self.gives_float()),
        };
        let operands = (slots.len() >= double.slots()).then(|| operands(double, slots));
        let known = operands.flatten().is_some_and(|operands| {
            run(double, &operands, &mut all);
            true
        });
        if !known {
            for out in [&mut all.low, &mut all.high, &mut all.other] {
                out.unknown(0, reason(slots));
            }
            // A predicate is open then, and goes on as false.
            if self.name.starts_with("PRED_SET") {
                all.other.truth(false);
                all.other.anything();
            }
        }
        let unknown = || Value::unknown(0, Reason::Double);
        let (low, high) = (all.low.finish(), all.high.finish());
        let other = context.policy.of(self).widened(all.other.finish());
        let results = match double {
            Double::Narrow => vec![other, unknown()],
            Double::Frexp => vec![unknown(), other, low, high],
            _ if self.gives_float() => vec![other, unknown()],
            _ if double.slots() == 4 => vec![low.clone(), high.clone(), low, high],
            _ => vec![low, high],
        };
        WideEffect {
            results,
            predicate: all.other.finish_truth(),
        }
    }
}

fn reason(slots: &[[Value; 3]]) -> Reason {
    let mut reasons = slots.iter().flatten().filter_map(Value::reason);
    reasons.next().unwrap_or(Reason::Double)
}

/// The high and low word of each operand, the integer of LDEXP_64 as both. `None` if slots that should agree do not.
fn operands(double: Double, slots: &[[Value; 3]]) -> Option<Vec<[Value; 2]>> {
    let slots = &slots[..double.slots()];
    let mut operands = Vec::new();
    for (at, read) in double.reads().iter().enumerate() {
        let of = |high: bool| {
            let mut values = slots
                .iter()
                .zip(double.high_slots())
                .filter(|(_, is)| **is == high)
                .map(|(slot, _)| &slot[at]);
            let first = values.next()?;
            values.all(|value| value == first).then(|| first.clone())
        };
        let mut pair = [of(true)?, of(false)?];
        match (double, read) {
            (Double::Ldexp, Read::Integer) if pair[0] != pair[1] => return None,
            (Double::Widen, _) => pair[1] = pair[0].clone(),
            _ => {}
        }
        operands.push(pair);
    }
    Some(operands)
}

/// Runs it for all words that the operands can be.
fn run(double: Double, operands: &[[Value; 2]], all: &mut Results) {
    let values: Vec<&Value> = operands.iter().flatten().collect();
    let why = values.iter().find_map(|value| value.reason());
    let lists: Option<Vec<&[u32]>> = values.iter().map(|value| value.possibilities()).collect();
    let runs = lists.iter().flatten().try_fold(1usize, |runs, list| {
        runs.checked_mul(list.len())
            .filter(|runs| *runs <= MAX_RUNS)
    });
    for out in [&mut all.low, &mut all.high, &mut all.other] {
        if let Some(why) = why {
            out.because(why);
        }
    }
    let nominal: Vec<u32> = values.iter().map(|value| value.bits()).collect();
    once(double, &nominal, all);
    let (Some(lists), Some(runs)) = (lists, runs) else {
        for out in [&mut all.low, &mut all.high, &mut all.other] {
            out.anything();
        }
        return;
    };
    for mut at in 1..runs {
        let mut words = Vec::with_capacity(lists.len());
        for list in &lists {
            words.push(list[at % list.len()]);
            at /= list.len();
        }
        once(double, &words, all);
    }
}

/// Runs it for high and low words of each operand; denormal operands as they are, then flushed.
fn once(double: Double, words: &[u32], all: &mut Results) {
    let mut doubles = [0.0; 3];
    for (number, pair) in doubles.iter_mut().zip(words.chunks_exact(2)) {
        *number = match double {
            Double::Widen => f64::from(f32::from_bits(pair[0])),
            _ => f64::from_bits(u64::from(pair[0]) << 32 | u64::from(pair[1])),
        };
    }
    let integer = words.first().copied().unwrap_or(0) as i32;
    double.run(&doubles, integer, all);
    let small = |number: f64| {
        let widened = double == Double::Widen && (number as f32).is_subnormal();
        if widened {
            0.0f64.copysign(number)
        } else {
            flush(number)
        }
    };
    let flushed = doubles.map(small);
    if flushed.map(f64::to_bits) != doubles.map(f64::to_bits) {
        double.run(&flushed, integer, all);
        all.other.because(Reason::Double);
    }
}
