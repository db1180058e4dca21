//! Texels beyond the edge of a cube's face.

use corpora::execution::{Texture, Vec4, Wrap};

use super::wrap::wrap;

/// A texel of a cube: column, row, face.
pub(super) type Place = [u32; 3];

/// The texels that a column and a row of a face mean: one inside; outside the neighbour over the edge, and the texel of
/// the same face that the sampler's wrapping gives, as no source says whether this hardware filters over edges. In a
/// corner, where there is no fourth texel, the two neighbours. None where the place is more than one texel outside: only
/// coordinates that are no cube's get there.
pub(super) fn places(
    face: u32,
    [column, row]: [i64; 2],
    size: u32,
    modes: [Wrap; 2],
) -> Option<(Vec<Place>, bool)> {
    let edge = i64::from(size);
    if !(-1..=edge).contains(&column) || !(-1..=edge).contains(&row) || face > 5 {
        return None;
    }
    let inside = |index: i64| (0..edge).contains(&index);
    let mut places = Vec::new();
    match (inside(column), inside(row)) {
        (true, true) => {}
        (false, true) | (true, false) => places.push(fold(face, [column, row], size)),
        (false, false) => {
            let nearest = |index: i64| index.clamp(0, edge - 1);
            places.push(fold(face, [column, nearest(row)], size));
            places.push(fold(face, [nearest(column), row], size));
        }
    }
    let wrapped = (wrap(modes[0], column, size), wrap(modes[1], row, size));
    let border = match wrapped {
        (Some(column), Some(row)) => {
            places.push([column, row, face]);
            false
        }
        _ => true,
    };
    Some((places, border))
}

/// The texel over the edge. The place is outside along one axis, by one texel.
///
/// In texels doubled, a face is the square from -size to size, and centres of texels are odd distances from its middle.
/// A step over the edge of the face at distance `size` is a step onto the edge of another one: the direction to the edge
/// itself, with what runs along it unchanged.
fn fold(face: u32, [column, row]: [i64; 2], size: u32) -> Place {
    let size = i64::from(size);
    let along = |index: i64| (2 * index + 1 - size).clamp(-size, size);
    let (s, t) = (along(column), along(row));
    let direction = match face {
        0 => [size, -t, -s],
        1 => [-size, -t, s],
        2 => [s, size, t],
        3 => [s, -size, -t],
        4 => [s, -t, size],
        _ => [-s, -t, -size],
    };
    // Two components have the magnitude of an edge: the old face's and the one that was left over.
    let old = face as usize / 2;
    let axis = (0..3)
        .find(|&axis| axis != old && direction[axis].abs() == size)
        .unwrap_or(old);
    let [x, y, z] = direction;
    let (other, s, t) = match (axis, direction[axis] > 0) {
        (0, true) => (0, -z, -y),
        (0, false) => (1, z, -y),
        (1, true) => (2, x, z),
        (1, false) => (3, x, -z),
        (_, true) => (4, x, -y),
        (_, false) => (5, -x, -y),
    };
    // The edge of a face is the edge of its first or last texel.
    let index = |distance: i64| ((distance + size) / 2).clamp(0, size - 1) as u32;
    [index(s), index(t), other]
}

/// Texels at places.
pub(super) fn texels(texture: &Texture, level: u32, places: &[Place]) -> Option<Vec<Vec4>> {
    places
        .iter()
        .map(|&place| texture.texel(level, place))
        .collect()
}
