//! Instruction groups: everything is read and computed before anything is written.

use super::clause::Clause;
use super::code::{Group, Instruction, Predicate};
use super::error::Fault;
use super::exclusive::Exclusive;
use super::lanes;
use super::machine::Machine;
use super::observer::{AluUnit, GroupRecord, Write};
use super::operation::{Effect, Shape};
use super::value::{Omod, Reason, Value};

impl Instruction {
    pub(super) fn reduces(&self) -> bool {
        self.operation.shape() == Shape::Reduction
    }

    pub(super) fn has_result(&self) -> bool {
        self.operation.shape() != Shape::Nothing
    }
}

impl Machine<'_> {
    /// Runs a group for the lanes of the clause.
    pub(super) fn group(&mut self, clause: &mut Clause, group: &Group) -> Result<(), Fault> {
        if let Some(at) = group.unsupported {
            return Err(self.unsupported(at));
        }
        if group.kills {
            self.check_stage(group.slot, "a kill")?;
        }
        self.bench.writes.clear();
        self.bench.executed = [0; 5];
        self.bench.killed = 0;
        let mut exclusive = Exclusive::new(group.crowded);
        self.reduction(clause, &group.instructions);
        self.doubles(clause, &group.instructions, &mut exclusive);
        for instruction in &group.instructions {
            let executed = executed(clause, instruction);
            self.bench.executed[instruction.unit] = executed;
            if instruction.operation.shape() == Shape::Scalar {
                self.scalar(clause, instruction, executed, &mut exclusive);
            }
        }
        self.commit(clause, &group.instructions);
        self.settle(clause, &exclusive);
        let origin = self.origin(group.slot, clause.running);
        self.observer.group(&GroupRecord {
            origin,
            instructions: &group.instructions,
            bench: &self.bench,
        });
        Ok(())
    }

    /// Reads the operands of an instruction in one lane.
    #[inline]
    fn gather(&mut self, clause: &Clause, instruction: &Instruction, lane: usize) -> usize {
        let at = self.bench.operands_at(instruction.unit, lane);
        for (number, operand) in instruction.operands.iter().enumerate() {
            let value = self.operand(clause, instruction, number, operand, lane);
            self.bench.operands[at + number] = value;
        }
        at
    }

    fn scalar(
        &mut self,
        clause: &Clause,
        instruction: &Instruction,
        executed: u64,
        exclusive: &mut Exclusive,
    ) {
        let count = instruction.operands.len();
        for lane in lanes::each(executed) {
            let at = self.gather(clause, instruction, lane);
            let operands = &self.bench.operands[at..at + count];
            let Effect {
                result,
                predicate,
                kill,
                address,
            } = instruction.operation.scalar(operands, &self.context);
            if let Some(truth) = predicate {
                exclusive.predicate(instruction, lane, truth);
            }
            if let Some(truth) = kill {
                exclusive.kill(lane, truth);
            }
            if let Some(address) = address {
                exclusive.address(instruction.unit, lane, address);
            }
            self.finish(instruction, lane, result);
        }
    }

    /// Output modifier and clamp, into the room for results.
    #[inline]
    fn finish(&mut self, instruction: &Instruction, lane: usize, result: Value) {
        let at = self.bench.result_at(instruction.unit, lane);
        self.bench.results[at] = if instruction.output_modifier == Omod::Off && !instruction.clamp {
            result
        } else {
            modified(instruction, result)
        };
    }

    /// Runs the reduction of a group, if it has one: in four slots, by the lanes of the first.
    fn reduction(&mut self, clause: &Clause, instructions: &[Instruction]) {
        let slots = || instructions.iter().filter(|one| one.reduces());
        let Some(first) = slots().next() else {
            return;
        };
        for lane in lanes::each(executed(clause, first)) {
            let mut sources: [[Value; 2]; 4] =
                std::array::from_fn(|_| std::array::from_fn(|_| Value::settled(0)));
            for instruction in slots() {
                let at = self.gather(clause, instruction, lane);
                let slot = &mut sources[instruction.unit & 3];
                for (to, operand) in slot.iter_mut().zip(0..instruction.operands.len()) {
                    to.clone_from(&self.bench.operands[at + operand]);
                }
            }
            let results = first.operation.reduce(&sources, &self.context);
            for instruction in slots() {
                let result = results[instruction.unit & 3].clone();
                self.finish(instruction, lane, result);
            }
        }
    }

    /// Runs the 64-bit operations of a group: each takes two units, X and Y or Z and W, or all four.
    fn doubles(
        &mut self,
        clause: &Clause,
        instructions: &[Instruction],
        exclusive: &mut Exclusive,
    ) {
        let mut rest = instructions;
        while let Some(first) = rest.first() {
            let taken = first.operation.slots().clamp(1, rest.len());
            let (slots, others) = rest.split_at(taken);
            rest = others;
            if first.operation.shape() != Shape::Wide {
                continue;
            }
            for lane in lanes::each(executed(clause, first)) {
                let mut sources: [[Value; 3]; 4] =
                    std::array::from_fn(|_| std::array::from_fn(|_| Value::settled(0)));
                for (instruction, source) in slots.iter().zip(&mut sources) {
                    let at = self.gather(clause, instruction, lane);
                    for (to, operand) in source.iter_mut().zip(0..instruction.operands.len()) {
                        to.clone_from(&self.bench.operands[at + operand]);
                    }
                }
                let effect = first.operation.wide(&sources[..taken], &self.context);
                for (instruction, result) in slots.iter().zip(effect.results) {
                    self.finish(instruction, lane, result);
                }
                let updates = |one: &&Instruction| one.update_mask || one.update_predicate;
                if let (Some(truth), Some(by)) = (effect.predicate, slots.iter().find(updates)) {
                    exclusive.predicate(by, lane, truth);
                }
            }
        }
    }

    /// Results into PV, PS and registers. Trans comes last, so that it beats a vector unit on one element (R6 p. 63).
    fn commit(&mut self, clause: &mut Clause, instructions: &[Instruction]) {
        let mut filled = [false; 5];
        for instruction in instructions {
            if !instruction.has_result() {
                continue;
            }
            filled[instruction.unit] = true;
            if instruction.writes {
                self.write_result(clause, instruction);
            }
        }
        for (unit, filled) in filled.into_iter().enumerate() {
            if !filled {
                clause.forget_previous(unit);
                continue;
            }
            for lane in lanes::each(self.bench.executed[unit]) {
                let at = self.bench.result_at(unit, lane);
                clause.set_previous(unit, lane, self.bench.results[at].clone());
            }
        }
    }

    fn write_result(&mut self, clause: &Clause, instruction: &Instruction) {
        let channel = instruction.destination.channel;
        let unit = AluUnit::ALL[instruction.unit];
        let first = self.bench.writes.len();
        for lane in lanes::each(self.bench.executed[instruction.unit]) {
            let (register, known) = self.destination(clause, instruction, lane);
            if let Err(reason) = known {
                self.lose(lane, reason);
            }
            let Some(register) = register else {
                continue;
            };
            let at = self.bench.result_at(instruction.unit, lane);
            let value = self.bench.results[at].clone();
            if !self.registers.write(register, channel, lane, value) {
                continue;
            }
            let writes = &mut self.bench.writes;
            match writes[first..]
                .iter_mut()
                .find(|one| one.register == register)
            {
                Some(write) => write.lanes |= lanes::one(lane),
                None => writes.push(Write {
                    register,
                    channel,
                    lanes: lanes::one(lane),
                    unit,
                }),
            }
        }
    }
}

/// The lanes of a clause that run an instruction.
fn executed(clause: &Clause, instruction: &Instruction) -> u64 {
    match instruction.predicate {
        Predicate::Always => clause.running,
        Predicate::Clear => clause.running & !clause.predicate,
        Predicate::Set => clause.running & clause.predicate,
    }
}

/// A result after OMOD and CLAMP. The face that CUBE has in W is an integer, and they do not touch it (R6 p. 60).
fn modified(instruction: &Instruction, result: Value) -> Value {
    if &*instruction.name == "CUBE" && instruction.unit == 3 {
        return result;
    }
    if !instruction.operation.gives_float() {
        return Value::unknown(result.bits(), Reason::IntegerModifier);
    }
    let result = result.output_modifier(instruction.output_modifier);
    if instruction.clamp {
        result.clamped()
    } else {
        result
    }
}
