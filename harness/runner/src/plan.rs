//! What a run does: a list of jobs, in an order that does not depend on anything but the settings.

mod enumerated;

use std::collections::BTreeMap;

use corpora::generate::unit::EXHAUSTIVE_WIDTH;
use corpora::hex;
use sha2::{Digest, Sha256};

use crate::context::Context;
use crate::finding::Kind;
use crate::report::model::NotRun;

/// How much a run does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A second or two: whether the parts fit together at all.
    Smoke,
    /// Under a minute.
    Quick,
    /// All values of every field of the main chip's 64-bit units, and 10⁹ random words of each of these units.
    Full,
}

impl Mode {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Smoke => "smoke",
            Self::Quick => "quick",
            Self::Full => "full",
        }
    }
}

/// A piece of work. Jobs share nothing, so they run in any order and on any shard.
#[derive(Clone, Debug)]
pub struct Job {
    /// Index of the target in the context.
    pub target: usize,
    /// The kind of check.
    pub kind: Kind,
    /// The part of the kind that its cases are counted under.
    pub part: String,
    /// What to do.
    pub work: Work,
}

/// What a job does.
#[derive(Clone, Debug)]
pub enum Work {
    /// Golden cases `[start, end)` of the target.
    Golden {
        /// First case.
        start: usize,
        /// One past the last.
        end: usize,
    },
    /// A law over corpus inputs `[start, end)`.
    LawOnInputs {
        /// Index of the law.
        law: usize,
        /// First input.
        start: usize,
        /// One past the last.
        end: usize,
    },
    /// A law over generated inputs.
    LawOnGenerated {
        /// Index of the law.
        law: usize,
        /// Index of the generator.
        generator: usize,
        /// The random stream.
        stream: u64,
        /// How many inputs.
        count: u64,
    },
    /// A law over random words of a unit.
    LawOnUnit {
        /// Index of the law.
        law: usize,
        /// Index of the unit.
        unit: usize,
        /// The random stream.
        stream: u64,
        /// How many words.
        count: u64,
    },
    /// Decoder, oracle and peer on corpus inputs `[start, end)`.
    Inputs {
        /// First input.
        start: usize,
        /// One past the last.
        end: usize,
    },
    /// Decoder and oracle on generated inputs.
    Generated {
        /// Index of the generator.
        generator: usize,
        /// The random stream.
        stream: u64,
        /// How many inputs.
        count: u64,
    },
    /// Values of one field of a unit, each against random other bits.
    Field {
        /// Index of the unit.
        unit: usize,
        /// Index of the field in the unit.
        field: usize,
        /// Which values.
        values: Values,
        /// The random stream.
        stream: u64,
        /// Random fillings of the other bits for each value.
        others: u64,
    },
    /// Random words of a unit.
    Words {
        /// Index of the unit.
        unit: usize,
        /// The random stream.
        stream: u64,
        /// How many.
        count: u64,
    },
    /// Inputs `[start, end)` of an enumeration.
    Enumerated {
        /// Index of the enumeration.
        enumeration: usize,
        /// First input.
        start: u64,
        /// One past the last.
        end: u64,
    },
    /// Execution cases of single instructions `[start, end)`.
    Instructions {
        /// First case.
        start: usize,
        /// One past the last.
        end: usize,
    },
    /// Execution cases of programs `[start, end)`.
    Programs {
        /// First case.
        start: usize,
        /// One past the last.
        end: usize,
    },
    /// Programs with known results `[start, end)`, on the inputs of these.
    Expected {
        /// First program.
        start: usize,
        /// One past the last.
        end: usize,
    },
    /// The same programs, on other inputs.
    ExpectedShaders {
        /// First program.
        start: usize,
        /// One past the last.
        end: usize,
        /// How many inputs each.
        vectors: u64,
    },
    /// Shaders of corpora `[start, end)`.
    Shaders {
        /// First shader.
        start: usize,
        /// One past the last.
        end: usize,
        /// How many inputs each.
        vectors: u64,
    },
    /// The sources of a corpus, against its microcode.
    Sources {
        /// Index of the corpus.
        corpus: usize,
    },
    /// Generated programs with nested control flow.
    Flow {
        /// The random stream.
        stream: u64,
        /// How many.
        count: u64,
    },
}

