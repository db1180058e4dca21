//! Execution: what a translation computes on an engine is what the reference interpreter computes from the microcode, and
//! both are what a case expects.

mod cases;
mod shaders;
mod sources;

use corpora::Options;

use super::Bench;
use crate::execution::setup::Setup;
use crate::execution::shader::Shader;
use crate::execution::trial::NotTried;
use crate::finding::{Again, Proof};
use crate::report::model::{Answer, Difference};

/// A disagreement, as it goes into a finding.
struct Disagreement {
    /// The cause.
    cause: String,
    /// The input that stands for it.
    bytes: Vec<u8>,
    /// Where the parties differ.
    differences: Vec<Difference>,
    /// Where the expectation comes from.
    source: String,
    /// How to see it again.
    again: Again,
}

fn answer(who: &str, value: impl Into<String>) -> Answer {
    Answer {
        who: who.to_owned(),
        value: value.into(),
    }
}

fn difference(path: impl Into<String>, answers: Vec<Answer>) -> Difference {
    Difference {
        path: path.into(),
        answers,
    }
}

fn options(shader: &Shader) -> Options {
    let chip = match shader.chip {
        r700::Chip::R600 => "r600",
        r700::Chip::R700 => "r700",
    };
    Options::new()
        .with("unit", "program")
        .with("chip", chip)
        .with("stage", shader.stage.name())
}

impl<'a> Bench<'a> {
    fn setup(&self) -> &'a Setup {
        &self.context.execution
    }

    fn disagree(&mut self, shader: &Shader, lanes: u64, found: Disagreement) {
        self.result.disagree += lanes;
        let bucket = self.bucket(&options(shader), found.cause);
        let Disagreement {
            bytes,
            differences,
            source,
            again,
            ..
        } = found;
        let proof = Proof::Execution {
            differences,
            source,
            again,
        };
        let origin = shader.origin.clone();
        self.result.finds.add(bucket, &bytes, || (origin, proof));
    }

    /// Something that should not fail has failed: a finding without a lane.
    fn failed(&mut self, shader: &Shader, engine: &str, error: &NotTried, again: Again) {
        // Numbers in what it says differ from program to program; the cause is one.
        let text = error.to_string();
        let cause = text.replace(|c: char| c.is_ascii_digit(), "#");
        let found = Disagreement {
            cause: format!("{engine}: {cause}"),
            bytes: shader.bytes.clone(),
            differences: vec![difference(
                "status",
                vec![answer("expected", "a run"), answer(engine, text)],
            )],
            source: String::new(),
            again,
        };
        self.disagree(shader, 1, found);
    }

    fn refuse(&mut self, shader: &Shader, reason: String) {
        self.result.skipped += 1;
        let origins = self.result.seen.refused.entry(reason).or_default();
        origins.push(shader.origin.clone());
    }
}
