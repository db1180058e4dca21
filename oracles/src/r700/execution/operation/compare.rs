//! Comparisons, and what is made of them: truth values, predicates, kills.
//!
//! An unordered comparison is false, ≠ is true (S048).

use super::arithmetic::floats;
use super::{Outcomes, Reason};
use crate::r700::execution::value::SIGN;

/// a = b.
pub(super) fn equal(words: &[u32; 3]) -> bool {
    let [a, b, _] = floats(words);
    a == b
}

/// a > b.
pub(super) fn greater(words: &[u32; 3]) -> bool {
    let [a, b, _] = floats(words);
    a > b
}

/// a ≥ b.
pub(super) fn not_less(words: &[u32; 3]) -> bool {
    let [a, b, _] = floats(words);
    a >= b
}

/// a ≠ b.
pub(super) fn different(words: &[u32; 3]) -> bool {
    !equal(words)
}

/// a = b, as bits.
pub(super) fn equal_int(words: &[u32; 3]) -> bool {
    words[0] == words[1]
}

/// a > b, signed.
pub(super) fn greater_int(words: &[u32; 3]) -> bool {
    words[0] as i32 > words[1] as i32
}

/// a ≥ b, signed.
pub(super) fn not_less_int(words: &[u32; 3]) -> bool {
    words[0] as i32 >= words[1] as i32
}

/// a ≠ b, as bits.
pub(super) fn different_int(words: &[u32; 3]) -> bool {
    words[0] != words[1]
}

/// a > b, unsigned.
pub(super) fn greater_uint(words: &[u32; 3]) -> bool {
    words[0] > words[1]
}

/// a ≥ b, unsigned.
pub(super) fn not_less_uint(words: &[u32; 3]) -> bool {
    words[0] >= words[1]
}

/// SETE, SETGT, SETGE, SETNE: 1.0 or 0.0 (R6 p. 207-218).
pub(super) fn set(truth: bool, out: &mut Outcomes) {
    out.float(f32::from(u8::from(truth)));
}

/// SETE_DX10, SETE_INT and so on: all ones or none (R6 p. 208-220).
pub(super) fn mask(truth: bool, out: &mut Outcomes) {
    out.word(if truth { u32::MAX } else { 0 });
}

/// SETNE_DX10 (R6 p. 219). LLVM marks it true of a NaN, with a remark that false may be right (S049).
pub(super) fn setne_dx10(words: &[u32; 3], out: &mut Outcomes) {
    mask(different(words), out);
    let [a, b, _] = floats(words);
    if a.is_nan() || b.is_nan() {
        out.also(0, Reason::SetneNan);
    }
}

/// PRED_SET*: 0.0 where the predicate holds, 1.0 where it does not, also for the integer forms (R6 p. 178-195, S070).
/// The result counts how many enclosing branches are off.
pub(super) fn predicate(truth: bool, out: &mut Outcomes) {
    out.truth(truth);
    out.float(f32::from(u8::from(!truth)));
}

/// KILL*: 1.0 where it kills, else 0.0 (R6 p. 131-134, S074).
pub(super) fn kill(truth: bool, out: &mut Outcomes) {
    out.truth(truth);
    set(truth, out);
}

/// PRED_SET*_PUSH: b, compared with zero, and a counter a that is 0.0; else the counter goes up (R6 p. 180-197, S071).
/// One page has a component's name where its siblings have the operand (C13).
pub(super) fn push(test: fn(&[u32; 3]) -> bool, words: &[u32; 3], out: &mut Outcomes) {
    let [counter, ..] = floats(words);
    let truth = test(&[words[1], 0, 0]) && counter == 0.0;
    out.truth(truth);
    out.float(if truth { 0.0 } else { counter + 1.0 });
}

/// PRED_SET_INV: 1.0 becomes 0.0, and holds; 0.0 becomes 1.0; others stay (R6 p. 175, S072).
pub(super) fn invert(words: &[u32; 3], out: &mut Outcomes) {
    let [counter, ..] = floats(words);
    out.truth(counter == 1.0);
    out.float(if counter == 1.0 {
        0.0
    } else if counter == 0.0 {
        1.0
    } else {
        counter
    });
}

/// PRED_SET_POP: a ≤ b gives 0.0 and holds (R6 p. 176). What else is written is not said: "Result = Result" (C13); the
/// counter less b would fit.
pub(super) fn pop(words: &[u32; 3], out: &mut Outcomes) {
    let [counter, levels, _] = floats(words);
    out.truth(counter <= levels);
    if counter <= levels {
        out.float(0.0);
    } else {
        out.unknown((counter - levels).to_bits(), Reason::Counter);
    }
}

/// PRED_SET_CLR: the largest float, and does not hold (R6 p. 174).
pub(super) fn clear(_: &[u32; 3], out: &mut Outcomes) {
    out.truth(false);
    out.float(f32::MAX);
}

/// PRED_SET_RESTORE: holds for a counter of 0.0; the counter stays (R6 p. 177). Of -0, AMD writes 0.0 and Mesa the
/// counter (S071, S072).
pub(super) fn restore(words: &[u32; 3], out: &mut Outcomes) {
    let [counter, ..] = floats(words);
    out.truth(counter == 0.0);
    out.float(if counter == 0.0 { 0.0 } else { counter });
    if words[0] == SIGN {
        out.also(SIGN, Reason::Counter);
    }
}
