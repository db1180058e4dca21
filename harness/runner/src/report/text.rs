//! What a terminal shows at the end of a run.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::figures::{counted, grouped};
use super::model::{Finding, Report, Tally, Verdict};

/// Findings that are shown; the rest are counted.
const FINDINGS: usize = 10;
/// Things not run that are shown; the rest are counted.
const NOT_RUN: usize = 5;
/// Words of an input that are shown.
const WORDS: usize = 8;
/// Digits of an input that are shown where it has no words.
const DIGITS: usize = 64;
/// Longest replay line that is shown.
const LINE: usize = 400;

const RED: &str = "\u{1b}[1;31m";
const GREEN: &str = "\u{1b}[1;32m";
const BOLD: &str = "\u{1b}[1m";
const PLAIN: &str = "\u{1b}[0m";

/// The end of a run for a terminal: the verdict, counts by target and kind, the first findings, and what was not run.
///
/// Control characters in what was reported never reach the terminal; colour codes do only if `colour` is asked for.
pub fn summary(report: &Report, colour: bool) -> String {
    let paint = |code: &str, text: &str| {
        if colour {
            format!("{code}{text}{PLAIN}")
        } else {
            text.to_string()
        }
    };
    let mut out = String::new();

    let code = if report.verdict == Verdict::Agree && report.judged() > 0 {
        GREEN
    } else {
        RED
    };
    line(&mut out, &paint(code, &verdict(report)));
    let mut facts = format!(
        "seed {}, {}, assay {}",
        report.seed, report.mode, report.version
    );
    if !report.filters.is_empty() {
        facts.push_str(&format!(", only {}", report.filters.join(" ")));
    }
    if !report.shards.is_empty() {
        facts.push_str(&format!(", part {} of the run", report.shards.join(" ")));
    }
    line(&mut out, &printable(&facts));

    if !report.tallies.is_empty() {
        out.push('\n');
        table(&mut out, report, &|text| paint(BOLD, text), &|text| {
            paint(RED, text)
        });
    }

    if !report.findings.is_empty() {
        let count = counted(report.findings.len() as u64, "finding", "findings");
        line(&mut out, &format!("\n{}", paint(BOLD, &count)));
        for (at, shown) in report.findings.iter().take(FINDINGS).enumerate() {
            let head = format!("{:>2}. {} {}: ", at + 1, shown.target, shown.kind);
            let cause = paint(RED, &printable(&shown.cause));
            let cases = counted(shown.count, "case", "cases");
            line(&mut out, &format!("{}{cause} ({cases})", printable(&head)));
            line(
                &mut out,
                &format!("    input   {}", printable(&input(shown))),
            );
            if let Some(first) = shown.differences.first() {
                let said = first
                    .answers
                    .iter()
                    .map(|a| format!("{} {}", a.who, a.value));
                let said = said.collect::<Vec<_>>().join(", ");
                line(
                    &mut out,
                    &format!("    {}  {}", printable(&first.path), printable(&said)),
                );
            }
            let again = replay(shown);
            line(&mut out, &format!("    replay  {}", printable(&again)));
        }
        more(&mut out, "    ", report.findings.len(), FINDINGS);
    }

    if !report.not_run.is_empty() {
        let head = format!("not run: {}", grouped(report.not_run.len() as u64));
        line(&mut out, &format!("\n{}", paint(BOLD, &head)));
        for missing in report.not_run.iter().take(NOT_RUN) {
            let text = format!("{}: {}", missing.what, missing.reason);
            line(&mut out, &format!("    {}", printable(&text)));
        }
        more(&mut out, "    ", report.not_run.len(), NOT_RUN);
    }
    out
}

