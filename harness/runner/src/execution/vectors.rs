//! Inputs to run a program on: values at the edges of their kinds, values near the program's own literals, random ones.
//!
//! What a program reads is known from its microcode: an input that a translation forgets is there all the same.

mod lattice;
mod resources;
mod starts;

use corpora::execution::{Environment, Lane, LoopConstant, Stage, Vec4};
use corpora::generate::Random;
use oracles::r700::execution::Reads;

use super::shader::Shader;
use lattice::Lattice;
pub use resources::{sampler, texture};
use starts::{Start, start};

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

impl Temper {
    /// Whether a word may stand among inputs of this temper. As floats, integers are denormals or NaNs, which leave much
    /// open; -0 leaves open the zeros that come of it.
    fn takes(self, word: u32) -> bool {
        let number = f32::from_bits(word);
        match self {
            Self::Few => number.is_normal() || word == 0,
            Self::Real => number.is_normal(),
            Self::Wild => true,
            // Sums of other floats would not be exact.
            Self::Tame => number.is_subnormal() || number.is_nan(),
            Self::Short => false,
        }
    }
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

/// Draws words for a program.
struct Draw<'a> {
    temper: Temper,
    lattice: &'a Lattice,
}

impl Draw<'_> {
    /// A word; for a share of them one that a comparison of the program may turn at, if it is of the temper's kind.
    fn word(&self, random: &mut Random) -> u32 {
        let share = match self.temper {
            Temper::Few | Temper::Wild => 3,
            Temper::Real => 4,
            Temper::Tame => 8,
            Temper::Short => return word(random, self.temper),
        };
        let near = random
            .one_in(share)
            .then(|| self.lattice.word(random))
            .flatten()
            .filter(|word| self.temper.takes(*word));
        near.unwrap_or_else(|| word(random, self.temper))
    }

    fn vec4(&self, random: &mut Random) -> Vec4 {
        [0; 4].map(|_| self.word(random))
    }
}

/// Loop counters and constants stay small whatever the temper: a run has to end.
fn small(random: &mut Random) -> u32 {
    random.below(6) as u32
}

/// An environment for a program that reads these things: all of them are there.
pub fn environment(
    shader: &Shader,
    reads: &Reads,
    lanes: usize,
    temper: Temper,
    random: &mut Random,
) -> Environment {
    let lattice = Lattice::new(&reads.words);
    let draw = Draw {
        temper,
        lattice: &lattice,
    };
    let mut environment = Environment::new(shader.stage);
    shader.surround(&mut environment);
    for lane in 0..lanes {
        let lane = self::lane(shader, reads, environment.gprs, lane as u32, &draw, random);
        environment.lanes.push(lane);
    }
    if reads.constants {
        environment.constants = (0..256).map(|_| draw.vec4(random)).collect();
    }
    for (&bank, &entries) in &reads.blocks {
        let entries = (0..entries.clamp(BLOCK, MOST)).map(|_| constant(&draw, random));
        environment.blocks.insert(bank, entries.collect());
    }
    environment.booleans = random.word() as u32;
    for constant in &mut environment.loops {
        let step = random.below(3) as i8 - 1;
        *constant = LoopConstant::new(small(random), small(random), step);
    }
    resources::add(&mut environment, shader, reads, &draw, random);
    environment
}

/// Entries of a constant buffer: two locks of two lines at least, and no more than a buffer has.
const BLOCK: usize = 64;
const MOST: usize = 4096;

/// An entry of a constant buffer. Bounds of loops are uniforms, most often; as floats these are denormals, which leave
/// much open.
fn constant(draw: &Draw<'_>, random: &mut Random) -> Vec4 {
    let is_small = match draw.temper {
        Temper::Short => true,
        Temper::Real => false,
        Temper::Tame => random.one_in(2),
        Temper::Wild | Temper::Few => random.one_in(4),
    };
    if is_small {
        [0; 4].map(|_| small(random))
    } else {
        draw.vec4(random)
    }
}

/// What lane number `number` starts with.
fn lane(
    shader: &Shader,
    reads: &Reads,
    gprs: u8,
    number: u32,
    draw: &Draw<'_>,
    random: &mut Random,
) -> Lane {
    let mut lane = Lane::default();
    if shader.stage == Stage::Vertex {
        lane.registers.insert(0, [number, 0, 0, small(random)]);
    }
    // Registers that are wired to one parameter start alike.
    let mut parameters = std::collections::BTreeMap::new();
    for gpr in (0..gprs.min(128)).filter(|gpr| reads.registers >> gpr & 1 == 1) {
        let value = match start(shader, gpr) {
            Start::Parameter(location) => *parameters
                .entry(location)
                .or_insert_with(|| draw.vec4(random)),
            Start::Position => [0; 4].map(|_| word(random, Temper::Tame)),
            Start::Index | Start::Unset => continue,
        };
        lane.registers.insert(gpr, value);
    }
    lane
}
