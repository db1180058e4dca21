//! Cube maps: Vulkan's table of faces, derivatives on a face, and texels beyond its edges.

use corpora::execution::Vec4;

use super::Point;
use super::level::Derivatives;
use crate::spirv::number::word;

/// A face's coordinates from a direction: sc and tc as an axis and a sign, and the major axis with its.
struct Face {
    s: (usize, f64),
    t: (usize, f64),
    r: (usize, f64),
}

/// Faces +X, -X, +Y, -Y, +Z, -Z ("Cube map face and coordinate selection").
const FACES: [Face; 6] = [
    Face {
        s: (2, -1.0),
        t: (1, -1.0),
        r: (0, 1.0),
    },
    Face {
        s: (2, 1.0),
        t: (1, -1.0),
        r: (0, -1.0),
    },
    Face {
        s: (0, 1.0),
        t: (2, 1.0),
        r: (1, 1.0),
    },
    Face {
        s: (0, 1.0),
        t: (2, -1.0),
        r: (1, -1.0),
    },
    Face {
        s: (0, 1.0),
        t: (1, -1.0),
        r: (2, 1.0),
    },
    Face {
        s: (0, -1.0),
        t: (1, -1.0),
        r: (2, -1.0),
    },
];

/// The face that a direction meets.
fn face([x, y, z]: [f64; 3]) -> usize {
    let [ax, ay, az] = [x.abs(), y.abs(), z.abs()];
    let (axis, value) = if az >= ax && az >= ay {
        (2, z)
    } else if ay >= ax {
        (1, y)
    } else {
        (0, x)
    };
    2 * axis + usize::from(value.is_sign_negative())
}

/// The point on a face that a direction meets, and the derivatives there.
pub(super) fn project(direction: [f64; 3], derivatives: Derivatives) -> (Point, Derivatives) {
    let number = face(direction);
    let Face { s, t, r } = &FACES[number];
    let pick = |of: [f64; 3], (axis, sign): (usize, f64)| of[axis] * sign;
    let major = pick(direction, *r);
    let onto = |minor: f64| 0.5 * minor / major + 0.5;
    // d(½ · c / r) = ½ · (r · dc - c · dr) / r²
    let slope = |step: [f64; 3], axis: (usize, f64)| {
        0.5 * (major * pick(step, axis) - pick(direction, axis) * pick(step, *r)) / (major * major)
    };
    let point = Point {
        at: [onto(pick(direction, *s)), onto(pick(direction, *t)), 0.0],
        layer: number as u32,
    };
    let [x, y] = [derivatives.x, derivatives.y].map(|step| [slope(step, *s), slope(step, *t), 0.0]);
    (point, Derivatives { x, y })
}

/// A texel that may lie beyond a face's edge or corner.
pub(super) fn texel(i: i64, j: i64, face: u32, size: u32, read: impl Fn([u32; 3]) -> Vec4) -> Vec4 {
    let edge = i64::from(size.max(1)) - 1;
    // A linear footprint reaches no further than one texel; whatever is further is brought to that.
    let (i, j) = (i.clamp(-1, edge + 1), j.clamp(-1, edge + 1));
    let inside = |value: i64| (0..=edge).contains(&value);
    let (near_i, near_j) = (i.clamp(0, edge), j.clamp(0, edge));
    match (inside(i), inside(j)) {
        (true, true) => read([i as u32, j as u32, face]),
        (false, true) | (true, false) => read(beyond(i, j, face, edge)),
        (false, false) => {
            // The corner's texel does not exist: the mean of the three that meet there.
            let three = [
                read([near_i as u32, near_j as u32, face]),
                read(beyond(i, near_j, face, edge)),
                read(beyond(near_i, j, face, edge)),
            ];
            let value = |texel: Vec4, part: usize| f64::from(f32::from_bits(texel[part]));
            std::array::from_fn(|part| {
                let sum: f64 = three.iter().map(|&texel| value(texel, part)).sum();
                word((sum / 3.0) as f32)
            })
        }
    }
}

/// The texel of the neighbouring face that continues a row or column beyond the edge.
fn beyond(i: i64, j: i64, number: u32, edge: i64) -> [u32; 3] {
    let Face { s, t, r } = &FACES[number as usize % 6];
    let size = (edge + 1) as f64;
    let centre = |value: i64| (2 * value + 1) as f64 / size - 1.0;
    let outside = |value: i64| !(0..=edge).contains(&value);
    // Fold the texel over the edge: there its centre lies on the edge's plane, half a texel below the face.
    let fold = |value: i64| {
        if outside(value) {
            centre(value).signum()
        } else {
            centre(value)
        }
    };
    let mut direction = [0.0; 3];
    direction[s.0] = s.1 * fold(i);
    direction[t.0] = t.1 * fold(j);
    direction[r.0] = r.1 * (1.0 - 1.0 / size);
    // The neighbour is known: it is where the fold went, even if a face of one texel makes it a tie.
    let (axis, _) = if outside(i) { *s } else { *t };
    let neighbour = 2 * axis + usize::from(direction[axis] < 0.0);
    let Face { s, t, .. } = &FACES[neighbour];
    let texel = |(axis, sign): (usize, f64)| {
        let along = (direction[axis] * sign + 1.0) * 0.5 * size;
        (along.floor() as i64).clamp(0, edge) as u32
    };
    [texel(*s), texel(*t), neighbour as u32]
}
