//! Golden cases: a stated expectation holds for the decoder and for the oracle.

use corpora::Outcome;

use super::Bench;
use crate::context::Golden;
use crate::finding::Proof;
use crate::guard;
use crate::judge::Pair;
use crate::report::model::{Answer, Difference};
use crate::target::Target;

/// Holds both sides against a case. Empty means that both meet it.
pub fn unmet(target: &dyn Target, golden: &Golden) -> Vec<Difference> {
    let mut differences: Vec<Difference> = Vec::new();
    for mut side in [target.subject(), target.oracle()] {
        let who = side.name().to_owned();
        if let Err(error) = side.select(&golden.case.options) {
            differences.push(difference("options", "taken", &who, error.to_string()));
            continue;
        }
        let mut outcome = Outcome::default();
        if let Err(text) = guard::catch(|| side.answer(&golden.case.input, &mut outcome)) {
            let found = format!("a panic: {text}");
            differences.push(difference("status", "an answer", &who, found));
            continue;
        }
        for unmet in golden.expected.unmet(&outcome, target.vocabulary()) {
            match differences
                .iter_mut()
                .find(|known| known.path == unmet.path)
            {
                Some(known) => known.answers.push(Answer {
                    who: who.clone(),
                    value: unmet.found,
                }),
                None => {
                    differences.push(difference(&unmet.path, &unmet.expected, &who, unmet.found))
                }
            }
        }
    }
    differences
}

fn difference(path: &str, expected: &str, who: &str, found: String) -> Difference {
    Difference {
        path: path.to_owned(),
        answers: vec![
            Answer {
                who: "expected".to_owned(),
                value: expected.to_owned(),
            },
            Answer {
                who: who.to_owned(),
                value: found,
            },
        ],
    }
}

impl Bench<'_> {
    pub(super) fn golden(&mut self, start: usize, end: usize) {
        let context = self.context;
        for golden in &context.cases[self.job.target][start..end] {
            let case = &golden.case;
            let differences = unmet(self.target, golden);
            self.result
                .cases
                .push((case.id.clone(), differences.is_empty()));
            if differences.is_empty() {
                self.result.agree += 1;
            } else {
                self.result.disagree += 1;
                let bucket = self.bucket(&case.options, format!("case {}", case.id));
                let proof = || Proof::Expectation {
                    case: case.id.clone(),
                    differences: differences.clone(),
                    source: case.source.clone(),
                };
                let origin = || format!("{} in {}", case.id, file_name(&case.file));
                self.result
                    .finds
                    .add(bucket, &case.input, || (origin(), proof()));
            }
            if self.pair.select(&case.options).is_ok() {
                let pair = &mut self.pair;
                if guard::catch(|| pair.judge(&case.input)).is_ok() {
                    self.cover();
                } else {
                    self.pair = Pair::new(self.target.subject(), self.target.oracle());
                }
            }
        }
    }
}

fn file_name(path: &std::path::Path) -> String {
    path.file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}