/// Values of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// All from the first to one before the last.
    Range(u64, u64),
    /// Edges, single bits and random values of a wide field.
    Samples,
}

/// Words in one job of a sweep: long enough to be worth a job, short enough to share out.
const CHUNK: u64 = 1 << 20;

/// Inputs in one job.
const INPUTS: usize = 16;

/// The sizes of a mode.
struct Sizes {
    /// Widest field that is swept whole.
    whole: u16,
    /// Fillings for each value of a field that is narrow enough for many.
    others: u64,
    /// Random words of each 64-bit unit of the main chip, and of each other unit.
    words: [u64; 2],
    /// Random words that each law takes.
    law_words: u64,
    /// Inputs that each shader runs on.
    vectors: u64,
    /// Generated programs that run.
    programs: u64,
}

impl Sizes {
    fn of(mode: Mode) -> Self {
        match mode {
            Mode::Smoke => Self {
                whole: 13,
                others: 1,
                words: [4096, 4096],
                law_words: 1024,
                vectors: 64,
                programs: 50,
            },
            Mode::Quick => Self {
                whole: 22,
                others: 4,
                words: [2 << 20, 1 << 20],
                law_words: 1 << 18,
                vectors: 128,
                programs: 500,
            },
            Mode::Full => Self {
                whole: 32,
                others: 64,
                words: [1_000_000_000, 100_000_000],
                law_words: 1 << 24,
                vectors: 1024,
                programs: 10_000,
            },
        }
    }
}

/// All jobs of a run, in order, before sharding.
pub fn jobs(context: &Context) -> Vec<Job> {
    let mut jobs = Vec::new();
    for target in 0..context.targets.len() {
        let kinds = Kind::ALL
            .into_iter()
            .filter(|kind| context.settings.wants_kind(*kind));
        for kind in kinds {
            let mut planner = Planner {
                context,
                target,
                kind,
                jobs: &mut jobs,
                stream: 0,
            };
            match kind {
                Kind::Golden => planner.golden(),
                Kind::Property => planner.property(),
                Kind::Differential => planner.differential(),
                Kind::Sweep => planner.sweep(),
                Kind::Execution => planner.execution(),
            }
        }
    }
    jobs
}

/// What a plan is told apart by: its jobs, and what they work on. Parts of one run have the same.
pub fn digest(jobs: &[Job], context: &Context) -> String {
    let mut digest = Sha256::new();
    let mut add = |bytes: &[u8]| {
        digest.update((bytes.len() as u64).to_le_bytes());
        digest.update(bytes);
    };
    for job in jobs {
        add(format!("{job:?}").as_bytes());
    }
    for golden in context.cases.iter().flatten() {
        add(golden.case.id.as_bytes());
        add(golden.case.options.to_string().as_bytes());
        add(format!("{:?}", golden.case.expect).as_bytes());
        add(&golden.case.input);
    }
    let execution = &context.execution;
    for case in &execution.cases.instructions {
        add(format!("{case:?}").as_bytes());
    }
    for case in &execution.cases.programs {
        add(format!("{case:?}").as_bytes());
    }
    let known = execution.expected.iter().map(|known| &known.shader);
    for shader in known.chain(&execution.shaders) {
        add(shader.origin.as_bytes());
        add(&shader.bytes);
    }
    for judge in &execution.judges {
        add(judge.engine.name().as_bytes());
    }
    for input in context.inputs.iter().flatten() {
        add(input.origin.as_bytes());
        add(input.options.to_string().as_bytes());
        add(&input.bytes);
    }
    hex::encode(&digest.finalize()[..8])
}

