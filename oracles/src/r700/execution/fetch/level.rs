//! One level of a texture as a sampler sees it: its texels, wrapped, and compared.

use corpora::execution::{Compare, Dimension, Sampler, Texture, Vec4, Wrap};

use super::Reason;
use super::cube;
use super::reading::Span;
use super::wrap::wrap;

/// A comparison: *reference OP texel*.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comparison {
    pub(super) operator: Compare,
    pub(super) reference: Span,
    /// How far converting the reference may move it.
    pub(super) step: f64,
}

/// A level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level<'a> {
    pub(super) texture: &'a Texture,
    pub(super) number: u32,
    pub(super) sampler: &'a Sampler,
    pub(super) comparison: Option<Comparison>,
    /// COORD_TYPE of the instruction.
    pub(super) normalized: [bool; 4],
}

impl Level<'_> {
    /// What a texel can be, the nominal one first and never none. `index` is along X, Y and Z as far as the texture has
    /// them; `layer` is the layer or face. A comparison gives its result in X.
    pub(super) fn texels(&self, index: [i64; 3], layer: u32) -> Result<Vec<Vec4>, Reason> {
        let found = match self.texture.dimension {
            Dimension::Cube => self.face([index[0], index[1]], layer)?,
            dimension => {
                let size = self.texture.level_size(self.number);
                let axes = axes(dimension);
                let mut place = [0, 0, layer];
                let mut border = false;
                for axis in 0..axes {
                    self.check(axis, index[axis], size[axis])?;
                    match wrap(self.sampler.wrap[axis], index[axis], size[axis]) {
                        Some(inside) => place[axis] = inside,
                        None => border = true,
                    }
                }
                let texel = match border {
                    true => Some(self.sampler.border),
                    false => self.texture.texel(self.number, place),
                };
                // A level whose texels are not all given.
                vec![texel.ok_or(Reason::Unset)?]
            }
        };
        Ok(match &self.comparison {
            None => found,
            Some(comparison) => {
                let mut outcomes = Vec::new();
                for texel in found {
                    for outcome in comparison.outcomes(f32::from_bits(texel[0])) {
                        let word = f32::from(u8::from(outcome)).to_bits();
                        if !outcomes.contains(&[word, 0, 0, 0]) {
                            outcomes.push([word, 0, 0, 0]);
                        }
                    }
                }
                outcomes
            }
        })
    }

    /// Coordinates in texels do not go with a texture that repeats (RG p. 103), which matters only outside.
    fn check(&self, axis: usize, index: i64, size: u32) -> Result<(), Reason> {
        let outside = !(0..i64::from(size)).contains(&index);
        let repeats = matches!(self.sampler.wrap[axis], Wrap::Repeat | Wrap::Mirror);
        match outside && repeats && !self.normalized[axis] {
            true => Err(Reason::UnstatedFetch),
            false => Ok(()),
        }
    }

    fn face(&self, index: [i64; 2], face: u32) -> Result<Vec<Vec4>, Reason> {
        let size = self.texture.level_size(self.number)[0];
        let modes = [self.sampler.wrap[0], self.sampler.wrap[1]];
        let (places, border) =
            cube::places(face, index, size, modes).ok_or(Reason::UnstatedFetch)?;
        let mut found = cube::texels(self.texture, self.number, &places).ok_or(Reason::Unset)?;
        if border {
            found.push(self.sampler.border);
        }
        Ok(found)
    }
}

/// The axes that a texture is filtered along: the first so many.
pub(super) const fn axes(dimension: Dimension) -> usize {
    match dimension {
        Dimension::D1 => 1,
        Dimension::D2 | Dimension::Cube | Dimension::D2Array => 2,
        Dimension::D3 => 3,
    }
}

impl Comparison {
    /// The possible results, the nominal one first.
    fn outcomes(&self, texel: f32) -> Vec<bool> {
        let texel = f64::from(texel);
        // A reference outside 0 to 1 is clamped where the format is normalized, which the texture does not say.
        let Span { nominal, low, high } = self.reference;
        let mut references = vec![nominal, low, high];
        references.extend([nominal, low, high].map(|number| number.clamp(0.0, 1.0)));
        let least = references.iter().copied().fold(f64::INFINITY, f64::min);
        let most = references.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // The format's rounding moves a reference at most onto the texel.
        if least - self.step <= texel && texel <= most + self.step {
            references.push(texel);
        }
        let mut outcomes = Vec::new();
        for reference in references {
            let outcome = self.holds(reference, texel);
            if !outcomes.contains(&outcome) {
                outcomes.push(outcome);
            }
        }
        outcomes
    }

    fn holds(&self, reference: f64, texel: f64) -> bool {
        match self.operator {
            Compare::Never => false,
            Compare::Less => reference < texel,
            Compare::Equal => reference == texel,
            Compare::LessEqual => reference <= texel,
            Compare::Greater => reference > texel,
            Compare::NotEqual => reference != texel,
            Compare::GreaterEqual => reference >= texel,
            Compare::Always => true,
        }
    }
}
