//! Shaders without stated results: interpreter and translation on many inputs.

use corpora::execution::Environment;
use corpora::generate::Random;
use oracles::r700::execution::Program;
use r700::glsl::Profile;

use super::{Bench, Disagreement, answer, difference};
use crate::engine;
use crate::execution::compare::{Comparison, describe, show};
use crate::execution::divergence::Divergence;
use crate::execution::flow;
use crate::execution::open;
use crate::execution::setup::Judge;
use crate::execution::shader::Shader;
use crate::execution::slice::slice;
use crate::execution::trial::{self, NotTried, Translated};
use crate::finding::Again;
use crate::guard;

/// Lanes of one run: a wavefront.
const LANES: u64 = 64;

impl Bench<'_> {
    /// The shaders of a corpus.
    pub(in crate::check) fn shaders(&mut self, start: usize, end: usize, vectors: u64) {
        let setup = self.setup();
        for (at, shader) in setup.shaders[start..end].iter().enumerate() {
            // The same inputs, whichever job the shader falls into.
            let stream = (start + at) as u64;
            self.shader(shader, vectors, stream);
        }
    }

    /// The programs with known results, on inputs without.
    pub(in crate::check) fn expected_shaders(&mut self, start: usize, end: usize, vectors: u64) {
        let setup = self.setup();
        for (at, known) in setup.expected[start..end].iter().enumerate() {
            let stream = 1 << 32 | (start + at) as u64;
            self.shader(&known.shader, vectors, stream);
        }
    }

    /// Generated programs, each on one run.
    pub(in crate::check) fn generated_flow(&mut self, stream: u64, count: u64) {
        let mut random = self.random(stream);
        for number in 0..count {
            let origin = format!("generated program {number} of stream {stream:#x}");
            match flow::program(&mut random) {
                Ok(bytes) => {
                    let shader = Shader::new(origin, bytes, corpora::execution::Stage::Pixel);
                    self.shader(&shader, LANES, stream ^ number << 8);
                }
                Err(error) => {
                    let shader = Shader::new(origin, Vec::new(), corpora::execution::Stage::Pixel);
                    let found = Disagreement {
                        cause: format!("the generator of programs: {error}"),
                        bytes: Vec::new(),
                        differences: Vec::new(),
                        source: String::new(),
                        again: Again::Nothing,
                    };
                    self.disagree(&shader, 1, found);
                }
            }
        }
    }

    fn shader(&mut self, shader: &Shader, vectors: u64, stream: u64) {
        let again = Again::Diff(format!(
            "--stage {} --random {vectors} --seed {} --stream {stream}",
            shader.stage.name(),
            self.context.settings.seed
        ));
        let translated = match guard::catch(|| Translated::own(shader, Profile::Exact)) {
            Ok(Ok(translated)) => translated,
            Ok(Err(error @ (NotTried::Translation(_) | NotTried::NoCompiler(_)))) => {
                return self.refuse(shader, error.to_string());
            }
            Ok(Err(error)) => return self.failed(shader, "translation", &error, again),
            Err(panic) => {
                let error = NotTried::Compile(format!("a panic: {panic}"));
                return self.failed(shader, "translation", &error, again);
            }
        };
        let translated_so_far = &mut self.result.seen.translated;
        *translated_so_far.entry(self.job.part.clone()).or_default() += 1;
        let setup = self.setup();
        for (number, judge) in setup.judges.iter().enumerate() {
            let held = guard::catch(|| {
                self.hold_shader(shader, &translated, judge, vectors, stream, &again)
            });
            match held {
                Ok(Ok(())) => {}
                // What a device lacks the embedded engine, which is the first, has.
                Ok(Err(NotTried::Engine(error @ engine::Error::Unsupported(_)))) if number > 0 => {
                    self.refuse(shader, format!("{}: {error}", judge.engine.name()));
                }
                Ok(Err(error)) => self.failed(shader, judge.engine.name(), &error, again.clone()),
                Err(panic) => {
                    let error = NotTried::Compile(format!("a panic: {panic}"));
                    self.failed(shader, judge.engine.name(), &error, again.clone());
                }
            }
        }
    }

    fn hold_shader(
        &mut self,
        shader: &Shader,
        translated: &Translated,
        judge: &Judge,
        vectors: u64,
        stream: u64,
        again: &Again,
    ) -> Result<(), NotTried> {
        let program = judge.reference.program(shader)?;
        let prepared = judge.engine.prepare(&translated.spirv, shader.stage)?;
        let mut random = Random::new(self.context.settings.seed, stream);
        let reads = program.reads(shader.fetch_shader.as_deref())?;
        let environments = trial::environments(shader, &reads, vectors, &mut random);
        let mut judged = Vec::new();
        for attempts in environments {
            let lanes = attempts
                .0
                .first()
                .map_or(0, |first| first.lanes.len() as u64);
            let seen = &mut self.result.seen;
            let run = |environment: &Environment| judge.reference.run(&program, environment, seen);
            match attempts.settle(run) {
                Some(Ok(done)) => judged.push(done),
                // Whatever the inputs, a loop did not end within the bounds.
                Some(Err(error)) if error.is_limit() => self.result.skipped += lanes,
                Some(Err(error)) => return Err(error.into()),
                None => {}
            }
        }
        let launches: Vec<_> = judged
            .iter()
            .map(|(environment, _)| translated.launch(environment))
            .collect();
        let returned = prepared.run(&launches)?;
        if returned.len() != launches.len() {
            let said = format!("{} answers to {} launches", returned.len(), launches.len());
            return Err(engine::Error::Failed(said).into());
        }
        let mut total = Comparison::default();
        let mut first: Option<&Environment> = None;
        for ((environment, outcome), returned) in judged.iter().zip(&returned) {
            let comparison = trial::compare(outcome, returned, translated, environment);
            if first.is_none() && !comparison.differences.is_empty() {
                first = Some(environment);
            }
            total.add(comparison);
        }
        self.result.agree += total.agree + total.within;
        self.result.poisoned += total.poisoned;
        for (reason, count) in &total.reasons {
            *self.result.seen.doubts.entry(reason.clone()).or_default() += count;
        }
        if let (Some(environment), Some(shown)) = (first, total.differences.first()) {
            let lanes = total.differences.len() as u64;
            // A difference is one whether the translation can be looked into or not.
            let divergence = trial::diverge(
                &judge.reference,
                &program,
                shader,
                translated,
                environment,
                shown.lane,
                &*judge.engine,
            )
            .unwrap_or_default();
            let mut found = self.disagreement(shader, judge, divergence, again);
            if found.differences.is_empty() || found.cause.is_empty() {
                found.cause = format!(
                    "{} of a program",
                    shown.what.split('.').next().unwrap_or_default()
                );
                let answers = vec![
                    answer("interpreter", shown.allowed.clone()),
                    answer(judge.engine.name(), shown.found.clone()),
                ];
                found.differences = vec![difference(
                    format!("lane {}: {}", shown.lane, shown.what),
                    answers,
                )];
            }
            found.cause = format!("{}: {}", judge.engine.name(), found.cause);
            self.disagree(shader, lanes, found);
        } else if self.is_first(judge) && open::hides(&total) {
            let runs = judged.iter().zip(&returned);
            let runs: Vec<open::Run<'_>> = runs
                .map(|((environment, outcome), returned)| (environment, outcome, returned))
                .collect();
            self.hidden(&runs, shader, translated, judge, &program, again)?;
        }
        Ok(())
    }

    /// Whether a judge is the first: a translation's groups are the same for all of them.
    fn is_first(&self, judge: &Judge) -> bool {
        let first = self.setup().judges.first();
        first.is_some_and(|first| std::ptr::eq(first, judge))
    }

    /// Looks behind what is open, and reports what it hides.
    fn hidden(
        &mut self,
        runs: &[open::Run<'_>],
        shader: &Shader,
        translated: &Translated,
        judge: &Judge,
        program: &Program,
        again: &Again,
    ) -> Result<(), NotTried> {
        let Judge { engine, reference } = judge;
        let found = open::hidden(runs, shader, translated, reference, program, &**engine)?;
        if let Some(open::Hidden {
            divergence,
            poisoned,
        }) = found
        {
            let count = if poisoned {
                &mut self.result.poisoned
            } else {
                &mut self.result.agree
            };
            *count -= 1;
            let mut found = self.disagreement(shader, judge, Some(divergence), again);
            found.cause = format!("{}: behind what is open: {}", engine.name(), found.cause);
            self.disagree(shader, 1, found);
        }
        Ok(())
    }

    /// What a divergence says in a finding: without one, nothing yet.
    fn disagreement(
        &self,
        shader: &Shader,
        judge: &Judge,
        divergence: Option<Divergence>,
        again: &Again,
    ) -> Disagreement {
        let mut found = Disagreement {
            cause: String::new(),
            bytes: shader.bytes.clone(),
            differences: Vec::new(),
            source: String::new(),
            again: again.clone(),
        };
        match divergence {
            None => {}
            Some(Divergence::Path {
                at,
                microcode,
                translation,
            }) => {
                let slot = |slot: Option<u32>| {
                    slot.map_or_else(|| "the end".to_owned(), |slot| format!("slot {slot}"))
                };
                found.cause = "another path".to_owned();
                let answers = vec![
                    answer("interpreter", slot(microcode)),
                    answer(judge.engine.name(), slot(translation)),
                ];
                found.differences = vec![difference(format!("after {at} groups"), answers)];
            }
            Some(Divergence::Value {
                step,
                what,
                allowed,
                found: word,
                operation,
                ..
            }) => {
                let name = operation.map_or_else(
                    || {
                        step.operations
                            .first()
                            .map_or("a group", |operation| &operation.name)
                    },
                    |at| step.operations[at].name.as_str(),
                );
                found.cause = format!("{name} computes something else");
                let mut differences = Vec::new();
                if let Some(at) = operation {
                    for (number, operand) in step.operations[at].operands.iter().enumerate() {
                        let path =
                            format!("slot {}: {name} operand {number}", step.operations[at].slot);
                        differences.push(difference(path, vec![answer("both", describe(operand))]));
                    }
                }
                let answers = vec![
                    answer("interpreter", describe(&allowed)),
                    answer(judge.engine.name(), show(word)),
                ];
                differences.push(difference(format!("slot {}: {what}", step.slot), answers));
                found.differences = differences;
                let decoded = r700::program::decode(&shader.bytes, shader.chip);
                let cut = decoded
                    .ok()
                    .zip(operation)
                    .and_then(|(program, at)| slice(&program, &step, at));
                if let Some(Ok(cut)) = cut {
                    found.source = cut.case("r700/slice", &format!("{name} in {}", shader.origin));
                }
            }
        }
        found
    }
}
