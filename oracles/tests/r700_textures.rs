//! Texture fetches against the GLSL that a real compiler made them from, in the corpus that `ASSAY_CORPUS` names.
//!
//! What a program has to give is worked out here from its source, with a sampler that is written out for it: plain
//! coordinates, no doubt. The interpreter's results have to admit it, and not everything.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use corpora::execution::{
    Compare, Dimension, Environment, Filter, Lane, Sampler, Stage, Texture, Vec4, Wrap,
};
use oracles::r700::execution::policy::FloatPolicy;
use oracles::r700::execution::value::{Acceptance, Doubt, Value};
use oracles::r700::execution::{Limits, Program, Target, run};
use oracles::r700::{Chip, Oracle, Tables, vocabulary};
use serde_json::Value as Json;

/// The resource and sampler numbers that the compiler gives to the first and the second sampler of a program.
const RESOURCES: [u8; 2] = [18, 19];

/// Four floats a lane: what a program's first varying holds.
type Quad = [[f32; 4]; 4];

/// A program's expectation for a lane, from the source.
type Expected = fn(&Quad, usize) -> [f64; 4];

/// A texel's number as a function of its place: smooth enough to tell places apart, rough enough that no neighbour has
/// the same. The second texture is another one.
fn texel(texture: usize, level: u32, [x, y, z]: [u32; 3]) -> [f64; 4] {
    let at = f64::from(7 * x * x + 13 * x * y + 29 * y * y + 17 * z * (x + 2 * y + 1));
    let first = at + 100.0 * f64::from(level) + 1000.0 * texture as f64;
    [first, 500.0 - first, first * 0.5, (at % 11.0) - 5.0]
}

fn texture(number: usize, dimension: Dimension, size: [u32; 3], depth: bool) -> Texture {
    let mut texture = Texture {
        dimension,
        size,
        levels: Vec::new(),
        integer: false,
    };
    for level in 0..3 {
        let [width, height, layers] = texture.level_size(level);
        let mut texels: Vec<Vec4> = Vec::new();
        for z in 0..layers {
            for y in 0..height {
                for x in 0..width {
                    let numbers = texel(number, level, [x, y, z]);
                    texels.push(match depth {
                        true => {
                            [shade([x, y]), 0.0, 0.0, 0.0].map(|depth| (depth as f32).to_bits())
                        }
                        false => numbers.map(|number| (number as f32).to_bits()),
                    });
                }
            }
        }
        texture.levels.push(texels);
    }
    texture
}

/// The depth of a texel of the depth texture.
fn shade([x, y]: [u32; 2]) -> f64 {
    f64::from((3 * x + 5 * y) % 8) / 8.0
}

/// The mean of the texels about a place, in numbers of texels, of a texture that is clamped to its edges.
fn mean(size: [u32; 3], place: &[f64], texel: &dyn Fn([u32; 3]) -> [f64; 4]) -> [f64; 4] {
    let mut sum = [0.0; 4];
    for corner in 0..1_usize << place.len() {
        let mut index = [0; 3];
        let mut weight = 1.0;
        for (axis, at) in place.iter().enumerate() {
            let centre = at - 0.5;
            let upper = corner >> axis & 1;
            let part = centre - centre.floor();
            weight *= if upper == 1 { part } else { 1.0 - part };
            let number = centre.floor() as i64 + upper as i64;
            index[axis] = number.clamp(0, i64::from(size[axis]) - 1) as u32;
        }
        for (sum, number) in sum.iter_mut().zip(texel(index)) {
            *sum += weight * number;
        }
    }
    sum
}

const PLANE: [u32; 3] = [16, 8, 1];
const VOLUME: [u32; 3] = [4, 8, 4];
const LAYERS: [u32; 3] = [16, 8, 4];
const CUBE: [u32; 3] = [8, 8, 6];

fn plane(number: usize, [s, t]: [f32; 2], [dx, dy]: [f64; 2]) -> [f64; 4] {
    let place = [f64::from(s) * 16.0 + dx, f64::from(t) * 8.0 + dy];
    mean(PLANE, &place, &|index| texel(number, 0, index))
}

