//! A module sorted out: types, constants, variables, functions and entry points by id.

use std::collections::HashMap;
use std::ops::Range;

use spirv::{ExecutionModel, Op};

use super::Error;
use super::decorations::Table;
use super::order;
use super::types::{MAX_SLOTS, Type, Types};
use super::words::{self, Instruction};

/// A module sorted out.
#[derive(Debug)]
pub(super) struct Source<'w> {
    pub(super) instructions: Vec<Instruction<'w>>,
    pub(super) bound: u32,
    pub(super) types: Types,
    pub(super) decorations: Table,
    /// The words of all constants, in the slots they take.
    pub(super) constants: Vec<u32>,
    /// A constant's type and first slot by its id.
    pub(super) constant_ids: HashMap<u32, (u32, u32)>,
    /// Module-scope variables, by number of instruction.
    pub(super) variables: Vec<usize>,
    /// Functions by id.
    pub(super) functions: HashMap<u32, Function>,
    /// Imports of GLSL.std.450 (true) and of sets that have no effect (false).
    pub(super) imports: HashMap<u32, bool>,
    /// Entry points.
    pub(super) entries: Vec<Entry>,
}

/// An entry point.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) model: ExecutionModel,
    pub(super) function: u32,
    pub(super) interface: Vec<u32>,
    pub(super) word: u32,
}

/// A function.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) result: u32,
    /// Ids and types.
    pub(super) parameters: Vec<(u32, u32)>,
    pub(super) blocks: Vec<BlockSource>,
    /// The order in which blocks are laid out.
    pub(super) order: Vec<usize>,
}

/// A basic block, by numbers of instructions.
#[derive(Debug)]
pub(super) struct BlockSource {
    pub(super) label: u32,
    pub(super) word: u32,
    /// Between the label and the merge or the last instruction.
    pub(super) body: Range<usize>,
    /// Merge block and continue target.
    pub(super) merge: (Option<u32>, Option<u32>),
    /// The last instruction.
    pub(super) end: usize,
}

impl<'w> Source<'w> {
    /// Sorts out a module.
    pub(super) fn read(words: &'w [u32]) -> Result<Self, Error> {
        let (instructions, bound) = words::instructions(words)?;
        let mut source = Self {
            instructions: Vec::new(),
            bound,
            types: Types::new(bound),
            decorations: Table::default(),
            constants: Vec::new(),
            constant_ids: HashMap::new(),
            variables: Vec::new(),
            functions: HashMap::new(),
            imports: HashMap::new(),
            entries: Vec::new(),
        };
        let mut index = 0;
        while let Some(instruction) = instructions.get(index) {
            index = if instruction.op == Op::Function {
                source
                    .function(&instructions, index)
                    .map_err(|error| error.at(instruction.word))?
            } else {
                source
                    .global(instruction, index)
                    .map_err(|error| error.at(instruction.word))?;
                index + 1
            };
        }
        source.instructions = instructions;
        Ok(source)
    }

    fn global(&mut self, instruction: &Instruction<'_>, index: usize) -> Result<(), Error> {
        match instruction.op {
            Op::Nop
            | Op::Capability
            | Op::Extension
            | Op::ExecutionMode
            | Op::ExecutionModeId
            | Op::Source
            | Op::SourceContinued
            | Op::SourceExtension
            | Op::String
            | Op::Name
            | Op::MemberName
            | Op::ModuleProcessed
            | Op::Line
            | Op::NoLine
            | Op::DecorateString
            | Op::MemberDecorateString => Ok(()),
            Op::MemoryModel => match (instruction.operand(0)?, instruction.operand(1)?) {
                // Logical addressing; GLSL450 or Vulkan.
                (0, 1 | 3) => Ok(()),
                _ => Err(Error::unsupported(
                    "a memory model other than Logical GLSL450 or Vulkan",
                )),
            },
            Op::ExtInstImport => {
                let (name, _) = words::string(instruction.operands);
                let glsl = match name.as_str() {
                    "GLSL.std.450" => true,
                    name if name.starts_with("NonSemantic.") => false,
                    name => return Err(Error::unsupported(format!("instruction set {name:?}"))),
                };
                self.imports.insert(instruction.result_id()?, glsl);
                Ok(())
            }
            Op::EntryPoint => {
                let model = ExecutionModel::from_u32(instruction.operand(0)?)
                    .ok_or_else(|| Error::malformed("an unknown execution model"))?;
                let (_, taken) = words::string(&instruction.operands[2..]);
                self.entries.push(Entry {
                    model,
                    function: instruction.operand(1)?,
                    interface: instruction
                        .operands
                        .get(2 + taken..)
                        .unwrap_or(&[])
                        .to_vec(),
                    word: instruction.word,
                });
                Ok(())
            }
            Op::Decorate
            | Op::MemberDecorate
            | Op::DecorationGroup
            | Op::GroupDecorate
            | Op::GroupMemberDecorate => self.decorations.annotate(instruction),
            op if op.is_type() => {
                let Self {
                    types,
                    decorations,
                    constants,
                    constant_ids,
                    ..
                } = self;
                let sizes = |id| {
                    let (_, slot) = *constant_ids.get(&id)?;
                    constants.get(slot as usize).copied()
                };
                types.declare(instruction, decorations, sizes)
            }
            Op::Variable => {
                self.variables.push(index);
                Ok(())
            }
            _ => self.constant(instruction),
        }
    }

