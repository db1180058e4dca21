//! Operands of ALU instructions.

use super::clause::Clause;
use super::code::{Index, Instruction, Operand, Register, Source};
use super::constants;
use super::machine::Machine;
use super::operation::perhaps_kept;
use super::policy::Liberty;
use super::value::{Reason, Value};

/// What a relative operand adds, in one lane.
enum Offset<'a> {
    /// This.
    Settled(i32),
    /// A value that is open.
    Open(&'a Value),
    /// Nothing has set it.
    Unset,
}

impl Machine<'_> {
    /// An operand of an instruction in one lane, after abs and neg.
    #[inline]
    pub(super) fn operand(
        &self,
        clause: &Clause,
        instruction: &Instruction,
        number: usize,
        operand: &Operand,
        lane: usize,
    ) -> Value {
        let mut value = self.source(clause, instruction, operand, lane);
        if !(operand.absolute || operand.negative) {
            return value;
        }
        if !instruction.operation.takes_float(number) {
            return Value::unknown(value.bits(), Reason::IntegerModifier);
        }
        if operand.absolute {
            value = match self.context.policy.takes(Liberty::KeepsSigns) {
                true => perhaps_kept(&value, value.absolute()),
                false => value.absolute(),
            };
        }
        if operand.negative {
            value = value.negated();
        }
        value
    }

    #[inline]
    fn source(
        &self,
        clause: &Clause,
        instruction: &Instruction,
        operand: &Operand,
        lane: usize,
    ) -> Value {
        match operand.source {
            Source::Word(word) => Value::settled(word),
            Source::Vector(channel) => clause.previous(channel, lane),
            Source::Scalar => clause.previous(super::code::TRANS, lane),
            Source::Register(Register {
                register,
                channel,
                relative: false,
            }) => self.registers.read(register, channel, lane),
            Source::Register(Register {
                register, channel, ..
            }) => {
                // A register's index is AR.x whatever component is named (R6 p. 44).
                let offset = self.offset(clause, instruction.index, 0, lane);
                indexed(offset, |index| {
                    match self.registers.indexed(register, index).read() {
                        Some(register) => self.registers.read(register, channel, lane),
                        None => Value::unknown(0, Reason::Unset),
                    }
                })
            }
            Source::File {
                entry,
                channel,
                relative,
            } => {
                let file = |index| {
                    constants::file(
                        self.environment,
                        (entry as i32).saturating_add(index),
                        channel,
                    )
                };
                match (relative, instruction.index) {
                    (false, _) => file(0),
                    (true, Index::Address(component)) => indexed(
                        self.offset(clause, instruction.index, component, lane),
                        file,
                    ),
                    (true, Index::Loop) => {
                        indexed(self.offset(clause, instruction.index, 0, lane), file)
                    }
                }
            }
            Source::Cache {
                window,
                entry,
                channel,
                relative,
            } => {
                let cache = |index| {
                    constants::cache(
                        self.environment,
                        clause.windows[window],
                        self.flow.loop_index,
                        (entry as i32).saturating_add(index),
                        channel,
                    )
                };
                if relative {
                    // The constant cache knows no index but the loop's (R6 p. 43).
                    indexed(self.offset(clause, Index::Loop, 0, lane), cache)
                } else {
                    cache(0)
                }
            }
        }
    }

    /// What a relative operand adds: `component` of AR, or the loop index.
    fn offset<'a>(
        &self,
        clause: &'a Clause,
        index: Index,
        component: usize,
        lane: usize,
    ) -> Offset<'a> {
        match index {
            Index::Loop => match self.flow.loop_index {
                Some(index) => Offset::Settled(index),
                None => Offset::Unset,
            },
            Index::Address(_) => match clause.address(component, lane) {
                Some(value) if value.is_settled() => Offset::Settled(value.bits() as i32),
                Some(value) => Offset::Open(value),
                None => Offset::Unset,
            },
        }
    }

    /// The register that an instruction writes in one lane; an error if its index is open, with the nominal one.
    pub(super) fn destination(
        &self,
        clause: &Clause,
        instruction: &Instruction,
        lane: usize,
    ) -> (Option<u8>, Result<(), Reason>) {
        let Register {
            register, relative, ..
        } = instruction.destination;
        if !relative {
            return (Some(register), Ok(()));
        }
        let (index, known) = match self.offset(clause, instruction.index, 0, lane) {
            Offset::Settled(index) => (index, Ok(())),
            Offset::Open(value) => (
                value.bits() as i32,
                Err(value.reason().unwrap_or(Reason::LostLane)),
            ),
            Offset::Unset => (0, Err(Reason::Unset)),
        };
        match self.registers.indexed(register, index) {
            super::registers::Indexed::Register(register) => (Some(register), known),
            super::registers::Indexed::Outside => (None, known),
            super::registers::Indexed::Undefined => (None, Err(Reason::Unset)),
        }
    }
}

/// What is read at an index: if that is open, whatever is at any place that it may be.
fn indexed(offset: Offset<'_>, read: impl Fn(i32) -> Value) -> Value {
    match offset {
        Offset::Settled(index) => read(index),
        Offset::Unset => Value::unknown(read(0).bits(), Reason::Unset),
        Offset::Open(index) => {
            let reason = index.reason().unwrap_or(Reason::LostLane);
            match index.possibilities() {
                Some(words) => {
                    let values: Vec<Value> = words.iter().map(|word| read(*word as i32)).collect();
                    Value::either(&values, reason)
                }
                None => Value::unknown(read(index.bits() as i32).bits(), reason),
            }
        }
    }
}
