//! Fetches against expectations that are worked out by hand; each test says how.

mod containment;
mod cube;
mod level;
mod operands;
mod query;
mod sample;
mod shadow;
mod vertex;
mod wrap;

use corpora::execution::{Dimension, Environment, Sampler, Stage, Texture, Vec4};

use super::{FetchError, Gradients, Precision, Select, TextureFetch, TextureOperation, texture};
use crate::r700::execution::value::{Acceptance, Doubt, Value};

const XYZW: [Select; 4] = [Select::X, Select::Y, Select::Z, Select::W];

/// A texture whose texels have the given numbers in X, and 0, 0, 1 beside.
fn texels(dimension: Dimension, size: [u32; 3], levels: &[&[f32]]) -> Texture {
    Texture {
        dimension,
        size,
        levels: levels
            .iter()
            .map(|level| level.iter().map(|number| texel(*number)).collect())
            .collect(),
        integer: false,
    }
}

fn texel(number: f32) -> Vec4 {
    [number.to_bits(), 0, 0, 1.0_f32.to_bits()]
}

/// A pixel shader's environment with texture 0 and sampler 0.
fn environment(texture: Texture, sampler: Sampler) -> Environment {
    let mut environment = Environment::new(Stage::Pixel);
    environment.textures.insert(0, texture);
    environment.samplers.insert(0, sampler);
    environment
}

fn fetch(op: &str) -> TextureFetch {
    TextureFetch {
        op: TextureOperation::named(op).expect("an operation's name"),
        resource_id: 0,
        sampler_id: 0,
        dst_sel: XYZW,
        lod_bias: 0,
        normalized: [true; 4],
        offset: [0; 3],
        alt_const: false,
    }
}

fn lane(coordinates: [f32; 4]) -> [Value; 4] {
    coordinates.map(Value::float)
}

/// A quad of four equal lanes.
fn flat(coordinates: [f32; 4]) -> [[Value; 4]; 4] {
    [(); 4].map(|()| lane(coordinates))
}

fn run(
    fetch: &TextureFetch,
    quad: &[[Value; 4]; 4],
    environment: &Environment,
) -> Result<[[Option<Value>; 4]; 4], FetchError> {
    texture(
        fetch,
        quad,
        &mut Gradients::default(),
        environment,
        &Precision::CONTRACT,
    )
}

/// Component X of lane 0 of a flat quad.
fn sampled(fetch: &TextureFetch, coordinates: [f32; 4], environment: &Environment) -> Value {
    let [first, ..] = run(fetch, &flat(coordinates), environment).expect("a fetch that is defined");
    first[0].clone().expect("a component that is written")
}

/// The words that a value can be, as numbers in ascending order.
fn numbers(value: &Value) -> Vec<f32> {
    let words = value.possibilities().expect("a value of few words");
    let mut numbers: Vec<f32> = words.iter().map(|word| f32::from_bits(*word)).collect();
    numbers.sort_by(f32::total_cmp);
    numbers
}

/// The bounds of a float.
fn bounds(value: &Value) -> (f32, f32) {
    match value.doubt() {
        Doubt::Within { low, high, .. } => (*low, *high),
        _ => (value.number(), value.number()),
    }
}

fn is_unknown(value: &Value) -> bool {
    matches!(value.doubt(), Doubt::Unknown)
}

fn takes(value: &Value, number: f32) -> bool {
    matches!(
        value.accepts(number.to_bits()),
        Acceptance::Agree | Acceptance::Within(_)
    )
}

/// Asserts that bounds are where they should be, to one part in 100,000.
#[track_caller]
fn assert_bounds(value: &Value, low: f32, high: f32) {
    let near = |a: f32, b: f32| (a - b).abs() <= 1e-5 * b.abs().max(1.0);
    let (found_low, found_high) = bounds(value);
    assert!(
        near(found_low, low) && near(found_high, high),
        "{found_low} to {found_high}, expected {low} to {high}"
    );
}
