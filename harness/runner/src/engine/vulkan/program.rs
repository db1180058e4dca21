//! Pipelines.

use std::sync::Arc;

use ash::vk;
use corpora::execution::Stage;
use rspirv::binary::Assemble;
use rspirv::dr::{Builder, Operand};
use rspirv::spirv;

use super::context::Context;
use super::owned::Owned;
use crate::engine::Error;
use crate::engine::glsl::{Validity, spirv_val};
use crate::engine::patch::{self, Kind, Offers, Patched};

/// A module's entry point as a pipeline.
pub struct Prepared {
    pub(super) stage: Stage,
    pub(super) patched: Patched,
    /// By set, from 0.
    pub(super) set_layouts: Vec<vk::DescriptorSetLayout>,
    pub(super) pipeline_layout: vk::PipelineLayout,
    pub(super) pipeline: vk::Pipeline,
    owned: Owned,
}

impl std::fmt::Debug for Prepared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prepared")
            .field("stage", &self.stage)
            .field("resources", &self.patched.resources)
            .finish_non_exhaustive()
    }
}

impl Prepared {
    pub(super) fn new(context: &Arc<Context>, spirv: &[u32], stage: Stage) -> Result<Self, Error> {
        context.check_alive()?;
        if let Validity::Invalid(why) = spirv_val(spirv) {
            return Err(Error::Invalid(why));
        }
        check_version(context, spirv)?;
        let offers = Offers {
            demote: context.demote,
            preserve: context.float_controls.preserve,
        };
        let patched = patch::patch(spirv, stage, offers)?;
        check_float_controls(context, spirv)?;
        check_limits(context, &patched)?;
        let mut owned = Owned::new(context);
        let set_layouts = set_layouts(&mut owned, &patched, stage)?;
        let pipeline_layout = owned
            .pipeline_layout(&vk::PipelineLayoutCreateInfo::default().set_layouts(&set_layouts))?;
        let pipeline = pipeline(&mut owned, &patched, stage, pipeline_layout)?;
        Ok(Self {
            stage,
            patched,
            set_layouts,
            pipeline_layout,
            pipeline,
            owned,
        })
    }

    pub(super) fn context(&self) -> &Arc<Context> {
        self.owned.context()
    }
}

/// The stage in Vulkan's words.
fn flags(stage: Stage) -> vk::ShaderStageFlags {
    match stage {
        Stage::Vertex => vk::ShaderStageFlags::VERTEX,
        Stage::Pixel => vk::ShaderStageFlags::FRAGMENT,
    }
}

fn check_version(context: &Context, spirv: &[u32]) -> Result<(), Error> {
    let version = spirv.get(1).copied().unwrap_or(0);
    if version > context.spirv_version {
        let words = |version: u32| format!("{}.{}", version >> 16, version >> 8 & 0xff);
        return Err(Error::Unsupported(format!(
            "SPIR-V {}; the device takes up to {}",
            words(version),
            words(context.spirv_version)
        )));
    }
    Ok(())
}

/// A device may ignore float controls that it does not have, and answer wrongly without a word.
fn check_float_controls(context: &Context, spirv: &[u32]) -> Result<(), Error> {
    use spirv::Capability as C;
    for instruction in &patch::load(spirv)?.capabilities {
        let Some(&Operand::Capability(capability)) = instruction.operands.first() else {
            continue;
        };
        let has = match capability {
            C::DenormPreserve => context.float_controls.denorm_preserve,
            C::DenormFlushToZero => context.float_controls.denorm_flush,
            C::SignedZeroInfNanPreserve => context.float_controls.preserve,
            C::RoundingModeRTE => context.float_controls.nearest_even,
            _ => true,
        };
        if !has {
            return Err(Error::Unsupported(format!(
                "the device lacks {capability:?} for floats of 32 bits"
            )));
        }
    }
    Ok(())
}

