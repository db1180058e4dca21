//! Inputs of a run as a file: what `assay r700 diff --inputs` reads.
//!
//! ```toml
//! stage  = "pixel"                                     # or "vertex"
//! lanes  = [ { R0 = ["0x3f800000", 0.5, 0.0, 1.0] } ]  # the registers that a lane starts with; words or floats
//! blocks = { 1 = [[1.0, 0.0, 0.0, 0.0]] }              # constant buffers by bank
//! constants = [[0.0, 0.0, 0.0, 0.0]]                   # the constant file, from entry 0 on
//! booleans  = "0x3"
//! loops     = { 0 = "0x01000004" }
//!
//! [buffers.160]
//! stride = 16
//! words  = ["0x3f800000", 0.0, 0.0, 1.0]
//! format = { data_format = 35 }                        # also num_format, format_comp, srf_mode, endian_swap; outside_nan = true
//!
//! [textures.0]
//! dimension = "2d"                                     # 1d, 2d, 3d, cube, 2d-array
//! size      = [1, 1, 1]
//! levels    = [[[1.0, 0.5, 0.0, 1.0]]]
//!
//! [samplers.0]
//! mag = "linear"                                       # also min, mip, wrap = ["repeat", …], compare, min_lod …
//! ```

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde::Deserialize;

use super::cases::{RawWord, vec4};
use super::{
    Buffer, BufferFormat, Compare, Dimension, Environment, Filter, Lane, LoopConstant, Outside,
    Sampler, Stage, Texture, Wrap,
};

/// Reads inputs.
///
/// # Errors
///
/// One line: where the text is not TOML or has another key, or which value cannot be meant.
pub fn parse(text: &str) -> Result<Environment, String> {
    let raw: RawEnvironment = toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        let line = text.get(..start).unwrap_or(text).lines().count().max(1);
        format!("line {line}: {}", error.message().replace('\n', " "))
    })?;
    raw.read()
}

/// The environment as files write it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawEnvironment {
    pub(super) stage: String,
    pub(super) lanes: Vec<BTreeMap<String, [RawWord; 4]>>,
    #[serde(default)]
    pub(super) constants: Vec<[RawWord; 4]>,
    #[serde(default)]
    pub(super) blocks: BTreeMap<String, Vec<[RawWord; 4]>>,
    pub(super) booleans: Option<RawWord>,
    #[serde(default)]
    pub(super) loops: BTreeMap<String, RawWord>,
    pub(super) gprs: Option<u8>,
    pub(super) clause_temporaries: Option<u8>,
    #[serde(default)]
    pub(super) buffers: BTreeMap<String, RawBuffer>,
    #[serde(default)]
    pub(super) textures: BTreeMap<String, RawTexture>,
    #[serde(default)]
    pub(super) samplers: BTreeMap<String, RawSampler>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawBuffer {
    stride: u32,
    words: Vec<RawWord>,
    #[serde(default)]
    outside_nan: bool,
    format: Option<RawFormat>,
}

/// A buffer's format, by the hardware's numbers.
#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFormat {
    data_format: u8,
    #[serde(default)]
    num_format: u8,
    #[serde(default)]
    format_comp: u8,
    #[serde(default)]
    srf_mode: u8,
    #[serde(default)]
    endian_swap: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawTexture {
    dimension: String,
    size: [u32; 3],
    levels: Vec<Vec<[RawWord; 4]>>,
    #[serde(default)]
    integer: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawSampler {
    mag: Option<String>,
    min: Option<String>,
    mip: Option<String>,
    wrap: Option<[String; 3]>,
    border: Option<[RawWord; 4]>,
    compare: Option<String>,
    min_lod: Option<f32>,
    max_lod: Option<f32>,
    lod_bias: Option<f32>,
}

/// The number in a key, below `limit`.
fn number(key: &str, what: &str, limit: u8) -> Result<u8, String> {
    let number: Option<u8> = key.parse().ok();
    number
        .filter(|number| *number < limit)
        .ok_or_else(|| format!("{what} {key:?}: 0 to {}", limit - 1))
}

/// The value that a name stands for.
fn named<T: Copy>(what: &str, name: &str, names: &[(&str, T)]) -> Result<T, String> {
    let found = names.iter().find(|(known, _)| *known == name);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let allowed: Vec<_> = names.iter().map(|(known, _)| *known).collect();
        format!("{what} {name:?}: {}", allowed.join(", "))
    })
}

