//! From a sorted module to the flat form: an entry point with every call inlined.
//!
//! Slots are handed out as a stack: constants first, then module-scope variables, then what the functions define. What
//! a callee takes is free again after the call. Pointers and images are resolved here: no instruction of the flat form
//! handles one as a value, so those that would need it (variable pointers) are refused.

mod arithmetic;
mod composite;
mod control;
mod extended;
mod image;
mod interface;
mod matrix;
mod memory;
mod pack;

use corpora::execution::Slot;
use spirv::{Op, StorageClass};

use super::Error;
use super::code::{Block, BufferUse, Code, ImageUse, Move, Port, Program, SamplerUse};
use super::lanes::Operands;
use super::layout::Spread;
use super::operations::{Binary, Ternary, Unary};
use super::source::{Entry, Source};
use super::types::{ImageType, Scalar, Type};
use super::words::Instruction;
use control::Activation;

/// The most slots of a register file.
const MAX_REGISTERS: u32 = 1 << 20;

/// The most that a program may cost, run once straight through.
const MAX_COST: u64 = 1 << 22;

/// What an id stands for.
#[derive(Clone, Debug)]
struct Definition {
    /// The activation that it belongs to; 0 is the module.
    scope: u32,
    /// Its type.
    of: u32,
    /// Where it is.
    place: Place,
}

/// Where a value is.
#[derive(Clone, Debug)]
enum Place {
    /// In slots from this one on.
    Slots(u32),
    /// It is a pointer.
    Pointer(Pointer),
    /// It is an image, a sampler or both.
    Opaque(Opaque),
}

/// A pointer.
#[derive(Clone, Debug)]
struct Pointer {
    root: Root,
    /// The type of what it points at.
    to: u32,
    /// Slots or bytes from the root.
    offset: u32,
    /// What lanes add.
    terms: Vec<super::code::Term>,
    /// How what it points at lies in a buffer.
    spread: Spread,
}

/// What a pointer points into.
#[derive(Clone, Copy, Debug)]
enum Root {
    /// A variable in slots.
    Slots { base: u32, class: StorageClass },
    /// A buffer.
    Buffer(BufferUse),
    /// An image, a sampler or both.
    Resource(Slot),
}

/// An image, a sampler or both.
#[derive(Clone, Copy, Debug)]
struct Opaque {
    image: Option<(Slot, ImageType)>,
    sampler: Option<Slot>,
}

/// Compiles an entry point.
pub(super) fn program(source: &Source<'_>, entry: &Entry) -> Result<Program, Error> {
    let mut compiler = Compiler {
        source,
        blocks: Vec::new(),
        codes: Vec::new(),
        word: entry.word,
        cost: 0,
        total: 0,
        next: source.constants.len() as u32,
        top: 0,
        definitions: vec![None; source.bound as usize],
        scope: 0,
        scopes: 0,
        active: Vec::new(),
        presets: Vec::new(),
        inputs: Vec::new(),
        outputs: Vec::new(),
        buffers: Vec::new(),
        images: Vec::new(),
        samplers: Vec::new(),
    };
    for (&id, &(of, slot)) in &source.constant_ids {
        compiler.definitions[id as usize] = Some(Definition {
            scope: 0,
            of,
            place: Place::Slots(slot),
        });
    }
    compiler.variables(entry)?;
    compiler.main(entry)?;
    Ok(Program {
        model: entry.model,
        blocks: compiler.blocks,
        slots: compiler.top.max(compiler.next),
        constants: source.constants.clone(),
        presets: compiler.presets,
        inputs: compiler.inputs,
        outputs: compiler.outputs,
        buffers: compiler.buffers,
        images: compiler.images,
        samplers: compiler.samplers,
    })
}

struct Compiler<'s, 'w> {
    source: &'s Source<'w>,
    blocks: Vec<Block>,
    /// The block in the making.
    codes: Vec<Code>,
    word: u32,
    cost: u64,
    total: u64,
    /// The next free slot, and the highest so far.
    next: u32,
    top: u32,
    definitions: Vec<Option<Definition>>,
    scope: u32,
    scopes: u32,
    /// The functions that are being inlined.
    active: Vec<u32>,
    presets: Vec<Move>,
    inputs: Vec<Port>,
    outputs: Vec<Port>,
    buffers: Vec<BufferUse>,
    images: Vec<ImageUse>,
    samplers: Vec<SamplerUse>,
}

