//! `assay igc mine`: templates of instructions from a C source and its assembly.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use igc::miner::{self, Contradiction, Kind, Mined, Template, WordTemplate};

use crate::command::{Exit, Failure, Outcome, input, output};

/// Arguments of `assay igc mine`.
#[derive(Debug, Args)]
pub(in crate::command) struct Mine {
    /// A C source with calls IGC_NAME(args);
    c: PathBuf,
    /// Its i860 assembly, with // lineno: N
    assembly: PathBuf,
    /// The register through which words are stored
    #[arg(long, value_name = "REG", default_value = "r16", value_parser = register)]
    pointer: u8,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// `r16`, or `16`.
fn register(text: &str) -> Result<u8, String> {
    let number = text.strip_prefix('r').unwrap_or(text).parse();
    match number {
        Ok(number @ 1..=31) => Ok(number),
        _ => Err("r1 to r31 is allowed".to_owned()),
    }
}

impl Mine {
    pub(super) fn run(self) -> Outcome {
        let (c, assembly) = (input::read(&self.c)?, input::read(&self.assembly)?);
        let mined = miner::mine(&c, &assembly, self.pointer).map_err(|error| {
            let of = format!(
                "{} with {}",
                input::name(&self.c),
                input::name(&self.assembly)
            );
            Failure::usage(anyhow::Error::new(error).context(of))
        })?;
        if self.json {
            output::print_json(&mined)?;
        } else {
            output::print(&text(&mined))?;
        }
        Ok(if mined.contradictions.is_empty() {
            Exit::Agree
        } else {
            Exit::Findings
        })
    }
}

fn text(mined: &Mined) -> String {
    let mut text = String::new();
    for template in &mined.templates {
        describe(template, &mut text);
    }
    for contradiction in &mined.contradictions {
        contradict(contradiction, &mut text);
    }
    for warning in &mined.warnings {
        writeln!(text, "line {}: {}", warning.line, warning.what.name()).expect("a string");
    }
    if text.is_empty() {
        text.push_str("no call and no word\n");
    }
    text
}

fn describe(template: &Template, text: &mut String) {
    let Template {
        name,
        words,
        samples,
        ..
    } = template;
    writeln!(
        text,
        "{name}: {}, {}",
        count(*words, "word"),
        count(*samples, "sample")
    )
    .expect("a string");
    for (number, word) in template.word.iter().enumerate() {
        writeln!(text, "  {number}: {}", parts(word).join(", ")).expect("a string");
    }
}

/// What is known of a word, part by part.
fn parts(word: &WordTemplate) -> Vec<String> {
    let mut parts = vec![match (word.mask, word.float) {
        (0, Some(arg)) => format!("argument {arg} as a float"),
        (0, None) => format!("{:08x}, nothing derived", word.value),
        (mask, _) => format!("{:08x} under {mask:08x}", word.value),
    }];
    for field in &word.fields {
        let (low, high) = (field.shift, field.shift + field.width - 1);
        let mut part = format!("bits {high}:{low} argument {}", field.arg);
        if field.offset != 0 {
            write!(part, " + {} mod 2^{}", field.offset, field.width).expect("a string");
        }
        write!(part, " (lines {})", lines(&field.samples)).expect("a string");
        parts.push(part);
    }
    for arg in &word.without_effect {
        parts.push(format!("argument {arg} has no effect"));
    }
    parts
}

fn contradict(contradiction: &Contradiction, text: &mut String) {
    let Contradiction {
        name,
        kind,
        word,
        bit,
        lines: of,
        ..
    } = contradiction;
    let place = match (kind, bit) {
        (Kind::WordCount, _) => String::new(),
        (_, None) => format!(" word {word}"),
        (_, Some(bit)) => format!(" word {word} bit {bit}"),
    };
    writeln!(
        text,
        "contradiction: {name}{place}: {} (lines {})",
        kind.name(),
        lines(of)
    )
    .expect("a string");
}

fn count(n: usize, of: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{n} {of}{s}")
}

fn lines(lines: &[u32]) -> String {
    let lines: Vec<_> = lines.iter().map(ToString::to_string).collect();
    lines.join(", ")
}
