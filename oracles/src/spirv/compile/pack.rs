//! Packing and unpacking of GLSL.std.450.

use spirv::GlslStd450Op as Glsl;

use super::{Compiler, Error};
use crate::spirv::code::Code;
use crate::spirv::lanes::Operands;
use crate::spirv::operations::{Binary, Unary};
use crate::spirv::types::Scalar;

impl Compiler<'_, '_> {
    /// A slot that has this constant.
    pub(super) fn literal(&mut self, word: u32) -> Result<u32, Error> {
        let to = self.take(1)?;
        self.emit(Code::Constant { to, word }, 1)?;
        Ok(to)
    }

    /// Packs floats into a word, or unpacks it: the slot of the result, and its components.
    pub(super) fn pack(
        &mut self,
        operation: Glsl,
        operand: u32,
    ) -> Result<Option<(u32, u32)>, Error> {
        let (code, bits, count) = match operation {
            Glsl::PackSnorm4x8 => (Binary::PackSnorm, 8, 4),
            Glsl::PackUnorm4x8 => (Binary::PackUnorm, 8, 4),
            Glsl::PackSnorm2x16 => (Binary::PackSnorm, 16, 2),
            Glsl::PackUnorm2x16 => (Binary::PackUnorm, 16, 2),
            Glsl::UnpackSnorm4x8 => (Binary::UnpackSnorm, 8, 4),
            Glsl::UnpackUnorm4x8 => (Binary::UnpackUnorm, 8, 4),
            Glsl::UnpackSnorm2x16 => (Binary::UnpackSnorm, 16, 2),
            Glsl::UnpackUnorm2x16 => (Binary::UnpackUnorm, 16, 2),
            Glsl::PackHalf2x16 => (Binary::PackHalf, 16, 2),
            Glsl::UnpackHalf2x16 => (Binary::UnpackUnorm, 16, 2),
            Glsl::PackDouble2x32 | Glsl::UnpackDouble2x32 => {
                // The same words, low first.
                let (slot, scalar, count) = self.numeric(operand)?;
                if scalar.width() * count != 64 {
                    return Err(Error::malformed("packing a double is of 64 bits"));
                }
                return Ok(Some((slot, if count == 2 { 1 } else { 2 })));
            }
            _ => return Ok(None),
        };
        let (slot, scalar, found) = self.numeric(operand)?;
        let unpacks = matches!(code, Binary::UnpackSnorm | Binary::UnpackUnorm);
        let expected = if unpacks { 1 } else { count };
        if scalar.width() != 32 || scalar == Scalar::Bool || found != expected {
            return Err(Error::malformed(format!(
                "{operation:?} of {found} components"
            )));
        }
        if operation == Glsl::PackHalf2x16 {
            return Ok(Some((self.binary(code, slot, slot + 1, 1)?, 1)));
        }
        if operation == Glsl::UnpackHalf2x16 {
            let to = self.take(2)?;
            let low = Operands {
                to,
                from: [slot],
                count: 1,
            };
            let high = Operands {
                to: to + 1,
                from: [slot],
                count: 1,
            };
            self.emit(Code::Unary(Unary::UnpackHalfLow, low), 1)?;
            self.emit(Code::Unary(Unary::UnpackHalfHigh, high), 1)?;
            return Ok(Some((to, 2)));
        }
        let width = self.literal(bits)?;
        let mut parts = Vec::new();
        for index in 0..count {
            let shift = self.literal(index * bits)?;
            parts.push(if unpacks {
                let shifted = self.binary(Binary::ShiftRight, slot, shift, 1)?;
                self.binary(code, shifted, width, 1)?
            } else {
                let packed = self.binary(code, slot + index, width, 1)?;
                self.binary(Binary::ShiftLeft, packed, shift, 1)?
            });
        }
        if unpacks {
            return Ok(Some((self.gather(parts)?, count)));
        }
        let mut word = parts[0];
        for &part in &parts[1..] {
            word = self.binary(Binary::Or, word, part, 1)?;
        }
        Ok(Some((word, 1)))
    }
}
