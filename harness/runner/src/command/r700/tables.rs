//! `assay r700 tables`: the decoder's opcode tables from the text of AMD's manual.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use clap::Args;
use serde_json::json;
use similar::TextDiff;

use crate::command::{Exit, Failure, Outcome, input, output};
use crate::manual_text::{self, Opcodes};

/// Arguments of `assay r700 tables`.
#[derive(Debug, Args)]
pub(in crate::command) struct Tables {
    /// The manual's text, as pdftotext gives it; - for standard input
    file: PathBuf,
    /// Change nothing; show the difference to the tables that are checked in, and end with 1 if there is one
    #[arg(long)]
    check: bool,
    /// The source file with the tables [default: harness/r700/src/alu_tables.rs here or in a directory above]
    #[arg(long, value_name = "FILE")]
    tables: Option<PathBuf>,
    /// Write even if opcodes that are checked in now are lost
    #[arg(long, conflicts_with = "check")]
    force: bool,
    /// Print the opcodes and remarks as JSON; changes nothing
    #[arg(long)]
    json: bool,
}

impl Tables {
    pub(super) fn run(self) -> Outcome {
        let bytes = input::read(&self.file)?;
        let text = String::from_utf8_lossy(&bytes);
        let reading = manual_text::read(&text)
            .with_context(|| input::name(&self.file))
            .map_err(Failure::usage)?;
        if self.json {
            output::print_json(&json!({
                "op2": rows(&reading.opcodes.op2),
                "op3": rows(&reading.opcodes.op3),
                "remarks": reading.remarks,
            }))?;
            return Ok(Exit::Agree);
        }
        let path = match &self.tables {
            Some(path) => path.clone(),
            None => find()?,
        };
        let current = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let renewed = manual_text::render(&current, &reading.opcodes)
            .ok_or_else(|| anyhow!("{}: no tables OP2 and OP3 in it", path.display()))?;
        let mut said: String = reading
            .remarks
            .iter()
            .map(|remark| format!("{remark}\n"))
            .collect();
        let Opcodes { op2, op3 } = &reading.opcodes;
        said += &format!("{} OP2 and {} OP3 opcodes read\n", op2.len(), op3.len());
        let same = current == renewed;
        if same {
            said += &format!("{} is up to date\n", path.display());
        } else if self.check {
            let name = path.display().to_string();
            let diff = TextDiff::from_lines(&current, &renewed);
            said += &diff
                .unified_diff()
                .context_radius(1)
                .header(&name, "the manual's text")
                .to_string();
        } else {
            if !self.force {
                refuse_loss(&path, &current, &reading.opcodes)?;
            }
            write(&path, &renewed)?;
            said += &format!("{} written\n", path.display());
        }
        output::print(&said)?;
        Ok(if self.check && !same {
            Exit::Findings
        } else {
            Exit::Agree
        })
    }
}

fn rows(table: &std::collections::BTreeMap<u16, String>) -> serde_json::Value {
    table
        .iter()
        .map(|(number, name)| json!({ "number": number, "name": name }))
        .collect()
}

/// A text that lacks a page would take opcodes from the decoder, and nobody would notice.
fn refuse_loss(path: &Path, current: &str, opcodes: &Opcodes) -> Result<(), Failure> {
    let lost = manual_text::lost(current, opcodes);
    if lost.is_empty() {
        return Ok(());
    }
    Err(Failure::usage(anyhow!(
        "{}: not written: the text lacks {} of its opcodes ({}); --force writes all the same",
        path.display(),
        lost.len(),
        lost.join(", ")
    )))
}

fn find() -> anyhow::Result<PathBuf> {
    let here = std::env::current_dir()?;
    let found = here
        .ancestors()
        .map(|dir| dir.join("harness/r700/src/alu_tables.rs"))
        .find(|file| file.is_file())
        .context("no harness/r700/src/alu_tables.rs here or above; say --tables FILE")?;
    Ok(found
        .strip_prefix(&here)
        .map(Path::to_owned)
        .unwrap_or(found))
}

/// Replaces a file in one step: whoever reads it sees the old or the new one.
fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let beside = path.with_extension("rs.new");
    fs::write(&beside, text).with_context(|| beside.display().to_string())?;
    fs::rename(&beside, path).with_context(|| path.display().to_string())
}
