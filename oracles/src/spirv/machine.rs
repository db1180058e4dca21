//! The machine: all lanes in lockstep over the flat form.
//!
//! Every lane waits at a block; the machine runs the first one at which any waits, for all lanes that do. A lane that
//! was killed waits nowhere, but *rides along*: it computes whatever the first lane of its quad computes that still has a
//! path, so that derivatives see a helper there, and writes nothing to buffers.

mod image;
mod interface;
mod memory;

use corpora::execution::{Launch, Returned, Sampler, Texture};

use super::code::{Axis, Code, Derivative, Edge, End, Program};
use super::lanes::{Lanes, Registers};
use super::number::{float, word};
use super::operations::{insert_field, run_binary, run_ternary, run_unary};
use super::{Error, Limits};

/// Where a lane waits that has ended.
const ENDED: usize = usize::MAX;

/// A run in progress.
struct Machine<'a> {
    program: &'a Program,
    registers: Registers,
    lanes: Vec<State>,
    buffers: Vec<Buffer>,
    textures: Vec<&'a Texture>,
    samplers: Vec<&'a Sampler>,
}

/// The state of a lane.
#[derive(Clone, Copy, Debug)]
struct State {
    /// The block that it waits at.
    at: usize,
    /// Whether it was launched as a helper.
    helper: bool,
    /// Whether it was discarded.
    killed: bool,
    /// Whether it has no path of its own any more.
    rides: bool,
}

impl State {
    /// Whether it writes to buffers.
    fn writes(self) -> bool {
        !self.helper && !self.killed
    }
}

/// A buffer in use.
struct Buffer {
    bytes: Vec<u8>,
}

/// Runs an entry point.
pub(super) fn run(program: &Program, launch: &Launch, limits: &Limits) -> Result<Returned, Error> {
    let count = launch.lanes.len();
    let words = u64::from(program.slots) * count as u64;
    if words > limits.words {
        let message = format!(
            "{count} lanes need a register file of {words} words, at most {} are allowed",
            limits.words
        );
        return Err(Error::limit(message));
    }
    let lanes = launch.lanes.iter();
    let mut machine = Machine {
        program,
        registers: Registers::new(program.slots as usize, count),
        lanes: lanes
            .map(|lane| State {
                at: 0,
                helper: lane.helper,
                killed: false,
                rides: false,
            })
            .collect(),
        buffers: interface::buffers(program, launch)?,
        textures: interface::textures(program, launch)?,
        samplers: interface::samplers(program, launch)?,
    };
    machine.start(launch);
    machine.go(limits.steps)?;
    Ok(machine.finish(launch))
}

