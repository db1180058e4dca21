//! Uniform and storage buffers, arrays with indices of lanes.

use corpora::execution::{Slot, Vec4};

use super::{bytes, colours, floats, pixels, run};

#[test]
fn uniform_blocks_in_std140() {
    // Offsets: c at 0 (three vec4), i at 48, f at 64 (stride 16), m at 96 (two columns, stride 16), s at 128, t at 132.
    let glsl = "#version 450
        layout(location = 0) flat in ivec4 a;
        layout(location = 0) out vec4 o;
        layout(set = 0, binding = 0, std140) uniform U { vec4 c[3]; ivec4 i; float f[2]; mat2x4 m; float s; vec2 t; };
        void main() {
            o = vec4(c[a.x].y, f[a.y], m[a.y].y, s) + vec4(0.0, 0.0, 0.0, t.x + float(i.z));
        }";
    let mut words: Vec<u32> = (0..40).map(|n| (n as f32).to_bits()).collect();
    words[14] = 1000;
    let mut launch = pixels(&[[[0, 1, 0, 0]], [[2, 0, 0, 0]], [[u32::MAX, 7, 0, 0]]]);
    launch.uniforms.insert(Slot::new(0, 0), bytes(&words));
    // t is a vec2 at 136: word 34. w = word 32 + word 34 + 1000 = 1066.
    let expected = [
        floats([1.0, 20.0, 29.0, 1066.0]),
        floats([9.0, 16.0, 25.0, 1066.0]),
        // c[-1] is outside the buffer. f[7] would be at 64 + 7 · 16 = 176, m[7] at 96 + 7 · 16 + 4: outside too.
        floats([0.0, 0.0, 0.0, 1066.0]),
    ];
    assert_eq!(colours(&run(glsl, &launch)), expected);
}

#[test]
fn storage_buffers() {
    let glsl = "#version 450
        layout(location = 0) flat in uvec4 a;
        layout(location = 0) out uvec4 o;
        layout(set = 3, binding = 1, std430) readonly buffer In { uint words[]; } i;
        layout(set = 3, binding = 2, std430) buffer Out { uint head; uint log_[]; } b;
        void main() {
            o = uvec4(i.words[a.x], b.log_[0], 0u, 0u);
            b.log_[a.y] = a.z;
        }";
    let mut launch = pixels(&[[[2, 2, 7, 0]], [[0, 0, 8, 0]], [[3, u32::MAX, 9, 0]]]);
    launch.storage.insert(Slot::new(3, 1), bytes(&[10, 20, 30]));
    launch.storage.insert(Slot::new(3, 2), bytes(&[5, 6, 0, 0]));
    let returned = run(glsl, &launch);
    assert_eq!(
        colours(&returned),
        [[30, 6, 0, 0], [10, 6, 0, 0], [0, 6, 0, 0]]
    );
    assert_eq!(returned.storage[&Slot::new(3, 2)], bytes(&[5, 8, 0, 7]));
}

#[test]
fn arrays_of_registers() {
    let glsl = "#version 450
        layout(location = 0) flat in ivec4 a;
        layout(location = 0) out vec4 o;
        vec4 R[128];
        void main() {
            for (int i = 0; i < 128; i++) R[i] = vec4(float(i), 0.5, 0.0, 0.0);
            R[a.x][a.y] = -1.0;
            R[a.z].zw = vec2(7.0, 8.0);
            o = R[a.w];
        }";
    let lanes: [[i32; 4]; 4] = [
        [3, 0, 3, 3],
        [3, 2, 5, 3],
        [127, 1, 127, 127],
        [128, 0, -1, -1],
    ];
    let inputs: Vec<[Vec4; 1]> = lanes.iter().map(|lane| [lane.map(|n| n as u32)]).collect();
    let expected = [
        floats([-1.0, 0.5, 7.0, 8.0]),
        floats([3.0, 0.5, -1.0, 0.0]),
        floats([127.0, -1.0, 7.0, 8.0]),
        // Outside: writes are dropped, reads give 0.
        floats([0.0; 4]),
    ];
    assert_eq!(colours(&run(glsl, &pixels(&inputs))), expected);
}

#[test]
fn structures() {
    let glsl = "#version 450
        layout(location = 0) flat in ivec4 a;
        layout(location = 0) out vec4 o;
        struct S { vec3 v; float f; mat2x3 m; };
        layout(set = 0, binding = 0, std140) uniform U { S s[2]; };
        void main() { S t = s[a.x]; t.v.y = 5.0; o = vec4(t.v, t.f) + vec4(t.m[1], 0.0); }";
    let words: Vec<u32> = (0..24).map(|n| (n as f32).to_bits()).collect();
    let mut launch = pixels(&[[[0; 4]], [[1; 4]]]);
    launch.uniforms.insert(Slot::new(0, 0), bytes(&words));
    // A structure takes 48 bytes: v and f 16, two columns of 16 each. m[1] starts at word 8.
    let expected = [
        floats([0.0 + 8.0, 5.0 + 9.0, 2.0 + 10.0, 3.0]),
        floats([12.0 + 20.0, 5.0 + 21.0, 14.0 + 22.0, 15.0]),
    ];
    assert_eq!(colours(&run(glsl, &launch)), expected);
}
