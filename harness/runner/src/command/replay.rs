//! `assay replay`: what decoder and oracle say of one input.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use clap::Args;
use corpora::{Options, Outcome as Said, Section, Vocabulary, hex};
use serde_json::json;

use super::{Exit, Failure, Outcome, input, output};
use crate::check::law_holds;
use crate::judge::{Pair, Verdict};
use crate::load;

/// Arguments of `assay replay`.
#[derive(Debug, Args)]
pub(super) struct Replay {
    /// The target: gfd, r700
    target: String,
    /// The input: a file, or - for standard input
    #[arg(required_unless_present_any = ["hex", "words"], conflicts_with_all = ["hex", "words"])]
    file: Option<PathBuf>,
    /// The input as hex bytes
    #[arg(long, value_name = "BYTES", conflicts_with = "words")]
    hex: Option<String>,
    /// The input as 32-bit words, stored little-endian
    #[arg(long, value_name = "WORDS", num_args = 1..)]
    words: Option<Vec<String>>,
    /// Options of the target: name=value,name=value
    #[arg(long, default_value = "", value_name = "OPTIONS")]
    options: String,
    /// Check a law instead of comparing decoder and oracle
    #[arg(long, value_name = "NAME")]
    law: Option<String>,
    /// Show only what differs
    #[arg(long)]
    differences: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Replay {
    pub(super) fn run(self) -> Outcome {
        let targets = load::targets(Some(&self.target)).map_err(Failure::usage)?;
        let target = &*targets[0];
        let options = parse_options(&self.options)?;
        let bytes = match (&self.hex, &self.words, &self.file) {
            (Some(text), ..) => hex::bytes(text).context("--hex").map_err(Failure::usage)?,
            (_, Some(words), _) => hex::little_endian_words(&words.join(" "))
                .context("--words")
                .map_err(Failure::usage)?,
            (.., Some(file)) => input::read(file)?,
            _ => return Err(Failure::usage(anyhow!("no input"))),
        };
        if let Some(name) = &self.law {
            let laws = target.laws();
            let names: Vec<_> = laws.iter().map(|law| law.name).collect();
            let law = laws.iter().find(|law| law.name == name).ok_or_else(|| {
                Failure::usage(anyhow!("no law {name:?}; there are: {}", names.join(", ")))
            })?;
            return Ok(match law_holds(law, &bytes, &options) {
                Ok(()) => {
                    output::print(&format!("{name} holds\n"))?;
                    Exit::Agree
                }
                Err(broken) => {
                    let text = format!(
                        "{name} is broken: {}; found {}\n",
                        broken.expected, broken.found
                    );
                    output::print(&text)?;
                    Exit::Findings
                }
            });
        }
        let mut pair = Pair::new(target.subject(), target.oracle());
        pair.select(&options).map_err(Failure::usage)?;
        let verdict = pair.judge(&bytes);
        let vocabulary = target.vocabulary();
        if self.json {
            output::print_json(&json!({
                "verdict": word(verdict),
                "differences": pair.differences(vocabulary),
                "decoder": said(&pair.answer, vocabulary),
                "oracle": said(&pair.truth, vocabulary),
            }))?;
        } else {
            output::print(&self.text(&pair, verdict, vocabulary))?;
        }
        Ok(if verdict == Verdict::Disagree {
            Exit::Findings
        } else {
            Exit::Agree
        })
    }

    fn text(&self, pair: &Pair, verdict: Verdict, vocabulary: &Vocabulary) -> String {
        let mut text = String::new();
        let differences = pair.differences(vocabulary);
        writeln!(text, "{}: {}", pair.oracle.name(), pair.truth.status).expect("a string");
        if !self.differences {
            let record = &pair.truth.record;
            let mut section = Section::WHOLE;
            for entry in record.entries() {
                if entry.section != section {
                    section = entry.section;
                    text.push('\n');
                }
                let path = vocabulary.render(entry.section, entry.field, entry.item);
                writeln!(text, "  {path} = {}", record.value(entry, vocabulary)).expect("a string");
            }
            text.push('\n');
        }
        for difference in &differences {
            writeln!(text, "differs: {}", difference.path).expect("a string");
            for answer in &difference.answers {
                writeln!(text, "  {:14} {}", answer.who, answer.value).expect("a string");
            }
        }
        writeln!(text, "{}", word(verdict)).expect("a string");
        text
    }
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Agree => "agree",
        Verdict::Poisoned => "agree, but for what the specification leaves open",
        Verdict::Disagree => "disagree",
    }
}

/// An answer as other programs give it: status and fields.
fn said(outcome: &Said, vocabulary: &Vocabulary) -> serde_json::Value {
    let record = &outcome.record;
    let fields: serde_json::Map<String, serde_json::Value> = record
        .entries()
        .iter()
        .map(|entry| {
            let path = vocabulary.render(entry.section, entry.field, entry.item);
            (path, record.value(entry, vocabulary).to_string().into())
        })
        .collect();
    json!({ "status": outcome.status.to_string(), "fields": fields })
}

/// Reads `name=value,name=value`.
fn parse_options(text: &str) -> Result<Options, Failure> {
    let mut options = Options::new();
    for part in text.split(',').filter(|part| !part.is_empty()) {
        let (name, value) = part
            .split_once('=')
            .ok_or_else(|| Failure::usage(anyhow!("option {part:?} is not name=value")))?;
        options = options.with(name.trim(), value.trim());
    }
    Ok(options)
}
