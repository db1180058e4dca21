//! Runs one job.

mod differential;
mod execution;
mod golden;
mod property;
mod sweep;

use corpora::Options;
use corpora::generate::Random;

use crate::context::Context;
use crate::coverage::Coverage;
use crate::execution::seen::Seen;
use crate::finding::{Bucket, Finds, Proof};
use crate::guard;
use crate::judge::{Pair, Verdict};
use crate::plan::{Job, Work};
use crate::report::model::Certificate;
use crate::target::Target;

pub use golden::unmet;
pub use property::holds as law_holds;

/// What a job brings.
pub struct JobResult {
    /// Cases that agreed, disagreed, were poisoned, were skipped.
    pub agree: u64,
    /// See `agree`.
    pub disagree: u64,
    /// See `agree`.
    pub poisoned: u64,
    /// See `agree`.
    pub skipped: u64,
    /// Disagreements.
    pub finds: Finds,
    /// What was seen.
    pub coverage: Coverage,
    /// What a sweep proved.
    pub certificate: Option<Certificate>,
    /// Golden cases by id, and whether they were met.
    pub cases: Vec<(String, bool)>,
    /// What was executed.
    pub seen: Seen,
}

/// A job at work.
struct Bench<'a> {
    context: &'a Context,
    job: &'a Job,
    target: &'a dyn Target,
    pair: Pair,
    result: JobResult,
}

/// Runs a job.
pub fn run(job: &Job, context: &Context) -> JobResult {
    let target = &*context.targets[job.target];
    let mut bench = Bench {
        context,
        job,
        target,
        pair: Pair::new(target.subject(), target.oracle()),
        result: JobResult {
            agree: 0,
            disagree: 0,
            poisoned: 0,
            skipped: 0,
            finds: Finds::default(),
            coverage: Coverage::new(target),
            certificate: None,
            cases: Vec::new(),
            seen: Seen::default(),
        },
    };
    match job.work {
        Work::Golden { start, end } => bench.golden(start, end),
        Work::LawOnInputs { law, start, end } => bench.law_on_inputs(law, start, end),
        Work::LawOnGenerated {
            law,
            generator,
            stream,
            count,
        } => {
            bench.law_on_generated(law, generator, stream, count);
        }
        Work::LawOnUnit {
            law,
            unit,
            stream,
            count,
        } => bench.law_on_unit(law, unit, stream, count),
        Work::Inputs { start, end } => bench.inputs(start, end),
        Work::Generated {
            generator,
            stream,
            count,
        } => bench.generated(generator, stream, count),
        Work::Field {
            unit,
            field,
            values,
            stream,
            others,
        } => {
            bench.field(unit, field, values, stream, others);
        }
        Work::Words {
            unit,
            stream,
            count,
        } => bench.words(unit, stream, count),
        Work::Enumerated {
            enumeration,
            start,
            end,
        } => bench.enumerated(enumeration, start, end),
        Work::Instructions { start, end } => bench.instruction_cases(start, end),
        Work::Programs { start, end } => bench.program_cases(start, end),
        Work::Expected { start, end } => bench.expected(start, end),
        Work::ExpectedShaders {
            start,
            end,
            vectors,
        } => bench.expected_shaders(start, end, vectors),
        Work::Shaders {
            start,
            end,
            vectors,
        } => bench.shaders(start, end, vectors),
        Work::Sources { corpus } => bench.sources(corpus),
        Work::Flow { stream, count } => bench.generated_flow(stream, count),
    }
    bench.result
}

impl Bench<'_> {
    fn random(&self, stream: u64) -> Random {
        Random::new(self.context.settings.seed, stream)
    }

    fn bucket(&self, options: &Options, cause: String) -> Bucket {
        Bucket {
            target: self.target.name(),
            kind: self.job.kind,
            options: options.clone(),
            cause,
        }
    }

    /// Selects options for both sides; a target that refuses its own options is a fault of the harness.
    fn select(&mut self, options: &Options) {
        if let Err(error) = self.pair.select(options) {
            panic!(
                "{} does not take its own options: {error}",
                self.target.name()
            );
        }
    }

    /// Judges one input: counts it, and keeps it when the sides differ or one panics.
    #[inline]
    fn judge(
        &mut self,
        input: &[u8],
        options: &Options,
        origin: impl FnOnce() -> String,
    ) -> Option<Verdict> {
        let pair = &mut self.pair;
        match guard::catch(|| pair.judge(input)) {
            Ok(Verdict::Agree) => {
                self.result.agree += 1;
                Some(Verdict::Agree)
            }
            Ok(Verdict::Poisoned) => {
                self.result.poisoned += 1;
                Some(Verdict::Poisoned)
            }
            Ok(Verdict::Disagree) => {
                self.result.disagree += 1;
                let cause = self.pair.cause(self.target.vocabulary());
                let bucket = self.bucket(options, cause);
                self.result
                    .finds
                    .add(bucket, input, || (origin(), Proof::Pair));
                Some(Verdict::Disagree)
            }
            Err(text) => {
                self.result.disagree += 1;
                // Numbers in what it says differ from input to input; the cause is one.
                let cause = text.replace(|c: char| c.is_ascii_digit(), "#");
                let bucket = self.bucket(options, format!("panic: {cause}"));
                self.result
                    .finds
                    .add(bucket, input, || (origin(), Proof::Panic(text)));
                // Whatever state the panic left behind is not to be used again.
                self.pair = Pair::new(self.target.subject(), self.target.oracle());
                self.select(options);
                None
            }
        }
    }

    /// Counts the fields of the last answer, if it was accepted.
    fn cover(&mut self) {
        self.result.coverage.add(&self.pair.answer.record);
    }
}
