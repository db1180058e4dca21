//! Scalar and vector operations at their edges.

use corpora::execution::Stage;
use spirv::Op;

use super::{colours, compute, patched, pixels, words};
use crate::spirv::{Engine, Module};

const NAN: u32 = 0x7fc0_0000;
const INF: u32 = 0x7f80_0000;
const ONE: u32 = 0x3f80_0000;
const LEAST: u32 = 1;
const SIGN: u32 = 0x8000_0000;

/// The first component of a computation on two words.
fn one(body: &str, a: u32, b: u32) -> u32 {
    compute(body, &[[[a, 0, 0, 0], [b, 0, 0, 0]]])[0][0]
}

#[test]
fn sums_and_products_are_ieee() {
    let sum = |a, b| one("o.x = U(F(a.x) + F(b.x));", a, b);
    // Inf - Inf, and a signalling NaN with a sign: the one NaN.
    assert_eq!(sum(INF, INF | SIGN), NAN);
    assert_eq!(sum(0xff80_0001, ONE), NAN);
    // -0 + -0 = -0, but -0 + 0 = 0.
    assert_eq!(sum(SIGN, SIGN), SIGN);
    assert_eq!(sum(SIGN, 0), 0);
    // Denormals are kept: 2^-149 + 2^-149 = 2^-148.
    assert_eq!(sum(LEAST, LEAST), 2);
    // 1 + 2^-24 is a tie and goes to the even 1; 1 + 2^-23 is the next float, and adding 2^-24 to that goes up to even.
    assert_eq!(sum(ONE, 0x3380_0000), ONE);
    assert_eq!(sum(ONE + 1, 0x3380_0000), ONE + 2);
    let product = |a, b| one("o.x = U(F(a.x) * F(b.x));", a, b);
    assert_eq!(product(0, INF), NAN);
    // 2^-126 · 0.5 = 2^-127: a denormal.
    assert_eq!(product(0x0080_0000, 0x3f00_0000), 0x0040_0000);
    // 2^-149 · 0.5 is a tie between 0 and 2^-149: to even, 0; with its sign.
    assert_eq!(product(LEAST | SIGN, 0x3f00_0000), SIGN);
    let quotient = |a, b| one("o.x = U(F(a.x) / F(b.x));", a, b);
    assert_eq!(quotient(ONE, SIGN), INF | SIGN);
    assert_eq!(quotient(0, 0), NAN);
}

#[test]
fn moves_keep_bits() {
    let signalling = 0xff80_0001;
    assert_eq!(
        one("vec4 r; r.zw = F(a.xx); o.x = U(r.w);", signalling, 0),
        signalling
    );
    assert_eq!(
        one("o.x = U(b.x == 0u ? F(a.x) : 1.0);", signalling, 0),
        signalling
    );
    assert_eq!(one("o.x = U(-F(a.x));", signalling, 0), signalling ^ SIGN);
    assert_eq!(
        one("o.x = U(abs(F(a.x)));", signalling, 0),
        signalling & !SIGN
    );
    let merged = "float r = 1.0; if (b.x == 0u) r = F(a.x); o.x = U(r);";
    assert_eq!(one(merged, signalling, 0), signalling);
}

#[test]
fn comparisons() {
    let compared = |a, b| {
        let body =
            "o = uvec4(F(a.x) < F(b.x), F(a.x) >= F(b.x), F(a.x) == F(b.x), F(a.x) != F(b.x));";
        compute(body, &[[[a, 0, 0, 0], [b, 0, 0, 0]]])[0]
    };
    // naga makes OpFOrdNotEqual of `!=`, which is false of a NaN as the others are.
    assert_eq!(compared(NAN, ONE), [0, 0, 0, 0]);
    assert_eq!(compared(NAN, NAN), [0, 0, 0, 0]);
    assert_eq!(compared(0, SIGN), [0, 1, 1, 0]);
    assert_eq!(compared(SIGN | LEAST, 0), [1, 0, 0, 1]);
}