/// The verdict in one sentence.
fn verdict(report: &Report) -> String {
    let total = report.totals();
    let judged = counted(report.judged(), "case", "cases");
    match report.verdict {
        Verdict::Findings if total.disagree > 0 => {
            let findings = counted(report.findings.len() as u64, "finding", "findings");
            format!(
                "{findings}: {} of {judged} disagree",
                grouped(total.disagree)
            )
        }
        Verdict::Findings => counted(report.findings.len() as u64, "finding", "findings"),
        Verdict::Agree if report.judged() == 0 => "nothing was judged".to_string(),
        Verdict::Agree if total.poisoned > 0 => format!(
            "agree: none of {judged} disagrees, {} cannot be judged, because the specification leaves the answer open",
            grouped(total.poisoned)
        ),
        Verdict::Agree => format!("agree: none of {judged} disagrees"),
    }
}

/// All there is to say of a finding, in lines.
pub(super) fn finding(finding: &Finding) -> String {
    let mut out = String::new();
    line(&mut out, &format!("{}: {}", finding.id, finding.cause));
    line(
        &mut out,
        &format!(
            "cases: {}; first: {}",
            grouped(finding.count),
            finding.origin
        ),
    );
    line(&mut out, &format!("input: {}", input(finding)));
    for (option, value) in &finding.options {
        line(&mut out, &format!("option: {option} = {value}"));
    }
    for difference in &finding.differences {
        let answers = difference.answers.iter();
        let answers: Vec<String> = answers.map(|a| format!("{}: {}", a.who, a.value)).collect();
        line(
            &mut out,
            &format!("{}: {}", difference.path, answers.join("; ")),
        );
    }
    if let Some(odd) = &finding.odd_one_out {
        line(&mut out, &format!("stands alone: {odd}"));
    }
    for citation in &finding.citations {
        line(&mut out, &format!("see: {citation}"));
    }
    line(&mut out, &format!("replay: {}", finding.replay));
    out
}

/// The input as words, or as hex where the target has none, cut if it is long.
fn input(finding: &Finding) -> String {
    let bytes = || counted(finding.hex.len() as u64 / 2, "byte", "bytes");
    if !finding.words.is_empty() {
        let shown = finding
            .words
            .iter()
            .take(WORDS)
            .cloned()
            .collect::<Vec<_>>()
            .join(" ");
        if finding.words.len() <= WORDS {
            shown
        } else {
            format!("{shown} … ({})", bytes())
        }
    } else if finding.hex.is_empty() {
        "empty".to_string()
    } else if finding.hex.chars().count() <= DIGITS {
        finding.hex.clone()
    } else {
        format!(
            "{}… ({})",
            finding.hex.chars().take(DIGITS).collect::<String>(),
            bytes()
        )
    }
}

/// The line that shows it again, or where to find it if it is too long for a terminal.
fn replay(finding: &Finding) -> String {
    if finding.replay.chars().count() <= LINE {
        finding.replay.clone()
    } else {
        format!("is in the report at {}: the input is long", finding.id)
    }
}

/// Counts by target and kind, aligned.
fn table(
    out: &mut String,
    report: &Report,
    head: &dyn Fn(&str) -> String,
    alarm: &dyn Fn(&str) -> String,
) {
    let mut sums: Vec<Tally> = Vec::new();
    for tally in &report.tallies {
        let known = |sum: &&mut Tally| sum.target == tally.target && sum.kind == tally.kind;
        match sums.iter_mut().find(known) {
            None => sums.push(tally.clone()),
            Some(sum) => {
                sum.agree = sum.agree.saturating_add(tally.agree);
                sum.disagree = sum.disagree.saturating_add(tally.disagree);
                sum.poisoned = sum.poisoned.saturating_add(tally.poisoned);
                sum.skipped = sum.skipped.saturating_add(tally.skipped);
            }
        }
    }
    let total = Tally {
        target: "total".to_string(),
        ..report.totals()
    };
    let mut rows =
        vec![["target", "kind", "agree", "disagree", "poisoned", "skipped"].map(String::from)];
    for tally in sums.iter().chain([&total]) {
        rows.push([
            printable(&tally.target).into_owned(),
            printable(&tally.kind).into_owned(),
            grouped(tally.agree),
            grouped(tally.disagree),
            grouped(tally.poisoned),
            grouped(tally.skipped),
        ]);
    }
    let mut widths = [0; 6];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    for (at, row) in rows.iter().enumerate() {
        let mut text = String::new();
        for (column, (cell, width)) in row.iter().zip(widths).enumerate() {
            // Colour codes have no width, so padding comes first.
            let padded = match column {
                0 => format!("{cell:<width$}"),
                1 => format!("  {cell:<width$}"),
                _ => format!("  {cell:>width$}"),
            };
            let disagrees = column == 3 && at > 0 && cell != "0";
            text.push_str(&if disagrees { alarm(&padded) } else { padded });
        }
        let text = text.trim_end();
        line(
            out,
            &if at == 0 {
                head(text)
            } else {
                text.to_string()
            },
        );
    }
}

