//! Whatever the program: the translator, the compiler behind it and the interpreter neither panic nor run for ever, what they
//! refuse they refuse in one line, and what the translator emits compiles.
//!
//! `ASSAY_ROUNDS` sets how many programs are tried.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use assay::engine::glsl::compile;
use assay::engines;
use assay::execution::shader::Shader;
use assay::execution::trial::Reference;
use assay::execution::vectors;
use corpora::execution::{
    Buffer, Dimension, Environment, Lane, LoopConstant, Outside, Stage, Vec4,
};
use corpora::generate::{Random, mutate, r700 as generated};
use oracles::r700::execution::Limits;
use r700::glsl::{self, Options, Profile, Texel, TextureKind, TextureShape};
use r700::{Chip, program};

/// Programs that are tried if `ASSAY_ROUNDS` does not say how many.
const ROUNDS: u64 = 2000;

/// What one step may take. A debug build under load is far below it; a loop without end is not.
const PATIENCE: Duration = Duration::from_secs(20);

/// Words that sizes, registers and selects like to be tripped by.
const INTERESTING: [u32; 8] = [
    0,
    1,
    u32::MAX,
    0x8000_0000,
    0x7fff_ffff,
    0x0020_0000,
    0x8580_0001,
    0x8180_0000,
];

fn rounds() -> u64 {
    let given = std::env::var("ASSAY_ROUNDS").ok();
    given
        .map(|text| text.parse().expect("ASSAY_ROUNDS is a number"))
        .unwrap_or(ROUNDS)
}

/// The programs of the project's own corpus, little-endian.
fn compiled() -> Vec<Vec<u8>> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/r700/mesa/programs.jsonl");
    let text = fs::read_to_string(path).expect("readable");
    let bytes = |line: &str| {
        let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let words = line["words"].as_array().expect("words").iter();
        words
            .flat_map(|word| {
                let word = u32::from_str_radix(word.as_str().expect("a word"), 16);
                word.expect("hexadecimal").to_le_bytes()
            })
            .collect()
    };
    text.lines().map(bytes).collect()
}

/// Two quads less one lane, with a bit of everything that a program can read.
fn environment(stage: Stage, random: &mut Random) -> Environment {
    let mut environment = Environment::new(stage);
    let vector = |random: &mut Random| -> Vec4 {
        std::array::from_fn(|_| vectors::word(random, vectors::Temper::Wild))
    };
    for lane in 0..7 {
        let registers: BTreeMap<u8, Vec4> = (0..4).map(|gpr| (gpr, vector(random))).collect();
        environment.lanes.push(Lane {
            registers,
            helper: stage == Stage::Pixel && lane == 5,
        });
    }
    environment.constants = (0..20).map(|_| vector(random)).collect();
    for bank in 0..2 {
        let entries = (0..24).map(|_| vector(random)).collect();
        environment.blocks.insert(bank, entries);
    }
    environment.booleans = random.word() as u32;
    environment.loops[0] = LoopConstant(random.word() as u32);
    environment.loops[1] = LoopConstant::new(3, 4095, -128);
    for id in [0, 1, 160] {
        let buffer = Buffer {
            stride: random.below(20) as u32,
            bytes: (0..61).map(|_| random.word() as u8).collect(),
            format: None,
            outside: Outside::Nan,
        };
        environment.buffers.insert(id, buffer);
    }
    let shapes = [
        Dimension::D2,
        Dimension::D1,
        Dimension::D3,
        Dimension::Cube,
        Dimension::D2Array,
    ];
    for (id, dimension) in (0..).zip(shapes) {
        let texture = vectors::texture(dimension, random.one_in(3), random);
        environment.textures.insert(id, texture);
        environment.samplers.insert(id, vectors::sampler(random));
    }
    environment
}

