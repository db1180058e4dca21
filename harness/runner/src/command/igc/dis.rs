//! `assay igc dis`: a stream, instruction by instruction or word by word.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use igc::explain::{Explained, Part};
use igc::{Placed, stream};
use serde_json::{Value, json};

use crate::command::{Exit, Failure, Outcome, input, output};

/// Arguments of `assay igc dis`.
#[derive(Debug, Args)]
pub(in crate::command) struct Dis {
    /// A stream of little-endian words; - for standard input
    file: PathBuf,
    /// Name for each word the instruction that owns it, and what it is to it
    #[arg(long)]
    explain: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Dis {
    pub(super) fn run(self) -> Outcome {
        let bytes = input::read(&self.file)?;
        let refused = |error: igc::Error| {
            let error = anyhow::Error::new(error).context(input::name(&self.file));
            Failure::usage(error)
        };
        let placed = stream::decode(&bytes).map_err(refused)?;
        let explained = if self.explain {
            let words = igc::explain(&bytes).and_then(Iterator::collect);
            words.map_err(refused)?
        } else {
            Vec::new()
        };
        if self.json {
            let rows: Vec<_> = match self.explain {
                true => explained.iter().map(word).collect(),
                false => placed.iter().map(instruction).collect(),
            };
            output::print_json(&rows)?;
            return Ok(Exit::Agree);
        }
        let mut text = String::new();
        for one in &explained {
            writeln!(text, "{one}").context("a string")?;
        }
        if !self.explain {
            for Placed { at, instruction } in &placed {
                writeln!(text, "{at:#06x} {instruction}").context("a string")?;
            }
        }
        output::print(&text)?;
        Ok(Exit::Agree)
    }
}

fn instruction(Placed { at, instruction }: &Placed) -> Value {
    let words = instruction.words().iter();
    json!({
        "at": at,
        "op": instruction.op().name(),
        "addr": instruction.word().addr(),
        "length": instruction.word().length(),
        "len": instruction.len(),
        "words": words.map(|word| format!("{word:08x}")).collect::<Vec<_>>(),
        "text": instruction.to_string(),
    })
}

fn word(one: &Explained) -> Value {
    let first = one.part == Part::First;
    json!({
        "at": one.at,
        "word": one.word.to_string(),
        "instruction": one.number,
        "owner": one.owner,
        "op": one.op().name(),
        "part": one.part.name(),
        "rule": first.then(|| one.rule().to_string()),
        "length": first.then(|| one.length()),
        "len": first.then(|| one.len()).flatten(),
    })
}