impl RawEnvironment {
    pub(super) fn read(&self) -> Result<Environment, String> {
        let stages = [("vertex", Stage::Vertex), ("pixel", Stage::Pixel)];
        let mut environment = Environment::new(named("stage", &self.stage, &stages)?);
        if !(1..=super::MAX_LANES).contains(&self.lanes.len()) {
            return Err(format!(
                "{} lanes: a wavefront has 1 to {}",
                self.lanes.len(),
                super::MAX_LANES
            ));
        }
        for lane in &self.lanes {
            let mut registers = BTreeMap::new();
            for (name, words) in lane {
                let Some(digits) = name.strip_prefix('R') else {
                    return Err(format!("{name:?} is no register: R0 to R127"));
                };
                registers.insert(number(digits, "register R", 128)?, vec4(words)?);
            }
            environment.lanes.push(Lane {
                registers,
                helper: false,
            });
        }
        environment.constants = self.constants.iter().map(vec4).collect::<Result<_, _>>()?;
        for (bank, entries) in &self.blocks {
            let entries = entries.iter().map(vec4).collect::<Result<_, _>>()?;
            environment
                .blocks
                .insert(number(bank, "bank", 16)?, entries);
        }
        if let Some(booleans) = &self.booleans {
            environment.booleans = booleans.given()?;
        }
        for (at, word) in &self.loops {
            let at = usize::from(number(at, "loop constant", 32)?);
            environment.loops[at] = LoopConstant(word.given()?);
        }
        if let Some(gprs) = self.gprs {
            environment.gprs = gprs;
        }
        if let Some(temporaries) = self.clause_temporaries {
            environment.clause_temporaries = temporaries;
        }
        for (id, buffer) in &self.buffers {
            environment
                .buffers
                .insert(number(id, "buffer", 255)?, buffer.read()?);
        }
        for (id, texture) in &self.textures {
            let texture = texture
                .read()
                .map_err(|why| format!("texture {id}: {why}"))?;
            environment
                .textures
                .insert(number(id, "texture", 255)?, texture);
        }
        for (id, sampler) in &self.samplers {
            environment
                .samplers
                .insert(number(id, "sampler", 18)?, sampler.read()?);
        }
        Ok(environment)
    }
}

impl RawBuffer {
    fn read(&self) -> Result<Buffer, String> {
        let words: Result<Vec<u32>, _> = self.words.iter().map(RawWord::given).collect();
        Ok(Buffer {
            stride: self.stride,
            bytes: words?.iter().flat_map(|word| word.to_le_bytes()).collect(),
            format: self.format.map(|format| BufferFormat {
                data_format: format.data_format,
                num_format: format.num_format,
                format_comp: format.format_comp,
                srf_mode: format.srf_mode,
                endian_swap: format.endian_swap,
            }),
            outside: if self.outside_nan {
                Outside::Nan
            } else {
                Outside::Zero
            },
        })
    }
}

/// Texels in one direction.
const SIZES: RangeInclusive<u32> = 1..=Texture::MAX_SIZE;

impl RawTexture {
    fn read(&self) -> Result<Texture, String> {
        let dimensions = [
            ("1d", Dimension::D1),
            ("2d", Dimension::D2),
            ("3d", Dimension::D3),
            ("cube", Dimension::Cube),
            ("2d-array", Dimension::D2Array),
        ];
        if let Some(size) = self.size.iter().find(|size| !SIZES.contains(size)) {
            return Err(format!(
                "size {size}: {} to {} in each direction",
                SIZES.start(),
                SIZES.end()
            ));
        }
        let mut texture = Texture {
            dimension: named("dimension", &self.dimension, &dimensions)?,
            size: self.size,
            levels: Vec::new(),
            integer: self.integer,
        };
        for (level, texels) in self.levels.iter().enumerate() {
            let texels: Vec<_> = texels.iter().map(vec4).collect::<Result<_, _>>()?;
            let size = texture.level_size(level as u32);
            let wanted: u64 = size.iter().map(|&size| u64::from(size)).product();
            if texels.len() as u64 != wanted {
                let [x, y, z] = size;
                return Err(format!(
                    "level {level} has {} texels, not {x} * {y} * {z}",
                    texels.len()
                ));
            }
            texture.levels.push(texels);
        }
        if texture.levels.is_empty() {
            return Err("no level".to_owned());
        }
        Ok(texture)
    }
}

