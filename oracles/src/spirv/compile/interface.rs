//! Variables of the module: inputs and outputs, private memory, buffers, images and samplers.

use corpora::execution::Slot;
use spirv::{BuiltIn, StorageClass};

use super::{Compiler, Error, Place, Pointer, Root};
use crate::spirv::code::{BufferUse, Move, Port, PortKind};
use crate::spirv::decorations::Decorations;
use crate::spirv::layout::Spread;
use crate::spirv::source::Entry;
use crate::spirv::types::{Scalar, Type};
use crate::spirv::words::Instruction;

/// The greatest Location.
const MAX_LOCATION: u32 = 255;

impl Compiler<'_, '_> {
    /// Declares all variables of the module. Of inputs and outputs, those in the entry point's interface are ports.
    pub(super) fn variables(&mut self, entry: &Entry) -> Result<(), Error> {
        let source = self.source;
        for &index in &source.variables {
            let instruction = &source.instructions[index];
            self.variable(instruction, entry)
                .map_err(|error| error.at(instruction.word))?;
        }
        Ok(())
    }

    fn variable(&mut self, instruction: &Instruction<'_>, entry: &Entry) -> Result<(), Error> {
        let (of, id) = instruction.typed_result()?;
        let Type::Pointer { class, to } = *self.source.types.get(of)? else {
            return Err(Error::malformed("a variable whose type is not a pointer"));
        };
        let pointer = match class {
            StorageClass::Private | StorageClass::Input | StorageClass::Output => {
                let (_, pointer) = self.slot_variable(instruction)?;
                let Root::Slots { base, .. } = pointer.root else {
                    return Err(Error::malformed(
                        "the storage class differs from the type's",
                    ));
                };
                if let Some(&initial) = instruction.operands.get(1) {
                    let from = self.value_of(initial, to)?;
                    self.presets.push(Move {
                        to: base,
                        from,
                        count: self.source.types.slots(to)?,
                    });
                }
                if class != StorageClass::Private && entry.interface.contains(&id) {
                    let decorations = self.source.decorations.of(id);
                    self.ports(to, base, decorations, class == StorageClass::Output)?;
                }
                pointer
            }
            StorageClass::Uniform | StorageClass::StorageBuffer | StorageClass::UniformConstant => {
                let decorations = self.source.decorations.of(id);
                let (Some(set), Some(binding)) = (decorations.set, decorations.binding) else {
                    let message = format!("%{id} lacks DescriptorSet or Binding");
                    return Err(Error::malformed(message));
                };
                let slot = Slot::new(set, binding);
                let root = if class == StorageClass::UniformConstant {
                    Root::Resource(slot)
                } else {
                    let storage = class == StorageClass::StorageBuffer
                        || self.source.decorations.of(to).buffer_block;
                    Root::Buffer(BufferUse { slot, storage })
                };
                Pointer {
                    root,
                    to,
                    offset: 0,
                    terms: Vec::new(),
                    spread: Spread::Plain,
                }
            }
            class => {
                return Err(Error::unsupported(format!(
                    "storage class {class:?} is not supported"
                )));
            }
        };
        self.define(id, of, Place::Pointer(pointer))
    }

    /// The type and the pointer of a variable that takes slots.
    pub(super) fn slot_variable(
        &mut self,
        instruction: &Instruction<'_>,
    ) -> Result<(u32, Pointer), Error> {
        let (of, _) = instruction.typed_result()?;
        let Type::Pointer { class, to } = *self.source.types.get(of)? else {
            return Err(Error::malformed("a variable whose type is not a pointer"));
        };
        let told = StorageClass::from_u32(instruction.operand(0)?);
        let slots = matches!(
            class,
            StorageClass::Private
                | StorageClass::Function
                | StorageClass::Input
                | StorageClass::Output
        );
        if told != Some(class) || !slots {
            return Err(Error::malformed(
                "a variable of another storage class than its type's",
            ));
        }
        let base = self.take_for(to)?;
        let root = Root::Slots { base, class };
        Ok((
            of,
            Pointer {
                root,
                to,
                offset: 0,
                terms: Vec::new(),
                spread: Spread::Plain,
            },
        ))
    }

