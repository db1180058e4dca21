//! Templates from samples: constant bits, fields, floats.

use std::collections::HashMap;

use super::align::Sample;
use super::source::{Argument, Call};
use super::{Contradiction, Field, Kind, Mined, Template, WordTemplate};

/// Widths that are tried, in this order.
const WIDTHS: [u32; 3] = [8, 7, 5];

/// Samples from which on one may be left out.
const ENOUGH: usize = 4;

pub(super) fn templates(calls: &[Call<'_>], samples: &[Sample]) -> Mined {
    // By name, in the order of the calls.
    let mut names: HashMap<&str, Vec<&Sample>> = HashMap::new();
    for sample in samples {
        names
            .entry(calls[sample.call].name)
            .or_default()
            .push(sample);
    }
    let mut mined = Mined::default();
    for call in calls {
        // Once for each name: it is taken out.
        if let Some(samples) = names.remove(call.name) {
            template(calls, call.name, samples, &mut mined);
        }
    }
    mined
}

fn template(calls: &[Call<'_>], name: &str, mut samples: Vec<&Sample>, mined: &mut Mined) {
    let words = samples[0].words.len();
    let line = |sample: &Sample| calls[sample.call].line;
    if let Some(other) = samples.iter().find(|sample| sample.words.len() != words) {
        mined.contradictions.push(Contradiction {
            name: name.to_owned(),
            kind: Kind::WordCount,
            word: 0,
            bit: None,
            lines: vec![line(samples[0]), line(other)],
        });
        samples.retain(|sample| sample.words.len() == words);
    }
    let mut word = Vec::with_capacity(words);
    for n in 0..words {
        let known = samples.iter().filter_map(|sample| {
            Some(Known {
                line: line(sample),
                arguments: &calls[sample.call].arguments,
                word: sample.words[n]?,
            })
        });
        let found = Word::of(known.collect());
        let contradictions = found.contradictions.into_iter();
        mined
            .contradictions
            .extend(contradictions.map(|(kind, bit, lines)| Contradiction {
                name: name.to_owned(),
                kind,
                word: n,
                bit,
                lines,
            }));
        word.push(found.template);
    }
    mined.templates.push(Template {
        name: name.to_owned(),
        words,
        samples: samples.len(),
        word,
    });
}

/// A word that is known, with the arguments that made it.
#[derive(Clone, Copy)]
struct Known<'a> {
    line: u32,
    arguments: &'a [Argument],
    word: u32,
}

#[derive(Default)]
struct Word {
    template: WordTemplate,
    contradictions: Vec<(Kind, Option<u32>, Vec<u32>)>,
}

impl Word {
    fn of(mut samples: Vec<Known<'_>>) -> Self {
        let mut found = Self::default();
        let template = &mut found.template;
        let Some(&first) = samples.first() else {
            return found;
        };
        if samples.len() == 1 {
            template.value = first.word;
            return found;
        }
        let arguments = samples.iter().map(|sample| sample.arguments.len()).max();
        let arguments = 0..arguments.unwrap_or(0);
        if samples.iter().all(|sample| sample.word == first.word) {
            template.mask = u32::MAX;
            template.value = first.word;
            template.without_effect = arguments.filter(|arg| varies(&samples, *arg)).collect();
            return found;
        }
        template.float = arguments.clone().find(|arg| is_float(&samples, *arg));
        if template.float.is_some() {
            return found;
        }
        let mut taken = 0;
        for arg in arguments {
            let Some((field, left_out)) = field(&samples, arg, taken) else {
                continue;
            };
            taken |= ((1 << field.width) - 1) << field.shift;
            template.fields.push(field);
            if let Some(index) = left_out {
                let sample = samples.remove(index);
                found
                    .contradictions
                    .push((Kind::Sample, None, vec![sample.line]));
            }
        }
        let first = samples[0];
        let differing = samples
            .iter()
            .fold(0, |all, sample| all | (sample.word ^ first.word));
        template.mask = !taken & !differing;
        template.value = first.word & template.mask;
        for bit in (0..32).filter(|bit| (differing & !taken) >> bit & 1 == 1) {
            let other = samples
                .iter()
                .find(|other| (other.word ^ first.word) >> bit & 1 == 1);
            let lines = std::iter::once(first.line).chain(other.map(|other| other.line));
            found
                .contradictions
                .push((Kind::VaryingBit, Some(bit), lines.collect()));
        }
        found
    }
}

/// An argument has two values that are known.
fn varies(samples: &[Known<'_>], arg: usize) -> bool {
    let mut values = samples
        .iter()
        .filter_map(|sample| match sample.arguments.get(arg) {
            None | Some(Argument::Symbolic) => None,
            value => value,
        });
    values
        .next()
        .is_some_and(|first| values.any(|value| value != first))
}

fn is_float(samples: &[Known<'_>], arg: usize) -> bool {
    samples
        .iter()
        .all(|sample| sample.arguments.get(arg) == Some(&Argument::Float(sample.word)))
}

/// A sample in which the argument is an integer.
#[derive(Clone, Copy)]
struct Point {
    /// Its place among the samples.
    index: usize,
    line: u32,
    word: u32,
    /// The argument modulo 2^32: no field is wider.
    value: u32,
}

/// The first place where an argument shows, and the sample that had to be left out for it.
fn field(samples: &[Known<'_>], arg: usize, taken: u32) -> Option<(Field, Option<usize>)> {
    if !integers_vary(samples, arg) {
        return None;
    }
    let points = samples.iter().enumerate().filter_map(|(index, sample)| {
        let Some(Argument::Integer(value)) = sample.arguments.get(arg) else {
            return None;
        };
        Some(Point {
            index,
            line: sample.line,
            word: sample.word,
            value: *value as u32,
        })
    });
    let points: Vec<_> = points.collect();
    let places = || {
        let places = WIDTHS
            .into_iter()
            .flat_map(|width| (0..=32 - width).map(move |shift| (width, shift)));
        places.filter(|(width, shift)| ((1u32 << width) - 1) << shift & taken == 0)
    };
    let whole = places().find(|(width, shift)| holds(&points, *width, *shift, None));
    let (width, shift, left_out) = match whole {
        Some((width, shift)) => (width, shift, None),
        None if points.len() >= ENOUGH => places().find_map(|(width, shift)| {
            let omitted = omission(&points, width, shift)?;
            Some((width, shift, Some(omitted)))
        })?,
        None => return None,
    };
    let held = || {
        points
            .iter()
            .enumerate()
            .filter(|(n, _)| Some(*n) != left_out)
    };
    let (_, first) = held().next()?;
    let field = Field {
        arg,
        shift,
        width,
        offset: first.offset(width, shift),
        samples: held().map(|(_, point)| point.line).collect(),
    };
    Some((field, left_out.map(|n| points[n].index)))
}

fn integers_vary(samples: &[Known<'_>], arg: usize) -> bool {
    let mut values = samples
        .iter()
        .filter_map(|sample| match sample.arguments.get(arg) {
            Some(Argument::Integer(value)) => Some(value),
            _ => None,
        });
    values
        .next()
        .is_some_and(|first| values.any(|value| value != first))
}

impl Point {
    fn offset(&self, width: u32, shift: u32) -> u32 {
        (self.word >> shift).wrapping_sub(self.value) & ((1 << width) - 1)
    }
}

/// The offset is one number, for at least two values of the argument; one sample may be left out.
fn holds(points: &[Point], width: u32, shift: u32, left_out: Option<usize>) -> bool {
    let mut held = points
        .iter()
        .enumerate()
        .filter(|(n, _)| Some(*n) != left_out);
    let Some((_, first)) = held.next() else {
        return false;
    };
    let offset = first.offset(width, shift);
    let value_mask = (1 << width) - 1;
    let mut two_values = false;
    for (_, point) in held {
        if point.offset(width, shift) != offset {
            return false;
        }
        two_values |= (point.value ^ first.value) & value_mask != 0;
    }
    two_values
}

/// The first sample without which a place holds.
fn omission(points: &[Point], width: u32, shift: u32) -> Option<usize> {
    if holds(points, width, shift, Some(0)) {
        return Some(0);
    }
    // With the first kept, all that differ from it have to go: that is one.
    let offset = points.first()?.offset(width, shift);
    let differs = |point: &Point| point.offset(width, shift) != offset;
    let other = points.iter().position(differs)?;
    holds(points, width, shift, Some(other)).then_some(other)
}
