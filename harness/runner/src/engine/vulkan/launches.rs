//! Running launches.

use std::sync::Arc;

use ash::vk;
use corpora::execution::{Launch, Returned, Stage};

use super::collect;
use super::context::{Context, failed};
use super::descriptors::{bind, descriptor_sets};
use super::owned::Owned;
use super::placement::{self, Placed, Room, Shared};
use super::program::Prepared;
use super::samplers::Samplers;
use super::textures::Images;
use crate::engine::Error;
use crate::engine::patch::QUADS_IN_ROW;

/// How many bytes and launches go to the device at once, more or less.
const BYTES_AT_ONCE: usize = 128 << 20;
const LAUNCHES_AT_ONCE: usize = 1024;
/// How long a submission may take. A shader that does not end is not stopped, but the run goes on without it.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(60);

/// Runs a program for each launch.
pub(super) fn run(prepared: &Prepared, launches: &[Launch]) -> Result<Vec<Returned>, Error> {
    for launch in launches {
        if launch.stage != prepared.stage {
            return Err(Error::Launch(format!(
                "a {} run of a {} module",
                launch.stage.name(),
                prepared.stage.name()
            )));
        }
    }
    let mut returned = Vec::with_capacity(launches.len());
    let mut rest = launches;
    while !rest.is_empty() {
        let mut bytes = 0;
        let taken = rest
            .iter()
            .take(LAUNCHES_AT_ONCE)
            .take_while(|launch| {
                bytes += placement::weight(prepared, launch);
                bytes <= BYTES_AT_ONCE
            })
            .count()
            .max(1);
        let (now, later) = rest.split_at(taken);
        returned.extend(run_together(prepared, now)?);
        rest = later;
    }
    Ok(returned)
}

/// Runs a few launches in one submission.
fn run_together(prepared: &Prepared, launches: &[Launch]) -> Result<Vec<Returned>, Error> {
    let context = prepared.context();
    context.check_alive()?;
    let mut owned = Owned::new(context);
    let mut room = Room::new(context);
    let mut images = Images::new();
    let mut samplers = Samplers::new();
    let mut placed = Vec::with_capacity(launches.len());
    let mut bound = Vec::with_capacity(launches.len());
    for launch in launches {
        check_size(context, launch)?;
        placed.push(placement::place(prepared, launch, &mut room)?);
        bound.push(bind(
            prepared,
            launch,
            &mut owned,
            &mut images,
            &mut samplers,
            &mut room,
        )?);
    }
    let mut memory = Shared::new(&mut owned, room.size())?;
    for (launch, placed) in launches.iter().zip(&placed) {
        placement::write(prepared, launch, placed, memory.bytes());
    }
    images.write(memory.bytes());
    images.make(&mut owned)?;
    let sets = descriptor_sets(
        prepared,
        &mut owned,
        &placed,
        &bound,
        &images,
        memory.buffer,
    )?;
    let commands = command_buffer(&mut owned)?;
    record(
        prepared,
        &mut owned,
        commands,
        launches,
        &placed,
        &sets,
        &images,
        memory.buffer,
    )?;
    submit(&mut owned, commands)?;
    let bytes = memory.bytes();
    Ok(launches
        .iter()
        .zip(&placed)
        .map(|(launch, placed)| collect::read(prepared, launch, placed, bytes))
        .collect())
}

/// Rows of quads that a pixel run takes.
fn rows(lanes: usize) -> u32 {
    lanes.div_ceil(4 * QUADS_IN_ROW as usize) as u32
}

fn check_size(context: &Context, launch: &Launch) -> Result<(), Error> {
    let most = context.limits.max_framebuffer_height as usize / 2 * QUADS_IN_ROW as usize * 4;
    if launch.lanes.len() > most {
        let lanes = launch.lanes.len();
        return Err(Error::Unsupported(format!(
            "a launch of {lanes} lanes; at most {most}"
        )));
    }
    Ok(())
}

fn command_buffer(owned: &mut Owned) -> Result<vk::CommandBuffer, Error> {
    let context = Arc::clone(owned.context());
    let pool = owned
        .command_pool(&vk::CommandPoolCreateInfo::default().queue_family_index(context.family))?;
    let info = vk::CommandBufferAllocateInfo::default()
        .command_pool(pool)
        .command_buffer_count(1);
    // SAFETY: the pool is alive and used by this thread only.
    let buffers = unsafe { context.device.allocate_command_buffers(&info) }
        .map_err(failed("allocate_command_buffers"))?;
    buffers
        .first()
        .copied()
        .ok_or_else(|| Error::Failed("no command buffer".to_owned()))
}