    fn ports(&mut self, of: u32, slot: u32, told: Decorations, output: bool) -> Result<(), Error> {
        let source = self.source;
        if let Some(built_in) = told.built_in {
            return self.built_in(of, slot, built_in, output);
        }
        if let Some(location) = told.location {
            return self
                .located(of, slot, location, told.component.unwrap_or(0), output)
                .map(drop);
        }
        // An interface block: its members have what it lacks.
        let Type::Struct { members } = source.types.get(of)? else {
            return Err(Error::malformed(
                "an input or output without Location or BuiltIn",
            ));
        };
        for (index, member) in members.iter().enumerate() {
            let told = source.decorations.of_member(of, index as u32);
            if told.location.is_none() && told.built_in.is_none() {
                return Err(Error::malformed(
                    "a member of a block without Location or BuiltIn",
                ));
            }
            self.ports(member.of, slot + member.slot, told, output)?;
        }
        Ok(())
    }

    fn built_in(
        &mut self,
        of: u32,
        slot: u32,
        built_in: BuiltIn,
        output: bool,
    ) -> Result<(), Error> {
        let types = &self.source.types;
        let float = Scalar::Float { width: 32 };
        let (scalar, count) = match types.get(of)? {
            Type::Array { of, length, .. } => (types.numeric(*of)?.0, *length),
            _ => types.numeric(of)?,
        };
        let int = matches!(scalar, Scalar::Int { width: 32, .. });
        let known = match (output, built_in) {
            (false, BuiltIn::VertexIndex | BuiltIn::InstanceIndex) => int && count == 1,
            (false, BuiltIn::FragCoord) | (true, BuiltIn::Position) => {
                scalar == float && count == 4
            }
            (false, BuiltIn::FrontFacing | BuiltIn::HelperInvocation) => {
                scalar == Scalar::Bool && count == 1
            }
            (true, BuiltIn::PointSize | BuiltIn::FragDepth) => scalar == float && count == 1,
            (true, BuiltIn::ClipDistance | BuiltIn::CullDistance) => scalar == float && count <= 8,
            (true, BuiltIn::SampleMask) => int,
            _ => {
                let what = if output { "output" } else { "input" };
                return Err(Error::unsupported(format!(
                    "{what} {built_in:?} is not supported"
                )));
            }
        };
        if !known {
            return Err(Error::unsupported(format!(
                "{built_in:?} of an unusual type"
            )));
        }
        self.port(
            Port {
                slot,
                count,
                what: PortKind::BuiltIn(built_in),
                written: false,
            },
            output,
        );
        Ok(())
    }

    /// Adds what takes locations, and gives the next location.
    fn located(
        &mut self,
        of: u32,
        slot: u32,
        location: u32,
        component: u32,
        output: bool,
    ) -> Result<u32, Error> {
        if location > MAX_LOCATION {
            let message = format!("Location {location}; at most {MAX_LOCATION} is allowed");
            return Err(Error::unsupported(message));
        }
        let source = self.source;
        let mut parts = Vec::new();
        match source.types.get(of)? {
            Type::Matrix { column, count } => {
                parts.extend((0..*count).map(|index| (*column, index)));
            }
            Type::Array {
                of: element,
                length,
                ..
            } => {
                parts.extend((0..(*length).min(MAX_LOCATION + 2)).map(|index| (*element, index)));
            }
            Type::Struct { members } => {
                let mut next = location;
                for member in members {
                    next = self.located(member.of, slot + member.slot, next, 0, output)?;
                }
                return Ok(next);
            }
            _ => {
                let (scalar, count) = source.types.numeric(of)?;
                if scalar == Scalar::Bool || scalar.width() == 64 {
                    return Err(Error::unsupported(
                        "an input or output of Booleans or 64 bits",
                    ));
                }
                if component.saturating_add(count) > 4 {
                    return Err(Error::malformed("a Component beyond the fourth"));
                }
                let what = PortKind::Location {
                    location,
                    component,
                };
                self.port(
                    Port {
                        slot,
                        count,
                        what,
                        written: false,
                    },
                    output,
                );
                return Ok(location + 1);
            }
        }
        let mut next = location;
        for (part, index) in parts {
            let slots = source.types.slots(part)?;
            next = self.located(part, slot + index * slots, next, component, output)?;
        }
        Ok(next)
    }

    fn port(&mut self, port: Port, output: bool) {
        if output {
            self.outputs.push(port);
        } else {
            self.inputs.push(port);
        }
    }

    /// Notes that slots of output variables are written.
    pub(super) fn note_written(&mut self, first: u32, count: u32) {
        for port in &mut self.outputs {
            port.written |= port.slot < first + count && first < port.slot + port.count;
        }
    }
}
