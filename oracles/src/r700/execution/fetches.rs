//! Fetch clauses.

use super::code::{Destination, Fetch, FetchClause, FetchKind, Scope, Select};
use super::error::Fault;
use super::fetch::{self, Gradients, TextureFetch, TextureOperation, VertexFetch};
use super::flow::whole_quads;
use super::lanes;
use super::machine::Machine;
use super::observer::FetchRecord;
use super::value::{Reason, Value};

/// Lanes of a quad.
const QUAD: usize = 4;

/// Room for the operands and results of a fetch, and what lives as long as a clause.
#[derive(Debug)]
pub(super) struct Fetches {
    /// By lane, after selects.
    sources: Vec<[Value; 4]>,
    /// By lane; none where a component stays.
    values: Vec<[Option<Value>; 4]>,
    /// By quad.
    gradients: Vec<Gradients>,
    /// The registers that fetches of the clause have written.
    written: u128,
}

impl Fetches {
    pub(super) fn new(lanes: usize) -> Self {
        Self {
            sources: vec![std::array::from_fn(|_| Value::settled(0)); lanes],
            values: vec![[const { None }; 4]; lanes],
            gradients: vec![Gradients::default(); lanes.div_ceil(QUAD)],
            written: 0,
        }
    }
}

impl Machine<'_> {
    /// Runs a clause of fetches.
    pub(super) fn fetch_clause(&mut self, code: &FetchClause, scope: Scope) -> Result<(), Fault> {
        self.fetches.written = 0;
        for gradients in &mut self.fetches.gradients {
            *gradients = Gradients::default();
        }
        for fetch in &code.fetches {
            let mut running = self.flow.in_scope(scope);
            if fetch.whole_quad {
                // Also for invalid lanes, which are active all the same (R7 p. 6-2).
                running |= whole_quads(running) & self.flow.states.active;
            }
            if running == 0 {
                continue;
            }
            self.spend()?;
            self.fetch(fetch, running)?;
        }
        Ok(())
    }

    fn fetch(&mut self, fetch: &Fetch, running: u64) -> Result<(), Fault> {
        let found = match &fetch.kind {
            FetchKind::Unsupported(at) => return Err(self.unsupported(*at)),
            FetchKind::Vertex(vertex) => {
                self.gather_fetch(fetch, running);
                self.vertex(vertex, running)
            }
            FetchKind::Texture(texture) => {
                self.gather_fetch(fetch, lanes::all(self.bench.lanes));
                self.texture(texture, running)
            }
        };
        found.map_err(|error| Fault::Fetch {
            slot: fetch.slot,
            name: fetch.name.to_string(),
            error,
        })?;
        let register = self.fetch_destination(fetch, running);
        if let Some(register) = register {
            // SET_GRADIENTS_* has a destination and writes nothing.
            let mut written = false;
            for lane in lanes::each(running) {
                for channel in 0..4 {
                    if let Some(value) = &self.fetches.values[lane][channel] {
                        self.registers.write(register, channel, lane, value.clone());
                        written = true;
                    }
                }
            }
            if written {
                self.fetches.written |= 1_u128.checked_shl(register.into()).unwrap_or_default();
            }
        }
        let origin = self.origin(fetch.slot, running);
        self.observer.fetch(&FetchRecord {
            origin,
            name: &fetch.name,
            sources: &self.fetches.sources,
            register,
            values: &self.fetches.values,
        });
        Ok(())
    }

    /// The register that a fetch writes; none if it is dropped.
    fn fetch_destination(&mut self, fetch: &Fetch, running: u64) -> Option<u8> {
        let register = match fetch.destination {
            Destination::Register {
                register,
                relative: false,
            } => Some(register),
            Destination::Register { register, .. } => match self.flow.loop_index {
                Some(index) => self.registers.indexed(register, index).written(),
                None => {
                    for lane in lanes::each(running) {
                        self.lose(lane, Reason::Unset);
                    }
                    None
                }
            },
            Destination::Semantic(id) => self.environment.semantics.get(&id).copied(),
        };
        // Clause temporaries are not visible to fetches (R6 p. 43).
        register.filter(|register| self.registers.is_general(*register))
    }

    /// Reads the source register of a fetch in these lanes.
    fn gather_fetch(&mut self, fetch: &Fetch, which: u64) {
        let register = if fetch.source_relative {
            let index = self.flow.loop_index;
            index.and_then(|index| self.registers.indexed(fetch.source, index).read())
        } else {
            Some(fetch.source).filter(|register| self.registers.is_general(*register))
        };
        let register = register.ok_or(Reason::Unset).and_then(|register| {
            // The fetches of a clause are issued without waiting for one another (S095).
            match self.fetches.written >> (register & 127) & 1 {
                0 => Ok(register),
                _ => Err(Reason::UnstatedFetch),
            }
        });
        for lane in lanes::each(which) {
            for (channel, select) in fetch.source_select.iter().enumerate() {
                self.fetches.sources[lane][channel] = match (select, register) {
                    (Select::Channel(from), Ok(register)) => {
                        self.registers.read(register, *from, lane)
                    }
                    (Select::Channel(_), Err(reason)) => Value::unknown(0, reason),
                    (Select::Zero, _) => Value::float(0.0),
                    (Select::One, _) => Value::float(1.0),
                    (Select::Mask, _) => Value::unknown(0, Reason::UnstatedFetch),
                };
            }
        }
    }

    fn vertex(&mut self, vertex: &VertexFetch, running: u64) -> Result<(), fetch::FetchError> {
        for lane in lanes::each(running) {
            let index = &self.fetches.sources[lane][0];
            self.fetches.values[lane] = fetch::vertex(vertex, index, self.environment)?;
        }
        Ok(())
    }

    fn texture(&mut self, texture: &TextureFetch, running: u64) -> Result<(), fetch::FetchError> {
        let levels = &self.fetches.sources[..self.bench.lanes];
        let shared = self.precision.shares_levels
            && texture.op == TextureOperation::ResourceInformation
            && levels
                .iter()
                .any(|lane| lane[0] != levels[0][0] || !lane[0].is_settled());
        for number in 0..self.fetches.gradients.len() {
            let first = number * QUAD;
            if running >> first & 0xf == 0 {
                continue;
            }
            let quad = self.quad(first);
            let gradients = &mut self.fetches.gradients[number];
            let precision = &self.precision;
            let mut found = fetch::texture(texture, &quad, gradients, self.environment, precision)?;
            if shared {
                forget_sizes(&mut found, texture.dst_sel);
            }
            for (lane, values) in (first..self.bench.lanes).zip(found) {
                self.fetches.values[lane] = values;
            }
        }
        Ok(())
    }

    /// The operands of a quad. What a lane has that is lost, or that is not active, is nothing to take a derivative of.
    fn quad(&self, first: usize) -> [[Value; 4]; QUAD] {
        std::array::from_fn(|place| {
            let lane = (first + place).min(self.bench.lanes - 1);
            let operands = &self.fetches.sources[lane];
            let lost = self.outcomes[lane].lost;
            let away = self.flow.states.active >> lane & 1 == 0;
            match lost.or(away.then_some(Reason::Derivative)) {
                None => operands.clone(),
                Some(reason) => operands
                    .each_ref()
                    .map(|value| Value::unknown(value.bits(), reason)),
            }
        })
    }
}

/// Leaves the sizes of a texture open, of a level that may be another lane's; the number of levels is that of any.
fn forget_sizes(found: &mut [[Option<Value>; 4]; QUAD], selects: [fetch::Select; 4]) {
    use fetch::Select::{X, Y, Z};
    for lane in found {
        for (value, select) in lane.iter_mut().zip(selects) {
            if let (Some(value), X | Y | Z) = (value, select) {
                *value = Value::unknown(value.bits(), Reason::EngineDeparture);
            }
        }
    }
}
