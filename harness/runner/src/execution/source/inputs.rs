//! One set of inputs for both sides, on which the source means something: nothing is divided by zero, converted out of its
//! range, or taken at the edge of a texel.

use std::collections::BTreeMap;

use corpora::execution::{
    Buffer, Environment, Filter, Invocation, Lane, Launch, MAX_LANES, Outside, Sampler, Stage,
    Texture, Vec4, Wrap,
};
use corpora::generate::Random;

use super::glsl::{self, Source, Storage, Variable};
use super::wiring::Wiring;
use crate::execution::vectors;

/// What a source is given.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// By lane and name.
    pub lanes: Vec<BTreeMap<String, Vec4>>,
    /// By name: vectors.
    uniforms: BTreeMap<String, Vec<Vec4>>,
    /// By name of the sampler.
    textures: BTreeMap<String, (Texture, Sampler)>,
}

/// The uniforms of a driver that turns the picture over: all ones leave it as it is.
const UPRIGHT: Vec4 = [0x3f80_0000; 4];

impl Inputs {
    /// Inputs number `run` for a source. `zero` are variables that are zero throughout.
    pub fn new(source: &Source, zero: &[String], run: u64, random: &mut Random) -> Self {
        let taste = Taste {
            text: &source.functions,
            stage: source.stage,
            run,
        };
        let mut inputs = Self::default();
        for variable in source.of(Storage::Uniform) {
            let vectors = (0..variable.vectors()).map(|_| taste.uniform(variable, random));
            inputs
                .uniforms
                .insert(variable.name.clone(), vectors.collect());
        }
        if taste.has("smoothstep(k[0],k[1]")
            && let Some([low, high, ..]) = inputs.uniforms.get_mut("k").map(Vec::as_mut_slice)
        {
            // The edges have to be in order.
            for (low, high) in low.iter().zip(high) {
                *high = (f32::from_bits(*low) + f32::from_bits(*high).abs()).to_bits();
            }
        }
        for variable in source.of(Storage::Sampler) {
            let texture = vectors::texture(variable.dimension(), variable.is_shadow(), random);
            inputs
                .textures
                .insert(variable.name.clone(), (texture, taste.sampler(variable)));
        }
        inputs.lanes.resize(MAX_LANES, BTreeMap::new());
        for variable in source.of(Storage::Input) {
            for quad in inputs.lanes.chunks_mut(4) {
                let vectors = if zero.contains(&variable.name) {
                    [[0; 4]; 4]
                } else {
                    taste.quad(variable, random)
                };
                for (lane, vector) in quad.iter_mut().zip(vectors) {
                    lane.insert(variable.name.clone(), vector);
                }
            }
        }
        inputs
    }

    /// For the interpreter.
    pub fn environment(&self, stage: Stage, wiring: &Wiring) -> Environment {
        let mut environment = Environment::new(stage);
        for (number, given) in self.lanes.iter().enumerate() {
            let mut lane = Lane::default();
            if stage == Stage::Vertex {
                lane.registers.insert(0, [number as u32, 0, 0, 0]);
            }
            for ((gpr, at), (name, component)) in &wiring.inputs {
                let word = given.get(name).map_or(0, |vector| vector[*component]);
                lane.registers.entry(*gpr).or_default()[*at] = word;
            }
            environment.lanes.push(lane);
        }
        let mut block = Vec::new();
        for uniform in &wiring.uniforms {
            let (first, count) = (uniform.place as usize, uniform.vectors as usize);
            block.resize(block.len().max(first + count), [0; 4]);
            let vectors = self.uniforms.get(&uniform.name);
            for (at, to) in block[first..first + count].iter_mut().enumerate() {
                *to = vectors
                    .and_then(|vectors| vectors.get(at))
                    .copied()
                    .unwrap_or(UPRIGHT);
            }
        }
        // What has a computed index is read by a vertex fetch: constant buffer n as resource n.
        let bytes = block
            .iter()
            .flatten()
            .flat_map(|word| word.to_le_bytes())
            .collect();
        environment.buffers.insert(
            0,
            Buffer {
                stride: 16,
                bytes,
                format: None,
                outside: Outside::Zero,
            },
        );
        environment.blocks.insert(0, block);
        for (name, (resource, sampler)) in &wiring.textures {
            if let Some((texture, state)) = self.textures.get(name) {
                environment.textures.insert(*resource, texture.clone());
                environment.samplers.insert(*sampler, *state);
            }
        }
        environment
    }

