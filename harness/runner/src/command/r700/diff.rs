//! `assay r700 diff`: a translation side by side with the microcode.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::{Args, ValueEnum};
use corpora::execution::{Launch, Returned};
use r700::glsl::{Interface, Profile};
use serde_json::json;

use super::given::Given;
use super::glsl::ProfileName;
use super::held::{self, Held};
use super::other_trace;
use super::shaders::Surroundings;
use crate::command::{Exit, Failure, Outcome, input, output};
use crate::engine::embedded::Embedded;
use crate::engine::vulkan::VulkanEngine;
use crate::engine::{self, Engine};
use crate::engines;
use crate::execution::compare::{Comparison, Difference};
use crate::execution::contract;
use crate::execution::setup::Judge;
use crate::execution::shader::{NotTranslated, Shader};
use crate::execution::trial::{self, Attempts, NotTried, Translated, not_compiled};

const EXIT_CODES: &str = "\
Exit codes:
  0  agree: some vectors agree, and none differs
  1  differ
  2  usage, or input that is not what it should be; also if no program could be translated
  3  undecided: nothing was compared, or the specification leaves every answer open
  4  the engine is missing
Of several programs the worst counts: a difference first.";

/// Arguments of `assay r700 diff`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(in crate::command) struct Diff {
    /// A raw program, a .gsh, an .rpx, a programs.jsonl, or a directory of such; - for standard input
    file: PathBuf,
    /// A translation to judge instead of the project's own: GLSL 450, or SPIR-V; - for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "trace")]
    translation: Option<PathBuf>,
    /// Another emulator's trace to hold against the interpreter's: JSON lines; - for standard input
    #[arg(
        long,
        value_name = "FILE",
        requires = "inputs",
        conflicts_with = "save"
    )]
    trace: Option<PathBuf>,
    /// What runs the translation
    #[arg(long, value_enum, default_value_t = EngineName::Embedded)]
    engine: EngineName,
    /// How close the project's own translation keeps to the hardware
    #[arg(long, value_enum, default_value_t = ProfileName::Exact)]
    profile: ProfileName,
    #[command(flatten)]
    given: Given,
    #[command(flatten)]
    surroundings: Surroundings,
    /// Write the first difference, cut to its group, as a case to this file
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Print JSON: an entry for each shader and engine, those that could not be judged among them
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EngineName {
    /// The interpreter of SPIR-V that is part of Assay
    Embedded,
    /// A Vulkan device
    Vulkan,
    /// Both
    Both,
}

/// What came of a shader.
enum Tried {
    Held(Box<Held>),
    /// There is no translation to judge, for this reason.
    Refused(String, String),
    /// It could not be judged.
    Failed(String, String),
}

