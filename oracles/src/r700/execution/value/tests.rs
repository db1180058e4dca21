use super::{Acceptance, Doubt, Omod, Reason, Value};

const ONE: u32 = 0x3f80_0000;
const TWO: u32 = 0x4000_0000;
const MINUS_ZERO: u32 = 0x8000_0000;
/// The smallest denormal.
const TINY: u32 = 1;

fn words(value: &Value) -> Vec<u32> {
    value
        .possibilities()
        .map(<[u32]>::to_vec)
        .unwrap_or_default()
}

#[test]
fn a_settled_value_is_two_machine_words() {
    assert_eq!(size_of::<Value>(), 16);
}

#[test]
fn a_settled_value_accepts_itself_alone() {
    let value = Value::float(1.0);
    assert_eq!(value.accepts(ONE), Acceptance::Agree);
    assert_eq!(value.accepts(TWO), Acceptance::Disagree);
    // Zeros differ, as words do.
    assert_eq!(Value::float(0.0).accepts(MINUS_ZERO), Acceptance::Disagree);
}

#[test]
fn one_of_takes_each_word_once_and_the_nominal_first() {
    let value = Value::one_of(TWO, &[ONE, TWO, ONE], Reason::ShiftCount);
    assert_eq!(words(&value), [TWO, ONE]);
    assert_eq!(value.accepts(TWO), Acceptance::Agree);
    assert_eq!(value.accepts(ONE), Acceptance::Within(Reason::ShiftCount));
    assert_eq!(value.accepts(0), Acceptance::Disagree);
    assert!(Value::one_of(ONE, &[ONE], Reason::ShiftCount).is_settled());
    let many: Vec<u32> = (1..=8).collect();
    let value = Value::one_of(0, &many, Reason::ShiftCount);
    assert_eq!(value.accepts(77), Acceptance::Poisoned(Reason::ShiftCount));
}

#[test]
fn between_bounds_zero_has_no_sign_and_nan_is_said() {
    let value = Value::within(1.0, 0.0, 2.0, false, Reason::Approximation);
    let within = Acceptance::Within(Reason::Approximation);
    assert_eq!(value.accepts(ONE), Acceptance::Agree);
    assert_eq!(value.accepts(TWO), within);
    assert_eq!(value.accepts(MINUS_ZERO), within);
    assert_eq!(
        value.accepts(2.000_000_2f32.to_bits()),
        Acceptance::Disagree
    );
    assert_eq!(value.accepts(f32::NAN.to_bits()), Acceptance::Disagree);
    let value = Value::within(1.0, 0.0, 2.0, true, Reason::Approximation);
    assert_eq!(value.accepts(0xffc1_2345), within);
}

#[test]
fn bounds_that_meet_settle() {
    assert!(Value::within(1.0, 1.0, 1.0, false, Reason::Filtering).is_settled());
    // Between the two zeros there are two words.
    let zero = Value::within(0.0, -0.0, 0.0, false, Reason::Filtering);
    assert_eq!(words(&zero), [0, MINUS_ZERO]);
    let all = Value::within(
        0.0,
        f32::NEG_INFINITY,
        f32::INFINITY,
        false,
        Reason::Filtering,
    );
    assert_eq!(*all.doubt(), Doubt::Unknown);
}

#[test]
fn any_nan_accepts_every_nan() {
    let value = Value::any_nan(0x7fc0_0000, Reason::NanResult);
    assert_eq!(value.accepts(0x7fc0_0000), Acceptance::Agree);
    assert_eq!(
        value.accepts(0xff80_0001),
        Acceptance::Within(Reason::NanResult)
    );
    // An infinity is not one.
    assert_eq!(value.accepts(0x7f80_0000), Acceptance::Disagree);
}

