//! The report as one HTML file that needs nothing else.
//!
//! Everything is there without scripts; the script adds filters, copy buttons and the names of a coverage cell under the
//! pointer. A content security policy keeps the page from asking for anything.

mod bits;
mod cases;
mod coverage;
mod errata;
mod execution;
mod findings;
mod lists;
mod verdict;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::figures::grouped;
use super::model::Report;

const STYLE: &str = include_str!("html.css");
const SCRIPT: &str = include_str!("html.js");
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      img-src data:; base-uri 'none'; form-action 'none'";

/// Renders a report as one HTML file.
///
/// Anchors: `finding-ID`, `erratum-ID`, `coverage-TARGET-AXIS` and one for each section, with what an id cannot hold
/// written as `~HEX~`.
pub fn render(report: &Report) -> String {
    page(report).into_string()
}

/// A section of the page: its anchor, its title, how many things are in it, and what it says.
struct Section {
    anchor: &'static str,
    title: &'static str,
    count: Option<usize>,
    body: Markup,
}

fn page(report: &Report) -> Markup {
    let sections = sections(report);
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (verdict::words(report)) " – Assay report" }
                link rel="icon" href="data:,";
                style { (PreEscaped(STYLE)) }
            }
            body {
                (verdict::header(report))
                nav aria-label="Sections" {
                    ul {
                        @for section in &sections {
                            li {
                                a href={ "#" (section.anchor) } { (section.title) }
                                @if let Some(count) = section.count {
                                    " " span.n { (grouped(count as u64)) }
                                }
                            }
                        }
                    }
                }
                (filters(report))
                main {
                    @for section in &sections {
                        section id=(section.anchor) {
                            h2 { (section.title) }
                            (section.body)
                        }
                    }
                }
                footer {
                    p {
                        "Made by assay " (report.version) ", report schema " (report.schema)
                        ". The same seed gives this page again, byte for byte."
                    }
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
}

/// The sections in reading order: what is wrong, then what was judged, then what was not, then the evidence.
fn sections(report: &Report) -> Vec<Section> {
    let section = |anchor, title, count: usize, body| Section {
        anchor,
        title,
        count: Some(count),
        body,
    };
    let mut sections = Vec::new();
    if !report.findings.is_empty() {
        let body = findings::section(report);
        sections.push(section("findings", "Findings", report.findings.len(), body));
    }
    let body = cases::section(report);
    sections.push(Section {
        anchor: "cases",
        title: "Cases",
        count: None,
        body,
    });
    let body = lists::not_run(report);
    sections.push(section("not-run", "Not run", report.not_run.len(), body));
    let body = lists::certificates(report);
    sections.push(section(
        "swept",
        "Swept ranges",
        report.certificates.len(),
        body,
    ));
    let body = coverage::section(report);
    sections.push(section("coverage", "Coverage", report.coverage.len(), body));
    let body = execution::section(report);
    sections.push(section(
        "execution",
        "Execution",
        report.execution.len(),
        body,
    ));
    let body = errata::section(report);
    sections.push(section("errata", "Errata", report.errata.len(), body));
    let body = lists::evidence(report);
    sections.push(Section {
        anchor: "evidence",
        title: "Evidence",
        count: None,
        body,
    });
    let body = lists::single_source(report);
    sections.push(section(
        "single-source",
        "Single source",
        report.single_source.len(),
        body,
    ));
    let body = lists::corpora(report);
    sections.push(section("corpora", "Corpora", report.corpora.len(), body));
    let body = lists::peers(report);
    sections.push(section(
        "peers",
        "Peers and engines",
        report.peers.len(),
        body,
    ));
    sections
}

/// The filters. They are hidden, and the script shows them: without it they could do nothing.
fn filters(report: &Report) -> Markup {
    let targets: BTreeSet<&str> = std::iter::empty()
        .chain(report.tallies.iter().map(|tally| tally.target.as_str()))
        .chain(
            report
                .findings
                .iter()
                .map(|finding| finding.target.as_str()),
        )
        .chain(
            report
                .certificates
                .iter()
                .map(|certificate| certificate.target.as_str()),
        )
        .chain(
            report
                .coverage
                .iter()
                .map(|coverage| coverage.target.as_str()),
        )
        .chain(report.errata.iter().map(|erratum| erratum.target.as_str()))
        .chain(report.evidence.keys().map(String::as_str))
        .chain(
            report
                .single_source
                .iter()
                .map(|single| single.target.as_str()),
        )
        .collect();
    html! {
        form #filters role="search" hidden {
            label {
                "Target "
                select name="target" {
                    option value="" { "all" }
                    @for target in targets {
                        option value=(target) { (target) }
                    }
                }
            }
            label { "Text " input type="search" name="text" autocomplete="off"; }
            label {
                "Errata "
                select name="errata" {
                    option value="" { "all" }
                    option value="open" { "open" }
                    option value="settled" { "settled" }
                }
            }
            button type="reset" { "Clear" }
            output name="shown" {}
        }
    }
}

/// A name as an anchor: what an HTML id or a URL fragment cannot hold is written as `~`, its code in hex, and `~`.
fn anchor(prefix: &str, name: &str) -> String {
    let mut anchor = format!("{prefix}-");
    for c in name.chars() {
        if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | ':') {
            anchor.push(c);
        } else {
            let _ = write!(anchor, "~{:x}~", u32::from(c));
        }
    }
    anchor
}

/// A box that scrolls sideways by itself, so that a wide table never widens the page. It can be reached and scrolled
/// with the keyboard.
fn scrolling(label: &str, class: &str, body: Markup) -> Markup {
    html! {
        div class={ "scroll " (class) } role="region" aria-label=(label) tabindex="0" { (body) }
    }
}

/// One line in place of an empty section.
fn nothing(text: &str) -> Markup {
    html! { p.none { (text) } }
}

#[cfg(test)]
mod tests;
