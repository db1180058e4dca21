//! Findings, each with its evidence and a line to replay it.

use maud::{Markup, html};

use super::{anchor, bits, scrolling};
use crate::report::figures::{counted, grouped};
use crate::report::model::{Answer, Difference, Finding, Report};

/// Words that are shown bit by bit.
const WORDS: usize = 32;
/// Bytes that are shown.
const BYTES: usize = 1024;

pub(super) fn section(report: &Report) -> Markup {
    html! {
        p.note { "One for each cause, shown by the smallest input that was found." }
        @for shown in &report.findings { (finding(shown)) }
    }
}

fn finding(finding: &Finding) -> Markup {
    let id = anchor("finding", &finding.id);
    html! {
        article.finding id=(id) data-f data-t=(finding.target) {
            h3 { (finding.cause) }
            p.meta {
                b { (finding.target) " " (finding.kind) } ", "
                b.bad { (counted(finding.count, "case", "cases")) } ", "
                a href={ "#" (id) } { (finding.id) }
            }
            @if let Some(odd) = &finding.odd_one_out {
                p.odd { b { (odd) } " stands alone: the others say the same." }
            }
            @if !finding.differences.is_empty() { (differences(finding)) }
            h4 { "Smallest input" }
            (input(finding))
            dl.origin {
                div { dt { "first seen" } dd { (finding.origin) } }
                @if !finding.options.is_empty() {
                    div {
                        dt { "options" }
                        dd {
                            @for (at, (option, value)) in finding.options.iter().enumerate() {
                                @if at > 0 { ", " }
                                code { (option) "=" (value) }
                            }
                        }
                    }
                }
                @if !finding.citations.is_empty() {
                    div {
                        dt { "see" }
                        dd { ul { @for citation in &finding.citations { li { (citation) } } } }
                    }
                }
            }
            h4 { "Replay" }
            div.replay {
                code tabindex="0" { (finding.replay) }
                button.copy type="button" hidden { "Copy" }
            }
        }
    }
}

/// A row for each field that differs, a column for each party.
fn differences(finding: &Finding) -> Markup {
    let mut parties: Vec<&str> = Vec::new();
    for answer in finding
        .differences
        .iter()
        .flat_map(|difference| &difference.answers)
    {
        if !parties.contains(&answer.who.as_str()) {
            parties.push(&answer.who);
        }
    }
    let table = html! {
        table.differences {
            thead {
                tr {
                    th scope="col" { "field" }
                    @for who in &parties {
                        th scope="col" class=[odd(finding, who)] { (who) }
                    }
                }
            }
            tbody {
                @for difference in &finding.differences {
                    tr {
                        th scope="row" { code { (difference.path) } }
                        @for (who, cell) in parties.iter().zip(answers(finding, difference, &parties)) {
                            td class=[odd(finding, who)] { (cell) }
                        }
                    }
                }
            }
        }
    };
    scrolling("What each party answers", "", table)
}

/// What each party says of a field. Under a number are its bits, marked where they differ from those of the first party,
/// or of the first that does not stand alone.
fn answers(finding: &Finding, difference: &Difference, parties: &[&str]) -> Vec<Markup> {
    let given: Vec<Option<&Answer>> = parties
        .iter()
        .map(|who| difference.answers.iter().find(|answer| answer.who == **who))
        .collect();
    let values = given
        .iter()
        .map(|answer| answer.map_or("", |answer| answer.value.as_str()));
    let patterns = bits::patterns(values);
    let together = parties
        .iter()
        .zip(&patterns)
        .filter(|(who, _)| odd(finding, who).is_none());
    let reference = together.filter_map(|(_, pattern)| *pattern).next();
    given
        .into_iter()
        .zip(patterns)
        .map(|(answer, pattern)| match answer {
            None => html! { span.zero { "–" } },
            Some(answer) => html! {
                span.value { (answer.value) }
                @if let Some((pattern, reference)) = pattern.zip(reference) {
                    (bits::against(pattern, reference))
                }
            },
        })
        .collect()
}

fn odd(finding: &Finding, who: &str) -> Option<&'static str> {
    (finding.odd_one_out.as_deref() == Some(who)).then_some("alone")
}

fn input(finding: &Finding) -> Markup {
    let length = finding.hex.len() as u64 / 2;
    let words = &finding.words[..finding.words.len().min(WORDS)];
    html! {
        p.meta {
            (counted(length, "byte", "bytes"))
            @if finding.original_bytes > length {
                ", reduced from " (grouped(finding.original_bytes))
            }
        }
        @if !words.is_empty() {
            div.words {
                @for (at, word) in words.iter().enumerate() { (bits::word(at, word)) }
            }
            @if finding.words.len() > WORDS {
                p.meta {
                    "and " (counted((finding.words.len() - WORDS) as u64, "word", "words"))
                    " more, in the bytes below"
                }
            }
        }
        @if words.is_empty() || finding.words.len() > WORDS {
            @let dump = bits::dump(&finding.hex, BYTES);
            @if dump.is_empty() {
                p.none { "Nothing: the input is empty." }
            } @else {
                (scrolling("Input bytes", "low", html! { pre { (dump) } }))
            }
            @if finding.hex.len() / 2 > BYTES {
                p.meta { "The first " (grouped(BYTES as u64)) " bytes; all of them are in report.json." }
            }
        } @else {
            p.meta { "hex " code { (finding.hex) } }
        }
    }
}
