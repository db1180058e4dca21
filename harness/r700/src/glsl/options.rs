//! What a translation depends on beside the program.

use std::collections::{BTreeMap, BTreeSet};

use super::registers::StageRegisters;
use crate::program::Program;

/// The stage that a program runs in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Stage {
    /// A vertex shader that feeds the rasterizer.
    Vertex,
    /// A pixel shader.
    #[default]
    Pixel,
    /// A geometry shader: refused.
    Geometry,
    /// A compute shader: refused.
    Compute,
}

/// How close a translation keeps to the hardware.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Profile {
    /// Bit for bit where the contract settles the bits: 0 · x = 0, NaN in selections, counts of shifts.
    #[default]
    Exact,
    /// What a port would ship: plain operators and built-in functions.
    Fast,
}

/// The shape of a texture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TextureShape {
    /// A row.
    D1,
    /// A plane.
    #[default]
    D2,
    /// A volume.
    D3,
    /// Six faces.
    Cube,
    /// Planes by layer.
    D2Array,
}

/// What the texels of a texture are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Texel {
    /// Floats, or what a sampler makes floats of.
    #[default]
    Float,
    /// Signed integers.
    Int,
    /// Unsigned integers.
    Uint,
}

/// The kind of a texture resource; by default planes of floats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TextureKind {
    /// Its shape.
    pub shape: TextureShape,
    /// Its texels.
    pub texel: Texel,
    /// Whether it holds depths: sampled without comparison it is a plain texture all the same.
    pub depth: bool,
}

impl TextureKind {
    /// A texture of floats.
    pub const fn float(shape: TextureShape) -> Self {
        Self {
            shape,
            texel: Texel::Float,
            depth: false,
        }
    }
}

/// Where CALL_FS takes attributes from, if there is a fetch shader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Attributes {
    /// Vertex inputs, which hold the elements after the conversion of their format: only register and DST_SEL of
    /// the fetch shader are applied.
    #[default]
    Inputs,
    /// Buffers: the fetches of the fetch shader are translated as those of the program are.
    Buffers,
}

/// The format of a buffer's elements, for fetches with USE_CONST_FIELDS: the fields as the hardware numbers them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ElementFormat {
    /// DATA_FORMAT.
    pub data_format: u8,
    /// NUM_FORMAT_ALL.
    pub num_format: u8,
    /// FORMAT_COMP_ALL: signed or not.
    pub signed: bool,
    /// SRF_MODE_ALL: whether signed normalised formats have no zero.
    pub no_zero: bool,
    /// ENDIAN_SWAP.
    pub endian_swap: u8,
}

/// Everything that a translation depends on beside the program.
///
/// ```
/// use r700::glsl::{Options, Profile, Stage};
///
/// let options = Options { stage: Stage::Vertex, profile: Profile::Fast, ..Options::default() };
/// assert!(options.registers.is_none());
/// ```
#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// The stage.
    pub stage: Stage,
    /// How close to keep to the hardware.
    pub profile: Profile,
    /// The registers that say how the stage is wired; without them register *n* is input *n*.
    pub registers: Option<&'a StageRegisters>,
    /// What CALL_FS runs.
    pub fetch_shader: Option<&'a Program>,
    /// Where the attributes of the fetch shader come from.
    pub attributes: Attributes,
    /// The registers that are set when the program starts, if there is no register block. `None`: all that are read
    /// before they are written, which a compiler may also have on paths that no lane takes.
    pub inputs: Option<BTreeSet<u8>>,
    /// The semantic ids that the vertex shader of the pair exports. `None`: all.
    pub provided: Option<BTreeSet<u8>>,
    /// The kinds of the textures by resource id; planes of floats where there is none.
    pub dimensions: BTreeMap<u8, TextureKind>,
    /// Bytes from an element to the next, by buffer id; 16 where there is none.
    pub strides: BTreeMap<u8, u32>,
    /// The formats of buffers, for fetches with USE_CONST_FIELDS.
    pub formats: BTreeMap<u8, ElementFormat>,
    /// The buffers of which a fetch outside gives the NaN 0xFFC00000 instead of zero.
    pub outside_nan: BTreeSet<u8>,
    /// The registers of a thread. `None`: those that the register block says, else 128 less the temporaries.
    pub gprs: Option<u8>,
    /// The clause temporaries: registers 127 downwards.
    pub clause_temporaries: u8,
    /// Whether all inputs of a pixel shader without register block are flat.
    pub flat_inputs: bool,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            stage: Stage::default(),
            profile: Profile::default(),
            registers: None,
            fetch_shader: None,
            attributes: Attributes::default(),
            inputs: None,
            provided: None,
            dimensions: BTreeMap::new(),
            strides: BTreeMap::new(),
            formats: BTreeMap::new(),
            outside_nan: BTreeSet::new(),
            gprs: None,
            clause_temporaries: 4,
            flat_inputs: false,
        }
    }
}

impl Options<'_> {
    /// The number of registers that are not clause temporaries.
    pub(crate) fn gpr_count(&self) -> u8 {
        let limit = 128 - self.clause_temporaries.min(128);
        let declared = self
            .gprs
            .or_else(|| self.registers.map(StageRegisters::gprs).filter(|n| *n > 0));
        declared.unwrap_or(limit).min(limit)
    }

    /// Whether a register can be written: it belongs to the thread, or is a clause temporary.
    pub(crate) fn has_register(&self, gpr: u8) -> bool {
        gpr < self.gpr_count() || gpr >= 128 - self.clause_temporaries.min(128)
    }

    pub(crate) fn texture_kind(&self, resource: u8) -> TextureKind {
        self.dimensions.get(&resource).copied().unwrap_or_default()
    }

    pub(crate) fn stride(&self, buffer: u8) -> u32 {
        self.strides.get(&buffer).copied().unwrap_or(16)
    }
}
