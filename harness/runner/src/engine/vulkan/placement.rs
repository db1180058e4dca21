//! Where the data of launches lie in one buffer.

use std::ops::Range;
use std::sync::Arc;

use ash::vk;
use corpora::execution::{Invocation, Launch, Slot, Stage};

use super::context::{Context, failed};
use super::owned::Owned;
use super::program::Prepared;
use crate::engine::Error;
use crate::engine::patch::{Field, Kind};

/// Bytes of a buffer.
pub(super) type Bytes = Range<usize>;

/// Hands out room from the start of a buffer.
pub(super) struct Room {
    end: usize,
    alignment: usize,
}

impl Room {
    /// Room that may be bound as any buffer of the device, and copied to images.
    pub(super) fn new(context: &Context) -> Self {
        let limits = &context.limits;
        let alignment = limits
            .min_uniform_buffer_offset_alignment
            .max(limits.min_storage_buffer_offset_alignment)
            .max(64);
        Self {
            end: 0,
            alignment: alignment as usize,
        }
    }

    /// Room for so many bytes. A descriptor has at least one word.
    pub(super) fn take(&mut self, bytes: usize) -> Bytes {
        let start = self.end.next_multiple_of(self.alignment);
        self.end = start + bytes.max(4);
        start..self.end
    }

    /// All that was handed out.
    pub(super) fn size(&self) -> usize {
        self.end.max(4)
    }
}

/// Where a launch's data lie.
pub(super) struct Placed {
    /// The words that lanes read.
    pub(super) inputs: Bytes,
    /// The words that lanes write.
    pub(super) outputs: Bytes,
    /// The buffers that the module uses, and the room of each.
    pub(super) buffers: Vec<(Slot, Kind, Bytes)>,
    /// Lanes that run: in a pixel stage whole quads.
    pub(super) lanes: usize,
}

/// The lanes that a launch runs.
fn lanes_run(launch: &Launch) -> usize {
    match launch.stage {
        Stage::Vertex => launch.lanes.len(),
        Stage::Pixel => launch.lanes.len().next_multiple_of(4),
    }
}

/// Bytes of a launch without its textures; an estimate to cut runs by.
pub(super) fn weight(prepared: &Prepared, launch: &Launch) -> usize {
    let words = prepared.patched.inputs.len() + prepared.patched.outputs.len();
    let buffers = launch
        .uniforms
        .values()
        .chain(launch.storage.values())
        .map(Vec::len);
    let textures = launch.textures.values().flat_map(|texture| &texture.levels);
    lanes_run(launch) * words * 4
        + buffers.sum::<usize>()
        + textures.map(|level| level.len() * 16).sum::<usize>()
        + 4096
}

/// Finds room for a launch.
pub(super) fn place(
    prepared: &Prepared,
    launch: &Launch,
    room: &mut Room,
) -> Result<Placed, Error> {
    let limits = &prepared.context().limits;
    let lanes = lanes_run(launch);
    let (uniform_limit, storage_limit) = (
        limits.max_uniform_buffer_range as usize,
        limits.max_storage_buffer_range as usize,
    );
    let words = prepared
        .patched
        .inputs
        .len()
        .max(prepared.patched.outputs.len());
    if lanes.saturating_mul(words * 4) > storage_limit {
        return Err(Error::Unsupported(format!("a launch of {lanes} lanes")));
    }
    let inputs = room.take(lanes * prepared.patched.inputs.len() * 4);
    let outputs = room.take(lanes * prepared.patched.outputs.len() * 4);
    let mut buffers = Vec::new();
    for resource in &prepared.patched.resources {
        let (buffer, limit, what) = match resource.kind {
            Kind::Uniform => (
                launch.uniforms.get(&resource.slot),
                uniform_limit,
                "uniform",
            ),
            Kind::Storage => (launch.storage.get(&resource.slot), storage_limit, "storage"),
            _ => continue,
        };
        let Slot { set, binding } = resource.slot;
        let buffer = buffer.ok_or_else(|| {
            Error::Launch(format!("no {what} buffer for set {set} binding {binding}"))
        })?;
        if buffer.len() > limit {
            return Err(Error::Unsupported(format!(
                "a {what} buffer of {} bytes at set {set} binding {binding}; the device takes up to {limit}",
                buffer.len()
            )));
        }
        buffers.push((resource.slot, resource.kind, room.take(buffer.len())));
    }
    Ok(Placed {
        inputs,
        outputs,
        buffers,
        lanes,
    })
}

