//! The resources that a module's functions use.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use corpora::execution::{Dimension, Slot};
use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{Decoration, Dim, Op, StorageClass};

use super::decorations::Decorations;
use super::types::{Types, id, literal};
use crate::engine::Error;

/// How many calls an image is followed through.
const MAX_CALLS: usize = 32;

/// A descriptor that a module uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// Where it is bound.
    pub slot: Slot,
    /// What it is.
    pub kind: Kind,
}

/// A kind of descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A uniform buffer.
    Uniform,
    /// A storage buffer.
    Storage,
    /// An image without a sampler.
    Image(ImageKind),
    /// A sampler.
    Sampler {
        /// What the images that it is used with hold.
        samples: Sampled,
    },
    /// An image with a sampler.
    Combined(ImageKind),
}

/// What a module takes an image for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageKind {
    /// Its shape.
    pub dimension: Dimension,
    /// What it holds.
    pub samples: Sampled,
    /// Whether it is compared with a reference.
    pub depth: bool,
}

/// What sampling gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sampled {
    /// Floats.
    #[default]
    Float,
    /// Signed integers.
    Int,
    /// Unsigned integers.
    Uint,
}

/// The resources of a module that its functions name, by slot.
pub(super) fn of(
    module: &Module,
    types: &Types,
    decorations: &Decorations,
) -> Result<Vec<Resource>, Error> {
    let uses = Uses::of(module);
    let mut found: BTreeMap<Slot, Kind> = BTreeMap::new();
    for instruction in &module.types_global_values {
        let (Some(variable), Some((class, held))) =
            (instruction.result_id, types.variable(instruction))
        else {
            continue;
        };
        if matches!(
            class,
            StorageClass::Input | StorageClass::Output | StorageClass::Private
        ) || !uses.named.contains(&variable)
        {
            continue;
        }
        let slot = decorations.slot(variable).ok_or_else(|| {
            Error::Unsupported(format!("global variable %{variable} of class {class:?}"))
        })?;
        let kind = kind(types, decorations, class, held, variable, &uses)
            .map_err(|what| Error::Unsupported(format!("{what} at {}", name(slot))))?;
        if let Some(known) = found.insert(slot, kind)
            && known != kind
        {
            return Err(Error::Unsupported(format!(
                "two kinds of resource at {}",
                name(slot)
            )));
        }
    }
    set_sampled(&mut found, decorations, &uses)?;
    Ok(found
        .into_iter()
        .map(|(slot, kind)| Resource { slot, kind })
        .collect())
}

/// A slot in words.
pub(super) fn name(slot: Slot) -> String {
    format!("set {} binding {}", slot.set, slot.binding)
}

/// What a variable is bound as, or what it is in words if that is not supported.
fn kind(
    types: &Types,
    decorations: &Decorations,
    class: StorageClass,
    held: u32,
    variable: u32,
    uses: &Uses,
) -> Result<Kind, String> {
    let instruction = types.get(held).ok_or("a variable without a type")?;
    match (class, instruction.class.opcode) {
        (StorageClass::StorageBuffer, Op::TypeStruct) => Ok(Kind::Storage),
        (StorageClass::Uniform, Op::TypeStruct) => {
            Ok(match decorations.has(held, None, Decoration::BufferBlock) {
                true => Kind::Storage,
                false => Kind::Uniform,
            })
        }
        (StorageClass::UniformConstant, Op::TypeSampler) => Ok(Kind::Sampler {
            samples: Sampled::Float,
        }),
        (StorageClass::UniformConstant, Op::TypeImage) => {
            image(types, instruction, variable, uses).map(Kind::Image)
        }
        (StorageClass::UniformConstant, Op::TypeSampledImage) => {
            let of = id(instruction, 0).and_then(|image| types.get(image));
            image(
                types,
                of.ok_or("a sampled image without an image")?,
                variable,
                uses,
            )
            .map(Kind::Combined)
        }
        (_, Op::TypeArray | Op::TypeRuntimeArray) => Err("an array of resources".to_owned()),
        (class, opcode) => Err(format!("a resource of class {class:?} and type {opcode:?}")),
    }
}

fn image(
    types: &Types,
    image: &Instruction,
    variable: u32,
    uses: &Uses,
) -> Result<ImageKind, String> {
    let number = |index| literal(image, index).unwrap_or(0);
    let (declared_depth, arrayed, multisampled, sampled) =
        (number(2), number(3) == 1, number(4) == 1, number(5));
    let dim = match image.operands.get(1) {
        Some(Operand::Dim(dim)) => *dim,
        _ => return Err("an image without a dimension".to_owned()),
    };
    if sampled != 1 || multisampled {
        return Err("a storage or multisampled image".to_owned());
    }
    let dimension = match (dim, arrayed) {
        (Dim::Dim1D, false) => Dimension::D1,
        (Dim::Dim2D, false) => Dimension::D2,
        (Dim::Dim2D, true) => Dimension::D2Array,
        (Dim::Dim3D, false) => Dimension::D3,
        (Dim::DimCube, false) => Dimension::Cube,
        _ => {
            let arrayed = if arrayed { "arrayed " } else { "" };
            return Err(format!("an {arrayed}image of {dim:?}"));
        }
    };
    let samples = match id(image, 0).and_then(|component| types.get(component)) {
        Some(component) if component.class.opcode == Op::TypeFloat => Sampled::Float,
        Some(component) if literal(component, 1) == Some(1) => Sampled::Int,
        _ => Sampled::Uint,
    };
    let compared = uses.compared.contains(&variable);
    if compared && uses.plain.contains(&variable) {
        return Err("an image that is both compared and sampled".to_owned());
    }
    let depth = compared || declared_depth == 1 && !uses.plain.contains(&variable);
    Ok(ImageKind {
        dimension,
        samples,
        depth,
    })
}