/// `texture(samplerCube, direction)`: Direct3D's faces, of which OpenGL's tables say the same (OpenGL 3.3, table 3.19).
fn cube([x, y, z]: [f32; 3]) -> [f64; 4] {
    let [x, y, z] = [x, y, z].map(f64::from);
    let (face, s, t, major) = if x.abs() > y.abs() && x.abs() > z.abs() {
        (u32::from(x < 0.0), -z * x.signum(), -y, x.abs())
    } else if y.abs() > z.abs() {
        (2 + u32::from(y < 0.0), x, z * y.signum(), y.abs())
    } else {
        (4 + u32::from(z < 0.0), x * z.signum(), -y, z.abs())
    };
    let place = [s, t].map(|number| (number / major + 1.0) / 2.0 * 8.0);
    mean(CUBE, &place, &|[x, y, _]| texel(0, 0, [x, y, face]))
}

fn shadow([s, t, reference]: [f32; 3]) -> [f64; 4] {
    let place = [f64::from(s) * 16.0, f64::from(t) * 8.0];
    mean(PLANE, &place, &|[x, y, _]| {
        [f64::from(u8::from(f64::from(reference) <= shade([x, y]))); 4]
    })
}

/// What the second varying holds.
fn second(quad: &Quad) -> Quad {
    quad.map(|[x, y, z, w]| [w * 4.0, z * 4.0, y * 4.0, x * 4.0])
}

/// The compiler multiplies what goes into dFdy by a constant that says which way up the framebuffer is.
const UPWARDS: f32 = -1.0;

/// Derivatives of one varying to the right and of another downwards: their sum, or that of their absolute values.
fn slopes(quad: &Quad, other: &Quad, lane: usize, absolute: bool) -> [f64; 4] {
    [0, 1, 2, 3].map(|component: usize| {
        let (row, column) = (lane & 2, lane & 1);
        let right = quad[row + 1][component] - quad[row][component];
        let down = (other[column + 2][component] - other[column][component]) * UPWARDS;
        match absolute {
            true => f64::from(right.abs() + down.abs()),
            false => f64::from(right + down),
        }
    })
}

/// What each program of the corpus is, by its name: the textures, and the result for a lane.
fn programs() -> Vec<(&'static str, Dimension, [u32; 3], Expected)> {
    vec![
        // texture(t0, v0.xy)
        ("ps_t_2d", Dimension::D2, PLANE, |quad, lane| {
            let [s, t, ..] = quad[lane];
            plane(0, [s, t], [0.0; 2])
        }),
        // textureOffset(t0, v0.xy, ivec2(1, -2))
        ("ps_t_off", Dimension::D2, PLANE, |quad, lane| {
            let [s, t, ..] = quad[lane];
            plane(0, [s, t], [1.0, -2.0])
        }),
        // textureProj(t0, v0)
        ("ps_t_proj", Dimension::D2, PLANE, |quad, lane| {
            let [s, t, _, w] = quad[lane];
            plane(0, [s / w, t / w], [0.0; 2])
        }),
        // texture(t0, v0.xy) * texture(t1, v0.zw).wzyx
        ("ps_t_two", Dimension::D2, PLANE, |quad, lane| {
            let [s, t, z, w] = quad[lane];
            let first = plane(0, [s, t], [0.0; 2]);
            let second = plane(1, [z, w], [0.0; 2]);
            [0, 1, 2, 3].map(|component: usize| first[component] * second[3 - component])
        }),
        // texture(t3, v0.xyz)
        ("ps_t_3d", Dimension::D3, VOLUME, |quad, lane| {
            let [s, t, r, _] = quad[lane].map(f64::from);
            mean(VOLUME, &[s * 4.0, t * 8.0, r * 4.0], &|index| {
                texel(0, 0, index)
            })
        }),
        // texture(ta, v0.xyz)
        ("ps_t_array", Dimension::D2Array, LAYERS, |quad, lane| {
            let [s, t, layer, _] = quad[lane].map(f64::from);
            let layer = layer.round_ties_even().clamp(0.0, 3.0) as u32;
            mean(LAYERS, &[s * 16.0, t * 8.0], &|[x, y, _]| {
                texel(0, 0, [x, y, layer])
            })
        }),
        // texture(tc, v0.xyz)
        ("ps_t_cube", Dimension::Cube, CUBE, |quad, lane| {
            let [x, y, z, _] = quad[lane];
            cube([x, y, z])
        }),
        // textureLod(t0, v0.xy, v0.z), with mipmaps mixed
        ("ps_t_lod", Dimension::D2, PLANE, |quad, lane| {
            let [s, t, level, _] = quad[lane].map(f64::from);
            let level = level.clamp(0.0, 2.0);
            let sample = |number: u32| {
                let size = PLANE.map(|size| (size >> number).max(1));
                let place = [s * f64::from(size[0]), t * f64::from(size[1])];
                mean(size, &place, &|index| texel(0, number, index))
            };
            let (below, above) = (sample(level.floor() as u32), sample(level.ceil() as u32));
            let part = level - level.floor();
            [0, 1, 2, 3].map(|each: usize| below[each] * (1.0 - part) + above[each] * part)
        }),
        // vec4(texture(ts, v0.xyz)), a shadow sampler
        ("ps_t_shadow", Dimension::D2, PLANE, |quad, lane| {
            let [s, t, reference, _] = quad[lane];
            shadow([s, t, reference])
        }),
        // texelFetch(t0, iv.xy, iv.z), of 0, 0 and 0
        ("ps_t_fetch", Dimension::D2, PLANE, |_, _| {
            texel(0, 0, [0; 3])
        }),
        // vec4(vec2(textureSize(t0, iv.x)), 0, 1), of 0
        ("ps_t_size", Dimension::D2, PLANE, |_, _| {
            [16.0, 8.0, 0.0, 1.0]
        }),
        // dFdx(v0) + dFdy(v1)
        ("ps_d_ddx", Dimension::D2, PLANE, |quad, lane| {
            slopes(quad, &second(quad), lane, false)
        }),
        // fwidth(v0)
        ("ps_d_fw", Dimension::D2, PLANE, |quad, lane| {
            slopes(quad, quad, lane, true)
        }),
    ]
}

