//! The ledger of contradictions.

use maud::{Markup, html};

use super::{anchor, nothing};
use crate::report::figures::{counted, grouped};
use crate::report::model::{ErratumResult, Report};

pub(super) fn section(report: &Report) -> Markup {
    if report.errata.is_empty() {
        return nothing("The ledger is empty.");
    }
    let settled = report
        .errata
        .iter()
        .filter(|erratum| erratum.status == "settled")
        .count() as u64;
    let all = report.errata.len() as u64;
    let cases = |state| {
        report
            .errata
            .iter()
            .map(|erratum| count(erratum, state))
            .sum::<u64>()
    };
    html! {
        p.note {
            "Where two sources contradict each other. " (grouped(settled)) " settled, "
            (grouped(all - settled)) " open. Their cases: " (grouped(cases("met"))) " met, "
            @let not_met = cases("not met");
            @if not_met > 0 { b.bad { (grouped(not_met)) " not met" } } @else { "0 not met" }
            ", " (grouped(cases("not run"))) " not run."
        }
        @for erratum in &report.errata { (entry(erratum)) }
    }
}

/// Open entries, and those with a case that is not met, are unfolded.
fn entry(erratum: &ErratumResult) -> Markup {
    let not_met = count(erratum, "not met");
    let settled = erratum.status == "settled";
    html! {
        details.erratum id=(anchor("erratum", &erratum.id)) open[!settled || not_met > 0]
            data-f data-t=(erratum.target) data-s=(erratum.status) {
            summary {
                span.tag.open[!settled] { (erratum.status) }
                b { (erratum.target) } " " (erratum.title) " "
                span.meta { (erratum.id) ", " (outcome(erratum)) }
            }
            dl.sources {
                @for (source, says) in &erratum.sources {
                    div { dt { (source) } dd { (says) } }
                }
                div.ruling {
                    dt { @if settled { "Assay holds" } @else { "to settle it" } }
                    dd { (erratum.ruling) }
                }
                div {
                    dt { "cases" }
                    dd {
                        ul.plain {
                            @for (case, state) in &erratum.cases {
                                li {
                                    span.state.bad[state == "not met"].warn[state == "not run"] {
                                        (state)
                                    }
                                    " " code { (case) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn count(erratum: &ErratumResult, state: &str) -> u64 {
    erratum
        .cases
        .iter()
        .filter(|(_, went)| went == state)
        .count() as u64
}

fn outcome(erratum: &ErratumResult) -> Markup {
    let (not_met, not_run) = (count(erratum, "not met"), count(erratum, "not run"));
    html! {
        (counted(count(erratum, "met"), "case", "cases")) " met"
        @if not_met > 0 { ", " b.bad { (grouped(not_met)) " not met" } }
        @if not_run > 0 { ", " (grouped(not_run)) " not run" }
    }
}