impl Compiler<'_, '_> {
    /// What an id stands for here.
    fn definition(&self, id: u32) -> Result<&Definition, Error> {
        let found = self.definitions.get(id as usize).and_then(Option::as_ref);
        found
            .filter(|definition| definition.scope == 0 || definition.scope == self.scope)
            .ok_or_else(|| Error::malformed(format!("%{id} is not a value that is known here")))
    }

    /// The type and first slot of a value.
    fn value(&self, id: u32) -> Result<(u32, u32), Error> {
        match self.definition(id)? {
            Definition {
                of,
                place: Place::Slots(slot),
                ..
            } => Ok((*of, *slot)),
            _ => Err(Error::unsupported(format!(
                "%{id} is a pointer or an image, used as a value"
            ))),
        }
    }

    /// The first slot of a value of this type.
    fn value_of(&self, id: u32, of: u32) -> Result<u32, Error> {
        let (found, slot) = self.value(id)?;
        if found != of {
            return Err(Error::malformed(format!(
                "%{id} has type %{found}, not %{of}"
            )));
        }
        Ok(slot)
    }

    /// The first slot, the scalar and the number of components of a scalar or vector.
    fn numeric(&self, id: u32) -> Result<(u32, Scalar, u32), Error> {
        let (of, slot) = self.value(id)?;
        let (scalar, count) = self.source.types.numeric(of)?;
        Ok((slot, scalar, count))
    }

    /// The slot of a scalar of 32 bits: an integer or a float.
    fn word_scalar(&self, id: u32) -> Result<u32, Error> {
        match self.numeric(id)? {
            (slot, scalar, 1) if scalar != Scalar::Bool && scalar.width() == 32 => Ok(slot),
            _ => Err(Error::unsupported(format!(
                "%{id} is not a scalar of 32 bits"
            ))),
        }
    }

    /// The value of an integer constant of up to 32 bits.
    fn constant(&self, id: u32) -> Option<u32> {
        let (_, slot) = self.value(id).ok()?;
        self.source.constants.get(slot as usize).copied()
    }

    /// Takes free slots.
    fn take(&mut self, count: u32) -> Result<u32, Error> {
        let first = self.next;
        self.next += count;
        self.top = self.top.max(self.next);
        if self.next > MAX_REGISTERS {
            return Err(Error::limit(format!(
                "values take more than {MAX_REGISTERS} words"
            )));
        }
        Ok(first)
    }

    /// Takes slots for a value of this type.
    fn take_for(&mut self, of: u32) -> Result<u32, Error> {
        let count = self.source.types.slots(of)?;
        self.take(count)
    }

    fn define(&mut self, id: u32, of: u32, place: Place) -> Result<(), Error> {
        let scope = self.scope;
        let entry = self.definitions.get_mut(id as usize);
        let entry = entry.ok_or_else(|| Error::malformed(format!("%{id} is above the bound")))?;
        if entry
            .as_ref()
            .is_some_and(|found| found.scope == scope || found.scope == 0)
        {
            return Err(Error::malformed(format!("%{id} is defined twice")));
        }
        *entry = Some(Definition { scope, of, place });
        Ok(())
    }

    fn emit(&mut self, code: Code, slots: u32) -> Result<(), Error> {
        let cost = 1 + u64::from(slots);
        self.cost += cost;
        self.total += cost;
        self.affordable()?;
        self.codes.push(code);
        Ok(())
    }

    /// Whether the program is small enough as yet.
    fn affordable(&self) -> Result<(), Error> {
        if self.total > MAX_COST {
            let message = format!("with its calls inlined, the program costs more than {MAX_COST}");
            return Err(Error::limit(message));
        }
        Ok(())
    }

    fn copy(&mut self, to: u32, from: u32, count: u32) -> Result<(), Error> {
        if count == 0 || to == from {
            return Ok(());
        }
        self.emit(Code::Copy(Move { to, from, count }), count)
    }

