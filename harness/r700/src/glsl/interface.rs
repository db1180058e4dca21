//! What a translation reads and writes.

use std::fmt;

use super::options::TextureKind;

/// Everything that a translation reads and writes, by the places of the contract.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Interface {
    /// Input variables, by location.
    pub inputs: Vec<Input>,
    /// Output variables.
    pub outputs: Vec<Output>,
    /// Whether the constant file is read: set 0 binding 0.
    pub uniform_registers: bool,
    /// Whether loop constants or booleans are read: set 0 binding 1.
    pub control_constants: bool,
    /// The loop constants that are read, a bit each.
    pub loop_constants: u32,
    /// The boolean constants that are read, a bit each.
    pub booleans: u32,
    /// The constant buffers that are read: set 0 binding 16 and up.
    pub blocks: Vec<u8>,
    /// The textures: set 1.
    pub textures: Vec<Texture>,
    /// The samplers: set 2.
    pub samplers: Vec<Sampler>,
    /// The buffers of vertex fetches: set 3.
    pub buffers: Vec<Buffer>,
    /// Whether `gl_VertexIndex` is read, which R0.x starts with.
    pub vertex_index: bool,
    /// Whether `gl_InstanceIndex` is read, which R0.w starts with.
    pub instance_index: bool,
    /// The register that starts with the position in the window.
    pub position: Option<u8>,
    /// Whether lanes can be discarded.
    pub kills: bool,
    /// Whether registers are the array `R[128]`, because one is addressed relatively.
    pub register_array: bool,
}

/// An input variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Its location.
    pub location: u32,
    /// The register that starts with it.
    pub gpr: u8,
    /// Its name in the source.
    pub name: String,
    /// Whether it is not interpolated.
    pub flat: bool,
    /// The channels that are read before they are written, X lowest.
    pub components: u8,
}

/// What an export goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// `PIXEL` 0 to 7: a colour.
    Pixel(u8),
    /// `PIXEL` 61: depth, stencil and sample mask.
    Depth,
    /// `POS` 60 to 63.
    Position(u8),
    /// `PARAM` 0 to 31.
    Parameter(u8),
}

/// As traces name it: `pixel0`, `pos60`, `param3`.
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pixel(n) => write!(f, "pixel{n}"),
            Self::Depth => f.write_str("pixel61"),
            Self::Position(n) => write!(f, "pos{n}"),
            Self::Parameter(n) => write!(f, "param{n}"),
        }
    }
}

/// Where an output variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// At a location.
    Location(u32),
    /// A built-in variable.
    Builtin(&'static str),
}

/// An output variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// What is exported to it.
    pub target: Target,
    /// Where it is.
    pub place: Place,
    /// Its name in the source.
    pub name: String,
    /// The components that some export writes, X lowest.
    pub components: u8,
}

/// A texture resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Texture {
    /// RESOURCE_ID: the binding.
    pub resource: u8,
    /// Its kind. `depth` is set where it is compared.
    pub kind: TextureKind,
}

/// A sampler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampler {
    /// SAMPLER_ID: the binding.
    pub id: u8,
    /// Whether it compares.
    pub comparison: bool,
}

/// A buffer of vertex fetches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// BUFFER_ID: the binding.
    pub id: u8,
    /// Bytes from one element to the next.
    pub stride: u32,
}
