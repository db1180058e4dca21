//! The texels that a lookup touches, and their weights.

use corpora::execution::{Dimension, Filter, Vec4, Wrap};

use super::{Lookup, Point, axes, cube};
use crate::spirv::number::word;

/// The greatest distance from the texture, in texels.
const FAR: f64 = 2_147_483_648.0;

/// Texels with their weights.
#[derive(Default)]
pub(super) struct Footprint {
    /// Two levels of eight texels at most.
    taps: [(f64, Vec4); 16],
    count: usize,
}

/// The texels along one axis: the first, and the share of the next one.
fn along(coordinate: f64, size: u32, filter: Filter) -> (i64, f64) {
    let scaled = coordinate * f64::from(size);
    let scaled = if scaled.is_nan() {
        0.0
    } else {
        scaled.clamp(-FAR, FAR)
    };
    match filter {
        Filter::Point => (scaled.floor() as i64, 0.0),
        Filter::Linear => {
            let shifted = scaled - 0.5;
            (shifted.floor() as i64, shifted - shifted.floor())
        }
    }
}

/// The texel that a coordinate outside means; none is the border.
fn wrapped(coordinate: i64, size: u32, wrap: Wrap) -> Option<u32> {
    let size = i64::from(size.max(1));
    let inside = match wrap {
        Wrap::Repeat => coordinate.rem_euclid(size),
        Wrap::Mirror => {
            let place = coordinate.rem_euclid(2 * size);
            if place < size {
                place
            } else {
                2 * size - 1 - place
            }
        }
        Wrap::ClampToEdge => coordinate.clamp(0, size - 1),
        Wrap::ClampToBorder => {
            if !(0..size).contains(&coordinate) {
                return None;
            }
            coordinate
        }
    };
    u32::try_from(inside).ok()
}

impl Footprint {
    /// Adds the texels of one level around a point.
    pub(super) fn add(
        &mut self,
        lookup: Lookup<'_>,
        point: &Point,
        level: u32,
        filter: Filter,
        offset: [i32; 3],
        weight: f64,
    ) {
        let size = lookup.texture.level_size(level);
        let axes = axes(lookup.texture.dimension);
        let steps: [(i64, f64); 3] = std::array::from_fn(|axis| {
            if axis >= axes {
                return (0, 0.0);
            }
            let (first, share) = along(point.at[axis], size[axis], filter);
            (first + i64::from(offset[axis]), share)
        });
        let corners = if filter == Filter::Linear {
            1 << axes
        } else {
            1
        };
        for corner in 0..corners {
            let mut share = weight;
            let texel: [i64; 3] = std::array::from_fn(|axis| {
                let (first, next) = steps[axis];
                let far = corner >> axis & 1;
                if axis < axes {
                    share *= if far == 1 { next } else { 1.0 - next };
                }
                first + far
            });
            if let Some(tap) = self.taps.get_mut(self.count) {
                *tap = (share, texel_at(lookup, level, texel, point.layer));
                self.count += 1;
            }
        }
    }

    /// The four texels of a plane: (i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1).
    pub(super) fn corners(&self) -> [Vec4; 4] {
        std::array::from_fn(|corner| self.taps[corner].1)
    }

    /// The weighted sum of what becomes of the texels.
    pub(super) fn resolve(&self, with: impl Fn(Vec4) -> Vec4) -> Vec4 {
        let mut counted = self.taps[..self.count]
            .iter()
            .filter(|(weight, _)| *weight != 0.0);
        let Some(&(weight, first)) = counted.next() else {
            return [0; 4];
        };
        if weight == 1.0 {
            return with(first);
        }
        let mut sum = weigh(weight, with(first));
        for &(weight, texel) in counted {
            let part = weigh(weight, with(texel));
            sum = std::array::from_fn(|component| sum[component] + part[component]);
        }
        sum.map(|value| word(value as f32))
    }
}

fn weigh(weight: f64, texel: Vec4) -> [f64; 4] {
    texel.map(|component| weight * f64::from(f32::from_bits(component)))
}

/// A texel, which may lie outside, by the rules of the sampler or the cube.
fn texel_at(lookup: Lookup<'_>, level: u32, at: [i64; 3], layer: u32) -> Vec4 {
    let Lookup { texture, sampler } = lookup;
    let size = texture.level_size(level);
    let read = |place: [u32; 3]| texture.texel(level, place).unwrap_or([0; 4]);
    if texture.dimension == Dimension::Cube {
        return cube::texel(at[0], at[1], layer, size[0], read);
    }
    let axes = axes(texture.dimension);
    let mut place = [0, 0, layer];
    for axis in 0..axes {
        match wrapped(at[axis], size[axis], sampler.wrap[axis]) {
            Some(inside) => place[axis] = inside,
            None => return sampler.border,
        }
    }
    read(place)
}
