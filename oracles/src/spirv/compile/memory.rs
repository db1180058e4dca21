//! Pointers, loads, stores and atomic operations.

use spirv::{Op, StorageClass};

use super::{Compiler, Definition, Error, Opaque, Place, Pointer, Root};
use crate::spirv::code::{Atomic, AtomicOperation, BufferPlace, BufferUse, Code, Indexed, Term};
use crate::spirv::layout::{Piece, Spread};
use crate::spirv::operations::Binary;
use crate::spirv::types::{Scalar, Type};
use crate::spirv::words::Instruction;

impl Compiler<'_, '_> {
    /// Compiles an instruction on memory; false if it is none.
    pub(super) fn memory(&mut self, instruction: &Instruction<'_>) -> Result<bool, Error> {
        match instruction.op {
            Op::AccessChain | Op::InBoundsAccessChain => {
                let (of, id) = instruction.typed_result()?;
                let mut pointer = self.pointer(instruction.operand(0)?)?.clone();
                for &index in &instruction.operands[1..] {
                    self.step(&mut pointer, index)?;
                }
                match *self.source.types.get(of)? {
                    Type::Pointer { to, .. } if to == pointer.to => {}
                    _ => {
                        let message =
                            format!("a chain that ends at type %{}, not %{of}'s", pointer.to);
                        return Err(Error::malformed(message));
                    }
                }
                self.define(id, of, Place::Pointer(pointer))?;
            }
            Op::Load => {
                let (of, id) = instruction.typed_result()?;
                let pointer = self.pointer(instruction.operand(0)?)?.clone();
                if pointer.to != of {
                    return Err(Error::malformed(format!(
                        "a load of %{of} from a pointer to %{}",
                        pointer.to
                    )));
                }
                let place = self.load(&pointer)?;
                self.define(id, of, place)?;
            }
            Op::Store => {
                let pointer = self.pointer(instruction.operand(0)?)?.clone();
                let from = self.value_of(instruction.operand(1)?, pointer.to)?;
                self.store(&pointer, from)?;
            }
            Op::CopyMemory => {
                let to = self.pointer(instruction.operand(0)?)?.clone();
                let from = self.pointer(instruction.operand(1)?)?.clone();
                if to.to != from.to {
                    return Err(Error::malformed("OpCopyMemory between different types"));
                }
                let Place::Slots(slot) = self.load(&from)? else {
                    return Err(Error::malformed("OpCopyMemory of an image or sampler"));
                };
                self.store(&to, slot)?;
            }
            Op::ArrayLength => self.array_length(instruction)?,
            _ => return self.atomic(instruction),
        }
        Ok(true)
    }

    pub(super) fn pointer(&self, id: u32) -> Result<&Pointer, Error> {
        match self.definition(id)? {
            Definition {
                place: Place::Pointer(pointer),
                ..
            } => Ok(pointer),
            _ => Err(Error::malformed(format!("%{id} is not a pointer"))),
        }
    }

    /// Goes one index deeper.
    fn step(&mut self, pointer: &mut Pointer, index: u32) -> Result<(), Error> {
        let types = &self.source.types;
        let buffer = match pointer.root {
            Root::Slots { .. } => false,
            Root::Buffer(_) => true,
            Root::Resource(_) => return Err(Error::unsupported("arrays of images or samplers")),
        };
        let literal = self.constant(index);
        let (of, length, stride, spread) = match types.get(pointer.to)? {
            Type::Struct { members } => {
                let number =
                    literal.ok_or_else(|| Error::malformed("a member's index must be constant"))?;
                let member = members.get(number as usize).ok_or_else(|| {
                    Error::malformed(format!("member {number} of {}", members.len()))
                })?;
                let offset = if buffer {
                    member.offset
                } else {
                    Some(member.slot)
                };
                let offset = offset.ok_or_else(|| Error::malformed("a member without Offset"))?;
                pointer.offset = far(pointer.offset, offset, 1)?;
                pointer.to = member.of;
                pointer.spread = member.matrix.map_or(Spread::Plain, Spread::Matrix);
                return Ok(());
            }
            Type::Array { of, length, stride } => (*of, Some(*length), *stride, pointer.spread),
            Type::RuntimeArray { of, stride } => (*of, None, *stride, pointer.spread),
            Type::Matrix { column, count } if buffer => {
                let (stride, spread) = types.column(*column, pointer.spread)?;
                (*column, Some(*count), Some(stride), spread)
            }
            Type::Matrix { column: of, count } => (*of, Some(*count), None, Spread::Plain),
            Type::Vector { of, count } => {
                let size = types.numeric(*of)?.0.width() / 8;
                let stride = if let Spread::Strided(step) = pointer.spread {
                    step
                } else {
                    size
                };
                (*of, Some(*count), Some(stride), Spread::Plain)
            }
            _ => return Err(Error::malformed("an index into what has no parts")),
        };
        let stride = if buffer {
            stride.ok_or_else(|| Error::malformed("an array in a buffer without ArrayStride"))?
        } else {
            types.slots(of)?
        };
        match literal {
            Some(number) => {
                if length.is_some_and(|length| number >= length) {
                    return Err(Error::malformed(format!(
                        "index {number} of {length:?} elements"
                    )));
                }
                pointer.offset = far(pointer.offset, number, stride)?;
            }
            None => {
                let (index, scalar, count) = self.numeric(index)?;
                if !matches!(scalar, Scalar::Int { width: 32, .. }) || count != 1 {
                    return Err(Error::unsupported(
                        "an index that is not an integer of 32 bits",
                    ));
                }
                let length = length.unwrap_or(u32::MAX);
                pointer.terms.push(Term {
                    index,
                    stride,
                    length,
                });
            }
        }
        pointer.to = of;
        pointer.spread = spread;
        Ok(())
    }

