//! TEX_INST.

/// Where the level of detail of a SAMPLE comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LevelSource {
    /// From derivatives: of the coordinates, or those that were set.
    Derivatives,
    /// `_L`: it is an operand.
    Operand,
    /// `_LB`: from derivatives, and an operand is added.
    Biased,
    /// `_LZ`: zero.
    Zero,
}

/// A form of SAMPLE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sample {
    /// `_C`: the texel is compared with a reference.
    pub compare: bool,
    /// `_G`: with the gradients that were set.
    pub gradients: bool,
    /// The level of detail.
    pub level: LevelSource,
}

/// A texture operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextureOperation {
    /// LD: a texel by its integer coordinates.
    Load,
    /// GET_TEXTURE_RESINFO.
    ResourceInformation,
    /// GET_NUMBER_OF_SAMPLES.
    NumberOfSamples,
    /// GET_LOD.
    LevelOfDetail,
    /// GET_GRADIENTS_H.
    GetGradientsH,
    /// GET_GRADIENTS_V.
    GetGradientsV,
    /// GET_LERP.
    LerpFactors,
    /// KEEP_GRADIENTS.
    KeepGradients,
    /// SET_GRADIENTS_H.
    SetGradientsH,
    /// SET_GRADIENTS_V.
    SetGradientsV,
    /// PASS.
    Pass,
    /// SET_CUBEMAP_INDEX.
    SetCubemapIndex,
    /// FETCH4.
    Fetch4,
    /// SAMPLE and its forms.
    Sample(Sample),
}

impl TextureOperation {
    /// The operation of AMD's name; none for a vertex fetch, a memory read and what is no texture operation.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "LD" => Self::Load,
            "GET_TEXTURE_RESINFO" => Self::ResourceInformation,
            "GET_NUMBER_OF_SAMPLES" => Self::NumberOfSamples,
            "GET_LOD" => Self::LevelOfDetail,
            "GET_GRADIENTS_H" => Self::GetGradientsH,
            "GET_GRADIENTS_V" => Self::GetGradientsV,
            "GET_LERP" => Self::LerpFactors,
            "KEEP_GRADIENTS" => Self::KeepGradients,
            "SET_GRADIENTS_H" => Self::SetGradientsH,
            "SET_GRADIENTS_V" => Self::SetGradientsV,
            "PASS" => Self::Pass,
            "SET_CUBEMAP_INDEX" => Self::SetCubemapIndex,
            "FETCH4" => Self::Fetch4,
            _ => Self::Sample(Sample::suffixed(name.strip_prefix("SAMPLE")?)?),
        })
    }

    /// AMD's name; of all forms of SAMPLE just that.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Load => "LD",
            Self::ResourceInformation => "GET_TEXTURE_RESINFO",
            Self::NumberOfSamples => "GET_NUMBER_OF_SAMPLES",
            Self::LevelOfDetail => "GET_LOD",
            Self::GetGradientsH => "GET_GRADIENTS_H",
            Self::GetGradientsV => "GET_GRADIENTS_V",
            Self::LerpFactors => "GET_LERP",
            Self::KeepGradients => "KEEP_GRADIENTS",
            Self::SetGradientsH => "SET_GRADIENTS_H",
            Self::SetGradientsV => "SET_GRADIENTS_V",
            Self::Pass => "PASS",
            Self::SetCubemapIndex => "SET_CUBEMAP_INDEX",
            Self::Fetch4 => "FETCH4",
            Self::Sample(_) => "SAMPLE",
        }
    }
}

impl Sample {
    /// The form that a suffix means: `_C`, then `_G`, then `_L`, `_LB` or `_LZ`, each or none.
    fn suffixed(suffix: &str) -> Option<Self> {
        let part = |rest: &mut &str, letter| match rest.strip_prefix(letter) {
            // `_C` is the whole part, not the start of a longer one.
            Some(after) if after.is_empty() || after.starts_with('_') => {
                *rest = after;
                true
            }
            _ => false,
        };
        let mut rest = suffix;
        let compare = part(&mut rest, "_C");
        let gradients = part(&mut rest, "_G");
        let level = match rest {
            "" => LevelSource::Derivatives,
            "_L" => LevelSource::Operand,
            "_LB" => LevelSource::Biased,
            "_LZ" => LevelSource::Zero,
            _ => return None,
        };
        Some(Self {
            compare,
            gradients,
            level,
        })
    }
}
