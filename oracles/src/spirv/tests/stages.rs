//! Inputs, outputs and built-ins of both stages, and what is refused.

use corpora::execution::{Invocation, Launch, Stage};

use super::{floats, pixels, run, words};
use crate::spirv::{Cause, Engine, Module};

#[test]
fn vertex_shaders() {
    let glsl = "#version 450
        layout(location = 0) in vec4 p;
        layout(location = 3) in vec2 t;
        layout(location = 0) out vec4 o;
        layout(location = 5) out vec2 u;
        void main() {
            gl_Position = p + vec4(1.0);
            gl_PointSize = 4.0;
            o = vec4(float(gl_VertexIndex), float(gl_InstanceIndex), 0.0, 0.0);
            u = t.yx;
        }";
    let mut launch = Launch::new(Stage::Vertex);
    let mut lane = Invocation {
        vertex_index: 7,
        instance_index: 2,
        ..Invocation::default()
    };
    lane.inputs.insert(0, floats([1.0, 2.0, 3.0, 4.0]));
    lane.inputs.insert(3, floats([5.0, 6.0, 7.0, 8.0]));
    launch.lanes = vec![lane, Invocation::default()];
    let returned = run(glsl, &launch);
    let lane = &returned.lanes[0];
    assert_eq!(lane.position, Some(floats([2.0, 3.0, 4.0, 5.0])));
    assert_eq!(lane.point_size, Some(4.0f32.to_bits()));
    assert_eq!(lane.outputs[&0], floats([7.0, 2.0, 0.0, 0.0]));
    assert_eq!(lane.outputs[&5], floats([6.0, 5.0, 0.0, 0.0]));
    assert_eq!(lane.frag_depth, None);
    assert!(lane.clip_distances.is_empty());
    // Inputs that are missing are 0.
    assert_eq!(returned.lanes[1].position, Some(floats([1.0; 4])));
}

#[test]
fn pixel_built_ins() {
    let glsl = "#version 450
        layout(location = 0) out vec4 o;
        void main() {
            o = gl_FragCoord;
            gl_FragDepth = gl_FrontFacing ? 0.25 : 0.75;
        }";
    let mut launch = pixels(&[[[0; 4]], [[0; 4]]]);
    launch.lanes[0].frag_coord = floats([0.5, 1.5, 0.0, 1.0]);
    launch.lanes[0].front_facing = true;
    let returned = run(glsl, &launch);
    assert_eq!(returned.lanes[0].outputs[&0], floats([0.5, 1.5, 0.0, 1.0]));
    assert_eq!(returned.lanes[0].frag_depth, Some(0.25f32.to_bits()));
    assert_eq!(returned.lanes[1].frag_depth, Some(0.75f32.to_bits()));
    assert_eq!(returned.lanes[0].position, None);
}

#[test]
fn a_launch_must_fit() {
    let glsl = "#version 450
        layout(location = 0) out vec4 o;
        layout(set = 0, binding = 4, std140) uniform U { vec4 c; };
        void main() { o = c; }";
    let module = Module::parse(&words(Stage::Pixel, glsl)).unwrap();
    assert_eq!(module.stages().collect::<Vec<_>>(), [Stage::Pixel]);
    let error = Engine::default()
        .run(&module, &pixels(&[[[0; 4]]]))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "SPIR-V: no uniform buffer at set 0, binding 4"
    );
    let error = Engine::default()
        .run(&module, &Launch::new(Stage::Vertex))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "SPIR-V: the module has no entry point of the vertex stage"
    );
}

#[test]
fn what_is_no_module_is_refused() {
    for bytes in [&[][..], &[3, 2, 0x23], &[0; 40], &[3, 2, 0x23, 7]] {
        let error = Module::parse_bytes(bytes).unwrap_err();
        assert_eq!(error.cause, Cause::Malformed, "{error}");
    }
}

#[test]
fn either_byte_order() {
    let glsl = "#version 450
        layout(location = 0) out vec4 o;
        void main() { o = vec4(3.0); }";
    let words = words(Stage::Pixel, glsl);
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
    let module = Module::parse_bytes(&bytes).unwrap();
    let returned = Engine::default()
        .run(&module, &pixels(&[[[0; 4]]]))
        .unwrap();
    assert_eq!(returned.lanes[0].outputs[&0], floats([3.0; 4]));
}
