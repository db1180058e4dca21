//! CUBE: from a direction to a face of a cube map and a place on it.
//!
//! R6 p. 123 names the operands, src0 = R.zzxy and src1 = R.yxzz, and the results: T, S, twice the major axis, the face.
//! How the axis is chosen and S and T are signed is Direct3D's convention (*chosen*; S058): Z wins over Y over X.

use super::Reason;
use super::reduction::ends;
use crate::r700::execution::value::{Omod, Value};

/// The direction's components, by number.
const X: usize = 0;
const Y: usize = 1;
const Z: usize = 2;

/// Which component each slot's two operands are.
const OPERANDS: [[usize; 2]; 4] = [[Z, Y], [Z, X], [X, Z], [Y, Z]];

/// The results of slots X, Y, Z, W: T, S, 2 · major axis, face.
pub(super) fn cube(slots: &[[Value; 2]; 4]) -> [Value; 4] {
    let direction = [&slots[2][0], &slots[3][0], &slots[0][0]];
    let consistent = slots.iter().zip(OPERANDS).all(|(operands, components)| {
        let mut pairs = operands.iter().zip(components);
        pairs.all(|(operand, component)| operand == direction[component])
    });
    if !consistent {
        return std::array::from_fn(|_| Value::unknown(0, Reason::CubeOperands));
    }
    let sizes = direction.map(|component| ends(&component.absolute()));
    let numbers = direction.map(|component| component.number().abs());
    if sizes.iter().any(|(.., nan)| *nan) {
        let reason = direction.iter().find_map(|component| component.reason());
        let reason = reason.unwrap_or(Reason::NanResult);
        return std::array::from_fn(|_| Value::unknown(0, reason));
    }
    // The axes that no other is surely greater than; first the nominal one.
    let nominal = if numbers[Z] >= numbers[Y] && numbers[Z] >= numbers[X] {
        Z
    } else if numbers[Y] >= numbers[X] {
        Y
    } else {
        X
    };
    let possible = |axis: &usize| sizes.iter().all(|other| sizes[*axis].1 >= other.0);
    let others = [Z, Y, X].into_iter().filter(|axis| *axis != nominal);
    let axes: Vec<usize> = std::iter::once(nominal)
        .chain(others.filter(possible))
        .collect();
    let reason = direction
        .iter()
        .find_map(|component| component.reason())
        .unwrap_or(Reason::CubeTie);
    let faces: Vec<[Value; 4]> = axes
        .iter()
        .flat_map(|axis| face(direction, *axis))
        .collect();
    std::array::from_fn(|slot| {
        let values: Vec<Value> = faces.iter().map(|face| face[slot].clone()).collect();
        Value::either(&values, reason)
    })
}

/// T, S, 2 · major axis and face for a major axis; twice, if its sign is open.
fn face(direction: [&Value; 3], axis: usize) -> Vec<[Value; 4]> {
    let [x, y, z] = direction;
    let major = direction[axis];
    let (low, high, _) = ends(major);
    let nominal = major.number() < 0.0;
    let signs = if (high >= 0.0) == (low >= 0.0) {
        vec![nominal]
    } else {
        vec![nominal, !nominal]
    };
    let of_sign = |negative: bool| {
        let (s, t) = match (axis, negative) {
            (X, false) => (z.negated(), y.negated()),
            (X, true) => (z.clone(), y.negated()),
            (Y, false) => (x.clone(), z.clone()),
            (Y, true) => (x.clone(), z.negated()),
            (_, false) => (x.clone(), y.negated()),
            (_, true) => (x.negated(), y.negated()),
        };
        // Mesa divides by the axis's absolute value, as if it had its sign; the contract has it without (S058).
        let doubled = major.output_modifier(Omod::M2);
        let size = Value::either(&[doubled.absolute(), doubled], Reason::CubeAxisSign);
        let number = 2 * axis + usize::from(negative);
        // Arithmetic may flush what it passes on: as a multiplication by one.
        let [s, t] = [s, t].map(|place| place.flushable());
        [t, s, size, Value::float(number as f32)]
    };
    signs.into_iter().map(of_sign).collect()
}