/// Writes a launch's data to its room.
pub(super) fn write(prepared: &Prepared, launch: &Launch, placed: &Placed, memory: &mut [u8]) {
    for (slot, kind, room) in &placed.buffers {
        let buffers = match kind {
            Kind::Uniform => &launch.uniforms,
            _ => &launch.storage,
        };
        if let Some(bytes) = buffers.get(slot) {
            memory[room.clone()][..bytes.len()].copy_from_slice(bytes);
        }
    }
    let fields = &prepared.patched.inputs;
    let inputs = &mut memory[placed.inputs.clone()];
    for lane in 0..placed.lanes {
        // Lanes that fill up the last quad repeat the last one, so that they end when it does.
        let Some(invocation) = launch.lanes.get(lane).or(launch.lanes.last()) else {
            break;
        };
        let filler = lane >= launch.lanes.len();
        for (word, field) in fields.iter().enumerate() {
            let value = input(invocation, *field, filler);
            let at = (lane * fields.len() + word) * 4;
            inputs[at..at + 4].copy_from_slice(&value.to_le_bytes());
        }
    }
}

/// What a lane reads as a field. A filler is a helper.
fn input(lane: &Invocation, field: Field, filler: bool) -> u32 {
    match field {
        Field::Location {
            location,
            component,
        } => lane
            .inputs
            .get(&location)
            .map_or(0, |value| value[component as usize & 3]),
        Field::VertexIndex => lane.vertex_index,
        Field::InstanceIndex => lane.instance_index,
        Field::FragCoord(component) => lane.frag_coord[component as usize & 3],
        Field::FrontFacing => lane.front_facing.into(),
        Field::Helper => (lane.helper || filler).into(),
        _ => 0,
    }
}

/// A buffer that the processor sees.
pub(super) struct Shared {
    /// The buffer.
    pub(super) buffer: vk::Buffer,
    address: *mut u8,
    size: usize,
}

impl Shared {
    /// A buffer of zeros.
    pub(super) fn new(owned: &mut Owned, size: usize) -> Result<Self, Error> {
        let context = Arc::clone(owned.context());
        let usage = vk::BufferUsageFlags::UNIFORM_BUFFER
            | vk::BufferUsageFlags::STORAGE_BUFFER
            | vk::BufferUsageFlags::TRANSFER_SRC;
        let buffer = owned.buffer(
            &vk::BufferCreateInfo::default()
                .size(size as u64)
                .usage(usage),
        )?;
        // SAFETY: the buffer was just made by this device.
        let needs = unsafe { context.device.get_buffer_memory_requirements(buffer) };
        let visible =
            vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
        let memory = owned.memory(
            needs.size,
            context.memory_type(needs.memory_type_bits, visible, "buffers")?,
        )?;
        // SAFETY: the memory is of an allowed type, large enough and bound once, from its start. It is mapped
        // once, and stays so until it is freed.
        let address = unsafe {
            context
                .device
                .bind_buffer_memory(buffer, memory, 0)
                .map_err(failed("bind_buffer_memory"))?;
            context
                .device
                .map_memory(memory, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty())
                .map_err(failed("map_memory"))?
        };
        let address = address.cast::<u8>();
        // SAFETY: the mapping has at least `size` bytes, as the buffer does, and the device does not use them yet.
        unsafe { address.write_bytes(0, size) };
        Ok(Self {
            buffer,
            address,
            size,
        })
    }

    /// The bytes. Not to be called while the device works on them.
    pub(super) fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: the mapping has `size` bytes, all written once, and lives as long as the objects that this was
        // made with, which callers keep; `&mut self` keeps others out.
        unsafe { std::slice::from_raw_parts_mut(self.address, self.size) }
    }
}
