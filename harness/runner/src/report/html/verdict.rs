//! The top of the page: the answer, what it is an answer to, and the totals.

use maud::{Markup, html};

use crate::report::figures::{counted, grouped};
use crate::report::model::{Report, Verdict};

/// The verdict in two or three words.
pub(super) fn words(report: &Report) -> String {
    match report.verdict {
        Verdict::Findings if report.findings.is_empty() => "Disagreement".to_string(),
        Verdict::Findings => counted(report.findings.len() as u64, "finding", "findings"),
        Verdict::Agree if report.judged() == 0 => "Nothing was judged".to_string(),
        Verdict::Agree => "All agree".to_string(),
    }
}

pub(super) fn header(report: &Report) -> Markup {
    let good = report.verdict == Verdict::Agree && report.judged() > 0;
    let total = report.totals();
    let totals = [
        ("judged", report.judged(), ""),
        ("agree", total.agree, ""),
        (
            "disagree",
            total.disagree,
            if total.disagree > 0 { "bad" } else { "" },
        ),
        ("poisoned", total.poisoned, ""),
        ("skipped", total.skipped, ""),
    ];
    html! {
        header class=(if good { "top good" } else { "top bad" }) {
            p.kicker { "Assay report" }
            h1 { (words(report)) }
            p.lead { (sentence(report)) }
            @if !report.shards.is_empty() {
                p.partial {
                    "This is part " (report.shards.join(", "))
                    " of a run, not the whole. “assay report merge” joins the parts."
                }
            }
            @if !report.filters.is_empty() {
                p.partial { "Filtered: only " (report.filters.join(", ")) " was run." }
            }
            dl.totals {
                @for (name, count, class) in totals {
                    div class=[(!class.is_empty()).then_some(class)] {
                        dt { (name) }
                        dd { (grouped(count)) }
                    }
                }
                div class=[(!report.not_run.is_empty()).then_some("warn")] {
                    dt { a href="#not-run" { "not run" } }
                    dd { (grouped(report.not_run.len() as u64)) }
                }
            }
            dl.facts {
                (fact("seed", &report.seed.to_string()))
                (fact("mode", &report.mode))
                (fact("version", &report.version))
                (fact("filters", &or_none(&report.filters)))
                (fact("parts", &if report.shards.is_empty() {
                    "whole run".to_string()
                } else {
                    report.shards.join(", ")
                }))
            }
        }
    }
}

/// The verdict in a sentence.
fn sentence(report: &Report) -> String {
    let total = report.totals();
    let judged = counted(
        report.judged(),
        "case that was judged",
        "cases that were judged",
    );
    match (report.verdict, report.judged(), total.poisoned) {
        (Verdict::Findings, ..) => format!("{} of {judged} disagree.", grouped(total.disagree)),
        (_, 0, _) => "No case was judged, so nothing is known.".to_string(),
        (.., 0) => format!("None of {judged} disagrees."),
        (.., open) => format!(
            "None of {judged} disagrees. {} cannot be judged, because the specification leaves the answer open.",
            grouped(open)
        ),
    }
}

fn fact(name: &str, value: &str) -> Markup {
    html! { div { dt { (name) } dd { (value) } } }
}

fn or_none(list: &[String]) -> String {
    if list.is_empty() {
        "none".to_string()
    } else {
        list.join(", ")
    }
}