fn environment(name: &str, dimension: Dimension, size: [u32; 3], quad: &Quad) -> Environment {
    let mut environment = Environment::new(Stage::Pixel);
    for (lane, other) in quad.iter().zip(second(quad)) {
        let mut start = Lane::default();
        let mut words = lane.map(f32::to_bits);
        if matches!(name, "ps_t_fetch" | "ps_t_size") {
            words = [0; 4];
        }
        start.registers.insert(0, words);
        start.registers.insert(1, other.map(f32::to_bits));
        environment.lanes.push(start);
    }
    environment
        .blocks
        .insert(0, vec![[UPWARDS.to_bits(); 4]; 16]);
    let shadow = name == "ps_t_shadow";
    for (number, resource) in RESOURCES.into_iter().enumerate() {
        let texture = texture(number, dimension, size, shadow);
        environment.textures.insert(resource, texture);
        let sampler = Sampler {
            mag: Filter::Linear,
            min: Filter::Linear,
            mip: (name == "ps_t_lod").then_some(Filter::Linear),
            wrap: [Wrap::ClampToEdge; 3],
            compare: shadow.then_some(Compare::LessEqual),
            ..Sampler::default()
        };
        environment.samplers.insert(number as u8, sampler);
    }
    environment
}

/// Places that look random, the same every time, and a step of less than a texel between the lanes of each.
fn quads(name: &str) -> Vec<Quad> {
    let mut state = 41_u64;
    let mut fraction = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 40) as f32 / (1 << 24) as f32
    };
    (0..40)
        .map(|_| {
            let mut corner = [(); 4].map(|()| fraction());
            match name {
                "ps_t_cube" => corner = corner.map(|number| number * 2.0 - 1.0),
                "ps_t_array" => corner[2] = corner[2] * 5.0 - 0.5,
                "ps_t_lod" => corner[2] = corner[2] * 3.0 - 0.5,
                "ps_t_proj" => corner[3] += 0.5,
                _ => {}
            }
            let steps = [(); 2].map(|()| [(); 4].map(|()| fraction() / 64.0));
            let mut quad = [corner; 4];
            for (lane, numbers) in quad.iter_mut().enumerate() {
                for (component, number) in numbers.iter_mut().enumerate() {
                    *number += steps[0][component] * (lane & 1) as f32;
                    *number += steps[1][component] * (lane >> 1) as f32;
                }
            }
            quad
        })
        .collect()
}

