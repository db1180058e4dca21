//! Textures as images.

use std::sync::Arc;

use ash::vk;
use corpora::execution::{Dimension, Slot, Texture};

use super::context::{Context, failed};
use super::owned::Owned;
use super::placement::{Bytes, Room};
use crate::engine::Error;
use crate::engine::patch::{ImageKind, Sampled};

/// The images of a run: one for each different texture.
pub(super) struct Images<'a> {
    all: Vec<Image<'a>>,
}

struct Image<'a> {
    texture: &'a Texture,
    kind: ImageKind,
    /// Where the texels of all levels lie.
    texels: Bytes,
    /// What the device knows it as, once there is one.
    made: Option<(vk::Image, vk::ImageView)>,
}

/// How many earlier textures a new one is compared with.
const REMEMBERED: usize = 64;

impl<'a> Images<'a> {
    /// None yet.
    pub(super) fn new() -> Self {
        Self { all: Vec::new() }
    }

    /// Takes a texture in, and says which number it has.
    pub(super) fn add(
        &mut self,
        context: &Context,
        texture: &'a Texture,
        kind: ImageKind,
        slot: Slot,
        room: &mut Room,
    ) -> Result<usize, Error> {
        let recent = self.all.len().saturating_sub(REMEMBERED);
        let known = self.all[recent..]
            .iter()
            .position(|image| image.kind == kind && image.texture == texture);
        if let Some(known) = known {
            return Ok(recent + known);
        }
        check(context, texture, kind).map_err(|what| {
            Error::Launch(format!(
                "texture at set {} binding {}: {what}",
                slot.set, slot.binding
            ))
        })?;
        let texels: usize = texture.levels.iter().map(Vec::len).sum();
        let texels = room.take(texels * texel_bytes(kind));
        self.all.push(Image {
            texture,
            kind,
            texels,
            made: None,
        });
        Ok(self.all.len() - 1)
    }

    /// Writes all texels.
    pub(super) fn write(&self, memory: &mut [u8]) {
        for image in &self.all {
            let words = match image.kind.depth {
                true => 1,
                false => 4,
            };
            let texels = image.texture.levels.iter().flatten();
            let words = texels.flat_map(|texel| &texel[..words]);
            for (target, word) in memory[image.texels.clone()].chunks_exact_mut(4).zip(words) {
                target.copy_from_slice(&word.to_le_bytes());
            }
        }
    }

    /// Makes the images, all in one piece of memory.
    pub(super) fn make(&mut self, owned: &mut Owned) -> Result<(), Error> {
        if self.all.is_empty() {
            return Ok(());
        }
        let context = Arc::clone(owned.context());
        let mut images = Vec::new();
        let (mut size, mut types) = (0u64, u32::MAX);
        for image in &self.all {
            let made = owned.image(&image_info(image))?;
            // SAFETY: the image was just made by this device.
            let needs = unsafe { context.device.get_image_memory_requirements(made) };
            let offset = size.next_multiple_of(needs.alignment.max(1));
            size = offset + needs.size;
            types &= needs.memory_type_bits;
            images.push((made, offset));
        }
        let memory_type = context.memory_type(types, vk::MemoryPropertyFlags::empty(), "images")?;
        let memory = owned.memory(size, memory_type)?;
        for (image, (made, offset)) in self.all.iter_mut().zip(images) {
            // SAFETY: the memory is of a type that the image allows; its part is aligned, large enough and its own.
            unsafe { context.device.bind_image_memory(made, memory, offset) }
                .map_err(failed("bind_image_memory"))?;
            let view_type = match image.texture.dimension {
                Dimension::D1 => vk::ImageViewType::TYPE_1D,
                Dimension::D2 => vk::ImageViewType::TYPE_2D,
                Dimension::D3 => vk::ImageViewType::TYPE_3D,
                Dimension::Cube => vk::ImageViewType::CUBE,
                Dimension::D2Array => vk::ImageViewType::TYPE_2D_ARRAY,
            };
            let view = owned.image_view(
                &vk::ImageViewCreateInfo::default()
                    .image(made)
                    .view_type(view_type)
                    .format(format(image.kind))
                    .subresource_range(whole(image)),
            )?;
            image.made = Some((made, view));
        }
        Ok(())
    }

