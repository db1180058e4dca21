use corpora::execution::{Dimension, Filter, Sampler, Wrap};

use super::*;
use crate::r700::execution::value::Reason;

const ROW: [f32; 4] = [10.0, 20.0, 40.0, 80.0];

fn row() -> Texture {
    texels(Dimension::D1, [4, 1, 1], &[&ROW])
}

fn linear() -> Sampler {
    Sampler {
        mag: Filter::Linear,
        min: Filter::Linear,
        wrap: [Wrap::ClampToEdge; 3],
        ..Sampler::default()
    }
}

/// Texel i of four covers i/4 to (i+1)/4.
#[test]
fn point_sampling_takes_the_texel_that_is_hit() {
    let environment = environment(row(), Sampler::default());
    for (at, expected) in [
        (0.125, 10.0),
        (0.3, 20.0),
        (0.5 + 0.01, 40.0),
        (0.99, 80.0),
        (1.125, 10.0),
        (-0.1, 80.0),
    ] {
        let value = sampled(&fetch("SAMPLE"), [at, 0.0, 0.0, 0.0], &environment);
        assert_eq!(value, Value::float(expected), "at {at}");
    }
}

/// The edge between texels 1 and 2 is at 0.5; 1/256 of a texel is 1/1024 of the texture. 0.0009 is inside that, 0.0011
/// is not.
#[test]
fn near_an_edge_it_is_one_of_two_texels() {
    let environment = environment(row(), Sampler::default());
    let at = |x| sampled(&fetch("SAMPLE"), [x, 0.0, 0.0, 0.0], &environment);
    assert_eq!(numbers(&at(0.5)), [20.0, 40.0]);
    assert_eq!(at(0.5).number(), 40.0);
    assert_eq!(at(0.5).reason(), Some(Reason::TexelEdge));
    assert_eq!(numbers(&at(0.4991)), [20.0, 40.0]);
    assert_eq!(at(0.4991).number(), 20.0);
    assert_eq!(numbers(&at(0.4989)), [20.0]);
    assert_eq!(numbers(&at(0.5011)), [40.0]);
    // Where both texels are the same there is no doubt: the edge of the texture, clamped.
    let clamped = Sampler {
        wrap: [Wrap::ClampToEdge; 3],
        ..Sampler::default()
    };
    let environment = super::environment(row(), clamped);
    let value = sampled(&fetch("SAMPLE"), [0.0; 4], &environment);
    assert_eq!(value, Value::float(10.0));
}

#[test]
fn the_border_is_beyond_the_last_texel() {
    let sampler = Sampler {
        wrap: [Wrap::ClampToBorder; 3],
        border: texel(-1.0),
        ..Sampler::default()
    };
    let environment = environment(row(), sampler);
    let at = |x| sampled(&fetch("SAMPLE"), [x, 0.0, 0.0, 0.0], &environment);
    assert_eq!(at(-0.01), Value::float(-1.0));
    assert_eq!(at(1.01), Value::float(-1.0));
    assert_eq!(at(0.99), Value::float(80.0));
    assert_eq!(numbers(&at(1.0)), [-1.0, 80.0]);
}

/// At 0.4 the place is 1.6 texels, 1.1 from the first centre: a tenth of the way from texel 1 to texel 2, so 22. An error
/// of 1/256 texel is 20/256 = 0.078125 to both sides.
#[test]
fn the_mean_of_two_texels() {
    let environment = environment(row(), linear());
    let value = sampled(&fetch("SAMPLE"), [0.4, 0.0, 0.0, 0.0], &environment);
    assert!((value.number() - 22.0).abs() < 1e-4);
    assert_bounds(&value, 22.0 - 0.078_125, 22.0 + 0.078_125);
    assert_eq!(value.reason(), Some(Reason::Filtering));
}

/// At 0.375 the place is the centre of texel 1. 1/256 texel to the left costs 10/256, to the right it gains 20/256.
#[test]
fn at_a_centre_the_neighbours_come_in_by_the_precision() {
    let environment = environment(row(), linear());
    let value = sampled(&fetch("SAMPLE"), [0.375, 0.0, 0.0, 0.0], &environment);
    assert_eq!(value.number(), 20.0);
    assert_bounds(&value, 20.0 - 10.0 / 256.0, 20.0 + 20.0 / 256.0);
}

/// Beyond the last centre, at 7/8, a clamped texture is its last texel, and a repeated one mixes it with the first: at
/// 1.0 half of 80 and half of 10, with 70/256 to both sides.
#[test]
fn wrapping_of_the_mean() {
    let clamped = environment(row(), linear());
    let value = sampled(&fetch("SAMPLE"), [0.95, 0.0, 0.0, 0.0], &clamped);
    assert_bounds(&value, 80.0, 80.0);
    let repeating = Sampler {
        wrap: [Wrap::Repeat; 3],
        ..linear()
    };
    let repeating = environment(row(), repeating);
    let value = sampled(&fetch("SAMPLE"), [1.0, 0.0, 0.0, 0.0], &repeating);
    assert_bounds(&value, 45.0 - 70.0 / 256.0, 45.0 + 70.0 / 256.0);
}

