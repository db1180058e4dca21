//! Integers, and conversions to and from them.

use super::{effect, floats, is_unknown, possible, words};
use crate::r700::execution::value::{Reason, Truth, Value};

const MINUS_ONE: u32 = u32::MAX;

fn word(value: u32) -> Value {
    Value::settled(value)
}

#[test]
fn arithmetic_wraps() {
    assert_eq!(words("ADD_INT", &[u32::MAX, 3]), word(2));
    assert_eq!(words("SUB_INT", &[5, 7]), word(-2i32 as u32));
    assert_eq!(words("NOT_INT", &[0x0f0f_0f0f]), word(0xf0f0_f0f0));
    assert_eq!(words("AND_INT", &[12, 10]), word(8));
    assert_eq!(words("OR_INT", &[12, 10]), word(14));
    assert_eq!(words("XOR_INT", &[12, 10]), word(6));
    assert_eq!(words("MAX_INT", &[MINUS_ONE, 1]), word(1));
    assert_eq!(words("MIN_INT", &[MINUS_ONE, 1]), word(MINUS_ONE));
    assert_eq!(words("MAX_UINT", &[MINUS_ONE, 1]), word(MINUS_ONE));
    assert_eq!(words("MIN_UINT", &[MINUS_ONE, 1]), word(1));
}

#[test]
fn products_have_two_halves() {
    // -2 · 3 = -6: low FFFFFFFA, high all ones; unsigned (2^32 - 2) · 3 = 2 · 2^32 + (2^32 - 6).
    let minus_two = -2i32 as u32;
    assert_eq!(words("MULLO_INT", &[minus_two, 3]), word(0xffff_fffa));
    assert_eq!(words("MULHI_INT", &[minus_two, 3]), word(MINUS_ONE));
    assert_eq!(words("MULLO_UINT", &[minus_two, 3]), word(0xffff_fffa));
    assert_eq!(words("MULHI_UINT", &[minus_two, 3]), word(2));
}

#[test]
fn comparisons_are_signed_or_not() {
    assert_eq!(words("SETGT_INT", &[1, MINUS_ONE]), word(MINUS_ONE));
    assert_eq!(words("SETGT_UINT", &[1, MINUS_ONE]), word(0));
    assert_eq!(words("SETGE_UINT", &[7, 7]), word(MINUS_ONE));
    assert_eq!(words("SETE_INT", &[7, 7]), word(MINUS_ONE));
    assert_eq!(words("SETNE_INT", &[7, 7]), word(0));
    let pred = effect("PRED_SETGT_UINT", &[word(MINUS_ONE), word(1)]);
    assert_eq!(pred.predicate, Some(Truth::Settled(true)));
    assert_eq!(pred.result, Value::float(0.0));
    let pred = effect("PRED_SETGT_INT", &[word(MINUS_ONE), word(1)]);
    assert_eq!(pred.predicate, Some(Truth::Settled(false)));
    assert_eq!(pred.result, Value::float(1.0));
    let kill = effect("KILLGE_UINT", &[word(MINUS_ONE), word(1)]);
    assert_eq!(kill.kill, Some(Truth::Settled(true)));
    // The counter is a float, what is compared an integer: -5 < 0.
    let push = effect(
        "PRED_SETLT_PUSH_INT",
        &[Value::float(0.0), word(-5i32 as u32)],
    );
    assert_eq!(push.predicate, Some(Truth::Settled(true)));
    let push = effect("PRED_SETLE_PUSH_INT", &[Value::float(0.0), word(1)]);
    assert_eq!(push.result, Value::float(1.0));
    assert_eq!(words("CNDGT_INT", &[MINUS_ONE, 4, 5]), word(5));
    assert_eq!(words("CNDE_INT", &[0, 4, 5]), word(4));
    assert_eq!(words("CNDGE_INT", &[0x8000_0000, 4, 5]), word(5));
}