    fn constant(&mut self, instruction: &Instruction<'_>) -> Result<(), Error> {
        // Debugging information may stand among the constants.
        if instruction.op == Op::ExtInst {
            return match self.imports.get(&instruction.operand(0)?) {
                Some(false) => Ok(()),
                _ => Err(Error::malformed("OpExtInst outside a function")),
            };
        }
        let (of, id) = instruction.typed_result()?;
        let slots = self.types.slots(of)?;
        let first = self.constants.len() as u32;
        if first + slots > MAX_SLOTS {
            return Err(Error::unsupported(format!(
                "constants of more than {MAX_SLOTS} words"
            )));
        }
        match instruction.op {
            Op::ConstantTrue | Op::SpecConstantTrue => self.constants.push(1),
            Op::ConstantFalse | Op::SpecConstantFalse => self.constants.push(0),
            Op::Constant | Op::SpecConstant => {
                for index in 0..slots {
                    self.constants.push(instruction.operand(index as usize)?);
                }
                // Narrow numbers are kept without what is above them; a signed one comes with its sign.
                if let (scalar, 1) = self.types.numeric(of)?
                    && scalar.width() < 32
                    && let Some(word) = self.constants.last_mut()
                {
                    *word &= (1 << scalar.width()) - 1;
                }
            }
            Op::ConstantNull | Op::Undef => {
                self.constants.resize((first + slots) as usize, 0);
            }
            Op::ConstantComposite | Op::SpecConstantComposite => {
                for &part in instruction.operands {
                    let Some(&(of, slot)) = self.constant_ids.get(&part) else {
                        return Err(Error::malformed(format!("%{part} is not a constant")));
                    };
                    let range = slot as usize..(slot + self.types.slots(of)?) as usize;
                    if self.constants.len() + range.len() > (first + slots) as usize {
                        return Err(Error::malformed("a constant has more parts than its type"));
                    }
                    self.constants.extend_from_within(range);
                }
            }
            op => return Err(Error::opcode(op)),
        }
        if self.constants.len() as u32 != first + slots {
            return Err(Error::malformed("a constant has not the parts of its type"));
        }
        if self.constant_ids.insert(id, (of, first)).is_some() {
            return Err(Error::malformed(format!("%{id} is defined twice")));
        }
        Ok(())
    }

    fn function(&mut self, list: &[Instruction<'_>], start: usize) -> Result<usize, Error> {
        let head = &list[start];
        let (result, id) = head.typed_result()?;
        let Type::Function {
            result: declared,
            parameters: types,
        } = self.types.get(head.operand(1)?)?
        else {
            return Err(Error::malformed("a function without a function type"));
        };
        let mut parameters = Vec::new();
        let mut blocks: Vec<BlockSource> = Vec::new();
        let mut open: Option<(u32, u32, usize)> = None;
        let mut merge = (None, None);
        let mut merge_at = None;
        let mut index = start + 1;
        loop {
            let Some(instruction) = list.get(index) else {
                return Err(Error::malformed("a function without OpFunctionEnd"));
            };
            match (instruction.op, open) {
                (Op::FunctionEnd, None) => break,
                (Op::FunctionParameter, None) if blocks.is_empty() => {
                    let (of, id) = instruction.typed_result()?;
                    parameters.push((id, of));
                }
                (Op::Line | Op::NoLine | Op::Nop, None) => {}
                (Op::Label, None) => {
                    open = Some((instruction.result_id()?, instruction.word, index + 1));
                    merge = (None, None);
                    merge_at = None;
                }
                (Op::SelectionMerge, Some(_)) if merge_at.is_none() => {
                    merge.0 = Some(instruction.operand(0)?);
                    merge_at = Some(index);
                }
                (Op::LoopMerge, Some(_)) if merge_at.is_none() => {
                    merge = (Some(instruction.operand(0)?), Some(instruction.operand(1)?));
                    merge_at = Some(index);
                }
                (op, Some((label, word, first))) if is_end(op) => {
                    let body = first..merge_at.unwrap_or(index);
                    blocks.push(BlockSource {
                        label,
                        word,
                        body,
                        merge,
                        end: index,
                    });
                    open = None;
                }
                (_, Some(_)) if merge_at.is_none() => {}
                (op, _) => {
                    let message = format!("Op{op:?} is out of place in a function");
                    return Err(Error::malformed(message).at(instruction.word));
                }
            }
            index += 1;
        }
        let given: Vec<u32> = parameters.iter().map(|&(_, of)| of).collect();
        if *declared != result || *types != given || blocks.is_empty() {
            let message = "a function differs from its type, or has no block";
            return Err(Error::malformed(message).at(head.word));
        }
        let order = order::structured(&blocks, list)?;
        let function = Function {
            result,
            parameters,
            blocks,
            order,
        };
        if self.functions.insert(id, function).is_some() {
            return Err(Error::malformed(format!("%{id} is defined twice")).at(head.word));
        }
        Ok(index + 1)
    }
}

/// Whether an instruction ends a block.
fn is_end(op: Op) -> bool {
    matches!(
        op,
        Op::Branch
            | Op::BranchConditional
            | Op::Switch
            | Op::Kill
            | Op::TerminateInvocation
            | Op::Return
            | Op::ReturnValue
            | Op::Unreachable
    )
}
