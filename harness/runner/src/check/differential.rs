//! Decoder against oracle, and against what a peer said where that is on record.

use corpora::{Kind as ValueKind, Record, Value};

use super::Bench;
use crate::finding::Proof;
use crate::judge::Verdict;
use crate::report::model::{Answer, Difference};
use crate::target::{Input, PeerAnswers};

impl Bench<'_> {
    pub(super) fn inputs(&mut self, start: usize, end: usize) {
        let context = self.context;
        for input in &context.inputs[self.job.target][start..end] {
            self.select(&input.options);
            let verdict = self.judge(&input.bytes, &input.options, || input.origin.clone());
            self.cover();
            let heard = match &input.peer {
                Some(peer) if verdict.is_some() => self.hear(input, peer),
                _ => true,
            };
            // Decoder and oracle may agree where the peer does not: the input still counts once.
            if !heard && verdict == Some(Verdict::Agree) {
                self.result.agree -= 1;
                self.result.disagree += 1;
            }
        }
    }

    pub(super) fn generated(&mut self, generator: usize, stream: u64, count: u64) {
        let generators = self.target.generators();
        let generator = &generators[generator];
        let mut random = self.random(stream);
        let context = self.context;
        self.select(&generator.options);
        let mut input = Vec::new();
        for number in 0..count {
            input.clear();
            (generator.make)(&mut random, &context.short[self.job.target], &mut input);
            let origin = || {
                format!(
                    "generated {}, stream {stream}, number {number}",
                    generator.name
                )
            };
            self.judge(&input, &generator.options, origin);
            self.cover();
        }
    }

    /// Compares the names of a peer with both answers; three voices, so one can stand alone. Whether all say the same.
    fn hear(&mut self, input: &Input, peer: &PeerAnswers) -> bool {
        let mut same = true;
        let vocabulary = self.target.vocabulary();
        let name_in = |record: &Record, at: &(_, _, String)| {
            record
                .find(at.0, at.1, 0)
                .map(|entry| match record.value(entry, vocabulary) {
                    Value::Symbol { name, .. } => name,
                    other => other.to_string(),
                })
        };
        for at in &peer.names {
            debug_assert_eq!(vocabulary.field(at.1).kind, ValueKind::Symbol);
            let ours = name_in(&self.pair.answer.record, at).unwrap_or_else(unanswered);
            let truth = name_in(&self.pair.truth.record, at).unwrap_or_else(unanswered);
            let theirs = &at.2;
            if ours == *theirs && truth == *theirs {
                continue;
            }
            let (subject, oracle) = (
                self.pair.subject.name().to_owned(),
                self.pair.oracle.name().to_owned(),
            );
            let odd_one_out = if ours == truth {
                Some(peer.name.clone())
            } else if ours == *theirs {
                Some(oracle.clone())
            } else if truth == *theirs {
                Some(subject.clone())
            } else {
                None
            };
            let path = vocabulary.field(at.1).path.clone();
            let alone = odd_one_out.as_deref().unwrap_or("everybody");
            let cause = format!("{path}: {alone} stands alone");
            let difference = Difference {
                path: vocabulary.render(at.0, at.1, 0),
                answers: vec![
                    Answer {
                        who: peer.name.clone(),
                        value: theirs.clone(),
                    },
                    Answer {
                        who: subject,
                        value: ours,
                    },
                    Answer {
                        who: oracle,
                        value: truth,
                    },
                ],
            };
            let proof = || Proof::Peer {
                differences: vec![difference],
                odd_one_out,
            };
            let bucket = self.bucket(&input.options, cause);
            self.result
                .finds
                .add(bucket, &input.bytes, || (input.origin.clone(), proof()));
            same = false;
        }
        same
    }
}

fn unanswered() -> String {
    "not answered".to_owned()
}
