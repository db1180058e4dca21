//! What was executed: opcodes by class, programs that were not translated, doubts.

use maud::{Markup, html};

use super::{nothing, scrolling};
use crate::report::figures::{counted, grouped};
use crate::report::model::{Execution, Report};

/// Programs named of those that were not translated for one reason; the rest are counted.
const NAMED: usize = 20;

pub(super) fn section(report: &Report) -> Markup {
    if report.execution.is_empty() {
        return nothing("Nothing was executed.");
    }
    html! { @for execution in &report.execution { (of_target(execution)) } }
}

fn of_target(execution: &Execution) -> Markup {
    let never: Vec<_> = execution
        .opcodes
        .iter()
        .filter(|row| row.lanes == 0)
        .collect();
    let programs = html! {
        table {
            thead { tr { th scope="col" { "programs" } th.r scope="col" { "translated" } } }
            tbody {
                @for (part, count) in &execution.translated {
                    tr data-f { th scope="row" { (part) } td.r { (grouped(*count)) } }
                }
            }
        }
    };
    let opcodes = html! {
        table {
            thead { tr { th scope="col" { "class" } th scope="col" { "opcode" } th.r scope="col" { "lanes" } } }
            tbody {
                @for row in &execution.opcodes {
                    tr data-f {
                        td { (row.class) }
                        th scope="row" { (row.name) }
                        @if row.lanes == 0 { td.hole { "never executed" } } @else { td.r { (grouped(row.lanes)) } }
                    }
                }
            }
        }
    };
    html! {
        h3 { (execution.target) ": programs" }
        (scrolling("programs translated", "", programs))
        h3 { "Not translated" }
        @if execution.refused.is_empty() { p { "Every program was translated." } }
        @for refused in &execution.refused {
            p {
                (counted(refused.programs.len() as u64, "program", "programs")) ": " (refused.reason)
            }
            ul {
                @for program in refused.programs.iter().take(NAMED) { li { code { (program) } } }
                @if refused.programs.len() > NAMED { li { (refused.programs.len() - NAMED) " more" } }
            }
        }
        h3 { "What the sources leave open" }
        p.note {
            "Words of results that agree only because no source settles them, or that nothing is known of; by reason."
        }
        ul {
            @for (reason, count) in &execution.doubts { li { (grouped(*count)) ": " (reason) } }
        }
        h3 { "Opcodes executed" }
        @if !never.is_empty() {
            p { (counted(never.len() as u64, "opcode was", "opcodes were")) " never executed." }
        }
        (scrolling("opcodes executed", "", opcodes))
    }
}
