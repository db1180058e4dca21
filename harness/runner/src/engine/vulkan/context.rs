//! An open device.

use std::mem::ManuallyDrop;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use ash::vk;

use super::instance::{Choice, Instance, Unavailable, text};
use crate::engine::Error;

/// A device, its queue and what is known of it.
pub(super) struct Context {
    pub(super) device: ash::Device,
    pub(super) queue: Mutex<vk::Queue>,
    /// The queue's family.
    pub(super) family: u32,
    pub(super) limits: vk::PhysicalDeviceLimits,
    pub(super) memory: vk::PhysicalDeviceMemoryProperties,
    /// The greatest SPIR-V version, as a module's header has it.
    pub(super) spirv_version: u32,
    /// Whether lanes can be made helpers.
    pub(super) demote: bool,
    /// Whether samplers can have borders of any value.
    pub(super) any_border: bool,
    /// Float controls that the device keeps.
    pub(super) float_controls: FloatControls,
    /// A render pass without attachments.
    pub(super) render_pass: vk::RenderPass,
    /// For reports.
    pub(super) version: String,
    physical: vk::PhysicalDevice,
    /// Set once a submission did not come back. Nothing is freed then.
    lost: AtomicBool,
    instance: ManuallyDrop<Instance>,
}

/// What a shader may ask of floats of 32 bits.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FloatControls {
    pub(super) denorm_preserve: bool,
    pub(super) denorm_flush: bool,
    pub(super) preserve: bool,
    pub(super) nearest_even: bool,
}

/// Turns a failed call into an error.
pub(super) fn failed(call: &'static str) -> impl Fn(vk::Result) -> Error {
    move |result| Error::Failed(format!("{call}: {result}"))
}

impl Context {
    /// Opens the best device.
    pub(super) fn open() -> Result<Self, Unavailable> {
        let instance = Instance::open()?;
        let choice = instance.choose()?;
        let known = Known::of(&instance, &choice);
        let device = open_device(&instance, &choice, &known)
            .map_err(|result| Unavailable::NoDevice(format!("{}: {result}", choice.name)))?;
        // SAFETY: the family was asked for with one queue when the device was opened.
        let queue = unsafe { device.get_device_queue(choice.family, 0) };
        let subpass =
            [vk::SubpassDescription::default()
                .pipeline_bind_point(vk::PipelineBindPoint::GRAPHICS)];
        let info = vk::RenderPassCreateInfo::default().subpasses(&subpass);
        // SAFETY: the structure is complete; nothing in it refers to other objects.
        let render_pass = match unsafe { device.create_render_pass(&info, None) } {
            Ok(render_pass) => render_pass,
            Err(result) => {
                // SAFETY: nothing else was made of the device.
                unsafe { device.destroy_device(None) };
                return Err(Unavailable::NoDevice(format!("{}: {result}", choice.name)));
            }
        };
        // SAFETY: the physical device is of this instance.
        let memory = unsafe {
            instance
                .raw
                .get_physical_device_memory_properties(choice.device)
        };
        Ok(Self {
            device,
            queue: Mutex::new(queue),
            family: choice.family,
            limits: choice.properties.limits,
            memory,
            spirv_version: match choice.properties.api_version {
                vk::API_VERSION_1_3.. => 0x0001_0600,
                vk::API_VERSION_1_2.. => 0x0001_0500,
                _ => 0x0001_0300,
            },
            demote: known.demote,
            any_border: known.any_border,
            float_controls: known.float_controls,
            render_pass,
            version: known.version,
            physical: choice.device,
            lost: AtomicBool::new(false),
            instance: ManuallyDrop::new(instance),
        })
    }

    /// The type of memory for something: one of those allowed that has all the wanted properties.
    pub(super) fn memory_type(
        &self,
        allowed: u32,
        wanted: vk::MemoryPropertyFlags,
        what: &str,
    ) -> Result<u32, Error> {
        self.memory
            .memory_types_as_slice()
            .iter()
            .zip(0..)
            .find(|(memory, index)| {
                allowed & 1 << index != 0 && memory.property_flags.contains(wanted)
            })
            .map(|(_, index)| index)
            .ok_or_else(|| Error::Failed(format!("the device has no memory for {what}")))
    }

    /// What the device does with images of a format.
    pub(super) fn format_features(&self, format: vk::Format) -> vk::FormatFeatureFlags {
        // SAFETY: the physical device is of this instance, which lives as long as the context.
        let properties = unsafe {
            self.instance
                .raw
                .get_physical_device_format_properties(self.physical, format)
        };
        properties.optimal_tiling_features
    }

    /// Refuses further work once a submission was given up.
    pub(super) fn check_alive(&self) -> Result<(), Error> {
        if self.is_lost() {
            return Err(Error::Failed(
                "the device did not come back from an earlier run".to_owned(),
            ));
        }
        Ok(())
    }