/// What a sweep does not take whole, for the list of what was not run.
pub fn sampled(jobs: &[Job], context: &Context) -> Vec<NotRun> {
    let mut fields: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for job in jobs {
        let Work::Field {
            unit,
            field,
            values: Values::Samples,
            ..
        } = job.work
        else {
            continue;
        };
        let target = &context.targets[job.target];
        let unit = &target.units()[unit];
        let bits = unit.fields[field];
        let what = format!("{} {}", target.name(), unit.options);
        let bits = format!("[{}:{}]", bits.low + bits.width - 1, bits.low);
        fields.entry(what).or_default().push(bits);
    }
    let mode = context.settings.mode.name();
    let left_out = enumerated::left_out(context);
    let entry = |(unit, bits): (String, Vec<String>)| NotRun {
        what: format!("all values of {} in {unit}", bits.join(", ")),
        reason: format!("{mode} mode takes edges, single bits and samples of fields this wide"),
    };
    fields.into_iter().map(entry).chain(left_out).collect()
}

struct Planner<'a> {
    context: &'a Context,
    target: usize,
    kind: Kind,
    jobs: &'a mut Vec<Job>,
    stream: u64,
}

impl Planner<'_> {
    fn push(&mut self, part: String, work: Work) {
        self.jobs.push(Job {
            target: self.target,
            kind: self.kind,
            part,
            work,
        });
    }

    /// A random stream of its own for each job, told apart by target, kind and number.
    fn stream(&mut self) -> u64 {
        self.stream += 1;
        let name = self.context.targets[self.target].name();
        let target = name
            .bytes()
            .fold(0_u64, |sum, byte| sum * 31 + u64::from(byte));
        (target << 32) ^ ((self.kind as u64) << 28) ^ self.stream
    }

    fn golden(&mut self) {
        let cases = self.context.cases[self.target].len();
        for start in (0..cases).step_by(INPUTS) {
            let end = (start + INPUTS).min(cases);
            self.push("cases".to_owned(), Work::Golden { start, end });
        }
    }

    fn property(&mut self) {
        let target = &self.context.targets[self.target];
        let inputs = self.context.inputs[self.target].len();
        for (law, rule) in target.laws().iter().enumerate() {
            for start in (0..inputs).step_by(INPUTS) {
                let end = (start + INPUTS).min(inputs);
                self.push(rule.name.to_owned(), Work::LawOnInputs { law, start, end });
            }
            for (generator, source) in target.generators().iter().enumerate() {
                if (rule.applies)(&source.options) {
                    // Laws cost more than a comparison: they try prefixes and variations of each input.
                    let count = (self.count(source.quick, source.full) / 10).max(1);
                    let stream = self.stream();
                    let work = Work::LawOnGenerated {
                        law,
                        generator,
                        stream,
                        count,
                    };
                    self.push(rule.name.to_owned(), work);
                }
            }
            for (unit, of) in target.units().iter().enumerate() {
                if (rule.applies)(&of.options) {
                    let count = Sizes::of(self.context.settings.mode).law_words;
                    let stream = self.stream();
                    self.push(
                        rule.name.to_owned(),
                        Work::LawOnUnit {
                            law,
                            unit,
                            stream,
                            count,
                        },
                    );
                }
            }
        }
    }

    fn count(&self, quick: u64, full: u64) -> u64 {
        match self.context.settings.mode {
            Mode::Smoke => (quick / 100).max(1),
            Mode::Quick => quick,
            Mode::Full => full,
        }
    }

    fn differential(&mut self) {
        let inputs = &self.context.inputs[self.target];
        let mut start = 0;
        // One part a corpus: inputs of a corpus stand together.
        while start < inputs.len() {
            let corpus = corpus_of(&inputs[start].origin);
            let length = inputs[start..]
                .iter()
                .take(INPUTS)
                .take_while(|input| corpus_of(&input.origin) == corpus)
                .count();
            let work = Work::Inputs {
                start,
                end: start + length,
            };
            self.push(format!("corpus {corpus}"), work);
            start += length;
        }
        for (generator, source) in self.context.targets[self.target]
            .generators()
            .iter()
            .enumerate()
        {
            let mut left = self.count(source.quick, source.full);
            while left > 0 {
                let count = left.min(2000);
                left -= count;
                let stream = self.stream();
                let work = Work::Generated {
                    generator,
                    stream,
                    count,
                };
                self.push(format!("generated {}", source.name), work);
            }
        }
    }

    /// Only one target has programs that run.
    fn execution(&mut self) {
        if self.context.targets[self.target].name() != "r700" {
            return;
        }
        let setup = &self.context.execution;
        let sizes = Sizes::of(self.context.settings.mode);
        let chunks = |count: usize, size: usize| {
            (0..count)
                .step_by(size)
                .map(move |start| (start, (start + size).min(count)))
        };
        for (start, end) in chunks(setup.cases.instructions.len(), INPUTS) {
            self.push(
                "instruction cases".to_owned(),
                Work::Instructions { start, end },
            );
        }
        for (start, end) in chunks(setup.cases.programs.len(), INPUTS) {
            self.push("program cases".to_owned(), Work::Programs { start, end });
        }
        if self.context.settings.case.is_some() {
            return;
        }
        let vectors = sizes.vectors;
        for (start, end) in chunks(setup.expected.len(), INPUTS) {
            let corpus = corpus_of(&setup.expected[start].shader.origin);
            self.push(
                format!("expected results of {corpus}"),
                Work::Expected { start, end },
            );
            let work = Work::ExpectedShaders {
                start,
                end,
                vectors,
            };
            self.push(format!("corpus {corpus}"), work);
        }
        let mut start = 0;
        while start < setup.shaders.len() {
            let corpus = corpus_of(&setup.shaders[start].origin);
            let same = setup.shaders[start..].iter().take(INPUTS / 4);
            let same = same.take_while(|shader| corpus_of(&shader.origin) == corpus);
            let end = start + same.count();
            let work = Work::Shaders {
                start,
                end,
                vectors,
            };
            self.push(format!("corpus {corpus}"), work);
            start = end;
        }
        for (corpus, (origin, _)) in setup.sources.iter().enumerate() {
            self.push(format!("sources of {origin}"), Work::Sources { corpus });
        }
        let mut left = sizes.programs;
        while left > 0 && !setup.judges.is_empty() {
            let count = left.min(50);
            left -= count;
            let stream = self.stream();
            self.push(
                "generated control flow".to_owned(),
                Work::Flow { stream, count },
            );
        }
    }

    fn sweep(&mut self) {
        self.enumerations();
        let sizes = Sizes::of(self.context.settings.mode);
        for (unit, of) in self.context.targets[self.target].units().iter().enumerate() {
            let name = of.options.to_string();
            for (field, bits) in of.fields.iter().enumerate() {
                // Units of 128 bits have 32-bit fields that mean nothing; they are sampled in every mode.
                let whole = if of.bytes == 8 && of.main {
                    sizes.whole
                } else {
                    sizes.whole.min(22)
                };
                if bits.width > whole {
                    let values = Values::Samples;
                    let stream = self.stream();
                    let others = sizes.others;
                    let work = Work::Field {
                        unit,
                        field,
                        values,
                        stream,
                        others,
                    };
                    self.push(name.clone(), work);
                    continue;
                }
                let others = if bits.width <= EXHAUSTIVE_WIDTH {
                    sizes.others
                } else {
                    1
                };
                let end = 1_u64 << bits.width;
                for first in (0..end).step_by(CHUNK as usize) {
                    let values = Values::Range(first, (first + CHUNK).min(end));
                    let stream = self.stream();
                    let work = Work::Field {
                        unit,
                        field,
                        values,
                        stream,
                        others,
                    };
                    self.push(name.clone(), work);
                }
            }
            let mut left = sizes.words[usize::from(of.bytes > 8 || !of.main)];
            while left > 0 {
                let count = left.min(CHUNK);
                left -= count;
                let stream = self.stream();
                self.push(
                    name.clone(),
                    Work::Words {
                        unit,
                        stream,
                        count,
                    },
                );
            }
        }
    }
}

/// The corpus that an origin names: its first part, and for the project's own inputs the folder.
pub fn corpus_of(origin: &str) -> &str {
    let path = origin.split(':').next().unwrap_or(origin);
    let parts = if path.starts_with("testdata/") { 3 } else { 1 };
    match path.match_indices('/').nth(parts - 1) {
        Some((end, _)) => &path[..end],
        None => path,
    }
}
