//! The plain tables: what was not run, swept ranges, evidence, single sources, corpora and peers.

use std::collections::BTreeSet;

use maud::{Markup, html};

use super::{nothing, scrolling};
use crate::report::figures::{counted, grouped, percent};
use crate::report::model::{Certificate, Report};

pub(super) fn not_run(report: &Report) -> Markup {
    if report.not_run.is_empty() {
        return nothing("Everything that belongs to this mode was run.");
    }
    html! {
        div.warning {
            p { "The verdict says nothing about these." }
            dl {
                @for missing in &report.not_run {
                    div data-f { dt { (missing.what) } dd { (missing.reason) } }
                }
            }
        }
    }
}

pub(super) fn certificates(report: &Report) -> Markup {
    if report.certificates.is_empty() {
        return nothing("Nothing was swept.");
    }
    let table = html! {
        table {
            thead {
                tr {
                    th scope="col" { "target" }
                    th scope="col" { "options" }
                    th scope="col" { "swept" }
                    th.r scope="col" { "values" }
                    th.r scope="col" { "of" }
                    th.r scope="col" { "share" }
                    th.r scope="col" { "inputs" }
                    th.r scope="col" { "agree" }
                }
            }
            tbody {
                @for certificate in &report.certificates {
                    tr data-f data-t=(certificate.target) {
                        th scope="row" { (certificate.target) }
                        td { code { (certificate.unit) } }
                        td { (certificate.what) }
                        (range(certificate))
                        td.r { (grouped(certificate.inputs)) }
                        td.r.bad[certificate.agree < certificate.inputs] { (grouped(certificate.agree)) }
                    }
                }
            }
        }
    };
    let whole = report
        .certificates
        .iter()
        .filter(|c| c.of > 0 && c.values >= c.of)
        .count() as u64;
    let ranges = report.certificates.iter().filter(|c| c.of > 0).count() as u64;
    html! {
        p.note {
            (grouped(whole)) " of " (counted(ranges, "range", "ranges")) " swept whole. "
            "“Of” is the number of values there are; where that is not the measure it is blank."
        }
        (scrolling("Swept ranges", "tall", table))
    }
}

fn range(certificate: &Certificate) -> Markup {
    html! {
        td.r { (grouped(certificate.values)) }
        @if certificate.of == 0 {
            td.r {} td.r {}
        } @else {
            td.r { (grouped(certificate.of)) }
            td.r.warn[certificate.values < certificate.of] {
                (share(certificate.values, certificate.of))
            }
        }
    }
}

/// A share in percent that is neither 0 for something nor 100 for less than all.
fn share(part: u64, whole: u64) -> String {
    match percent(part, whole) {
        0 if part > 0 => "< 1 %".to_string(),
        share => format!("{share} %"),
    }
}

/// Kinds of evidence, the strongest first; others follow by name.
const STRENGTH: [&str; 5] = [
    "hardware",
    "vendor-spec",
    "pinned-enum",
    "consensus",
    "inferred",
];

pub(super) fn evidence(report: &Report) -> Markup {
    let named: BTreeSet<&str> = report
        .evidence
        .values()
        .flat_map(|counts| counts.keys())
        .map(String::as_str)
        .collect();
    let known = STRENGTH.into_iter().filter(|kind| named.contains(kind));
    let others = named
        .iter()
        .copied()
        .filter(|kind| !STRENGTH.contains(kind));
    let columns: Vec<&str> = known.chain(others).collect();
    if columns.is_empty() {
        return nothing("No expectation was held against anything.");
    }
    let table = html! {
        table {
            thead {
                tr {
                    th scope="col" { "target" }
                    @for column in &columns { th.r scope="col" { (column) } }
                }
            }
            tbody {
                @for (target, counts) in &report.evidence {
                    tr data-f data-t=(target) {
                        th scope="row" { (target) }
                        @for column in &columns {
                            @let count = counts.get(*column).copied().unwrap_or(0);
                            td.r.zero[count == 0] { (grouped(count)) }
                        }
                    }
                }
            }
        }
    };
    html! {
        p.note { "How the expectations of cases are known, the strongest kind first." }
        (scrolling("Cases by target and evidence", "", table))
    }
}

pub(super) fn single_source(report: &Report) -> Markup {
    if report.single_source.is_empty() {
        return nothing("Every field and name has two sources.");
    }
    let table = html! {
        table {
            thead {
                tr {
                    th scope="col" { "target" }
                    th scope="col" { "field or name" }
                    th scope="col" { "source" }
                }
            }
            tbody {
                @for single in &report.single_source {
                    tr data-f data-t=(single.target) {
                        th scope="row" { (single.target) }
                        td { code { (single.what) } }
                        td { (single.source) }
                    }
                }
            }
        }
    };
    let count = report.single_source.len() as u64;
    html! {
        details {
            summary {
                (counted(count, "field or name rests", "fields and names rest")) " on one source only"
            }
            (scrolling("Fields and names with one source", "tall", table))
        }
    }
}

pub(super) fn corpora(report: &Report) -> Markup {
    if report.corpora.is_empty() {
        return nothing("No corpus was judged.");
    }
    let table = html! {
        table {
            thead { tr { th scope="col" { "corpus" } th scope="col" { "holds" } } }
            tbody {
                @for corpus in &report.corpora {
                    tr data-f { th scope="row" { (corpus.name) } td { (corpus.holds) } }
                }
            }
        }
    };
    scrolling("Corpora", "", table)
}

pub(super) fn peers(report: &Report) -> Markup {
    if report.peers.is_empty() {
        return nothing("None was looked for.");
    }
    let table = html! {
        table {
            thead {
                tr {
                    th scope="col" { "name" }
                    th scope="col" { "state" }
                    th scope="col" { "note" }
                }
            }
            tbody {
                @for peer in &report.peers {
                    tr data-f {
                        th scope="row" { (peer.name) }
                        td.warn[peer.state == "missing"] { (peer.state) }
                        td { (peer.note) }
                    }
                }
            }
        }
    };
    scrolling("Peers and engines", "", table)
}
