//! A trial: the reference interpreter runs the microcode, an engine runs the translation, and the exports are compared.

use corpora::execution::{Environment, Launch, MAX_LANES, Returned};
use corpora::generate::Random;
use oracles::r700::execution::policy::FloatPolicy;
use oracles::r700::execution::{self as interpreter, Limits, Outcome, Reads};
use oracles::r700::{Chip as OracleChip, Oracle};
use r700::Chip;
use r700::glsl::{Interface, Profile};

use super::bind;
use super::compare::{self, Comparison};
use super::divergence::{Divergence, Recorder, Step};
use super::probed::Probed;
use super::shader::{NotTranslated, Shader};
use super::vectors::{self, Temper};
use crate::engine::glsl::{self, NotCompiled};
use crate::engine::{self, Engine};

/// Who runs microcode.
#[derive(Clone, Debug)]
pub struct Reference {
    oracle: Oracle,
    policy: FloatPolicy,
    /// How much a run may do.
    pub limits: Limits,
}

/// A translation that is ready to run.
#[derive(Clone, Debug)]
pub struct Translated {
    /// The GLSL, if that is what it came as.
    pub source: Option<String>,
    /// Its interface.
    pub interface: Interface,
    /// Its SPIR-V.
    pub spirv: Vec<u32>,
}

