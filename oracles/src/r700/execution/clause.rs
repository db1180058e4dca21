//! What lives as long as an ALU clause: the predicate, AR, PV and PS.

use super::code::{Channel, Window};
use super::lanes;
use super::value::{Reason, Value};

/// The state of an ALU clause.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    count: usize,
    pub(super) windows: [Window; 2],
    /// The lanes that run it.
    pub(super) running: u64,
    /// The predicate; at the start equal to the active mask (R6 p. 64).
    pub(super) predicate: u64,
    /// The active mask after the clause, as UPDATE_EXECUTE_MASK changes it.
    pub(super) passing: u64,
    /// AR, by component and lane.
    address: Vec<Value>,
    /// Which lanes have an AR, by component.
    addressed: [u64; 4],
    /// PV and PS, by unit and lane.
    results: Vec<Value>,
    /// Which lanes have one, by unit.
    fresh: [u64; 5],
}

impl Clause {
    /// Room for a wavefront of so many lanes.
    pub(super) fn new(count: usize, windows: [Window; 2]) -> Self {
        Self {
            count,
            windows,
            running: 0,
            predicate: 0,
            passing: 0,
            address: vec![Value::settled(0); 4 * count],
            addressed: [0; 4],
            results: vec![Value::settled(0); 5 * count],
            fresh: [0; 5],
        }
    }

    /// The start of a clause.
    pub(super) fn start(&mut self, windows: [Window; 2], running: u64) {
        self.windows = windows;
        (self.running, self.predicate, self.passing) = (running, running, running);
        self.addressed = [0; 4];
        self.fresh = [0; 5];
    }

    /// A component of AR, if something has set it in this clause.
    pub(super) fn address(&self, component: Channel, lane: usize) -> Option<&Value> {
        let component = component & 3;
        (self.addressed[component] >> lane & 1 == 1)
            .then(|| &self.address[component * self.count + lane])
    }

    pub(super) fn set_address(&mut self, component: Channel, lane: usize, value: Value) {
        let component = component & 3;
        self.addressed[component] |= lanes::one(lane);
        self.address[component * self.count + lane] = value;
    }

    /// What a unit gave in the group before.
    #[inline]
    pub(super) fn previous(&self, unit: usize, lane: usize) -> Value {
        let value = &self.results[unit * self.count + lane];
        if self.fresh[unit] >> lane & 1 == 1 {
            value.clone()
        } else {
            Value::unknown(value.bits(), Reason::NoPreviousResult)
        }
    }

    /// What a unit has given.
    #[inline]
    pub(super) fn set_previous(&mut self, unit: usize, lane: usize, value: Value) {
        self.fresh[unit] |= lanes::one(lane);
        self.results[unit * self.count + lane] = value;
    }

    /// A unit without a result in this group.
    pub(super) fn forget_previous(&mut self, unit: usize) {
        self.fresh[unit] = 0;
    }
}
