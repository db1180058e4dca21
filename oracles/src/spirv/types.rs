//! Types, and how values of them lie: in *slots* of 32 bits inside the machine, in bytes inside buffers.

use spirv::{Dim, Op, StorageClass};

use super::Error;
use super::decorations::Table;
use super::words::Instruction;

/// The most slots that a value or a variable may take.
pub(super) const MAX_SLOTS: u32 = 1 << 18;

/// The deepest nest of types.
const MAX_DEPTH: u32 = 32;

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Type {
    Void,
    Bool,
    Int {
        width: u32,
        signed: bool,
    },
    Float {
        width: u32,
    },
    Vector {
        of: u32,
        count: u32,
    },
    Matrix {
        column: u32,
        count: u32,
    },
    Array {
        of: u32,
        length: u32,
        stride: Option<u32>,
    },
    RuntimeArray {
        of: u32,
        stride: Option<u32>,
    },
    Struct {
        members: Vec<Member>,
    },
    Pointer {
        class: StorageClass,
        to: u32,
    },
    Image(ImageType),
    Sampler,
    SampledImage {
        image: u32,
    },
    Function {
        result: u32,
        parameters: Vec<u32>,
    },
}

/// A member of a structure.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Member {
    /// Its type.
    pub(super) of: u32,
    /// Bytes from the structure's start, in a buffer.
    pub(super) offset: Option<u32>,
    /// How a matrix in it lies.
    pub(super) matrix: Option<MatrixLayout>,
    /// The slots before it.
    pub(super) slot: u32,
}

/// How a matrix lies in a buffer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct MatrixLayout {
    /// Bytes from one column, or row, to the next.
    pub(super) stride: u32,
    /// Whether rows lie together.
    pub(super) row_major: bool,
}

/// An image type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ImageType {
    pub(super) sampled: u32,
    pub(super) dim: Dim,
    pub(super) arrayed: bool,
    pub(super) multisampled: bool,
    pub(super) storage: bool,
}

/// A type with its size.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) kind: Type,
    /// Slots of a value; none if there is none of a known size.
    pub(super) slots: Option<u32>,
    depth: u32,
}

/// The scalar that a scalar, vector or matrix consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    Bool,
    Int { width: u32, signed: bool },
    Float { width: u32 },
}

impl Scalar {
    /// Bits; those of a Boolean are never seen.
    pub(super) fn width(self) -> u32 {
        match self {
            Self::Bool => 32,
            Self::Int { width, .. } | Self::Float { width } => width,
        }
    }

    /// Slots.
    pub(super) fn slots(self) -> u32 {
        if self.width() == 64 { 2 } else { 1 }
    }
}

/// All types of a module by id.
#[derive(Debug, Default)]
pub(super) struct Types {
    list: Vec<Option<Entry>>,
}

impl Types {
    /// No types, for ids below this bound.
    pub(super) fn new(bound: u32) -> Self {
        Self {
            list: vec![None; bound as usize],
        }
    }

    /// The type of this id with its size.
    pub(super) fn entry(&self, id: u32) -> Result<&Entry, Error> {
        let found = self.list.get(id as usize).and_then(Option::as_ref);
        found.ok_or_else(|| Error::malformed(format!("%{id} is not a type")))
    }

    /// The type of this id.
    pub(super) fn get(&self, id: u32) -> Result<&Type, Error> {
        Ok(&self.entry(id)?.kind)
    }

    /// The slots of a value of this type.
    pub(super) fn slots(&self, id: u32) -> Result<u32, Error> {
        let slots = self.entry(id)?.slots;
        slots.ok_or_else(|| {
            Error::unsupported(format!(
                "values of type %{id} have no size, or more than {MAX_SLOTS} words"
            ))
        })
    }