/// Holds the number of resources against the device's limits.
fn check_limits(context: &Context, patched: &Patched) -> Result<(), Error> {
    let limits = &context.limits;
    let count = |test: fn(&Kind) -> bool| {
        patched
            .resources
            .iter()
            .filter(|resource| test(&resource.kind))
            .count() as u32
    };
    let images = |kind: &Kind| matches!(kind, Kind::Image(_) | Kind::Combined(_));
    let samplers = |kind: &Kind| matches!(kind, Kind::Sampler { .. } | Kind::Combined(_));
    let counted = [
        (
            "uniform buffers",
            count(|kind| *kind == Kind::Uniform),
            limits.max_per_stage_descriptor_uniform_buffers,
        ),
        (
            "storage buffers",
            count(|kind| *kind == Kind::Storage),
            // Two are the engine's own.
            limits
                .max_per_stage_descriptor_storage_buffers
                .saturating_sub(2),
        ),
        (
            "images",
            count(images),
            limits.max_per_stage_descriptor_sampled_images,
        ),
        (
            "samplers",
            count(samplers),
            limits.max_per_stage_descriptor_samplers,
        ),
        (
            "descriptor sets",
            patched.output_slot.set + 1,
            limits.max_bound_descriptor_sets,
        ),
    ];
    for (what, found, allowed) in counted {
        if found > allowed {
            return Err(Error::Unsupported(format!(
                "{found} {what}; the device takes up to {allowed}"
            )));
        }
    }
    Ok(())
}

/// The descriptor type of a resource.
pub(super) fn descriptor_type(kind: Kind) -> vk::DescriptorType {
    match kind {
        Kind::Uniform => vk::DescriptorType::UNIFORM_BUFFER,
        Kind::Storage => vk::DescriptorType::STORAGE_BUFFER,
        Kind::Image(_) => vk::DescriptorType::SAMPLED_IMAGE,
        Kind::Sampler { .. } => vk::DescriptorType::SAMPLER,
        Kind::Combined(_) => vk::DescriptorType::COMBINED_IMAGE_SAMPLER,
    }
}

fn set_layouts(
    owned: &mut Owned,
    patched: &Patched,
    stage: Stage,
) -> Result<Vec<vk::DescriptorSetLayout>, Error> {
    let resources = patched
        .resources
        .iter()
        .map(|resource| (resource.slot, resource.kind));
    let all: Vec<_> = resources
        .chain([patched.input_slot, patched.output_slot].map(|slot| (slot, Kind::Storage)))
        .collect();
    let sets = all.iter().map(|(slot, _)| slot.set + 1).max().unwrap_or(0);
    (0..sets)
        .map(|set| {
            let bindings: Vec<_> = all
                .iter()
                .filter(|(slot, _)| slot.set == set)
                .map(|(slot, kind)| {
                    vk::DescriptorSetLayoutBinding::default()
                        .binding(slot.binding)
                        .descriptor_type(descriptor_type(*kind))
                        .descriptor_count(1)
                        .stage_flags(flags(stage))
                })
                .collect();
            owned.set_layout(&vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings))
        })
        .collect()
}

