//! Settled floats: arithmetic, comparisons, conversions, approximations.

use super::{effect, floats, is_any_nan, is_unknown, possible, run, words};
use crate::r700::execution::value::{Acceptance, Doubt, Reason, Truth, Value};

const INF: f32 = f32::INFINITY;
const NAN: f32 = f32::NAN;

fn float(number: f32) -> Value {
    Value::float(number)
}

#[test]
fn sums_and_products() {
    assert_eq!(floats("ADD", &[1.5, 2.25]), float(3.75));
    // 2^24 + 1 lies halfway between two floats; the even one is 2^24.
    assert_eq!(floats("ADD", &[16_777_216.0, 1.0]), float(16_777_216.0));
    assert!(is_any_nan(&floats("ADD", &[INF, -INF])));
    assert_eq!(floats("MUL", &[3.0, -0.5]), float(-1.5));
    assert_eq!(floats("MUL_IEEE", &[0.0, -3.0]), float(-0.0));
    assert!(is_any_nan(&floats("MUL_IEEE", &[0.0, INF])));
}

#[test]
fn zero_times_anything_is_zero() {
    assert_eq!(floats("MUL", &[0.0, 5.0]), float(0.0));
    assert_eq!(floats("MUL", &[INF, 0.0]), float(0.0));
    // IEEE would make it negative.
    let zero = floats("MUL", &[0.0, -5.0]);
    assert_eq!(possible(&zero), [0, 0x8000_0000]);
    assert_eq!(zero.reason(), Some(Reason::ZeroSign));
    assert_eq!(possible(&floats("MUL", &[-0.0, INF])), [0, 0x8000_0000]);
    assert_eq!(floats("MUL", &[0.0, NAN]).bits() & 0x7fff_ffff, 0);
    assert_eq!(floats("MULADD", &[0.0, INF, 7.0]), float(7.0));
    assert!(is_any_nan(&floats("MULADD_IEEE", &[0.0, INF, 7.0])));
    // 0 + -0 is 0, -0 + -0 is -0.
    assert_eq!(
        possible(&floats("MULADD", &[0.0, -1.0, -0.0])),
        [0, 0x8000_0000]
    );
}

#[test]
fn a_multiply_add_rounds_once_or_twice() {
    assert_eq!(floats("MULADD", &[2.0, 3.0, 4.0]), float(10.0));
    assert_eq!(floats("MULADD_M2", &[2.0, 3.0, 4.0]), float(20.0));
    assert_eq!(floats("MULADD_M4", &[2.0, 3.0, 4.0]), float(40.0));
    assert_eq!(floats("MULADD_IEEE_D2", &[2.0, 3.0, 4.0]), float(5.0));
    // (1 + 2^-23)² is 1 + 2^-22 + 2^-46; the product rounds to 1 + 2^-22, so 2^-46 is seen only with one rounding.
    let a = 1.0 + f32::EPSILON;
    let value = floats("MULADD", &[a, a, -(1.0 + 2.0 * f32::EPSILON)]);
    let small = f32::powi(2.0, -46).to_bits();
    assert_eq!(possible(&value), [0, small]);
    assert_eq!(value.reason(), Some(Reason::MuladdRounding));
}

#[test]
fn maximum_and_minimum_are_their_formulas() {
    assert_eq!(floats("MAX", &[1.0, 2.0]), float(2.0));
    assert_eq!(floats("MIN", &[1.0, 2.0]), float(1.0));
    // a >= b holds of equal zeros, a < b does not: MAX takes a, MIN takes b.
    assert_eq!(floats("MAX", &[-0.0, 0.0]), float(-0.0));
    assert_eq!(floats("MIN", &[-0.0, 0.0]), float(0.0));
    // Unordered: b.
    assert_eq!(floats("MAX", &[NAN, 2.0]), float(2.0));
    assert!(is_any_nan(&floats("MIN", &[2.0, NAN])));
    // The other operand is possible with DX10.
    let value = floats("MAX_DX10", &[2.0, NAN]);
    assert_eq!(value.reason(), Some(Reason::DxNan));
    assert_eq!(
        value.accepts(2.0f32.to_bits()),
        Acceptance::Within(Reason::DxNan)
    );
    assert_eq!(value.accepts(3.0f32.to_bits()), Acceptance::Disagree);
    assert_ne!(value.accepts(0xffff_ffff), Acceptance::Disagree);
    let value = floats("MIN_DX10", &[NAN, 2.0]);
    assert_eq!(value.accepts(2.0f32.to_bits()), Acceptance::Agree);
    assert!(is_any_nan(&floats("MIN_DX10", &[NAN, NAN])));
}