    /// For an engine.
    pub fn launch(&self, source: &Source) -> Launch {
        let mut launch = Launch::new(source.stage);
        for (number, given) in self.lanes.iter().enumerate() {
            let mut invocation = Invocation {
                vertex_index: number as u32,
                front_facing: true,
                ..Invocation::default()
            };
            for variable in source.of(Storage::Input) {
                let vector = given.get(&variable.name).copied().unwrap_or_default();
                invocation.inputs.insert(variable.location, vector);
            }
            launch.lanes.push(invocation);
        }
        let vectors = source
            .of(Storage::Uniform)
            .filter_map(|variable| self.uniforms.get(&variable.name));
        let bytes = vectors
            .flatten()
            .flatten()
            .flat_map(|word| word.to_le_bytes());
        launch.uniforms.insert(glsl::UNIFORMS, bytes.collect());
        for variable in source.of(Storage::Sampler) {
            if let Some((texture, sampler)) = self.textures.get(&variable.name) {
                launch
                    .textures
                    .insert(glsl::image(variable.location), texture.clone());
                launch
                    .samplers
                    .insert(glsl::sampler(variable.location), *sampler);
            }
        }
        launch
    }
}

/// What inputs a source takes well.
struct Taste<'a> {
    text: &'a str,
    stage: Stage,
    run: u64,
}

impl Taste<'_> {
    fn has(&self, text: &str) -> bool {
        self.text.contains(text)
    }

    fn sampler(&self, variable: &Variable) -> Sampler {
        let filter = [Filter::Point, Filter::Linear][self.run as usize % 2];
        let wraps = [Wrap::Repeat, Wrap::Mirror, Wrap::ClampToEdge];
        Sampler {
            mag: filter,
            min: filter,
            mip: self.has("Lod(").then_some(Filter::Point),
            wrap: [wraps[self.run as usize / 2 % wraps.len()]; 3],
            compare: variable
                .is_shadow()
                .then_some(corpora::execution::Compare::LessEqual),
            ..Sampler::default()
        }
    }

    fn uniform(&self, variable: &Variable, random: &mut Random) -> Vec4 {
        if variable.is_integer() {
            return [0; 4].map(|_| self.integer(variable, random));
        }
        // Powers of zero and edges of smoothstep want it positive.
        let positive = self.has("pow(");
        [0; 4].map(|_| {
            let number = odd(random);
            if positive { number.abs() } else { number }.to_bits()
        })
    }

    /// An integer. Uniform ones are divided by, and bound loops.
    fn integer(&self, variable: &Variable, random: &mut Random) -> u32 {
        let uniform = variable.storage == Storage::Uniform;
        if uniform && self.has("for(") {
            return random.below(4) as u32;
        }
        let word = match random.below(4) {
            0 => random.word() as u32,
            1 => (random.below(33) as u32).wrapping_sub(16),
            _ => (random.below(2001) as u32).wrapping_sub(1000),
        };
        // `%` of negative numbers is undefined, and so is the division of the least one by -1.
        let word = match word {
            0x8000_0000 => 1,
            word if self.has("%") && variable.ty.starts_with('i') => word & 0x7fff_ffff,
            word => word,
        };
        if uniform && word == 0 { 7 } else { word }
    }

    /// A variable in the four lanes of a quad. Between the pixels of a quad a varying changes as in a plane.
    fn quad(&self, variable: &Variable, random: &mut Random) -> [Vec4; 4] {
        if variable.is_integer() {
            return [0; 4].map(|_: u32| self.integers(variable, random));
        }
        if self.stage == Stage::Vertex {
            return [0; 4].map(|_: u32| [0; 4].map(|_: u32| odd(random).to_bits()));
        }
        let mut quad = [[0; 4]; 4];
        for channel in 0..4 {
            let first = if self.has("mod(") && variable.name == "v1" {
                // A quotient by a power of two is exact, and then never at the edge of a whole number.
                let power = 2_f32.powi(random.below(5) as i32 - 2);
                for lane in &mut quad {
                    lane[channel] = power.to_bits();
                }
                continue;
            } else {
                odd(random)
            };
            let mut slope = || (random.below(9) as f32 - 4.0) / 16.0;
            let (right, down) = (slope(), slope());
            for (at, lane) in quad.iter_mut().enumerate() {
                let number = first + (at % 2) as f32 * right + (at / 2) as f32 * down;
                lane[channel] = number.to_bits();
            }
        }
        quad
    }

    fn integers(&self, variable: &Variable, random: &mut Random) -> Vec4 {
        if self.has("texelFetch(") {
            // A texel of a level of 8×4.
            let level = random.below(3) as u32;
            let below = |size: u32, random: &mut Random| {
                random.below(u64::from((size >> level).max(1))) as u32
            };
            return [below(8, random), below(4, random), level, 0];
        }
        if self.has("textureSize(") {
            return [random.below(3) as u32, 0, 0, 0];
        }
        [0; 4].map(|_: u32| self.integer(variable, random))
    }
}

/// An odd number of 32nds from -2 to 2. No texel of a texture with 1 to 8 texels to a side begins or ends there, no level of
/// detail is halfway to the next.
fn odd(random: &mut Random) -> f32 {
    (2.0 * random.below(64) as f32 - 63.0) / 32.0
}
