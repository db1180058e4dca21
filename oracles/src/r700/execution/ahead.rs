//! What a lane may still do from a place on, whichever way it goes: what a lane that is lost may yet overwrite.

use std::collections::BTreeMap;

use super::code::{Action, BranchOp, Code, Control, Select};
use super::exports::{LaneOutcome, Target};
use super::value::{Reason, Truth, Value};

/// What may still happen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Ahead {
    /// The components that an export may send.
    exports: BTreeMap<Target, [bool; 4]>,
    /// Whether something may kill the lane.
    kills: bool,
}

impl Code {
    /// What may happen from a slot on, its clause included.
    pub(super) fn ahead(&self, slot: usize) -> Ahead {
        let mut ahead = Ahead::default();
        for control in &self.control[self.first_ahead(slot)..] {
            match &control.action {
                Action::Alu { clause, .. } => {
                    let clause = self.alu.get(*clause);
                    let mut groups = clause.iter().flat_map(|clause| &clause.groups);
                    ahead.kills |= groups.any(|group| group.kills);
                }
                Action::Branch(branch) => ahead.kills |= branch.op == BranchOp::Kill,
                Action::Export(export) => {
                    for number in 0..export.burst {
                        let target = export.first.plus(number);
                        let sent = ahead.exports.entry(target).or_default();
                        for (sent, select) in sent.iter_mut().zip(export.select) {
                            *sent |= select != Select::Mask;
                        }
                    }
                }
                Action::Nothing | Action::Fetch { .. } | Action::Unsupported(_) => {}
            }
        }
        ahead
    }

    /// The first slot of the text that can be reached: jumps back from what is reached take in what they lead to.
    fn first_ahead(&self, slot: usize) -> usize {
        let mut first = slot.min(self.control.len());
        loop {
            let targets = self.control[first..].iter().filter_map(jumps_to);
            match targets.min() {
                Some(target) if target < first => first = target,
                _ => return first,
            }
        }
    }
}

/// Where an instruction may jump to. A return may lead behind any call.
fn jumps_to(control: &Control) -> Option<usize> {
    let Action::Branch(branch) = &control.action else {
        return None;
    };
    match branch.op {
        BranchOp::Return => Some(0),
        BranchOp::Push | BranchOp::Pop | BranchOp::CallFetchShader | BranchOp::Kill => None,
        BranchOp::LoopStart
        | BranchOp::LoopStartDx10
        | BranchOp::LoopStartNoAl
        | BranchOp::LoopEnd
        | BranchOp::LoopContinue
        | BranchOp::LoopBreak
        | BranchOp::Jump
        | BranchOp::PushElse
        | BranchOp::Else
        | BranchOp::PopJump
        | BranchOp::PopPush
        | BranchOp::PopPushElse
        | BranchOp::Call => Some(branch.target as usize),
    }
}

impl LaneOutcome {
    /// Leaves open what a lane may have done after it was lost. What it had sent before and nothing can overwrite stays.
    pub(super) fn doubt(&mut self, reason: Reason, ahead: &Ahead) {
        for (target, values) in &mut self.exports {
            let sent = ahead.exports.get(target).copied().unwrap_or_default();
            for (value, _) in values.iter_mut().zip(sent).filter(|(_, sent)| *sent) {
                if let Some(known) = value {
                    *value = Some(Value::unknown(known.bits(), reason));
                }
            }
        }
        if ahead.kills && self.killed != Truth::Settled(true) {
            self.killed = Truth::Unsettled {
                nominal: self.killed.nominal(),
                reason,
            };
        }
    }
}
