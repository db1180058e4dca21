//! Exports: where they go, and what a lane has sent.

use std::collections::BTreeMap;
use std::fmt;

use super::code::{Export, Select};
use super::lanes;
use super::machine::Machine;
use super::observer::{ExportRecord, Origin};
use super::value::{Reason, Truth, Value};

/// Where an export goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// A colour buffer, 0 to 7; or 61: depth in x, stencil in y, sample mask in z.
    Pixel(u8),
    /// 60 the position, 61 point size and others, 62 and 63 clip distances.
    Position(u8),
    /// A parameter for the pixel shader, 0 to 31.
    Parameter(u8),
}

impl Target {
    /// The target of a type by its name, and an ARRAY_BASE; none if the hardware has no such target.
    pub(super) fn new(kind: &str, base: u32) -> Option<Self> {
        let number = u8::try_from(base).ok()?;
        match kind {
            "PIXEL" => matches!(number, 0..=7 | 61).then_some(Self::Pixel(number)),
            "POS" => matches!(number, 60..=63).then_some(Self::Position(number)),
            "PARAM" => matches!(number, 0..=31).then_some(Self::Parameter(number)),
            _ => None,
        }
    }

    /// The target so many registers later in a burst.
    pub(super) fn plus(self, registers: u8) -> Self {
        match self {
            Self::Pixel(number) => Self::Pixel(number + registers),
            Self::Position(number) => Self::Position(number + registers),
            Self::Parameter(number) => Self::Parameter(number + registers),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pixel(number) => write!(f, "pixel{number}"),
            Self::Position(number) => write!(f, "pos{number}"),
            Self::Parameter(number) => write!(f, "param{number}"),
        }
    }
}

/// What a run leaves.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// One for each lane of the environment, in order.
    pub lanes: Vec<LaneOutcome>,
}

/// What a lane has sent.
#[derive(Clone, Debug, PartialEq)]
pub struct LaneOutcome {
    /// Whether it was killed.
    pub killed: Truth,
    /// Why the lane was lost, if it was.
    pub lost: Option<Reason>,
    /// The exports; components that nothing sent are none.
    pub exports: BTreeMap<Target, [Option<Value>; 4]>,
}

impl Default for LaneOutcome {
    fn default() -> Self {
        Self {
            killed: Truth::Settled(false),
            lost: None,
            exports: BTreeMap::new(),
        }
    }
}

impl LaneOutcome {
    /// What is known of a value that the lane sends now: nothing if it is lost.
    fn as_far_as_known(&self, value: Value) -> Value {
        match self.lost {
            Some(reason) => Value::unknown(value.bits(), reason),
            None => value,
        }
    }
}

impl Machine<'_> {
    /// Runs an export for these lanes. Only those that are active and valid send anything.
    pub(super) fn export(&mut self, export: &Export, origin: Origin) {
        let sending = origin.active & self.flow.states.active & self.flow.valid;
        if sending == 0 {
            return;
        }
        for number in 0..export.burst {
            let target = export.first.plus(number);
            let base = export.register.saturating_add(number);
            self.gather_export(export, base, sending);
            for lane in lanes::each(sending) {
                let values = &self.exported[lane];
                if values.iter().any(Option::is_some) {
                    let sent = self.outcomes[lane].exports.entry(target).or_default();
                    for (to, value) in sent.iter_mut().zip(values) {
                        if value.is_some() {
                            to.clone_from(value);
                        }
                    }
                }
            }
            self.observer.export(&ExportRecord {
                origin: Origin {
                    active: sending,
                    ..origin
                },
                target,
                values: &self.exported,
            });
        }
    }

    /// The components of one register of a burst, into the room for them.
    fn gather_export(&mut self, export: &Export, base: u8, sending: u64) {
        let register = if export.relative {
            let index = self.flow.loop_index;
            index.and_then(|index| self.registers.indexed(base, index).read())
        } else {
            // Clause temporaries are not visible here.
            self.registers.is_general(base).then_some(base)
        };
        for lane in lanes::each(sending) {
            for (channel, select) in export.select.iter().enumerate() {
                let value = match select {
                    Select::Channel(from) => Some(match register {
                        Some(register) => self.registers.read(register, *from, lane),
                        None => Value::unknown(0, Reason::Unset),
                    }),
                    Select::Zero => Some(Value::float(0.0)),
                    Select::One => Some(Value::float(1.0)),
                    Select::Mask => None,
                };
                self.exported[lane][channel] =
                    value.map(|value| self.outcomes[lane].as_far_as_known(value));
            }
        }
    }
}
