//! The GX2 structures that header blocks hold, as plain values (wut `include/gx2/shaders.h`, `surface.h`, `texture.h`).

mod element;
mod registers;
mod shader;
mod texture;

pub use element::{
    AttribVar, Elements, InitialValue, LoopVar, Name, SamplerVar, UniformBlock, UniformVar,
};
pub(crate) use element::{Element, Text};
pub use registers::{
    ComputeRegisters, GeometryRegisters, PixelRegisters, Register, VertexRegisters,
};
pub(crate) use shader::{Array, Layout};
pub use shader::{
    ComputeShader, GeometryShader, PixelShader, RBuffer, ShaderStruct, Stage, VertexShader,
};
pub use texture::Texture;