    /// Whether a submission was given up.
    pub(super) fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Acquire)
    }

    /// Gives the device up.
    pub(super) fn lose(&self) {
        self.lost.store(true, Ordering::Release);
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        if self.is_lost() {
            // It still runs what was given up, and nothing that this uses may be freed; the library stays too.
            return;
        }
        // SAFETY: all that was made of the device holds a reference to this context, so that it is gone by now.
        unsafe {
            let _ = self.device.device_wait_idle();
            self.device.destroy_render_pass(self.render_pass, None);
            self.device.destroy_device(None);
            ManuallyDrop::drop(&mut self.instance);
        }
    }
}

/// What is asked of a device before it is opened.
struct Known {
    demote: bool,
    any_border: bool,
    float_controls: FloatControls,
    version: String,
}

impl Known {
    fn of(instance: &Instance, choice: &Choice) -> Self {
        let api = choice.properties.api_version;
        let mut features13 = vk::PhysicalDeviceVulkan13Features::default();
        let mut borders = vk::PhysicalDeviceCustomBorderColorFeaturesEXT::default();
        let has_borders = has_extension(instance, choice, vk::EXT_CUSTOM_BORDER_COLOR_NAME);
        let mut features = vk::PhysicalDeviceFeatures2::default();
        if api >= vk::API_VERSION_1_3 {
            features = features.push_next(&mut features13);
        }
        if has_borders {
            features = features.push_next(&mut borders);
        }
        let mut properties12 = vk::PhysicalDeviceVulkan12Properties::default();
        let mut properties = vk::PhysicalDeviceProperties2::default();
        if api >= vk::API_VERSION_1_2 {
            properties = properties.push_next(&mut properties12);
        }
        // SAFETY: the chains hold only structures that the device's version or extensions define.
        unsafe {
            instance
                .raw
                .get_physical_device_features2(choice.device, &mut features);
            instance
                .raw
                .get_physical_device_properties2(choice.device, &mut properties);
        }
        let version = |number: u32| {
            format!(
                "{}.{}.{}",
                vk::api_version_major(number),
                vk::api_version_minor(number),
                vk::api_version_patch(number)
            )
        };
        let driver = match api >= vk::API_VERSION_1_2 {
            true => text(properties12.driver_info_as_c_str()),
            false => format!("driver {}", version(choice.properties.driver_version)),
        };
        Self {
            demote: features13.shader_demote_to_helper_invocation == vk::TRUE,
            any_border: borders.custom_border_colors == vk::TRUE
                && borders.custom_border_color_without_format == vk::TRUE,
            float_controls: FloatControls {
                denorm_preserve: properties12.shader_denorm_preserve_float32 == vk::TRUE,
                denorm_flush: properties12.shader_denorm_flush_to_zero_float32 == vk::TRUE,
                preserve: properties12.shader_signed_zero_inf_nan_preserve_float32 == vk::TRUE,
                nearest_even: properties12.shader_rounding_mode_rte_float32 == vk::TRUE,
            },
            version: format!("{}, {driver}, Vulkan {}", choice.name, version(api)),
        }
    }
}

/// Whether a device has an extension.
fn has_extension(instance: &Instance, choice: &Choice, name: &std::ffi::CStr) -> bool {
    // SAFETY: the physical device is of this instance.
    let extensions = unsafe {
        instance
            .raw
            .enumerate_device_extension_properties(choice.device)
    };
    extensions
        .unwrap_or_default()
        .iter()
        .any(|extension| extension.extension_name_as_c_str() == Ok(name))
}

fn open_device(
    instance: &Instance,
    choice: &Choice,
    known: &Known,
) -> Result<ash::Device, vk::Result> {
    let priorities = [1.0];
    let queues = [vk::DeviceQueueCreateInfo::default()
        .queue_family_index(choice.family)
        .queue_priorities(&priorities)];
    // All that there is: a shader may need any of it, and robustBufferAccess keeps what it reads and writes within
    // its buffers.
    let features = choice.features;
    let mut features13 = vk::PhysicalDeviceVulkan13Features::default()
        .shader_demote_to_helper_invocation(known.demote);
    let mut borders = vk::PhysicalDeviceCustomBorderColorFeaturesEXT::default()
        .custom_border_colors(true)
        .custom_border_color_without_format(true);
    let mut extensions = Vec::new();
    let mut info = vk::DeviceCreateInfo::default()
        .queue_create_infos(&queues)
        .enabled_features(&features);
    if known.demote {
        info = info.push_next(&mut features13);
    }
    if known.any_border {
        extensions.push(vk::EXT_CUSTOM_BORDER_COLOR_NAME.as_ptr());
        info = info.push_next(&mut borders);
    }
    let info = info.enabled_extension_names(&extensions);
    // SAFETY: only features and extensions that the device was found to have are asked for.
    unsafe { instance.raw.create_device(choice.device, &info, None) }
}