    /// The view of a texture by its number.
    pub(super) fn view(&self, number: usize) -> vk::ImageView {
        let made = self.all.get(number).and_then(|image| image.made);
        made.map_or(vk::ImageView::null(), |(_, view)| view)
    }

    /// Records the copies from the buffer.
    pub(super) fn record(&self, context: &Context, commands: vk::CommandBuffer, from: vk::Buffer) {
        for image in &self.all {
            let Some((made, _)) = image.made else {
                continue;
            };
            let barrier = |old, new, source, target| {
                vk::ImageMemoryBarrier::default()
                    .image(made)
                    .subresource_range(whole(image))
                    .old_layout(old)
                    .new_layout(new)
                    .src_access_mask(source)
                    .dst_access_mask(target)
                    .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
                    .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            };
            let before = barrier(
                vk::ImageLayout::UNDEFINED,
                vk::ImageLayout::TRANSFER_DST_OPTIMAL,
                vk::AccessFlags::empty(),
                vk::AccessFlags::TRANSFER_WRITE,
            );
            let after = barrier(
                vk::ImageLayout::TRANSFER_DST_OPTIMAL,
                vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL,
                vk::AccessFlags::TRANSFER_WRITE,
                vk::AccessFlags::SHADER_READ,
            );
            let none = vk::DependencyFlags::empty();
            let copies = copies(image);
            // SAFETY: the command buffer is being recorded; image and buffer are alive and have the ranges named.
            unsafe {
                context.device.cmd_pipeline_barrier(
                    commands,
                    vk::PipelineStageFlags::TOP_OF_PIPE,
                    vk::PipelineStageFlags::TRANSFER,
                    none,
                    &[],
                    &[],
                    &[before],
                );
                context.device.cmd_copy_buffer_to_image(
                    commands,
                    from,
                    made,
                    vk::ImageLayout::TRANSFER_DST_OPTIMAL,
                    &copies,
                );
                context.device.cmd_pipeline_barrier(
                    commands,
                    vk::PipelineStageFlags::TRANSFER,
                    vk::PipelineStageFlags::ALL_GRAPHICS,
                    none,
                    &[],
                    &[],
                    &[after],
                );
            }
        }
    }
}

/// The format that carries texels unchanged.
pub(super) fn format(kind: ImageKind) -> vk::Format {
    match (kind.depth, kind.samples) {
        (true, _) => vk::Format::D32_SFLOAT,
        (false, Sampled::Float) => vk::Format::R32G32B32A32_SFLOAT,
        (false, Sampled::Int) => vk::Format::R32G32B32A32_SINT,
        (false, Sampled::Uint) => vk::Format::R32G32B32A32_UINT,
    }
}

fn texel_bytes(kind: ImageKind) -> usize {
    if kind.depth { 4 } else { 16 }
}

fn aspect(kind: ImageKind) -> vk::ImageAspectFlags {
    if kind.depth {
        vk::ImageAspectFlags::DEPTH
    } else {
        vk::ImageAspectFlags::COLOR
    }
}

/// The layers of a texture.
fn layers(texture: &Texture) -> u32 {
    match texture.dimension {
        Dimension::Cube | Dimension::D2Array => texture.size[2],
        _ => 1,
    }
}

/// The extent of a level, without its layers.
fn extent(texture: &Texture, level: u32) -> vk::Extent3D {
    let [width, height, depth] = texture.level_size(level);
    let depth = if texture.dimension == Dimension::D3 {
        depth
    } else {
        1
    };
    vk::Extent3D {
        width,
        height,
        depth,
    }
}

fn whole(image: &Image<'_>) -> vk::ImageSubresourceRange {
    vk::ImageSubresourceRange {
        aspect_mask: aspect(image.kind),
        base_mip_level: 0,
        level_count: image.texture.levels.len() as u32,
        base_array_layer: 0,
        layer_count: layers(image.texture),
    }
}

