//! Holds two outcomes against each other.

use corpora::{Entry, Implementation, OptionError, Options, Outcome, Status, Vocabulary};

use crate::report::model::{Answer, Difference};

/// How a case went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// All parties say the same.
    Agree,
    /// They differ only where the specification leaves the value open.
    Poisoned,
    /// They differ.
    Disagree,
}

/// A decoder under test, an oracle, and the buffers for their answers.
pub struct Pair {
    /// The decoder under test.
    pub subject: Box<dyn Implementation>,
    /// The oracle.
    pub oracle: Box<dyn Implementation>,
    /// The decoder's last answer.
    pub answer: Outcome,
    /// The oracle's last answer.
    pub truth: Outcome,
}

impl Pair {
    /// A pair with empty buffers.
    pub fn new(subject: Box<dyn Implementation>, oracle: Box<dyn Implementation>) -> Self {
        Self {
            subject,
            oracle,
            answer: Outcome::default(),
            truth: Outcome::default(),
        }
    }

    /// Selects options for both.
    pub fn select(&mut self, options: &Options) -> Result<(), OptionError> {
        self.subject.select(options)?;
        self.oracle.select(options)
    }

    /// Asks both, and compares. Allocates nothing once the buffers have grown, unless a status says unsupported.
    #[inline]
    pub fn judge(&mut self, input: &[u8]) -> Verdict {
        self.answer.clear();
        self.truth.clear();
        self.subject.answer(input, &mut self.answer);
        self.oracle.answer(input, &mut self.truth);
        compare(&self.answer, &self.truth)
    }

    /// The differences between the last two answers, rendered.
    pub fn differences(&self, vocabulary: &Vocabulary) -> Vec<Difference> {
        let (subject, oracle) = (self.subject.name(), self.oracle.name());
        differences(&self.answer, &self.truth, vocabulary)
            .into_iter()
            .map(|(path, ours, theirs)| Difference {
                path,
                answers: vec![
                    Answer {
                        who: subject.to_owned(),
                        value: ours,
                    },
                    Answer {
                        who: oracle.to_owned(),
                        value: theirs,
                    },
                ],
            })
            .collect()
    }

    /// What the last two answers differ in, without indices and values: the cause by which findings are put together.
    pub fn cause(&self, vocabulary: &Vocabulary) -> String {
        cause(&self.answer, &self.truth, vocabulary)
    }
}

fn same_status(a: &Status, b: &Status) -> bool {
    match (a, b) {
        // Each side words what it does not do in its own way.
        (Status::Unsupported { .. }, Status::Unsupported { .. }) => true,
        // Two that say nothing agree on nothing.
        (Status::Unanswered, _) | (_, Status::Unanswered) => false,
        _ => a == b,
    }
}

/// Compares two sealed outcomes.
///
/// Equal entries and equal stores agree; anything else is looked at field by field.
#[inline]
pub fn compare(answer: &Outcome, truth: &Outcome) -> Verdict {
    if !same_status(&answer.status, &truth.status) {
        return Verdict::Disagree;
    }
    let (ours, theirs) = (&answer.record, &truth.record);
    if ours.entries() == theirs.entries() && ours.store() == theirs.store() {
        return Verdict::Agree;
    }
    slow_compare(answer, truth)
}

fn slow_compare(answer: &Outcome, truth: &Outcome) -> Verdict {
    let mut verdict = Verdict::Agree;
    walk(answer, truth, |pair| {
        let poisoned = pair.theirs.is_some_and(|entry| entry.poisoned);
        verdict = verdict.max(if poisoned {
            Verdict::Poisoned
        } else {
            Verdict::Disagree
        });
    });
    verdict
}

/// One place where two records differ.
struct Place<'a> {
    ours: Option<&'a Entry>,
    theirs: Option<&'a Entry>,
}