fn more(out: &mut String, indent: &str, all: usize, shown: usize) {
    if all > shown {
        line(
            out,
            &format!("{indent}and {} more", grouped((all - shown) as u64)),
        );
    }
}

fn line(out: &mut String, text: &str) {
    let _ = writeln!(out, "{text}");
}

/// A text that a terminal can be shown: one line, without control characters.
fn printable(text: &str) -> Cow<'_, str> {
    if text.chars().any(char::is_control) {
        let shown = |c: char| if c.is_control() { '\u{fffd}' } else { c };
        Cow::Owned(text.chars().map(shown).collect())
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample::{agreeing, disagreeing, finding as hostile};

    #[test]
    fn agreement_is_shown_with_what_was_not_run() {
        assert_eq!(
            summary(&agreeing(), false),
            "\
agree: none of 2,017 cases disagrees, 2 cannot be judged, because the specification leaves the answer open
seed 7, quick, assay 0.1.0

target  kind          agree  disagree  poisoned  skipped
gfd     golden            3         0         0        0
r700    differential  2,000         0         2        0
r700    golden           12         0         0        1
total                 2,015         0         2        1

not run: 1
    rdna2 differential against llvm-mc: llvm-mc is not installed
"
        );
    }

    #[test]
    fn findings_are_shown_with_their_replay() {
        let mut report = disagreeing();
        report.filters = vec!["target=r700".into()];
        report.shards = vec!["1/4".into()];
        let text = summary(&report, false);
        assert!(text.starts_with("1 finding: 412 of 2,429 cases disagree\n"));
        assert!(text.contains("only target=r700, part 1/4 of the run\n"));
        assert!(text.contains("    input   0x00000011 0x00000200\n    alu.op  expected MUL (1), r700 decoder ADD (0)\n    replay  assay verify"));
        assert!(!text.contains('\u{1b}'), "an escape reached the terminal");
        let coloured = summary(&report, true);
        assert!(coloured.starts_with("\u{1b}[1;31m1 finding"));
        assert!(
            !coloured.contains("\u{1b}[31m"),
            "a reported escape reached the terminal"
        );
    }

    #[test]
    fn only_ten_findings_are_shown() {
        let mut report = disagreeing();
        report.findings = (0..13)
            .map(|n| hostile(&format!("id{n}"), "00", 1))
            .collect();
        let text = summary(&report, false);
        assert_eq!(text.matches("replay").count(), 10);
        assert!(text.contains("    and 3 more\n"));
    }

    #[test]
    fn a_long_input_is_cut() {
        let mut long = hostile("a", &"ab".repeat(500), 1);
        long.words.clear();
        assert!(input(&long).ends_with("… (500 bytes)"));
        assert_eq!(replay(&long), "is in the report at a: the input is long");
        long.replay = "x".repeat(LINE);
        assert_eq!(replay(&long), long.replay);
        long.hex.clear();
        assert_eq!(input(&long), "empty");
    }

    #[test]
    fn nothing_judged_is_never_a_pass() {
        let mut report = agreeing();
        report.tallies.clear();
        assert!(summary(&report, true).starts_with("\u{1b}[1;31mnothing was judged"));
    }
}