#[test]
fn abs_and_neg_are_sign_bits() {
    assert_eq!(Value::settled(0xffc0_0001).absolute().bits(), 0x7fc0_0001);
    assert_eq!(Value::settled(0x7fc0_0001).negated().bits(), 0xffc0_0001);
    let value = Value::within(-1.0, -3.0, 2.0, false, Reason::Filtering);
    let expected = Value::within(1.0, 0.0, 3.0, false, Reason::Filtering);
    assert_eq!(value.absolute(), expected);
    let expected = Value::within(1.0, -2.0, 3.0, false, Reason::Filtering);
    assert_eq!(value.negated(), expected);
    let nan = Value::any_nan(0x7fc0_0000, Reason::NanResult).negated();
    assert_eq!(*nan.doubt(), Doubt::AnyNan);
    // 1 or -1 is 1 without its sign.
    let either = Value::one_of(ONE, &[ONE | MINUS_ZERO], Reason::ZeroSign);
    assert_eq!(either.absolute(), Value::settled(ONE));
}

#[test]
fn omod_multiplies_as_arithmetic_does() {
    assert_eq!(
        Value::float(3.0).output_modifier(Omod::M4),
        Value::float(12.0)
    );
    assert_eq!(
        Value::float(3.0).output_modifier(Omod::D2),
        Value::float(1.5)
    );
    // Nothing happens to a denormal or a NaN when it is off.
    let nan = Value::settled(0xffc0_0001);
    assert_eq!(nan.output_modifier(Omod::Off), nan);
    assert_eq!(*nan.output_modifier(Omod::M2).doubt(), Doubt::AnyNan);
    // Twice the smallest denormal, kept or flushed; half of the smallest normal number.
    assert_eq!(
        words(&Value::settled(TINY).output_modifier(Omod::M2)),
        [2, 0]
    );
    let half = Value::float(f32::MIN_POSITIVE).output_modifier(Omod::D2);
    assert_eq!(words(&half), [0x0040_0000, 0]);
    // Half of the float below 2^-125 is midway between the largest denormal and 2^-126, which is even.
    let half = Value::settled(0x00ff_ffff).output_modifier(Omod::D2);
    assert_eq!(words(&half), [0x0080_0000, 0]);
    let value = Value::within(1.0, 0.5, 2.0, false, Reason::Filtering);
    let twice = Value::within(2.0, 1.0, 4.0, false, Reason::Filtering);
    assert_eq!(value.output_modifier(Omod::M2), twice);
    assert_eq!(Omod::new(3), Some(Omod::D2));
    assert_eq!(Omod::new(4), None);
}

#[test]
fn clamp_keeps_0_to_1() {
    for (number, clamped) in [(-2.0, 0.0), (0.25, 0.25), (7.0, 1.0), (f32::INFINITY, 1.0)] {
        assert_eq!(Value::float(number).clamped(), Value::float(clamped));
    }
    assert_eq!(words(&Value::float(-0.0).clamped()), [0, MINUS_ZERO]);
    let nan = Value::float(f32::NAN).clamped();
    assert_eq!(*nan.doubt(), Doubt::Unknown);
    assert_eq!(nan.reason(), Some(Reason::ClampedNan));
    // What lies above 1 altogether is 1.
    let above = Value::within(3.0, 2.0, 4.0, false, Reason::Filtering);
    assert_eq!(above.clamped(), Value::float(1.0));
    let across = Value::within(0.5, -1.0, 4.0, false, Reason::Filtering);
    assert_eq!(
        across.clamped(),
        Value::within(0.5, 0.0, 1.0, false, Reason::Filtering)
    );
}

#[test]
fn either_takes_in_all() {
    let few = Value::one_of(1, &[2], Reason::Denormal);
    let value = Value::either(&[few, Value::settled(3)], Reason::LostLane);
    assert_eq!(words(&value), [1, 2, 3]);
    assert_eq!(value.reason(), Some(Reason::Denormal));
    let between = Value::within(1.0, 0.5, 2.0, false, Reason::Filtering);
    let value = Value::either(&[Value::float(4.0), between], Reason::LostLane);
    let expected = Value::within(4.0, 0.5, 4.0, false, Reason::LostLane);
    assert_eq!(value, expected);
    let same = Value::either(&[Value::settled(7), Value::settled(7)], Reason::LostLane);
    assert!(same.is_settled());
}

#[test]
fn every_reason_says_something_of_its_own() {
    let mut texts: Vec<String> = Reason::ALL.iter().map(Reason::to_string).collect();
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), Reason::ALL.len());
    assert!(texts.iter().all(|text| text.len() > 10));
}