/// How much room a value leaves.
fn width(value: &Value) -> f64 {
    match value.doubt() {
        Doubt::Within { low, high, .. } => f64::from(*high) - f64::from(*low),
        Doubt::OneOf(words) => {
            let numbers = || words.iter().map(|word| f64::from(f32::from_bits(*word)));
            numbers().fold(f64::MIN, f64::max) - numbers().fold(f64::MAX, f64::min)
        }
        Doubt::Settled => 0.0,
        Doubt::AnyNan | Doubt::Unknown => f64::INFINITY,
    }
}

fn bytes(program: &Json) -> Vec<u8> {
    let words = program["words"].as_array().expect("words");
    let words = words.iter().map(|word| word.as_str().expect("text"));
    words
        .flat_map(|word| u32::from_str_radix(word, 16).expect("a word").to_le_bytes())
        .collect()
}

#[test]
#[ignore = "needs a corpus: ASSAY_CORPUS names the directory with r700-mesa in it"]
fn fetches_do_what_their_source_says() {
    let tables = Tables::embedded().expect("tables");
    let symbols = vocabulary(&tables).expect("vocabulary");
    let oracle = Oracle::new(&tables, Arc::new(symbols)).expect("oracle");
    let policy = FloatPolicy::embedded().expect("policy");
    let corpus = std::env::var_os("ASSAY_CORPUS").expect("ASSAY_CORPUS");
    let list = PathBuf::from(corpus).join("r700-mesa/programs.jsonl");
    let list = fs::read_to_string(list).expect("the list is readable");
    let list: Vec<Json> = list
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let mut wrongs = Vec::new();
    for (name, dimension, size, expected) in programs() {
        let mut judged = 0;
        let mut widths = Vec::new();
        for json in &list {
            let from = json["from"].as_str().expect("from");
            let text = json["text"].to_string();
            let fetches = ["SAMPLE", "LD ", "GET_"].iter().any(|op| text.contains(op));
            if from.split('.').next() != Some(name) || !fetches {
                continue;
            }
            judged += 1;
            let program = Program::new(&oracle, &bytes(json), Chip::R700).expect(from);
            for quad in quads(name) {
                let mut started = quad;
                if name == "ps_t_proj" && from.ends_with(".nir") {
                    // That back end drops the component that is not used.
                    started = quad.map(|[x, y, _, w]| [x, y, w, w]);
                }
                let environment = environment(name, dimension, size, &started);
                let outcome = run(&program, &environment, &policy, &Limits::default(), &mut ());
                let outcome = outcome.unwrap_or_else(|error| panic!("{from}: {error}"));
                for (lane, outcome) in outcome.lanes.iter().enumerate() {
                    let found = &outcome.exports[&Target::Pixel(0)];
                    let wanted = expected(&quad, lane);
                    for (component, (found, wanted)) in found.iter().zip(wanted).enumerate() {
                        let found = found.as_ref().expect("a component that is exported");
                        let wanted = wanted as f32;
                        // The expectation is rounded once, and the program's several times.
                        let near = (found.number() - wanted).abs() <= 1e-4 * wanted.abs().max(1.0);
                        let accepted = matches!(
                            found.accepts(wanted.to_bits()),
                            Acceptance::Agree | Acceptance::Within(_)
                        );
                        let known = found.is_settled() && near;
                        if !(accepted || known) {
                            wrongs.push(format!(
                                "{from} {:?} lane {lane} component {component}: {found:?}, {wanted} expected",
                                quad[lane]
                            ));
                        }
                        widths.push(width(found) / f64::from(wanted.abs().max(1.0)));
                    }
                }
            }
        }
        assert!(judged >= 2, "{name}: {judged} programs");
        widths.sort_by(f64::total_cmp);
        let middle = widths[widths.len() / 2];
        if middle > 0.2 {
            wrongs.push(format!(
                "{name}: half of the results leave {middle} of their size open"
            ));
        }
    }
    assert!(
        wrongs.is_empty(),
        "{} differ:\n{}",
        wrongs.len(),
        wrongs[..wrongs.len().min(20)].join("\n")
    );
}
