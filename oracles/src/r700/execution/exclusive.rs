//! What a group decides for its lanes: kills, predicates, and AR.
//!
//! The manual forbids two of the first two in a group (R6 p. 59), and compilers emit several kills all the same (R079).
//! Where all that were run say the same it does not matter which of them the hardware heeds; where they do not, the lane
//! is lost.

use super::clause::Clause;
use super::code::{Channel, Instruction};
use super::lanes;
use super::machine::Machine;
use super::value::{Reason, Truth, Value};

/// A decision for one lane.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Decision {
    Kill(Truth),
    Predicate {
        truth: Truth,
        predicate: bool,
        mask: bool,
    },
}

/// All that a group decides.
#[derive(Debug)]
pub(super) struct Exclusive {
    /// Whether a lane can have several.
    crowded: bool,
    decisions: Vec<(usize, Decision)>,
    addresses: Vec<(Channel, usize, Value)>,
}

impl Exclusive {
    pub(super) fn new(crowded: bool) -> Self {
        Self {
            crowded,
            decisions: Vec::new(),
            addresses: Vec::new(),
        }
    }

    pub(super) fn kill(&mut self, lane: usize, truth: Truth) {
        self.decisions.push((lane, Decision::Kill(truth)));
    }

    pub(super) fn predicate(&mut self, instruction: &Instruction, lane: usize, truth: Truth) {
        if instruction.update_predicate || instruction.update_mask {
            let decision = Decision::Predicate {
                truth,
                predicate: instruction.update_predicate,
                mask: instruction.update_mask,
            };
            self.decisions.push((lane, decision));
        }
    }

    /// The unit decides the component of AR (R6 p. 61).
    pub(super) fn address(&mut self, unit: usize, lane: usize, address: Value) {
        self.addresses.push((unit, lane, address));
    }

    /// Whether decisions of one lane differ.
    fn is_torn(&self, lane: usize) -> bool {
        let mut of_lane = self.decisions.iter().filter(|(of, _)| *of == lane);
        let Some((_, first)) = of_lane.next() else {
            return false;
        };
        of_lane.any(|(_, other)| other != first)
    }
}

impl Machine<'_> {
    /// Puts what a group decided into effect, for the groups after it.
    pub(super) fn settle(&mut self, clause: &mut Clause, decided: &Exclusive) {
        for (component, lane, address) in &decided.addresses {
            clause.set_address(*component, *lane, address.clone());
        }
        for &(lane, decision) in &decided.decisions {
            if decided.crowded && decided.is_torn(lane) {
                self.lose(lane, Reason::SeveralKills);
            }
            match decision {
                Decision::Kill(truth) => self.kill(lane, truth),
                Decision::Predicate {
                    truth,
                    predicate,
                    mask,
                } => {
                    if let Truth::Unsettled { reason, .. } = truth {
                        self.lose(lane, reason);
                    }
                    let bit = lanes::one(lane);
                    let set = |lanes: &mut u64| match truth.nominal() {
                        true => *lanes |= bit,
                        false => *lanes &= !bit,
                    };
                    if predicate {
                        set(&mut clause.predicate);
                    }
                    if mask {
                        set(&mut clause.passing);
                    }
                }
            }
        }
    }

    /// A kill of a lane: its valid bit goes.
    fn kill(&mut self, lane: usize, truth: Truth) {
        if let Truth::Unsettled { reason, .. } = truth {
            self.lose(lane, reason);
        }
        if !truth.nominal() {
            return;
        }
        if self.flow.valid & lanes::one(lane) != 0 {
            self.bench.killed |= lanes::one(lane);
        }
        self.invalidate(lanes::one(lane));
    }
}