fn image_info(image: &Image<'_>) -> vk::ImageCreateInfo<'static> {
    let (image_type, flags) = match image.texture.dimension {
        Dimension::D1 => (vk::ImageType::TYPE_1D, vk::ImageCreateFlags::empty()),
        Dimension::D2 | Dimension::D2Array => {
            (vk::ImageType::TYPE_2D, vk::ImageCreateFlags::empty())
        }
        Dimension::D3 => (vk::ImageType::TYPE_3D, vk::ImageCreateFlags::empty()),
        Dimension::Cube => (
            vk::ImageType::TYPE_2D,
            vk::ImageCreateFlags::CUBE_COMPATIBLE,
        ),
    };
    vk::ImageCreateInfo::default()
        .flags(flags)
        .image_type(image_type)
        .format(format(image.kind))
        .extent(extent(image.texture, 0))
        .mip_levels(image.texture.levels.len() as u32)
        .array_layers(layers(image.texture))
        .samples(vk::SampleCountFlags::TYPE_1)
        .tiling(vk::ImageTiling::OPTIMAL)
        .usage(vk::ImageUsageFlags::TRANSFER_DST | vk::ImageUsageFlags::SAMPLED)
}

/// One copy for each level: in both places layers and depths follow one another.
fn copies(image: &Image<'_>) -> Vec<vk::BufferImageCopy> {
    let mut offset = image.texels.start as u64;
    let mut copies = Vec::with_capacity(image.texture.levels.len());
    for (level, texels) in (0..).zip(&image.texture.levels) {
        copies.push(
            vk::BufferImageCopy::default()
                .buffer_offset(offset)
                .image_subresource(vk::ImageSubresourceLayers {
                    aspect_mask: aspect(image.kind),
                    mip_level: level,
                    base_array_layer: 0,
                    layer_count: layers(image.texture),
                })
                .image_extent(extent(image.texture, level)),
        );
        offset += (texels.len() * texel_bytes(image.kind)) as u64;
    }
    copies
}

/// What is wrong with a texture, in words.
fn check(context: &Context, texture: &Texture, kind: ImageKind) -> Result<(), String> {
    let limits = &context.limits;
    if texture.dimension != kind.dimension {
        return Err(format!(
            "it is {:?}, and the module samples {:?}",
            texture.dimension, kind.dimension
        ));
    }
    if texture.integer != (kind.samples != Sampled::Float) {
        let holds = |integer| if integer { "integers" } else { "floats" };
        return Err(format!(
            "it holds {}, and the module samples {}",
            holds(texture.integer),
            holds(!texture.integer)
        ));
    }
    let [x, y, z] = texture.size;
    let (edge, deepest) = match texture.dimension {
        Dimension::D1 => (limits.max_image_dimension1_d, 1),
        Dimension::D2 => (limits.max_image_dimension2_d, 1),
        Dimension::D3 => (limits.max_image_dimension3_d, limits.max_image_dimension3_d),
        Dimension::Cube => (limits.max_image_dimension_cube, 6),
        Dimension::D2Array => (limits.max_image_dimension2_d, limits.max_image_array_layers),
    };
    let highest = if texture.dimension == Dimension::D1 {
        1
    } else {
        edge
    };
    let cube = texture.dimension != Dimension::Cube || (x == y && z == 6);
    if !(1..=edge).contains(&x)
        || !(1..=highest).contains(&y)
        || !(1..=deepest).contains(&z)
        || !cube
    {
        return Err(format!(
            "a size of {x} x {y} x {z}; {:?} goes up to {edge} x {highest} x {deepest}",
            texture.dimension
        ));
    }
    let longest = match texture.dimension {
        Dimension::D3 => x.max(y).max(z),
        _ => x.max(y),
    };
    let most = longest.ilog2() as usize + 1;
    if !(1..=most).contains(&texture.levels.len()) {
        return Err(format!(
            "{} levels; 1 to {most} are possible",
            texture.levels.len()
        ));
    }
    for (level, texels) in (0..).zip(&texture.levels) {
        let wanted: u64 = texture
            .level_size(level)
            .iter()
            .map(|&size| u64::from(size))
            .product();
        if texels.len() as u64 != wanted {
            return Err(format!(
                "level {level} has {} texels; it needs {wanted}",
                texels.len()
            ));
        }
    }
    if !context
        .format_features(format(kind))
        .contains(vk::FormatFeatureFlags::SAMPLED_IMAGE)
    {
        let what = if kind.depth {
            "depth of 32 bits"
        } else {
            "four words"
        };
        return Err(format!("the device samples no texels of {what}"));
    }
    Ok(())
}
