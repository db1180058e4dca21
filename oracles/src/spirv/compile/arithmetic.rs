//! Arithmetic, bit, relational and logical instructions and conversions, component by component.

use spirv::Op;

use super::{Compiler, Error, Place};
use crate::spirv::code::{Axis, Code, Derivative};
use crate::spirv::lanes::Operands;
use crate::spirv::operations::{Binary, Ternary, Unary};
use crate::spirv::types::{Scalar, Type};
use crate::spirv::wide::{Operation, Wide};
use crate::spirv::words::Instruction;

/// The operation of a component-wise instruction, and whether its operands are swapped.
fn component_wise(op: Op) -> Option<(Operation, bool)> {
    let operation = match op {
        Op::SNegate => Operation::Unary(Unary::SNegate),
        Op::FNegate => Operation::Unary(Unary::FNegate),
        Op::Not => Operation::Unary(Unary::Not),
        Op::LogicalNot => Operation::Unary(Unary::LogicalNot),
        Op::BitReverse => Operation::Unary(Unary::BitReverse),
        Op::BitCount => Operation::Unary(Unary::BitCount),
        Op::IsNan => Operation::Unary(Unary::IsNan),
        Op::IsInf => Operation::Unary(Unary::IsInf),
        Op::QuantizeToF16 => Operation::Unary(Unary::QuantizeToF16),
        Op::ConvertFToU
        | Op::ConvertFToS
        | Op::ConvertSToF
        | Op::ConvertUToF
        | Op::UConvert
        | Op::SConvert
        | Op::FConvert => Operation::Convert(op),
        Op::IAdd => Operation::Binary(Binary::IAdd),
        Op::FAdd => Operation::Binary(Binary::FAdd),
        Op::ISub => Operation::Binary(Binary::ISub),
        Op::FSub => Operation::Binary(Binary::FSub),
        Op::IMul => Operation::Binary(Binary::IMul),
        Op::FMul => Operation::Binary(Binary::FMul),
        Op::UDiv => Operation::Binary(Binary::UDiv),
        Op::SDiv => Operation::Binary(Binary::SDiv),
        Op::FDiv => Operation::Binary(Binary::FDiv),
        Op::UMod => Operation::Binary(Binary::UMod),
        Op::SRem => Operation::Binary(Binary::SRem),
        Op::SMod => Operation::Binary(Binary::SMod),
        Op::FRem => Operation::Binary(Binary::FRem),
        Op::FMod => Operation::Binary(Binary::FMod),
        Op::Ordered => Operation::Binary(Binary::Ordered),
        Op::Unordered => Operation::Binary(Binary::Unordered),
        Op::LessOrGreater | Op::FOrdNotEqual => Operation::Binary(Binary::FOrdNotEqual),
        Op::LogicalEqual | Op::IEqual => Operation::Binary(Binary::IEqual),
        Op::LogicalNotEqual | Op::INotEqual => Operation::Binary(Binary::INotEqual),
        Op::LogicalOr | Op::BitwiseOr => Operation::Binary(Binary::Or),
        Op::LogicalAnd | Op::BitwiseAnd => Operation::Binary(Binary::And),
        Op::BitwiseXor => Operation::Binary(Binary::Xor),
        Op::ULessThan | Op::UGreaterThan => Operation::Binary(Binary::ULess),
        Op::SLessThan | Op::SGreaterThan => Operation::Binary(Binary::SLess),
        Op::ULessThanEqual | Op::UGreaterThanEqual => Operation::Binary(Binary::ULessEqual),
        Op::SLessThanEqual | Op::SGreaterThanEqual => Operation::Binary(Binary::SLessEqual),
        Op::FOrdEqual => Operation::Binary(Binary::FOrdEqual),
        Op::FUnordEqual => Operation::Binary(Binary::FUnordEqual),
        Op::FUnordNotEqual => Operation::Binary(Binary::FUnordNotEqual),
        Op::FOrdLessThan | Op::FOrdGreaterThan => Operation::Binary(Binary::FOrdLess),
        Op::FUnordLessThan | Op::FUnordGreaterThan => Operation::Binary(Binary::FUnordLess),
        Op::FOrdLessThanEqual | Op::FOrdGreaterThanEqual => {
            Operation::Binary(Binary::FOrdLessEqual)
        }
        Op::FUnordLessThanEqual | Op::FUnordGreaterThanEqual => {
            Operation::Binary(Binary::FUnordLessEqual)
        }
        Op::ShiftLeftLogical => Operation::Binary(Binary::ShiftLeft),
        Op::ShiftRightLogical => Operation::Binary(Binary::ShiftRight),
        Op::ShiftRightArithmetic => Operation::Binary(Binary::ShiftRightSigned),
        _ => return None,
    };
    let swapped = matches!(
        op,
        Op::UGreaterThan
            | Op::SGreaterThan
            | Op::UGreaterThanEqual
            | Op::SGreaterThanEqual
            | Op::FOrdGreaterThan
            | Op::FUnordGreaterThan
            | Op::FOrdGreaterThanEqual
            | Op::FUnordGreaterThanEqual
    );
    Some((operation, swapped))
}