/// Texels 0 and 1 over 2 and 5: at a quarter from the first centre in X and a half in Y the upper row is 0.25, the lower
/// 2.75, the mean 1.5. The slopes are 2 in X (1 above, 3 below) and 2.5 in Y there, the mixed term 2: the corners are
/// 1.5 ± (2 + 2.5)/256 + 2/65536.
#[test]
fn the_mean_of_four_texels() {
    let texture = texels(Dimension::D2, [2, 2, 1], &[&[0.0, 1.0, 2.0, 5.0]]);
    let environment = environment(texture, linear());
    let value = sampled(&fetch("SAMPLE"), [0.375, 0.5, 0.0, 0.0], &environment);
    assert_eq!(value.number(), 1.5);
    let mixed = 2.0 / 65536.0;
    assert_bounds(&value, 1.5 - 4.5 / 256.0 + mixed, 1.5 + 4.5 / 256.0 + mixed);
}

/// The middle of eight texels 0 to 7: their mean.
#[test]
fn the_mean_of_eight_texels() {
    let texture = texels(
        Dimension::D3,
        [2, 2, 2],
        &[&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]],
    );
    let environment = environment(texture, linear());
    let value = sampled(&fetch("SAMPLE"), [0.5, 0.5, 0.5, 0.0], &environment);
    // One texel in X is worth 1, in Y 2, in Z 4.
    assert_bounds(&value, 3.5 - 7.0 / 256.0, 3.5 + 7.0 / 256.0);
}

/// A texel number of a volume is x + 2y + 4z.
#[test]
fn a_texel_of_a_volume_and_of_a_layer() {
    let numbers = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
    let volume = environment(
        texels(Dimension::D3, [2, 2, 2], &[&numbers]),
        Sampler::default(),
    );
    let value = sampled(&fetch("SAMPLE"), [0.75, 0.25, 0.75, 0.0], &volume);
    assert_eq!(value, Value::float(5.0));
    let layers = environment(
        texels(Dimension::D2Array, [2, 2, 2], &[&numbers]),
        Sampler::default(),
    );
    let mut sample = fetch("SAMPLE");
    sample.normalized[2] = false;
    assert_eq!(
        sampled(&sample, [0.75, 0.25, 1.0, 0.0], &layers),
        Value::float(5.0)
    );
    // A layer beyond the last is the last, one before the first the first.
    assert_eq!(
        sampled(&sample, [0.75, 0.25, 9.0, 0.0], &layers),
        Value::float(5.0)
    );
    assert_eq!(
        sampled(&sample, [0.75, 0.25, -3.0, 0.0], &layers),
        Value::float(1.0)
    );
    // 0.75 is nearest to 1 and begins with 0.
    let value = sampled(&sample, [0.75, 0.25, 0.75, 0.0], &layers);
    assert_eq!(super::numbers(&value), [1.0, 5.0]);
    assert_eq!(value.number(), 5.0);
    sample.normalized[2] = true;
    assert!(is_unknown(&sampled(
        &sample,
        [0.75, 0.25, 1.0, 0.0],
        &layers
    )));
}

/// ps_t_off of the Mesa corpus has OX:2, OY:-4 for ivec2(1, -2): half texels.
#[test]
fn offsets_are_half_texels() {
    let environment = environment(row(), Sampler::default());
    let mut sample = fetch("SAMPLE");
    sample.offset[0] = 2;
    assert_eq!(
        sampled(&sample, [0.125, 0.0, 0.0, 0.0], &environment),
        Value::float(20.0)
    );
    sample.offset[0] = -2;
    assert_eq!(
        sampled(&sample, [0.125, 0.0, 0.0, 0.0], &environment),
        Value::float(80.0)
    );
    // From the centre of a texel half a texel is its edge.
    sample.offset[0] = 1;
    assert_eq!(
        numbers(&sampled(&sample, [0.125, 0.0, 0.0, 0.0], &environment)),
        [10.0, 20.0]
    );
}

#[test]
fn coordinates_in_texels() {
    let environment = environment(row(), linear());
    let mut sample = fetch("SAMPLE");
    sample.normalized = [false; 4];
    let value = sampled(&sample, [1.6, 0.0, 0.0, 0.0], &environment);
    assert!((value.number() - 22.0).abs() < 1e-4);
    // They go with no texture that repeats; inside that does not matter.
    let repeating = super::environment(row(), Sampler::default());
    assert_eq!(
        sampled(&sample, [2.5, 0.0, 0.0, 0.0], &repeating),
        Value::float(40.0)
    );
    assert!(is_unknown(&sampled(
        &sample,
        [4.5, 0.0, 0.0, 0.0],
        &repeating
    )));
}

