//! What hardware that flushes may do, and what engines do beyond.

use super::super::liberty::{perhaps_kept, perhaps_merged};
use super::{Chip, Context, named, possible, words};
use crate::r700::execution::policy::FloatPolicy;
use crate::r700::execution::value::{Acceptance, Reason, Value};

const MINUS_ZERO: u32 = 0x8000_0000;
const MINUS_TINY: u32 = 0x8000_0001;
const LEAST: u32 = 0x0080_0000;
const ONE: u32 = 0x3f80_0000;
const MINUS_ONE: u32 = 0xbf80_0000;
const INFINITY: u32 = 0x7f80_0000;

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

/// How a word stands to what an operation gives on an engine.
fn accepted(engine: &str, name: &str, words: &[u32], word: u32) -> Acceptance {
    on(engine, name, words).accepts(word)
}

const DEPARTURE: Acceptance = Acceptance::Within(Reason::EngineDeparture);

#[test]
fn constants_of_zero_are_folded_by_one_engine_alone() {
    let sum = |engine| accepted(engine, "ADD", &[0, MINUS_ZERO], MINUS_ZERO);
    assert_eq!(sum("embedded"), Acceptance::Disagree);
    assert_eq!(sum("lavapipe"), DEPARTURE);
    // A sum that is no zero is what it is, and so is a zero that no zero went into: 1 - 1.
    assert!(on("lavapipe", "ADD", &[0, LEAST]).is_settled());
    assert!(on("lavapipe", "ADD", &[ONE, MINUS_ONE]).is_settled());
}

#[test]
fn products_with_a_constant_zero_are_zero_on_one_engine_alone() {
    // 0 · -1 is -0 by IEEE, 0 · infinity a NaN.
    let product = |engine| accepted(engine, "MUL_IEEE", &[0, MINUS_ONE], 0);
    assert_eq!(product("embedded"), Acceptance::Disagree);
    assert_eq!(product("lavapipe"), DEPARTURE);
    let product = on("lavapipe", "MUL_IEEE", &[0, INFINITY]);
    assert!(product.accepts(0) != Acceptance::Disagree);
    let sum = on("lavapipe", "MULADD_IEEE", &[0, INFINITY, ONE]);
    assert!(sum.accepts(ONE) != Acceptance::Disagree);
    // A product that underflows has no zero among its factors.
    assert!(on("lavapipe", "MUL_IEEE", &[LEAST, LEAST | MINUS_ZERO]).is_settled());
}

#[test]
fn choices_between_zero_and_one_may_lose_the_sign() {
    // 8 > 0 takes the second operand, and -1 < 0.
    for (name, words) in [
        ("CNDGT", [0x4100_0000, 0, MINUS_ONE]),
        ("CNDGT", [0x4100_0000, 0, ONE]),
        ("MAX", [MINUS_ONE, 0, 0]),
    ] {
        assert_eq!(
            accepted("embedded", name, &words, MINUS_ZERO),
            Acceptance::Disagree,
            "{name}"
        );
        assert_eq!(
            accepted("lavapipe", name, &words, MINUS_ZERO),
            DEPARTURE,
            "{name}"
        );
    }
    // 0 and 2 are no truth value.
    assert!(on("lavapipe", "CNDGT", &[0x4100_0000, 0, 0x4000_0000]).is_settled());
}

#[test]
fn an_absolute_value_may_keep_the_sign_of_a_zero_alone() {
    let kept = |word| {
        let value = Value::settled(word);
        perhaps_kept(&value, value.absolute())
    };
    assert_eq!(kept(MINUS_ZERO).accepts(MINUS_ZERO), DEPARTURE);
    assert_eq!(kept(MINUS_ZERO).accepts(0), Acceptance::Agree);
    assert!(kept(0).is_settled() && kept(MINUS_ONE).is_settled() && kept(MINUS_TINY).is_settled());
}

#[test]
fn where_ways_meet_zeros_are_of_either_sign() {
    assert_eq!(
        perhaps_merged(Value::settled(0)).accepts(MINUS_ZERO),
        DEPARTURE
    );
    assert_eq!(
        perhaps_merged(Value::settled(MINUS_TINY)).accepts(0),
        DEPARTURE
    );
    assert!(perhaps_merged(Value::settled(ONE)).is_settled());
}

#[test]
fn a_conditional_move_may_pass_a_word_through_a_sum() {
    // A signalling NaN becomes quiet, a denormal zero; other words stay.
    let moved = |word| on("lavapipe", "CNDE_INT", &[0, word, ONE]);
    assert_eq!(possible(&moved(0x7fb5_18ea)), [0x7fb5_18ea, 0x7ff5_18ea]);
    assert_eq!(possible(&moved(MINUS_TINY)), [MINUS_TINY, MINUS_ZERO]);
    assert!(moved(0x7fc0_0001).is_settled() && moved(LEAST).is_settled());
    assert!(on("embedded", "CNDE_INT", &[0, MINUS_TINY, ONE]).is_settled());
}
