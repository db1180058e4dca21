//! Taking composites apart and putting them together.

use spirv::Op;

use super::{Compiler, Error, Place};
use crate::spirv::code::{Code, Indexed, Term};
use crate::spirv::types::{Scalar, Type};
use crate::spirv::words::Instruction;

impl Compiler<'_, '_> {
    /// Compiles an instruction on composites; false if it is none.
    pub(super) fn composite(&mut self, instruction: &Instruction<'_>) -> Result<bool, Error> {
        let slot = match instruction.op {
            Op::CompositeConstruct => self.construct(instruction)?,
            Op::CompositeExtract => self.extract(instruction)?,
            Op::CompositeInsert => self.insert(instruction)?,
            Op::VectorShuffle => self.shuffle(instruction)?,
            Op::VectorExtractDynamic => self.extract_dynamic(instruction)?,
            Op::VectorInsertDynamic => self.insert_dynamic(instruction)?,
            Op::CopyLogical => {
                let (of, _) = instruction.typed_result()?;
                let (from, slot) = self.value(instruction.operand(0)?)?;
                if self.source.types.slots(of)? != self.source.types.slots(from)? {
                    return Err(Error::malformed(
                        "OpCopyLogical between types that do not match",
                    ));
                }
                slot
            }
            _ => return Ok(false),
        };
        let (of, id) = instruction.typed_result()?;
        self.define(id, of, Place::Slots(slot))?;
        Ok(true)
    }

    fn construct(&mut self, instruction: &Instruction<'_>) -> Result<u32, Error> {
        let (of, _) = instruction.typed_result()?;
        let slots = self.source.types.slots(of)?;
        if matches!(
            self.source.types.entry(of)?.kind,
            Type::Bool | Type::Int { .. } | Type::Float { .. }
        ) {
            return Err(Error::malformed("OpCompositeConstruct of a scalar"));
        }
        let mut from = Vec::new();
        for &part in instruction.operands {
            let (part, first) = self.value(part)?;
            from.extend(first..first + self.source.types.slots(part)?);
            if from.len() > slots as usize {
                return Err(Error::malformed(
                    "a composite with more parts than its type",
                ));
            }
        }
        if from.len() != slots as usize {
            return Err(Error::malformed(
                "a composite without the parts of its type",
            ));
        }
        self.gather(from)
    }

    /// The type and the slots before it of a part that literal indices name.
    fn part(&self, mut of: u32, indices: &[u32]) -> Result<(u32, u32), Error> {
        let mut slot = 0;
        for &index in indices {
            let (part, before) = self.source.types.part(of, index)?;
            of = part;
            slot += before;
        }
        Ok((of, slot))
    }

    fn extract(&mut self, instruction: &Instruction<'_>) -> Result<u32, Error> {
        let (of, _) = instruction.typed_result()?;
        let (whole, first) = self.value(instruction.operand(0)?)?;
        let (part, before) = self.part(whole, &instruction.operands[1..])?;
        if part != of {
            return Err(Error::malformed(format!(
                "a part of type %{part}, not %{of}"
            )));
        }
        Ok(first + before)
    }

    fn insert(&mut self, instruction: &Instruction<'_>) -> Result<u32, Error> {
        let (of, _) = instruction.typed_result()?;
        let whole = self.value_of(instruction.operand(1)?, of)?;
        let (part, before) = self.part(of, &instruction.operands[2..])?;
        let object = self.value_of(instruction.operand(0)?, part)?;
        let count = self.source.types.slots(part)?;
        let to = self.take_for(of)?;
        let slots = self.source.types.slots(of)?;
        self.copy(to, whole, slots)?;
        self.copy(to + before, object, count)?;
        Ok(to)
    }

    fn shuffle(&mut self, instruction: &Instruction<'_>) -> Result<u32, Error> {
        let (of, _) = instruction.typed_result()?;
        let (result, count) = self.source.types.numeric(of)?;
        let (a, scalar, a_count) = self.numeric(instruction.operand(0)?)?;
        let (b, other, b_count) = self.numeric(instruction.operand(1)?)?;
        let picks = &instruction.operands[2..];
        if scalar != result || other != result || picks.len() != count as usize {
            return Err(Error::malformed("OpVectorShuffle of other types"));
        }
        let step = scalar.slots();
        let mut from = Vec::new();
        for &pick in picks {
            let first = match pick {
                pick if pick < a_count => a + pick * step,
                pick if pick < a_count + b_count => b + (pick - a_count) * step,
                // An undefined component.
                u32::MAX => a,
                _ => return Err(Error::malformed(format!("component {pick} of a shuffle"))),
            };
            from.extend(first..first + step);
        }
        self.gather(from)
    }

    /// The place of a component that a lane picks.
    fn component(
        &self,
        base: u32,
        scalar: Scalar,
        length: u32,
        index: u32,
    ) -> Result<Indexed, Error> {
        let stride = scalar.slots();
        match self.numeric(index)? {
            (index, Scalar::Int { width: 32, .. }, 1) => Ok(Indexed {
                base,
                terms: vec![Term {
                    index,
                    stride,
                    length,
                }],
                count: stride,
            }),
            _ => Err(Error::unsupported(
                "an index that is not an integer of 32 bits",
            )),
        }
    }

    fn extract_dynamic(&mut self, instruction: &Instruction<'_>) -> Result<u32, Error> {
        let (of, _) = instruction.typed_result()?;
        let (vector, scalar, count) = self.numeric(instruction.operand(0)?)?;
        if self.source.types.numeric(of)? != (scalar, 1) {
            return Err(Error::malformed("OpVectorExtractDynamic of another type"));
        }
        let place = self.component(vector, scalar, count, instruction.operand(1)?)?;
        let to = self.take(place.count)?;
        let slots = place.count;
        self.emit(
            Code::LoadIndexed {
                to,
                place: Box::new(place),
            },
            slots,
        )?;
        Ok(to)
    }

    fn insert_dynamic(&mut self, instruction: &Instruction<'_>) -> Result<u32, Error> {
        let (of, _) = instruction.typed_result()?;
        let vector = self.value_of(instruction.operand(0)?, of)?;
        let (scalar, count) = self.source.types.numeric(of)?;
        let (from, part, one) = self.numeric(instruction.operand(1)?)?;
        if part != scalar || one != 1 {
            return Err(Error::malformed("OpVectorInsertDynamic of another type"));
        }
        let to = self.take(count * scalar.slots())?;
        self.copy(to, vector, count * scalar.slots())?;
        let place = self.component(to, scalar, count, instruction.operand(2)?)?;
        let slots = place.count;
        self.emit(
            Code::StoreIndexed {
                from,
                place: Box::new(place),
            },
            slots,
        )?;
        Ok(to)
    }
}