#[test]
fn unordered_comparisons_are_true_of_a_nan() {
    let glsl = "#version 450
        layout(location = 0) in vec4 a;
        layout(location = 0) out uvec4 o;
        void main() { o = uvec4(a.x < a.y, a.x >= a.y, a.x == a.y, a.x != a.y); }";
    let mut words = words(Stage::Pixel, glsl);
    for (from, to) in [
        (Op::FOrdLessThan, Op::FUnordLessThan),
        (Op::FOrdGreaterThanEqual, Op::FUnordGreaterThanEqual),
        (Op::FOrdEqual, Op::FUnordEqual),
        (Op::FOrdNotEqual, Op::FUnordNotEqual),
    ] {
        words = patched(&words, from, to);
    }
    let module = Module::parse(&words).unwrap();
    let launch = pixels(&[[[NAN, ONE, 0, 0]], [[ONE, ONE, 0, 0]], [[0, ONE, 0, 0]]]);
    let found = colours(&Engine::default().run(&module, &launch).unwrap());
    assert_eq!(found, [[1, 1, 1, 1], [0, 1, 1, 0], [1, 0, 0, 1]]);
}

#[test]
fn integers_wrap() {
    assert_eq!(one("o.x = a.x + b.x;", u32::MAX, 2), 1);
    assert_eq!(one("o.x = a.x - b.x;", 0, 1), u32::MAX);
    // (2^32 - 1)² mod 2^32 = 1
    assert_eq!(one("o.x = a.x * b.x;", u32::MAX, u32::MAX), 1);
    assert_eq!(one("o.x = a.x / b.x;", 7, 2), 3);
    // Division truncates, and the remainder has the dividend's sign: -7 = -3 · 2 - 1.
    assert_eq!(
        one("o.x = uint(int(a.x) / int(b.x));", -7i32 as u32, 2),
        -3i32 as u32
    );
    assert_eq!(one("o.x = a.x << b.x;", 3, 31), SIGN);
    assert_eq!(one("o.x = uint(int(a.x) >> b.x);", SIGN, 31), u32::MAX);
    assert_eq!(one("o.x = a.x >> b.x;", SIGN, 31), 1);
    assert_eq!(one("o.x = ~a.x ^ b.x;", 0xff, 0xf), 0xffff_ff0f);
}

#[test]
fn bits() {
    assert_eq!(one("o.x = bitfieldReverse(a.x);", 1, 0), SIGN);
    assert_eq!(one("o.x = uint(bitCount(a.x));", 0xf0f0, 0), 8);
    assert_eq!(one("o.x = uint(findLSB(a.x));", 0x50, 0), 4);
    assert_eq!(one("o.x = uint(findLSB(a.x));", 0, 0), u32::MAX);
    assert_eq!(one("o.x = uint(findMSB(a.x));", 0x50, 0), 6);
    // The highest bit that is not the sign: -2 = ...1110, so bit 0.
    assert_eq!(one("o.x = uint(findMSB(int(a.x)));", -2i32 as u32, 0), 0);
    assert_eq!(
        one("o.x = bitfieldExtract(a.x, 4, 8);", 0x0000_0ab0, 0),
        0xab
    );
    assert_eq!(
        one("o.x = uint(bitfieldExtract(int(a.x), 4, 8));", 0xab0, 0),
        0xffff_ffab
    );
    assert_eq!(
        one("o.x = bitfieldInsert(a.x, b.x, 8, 8);", 0x1111_1111, 0xabcd),
        0x1111_cd11
    );
}

#[test]
fn conversions() {
    let to_int = |a: f32| one("o.x = uint(int(F(a.x)));", a.to_bits(), 0) as i32;
    assert_eq!(to_int(-2.9), -2);
    // naga limits the float to what is an integer before it converts: 2^31 - 128 is the greatest float below 2^31.
    assert_eq!(to_int(3e9), 0x7fff_ff80);
    assert_eq!(to_int(f32::NAN), 0);
    let to_uint = |a: f32| one("o.x = uint(F(a.x));", a.to_bits(), 0);
    assert_eq!(to_uint(-1.0), 0);
    assert_eq!(to_uint(4e9), 4_000_000_000);
    // 2^24 + 1 is a tie between 2^24 and 2^24 + 2: to even.
    assert_eq!(one("o.x = U(float(a.x));", (1 << 24) + 1, 0), 0x4b80_0000);
    assert_eq!(one("o.x = U(float(int(a.x)));", u32::MAX, 0), ONE | SIGN);
}

