//! Runs on whatever device there is. Without one each test says so and ends.

mod buffers;
mod float_behaviour;
mod textures;

use corpora::execution::{Invocation, LaneReturn, Launch, Returned, Slot, Stage, Vec4};

use super::VulkanEngine;
use crate::engine::Error;
use crate::engine::glsl::{Glslang, Validity, compile, compile_with_glslang, spirv_val};
use crate::engine::patch::{Offers, patch};

/// The device, or nothing and a line that says so.
fn engine() -> Option<VulkanEngine> {
    match VulkanEngine::open() {
        Ok(engine) => Some(engine),
        Err(why) => {
            eprintln!("not run: {why}");
            None
        }
    }
}

fn spirv(source: &str, stage: Stage) -> Vec<u32> {
    compile(source, stage).unwrap_or_else(|error| panic!("{error}"))
}

/// Runs one launch.
fn run(engine: &VulkanEngine, source: &str, launch: &Launch) -> Returned {
    let prepared = engine
        .prepare(&spirv(source, launch.stage), launch.stage)
        .unwrap();
    let mut returned = engine.run(&prepared, std::slice::from_ref(launch)).unwrap();
    assert_eq!(returned.len(), 1);
    returned.remove(0)
}

/// Lanes that have these values at location 0.
fn launch(stage: Stage, inputs: &[Vec4]) -> Launch {
    let mut launch = Launch::new(stage);
    for &input in inputs {
        launch.lanes.push(Invocation {
            inputs: [(0, input)].into(),
            ..Invocation::default()
        });
    }
    launch
}

fn output(lane: &LaneReturn) -> Vec4 {
    assert!(!lane.killed);
    lane.outputs[&0]
}

fn floats(values: Vec4) -> [f32; 4] {
    values.map(f32::from_bits)
}

fn bits(values: [f32; 4]) -> Vec4 {
    values.map(f32::to_bits)
}

/// A shader that copies location 0. naga wants every vertex shader to write a position.
fn copy(stage: Stage) -> &'static str {
    match stage {
        Stage::Pixel => COPY,
        Stage::Vertex => {
            "#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 b;
void main() { b = a; gl_Position = vec4(0.0); }"
        }
    }
}

/// sNaN, qNaN with payload, denormals, both zeros, -1, infinities: what hardware likes to change on the way.
const AWKWARD: [Vec4; 6] = [
    [0x7f80_0001, 0xff80_0001, 0x7fc1_2345, 0xffff_ffff],
    [0x0000_0001, 0x8000_0001, 0x007f_ffff, 0x807f_ffff],
    [0x0000_0000, 0x8000_0000, 0x7f80_0000, 0xff80_0000],
    [0x3f80_0000, 0xbf80_0000, 0x7f7f_ffff, 0x0080_0000],
    [0xdead_beef, 0x0123_4567, 0x7fa0_0000, 0xffbf_ffff],
    [u32::MAX, 1, 2, 3],
];

const COPY: &str = "#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 b;
void main() { b = a; }";

#[test]
fn words_pass_a_pixel_stage_unchanged() {
    let Some(engine) = engine() else { return };
    let returned = run(&engine, COPY, &launch(Stage::Pixel, &AWKWARD));
    let outputs: Vec<Vec4> = returned.lanes.iter().map(output).collect();
    assert_eq!(outputs, AWKWARD);
}

#[test]
fn words_pass_a_vertex_stage_unchanged() {
    let Some(engine) = engine() else { return };
    let source = "#version 450
layout(location = 0) in vec4 a;
layout(location = 3) flat out ivec2 i;
layout(location = 0) out vec4 b;
void main() {
    b = a; gl_Position = a.wzyx; gl_PointSize = a.x;
    i = ivec2(gl_VertexIndex, gl_InstanceIndex);
}";
    let mut wanted = launch(Stage::Vertex, &AWKWARD);
    for (lane, number) in wanted.lanes.iter_mut().zip(0u32..) {
        (lane.vertex_index, lane.instance_index) = (100 + number, 0xffff_fff0 + number);
    }
    let returned = run(&engine, source, &wanted);
    for ((lane, input), number) in returned.lanes.iter().zip(AWKWARD).zip(0u32..) {
        assert_eq!(output(lane), input);
        let [x, y, z, w] = input;
        assert_eq!(lane.position, Some([w, z, y, x]));
        assert_eq!(lane.point_size, Some(x));
        assert_eq!(lane.outputs[&3], [100 + number, 0xffff_fff0 + number, 0, 0]);
        assert!(lane.clip_distances.is_empty());
    }
}