impl Diff {
    pub(super) fn run(self) -> Outcome {
        let inputs: [Option<(&'static str, &Path)>; 5] = [
            Some(("FILE", &self.file)),
            self.translation
                .as_deref()
                .map(|path| ("--translation", path)),
            self.trace.as_deref().map(|path| ("--trace", path)),
            self.given.path().map(|path| ("--inputs", path)),
            self.surroundings
                .fetch_shader()
                .map(|path| ("--fetch-shader", path)),
        ];
        input::standard_input_once(inputs.into_iter().flatten())?;
        let found = self.surroundings.read(std::slice::from_ref(&self.file))?;
        if let Some(other) = &self.trace {
            return other_trace::hold(&found.one()?, &self.given, other, self.json);
        }
        let brought = match &self.translation {
            Some(path) => Some(input::read(path)?),
            None => None,
        };
        let (shaders, unread) = match brought {
            Some(_) => (vec![found.one()?], Vec::new()),
            None => (found.shaders, found.unread),
        };
        let judges = self.judges()?;
        let mut all = Vec::new();
        for shader in &shaders {
            self.shader(shader, brought.as_deref(), &judges, &mut all);
        }
        self.save(&all)?;
        self.print(&all)?;
        let mut exits: Vec<Exit> = unread
            .iter()
            .map(|failure| {
                output::complain(&failure.error);
                failure.exit
            })
            .collect();
        let mut refused = Vec::new();
        for tried in &all {
            match tried {
                Tried::Held(held) => exits.push(held.exit()),
                Tried::Refused(shader, why) => refused.push(format!("{shader}: {why}")),
                Tried::Failed(shader, why) => {
                    output::complain(&anyhow!("{shader}: {why}"));
                    exits.push(Exit::Usage);
                }
            }
        }
        if exits.is_empty() {
            return Err(Failure::usage(anyhow!(
                "nothing was run: {}",
                refused.join("; ")
            )));
        }
        Ok(Exit::worst(exits))
    }

    fn judges(&self) -> Result<Vec<Judge>, Failure> {
        let mut engines: Vec<Box<dyn Engine>> = Vec::new();
        if self.engine != EngineName::Vulkan {
            engines.push(Box::new(Embedded::default()));
        }
        if self.engine != EngineName::Embedded {
            let engine = VulkanEngine::open().map_err(|why| Failure {
                exit: Exit::Peer,
                error: anyhow!("no Vulkan engine: {why}"),
            })?;
            engines.push(Box::new(engine));
        }
        let judges = engines
            .into_iter()
            .map(engines::judge)
            .collect::<Result<_, _>>();
        Ok(judges.map_err(|why| anyhow!(why))?)
    }

    /// Judges one shader on every engine.
    fn shader(
        &self,
        shader: &Shader,
        brought: Option<&[u8]>,
        judges: &[Judge],
        all: &mut Vec<Tried>,
    ) {
        let name = || shader.origin.clone();
        let prepared = match brought {
            None => self.own(shader),
            Some(bytes) => self.brought(shader, bytes),
        };
        match prepared {
            Ok((translated, inputs)) => {
                for judge in judges {
                    all.push(match hold(shader, &translated, &inputs, judge) {
                        Ok(held) => Tried::Held(Box::new(held)),
                        Err(error) => Tried::Failed(name(), error.to_string()),
                    });
                }
            }
            Err(refusal @ (NotTried::Translation(_) | NotTried::NoCompiler(_))) => {
                all.push(Tried::Refused(name(), refusal.to_string()));
            }
            Err(error) => all.push(Tried::Failed(name(), error.to_string())),
        }
    }

    fn inputs(&self, shader: &Shader) -> Result<Vec<Attempts>, NotTried> {
        let inputs = self.given.environments(shader);
        inputs.map_err(|failure| NotTried::Given(format!("{:#}", failure.error)))
    }

    /// The project's own translation, and what it is run on.
    fn own(&self, shader: &Shader) -> Result<(Translated, Vec<Attempts>), NotTried> {
        let translated = Translated::own(shader, self.profile.profile())?;
        let inputs = self.inputs(shader)?;
        Ok((translated, inputs))
    }

    /// The translation that the user brings, and what it is run on.
    fn brought(
        &self,
        shader: &Shader,
        bytes: &[u8],
    ) -> Result<(Translated, Vec<Attempts>), NotTried> {
        let path = self.translation.as_deref().unwrap_or(Path::new("-"));
        let name = input::name(path);
        let (source, spirv) = if bytes.starts_with(&0x0723_0203_u32.to_le_bytes()) {
            let words = bytes.chunks_exact(4);
            let words = words.map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
            (None, words.collect())
        } else {
            let source = String::from_utf8(bytes.to_vec())
                .map_err(|_| NotTried::Given(format!("{name}: neither SPIR-V nor UTF-8 text")))?;
            let spirv = engine::glsl::to_spirv(&source, shader.stage);
            let spirv = spirv.map_err(|error| match not_compiled(error) {
                NotTried::Compile(why) => NotTried::Compile(format!("{name}: {why}")),
                other => other,
            })?;
            (Some(source), spirv)
        };
        let mut translated = Translated {
            source,
            spirv,
            interface: Interface::default(),
        };
        // The contract's interface is read off the own translation, which need not be right for that.
        let own = shader.translate(Profile::Exact);
        let inputs = match own.or_else(|_| shader.translate(Profile::Fast)) {
            Ok(own) => {
                translated.interface = own.interface;
                contract::link(&mut translated.interface, shader)
                    .map_err(NotTranslated::Program)?;
                self.inputs(shader)?
            }
            Err(_) => {
                let inputs = self.inputs(shader)?;
                if let Some(environment) = inputs.first().and_then(|attempts| attempts.0.first()) {
                    translated.interface =
                        contract::interface(shader, environment).map_err(NotTranslated::Program)?;
                }
                inputs
            }
        };
        Ok((translated, inputs))
    }

    fn save(&self, all: &[Tried]) -> Result<(), Failure> {
        let Some(path) = &self.save else {
            return Ok(());
        };
        let case = all.iter().find_map(|tried| match tried {
            Tried::Held(held) => held.case.as_ref(),
            _ => None,
        });
        match case {
            Some(case) => {
                std::fs::write(path, case)
                    .map_err(|error| anyhow!("{}: {error}", path.display()))?;
                output::note(&format!(
                    "the first difference is a case in {}",
                    path.display()
                ));
            }
            None => output::note("no case was saved: nothing differs in a group"),
        }
        Ok(())
    }

    fn print(&self, all: &[Tried]) -> Result<(), Failure> {
        if self.json {
            let entries = all.iter().map(|tried| match tried {
                Tried::Held(held) => held.json(),
                Tried::Refused(shader, why) => json!({ "shader": shader, "refused": why }),
                Tried::Failed(shader, why) => json!({ "shader": shader, "failed": why }),
            });
            return Ok(output::print_json(&entries.collect::<Vec<_>>())?);
        }
        let mut text = String::new();
        let was_held = all.iter().any(|tried| matches!(tried, Tried::Held(_)));
        for tried in all {
            match tried {
                Tried::Held(held) => text.push_str(&held.text()),
                // The error says it, if there is nothing else to say.
                Tried::Refused(shader, why) if was_held => {
                    let line = output::printable(&format!("{shader}: {why}"));
                    let _ = writeln!(text, "not run: {line}");
                }
                Tried::Refused(..) | Tried::Failed(..) => {}
            }
        }
        Ok(output::print(&text)?)
    }
}

/// Judges a translation on one engine.
fn hold(
    shader: &Shader,
    translated: &Translated,
    inputs: &[Attempts],
    judge: &Judge,
) -> Result<Held, NotTried> {
    let program = judge.reference.program(shader)?;
    let prepared = judge.engine.prepare(&translated.spirv, shader.stage)?;
    let mut held = Held {
        shader: shader.origin.clone(),
        engine: judge.engine.name().to_owned(),
        comparison: Comparison::default(),
        skipped: 0,
        divergence: None,
        unprobed: None,
        case: None,
    };
    let mut judged = Vec::new();
    for attempts in inputs {
        let lanes = attempts.0.first().map_or(0, |first| first.lanes.len());
        let run = |environment: &_| judge.reference.run(&program, environment, &mut ());
        match attempts.clone().settle(run) {
            Some(Ok(settled)) => judged.push(settled),
            Some(Err(error)) if error.is_limit() => held.skipped += lanes as u64,
            Some(Err(error)) => return Err(error.into()),
            None => {}
        }
    }
    let launches: Vec<_> = judged
        .iter()
        .map(|(environment, _)| translated.launch(environment))
        .collect();
    let (returned, endless) = run(&*prepared, &launches)?;
    for ((environment, outcome), returned) in judged.iter().zip(&returned) {
        let comparison = trial::compare(outcome, returned, translated, environment);
        if let (true, Some(first)) = (
            held.comparison.differences.is_empty(),
            comparison.differences.first(),
        ) {
            let divergence = trial::diverge(
                &judge.reference,
                &program,
                shader,
                translated,
                environment,
                first.lane,
                &*judge.engine,
            );
            match divergence {
                Ok(divergence) => held.divergence = divergence,
                // The verdict is that of the run without probes.
                Err(error) => held.unprobed = Some(format!("with probes in it: {error}")),
            }
            held.case = held
                .divergence
                .as_ref()
                .and_then(|divergence| held::case(shader, divergence));
        }
        held.comparison.add(comparison);
    }
    if let Some(bound) = endless {
        let mut rest = judged.iter().skip(returned.len());
        let lanes = rest
            .next()
            .map_or(0, |(environment, _)| environment.lanes.len());
        let differences = (0..lanes).map(|lane| Difference {
            lane,
            what: "the run".to_owned(),
            allowed: "it ends".to_owned(),
            found: format!("it did not end within {bound}"),
        });
        held.comparison.differences.extend(differences);
        held.skipped += rest
            .map(|(environment, _)| environment.lanes.len() as u64)
            .sum::<u64>();
    }
    Ok(held)
}

/// Runs a translation, up to the first run that does not end; and the bound that this one went over.
fn run(
    prepared: &dyn engine::Program,
    launches: &[Launch],
) -> Result<(Vec<Returned>, Option<String>), engine::Error> {
    let bound = match prepared.run(launches) {
        Err(engine::Error::Endless(bound)) => bound,
        ended => return Ok((ended?, None)),
    };
    let mut returned = Vec::new();
    for launch in launches {
        // A device that was lost to the run before runs nothing more.
        let Ok(one) = prepared.run(std::slice::from_ref(launch)) else {
            break;
        };
        returned.extend(one);
    }
    Ok((returned, Some(bound)))
}