#[test]
fn rounding_functions() {
    let f = |function: &str, a: f32| {
        f32::from_bits(one(
            &format!("o.x = U({function}(F(a.x)));"),
            a.to_bits(),
            0,
        ))
    };
    assert_eq!(f("floor", -1.5), -2.0);
    assert_eq!(f("ceil", -1.5), -1.0);
    assert_eq!(f("trunc", -1.5), -1.0);
    assert_eq!(f("roundEven", 2.5), 2.0);
    assert_eq!(f("roundEven", 3.5), 4.0);
    assert_eq!(f("fract", -0.25), 0.75);
    assert_eq!(f("sign", -3.0), -1.0);
    assert_eq!(f("sqrt", 2.25), 1.5);
    assert_eq!(f("inversesqrt", 0.25), 2.0);
    assert_eq!(f("exp2", 10.0), 1024.0);
    assert_eq!(f("exp2", -149.0).to_bits(), 1);
    assert_eq!(f("log2", 0.125), -3.0);
    assert_eq!(f("log2", 0.0), f32::NEG_INFINITY);
    assert_eq!(f("sin", 0.0), 0.0);
    // cos(1) = 0.54030230586..., of which the nearest float is 0x3f0a5140 = 0.540302276...; the next is 0.540302336...
    assert_eq!(f("cos", 1.0).to_bits(), 0x3f0a_5140);
    // e = 2.718281828459045; the floats beside it are 0x402df854 = 2.71828174591 and 0x402df855 = 2.71828198433.
    assert_eq!(f("exp", 1.0).to_bits(), 0x402d_f854);
}

#[test]
fn extremes_take_the_first_where_the_comparison_fails() {
    let least = |a, b| one("o.x = U(min(F(a.x), F(b.x)));", a, b);
    assert_eq!(least(ONE, NAN), ONE);
    assert_eq!(least(NAN, ONE), NAN);
    assert_eq!(least(SIGN, 0), SIGN);
    assert_eq!(least(0, SIGN), 0);
    let clamp = |a: f32| f32::from_bits(one("o.x = U(clamp(F(a.x), 0.0, 1.0));", a.to_bits(), 0));
    assert_eq!(clamp(-1.0), 0.0);
    assert_eq!(clamp(2.0), 1.0);
    assert!(clamp(f32::NAN).is_nan());
}

#[test]
fn fma_rounds_once() {
    // (1 + 2^-12)² = 1 + 2^-11 + 2^-24. Rounded before 1 + 2^-11 is taken away nothing is left; unrounded 2^-24 is.
    let a = ONE + (1 << 11);
    let b = (1.0f32 + 1.0 / 2048.0).to_bits() | SIGN;
    assert_eq!(
        one("o.x = U(fma(F(a.x), F(a.x), F(b.x)));", a, b),
        0x3380_0000
    );
    assert_eq!(one("o.x = U(F(a.x) * F(a.x) + F(b.x));", a, b), 0);
}

#[test]
fn packing() {
    // 1.0 is 0x3c00 in half precision, -2.0 is 0xc000.
    let halves = one(
        "o.x = packHalf2x16(vec2(F(a.x), F(b.x)));",
        ONE,
        0xc000_0000,
    );
    assert_eq!(halves, 0xc000_3c00);
    assert_eq!(
        one("o.x = U(unpackHalf2x16(a.x).y);", 0xc000_3c00, 0),
        0xc000_0000
    );
    // 0x0001 is 2^-24.
    assert_eq!(one("o.x = U(unpackHalf2x16(a.x).x);", 1, 0), 0x3380_0000);
    // 0.5 · 255 = 127.5: to even, 128. -1 · 127 = 0x81.
    assert_eq!(
        one("o.x = packUnorm4x8(vec4(0.5, 1.0, 2.0, -1.0));", 0, 0),
        0x00ff_ff80
    );
    assert_eq!(
        one("o.x = packSnorm4x8(vec4(-1.0, 1.0, 0.0, -9.0));", 0, 0),
        0x8100_7f81
    );
    assert_eq!(
        one("o.x = U(unpackUnorm4x8(a.x).w);", 0x3300_0000, 0),
        0.2f32.to_bits()
    );
}