/// Calls `differs` for each place where the records differ, in order.
fn walk(answer: &Outcome, truth: &Outcome, mut differs: impl FnMut(Place<'_>)) {
    let (mut ours, mut theirs) = (
        answer.record.entries().iter().peekable(),
        truth.record.entries().iter().peekable(),
    );
    loop {
        let (a, b) = match (ours.peek(), theirs.peek()) {
            (None, None) => return,
            (Some(a), Some(b)) if a.key() == b.key() => (ours.next(), theirs.next()),
            (Some(a), Some(b)) if a.key() > b.key() => (None, theirs.next()),
            (None, Some(_)) => (None, theirs.next()),
            (Some(_), _) => (ours.next(), None),
        };
        let same = match (a, b) {
            (Some(a), Some(b)) => {
                // The place of stored bytes is no part of the value; their content is.
                match (a.stored, b.stored) {
                    (true, true) => answer.record.stored(a) == truth.record.stored(b),
                    (false, false) => a.raw == b.raw,
                    _ => false,
                }
            }
            _ => false,
        };
        if !same {
            differs(Place { ours: a, theirs: b });
        }
    }
}

/// Each difference as a path and what the two say.
fn differences(
    answer: &Outcome,
    truth: &Outcome,
    vocabulary: &Vocabulary,
) -> Vec<(String, String, String)> {
    if !same_status(&answer.status, &truth.status) {
        return vec![(
            "status".to_owned(),
            answer.status.to_string(),
            truth.status.to_string(),
        )];
    }
    let mut found = Vec::new();
    walk(answer, truth, |place| {
        let Some(entry) = place.ours.or(place.theirs) else {
            return;
        };
        let path = vocabulary.render(entry.section, entry.field, entry.item);
        let text = |entry: Option<&Entry>, outcome: &Outcome| {
            entry.map_or_else(
                || "not answered".to_owned(),
                |entry| outcome.record.value(entry, vocabulary).to_string(),
            )
        };
        let open = if place.theirs.is_some_and(|entry| entry.poisoned) {
            " (open)"
        } else {
            ""
        };
        found.push((
            path,
            text(place.ours, answer),
            format!("{}{open}", text(place.theirs, truth)),
        ));
    });
    found
}

fn status_word(status: &Status) -> String {
    match status {
        Status::Accepted { .. } => "accepted".to_owned(),
        Status::Rejected { class, .. } => format!("rejected {class}"),
        Status::Unsupported { .. } => "unsupported".to_owned(),
        Status::Unanswered => "unanswered".to_owned(),
    }
}

/// Names of fields that differ, sorted, without place.
fn cause(answer: &Outcome, truth: &Outcome, vocabulary: &Vocabulary) -> String {
    if !same_status(&answer.status, &truth.status) {
        let (ours, theirs) = (status_word(&answer.status), status_word(&truth.status));
        return if ours == theirs {
            format!("status: both {ours}, not at the same place")
        } else {
            format!("status: {ours} against {theirs}")
        };
    }
    let mut paths = std::collections::BTreeSet::new();
    walk(answer, truth, |place| {
        if let Some(entry) = place.ours.or(place.theirs) {
            paths.insert(vocabulary.field(entry.field).path.as_str());
        }
    });
    let paths: Vec<_> = paths.into_iter().collect();
    match paths.as_slice() {
        // A misaligned slot makes everything behind it differ; the first few names tell causes apart well enough.
        [first, second, third, _, ..] => {
            format!("{first}, {second}, {third} and {} more", paths.len() - 3)
        }
        few => few.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use corpora::{Evidence, Field, FieldId, Kind};

    use super::*;

    fn vocabulary() -> (Vocabulary, [FieldId; 3]) {
        let mut vocabulary = Vocabulary::new("t", "part");
        let kinds = [
            ("a", Kind::Unsigned),
            ("b", Kind::Unsigned),
            ("c", Kind::Bytes),
        ];
        let ids = kinds.map(|(path, kind)| {
            let field = Field {
                path: path.to_owned(),
                kind,
                bits: None,
                source: String::new(),
                evidence: Evidence::Inferred,
                sources: 1,
            };
            vocabulary.add(field).unwrap()
        });
        (vocabulary, ids)
    }

    fn outcome(fill: impl FnOnce(&mut Outcome)) -> Outcome {
        let mut outcome = Outcome::default();
        fill(&mut outcome);
        outcome.accept(4);
        outcome
    }

    #[test]
    fn a_value_that_is_left_open_is_no_disagreement_and_no_agreement() {
        let (vocabulary, [a, b, _]) = vocabulary();
        let ours = outcome(|outcome| {
            outcome.record.unsigned(a, 1);
            outcome.record.unsigned(b, 2);
        });
        let open = |value| {
            outcome(|outcome| {
                outcome.record.unsigned(a, value);
                outcome.record.poison_last();
                outcome.record.unsigned(b, 2);
            })
        };
        assert_eq!(compare(&ours, &open(1)), Verdict::Agree);
        assert_eq!(compare(&ours, &open(9)), Verdict::Poisoned);
        let said = differences(&ours, &open(9), &vocabulary);
        assert_eq!(
            said,
            [("a".to_owned(), "1".to_owned(), "9 (open)".to_owned())]
        );
    }

    #[test]
    fn a_field_that_one_side_lacks_differs() {
        let (vocabulary, [a, b, _]) = vocabulary();
        let both = outcome(|outcome| {
            outcome.record.unsigned(a, 1);
            outcome.record.unsigned(b, 2);
        });
        let one = outcome(|outcome| outcome.record.unsigned(b, 2));
        assert_eq!(compare(&both, &one), Verdict::Disagree);
        assert_eq!(cause(&both, &one, &vocabulary), "a");
        assert_eq!(differences(&one, &both, &vocabulary)[0].1, "not answered");
    }

    #[test]
    fn bytes_are_compared_by_content_wherever_they_are_stored() {
        let (_, [.., c]) = vocabulary();
        let bytes = |first: &[u8], second: &[u8]| {
            outcome(|outcome| {
                outcome.record.bytes_item(c, 0, first);
                outcome.record.bytes_item(c, 1, second);
            })
        };
        assert_eq!(
            compare(&bytes(b"ab", b"c"), &bytes(b"ab", b"c")),
            Verdict::Agree
        );
        assert_eq!(
            compare(&bytes(b"ab", b"c"), &bytes(b"ab", b"d")),
            Verdict::Disagree
        );
        assert_eq!(
            compare(&bytes(b"ab", b"c"), &bytes(b"a", b"bc")),
            Verdict::Disagree
        );
    }

    #[test]
    fn nothing_said_is_not_agreed_on() {
        let silent = Outcome::default();
        assert_eq!(compare(&silent, &silent), Verdict::Disagree);
    }
}