    /// The slots that a list names, brought together.
    fn gather(&mut self, from: Vec<u32>) -> Result<u32, Error> {
        let Some(&first) = from.first() else {
            return self.take(0);
        };
        if from
            .iter()
            .zip(first..)
            .all(|(&slot, expected)| slot == expected)
        {
            // They are together already; values never change.
            return Ok(first);
        }
        let count = from.len() as u32;
        let to = self.take(count)?;
        self.emit(
            Code::Gather {
                to,
                from: from.into(),
            },
            count,
        )?;
        Ok(to)
    }

    /// A scalar of some slots, repeated.
    fn splat(&mut self, slot: u32, slots: u32, count: u32) -> Result<u32, Error> {
        let list = (0..count).flat_map(|_| slot..slot + slots).collect();
        self.gather(list)
    }

    fn unary(&mut self, operation: Unary, a: u32, count: u32) -> Result<u32, Error> {
        let to = self.take(count)?;
        self.emit(
            Code::Unary(
                operation,
                Operands {
                    to,
                    from: [a],
                    count,
                },
            ),
            count,
        )?;
        Ok(to)
    }

    fn binary(&mut self, operation: Binary, a: u32, b: u32, count: u32) -> Result<u32, Error> {
        let to = self.take(count)?;
        self.emit(
            Code::Binary(
                operation,
                Operands {
                    to,
                    from: [a, b],
                    count,
                },
            ),
            count,
        )?;
        Ok(to)
    }

    fn ternary(&mut self, operation: Ternary, from: [u32; 3], count: u32) -> Result<u32, Error> {
        let to = self.take(count)?;
        self.emit(
            Code::Ternary(operation, Operands { to, from, count }),
            count,
        )?;
        Ok(to)
    }

    /// Compiles an instruction that is neither a phi, a call nor the end of a block.
    fn instruction(&mut self, instruction: &Instruction<'_>) -> Result<(), Error> {
        match instruction.op {
            Op::Nop
            | Op::Line
            | Op::NoLine
            | Op::MemoryBarrier
            | Op::LifetimeStart
            | Op::LifetimeStop => Ok(()),
            Op::Undef => {
                let (of, id) = instruction.typed_result()?;
                let (to, count) = (self.take_for(of)?, self.source.types.slots(of)?);
                self.emit(Code::Zero { to, count }, count)?;
                self.define(id, of, Place::Slots(to))
            }
            Op::CopyObject => {
                let (_, id) = instruction.typed_result()?;
                let Definition { of, place, .. } =
                    self.definition(instruction.operand(0)?)?.clone();
                self.define(id, of, place)
            }
            Op::DemoteToHelperInvocation => self.emit(Code::Demote, 0),
            Op::IsHelperInvocationEXT => {
                let (of, id) = instruction.typed_result()?;
                if *self.source.types.get(of)? != Type::Bool {
                    return Err(Error::malformed("OpIsHelperInvocationEXT gives a Boolean"));
                }
                let to = self.take(1)?;
                self.emit(Code::IsHelper { to }, 1)?;
                self.define(id, of, Place::Slots(to))
            }
            Op::ExtInst => match self.source.imports.get(&instruction.operand(0)?) {
                Some(true) => self.extended(instruction),
                Some(false) => Ok(()),
                None => Err(Error::malformed("an instruction set that is not imported")),
            },
            _ => {
                if self.memory(instruction)?
                    || self.composite(instruction)?
                    || self.arithmetic(instruction)?
                    || self.matrices(instruction)?
                    || self.images(instruction)?
                {
                    Ok(())
                } else {
                    Err(Error::opcode(instruction.op))
                }
            }
        }
    }

    fn main(&mut self, entry: &Entry) -> Result<(), Error> {
        let function = self.source.functions.get(&entry.function).ok_or_else(|| {
            Error::malformed(format!("%{} is not a function", entry.function)).at(entry.word)
        })?;
        if !function.parameters.is_empty() || *self.source.types.get(function.result)? != Type::Void
        {
            let message = "an entry point's function takes and returns nothing";
            return Err(Error::malformed(message).at(entry.word));
        }
        let mut activation = Activation::default();
        self.activate(entry.function, Vec::new(), &mut activation)
    }
}