    fn indexed(&self, base: u32, pointer: &Pointer) -> Result<Box<Indexed>, Error> {
        Ok(Box::new(Indexed {
            base: base + pointer.offset,
            terms: pointer.terms.clone(),
            count: self.source.types.slots(pointer.to)?,
        }))
    }

    fn buffer_place(&mut self, buffer: BufferUse, pointer: &Pointer) -> Result<BufferPlace, Error> {
        let mut pieces = Vec::new();
        self.source
            .types
            .pieces(pointer.to, pointer.spread, 0, &mut pieces)?;
        let buffer = self.buffer(buffer);
        Ok(BufferPlace {
            buffer,
            offset: pointer.offset,
            terms: pointer.terms.clone(),
            pieces,
        })
    }

    fn buffer(&mut self, buffer: BufferUse) -> u32 {
        let found = self.buffers.iter().position(|&other| other == buffer);
        found.unwrap_or_else(|| {
            self.buffers.push(buffer);
            self.buffers.len() - 1
        }) as u32
    }

    pub(super) fn load(&mut self, pointer: &Pointer) -> Result<Place, Error> {
        match pointer.root {
            Root::Slots { base, class } => {
                let place = self.indexed(base, pointer)?;
                if class == StorageClass::Input && place.terms.is_empty() {
                    // It never changes, so it needs no copy.
                    return Ok(Place::Slots(place.base));
                }
                let count = place.count;
                let to = self.take(count)?;
                if place.terms.is_empty() {
                    self.copy(to, place.base, count)?;
                } else {
                    self.emit(Code::LoadIndexed { to, place }, count)?;
                }
                Ok(Place::Slots(to))
            }
            Root::Buffer(buffer) => {
                let place = Box::new(self.buffer_place(buffer, pointer)?);
                let count = place.pieces.len() as u32;
                let to = self.take(count)?;
                self.emit(Code::LoadBuffer { to, place }, count)?;
                Ok(Place::Slots(to))
            }
            Root::Resource(slot) => {
                let types = &self.source.types;
                let opaque = match types.get(pointer.to)? {
                    Type::Image(image) => Opaque {
                        image: Some((slot, *image)),
                        sampler: None,
                    },
                    Type::Sampler => Opaque {
                        image: None,
                        sampler: Some(slot),
                    },
                    Type::SampledImage { image } => match types.get(*image)? {
                        Type::Image(image) => Opaque {
                            image: Some((slot, *image)),
                            sampler: Some(slot),
                        },
                        _ => return Err(Error::malformed("a sampled image of no image")),
                    },
                    _ => return Err(Error::unsupported("a resource that is no image or sampler")),
                };
                Ok(Place::Opaque(opaque))
            }
        }
    }

    pub(super) fn store(&mut self, pointer: &Pointer, from: u32) -> Result<(), Error> {
        match pointer.root {
            Root::Slots {
                class: StorageClass::Input,
                ..
            }
            | Root::Resource(_) => Err(Error::malformed("a store to what is read only")),
            Root::Buffer(BufferUse { storage: false, .. }) => {
                Err(Error::malformed("a store to a uniform buffer"))
            }
            Root::Slots { base, class } => {
                let place = self.indexed(base, pointer)?;
                let count = place.count;
                if class == StorageClass::Output {
                    // With indices that are not known, whatever the offset may be that is added.
                    let reach: u32 = place.terms.iter().fold(count, |reach, term| {
                        reach.saturating_add(term.stride.saturating_mul(term.length - 1))
                    });
                    self.note_written(place.base, reach.min(u32::MAX - place.base));
                }
                if place.terms.is_empty() {
                    self.copy(place.base, from, count)
                } else {
                    self.emit(Code::StoreIndexed { from, place }, count)
                }
            }
            Root::Buffer(buffer) => {
                let place = Box::new(self.buffer_place(buffer, pointer)?);
                let count = place.pieces.len() as u32;
                self.emit(Code::StoreBuffer { from, place }, count)
            }
        }
    }

