//! Where a translation and the microcode part: the first group after which a lane holds another value.

use oracles::r700::execution::value::{Acceptance, Value};
use oracles::r700::execution::{AluUnit, FetchRecord, GroupRecord, Observer, Origin};

use super::instrument::{Item, Marker};

/// What one lane did in a group or a fetch.
#[derive(Clone, Debug)]
pub struct Step {
    /// The first slot of the group, or the slot of the fetch.
    pub slot: u32,
    /// Its instructions; of a fetch one.
    pub operations: Vec<Operation>,
    /// What reached the register file.
    pub writes: Vec<Written>,
}

/// A word that reached the register file.
#[derive(Clone, Debug)]
pub struct Written {
    /// The register.
    pub register: u8,
    /// Its component, from 0.
    pub channel: u8,
    /// The word.
    pub value: Value,
    /// The unit that it is from; none for a fetch.
    pub unit: Option<AluUnit>,
}

/// What one lane did in an instruction.
#[derive(Clone, Debug)]
pub struct Operation {
    /// Its slot.
    pub slot: u32,
    /// Its unit; none for a fetch.
    pub unit: Option<AluUnit>,
    /// Its opcode's name.
    pub name: String,
    /// Its operands, after modifiers.
    pub operands: Vec<Value>,
    /// Its result, after modifiers.
    pub result: Option<Value>,
}

/// Keeps the steps of one lane, until it is lost.
#[derive(Debug)]
pub struct Recorder {
    lane: usize,
    /// The steps so far.
    pub steps: Vec<Step>,
    /// Whether the lane was lost after them.
    pub lost: bool,
}

impl Recorder {
    /// A recorder of one lane.
    pub fn new(lane: usize) -> Self {
        Self {
            lane,
            steps: Vec::new(),
            lost: false,
        }
    }

    /// Whether the lane takes part in what is recorded. What one that is lost computes is not known.
    fn takes(&mut self, origin: Origin) -> bool {
        self.lost |= self.has(origin.lost);
        self.has(origin.active) && !origin.fetch_shader && !self.lost
    }

    fn has(&self, lanes: u64) -> bool {
        lanes >> self.lane & 1 == 1
    }
}

impl Observer for Recorder {
    fn group(&mut self, record: &GroupRecord<'_>) {
        let lane = self.lane;
        if !self.takes(record.origin) {
            return;
        }
        let operations = record.operations().map(|operation| {
            let ran = self.has(operation.executed());
            let operands = (0..operation.operands()).map(|at| operation.operand(at, lane).clone());
            Operation {
                slot: operation.slot(),
                unit: Some(operation.unit()),
                name: operation.name().to_owned(),
                operands: if ran { operands.collect() } else { Vec::new() },
                result: (ran && operation.has_result()).then(|| operation.result(lane).clone()),
            }
        });
        let operations = operations.collect();
        let writes = record.writes().iter().filter(|write| self.has(write.lanes));
        let writes = writes
            .map(|write| Written {
                register: write.register,
                channel: write.channel as u8,
                value: record.written(write, lane).clone(),
                unit: Some(write.unit),
            })
            .collect();
        self.steps.push(Step {
            slot: record.origin.slot,
            operations,
            writes,
        });
    }

    fn fetch(&mut self, record: &FetchRecord<'_>) {
        if !self.takes(record.origin) {
            return;
        }
        let (sources, values) = (&record.sources[self.lane], &record.values[self.lane]);
        let writes = record.register.into_iter().flat_map(|register| {
            let sent = values.iter().zip(0..);
            sent.filter_map(move |(value, channel)| {
                Some(Written {
                    register,
                    channel,
                    value: value.clone()?,
                    unit: None,
                })
            })
        });
        self.steps.push(Step {
            slot: record.origin.slot,
            operations: vec![Operation {
                slot: record.origin.slot,
                unit: None,
                name: record.name.to_owned(),
                operands: sources.to_vec(),
                result: None,
            }],
            writes: writes.collect(),
        });
    }
}

/// Keeps the steps of several lanes.
#[derive(Debug)]
pub struct Recorders(pub Vec<Recorder>);

impl Observer for Recorders {
    fn group(&mut self, record: &GroupRecord<'_>) {
        self.0.iter_mut().for_each(|one| one.group(record));
    }

    fn fetch(&mut self, record: &FetchRecord<'_>) {
        self.0.iter_mut().for_each(|one| one.fetch(record));
    }
}

/// Where they part.
#[derive(Clone, Debug)]
pub enum Divergence {
    /// After this step a word differs.
    Value {
        /// The step.
        step: Box<Step>,
        /// How many steps came before.
        at: usize,
        /// `R1.x`, `PV.z`, `PS`.
        what: String,
        /// What the interpreter allows.
        allowed: Value,
        /// What the translation has.
        found: u32,
        /// The instruction that computed it, as an index of the step's.
        operation: Option<usize>,
    },
    /// They go on with other groups.
    Path {
        /// How many steps came before.
        at: usize,
        /// The slot that the microcode goes on with; none if it ends.
        microcode: Option<u32>,
        /// The slot that the translation goes on with; none if it ends.
        translation: Option<u32>,
    },
}

/// What is not known of how a lane goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// After the last step it is lost.
    pub lost: bool,
    /// After the last record the probes had no room.
    pub full: bool,
}