    /// The scalar of a scalar or vector type, and the number of components.
    pub(super) fn numeric(&self, id: u32) -> Result<(Scalar, u32), Error> {
        match *self.get(id)? {
            Type::Bool => Ok((Scalar::Bool, 1)),
            Type::Int { width, signed } => Ok((Scalar::Int { width, signed }, 1)),
            Type::Float { width } => Ok((Scalar::Float { width }, 1)),
            Type::Vector { of, count } => Ok((self.numeric(of)?.0, count)),
            _ => Err(Error::malformed(format!(
                "%{id} is not a scalar or vector type"
            ))),
        }
    }

    /// Rows and columns of a matrix type, and its scalar.
    pub(super) fn matrix(&self, id: u32) -> Result<(Scalar, u32, u32), Error> {
        match *self.get(id)? {
            Type::Matrix { column, count } => {
                let (scalar, rows) = self.numeric(column)?;
                Ok((scalar, rows, count))
            }
            _ => Err(Error::malformed(format!("%{id} is not a matrix type"))),
        }
    }

    /// The type of a part of a composite, and the slots before it.
    pub(super) fn part(&self, id: u32, index: u32) -> Result<(u32, u32), Error> {
        let outside = |count| {
            Error::malformed(format!(
                "index {index} into type %{id}, which has {count} parts"
            ))
        };
        match self.get(id)? {
            Type::Vector { of, count }
            | Type::Matrix { column: of, count }
            | Type::Array {
                of, length: count, ..
            } => {
                if index >= *count {
                    return Err(outside(*count as usize));
                }
                // The whole has a size, so this is below it.
                self.slots(id)?;
                Ok((*of, self.slots(*of)? * index))
            }
            Type::Struct { members } => {
                let member = members
                    .get(index as usize)
                    .ok_or_else(|| outside(members.len()))?;
                self.slots(id)?;
                Ok((member.of, member.slot))
            }
            _ => Err(Error::malformed(format!("%{id} is not a composite type"))),
        }
    }

    /// Adds the type that an instruction declares. `constant` gives the value of an integer constant.
    pub(super) fn declare(
        &mut self,
        instruction: &Instruction<'_>,
        decorations: &Table,
        constant: impl Fn(u32) -> Option<u32>,
    ) -> Result<(), Error> {
        let id = instruction.result_id()?;
        let operand = |index| instruction.operand(index);
        let kind = match instruction.op {
            Op::TypeVoid => Type::Void,
            Op::TypeBool => Type::Bool,
            Op::TypeInt => {
                let width = operand(0)?;
                if !matches!(width, 8 | 16 | 32 | 64) {
                    return Err(Error::unsupported(format!("integers of {width} bits")));
                }
                Type::Int {
                    width,
                    signed: operand(1)? != 0,
                }
            }
            Op::TypeFloat => {
                let width = operand(0)?;
                if !matches!(width, 16 | 32 | 64) || instruction.operands.len() > 1 {
                    return Err(Error::unsupported(format!(
                        "floats of {width} bits or not IEEE"
                    )));
                }
                Type::Float { width }
            }
            Op::TypeVector => {
                let (of, count) = (operand(0)?, operand(1)?);
                let scalar = self.numeric(of)?;
                if scalar.1 != 1 || matches!(self.get(of)?, Type::Vector { .. }) {
                    return Err(Error::malformed("a vector of what is not a scalar"));
                }
                if !(2..=4).contains(&count) {
                    return Err(Error::unsupported(format!(
                        "vectors of {count}; 2 to 4 are allowed"
                    )));
                }
                Type::Vector { of, count }
            }
            Op::TypeMatrix => {
                let (column, count) = (operand(0)?, operand(1)?);
                let float = matches!(self.numeric(column)?, (Scalar::Float { .. }, 2..=4));
                if !float || !(2..=4).contains(&count) {
                    return Err(Error::malformed(
                        "a matrix has 2 to 4 columns of 2 to 4 floats",
                    ));
                }
                Type::Matrix { column, count }
            }
            Op::TypeArray => {
                let of = operand(0)?;
                let length = constant(operand(1)?).ok_or_else(|| {
                    Error::malformed("an array's length must be an integer constant")
                })?;
                if length == 0 {
                    return Err(Error::malformed("an array of no elements"));
                }
                Type::Array {
                    of,
                    length,
                    stride: decorations.of(id).array_stride,
                }
            }
            Op::TypeRuntimeArray => Type::RuntimeArray {
                of: operand(0)?,
                stride: decorations.of(id).array_stride,
            },
            Op::TypeStruct => self.structure(id, instruction.operands, decorations)?,
            Op::TypePointer => {
                let class = StorageClass::from_u32(operand(0)?)
                    .ok_or_else(|| Error::malformed("an unknown storage class"))?;
                Type::Pointer {
                    class,
                    to: operand(1)?,
                }
            }
            Op::TypeImage => {
                let dim = Dim::from_u32(operand(1)?)
                    .ok_or_else(|| Error::malformed("an unknown dimension of an image"))?;
                Type::Image(ImageType {
                    sampled: operand(0)?,
                    dim,
                    arrayed: operand(3)? != 0,
                    multisampled: operand(4)? != 0,
                    storage: operand(5)? == 2,
                })
            }
            Op::TypeSampler => Type::Sampler,
            Op::TypeSampledImage => Type::SampledImage { image: operand(0)? },
            Op::TypeFunction => Type::Function {
                result: operand(0)?,
                parameters: instruction.operands[1..].to_vec(),
            },
            op => return Err(Error::opcode(op)),
        };
        let entry = self.measure(kind)?;
        // A second definition could make a type part of itself.
        if self.list[id as usize].replace(entry).is_some() {
            return Err(Error::malformed(format!("%{id} is defined twice")));
        }
        Ok(())
    }

