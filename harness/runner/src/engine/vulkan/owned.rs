//! Objects of a device that go away together.

use std::sync::Arc;

use ash::vk;

use super::context::{Context, failed};
use crate::engine::Error;

/// Objects, which are destroyed in the reverse order of their making.
pub(super) struct Owned {
    context: Arc<Context>,
    objects: Vec<Object>,
}

/// Something that must be destroyed.
enum Object {
    Buffer(vk::Buffer),
    CommandPool(vk::CommandPool),
    DescriptorPool(vk::DescriptorPool),
    Fence(vk::Fence),
    Framebuffer(vk::Framebuffer),
    Image(vk::Image),
    ImageView(vk::ImageView),
    Memory(vk::DeviceMemory),
    Pipeline(vk::Pipeline),
    PipelineLayout(vk::PipelineLayout),
    Sampler(vk::Sampler),
    DescriptorSetLayout(vk::DescriptorSetLayout),
    ShaderModule(vk::ShaderModule),
}

/// A maker of one kind of object.
macro_rules! maker {
    ($(#[$doc:meta])* $name:ident, $info:ident, $create:ident, $object:ident) => {
        $(#[$doc])*
        pub(super) fn $name(&mut self, info: &vk::$info<'_>) -> Result<vk::$object, Error> {
            // SAFETY: callers fill the structure with live objects of this device, and within its limits.
            let object = unsafe { self.context.device.$create(info, None) }
                .map_err(failed(stringify!($create)))?;
            self.objects.push(Object::$object(object));
            Ok(object)
        }
    };
}

impl Owned {
    /// None yet.
    pub(super) fn new(context: &Arc<Context>) -> Self {
        Self {
            context: Arc::clone(context),
            objects: Vec::new(),
        }
    }

    /// The device.
    pub(super) fn context(&self) -> &Arc<Context> {
        &self.context
    }

    /// Leaves all objects alive for ever: the device may still use them.
    pub(super) fn abandon(&mut self) {
        self.objects.clear();
    }

    maker!(
        /// A buffer without memory.
        buffer, BufferCreateInfo, create_buffer, Buffer
    );
    maker!(
        /// A command pool.
        command_pool, CommandPoolCreateInfo, create_command_pool, CommandPool
    );
    maker!(
        /// A descriptor pool.
        descriptor_pool, DescriptorPoolCreateInfo, create_descriptor_pool, DescriptorPool
    );
    maker!(
        /// A fence.
        fence, FenceCreateInfo, create_fence, Fence
    );
    maker!(
        /// A framebuffer.
        framebuffer, FramebufferCreateInfo, create_framebuffer, Framebuffer
    );
    maker!(
        /// An image without memory.
        image, ImageCreateInfo, create_image, Image
    );
    maker!(
        /// A view of an image.
        image_view, ImageViewCreateInfo, create_image_view, ImageView
    );
    maker!(
        /// A pipeline layout.
        pipeline_layout, PipelineLayoutCreateInfo, create_pipeline_layout, PipelineLayout
    );
    maker!(
        /// A sampler.
        sampler, SamplerCreateInfo, create_sampler, Sampler
    );
    maker!(
        /// A descriptor set layout.
        set_layout, DescriptorSetLayoutCreateInfo, create_descriptor_set_layout, DescriptorSetLayout
    );
    maker!(
        /// A shader module.
        shader_module, ShaderModuleCreateInfo, create_shader_module, ShaderModule
    );

    /// Memory.
    pub(super) fn memory(
        &mut self,
        size: u64,
        memory_type: u32,
    ) -> Result<vk::DeviceMemory, Error> {
        let info = vk::MemoryAllocateInfo::default()
            .allocation_size(size)
            .memory_type_index(memory_type);
        // SAFETY: the type is one of the device's.
        let memory = unsafe { self.context.device.allocate_memory(&info, None) }
            .map_err(failed("allocate_memory"))?;
        self.objects.push(Object::Memory(memory));
        Ok(memory)
    }

    /// A graphics pipeline.
    pub(super) fn pipeline(
        &mut self,
        info: &vk::GraphicsPipelineCreateInfo<'_>,
    ) -> Result<vk::Pipeline, Error> {
        let infos = std::slice::from_ref(info);
        // SAFETY: as for the other makers.
        let made = unsafe {
            self.context
                .device
                .create_graphics_pipelines(vk::PipelineCache::null(), infos, None)
        };
        match made {
            Ok(pipelines) => {
                self.objects
                    .extend(pipelines.iter().copied().map(Object::Pipeline));
                pipelines
                    .first()
                    .copied()
                    .filter(|pipeline| *pipeline != vk::Pipeline::null())
                    .ok_or_else(|| Error::Failed("the driver made no pipeline".to_owned()))
            }
            Err((_, result)) => Err(failed("create_graphics_pipelines")(result)),
        }
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        if self.context.is_lost() {
            return;
        }
        let device = &self.context.device;
        for object in self.objects.drain(..).rev() {
            // SAFETY: each was made by this device and is destroyed once; what was made of it later is gone, and
            // callers wait for the device before they drop what it uses.
            unsafe {
                match object {
                    Object::Buffer(it) => device.destroy_buffer(it, None),
                    Object::CommandPool(it) => device.destroy_command_pool(it, None),
                    Object::DescriptorPool(it) => device.destroy_descriptor_pool(it, None),
                    Object::Fence(it) => device.destroy_fence(it, None),
                    Object::Framebuffer(it) => device.destroy_framebuffer(it, None),
                    Object::Image(it) => device.destroy_image(it, None),
                    Object::ImageView(it) => device.destroy_image_view(it, None),
                    Object::Memory(it) => device.free_memory(it, None),
                    Object::Pipeline(it) => device.destroy_pipeline(it, None),
                    Object::PipelineLayout(it) => device.destroy_pipeline_layout(it, None),
                    Object::Sampler(it) => device.destroy_sampler(it, None),
                    Object::DescriptorSetLayout(it) => {
                        device.destroy_descriptor_set_layout(it, None);
                    }
                    Object::ShaderModule(it) => device.destroy_shader_module(it, None),
                }
            }
        }
    }
}