/// Records the copies, the draws and the way back.
#[expect(clippy::too_many_arguments, reason = "all of a run meets here, once")]
fn record(
    prepared: &Prepared,
    owned: &mut Owned,
    commands: vk::CommandBuffer,
    launches: &[Launch],
    placed: &[Placed],
    sets: &[Vec<vk::DescriptorSet>],
    images: &Images<'_>,
    buffer: vk::Buffer,
) -> Result<(), Error> {
    let context = Arc::clone(owned.context());
    let device = &context.device;
    let most = launches
        .iter()
        .map(|launch| rows(launch.lanes.len()))
        .max()
        .unwrap_or(0);
    let (width, height) = match prepared.stage {
        Stage::Vertex => (1, 1),
        Stage::Pixel => (2 * QUADS_IN_ROW, 2 * most.max(1)),
    };
    let framebuffer = owned.framebuffer(
        &vk::FramebufferCreateInfo::default()
            .render_pass(context.render_pass)
            .width(width)
            .height(height)
            .layers(1),
    )?;
    let begin =
        vk::CommandBufferBeginInfo::default().flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
    let area = vk::Rect2D {
        offset: vk::Offset2D::default(),
        extent: vk::Extent2D { width, height },
    };
    let pass = vk::RenderPassBeginInfo::default()
        .render_pass(context.render_pass)
        .framebuffer(framebuffer)
        .render_area(area);
    let viewport = vk::Viewport {
        x: 0.0,
        y: 0.0,
        width: width as f32,
        height: height as f32,
        min_depth: 0.0,
        max_depth: 1.0,
    };
    // SAFETY: the command buffer is new and this thread's own; all that is recorded is alive until the submission ends.
    unsafe {
        device
            .begin_command_buffer(commands, &begin)
            .map_err(failed("begin_command_buffer"))?;
        images.record(&context, commands, buffer);
        device.cmd_begin_render_pass(commands, &pass, vk::SubpassContents::INLINE);
        device.cmd_bind_pipeline(commands, vk::PipelineBindPoint::GRAPHICS, prepared.pipeline);
        device.cmd_set_viewport(commands, 0, &[viewport]);
        device.cmd_set_scissor(commands, 0, &[area]);
        for (placed, sets) in placed.iter().zip(sets) {
            device.cmd_bind_descriptor_sets(
                commands,
                vk::PipelineBindPoint::GRAPHICS,
                prepared.pipeline_layout,
                0,
                sets,
                &[],
            );
            match prepared.stage {
                Stage::Vertex if placed.lanes > 0 => {
                    device.cmd_draw(commands, placed.lanes as u32, 1, 0, 0);
                }
                Stage::Vertex => {}
                Stage::Pixel => {
                    for scissor in scissors(placed.lanes) {
                        device.cmd_set_scissor(commands, 0, &[scissor]);
                        device.cmd_draw(commands, 3, 1, 0, 0);
                    }
                }
            }
        }
        device.cmd_end_render_pass(commands);
        let barrier = vk::MemoryBarrier::default()
            .src_access_mask(vk::AccessFlags::SHADER_WRITE)
            .dst_access_mask(vk::AccessFlags::HOST_READ);
        device.cmd_pipeline_barrier(
            commands,
            vk::PipelineStageFlags::ALL_GRAPHICS,
            vk::PipelineStageFlags::HOST,
            vk::DependencyFlags::empty(),
            &[barrier],
            &[],
            &[],
        );
        device
            .end_command_buffer(commands)
            .map_err(failed("end_command_buffer"))
    }
}

/// The pixels of so many lanes: full rows of quads, and what is left over.
fn scissors(lanes: usize) -> Vec<vk::Rect2D> {
    let quads = lanes.div_ceil(4) as u32;
    let (full, rest) = (quads / QUADS_IN_ROW, quads % QUADS_IN_ROW);
    let rectangle = |y, width, height| vk::Rect2D {
        offset: vk::Offset2D { x: 0, y },
        extent: vk::Extent2D { width, height },
    };
    let all = [
        rectangle(0, 2 * QUADS_IN_ROW, 2 * full),
        rectangle(2 * full as i32, 2 * rest, if rest > 0 { 2 } else { 0 }),
    ];
    all.into_iter()
        .filter(|part| part.extent.width > 0 && part.extent.height > 0)
        .collect()
}

/// Sends the commands and waits for them.
fn submit(owned: &mut Owned, commands: vk::CommandBuffer) -> Result<(), Error> {
    let context = Arc::clone(owned.context());
    let fence = owned.fence(&vk::FenceCreateInfo::default())?;
    let commands = [commands];
    let info = [vk::SubmitInfo::default().command_buffers(&commands)];
    let submitted = {
        let queue = context
            .queue
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        // SAFETY: the queue is locked; command buffer and fence are alive until the fence is signalled, or for ever.
        unsafe { context.device.queue_submit(*queue, &info, fence) }
    };
    submitted.map_err(failed("queue_submit"))?;
    // SAFETY: the fence is alive.
    let waited = unsafe {
        context
            .device
            .wait_for_fences(&[fence], true, PATIENCE.as_nanos() as u64)
    };
    waited.map_err(|result| {
        context.lose();
        owned.abandon();
        match result {
            vk::Result::TIMEOUT => Error::Endless(format!("{} seconds", PATIENCE.as_secs())),
            result => failed("wait_for_fences")(result),
        }
    })
}
