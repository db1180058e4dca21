//! The microcode's side: registers, constants and resources.

use std::collections::BTreeMap;

use super::{Sampler, Texture, Vec4};

/// The stage that a program runs in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// A vertex shader that feeds the rasterizer.
    Vertex,
    /// A pixel shader.
    Pixel,
}

impl Stage {
    /// Its name in options and files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vertex => "vertex",
            Self::Pixel => "pixel",
        }
    }
}

/// Everything that a run reads beside the program.
#[derive(Clone, Debug, PartialEq)]
pub struct Environment {
    /// The stage.
    pub stage: Stage,
    /// The threads, 1 to 64. In a pixel shader each four are a quad: top left, top right, bottom left, bottom right.
    pub lanes: Vec<Lane>,
    /// The constant file: selects 256 to 511. Entries that are missing are unsettled.
    pub constants: Vec<Vec4>,
    /// The constant buffers by bank, 0 to 15. Entries that are missing are unsettled.
    pub blocks: BTreeMap<u8, Vec<Vec4>>,
    /// The 32 boolean constants, number 0 in the lowest bit.
    pub booleans: u32,
    /// The 32 loop constants.
    pub loops: [LoopConstant; 32],
    /// Vertex fetch resources by BUFFER_ID.
    pub buffers: BTreeMap<u8, Buffer>,
    /// Texture resources by RESOURCE_ID.
    pub textures: BTreeMap<u8, Texture>,
    /// Samplers by SAMPLER_ID.
    pub samplers: BTreeMap<u8, Sampler>,
    /// What CALL_FS runs: a program of its own, little-endian.
    pub fetch_shader: Option<Vec<u8>>,
    /// GPR that semantic id *n* arrives in, for SEMANTIC fetches.
    pub semantics: BTreeMap<u8, u8>,
    /// The number of GPRs of a thread: 0 to this less one. Not the clause temporaries.
    pub gprs: u8,
    /// The number of clause temporaries: registers 127 downwards.
    pub clause_temporaries: u8,
}

impl Environment {
    /// An environment without lanes, constants or resources, with 124 GPRs and 4 clause temporaries.
    pub fn new(stage: Stage) -> Self {
        Self {
            stage,
            lanes: Vec::new(),
            constants: Vec::new(),
            blocks: BTreeMap::new(),
            booleans: 0,
            loops: [LoopConstant::MESA; 32],
            buffers: BTreeMap::new(),
            textures: BTreeMap::new(),
            samplers: BTreeMap::new(),
            fetch_shader: None,
            semantics: BTreeMap::new(),
            gprs: 124,
            clause_temporaries: 4,
        }
    }
}

/// A thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lane {
    /// The registers that are set when it starts. All others are unsettled until written.
    pub registers: BTreeMap<u8, Vec4>,
    /// Whether it is a helper: a pixel that is not covered, run for the derivatives of its quad. It exports nothing.
    pub helper: bool,
}

/// The word of a loop constant: COUNT\[11:0\], INIT\[23:12\], INC\[31:24\] signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopConstant(pub u32);

impl LoopConstant {
    /// Count 4095, from 0 in steps of 1: what compilers preset.
    pub const MESA: Self = Self(0x0100_0fff);

    /// A constant of these parts; bits beyond their fields are dropped.
    pub const fn new(count: u32, init: u32, step: i8) -> Self {
        Self(count & 0xfff | (init & 0xfff) << 12 | (step as u8 as u32) << 24)
    }
}

/// A vertex fetch resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Bytes from one element to the next.
    pub stride: u32,
    /// The bytes, as the memory holds them.
    pub bytes: Vec<u8>,
    /// The format, for fetches with USE_CONST_FIELDS.
    pub format: Option<BufferFormat>,
    /// What a fetch outside gives.
    pub outside: Outside,
}

/// The format fields of a vertex fetch resource, as the hardware numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferFormat {
    /// DATA_FORMAT.
    pub data_format: u8,
    /// NUM_FORMAT_ALL.
    pub num_format: u8,
    /// FORMAT_COMP_ALL.
    pub format_comp: u8,
    /// SRF_MODE_ALL.
    pub srf_mode: u8,
    /// ENDIAN_SWAP.
    pub endian_swap: u8,
}

/// What a fetch outside a buffer gives: CLAMP_X of the resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outside {
    /// Zero.
    #[default]
    Zero,
    /// The NaN 0xFFC00000.
    Nan,
}