#[test]
fn many_lanes_keep_their_order() {
    let Some(engine) = engine() else { return };
    // 1023 lanes: three full rows of 64 quads, and 63 quads and 3 lanes in a fourth.
    for stage in [Stage::Vertex, Stage::Pixel] {
        let inputs: Vec<Vec4> = (0..1023).map(|lane| [lane, lane * 7, !lane, 0]).collect();
        let returned = run(&engine, copy(stage), &launch(stage, &inputs));
        let outputs: Vec<Vec4> = returned.lanes.iter().map(output).collect();
        assert_eq!(outputs, inputs);
    }
}

#[test]
fn a_discarded_pixel_is_killed_and_the_others_are_not() {
    let Some(engine) = engine() else { return };
    let source = "#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 b;
void test(float x) { if (x < 0.0) { discard; } }
void main() {
    b = a + 1.0;
    for (int i = 0; i < 3; i++) { test(a.y - float(i)); }
    if (a.x < 0.0) { discard; }
    b = a;
}";
    // y below 2 is killed in the called function, x below 0 in the entry point.
    let inputs = [[1.0, 5.0], [-1.0, 5.0], [1.0, 1.0], [2.0, 2.0], [3.0, 3.0]];
    let inputs = inputs.map(|[x, y]| bits([x, y, 0.0, 0.0]));
    let returned = run(&engine, source, &launch(Stage::Pixel, &inputs));
    let killed: Vec<bool> = returned.lanes.iter().map(|lane| lane.killed).collect();
    assert_eq!(killed, [false, true, true, false, false]);
    for lane in [0, 3, 4] {
        assert_eq!(output(&returned.lanes[lane]), inputs[lane]);
    }
    assert!(returned.lanes[1].outputs.is_empty());
}

#[test]
fn an_early_return_still_returns_its_outputs() {
    let Some(engine) = engine() else { return };
    let source = "#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 b;
void main() { b = vec4(1.0); if (a.x > 0.0) { return; } b = vec4(2.0); }";
    let returned = run(
        &engine,
        source,
        &launch(Stage::Pixel, &[bits([1.0; 4]), bits([-1.0; 4])]),
    );
    assert_eq!(floats(output(&returned.lanes[0])), [1.0; 4]);
    assert_eq!(floats(output(&returned.lanes[1])), [2.0; 4]);
}

#[test]
fn derivatives_are_those_of_the_quad() {
    let Some(engine) = engine() else { return };
    let source = "#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 b;
void main() {
    b = vec4(dFdxFine(a.x), dFdyFine(a.x), dFdxCoarse(a.x), dFdyCoarse(a.x));
}";
    // Two quads: top left, top right, bottom left, bottom right.
    let values = [1.0, 3.0, 11.0, 23.0, -1.0, -1.5, 7.0, 100.0];
    let inputs = values.map(|x| bits([x, 0.0, 0.0, 0.0]));
    let returned = run(&engine, source, &launch(Stage::Pixel, &inputs));
    for (lane, returned) in returned.lanes.iter().enumerate() {
        let quad = lane / 4 * 4;
        let (row, column) = (lane / 2 % 2, lane % 2);
        let x = values[quad + 2 * row + 1] - values[quad + 2 * row];
        let y = values[quad + 2 + column] - values[quad + column];
        let found = floats(output(returned));
        assert_eq!(found[..2], [x, y], "lane {lane}");
        // Coarse ones may be those of either row or column, and are one for the quad.
        let rows = [0, 2].map(|row| values[quad + row + 1] - values[quad + row]);
        let columns = [0, 1].map(|column| values[quad + 2 + column] - values[quad + column]);
        assert!(
            rows.contains(&found[2]) && columns.contains(&found[3]),
            "lane {lane}"
        );
    }
}