    fn array_length(&mut self, instruction: &Instruction<'_>) -> Result<(), Error> {
        let (of, id) = instruction.typed_result()?;
        let pointer = self.pointer(instruction.operand(0)?)?;
        let (Root::Buffer(buffer), true) = (pointer.root, pointer.terms.is_empty()) else {
            return Err(Error::malformed("OpArrayLength of what is not a buffer"));
        };
        let (start, types) = (pointer.offset, &self.source.types);
        let Type::Struct { members } = types.get(pointer.to)? else {
            return Err(Error::malformed("OpArrayLength of what is not a structure"));
        };
        let member = members.get(instruction.operand(1)? as usize);
        let Some((&member, Some(offset))) = member.map(|member| (&member.of, member.offset)) else {
            return Err(Error::malformed("OpArrayLength of a member without Offset"));
        };
        let Type::RuntimeArray {
            stride: Some(stride @ 1..),
            ..
        } = *types.get(member)?
        else {
            return Err(Error::malformed(
                "OpArrayLength of what is not a runtime array",
            ));
        };
        if !matches!(types.numeric(of)?, (Scalar::Int { width: 32, .. }, 1)) {
            return Err(Error::malformed(
                "OpArrayLength gives an integer of 32 bits",
            ));
        }
        let offset = far(start, offset, 1)?;
        let buffer = self.buffer(buffer);
        let to = self.take(1)?;
        self.emit(
            Code::ArrayLength {
                to,
                buffer,
                offset,
                stride,
            },
            1,
        )?;
        self.define(id, of, Place::Slots(to))
    }

    fn atomic(&mut self, instruction: &Instruction<'_>) -> Result<bool, Error> {
        // The operand that is the value, after pointer, scope and semantics.
        let (operation, value) = match instruction.op {
            Op::AtomicLoad => (AtomicOperation::Load, None),
            Op::AtomicStore | Op::AtomicExchange => (AtomicOperation::Exchange, Some(3)),
            Op::AtomicCompareExchange => (AtomicOperation::CompareExchange, Some(4)),
            Op::AtomicIIncrement => (AtomicOperation::Combine(Binary::IAdd), None),
            Op::AtomicIDecrement => (AtomicOperation::Combine(Binary::ISub), None),
            Op::AtomicIAdd => (AtomicOperation::Combine(Binary::IAdd), Some(3)),
            Op::AtomicISub => (AtomicOperation::Combine(Binary::ISub), Some(3)),
            Op::AtomicSMin => (AtomicOperation::Combine(Binary::SMin), Some(3)),
            Op::AtomicUMin => (AtomicOperation::Combine(Binary::UMin), Some(3)),
            Op::AtomicSMax => (AtomicOperation::Combine(Binary::SMax), Some(3)),
            Op::AtomicUMax => (AtomicOperation::Combine(Binary::UMax), Some(3)),
            Op::AtomicAnd => (AtomicOperation::Combine(Binary::And), Some(3)),
            Op::AtomicOr => (AtomicOperation::Combine(Binary::Or), Some(3)),
            Op::AtomicXor => (AtomicOperation::Combine(Binary::Xor), Some(3)),
            _ => return Ok(false),
        };
        let pointer = self.pointer(instruction.operand(0)?)?.clone();
        let of = pointer.to;
        let (scalar, count) = self.source.types.numeric(of)?;
        let float = matches!(scalar, Scalar::Float { .. });
        let combines = matches!(operation, AtomicOperation::Combine(_));
        if scalar.width() != 32 || count != 1 || scalar == Scalar::Bool || (float && combines) {
            return Err(Error::unsupported(
                "an atomic operation on other than 32 bits",
            ));
        }
        let buffer = match pointer.root {
            Root::Buffer(buffer @ BufferUse { storage: true, .. }) => buffer,
            _ => {
                return Err(Error::unsupported(
                    "atomic operations outside storage buffers",
                ));
            }
        };
        let place = self.buffer_place(buffer, &pointer)?;
        debug_assert_eq!(
            place.pieces,
            [Piece {
                offset: 0,
                bytes: 4
            }]
        );
        let value = match value {
            Some(index) => self.value_of(instruction.operand(index)?, of)?,
            None => self.literal(1)?,
        };
        let comparator = match operation {
            AtomicOperation::CompareExchange => self.value_of(instruction.operand(5)?, of)?,
            _ => value,
        };
        let to = match instruction.op {
            Op::AtomicStore => None,
            _ => Some(self.take(1)?),
        };
        let operation = Atomic {
            to,
            place,
            operation,
            value,
            comparator,
        };
        self.emit(Code::Atomic(Box::new(operation)), 1)?;
        if let Some(to) = to {
            let (result, id) = instruction.typed_result()?;
            if result != of {
                return Err(Error::malformed(
                    "an atomic operation's result is what is pointed at",
                ));
            }
            self.define(id, of, Place::Slots(to))?;
        }
        Ok(true)
    }
}

/// `offset + number · stride`, while it fits a word.
fn far(offset: u32, number: u32, stride: u32) -> Result<u32, Error> {
    let product = number.checked_mul(stride);
    product
        .and_then(|product| product.checked_add(offset))
        .ok_or_else(|| Error::malformed("an offset above 4 GiB"))
}
