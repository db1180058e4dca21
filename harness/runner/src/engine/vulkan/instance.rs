//! Finding a device.

use std::ffi::CStr;

use ash::vk;

/// Why there is no Vulkan device to run on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unavailable {
    /// The Vulkan library is not installed.
    #[error("no Vulkan loader: {0}")]
    NoLoader(String),
    /// The library gives no instance, mostly for want of a driver.
    #[error("no Vulkan instance: {0}")]
    NoInstance(String),
    /// No device does what is needed; what each lacks.
    #[error("no Vulkan device: {0}")]
    NoDevice(String),
}

/// The least version: SPIR-V 1.3 is its shading language.
const LEAST: u32 = vk::API_VERSION_1_1;

/// The library and an instance.
pub(super) struct Instance {
    pub(super) raw: ash::Instance,
    /// The library must outlive what it made.
    _entry: ash::Entry,
}

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: the device that came of it is gone: a context holds both, and drops its device first.
        unsafe { self.raw.destroy_instance(None) }
    }
}

impl Instance {
    /// Loads the library.
    pub(super) fn open() -> Result<Self, Unavailable> {
        // SAFETY: loading a library runs its initializers; the system's Vulkan loader is trusted to have sound ones.
        let entry = unsafe { ash::Entry::load() }
            .map_err(|error| Unavailable::NoLoader(error.to_string()))?;
        let application = vk::ApplicationInfo::default()
            .application_name(c"assay")
            .api_version(vk::API_VERSION_1_3);
        let info = vk::InstanceCreateInfo::default().application_info(&application);
        // SAFETY: the structure is complete and lives during the call.
        let raw = unsafe { entry.create_instance(&info, None) }
            .map_err(|error| Unavailable::NoInstance(error.to_string()))?;
        Ok(Self { raw, _entry: entry })
    }

    /// The best device: one that computes on the processor gives the same answers on every machine.
    pub(super) fn choose(&self) -> Result<Choice, Unavailable> {
        // SAFETY: the instance is alive.
        let devices = unsafe { self.raw.enumerate_physical_devices() }
            .map_err(|error| Unavailable::NoDevice(error.to_string()))?;
        let mut lacking = Vec::new();
        let mut best: Option<(u32, Choice)> = None;
        for device in devices {
            match self.judge(device) {
                Ok((rank, choice)) => {
                    if best.as_ref().is_none_or(|(known, _)| rank < *known) {
                        best = Some((rank, choice));
                    }
                }
                Err(why) => lacking.push(why),
            }
        }
        match best {
            Some((_, choice)) => Ok(choice),
            None if lacking.is_empty() => {
                Err(Unavailable::NoDevice("the loader lists none".to_owned()))
            }
            None => Err(Unavailable::NoDevice(lacking.join("; "))),
        }
    }

    /// A device's rank, or what it lacks.
    fn judge(&self, device: vk::PhysicalDevice) -> Result<(u32, Choice), String> {
        // SAFETY: the device is of this instance, for all calls of this function.
        let (properties, features, families) = unsafe {
            (
                self.raw.get_physical_device_properties(device),
                self.raw.get_physical_device_features(device),
                self.raw.get_physical_device_queue_family_properties(device),
            )
        };
        let name = text(properties.device_name_as_c_str());
        let lacks = |what: &str| Err(format!("{name} lacks {what}"));
        if properties.api_version < LEAST {
            return lacks("Vulkan 1.1");
        }
        if features.vertex_pipeline_stores_and_atomics == vk::FALSE {
            return lacks("vertexPipelineStoresAndAtomics");
        }
        if features.fragment_stores_and_atomics == vk::FALSE {
            return lacks("fragmentStoresAndAtomics");
        }
        let graphics = |family: &vk::QueueFamilyProperties| {
            family.queue_flags.contains(vk::QueueFlags::GRAPHICS)
        };
        let Some(family) = families.iter().position(graphics) else {
            return lacks("a graphics queue");
        };
        let rank = match properties.device_type {
            vk::PhysicalDeviceType::CPU => 0,
            vk::PhysicalDeviceType::DISCRETE_GPU => 1,
            vk::PhysicalDeviceType::INTEGRATED_GPU => 2,
            _ => 3,
        };
        Ok((
            rank,
            Choice {
                device,
                properties,
                features,
                name,
                family: family as u32,
            },
        ))
    }
}

/// A device to open.
pub(super) struct Choice {
    pub(super) device: vk::PhysicalDevice,
    pub(super) properties: vk::PhysicalDeviceProperties,
    pub(super) features: vk::PhysicalDeviceFeatures,
    pub(super) name: String,
    /// The queue family that draws.
    pub(super) family: u32,
}

/// A string of the driver.
pub(super) fn text(string: Result<&CStr, std::ffi::FromBytesUntilNulError>) -> String {
    string.map_or_else(
        |_| "?".to_owned(),
        |string| string.to_string_lossy().into_owned(),
    )
}
