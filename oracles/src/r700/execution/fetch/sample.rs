//! A sample of one level, and of two.

use super::coordinate::Position;
use super::level::Level;
use super::reading::Span;
use super::{Precision, Reason, Value};
use crate::r700::execution::value::Outcomes;

/// The most texels that a doubtful point sample can mean; and the most grid lines of one axis that a doubtful linear one
/// may cross.
const MOST_TEXELS: usize = 64;
const MOST_LINES: usize = 4;

/// The texel, or the mean of texels, at a position.
pub(super) fn at(
    level: &Level<'_>,
    position: &Position,
    linear: bool,
    precision: &Precision,
) -> [Value; 4] {
    let sampled = if linear && !level.texture.integer {
        filtered(level, position, precision)
    } else {
        nearest(level, position, precision)
    };
    sampled.unwrap_or_else(|reason| [0; 4].map(|word| Value::unknown(word, reason)))
}

/// The position along each axis in texels of the level; axes that the texture lacks are at zero.
fn spans(
    level: &Level<'_>,
    position: &Position,
    precision: &Precision,
) -> Result<[Span; 3], Reason> {
    let size = level.texture.level_size(level.number);
    let base = level.texture.level_size(0);
    let mut spans = [Span::exact(0.0); 3];
    for (axis, coordinate) in position.along.iter().enumerate() {
        let span = coordinate.texels(size[axis], base[axis], precision)?;
        // Beyond, neighbouring texels have no numbers of their own.
        if span.low < -1e9 || span.high > 1e9 {
            return Err(Reason::UnstatedFetch);
        }
        spans[axis] = span;
    }
    Ok(spans)
}

/// Whole numbers from one to another, both rounded down; the nominal one first.
fn whole(span: Span) -> Result<Vec<i64>, Reason> {
    let (nominal, first, last) = (
        span.nominal.floor() as i64,
        span.low.floor() as i64,
        span.high.floor() as i64,
    );
    if last - first >= MOST_TEXELS as i64 {
        return Err(Reason::TexelEdge);
    }
    let mut numbers = vec![nominal];
    numbers.extend((first..=last).filter(|number| *number != nominal));
    Ok(numbers)
}

fn nearest(
    level: &Level<'_>,
    position: &Position,
    precision: &Precision,
) -> Result<[Value; 4], Reason> {
    let spans = spans(level, position, precision)?;
    let axes = position.along.len();
    let mut numbers = [vec![0], vec![0], vec![0]];
    for (numbers, span) in numbers.iter_mut().zip(&spans[..axes]) {
        *numbers = whole(*span)?;
    }
    let places: usize = numbers.iter().map(Vec::len).product();
    if places * position.layers.len() > MOST_TEXELS {
        return Err(Reason::TexelEdge);
    }
    let mut found = [(); 4].map(|()| Outcomes::new(!level.texture.integer));
    let mut nominal = true;
    for &layer in &position.layers {
        for &x in &numbers[0] {
            for &y in &numbers[1] {
                for &z in &numbers[2] {
                    let texels = level.texels([x, y, z], layer)?;
                    for (number, texel) in texels.into_iter().enumerate() {
                        // Of one place there are several where a comparison is open.
                        let reason = match number > 0 && level.comparison.is_some() {
                            true => Reason::Comparison,
                            false => Reason::TexelEdge,
                        };
                        for (outcomes, word) in found.iter_mut().zip(texel) {
                            // The first one is not in doubt because of itself.
                            if nominal {
                                outcomes.word(word);
                            } else {
                                outcomes.also(word, reason);
                            }
                        }
                        nominal = false;
                    }
                }
            }
        }
    }
    Ok(found.map(|outcomes| outcomes.finish()))
}

/// What a component of one or more texels can be.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    nominal: f64,
    low: f64,
    high: f64,
}

