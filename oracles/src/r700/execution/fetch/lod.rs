//! The level of detail.

use corpora::execution::{Dimension, Sampler, Stage, Texture};

use super::coordinate::Position;
use super::operation::LevelSource;
use super::reading::Span;
use super::texture::TextureFetch;
use super::{Gradients, Precision, Reason, Value};

/// What can be any level.
const ANY: Span = Span {
    nominal: 0.0,
    low: f64::NEG_INFINITY,
    high: f64::INFINITY,
};

/// What the level of a quad's lane comes from.
pub(super) struct Quad<'a> {
    pub(super) fetch: &'a TextureFetch,
    pub(super) texture: &'a Texture,
    /// Where its lanes sample.
    pub(super) positions: &'a [Result<Position, Reason>; 4],
    pub(super) gradients: &'a Gradients,
    pub(super) stage: Stage,
    pub(super) precision: &'a Precision,
}

impl Quad<'_> {
    /// The level of detail of a lane, biased and not yet clamped. `operand` is the level or the bias.
    pub(super) fn level(
        &self,
        lane: usize,
        source: LevelSource,
        gradients: bool,
        operand: &Value,
        sampler: &Sampler,
    ) -> Span {
        let bias = f64::from(sampler.lod_bias) + f64::from(self.fetch.lod_bias) / 16.0;
        let derived = || match gradients {
            true => self.set_level(lane),
            false => self.quad_level(lane),
        };
        let level = match source {
            LevelSource::Derivatives => derived().map(|level| level + bias),
            LevelSource::Biased => match Span::of(operand) {
                Ok(operand) => derived().plus(operand).map(|level| level + bias),
                Err(_) => ANY,
            },
            // Whether the biases count where the level is given, no source says.
            LevelSource::Operand => match Span::of(operand) {
                Ok(operand) => self
                    .on_grid(operand)
                    .or(self.on_grid(operand).map(|level| level + bias)),
                Err(_) => ANY,
            },
            LevelSource::Zero => Span::exact(0.0).or(Span::exact(bias)),
        };
        known(level)
    }

    /// A level that is an operand is known to the grid.
    fn on_grid(&self, level: Span) -> Span {
        let step = self.precision.level_step;
        Span {
            nominal: level.nominal,
            low: (level.low / step).floor() * step,
            high: (level.high / step).ceil() * step,
        }
    }

    /// From the differences of coordinates in the quad: along the lane's row and column or along the other ones.
    fn quad_level(&self, lane: usize) -> Span {
        // Threads of other stages are no quads.
        if self.stage != Stage::Pixel {
            return ANY;
        }
        let mut positions = Vec::with_capacity(4);
        for position in self.positions {
            match position {
                Ok(position) => positions.push(position),
                Err(_) => return ANY,
            }
        }
        // Coordinates of different faces of a cube are not comparable.
        let face = &positions[0].layers;
        let one_face = face.len() == 1 && positions.iter().all(|position| position.layers == *face);
        if self.texture.dimension == Dimension::Cube && !one_face {
            return ANY;
        }
        let length = |from: usize, to: usize| {
            let along: Vec<Span> = (0..positions[0].along.len())
                .map(|axis| {
                    let (from, to) = (&positions[from].along[axis], &positions[to].along[axis]);
                    to.at
                        .minus(from.at)
                        .map(|step| step * self.scale(axis, to.normalized))
                })
                .collect();
            length(&along)
        };
        // Lanes 0 and 1 are the upper row, 0 and 2 the left column.
        let (row, column) = (lane & 2, lane & 1);
        let horizontal = length(row, row + 1).or(length(row ^ 2, (row ^ 2) + 1));
        let vertical = length(column, column + 2).or(length(column ^ 1, (column ^ 1) + 2));
        self.logarithm(horizontal, vertical)
    }

    fn set_level(&self, lane: usize) -> Span {
        let axes = super::level::axes(self.texture.dimension);
        let direction = |gradient: &Option<super::gradient::Gradient>| -> Option<Span> {
            let gradient = gradient.as_ref()?;
            let mut along = Vec::with_capacity(axes);
            for axis in 0..axes {
                let step = Span::of(&gradient.lanes[lane][axis]).ok()?;
                along.push(step.map(|step| step * self.scale(axis, gradient.normalized[axis])));
            }
            Some(length(&along))
        };
        match (
            direction(&self.gradients.horizontal),
            direction(&self.gradients.vertical),
        ) {
            (Some(horizontal), Some(vertical)) => self.logarithm(horizontal, vertical),
            _ => ANY,
        }
    }

    fn scale(&self, axis: usize, normalized: bool) -> f64 {
        match normalized {
            true => f64::from(self.texture.level_size(0)[axis]),
            false => 1.0,
        }
    }

    /// The level at which the longer one is a texel.
    fn logarithm(&self, horizontal: Span, vertical: Span) -> Span {
        let longer = Span {
            nominal: horizontal.nominal.max(vertical.nominal),
            low: horizontal.low.max(vertical.low),
            high: horizontal.high.max(vertical.high),
        };
        known(longer.map(f64::log2).widened(self.precision.level))
    }
}

/// A level; any, if infinities cancelled in it.
fn known(level: Span) -> Span {
    if level.low.is_nan() || level.high.is_nan() || level.nominal.is_nan() {
        return ANY;
    }
    level
}

/// The length of a gradient: nominally Euclid's. Hardware may take the largest component or the sum for it.
fn length(along: &[Span]) -> Span {
    let along = along.iter().map(|step| step.absolute());
    Span {
        nominal: along
            .clone()
            .map(|step| step.nominal * step.nominal)
            .sum::<f64>()
            .sqrt(),
        low: along.clone().map(|step| step.low).fold(0.0, f64::max),
        high: along.map(|step| step.high).sum(),
    }
}

/// A level of detail between the sampler's limits.
pub(super) fn clamped(level: Span, sampler: &Sampler) -> Span {
    // `max` and `min` take the other operand where a limit is a NaN.
    let (least, most) = (f64::from(sampler.min_lod), f64::from(sampler.max_lod));
    level.map(|level| level.max(least).min(most))
}
