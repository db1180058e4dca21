//! The registers that say how a stage is wired, read by meaning.
//!
//! Positions: AMD's register guide for R6xx and R7xx, chapters of SQ, SPI, DB and CB; the same in Mesa 22.3.6 `r600d.h`.

const fn bits(word: u32, low: u32, width: u32) -> u32 {
    word >> low & (u32::MAX >> (32 - width))
}

/// The registers of a stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StageRegisters {
    /// Those of a vertex shader.
    Vertex(VertexRegisters),
    /// Those of a pixel shader.
    Pixel(PixelRegisters),
}

impl StageRegisters {
    /// NUM_GPRS of SQ_PGM_RESOURCES.
    pub fn gprs(&self) -> u8 {
        let resources = match self {
            Self::Vertex(registers) => registers.sq_pgm_resources_vs,
            Self::Pixel(registers) => registers.sq_pgm_resources_ps,
        };
        bits(resources, 0, 8).min(128) as u8
    }

    pub(crate) fn vertex(&self) -> Option<&VertexRegisters> {
        match self {
            Self::Vertex(registers) => Some(registers),
            Self::Pixel(_) => None,
        }
    }

    pub(crate) fn pixel(&self) -> Option<&PixelRegisters> {
        match self {
            Self::Pixel(registers) => Some(registers),
            Self::Vertex(_) => None,
        }
    }
}

/// The registers of a vertex shader, as words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VertexRegisters {
    /// SQ_PGM_RESOURCES_VS.
    pub sq_pgm_resources_vs: u32,
    /// SPI_VS_OUT_CONFIG.
    pub spi_vs_out_config: u32,
    /// SPI_VS_OUT_ID_0 to SPI_VS_OUT_ID_9.
    pub spi_vs_out_id: [u32; 10],
    /// How many entries of SQ_VTX_SEMANTIC are in use.
    pub semantics_used: u32,
    /// SQ_VTX_SEMANTIC_0 to SQ_VTX_SEMANTIC_31.
    pub sq_vtx_semantic: [u32; 32],
}

impl VertexRegisters {
    /// The semantic id of parameter `param`: four to a word, SPI_VS_OUT_ID.
    pub fn semantic_of_parameter(&self, param: u8) -> Option<u8> {
        let word = self.spi_vs_out_id.get(usize::from(param / 4))?;
        Some(bits(*word, 8 * u32::from(param % 4), 8) as u8)
    }

    /// The register that semantic `id` arrives in: one above the number of the entry that has it.
    pub fn register_of_semantic(&self, id: u8) -> Option<u8> {
        let used = (self.semantics_used as usize).min(32);
        let entries = &self.sq_vtx_semantic[..used];
        let n = entries
            .iter()
            .position(|entry| bits(*entry, 0, 8) == u32::from(id))?;
        Some(n as u8 + 1)
    }
}

/// The registers of a pixel shader, as words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PixelRegisters {
    /// SQ_PGM_RESOURCES_PS.
    pub sq_pgm_resources_ps: u32,
    /// SPI_PS_IN_CONTROL_0.
    pub spi_ps_in_control_0: u32,
    /// SPI_PS_IN_CONTROL_1.
    pub spi_ps_in_control_1: u32,
    /// SPI_PS_INPUT_CNTL_0 to SPI_PS_INPUT_CNTL_31.
    pub spi_ps_input_cntl: [u32; 32],
    /// CB_SHADER_MASK: four bits a target.
    pub cb_shader_mask: u32,
    /// DB_SHADER_CONTROL.
    pub db_shader_control: u32,
}

/// What a register of a pixel shader holds at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PixelInput {
    /// What the vertex shader exports with a semantic id.
    Parameter {
        /// SEMANTIC.
        semantic: u8,
        /// DEFAULT_VAL: the value where it exports no such.
        default: [f32; 4],
        /// FLAT_SHADE.
        flat: bool,
    },
    /// The position in the window; W is that of clip space.
    Position,
    /// Which side faces the viewer.
    FrontFace,
    /// Nothing.
    Unset,
}

impl PixelRegisters {
    /// What register `gpr` holds at the start.
    pub fn input(&self, gpr: u8) -> PixelInput {
        let (control0, control1) = (self.spi_ps_in_control_0, self.spi_ps_in_control_1);
        let number = u32::from(gpr);
        let position_ena = bits(control0, 8, 1) != 0;
        if position_ena && bits(control0, 10, 5) == number {
            return PixelInput::Position;
        }
        if bits(control1, 8, 1) != 0 && bits(control1, 12, 5) == number {
            return PixelInput::FrontFace;
        }
        let interpolated = bits(control0, 0, 6);
        match self.spi_ps_input_cntl.get(usize::from(gpr)) {
            Some(control) if number < interpolated => PixelInput::Parameter {
                semantic: bits(*control, 0, 8) as u8,
                default: match bits(*control, 8, 2) {
                    0 => [0.0; 4],
                    1 => [0.0, 0.0, 0.0, 1.0],
                    2 => [1.0, 1.0, 1.0, 0.0],
                    _ => [1.0; 4],
                },
                flat: bits(*control, 10, 1) != 0,
            },
            _ => PixelInput::Unset,
        }
    }

    /// The channels of colour target `target` that the shader writes, X lowest.
    pub fn target_mask(&self, target: u8) -> u8 {
        bits(self.cb_shader_mask, 4 * u32::from(target & 7), 4) as u8
    }

    /// Z_EXPORT_ENABLE, STENCIL_REF_EXPORT_ENABLE and MASK_EXPORT_ENABLE: which channels of target 61 count.
    pub fn depth_channels(&self) -> [bool; 3] {
        [0, 1, 8].map(|bit| bits(self.db_shader_control, bit, 1) != 0)
    }

    /// CLAMP_CONSTS: whether constants 0 to 7 of the file are clamped to -1 to 1.
    pub fn clamps_constants(&self) -> bool {
        bits(self.sq_pgm_resources_ps, 31, 1) != 0
    }
}
