//! The third opinion: what the sources of a corpus say, against what their microcode computes.

use super::{Bench, Disagreement, answer, difference};
use crate::execution::shader::Shader;
use crate::execution::source::Verdict;
use crate::finding::Again;

impl Bench<'_> {
    /// The sources of a corpus, on every engine. Neither of the parties is the translator.
    pub(in crate::check) fn sources(&mut self, corpus: usize) {
        let setup = self.setup();
        let Some((origin, corpus)) = setup.sources.get(corpus) else {
            return;
        };
        for judge in &setup.judges {
            let engine = &*judge.engine;
            for opinion in corpus.opinions(&judge.reference, engine, self.context.settings.seed) {
                let name = format!("{origin}:{} ({})", opinion.id, opinion.from);
                let stage = corpora::execution::Stage::Pixel;
                let shader = Shader::new(name, Vec::new(), stage);
                match opinion.verdict {
                    Verdict::Agree(tally) => {
                        self.result.agree += tally.allowed + tally.near;
                        self.result.poisoned += tally.open;
                    }
                    Verdict::Differs(tally, first) => {
                        self.result.agree += tally.allowed + tally.near;
                        self.result.poisoned += tally.open;
                        let answers = vec![
                            answer("microcode", first.words.microcode.to_string()),
                            answer("source", first.words.source.to_string()),
                        ];
                        let found = Disagreement {
                            cause: format!("{}: {}", engine.name(), first.words.what),
                            bytes: Vec::new(),
                            differences: vec![difference(format!("lane {}", first.lane), answers)],
                            source: first.to_string(),
                            again: Again::Nothing,
                        };
                        self.disagree(&shader, 1, found);
                    }
                    Verdict::NotComparable(reason) => {
                        self.refuse(&shader, format!("no third opinion: {reason}"));
                    }
                }
            }
        }
    }
}
