//! What becomes of a mutant: noticed on the usual number of inputs, or without effect on many more.

use assay::engine::embedded::Embedded;
use assay::engine::{Engine, Program as Prepared, glsl};
use assay::execution::divergence::{Divergence, Step};
use assay::execution::instrument::{self, Item, Marker};
use assay::execution::shader::Shader;
use assay::execution::trial::{self, NotTried, Reference, Translated};
use corpora::execution::{Environment, LaneReturn, Launch, Returned};
use corpora::generate::Random;
use oracles::r700::execution::value::{Acceptance, Doubt};
use oracles::r700::execution::{AluUnit, Outcome, Program};
use r700::glsl::Profile;

use super::mutate::Mutant;

/// Inputs on which a mutant has to be noticed.
pub(crate) const USUAL: u64 = 256;

/// Inputs on which a mutant without effect gives what the original gives.
pub(crate) const MANY: u64 = 4096;

/// A difference that not even one in so many inputs shows is not asked of the usual ones: of these, four would show it.
const SELDOM: u64 = 64;

/// Nor is one that not even one in so many runs shows, as where a path depends on constants, which all lanes of a run
/// share: of the usual inputs' 13 runs, three would show it.
const SELDOM_RUNS: usize = 4;

/// A run on one set of inputs.
struct Run {
    environment: Environment,
    launch: Launch,
    /// What the original returned.
    returned: Returned,
}

/// A translation of which mutants are made.
pub(crate) struct Original<'a> {
    reference: &'a Reference,
    pub(crate) shader: &'a Shader,
    pub(crate) translated: Translated,
    program: Program,
    engine: Embedded,
    usual: Vec<(Run, Outcome)>,
    many: Vec<Run>,
}

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// GLSL does not allow it.
    NotGlsl,
    /// The usual inputs show it, and this is where it is said to part.
    Noticed(Named),
    /// Bit for bit the same outputs on many inputs.
    WithoutEffect,
    /// Other outputs, all of which the reference leaves open.
    Open,
    /// Noticed on many inputs only, of which fewer than one in [`SELDOM`] show it.
    Seldom(String),
    /// Other outputs, which the reference does not allow; the usual inputs did not show them, and should have.
    Missed(String),
}

/// Where a noticed mutant is said to part from the microcode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// It ends with an error.
    Error,
    /// At the group that is wrong.
    Right,
    /// Further on: what the wrong group computes first is still allowed.
    Later,
    /// At a group that shows the mistake before the wrong one itself does.
    Elsewhere,
    /// Not in a group.
    Nowhere,
    /// The mistake is not in a group.
    NoGroup,
    /// Wrongly.
    Wrong(String),
}

impl<'a> Original<'a> {
    /// Translates, and runs both sides. None if there is no translation or no inputs on which the program ends.
    pub(crate) fn new(reference: &'a Reference, shader: &'a Shader) -> Option<Self> {
        let translated = Translated::own(shader, Profile::Exact).ok()?;
        let program = reference.program(shader).ok()?;
        let mut original = Self {
            reference,
            shader,
            translated,
            program,
            engine: Embedded::default(),
            usual: Vec::new(),
            many: Vec::new(),
        };
        let prepared = original.prepare(&original.translated).ok()?;
        for attempts in original.inputs(USUAL, 1) {
            let run =
                |environment: &Environment| reference.run(&original.program, environment, &mut ());
            let Some(Ok((environment, outcome))) = attempts.settle(run) else {
                continue;
            };
            let run = original.run(&*prepared, environment).ok()?;
            // A translation that is wrong already is a matter for other tests.
            let comparison = trial::compare(
                &outcome,
                &run.returned,
                &original.translated,
                &run.environment,
            );
            assert!(
                comparison.differences.is_empty(),
                "{}: {:?}",
                shader.origin,
                comparison.differences.first()
            );
            original.usual.push((run, outcome));
        }
        (!original.usual.is_empty()).then_some(original)
    }

    pub(crate) fn source(&self) -> &str {
        self.translated.source.as_deref().unwrap_or_default()
    }

    fn inputs(&self, count: u64, stream: u64) -> Vec<trial::Attempts> {
        let mut random = Random::new(7, stream);
        let fetch_shader = self.shader.fetch_shader.as_deref();
        let reads = self.program.reads(fetch_shader).expect("it was decoded");
        trial::environments(self.shader, &reads, count, &mut random)
    }

