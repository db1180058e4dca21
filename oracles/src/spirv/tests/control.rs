//! Control flow where lanes part.

use corpora::execution::{Launch, Vec4};

use super::{colours, compute, floats, pixels, run, words};
use crate::spirv::{Cause, Engine, Limits, Module};

/// Inputs whose first word is the lane's number.
fn numbered(count: u32) -> Vec<[Vec4; 2]> {
    (0..count).map(|lane| [[lane, 0, 0, 0], [0; 4]]).collect()
}

fn first(results: &[Vec4]) -> Vec<u32> {
    results.iter().map(|result| result[0]).collect()
}

#[test]
fn branches() {
    let body = "if (a.x < 2u) { if (a.x == 0u) o.x = 10u; else o.x = 11u; } else o.x = a.x;
        o.y = o.x + 1u;";
    let results = compute(body, &numbered(5));
    assert_eq!(first(&results), [10, 11, 2, 3, 4]);
    assert_eq!(
        results.iter().map(|result| result[1]).collect::<Vec<_>>(),
        [11, 12, 3, 4, 5]
    );
}

#[test]
fn nested_loops_with_break_and_continue() {
    // The inner loop adds 1, 3 (not 2, and nothing from 4 on) for each of as many rounds as the lane's number.
    let body = "uint n = 0u;
        for (uint i = 0u; ; i++) {
            if (i >= a.x) break;
            for (uint j = 1u; j < 10u; j++) { if (j == 2u) continue; if (j > 3u) break; n += j; }
        }
        o.x = n;";
    assert_eq!(
        first(&compute(body, &numbered(70))),
        (0..70).map(|n| 4 * n).collect::<Vec<_>>()
    );
}

#[test]
fn while_loops() {
    // Collatz: 1 -> 0 steps, 2 -> 1, 3 -> 10 5 16 8 4 2 1: 7, 6 -> one more than 3: 8, 7 -> 16 steps.
    let body = "uint n = a.x, c = 0u;
        while (n != 1u) { if ((n & 1u) == 0u) n /= 2u; else n = 3u * n + 1u; c++; }
        o.x = c;";
    let inputs: Vec<[Vec4; 2]> = [1, 2, 3, 6, 7].map(|n| [[n, 0, 0, 0], [0; 4]]).into();
    assert_eq!(first(&compute(body, &inputs)), [0, 1, 7, 8, 16]);
    let body = "uint n = 0u; do { n += 2u; } while (n < a.x); o.x = n;";
    assert_eq!(first(&compute(body, &numbered(6))), [2, 2, 2, 4, 4, 6]);
}

#[test]
fn switches_fall_through() {
    let body = "uint n = 0u;
        switch (a.x) { case 0u: n += 1u; case 1u: n += 10u; break; case 3u: n = 7u; break; default: n += 100u; }
        o.x = n;";
    assert_eq!(first(&compute(body, &numbered(5))), [11, 10, 100, 7, 100]);
}

#[test]
fn values_swap_in_a_loop() {
    // Fibonacci: after n rounds x is the n-th number.
    let body = "uint x = 0u, y = 1u;
        for (uint i = 0u; i < a.x; i++) { uint t = x; x = y; y = t + y; }
        o.x = x;";
    assert_eq!(
        first(&compute(body, &numbered(8))),
        [0, 1, 1, 2, 3, 5, 8, 13]
    );
}

#[test]
fn functions_with_inout_and_early_return() {
    let glsl = "#version 450
        layout(location = 0) in vec4 a;
        layout(location = 0) out vec4 o;
        vec4 R[4];
        float step_(inout vec4 v, out float twice, float by) {
            twice = v.x * 2.0;
            if (v.x > 2.0) return -1.0;
            v.x += by;
            return v.x;
        }
        void main() {
            float t;
            R[1] = a;
            float r = step_(R[1], t, 10.0);
            r += step_(R[1], t, 1.0);
            o = vec4(R[1].x, t, r, 0.0);
        }";
    let launch = pixels(&[[floats([1.0; 4])], [floats([3.0; 4])]]);
    // Lane 0: x = 1 -> 11 gives 11, then 11 > 2 gives -1 with twice = 22. Lane 1: -1 twice.
    let expected = [
        floats([11.0, 22.0, 10.0, 0.0]),
        floats([3.0, 6.0, -2.0, 0.0]),
    ];
    assert_eq!(colours(&run(glsl, &launch)), expected);
}

