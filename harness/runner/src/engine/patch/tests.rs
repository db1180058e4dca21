use corpora::execution::{Dimension, Slot, Stage};

use super::{Field, ImageKind, Kind, Offers, Patched, Resource, Sampled, patch};
use crate::engine::Error;
use crate::engine::glsl::{Glslang, Validity, compile, compile_with_glslang, spirv_val};

/// A module of every compiler that there is.
fn modules(source: &str, stage: Stage) -> Vec<Vec<u32>> {
    let mut modules: Vec<_> = compile(source, stage).into_iter().collect();
    if let Glslang::Compiled(words) = compile_with_glslang(source, stage) {
        modules.push(words);
    }
    modules
}

/// A device that offers everything.
const ALL: Offers = Offers {
    demote: true,
    preserve: true,
};

fn valid(patched: &Patched) {
    if let Validity::Invalid(why) = spirv_val(&patched.words) {
        panic!("{why}");
    }
}

fn location(location: u32, component: u32) -> Field {
    Field::Location {
        location,
        component,
    }
}

const PIXEL: &str = "#version 450
layout(location = 3) in vec2 a;
layout(location = 1) out vec3 b;
layout(set = 1, binding = 4) uniform texture2D t;
layout(set = 2, binding = 5) uniform sampler s;
layout(set = 0, binding = 0, std140) uniform U { vec4 u[4]; };
layout(set = 3, binding = 256, std430) buffer L { uint log[]; };
vec4 look(texture2D t, vec2 at) { return texture(sampler2D(t, s), at); }
void main() {
    log[0] = 1u;
    b = texture(sampler2D(t, s), a).xyz + u[1].xyz + vec3(gl_FragCoord.w);
    if (!gl_FrontFacing) { discard; }
}";

#[test]
fn the_interface_is_laid_out_word_by_word() {
    for words in modules(PIXEL, Stage::Pixel) {
        for demote in [false, true] {
            let offers = Offers {
                demote,
                preserve: demote,
            };
            let patched = patch(&words, Stage::Pixel, offers).unwrap();
            valid(&patched);
            let mut inputs = patched.inputs.clone();
            inputs.sort();
            let mut wanted = vec![location(3, 0), location(3, 1)];
            wanted.extend((0..4).map(Field::FragCoord));
            wanted.push(Field::FrontFacing);
            if demote {
                wanted.push(Field::Helper);
            }
            assert_eq!(inputs, wanted);
            let outputs = [
                Field::Finished,
                location(1, 0),
                location(1, 1),
                location(1, 2),
            ];
            assert_eq!(patched.outputs, outputs);
        }
    }
}

#[test]
fn resources_are_found_and_the_buffers_are_beside_them() {
    let image = ImageKind {
        dimension: Dimension::D2,
        samples: Sampled::Float,
        depth: false,
    };
    for words in modules(PIXEL, Stage::Pixel) {
        let patched = patch(&words, Stage::Pixel, ALL).unwrap();
        let wanted = [
            Resource {
                slot: Slot::new(0, 0),
                kind: Kind::Uniform,
            },
            Resource {
                slot: Slot::new(1, 4),
                kind: Kind::Image(image),
            },
            Resource {
                slot: Slot::new(2, 5),
                kind: Kind::Sampler {
                    samples: Sampled::Float,
                },
            },
            Resource {
                slot: Slot::new(3, 256),
                kind: Kind::Storage,
            },
        ];
        assert_eq!(patched.resources, wanted);
        assert_eq!(patched.input_slot, Slot::new(3, 257));
        assert_eq!(patched.output_slot, Slot::new(3, 258));
    }
}

#[test]
fn members_of_builtin_blocks_count_when_they_are_used() {
    let source = "#version 450
void main() { gl_Position = vec4(float(gl_VertexIndex)); }";
    for words in modules(source, Stage::Vertex) {
        let patched = patch(&words, Stage::Vertex, ALL).unwrap();
        valid(&patched);
        assert_eq!(patched.inputs, [Field::VertexIndex]);
        let mut wanted = vec![Field::Finished];
        wanted.extend((0..4).map(Field::Position));
        assert_eq!(patched.outputs, wanted);
    }
}

#[test]
fn what_is_not_supported_is_named() {
    let cases = [
        (
            "#version 450
layout(location = 0) out vec4 b;
void main() { b = vec4(gl_PrimitiveID); }",
            "",
        ),
        (
            "#version 450
layout(location = 0) out vec4 b;
void main() { b = vec4(gl_PointCoord, 0.0, 0.0); }",
            "unsupported: input builtin PointCoord in the pixel stage",
        ),
        (
            "#version 450
layout(location = 0) out vec4 b;
layout(set = 1, binding = 2) uniform sampler2D t[2];
void main() { b = texture(t[1], vec2(0.0)); }",
            "unsupported: an array of resources at set 1 binding 2",
        ),
        (
            "#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 b;
void main() { b = interpolateAtCentroid(a); }",
            "unsupported: InterpolateAt instructions",
        ),
        (
            "#version 450
layout(location = 0) out vec4 b;
layout(push_constant) uniform P { vec4 p; };
void main() { b = p; }",
            "unsupported: global variable",
        ),
    ];
    for (source, wanted) in cases {
        let words = match compile_with_glslang(source, Stage::Pixel) {
            Glslang::Compiled(words) => words,
            Glslang::NotInstalled => {
                eprintln!("not run: glslangValidator is not installed");
                return;
            }
            Glslang::Failed(error) => panic!("{error}"),
        };
        let error = patch(&words, Stage::Pixel, ALL).unwrap_err();
        assert!(matches!(error, Error::Unsupported(_)), "{error}");
        assert!(error.to_string().starts_with(wanted), "{error}");
    }
}

#[test]
fn broken_modules_are_errors_and_not_panics() {
    let words = compile(
        PIXEL
            .replace(
                "vec4 look(texture2D t, vec2 at) { return texture(sampler2D(t, s), at); }",
                "",
            )
            .as_str(),
        Stage::Pixel,
    )
    .unwrap();
    for length in 0..words.len() {
        let _ = patch(&words[..length], Stage::Pixel, ALL);
    }
    // Each word in turn becomes something else.
    for index in 0..words.len() {
        for change in [0, 1, 0xffff, 0x0001_0000, u32::MAX] {
            let mut words = words.clone();
            words[index] ^= change;
            let _ = patch(&words, Stage::Pixel, ALL);
            words[index] = change;
            let _ = patch(&words, Stage::Pixel, ALL);
        }
    }
}

#[test]
fn signed_zeros_are_kept_where_the_device_can() {
    let modes = |words: &[u32]| {
        let mode = rspirv::dr::Operand::ExecutionMode(
            rspirv::spirv::ExecutionMode::SignedZeroInfNanPreserve,
        );
        let module = super::load(words).unwrap();
        let all = module.execution_modes.iter();
        all.filter(|instruction| instruction.operands.contains(&mode))
            .count()
    };
    let copy = "#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 b;
void main() { b = a; }";
    for words in modules(copy, Stage::Pixel) {
        let plain = patch(&words, Stage::Pixel, Offers::default()).unwrap();
        assert_eq!(modes(&plain.words), 0);
        let kept = patch(&words, Stage::Pixel, ALL).unwrap();
        valid(&kept);
        assert_eq!(modes(&kept.words), 1);
    }
}
