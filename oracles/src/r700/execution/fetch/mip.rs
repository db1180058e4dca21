//! A sample at a level of detail: of one level of a texture, or of two.

use corpora::execution::{Filter, Sampler, Texture};

use super::coordinate::Position;
use super::level::{Comparison, Level};
use super::reading::Span;
use super::texture::TextureFetch;
use super::{Precision, Reason, Value, sample};

/// The last level that a texture can have: sizes are 32 bits.
const LAST_LEVEL: usize = 31;

/// The number of a texture's last level, of which there is one at least.
pub(super) fn last(texture: &Texture) -> f64 {
    texture.levels.len().saturating_sub(1).min(LAST_LEVEL) as f64
}

/// What a lane samples.
pub(super) struct Lane<'a> {
    pub(super) fetch: &'a TextureFetch,
    pub(super) texture: &'a Texture,
    pub(super) sampler: &'a Sampler,
    pub(super) comparison: Option<Comparison>,
    pub(super) position: &'a Position,
    pub(super) precision: &'a Precision,
}

impl Lane<'_> {
    /// The sample at a level of detail. Up to zero the texture is magnified, above it is minified.
    pub(super) fn at(&self, level: Span) -> [Value; 4] {
        let within = |low: f64, high: f64| Span {
            nominal: level.nominal.clamp(low, high),
            low,
            high,
        };
        let mut parts = Vec::new();
        if self.precision.shares_levels && self.sampler.mag != self.sampler.min {
            // Another lane may decide which of the filters it is.
            parts.push(self.part(self.sampler.mag, level));
            parts.push(self.part(self.sampler.min, level));
            if level.nominal > 0.0 {
                parts.reverse();
            }
            return either(&parts);
        }
        if level.low <= 0.0 {
            let part = within(level.low, level.high.min(0.0));
            parts.push(self.part(self.sampler.mag, part));
        }
        if level.high > 0.0 {
            let part = within(level.low.max(0.0), level.high);
            parts.push(self.part(self.sampler.min, part));
        }
        if level.nominal > 0.0 {
            parts.reverse();
        }
        either(&parts)
    }

    /// The sample with one filter.
    fn part(&self, filter: Filter, level: Span) -> [Value; 4] {
        let linear = filter == Filter::Linear;
        let last = last(self.texture);
        // A level that is 0 to the last.
        let number = |level: f64| level.clamp(0.0, last) as u32;
        match self.sampler.mip {
            None => self.one(0, linear),
            Some(Filter::Point) => {
                // The nearest level; of two as near, either.
                let (first, nominal, end) = (
                    number((level.low + 0.5).ceil() - 1.0),
                    number((level.nominal + 0.5).ceil() - 1.0),
                    number((level.high + 0.5).floor()),
                );
                let mut parts = vec![self.one(nominal, linear)];
                parts.extend(
                    (first..=end)
                        .filter(|number| *number != nominal)
                        .map(|number| self.one(number, linear)),
                );
                either(&parts)
            }
            Some(Filter::Linear) => {
                let level = level.map(|level| level.clamp(0.0, last));
                let mut parts = Vec::new();
                for first in number(level.low)..=number(level.high) {
                    let weight = |level: f64| (level - f64::from(first)).clamp(0.0, 1.0);
                    let weights = level.map(weight);
                    let part = match weights.high > 0.0 {
                        // Only this level.
                        false => self.one(first, linear),
                        true => sample::between(
                            &self.one(first, linear),
                            &self.one(first + 1, linear),
                            weights,
                            self.precision,
                        ),
                    };
                    if number(level.nominal) == first {
                        parts.insert(0, part);
                    } else {
                        parts.push(part);
                    }
                }
                either(&parts)
            }
        }
    }

    fn one(&self, number: u32, linear: bool) -> [Value; 4] {
        let level = Level {
            texture: self.texture,
            number,
            sampler: self.sampler,
            comparison: self.comparison,
            normalized: self.fetch.normalized,
        };
        sample::at(&level, self.position, linear, self.precision)
    }
}

/// What any of several samples can be.
fn either(parts: &[[Value; 4]]) -> [Value; 4] {
    match parts {
        [part] => part.clone(),
        _ => [0, 1, 2, 3].map(|component: usize| {
            let values: Vec<Value> = parts.iter().map(|part| part[component].clone()).collect();
            Value::either(&values, Reason::Filtering)
        }),
    }
}
