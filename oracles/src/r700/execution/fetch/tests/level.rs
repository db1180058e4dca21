use corpora::execution::{Dimension, Filter, Sampler};

use super::*;
use crate::r700::execution::value::Reason;

/// Eight, four, two and one texels of 0, 1, 2 and 3: a sample is its level.
fn pyramid() -> Texture {
    texels(
        Dimension::D1,
        [8, 1, 1],
        &[&[0.0; 8], &[1.0; 4], &[2.0; 2], &[3.0]],
    )
}

fn mipped(mip: Option<Filter>) -> Sampler {
    Sampler {
        mip,
        ..Sampler::default()
    }
}

fn at(form: &str, sampler: Sampler, w: f32) -> Value {
    sampled(
        &fetch(form),
        [0.3, 0.0, 0.0, w],
        &environment(pyramid(), sampler),
    )
}

/// A quad whose lanes are `right` and `down` texels apart, from 0.3.
fn sloped(right: f32, down: f32) -> [[Value; 4]; 4] {
    [(0.0, 0.0), (right, 0.0), (0.0, down), (right, down)]
        .map(|(x, y)| lane([0.3 + x / 8.0, 0.3 + y / 8.0, 0.0, 0.0]))
}

fn derived(fetch: &TextureFetch, quad: &[[Value; 4]; 4], sampler: Sampler) -> Value {
    let [first, ..] = run(fetch, quad, &environment(pyramid(), sampler)).unwrap();
    first[0].clone().unwrap()
}

/// ps_t_lod of the Mesa corpus moves the level to W. Whole levels are exact; of two levels as near, either.
#[test]
fn a_level_that_is_an_operand() {
    let point = mipped(Some(Filter::Point));
    assert_eq!(at("SAMPLE_L", point, 2.0), Value::float(2.0));
    assert_eq!(at("SAMPLE_L", point, 1.75), Value::float(2.0));
    assert_eq!(numbers(&at("SAMPLE_L", point, 1.5)), [1.0, 2.0]);
    assert_eq!(at("SAMPLE_L", point, -3.0), Value::float(0.0));
    assert_eq!(at("SAMPLE_L", point, 30.0), Value::float(3.0));
    assert_eq!(at("SAMPLE_LZ", point, 2.0), Value::float(0.0));
    assert_eq!(at("SAMPLE_L", mipped(None), 2.0), Value::float(0.0));
    let linear = mipped(Some(Filter::Linear));
    assert_eq!(at("SAMPLE_L", linear, 2.0), Value::float(2.0));
    assert_bounds(&at("SAMPLE_L", linear, 1.25), 1.25, 1.25);
    // 1.3 lies between 20/16 and 21/16.
    assert_bounds(&at("SAMPLE_L", linear, 1.3), 1.25, 1.3125);
}

#[test]
fn limits_of_the_sampler() {
    let sampler = Sampler {
        min_lod: 1.0,
        max_lod: 2.0,
        ..mipped(Some(Filter::Linear))
    };
    assert_eq!(at("SAMPLE_L", sampler, 0.0), Value::float(1.0));
    assert_eq!(at("SAMPLE_L", sampler, 3.0), Value::float(2.0));
    let broken = Sampler {
        min_lod: f32::NAN,
        max_lod: f32::NEG_INFINITY,
        lod_bias: f32::INFINITY,
        ..mipped(Some(Filter::Linear))
    };
    // Nothing to say but what there is.
    assert!(takes(&at("SAMPLE_L", broken, 0.0), 0.0));
    assert!(takes(&at("SAMPLE", broken, 0.0), 0.0));
}

/// Steps of four texels to the right and one down: the longer is 4, its logarithm 2, known to 1/8. Levels up to it are 0
/// to 3, so that the sample is the level.
#[test]
fn a_level_from_the_coordinates() {
    let sampler = mipped(Some(Filter::Linear));
    let mut sample = fetch("SAMPLE");
    let value = derived(&sample, &sloped(4.0, 0.0), sampler);
    assert_eq!(value.number(), 2.0);
    assert_bounds(&value, 1.875, 2.125);
    // LOD_BIAS is in sixteenths: -12 is 0.75 less. The sampler's is added.
    sample.lod_bias = -12;
    let value = derived(&sample, &sloped(4.0, 0.0), sampler);
    assert_bounds(&value, 1.125, 1.375);
    let biased = Sampler {
        lod_bias: 0.5,
        ..sampler
    };
    let value = derived(&sample, &sloped(4.0, 0.0), biased);
    assert_bounds(&value, 1.625, 1.875);
    // W of _LB is added as well; it is the same for all lanes here.
    sample = fetch("SAMPLE_LB");
    let mut quad = sloped(4.0, 0.0);
    for lane in &mut quad {
        lane[3] = Value::float(-1.0);
    }
    assert_bounds(&derived(&sample, &quad, sampler), 0.875, 1.125);
    // The nearest level of 2 ± 1/8 is 2.
    let point = mipped(Some(Filter::Point));
    assert_eq!(
        derived(&fetch("SAMPLE"), &sloped(4.0, 0.0), point),
        Value::float(2.0)
    );
}

