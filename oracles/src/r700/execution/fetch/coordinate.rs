//! Where a lane samples.

use corpora::execution::{Dimension, Texture};

use super::level::axes;
use super::reading::{self, Span};
use super::texture::TextureFetch;
use super::{Precision, Reason, Value};

/// The most layers that a doubtful layer can mean.
const MOST_LAYERS: usize = 8;

/// A coordinate along an axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coordinate {
    /// 0 to 1 over the texture, or in texels.
    pub(super) at: Span,
    /// Whether it is 0 to 1.
    pub(super) normalized: bool,
    /// Texels to add.
    offset: f64,
}

/// Where a lane samples.
#[derive(Clone, Debug)]
pub(super) struct Position {
    /// Along X, Y, Z, as far as the texture is filtered along them.
    pub(super) along: Vec<Coordinate>,
    /// The layers or faces that are possible, the nominal one first.
    pub(super) layers: Vec<u32>,
}

impl Position {
    /// The position of a lane's coordinates; a reason if they say nothing.
    pub(super) fn of(
        fetch: &TextureFetch,
        texture: &Texture,
        lane: &[Value; 4],
    ) -> Result<Self, Reason> {
        let dimension = texture.dimension;
        let along = (0..axes(dimension))
            .map(|axis| Self::along(fetch, dimension, axis, &lane[axis]))
            .collect::<Result<_, _>>()?;
        let layers = match dimension {
            Dimension::D1 | Dimension::D2 | Dimension::D3 => vec![0],
            // A compiler marks the layer as not normalized and rounds it itself. What a normalized one is, nobody says.
            Dimension::D2Array if fetch.normalized[2] => return Err(Reason::UnstatedFetch),
            Dimension::D2Array => {
                // GLSL demands the nearest layer, clamped, and its compilers emit the rounding alone.
                let last = f64::from(texture.size[2].max(1)) - 1.0;
                layers(&lane[2], |layer| Some(layer.clamp(0.0, last)))?
            }
            // Both kinds of coordinates are seen for the face, with the same meaning.
            Dimension::Cube => {
                layers(&lane[2], |face| (0.0..=5.0).contains(&face).then_some(face))?
            }
        };
        Ok(Self { along, layers })
    }

    fn along(
        fetch: &TextureFetch,
        dimension: Dimension,
        axis: usize,
        value: &Value,
    ) -> Result<Coordinate, Reason> {
        let at = Span::of(value)?;
        if !at.is_finite() {
            return Err(Reason::UnstatedFetch);
        }
        let coordinate = Coordinate {
            at,
            normalized: fetch.normalized[axis],
            offset: f64::from(fetch.offset[axis]) / 2.0,
        };
        if dimension != Dimension::Cube {
            return Ok(coordinate);
        }
        // Over a face coordinates run from 1 to 2. Texels of it cannot be addressed otherwise, as far as is known.
        if !coordinate.normalized || fetch.offset[axis] != 0 {
            return Err(Reason::UnstatedFetch);
        }
        Ok(Coordinate {
            at: at.map(|number| number - 1.0),
            ..coordinate
        })
    }
}

impl Coordinate {
    /// In texels of a level, of which it has `size` along the axis and level 0 `base`: all that it can be.
    pub(super) fn texels(
        &self,
        size: u32,
        base: u32,
        precision: &Precision,
    ) -> Result<Span, Reason> {
        let texels = match self.normalized {
            true => self.at.map(|number| number * f64::from(size)),
            // What coordinates in texels are on a smaller level is nowhere said.
            false if size != base => return Err(Reason::UnstatedFetch),
            false => self.at,
        };
        // The product is a float's, and rounded.
        let rounding = texels.high.abs().max(texels.low.abs()) / 8_388_608.0;
        Ok(texels
            .map(|number| number + self.offset)
            .widened(precision.texel + rounding))
    }
}

/// The layers that a float can mean: the number; one with a fraction means that before it or the nearest. `limit` is the
/// layer that a whole number is.
fn layers(value: &Value, limit: impl Fn(f64) -> Option<f64>) -> Result<Vec<u32>, Reason> {
    let span = Span::of(value)?;
    let mut numbers = Vec::new();
    match reading::words(value) {
        Some(words) => {
            for word in words {
                let number = f64::from(f32::from_bits(*word));
                numbers.extend([number.round_ties_even(), number.floor()]);
            }
        }
        None => {
            numbers.push(span.nominal.round_ties_even());
            let (first, last) = (span.low.floor(), span.high.round_ties_even());
            if last - first >= MOST_LAYERS as f64 {
                return Err(reading::reason(value));
            }
            numbers.extend(
                (0..MOST_LAYERS)
                    .map(|step| first + step as f64)
                    .take_while(|number| *number <= last),
            );
        }
    }
    let mut layers = Vec::new();
    for number in numbers {
        let layer = limit(number).ok_or(Reason::UnstatedFetch)? as u32;
        if !layers.contains(&layer) {
            layers.push(layer);
        }
    }
    Ok(layers)
}
