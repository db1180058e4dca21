//! The four shader structures (wut `include/gx2/shaders.h`), without the counts and pointers of their arrays.

use super::{ComputeRegisters, GeometryRegisters, PixelRegisters, Register, VertexRegisters};
use crate::ShaderMode;
use crate::word::{Field, structure};

/// The stage of a shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Vertex shader.
    Vertex,
    /// Pixel shader.
    Pixel,
    /// Geometry shader.
    Geometry,
    /// Compute shader.
    Compute,
}

/// Where the parts of a stage's structure are, in bytes from its start.
#[derive(Debug)]
pub(crate) struct Layout {
    /// The structure's size.
    pub(crate) size: usize,
    /// The first of the (count, pointer) pairs, of eight bytes each.
    arrays: usize,
    /// How many pairs there are: five, and a sixth for attributes.
    pub(crate) array_count: usize,
}

/// An array of a shader structure; its number is its place in the structure's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Array {
    UniformBlocks,
    UniformVars,
    InitialValues,
    LoopVars,
    SamplerVars,
    AttribVars,
}

impl Layout {
    /// Where the word with an array's count is; its pointer follows.
    #[inline]
    pub(crate) fn count_at(&self, array: usize) -> usize {
        self.arrays + 8 * array
    }

    /// Where the word with an array's pointer is.
    #[inline]
    pub(crate) fn pointer_at(&self, array: usize) -> usize {
        self.count_at(array) + 4
    }
}

impl Stage {
    #[inline]
    pub(crate) fn layout(self) -> &'static Layout {
        match self {
            Stage::Vertex => &Layout {
                size: 0x134,
                arrays: 0xDC,
                array_count: 6,
            },
            Stage::Pixel => &Layout {
                size: 0xE8,
                arrays: 0xB0,
                array_count: 5,
            },
            Stage::Geometry => &Layout {
                size: 0xB0,
                arrays: 0x60,
                array_count: 5,
            },
            Stage::Compute => &Layout {
                size: 0x84,
                arrays: 0x38,
                array_count: 5,
            },
        }
    }

    /// Size of the stage's structure in bytes, counts and pointers included.
    pub fn struct_size(self) -> usize {
        self.layout().size
    }
}

structure! {
    /// A buffer that a shader carries for a resource library (wut `include/gx2r/buffer.h`, GX2RBuffer).
    pub struct RBuffer: 0x0 .. 0x10 {
        /// Resource flags.
        0x0 flags: u32,
        /// Bytes an element.
        0x4 elem_size: u32,
        /// Number of elements.
        0x8 elem_count: u32,
        /// Address at run time; 0 in files.
        0xC buffer: u32,
    }
}

structure! {
    /// GX2VertexShader.
    pub struct VertexShader: 0x000 .. 0x134, without 0x0DC .. 0x10C {
        /// Registers.
        0x000 regs: VertexRegisters,
        /// Size of the program in bytes.
        0x0D0 size: u32,
        /// Address of the program at run time; 0 in files.
        0x0D4 program: u32,
        /// Mode of the shader.
        0x0D8 mode: ShaderMode,
        /// Size of a vertex in the ring buffer of a geometry shader.
        0x10C ring_item_size: u32,
        /// Whether the shader streams out.
        0x110 has_stream_out: u32,
        /// Strides of the four stream-out buffers.
        0x114 stream_out_stride: [u32; 4],
        /// Buffer of the resource library.
        0x124 r_buffer: RBuffer,
    }
}

structure! {
    /// GX2PixelShader.
    pub struct PixelShader: 0x00 .. 0xE8, without 0xB0 .. 0xD8 {
        /// Registers.
        0x00 regs: PixelRegisters,
        /// Size of the program in bytes.
        0xA4 size: u32,
        /// Address of the program at run time; 0 in files.
        0xA8 program: u32,
        /// Mode of the shader.
        0xAC mode: ShaderMode,
        /// Buffer of the resource library.
        0xD8 r_buffer: RBuffer,
    }
}

structure! {
    /// GX2GeometryShader.
    pub struct GeometryShader: 0x00 .. 0xB0, without 0x60 .. 0x88 {
        /// Registers.
        0x00 regs: GeometryRegisters,
        /// Size of the program in bytes.
        0x4C size: u32,
        /// Address of the program at run time.
        0x50 program: u32,
        /// Size of the copy program in bytes.
        0x54 vertex_program_size: u32,
        /// Address of the copy program at run time.
        0x58 vertex_program: u32,
        /// Mode of the shader.
        0x5C mode: ShaderMode,
        /// Size of a vertex in the ring buffer.
        0x88 ring_item_size: u32,
        /// Whether the shader streams out.
        0x8C has_stream_out: u32,
        /// Strides of the four stream-out buffers.
        0x90 stream_out_stride: [u32; 4],
        /// Buffer of the resource library.
        0xA0 r_buffer: RBuffer,
    }
}

