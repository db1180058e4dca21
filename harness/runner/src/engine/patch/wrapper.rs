//! The new entry point.

use corpora::execution::{Slot, Stage};
use rspirv::dr::{Builder, Error, Instruction, Module, Operand};
use rspirv::spirv::{self, BuiltIn, Capability, Decoration, ExecutionMode, Op, StorageClass, Word};

use super::interface::{Interface, Variable};
use super::types::{Scalar, Shape};
use super::{EntryPoint, QUADS_IN_ROW, model};

/// What the new entry point is made of.
pub(super) struct Plan<'a> {
    pub(super) stage: Stage,
    pub(super) entry: &'a EntryPoint,
    pub(super) interface: &'a Interface,
    pub(super) input_slot: Slot,
    pub(super) output_slot: Slot,
    /// Whether the new entry point is to keep the signs of zeros, infinities and NaNs.
    pub(super) preserve: bool,
}

/// Adds the new entry point to a module whose interface is private.
pub(super) fn add(module: Module, plan: &Plan<'_>) -> Result<Module, Error> {
    let version = module
        .header
        .as_ref()
        .map_or((1, 0), |header| header.version());
    let demote = plan.interface.helper.is_some();
    let mut wrapper = Wrapper::new(module, version, demote, plan.preserve);
    let inputs = wrapper.buffer(plan.input_slot);
    let outputs = wrapper.buffer(plan.output_slot);
    let index = wrapper.index_variable(plan.stage);

    let void = wrapper.builder.type_void();
    let signature = wrapper.builder.type_function(void, []);
    let function =
        wrapper
            .builder
            .begin_function(void, None, spirv::FunctionControl::NONE, signature)?;
    wrapper.builder.begin_block(None)?;
    let lane = wrapper.lane(plan.stage, index)?;
    let input = wrapper.record(inputs, lane, plan.interface.inputs.len())?;
    let output = wrapper.record(outputs, lane, plan.interface.outputs.len())?;
    for variable in &plan.interface.filled {
        wrapper.fill(input, variable)?;
    }
    if let Some(word) = plan.interface.helper {
        wrapper.demote_helpers(input, word)?;
    }
    wrapper
        .builder
        .function_call(void, None, plan.entry.function, [])?;
    for variable in &plan.interface.copied {
        wrapper.copy(output, variable)?;
    }
    let finished = wrapper.constant(1);
    wrapper.write(output, 0, finished)?;
    wrapper.builder.ret()?;
    wrapper.builder.end_function()?;

    // Up to SPIR-V 1.3 the list has the variables of the interface; from 1.4 all global ones.
    let mut variables = vec![index];
    if version >= (1, 4) {
        variables.extend([inputs, outputs]);
        variables.extend_from_slice(&plan.entry.interface);
    }
    wrapper
        .builder
        .entry_point(model(plan.stage), function, &*plan.entry.name, variables);
    let mut module = wrapper.builder.module();
    let modes = &mut module.execution_modes;
    for mode in &mut *modes {
        if let Some(target) = mode.operands.first_mut() {
            *target = Operand::IdRef(function);
        }
    }
    if plan.preserve {
        let operands = vec![
            Operand::IdRef(function),
            Operand::ExecutionMode(ExecutionMode::SignedZeroInfNanPreserve),
            Operand::LiteralBit32(32),
        ];
        let mode = Instruction::new(Op::ExecutionMode, None, None, operands);
        // A mode may not stand there twice.
        if !modes.contains(&mode) {
            modes.push(mode);
        }
    }
    Ok(module)
}

/// The words of a lane in a buffer.
#[derive(Clone, Copy)]
struct Record {
    buffer: Word,
    /// The index of its first word.
    base: Word,
}

/// A builder with the types that are needed.
struct Wrapper {
    builder: Builder,
    uint: Word,
    float: Word,
    /// Pointers to `struct { uint words[]; }`, and to its words.
    block_pointer: Word,
    word_pointer: Word,
}

