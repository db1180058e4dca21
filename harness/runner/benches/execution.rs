//! How fast programs are translated and run: translator, reference interpreter, embedded engine and comparison.
//!
//! `cargo bench -p assay --bench execution`. One item is one program, run on 64 invocations where it runs. Programs are those
//! of `testdata`, and of the corpus that ASSAY_CORPUS names. Before the benches proper come rates and ratios of one run,
//! taken in turn, so that a neighbour on the machine slows all of them alike.

#![allow(
    clippy::print_stdout,
    reason = "printing its figures is part of what it does"
)]

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use assay::engine::embedded::Embedded;
use assay::engine::{Engine, Program as Prepared, glsl};
use assay::engines;
use assay::execution::compare::Comparison;
use assay::execution::setup::Setup;
use assay::execution::shader::Shader;
use assay::execution::trial::{self, Attempts, Reference, Translated};
use assay::execution::vectors::{self, Temper};
use corpora::execution::{Environment, Launch};
use corpora::generate::Random;
use divan::Bencher;
use divan::counter::ItemsCount;
use oracles::r700::execution::{Outcome, Program};
use r700::glsl::Profile;
use r700::{Chip, program};
use rayon::prelude::*;

/// The invocations of one run.
const LANES: usize = 64;

/// The most programs that are run, spread over all that there are.
const RUN: usize = 200;

/// How often each figure of the ratios is taken.
const SAMPLES: usize = 7;

fn main() {
    let only_listed = |argument: &str| argument == "--list" || argument == "--test";
    // With arguments somebody is after one of the benches.
    if std::env::args()
        .skip(1)
        .all(|argument| argument == "--bench")
    {
        ratios();
    }
    if !std::env::args().any(|argument| only_listed(&argument)) {
        divan::main();
    }
}

/// The shaders of `testdata` and of the corpus.
fn shaders() -> Vec<Shader> {
    let mesa = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/r700/mesa");
    let corpus = std::env::var_os("ASSAY_CORPUS").map(std::path::PathBuf::from);
    let mut setup = Setup::default();
    for root in [Some(mesa), corpus].into_iter().flatten() {
        setup.add(&root, None).expect("readable files");
    }
    let known = setup.expected.into_iter().map(|known| known.shader);
    setup.shaders.into_iter().chain(known).collect()
}

/// A shader with all that a run of it needs.
struct Subject {
    shader: Shader,
    translated: Translated,
    program: Program,
    environment: Environment,
    launch: Launch,
    prepared: Box<dyn Prepared>,
}

fn reference() -> Reference {
    engines::reference("embedded").expect("the reference")
}

impl Subject {
    /// None if the shader is not translated, or does not end on the inputs.
    fn new(shader: &Shader, reference: &Reference) -> Option<Self> {
        let translated = Translated::own(shader, Profile::Exact).ok()?;
        let program = reference.program(shader).ok()?;
        let reads = reference.reads(shader).ok()?;
        let mut random = Random::new(1, 1);
        let make = |temper| vectors::environment(shader, &reads, LANES, temper, &mut random);
        let attempts = Attempts([Temper::Wild, Temper::Tame, Temper::Short].map(make).into());
        let run = |environment: &Environment| reference.run(&program, environment, &mut ());
        let (environment, _) = attempts.settle(run)?.ok()?;
        let prepared = Embedded::default().prepare(&translated.spirv, shader.stage);
        Some(Self {
            launch: translated.launch(&environment),
            shader: shader.clone(),
            prepared: prepared.ok()?,
            translated,
            program,
            environment,
        })
    }

    fn interpret(&self, reference: &Reference) -> Outcome {
        let outcome = reference.run(&self.program, &self.environment, &mut ());
        outcome.expect("it ended before")
    }

    fn judge(&self, reference: &Reference, prepared: &dyn Prepared) -> Comparison {
        let outcome = self.interpret(reference);
        let launch = self.translated.launch(&self.environment);
        let returned = prepared.run(&[launch]).expect("it ran before");
        trial::compare(&outcome, &returned[0], &self.translated, &self.environment)
    }

    /// Interpreter, engine, comparison. `how` says what is made ready for each run: nothing, the module for the engine,
    /// or everything from the translation on.
    fn verify(&self, how: &str, reference: &Reference) -> u64 {
        let stage = self.shader.stage;
        let prepare = |spirv: &[u32]| {
            Embedded::default()
                .prepare(spirv, stage)
                .expect("it was prepared before")
        };
        let comparison = match how {
            "once" => self.judge(reference, &*self.prepared),
            "each" => self.judge(reference, &*prepare(&self.translated.spirv)),
            _ => {
                let own = Translated::own(&self.shader, Profile::Exact).expect("it was translated");
                let program = reference.program(&self.shader);
                black_box(program.expect("a program"));
                self.judge(reference, &*prepare(&own.spirv))
            }
        };
        comparison.lanes()
    }
}

fn subjects(reference: &Reference) -> Vec<Subject> {
    let shaders = shaders();
    let step = shaders.len().div_ceil(RUN).max(1);
    let chosen = shaders.iter().step_by(step);
    chosen
        .filter_map(|shader| Subject::new(shader, reference))
        .collect()
}

/// Programs that are translated.
fn translatable() -> Vec<Shader> {
    let mut shaders = shaders();
    shaders.retain(|shader| shader.translate(Profile::Exact).is_ok());
    shaders
}

