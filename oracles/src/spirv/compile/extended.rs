//! GLSL.std.450. What works component by component is an operation; the rest is spelled out in operations that each
//! round: `length(v)` is the square root of the scalar product of v with itself, and so on.

use spirv::GlslStd450Op as Glsl;

use super::{Compiler, Error, Place};
use crate::spirv::operations::{Binary, Ternary, Unary};
use crate::spirv::types::{Scalar, Type};
use crate::spirv::wide::Operation;
use crate::spirv::words::Instruction;

fn component_wise(operation: Glsl) -> Option<Operation> {
    let unary = |operation| Some(Operation::Unary(operation));
    let binary = |operation| Some(Operation::Binary(operation));
    let ternary = |operation| Some(Operation::Ternary(operation));
    match operation {
        Glsl::Round | Glsl::RoundEven => unary(Unary::Round),
        Glsl::Trunc => unary(Unary::Trunc),
        Glsl::FAbs => unary(Unary::FAbs),
        Glsl::SAbs => unary(Unary::SAbs),
        Glsl::FSign => unary(Unary::FSign),
        Glsl::SSign => unary(Unary::SSign),
        Glsl::Floor => unary(Unary::Floor),
        Glsl::Ceil => unary(Unary::Ceil),
        Glsl::Fract => unary(Unary::Fract),
        Glsl::Radians => unary(Unary::Radians),
        Glsl::Degrees => unary(Unary::Degrees),
        Glsl::Sin => unary(Unary::Sin),
        Glsl::Cos => unary(Unary::Cos),
        Glsl::Tan => unary(Unary::Tan),
        Glsl::Asin => unary(Unary::Asin),
        Glsl::Acos => unary(Unary::Acos),
        Glsl::Atan => unary(Unary::Atan),
        Glsl::Sinh => unary(Unary::Sinh),
        Glsl::Cosh => unary(Unary::Cosh),
        Glsl::Tanh => unary(Unary::Tanh),
        Glsl::Asinh => unary(Unary::Asinh),
        Glsl::Acosh => unary(Unary::Acosh),
        Glsl::Atanh => unary(Unary::Atanh),
        Glsl::Exp => unary(Unary::Exp),
        Glsl::Log => unary(Unary::Log),
        Glsl::Exp2 => unary(Unary::Exp2),
        Glsl::Log2 => unary(Unary::Log2),
        Glsl::Sqrt => unary(Unary::Sqrt),
        Glsl::InverseSqrt => unary(Unary::InverseSqrt),
        Glsl::FindILsb => unary(Unary::FindILsb),
        Glsl::FindSMsb => unary(Unary::FindSMsb),
        Glsl::FindUMsb => unary(Unary::FindUMsb),
        Glsl::Atan2 => binary(Binary::Atan2),
        Glsl::Pow => binary(Binary::Pow),
        Glsl::FMin => binary(Binary::FMin),
        Glsl::UMin => binary(Binary::UMin),
        Glsl::SMin => binary(Binary::SMin),
        Glsl::FMax => binary(Binary::FMax),
        Glsl::UMax => binary(Binary::UMax),
        Glsl::SMax => binary(Binary::SMax),
        Glsl::NMin => binary(Binary::NMin),
        Glsl::NMax => binary(Binary::NMax),
        Glsl::Step => binary(Binary::Step),
        Glsl::Ldexp => binary(Binary::Ldexp),
        Glsl::FClamp => ternary(Ternary::FClamp),
        Glsl::UClamp => ternary(Ternary::UClamp),
        Glsl::SClamp => ternary(Ternary::SClamp),
        Glsl::NClamp => ternary(Ternary::NClamp),
        Glsl::FMix => ternary(Ternary::FMix),
        Glsl::SmoothStep => ternary(Ternary::SmoothStep),
        Glsl::Fma => ternary(Ternary::Fma),
        _ => None,
    }
}

