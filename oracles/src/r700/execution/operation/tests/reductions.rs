//! DOT4, MAX4, CUBE.

use super::{is_any_nan, is_unknown, named, policy, possible};
use crate::r700::Chip;
use crate::r700::execution::operation::{Context, exact};
use crate::r700::execution::value::{Acceptance, Reason, Value};

fn reduce(name: &str, slots: [[Value; 2]; 4]) -> [Value; 4] {
    let context = Context {
        policy: &policy(),
        chip: Chip::R700,
    };
    named(name).reduce(&slots, &context)
}

fn dot(name: &str, a: [f32; 4], b: [f32; 4]) -> Value {
    let slots = std::array::from_fn(|at| [Value::float(a[at]), Value::float(b[at])]);
    let [x, y, z, w] = reduce(name, slots);
    assert!(x == y && y == z && z == w);
    x
}

#[test]
fn dot_products_of_small_integers_are_settled() {
    let value = dot("DOT4", [1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]);
    assert_eq!(value, Value::float(70.0));
    let value = dot("DOT4_IEEE", [1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]);
    assert_eq!(value, Value::float(70.0));
}

#[test]
fn the_order_of_a_dot_product_is_open() {
    // x = 1, y = 2^30, z = -2^30, w = 1.
    // ((w+z)+y)+x: 1 - 2^30 rounds to -2^30, so 1. ((x+y)+z)+w: 1 as well. (x+y)+(z+w): 0. (x+z)+(y+w): 0. Exactly: 2.
    let big = f32::powi(2.0, 30);
    let value = dot("DOT4", [1.0, big, -big, 1.0], [1.0; 4]);
    assert_eq!(value.number(), 1.0);
    let mut numbers: Vec<f32> = possible(&value).into_iter().map(f32::from_bits).collect();
    numbers.sort_by(f32::total_cmp);
    assert_eq!(numbers, [0.0, 1.0, 2.0]);
    assert_eq!(value.reason(), Some(Reason::ReductionOrder));
}

#[test]
fn the_exact_sum_is_rounded_once() {
    // 2^60 + 2^36 + 2^0: a unit of the float is 2^37, so 2^36 is a tie, and 1 decides it upward.
    let [a, b] = [60, 36].map(|power| f64::powi(2.0, power));
    assert_eq!(exact::sum([a, b, 1.0, 0.0]), (a + 2.0 * b) as f32);
    assert_eq!(exact::sum([a, b, -1.0, 0.0]), a as f32);
    assert_eq!(exact::sum([a, b, 0.0, 0.0]), a as f32);
    assert_eq!(exact::sum([1.0, b, a, -a]), b as f32);
    assert_eq!(exact::sum([-a, -b, -1.0, 0.0]), -(a + 2.0 * b) as f32);
    // What is far below still counts: 2^-200.
    let tiny = f64::powi(2.0, -200);
    assert_eq!(exact::sum([tiny, b, a, 0.0]), (a + 2.0 * b) as f32);
}

#[test]
fn zeros_and_infinities_of_dot_products() {
    let infinite = [f32::INFINITY, 1.0, 1.0, 1.0];
    assert_eq!(
        dot("DOT4", infinite, [0.0, 1.0, 1.0, 1.0]),
        Value::float(3.0)
    );
    assert!(is_any_nan(&dot(
        "DOT4_IEEE",
        infinite,
        [0.0, 1.0, 1.0, 1.0]
    )));
    // All products -0 by IEEE: the rule may make +0 of them.
    assert_eq!(
        possible(&dot("DOT4", [0.0; 4], [-1.0; 4])),
        [0, 0x8000_0000]
    );
    assert_eq!(dot("DOT4_IEEE", [0.0; 4], [-1.0; 4]), Value::float(-0.0));
    assert_eq!(
        dot("DOT4", [0.0; 4], [-1.0, -1.0, -1.0, 1.0]),
        Value::float(0.0)
    );
}

#[test]
fn a_dot_product_of_bounds_lies_between() {
    let x = Value::within(1.5, 1.0, 2.0, false, Reason::Filtering);
    let slot = |a: Value, b: f32| [a, Value::float(b)];
    let one = || Value::float(1.0);
    let slots = [
        slot(x, -1.0),
        slot(one(), 4.0),
        slot(one(), 0.0),
        slot(one(), 0.0),
    ];
    let [value, ..] = reduce("DOT4", slots);
    // 4 - 1.5, from 2 to 3, and a little for roundings.
    assert_eq!(value.number(), 2.5);
    assert_ne!(value.accepts(2.0f32.to_bits()), Acceptance::Disagree);
    assert_ne!(value.accepts(3.0f32.to_bits()), Acceptance::Disagree);
    assert_eq!(value.accepts(3.01f32.to_bits()), Acceptance::Disagree);
    // An unknown factor of zero counts for nothing.
    let unknown = Value::unknown(5, Reason::Unset);
    let slots = [
        slot(unknown.clone(), 0.0),
        slot(one(), 4.0),
        slot(one(), 0.0),
        slot(one(), 0.0),
    ];
    let [value, ..] = reduce("DOT4", slots);
    assert_eq!(value.accepts(5.0f32.to_bits()), Acceptance::Disagree);
    let slots = [
        slot(unknown, 1.0),
        slot(one(), 4.0),
        slot(one(), 0.0),
        slot(one(), 0.0),
    ];
    let [value, ..] = reduce("DOT4", slots);
    assert!(is_unknown(&value, Reason::Unset));
}