impl Compiler<'_, '_> {
    /// Compiles an arithmetic instruction; false if it is none.
    pub(super) fn arithmetic(&mut self, instruction: &Instruction<'_>) -> Result<bool, Error> {
        if let Some((operation, swapped)) = component_wise(instruction.op) {
            let mut operands = instruction.operands.to_vec();
            if swapped {
                operands.reverse();
            }
            self.component_wise(instruction, operation, &operands)?;
            return Ok(true);
        }
        match instruction.op {
            Op::Select => self.select(instruction)?,
            Op::Bitcast => self.bitcast(instruction)?,
            Op::Any => self.reduce(instruction, Binary::Or)?,
            Op::All => self.reduce(instruction, Binary::And)?,
            Op::IAddCarry => self.pair(instruction, Binary::IAdd, Binary::Carry)?,
            Op::ISubBorrow => self.pair(instruction, Binary::ISub, Binary::Borrow)?,
            Op::UMulExtended => self.pair(instruction, Binary::IMul, Binary::UMulHigh)?,
            Op::SMulExtended => self.pair(instruction, Binary::IMul, Binary::SMulHigh)?,
            Op::BitFieldInsert | Op::BitFieldSExtract | Op::BitFieldUExtract => {
                self.bit_field(instruction)?;
            }
            Op::DPdx | Op::DPdxCoarse => self.derivative(instruction, Axis::X, false)?,
            Op::DPdy | Op::DPdyCoarse => self.derivative(instruction, Axis::Y, false)?,
            Op::Fwidth | Op::FwidthCoarse => self.derivative(instruction, Axis::Width, false)?,
            Op::DPdxFine => self.derivative(instruction, Axis::X, true)?,
            Op::DPdyFine => self.derivative(instruction, Axis::Y, true)?,
            Op::FwidthFine => self.derivative(instruction, Axis::Width, true)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Compiles an instruction whose result and operands have as many components.
    pub(super) fn component_wise(
        &mut self,
        instruction: &Instruction<'_>,
        operation: Operation,
        operands: &[u32],
    ) -> Result<(), Error> {
        let (of, id) = instruction.typed_result()?;
        let (to, count) = self.source.types.numeric(of)?;
        let mut from = Vec::with_capacity(operands.len());
        for &operand in operands {
            let (slot, scalar, components) = self.numeric(operand)?;
            if components != count {
                let message = format!("{components} components where the result has {count}");
                return Err(Error::malformed(message));
            }
            from.push((slot, scalar));
        }
        let slot = self.apply(operation, &from, to, count)?;
        self.define(id, of, Place::Slots(slot))
    }

    /// An operation on the components of values in slots.
    pub(super) fn apply(
        &mut self,
        operation: Operation,
        from: &[(u32, Scalar)],
        to: Scalar,
        count: u32,
    ) -> Result<u32, Error> {
        let words = to.width() == 32 && from.iter().all(|(_, scalar)| scalar.width() == 32);
        match (operation, from) {
            (Operation::Unary(operation), &[(a, _)]) if words => self.unary(operation, a, count),
            (Operation::Binary(operation), &[(a, _), (b, _)]) if words => {
                self.binary(operation, a, b, count)
            }
            (Operation::Ternary(operation), &[(a, _), (b, _), (c, _)]) if words => {
                self.ternary(operation, [a, b, c], count)
            }
            (Operation::Convert(op), &[(a, _)]) if words => match op {
                Op::ConvertFToU => self.unary(Unary::ConvertFToU, a, count),
                Op::ConvertFToS => self.unary(Unary::ConvertFToS, a, count),
                Op::ConvertSToF => self.unary(Unary::ConvertSToF, a, count),
                Op::ConvertUToF => self.unary(Unary::ConvertUToF, a, count),
                _ => Ok(a),
            },
            (Operation::Unary(_) | Operation::Convert(_), [_])
            | (Operation::Binary(_), [_, _])
            | (Operation::Ternary(_), [_, _, _]) => {
                let slots = count * to.slots();
                let first = self.take(slots)?;
                let wide = Wide {
                    operation,
                    to: (first, to),
                    from: from.to_vec(),
                    count,
                };
                if !wide.is_known() {
                    let message = format!("{operation:?} on other than 32 bits is not supported");
                    return Err(Error::unsupported(message));
                }
                self.emit(Code::Wide(Box::new(wide)), 4 * slots)?;
                Ok(first)
            }
            _ => Err(Error::malformed(
                "an operation with another number of operands",
            )),
        }
    }

    fn select(&mut self, instruction: &Instruction<'_>) -> Result<(), Error> {
        let (of, id) = instruction.typed_result()?;
        let count = self.source.types.slots(of)?;
        let (condition, scalar, conditions) = self.numeric(instruction.operand(0)?)?;
        let a = self.value_of(instruction.operand(1)?, of)?;
        let b = self.value_of(instruction.operand(2)?, of)?;
        let condition = if scalar != Scalar::Bool {
            return Err(Error::malformed("OpSelect by what is not a Boolean"));
        } else if conditions == 1 {
            self.splat(condition, 1, count)?
        } else {
            let (part, components) = self.source.types.numeric(of)?;
            if components != conditions {
                return Err(Error::malformed("OpSelect by another number of Booleans"));
            }
            let slots = part.slots();
            self.gather((0..count).map(|slot| condition + slot / slots).collect())?
        };
        let to = self.ternary(Ternary::Select, [condition, a, b], count)?;
        self.define(id, of, Place::Slots(to))
    }

    fn bitcast(&mut self, instruction: &Instruction<'_>) -> Result<(), Error> {
        let (of, id) = instruction.typed_result()?;
        let (to, to_count) = self.source.types.numeric(of)?;
        let (slot, from, count) = self.numeric(instruction.operand(0)?)?;
        let narrow = to.width() < 32 || from.width() < 32;
        if to == Scalar::Bool
            || from == Scalar::Bool
            || to.width() * to_count != from.width() * count
            || (narrow && to.width() != from.width())
        {
            return Err(Error::unsupported("OpBitcast between these types"));
        }
        // Both are the same words in the same order: the lower component is the less significant.
        self.define(id, of, Place::Slots(slot))
    }

    fn reduce(&mut self, instruction: &Instruction<'_>, with: Binary) -> Result<(), Error> {
        let (of, id) = instruction.typed_result()?;
        let (slot, scalar, count) = self.numeric(instruction.operand(0)?)?;
        if scalar != Scalar::Bool || *self.source.types.get(of)? != Type::Bool {
            return Err(Error::malformed("OpAny and OpAll are of Booleans"));
        }
        let mut sum = slot;
        for next in slot + 1..slot + count {
            sum = self.binary(with, sum, next, 1)?;
        }
        self.define(id, of, Place::Slots(sum))
    }

    /// Instructions that give a structure of two results.
    fn pair(
        &mut self,
        instruction: &Instruction<'_>,
        low: Binary,
        high: Binary,
    ) -> Result<(), Error> {
        let (of, id) = instruction.typed_result()?;
        let (a, scalar, count) = self.numeric(instruction.operand(0)?)?;
        let (b, other, other_count) = self.numeric(instruction.operand(1)?)?;
        let slots = count * scalar.slots();
        if (scalar, count) != (other, other_count) || self.source.types.slots(of)? != 2 * slots {
            return Err(Error::malformed("operands and result differ in type"));
        }
        let from = [(a, scalar), (b, scalar)];
        let low = self.apply(Operation::Binary(low), &from, scalar, count)?;
        let high = self.apply(Operation::Binary(high), &from, scalar, count)?;
        let slot = self.gather((low..low + slots).chain(high..high + slots).collect())?;
        self.define(id, of, Place::Slots(slot))
    }

    fn bit_field(&mut self, instruction: &Instruction<'_>) -> Result<(), Error> {
        let (of, id) = instruction.typed_result()?;
        let (scalar, count) = self.source.types.numeric(of)?;
        if !matches!(scalar, Scalar::Int { width: 32, .. }) {
            return Err(Error::unsupported("bit fields of other than 32 bits"));
        }
        let values = if instruction.op == Op::BitFieldInsert {
            2
        } else {
            1
        };
        let base = self.value_of(instruction.operand(0)?, of)?;
        let offset = self.word_scalar(instruction.operand(values)?)?;
        let width = self.word_scalar(instruction.operand(values + 1)?)?;
        let offset = self.splat(offset, 1, count)?;
        let width = self.splat(width, 1, count)?;
        let slot = match instruction.op {
            Op::BitFieldInsert => {
                let insert = self.value_of(instruction.operand(1)?, of)?;
                let to = self.take(count)?;
                let operands = Operands {
                    to,
                    from: [base, insert, offset, width],
                    count,
                };
                self.emit(Code::BitFieldInsert(operands), count)?;
                to
            }
            Op::BitFieldSExtract => {
                self.ternary(Ternary::BitFieldSExtract, [base, offset, width], count)?
            }
            _ => self.ternary(Ternary::BitFieldUExtract, [base, offset, width], count)?,
        };
        self.define(id, of, Place::Slots(slot))
    }

    fn derivative(
        &mut self,
        instruction: &Instruction<'_>,
        axis: Axis,
        fine: bool,
    ) -> Result<(), Error> {
        let (of, id) = instruction.typed_result()?;
        let (scalar, count) = self.source.types.numeric(of)?;
        if scalar != (Scalar::Float { width: 32 }) {
            return Err(Error::unsupported(
                "derivatives of other than 32-bit floats",
            ));
        }
        let from = self.value_of(instruction.operand(0)?, of)?;
        let to = self.take(count)?;
        let kind = Derivative { axis, fine };
        self.emit(
            Code::Derivative {
                to,
                from,
                count,
                kind,
            },
            count,
        )?;
        self.define(id, of, Place::Slots(to))
    }
}