    fn prepare(&self, translated: &Translated) -> Result<Box<dyn Prepared>, NotTried> {
        Ok(self.engine.prepare(&translated.spirv, self.shader.stage)?)
    }

    fn run(
        &self,
        prepared: &dyn Prepared,
        environment: Environment,
    ) -> Result<Run, assay::engine::Error> {
        let launch = self.translated.launch(&environment);
        let returned = one(prepared, &launch)?;
        Ok(Run {
            environment,
            launch,
            returned,
        })
    }

    /// Runs of the original on many inputs, made when they are first asked for.
    fn many(&mut self) -> Result<(), NotTried> {
        if self.many.is_empty() {
            let prepared = self.prepare(&self.translated)?;
            let mut runs = Vec::new();
            for attempts in self.inputs(MANY, 2) {
                let run = |environment: &Environment| {
                    one(&*prepared, &self.translated.launch(environment))
                };
                if let Some(Ok((environment, returned))) = attempts.settle(run) {
                    let launch = self.translated.launch(&environment);
                    runs.push(Run {
                        environment,
                        launch,
                        returned,
                    });
                }
            }
            self.many = runs;
        }
        Ok(())
    }

    /// What becomes of a mutant.
    pub(crate) fn judge(&mut self, mutant: &Mutant) -> Result<Fate, NotTried> {
        let source = mutant.source(self.source());
        let Ok(spirv) = glsl::compile(&source, self.shader.stage) else {
            return Ok(Fate::NotGlsl);
        };
        let translated = Translated {
            source: Some(source),
            interface: self.translated.interface.clone(),
            spirv,
        };
        let prepared = self.prepare(&translated)?;
        for at in 0..self.usual.len() {
            let (run, outcome) = &self.usual[at];
            let Ok(returned) = one(&*prepared, &run.launch) else {
                return Ok(Fate::Noticed(Named::Error));
            };
            let comparison = trial::compare(outcome, &returned, &translated, &run.environment);
            if let Some(first) = comparison.differences.first() {
                let named = self.named(mutant, &translated, run, first.lane)?;
                return Ok(Fate::Noticed(named));
            }
        }
        self.many()?;
        let mut open = !self.usual.iter().all(|(run, _)| {
            one(&*prepared, &run.launch)
                .is_ok_and(|returned| same(&run.returned.lanes, &returned.lanes))
        });
        let (mut lanes, mut runs, mut missed) = (0, 0, None);
        for run in &self.many {
            let Ok(returned) = one(&*prepared, &run.launch) else {
                lanes += run.launch.lanes.len();
                runs += 1;
                missed.get_or_insert_with(|| "it ends with an error".to_owned());
                continue;
            };
            if same(&run.returned.lanes, &returned.lanes) {
                continue;
            }
            open = true;
            let outcome = self.reference.run(&self.program, &run.environment, &mut ());
            let Ok(outcome) = outcome else { continue };
            let comparison = trial::compare(&outcome, &returned, &translated, &run.environment);
            if let Some(first) = comparison.differences.first() {
                lanes += comparison.differences.len();
                runs += 1;
                missed.get_or_insert_with(|| {
                    format!("{}: {}, not {}", first.what, first.found, first.allowed)
                });
            }
        }
        if let Some(what) = missed {
            let all = self.many.len();
            let what = format!("{lanes} of {MANY} vectors in {runs} of {all} runs: {what}");
            let seldom = lanes as u64 * SELDOM < MANY || runs * SELDOM_RUNS < all;
            return Ok(if seldom {
                Fate::Seldom(what)
            } else {
                Fate::Missed(what)
            });
        }
        Ok(if open {
            Fate::Open
        } else {
            Fate::WithoutEffect
        })
    }

