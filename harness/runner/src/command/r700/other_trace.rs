//! `assay r700 diff --trace`: another emulator's trace beside the reference interpreter's.

use std::path::Path;

use anyhow::anyhow;
use serde_json::json;

use super::given::Given;
use crate::command::{Exit, Failure, Outcome, input, output};
use crate::engines;
use crate::execution::compare::Verdict;
use crate::execution::other_trace::{Compared, Comparison, OtherTrace};
use crate::execution::shader::Shader;

/// Holds the trace of a file against the run of a shader.
pub(super) fn hold(shader: &Shader, given: &Given, other: &Path, as_json: bool) -> Outcome {
    let reference = engines::reference("embedded").map_err(|why| anyhow!(why))?;
    let program = reference.program(shader).map_err(Failure::usage)?;
    let attempts = given.wavefront(shader)?.0;
    let environment = attempts.first().ok_or_else(|| anyhow!("no inputs"))?;
    let name = input::name(other);
    let lanes = environment.lanes.len();
    let trace = OtherTrace::read(input::open(other)?, lanes)
        .map_err(|why| Failure::usage(anyhow!("{name}: {why}")))?;
    let mut comparison = Comparison::new(&trace, lanes);
    reference
        .run(&program, environment, &mut comparison)
        .map_err(Failure::usage)?;
    let compared = comparison.finish();
    if as_json {
        output::print_json(&in_json(&compared))?;
    } else {
        output::print(&in_words(&compared, &name))?;
    }
    Ok(match compared.verdict() {
        Verdict::Agree => Exit::Agree,
        Verdict::Differ => Exit::Findings,
        Verdict::Undecided => Exit::Undecided,
    })
}

fn in_words(compared: &Compared, name: &str) -> String {
    let counts = format!(
        "{} records, {} words compared, {} of them unknown",
        compared.records, compared.words, compared.unknown
    );
    let Some(parting) = &compared.parting else {
        let verdict = compared.verdict();
        let note = match verdict {
            Verdict::Undecided => {
                "; the records come in the same order, and no word could be judged"
            }
            _ => "",
        };
        return format!("{}: {counts}{note}\n", verdict.name());
    };
    let slot = parting
        .slot
        .map_or_else(|| "the end".to_owned(), |slot| format!("slot {slot}"));
    let line = match parting.line {
        0 => format!("the end of {name}"),
        line => format!("line {line} of {name}"),
    };
    format!(
        "differ at {slot}, {line}: {}\n  interpreter  {}\n  other        {}\n{counts}\n",
        output::printable(&parting.what),
        parting.reference,
        output::printable(&parting.other),
    )
}

fn in_json(compared: &Compared) -> serde_json::Value {
    let parting = compared.parting.as_ref().map(|parting| {
        json!({
            "line": parting.line,
            "slot": parting.slot,
            "what": parting.what,
            "interpreter": parting.reference,
            "other": parting.other,
        })
    });
    json!({
        "verdict": compared.verdict().name(),
        "records": compared.records,
        "words": compared.words,
        "unknown": compared.unknown,
        "parting": parting,
    })
}