impl RawSampler {
    fn read(&self) -> Result<Sampler, String> {
        let filters = [("point", Filter::Point), ("linear", Filter::Linear)];
        let wraps = [
            ("repeat", Wrap::Repeat),
            ("mirror", Wrap::Mirror),
            ("clamp-to-edge", Wrap::ClampToEdge),
            ("clamp-to-border", Wrap::ClampToBorder),
        ];
        let compares = [
            ("never", Compare::Never),
            ("less", Compare::Less),
            ("equal", Compare::Equal),
            ("less-equal", Compare::LessEqual),
            ("greater", Compare::Greater),
            ("not-equal", Compare::NotEqual),
            ("greater-equal", Compare::GreaterEqual),
            ("always", Compare::Always),
        ];
        let mut sampler = Sampler::default();
        let filter = |what, name: &Option<String>| {
            name.as_ref()
                .map(|name| named(what, name, &filters))
                .transpose()
        };
        sampler.mag = filter("mag", &self.mag)?.unwrap_or_default();
        sampler.min = filter("min", &self.min)?.unwrap_or_default();
        sampler.mip = filter("mip", &self.mip)?;
        if let Some(names) = &self.wrap {
            for (to, name) in sampler.wrap.iter_mut().zip(names) {
                *to = named("wrap", name, &wraps)?;
            }
        }
        if let Some(border) = &self.border {
            sampler.border = vec4(border)?;
        }
        if let Some(name) = &self.compare {
            sampler.compare = Some(named("compare", name, &compares)?);
        }
        sampler.min_lod = self.min_lod.unwrap_or(sampler.min_lod);
        sampler.max_lod = self.max_lod.unwrap_or(sampler.max_lod);
        sampler.lod_bias = self.lod_bias.unwrap_or(sampler.lod_bias);
        Ok(sampler)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_read() {
        let text = "stage = \"pixel\"\nlanes = [{ R2 = [1.0, \"0x2\", -1, 0] }]\nblocks = { 1 = [[0, 0, 0, 1.5]] }\n\
                    [textures.3]\ndimension = \"2d\"\nsize = [1, 1, 1]\nlevels = [[[0, 0, 0, 0]]]\n\
                    [samplers.0]\nmag = \"linear\"\n";
        let environment = parse(text).expect("inputs");
        assert_eq!(
            environment.lanes[0].registers[&2],
            [0x3f80_0000, 2, 0xffff_ffff, 0]
        );
        assert_eq!(environment.blocks[&1], [[0, 0, 0, 0x3fc0_0000]]);
        assert_eq!(environment.samplers[&0].mag, Filter::Linear);
        assert_eq!(environment.textures[&3].size, [1, 1, 1]);
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        let refused = |text: &str| parse(text).expect_err("an error");
        let lane = "lanes = [{ R0 = [0, 0, 0, 0] }]\n";
        assert_eq!(
            refused(&format!("stage = \"hull\"\n{lane}")),
            "stage \"hull\": vertex, pixel"
        );
        assert_eq!(
            refused("stage = \"pixel\"\nlanes = []\n"),
            "0 lanes: a wavefront has 1 to 64"
        );
        let bank = format!("stage = \"pixel\"\n{lane}blocks = {{ 16 = [] }}\n");
        assert_eq!(refused(&bank), "bank \"16\": 0 to 15");
        assert!(refused(&format!("stage = \"pixel\"\n{lane}loop = 1\n")).contains("unknown field"));
        let texture = |size: &str| {
            let keys = "[textures.3]\ndimension = \"3d\"\nlevels = [[[0, 0, 0, 0]]]\n";
            refused(&format!("stage = \"pixel\"\n{lane}{keys}size = {size}\n"))
        };
        for size in [
            "[4294967295, 4294967295, 4294967295]",
            "[1, 1, 0]",
            "[1, 8193, 1]",
        ] {
            let found = texture(size);
            assert!(
                found.starts_with("texture 3: size ")
                    && found.ends_with(": 1 to 8192 in each direction"),
                "{found}"
            );
        }
        assert_eq!(
            texture("[8192, 8192, 8192]"),
            "texture 3: level 0 has 1 texels, not 8192 * 8192 * 8192"
        );
    }
}
