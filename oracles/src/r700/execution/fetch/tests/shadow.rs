use corpora::execution::{Compare, Dimension, Filter, Sampler, Wrap};

use super::*;
use crate::r700::execution::value::Reason;

fn shadow(operator: Compare, filter: Filter) -> Environment {
    let sampler = Sampler {
        mag: filter,
        min: filter,
        wrap: [Wrap::ClampToEdge; 3],
        compare: Some(operator),
        ..Sampler::default()
    };
    environment(texels(Dimension::D2, [2, 1, 1], &[&[0.25, 0.75]]), sampler)
}

/// *reference OP texel*, reference in W: 0.5 against 0.25 and against 0.75, 0.25 against itself.
#[test]
fn the_reference_comes_first() {
    for (operator, expected) in [
        (Compare::Never, [0.0, 0.0, 0.0]),
        (Compare::Less, [0.0, 1.0, 0.0]),
        (Compare::Equal, [0.0, 0.0, 1.0]),
        (Compare::LessEqual, [0.0, 1.0, 1.0]),
        (Compare::Greater, [1.0, 0.0, 0.0]),
        (Compare::NotEqual, [1.0, 1.0, 0.0]),
        (Compare::GreaterEqual, [1.0, 0.0, 1.0]),
        (Compare::Always, [1.0, 1.0, 1.0]),
    ] {
        let environment = shadow(operator, Filter::Point);
        let at = |x, reference| sampled(&fetch("SAMPLE_C"), [x, 0.5, 0.0, reference], &environment);
        let found = [at(0.25, 0.5), at(0.75, 0.5), at(0.25, 0.25)];
        assert_eq!(found, expected.map(Value::float), "{operator:?}");
    }
}

/// 0.25 + 1/100000 is another number than 0.25, and the same in 16 bits: 0.65535 steps away.
#[test]
fn a_reference_that_the_format_may_make_equal() {
    let environment = shadow(Compare::Greater, Filter::Point);
    let value = sampled(
        &fetch("SAMPLE_C"),
        [0.25, 0.5, 0.0, 0.25 + 1e-5],
        &environment,
    );
    assert_eq!(numbers(&value), [0.0, 1.0]);
    assert_eq!(value.number(), 1.0);
    assert_eq!(value.reason(), Some(Reason::Comparison));
    let value = sampled(
        &fetch("SAMPLE_C"),
        [0.25, 0.5, 0.0, 0.25 + 1e-4],
        &environment,
    );
    assert_eq!(value, Value::float(1.0));
}

/// 1.5 is not less than 1, but 1 is not either; 1.5 is greater than 1, and 1 is not.
#[test]
fn a_reference_beyond_one_may_be_clamped() {
    let mut environment = shadow(Compare::Greater, Filter::Point);
    environment
        .textures
        .insert(0, texels(Dimension::D2, [1, 1, 1], &[&[1.0]]));
    let value = sampled(&fetch("SAMPLE_C"), [0.5, 0.5, 0.0, 1.5], &environment);
    assert_eq!(numbers(&value), [0.0, 1.0]);
}

/// Half-way between a texel that passes and one that does not: half, to 1/256. Where all pass it is one, and not more.
#[test]
fn filtered_comparisons() {
    let environment = shadow(Compare::Less, Filter::Linear);
    let value = sampled(&fetch("SAMPLE_C"), [0.5, 0.5, 0.0, 0.5], &environment);
    assert_eq!(value.number(), 0.5);
    assert_bounds(&value, 0.5 - 1.0 / 256.0, 0.5 + 1.0 / 256.0);
    let value = sampled(&fetch("SAMPLE_C"), [0.5, 0.5, 0.0, 0.1], &environment);
    assert!(takes(&value, 1.0) && !takes(&value, 1.0_f32.next_up()) && !takes(&value, 0.99));
}

/// With a level or a bias in W the reference is in Z.
#[test]
fn the_reference_of_forms_with_a_level() {
    let environment = shadow(Compare::Less, Filter::Point);
    for form in ["SAMPLE_C_L", "SAMPLE_C_LB"] {
        let value = sampled(&fetch(form), [0.75, 0.5, 0.5, 0.9], &environment);
        assert_eq!(value, Value::float(1.0), "{form}");
        let value = sampled(&fetch(form), [0.75, 0.5, 0.9, 0.5], &environment);
        assert_eq!(value, Value::float(0.0), "{form}");
    }
    let value = sampled(&fetch("SAMPLE_C_LZ"), [0.75, 0.5, 0.9, 0.5], &environment);
    assert_eq!(value, Value::float(1.0));
}

#[test]
fn what_a_comparison_needs() {
    let mut environment = shadow(Compare::Less, Filter::Point);
    let [first, ..] = run(&fetch("SAMPLE_C"), &flat([0.25; 4]), &environment).unwrap();
    assert!(
        first[1..]
            .iter()
            .all(|value| is_unknown(value.as_ref().unwrap()))
    );
    environment
        .textures
        .insert(0, texels(Dimension::D3, [1, 1, 1], &[&[1.0]]));
    let error = run(&fetch("SAMPLE_C_L"), &flat([0.0; 4]), &environment).unwrap_err();
    assert!(error.to_string().contains("three coordinates"), "{error}");
    environment.samplers.insert(0, Sampler::default());
    let error = run(&fetch("SAMPLE_C"), &flat([0.0; 4]), &environment).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the comparison of sampler 0 is not in the environment"
    );
}