/// Why a trial was not held.
#[derive(Debug, thiserror::Error)]
pub enum NotTried {
    /// There is no translation.
    #[error("{0}")]
    Translation(#[from] NotTranslated),
    /// The translation needs a compiler that is not installed.
    #[error("{0}")]
    NoCompiler(String),
    /// What was given in place of the translation or the inputs cannot be used.
    #[error("{0}")]
    Given(String),
    /// The translation does not compile.
    #[error("the translation does not compile: {0}")]
    Compile(String),
    /// The interpreter does not take the program.
    #[error("the interpreter: {0}")]
    Program(#[from] interpreter::ProgramError),
    /// The interpreter ended early.
    #[error("the interpreter: {0}")]
    Run(#[from] interpreter::RunError),
    /// The engine failed.
    #[error("{0}")]
    Engine(#[from] engine::Error),
}

/// What a compiler's refusal means for a trial.
pub fn not_compiled(error: NotCompiled) -> NotTried {
    match error {
        NotCompiled::Wrong(error) => NotTried::Compile(error.to_string()),
        NotCompiled::NoCompiler(_) => NotTried::NoCompiler(error.to_string()),
    }
}

impl Reference {
    /// The reference by the oracle's tables, with bounds for one engine.
    pub fn new(oracle: Oracle, policy: FloatPolicy) -> Self {
        let limits = Limits {
            groups: 20_000,
            control: 20_000,
            ..Limits::default()
        };
        Self {
            oracle,
            policy,
            limits,
        }
    }

    /// Makes a program ready.
    pub fn program(
        &self,
        shader: &Shader,
    ) -> Result<interpreter::Program, interpreter::ProgramError> {
        let chip = match shader.chip {
            Chip::R600 => OracleChip::R600,
            Chip::R700 => OracleChip::R700,
        };
        interpreter::Program::new(&self.oracle, &shader.bytes, chip)
    }

    /// What it reads, and its fetch shader with it.
    pub fn reads(&self, shader: &Shader) -> Result<Reads, interpreter::ProgramError> {
        let program = self.program(shader)?;
        program.reads(shader.fetch_shader.as_deref())
    }

    /// Runs it.
    pub fn run(
        &self,
        program: &interpreter::Program,
        environment: &Environment,
        observer: &mut dyn interpreter::Observer,
    ) -> Result<Outcome, interpreter::RunError> {
        interpreter::run(program, environment, &self.policy, &self.limits, observer)
    }

    /// The steps of one lane.
    pub fn steps(
        &self,
        program: &interpreter::Program,
        environment: &Environment,
        lane: usize,
    ) -> Result<Vec<Step>, interpreter::RunError> {
        let mut recorder = Recorder::new(lane);
        self.run(program, environment, &mut recorder)?;
        Ok(recorder.steps)
    }
}

impl Translated {
    /// The project's own translation of a shader.
    pub fn own(shader: &Shader, profile: Profile) -> Result<Self, NotTried> {
        let translation = shader.translate(profile)?;
        let spirv = glsl::to_spirv(&translation.source, shader.stage).map_err(not_compiled)?;
        Ok(Self {
            source: Some(translation.source),
            interface: translation.interface,
            spirv,
        })
    }

    /// What it is launched with.
    pub fn launch(&self, environment: &Environment) -> Launch {
        bind::launch(environment, &self.interface)
    }
}

/// Compares what both say of one environment.
pub fn compare(
    outcome: &Outcome,
    returned: &Returned,
    translated: &Translated,
    environment: &Environment,
) -> Comparison {
    let helper = |lane: usize| environment.lanes[lane].helper;
    compare::compare(outcome, returned, &translated.interface, helper)
}

/// Finds where a lane parts, with probes in the translation. None if it has no markers or no step differs.
pub fn diverge(
    reference: &Reference,
    program: &interpreter::Program,
    shader: &Shader,
    translated: &Translated,
    environment: &Environment,
    lane: usize,
    engine: &dyn Engine,
) -> Result<Option<Divergence>, NotTried> {
    let Some(probed) = Probed::new(shader, translated, engine)? else {
        return Ok(None);
    };
    let found = probed.partings(reference, program, environment, &[lane])?;
    Ok(found.into_iter().next().map(|(_, divergence)| divergence))
}

/// Inputs of one run, from the wildest on: the first on which the run ends is taken. A loop whose bound is an input may run
/// for ever on a wild one.
#[derive(Clone, Debug)]
pub struct Attempts(pub Vec<Environment>);

impl Attempts {
    /// The inputs on which `run` ends, and what it gives. An error is that of the last try.
    pub fn settle<T, E>(
        self,
        mut run: impl FnMut(&Environment) -> Result<T, E>,
    ) -> Option<Result<(Environment, T), E>> {
        let mut last = None;
        for environment in self.0 {
            match run(&environment) {
                Ok(done) => return Some(Ok((environment, done))),
                Err(error) => last = Some(Err(error)),
            }
        }
        last
    }
}

/// Inputs for a shader that reads these things: runs of some lanes until there are that many vectors. Each temper has its
/// turn.
pub fn environments(
    shader: &Shader,
    reads: &Reads,
    vectors: u64,
    random: &mut Random,
) -> Vec<Attempts> {
    let mut make =
        |lanes: u64, temper| vectors::environment(shader, reads, lanes as usize, temper, random);
    // What follows the first of each is tamer and tamer.
    let turns: [&[Temper]; 4] = [
        &[Temper::Few, Temper::Short],
        &[Temper::Real, Temper::Tame, Temper::Short],
        &[Temper::Wild, Temper::Tame, Temper::Short],
        &[Temper::Tame, Temper::Short],
    ];
    lanes_of_runs(vectors)
        .into_iter()
        .zip(turns.into_iter().cycle())
        .map(|(lanes, tempers)| {
            Attempts(tempers.iter().map(|&temper| make(lanes, temper)).collect())
        })
        .collect()
}

/// How many lanes each run has. Constants are the same for all lanes of a run, so that a difference which depends on a
/// constant needs several runs; a wavefront that is full has to be among them, if there are vectors to spare.
fn lanes_of_runs(vectors: u64) -> Vec<u64> {
    const FULL: u64 = MAX_LANES as u64;
    const FEW: u64 = 16;
    const ENOUGH: u64 = 256;
    let mut runs = Vec::new();
    let mut made = 0;
    while made < vectors {
        let is_full = made >= ENOUGH || (made == 0 && vectors >= 2 * FULL);
        let lanes = if is_full { FULL } else { FEW }.min(vectors - made);
        runs.push(lanes);
        made += lanes;
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::lanes_of_runs;

    #[test]
    fn runs_add_up() {
        assert!(lanes_of_runs(0).is_empty());
        assert_eq!(lanes_of_runs(20), [16, 4]);
        assert_eq!(lanes_of_runs(64), [16; 4]);
        let runs = lanes_of_runs(256);
        assert_eq!((runs[0], &runs[1..]), (64, &[16; 12][..]));
        let runs = lanes_of_runs(1000);
        assert_eq!((runs[12], runs[13]), (16, 64));
        assert_eq!(runs.iter().sum::<u64>(), 1000);
    }
}