impl Bounds {
    fn times(self, weight: f64) -> Self {
        Self {
            nominal: self.nominal * weight,
            low: self.low * weight,
            high: self.high * weight,
        }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            nominal: self.nominal + other.nominal,
            low: self.low + other.low,
            high: self.high + other.high,
        }
    }
}

/// The filter is linear in each coordinate between centres of texels, so that over a box of coordinates it is greatest
/// and least at corners: of the box, and of the cells that the grid of centres cuts it into.
fn filtered(
    level: &Level<'_>,
    position: &Position,
    precision: &Precision,
) -> Result<[Value; 4], Reason> {
    let axes = position.along.len();
    // From here on centres are whole numbers.
    let spans = spans(level, position, precision)?.map(|span| span.map(|number| number - 0.5));
    let mut lines = [vec![0.0], vec![0.0], vec![0.0]];
    for (lines, span) in lines.iter_mut().zip(&spans[..axes]) {
        *lines = corners(*span)?;
    }
    let mut sum = Sum::default();
    for &layer in &position.layers {
        let nominal = spans.map(|span| span.nominal);
        sum.point(level, nominal, axes, layer)?;
        for &x in &lines[0] {
            for &y in &lines[1] {
                for &z in &lines[2] {
                    sum.point(level, [x, y, z], axes, layer)?;
                }
            }
        }
    }
    // Of the policy's bound, what the coordinates have not cost already.
    let beyond = (precision.filter - axes as f64 * precision.texel).max(0.0);
    Ok([0, 1, 2, 3].map(|component| {
        let room = sum.span(component) * beyond + sum.scale[component] * precision.blend;
        sum.value(component, level.comparison.is_some(), room)
    }))
}

/// The ends of an interval and the whole numbers in it.
fn corners(span: Span) -> Result<Vec<f64>, Reason> {
    let mut corners = vec![span.low, span.high];
    let first = span.low.ceil();
    if span.high - first >= MOST_LINES as f64 {
        return Err(Reason::Filtering);
    }
    corners.extend(
        (0..MOST_LINES)
            .map(|step| first + step as f64)
            .take_while(|line| *line < span.high),
    );
    Ok(corners)
}

/// The results at several points.
#[derive(Debug, Default)]
struct Sum {
    found: [Option<Bounds>; 4],
    /// The magnitude of the largest texel.
    scale: [f64; 4],
    /// The least and the greatest texel.
    texels: [Option<(f64, f64)>; 4],
    /// A texel that is no finite number went in.
    wild: [bool; 4],
}

impl Sum {
    /// Adds the result at a point, where `place` is in texels from the centre of the first.
    fn point(
        &mut self,
        level: &Level<'_>,
        place: [f64; 3],
        axes: usize,
        layer: u32,
    ) -> Result<(), Reason> {
        let mut here: [Option<Bounds>; 4] = [None; 4];
        for corner in 0..1_usize << axes {
            let mut weight = 1.0;
            let mut index = [0; 3];
            for axis in 0..axes {
                let base = place[axis].floor();
                let upper = corner >> axis & 1 == 1;
                let fraction = place[axis] - base;
                weight *= if upper { fraction } else { 1.0 - fraction };
                index[axis] = base as i64 + i64::from(upper);
            }
            if weight == 0.0 {
                continue;
            }
            let texels = level.texels(index, layer)?;
            for component in 0..4 {
                let bounds = self.bounds(
                    &texels
                        .iter()
                        .map(|texel| texel[component])
                        .collect::<Vec<_>>(),
                    component,
                );
                let weighted = bounds.times(weight);
                here[component] = Some(match here[component] {
                    None => weighted,
                    Some(others) => others.plus(weighted),
                });
            }
        }
        for (found, here) in self.found.iter_mut().zip(here) {
            let Some(here) = here else { continue };
            *found = Some(match *found {
                None => here,
                Some(before) => Bounds {
                    nominal: before.nominal,
                    low: before.low.min(here.low),
                    high: before.high.max(here.high),
                },
            });
        }
        Ok(())
    }

