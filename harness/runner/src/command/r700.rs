//! `assay r700`: look into R600/R700 microcode.

mod diff;
mod given;
mod glsl;
mod held;
mod other_trace;
mod programs;
mod shaders;
mod tables;
mod trace;
mod which;

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use clap::{Args, Subcommand, ValueEnum};
use corpora::{Options, Outcome as Said, Status};
use r700::disasm::Listing;
use r700::sections::{Section, SectionKind};
use r700::{Chip, program};
use serde_json::json;

use super::{Exit, Failure, Outcome, output, values};
use crate::load;
use programs::Program;

/// Subcommands of `assay r700`.
#[derive(Debug, Subcommand)]
pub(super) enum R700 {
    /// Show where a program's sections are: control flow, clauses, gaps
    Layout(View),
    /// Disassemble a program: control flow with its clauses inline
    Dis(View),
    /// Translate vertex and pixel shaders to GLSL 450
    Glsl(glsl::Glsl),
    /// Run a program on the reference interpreter, and print what it does as JSON lines
    Trace(trace::Trace),
    /// Run a translation and the microcode side by side, and show the first group at which they part; or compare traces
    Diff(diff::Diff),
    /// Regenerate the decoder's opcode tables from the text of AMD's manual
    Tables(tables::Tables),
}

/// Arguments of the views.
#[derive(Debug, Args)]
pub(super) struct View {
    /// A raw program, a .gsh, an .rpx, or any file with GFD containers in it; - for standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The chip
    #[arg(long, value_enum, default_value_t = ChipName::R700)]
    chip: ChipName,
    /// Control flow with clauses inline: what `dis` shows anyway
    #[arg(long)]
    cf: bool,
    /// Print JSON: the canonical fields of `assay fields r700`
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ChipName {
    R600,
    R700,
}

impl ChipName {
    fn chip(self) -> Chip {
        match self {
            Self::R600 => Chip::R600,
            Self::R700 => Chip::R700,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::R600 => "r600",
            Self::R700 => "r700",
        }
    }
}

impl R700 {
    pub(super) fn run(self) -> Outcome {
        match self {
            Self::Layout(view) => view.show(Kind::Layout),
            Self::Dis(view) => view.show(Kind::Disassembly),
            Self::Glsl(glsl) => glsl.run(),
            Self::Trace(trace) => trace.run(),
            Self::Diff(diff) => diff.run(),
            Self::Tables(tables) => tables.run(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Layout,
    Disassembly,
}

impl View {
    fn show(self, kind: Kind) -> Outcome {
        let programs = programs::read(&self.files)?;
        if self.json {
            return self.show_json(&programs, kind);
        }
        let mut text = String::new();
        for (number, one) in programs.iter().enumerate() {
            let decoded = self.decode(one)?;
            if programs.len() > 1 {
                let blank = if number > 0 { "\n" } else { "" };
                writeln!(text, "{blank}{} ({} bytes)", one.name, one.bytes.len())
                    .expect("a string");
            }
            match kind {
                Kind::Disassembly => write!(text, "{}", Listing::new(&decoded)),
                Kind::Layout => write!(text, "{}", layout(&decoded)),
            }
            .expect("a string");
        }
        output::print(&text)?;
        Ok(Exit::Agree)
    }

    fn decode(&self, one: &Program) -> Result<program::Program, Failure> {
        program::decode(&one.bytes, self.chip.chip())
            .with_context(|| one.name.clone())
            .map_err(Failure::usage)
    }

    fn show_json(&self, programs: &[Program], kind: Kind) -> Outcome {
        let targets = load::targets(Some("r700"))?;
        let target = &*targets[0];
        let mut subject = target.subject();
        let options = Options::new()
            .with("unit", "program")
            .with("chip", self.chip.name());
        subject.select(&options).map_err(Failure::usage)?;
        let mut all = Vec::new();
        for one in programs {
            let decoded = self.decode(one)?;
            let body = if kind == Kind::Layout {
                layout_json(&decoded)
            } else {
                let mut said = Said::default();
                subject.answer(&one.bytes, &mut said);
                if let Status::Rejected { .. } = said.status {
                    return Err(anyhow!("{}: {}", one.name, said.status).into());
                }
                serde_json::Value::Object(values::flat(&said.record, target.vocabulary()))
            };
            let key = if kind == Kind::Layout {
                "sections"
            } else {
                "fields"
            };
            all.push(json!({ "name": one.name, "bytes": one.bytes.len(), key: body }));
        }
        output::print_json(&all)?;
        Ok(Exit::Agree)
    }
}

/// A line for each section.
fn layout(program: &program::Program) -> String {
    program
        .sections()
        .iter()
        .map(|section| format!("{section}\n"))
        .collect()
}

fn layout_json(program: &program::Program) -> serde_json::Value {
    let row = |section: &Section| {
        let (kind, clause, run_by) = match section.kind {
            SectionKind::ControlFlow => ("control-flow", None, None),
            SectionKind::Clause(kind, slot) => ("clause", Some(format!("{kind:?}")), Some(slot)),
            SectionKind::Gap => ("gap", None, None),
        };
        json!({
            "kind": kind,
            "clause": clause,
            "run_by_slot": run_by,
            "start": section.bytes.start,
            "end": section.bytes.end,
        })
    };
    program.sections().iter().map(row).collect()
}