#[test]
fn helpers_feed_derivatives_and_store_nothing() {
    let Some(engine) = engine() else { return };
    if !engine.has_helpers() {
        eprintln!("not run: the device has no shaderDemoteToHelperInvocation");
        return;
    }
    let source = "#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 b;
layout(set = 3, binding = 256, std430) buffer Log { uint log[]; };
void main() { log[uint(a.y)] = 7u; b = vec4(dFdxFine(a.x)); }";
    let inputs = [0.0, 1.0, 2.0, 3.0].map(|lane: f32| bits([lane * lane, lane, 0.0, 0.0]));
    let mut wanted = launch(Stage::Pixel, &inputs);
    wanted.lanes[1].helper = true;
    let slot = Slot::new(3, 256);
    wanted.storage.insert(slot, vec![0; 16]);
    let returned = run(&engine, source, &wanted);
    // 1 - 0 on top, 9 - 4 below.
    assert_eq!(floats(output(&returned.lanes[0]))[0], 1.0);
    assert_eq!(floats(output(&returned.lanes[2]))[0], 5.0);
    assert_eq!(returned.lanes[1], LaneReturn::default());
    assert_eq!(
        returned.storage[&slot],
        [7, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 7, 0, 0, 0]
    );
    // Three lanes: the fourth is added to fill the quad, and stores nothing either.
    wanted.lanes.pop();
    let returned = run(&engine, source, &wanted);
    assert_eq!(
        returned.storage[&slot],
        [7, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0]
    );
}

#[test]
fn each_vertex_runs_once() {
    let Some(engine) = engine() else { return };
    let source = "#version 450
layout(set = 3, binding = 0, std430) buffer Count { uint count; };
void main() { atomicAdd(count, 1u); }";
    // naga has no atomics in GLSL.
    let words = match compile_with_glslang(source, Stage::Vertex) {
        Glslang::Compiled(words) => words,
        other => {
            eprintln!("not run with glslang: {other:?}");
            return;
        }
    };
    let prepared = engine.prepare(&words, Stage::Vertex).unwrap();
    for lanes in [1, 3, 8, 61] {
        let mut wanted = launch(Stage::Vertex, &vec![[0; 4]; lanes]);
        wanted.storage.insert(Slot::new(3, 0), vec![0; 4]);
        let returned = engine.run(&prepared, &[wanted]).unwrap().remove(0);
        assert_eq!(
            returned.storage[&Slot::new(3, 0)],
            (lanes as u32).to_le_bytes()
        );
    }
}

#[test]
fn the_pixel_stage_sees_the_launchs_coordinates_and_facing() {
    let Some(engine) = engine() else { return };
    let source = "#version 450
layout(location = 0) out vec4 b;
layout(location = 1) out vec4 c;
void main() { b = gl_FragCoord; c = vec4(gl_FrontFacing ? 1.0 : 2.0); gl_FragDepth = 7.5; }";
    let mut wanted = launch(Stage::Pixel, &[[0; 4]; 2]);
    wanted.lanes[0].frag_coord = bits([-3.0, 1e9, f32::NAN, 0.25]);
    wanted.lanes[0].front_facing = true;
    wanted.lanes[1].frag_coord = bits([0.5, 0.5, 0.5, 0.5]);
    let returned = run(&engine, source, &wanted);
    for (lane, facing) in returned.lanes.iter().zip([1.0f32, 2.0]) {
        assert_eq!(lane.outputs[&1], bits([facing; 4]));
        assert_eq!(lane.frag_depth, Some(7.5f32.to_bits()));
    }
    assert_eq!(output(&returned.lanes[0]), wanted.lanes[0].frag_coord);
    assert_eq!(output(&returned.lanes[1]), wanted.lanes[1].frag_coord);
}

