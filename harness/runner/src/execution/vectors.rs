//! Inputs to run a program on: values at the edges of their kinds, and random ones.

use corpora::execution::{
    Buffer, Dimension, Environment, Filter, Lane, LoopConstant, Outside, Sampler, Stage, Texture,
    Vec4, Wrap,
};
use corpora::generate::Random;
use r700::glsl::{Interface, TextureShape};

/// Words at the edges: zeros, denormals, infinities, quiet and signalling NaNs, integer extremes.
pub const EDGES: [u32; 28] = [
    0x0000_0000,
    0x8000_0000,
    0x0000_0001,
    0x8000_0001,
    0x007f_ffff,
    0x807f_ffff,
    0x0080_0000,
    0x8080_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x3f00_0000,
    0x3fc0_0000,
    0x4020_0000,
    0xc020_0000,
    0x3eff_ffff,
    0x4b00_0001,
    0x4f00_0000,
    0xcf00_0001,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0xffc0_1234,
    0x7f80_0001,
    0x7fff_ffff,
    0xffff_ffff,
    0x0000_001f,
];

/// What inputs are picked from where comparisons are to find equals.
const FEW: [f32; 8] = [0.0, 0.0, 1.0, 1.0, -1.0, 0.5, 2.0, -2.5];

/// How wild the inputs are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Temper {
    /// Small multiples of 1/8 and small integers: everything is exact, and loops are short.
    Tame,
    /// Floats throughout, none of them at an edge: what an expression computes can be seen, and is no NaN for a whim.
    Real,
    /// A few floats throughout, 0 before all: comparisons go both ways, even those for equality.
    Few,
    /// Small multiples of 1/8, small integers, edges, and any bits at all.
    Wild,
    /// As tame ones, and constants are small integers throughout: bounds of loops.
    Short,
}

/// One word.
pub fn word(random: &mut Random, temper: Temper) -> u32 {
    let tame = |random: &mut Random| match random.below(4) {
        0 => (random.below(17) as u32).wrapping_sub(8),
        _ => ((random.below(129) as f32 - 64.0) / 8.0).to_bits(),
    };
    match temper {
        Temper::Tame | Temper::Short => tame(random),
        Temper::Real => real(random),
        Temper::Few => random.pick(&FEW).to_bits(),
        Temper::Wild => match random.below(4) {
            0 => tame(random),
            1 => random.word() as u32,
            _ => *random.pick(&EDGES),
        },
    }
}

/// A float: of few digits, of many digits, of any of the usual sizes.
fn real(random: &mut Random) -> u32 {
    let fine = random.below(1 << 24) as f32;
    let number = match random.below(4) {
        0 => (random.below(129) as f32 - 64.0) / 8.0,
        // 0 to 1, where clamps leave things alone.
        1 => fine / (1 << 24) as f32,
        2 => fine / (1 << 20) as f32 - 8.0,
        _ => {
            let size = f32::from_bits(((127 - 20 + random.below(41)) as u32) << 23);
            let sign = if random.one_in(2) { 1.0 } else { -1.0 };
            sign * size * (1.0 + fine / (1 << 24) as f32)
        }
    };
    number.to_bits()
}

fn vec4(random: &mut Random, temper: Temper) -> Vec4 {
    [0; 4].map(|_| word(random, temper))
}

/// Loop counters and constants stay small whatever the temper: a run has to end.
fn small(random: &mut Random) -> u32 {
    random.below(6) as u32
}

/// An environment for a program whose translation has this interface: everything that it reads is there.
pub fn environment(
    stage: Stage,
    interface: &Interface,
    lanes: usize,
    temper: Temper,
    random: &mut Random,
) -> Environment {
    let mut environment = Environment::new(stage);
    for lane in 0..lanes {
        let mut registers = std::collections::BTreeMap::new();
        if stage == Stage::Vertex {
            let (vertex, instance) = (lane as u32, small(random));
            registers.insert(0, [vertex, 0, 0, instance]);
        }
        for input in &interface.inputs {
            registers.insert(input.gpr, vec4(random, temper));
        }
        if let Some(gpr) = interface.position {
            registers.insert(gpr, vec4(random, Temper::Tame));
        }
        environment.lanes.push(Lane {
            registers,
            helper: false,
        });
    }
    if interface.uniform_registers {
        environment.constants = (0..256).map(|_| vec4(random, temper)).collect();
    }
    for &bank in &interface.blocks {
        let entries = (0..BLOCK).map(|_| {
            // Bounds of loops are uniforms, most often. As floats these are denormals, which leave much open.
            let is_small = match temper {
                Temper::Short => true,
                Temper::Real => false,
                Temper::Tame => random.one_in(2),
                Temper::Wild | Temper::Few => random.one_in(4),
            };
            if is_small {
                [0; 4].map(|_| small(random))
            } else {
                vec4(random, temper)
            }
        });
        environment.blocks.insert(bank, entries.collect());
    }
    environment.booleans = random.word() as u32;
    for constant in &mut environment.loops {
        let step = random.below(3) as i8 - 1;
        *constant = LoopConstant::new(small(random), small(random), step);
    }
    for resource in &interface.buffers {
        let words = (0..4 * BLOCK).map(|_| word(random, temper));
        let bytes = words.flat_map(|word| word.to_le_bytes()).collect();
        let buffer = Buffer {
            stride: resource.stride,
            bytes,
            format: None,
            outside: Outside::Zero,
        };
        environment.buffers.insert(resource.id, buffer);
    }
    for resource in &interface.textures {
        let dimension = match resource.kind.shape {
            TextureShape::D1 => Dimension::D1,
            TextureShape::D2 => Dimension::D2,
            TextureShape::D3 => Dimension::D3,
            TextureShape::Cube => Dimension::Cube,
            TextureShape::D2Array => Dimension::D2Array,
        };
        let texture = texture(dimension, resource.kind.depth, random);
        environment.textures.insert(resource.resource, texture);
    }
    for state in &interface.samplers {
        let mut sampler = sampler(random);
        if state.comparison {
            sampler.compare = Some(corpora::execution::Compare::LessEqual);
            // Not every device filters depths.
            (sampler.mag, sampler.min) = (Filter::Point, Filter::Point);
            sampler.mip = sampler.mip.map(|_| Filter::Point);
        }
        environment.samplers.insert(state.id, sampler);
    }
    environment
}

/// Entries of a constant buffer: two locks of two lines.
const BLOCK: usize = 64;

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