#[test]
fn locals_are_new_at_each_call() {
    let glsl = "#version 450
        layout(location = 0) flat in uvec4 a;
        layout(location = 0) out uvec4 o;
        uint count(uint n) { uint s[3]; s[n % 3u] += n + 1u; return s[0] + s[1] + s[2]; }
        void main() { o.x = 0u; for (uint i = 0u; i < 4u; i++) o.x = o.x * 10u + count(a.x + i); }";
    let launch = pixels(&[[[0; 4]], [[2; 4]]]);
    assert_eq!(first(&colours(&run(glsl, &launch))), [1234, 3456]);
}

#[test]
fn discard() {
    let glsl = "#version 450
        layout(location = 0) in vec4 a;
        layout(location = 0) out vec4 o;
        layout(set = 3, binding = 0, std430) buffer B { uint words[]; };
        void main() {
            if (a.x < 0.0) discard;
            words[uint(a.y)] = 5u;
            o = vec4(dFdx(a.x), dFdy(a.x), 0.0, 1.0);
        }";
    let mut launch = pixels(&[
        [floats([1.0, 0.0, 0.0, 0.0])],
        [floats([-3.0, 1.0, 0.0, 0.0])],
        [floats([7.0, 2.0, 0.0, 0.0])],
        [floats([9.0, 3.0, 0.0, 0.0])],
    ]);
    launch.lanes[3].helper = true;
    let slot = corpora::execution::Slot::new(3, 0);
    launch.storage.insert(slot, vec![0; 16]);
    let returned = run(glsl, &launch);
    let killed: Vec<bool> = returned.lanes.iter().map(|lane| lane.killed).collect();
    assert_eq!(killed, [false, true, false, false]);
    // Neither the discarded lane nor the helper writes.
    assert_eq!(
        returned.storage[&slot],
        [5, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0]
    );
    // The derivative along X goes by the discarded lane's value: -3 - 1; along Y 7 - 1.
    assert_eq!(returned.lanes[0].outputs[&0], floats([-4.0, 6.0, 0.0, 1.0]));
}

#[test]
fn derivatives_see_what_a_killed_lane_would_have_computed() {
    let glsl = "#version 450
        layout(location = 0) in vec4 a;
        layout(location = 0) out vec4 o;
        void main() {
            if (a.x == 2.0) discard;
            float square = a.x * a.x;
            for (int i = 0; i < 2; i++) square += 1.0;
            o = vec4(dFdx(square), fwidth(square), dFdxFine(square), dFdyFine(square));
        }";
    let launch = pixels(&[1.0, 2.0, 3.0, 5.0].map(|x| [floats([x; 4])]));
    let found = colours(&run(glsl, &launch));
    // Squares and 2: 3, 6, 11, 27. Coarse: along X 3, along Y 8.
    assert_eq!(found[0], floats([3.0, 11.0, 3.0, 8.0]));
    assert_eq!(found[3], floats([3.0, 11.0, 16.0, 21.0]));
}

#[test]
fn a_lane_without_a_quad_has_no_derivative() {
    let glsl = "#version 450
        layout(location = 0) in vec4 a;
        layout(location = 0) out vec4 o;
        void main() { o = dFdx(a) + vec4(1.0); }";
    let launch = pixels(&[[floats([1.0; 4])], [floats([3.0; 4])], [floats([4.0; 4])]]);
    assert_eq!(colours(&run(glsl, &launch)), [floats([1.0; 4]); 3]);
}

#[test]
fn endless_loops_end_with_an_error() {
    let glsl = "#version 450
        layout(location = 0) out vec4 o;
        void main() { o = vec4(0.0); while (true) { o.x += 1.0; } }";
    let words = words(corpora::execution::Stage::Pixel, glsl);
    let module = Module::parse(&words).unwrap();
    let engine = Engine {
        limits: Limits {
            steps: 10_000,
            ..Limits::default()
        },
    };
    let error = engine.run(&module, &pixels(&[[[0; 4]]])).unwrap_err();
    assert_eq!(error.cause, Cause::Limit);
    assert!(
        error.word.is_some_and(|word| (word as usize) < words.len()),
        "{error}"
    );
}

#[test]
fn no_lanes() {
    let glsl = "#version 450
        layout(location = 0) out vec4 o;
        void main() { o = vec4(0.0); }";
    let launch = Launch::new(corpora::execution::Stage::Pixel);
    assert!(run(glsl, &launch).lanes.is_empty());
}
