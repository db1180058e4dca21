//! Modules that glslang made: its idioms, and what naga's GLSL has no words for.

use corpora::execution::{Dimension, Invocation, Launch, Sampler, Slot, Stage, Texture};

use super::{bytes, colours, floats, pixels};
use crate::spirv::{Engine, Module};

fn run(module: &[u8], launch: &Launch) -> corpora::execution::Returned {
    Engine::default()
        .run(&Module::parse_bytes(module).unwrap(), launch)
        .unwrap()
}

#[test]
fn storage_buffers() {
    let mut launch = pixels(&[[[2, 2, 0, 0]], [[0, 1000, 0, 0]], [[3, u32::MAX, 0, 0]]]);
    launch.storage.insert(Slot::new(3, 1), bytes(&[10, 20, 30]));
    launch.storage.insert(Slot::new(3, 2), bytes(&[0, 0, 0, 0]));
    launch.storage.insert(Slot::new(9, 9), vec![1, 2, 3]);
    let returned = run(include_bytes!("modules/storage.spv"), &launch);
    // The buffer of 16 bytes has a word, and an array of three. The log gets 30, 10 and (from outside) 0, the last of
    // which lane 0 overwrites.
    assert_eq!(
        colours(&returned),
        [[30, 3, 3, 0], [10, 3, 3, 1], [0, 3, 3, 2]]
    );
    assert_eq!(returned.storage[&Slot::new(3, 2)], bytes(&[3, 30, 10, 9]));
    assert_eq!(returned.storage[&Slot::new(3, 1)], bytes(&[10, 20, 30]));
    assert_eq!(returned.storage[&Slot::new(9, 9)], [1, 2, 3]);
}

#[test]
fn atomic_operations() {
    let mut launch = pixels(&[[[5, 0, 0, 0]], [[6, 0, 0, 0]], [[7, 0, 0, 0]]]);
    launch.lanes[2].helper = true;
    launch
        .storage
        .insert(Slot::new(3, 0), bytes(&[3, 9, 8, 7, 1, 2, 5, u32::MAX]));
    let returned = run(include_bytes!("modules/atomics.spv"), &launch);
    // 8 | 5 | 6 = 15; 7 & 5 & 6 = 4; 1 ^ 5 ^ 6 = 2; 5 = 5 puts 5 there, which puts 6 there; -1 + 5 + 6 = 10. The helper
    // sees what is there and changes nothing.
    assert_eq!(
        returned.storage[&Slot::new(3, 0)],
        bytes(&[6, 5, 15, 4, 2, 6, 6, 10])
    );
    assert_eq!(
        colours(&returned),
        [[2, 5, 0, 0], [5, 5, 0, 0], [6, 6, 0, 0]]
    );
}

#[test]
fn arrays_round_the_layer_to_even() {
    let texels = (0..4).map(|layer| floats([layer as f32; 4])).collect();
    let size = [1, 1, 4];
    let dimension = Dimension::D2Array;
    let texture = Texture {
        dimension,
        size,
        levels: vec![texels],
        integer: false,
    };
    let layers = [0.4, 0.5, 1.5, 2.6, 9.0, -3.0].map(|layer| [floats([layer; 4])]);
    let mut launch = pixels(&layers);
    launch.textures.insert(Slot::new(1, 0), texture);
    launch.samplers.insert(Slot::new(1, 0), Sampler::default());
    let found = colours(&run(include_bytes!("modules/layers.spv"), &launch));
    assert_eq!(
        found,
        [0.0, 0.0, 2.0, 3.0, 3.0, 0.0].map(|layer| floats([layer; 4]))
    );
}

