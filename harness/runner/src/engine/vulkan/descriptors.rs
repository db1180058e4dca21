//! What launches bind.

use std::sync::Arc;

use ash::vk;
use corpora::execution::{Launch, Slot};

use super::context::failed;
use super::owned::Owned;
use super::placement::{Placed, Room};
use super::program::{Prepared, descriptor_type};
use super::samplers::Samplers;
use super::textures::Images;
use crate::engine::Error;
use crate::engine::patch::Kind;

/// What a launch binds beside its buffers: images and samplers by slot.
pub(super) type Bound = Vec<(Slot, Kind, usize, vk::Sampler)>;

/// Finds the images and samplers that the module uses.
pub(super) fn bind<'a>(
    prepared: &Prepared,
    launch: &'a Launch,
    owned: &mut Owned,
    images: &mut Images<'a>,
    samplers: &mut Samplers,
    room: &mut Room,
) -> Result<Bound, Error> {
    let mut bound = Vec::new();
    for resource in &prepared.patched.resources {
        let slot = resource.slot;
        let missing = |what: &str| {
            Error::Launch(format!(
                "no {what} for set {} binding {}",
                slot.set, slot.binding
            ))
        };
        let (image, sampled) = match resource.kind {
            Kind::Image(kind) => (Some(kind), None),
            Kind::Combined(kind) => (Some(kind), Some(kind.samples)),
            Kind::Sampler { samples } => (None, Some(samples)),
            Kind::Uniform | Kind::Storage => continue,
        };
        let number = match image {
            Some(kind) => {
                let texture = launch
                    .textures
                    .get(&slot)
                    .ok_or_else(|| missing("texture"))?;
                images.add(prepared.context(), texture, kind, slot, room)?
            }
            None => 0,
        };
        let sampler = match sampled {
            Some(samples) => {
                let sampler = launch
                    .samplers
                    .get(&slot)
                    .ok_or_else(|| missing("sampler"))?;
                samplers.get(owned, sampler, samples, slot)?
            }
            None => vk::Sampler::null(),
        };
        bound.push((slot, resource.kind, number, sampler));
    }
    Ok(bound)
}

/// The descriptor sets of each launch.
pub(super) fn descriptor_sets(
    prepared: &Prepared,
    owned: &mut Owned,
    placed: &[Placed],
    bound: &[Bound],
    images: &Images<'_>,
    buffer: vk::Buffer,
) -> Result<Vec<Vec<vk::DescriptorSet>>, Error> {
    let context = Arc::clone(owned.context());
    let launches = placed.len() as u32;
    let kinds = prepared
        .patched
        .resources
        .iter()
        .map(|resource| resource.kind);
    let kinds: Vec<_> = kinds.chain([Kind::Storage; 2]).collect();
    let sizes: Vec<_> = kinds
        .iter()
        .map(|kind| {
            vk::DescriptorPoolSize::default()
                .ty(descriptor_type(*kind))
                .descriptor_count(launches)
        })
        .collect();
    let layouts = &prepared.set_layouts;
    let pool = owned.descriptor_pool(
        &vk::DescriptorPoolCreateInfo::default()
            .max_sets(launches * layouts.len() as u32)
            .pool_sizes(&sizes),
    )?;
    let info = vk::DescriptorSetAllocateInfo::default()
        .descriptor_pool(pool)
        .set_layouts(layouts);
    let mut all = Vec::with_capacity(placed.len());
    for (placed, bound) in placed.iter().zip(bound) {
        // SAFETY: the pool was made for so many sets of these layouts, which the pipeline keeps alive.
        let sets = unsafe { context.device.allocate_descriptor_sets(&info) }
            .map_err(failed("allocate_descriptor_sets"))?;
        let own = [
            (
                prepared.patched.input_slot,
                Kind::Storage,
                placed.inputs.clone(),
            ),
            (
                prepared.patched.output_slot,
                Kind::Storage,
                placed.outputs.clone(),
            ),
        ];
        let buffers: Vec<_> = placed.buffers.iter().chain(&own).collect();
        let buffer_infos: Vec<_> = buffers
            .iter()
            .map(|(_, _, room)| {
                [vk::DescriptorBufferInfo::default()
                    .buffer(buffer)
                    .offset(room.start as u64)
                    .range(room.len() as u64)]
            })
            .collect();
        let image_infos: Vec<_> = bound
            .iter()
            .map(|(_, kind, number, sampler)| {
                let mut info = vk::DescriptorImageInfo::default().sampler(*sampler);
                if !matches!(kind, Kind::Sampler { .. }) {
                    info = info
                        .image_view(images.view(*number))
                        .image_layout(vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL);
                }
                [info]
            })
            .collect();
        let write = |slot: &Slot, kind: &Kind| {
            let set = sets.get(slot.set as usize).copied().unwrap_or_default();
            vk::WriteDescriptorSet::default()
                .dst_set(set)
                .dst_binding(slot.binding)
                .descriptor_type(descriptor_type(*kind))
        };
        let mut writes = Vec::with_capacity(buffers.len() + bound.len());
        for ((slot, kind, _), info) in buffers.iter().zip(&buffer_infos) {
            writes.push(write(slot, kind).buffer_info(info));
        }
        for ((slot, kind, _, _), info) in bound.iter().zip(&image_infos) {
            writes.push(write(slot, kind).image_info(info));
        }
        // SAFETY: sets, bindings and types are those of the layouts; what they refer to outlives the submission.
        unsafe { context.device.update_descriptor_sets(&writes, &[]) };
        all.push(sets);
    }
    Ok(all)
}