/// On a plane a step of (3, 4) texels has the length 5; hardware may take 4 or 7 for it. The levels are its logarithm:
/// 2 - 1/8 to 2.807 + 1/8, and 2.322.
#[test]
fn the_length_of_a_slanted_gradient() {
    let texture = texels(
        Dimension::D2,
        [8, 8, 1],
        &[&[0.0; 64], &[1.0; 16], &[2.0; 4], &[3.0]],
    );
    let environment = environment(texture, mipped(Some(Filter::Linear)));
    let quad =
        [0.0, 1.0, 0.0, 1.0].map(|step: f32| lane([3.0 * step / 8.0, 4.0 * step / 8.0, 0.0, 0.0]));
    let [first, ..] = run(&fetch("SAMPLE"), &quad, &environment).unwrap();
    let value = first[0].clone().unwrap();
    assert!((value.number() - 5.0_f32.log2()).abs() < 1e-5);
    assert_bounds(&value, 1.875, 7.0_f32.log2() + 0.125);
}

/// The rows of a quad differ: 2 texels in the upper one, 4 in the lower one. Whether the upper lanes see one or two is
/// open.
#[test]
fn rows_that_differ() {
    let mut quad = sloped(2.0, 0.0);
    quad[3] = lane([0.3 + 4.0 / 8.0, 0.3, 0.0, 0.0]);
    let value = derived(&fetch("SAMPLE"), &quad, mipped(Some(Filter::Linear)));
    // Columns: 0 to the left, 2 to the right.
    assert_bounds(&value, 1.0 - 0.125, 2.125);
}

#[test]
fn levels_that_nothing_says() {
    let sampler = mipped(Some(Filter::Linear));
    let mut quad = sloped(1.0, 0.0);
    quad[3][0] = Value::unknown(0, Reason::Unset);
    let value = derived(&fetch("SAMPLE"), &quad, sampler);
    assert_bounds(&value, 0.0, 3.0);
    // The lanes of a vertex shader are no quads.
    let mut environment = environment(pyramid(), sampler);
    environment.stage = Stage::Vertex;
    let [first, ..] = run(&fetch("SAMPLE"), &sloped(4.0, 0.0), &environment).unwrap();
    assert_bounds(first[0].as_ref().unwrap(), 0.0, 3.0);
}

/// Up to level 0 the magnification filter counts, above the minification filter: half-way between texels 0 and 8 the
/// mean is 4, the nearest one of them.
#[test]
fn two_filters() {
    let texture = texels(Dimension::D1, [2, 1, 1], &[&[0.0, 8.0], &[4.0]]);
    let sampler = Sampler {
        mag: Filter::Linear,
        ..Sampler::default()
    };
    let environment = environment(texture, sampler);
    let value = |level| sampled(&fetch("SAMPLE_L"), [0.4, 0.0, 0.0, level], &environment);
    // 0.8 texels, 0.3 from the first centre: 2.4.
    assert_bounds(&value(0.0), 2.4 - 8.0 / 256.0, 2.4 + 8.0 / 256.0);
    assert_eq!(value(1.0), Value::float(0.0));
}

/// SET_GRADIENTS_* of 1/2 and 1/4 of a texture of eight texels: 4 and 2 texels. The longer one is 4: level 2.
#[test]
fn gradients_that_are_set() {
    let environment = environment(pyramid(), mipped(Some(Filter::Point)));
    let mut gradients = Gradients::default();
    let mut step = |op: &str, x: f32| {
        let quad = flat([x, 0.0, 0.0, 0.0]);
        let precision = Precision::CONTRACT;
        let [first, ..] =
            texture(&fetch(op), &quad, &mut gradients, &environment, &precision).unwrap();
        first[0].clone()
    };
    assert_eq!(step("SET_GRADIENTS_H", 0.5), None);
    // One alone says nothing: any level.
    assert_eq!(
        numbers(&step("SAMPLE_G", 0.3).unwrap()),
        [0.0, 1.0, 2.0, 3.0]
    );
    assert_eq!(step("SET_GRADIENTS_V", -0.25), None);
    assert_eq!(step("SAMPLE_G", 0.3), Some(Value::float(2.0)));
    assert_eq!(step("SET_GRADIENTS_H", 1.0), None);
    assert_eq!(step("SAMPLE_G", 0.3), Some(Value::float(3.0)));
}
