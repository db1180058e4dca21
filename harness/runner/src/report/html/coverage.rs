//! Opcodes against fields, as heat maps.

use maud::{Markup, html};

use super::{anchor, bits, nothing, scrolling};
use crate::report::figures::{counted, grouped};
use crate::report::model::{Coverage, CoverageRow, Report, Varied};

/// Holes that are named above their table; the rest are counted.
const NAMED: usize = 12;

pub(super) fn section(report: &Report) -> Markup {
    if report.coverage.is_empty() {
        return nothing("No coverage was recorded.");
    }
    html! {
        p.note {
            "A number says how many of the field’s bits were seen both 0 and 1 with that name, in percent, rounded down. "
            "Under the pointer: which bits are missing. A blank cell: the name never had the field."
        }
        p.legend {
            span.v0 { "0" } " never varied "
            span.v1 { "1" } span.v2 { "25" } span.v3 { "50" } span.v4 { "75" } " in part "
            span.v5 { "100" } " every bit "
            span.hole { "never seen" } " a hole"
        }
        @for table in &report.coverage { (heat_map(table)) }
    }
}

fn heat_map(coverage: &Coverage) -> Markup {
    let title = format!("{} {}", coverage.target, coverage.axis);
    let columns = coverage.fields.len() + 1;
    let table = html! {
        table.heat {
            thead {
                tr {
                    th scope="col" { (coverage.axis) }
                    th.r scope="col" { "seen" }
                    @for field in &coverage.fields {
                        th scope="col" { span { (field) } }
                    }
                }
            }
            tbody {
                @for row in &coverage.rows {
                    @if row.seen == 0 {
                        tr data-f { th scope="row" { (row.name) } td.hole colspan=(columns) { "never seen" } }
                    } @else {
                        tr data-f {
                            th scope="row" { (row.name) }
                            td { (grouped(row.seen)) }
                            @for varied in &row.varied { (cell(*varied)) }
                        }
                    }
                }
            }
        }
    };
    html! {
        section.axis id=(anchor("coverage", &title.replace(' ', "-"))) data-t=(coverage.target) {
            h3 { (title) }
            (summary(coverage))
            (scrolling(&format!("Coverage of {title}"), "tall fit", table))
        }
    }
}

/// There may be tens of thousands of cells: a class of two letters and the number is all that most of them carry. One
/// that is not full says under the pointer what is missing.
fn cell(varied: Option<Varied>) -> Markup {
    let Some(varied) = varied else {
        return html! { td {} };
    };
    let share = varied.percent();
    let class = match share {
        0 => "v0",
        1..25 => "v1",
        25..50 => "v2",
        50..75 => "v3",
        75..100 => "v4",
        _ => "v5",
    };
    html! { td class=(class) title=[missing(varied)] { (share) } }
}

/// The bits that were never seen as one, or never as zero.
fn missing(varied: Varied) -> Option<String> {
    let mask = match varied.width {
        0..64 => (1 << varied.width) - 1,
        _ => u64::MAX,
    };
    let never = [
        ("never 1", !varied.ones & mask),
        ("never 0", !varied.zeros & mask),
    ];
    let said: Vec<String> = never
        .iter()
        .filter(|(_, bits)| *bits != 0)
        .map(|(what, bits)| format!("{what}: {}", bits::runs(*bits)))
        .collect();
    (!said.is_empty()).then(|| said.join("; "))
}

fn summary(coverage: &Coverage) -> Markup {
    let holes: Vec<&CoverageRow> = coverage.rows.iter().filter(|row| row.seen == 0).collect();
    let cells = || {
        let seen = coverage.rows.iter().filter(|row| row.seen > 0);
        seen.flat_map(|row| row.varied.iter().flatten())
            .map(|varied| varied.percent())
    };
    let full = cells().filter(|share| *share >= 100).count() as u64;
    let still = cells().filter(|share| *share == 0).count() as u64;
    html! {
        p.meta {
            (grouped((coverage.rows.len() - holes.len()) as u64)) " of "
            (counted(coverage.rows.len() as u64, "name", "names")) " seen; "
            (grouped(full)) " of " (counted(cells().count() as u64, "cell", "cells")) " full, "
            (grouped(still)) " never varied."
            @if !holes.is_empty() {
                " " b.bad { "Never seen: " }
                @for (at, hole) in holes.iter().take(NAMED).enumerate() {
                    @if at > 0 { ", " }
                    code { (hole.name) }
                }
                @if holes.len() > NAMED { " and " (grouped((holes.len() - NAMED) as u64)) " more" }
                "."
            }
        }
    }
}