#[test]
fn roundings() {
    for (name, expected) in [
        ("TRUNC", [1.0, -1.0, 2.0]),
        ("FLOOR", [1.0, -2.0, 2.0]),
        ("CEIL", [2.0, -1.0, 3.0]),
        ("RNDNE", [2.0, -2.0, 2.0]),
        ("FRACT", [0.5, 0.5, 0.5]),
    ] {
        for (number, expected) in [1.5, -1.5, 2.5].into_iter().zip(expected) {
            assert_eq!(floats(name, &[number]), float(expected), "{name} {number}");
        }
    }
    assert_eq!(possible(&floats("RNDNE", &[-0.5])), [0x8000_0000, 0]);
    assert!(is_any_nan(&floats("FRACT", &[INF])));
    // -2^-30 + 1 rounds to 1.
    let value = floats("FRACT", &[-f32::powi(2.0, -30)]);
    assert_eq!(possible(&value), [0x3f80_0000, 0x3f7f_ffff]);
}

#[test]
fn comparisons() {
    for (name, less, equal, greater, nan) in [
        ("SETE", 0.0, 1.0, 0.0, 0.0),
        ("SETGT", 0.0, 0.0, 1.0, 0.0),
        ("SETGE", 0.0, 1.0, 1.0, 0.0),
        ("SETNE", 1.0, 0.0, 1.0, 1.0),
    ] {
        assert_eq!(floats(name, &[1.0, 2.0]), float(less), "{name}");
        assert_eq!(floats(name, &[0.0, -0.0]), float(equal), "{name}");
        assert_eq!(floats(name, &[2.0, 1.0]), float(greater), "{name}");
        assert_eq!(floats(name, &[2.0, NAN]), float(nan), "{name}");
        let mask = |truth: f32| Value::settled(if truth == 1.0 { u32::MAX } else { 0 });
        let dx10 = format!("{name}_DX10");
        assert_eq!(floats(&dx10, &[1.0, 2.0]), mask(less), "{dx10}");
        assert_eq!(floats(&dx10, &[2.0, 1.0]), mask(greater), "{dx10}");
    }
    assert_eq!(possible(&floats("SETNE_DX10", &[2.0, NAN])), [u32::MAX, 0]);
    assert_eq!(floats("SETGT_DX10", &[2.0, NAN]), Value::settled(0));
}

#[test]
fn conditional_moves_copy_bits() {
    let nan = Value::settled(0xffc0_0123);
    assert_eq!(run("CNDE", &[float(-0.0), nan.clone(), float(1.0)]), nan);
    assert_eq!(
        run("CNDE", &[float(NAN), nan.clone(), float(1.0)]),
        float(1.0)
    );
    assert_eq!(
        run("CNDGT", &[float(0.0), nan.clone(), float(1.0)]),
        float(1.0)
    );
    assert_eq!(run("CNDGE", &[float(0.0), nan.clone(), float(1.0)]), nan);
    assert_eq!(run("MOV", std::slice::from_ref(&nan)), nan);
    // A denormal is copied as well, though not compared.
    let denormal = Value::settled(1);
    assert_eq!(
        run("CNDGT", &[float(1.0), denormal.clone(), float(1.0)]),
        denormal
    );
    assert_eq!(
        possible(&run("CNDGT", &[denormal, float(1.0), float(2.0)])).len(),
        2
    );
}

#[test]
fn predicates_count_branches() {
    let settled = |name: &str, numbers: [f32; 2], result: f32, truth: bool| {
        let effect = effect(name, &numbers.map(Value::float));
        assert_eq!(effect.result, float(result), "{name} {numbers:?}");
        assert_eq!(
            effect.predicate,
            Some(Truth::Settled(truth)),
            "{name} {numbers:?}"
        );
        assert_eq!(effect.kill, None);
    };
    settled("PRED_SETGT", [2.0, 1.0], 0.0, true);
    settled("PRED_SETGT", [1.0, 1.0], 1.0, false);
    settled("PRED_SETNE", [NAN, 1.0], 0.0, true);
    settled("PRED_SETE_PUSH", [0.0, 0.0], 0.0, true);
    // A counter that is up goes further up, whatever the comparison.
    settled("PRED_SETE_PUSH", [2.0, 0.0], 3.0, false);
    settled("PRED_SETGT_PUSH", [0.0, -1.0], 1.0, false);
    settled("PRED_SETGE_PUSH", [0.0, 0.0], 0.0, true);
    settled("PRED_SETNE_PUSH", [0.0, 0.5], 0.0, true);
    settled("PRED_SET_INV", [1.0, 0.0], 0.0, true);
    settled("PRED_SET_INV", [0.0, 0.0], 1.0, false);
    settled("PRED_SET_INV", [3.0, 0.0], 3.0, false);
    settled("PRED_SET_CLR", [0.0, 0.0], f32::MAX, false);
    settled("PRED_SET_RESTORE", [0.0, 0.0], 0.0, true);
    settled("PRED_SET_RESTORE", [2.0, 0.0], 2.0, false);
    settled("PRED_SET_POP", [1.0, 1.0], 0.0, true);
    let pop = effect("PRED_SET_POP", &[float(3.0), float(1.0)]);
    assert!(is_unknown(&pop.result, Reason::Counter));
    assert_eq!(pop.predicate, Some(Truth::Settled(false)));
}