/// What the translator is told of the same environment.
fn options<'a>(
    stage: Stage,
    profile: Profile,
    fetch_shader: Option<&'a r700::Program>,
) -> Options<'a> {
    let shapes = [
        TextureShape::D2,
        TextureShape::D1,
        TextureShape::D3,
        TextureShape::Cube,
        TextureShape::D2Array,
    ];
    let mut dimensions: BTreeMap<u8, TextureKind> =
        (0..).zip(shapes.map(TextureKind::float)).collect();
    dimensions.insert(
        5,
        TextureKind {
            texel: Texel::Uint,
            ..TextureKind::default()
        },
    );
    Options {
        stage: match stage {
            Stage::Vertex => glsl::Stage::Vertex,
            Stage::Pixel => glsl::Stage::Pixel,
        },
        profile,
        attributes: glsl::Attributes::Buffers,
        fetch_shader,
        dimensions,
        strides: [(0, 0), (1, 7)].into(),
        ..Options::default()
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Faults of a campaign, by kind: one example each.
#[derive(Default)]
struct Faults(BTreeMap<String, String>);

impl Faults {
    fn add(&mut self, what: String, bytes: &[u8]) {
        // Numbers apart it is the same fault.
        let kind = what
            .chars()
            .filter(|c| !c.is_ascii_digit())
            .take(100)
            .collect();
        self.0
            .entry(kind)
            .or_insert_with(|| format!("{what}\n    {}", hexadecimal(bytes)));
    }

    /// Runs a step and watches it.
    fn watch<T>(&mut self, step: &str, bytes: &[u8], run: impl FnOnce() -> T) -> Option<T> {
        let start = Instant::now();
        let found = assay::guard::catch(run);
        let taken = start.elapsed();
        if taken > PATIENCE {
            self.add(format!("{step} takes {taken:?}"), bytes);
        }
        match found {
            Ok(found) => Some(found),
            Err(panic) => {
                self.add(format!("{step} panics: {panic}"), bytes);
                None
            }
        }
    }

    fn one_line(&mut self, step: &str, message: &str, bytes: &[u8]) {
        if message.is_empty() || message.contains('\n') {
            self.add(
                format!("{step} refuses in other than one line: {message:?}"),
                bytes,
            );
        }
    }
}

/// How often each step got through.
#[derive(Debug, Default)]
struct Counts {
    decoded: u64,
    translated: u64,
    refusals: BTreeSet<String>,
    ran: u64,
    ended: u64,
}

struct Campaign {
    reference: Reference,
    faults: Faults,
    counts: Counts,
}

impl Campaign {
    fn new() -> Self {
        let mut reference = engines::reference("embedded").expect("tables and a policy");
        reference.limits = Limits {
            groups: 2000,
            control: 2000,
            stack: 64,
        };
        Self {
            reference,
            faults: Faults::default(),
            counts: Counts::default(),
        }
    }

    fn translate(&mut self, bytes: &[u8], fetches: Option<&r700::Program>) {
        let decoded = self
            .faults
            .watch("the decoder", bytes, || program::decode(bytes, Chip::R700));
        let Some(Ok(decoded)) = decoded else {
            return;
        };
        self.counts.decoded += 1;
        for stage in [Stage::Pixel, Stage::Vertex] {
            for profile in [Profile::Exact, Profile::Fast] {
                let options = options(stage, profile, fetches);
                let translate = || glsl::translate(&decoded, &options);
                match self.faults.watch("the translator", bytes, translate) {
                    Some(Ok(translation)) => {
                        self.counts.translated += 1;
                        let compile = || compile(&translation.source, stage);
                        // naga holds vertex shaders to WebGPU's rule that they have a position. GLSL has no such rule, and
                        // what is no vertex shader has no position.
                        let outputs = &translation.interface.outputs;
                        let position = outputs
                            .iter()
                            .any(|output| output.place == glsl::Place::Builtin("gl_Position"));
                        if stage == Stage::Vertex && !position {
                            continue;
                        }
                        if let Some(Err(error)) = self.faults.watch("naga", bytes, compile) {
                            let what = format!("a {} translation: {error}", stage.name());
                            self.faults.add(what, bytes);
                        }
                    }
                    Some(Err(refusal)) => {
                        let message = refusal.to_string();
                        self.faults.one_line("the translator", &message, bytes);
                        let kind = message.chars().filter(|c| !c.is_ascii_digit());
                        self.counts.refusals.insert(kind.collect());
                    }
                    None => {}
                }
            }
        }
    }

    fn interpret(&mut self, bytes: &[u8], environment: &Environment) {
        let shader = Shader::new("a program", bytes.to_vec(), environment.stage);
        let reference = &self.reference;
        let prepare = || reference.program(&shader);
        let prepared = self.faults.watch("Program::new", bytes, prepare);
        let program = match prepared {
            Some(Ok(program)) => program,
            Some(Err(error)) => {
                return self
                    .faults
                    .one_line("Program::new", &error.to_string(), bytes);
            }
            None => return,
        };
        let found = self.faults.watch("the interpreter", bytes, || {
            reference.run(&program, environment, &mut ())
        });
        self.counts.ran += 1;
        match found {
            Some(Ok(outcome)) => {
                assert_eq!(outcome.lanes.len(), environment.lanes.len());
                self.counts.ended += 1;
            }
            Some(Err(error)) => self
                .faults
                .one_line("the interpreter", &error.to_string(), bytes),
            None => {}
        }
    }
}

#[test]
fn no_program_breaks_either_side() {
    let compiled = compiled();
    let mut campaign = Campaign::new();
    let mut random = Random::new(7, 1);
    for round in 0..rounds() {
        let mut bytes = Vec::new();
        // What is generated is mostly refused early; what is near to a compiler's goes far.
        if round % 4 == 0 {
            generated::program(&mut random, &mut bytes);
        } else {
            bytes.clone_from(random.pick(&compiled));
            if round >= compiled.len() as u64 {
                mutate::words(&mut bytes, &mut random, &INTERESTING, false);
            }
        }
        let fetches = random.one_in(2).then(|| {
            let mut fetches = random.pick(&compiled).clone();
            if random.one_in(2) {
                mutate::words(&mut fetches, &mut random, &INTERESTING, false);
            }
            fetches
        });
        let decoded = fetches
            .as_ref()
            .and_then(|bytes| program::decode(bytes, Chip::R700).ok());
        campaign.translate(&bytes, decoded.as_ref());
        let stage = if random.one_in(2) {
            Stage::Pixel
        } else {
            Stage::Vertex
        };
        let mut environment = environment(stage, &mut random);
        environment.fetch_shader = fetches;
        campaign.interpret(&bytes, &environment);
    }
    let Campaign { faults, counts, .. } = campaign;
    let found: Vec<_> = faults.0.into_values().collect();
    assert!(
        found.is_empty(),
        "{} kinds of faults:\n{}",
        found.len(),
        found.join("\n")
    );
    // The campaign is one: enough gets through every step.
    let enough = rounds() / 20;
    assert!(
        counts.decoded > enough && counts.translated > enough && counts.ended > enough,
        "{counts:?}"
    );
}
