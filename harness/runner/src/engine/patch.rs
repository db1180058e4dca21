//! Makes a module's interface plain memory, so that values travel bit for bit.
//!
//! A pipeline interpolates, normalizes and clips what crosses it. Here nothing crosses it: input and output variables
//! become private ones, a new entry point fills them from a storage buffer, calls the old entry point, copies the outputs
//! to another buffer, and sets a flag there last. An invocation that was killed never gets so far.
//!
//! ```text
//! main'() {
//!     base = lane * words of a lane;
//!     input = inputs[base ..];             // for each input variable
//!     if (inputs[base + helper]) demote;   // pixel stage, where the device can
//!     main();
//!     outputs[base ..] = output;           // for each output variable
//!     outputs[base] = 1;
//! }
//! ```
//!
//! The old entry point itself is not touched: it keeps its returns and its kills, and only the storage class of the
//! pointers into its interface changes.

mod decorations;
mod interface;
mod resources;
mod types;
mod wrapper;

use corpora::execution::{Slot, Stage};
use rspirv::binary::Assemble;
use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{self, Op, StorageClass};

use super::Error;
use crate::guard;
use decorations::Decorations;
pub use interface::Field;
pub use resources::{ImageKind, Kind, Resource, Sampled};
use types::Types;

/// Pixels from one row of quads to the next, halved: the quads of a row in a pixel run.
pub const QUADS_IN_ROW: u32 = 64;

/// The most words that a lane may read or write.
const MAX_WORDS: usize = 1024;
/// The most ids of a module. Vulkan's own limit is higher; this bounds what is allocated.
const MAX_BOUND: u32 = 1 << 22;

/// A module that reads and writes its interface in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patched {
    /// The module.
    pub words: Vec<u32>,
    /// The name of its only entry point.
    pub entry: String,
    /// What each word of a lane in the input buffer is.
    pub inputs: Vec<Field>,
    /// What each word of a lane in the output buffer is. The first is [`Field::Finished`].
    pub outputs: Vec<Field>,
    /// Where the input buffer is bound.
    pub input_slot: Slot,
    /// Where the output buffer is bound.
    pub output_slot: Slot,
    /// The resources that the module's functions use, in order.
    pub resources: Vec<Resource>,
}

/// The execution model of a stage.
fn model(stage: Stage) -> spirv::ExecutionModel {
    match stage {
        Stage::Vertex => spirv::ExecutionModel::Vertex,
        Stage::Pixel => spirv::ExecutionModel::Fragment,
    }
}

/// What a device offers that a module is made to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Offers {
    /// It knows DemoteToHelperInvocation, which makes a lane a real helper; without it [`Field::Helper`] is not among the
    /// inputs.
    pub demote: bool,
    /// It can keep the signs of zeros, infinities and NaNs of 32-bit floats. Unasked, a compiler may take `x + 0.0`
    /// for `x`, and a run would judge that liberty and not the translation.
    pub preserve: bool,
}

/// Patches the entry point of a stage.
pub fn patch(words: &[u32], stage: Stage, offers: Offers) -> Result<Patched, Error> {
    let mut module = load(words)?;
    check_capabilities(&module)?;
    let entry = take_entry_point(&mut module, stage)?;
    let types = Types::of(&module);
    let decorations = Decorations::of(&module)?;
    let resources = resources::of(&module, &types, &decorations)?;
    let interface = interface::of(
        &module,
        &types,
        &decorations,
        &entry.interface,
        stage,
        offers.demote,
    )?;
    for (what, fields) in [
        ("inputs", interface.inputs.len()),
        ("outputs", interface.outputs.len()),
    ] {
        if fields > MAX_WORDS {
            return Err(Error::Unsupported(format!(
                "{fields} words of {what} in an invocation; at most {MAX_WORDS}"
            )));
        }
    }
    let [input_slot, output_slot] = free_slots(&module, &decorations);
    decorations::strip(&mut module, &types);
    make_private(&mut module, &types);
    let module = wrapper::add(
        module,
        &wrapper::Plan {
            stage,
            entry: &entry,
            interface: &interface,
            input_slot,
            output_slot,
            preserve: offers.preserve,
        },
    )
    .map_err(|error| Error::Failed(format!("patching the module: {error}")))?;
    Ok(Patched {
        words: module.assemble(),
        entry: entry.name,
        inputs: interface.inputs,
        outputs: interface.outputs,
        input_slot,
        output_slot,
        resources,
    })
}

/// Parses the words. The parser panics on some that are not SPIR-V.
pub(super) fn load(words: &[u32]) -> Result<Module, Error> {
    let module = guard::catch(|| rspirv::dr::load_words(words))
        .map_err(|panic| Error::Invalid(format!("the parser panicked: {panic}")))?
        .map_err(|error| Error::Invalid(error.to_string()))?;
    match &module.header {
        Some(header) if header.bound <= MAX_BOUND => Ok(module),
        Some(header) => Err(Error::Unsupported(format!(
            "a module with {} ids; at most {MAX_BOUND}",
            header.bound
        ))),
        None => Err(Error::Invalid("no header".to_owned())),
    }
}