/// Tells samplers what their images hold, which decides the type of the border.
fn set_sampled(
    found: &mut BTreeMap<Slot, Kind>,
    decorations: &Decorations,
    uses: &Uses,
) -> Result<(), Error> {
    let mut by_sampler: BTreeMap<Slot, Vec<Sampled>> = BTreeMap::new();
    for &(image, sampler) in &uses.pairs {
        let slots = (decorations.slot(image), decorations.slot(sampler));
        let (Some(image), Some(sampler)) = slots else {
            continue;
        };
        if let Some(Kind::Image(kind)) = found.get(&image) {
            by_sampler.entry(sampler).or_default().push(kind.samples);
        }
    }
    for (slot, all) in by_sampler {
        let first = all.first().copied().unwrap_or_default();
        let integer = |sampled: &Sampled| *sampled != Sampled::Float;
        if all
            .iter()
            .any(|sampled| integer(sampled) != integer(&first))
        {
            return Err(Error::Unsupported(format!(
                "a sampler of both integer and float images at {}",
                name(slot)
            )));
        }
        if let Some(Kind::Sampler { samples }) = found.get_mut(&slot) {
            *samples = first;
        }
    }
    Ok(())
}

/// What the functions of a module do with global variables.
#[derive(Default)]
struct Uses {
    /// Every id that an instruction of a function names.
    named: HashSet<u32>,
    /// Image variables that are compared.
    compared: HashSet<u32>,
    /// Image variables that are sampled or fetched without comparison.
    plain: HashSet<u32>,
    /// Image and sampler variables that meet.
    pairs: BTreeSet<(u32, u32)>,
}

/// What an id may have come from: images, and samplers.
#[derive(Clone, Default, PartialEq, Eq)]
struct Sources {
    images: BTreeSet<u32>,
    samplers: BTreeSet<u32>,
}

impl Uses {
    fn of(module: &Module) -> Self {
        let instructions: Vec<&Instruction> = module
            .functions
            .iter()
            .flat_map(|function| function.all_inst_iter())
            .collect();
        let parameters: HashMap<u32, Vec<u32>> = module
            .functions
            .iter()
            .filter_map(|function| {
                let ids = function
                    .parameters
                    .iter()
                    .filter_map(|p| p.result_id)
                    .collect();
                Some((function.def_id()?, ids))
            })
            .collect();
        let mut uses = Self::default();
        for instruction in &instructions {
            uses.named
                .extend(instruction.operands.iter().filter_map(Operand::id_ref_any));
        }
        let sources = sources(&instructions, &parameters);
        let variables = |id: Option<u32>| {
            let id = id.unwrap_or(0);
            sources.get(&id).cloned().unwrap_or_else(|| Sources {
                images: BTreeSet::from([id]),
                samplers: BTreeSet::from([id]),
            })
        };
        for instruction in &instructions {
            let opcode = instruction.class.opcode;
            let named = instruction.class.opname;
            if opcode == Op::SampledImage {
                let images = variables(id(instruction, 0)).images;
                let samplers = variables(id(instruction, 1)).samplers;
                for &image in &images {
                    uses.pairs
                        .extend(samplers.iter().map(|&sampler| (image, sampler)));
                }
            } else if named.starts_with("Image") && named.contains("Dref") {
                uses.compared.extend(variables(id(instruction, 0)).images);
            } else if named.starts_with("ImageSample")
                || named.starts_with("ImageSparseSample")
                || matches!(opcode, Op::ImageFetch | Op::ImageGather)
            {
                uses.plain.extend(variables(id(instruction, 0)).images);
            }
        }
        uses
    }
}

/// Follows images and samplers from variables through loads, pairs and calls.
fn sources(
    instructions: &[&Instruction],
    parameters: &HashMap<u32, Vec<u32>>,
) -> HashMap<u32, Sources> {
    let mut sources: HashMap<u32, Sources> = HashMap::new();
    // Each pass carries over one more call at least; compilers pass images through a few.
    for _ in 0..MAX_CALLS {
        let mut changed = false;
        let mut flow = |sources: &mut HashMap<u32, Sources>, to: u32, image: u32, sampler: u32| {
            let of = |id: u32| sources.get(&id).cloned();
            let images = of(image).map_or_else(|| BTreeSet::from([image]), |known| known.images);
            let samplers =
                of(sampler).map_or_else(|| BTreeSet::from([sampler]), |known| known.samplers);
            let target = sources.entry(to).or_default();
            let before = target.images.len() + target.samplers.len();
            target.images.extend(images);
            target.samplers.extend(samplers);
            changed |= before != target.images.len() + target.samplers.len();
        };
        for instruction in instructions {
            match (
                instruction.class.opcode,
                instruction.result_id,
                id(instruction, 0),
            ) {
                (Op::Load | Op::CopyObject | Op::Image, Some(to), Some(from)) => {
                    flow(&mut sources, to, from, from);
                }
                (Op::SampledImage, Some(to), Some(image)) => {
                    flow(&mut sources, to, image, id(instruction, 1).unwrap_or(image));
                }
                (Op::FunctionCall, _, Some(function)) => {
                    let parameters = parameters.get(&function).map_or(&[][..], Vec::as_slice);
                    for (index, &parameter) in (1..).zip(parameters) {
                        if let Some(argument) = id(instruction, index) {
                            flow(&mut sources, parameter, argument, argument);
                        }
                    }
                }
                _ => {}
            }
        }
        if !changed {
            break;
        }
    }
    sources
}