structure! {
    /// GX2ComputeShader.
    ///
    /// Single source: kinnay/Nintendo-File-Formats, `src/libs/wiiu/gx2.md`; wut does not have the structure.
    pub struct ComputeShader: 0x00 .. 0x84, without 0x38 .. 0x60 {
        /// Registers.
        0x00 regs: ComputeRegisters,
        /// Size of the program in bytes.
        0x30 size: u32,
        /// Address of the program at run time.
        0x34 program: u32,
        /// Threads of a work group along x.
        0x60 work_group_size_x: u32,
        /// Threads of a work group along y.
        0x64 work_group_size_y: u32,
        /// Threads of a work group along z.
        0x68 work_group_size_z: u32,
        /// Flag for work groups of more than 64 threads.
        0x6C over_64_mode: u32,
        /// Waves for each SIMD unit.
        0x70 num_waves_per_simd: u32,
        /// Buffer of the resource library.
        0x74 r_buffer: RBuffer,
    }
}

/// A shader structure of any stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(
    clippy::large_enum_variant,
    reason = "a value that is looked at and dropped"
)]
pub enum ShaderStruct {
    /// Of a vertex shader.
    Vertex(VertexShader),
    /// Of a pixel shader.
    Pixel(PixelShader),
    /// Of a geometry shader.
    Geometry(GeometryShader),
    /// Of a compute shader.
    Compute(ComputeShader),
}

impl ShaderStruct {
    pub(crate) fn read(stage: Stage, data: &[u8]) -> ShaderStruct {
        match stage {
            Stage::Vertex => ShaderStruct::Vertex(Field::read(data, 0)),
            Stage::Pixel => ShaderStruct::Pixel(Field::read(data, 0)),
            Stage::Geometry => ShaderStruct::Geometry(Field::read(data, 0)),
            Stage::Compute => ShaderStruct::Compute(Field::read(data, 0)),
        }
    }

    pub(crate) fn write(&self, data: &mut [u8]) {
        match self {
            ShaderStruct::Vertex(shader) => shader.write(data, 0),
            ShaderStruct::Pixel(shader) => shader.write(data, 0),
            ShaderStruct::Geometry(shader) => shader.write(data, 0),
            ShaderStruct::Compute(shader) => shader.write(data, 0),
        }
    }

    /// The stage.
    pub fn stage(&self) -> Stage {
        match self {
            ShaderStruct::Vertex(_) => Stage::Vertex,
            ShaderStruct::Pixel(_) => Stage::Pixel,
            ShaderStruct::Geometry(_) => Stage::Geometry,
            ShaderStruct::Compute(_) => Stage::Compute,
        }
    }

    /// Every register by name, in the structure's order; a compute shader has one array, `word`.
    pub fn registers(&self) -> Vec<Register<'_>> {
        match self {
            ShaderStruct::Vertex(shader) => shader.regs.list(),
            ShaderStruct::Pixel(shader) => shader.regs.list(),
            ShaderStruct::Geometry(shader) => shader.regs.list(),
            ShaderStruct::Compute(shader) => shader.regs.list(),
        }
    }

    /// Size of the program in bytes.
    pub fn size(&self) -> u32 {
        match self {
            ShaderStruct::Vertex(shader) => shader.size,
            ShaderStruct::Pixel(shader) => shader.size,
            ShaderStruct::Geometry(shader) => shader.size,
            ShaderStruct::Compute(shader) => shader.size,
        }
    }

    pub(crate) fn size_mut(&mut self) -> &mut u32 {
        match self {
            ShaderStruct::Vertex(shader) => &mut shader.size,
            ShaderStruct::Pixel(shader) => &mut shader.size,
            ShaderStruct::Geometry(shader) => &mut shader.size,
            ShaderStruct::Compute(shader) => &mut shader.size,
        }
    }

    /// Address of the program at run time.
    pub fn program(&self) -> u32 {
        match self {
            ShaderStruct::Vertex(shader) => shader.program,
            ShaderStruct::Pixel(shader) => shader.program,
            ShaderStruct::Geometry(shader) => shader.program,
            ShaderStruct::Compute(shader) => shader.program,
        }
    }

    /// Mode of the shader; a compute shader has none.
    pub fn mode(&self) -> Option<ShaderMode> {
        match self {
            ShaderStruct::Vertex(shader) => Some(shader.mode),
            ShaderStruct::Pixel(shader) => Some(shader.mode),
            ShaderStruct::Geometry(shader) => Some(shader.mode),
            ShaderStruct::Compute(_) => None,
        }
    }

    /// Buffer of the resource library.
    pub fn r_buffer(&self) -> RBuffer {
        match self {
            ShaderStruct::Vertex(shader) => shader.r_buffer,
            ShaderStruct::Pixel(shader) => shader.r_buffer,
            ShaderStruct::Geometry(shader) => shader.r_buffer,
            ShaderStruct::Compute(shader) => shader.r_buffer,
        }
    }
}