/// Refuses what no run here provides, before a driver sees it.
fn check_capabilities(module: &Module) -> Result<(), Error> {
    use spirv::Capability as C;
    for instruction in &module.capabilities {
        let Some(&Operand::Capability(capability)) = instruction.operands.first() else {
            continue;
        };
        let known = matches!(
            capability,
            C::Matrix
                | C::Shader
                | C::ClipDistance
                | C::CullDistance
                | C::Sampled1D
                | C::Image1D
                | C::ImageQuery
                | C::ImageGatherExtended
                | C::DerivativeControl
                | C::MinLod
                | C::SampledCubeArray
                | C::InterpolationFunction
                | C::SampleRateShading
                | C::StorageImageExtendedFormats
                | C::DemoteToHelperInvocation
                | C::DenormPreserve
                | C::DenormFlushToZero
                | C::SignedZeroInfNanPreserve
                | C::RoundingModeRTE
        );
        if !known {
            return Err(Error::Unsupported(format!("capability {capability:?}")));
        }
    }
    Ok(())
}

/// The entry point that is run.
struct EntryPoint {
    /// Its function.
    function: u32,
    /// Its name.
    name: String,
    /// The variables that it lists.
    interface: Vec<u32>,
}

/// Finds the stage's entry point and removes all from the module, with the execution modes of the others.
fn take_entry_point(module: &mut Module, stage: Stage) -> Result<EntryPoint, Error> {
    let model = model(stage);
    let mut found = Vec::new();
    for instruction in std::mem::take(&mut module.entry_points) {
        let mut operands = instruction.operands.into_iter();
        let (Some(of), Some(function), Some(name)) =
            (operands.next(), operands.next(), operands.next())
        else {
            continue;
        };
        if let (Operand::IdRef(function), Operand::LiteralString(name)) = (function, name)
            && of == Operand::ExecutionModel(model)
        {
            let interface = operands
                .filter_map(|operand| operand.id_ref_any())
                .collect();
            found.push(EntryPoint {
                function,
                name,
                interface,
            });
        }
    }
    if found.len() > 1 {
        return Err(Error::Launch(format!(
            "{} entry points of model {model:?}",
            found.len()
        )));
    }
    let entry = found
        .pop()
        .ok_or_else(|| Error::Launch(format!("no entry point of model {model:?}")))?;
    module.execution_modes.retain(|instruction| {
        let mode = instruction.operands.get(1);
        // Without a FragDepth variable there is no depth to speak of.
        let depth = matches!(
            mode,
            Some(Operand::ExecutionMode(
                spirv::ExecutionMode::DepthReplacing
                    | spirv::ExecutionMode::DepthGreater
                    | spirv::ExecutionMode::DepthLess
                    | spirv::ExecutionMode::DepthUnchanged
            ))
        );
        instruction.operands.first() == Some(&Operand::IdRef(entry.function)) && !depth
    });
    Ok(entry)
}

/// Two bindings that the module leaves free, in a set that it uses already: valid wherever the module is.
fn free_slots(module: &Module, decorations: &Decorations) -> [Slot; 2] {
    let slots: Vec<Slot> = module
        .types_global_values
        .iter()
        .filter_map(|instruction| decorations.slot(instruction.result_id?))
        .collect();
    let set = slots.iter().map(|slot| slot.set).max().unwrap_or(0);
    let used = slots
        .iter()
        .filter(|slot| slot.set == set)
        .map(|slot| slot.binding);
    let first = used.max().map_or(0, |binding| binding.saturating_add(1));
    [
        Slot::new(set, first),
        Slot::new(set, first.saturating_add(1)),
    ]
}

/// Whether a variable or pointer of this class is turned into a private one.
fn is_interface(class: StorageClass) -> bool {
    matches!(class, StorageClass::Input | StorageClass::Output)
}

/// Turns every pointer and variable of the interface into a private one. Outputs start as zero, so that what an
/// invocation leaves out has one value everywhere.
fn make_private(module: &mut Module, types: &Types) {
    let mut next = module.header.as_ref().map_or(1, |header| header.bound);
    let mut globals = Vec::with_capacity(module.types_global_values.len());
    for mut instruction in std::mem::take(&mut module.types_global_values) {
        let class = match instruction.operands.first() {
            Some(&Operand::StorageClass(class)) if is_interface(class) => class,
            _ => {
                globals.push(instruction);
                continue;
            }
        };
        instruction.operands[0] = Operand::StorageClass(StorageClass::Private);
        let variable = instruction.class.opcode == Op::Variable;
        if variable && class == StorageClass::Output && instruction.operands.len() == 1 {
            let pointee = instruction
                .result_type
                .and_then(|pointer| types.pointee(pointer));
            if let Some(pointee) = pointee {
                globals.push(Instruction::new(
                    Op::ConstantNull,
                    Some(pointee),
                    Some(next),
                    vec![],
                ));
                instruction.operands.push(Operand::IdRef(next));
                next += 1;
            }
        }
        globals.push(instruction);
    }
    module.types_global_values = globals;
    if let Some(header) = &mut module.header {
        header.bound = next;
    }
}

#[cfg(test)]
mod tests;