fn pipeline(
    owned: &mut Owned,
    patched: &Patched,
    stage: Stage,
    layout: vk::PipelineLayout,
) -> Result<vk::Pipeline, Error> {
    let entry = std::ffi::CString::new(patched.entry.as_str())
        .map_err(|_| Error::Invalid("an entry point whose name has a NUL".to_owned()))?;
    let module =
        owned.shader_module(&vk::ShaderModuleCreateInfo::default().code(&patched.words))?;
    let mut stages = vec![
        vk::PipelineShaderStageCreateInfo::default()
            .stage(flags(stage))
            .module(module)
            .name(&entry),
    ];
    if stage == Stage::Pixel {
        let words = triangle()
            .map_err(|error| Error::Failed(format!("building a vertex shader: {error}")))?;
        let module = owned.shader_module(&vk::ShaderModuleCreateInfo::default().code(&words))?;
        stages.push(
            vk::PipelineShaderStageCreateInfo::default()
                .stage(vk::ShaderStageFlags::VERTEX)
                .module(module)
                .name(c"main"),
        );
    }
    let topology = match stage {
        Stage::Vertex => vk::PrimitiveTopology::POINT_LIST,
        Stage::Pixel => vk::PrimitiveTopology::TRIANGLE_LIST,
    };
    let vertex_input = vk::PipelineVertexInputStateCreateInfo::default();
    let assembly = vk::PipelineInputAssemblyStateCreateInfo::default().topology(topology);
    let viewport = vk::PipelineViewportStateCreateInfo::default()
        .viewport_count(1)
        .scissor_count(1);
    let rasterization = vk::PipelineRasterizationStateCreateInfo::default()
        .rasterizer_discard_enable(stage == Stage::Vertex)
        .polygon_mode(vk::PolygonMode::FILL)
        .cull_mode(vk::CullModeFlags::NONE)
        .line_width(1.0);
    let multisample = vk::PipelineMultisampleStateCreateInfo::default()
        .rasterization_samples(vk::SampleCountFlags::TYPE_1);
    let dynamic = vk::PipelineDynamicStateCreateInfo::default()
        .dynamic_states(&[vk::DynamicState::VIEWPORT, vk::DynamicState::SCISSOR]);
    let render_pass = owned.context().render_pass;
    let info = vk::GraphicsPipelineCreateInfo::default()
        .stages(&stages)
        .vertex_input_state(&vertex_input)
        .input_assembly_state(&assembly)
        .viewport_state(&viewport)
        .rasterization_state(&rasterization)
        .multisample_state(&multisample)
        .dynamic_state(&dynamic)
        .layout(layout)
        .render_pass(render_pass);
    owned.pipeline(&info)
}

/// A vertex shader whose three vertices make a triangle over the whole viewport:
/// (-1, -1), (3, -1), (-1, 3).
fn triangle() -> Result<Vec<u32>, rspirv::dr::Error> {
    let mut build = Builder::new();
    build.set_version(1, 0);
    build.capability(spirv::Capability::Shader);
    build.memory_model(spirv::AddressingModel::Logical, spirv::MemoryModel::GLSL450);
    let (void, int, float) = (
        build.type_void(),
        build.type_int(32, 0),
        build.type_float(32, None),
    );
    let vector = build.type_vector(float, 4);
    let boolean = build.type_bool();
    let signature = build.type_function(void, []);
    let index_pointer = build.type_pointer(None, spirv::StorageClass::Input, int);
    let position_pointer = build.type_pointer(None, spirv::StorageClass::Output, vector);
    let index = build.variable(index_pointer, None, spirv::StorageClass::Input, None);
    let position = build.variable(position_pointer, None, spirv::StorageClass::Output, None);
    for (variable, builtin) in [
        (index, spirv::BuiltIn::VertexIndex),
        (position, spirv::BuiltIn::Position),
    ] {
        build.decorate(
            variable,
            spirv::Decoration::BuiltIn,
            [Operand::BuiltIn(builtin)],
        );
    }
    let (one, two) = (build.constant_bit32(int, 1), build.constant_bit32(int, 2));
    let [near, far, zero, unit] =
        [-1.0f32, 3.0, 0.0, 1.0].map(|value| build.constant_bit32(float, value.to_bits()));
    let main = build.begin_function(void, None, spirv::FunctionControl::NONE, signature)?;
    build.begin_block(None)?;
    let number = build.load(int, None, index, None, [])?;
    let is_second = build.i_equal(boolean, None, number, one)?;
    let is_third = build.i_equal(boolean, None, number, two)?;
    let x = build.select(float, None, is_second, far, near)?;
    let y = build.select(float, None, is_third, far, near)?;
    let value = build.composite_construct(vector, None, [x, y, zero, unit])?;
    build.store(position, value, None, [])?;
    build.ret()?;
    build.end_function()?;
    build.entry_point(
        spirv::ExecutionModel::Vertex,
        main,
        "main",
        [index, position],
    );
    Ok(build.module().assemble())
}
