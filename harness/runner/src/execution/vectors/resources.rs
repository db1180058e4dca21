//! The resources of an environment: buffers, textures, samplers.

use corpora::execution::{
    Buffer, BufferFormat, Compare, Dimension, Environment, Filter, Outside, Sampler, Texture, Wrap,
};
use corpora::generate::Random;
use oracles::r700::execution::Reads;
use r700::glsl::TextureShape;

use super::Draw;
use crate::execution::shader::Shader;

/// Words of a buffer.
const WORDS: usize = 256;

/// Bytes from an element to the next where nothing else is said.
const STRIDE: u32 = 16;

/// Adds the resources that a program reads, of the kinds that its shader has them in.
pub(super) fn add(
    environment: &mut Environment,
    shader: &Shader,
    reads: &Reads,
    draw: &Draw<'_>,
    random: &mut Random,
) {
    for &id in &reads.buffers {
        environment
            .buffers
            .insert(id, buffer(shader, id, draw, random));
    }
    for (&id, &compared) in &reads.textures {
        let kind = shader.textures.get(&id).copied().unwrap_or_default();
        let dimension = match kind.shape {
            TextureShape::D1 => Dimension::D1,
            TextureShape::D2 => Dimension::D2,
            TextureShape::D3 => Dimension::D3,
            TextureShape::Cube => Dimension::Cube,
            TextureShape::D2Array => Dimension::D2Array,
        };
        let texture = texture(dimension, kind.depth || compared, random);
        environment.textures.insert(id, texture);
    }
    for (&id, &compares) in &reads.samplers {
        let mut sampler = sampler(random);
        if compares {
            sampler.compare = Some(Compare::LessEqual);
            // Not every device filters depths.
            (sampler.mag, sampler.min) = (Filter::Point, Filter::Point);
            sampler.mip = sampler.mip.map(|_| Filter::Point);
        }
        environment.samplers.insert(id, sampler);
    }
}

fn buffer(shader: &Shader, id: u8, draw: &Draw<'_>, random: &mut Random) -> Buffer {
    let words = (0..WORDS).map(|_| draw.word(random));
    let format = shader.formats.get(&id).map(|format| BufferFormat {
        data_format: format.data_format,
        num_format: format.num_format,
        format_comp: format.signed.into(),
        srf_mode: format.no_zero.into(),
        endian_swap: format.endian_swap,
    });
    Buffer {
        stride: shader.strides.get(&id).copied().unwrap_or(STRIDE),
        bytes: words.flat_map(|word| word.to_le_bytes()).collect(),
        format,
        outside: if shader.outside_nan.contains(&id) {
            Outside::Nan
        } else {
            Outside::Zero
        },
    }
}

/// A small texture of tame floats.
pub fn texture(dimension: Dimension, depth: bool, random: &mut Random) -> Texture {
    let size = match dimension {
        Dimension::D1 => [8, 1, 1],
        Dimension::D2 => [8, 4, 1],
        Dimension::D3 => [4, 4, 4],
        Dimension::Cube => [4, 4, 6],
        Dimension::D2Array => [4, 4, 3],
    };
    let mut texture = Texture {
        dimension,
        size,
        levels: Vec::new(),
        integer: false,
    };
    for level in 0..3 {
        let texels = texture.level_size(level).iter().product::<u32>();
        let texel = |random: &mut Random| {
            [0; 4].map(|_| {
                // Depths lie between 0 and 1, in steps that any filter keeps.
                let number = random.below(65) as f32 / 64.0;
                let number = if depth { number } else { number * 16.0 - 8.0 };
                number.to_bits()
            })
        };
        texture
            .levels
            .push((0..texels).map(|_| texel(random)).collect());
    }
    texture
}

/// A sampler without a comparison.
pub fn sampler(random: &mut Random) -> Sampler {
    let filter = |random: &mut Random| *random.pick(&[Filter::Point, Filter::Linear]);
    let wraps = [Wrap::Repeat, Wrap::Mirror, Wrap::ClampToEdge];
    Sampler {
        mag: filter(random),
        min: filter(random),
        mip: *random.pick(&[None, Some(Filter::Point), Some(Filter::Linear)]),
        wrap: [0; 3].map(|_| *random.pick(&wraps)),
        ..Sampler::default()
    }
}
