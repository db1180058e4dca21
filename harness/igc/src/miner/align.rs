//! Which words belong to which call.

use std::collections::BTreeMap;

use super::assembly::Emitted;
use super::source::Call;
use super::{Warning, What};

/// The words of a call; none where one is not known.
pub(super) struct Sample {
    /// Which call it is.
    pub(super) call: usize,
    pub(super) words: Vec<Option<u32>>,
}

pub(super) struct Aligned {
    /// In the order of the calls.
    pub(super) samples: Vec<Sample>,
    pub(super) warnings: Vec<Warning>,
}

/// What belongs to a C line.
#[derive(Default)]
struct Line {
    calls: Vec<usize>,
    words: Vec<Option<u32>>,
}

pub(super) fn align(calls: &[Call<'_>], emitted: Vec<Emitted>) -> Aligned {
    let mut warnings = Vec::new();
    let mut places = BTreeMap::new();
    for word in emitted {
        if places.insert((word.function, word.place), word).is_some() {
            warnings.push(Warning {
                line: word.line,
                what: What::PlaceWrittenTwice,
            });
        }
    }
    let mut lines: BTreeMap<u32, Line> = BTreeMap::new();
    for (n, call) in calls.iter().enumerate() {
        lines.entry(call.line).or_default().calls.push(n);
    }
    for word in places.values() {
        lines.entry(word.line).or_default().words.push(word.word);
    }
    let mut samples = Vec::new();
    for (number, line) in lines {
        match share(calls, &line) {
            Ok(each) => {
                let words = line.words.chunks(each);
                samples.extend(line.calls.iter().zip(words).map(|(call, words)| Sample {
                    call: *call,
                    words: words.to_vec(),
                }));
            }
            Err(what) => warnings.push(Warning { line: number, what }),
        }
    }
    warnings.sort();
    Aligned { samples, warnings }
}

/// How many words each call of a line has.
fn share(calls: &[Call<'_>], line: &Line) -> Result<usize, What> {
    let Some((first, others)) = line.calls.split_first() else {
        return Err(What::WordsWithoutCall);
    };
    if line.words.is_empty() {
        return Err(What::CallWithoutWords);
    }
    let one_name = others
        .iter()
        .all(|call| calls[*call].name == calls[*first].name);
    if one_name && line.words.len().is_multiple_of(line.calls.len()) {
        Ok(line.words.len() / line.calls.len())
    } else {
        Err(What::WordsNotDivisible)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: &str, line: u32) -> Call<'_> {
        Call {
            name,
            line,
            arguments: Vec::new(),
        }
    }

    fn word(place: i64, line: u32, word: u32) -> Emitted {
        Emitted {
            function: 1,
            place,
            line,
            word: Some(word),
        }
    }

    #[test]
    fn words_are_ordered_by_place_and_shared_out() {
        let calls = [call("A", 1), call("B", 2), call("B", 2)];
        let emitted = vec![
            word(4, 1, 11),
            word(0, 1, 10),
            word(8, 2, 20),
            word(12, 2, 21),
        ];
        let aligned = align(&calls, emitted);
        let samples: Vec<_> = aligned
            .samples
            .iter()
            .map(|s| (s.call, s.words.clone()))
            .collect();
        assert_eq!(
            samples,
            [
                (0, vec![Some(10), Some(11)]),
                (1, vec![Some(20)]),
                (2, vec![Some(21)])
            ]
        );
        assert_eq!(aligned.warnings, []);
    }

    #[test]
    fn what_does_not_fit_is_a_warning() {
        let calls = [
            call("A", 1),
            call("A", 2),
            call("B", 2),
            call("A", 3),
            call("A", 3),
            call("A", 6),
        ];
        let emitted = vec![
            word(0, 2, 1),
            word(4, 2, 2),
            word(8, 3, 3),
            word(12, 5, 4),
            word(16, 6, 5),
            word(16, 6, 6),
        ];
        let aligned = align(&calls, emitted);
        let warnings: Vec<_> = aligned
            .warnings
            .iter()
            .map(|w| (w.line, w.what.name()))
            .collect();
        assert_eq!(
            warnings,
            [
                (1, "call without words"),
                (2, "words not divisible"),
                (3, "words not divisible"),
                (5, "words without call"),
                (6, "place written twice"),
            ]
        );
        assert_eq!(aligned.samples.len(), 1);
        assert_eq!(aligned.samples[0].words, [Some(6)]);
    }
}
