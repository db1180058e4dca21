//! `assay r700 trace`: what the reference interpreter does, step by step.

use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;
use oracles::r700::execution::TraceWriter;

use super::given::Given;
use super::shaders::Surroundings;
use crate::command::{Exit, Failure, Outcome, input, output};
use crate::engines;

/// Arguments of `assay r700 trace`.
#[derive(Debug, Args)]
pub(in crate::command) struct Trace {
    /// A raw program, a .gsh, an .rpx, a programs.jsonl, or a directory of such: one shader of it; - for standard input
    file: PathBuf,
    #[command(flatten)]
    given: Given,
    #[command(flatten)]
    surroundings: Surroundings,
    /// Print JSON lines, as it does anyway
    #[arg(long)]
    json: bool,
}

impl Trace {
    pub(super) fn run(self) -> Outcome {
        input::standard_input_once(
            [("FILE", self.file.as_path())]
                .into_iter()
                .chain(self.given.path().map(|path| ("--inputs", path)))
                .chain(
                    self.surroundings
                        .fetch_shader()
                        .map(|path| ("--fetch-shader", path)),
                ),
        )?;
        let shader = &self
            .surroundings
            .read(std::slice::from_ref(&self.file))?
            .one()?;
        let reference = engines::reference("embedded").map_err(|why| anyhow!(why))?;
        let program = reference.program(shader).map_err(Failure::usage)?;
        let attempts = self.given.wavefront(shader)?;
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