impl Wrapper {
    fn new(module: Module, version: (u8, u8), demote: bool, preserve: bool) -> Self {
        let mut extensions = Vec::new();
        if version < (1, 3) {
            extensions.push("SPV_KHR_storage_buffer_storage_class");
        }
        if demote && version < (1, 6) {
            extensions.push("SPV_EXT_demote_to_helper_invocation");
        }
        if preserve && version < (1, 4) {
            extensions.push("SPV_KHR_float_controls");
        }
        let knows = |capability: &Capability| {
            let capability = Operand::Capability(*capability);
            let mut known = module.capabilities.iter();
            known.any(|known| known.operands.first() == Some(&capability))
        };
        let wanted = [
            (demote, Capability::DemoteToHelperInvocation),
            (preserve, Capability::SignedZeroInfNanPreserve),
        ];
        let wanted = wanted.into_iter().filter(|(wanted, _)| *wanted);
        let capabilities: Vec<_> = wanted
            .map(|(_, capability)| capability)
            .filter(|capability| !knows(capability))
            .collect();
        let missing: Vec<&str> = extensions
            .into_iter()
            .filter(|name| {
                let name = Operand::LiteralString((*name).to_owned());
                !module
                    .extensions
                    .iter()
                    .any(|known| known.operands.first() == Some(&name))
            })
            .collect();
        let mut builder = Builder::new_from_module(module);
        for name in missing {
            builder.extension(name);
        }
        for capability in capabilities {
            builder.capability(capability);
        }
        let uint = builder.type_int(32, 0);
        let float = builder.type_float(32, None);
        // Made anew, not looked up: a like array of the module has decorations of its own.
        let array = aggregate(&mut builder, Op::TypeRuntimeArray, uint);
        builder.decorate(array, Decoration::ArrayStride, [Operand::LiteralBit32(4)]);
        let block = aggregate(&mut builder, Op::TypeStruct, array);
        builder.decorate(block, Decoration::Block, []);
        builder.member_decorate(block, 0, Decoration::Offset, [Operand::LiteralBit32(0)]);
        let block_pointer = builder.type_pointer(None, StorageClass::StorageBuffer, block);
        let word_pointer = builder.type_pointer(None, StorageClass::StorageBuffer, uint);
        Self {
            builder,
            uint,
            float,
            block_pointer,
            word_pointer,
        }
    }

    fn constant(&mut self, word: u32) -> Word {
        self.builder.constant_bit32(self.uint, word)
    }

    /// A storage buffer of words.
    fn buffer(&mut self, slot: Slot) -> Word {
        let variable =
            self.builder
                .variable(self.block_pointer, None, StorageClass::StorageBuffer, None);
        for (decoration, number) in [
            (Decoration::DescriptorSet, slot.set),
            (Decoration::Binding, slot.binding),
        ] {
            self.builder
                .decorate(variable, decoration, [Operand::LiteralBit32(number)]);
        }
        variable
    }

    /// The builtin that tells lanes apart.
    fn index_variable(&mut self, stage: Stage) -> Word {
        let (builtin, held) = match stage {
            Stage::Vertex => (BuiltIn::VertexIndex, self.uint),
            Stage::Pixel => (BuiltIn::FragCoord, self.builder.type_vector(self.float, 4)),
        };
        let pointer = self.builder.type_pointer(None, StorageClass::Input, held);
        let variable = self
            .builder
            .variable(pointer, None, StorageClass::Input, None);
        self.builder
            .decorate(variable, Decoration::BuiltIn, [Operand::BuiltIn(builtin)]);
        variable
    }

    /// The number of the lane. Pixels are in quads, [`QUADS_IN_ROW`] to a row.
    fn lane(&mut self, stage: Stage, index: Word) -> Result<Word, Error> {
        let uint = self.uint;
        if stage == Stage::Vertex {
            return self.builder.load(uint, None, index, None, []);
        }
        let one = self.constant(1);
        let two = self.constant(2);
        let four = self.constant(4);
        let in_row = self.constant(QUADS_IN_ROW);
        let vector = self.builder.type_vector(self.float, 4);
        let build = &mut self.builder;
        let coordinates = build.load(vector, None, index, None, [])?;
        let mut axis = |component| {
            let coordinate = build.composite_extract(self.float, None, coordinates, [component])?;
            let pixel = build.convert_f_to_u(uint, None, coordinate)?;
            let quad = build.shift_right_logical(uint, None, pixel, one)?;
            let within = build.bitwise_and(uint, None, pixel, one)?;
            Ok::<_, Error>((quad, within))
        };
        let (column, x) = axis(0)?;
        let (row, y) = axis(1)?;
        let before = build.i_mul(uint, None, row, in_row)?;
        let quad = build.i_add(uint, None, before, column)?;
        let first = build.i_mul(uint, None, quad, four)?;
        let lower = build.i_mul(uint, None, y, two)?;
        let within = build.i_add(uint, None, lower, x)?;
        build.i_add(uint, None, first, within)
    }

    /// A lane's words in a buffer.
    fn record(&mut self, buffer: Word, lane: Word, words: usize) -> Result<Record, Error> {
        let words = self.constant(words as u32);
        let base = self.builder.i_mul(self.uint, None, lane, words)?;
        Ok(Record { buffer, base })
    }

