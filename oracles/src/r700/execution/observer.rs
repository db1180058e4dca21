//! What a run shows of itself while it goes on.

use super::code::{Channel, Instruction, TRANS};
use super::exports::Target;
use super::value::Value;

/// Looks on. Every record borrows from the machine, so that one who keeps nothing costs nothing.
pub trait Observer {
    /// A group was run, for one lane at least.
    fn group(&mut self, record: &GroupRecord<'_>) {
        let _ = record;
    }

    /// A fetch was run, for one lane at least.
    fn fetch(&mut self, record: &FetchRecord<'_>) {
        let _ = record;
    }

    /// A register was exported, by one lane at least.
    fn export(&mut self, record: &ExportRecord<'_>) {
        let _ = record;
    }

    /// A control-flow instruction was run.
    fn cf(&mut self, record: &ControlRecord<'_>) {
        let _ = record;
    }
}

/// Nobody looks on.
impl Observer for () {}

/// Where a record is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The first slot of the group, the slot of the fetch or of the control-flow instruction.
    pub slot: u32,
    /// Whether that is one of the fetch shader.
    pub fetch_shader: bool,
    /// The lanes that run it: the lowest bit is lane 0.
    pub active: u64,
    /// The lanes that are lost: what they have is nominal, and unknown in truth.
    pub lost: u64,
    /// How many lanes the wavefront has.
    pub lanes: usize,
}

/// The unit of an ALU instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AluUnit {
    /// X, and so on.
    X,
    /// Y.
    Y,
    /// Z.
    Z,
    /// W.
    W,
    /// Trans.
    T,
}

impl AluUnit {
    /// Every unit, in their order.
    pub const ALL: [Self; 5] = [Self::X, Self::Y, Self::Z, Self::W, Self::T];

    /// Its letter, lower case as channels are written.
    pub fn letter(self) -> char {
        match self {
            Self::X => 'x',
            Self::Y => 'y',
            Self::Z => 'z',
            Self::W => 'w',
            Self::T => 't',
        }
    }
}

/// What the units of a group read and computed: room that is used again for each group.
#[derive(Clone, Debug)]
pub(super) struct Bench {
    pub(super) lanes: usize,
    /// By unit, lane, operand; after modifiers.
    pub(super) operands: Vec<Value>,
    /// By unit, lane; after modifiers.
    pub(super) results: Vec<Value>,
    /// The lanes for which a unit ran its instruction.
    pub(super) executed: [u64; 5],
    pub(super) writes: Vec<Write>,
    /// The lanes that the group killed.
    pub(super) killed: u64,
}

/// Operands of an instruction at most.
pub(super) const OPERANDS: usize = 3;

impl Bench {
    pub(super) fn new(lanes: usize) -> Self {
        Self {
            lanes,
            operands: vec![Value::settled(0); 5 * lanes * OPERANDS],
            results: vec![Value::settled(0); 5 * lanes],
            executed: [0; 5],
            writes: Vec::new(),
            killed: 0,
        }
    }

    #[inline]
    pub(super) fn operands_at(&self, unit: usize, lane: usize) -> usize {
        (unit * self.lanes + lane) * OPERANDS
    }

    #[inline]
    pub(super) fn result_at(&self, unit: usize, lane: usize) -> usize {
        unit * self.lanes + lane
    }
}

/// A write to a channel of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// The register.
    pub register: u8,
    /// The channel, 0 to 3.
    pub channel: Channel,
    /// The lanes that it reached. A relative write is several, one for each register that some lane meant.
    pub lanes: u64,
    /// The unit whose result it is. A later write of a group beats an earlier one.
    pub unit: AluUnit,
}

/// A group that was run.
#[derive(Clone, Copy, Debug)]
pub struct GroupRecord<'a> {
    /// Where it stands.
    pub origin: Origin,
    pub(super) instructions: &'a [Instruction],
    pub(super) bench: &'a Bench,
}