/// Compares the steps of a lane with what its probes wrote. None if all agree: the exports differ then, or nothing.
pub fn first(
    steps: &[Step],
    records: &[(usize, Vec<u32>)],
    markers: &[Marker],
    cut: Cut,
) -> Option<Divergence> {
    for (at, step) in steps.iter().enumerate() {
        let Some((number, words)) = records.get(at) else {
            let path = Divergence::Path {
                at,
                microcode: Some(step.slot),
                translation: None,
            };
            return (!cut.full).then_some(path);
        };
        let marker = &markers[*number];
        if marker.slot != step.slot {
            return Some(Divergence::Path {
                at,
                microcode: Some(step.slot),
                translation: Some(marker.slot),
            });
        }
        for (item, &word) in marker.items.iter().zip(words) {
            let Some((value, operation)) = step.value(*item) else {
                continue;
            };
            if value.accepts(word) == Acceptance::Disagree {
                return Some(Divergence::Value {
                    step: Box::new(step.clone()),
                    at,
                    what: name(*item),
                    allowed: value.clone(),
                    found: word,
                    operation,
                });
            }
        }
    }
    if cut.lost {
        return None;
    }
    records
        .get(steps.len())
        .map(|(number, _)| Divergence::Path {
            at: steps.len(),
            microcode: None,
            translation: Some(markers[*number].slot),
        })
}

impl Step {
    /// What the step left in a place, and the instruction that did. None if this lane left nothing there.
    fn value(&self, item: Item) -> Option<(&Value, Option<usize>)> {
        let by = |unit: Option<AluUnit>| {
            let mut operations = self.operations.iter();
            operations.position(|operation| operation.unit == unit)
        };
        let unit = |unit: AluUnit| {
            let at = by(Some(unit))?;
            Some((self.operations[at].result.as_ref()?, Some(at)))
        };
        match item {
            Item::Scalar => unit(AluUnit::T),
            Item::Vector(channel) => unit(AluUnit::ALL[usize::from(channel)]),
            Item::Register(register, channel) => {
                let mut writes = self.writes.iter().rev();
                let write =
                    writes.find(|write| (write.register, write.channel) == (register, channel))?;
                Some((&write.value, by(write.unit)))
            }
        }
    }
}

fn name(item: Item) -> String {
    let channel = |channel: u8| "xyzw".as_bytes()[usize::from(channel)] as char;
    match item {
        Item::Scalar => "PS".to_owned(),
        Item::Vector(x) => format!("PV.{}", channel(x)),
        Item::Register(number, x) => format!("R{number}.{}", channel(x)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operation(slot: u32, unit: AluUnit, name: &str, result: u32) -> Operation {
        Operation {
            slot,
            unit: Some(unit),
            name: name.to_owned(),
            operands: Vec::new(),
            result: Some(Value::settled(result)),
        }
    }

    fn written(register: u8, channel: u8, value: u32, unit: AluUnit) -> Written {
        Written {
            register,
            channel,
            value: Value::settled(value),
            unit: Some(unit),
        }
    }

    /// MOV to R0.x and SETE to R0.y in one group, both 0; then trans overwrites R0.y with 7.
    fn step() -> Step {
        Step {
            slot: 2,
            operations: vec![
                operation(2, AluUnit::X, "MOV", 0),
                operation(3, AluUnit::Y, "SETE", 0),
                operation(4, AluUnit::T, "FLT_TO_INT", 7),
            ],
            writes: vec![
                written(0, 0, 0, AluUnit::X),
                written(0, 1, 0, AluUnit::Y),
                written(0, 1, 7, AluUnit::T),
            ],
        }
    }

    #[test]
    fn a_register_is_traced_to_the_unit_that_wrote_it() {
        let step = step();
        let writer = |item| {
            let (value, at) = step.value(item).expect("something is there");
            (value.bits(), at.map(|at| step.operations[at].name.as_str()))
        };
        // Another slot has the same result; it is not the writer.
        assert_eq!(writer(Item::Register(0, 0)), (0, Some("MOV")));
        assert_eq!(writer(Item::Register(0, 1)), (7, Some("FLT_TO_INT")));
        assert_eq!(writer(Item::Vector(1)), (0, Some("SETE")));
        assert_eq!(writer(Item::Scalar), (7, Some("FLT_TO_INT")));
        assert!(step.value(Item::Register(1, 0)).is_none());
    }

    #[test]
    fn the_first_word_that_is_not_allowed_is_the_divergence() {
        let step = step();
        let marker = Marker {
            slot: 2,
            items: vec![Item::Register(0, 0), Item::Register(0, 1)],
        };
        let divergence = |words: [u32; 2]| {
            first(
                std::slice::from_ref(&step),
                &[(0, words.to_vec())],
                std::slice::from_ref(&marker),
                Cut::default(),
            )
        };
        assert!(divergence([0, 7]).is_none());
        match divergence([0, 8]) {
            Some(Divergence::Value {
                what,
                found,
                operation,
                ..
            }) => {
                assert_eq!((what.as_str(), found, operation), ("R0.y", 8, Some(2)));
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn where_a_side_is_cut_off_the_other_may_go_on() {
        let step = step();
        let marker = Marker {
            slot: 2,
            items: vec![Item::Register(0, 0)],
        };
        let record = (0, vec![0]);
        let parts = |steps: usize, records: usize, cut: Cut| {
            let (steps, records) = (vec![step.clone(); steps], vec![record.clone(); records]);
            let markers = std::slice::from_ref(&marker);
            matches!(
                first(&steps, &records, markers, cut),
                Some(Divergence::Path { at: 1, .. })
            )
        };
        let (lost, full) = (
            Cut {
                lost: true,
                full: false,
            },
            Cut {
                lost: false,
                full: true,
            },
        );
        assert!(parts(2, 1, Cut::default()) && parts(1, 2, Cut::default()));
        assert!(!parts(2, 1, full) && parts(1, 2, full));
        assert!(parts(2, 1, lost) && !parts(1, 2, lost));
    }
}
