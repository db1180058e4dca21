//! Jobs for inputs that are counted off.

use super::{Mode, Planner, Work};
use crate::context::Context;
use crate::finding::Kind;
use crate::report::model::NotRun;
use crate::target::Target;

/// Jobs that an enumeration is shared out to, if it has that many inputs.
const ENUMERATED: u64 = 64;

/// Enumerations that this mode is too small for.
pub(super) fn left_out(context: &Context) -> Vec<NotRun> {
    let mode = context.settings.mode;
    if mode == Mode::Full || !context.settings.wants_kind(Kind::Sweep) {
        return Vec::new();
    }
    let of = |target: &dyn Target| {
        let name = target.name();
        let large = target.enumerations().into_iter().filter(|one| one.full);
        large
            .map(|one| NotRun {
                what: format!("{} in {name} {}", one.what, one.options),
                reason: format!("{} mode leaves it out; --mode full takes it", mode.name()),
            })
            .collect::<Vec<_>>()
    };
    context
        .targets
        .iter()
        .flat_map(|target| of(&**target))
        .collect()
}

impl Planner<'_> {
    pub(super) fn enumerations(&mut self) {
        let full = self.context.settings.mode == Mode::Full;
        let target = &self.context.targets[self.target];
        for (enumeration, of) in target.enumerations().iter().enumerate() {
            if of.full && !full {
                continue;
            }
            let chunk = of.inputs.div_ceil(ENUMERATED).max(1);
            for start in (0..of.inputs).step_by(chunk as usize) {
                let end = (start + chunk).min(of.inputs);
                let work = Work::Enumerated {
                    enumeration,
                    start,
                    end,
                };
                self.push(of.options.to_string(), work);
            }
        }
    }
}
