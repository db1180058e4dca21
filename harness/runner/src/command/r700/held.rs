//! What `assay r700 diff` found of one shader on one engine, as text and as JSON.

use std::fmt::Write;

use serde_json::json;

use crate::command::{Exit, output};
use crate::execution::compare::{Comparison, Verdict, describe, show};
use crate::execution::divergence::Divergence;
use crate::execution::shader::Shader;
use crate::execution::slice::slice;

/// What one shader on one engine came to.
pub(super) struct Held {
    pub(super) shader: String,
    pub(super) engine: String,
    pub(super) comparison: Comparison,
    /// Vectors on which the microcode does not end, or that were not run any more.
    pub(super) skipped: u64,
    pub(super) divergence: Option<Divergence>,
    /// Why its groups could not be looked into.
    pub(super) unprobed: Option<String>,
    pub(super) case: Option<String>,
}

/// The case of a divergence, cut to its group.
pub(super) fn case(shader: &Shader, divergence: &Divergence) -> Option<String> {
    let Divergence::Value {
        step, operation, ..
    } = divergence
    else {
        return None;
    };
    let decoded = r700::program::decode(&shader.bytes, shader.chip).ok()?;
    let cut = slice(&decoded, step, (*operation)?)?.ok()?;
    let name = &step.operations[(*operation)?].name;
    Some(cut.case(
        "r700/execution/saved",
        &format!("{name} at slot {} of {}", step.slot, shader.origin),
    ))
}

impl Held {
    /// How a command ends that found this.
    pub(super) fn exit(&self) -> Exit {
        match self.comparison.verdict() {
            Verdict::Agree => Exit::Agree,
            Verdict::Differ => Exit::Findings,
            Verdict::Undecided => Exit::Undecided,
        }
    }

    pub(super) fn text(&self) -> String {
        let comparison = &self.comparison;
        let mut text = String::new();
        let _ = writeln!(
            text,
            "{}: {} on the {} engine: {} vectors agree, {} within what is open, {} cannot be judged, {} differ",
            comparison.verdict().name(),
            output::printable(&self.shader),
            self.engine,
            comparison.agree,
            comparison.within,
            comparison.poisoned,
            comparison.differences.len()
        );
        if comparison.verdict() == Verdict::Undecided {
            text.push_str(match comparison.poisoned {
                0 => "  no vector was compared\n",
                _ => "  nothing could be decided, because the specification leaves the answer of every vector open\n",
            });
        }
        if self.skipped > 0 {
            let _ = writeln!(
                text,
                "  not run: {} vectors, on which the microcode does not end within bounds, or that follow one on which the translation does not",
                self.skipped
            );
        }
        if let Some(first) = comparison.differences.first() {
            let _ = writeln!(
                text,
                "  lane {}: {}\n    interpreter  {}\n    translation  {}",
                first.lane, first.what, first.allowed, first.found
            );
        }
        match &self.divergence {
            Some(Divergence::Value {
                step,
                at,
                what,
                allowed,
                found,
                operation,
            }) => {
                let _ = writeln!(
                    text,
                    "  first divergent group: slot {}, after {at} others",
                    step.slot
                );
                for (number, one) in step.operations.iter().enumerate() {
                    let mark = if Some(number) == *operation { ">" } else { " " };
                    let unit = one
                        .unit
                        .map_or_else(|| "fetch".to_owned(), |unit| unit.letter().to_string());
                    let operands: Vec<_> = one.operands.iter().map(describe).collect();
                    let _ = writeln!(
                        text,
                        "  {mark} {unit}: {} {}",
                        one.name,
                        operands.join("; ")
                    );
                }
                let _ = writeln!(
                    text,
                    "  {what}\n    interpreter  {}\n    translation  {}",
                    describe(allowed),
                    show(*found)
                );
            }
            Some(Divergence::Path {
                at,
                microcode,
                translation,
            }) => {
                let slot = |slot: &Option<u32>| {
                    slot.map_or_else(|| "the end".to_owned(), |slot| format!("slot {slot}"))
                };
                let _ = writeln!(
                    text,
                    "  after {at} groups they part\n    interpreter  {}\n    translation  {}",
                    slot(microcode),
                    slot(translation)
                );
            }
            None if self.unprobed.is_some() => {
                let why = self.unprobed.as_deref().unwrap_or_default();
                let why = output::printable(why);
                let _ = writeln!(text, "  no group of it could be looked into: {why}");
            }
            None if !comparison.differences.is_empty() => {
                text.push_str("  no group of it could be looked into: the translation has no markers (//@ slot …), or only its exports differ\n");
            }
            None => {}
        }
        for (reason, count) in &comparison.reasons {
            let _ = writeln!(text, "  open: {count} words: {reason}");
        }
        text
    }

    pub(super) fn json(&self) -> serde_json::Value {
        let comparison = &self.comparison;
        let first = comparison.differences.first().map(|first| {
            json!({
                "lane": first.lane,
                "what": first.what,
                "interpreter": first.allowed,
                "translation": first.found,
            })
        });
        let divergence = self.divergence.as_ref().map(|divergence| match divergence {
            Divergence::Value { step, at, what, allowed, found, operation } => json!({
                "slot": step.slot,
                "after": at,
                "op": operation.map(|at| &step.operations[at].name),
                "operands": operation.map(|at| step.operations[at].operands.iter().map(describe).collect::<Vec<_>>()),
                "what": what,
                "interpreter": describe(allowed),
                "translation": show(*found),
            }),
            Divergence::Path { at, microcode, translation } => {
                json!({ "after": at, "interpreter_slot": microcode, "translation_slot": translation })
            }
        });
        json!({
            "shader": self.shader,
            "engine": self.engine,
            "verdict": comparison.verdict().name(),
            "agree": comparison.agree,
            "within": comparison.within,
            "poisoned": comparison.poisoned,
            "differ": comparison.differences.len(),
            "skipped": self.skipped,
            "open": comparison.reasons,
            "first": first,
            "divergence": divergence,
            "unprobed": self.unprobed,
            "case": self.case,
        })
    }
}
