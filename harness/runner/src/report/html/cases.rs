//! Counts by target, kind and part.

use maud::{Markup, html};

use super::{nothing, scrolling};
use crate::report::figures::grouped;
use crate::report::model::{Report, Tally};

pub(super) fn section(report: &Report) -> Markup {
    if report.tallies.is_empty() {
        return nothing("No case was run.");
    }
    let table = html! {
        table.cases {
            thead {
                tr {
                    th scope="col" { "target" }
                    th scope="col" { "kind" }
                    th scope="col" { "part" }
                    th.r scope="col" { "agree" }
                    th.r scope="col" { "disagree" }
                    th.r scope="col" { "poisoned" }
                    th.r scope="col" { "skipped" }
                }
            }
            @for group in report.tallies.chunk_by(|a, b| a.target == b.target && a.kind == b.kind) {
                tbody {
                    @if group.len() > 1 {
                        tr.sum data-f data-t=(group[0].target) {
                            (heads(&group[0].target, &group[0].kind, "all parts"))
                            (counts(&sum(group)))
                        }
                    }
                    @for tally in group {
                        tr.of[group.len() > 1] data-f data-t=(tally.target) {
                            (heads(&tally.target, &tally.kind, &tally.part))
                            (counts(tally))
                        }
                    }
                }
            }
            tfoot {
                tr {
                    th scope="row" colspan="3" { "all" }
                    (counts(&report.totals()))
                }
            }
        }
    };
    html! {
        (scrolling("Cases by target, kind and part", "", table))
        p.note {
            b { "Poisoned: " } "cannot be judged, because the specification leaves the answer open. "
            b { "Skipped: " } "not judged."
        }
    }
}

fn heads(target: &str, kind: &str, part: &str) -> Markup {
    html! {
        th scope="row" { (target) }
        td { (kind) }
        td { (part) }
    }
}

fn counts(tally: &Tally) -> Markup {
    html! {
        (count(tally.agree, ""))
        (count(tally.disagree, "bad"))
        (count(tally.poisoned, ""))
        (count(tally.skipped, ""))
    }
}

fn count(count: u64, class: &str) -> Markup {
    let class = if count == 0 {
        "r zero".to_string()
    } else {
        format!("r {class}")
    };
    html! { td class=(class.trim_end()) { (grouped(count)) } }
}

fn sum(tallies: &[Tally]) -> Tally {
    tallies.iter().fold(Tally::default(), |mut sum, tally| {
        sum.agree = sum.agree.saturating_add(tally.agree);
        sum.disagree = sum.disagree.saturating_add(tally.disagree);
        sum.poisoned = sum.poisoned.saturating_add(tally.poisoned);
        sum.skipped = sum.skipped.saturating_add(tally.skipped);
        sum
    })
}