#[test]
fn shifts_of_more_than_31_are_open() {
    assert_eq!(words("LSHL_INT", &[3, 4]), word(48));
    assert_eq!(words("LSHR_INT", &[0x8000_0000, 31]), word(1));
    assert_eq!(words("ASHR_INT", &[0x8000_0000, 31]), word(MINUS_ONE));
    assert_eq!(possible(&words("LSHL_INT", &[3, 33])), [0, 6]);
    assert_eq!(possible(&words("LSHR_INT", &[6, 33])), [0, 3]);
    assert_eq!(
        possible(&words("ASHR_INT", &[-8i32 as u32, 33])),
        [MINUS_ONE, -4i32 as u32]
    );
    // Nothing to see: zero either way.
    assert_eq!(words("LSHL_INT", &[0, 99]), word(0));
}

#[test]
fn reciprocals_are_within_one() {
    // 2^32 / 3 = 1431655765.33
    let third = 1_431_655_765;
    assert_eq!(
        possible(&words("RECIP_UINT", &[3])),
        [third, third - 1, third + 1]
    );
    assert!(is_unknown(
        &words("RECIP_UINT", &[0]),
        Reason::IntegerReciprocal
    ));
    assert_eq!(words("RECIP_UINT", &[1]).bits(), MINUS_ONE);
    // Floor of -1431655765.33.
    let minus = -1_431_655_766i32 as u32;
    assert_eq!(
        possible(&words("RECIP_INT", &[-3i32 as u32])),
        [minus, minus - 1, minus + 1]
    );
    assert!(is_unknown(
        &words("RECIP_INT", &[1]),
        Reason::IntegerReciprocal
    ));
}

#[test]
fn floats_to_integers() {
    assert_eq!(floats("FLT_TO_INT", &[-3.0]), word(-3i32 as u32));
    assert_eq!(possible(&floats("FLT_TO_INT", &[2.75])), [2, 3]);
    assert_eq!(floats("FLT_TO_INT", &[2.25]), word(2));
    // Ties go to even: 2.5 to 2.
    assert_eq!(floats("FLT_TO_INT", &[2.5]), word(2));
    assert_eq!(
        possible(&floats("FLT_TO_INT", &[-1.5])),
        [MINUS_ONE, -2i32 as u32]
    );
    assert_eq!(floats("FLT_TO_INT", &[-2_147_483_648.0]), word(0x8000_0000));
    // What does not fit keeps its low 32 bits: 2^31; -(2^31 + 256); 3·2^31 = 0x1_8000_0000; 2^32 + 512; 2^55, whose last
    // bit is the 32nd above those kept; the greatest float.
    for (number, low) in [
        (2_147_483_648.0, 0x8000_0000),
        (-2_147_483_904.0, 0x7fff_ff00),
        (6_442_450_944.0, 0x8000_0000),
        (4_294_967_808.0, 0x0000_0200),
        (36_028_797_018_963_968.0, 0),
        (f32::MAX, 0),
        (f32::MIN, 0),
    ] {
        assert_eq!(floats("FLT_TO_INT", &[number]), word(low), "{number}");
    }
    for number in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
        assert!(is_unknown(
            &floats("FLT_TO_INT", &[number]),
            Reason::ConversionRange
        ));
    }
    assert_eq!(floats("FLT_TO_UINT", &[4_294_967_040.0]), word(0xffff_ff00));
    assert_eq!(floats("FLT_TO_UINT", &[-0.25]), word(0));
    assert!(is_unknown(
        &floats("FLT_TO_UINT", &[-0.75]),
        Reason::ConversionRange
    ));
    assert!(is_unknown(
        &floats("FLT_TO_UINT", &[-1.0]),
        Reason::ConversionRange
    ));
}

#[test]
fn integers_to_floats() {
    assert_eq!(words("INT_TO_FLT", &[MINUS_ONE]), Value::float(-1.0));
    assert_eq!(words("UINT_TO_FLT", &[MINUS_ONE]).bits(), 0x4f80_0000);
    // 2^32 - 1: the nearest is 2^32, toward zero 2^32 - 256.
    assert_eq!(
        possible(&words("UINT_TO_FLT", &[MINUS_ONE])),
        [0x4f80_0000, 0x4f7f_ffff]
    );
    // 2^24 + 1 is halfway, and the even one is below: the same either way. 2^24 + 3 goes up.
    assert_eq!(
        words("INT_TO_FLT", &[16_777_217]),
        Value::float(16_777_216.0)
    );
    let up = [16_777_220.0f32.to_bits(), 16_777_218.0f32.to_bits()];
    assert_eq!(possible(&words("INT_TO_FLT", &[16_777_219])), up);
}