#[test]
fn max4_is_the_greatest() {
    assert_eq!(
        dot("MAX4", [1.0, 4.0, -7.0, 2.0], [0.0; 4]),
        Value::float(4.0)
    );
    // With a NaN: the greatest of the others, or what MAX in turn gives, or a NaN.
    let value = dot("MAX4", [1.0, 4.0, f32::NAN, 2.0], [0.0; 4]);
    assert_ne!(value.accepts(4.0f32.to_bits()), Acceptance::Disagree);
    assert_ne!(value.accepts(0x7fc0_0000), Acceptance::Disagree);
    assert_eq!(value.accepts(5.0f32.to_bits()), Acceptance::Disagree);
    assert_eq!(
        possible(&dot("MAX4", [0.0, -0.0, -1.0, -1.0], [0.0; 4])).len(),
        2
    );
}

/// CUBE as a program has it: src0 = R.zzxy, src1 = R.yxzz.
fn cube(x: Value, y: Value, z: Value) -> [Value; 4] {
    let pair = |a: &Value, b: &Value| [a.clone(), b.clone()];
    reduce(
        "CUBE",
        [pair(&z, &y), pair(&z, &x), pair(&x, &z), pair(&y, &z)],
    )
}

#[test]
fn cube_faces() {
    // Direction, then S, T, face; 2 · major axis is 8 (or -8 where the axis is negative).
    for (direction, s, t, face) in [
        ([4.0, 1.0, 2.0], -2.0, -1.0, 0.0),
        ([-4.0, 1.0, 2.0], 2.0, -1.0, 1.0),
        ([1.0, 4.0, 2.0], 1.0, 2.0, 2.0),
        ([1.0, -4.0, 2.0], 1.0, -2.0, 3.0),
        ([1.0, 2.0, 4.0], 1.0, -2.0, 4.0),
        ([1.0, 2.0, -4.0], -1.0, -2.0, 5.0),
    ] {
        let [x, y, z] = direction.map(Value::float);
        let [t_value, s_value, size, face_value] = cube(x, y, z);
        assert_eq!(s_value, Value::float(s), "{direction:?}");
        assert_eq!(t_value, Value::float(t), "{direction:?}");
        assert_eq!(face_value, Value::float(face), "{direction:?}");
        assert_eq!(size.bits(), 8.0f32.to_bits());
        let negative = face % 2.0 == 1.0;
        assert_eq!(size.is_settled(), !negative);
        if negative {
            assert_eq!(possible(&size), [8.0f32.to_bits(), (-8.0f32).to_bits()]);
        }
    }
}

#[test]
fn cube_ties_are_open() {
    // Z and Y alike: +Z (s = x, t = -y, 4) first, +Y (s = x, t = z, 2) perhaps.
    let [t, s, size, face] = cube(Value::float(1.0), Value::float(3.0), Value::float(3.0));
    assert_eq!(s, Value::float(1.0));
    assert_eq!(possible(&t), [(-3.0f32).to_bits(), 3.0f32.to_bits()]);
    assert_eq!(size, Value::float(6.0));
    assert_eq!(possible(&face), [4.0f32.to_bits(), 2.0f32.to_bits()]);
    assert_eq!(face.reason(), Some(Reason::CubeTie));
}

#[test]
fn cube_of_bounds_is_known_when_the_face_is() {
    let z = Value::within(4.0, 3.0, 5.0, false, Reason::Filtering);
    let [t, s, size, face] = cube(Value::float(1.0), Value::float(2.0), z);
    assert_eq!(face, Value::float(4.0));
    assert_eq!((s, t), (Value::float(1.0), Value::float(-2.0)));
    assert_eq!(size.bounds(), Some((6.0, 10.0, false)));
    let [.., face] = cube(
        Value::float(1.0),
        Value::float(2.0),
        Value::unknown(0, Reason::Unset),
    );
    assert!(is_unknown(&face, Reason::Unset));
    // Slots that read no one direction.
    let pair = || [Value::float(1.0), Value::float(2.0)];
    let [.., face] = reduce("CUBE", [pair(), pair(), pair(), pair()]);
    assert!(is_unknown(&face, Reason::CubeOperands));
}