    fn pointer(&mut self, record: Record, word: u32) -> Result<Word, Error> {
        let zero = self.constant(0);
        let offset = self.constant(word);
        let index = self.builder.i_add(self.uint, None, record.base, offset)?;
        self.builder
            .access_chain(self.word_pointer, None, record.buffer, [zero, index])
    }

    fn read(&mut self, record: Record, word: u32) -> Result<Word, Error> {
        let pointer = self.pointer(record, word)?;
        self.builder.load(self.uint, None, pointer, None, [])
    }

    fn write(&mut self, record: Record, word: u32, value: Word) -> Result<(), Error> {
        let pointer = self.pointer(record, word)?;
        self.builder.store(pointer, value, None, [])
    }

    /// Fills an input variable.
    fn fill(&mut self, record: Record, variable: &Variable) -> Result<(), Error> {
        let value = self.value(record, &variable.shape, &mut variable.words.iter().copied())?;
        self.builder.store(variable.id, value, None, [])
    }

    fn value(
        &mut self,
        record: Record,
        shape: &Shape,
        words: &mut impl Iterator<Item = Option<u32>>,
    ) -> Result<Word, Error> {
        match shape {
            Shape::Composite { id, parts, .. } => {
                let parts: Vec<Word> = parts
                    .iter()
                    .map(|part| self.value(record, part, words))
                    .collect::<Result<_, _>>()?;
                self.builder.composite_construct(*id, None, parts)
            }
            Shape::Scalar { id, scalar } => {
                let word = match words.next().flatten() {
                    Some(word) => self.read(record, word)?,
                    None => self.constant(0),
                };
                match scalar {
                    Scalar::Int { signed: false } => Ok(word),
                    Scalar::Int { signed: true } | Scalar::Float => {
                        self.builder.bitcast(*id, None, word)
                    }
                    Scalar::Bool => {
                        let zero = self.constant(0);
                        self.builder.i_not_equal(*id, None, word, zero)
                    }
                }
            }
        }
    }

    /// Copies an output variable.
    fn copy(&mut self, record: Record, variable: &Variable) -> Result<(), Error> {
        let (Shape::Scalar { id, .. } | Shape::Composite { id, .. }) = &variable.shape;
        let value = self.builder.load(*id, None, variable.id, None, [])?;
        let words = &mut variable.words.iter().copied();
        self.spread(record, value, &variable.shape, words, &mut Vec::new())
    }

    fn spread(
        &mut self,
        record: Record,
        value: Word,
        shape: &Shape,
        words: &mut impl Iterator<Item = Option<u32>>,
        path: &mut Vec<u32>,
    ) -> Result<(), Error> {
        let (id, scalar) = match shape {
            Shape::Composite { parts, .. } => {
                for (index, part) in (0..).zip(parts) {
                    path.push(index);
                    self.spread(record, value, part, words, path)?;
                    path.pop();
                }
                return Ok(());
            }
            Shape::Scalar { id, scalar } => (*id, *scalar),
        };
        let Some(word) = words.next().flatten() else {
            return Ok(());
        };
        let mut found = value;
        if !path.is_empty() {
            found = self
                .builder
                .composite_extract(id, None, value, path.iter().copied())?;
        }
        match scalar {
            Scalar::Int { signed: false } => {}
            Scalar::Int { signed: true } | Scalar::Float => {
                found = self.builder.bitcast(self.uint, None, found)?;
            }
            Scalar::Bool => {
                let (one, zero) = (self.constant(1), self.constant(0));
                found = self.builder.select(self.uint, None, found, one, zero)?;
            }
        }
        self.write(record, word, found)
    }

    /// Makes lanes that the launch calls helpers real ones.
    fn demote_helpers(&mut self, record: Record, word: u32) -> Result<(), Error> {
        let helper = self.read(record, word)?;
        let zero = self.constant(0);
        let boolean = self.builder.type_bool();
        let build = &mut self.builder;
        let is_helper = build.i_not_equal(boolean, None, helper, zero)?;
        let (then, merge) = (build.id(), build.id());
        build.selection_merge(merge, spirv::SelectionControl::NONE)?;
        build.branch_conditional(is_helper, then, merge, [])?;
        build.begin_block(Some(then))?;
        // The builder takes this instruction for one that ends a block.
        build.insert_into_block(
            rspirv::dr::InsertPoint::End,
            Instruction::new(Op::DemoteToHelperInvocation, None, None, vec![]),
        )?;
        build.branch(merge)?;
        build.begin_block(Some(merge))?;
        Ok(())
    }
}

/// A new aggregate type around another.
fn aggregate(builder: &mut Builder, opcode: Op, of: Word) -> Word {
    let id = builder.id();
    let instruction = Instruction::new(opcode, None, Some(id), vec![Operand::IdRef(of)]);
    builder.module_mut().types_global_values.push(instruction);
    id
}
