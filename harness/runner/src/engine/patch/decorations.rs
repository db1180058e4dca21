//! The decorations of a module, and the removal of those that only an interface has.

use std::collections::{HashMap, HashSet};

use corpora::execution::Slot;
use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{BuiltIn, Decoration, Op, StorageClass};

use super::is_interface;
use super::types::{Types, id};
use crate::engine::Error;

/// A decoration, and the value that it carries.
type Decorated = (Decoration, Option<Operand>);

/// Decorations by what they decorate.
pub(super) struct Decorations {
    /// By id, and by member of a structure.
    by_target: HashMap<(u32, Option<u32>), Vec<Decorated>>,
}

impl Decorations {
    /// Those of a module.
    pub(super) fn of(module: &Module) -> Result<Self, Error> {
        let mut by_target: HashMap<_, Vec<_>> = HashMap::new();
        for instruction in &module.annotations {
            let (target, rest) = match (instruction.class.opcode, &*instruction.operands) {
                (Op::Decorate, [Operand::IdRef(target), rest @ ..]) => ((*target, None), rest),
                (
                    Op::MemberDecorate,
                    [
                        Operand::IdRef(target),
                        Operand::LiteralBit32(member),
                        rest @ ..,
                    ],
                ) => ((*target, Some(*member)), rest),
                (Op::GroupDecorate | Op::GroupMemberDecorate, _) => {
                    return Err(Error::Unsupported("decoration groups".to_owned()));
                }
                _ => continue,
            };
            if let [Operand::Decoration(decoration), value @ ..] = rest {
                by_target
                    .entry(target)
                    .or_default()
                    .push((*decoration, value.first().cloned()));
            }
        }
        Ok(Self { by_target })
    }

    /// Whether something is decorated so.
    pub(super) fn has(&self, target: u32, member: Option<u32>, decoration: Decoration) -> bool {
        self.find(target, member, decoration).is_some()
    }

    fn find(
        &self,
        target: u32,
        member: Option<u32>,
        decoration: Decoration,
    ) -> Option<&Option<Operand>> {
        let (_, value) = self
            .by_target
            .get(&(target, member))?
            .iter()
            .find(|(found, _)| *found == decoration)?;
        Some(value)
    }

    /// The number that a decoration carries.
    pub(super) fn number(
        &self,
        target: u32,
        member: Option<u32>,
        decoration: Decoration,
    ) -> Option<u32> {
        match self.find(target, member, decoration)? {
            Some(Operand::LiteralBit32(number)) => Some(*number),
            _ => None,
        }
    }

    /// The builtin that something is.
    pub(super) fn builtin(&self, target: u32, member: Option<u32>) -> Option<BuiltIn> {
        match self.find(target, member, Decoration::BuiltIn)? {
            Some(Operand::BuiltIn(builtin)) => Some(*builtin),
            _ => None,
        }
    }

    /// Where a resource is bound.
    pub(super) fn slot(&self, variable: u32) -> Option<Slot> {
        Some(Slot::new(
            self.number(variable, None, Decoration::DescriptorSet)?,
            self.number(variable, None, Decoration::Binding)?,
        ))
    }
}

/// Removes from interface variables, and from the structures that they hold, what a private variable may not have.
pub(super) fn strip(module: &mut Module, types: &Types) {
    let mut interface = HashSet::new();
    let mut others = HashSet::new();
    for instruction in &module.types_global_values {
        let Some((class, held)) = types.variable(instruction) else {
            continue;
        };
        if is_interface(class) {
            interface.extend(instruction.result_id);
            structures(types, held, &mut interface);
        } else if class != StorageClass::Private {
            structures(types, held, &mut others);
        }
    }
    module.annotations.retain(|instruction| {
        let target = id(instruction, 0).unwrap_or(0);
        !interface.contains(&target)
            || decoration(instruction).is_none_or(|decoration| match decoration {
                Decoration::Block => others.contains(&target),
                decoration => !is_of_interface(decoration),
            })
    });
}

/// The decoration of an annotation.
fn decoration(instruction: &Instruction) -> Option<Decoration> {
    instruction
        .operands
        .iter()
        .find_map(|operand| match operand {
            Operand::Decoration(decoration) => Some(*decoration),
            _ => None,
        })
}

/// Whether only interface variables have it.
fn is_of_interface(decoration: Decoration) -> bool {
    matches!(
        decoration,
        Decoration::BuiltIn
            | Decoration::Location
            | Decoration::Component
            | Decoration::Index
            | Decoration::Flat
            | Decoration::NoPerspective
            | Decoration::Centroid
            | Decoration::Sample
            | Decoration::Patch
            | Decoration::Invariant
            | Decoration::XfbBuffer
            | Decoration::XfbStride
            | Decoration::Stream
    )
}

/// The structures in a type, and the arrays around them. A type of an invalid module may hold itself.
fn structures(types: &Types, of: u32, found: &mut HashSet<u32>) {
    let mut left = vec![of];
    while let Some(next) = left.pop() {
        let Some(instruction) = types.get(next) else {
            continue;
        };
        let parts = match instruction.class.opcode {
            Op::TypeArray | Op::TypeRuntimeArray => 1,
            Op::TypeStruct => usize::MAX,
            _ => continue,
        };
        if found.insert(next) {
            left.extend(
                instruction
                    .operands
                    .iter()
                    .take(parts)
                    .filter_map(Operand::id_ref_any),
            );
        }
    }
}
