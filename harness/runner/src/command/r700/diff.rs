//! `assay r700 diff`: a translation side by side with the microcode.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::anyhow;
use clap::{Args, ValueEnum};
use oracles::r700::execution::TraceWriter;
use r700::glsl::Profile;
use serde_json::json;

use super::given::Given;
use super::glsl::ProfileName;
use super::shaders::Surroundings;
use crate::command::{Exit, Failure, Outcome, input, output};
use crate::engine::embedded::Embedded;
use crate::engine::vulkan::VulkanEngine;
use crate::engine::{self, Engine};
use crate::engines;
use crate::execution::compare::{Comparison, describe, show};
use crate::execution::divergence::Divergence;
use crate::execution::other_trace;
use crate::execution::setup::Judge;
use crate::execution::shader::Shader;
use crate::execution::slice::slice;
use crate::execution::trial::{self, NotTried, Translated};

/// Arguments of `assay r700 diff`.
#[derive(Debug, Args)]
pub(in crate::command) struct Diff {
    /// A raw program, a .gsh, a programs.jsonl, a directory, or - for standard input
    file: PathBuf,
    /// A translation to judge instead of the project's own: GLSL 450, or SPIR-V (.spv)
    #[arg(long, value_name = "FILE", conflicts_with = "trace")]
    translation: Option<PathBuf>,
    /// Another emulator's trace to hold against the interpreter's: JSON lines
    #[arg(long, value_name = "FILE", requires = "inputs")]
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
    /// Print JSON
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

/// What one shader on one engine came to.
struct Held {
    shader: String,
    engine: String,
    comparison: Comparison,
    divergence: Option<Divergence>,
    case: Option<String>,
}

impl Diff {
    pub(super) fn run(self) -> Outcome {
        let shaders = self.surroundings.read(std::slice::from_ref(&self.file))?;
        if let Some(other) = &self.trace {
            return self.against_trace(&shaders, other);
        }
        if self.translation.is_some() && shaders.len() > 1 {
            let names: Vec<_> = shaders
                .iter()
                .map(|shader| shader.origin.as_str())
                .collect();
            return Err(Failure::usage(anyhow!(
                "one translation, but several shaders: {}",
                names.join(", ")
            )));
        }
        let judges = self.judges()?;
        let mut all = Vec::new();
        let mut refused = Vec::new();
        for shader in &shaders {
            match self.translated(shader) {
                Ok(translated) => {
                    for judge in &judges {
                        let held = self.hold(shader, &translated, judge);
                        all.push(held.map_err(|error| {
                            Failure::usage(anyhow!("{}: {error}", shader.origin))
                        })?);
                    }
                }
                Err(refusal @ (NotTried::Translation(_) | NotTried::NoCompiler(_))) => {
                    refused.push(format!("{}: {refusal}", shader.origin))
                }
                Err(error) => return Err(Failure::usage(anyhow!("{}: {error}", shader.origin))),
            }
        }
        if all.is_empty() {
            return Err(Failure::usage(anyhow!(
                "nothing was run: {}",
                refused.join("; ")
            )));
        }
        self.save(&all)?;
        if self.json {
            output::print_json(&all.iter().map(Held::json).collect::<Vec<_>>())?;
        } else {
            let mut text: String = all.iter().map(Held::text).collect();
            for refusal in &refused {
                let _ = writeln!(text, "not translated: {}", output::printable(refusal));
            }
            output::print(&text)?;
        }
        let differs = all
            .iter()
            .any(|held| !held.comparison.differences.is_empty());
        Ok(if differs { Exit::Findings } else { Exit::Agree })
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

    /// The translation to judge: the project's own, or what the user brings in its place.
    fn translated(&self, shader: &Shader) -> Result<Translated, NotTried> {
        let own = Translated::own(shader, self.profile.profile());
        let Some(path) = &self.translation else {
            return own;
        };
        // The contract's interface is read off the own translation, which need not be right for that.
        let own = own.or_else(|_| Translated::own(shader, Profile::Fast))?;
        let bytes =
            input::read(path).map_err(|failure| NotTried::Given(format!("{:#}", failure.error)))?;
        let name = input::name(path);
        if bytes.starts_with(&0x0723_0203_u32.to_le_bytes()) {
            let words = bytes.chunks_exact(4);
            let words = words.map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
            return Ok(Translated {
                source: None,
                spirv: words.collect(),
                interface: own.interface,
            });
        }
        let source = String::from_utf8(bytes)
            .map_err(|_| NotTried::Given(format!("{name}: neither SPIR-V nor UTF-8 text")))?;
        let spirv = engine::glsl::to_spirv(&source, shader.stage)
            .map_err(|error| NotTried::Compile(format!("{name}: {error}")))?;
        Ok(Translated {
            source: Some(source),
            spirv,
            interface: own.interface,
        })
    }

    fn hold(
        &self,
        shader: &Shader,
        translated: &Translated,
        judge: &Judge,
    ) -> Result<Held, NotTried> {
        let program = judge.reference.program(shader)?;
        let prepared = judge.engine.prepare(&translated.spirv, shader.stage)?;
        let environments = self
            .given
            .environments(shader, Some(translated))
            .map_err(|failure| NotTried::Given(format!("{:#}", failure.error)))?;
        let mut judged = Vec::new();
        for attempts in environments {
            let run = |environment: &_| judge.reference.run(&program, environment, &mut ());
            if let Some(settled) = attempts.settle(run) {
                judged.push(settled?);
            }
        }
        let launches: Vec<_> = judged
            .iter()
            .map(|(environment, _)| translated.launch(environment))
            .collect();
        let returned = prepared.run(&launches)?;
        let mut held = Held {
            shader: shader.origin.clone(),
            engine: judge.engine.name().to_owned(),
            comparison: Comparison::default(),
            divergence: None,
            case: None,
        };
        for ((environment, outcome), returned) in judged.iter().zip(&returned) {
            let comparison = trial::compare(outcome, returned, translated, environment);
            if let (true, Some(first)) = (
                held.comparison.differences.is_empty(),
                comparison.differences.first(),
            ) {
                held.divergence = trial::diverge(
                    &judge.reference,
                    &program,
                    shader,
                    translated,
                    environment,
                    first.lane,
                    &*judge.engine,
                )?;
                held.case = held
                    .divergence
                    .as_ref()
                    .and_then(|divergence| case(shader, divergence));
            }
            held.comparison.add(comparison);
        }
        Ok(held)
    }

    fn save(&self, all: &[Held]) -> Result<(), Failure> {
        let Some(path) = &self.save else {
            return Ok(());
        };
        match all.iter().find_map(|held| held.case.as_ref()) {
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

    fn against_trace(&self, shaders: &[Shader], other: &std::path::Path) -> Outcome {
        let [shader] = shaders else {
            return Err(Failure::usage(anyhow!(
                "one trace, but {} shaders",
                shaders.len()
            )));
        };
        let reference = engines::reference("embedded").map_err(|why| anyhow!(why))?;
        let program = reference.program(shader).map_err(Failure::usage)?;
        let attempts = self.given.first(shader, None)?;
        let environment = attempts
            .0
            .into_iter()
            .next()
            .ok_or_else(|| anyhow!("no inputs"))?;
        let mut trace = TraceWriter::new(Vec::new(), environment.lanes.len());
        reference
            .run(&program, &environment, &mut trace)
            .map_err(Failure::usage)?;
        let own = String::from_utf8(trace.finish()?)?;
        let name = input::name(other);
        let text = String::from_utf8(input::read(other)?)
            .map_err(|error| Failure::usage(anyhow!("{name}: {error}")))?;
        let compared = other_trace::compare(&own, &text)
            .map_err(|why| Failure::usage(anyhow!("{name}: {why}")))?;
        let counts = format!(
            "{} records, {} words compared, {} of them unknown",
            compared.records, compared.words, compared.unknown
        );
        match &compared.parting {
            None => output::print(&format!("agree: {counts}\n"))?,
            Some(parting) => {
                let slot = parting
                    .slot
                    .map_or_else(|| "the end".to_owned(), |slot| format!("slot {slot}"));
                output::print(&format!(
                    "differ at {slot}, line {} of {name}: {}\n  interpreter  {}\n  other        {}\n{counts}\n",
                    parting.line,
                    output::printable(&parting.what),
                    parting.reference,
                    output::printable(&parting.other),
                ))?;
            }
        }
        Ok(if compared.parting.is_some() {
            Exit::Findings
        } else {
            Exit::Agree
        })
    }
}

/// The case of a divergence, cut to its group.
fn case(shader: &Shader, divergence: &Divergence) -> Option<String> {
    let Divergence::Value {
        step, operation, ..
    } = divergence
    else {
        return None;
    };
    let decoded = r700::program::decode(&shader.bytes, shader.chip).ok()?;
    let cut = slice(&decoded, step, (*operation)?)?.ok()?;
    let name = &step.operations[(*operation)?].name;
    Some(cut.case(
        "r700/execution/saved",
        &format!("{name} at slot {} of {}", step.slot, shader.origin),
    ))
}

impl Held {
    fn text(&self) -> String {
        let comparison = &self.comparison;
        let mut text = String::new();
        let verdict = if comparison.differences.is_empty() {
            "agree"
        } else {
            "differ"
        };
        let _ = writeln!(
            text,
            "{verdict}: {} on the {} engine: {} vectors agree, {} within what is open, {} poisoned, {} differ",
            output::printable(&self.shader),
            self.engine,
            comparison.agree,
            comparison.within,
            comparison.poisoned,
            comparison.differences.len()
        );
        if let Some(first) = comparison.differences.first() {
            let _ = writeln!(
                text,
                "  lane {}: {}\n    interpreter  {}\n    translation  {}",
                first.lane, first.what, first.allowed, first.found
            );
        }
        match &self.divergence {
            Some(Divergence::Value {
                step,
                at,
                what,
                allowed,
                found,
                operation,
            }) => {
                let _ = writeln!(
                    text,
                    "  first divergent group: slot {}, after {at} others",
                    step.slot
                );
                for (number, one) in step.operations.iter().enumerate() {
                    let mark = if Some(number) == *operation { ">" } else { " " };
                    let unit = one
                        .unit
                        .map_or_else(|| "fetch".to_owned(), |unit| unit.letter().to_string());
                    let operands: Vec<_> = one.operands.iter().map(describe).collect();
                    let _ = writeln!(
                        text,
                        "  {mark} {unit}: {} {}",
                        one.name,
                        operands.join("; ")
                    );
                }
                let _ = writeln!(
                    text,
                    "  {what}\n    interpreter  {}\n    translation  {}",
                    describe(allowed),
                    show(*found)
                );
            }
            Some(Divergence::Path {
                at,
                microcode,
                translation,
            }) => {
                let slot = |slot: &Option<u32>| {
                    slot.map_or_else(|| "the end".to_owned(), |slot| format!("slot {slot}"))
                };
                let _ = writeln!(
                    text,
                    "  after {at} groups they part\n    interpreter  {}\n    translation  {}",
                    slot(microcode),
                    slot(translation)
                );
            }
            None if !comparison.differences.is_empty() => {
                text.push_str("  no group of it could be looked into: the translation has no markers (//@ slot …), or only its exports differ\n");
            }
            None => {}
        }
        for (reason, count) in &comparison.reasons {
            let _ = writeln!(text, "  open: {count} words: {reason}");
        }
        text
    }

    fn json(&self) -> serde_json::Value {
        let comparison = &self.comparison;
        let first = comparison.differences.first().map(|first| {
            json!({
                "lane": first.lane,
                "what": first.what,
                "interpreter": first.allowed,
                "translation": first.found,
            })
        });
        let divergence = self.divergence.as_ref().map(|divergence| match divergence {
            Divergence::Value { step, at, what, allowed, found, operation } => json!({
                "slot": step.slot,
                "after": at,
                "op": operation.map(|at| &step.operations[at].name),
                "operands": operation.map(|at| step.operations[at].operands.iter().map(describe).collect::<Vec<_>>()),
                "what": what,
                "interpreter": describe(allowed),
                "translation": show(*found),
            }),
            Divergence::Path { at, microcode, translation } => {
                json!({ "after": at, "interpreter_slot": microcode, "translation_slot": translation })
            }
        });
        json!({
            "shader": self.shader,
            "engine": self.engine,
            "agree": comparison.agree,
            "within": comparison.within,
            "poisoned": comparison.poisoned,
            "differ": comparison.differences.len(),
            "open": comparison.reasons,
            "first": first,
            "divergence": divergence,
            "case": self.case,
        })
    }
}