    /// Whether the divergence that the user is shown is where the mistake is.
    fn named(
        &self,
        mutant: &Mutant,
        translated: &Translated,
        run: &Run,
        lane: usize,
    ) -> Result<Named, NotTried> {
        let found = trial::diverge(
            self.reference,
            &self.program,
            self.shader,
            translated,
            &run.environment,
            lane,
            &self.engine,
        )?;
        let Some(wanted) = mutant.slot else {
            return Ok(Named::NoGroup);
        };
        let (said, at) = match &found {
            Some(Divergence::Value { step, at, .. }) => (Some(step.slot), *at),
            Some(Divergence::Path { at, .. }) => (None, *at),
            None => (None, usize::MAX),
        };
        if said == Some(wanted) {
            return Ok(Named::Right);
        }
        let (records, markers) = self.records(translated, run, lane)?;
        let (own, _) = self.records(&self.translated, run, lane)?;
        let parting = (0..).find(|at| own.get(*at).is_none() || own.get(*at) != records.get(*at));
        let parting = parting.unwrap_or(usize::MAX);
        let Some((number, words)) = records.get(parting) else {
            return Ok(if found.is_none() {
                Named::Nowhere
            } else {
                Named::Elsewhere
            });
        };
        let marker = &markers[*number];
        let slot = marker.slot;
        let wrong = |what: String| Ok(Named::Wrong(what));
        if at < parting {
            return wrong(format!(
                "named step {at}, the first that differs is {parting}"
            ));
        }
        if slot != wanted {
            return Ok(Named::Elsewhere);
        }
        let steps = self
            .reference
            .steps(&self.program, &run.environment, lane)?;
        let Some(step) = steps.get(parting) else {
            return wrong(format!("the interpreter has no step {parting}"));
        };
        match refused(step, marker, words) {
            Some(item) => wrong(format!(
                "slot {wanted} has a wrong {item:?}, but {said:?} at step {at} was named"
            )),
            None if found.is_none() => Ok(Named::Nowhere),
            None => Ok(Named::Later),
        }
    }

    /// What the probes of a translation write for a lane.
    #[allow(clippy::type_complexity, reason = "records as the module gives them")]
    fn records(
        &self,
        translated: &Translated,
        run: &Run,
        lane: usize,
    ) -> Result<(Vec<(usize, Vec<u32>)>, Vec<Marker>), NotTried> {
        let source = translated.source.as_deref().unwrap_or_default();
        let Some(probed) = instrument::instrument(source) else {
            return Ok((Vec::new(), Vec::new()));
        };
        let spirv = glsl::compile(&probed.source, self.shader.stage)
            .map_err(|error| NotTried::Compile(error.to_string()))?;
        let prepared = self.engine.prepare(&spirv, self.shader.stage)?;
        let mut launch = run.launch.clone();
        instrument::prepare(&mut launch);
        let returned = one(&*prepared, &launch)?;
        let log = returned.storage.get(&assay::execution::bind::PROBE);
        let records = log.map(|log| instrument::records(log, lane, &probed.markers));
        Ok((records.unwrap_or_default(), probed.markers))
    }
}

fn one(prepared: &dyn Prepared, launch: &Launch) -> Result<Returned, assay::engine::Error> {
    let returned = prepared.run(std::slice::from_ref(launch))?;
    Ok(returned.into_iter().next().unwrap_or_default())
}

/// Whether outputs are bit for bit the same. Those of a lane that was killed mean nothing.
fn same(own: &[LaneReturn], other: &[LaneReturn]) -> bool {
    let pairs = own.iter().zip(other);
    own.len() == other.len()
        && pairs
            .into_iter()
            .all(|(own, other)| own == other || own.killed && other.killed)
}

/// The first word that a step does not allow. Which places a step leaves is worked out here once more, so that the
/// module under test is not asked whether it is right.
fn refused(step: &Step, marker: &Marker, words: &[u32]) -> Option<Item> {
    let result = |wanted: AluUnit| {
        let operations = step.operations.iter();
        let mut there = operations.filter(|operation| operation.unit == Some(wanted));
        there.next().and_then(|operation| operation.result.clone())
    };
    let value = |item: Item| match item {
        Item::Scalar => result(AluUnit::T),
        Item::Vector(channel) => result(AluUnit::ALL[usize::from(channel)]),
        Item::Register(register, channel) => {
            let writes = step.writes.iter().rev();
            let mut there =
                writes.filter(|write| (write.register, write.channel) == (register, channel));
            there.next().map(|write| write.value.clone())
        }
    };
    let mut pairs = marker.items.iter().zip(words);
    let refuses = |item: Item, word: u32| {
        value(item).is_some_and(|value| {
            *value.doubt() != Doubt::Unknown && value.accepts(word) == Acceptance::Disagree
        })
    };
    pairs
        .find(|(item, word)| refuses(**item, **word))
        .map(|(item, _)| *item)
}
