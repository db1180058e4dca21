//! `assay fields`: a target's vocabulary.

use std::fmt::Write;

use clap::Args;
use corpora::Field;
use serde::Serialize;

use super::{Exit, Failure, Outcome, output};
use crate::load;

/// Arguments of `assay fields`.
#[derive(Debug, Args)]
pub(super) struct Fields {
    /// The target: gfd, r700, pica, igc
    target: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row<'a> {
    path: &'a str,
    kind: &'static str,
    low: Option<u16>,
    width: Option<u16>,
    evidence: &'static str,
    sources: u8,
    source: &'a str,
}

impl Fields {
    pub(super) fn run(self) -> Outcome {
        let targets = load::targets(Some(&self.target)).map_err(Failure::usage)?;
        let fields = targets[0].vocabulary().fields();
        if self.json {
            let rows: Vec<_> = fields.iter().map(row).collect();
            output::print_json(&rows)?;
        } else {
            output::print(&table(fields))?;
        }
        Ok(Exit::Agree)
    }
}

fn row(field: &Field) -> Row<'_> {
    Row {
        path: &field.path,
        kind: field.kind.name(),
        low: field.bits.map(|bits| bits.low),
        width: field.bits.map(|bits| bits.width),
        evidence: field.evidence.name(),
        sources: field.sources,
        source: &field.source,
    }
}

/// Bits as a person names them: word and bits within it.
fn bits(field: &Field) -> String {
    field.bits.map_or_else(String::new, |bits| {
        let (word, low) = (bits.low / 32, bits.low % 32);
        if bits.width == 1 {
            format!("w{word}[{low}]")
        } else {
            format!("w{word}[{}:{low}]", low + bits.width - 1)
        }
    })
}

fn table(fields: &[Field]) -> String {
    let width =
        |text: fn(&Field) -> String| fields.iter().map(|f| text(f).len()).max().unwrap_or(0);
    let (paths, places) = (width(|field| field.path.clone()), width(bits));
    let mut text = String::new();
    for field in fields {
        writeln!(
            text,
            "{:paths$}  {:8}  {:places$}  {:11}  {}  {}",
            field.path,
            field.kind.name(),
            bits(field),
            field.evidence.name(),
            field.sources,
            field.source,
        )
        .expect("writing to a string");
    }
    text
}
