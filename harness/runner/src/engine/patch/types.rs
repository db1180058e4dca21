//! The types and constants of a module by id.

use std::collections::HashMap;

use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{Op, StorageClass};

use crate::engine::Error;

/// How deep types are followed. SPIR-V types nest without a cycle; an invalid module's may not.
const MAX_DEPTH: u32 = 16;
/// The most members or elements that are followed.
const MAX_PARTS: u32 = 4096;

/// Types, constants and global variables by id.
pub(super) struct Types {
    by_id: HashMap<u32, Instruction>,
}

/// A type of the interface, down to its scalars.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// 32 bits.
    Scalar {
        /// The type.
        id: u32,
        /// What it holds.
        scalar: Scalar,
    },
    /// A vector, a matrix, an array or a structure.
    Composite {
        /// The type.
        id: u32,
        /// Which of these.
        form: Form,
        /// Its parts in order.
        parts: Vec<Shape>,
    },
}

/// A scalar type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    /// A float of 32 bits.
    Float,
    /// An integer of 32 bits.
    Int {
        /// Whether its type is signed.
        signed: bool,
    },
    /// A boolean, which has no bits of its own.
    Bool,
}

/// A kind of composite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Its parts share a location.
    Vector,
    /// Each part begins a new location.
    Array,
    /// Each part begins a new location, or has one of its own.
    Structure,
}

impl Shape {
    /// Its scalars.
    pub(super) fn words(&self) -> usize {
        match self {
            Self::Scalar { .. } => 1,
            Self::Composite { parts, .. } => parts.iter().map(Self::words).sum(),
        }
    }

    /// The locations that it takes.
    pub(super) fn locations(&self) -> u32 {
        match self {
            Self::Scalar { .. }
            | Self::Composite {
                form: Form::Vector, ..
            } => 1,
            Self::Composite { parts, .. } => parts
                .iter()
                .map(Self::locations)
                .fold(0, u32::saturating_add),
        }
    }
}

/// The operand that is an id.
pub(super) fn id(instruction: &Instruction, index: usize) -> Option<u32> {
    instruction.operands.get(index)?.id_ref_any()
}

/// The operand that is a literal word.
pub(super) fn literal(instruction: &Instruction, index: usize) -> Option<u32> {
    match instruction.operands.get(index)? {
        Operand::LiteralBit32(word) => Some(*word),
        _ => None,
    }
}

impl Types {
    /// Those of a module.
    pub(super) fn of(module: &Module) -> Self {
        let by_id = module
            .types_global_values
            .iter()
            .filter_map(|instruction| Some((instruction.result_id?, instruction.clone())))
            .collect();
        Self { by_id }
    }

    /// The instruction that makes an id.
    pub(super) fn get(&self, id: u32) -> Option<&Instruction> {
        self.by_id.get(&id)
    }

    /// What a pointer type points to.
    pub(super) fn pointee(&self, pointer: u32) -> Option<u32> {
        let instruction = self.get(pointer)?;
        (instruction.class.opcode == Op::TypePointer).then(|| id(instruction, 1))?
    }

    /// The class of a variable, and the type that it holds.
    pub(super) fn variable(&self, variable: &Instruction) -> Option<(StorageClass, u32)> {
        if variable.class.opcode != Op::Variable {
            return None;
        }
        match variable.operands.first()? {
            &Operand::StorageClass(class) => Some((class, self.pointee(variable.result_type?)?)),
            _ => None,
        }
    }

    /// An integer constant.
    pub(super) fn constant(&self, constant: u32) -> Option<u32> {
        let instruction = self.get(constant)?;
        match instruction.class.opcode {
            Op::Constant | Op::SpecConstant => literal(instruction, 0),
            _ => None,
        }
    }

    /// A type down to its scalars.
    pub(super) fn shape(&self, of: u32) -> Result<Shape, Error> {
        let mut left = MAX_PARTS;
        self.shape_within(of, MAX_DEPTH, &mut left)
    }

    fn shape_within(&self, of: u32, depth: u32, left: &mut u32) -> Result<Shape, Error> {
        let invalid = || Error::Invalid(format!("%{of} is not a type of an interface variable"));
        let too_large =
            || Error::Unsupported(format!("an interface variable with the large type %{of}"));
        let instruction = self.get(of).ok_or_else(invalid)?;
        let depth = depth.checked_sub(1).ok_or_else(too_large)?;
        let operand = |index| id(instruction, index).ok_or_else(invalid);
        let width = || match literal(instruction, 0) {
            Some(32) => Ok(()),
            width => Err(Error::Unsupported(format!(
                "an interface variable with components of {} bits; they have 32",
                width.unwrap_or(0)
            ))),
        };
        let scalar = |scalar| Ok(Shape::Scalar { id: of, scalar });
        let mut repeat = |part: u32, count: u32, form| {
            *left = left.checked_sub(count).ok_or_else(too_large)?;
            let part = self.shape_within(part, depth, left)?;
            let extra = (part.words() as u32).saturating_mul(count.saturating_sub(1));
            *left = left.checked_sub(extra).ok_or_else(too_large)?;
            Ok(Shape::Composite {
                id: of,
                form,
                parts: vec![part; count as usize],
            })
        };
        match instruction.class.opcode {
            Op::TypeFloat => width().and_then(|()| scalar(Scalar::Float)),
            Op::TypeInt => {
                width()?;
                scalar(Scalar::Int {
                    signed: literal(instruction, 1) == Some(1),
                })
            }
            Op::TypeBool => scalar(Scalar::Bool),
            Op::TypeVector => repeat(
                operand(0)?,
                literal(instruction, 1).ok_or_else(invalid)?,
                Form::Vector,
            ),
            Op::TypeMatrix => repeat(
                operand(0)?,
                literal(instruction, 1).ok_or_else(invalid)?,
                Form::Array,
            ),
            Op::TypeArray => {
                let count = self.constant(operand(1)?).ok_or_else(invalid)?;
                repeat(operand(0)?, count, Form::Array)
            }
            Op::TypeStruct => {
                let mut parts = Vec::new();
                for operand in &instruction.operands {
                    *left = left.checked_sub(1).ok_or_else(too_large)?;
                    let member = operand.id_ref_any().ok_or_else(invalid)?;
                    parts.push(self.shape_within(member, depth, left)?);
                }
                Ok(Shape::Composite {
                    id: of,
                    form: Form::Structure,
                    parts,
                })
            }
            _ => Err(invalid()),
        }
    }
}