#[test]
fn kills() {
    let effect = effect("KILLGT", &[float(0.0), float(-1.0)]);
    assert_eq!(effect.kill, Some(Truth::Settled(true)));
    assert_eq!(effect.predicate, None);
    assert_eq!(effect.result, float(1.0));
    assert_eq!(floats("KILLGE", &[-1.0, 0.0]), float(0.0));
}

#[test]
fn approximations_are_exact_where_amd_says() {
    assert_eq!(floats("RECIP_IEEE", &[1.0]), float(1.0));
    assert_eq!(floats("RECIPSQRT_IEEE", &[1.0]), float(1.0));
    assert_eq!(floats("SQRT_IEEE", &[1.0]), float(1.0));
    assert_eq!(floats("EXP_IEEE", &[0.0]), float(1.0));
    assert_eq!(floats("LOG_IEEE", &[1.0]), float(0.0));
    assert_eq!(floats("RECIP_IEEE", &[-0.0]), float(-INF));
    assert_eq!(floats("RECIP_CLAMPED", &[-0.0]), float(-f32::MAX));
    assert_eq!(floats("RECIP_FF", &[-0.0]), float(-0.0));
    assert_eq!(floats("RECIPSQRT_CLAMPED", &[0.0]), float(f32::MAX));
    assert_eq!(floats("RECIPSQRT_FF", &[0.0]), float(0.0));
    assert_eq!(floats("LOG_IEEE", &[0.0]), float(-INF));
    assert_eq!(floats("LOG_CLAMPED", &[0.0]), float(-f32::MAX));
    for name in ["LOG_IEEE", "SQRT_IEEE", "RECIPSQRT_IEEE", "LOG_CLAMPED"] {
        assert!(is_any_nan(&floats(name, &[-1.0])), "{name}");
    }
}

#[test]
fn approximations_are_within_their_bounds() {
    // 1/3 is 0x3EAAAAAB, 1/3 of a unit above; 2.5 units about 0x3EAAAAAA.AA reach from 0x3EAAAAA9 to 0x3EAAAAAD.
    let third = floats("RECIP_IEEE", &[3.0]);
    assert_eq!(third.bits(), 0x3eaa_aaab);
    let within = Acceptance::Within(Reason::Approximation);
    assert_eq!(third.accepts(0x3eaa_aaad), within);
    assert_eq!(third.accepts(0x3eaa_aaa9), within);
    assert_eq!(third.accepts(0x3eaa_aaae), Acceptance::Disagree);
    assert_eq!(third.accepts(0x3eaa_aaa8), Acceptance::Disagree);
    // 2^10 ± (3 + 2·10) units of 2^-13.
    let power = floats("EXP_IEEE", &[10.0]);
    assert_eq!(power.bits(), 1024.0f32.to_bits());
    assert_eq!(power.accepts(1024.0f32.to_bits() + 23), within);
    assert_eq!(
        power.accepts(1024.0f32.to_bits() + 24),
        Acceptance::Disagree
    );
    // What underflows may be flushed: 2^-127 is denormal.
    assert_eq!(floats("EXP_IEEE", &[-127.0]).accepts(0), within);
    // log2 between 0.5 and 2 is off by 2^-21 at most: 2 · 2^-22.
    let log = floats("LOG_IEEE", &[2.0]);
    assert_eq!(log.accepts((1.0 + f32::powi(2.0, -21)).to_bits()), within);
    assert_eq!(
        log.accepts((1.0 + f32::powi(2.0, -20)).to_bits()),
        Acceptance::Disagree
    );
}

