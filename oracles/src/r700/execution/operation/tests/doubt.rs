//! Doubtful operands.

use super::{effect, is_any_nan, is_unknown, possible, run};
use crate::r700::execution::value::{Doubt, Reason, Truth, Value};

const WHY: Reason = Reason::Filtering;

fn float(number: f32) -> Value {
    Value::float(number)
}

fn few(numbers: &[f32]) -> Value {
    let words: Vec<u32> = numbers.iter().map(|number| number.to_bits()).collect();
    Value::one_of(words[0], &words, WHY)
}

fn between(nominal: f32, low: f32, high: f32) -> Value {
    Value::within(nominal, low, high, false, WHY)
}

fn numbers(value: &Value) -> Vec<f32> {
    possible(value).into_iter().map(f32::from_bits).collect()
}

#[test]
fn possibilities_multiply() {
    let sum = run("ADD", &[few(&[1.0, 2.0]), few(&[10.0, 20.0])]);
    assert_eq!(sum.number(), 11.0);
    let mut sums = numbers(&sum);
    sums.sort_by(f32::total_cmp);
    assert_eq!(sums, [11.0, 12.0, 21.0, 22.0]);
    assert_eq!(sum.reason(), Some(WHY));
    // All the same: settled again.
    assert_eq!(run("MAX", &[few(&[1.0, 2.0]), float(5.0)]), float(5.0));
    assert_eq!(run("SETGT", &[few(&[1.0, 2.0]), float(0.5)]), float(1.0));
}

#[test]
fn too_many_floats_lie_between_two_and_too_many_words_are_unknown() {
    let powers = few(&[1.0, 2.0, 4.0, 8.0]);
    let sum = run("ADD", &[powers, few(&[0.0, 0.25, 0.5])]);
    assert_eq!(sum, between(1.0, 1.0, 8.5));
    let a = Value::one_of(1, &[2, 3, 4], WHY);
    let b = Value::one_of(10, &[20, 30, 40], WHY);
    assert!(is_unknown(&run("ADD_INT", &[a, b]), WHY));
}

#[test]
fn arithmetic_carries_bounds() {
    let x = between(1.5, 1.0, 2.0);
    assert_eq!(run("ADD", &[x.clone(), float(1.0)]), between(2.5, 2.0, 3.0));
    assert_eq!(
        run("MUL", &[x.clone(), float(-2.0)]),
        between(-3.0, -4.0, -2.0)
    );
    let y = between(0.0, -1.0, 3.0);
    assert_eq!(
        run("MUL_IEEE", &[y.clone(), y.clone()]).bounds(),
        Some((-3.0, 9.0, false))
    );
    assert_eq!(
        run("MULADD", &[x.clone(), x.clone(), x.clone()]).bounds(),
        Some((2.0, 6.0, false))
    );
    assert_eq!(run("MAX", &[x.clone(), float(1.5)]), between(1.5, 1.5, 2.0));
    assert_eq!(run("FLOOR", &[between(1.5, 1.25, 1.75)]), float(1.0));
    assert_eq!(
        run("FRACT", &[between(1.5, 1.25, 1.75)]),
        between(0.5, 0.25, 0.75)
    );
    assert_eq!(run("FRACT", &[y]), between(0.0, 0.0, 1.0));
    let (low, high, nan) = run("RECIP_IEEE", &[x]).bounds().expect("an interval");
    // Half and one, and 2.5 units beyond.
    assert!((0.499_999..0.5).contains(&low) && (1.0..1.000_001).contains(&high) && !nan);
    // Across zero it can be anything.
    let across = run("RECIP_IEEE", &[between(1.0, -1.0, 2.0)]);
    assert!(is_unknown(&across, WHY));
    // Below zero a root is a NaN.
    let root = run("SQRT_IEEE", &[between(1.0, -1.0, 4.0)]);
    let (low, high, nan) = root.bounds().expect("an interval");
    assert!(low == 0.0 && high > 1.999_999 && high < 2.000_01 && nan);
}

#[test]
fn comparisons_of_bounds_are_known_when_they_do_not_straddle() {
    let x = between(1.5, 1.0, 2.0);
    assert_eq!(run("SETGT", &[x.clone(), float(0.5)]), float(1.0));
    assert_eq!(run("SETGT", &[float(0.5), x.clone()]), float(0.0));
    assert_eq!(
        numbers(&run("SETGT", &[x.clone(), float(1.75)])),
        [0.0, 1.0]
    );
    // Neither end is 1.25, but it lies between them.
    assert_eq!(numbers(&run("SETE", &[x.clone(), float(1.25)])), [0.0, 1.0]);
    assert_eq!(run("SETE", &[x.clone(), float(2.5)]), float(0.0));
    let truth = effect("PRED_SETGT", &[x.clone(), float(1.75)]).predicate;
    let open = Truth::Unsettled {
        nominal: false,
        reason: WHY,
    };
    assert_eq!(truth, Some(open));
    let truth = effect("KILLGT", &[x.clone(), float(0.0)]).kill;
    assert_eq!(truth, Some(Truth::Settled(true)));
    // A choice between what both can be.
    let chosen = run("CNDGT", &[between(1.0, -1.0, 1.0), float(5.0), float(6.0)]);
    assert_eq!(numbers(&chosen), [5.0, 6.0]);
    assert_eq!(
        run("CNDGT", &[x.clone(), float(5.0), float(6.0)]),
        float(5.0)
    );
    assert_eq!(run("CNDGT", &[float(1.0), x.clone(), float(6.0)]), x);
}

