use corpora::execution::{Dimension, Sampler};

use super::*;

fn words(op: &str, quad: &[[Value; 4]; 4], environment: &Environment) -> [[Value; 4]; 4] {
    run(&fetch(op), quad, environment)
        .unwrap()
        .map(|lane| lane.map(|value| value.unwrap()))
}

fn integers(words: [u32; 4]) -> [Value; 4] {
    words.map(Value::settled)
}

/// A texture of 4 by 2 has levels of 4 by 2, 2 by 1 and 1 by 1; a texel is 10·level + its number.
fn plane() -> Environment {
    let texture = texels(
        Dimension::D2,
        [4, 2, 1],
        &[
            &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0],
            &[10.0, 11.0],
            &[20.0],
        ],
    );
    environment(texture, Sampler::default())
}

/// LD: X, Y and W are integers; texel (1, 1) of level 0 is number 5, texel (1, 0) of level 1 is 11.
#[test]
fn a_texel_by_its_number() {
    let environment = plane();
    let load = |fetch: &TextureFetch, place: [u32; 4]| {
        let quad = [(); 4].map(|()| integers(place));
        run(fetch, &quad, &environment).unwrap()[0][0]
            .clone()
            .unwrap()
    };
    assert_eq!(load(&fetch("LD"), [1, 1, 99, 0]), Value::float(5.0));
    assert_eq!(load(&fetch("LD"), [1, 0, 99, 1]), Value::float(11.0));
    let mut offset = fetch("LD");
    offset.offset = [4, -2, 0];
    assert_eq!(load(&offset, [1, 1, 0, 0]), Value::float(3.0));
    for outside in [
        [4, 0, 0, 0],
        [0, 2, 0, 0],
        [u32::MAX, 0, 0, 0],
        [0, 0, 0, 3],
        [0, 0, 0, u32::MAX],
    ] {
        assert!(is_unknown(&load(&fetch("LD"), outside)), "{outside:?}");
    }
    offset.offset = [1, 0, 0];
    assert!(is_unknown(&load(&offset, [1, 1, 0, 0])));
}

/// Width, height and the number of levels, of the level in X.
#[test]
fn sizes() {
    let environment = plane();
    let found = |level: u32| {
        words(
            "GET_TEXTURE_RESINFO",
            &[(); 4].map(|()| integers([level; 4])),
            &environment,
        )[0]
        .clone()
    };
    let [x, y, z, w] = found(0);
    assert_eq!([x, y, w], [4, 2, 3].map(Value::settled));
    assert!(is_unknown(&z));
    let [x, y, _, w] = found(1);
    assert_eq!([x, y, w], [2, 1, 3].map(Value::settled));
    let [x, y, _, w] = found(3);
    assert!(is_unknown(&x) && is_unknown(&y));
    assert_eq!(w, Value::settled(3));
    let [x, y, _, w] = words("GET_NUMBER_OF_SAMPLES", &flat([0.0; 4]), &environment)[0].clone();
    assert_eq!([x, y, w], [4, 2, 1].map(Value::settled));
    let layers = super::environment(
        texels(Dimension::D2Array, [1, 1, 3], &[&[0.0, 1.0, 2.0]]),
        Sampler::default(),
    );
    let found = words("GET_TEXTURE_RESINFO", &flat([0.0; 4]), &layers);
    assert_eq!(found[0], integers([1, 1, 3, 1]));
}

/// Lanes 1, 3, 6 and 10: the rows differ by 2 and 4, the columns by 5 and 7.
#[test]
fn derivatives() {
    let environment = plane();
    let quad = [1.0, 3.0, 6.0, 10.0].map(|x| lane([x, -x, 7.0, 0.0]));
    let right = words("GET_GRADIENTS_H", &quad, &environment);
    let down = words("GET_GRADIENTS_V", &quad, &environment);
    for lane in 0..4 {
        assert_eq!(numbers(&right[lane][0]), [2.0, 4.0]);
        assert_eq!(right[lane][0].number(), [2.0, 2.0, 4.0, 4.0][lane]);
        assert_eq!(numbers(&right[lane][1]), [-4.0, -2.0]);
        assert_eq!(right[lane][2], Value::float(0.0));
        assert_eq!(numbers(&down[lane][0]), [5.0, 7.0]);
        assert_eq!(down[lane][0].number(), [5.0, 7.0, 5.0, 7.0][lane]);
    }
}

#[test]
fn derivatives_of_doubtful_lanes() {
    let environment = plane();
    let mut quad = flat([1.0; 4]);
    let reason = crate::r700::execution::value::Reason::Approximation;
    quad[1][0] = Value::within(3.0, 2.5, 3.5, false, reason);
    quad[2][1] = Value::unknown(0, reason);
    let right = words("GET_GRADIENTS_H", &quad, &environment);
    // Lane 1 less lane 0 is 1.5 to 2.5, lane 3 less lane 2 is 0.
    assert_bounds(&right[0][0], 0.0, 2.5);
    assert!(is_unknown(&right[0][1]));
    assert_eq!(right[3][3], Value::float(0.0));
}

/// A step of two texels: level 1 to 1/8, and no level of the texture is beyond.
#[test]
fn a_level_of_detail() {
    let environment = plane();
    let quad = [0.0, 0.5, 0.0, 0.5].map(|x| lane([x, 0.0, 0.0, 0.0]));
    let found = words("GET_LOD", &quad, &environment);
    assert_bounds(&found[0][0], 0.875, 1.125);
}
