//! Damaged modules: an error or a run, never a panic.

use corpora::execution::{Compare, Dimension, Filter, Launch, Sampler, Slot, Stage, Texture};

use super::{floats, pixels, words};
use crate::spirv::{Engine, Limits, Module};

const PIXEL: &str = "#version 450
    layout(location = 0) in vec4 a;
    layout(location = 1) flat in ivec4 n;
    layout(location = 0) out vec4 o;
    layout(set = 0, binding = 0, std140) uniform U { vec4 c[8]; mat3 m; };
    layout(set = 1, binding = 0) uniform texture2D t;
    layout(set = 2, binding = 0) uniform sampler z;
    layout(set = 3, binding = 0, std430) buffer B { uint words[]; };
    vec4 R[16];
    float twice(inout vec4 v, float by) { v.x *= by; if (v.x > 3.0) return 1.0; return v.y; }
    void main() {
        R[0] = a;
        for (int i = 0; i < 4; i++) {
            if (i == n.x) continue;
            R[i] = c[n.y + i] * twice(R[0], 2.0);
            if (R[i].w > 100.0) break;
        }
        switch (n.z) { case 0: R[1].x = 1.0; break; case 1: R[1].y = 2.0; default: R[2].z = 3.0; }
        if (R[1].w < -5.0) discard;
        R[3] += texture(sampler2D(t, z), R[0].xy) + textureLod(sampler2D(t, z), R[0].xy, 1.0);
        R[4].xyz = m * R[0].xyz + cross(R[0].xyz, R[1].xyz) + normalize(R[2].xyz + vec3(1.0));
        R[5] = uintBitsToFloat(uvec4(words[n.w], uint(words.length()), packHalf2x16(a.xy), 7u));
        words[n.x] = floatBitsToUint(dFdx(R[0].x)) >> 3;
        o = R[n.w] + exp2(R[1]) + R[4] + min(R[5], R[3]);
        gl_FragDepth = o.x;
    }";

fn launch() -> Launch {
    let lane = [floats([0.5, 1.0, 2.0, 3.0]), [1, 2, 0, 3]];
    let mut launch = pixels(&[
        lane,
        lane,
        [floats([-1.0; 4]), [9, u32::MAX, 1, 4]],
        lane,
        lane,
    ]);
    launch.uniforms.insert(Slot::new(0, 0), vec![0x3f; 176]);
    launch.storage.insert(Slot::new(3, 0), vec![1; 32]);
    let level = |count| vec![floats([0.5; 4]); count];
    let texture = Texture {
        dimension: Dimension::D2,
        size: [2, 2, 1],
        levels: vec![level(4), level(1)],
        integer: false,
    };
    launch.textures.insert(Slot::new(1, 0), texture);
    let sampler = Sampler {
        mag: Filter::Linear,
        mip: Some(Filter::Linear),
        ..Sampler::default()
    };
    for binding in [0, 4] {
        launch.samplers.insert(Slot::new(2, binding), sampler);
        launch.samplers.insert(Slot::new(1, binding), sampler);
    }
    // What the modules made by glslang use beside.
    let mut control = vec![0; 144];
    control[0] = 3;
    launch.uniforms.insert(Slot::new(0, 1), control);
    launch.storage.insert(Slot::new(3, 256), vec![0; 64]);
    let plain = launch.textures[&Slot::new(1, 0)].clone();
    launch.textures.insert(Slot::new(1, 2), plain.clone());
    launch.textures.insert(
        Slot::new(1, 3),
        Texture {
            integer: true,
            ..plain.clone()
        },
    );
    launch.textures.insert(Slot::new(1, 4), plain);
    let (dimension, size, levels) = (Dimension::Cube, [2, 2, 6], vec![level(24)]);
    let cube = Texture {
        dimension,
        size,
        levels,
        integer: false,
    };
    launch.textures.insert(Slot::new(1, 1), cube);
    launch.samplers.insert(Slot::new(1, 1), sampler);
    launch.samplers.insert(Slot::new(1, 3), sampler);
    let compare = Some(Compare::Less);
    launch
        .samplers
        .insert(Slot::new(1, 2), Sampler { compare, ..sampler });
    launch
}

/// The generator PCG-XSH-RR 64/32 with a fixed stream.
struct Pcg(u64);

impl Pcg {
    fn next(&mut self) -> u32 {
        let state = self.0;
        self.0 = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let word = (((state >> 18) ^ state) >> 27) as u32;
        word.rotate_right((state >> 59) as u32)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.next() as usize % bound.max(1)
    }
}

/// The modules to damage.
fn originals() -> Vec<Vec<u32>> {
    let glslang: [&[u8]; 4] = [
        include_bytes!("modules/translated.spv"),
        include_bytes!("modules/everything.spv"),
        include_bytes!("modules/wide.spv"),
        include_bytes!("modules/atomics.spv"),
    ];
    let words_of = |bytes: &[u8]| {
        let (words, _) = bytes.as_chunks::<4>();
        words.iter().map(|&word| u32::from_le_bytes(word)).collect()
    };
    let mut originals = vec![words(Stage::Pixel, PIXEL)];
    originals.extend(glslang.map(words_of));
    originals
}

#[test]
fn damaged_modules_never_panic() {
    let launch = launch();
    let engine = Engine {
        limits: Limits {
            steps: 20_000,
            words: 1 << 20,
        },
    };
    let originals = originals();
    for original in &originals {
        engine
            .run(&Module::parse(original).unwrap(), &launch)
            .unwrap();
    }
    let rounds = std::env::var("ASSAY_SPIRV_ROUNDS")
        .ok()
        .and_then(|n| n.parse().ok());
    let mut pcg = Pcg(0x853c_49e6_748f_ea9b);
    let (mut refused, mut ended, mut ran) = (0, 0, 0);
    for round in 0..rounds.unwrap_or(4000) {
        let original = &originals[round % originals.len()];
        let mut words = original.clone();
        for _ in 0..1 + pcg.below(3) {
            let at = pcg.below(words.len());
            match pcg.below(6) {
                // Another word of the module: mostly another id of some kind.
                0 | 1 => words[at] = original[pcg.below(original.len())],
                2 => words[at] ^= 1 << pcg.below(32),
                3 => words[at] = pcg.next() % 400,
                4 => {
                    words.remove(at);
                }
                _ => words[at] = words[at].wrapping_add(1),
            }
        }
        match Module::parse(&words) {
            Err(_) => refused += 1,
            Ok(module) => match engine.run(&module, &launch) {
                Err(_) => ended += 1,
                Ok(_) => ran += 1,
            },
        }
    }
    // The damage must reach all the way: modules that still run, and ones that do not end well.
    assert!(
        refused > 0 && ended > 0 && ran > 0,
        "{refused} {ended} {ran}"
    );
}

#[test]
fn any_prefix_is_refused() {
    let words = words(Stage::Pixel, PIXEL);
    for length in 0..words.len() - 1 {
        assert!(Module::parse(&words[..length]).is_err(), "{length}");
    }
}