#[test]
fn conversions_of_bounds_take_in_the_integers_between() {
    let value = run("FLT_TO_INT", &[between(2.0, 1.0, 4.0)]);
    let mut integers = possible(&value);
    integers.sort_unstable();
    assert_eq!(integers, [1, 2, 3, 4]);
    assert_eq!(value.bits(), 2);
    assert!(is_unknown(
        &run("FLT_TO_INT", &[between(2.0, 1.0, 99.0)]),
        WHY
    ));
    // 2^40 to 2^41: both ends keep 0, and what is between anything in steps of 2^17.
    assert!(is_unknown(
        &run(
            "FLT_TO_INT",
            &[between(1.5e12, 1_099_511_627_776.0, 2_199_023_255_552.0)]
        ),
        WHY
    ));
    let address = effect("MOVA_FLOOR", &[between(2.25, 2.25, 2.75)]).address;
    assert_eq!(address, Some(Value::settled(2)));
    // Bits of a number between two are not few.
    assert!(is_unknown(
        &run("AND_INT", &[between(2.0, 1.0, 4.0), Value::settled(0)]),
        WHY
    ));
}

#[test]
fn any_nan_is_known_to_comparisons() {
    let nan = Value::any_nan(0x7fc0_0000, WHY);
    assert!(is_any_nan(&run("ADD", &[nan.clone(), float(1.0)])));
    assert_eq!(run("SETGE", &[nan.clone(), float(1.0)]), float(0.0));
    assert_eq!(run("SETNE", &[nan.clone(), nan.clone()]), float(1.0));
    assert_eq!(run("MAX", &[nan.clone(), float(1.0)]), float(1.0));
    assert!(is_unknown(
        &run("OR_INT", &[nan.clone(), Value::settled(1)]),
        WHY
    ));
    assert_eq!(run("MOV", std::slice::from_ref(&nan)), nan);
    // Zero times it is zero, of whichever sign.
    assert_eq!(numbers(&run("MUL", &[nan.clone(), float(0.0)])).len(), 2);
    assert!(is_unknown(&run("FLT_TO_INT", &[nan]), WHY));
}

#[test]
fn the_unknown_stays_unknown_unless_the_rest_decides() {
    let unknown = Value::unknown(0x3f80_0000, WHY);
    assert!(is_unknown(&run("ADD", &[unknown.clone(), float(1.0)]), WHY));
    assert_eq!(run("ADD", &[unknown.clone(), float(1.0)]).number(), 2.0);
    assert!(is_unknown(
        &run("XOR_INT", &[unknown.clone(), Value::settled(1)]),
        WHY
    ));
    assert!(is_unknown(&run("SIN", std::slice::from_ref(&unknown)), WHY));
    // Zero times anything is zero.
    assert_eq!(
        numbers(&run("MUL", &[unknown.clone(), float(0.0)])).len(),
        2
    );
    assert_eq!(
        run("MULADD", &[unknown.clone(), float(0.0), float(3.0)]),
        float(3.0)
    );
    // A comparison has two results, a mask two words.
    assert_eq!(
        numbers(&run("SETGT", &[unknown.clone(), float(0.5)])),
        [1.0, 0.0]
    );
    let mask = run("SETGT_INT", &[unknown.clone(), Value::settled(5)]);
    assert_eq!(possible(&mask), [u32::MAX, 0]);
    // Nothing is above the largest integer.
    let largest = Value::settled(0x7fff_ffff);
    assert_eq!(
        run("SETGT_INT", &[unknown.clone(), largest]),
        Value::settled(0)
    );
    let truth = effect("PRED_SETNE_INT", &[unknown.clone(), Value::settled(5)]).predicate;
    let open = Truth::Unsettled {
        nominal: true,
        reason: WHY,
    };
    assert_eq!(truth, Some(open));
    let chosen = run("CNDE", &[float(0.0), float(2.0), unknown.clone()]);
    assert_eq!(chosen, float(2.0));
    let chosen = run("CNDE", &[unknown, float(2.0), float(3.0)]);
    assert_eq!(numbers(&chosen), [3.0, 2.0]);
}

#[test]
fn a_sine_turns_no_faster_than_its_slope() {
    // About 0 the sine is 2πx: 1/64 of a turn either way is 0.0982 at most, and the bound of the policy.
    let x = between(0.0, -0.015_625, 0.015_625);
    let (low, high, nan) = run("SIN", &[x]).bounds().expect("an interval");
    assert!(high > 0.098 && high < 0.099 && low < -0.098 && low > -0.099 && !nan);
    // Half a turn either way is everything there is.
    let (low, high, _) = run("COS", &[between(0.0, -0.5, 0.5)])
        .bounds()
        .expect("an interval");
    assert!(low <= -1.0 && high >= 1.0);
}

#[test]
fn chained_multiply_adds_stay_judgeable() {
    let mut value = float(0.1);
    for step in 0..20 {
        let factor = float(1.0 + 0.1 * step as f32);
        value = run("MULADD", &[value, factor, float(0.3)]);
    }
    match value.doubt() {
        Doubt::Settled | Doubt::OneOf(_) => {}
        Doubt::Within { low, high, .. } => assert!((high - low) / high < 1e-4),
        doubt => panic!("{doubt:?}"),
    }
}
