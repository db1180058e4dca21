//! `assay replay`: what decoder and oracle say of one input.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use clap::Args;
use corpora::{Options, Outcome as Said, Section, Vocabulary, hex};
use serde_json::json;

use super::{Exit, Failure, Outcome, input, output};
use crate::check::law_holds;
use crate::guard;
use crate::judge::{Pair, Verdict};
use crate::load;
use crate::target::{Broken, Held};

/// Arguments of `assay replay`.
#[derive(Debug, Args)]
pub(super) struct Replay {
    /// The target: gfd, r700, pica, igc
    target: String,
    /// The input: a file, or - for standard input
    #[arg(required_unless_present_any = ["hex", "words"], conflicts_with_all = ["hex", "words"])]
    file: Option<PathBuf>,
    /// The input as hex bytes
    #[arg(long, value_name = "BYTES", conflicts_with = "words")]
    hex: Option<String>,
    /// The input as 32-bit words in hex, stored little-endian
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
            (_, Some(words), _) => hex::little_endian_words(&padded(words))
                .context("--words")
                .map_err(Failure::usage)?,
            (.., Some(file)) => read(file)?,
            _ => return Err(Failure::usage(anyhow!("no input"))),
        };
        if let Some(name) = &self.law {
            let laws = target.laws();
            let names: Vec<_> = laws.iter().map(|law| law.name).collect();
            let law = laws.iter().find(|law| law.name == name).ok_or_else(|| {
                Failure::usage(anyhow!("no law {name:?}; there are: {}", names.join(", ")))
            })?;
            let mut pair = Pair::new(target.subject(), target.oracle());
            pair.select(&options).map_err(Failure::usage)?;
            if !(law.applies)(&options) {
                let error = anyhow!("law {name:?} says nothing of inputs with options {options}");
                return Err(Failure::usage(error));
            }
            return self.law(name, law_holds(law, &bytes, &options));
        }
        let mut pair = Pair::new(target.subject(), target.oracle());
        pair.select(&options).map_err(Failure::usage)?;
        let verdict = match guard::catch(|| pair.judge(&bytes)) {
            Ok(verdict) => verdict,
            Err(text) => {
                output::print(&format!("panic: {text}\n"))?;
                return Ok(Exit::Findings);
            }
        };
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

    fn law(&self, name: &str, held: Result<Held, Broken>) -> Outcome {
        let (exit, word, said) = match held {
            Ok(Held::Holds) => (Exit::Agree, "holds", String::new()),
            Ok(Held::Silent) => (
                Exit::Agree,
                "silent",
                "says nothing of this input".to_owned(),
            ),
            Err(broken) => (
                Exit::Findings,
                "broken",
                format!("expected {}, found {}", broken.expected, broken.found),
            ),
        };
        if self.json {
            output::print_json(&json!({ "law": name, "result": word, "said": said }))?;
        } else if said.is_empty() {
            output::print(&format!("{name}: {word}\n"))?;
        } else {
            output::print(&format!("{name}: {word}: {said}\n"))?;
        }
        Ok(exit)
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

/// Most bytes that are taken: every field of them is listed.
const MOST: usize = 16 << 20;

/// Reads an input. A name from a replay line is found in the latest report, too.
fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    let latest = Path::new("reports/latest").join(file);
    let file = if !file.exists() && latest.is_file() {
        &latest
    } else {
        file
    };
    let bytes = input::read(file)?;
    if bytes.len() > MOST {
        let (name, size) = (input::name(file), bytes.len());
        return Err(Failure::usage(anyhow!(
            "{name}: {size} bytes; at most {MOST} are taken"
        )));
    }
    Ok(bytes)
}

/// Words as people write them: with or without `0x`, with or without leading zeros.
fn padded(words: &[String]) -> String {
    let words = words.iter().flat_map(|words| words.split_whitespace());
    let padded = words.map(|word| format!("{:0>8}", word.trim_start_matches("0x")));
    padded.collect::<Vec<_>>().join(" ")
}

/// Reads `name=value,name=value`.
fn parse_options(text: &str) -> Result<Options, Failure> {
    let mut options = Options::new();
    for part in text.split(',').filter(|part| !part.is_empty()) {
        let (name, value) = part
            .split_once('=')
            .ok_or_else(|| Failure::usage(anyhow!("option {part:?} is not name=value")))?;
        if options.get(name.trim()).is_some() {
            return Err(Failure::usage(anyhow!("option {name:?} is there twice")));
        }
        options = options.with(name.trim(), value.trim());
    }
    Ok(options)
}