#[test]
fn a_translated_pixel_shader() {
    let mut launch = pixels(&[
        [floats([1.0, 0.0, 0.25, 0.25]), floats([0.5, 0.0, 0.0, 0.0])],
        [floats([0.0, 0.0, 0.75, 0.25]), floats([1.5, 0.0, 0.0, 0.0])],
    ]);
    // c[n] = (1.5, n + 2); count 3 in the low 12 bits of loop constant 0.
    let constants = (0..256).flat_map(|n| [1.5f32.to_bits(), (n as f32 + 2.0).to_bits(), 0, 0]);
    launch
        .uniforms
        .insert(Slot::new(0, 0), bytes(&constants.collect::<Vec<_>>()));
    let mut control = vec![0; 36];
    control[0] = 0x0100_0003;
    control[32] = 1;
    launch.uniforms.insert(Slot::new(0, 1), bytes(&control));
    launch.storage.insert(Slot::new(3, 256), vec![0; 4 * 16]);
    let texels = (0..4)
        .map(|texel| floats([texel as f32 + 10.0, 0.0, 0.0, 0.0]))
        .collect();
    let dimension = Dimension::D2;
    let texture = Texture {
        dimension,
        size: [2, 2, 1],
        levels: vec![texels],
        integer: false,
    };
    launch.textures.insert(Slot::new(1, 0), texture);
    launch.samplers.insert(Slot::new(2, 0), Sampler::default());
    let returned = run(include_bytes!("modules/translated.spv"), &launch);
    // Lane 0: 1 · 2 > 1.5, so x = 2; 2 · 3, x = 3; 3 · 4, x = 4. R[2].w = 3: discarded. AR.x = 0.
    // Lane 1: 0 each time, never greater; R[2].w stays 0. AR.x = 1, so R[2].xy is texel (1, 0): 11.
    let log: Vec<u32> = returned.storage[&Slot::new(3, 256)]
        .as_chunks::<4>()
        .0
        .iter()
        .map(|&word| u32::from_le_bytes(word))
        .collect();
    let expected = [2.0f32, 0.0, 6.0, 0.0, 12.0, 0.0].map(f32::to_bits);
    assert_eq!(log[0], 6);
    assert_eq!(log[1..7], expected);
    assert!(returned.lanes[0].killed);
    assert!(!returned.lanes[1].killed);
    // NaN != NaN is true: OpFUnordNotEqual.
    assert_eq!(returned.lanes[1].outputs[&0], floats([0.0, 0.0, 0.0, 1.0]));
    assert_eq!(returned.lanes[1].frag_depth, Some(0x8000_0000));
}

#[test]
fn a_vertex_shader_with_its_block() {
    let mut launch = Launch::new(Stage::Vertex);
    let mut lane = Invocation {
        vertex_index: 9,
        instance_index: 100,
        ..Invocation::default()
    };
    lane.inputs.insert(0, floats([1.0, 2.0, 3.0, 4.0]));
    launch.lanes.push(lane);
    let returned = run(include_bytes!("modules/position.spv"), &launch);
    let lane = &returned.lanes[0];
    assert_eq!(lane.position, Some(floats([2.0, 1.0, 3.0, 4.0])));
    // It is declared and never written.
    assert_eq!(lane.point_size, None);
    let distances = [1.0f32, 101.0, 102.0, 103.0, 104.0, 105.0, 106.0, 107.0].map(f32::to_bits);
    assert_eq!(lane.clip_distances, distances);
    assert_eq!(lane.outputs[&2], floats([9.0; 4]));
}

#[test]
fn other_widths() {
    // Bytes 0 to 7 wide[0], to 15 wide[1] = 5, to 23 real = 3.0, to 27 bytes, to 31 halves (1.0, 0), shorts (0, -7).
    let real = 3.0f64.to_bits();
    let words = [
        0,
        0,
        5,
        0,
        real as u32,
        (real >> 32) as u32,
        0,
        0x3c00,
        0xfff9_0000,
    ];
    let mut launch = pixels(&[[[u32::MAX, u32::MAX, 7, 0x1_80]]]);
    launch.storage.insert(Slot::new(3, 0), bytes(&words));
    let returned = run(include_bytes!("modules/wide.spv"), &launch);
    // (2^32 - 1)² + 5 = 2^64 - 2^33 + 6: 0xfffffffe_00000006, negative as a signed number; shifted by 4 0xffffffe0_00000060.
    // 3 · 0.5 + 7 = 8.5. 0x80 as a signed byte is -128. 0x180 + 0xff = 0x27f: 0x7f. 1 + 0.5 is 0x3e00. -7 / 2 = -3.
    let half = 8.5f64.to_bits();
    let expected = [
        0x60,
        0xffff_ffe0,
        5,
        0,
        half as u32,
        (half >> 32) as u32,
        0x7f00,
        0x3e00_3c00,
        0xfff9_fffd,
    ];
    assert_eq!(returned.storage[&Slot::new(3, 0)], bytes(&expected));
    assert_eq!(
        colours(&returned),
        [[0xffff_fffe, 1, -128i32 as u32, 0xffff_fffe]]
    );
}
