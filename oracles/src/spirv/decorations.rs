//! Decorations: what is said about ids and members before they are declared.

use std::collections::HashMap;

use spirv::{BuiltIn, Decoration, Op};

use super::Error;
use super::words::Instruction;

/// What decorates an id or a member of a structure.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Decorations {
    pub(super) location: Option<u32>,
    pub(super) component: Option<u32>,
    pub(super) binding: Option<u32>,
    pub(super) set: Option<u32>,
    pub(super) built_in: Option<BuiltIn>,
    pub(super) offset: Option<u32>,
    pub(super) array_stride: Option<u32>,
    pub(super) matrix_stride: Option<u32>,
    pub(super) row_major: bool,
    pub(super) block: bool,
    pub(super) buffer_block: bool,
}

/// All decorations of a module.
#[derive(Debug, Default)]
pub(super) struct Table {
    ids: HashMap<u32, Decorations>,
    members: HashMap<(u32, u32), Decorations>,
}

impl Table {
    /// Takes in an annotation instruction.
    pub(super) fn annotate(&mut self, instruction: &Instruction<'_>) -> Result<(), Error> {
        let target = instruction.operand(0)?;
        match instruction.op {
            Op::Decorate => set(
                self.ids.entry(target).or_default(),
                &instruction.operands[1..],
            ),
            Op::MemberDecorate => {
                let member = instruction.operand(1)?;
                set(
                    self.members.entry((target, member)).or_default(),
                    &instruction.operands[2..],
                )
            }
            _ => Err(Error::opcode(instruction.op)),
        }
        .map_err(|error| error.at(instruction.word))
    }

    /// The decorations of an id.
    pub(super) fn of(&self, id: u32) -> Decorations {
        self.ids.get(&id).copied().unwrap_or_default()
    }

    /// The decorations of a member of a structure type.
    pub(super) fn of_member(&self, structure: u32, member: u32) -> Decorations {
        self.members
            .get(&(structure, member))
            .copied()
            .unwrap_or_default()
    }
}

fn set(decorations: &mut Decorations, words: &[u32]) -> Result<(), Error> {
    let Some(kind) = words.first().and_then(|&word| Decoration::from_u32(word)) else {
        return Err(Error::malformed("an unknown decoration"));
    };
    let literal = || {
        let found = words.get(1).copied();
        found.ok_or_else(|| Error::malformed(format!("decoration {kind:?} lacks its operand")))
    };
    match kind {
        Decoration::Location => decorations.location = Some(literal()?),
        Decoration::Component => decorations.component = Some(literal()?),
        Decoration::Binding => decorations.binding = Some(literal()?),
        Decoration::DescriptorSet => decorations.set = Some(literal()?),
        Decoration::Offset => decorations.offset = Some(literal()?),
        Decoration::ArrayStride => decorations.array_stride = Some(literal()?),
        Decoration::MatrixStride => decorations.matrix_stride = Some(literal()?),
        Decoration::RowMajor => decorations.row_major = true,
        Decoration::Block => decorations.block = true,
        Decoration::BufferBlock => decorations.buffer_block = true,
        Decoration::BuiltIn => {
            let number = literal()?;
            let built_in = BuiltIn::from_u32(number);
            decorations.built_in =
                Some(built_in.ok_or_else(|| Error::malformed(format!("{number} is no BuiltIn")))?);
        }
        // These change what an instruction gives.
        Decoration::FPRoundingMode | Decoration::InputAttachmentIndex => {
            return Err(Error::unsupported(format!(
                "decoration {kind:?} is not supported"
            )));
        }
        // SpecId among them: the default is what counts.
        _ => {}
    }
    Ok(())
}