impl Compiler<'_, '_> {
    /// Compiles an instruction of GLSL.std.450.
    pub(super) fn extended(&mut self, instruction: &Instruction<'_>) -> Result<(), Error> {
        let number = instruction.operand(1)?;
        let operation = Glsl::from_u32(number)
            .ok_or_else(|| Error::malformed(format!("instruction {number} of GLSL.std.450")))?;
        let operands = &instruction.operands[2..];
        if let Some(operation) = component_wise(operation) {
            return self.component_wise(instruction, operation, operands);
        }
        let (of, id) = instruction.typed_result()?;
        let operand = |index: usize| {
            let found = operands.get(index).copied();
            found.ok_or_else(|| Error::malformed(format!("{operation:?} lacks operand {index}")))
        };
        if let Some((slot, count)) = match operand(0) {
            Ok(first) => self.pack(operation, first)?,
            Err(_) => None,
        } {
            let (scalar, found) = self.source.types.numeric(of)?;
            let doubles = operation == Glsl::PackDouble2x32 && count == 1;
            if count != found || (scalar.width() == 64) != doubles {
                return Err(Error::malformed(format!("{operation:?} into another type")));
            }
            return self.define(id, of, Place::Slots(slot));
        }
        let (slot, scalar, count) = match operation {
            Glsl::Determinant => self.determinant(operand(0)?, false)?,
            Glsl::MatrixInverse => self.determinant(operand(0)?, true)?,
            Glsl::Modf | Glsl::ModfStruct | Glsl::Frexp | Glsl::FrexpStruct => {
                return self.split(
                    instruction,
                    operation,
                    operand(0)?,
                    operands.get(1).copied(),
                );
            }
            _ => self.geometric(operation, operands)?,
        };
        if self.source.types.slots(of)? != count * scalar.slots()
            || !self.consists_of(of, scalar)?
        {
            return Err(Error::malformed(format!("{operation:?} into another type")));
        }
        self.define(id, of, Place::Slots(slot))
    }

    /// Whether a scalar, vector or matrix type consists of this scalar.
    fn consists_of(&self, of: u32, scalar: Scalar) -> Result<bool, Error> {
        let part = match self.source.types.get(of)? {
            Type::Matrix { column, .. } => *column,
            _ => of,
        };
        Ok(self.source.types.numeric(part)?.0 == scalar)
    }

    /// Instructions on whole vectors: the result's first slot, scalar and components.
    fn geometric(
        &mut self,
        operation: Glsl,
        operands: &[u32],
    ) -> Result<(u32, Scalar, u32), Error> {
        let mut values = Vec::new();
        for &operand in operands {
            values.push(self.numeric(operand)?);
        }
        let Some(&(a, scalar, count)) = values.first() else {
            return Err(Error::malformed(format!("{operation:?} without operands")));
        };
        let vectors = match operation {
            Glsl::Refract => 2,
            _ => values.len(),
        };
        let alike = values[..vectors.min(values.len())]
            .iter()
            .all(|&(_, other, components)| other == scalar && components == count);
        if !alike || !matches!(scalar, Scalar::Float { .. }) {
            return Err(Error::malformed(format!(
                "{operation:?} of other than like vectors of floats"
            )));
        }
        let slots = scalar.slots();
        match (operation, values.as_slice()) {
            (Glsl::Length, [_]) => Ok((self.length(a, scalar, count)?, scalar, 1)),
            (Glsl::Distance, &[_, (b, ..)]) => {
                let difference = self.float(Binary::FSub, a, b, scalar, count)?;
                Ok((self.length(difference, scalar, count)?, scalar, 1))
            }
            (Glsl::Normalize, [_]) => {
                let length = self.length(a, scalar, count)?;
                let lengths = self.splat(length, slots, count)?;
                Ok((
                    self.float(Binary::FDiv, a, lengths, scalar, count)?,
                    scalar,
                    count,
                ))
            }
            (Glsl::Cross, &[_, (b, ..)]) if count == 3 => {
                let turned = |first: u32, by: u32| -> Vec<u32> {
                    (0..3)
                        .flat_map(|index| {
                            let slot = first + (index + by) % 3 * slots;
                            slot..slot + slots
                        })
                        .collect()
                };
                let (a1, b2) = (self.gather(turned(a, 1))?, self.gather(turned(b, 2))?);
                let (b1, a2) = (self.gather(turned(b, 1))?, self.gather(turned(a, 2))?);
                let left = self.float(Binary::FMul, a1, b2, scalar, 3)?;
                let right = self.float(Binary::FMul, b1, a2, scalar, 3)?;
                Ok((self.float(Binary::FSub, left, right, scalar, 3)?, scalar, 3))
            }
            (Glsl::FaceForward, &[_, (incident, ..), (reference, ..)]) if slots == 1 => {
                let dot = self.dot(reference, incident, scalar, count)?;
                let zero = self.literal(0)?;
                let keeps = self.binary(Binary::FOrdLess, dot, zero, 1)?;
                let keeps = self.splat(keeps, 1, count)?;
                let turned = self.unary(Unary::FNegate, a, count)?;
                Ok((
                    self.ternary(Ternary::Select, [keeps, a, turned], count)?,
                    scalar,
                    count,
                ))
            }
            // I - 2 · dot(N, I) · N
            (Glsl::Reflect, &[_, (normal, ..)]) => {
                let dot = self.dot(normal, a, scalar, count)?;
                let twice = self.float(Binary::FAdd, dot, dot, scalar, 1)?;
                let along = self.scale(normal, twice, scalar, count)?;
                Ok((
                    self.float(Binary::FSub, a, along, scalar, count)?,
                    scalar,
                    count,
                ))
            }
            (Glsl::Refract, &[_, (normal, ..), (eta, eta_scalar, 1)])
                if slots == 1 && eta_scalar == scalar && scalar.width() == 32 =>
            {
                Ok((self.refract(a, normal, eta, scalar, count)?, scalar, count))
            }
            _ => Err(Error::unsupported(format!(
                "{operation:?} is not supported on these operands"
            ))),
        }
    }