    fn structure(&self, id: u32, types: &[u32], decorations: &Table) -> Result<Type, Error> {
        let mut members = Vec::with_capacity(types.len());
        let mut slot = 0u32;
        for (index, &of) in types.iter().enumerate() {
            let told = decorations.of_member(id, index as u32);
            let matrix = told.matrix_stride.map(|stride| MatrixLayout {
                stride,
                row_major: told.row_major,
            });
            members.push(Member {
                of,
                offset: told.offset,
                matrix,
                slot,
            });
            slot = slot.saturating_add(self.entry(of)?.slots.unwrap_or(0));
        }
        Ok(Type::Struct { members })
    }

    /// The size of a type whose parts are declared.
    fn measure(&self, kind: Type) -> Result<Entry, Error> {
        let mut depth = 0;
        let mut of = |id: u32| -> Result<Option<u32>, Error> {
            let entry = self.entry(id)?;
            depth = depth.max(entry.depth);
            Ok(entry.slots)
        };
        let slots = match &kind {
            Type::Bool => Some(1),
            Type::Int { width, .. } | Type::Float { width } => {
                Some(if *width == 64 { 2 } else { 1 })
            }
            Type::Vector { of: part, count }
            | Type::Matrix {
                column: part,
                count,
            }
            | Type::Array {
                of: part,
                length: count,
                ..
            } => of(*part)?.and_then(|slots| slots.checked_mul(*count)),
            Type::Struct { members } => {
                let mut sum = Some(0u32);
                for member in members {
                    let slots = of(member.of)?;
                    sum = sum
                        .zip(slots)
                        .and_then(|(sum, slots)| sum.checked_add(slots));
                }
                sum
            }
            Type::RuntimeArray { of: part, .. } | Type::SampledImage { image: part } => {
                of(*part)?;
                None
            }
            Type::Pointer { to, .. } => {
                // A pointer's depth does not add: nothing walks through one.
                self.entry(*to)?;
                None
            }
            _ => None,
        };
        if depth >= MAX_DEPTH {
            return Err(Error::unsupported(format!(
                "types nested deeper than {MAX_DEPTH}"
            )));
        }
        Ok(Entry {
            kind,
            slots: slots.filter(|&slots| slots <= MAX_SLOTS),
            depth: depth + 1,
        })
    }
}