#[test]
fn circular_functions_take_revolutions() {
    // A quarter of a turn; half a turn; 255 and an eighth, whose sine is √½.
    assert_eq!(floats("SIN", &[0.25]).bits(), 1.0f32.to_bits());
    assert_eq!(floats("COS", &[0.25]).number(), 0.0);
    assert_eq!(floats("SIN", &[-0.5]).number().abs(), 0.0);
    assert_eq!(floats("COS", &[0.5]).number(), -1.0);
    assert_eq!(
        floats("SIN", &[255.125]).number(),
        std::f32::consts::FRAC_1_SQRT_2
    );
    assert_ne!(
        floats("SIN", &[0.0]).accepts(0x3980_0000),
        Acceptance::Disagree
    );
    assert_eq!(
        floats("SIN", &[0.0]).accepts(0x3b80_0000),
        Acceptance::Disagree
    );
    assert!(is_unknown(&floats("SIN", &[256.5]), Reason::Domain));
    assert!(is_any_nan(&floats("COS", &[NAN])));
}

#[test]
fn literal_products() {
    assert_eq!(floats("MUL_LIT", &[2.0, 3.0, 1.0]), float(6.0));
    assert_eq!(floats("MUL_LIT_D2", &[2.0, 3.0, 1.0]), float(3.0));
    assert_eq!(floats("MUL_LIT", &[2.0, 3.0, 0.0]), float(-f32::MAX));
    assert_eq!(floats("MUL_LIT", &[2.0, 3.0, NAN]), float(-f32::MAX));
    // AMD tests b, Mesa passes the logarithm as a.
    let value = floats("MUL_LIT", &[2.0, -INF, 1.0]);
    assert_eq!(possible(&value), [(-f32::MAX).to_bits(), (-INF).to_bits()]);
    let value = floats("MUL_LIT", &[-f32::MAX, 0.0, 1.0]);
    assert_eq!(value.reason(), Some(Reason::ZeroSign));
    assert_eq!(possible(&value), [0, 0x8000_0000, (-f32::MAX).to_bits()]);
    assert_eq!(floats("MUL_LIT", &[-f32::MAX, -INF, 1.0]), float(-f32::MAX));
}

#[test]
fn addresses() {
    let address = |name: &str, number: f32| {
        effect(name, &[float(number)])
            .address
            .expect("MOVA* gives an address")
    };
    let number = |value: i32| Value::settled(value as u32);
    assert_eq!(address("MOVA", 2.5), number(3));
    assert_eq!(address("MOVA", -2.5), number(-2));
    assert_eq!(address("MOVA_FLOOR", -2.5), number(-3));
    assert_eq!(address("MOVA_FLOOR", -1e9), number(-256));
    let above = [-256i32 as u32, 255];
    assert_eq!(possible(&address("MOVA", 256.0)), above);
    assert_eq!(address("MOVA_FLOOR", 255.5), Value::settled(255).clone());
    assert!(is_unknown(&address("MOVA", NAN), Reason::AddressNan));
    // The float below a half: the exact sum is below 1, the float's sum is 1.
    assert_eq!(possible(&address("MOVA", 0.5f32.next_down())), [0, 1]);
    let effect = effect("MOVA_INT", &[Value::settled(300)]);
    assert_eq!(possible(&effect.address.expect("an address")), above);
    assert!(is_unknown(&effect.result, Reason::AddressResult));
}

#[test]
fn denormals_are_kept_or_flushed() {
    let tiny = 0x0000_0001;
    // A denormal result; a denormal operand that makes no difference; one that does.
    assert_eq!(
        possible(&floats("MUL_IEEE", &[f32::MIN_POSITIVE, 0.5])),
        [0x0040_0000, 0]
    );
    assert_eq!(words("ADD", &[tiny, 0x3f80_0000]), float(1.0));
    let value = words("SETGT", &[tiny, 0]);
    assert_eq!(possible(&value), [0x3f80_0000, 0]);
    assert_eq!(value.reason(), Some(Reason::Denormal));
    // Infinity times a denormal: infinite, or zero times anything.
    let value = words("MUL", &[0x7f80_0000, tiny]);
    assert_eq!(possible(&value), [0x7f80_0000, 0]);
    // Copied as it is.
    assert_eq!(words("MOV", &[tiny]), Value::settled(tiny));
    assert_eq!(
        *words("MAX", &[tiny, 0]).doubt(),
        Doubt::OneOf([tiny, 0].into())
    );
}
