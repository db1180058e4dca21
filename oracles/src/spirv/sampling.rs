//! Sampling of images, after the equations of the Vulkan specification (chapter "Image Operations").
//!
//! Coordinates, levels of detail and weights are computed in double precision from the 32-bit inputs, without the
//! subtexel precision of hardware; the weighted sum is rounded once. A texel of weight zero does not count, whatever it
//! holds, and a single texel of weight one is copied bit by bit. What the specification leaves open:
//!
//! * nearest mip level: `ceil(d + 0.5) - 1`, the one it prefers; an array's layer is rounded to nearest even;
//! * the level of detail is at least what isotropic filtering has: `log2(max(rho_x, rho_y))`;
//! * a cube's major axis is Z before Y before X where magnitudes are equal; linear filtering at a cube's edge takes the
//!   neighbouring face's texels, at a corner the mean of the three that there are;
//! * coordinates are limited to ±2^31 texels, and a NaN is 0;
//! * integer images are never filtered.

mod cube;
mod footprint;
mod level;

use corpora::execution::{Compare, Dimension, Filter, Sampler, Texture, Vec4};

use super::number::{truth, word};
use footprint::Footprint;
pub(super) use level::{Derivatives, Level};

/// A texture and a sampler to look it up with.
#[derive(Clone, Copy)]
pub(super) struct Lookup<'a> {
    pub(super) texture: &'a Texture,
    pub(super) sampler: &'a Sampler,
}

/// What is looked up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request {
    /// Coordinates; a layer after them.
    pub(super) coordinates: [f32; 3],
    /// What the level of detail comes from.
    pub(super) level: Level,
    /// Texels that are added.
    pub(super) offset: [i32; 3],
    /// What texels are compared with.
    pub(super) reference: Option<f32>,
}

/// A point on a texture: coordinates in units of its size, and the layer or face.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Point {
    at: [f64; 3],
    layer: u32,
}

/// The number of coordinates along which a texture is filtered.
fn axes(dimension: Dimension) -> usize {
    match dimension {
        Dimension::D1 => 1,
        Dimension::D2 | Dimension::D2Array | Dimension::Cube => 2,
        Dimension::D3 => 3,
    }
}

impl Lookup<'_> {
    /// The weighted texels, or in X the weighted results of their comparison.
    pub(super) fn sample(self, request: &Request) -> Vec4 {
        let (point, derivatives) = self.locate(request);
        let lod = self.lod(derivatives, request.level).1;
        let filter = if lod > 0.0 {
            self.sampler.min
        } else {
            self.sampler.mag
        };
        let filter = if self.texture.integer {
            Filter::Point
        } else {
            filter
        };
        let mut footprint = Footprint::default();
        for (level, weight) in self.levels(lod) {
            footprint.add(self, &point, level, filter, request.offset, weight);
        }
        footprint.resolve(|texel| self.compared(texel, request.reference))
    }

    /// One component, or the comparison, of each texel of level 0's linear footprint, in the order of OpImageGather.
    pub(super) fn gather(self, request: &Request, component: u32) -> Vec4 {
        let (point, _) = self.locate(request);
        let mut footprint = Footprint::default();
        footprint.add(self, &point, 0, Filter::Linear, request.offset, 1.0);
        let [a, b, c, d] = footprint.corners();
        [c, d, b, a].map(|texel| match request.reference {
            Some(_) => self.compared(texel, request.reference)[0],
            None => texel[component as usize & 3],
        })
    }

    /// The level that would be sampled, and the level of detail before it is clamped.
    pub(super) fn query_lod(self, request: &Request) -> [u32; 2] {
        let (_, derivatives) = self.locate(request);
        let (unclamped, lod) = self.lod(derivatives, request.level);
        let level: f64 = self
            .levels(lod)
            .map(|(level, weight)| f64::from(level) * weight)
            .sum();
        [word(level as f32), word(unclamped as f32)]
    }

    /// The point of a request, and its derivatives in texels of level 0.
    fn locate(self, request: &Request) -> (Point, Derivatives) {
        let [x, y, z] = request.coordinates.map(f64::from);
        let derivatives = match request.level {
            Level::Derivatives(derivatives, _) => derivatives,
            Level::Explicit(_) => Derivatives::default(),
        };
        let size = self.texture.level_size(0).map(f64::from);
        let depth = self.texture.size[2];
        match self.texture.dimension {
            Dimension::Cube => {
                let (point, derivatives) = cube::project([x, y, z], derivatives);
                (point, derivatives.scaled([size[0], size[1], 0.0]))
            }
            Dimension::D2Array => {
                let layer = z.round_ties_even().clamp(0.0, f64::from(depth.max(1) - 1));
                let point = Point {
                    at: [x, y, 0.0],
                    layer: layer as u32,
                };
                (point, derivatives.scaled([size[0], size[1], 0.0]))
            }
            dimension => {
                let axes = axes(dimension);
                let size = std::array::from_fn(|axis| if axis < axes { size[axis] } else { 0.0 });
                (
                    Point {
                        at: [x, y, z],
                        layer: 0,
                    },
                    derivatives.scaled(size),
                )
            }
        }
    }

    /// A texel, or in X whether the reference stands in the sampler's relation to it.
    fn compared(self, texel: Vec4, reference: Option<f32>) -> Vec4 {
        let (Some(reference), Some(compare)) = (reference, self.sampler.compare) else {
            return texel;
        };
        let depth = f32::from_bits(texel[0]);
        let passes = match compare {
            Compare::Never => false,
            Compare::Less => reference < depth,
            Compare::Equal => reference == depth,
            Compare::LessEqual => reference <= depth,
            Compare::Greater => reference > depth,
            Compare::NotEqual => reference != depth,
            Compare::GreaterEqual => reference >= depth,
            Compare::Always => true,
        };
        [truth(passes) * 1.0f32.to_bits(), 0, 0, 0]
    }
}

/// A texel by integers; zero outside.
pub(super) fn fetch(texture: &Texture, coordinates: [i64; 3], level: u32) -> Vec4 {
    let inside = coordinates.map(|coordinate| u32::try_from(coordinate).unwrap_or(u32::MAX));
    if (level as usize) < texture.levels.len() {
        texture.texel(level, inside).unwrap_or([0; 4])
    } else {
        [0; 4]
    }
}