impl<'a> GroupRecord<'a> {
    /// Its instructions, in the order of units.
    pub fn operations(&self) -> impl Iterator<Item = OperationRecord<'a>> + use<'a> {
        let bench = self.bench;
        self.instructions
            .iter()
            .map(move |instruction| OperationRecord { instruction, bench })
    }

    /// What reached the register file, in order.
    pub fn writes(&self) -> &'a [Write] {
        &self.bench.writes
    }

    /// The lanes that it killed.
    pub fn killed(&self) -> u64 {
        self.bench.killed
    }

    /// What a write wrote for one of its lanes.
    pub fn written(&self, write: &Write, lane: usize) -> &'a Value {
        &self.bench.results[self.bench.result_at(write.unit as usize, lane)]
    }

    /// What PV has in a channel after it, as far as it is this group's: the instruction of that unit, with its result.
    pub fn pv(&self, channel: Channel) -> Option<OperationRecord<'a>> {
        self.operations()
            .find(|operation| operation.instruction.unit == channel && operation.has_result())
    }

    /// What PS has after it, alike.
    pub fn ps(&self) -> Option<OperationRecord<'a>> {
        self.pv(TRANS)
    }
}

/// An instruction of a group that was run.
#[derive(Clone, Copy, Debug)]
pub struct OperationRecord<'a> {
    instruction: &'a Instruction,
    bench: &'a Bench,
}

impl<'a> OperationRecord<'a> {
    /// Its slot.
    pub fn slot(&self) -> u32 {
        self.instruction.slot
    }

    /// Its unit.
    pub fn unit(&self) -> AluUnit {
        AluUnit::ALL[self.instruction.unit.min(TRANS)]
    }

    /// Its opcode's name.
    pub fn name(&self) -> &'a str {
        &self.instruction.name
    }

    /// The lanes that it ran for: those of the group that its predicate lets.
    pub fn executed(&self) -> u64 {
        self.bench.executed[self.instruction.unit]
    }

    /// How many operands it has.
    pub fn operands(&self) -> usize {
        self.instruction.operands.len()
    }

    /// An operand of a lane that it ran for, after modifiers.
    pub fn operand(&self, number: usize, lane: usize) -> &'a Value {
        let at = self.bench.operands_at(self.instruction.unit, lane);
        &self.bench.operands[at + number.min(OPERANDS - 1)]
    }

    /// Whether it has a result at all. NOP has none.
    pub fn has_result(&self) -> bool {
        self.instruction.has_result()
    }

    /// Its result for a lane that it ran for, after modifiers.
    pub fn result(&self, lane: usize) -> &'a Value {
        let at = self.bench.result_at(self.instruction.unit, lane);
        &self.bench.results[at]
    }
}

/// A fetch that was run.
#[derive(Clone, Copy, Debug)]
pub struct FetchRecord<'a> {
    /// Where it stands.
    pub origin: Origin,
    /// Its opcode's name.
    pub name: &'a str,
    /// The source register's components after their selects, by lane.
    pub sources: &'a [[Value; 4]],
    /// The register that it writes; none if it is dropped.
    pub register: Option<u8>,
    /// What it writes, by lane; none where a component stays.
    pub values: &'a [[Option<Value>; 4]],
}

/// A register that was exported.
#[derive(Clone, Copy, Debug)]
pub struct ExportRecord<'a> {
    /// Where the instruction stands, and the lanes that export.
    pub origin: Origin,
    /// Where it went.
    pub target: Target,
    /// What of it, by lane; none where a component is masked.
    pub values: &'a [[Option<Value>; 4]],
}

/// A control-flow instruction that was run.
#[derive(Clone, Copy, Debug)]
pub struct ControlRecord<'a> {
    /// Where it stands, and the lanes that were active before it.
    pub origin: Origin,
    /// The mnemonic.
    pub op: &'a str,
    /// The slot that comes next, of the program or of the fetch shader; none at the end.
    pub next: Option<u32>,
    /// The lanes that are active after it.
    pub after: u64,
}
