//! The decoder of vertices, and the resolution of registers, as an implementation under test.

use std::sync::Arc;

use corpora::{Implementation, OptionError, Options, Outcome, Record, Section};
use pica::Vertex;

use super::fetch::{Fetched, Fetcher};
use super::ids::Ids;
use super::request::Request;
use super::{DECODE, INDEXED, STATE, draws};

/// Most vertices of a call, and room for one more: a capacity beyond that tells nothing apart.
const ROOM: usize = 4097;

/// What holds nothing of its own.
const DEFAULT: [u32; 4] = [0, 0, 0, 0x3f80_0000];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Decode,
    Indexed,
    State,
}

/// The library under test.
pub(super) struct Subject {
    ids: Arc<Ids>,
    unit: Unit,
    fetcher: Fetcher,
    /// Room for the vertices of a call, used again and again.
    out: Vec<Vertex>,
}

impl Subject {
    pub(super) fn new(ids: Arc<Ids>) -> Self {
        Self {
            ids,
            unit: Unit::Decode,
            fetcher: Fetcher::default(),
            out: Vec::new(),
        }
    }

    fn request(&mut self, input: &[u8], indexed: bool, outcome: &mut Outcome) {
        let request = match Request::read(input, indexed) {
            Ok(request) => request,
            Err((class, at)) => return outcome.reject(class, at),
        };
        let room = if request.decode {
            (request.capacity as usize).min(ROOM)
        } else {
            0
        };
        if self.out.len() < room {
            self.out.resize(room, Vertex::DEFAULT);
        }
        let out = &mut self.out[..room];
        match self.fetcher.fetch(&request, out) {
            Ok(fetched) => {
                emit(&self.ids, &fetched, out, &mut outcome.record);
                outcome.accept(input.len());
            }
            Err((class, at)) => outcome.reject(class, at),
        }
    }
}

/// Vertices as fields, in the order of the vocabulary.
fn emit(ids: &Ids, fetched: &Fetched, vertices: &[Vertex], record: &mut Record) {
    record.unsigned(ids.enabled, u64::from(fetched.enabled));
    record.unsigned(ids.vertices, u64::from(fetched.vertices));
    let enabled = |slot: usize| fetched.enabled >> slot & 1 == 1;
    for (number, vertex) in vertices.iter().take(fetched.vertices as usize).enumerate() {
        record.enter(Section::part(number as u32));
        for (component, field) in ids.slot.into_iter().enumerate() {
            for (slot, value) in vertex
                .slots
                .iter()
                .enumerate()
                .filter(|(slot, _)| enabled(*slot))
            {
                record.unsigned_item(field, slot as u32, value[component].to_bits().into());
            }
        }
        let unset = vertex
            .slots
            .iter()
            .enumerate()
            .filter(|(slot, value)| !enabled(*slot) && value.map(f32::to_bits) == DEFAULT);
        record.unsigned(ids.unset, unset.count() as u64);
    }
}

impl Implementation for Subject {
    fn name(&self) -> &str {
        "pica decoder"
    }

    fn select(&mut self, options: &Options) -> Result<(), OptionError> {
        self.unit = Unit::Decode;
        for (name, value) in options.iter() {
            self.unit = match (name, value) {
                ("unit", DECODE) => Unit::Decode,
                ("unit", INDEXED) => Unit::Indexed,
                ("unit", STATE) => Unit::State,
                _ => {
                    return Err(OptionError {
                        name: name.to_owned(),
                        value: value.to_owned(),
                        allowed: "unit=decode, unit=indexed, unit=state".to_owned(),
                    });
                }
            };
        }
        Ok(())
    }

    fn answer(&mut self, input: &[u8], outcome: &mut Outcome) {
        match self.unit {
            Unit::Decode => self.request(input, false, outcome),
            Unit::Indexed => self.request(input, true, outcome),
            Unit::State => draws::answer(&self.ids, input, outcome),
        }
    }
}