#[test]
fn glslangs_modules_run_too() {
    let Some(engine) = engine() else { return };
    // glslang declares the whole block of builtins, of which only two are written here.
    let source = "#version 450
layout(location = 2, component = 1) in vec2 a;
layout(location = 4) in mat2x4 m;
layout(location = 1) out Block { vec4 x; layout(location = 7) flat int y[2]; } block;
out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[2]; };
void main() {
    gl_Position = m[1]; gl_ClipDistance[1] = a.y;
    block.x = vec4(a, m[0].xy); block.y[0] = -1; block.y[1] = gl_VertexIndex;
}";
    let words = match compile_with_glslang(source, Stage::Vertex) {
        Glslang::Compiled(words) => words,
        Glslang::NotInstalled => {
            eprintln!("not run: glslangValidator is not installed");
            return;
        }
        Glslang::Failed(error) => panic!("{error}"),
    };
    let mut launch = Launch::new(Stage::Vertex);
    launch.lanes.push(Invocation {
        inputs: [(2, [1, 2, 3, 4]), (4, [5, 6, 7, 8]), (5, [9, 10, 11, 12])].into(),
        vertex_index: 77,
        ..Invocation::default()
    });
    let prepared = engine.prepare(&words, Stage::Vertex).unwrap();
    let returned = engine.run(&prepared, &[launch]).unwrap();
    let lane = &returned[0].lanes[0];
    // Components 1 and 2 of location 2; columns at 4 and 5.
    assert_eq!(lane.outputs[&1], [2, 3, 5, 6]);
    assert_eq!(lane.outputs[&7], [u32::MAX, 0, 0, 0]);
    assert_eq!(lane.outputs[&8], [77, 0, 0, 0]);
    assert_eq!(lane.position, Some([9, 10, 11, 12]));
    assert_eq!(lane.clip_distances, [0, 3]);
    assert_eq!(lane.point_size, None);
}

#[test]
fn what_does_not_fit_is_an_error() {
    let Some(engine) = engine() else { return };
    let words = spirv(COPY, Stage::Pixel);
    let prepared = engine.prepare(&words, Stage::Pixel).unwrap();
    let wrong = engine.run(&prepared, &[Launch::new(Stage::Vertex)]);
    assert_eq!(
        wrong,
        Err(Error::Launch("a vertex run of a pixel module".to_owned()))
    );
    assert_eq!(engine.run(&prepared, &[]), Ok(Vec::new()));
    assert_eq!(
        engine.run(&prepared, &[Launch::new(Stage::Pixel)]).unwrap()[0].lanes,
        []
    );
    assert!(matches!(
        engine.prepare(&words, Stage::Vertex),
        Err(Error::Launch(_))
    ));
    assert!(matches!(
        engine.prepare(&words[..20], Stage::Pixel),
        Err(Error::Invalid(_))
    ));
    assert!(matches!(
        engine.prepare(&[], Stage::Pixel),
        Err(Error::Invalid(_))
    ));
    let uniform = "#version 450
layout(location = 0) out vec4 b;
layout(set = 1, binding = 7) uniform U { vec4 u; };
void main() { b = u; }";
    let prepared = engine
        .prepare(&spirv(uniform, Stage::Pixel), Stage::Pixel)
        .unwrap();
    let wanted = launch(Stage::Pixel, &[[0; 4]]);
    assert_eq!(
        engine.run(&prepared, &[wanted]),
        Err(Error::Launch(
            "no uniform buffer for set 1 binding 7".to_owned()
        ))
    );
}

#[test]
fn patched_modules_are_valid() {
    for stage in [Stage::Pixel, Stage::Vertex] {
        for demote in [false, true] {
            let words = spirv(copy(stage), stage);
            let offers = Offers {
                demote,
                preserve: demote,
            };
            let patched = patch(&words, stage, offers).unwrap();
            assert!(matches!(
                spirv_val(&patched.words),
                Validity::Valid | Validity::NotInstalled
            ));
        }
    }
}
