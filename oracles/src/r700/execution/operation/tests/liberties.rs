//! What hardware that flushes may do, and what engines do beyond.

use super::{Chip, Context, named, possible, words};
use crate::r700::execution::policy::FloatPolicy;
use crate::r700::execution::value::{Acceptance, Reason, Value};

const MINUS_ZERO: u32 = 0x8000_0000;
const MINUS_TINY: u32 = 0x8000_0001;
const LEAST: u32 = 0x0080_0000;

/// What an operation gives on settled words, with the liberties of an engine.
fn on(engine: &str, name: &str, words: &[u32]) -> Value {
    let context = Context {
        policy: &FloatPolicy::for_engine(engine).expect("it is there"),
        chip: Chip::R700,
    };
    let sources: Vec<Value> = words.iter().map(|word| Value::settled(*word)).collect();
    named(name).scalar(&sources, &context).result
}

#[test]
fn a_choice_copies_what_its_comparison_flushed() {
    // -0 is greater than the tiny negative, unless both are zeros, of which MAX takes the first: kept or flushed, too.
    let value = words("MAX", &[MINUS_TINY, MINUS_ZERO]);
    assert_eq!(possible(&value), [MINUS_ZERO, MINUS_TINY]);
    // MIN takes the second of two zeros.
    let value = words("MIN_DX10", &[MINUS_ZERO, 8]);
    assert_eq!(possible(&value), [MINUS_ZERO, 8, 0]);
    // The smallest normal number is no zero to anyone.
    assert!(words("MAX", &[LEAST, MINUS_ZERO]).is_settled());
}

#[test]
fn what_was_tiny_before_rounding_may_be_flushed() {
    // (1 - 2^-24) 2^-126 lies midway between the largest denormal and 2^-126, which is even.
    let value = words("MUL_IEEE", &[0x3f7f_ffff, LEAST]);
    assert_eq!(possible(&value), [LEAST, 0]);
    // So the sum with -2^-126 is 0, or that; one rounding gives -2^-150, which is -0 as a float.
    let value = words("MULADD_IEEE", &[0x3f7f_ffff, LEAST, LEAST | MINUS_ZERO]);
    assert_eq!(possible(&value), [0, MINUS_ZERO, LEAST | MINUS_ZERO]);
    // 1.5 · 2^-126 - 2^-126 is a denormal, which is flushed before it is doubled, or not.
    let value = words("MULADD_M2", &[LEAST, 0x3fc0_0000, LEAST | MINUS_ZERO]);
    assert_eq!(possible(&value), [LEAST, 0]);
}

#[test]
fn constants_of_zero_are_folded_by_one_engine_alone() {
    let departure = Acceptance::Within(Reason::EngineDeparture);
    let sum = |engine| on(engine, "ADD", &[0, MINUS_ZERO]).accepts(MINUS_ZERO);
    assert_eq!(sum("embedded"), Acceptance::Disagree);
    assert_eq!(sum("lavapipe"), departure);
    // A sum that is no zero is what it is.
    assert!(on("lavapipe", "ADD", &[0, LEAST]).is_settled());
}
