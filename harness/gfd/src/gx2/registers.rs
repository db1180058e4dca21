//! Register blocks at the start of the shader structures (wut `include/gx2/shaders.h`).

use crate::word::structure;

/// One register of a block, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register<'s> {
    /// The register's name in wut, without the `regs.` before it.
    pub name: &'static str,
    /// Its value, or the values of an array of registers.
    pub values: &'s [u32],
    /// Whether it is an array.
    pub is_array: bool,
}

/// A register or an array of registers.
trait Values {
    const IS_ARRAY: bool;
    fn values(&self) -> &[u32];
}

impl Values for u32 {
    const IS_ARRAY: bool = false;
    fn values(&self) -> &[u32] {
        std::slice::from_ref(self)
    }
}

impl<const N: usize> Values for [u32; N] {
    const IS_ARRAY: bool = true;
    fn values(&self) -> &[u32] {
        self
    }
}

/// A [`structure!`] of registers, which can also be listed by name.
macro_rules! registers {
    (
        $(#[$meta:meta])*
        pub struct $name:ident: $end:literal {
            $($offset:literal $field:ident: $type:ty,)*
        }
    ) => {
        structure! {
            $(#[$meta])*
            pub struct $name: 0x00 .. $end {
                $(
                    #[doc = concat!("`", stringify!($field), "`")]
                    $offset $field: $type,
                )*
            }
        }

        impl $name {
            /// Every register by name, in the structure's order.
            pub fn list(&self) -> Vec<Register<'_>> {
                vec![$(Register {
                    name: stringify!($field),
                    values: self.$field.values(),
                    is_array: <$type as Values>::IS_ARRAY,
                },)*]
            }
        }
    };
}

registers! {
    /// Registers of GX2VertexShader.
    pub struct VertexRegisters: 0xD0 {
        0x00 sq_pgm_resources_vs: u32,
        0x04 vgt_primitiveid_en: u32,
        0x08 spi_vs_out_config: u32,
        0x0C num_spi_vs_out_id: u32,
        0x10 spi_vs_out_id: [u32; 10],
        0x38 pa_cl_vs_out_cntl: u32,
        0x3C sq_vtx_semantic_clear: u32,
        0x40 num_sq_vtx_semantic: u32,
        0x44 sq_vtx_semantic: [u32; 32],
        0xC4 vgt_strmout_buffer_en: u32,
        0xC8 vgt_vertex_reuse_block_cntl: u32,
        0xCC vgt_hos_reuse_depth: u32,
    }
}

registers! {
    /// Registers of GX2PixelShader.
    pub struct PixelRegisters: 0xA4 {
        0x00 sq_pgm_resources_ps: u32,
        0x04 sq_pgm_exports_ps: u32,
        0x08 spi_ps_in_control_0: u32,
        0x0C spi_ps_in_control_1: u32,
        0x10 num_spi_ps_input_cntl: u32,
        0x14 spi_ps_input_cntls: [u32; 32],
        0x94 cb_shader_mask: u32,
        0x98 cb_shader_control: u32,
        0x9C db_shader_control: u32,
        0xA0 spi_input_z: u32,
    }
}

registers! {
    /// Registers of GX2GeometryShader.
    pub struct GeometryRegisters: 0x4C {
        0x00 sq_pgm_resources_gs: u32,
        0x04 vgt_gs_out_prim_type: u32,
        0x08 vgt_gs_mode: u32,
        0x0C pa_cl_vs_out_cntl: u32,
        0x10 sq_pgm_resources_vs: u32,
        0x14 sq_gs_vert_itemsize: u32,
        0x18 spi_vs_out_config: u32,
        0x1C num_spi_vs_out_id: u32,
        0x20 spi_vs_out_id: [u32; 10],
        0x48 vgt_strmout_buffer_en: u32,
    }
}

registers! {
    /// Registers of GX2ComputeShader, whose names nobody has published.
    ///
    /// Single source: kinnay/Nintendo-File-Formats, `src/libs/wiiu/gx2.md`; wut does not have the structure.
    pub struct ComputeRegisters: 0x30 {
        0x00 word: [u32; 12],
    }
}