impl Machine<'_> {
    fn go(&mut self, steps: u64) -> Result<(), Error> {
        let program = self.program;
        let mut left = steps;
        let mut list = Vec::with_capacity(self.lanes.len());
        let mut parted = Vec::with_capacity(self.lanes.len());
        while let Some(block) = self.lanes.iter().map(|lane| lane.at).min() {
            let Some(block) = program.blocks.get(block) else {
                break;
            };
            self.gather_lanes(&mut list);
            left = left.checked_sub(block.cost).ok_or_else(|| {
                Error::limit(format!("the run has taken {steps} steps")).at(block.word)
            })?;
            let lanes = Lanes {
                list: &list,
                count: self.lanes.len(),
            };
            for code in &block.codes {
                self.execute(code, lanes);
            }
            self.end(&block.end, lanes, &mut parted)
                .map_err(|error| error.at(block.word))?;
        }
        Ok(())
    }

    /// The lanes that wait at the first block, and those that ride along with one of them.
    fn gather_lanes(&self, list: &mut Vec<u32>) {
        list.clear();
        let first = self.lanes.iter().map(|lane| lane.at).min().unwrap_or(ENDED);
        for (lane, state) in self.lanes.iter().enumerate() {
            let leader = if state.rides {
                self.lanes[self.leader(lane)]
            } else {
                *state
            };
            if leader.at == first {
                list.push(lane as u32);
            }
        }
    }

    /// The lane whose path a lane takes: its own, or that of the first of its quad that has one.
    fn leader(&self, lane: usize) -> usize {
        if !self.lanes[lane].rides {
            return lane;
        }
        let quad = lane & !3;
        let end = (quad + 4).min(self.lanes.len());
        (quad..end)
            .find(|&other| self.lanes[other].at != ENDED)
            .unwrap_or(lane)
    }

    fn end(&mut self, end: &End, lanes: Lanes<'_>, parted: &mut Vec<u32>) -> Result<(), Error> {
        match end {
            End::Jump(edge) => self.follow(edge, lanes),
            End::Branch { condition, yes, no } => {
                let chosen = |machine: &Self, lane: usize| {
                    usize::from(machine.registers.get(*condition, lane) == 0)
                };
                self.part(&[yes, no], lanes, parted, chosen);
            }
            End::Switch {
                selector,
                cases,
                edges,
            } => {
                let edges: Vec<&Edge> = edges.iter().collect();
                let chosen = |machine: &Self, lane: usize| {
                    let value = machine.registers.get(*selector, lane);
                    let case = cases.iter().find(|(literal, _)| *literal == value);
                    case.map_or(0, |&(_, edge)| edge)
                };
                self.part(&edges, lanes, parted, chosen);
            }
            End::Return => lanes.iter().for_each(|lane| self.lanes[lane].at = ENDED),
            End::Kill => {
                for lane in lanes.iter() {
                    self.lanes[lane] = State {
                        at: ENDED,
                        killed: true,
                        rides: true,
                        ..self.lanes[lane]
                    };
                }
            }
            End::Unreachable => {
                return Err(Error::malformed("a lane reaches OpUnreachable"));
            }
        }
        Ok(())
    }

    /// Lets each lane follow the edge that is chosen for its leader.
    fn part(
        &mut self,
        edges: &[&Edge],
        lanes: Lanes<'_>,
        parted: &mut Vec<u32>,
        chosen: impl Fn(&Self, usize) -> usize,
    ) {
        let choices: Vec<usize> = lanes
            .iter()
            .map(|lane| chosen(self, self.leader(lane)))
            .collect();
        let first = choices.first().copied().unwrap_or(0);
        if choices.iter().all(|&choice| choice == first) {
            self.follow(edges[first], lanes);
            return;
        }
        for (number, edge) in edges.iter().enumerate() {
            parted.clear();
            let pairs = lanes.list.iter().zip(&choices);
            parted.extend(
                pairs
                    .filter(|&(_, &choice)| choice == number)
                    .map(|(&lane, _)| lane),
            );
            if !parted.is_empty() {
                self.follow(
                    edge,
                    Lanes {
                        list: parted,
                        count: lanes.count,
                    },
                );
            }
        }
    }

    fn follow(&mut self, edge: &Edge, lanes: Lanes<'_>) {
        for step in &edge.moves {
            self.registers.copy(lanes, step.to, step.from, step.count);
        }
        for lane in lanes.iter() {
            if !self.lanes[lane].rides {
                self.lanes[lane].at = edge.to;
            }
        }
    }

    fn execute(&mut self, code: &Code, lanes: Lanes<'_>) {
        let registers = &mut self.registers;
        match code {
            Code::Copy(step) => registers.copy(lanes, step.to, step.from, step.count),
            Code::Gather { to, from } => {
                for (to, &from) in (*to..).zip(from) {
                    registers.copy(lanes, to, from, 1);
                }
            }
            Code::Constant { to, word } => registers.fill(lanes, *to, *word),
            Code::Zero { to, count } => {
                (*to..*to + *count).for_each(|slot| registers.fill(lanes, slot, 0));
            }
            Code::Unary(operation, operands) => run_unary(*operation, registers, lanes, *operands),
            Code::Binary(operation, operands) => {
                run_binary(*operation, registers, lanes, *operands);
            }
            Code::Ternary(operation, operands) => {
                run_ternary(*operation, registers, lanes, *operands);
            }
            Code::BitFieldInsert(operands) => registers.map(lanes, *operands, insert_field),
            Code::Wide(wide) => wide.run(registers, lanes),
            Code::LoadIndexed { to, place } => self.load_indexed(lanes, *to, place),
            Code::StoreIndexed { from, place } => self.store_indexed(lanes, *from, place),
            Code::LoadBuffer { to, place } => self.load_buffer(lanes, *to, place),
            Code::StoreBuffer { from, place } => self.store_buffer(lanes, *from, place),
            Code::Atomic(atomic) => self.atomic(lanes, atomic),
            Code::ArrayLength {
                to,
                buffer,
                offset,
                stride,
            } => {
                let bytes = self.buffers[*buffer as usize].bytes.len() as u64;
                let count = bytes.saturating_sub(u64::from(*offset)) / u64::from(*stride);
                registers.fill(lanes, *to, u32::try_from(count).unwrap_or(u32::MAX));
            }
            Code::Derivative {
                to,
                from,
                count,
                kind,
            } => {
                for index in 0..*count {
                    self.derivative(lanes, to + index, from + index, *kind);
                }
            }
            Code::Image(image) => self.image(lanes, image),
            Code::Demote => {
                lanes.iter().for_each(|lane| self.lanes[lane].killed = true);
            }
            Code::IsHelper { to } => {
                for lane in lanes.iter() {
                    let helps = !self.lanes[lane].writes();
                    registers.set(*to, lane, u32::from(helps));
                }
            }
        }
    }

    fn derivative(&mut self, lanes: Lanes<'_>, to: u32, from: u32, kind: Derivative) {
        for lane in lanes.iter() {
            let quad = lane & !3;
            let result = if quad + 3 < self.registers.lanes {
                let from = self.registers.slot(from);
                let step = |first: usize, second: usize| {
                    float(word(float(from[second]) - float(from[first])))
                };
                let (row, column) = if kind.fine {
                    (lane & 2, lane & 1)
                } else {
                    (0, 0)
                };
                let x = step(quad + row, quad + row + 1);
                let y = step(quad + column, quad + column + 2);
                match kind.axis {
                    Axis::X => word(x),
                    Axis::Y => word(y),
                    Axis::Width => word(x.abs() + y.abs()),
                }
            } else {
                0
            };
            self.registers.set(to, lane, result);
        }
    }
}
