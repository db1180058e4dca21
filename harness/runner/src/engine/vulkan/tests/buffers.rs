//! Uniform and storage buffers.

use corpora::execution::{Launch, Slot, Stage};

use super::{engine, launch, output, run, spirv};

/// Words as a buffer.
fn buffer(words: impl IntoIterator<Item = u32>) -> Vec<u8> {
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

#[test]
fn launches_have_their_own_uniforms() {
    let Some(engine) = engine() else { return };
    let source = "#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 b;
layout(set = 0, binding = 0, std140) uniform U { vec4 u[256]; };
layout(set = 0, binding = 17, std140) uniform V { vec4 v[4096]; };
void main() { b = u[floatBitsToInt(a.x)] ; b.w = v[floatBitsToInt(a.y)].x; }";
    let prepared = engine
        .prepare(&spirv(source, Stage::Pixel), Stage::Pixel)
        .unwrap();
    let launches: Vec<Launch> = (0..3u32)
        .map(|number| {
            let mut launch = launch(Stage::Pixel, &[[255, 4095, 0, 0], [number, number, 0, 0]]);
            let words = (0..1024).map(|word| word + 10_000 * number);
            launch.uniforms.insert(Slot::new(0, 0), buffer(words));
            let words = (0..16384).map(|word| word ^ (0x8000_0000 + number));
            launch.uniforms.insert(Slot::new(0, 17), buffer(words));
            launch
        })
        .collect();
    let returned = engine.run(&prepared, &launches).unwrap();
    for (returned, number) in returned.iter().zip(0u32..) {
        let first = 1020 + 10_000 * number;
        let last = 16380 ^ (0x8000_0000 + number);
        assert_eq!(
            output(&returned.lanes[0]),
            [first, first + 1, first + 2, last]
        );
        let first = 4 * number + 10_000 * number;
        let last = (4 * number) ^ (0x8000_0000 + number);
        assert_eq!(
            output(&returned.lanes[1]),
            [first, first + 1, first + 2, last]
        );
    }
}

#[test]
fn storage_buffers_are_read_and_come_back() {
    let Some(engine) = engine() else { return };
    let source = "#version 450
layout(location = 0) out vec4 b;
layout(set = 3, binding = 2, std430) readonly buffer W { uint words[]; };
layout(set = 3, binding = 256, std430) buffer L { uint log[]; };
void main() {
    b = uintBitsToFloat(uvec4(words[0], words[1], words[2], uint(words.length())));
    log[gl_VertexIndex] = words[gl_VertexIndex] + 1u;
    gl_Position = vec4(0.0);
}";
    let mut wanted = launch(Stage::Vertex, &[[0; 4]; 3]);
    for (lane, number) in wanted.lanes.iter_mut().zip(0..) {
        lane.vertex_index = number;
    }
    wanted
        .storage
        .insert(Slot::new(3, 2), buffer([0x7f80_0001, u32::MAX, 5]));
    wanted.storage.insert(Slot::new(3, 256), buffer([9; 4]));
    wanted.storage.insert(Slot::new(3, 9), buffer([1])); // Not the module's.
    let returned = run(&engine, source, &wanted);
    assert_eq!(output(&returned.lanes[2]), [0x7f80_0001, u32::MAX, 5, 3]);
    assert_eq!(
        returned.storage[&Slot::new(3, 256)],
        buffer([0x7f80_0002, 0, 6, 9])
    );
    assert_eq!(
        returned.storage[&Slot::new(3, 2)],
        wanted.storage[&Slot::new(3, 2)]
    );
    assert_eq!(
        returned.storage[&Slot::new(3, 9)],
        wanted.storage[&Slot::new(3, 9)]
    );
}