    fn length(&mut self, vector: u32, scalar: Scalar, count: u32) -> Result<u32, Error> {
        let dot = self.dot(vector, vector, scalar, count)?;
        self.apply(Operation::Unary(Unary::Sqrt), &[(dot, scalar)], scalar, 1)
    }

    /// k = 1 - eta² · (1 - dot(N, I)²); 0 if k < 0, else eta · I - (eta · dot(N, I) + sqrt(k)) · N.
    fn refract(
        &mut self,
        incident: u32,
        normal: u32,
        eta: u32,
        scalar: Scalar,
        count: u32,
    ) -> Result<u32, Error> {
        let zero = self.literal(0)?;
        let one = self.literal(1.0f32.to_bits())?;
        let dot = self.dot(normal, incident, scalar, count)?;
        let square = self.binary(Binary::FMul, dot, dot, 1)?;
        let rest = self.binary(Binary::FSub, one, square, 1)?;
        let eta_square = self.binary(Binary::FMul, eta, eta, 1)?;
        let scaled = self.binary(Binary::FMul, eta_square, rest, 1)?;
        let k = self.binary(Binary::FSub, one, scaled, 1)?;
        let none = self.binary(Binary::FOrdLess, k, zero, 1)?;
        let root = self.unary(Unary::Sqrt, k, 1)?;
        let along = self.binary(Binary::FMul, eta, dot, 1)?;
        let along = self.binary(Binary::FAdd, along, root, 1)?;
        let left = self.scale(incident, eta, scalar, count)?;
        let right = self.scale(normal, along, scalar, count)?;
        let ray = self.binary(Binary::FSub, left, right, count)?;
        let none = self.splat(none, 1, count)?;
        let zeros = self.splat(zero, 1, count)?;
        self.ternary(Ternary::Select, [none, zeros, ray], count)
    }

    /// Modf and Frexp: two results, in a structure or the second through a pointer.
    fn split(
        &mut self,
        instruction: &Instruction<'_>,
        operation: Glsl,
        value: u32,
        pointer: Option<u32>,
    ) -> Result<(), Error> {
        let (of, id) = instruction.typed_result()?;
        let (slot, scalar, count) = self.numeric(value)?;
        if scalar != (Scalar::Float { width: 32 }) {
            return Err(Error::unsupported(format!(
                "{operation:?} of other than 32-bit floats"
            )));
        }
        let (first, second) = match operation {
            Glsl::Modf | Glsl::ModfStruct => {
                let whole = self.unary(Unary::Trunc, slot, count)?;
                (self.unary(Unary::ModfFraction, slot, count)?, whole)
            }
            _ => (
                self.unary(Unary::FrexpSignificand, slot, count)?,
                self.unary(Unary::FrexpExponent, slot, count)?,
            ),
        };
        let types = &self.source.types;
        if let Glsl::ModfStruct | Glsl::FrexpStruct = operation {
            if types.slots(of)? != 2 * count {
                return Err(Error::malformed(format!("{operation:?} into another type")));
            }
            let slot = self.gather(
                (first..first + count)
                    .chain(second..second + count)
                    .collect(),
            )?;
            return self.define(id, of, Place::Slots(slot));
        }
        let Some(pointer) = pointer else {
            return Err(Error::malformed(format!("{operation:?} lacks its pointer")));
        };
        let pointer = self.pointer(pointer)?.clone();
        if types.slots(pointer.to)? != count || types.slots(of)? != count {
            return Err(Error::malformed(format!("{operation:?} into another type")));
        }
        self.store(&pointer, second)?;
        self.define(id, of, Place::Slots(first))
    }
}
