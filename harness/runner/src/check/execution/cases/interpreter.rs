//! What a case states, held against what the interpreter says: as much as that, and no more.

use corpora::execution::cases::{LaneExpected, Word};
use oracles::r700::execution::LaneOutcome;
use oracles::r700::execution::value::{Doubt, Truth, Value};

use super::super::{answer, difference};
use super::component;
use crate::execution::compare::describe;
use crate::report::model::Difference;

/// How far the interpreter is from a stated result. What the case leaves open the interpreter must not claim to know.
pub(super) fn interpreter(
    lane: usize,
    expected: &LaneExpected,
    found: &LaneOutcome,
    nominal: bool,
) -> Vec<Difference> {
    let who = "interpreter";
    let path = |what: &str| format!("lane {lane}: {what}");
    let said = |killed: bool| if killed { "killed" } else { "not killed" };
    let killed = if nominal {
        Truth::Settled(found.killed.nominal())
    } else {
        found.killed
    };
    if killed != Truth::Settled(expected.killed) {
        let found = match found.killed {
            Truth::Settled(killed) => said(killed).to_owned(),
            Truth::Unsettled { reason, .. } => format!("either ({reason})"),
        };
        return vec![difference(
            path("killed"),
            vec![
                answer("expected", said(expected.killed)),
                answer(who, found),
            ],
        )];
    }
    if expected.killed {
        return Vec::new();
    }
    let mut differences = Vec::new();
    for (name, words) in &expected.exports {
        let sent = found
            .exports
            .iter()
            .find(|(target, _)| target.to_string() == *name);
        for (channel, word) in words.iter().enumerate() {
            let value = sent.and_then(|(_, values)| values[channel].as_ref());
            let met = match (word, value) {
                (Word::Any, _) => true,
                (_, None) => false,
                (word, Some(value)) if nominal => word.accepts(value.bits()),
                (word, Some(value)) => says(word, value),
            };
            if !met {
                let found = value.map_or_else(|| "not exported".to_owned(), describe);
                let path = path(&component(name, channel));
                differences.push(difference(
                    path,
                    vec![answer("expected", word.to_string()), answer(who, found)],
                ));
            }
        }
    }
    differences
}

/// Whether a value says what a case states: neither less, nor more than the sources settle.
fn says(word: &Word, value: &Value) -> bool {
    let float = |word: u32| f32::from_bits(word);
    match (word, value.doubt()) {
        (Word::Any, _) => true,
        (Word::Is(word), Doubt::Settled) => value.bits() == *word,
        // Readings of a source that come to the same word.
        (Word::OneOf(words), Doubt::Settled) => words.iter().all(|word| value.bits() == *word),
        (Word::OneOf(words), Doubt::OneOf(known)) => {
            let stated = |word: &u32| words.contains(word);
            known.iter().all(stated) && words.iter().all(|word| known.contains(word))
        }
        // More words than are told apart, of which the case names the ends and some between.
        (Word::OneOf(words), Doubt::Within { low, high, nan }) => {
            let known = |word: f32| (*low..=*high).contains(&word) || *nan && word.is_nan();
            let mut ends = [*low, *high].into_iter();
            let has_nan = words.iter().any(|word| float(*word).is_nan());
            words.iter().all(|word| known(float(*word)))
                && ends.all(|end| words.iter().any(|word| float(*word) == end))
                && *nan == has_nan
        }
        (Word::Nan, Doubt::AnyNan) | (Word::Unsettled, Doubt::Unknown) => true,
        // The bounds are a policy's, and the case says how far they may reach.
        (
            Word::Within(least, greatest),
            Doubt::Within {
                low,
                high,
                nan: false,
            },
        ) => float(*least) <= *low && *high <= float(*greatest),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use oracles::r700::execution::value::Reason;

    use super::*;

    const WHY: Reason = Reason::Approximation;

    fn between(low: f32, high: f32, nan: bool) -> Value {
        Value::within(low, low, high, nan, WHY)
    }

    #[test]
    fn an_exact_word_is_said_by_the_same_settled_word_alone() {
        let one = Word::Is(1.0_f32.to_bits());
        assert!(says(&one, &Value::float(1.0)));
        for other in [
            Value::float(1.5),
            Value::one_of(1.0_f32.to_bits(), &[0], WHY),
            between(1.0, 1.5, false),
            Value::unknown(1.0_f32.to_bits(), WHY),
        ] {
            assert!(!says(&one, &other), "{other:?}");
        }
    }

    #[test]
    fn one_of_some_words_is_said_by_all_of_them() {
        let stated = Word::OneOf(vec![2, 3]);
        assert!(says(&stated, &Value::one_of(3, &[2], WHY)));
        for other in [
            Value::settled(2),
            Value::one_of(2, &[3, 4], WHY),
            Value::one_of(2, &[4], WHY),
            Value::unknown(2, WHY),
        ] {
            assert!(!says(&stated, &other), "{other:?}");
        }
        let same = Word::OneOf(vec![2, 2]);
        assert!(says(&same, &Value::settled(2)) && !says(&same, &Value::settled(3)));
        assert!(!says(
            &Word::OneOf(vec![2, 3, 4]),
            &Value::one_of(2, &[3], WHY)
        ));
    }

    #[test]
    fn what_lies_between_may_not_reach_further_nor_be_settled() {
        let stated = Word::Within(0.5_f32.to_bits(), 1.5_f32.to_bits());
        assert!(says(&stated, &between(0.5, 1.5, false)));
        assert!(says(&stated, &between(0.75, 1.0, false)));
        for other in [
            between(0.25, 1.0, false),
            between(1.0, 1.75, false),
            between(0.5, 1.5, true),
            Value::float(1.0),
            Value::unknown(1.0_f32.to_bits(), WHY),
        ] {
            assert!(!says(&stated, &other), "{other:?}");
        }
    }

    #[test]
    fn any_nan_and_nothing_at_all_are_said_as_such() {
        let nan = f32::NAN.to_bits();
        assert!(says(&Word::Nan, &Value::any_nan(nan, WHY)));
        assert!(!says(&Word::Nan, &Value::settled(nan)));
        assert!(says(&Word::Unsettled, &Value::unknown(0, WHY)));
        assert!(!says(&Word::Unsettled, &Value::one_of(0, &[1], WHY)));
        assert!(!says(&Word::Unsettled, &Value::settled(0)));
        assert!(says(&Word::Any, &Value::settled(0)));
    }
}
