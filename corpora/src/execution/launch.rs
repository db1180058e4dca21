//! The translation's side: what an engine is given and what it gives back.

use std::collections::BTreeMap;

use super::{Sampler, Stage, Texture, Vec4};

/// A descriptor: DescriptorSet and Binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot {
    /// DescriptorSet.
    pub set: u32,
    /// Binding.
    pub binding: u32,
}

impl Slot {
    /// The descriptor of this set and binding.
    pub const fn new(set: u32, binding: u32) -> Self {
        Self { set, binding }
    }
}

/// A run of a SPIR-V module.
#[derive(Clone, Debug, PartialEq)]
pub struct Launch {
    /// The stage; the module has one entry point of it.
    pub stage: Stage,
    /// The invocations. In a pixel shader each four are a quad: top left, top right, bottom left, bottom right.
    pub lanes: Vec<Invocation>,
    /// Uniform buffers.
    pub uniforms: BTreeMap<Slot, Vec<u8>>,
    /// Storage buffers. What is written to them is returned.
    pub storage: BTreeMap<Slot, Vec<u8>>,
    /// Images.
    pub textures: BTreeMap<Slot, Texture>,
    /// Samplers.
    pub samplers: BTreeMap<Slot, Sampler>,
}

impl Launch {
    /// A launch without lanes or resources.
    pub fn new(stage: Stage) -> Self {
        Self {
            stage,
            lanes: Vec::new(),
            uniforms: BTreeMap::new(),
            storage: BTreeMap::new(),
            textures: BTreeMap::new(),
            samplers: BTreeMap::new(),
        }
    }
}

/// An invocation's own inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Invocation {
    /// Input variables by Location. A variable with fewer than four components takes the first of them.
    pub inputs: BTreeMap<u32, Vec4>,
    /// VertexIndex.
    pub vertex_index: u32,
    /// InstanceIndex.
    pub instance_index: u32,
    /// FragCoord.
    pub frag_coord: Vec4,
    /// FrontFacing.
    pub front_facing: bool,
    /// Whether it is a helper, which writes nothing.
    pub helper: bool,
}

/// What a run gives back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Returned {
    /// One for each invocation, in order.
    pub lanes: Vec<LaneReturn>,
    /// The storage buffers after the run.
    pub storage: BTreeMap<Slot, Vec<u8>>,
}

/// An invocation's outputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaneReturn {
    /// Whether it was discarded. Its outputs then mean nothing.
    pub killed: bool,
    /// Output variables by Location. Missing components are 0.
    pub outputs: BTreeMap<u32, Vec4>,
    /// Position.
    pub position: Option<Vec4>,
    /// PointSize.
    pub point_size: Option<u32>,
    /// ClipDistance.
    pub clip_distances: Vec<u32>,
    /// FragDepth.
    pub frag_depth: Option<u32>,
    /// SampleMask, word 0.
    pub sample_mask: Option<u32>,
}
