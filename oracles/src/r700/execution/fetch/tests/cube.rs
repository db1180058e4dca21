use corpora::execution::{Dimension, Filter, Sampler, Wrap};

use super::super::cube::places;
use super::*;

/// Six faces of two by two texels; the number is 100·face + 10·row + column.
fn cube() -> Texture {
    let mut numbers = Vec::new();
    for face in 0..6 {
        for (row, column) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            numbers.push((100 * face + 10 * row + column) as f32);
        }
    }
    texels(Dimension::Cube, [2, 2, 6], &[&numbers])
}

/// What the programs that Mesa compiles from `texture(samplerCube, direction)` hand to the fetch: s / 2·ma + 1.5, t
/// likewise, and the face.
fn operands([x, y, z]: [f32; 3]) -> [f32; 4] {
    let major = x.abs().max(y.abs()).max(z.abs());
    // The faces of Direct3D, as docs/targets/r700-execution.md lists them.
    let (face, s, t) = if z.abs() == major {
        if z > 0.0 { (4.0, x, -y) } else { (5.0, -x, -y) }
    } else if y.abs() == major {
        if y > 0.0 { (2.0, x, z) } else { (3.0, x, -z) }
    } else if x > 0.0 {
        (0.0, -z, -y)
    } else {
        (1.0, z, -y)
    };
    [s / (2.0 * major) + 1.5, t / (2.0 * major) + 1.5, face, 0.0]
}

/// Half to each side of a face's middle is the centre of a texel. The expected texel is by the directions of Direct3D's
/// faces: looking along -X from inside +X, Z runs left and Y up, and so on.
#[test]
fn a_direction_hits_its_face() {
    let environment = environment(cube(), Sampler::default());
    for (direction, expected) in [
        // +X: s = -z, t = -y.
        ([1.0, 0.5, -0.5], 1.0),
        ([1.0, -0.5, 0.5], 10.0),
        // -X: s = z, t = -y.
        ([-1.0, 0.5, -0.5], 100.0),
        ([-1.0, -0.5, 0.5], 111.0),
        // +Y: s = x, t = z.
        ([0.5, 1.0, -0.5], 201.0),
        // -Y: s = x, t = -z.
        ([0.5, -1.0, -0.5], 311.0),
        // +Z: s = x, t = -y.
        ([-0.5, 0.5, 1.0], 400.0),
        // -Z: s = -x, t = -y.
        ([-0.5, 0.5, -1.0], 501.0),
    ] {
        let value = sampled(&fetch("SAMPLE"), operands(direction), &environment);
        assert_eq!(value, Value::float(expected), "{direction:?}");
    }
}

/// Both back ends of Mesa are seen: the face rounded and not normalized, or as it is and normalized.
#[test]
fn the_coordinate_type_of_the_face_does_not_matter() {
    let environment = environment(cube(), Sampler::default());
    let mut sample = fetch("SAMPLE");
    for normalized in [true, false] {
        sample.normalized[2] = normalized;
        assert_eq!(
            sampled(&sample, [1.25, 1.75, 3.0, 0.0], &environment),
            Value::float(310.0)
        );
    }
    assert!(is_unknown(&sampled(
        &sample,
        [1.25, 1.75, 6.0, 0.0],
        &environment
    )));
    assert!(is_unknown(&sampled(
        &sample,
        [0.25, 0.75, 3.0, 0.0],
        &environment
    )));
}

/// Over the edges of +Z, column by column and row by row. Its right edge (x = 1) is the left edge of +X, where s = -z is
/// -1: rows stay, as t is -y on both. Its upper edge (y = 1) is the lower edge of +Y, where t = z is 1: columns stay, as s is
/// x on both. Likewise to the left (-X's right edge) and down (-Y's upper edge).
#[test]
fn neighbours_over_the_edges_of_plus_z() {
    let first = |column, row| {
        let (places, border) = places(4, [column, row], 2, [Wrap::ClampToEdge; 2]).unwrap();
        assert!(!border);
        places[0]
    };
    assert_eq!(first(1, 1), [1, 1, 4]);
    assert_eq!(first(2, 0), [0, 0, 0]);
    assert_eq!(first(2, 1), [0, 1, 0]);
    assert_eq!(first(-1, 0), [1, 0, 1]);
    assert_eq!(first(-1, 1), [1, 1, 1]);
    assert_eq!(first(0, -1), [0, 1, 2]);
    assert_eq!(first(1, -1), [1, 1, 2]);
    assert_eq!(first(0, 2), [0, 0, 3]);
    assert_eq!(first(1, 2), [1, 0, 3]);
}

/// Over an edge that turns: the upper edge of +X (y = 1) is the right edge of +Y (x = 1). Along it +X has s = -z, and +Y
/// t = z: its column 0 (z near 1) is row 1 there. And the lower edge of -Z is the lower edge of -Y, mirrored: s = -x against
/// s = x.
#[test]
fn neighbours_over_edges_that_turn() {
    let first = |face, column, row| {
        places(face, [column, row], 2, [Wrap::ClampToEdge; 2])
            .unwrap()
            .0[0]
    };
    assert_eq!(first(0, 0, -1), [1, 1, 2]);
    assert_eq!(first(0, 1, -1), [1, 0, 2]);
    assert_eq!(first(5, 0, 2), [1, 1, 3]);
    assert_eq!(first(5, 1, 2), [0, 1, 3]);
}

/// Over an edge and back over the same edge is where one was, from every edge texel of every face.
#[test]
fn folding_is_its_own_inverse() {
    let size = 4;
    for face in 0..6 {
        for along in 0..4_i64 {
            for (outside, home) in [
                ([-1, along], [0, along]),
                ([4, along], [3, along]),
                ([along, -1], [along, 0]),
                ([along, 4], [along, 3]),
            ] {
                let modes = [Wrap::ClampToEdge; 2];
                let [column, row, other] = places(face, outside, size, modes).unwrap().0[0];
                let back = [[-1, 0], [1, 0], [0, -1], [0, 1]]
                    .into_iter()
                    .any(|[x, y]| {
                        let step = [i64::from(column) + x, i64::from(row) + y];
                        let outside = step.iter().any(|index| !(0..4).contains(index));
                        let corner = step.iter().all(|index| !(0..4).contains(index));
                        outside && !corner && {
                            let [x, y, face_back] = places(other, step, size, modes).unwrap().0[0];
                            (face_back, i64::from(x), i64::from(y)) == (face, home[0], home[1])
                        }
                    });
                assert!(back, "face {face} {outside:?}");
            }
        }
    }
}

/// Half-way between the last texel of +Z's upper row (401) and its neighbour on +X (0): with filtering over edges the mean
/// is about 200.5, without it 401. Both are taken, and nothing beyond.
#[test]
fn filtering_at_an_edge_is_open() {
    let sampler = Sampler {
        mag: Filter::Linear,
        min: Filter::Linear,
        wrap: [Wrap::ClampToEdge; 3],
        ..Sampler::default()
    };
    let environment = environment(cube(), sampler);
    let value = sampled(&fetch("SAMPLE"), [2.0, 1.25, 4.0, 0.0], &environment);
    assert!(takes(&value, 200.5) && takes(&value, 401.0));
    assert!(!takes(&value, 150.0) && !takes(&value, 450.0));
}