#[test]
fn integers_are_not_filtered() {
    let mut texture = row();
    texture.integer = true;
    texture.levels = vec![vec![
        [7, 0, 0, 0],
        [9, 0, 0, 0],
        [11, 0, 0, 0],
        [13, 0, 0, 0],
    ]];
    let environment = environment(texture, linear());
    let value = sampled(&fetch("SAMPLE"), [0.3, 0.0, 0.0, 0.0], &environment);
    assert_eq!(value, Value::settled(9));
    let mut sample = fetch("SAMPLE");
    sample.dst_sel = [Select::One, Select::Zero, Select::Mask, Select::X];
    let [first, ..] = run(&sample, &flat([0.3; 4]), &environment).unwrap();
    let one = first[0].as_ref().unwrap();
    assert_eq!(one.possibilities(), Some([1.0_f32.to_bits(), 1].as_slice()));
    assert_eq!(first[1], Some(Value::settled(0)));
    assert_eq!(first[2], None);
    assert_eq!(first[3], Some(Value::settled(9)));
}

/// From 0.3 to 0.4 of the row: 1.2 to 1.6 texels is texel 1. From 0.3 to 0.6 it is 1 or 2. The mean goes from 0.7 to 1.1
/// from the first centre: from 17 to 22, and its largest error is that of the steeper texels.
#[test]
fn doubtful_coordinates() {
    let between = |low, high| Value::within(low, low, high, false, Reason::Approximation);
    let quad = |value: &Value| [(); 4].map(|()| [0, 1, 2, 3].map(|_: u32| value.clone()));
    let point = environment(row(), Sampler::default());
    let first = |sample: &str, value: &Value, environment: &Environment| {
        let [lane, ..] = run(&fetch(sample), &quad(value), environment).unwrap();
        lane[0].clone().unwrap()
    };
    assert_eq!(
        first("SAMPLE", &between(0.3, 0.4), &point),
        Value::float(20.0)
    );
    assert_eq!(
        numbers(&first("SAMPLE", &between(0.3, 0.6), &point)),
        [20.0, 40.0]
    );
    let mean = environment(row(), linear());
    let value = first("SAMPLE", &between(0.3, 0.4), &mean);
    assert_bounds(&value, 17.0 - 10.0 / 256.0, 22.0 + 20.0 / 256.0);
    let unknown = Value::unknown(0, Reason::Unset);
    let value = first("SAMPLE", &unknown, &mean);
    assert!(is_unknown(&value));
    assert_eq!(value.reason(), Some(Reason::Unset));
    // The whole range of floats is no short list of texels.
    assert!(is_unknown(&first("SAMPLE", &between(-1e30, 1e30), &mean)));
    assert!(is_unknown(&first(
        "SAMPLE",
        &Value::float(f32::INFINITY),
        &mean
    )));
    assert!(is_unknown(&first("SAMPLE", &Value::float(f32::NAN), &mean)));
}

#[test]
fn infinite_texels_have_no_mean() {
    let texture = texels(Dimension::D1, [2, 1, 1], &[&[1.0, f32::INFINITY]]);
    let environment = environment(texture, linear());
    assert!(is_unknown(&sampled(
        &fetch("SAMPLE"),
        [0.5, 0.0, 0.0, 0.0],
        &environment
    )));
}

#[test]
fn a_texture_that_lacks_texels() {
    let mut texture = row();
    texture.levels[0].truncate(2);
    let environment = super::environment(texture, Sampler::default());
    let value = sampled(&fetch("SAMPLE"), [0.9, 0.0, 0.0, 0.0], &environment);
    assert!(is_unknown(&value));
    let mut texture = row();
    texture.levels.clear();
    let environment = super::environment(texture, Sampler::default());
    let error = run(&fetch("SAMPLE"), &flat([0.0; 4]), &environment).unwrap_err();
    assert_eq!(error.to_string(), "texture 0 has no texels");
}

/// The policy's 1/64 of the span of 10 to 80 is more than the coordinate's 1/256 of it: at 1.0 of a repeated row the bounds
/// are 45 ± 70/64.
#[test]
fn the_policys_bound() {
    let policy = crate::r700::execution::policy::FloatPolicy::embedded().unwrap();
    let precision = Precision::of(&policy);
    assert!((precision.filter - 1.0 / 64.0).abs() < 1e-9);
    let repeating = Sampler {
        wrap: [Wrap::Repeat; 3],
        ..linear()
    };
    let environment = environment(row(), repeating);
    let mut gradients = Gradients::default();
    let quad = flat([1.0, 0.0, 0.0, 0.0]);
    let found = texture(
        &fetch("SAMPLE"),
        &quad,
        &mut gradients,
        &environment,
        &precision,
    )
    .unwrap();
    let value = found[0][0].clone().unwrap();
    assert_bounds(&value, 45.0 - 70.0 / 64.0, 45.0 + 70.0 / 64.0);
}
