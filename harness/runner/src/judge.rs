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
        return format!(
            "status: {} against {}",
            status_word(&answer.status),
            status_word(&truth.status)
        );
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
