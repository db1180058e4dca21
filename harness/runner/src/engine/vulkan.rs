//! Runs SPIR-V on a Vulkan device: the processor's own (lavapipe) where there is one, else any.
//!
//! What a shader reads and writes goes through buffers, bit for bit: see [`super::patch`]. A vertex run draws a point
//! for each lane with the rasterizer off. A pixel run draws a triangle over so many quads of pixels as the lanes need,
//! into no attachment. A run has any number of launches; they share a pipeline and go to the device in one submission,
//! or in a few when they are large.
//!
//! A compute stage would need another arm where the pipeline is made and where the commands are recorded; buffers,
//! descriptors and the way back are the same. Launches have no such stage yet.
#![allow(unsafe_code)]

mod collect;
mod context;
mod descriptors;
mod instance;
mod launches;
mod owned;
mod placement;
mod program;
mod samplers;
mod textures;

use std::sync::Arc;

use corpora::execution::{Launch, Returned, Stage};

use super::{Engine, Error, Program};
use context::Context;
pub use instance::Unavailable;
pub use program::Prepared;

/// A Vulkan device.
#[derive(Clone)]
pub struct VulkanEngine {
    context: Arc<Context>,
}

impl VulkanEngine {
    /// Opens a device.
    pub fn open() -> Result<Self, Unavailable> {
        Ok(Self {
            context: Arc::new(Context::open()?),
        })
    }

    /// What runs, for options and reports.
    pub fn name(&self) -> &str {
        "vulkan"
    }

    /// The device and its driver, with versions.
    pub fn version(&self) -> String {
        self.context.version.clone()
    }

    /// Whether lanes can be made real helpers. Otherwise what helpers store in buffers is seen.
    pub fn has_helpers(&self) -> bool {
        self.context.demote
    }

    /// Makes a pipeline of a module's entry point of a stage.
    ///
    /// Where `spirv-val` is installed it is asked first: drivers trust what they are given, and an invalid module may
    /// end the process.
    pub fn prepare(&self, spirv: &[u32], stage: Stage) -> Result<Prepared, Error> {
        Prepared::new(&self.context, spirv, stage)
    }

    /// Runs it once for each launch. One answer for each, in order.
    pub fn run(&self, prepared: &Prepared, launches: &[Launch]) -> Result<Vec<Returned>, Error> {
        launches::run(prepared, launches)
    }
}

impl Engine for VulkanEngine {
    fn name(&self) -> &str {
        self.name()
    }

    fn version(&self) -> String {
        self.version()
    }

    fn prepare(&self, spirv: &[u32], stage: Stage) -> Result<Box<dyn Program>, Error> {
        Ok(Box::new(self.prepare(spirv, stage)?))
    }
}

impl Program for Prepared {
    fn run(&self, launches: &[Launch]) -> Result<Vec<Returned>, Error> {
        launches::run(self, launches)
    }
}

#[cfg(test)]
mod tests;