#[test]
fn halves_round_to_nearest_even() {
    let half = |a: f32| one("o.x = packHalf2x16(vec2(F(a.x), 0.0));", a.to_bits(), 0);
    // A unit of the last place at 1 is 2^-10: half of it is a tie.
    assert_eq!(half(1.0 + 1.0 / 2048.0), 0x3c00);
    assert_eq!(half(1.0 + 3.0 / 2048.0), 0x3c02);
    // The carry: 2 - 2^-11 is a tie between 2 - 2^-10, odd, and 2.
    assert_eq!(half(2.0 - 1.0 / 2048.0), 0x4000);
    assert_eq!(half(-65519.0), 0xfbff);
    assert_eq!(half(65520.0), 0x7c00);
    // The least denormal is 2^-24; half of it is a tie with 0, one and a half of it a tie with 2.
    assert_eq!(half(f32::exp2(-25.0)), 0);
    assert_eq!(half(1.5 * f32::exp2(-24.0)), 2);
    // The greatest denormal and a bit: the least normal one.
    assert_eq!(half(f32::exp2(-14.0) - f32::exp2(-26.0)), 0x0400);
    assert_eq!(half(f32::NAN), 0x7e00);
}

#[test]
fn vectors_and_matrices() {
    // Columns (1, 2), (3, 4): times (5, 6) it is (5 + 18, 10 + 24); (5, 6) times it is (5 + 12, 15 + 24).
    let body = "mat2 m = mat2(1.0, 2.0, 3.0, 4.0); vec2 v = vec2(F(a.x), F(b.x));
        vec2 l = m * v; vec2 r = v * m; o = uvec4(uvec2(l), uvec2(r));";
    let input = [[5.0f32.to_bits(), 0, 0, 0], [6.0f32.to_bits(), 0, 0, 0]];
    assert_eq!(compute(body, &[input]), [[23, 34, 17, 39]]);
    let body = "mat2 m = mat2(1.0, 2.0, 3.0, 4.0) * mat2(0.0, 1.0, F(a.x), 0.0);
        o = uvec4(uvec2(m[0]), uvec2(transpose(m)[0]));";
    // Columns: m · (0, 1) = (3, 4); m · (5, 0) = (5, 10). The transposed one's first column is the first row, (3, 5).
    assert_eq!(compute(body, &[input]), [[3, 4, 3, 5]]);
    // det = 1 · 4 - 3 · 2 = -2; the inverse is [(4, -2), (-3, 1)] / -2.
    let body = "mat2 m = inverse(mat2(1.0, 2.0, 3.0, F(a.x) - 1.0));
        o = uvec4(U(m[0].x), U(m[0].y), U(m[1].x), U(determinant(mat2(1.0, 2.0, 3.0, 4.0))));";
    let expected = [-2.0f32, 1.0, 1.5, -2.0].map(f32::to_bits);
    assert_eq!(compute(body, &[input]), [expected]);
    let body = "vec3 c = cross(vec3(1.0, 2.0, 3.0), vec3(F(a.x), F(b.x), 7.0));
        o = uvec4(ivec3(c), uint(dot(vec3(1.0, 2.0, 3.0), vec3(4.0, 5.0, 6.0))));";
    // (2·7 - 3·6, 3·5 - 1·7, 1·6 - 2·5) = (-4, 8, -4); 4 + 10 + 18 = 32.
    assert_eq!(
        compute(body, &[input]),
        [[-4i32 as u32, 8, -4i32 as u32, 32]]
    );
    let body = "o.x = U(length(vec2(3.0, 4.0))); o.yz = U(normalize(vec2(F(a.x) - 2.0, 4.0))); o.w = U(distance(F(a.x), 7.5));";
    assert_eq!(
        compute(body, &[input]),
        [[5.0f32, 0.6, 0.8, 2.5].map(f32::to_bits)]
    );
}
