//! Levels of detail.

use corpora::execution::Filter;

use super::Lookup;

/// What the level of detail comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Level {
    /// Derivatives of the coordinates, and a bias.
    Derivatives(Derivatives, f64),
    /// It is told.
    Explicit(f64),
}

/// The derivatives of coordinates along X and Y.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Derivatives {
    pub(crate) x: [f64; 3],
    pub(crate) y: [f64; 3],
}

impl Derivatives {
    /// Each multiplied by the size along its axis.
    pub(super) fn scaled(self, size: [f64; 3]) -> Self {
        let scale = |of: [f64; 3]| {
            std::array::from_fn(|axis| {
                if size[axis] == 0.0 {
                    0.0
                } else {
                    of[axis] * size[axis]
                }
            })
        };
        Self {
            x: scale(self.x),
            y: scale(self.y),
        }
    }

    /// The greater of both lengths.
    fn rho(self) -> f64 {
        let length = |of: [f64; 3]| of.iter().map(|part| part * part).sum::<f64>().sqrt();
        length(self.x).max(length(self.y))
    }
}

impl Lookup<'_> {
    /// The level of detail with the biases, before and after it is clamped.
    pub(super) fn lod(self, derivatives: Derivatives, level: Level) -> (f64, f64) {
        let (base, bias) = match level {
            Level::Derivatives(_, bias) => (libm::log2(derivatives.rho()), bias),
            Level::Explicit(lod) => (lod, 0.0),
        };
        let lod = base + (f64::from(self.sampler.lod_bias) + bias);
        let (least, greatest) = (
            f64::from(self.sampler.min_lod),
            f64::from(self.sampler.max_lod),
        );
        // Also for a NaN, `max` gives the bound.
        (lod, lod.max(least).min(greatest))
    }

    /// One or two levels with their weights.
    pub(super) fn levels(self, lod: f64) -> impl Iterator<Item = (u32, f64)> {
        let last = self.texture.levels.len().clamp(1, 32) as u32 - 1;
        let d = lod.max(0.0).min(f64::from(last));
        let mip = match self.sampler.mip {
            Some(Filter::Linear) if self.texture.integer => Some(Filter::Point),
            mip => mip,
        };
        let (level, share) = match mip {
            None => (0, 0.0),
            Some(Filter::Point) => (((d + 0.5).ceil() - 1.0) as u32, 0.0),
            Some(Filter::Linear) => (d as u32, d - d.floor()),
        };
        let level = level.min(last);
        [(level, 1.0 - share), ((level + 1).min(last), share)]
            .into_iter()
            .filter(|&(_, weight)| weight != 0.0)
    }
}
