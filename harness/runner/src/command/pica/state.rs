//! `assay pica state`: register writes resolved to layouts.

use std::path::PathBuf;

use clap::Args;

use super::draw::Draw;
use super::fetched::{ask, target};
use crate::command::{Exit, Outcome, input, output};
use crate::targets::pica::STATE;

/// Arguments of `assay pica state`.
#[derive(Debug, Args)]
pub(in crate::command) struct State {
    /// A command list, as the GPU takes it; - for standard input
    file: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl State {
    pub(super) fn run(self) -> Outcome {
        let list = input::read(&self.file)?;
        let target = target()?;
        let said = ask(&*target, &input::name(&self.file), STATE, &list)?;
        let draws = Draw::all(&said, &*target)?;
        if self.json {
            output::print_json(&draws.iter().map(Draw::json).collect::<Vec<_>>())?;
            return Ok(Exit::Agree);
        }
        let mut text = String::new();
        for (number, draw) in draws.iter().enumerate() {
            draw.describe(number, &mut text);
        }
        if draws.is_empty() {
            text.push_str("no draw\n");
        }
        output::print(&text)?;
        Ok(Exit::Agree)
    }
}