/// Decoding and translating, on one core.
#[divan::bench(args = ["exact", "fast"])]
fn translate(bencher: Bencher<'_, '_>, profile: &str) {
    let shaders = translatable();
    let profile = match profile {
        "exact" => Profile::Exact,
        _ => Profile::Fast,
    };
    let items = ItemsCount::new(shaders.len());
    bencher.counter(items).bench_local(|| {
        shaders
            .iter()
            .filter(|shader| shader.translate(profile).is_ok())
            .count()
    });
}

/// GLSL to SPIR-V.
#[divan::bench(sample_count = 5)]
fn compile(bencher: Bencher<'_, '_>) {
    let subjects = subjects(&reference());
    let items = ItemsCount::new(subjects.len());
    bencher.counter(items).bench_local(|| {
        let sources = subjects.iter().filter_map(|subject| {
            let source = subject.translated.source.as_deref()?;
            glsl::compile(source, subject.shader.stage).ok()
        });
        sources.map(|spirv| spirv.len()).sum::<usize>()
    });
}

/// A whole verification of a program on 64 invocations, on one core.
#[divan::bench(args = ["once", "each", "all"], sample_count = 10)]
fn verify(bencher: Bencher<'_, '_>, how: &str) {
    let reference = reference();
    let subjects = subjects(&reference);
    let items = ItemsCount::new(subjects.len());
    bencher.counter(items).bench_local(|| {
        let lanes = subjects
            .iter()
            .map(|subject| subject.verify(how, &reference));
        lanes.sum::<u64>()
    });
}

/// The same on all cores.
#[divan::bench(args = ["once", "each", "all"], sample_count = 10)]
fn verify_on_all_cores(bencher: Bencher<'_, '_>, how: &str) {
    let reference = reference();
    let mut subjects = subjects(&reference);
    let items = ItemsCount::new(subjects.len());
    bencher.counter(items).bench_local(|| {
        let lanes = subjects
            .par_iter_mut()
            .map(|subject| subject.verify(how, &reference));
        lanes.sum::<u64>()
    });
}

/// The reference interpreter alone, on 64 invocations.
#[divan::bench(sample_count = 10)]
fn interpret(bencher: Bencher<'_, '_>) {
    let reference = reference();
    let subjects = subjects(&reference);
    let items = ItemsCount::new(subjects.len());
    bencher.counter(items).bench_local(|| {
        for subject in &subjects {
            black_box(subject.interpret(&reference));
        }
    });
}

/// The embedded engine alone, on 64 invocations.
#[divan::bench(sample_count = 10)]
fn engine(bencher: Bencher<'_, '_>) {
    let subjects = subjects(&reference());
    let items = ItemsCount::new(subjects.len());
    bencher.counter(items).bench_local(|| {
        for subject in &subjects {
            let launch = std::slice::from_ref(&subject.launch);
            black_box(subject.prepared.run(launch).is_ok());
        }
    });
}

/// The best time of each of several things, measured in turn.
fn best<const N: usize>(mut things: [&mut dyn FnMut(); N]) -> [Duration; N] {
    let mut best = [Duration::MAX; N];
    for _ in 0..SAMPLES {
        for (thing, best) in things.iter_mut().zip(&mut best) {
            let began = Instant::now();
            thing();
            *best = began.elapsed().min(*best);
        }
    }
    best
}

/// What each costs, and in units of what it stands beside.
fn ratios() {
    let shaders = translatable();
    let [decode, translate] = best([
        &mut || {
            for shader in &shaders {
                black_box(program::decode(&shader.bytes, Chip::R700).is_ok());
            }
        },
        &mut || {
            for shader in &shaders {
                black_box(shader.translate(Profile::Exact).is_ok());
            }
        },
    ]);
    let rate = |count: usize, time: Duration| count as f64 / time.as_secs_f64();
    let times = |time: Duration, of: Duration| time.as_secs_f64() / of.as_secs_f64();
    let count = shaders.len();
    println!("{count} programs are translated, on one core:");
    let promised = "";
    let line = |what: &str, count, time, of, against: &str, promised: &str| {
        println!(
            "{what:44} {:9.0} programs/s, {:6.2} times {against}{promised}",
            rate(count, time),
            times(time, of)
        );
    };
    line("decode", count, decode, decode, "itself", promised);
    line(
        "decode and translate",
        count,
        translate,
        decode,
        "decoding",
        " (promised 2000 programs/s)",
    );

    let reference = reference();
    let subjects = subjects(&reference);
    let count = subjects.len();
    let each = |how: &'static str| {
        let (subjects, reference) = (&subjects, &reference);
        move || {
            for subject in subjects {
                black_box(subject.verify(how, reference));
            }
        }
    };
    let [interpret, engine, once, prepared, all] = best([
        &mut || {
            for subject in &subjects {
                black_box(subject.interpret(&reference));
            }
        },
        &mut || {
            for subject in &subjects {
                let launch = std::slice::from_ref(&subject.launch);
                black_box(subject.prepared.run(launch).is_ok());
            }
        },
        &mut each("once"),
        &mut each("each"),
        &mut each("all"),
    ]);
    println!("{count} of them are run, on {LANES} invocations each, on one core:");
    let beside = "interpreting";
    line("interpret", count, interpret, interpret, "itself", promised);
    line(
        "run the translation",
        count,
        engine,
        interpret,
        beside,
        promised,
    );
    line(
        "verify, module prepared once",
        count,
        once,
        interpret,
        beside,
        promised,
    );
    line(
        "verify, module prepared each time",
        count,
        prepared,
        interpret,
        beside,
        " (promised 100 programs/s on two cores)",
    );
    line(
        "translate, compile, prepare, verify",
        count,
        all,
        interpret,
        beside,
        promised,
    );
}
