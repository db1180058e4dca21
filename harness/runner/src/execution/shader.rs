//! A shader to judge: a program and what it depends on beside its inputs.

use std::collections::{BTreeMap, BTreeSet};

use corpora::execution::{Dimension, Environment, Outside, Stage};
use r700::glsl::{
    self, ElementFormat, Options, Profile, StageRegisters, Texel, TextureKind, TextureShape,
    Translation,
};
use r700::{Chip, program};

/// A program with its stage and surroundings.
#[derive(Clone, Debug)]
pub struct Shader {
    /// Where it is from, for reports.
    pub origin: String,
    /// The program, little-endian.
    pub bytes: Vec<u8>,
    /// The chip.
    pub chip: Chip,
    /// The stage.
    pub stage: Stage,
    /// The registers that the stage is set up with, if they are known.
    pub registers: Option<StageRegisters>,
    /// What CALL_FS runs.
    pub fetch_shader: Option<Vec<u8>>,
    /// Kinds of textures, by resource id; planes of floats where there is none.
    pub textures: BTreeMap<u8, TextureKind>,
    /// Bytes from an element to the next, by buffer id.
    pub strides: BTreeMap<u8, u32>,
    /// The formats of buffers, by buffer id.
    pub formats: BTreeMap<u8, ElementFormat>,
    /// The buffers of which a fetch outside gives a NaN.
    pub outside_nan: BTreeSet<u8>,
    /// The registers that are set at the start, if that is known.
    pub inputs: Option<BTreeSet<u8>>,
}

/// Why there is no translation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotTranslated {
    /// It is no program.
    #[error("{0}")]
    Program(r700::Error),
    /// The fetch shader is no program.
    #[error("fetch shader: {0}")]
    FetchShader(r700::Error),
    /// The translator refuses.
    #[error("{0}")]
    Refused(glsl::Refusal),
}

impl Shader {
    /// A program of R700 without anything beside.
    pub fn new(origin: impl Into<String>, bytes: Vec<u8>, stage: Stage) -> Self {
        Self {
            origin: origin.into(),
            bytes,
            chip: Chip::R700,
            stage,
            registers: None,
            fetch_shader: None,
            textures: BTreeMap::new(),
            strides: BTreeMap::new(),
            formats: BTreeMap::new(),
            outside_nan: BTreeSet::new(),
            inputs: None,
        }
    }

    /// Translates it.
    ///
    /// # Errors
    ///
    /// If it is no program, or the translator refuses it.
    pub fn translate(&self, profile: Profile) -> Result<Translation, NotTranslated> {
        let decoded = program::decode(&self.bytes, self.chip).map_err(NotTranslated::Program)?;
        let fetches = self
            .fetch_shader
            .as_ref()
            .map(|bytes| program::decode(bytes, self.chip).map_err(NotTranslated::FetchShader))
            .transpose()?;
        let options = Options {
            stage: match self.stage {
                Stage::Vertex => glsl::Stage::Vertex,
                Stage::Pixel => glsl::Stage::Pixel,
            },
            profile,
            registers: self.registers.as_ref(),
            fetch_shader: fetches.as_ref(),
            attributes: glsl::Attributes::Buffers,
            dimensions: self.textures.clone(),
            strides: self.strides.clone(),
            formats: self.formats.clone(),
            outside_nan: self.outside_nan.clone(),
            inputs: self.inputs.clone(),
            ..Options::default()
        };
        glsl::translate(&decoded, &options).map_err(NotTranslated::Refused)
    }

    /// Takes the registers that the lanes of an environment start with for all that are set.
    #[must_use]
    pub fn starting_with(mut self, environment: &Environment) -> Self {
        let registers = environment
            .lanes
            .iter()
            .flat_map(|lane| lane.registers.keys());
        self.inputs = Some(registers.copied().collect());
        self
    }

    /// Takes the kinds of textures, what is to know of buffers and the fetch shader from an environment.
    #[must_use]
    pub fn in_environment(mut self, environment: &Environment) -> Self {
        for (&id, texture) in &environment.textures {
            let shape = match texture.dimension {
                Dimension::D1 => TextureShape::D1,
                Dimension::D2 => TextureShape::D2,
                Dimension::D3 => TextureShape::D3,
                Dimension::Cube => TextureShape::Cube,
                Dimension::D2Array => TextureShape::D2Array,
            };
            let mut kind = TextureKind::float(shape);
            if texture.integer {
                kind.texel = Texel::Uint;
            }
            self.textures.entry(id).or_insert(kind);
        }
        for (&id, buffer) in &environment.buffers {
            self.strides.insert(id, buffer.stride);
            if let Some(format) = buffer.format {
                self.formats.insert(
                    id,
                    ElementFormat {
                        data_format: format.data_format,
                        num_format: format.num_format,
                        signed: format.format_comp != 0,
                        no_zero: format.srf_mode != 0,
                        endian_swap: format.endian_swap,
                    },
                );
            }
            if buffer.outside == Outside::Nan {
                self.outside_nan.insert(id);
            }
        }
        self.fetch_shader.clone_from(&environment.fetch_shader);
        self
    }

    /// Completes an environment with what the shader itself says.
    pub fn surround(&self, environment: &mut Environment) {
        if self.fetch_shader.is_some() {
            environment.fetch_shader.clone_from(&self.fetch_shader);
        }
        if let Some(registers) = &self.registers {
            match registers.gprs() {
                0 => {}
                gprs => environment.gprs = gprs,
            }
        }
    }
}
