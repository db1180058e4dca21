//! `assay r700 trace`: what the reference interpreter does, step by step.

use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;
use oracles::r700::execution::TraceWriter;
use r700::glsl::Profile;

use super::given::Given;
use super::shaders::Surroundings;
use crate::command::{Exit, Failure, Outcome, output};
use crate::engines;
use crate::execution::trial::Translated;

/// Arguments of `assay r700 trace`.
#[derive(Debug, Args)]
pub(in crate::command) struct Trace {
    /// A raw program, a .gsh, or any file with one shader; - for standard input
    file: PathBuf,
    #[command(flatten)]
    given: Given,
    #[command(flatten)]
    surroundings: Surroundings,
    /// Print JSON lines: what it prints anyway
    #[arg(long)]
    json: bool,
}

impl Trace {
    pub(super) fn run(self) -> Outcome {
        let shaders = self.surroundings.read(std::slice::from_ref(&self.file))?;
        let [shader] = &shaders[..] else {
            let names: Vec<_> = shaders
                .iter()
                .map(|shader| shader.origin.as_str())
                .collect();
            return Err(Failure::usage(anyhow!(
                "one shader at a time; there are {}",
                names.join(", ")
            )));
        };
        let reference = engines::reference("embedded").map_err(|why| anyhow!(why))?;
        let program = reference.program(shader).map_err(Failure::usage)?;
        // Only its interface is needed: which registers are inputs.
        let translated = Translated::own(shader, Profile::Exact).ok();
        let attempts = self.given.first(shader, translated.as_ref())?;
        // A run that does not end is tried on tame inputs before a line is written.
        let run = |environment: &_| reference.run(&program, environment, &mut ());
        let settled = attempts.settle(run).ok_or_else(|| anyhow!("no inputs"))?;
        let (environment, _) = settled.map_err(Failure::usage)?;
        let mut trace = TraceWriter::new(Vec::new(), environment.lanes.len());
        reference
            .run(&program, &environment, &mut trace)
            .map_err(Failure::usage)?;
        let bytes = trace.finish()?;
        output::print(&String::from_utf8_lossy(&bytes))?;
        Ok(Exit::Agree)
    }
}