    fn bounds(&mut self, words: &[u32], component: usize) -> Bounds {
        let mut bounds = Bounds {
            nominal: 0.0,
            low: f64::INFINITY,
            high: f64::NEG_INFINITY,
        };
        for (place, word) in words.iter().enumerate() {
            let number = f64::from(f32::from_bits(*word));
            if !number.is_finite() {
                self.wild[component] = true;
            }
            if place == 0 {
                bounds.nominal = number;
            }
            bounds.low = bounds.low.min(number);
            bounds.high = bounds.high.max(number);
            self.scale[component] = self.scale[component].max(number.abs());
        }
        let (least, greatest) = self.texels[component].unwrap_or((bounds.low, bounds.high));
        self.texels[component] = Some((least.min(bounds.low), greatest.max(bounds.high)));
        bounds
    }

    /// How far apart the texels are.
    fn span(&self, component: usize) -> f64 {
        self.texels[component].map_or(0.0, |(least, greatest)| greatest - least)
    }

    fn value(&self, component: usize, comparison: bool, room: f64) -> Value {
        let Some(bounds) = self.found[component] else {
            return Value::unknown(0, Reason::Filtering);
        };
        if self.wild[component] {
            return Value::unknown((bounds.nominal as f32).to_bits(), Reason::Filtering);
        }
        let span = Span {
            nominal: bounds.nominal,
            low: bounds.low,
            high: bounds.high,
        };
        let value = rounded(span, room);
        if comparison {
            // A mean of ones and zeros.
            let Ok(Span { nominal, low, high }) = Span::of(&value) else {
                return value;
            };
            let (low, high) = (low.max(0.0) as f32, high.min(1.0) as f32);
            return Value::within(nominal as f32, low, high, false, Reason::Filtering);
        }
        value
    }
}

/// An interval as a value, with room on both sides. A bound that is a denormal lets zero in.
fn rounded(span: Span, room: f64) -> Value {
    let smallest = f64::from(f32::MIN_POSITIVE);
    let room = if room > 0.0 { room + smallest } else { 0.0 };
    let low = (span.low - room) as f32;
    let high = (span.high + room) as f32;
    let low = if f64::from(low) > span.low - room {
        low.next_down()
    } else {
        low
    };
    let high = if f64::from(high) < span.high + room {
        high.next_up()
    } else {
        high
    };
    Value::within(span.nominal as f32, low, high, false, Reason::Filtering)
}

/// The mean of two levels, of which the second has a weight that is only known to lie between two: the ends of a
/// straight line are its extremes.
pub(super) fn between(
    first: &[Value; 4],
    second: &[Value; 4],
    weights: Span,
    precision: &Precision,
) -> [Value; 4] {
    [0, 1, 2, 3].map(|component: usize| {
        let (first, second) = (&first[component], &second[component]);
        let (one, two) = match (Span::of(first), Span::of(second)) {
            (Ok(one), Ok(two)) if one.is_finite() && two.is_finite() => (one, two),
            (Err(reason), _) | (_, Err(reason)) => return Value::unknown(first.bits(), reason),
            _ => return Value::unknown(first.bits(), Reason::Filtering),
        };
        let mix = |one: f64, two: f64, weight: f64| one * (1.0 - weight) + two * weight;
        let mut span = Span {
            nominal: mix(one.nominal, two.nominal, weights.nominal),
            low: f64::INFINITY,
            high: f64::NEG_INFINITY,
        };
        for weight in [weights.low, weights.high] {
            span.low = span.low.min(mix(one.low, two.low, weight));
            span.high = span.high.max(mix(one.high, two.high, weight));
        }
        let scale = [one.low, one.high, two.low, two.high]
            .into_iter()
            .fold(0.0_f64, |most, number| most.max(number.abs()));
        rounded(span, scale * precision.blend)
    })
}
