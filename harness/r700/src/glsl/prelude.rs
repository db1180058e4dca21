//! The functions that translations call, in GLSL. A translation starts with those that it needs.

/// A function of the prelude.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Helper {
    Word,
    Negated,
    Magnitude,
    Mul,
    Larger,
    Smaller,
    ClampedInfinity,
    ZeroedInfinity,
    RaisedInfinity,
    Exp2,
    Log2,
    Recip,
    RecipSqrt,
    Sqrt,
    ToInt,
    ToUint,
    ShiftLeft,
    ShiftRight,
    ShiftSigned,
    MulHigh,
    MulHighSigned,
    RecipUint,
    RecipInt,
    MulLit,
    Address,
    Cube,
    CubeDirection,
    Signed,
}

use Helper::*;

/// All of them, callees first.
const ALL: [Helper; 28] = [
    Word,
    Negated,
    Magnitude,
    Mul,
    Larger,
    Smaller,
    ClampedInfinity,
    ZeroedInfinity,
    RaisedInfinity,
    Exp2,
    Log2,
    Recip,
    RecipSqrt,
    Sqrt,
    ToInt,
    ToUint,
    ShiftLeft,
    ShiftRight,
    ShiftSigned,
    MulHigh,
    MulHighSigned,
    RecipUint,
    RecipInt,
    MulLit,
    Address,
    Cube,
    CubeDirection,
    Signed,
];

impl Helper {
    const fn needs(self) -> &'static [Self] {
        match self {
            MulLit => &[Mul],
            MulHighSigned => &[MulHigh],
            _ => &[],
        }
    }

    const fn source(self) -> &'static str {
        match self {
            Word => {
                "// A word that no float literal stands for.\n\
                 float word(uint bits) { return uintBitsToFloat(bits); }\n"
            }
            Negated => {
                "// The sign of a copied word, whatever it holds.\n\
                 float negated(float a) { return uintBitsToFloat(floatBitsToUint(a) ^ 0x80000000u); }\n"
            }
            Magnitude => {
                "float magnitude(float a) { return uintBitsToFloat(floatBitsToUint(a) & 0x7fffffffu); }\n"
            }
            Mul => {
                "// Zero times anything is zero.\n\
                 float mul(float a, float b) { return a == 0.0 || b == 0.0 ? 0.0 : a * b; }\n"
            }
            Larger => "float larger(float a, float b) { return a >= b ? a : b; }\n",
            Smaller => "float smaller(float a, float b) { return a < b ? a : b; }\n",
            ClampedInfinity => {
                "float clamped_infinity(float a) {\n    \
                     return isinf(a) ? (a < 0.0 ? -3.4028235e38 : 3.4028235e38) : a;\n}\n"
            }
            ZeroedInfinity => {
                "float zeroed_infinity(float a) {\n    \
                     return isinf(a) ? uintBitsToFloat(floatBitsToUint(a) & 0x80000000u) : a;\n}\n"
            }
            RaisedInfinity => {
                "float raised_infinity(float a) { return a < -3.4028235e38 ? -3.4028235e38 : a; }\n"
            }
            Exp2 => "float exp2_of(float a) { return a == 0.0 ? 1.0 : exp2(a); }\n",
            Log2 => "float log2_of(float a) { return a == 1.0 ? 0.0 : log2(a); }\n",
            Recip => "float recip(float a) { return a == 1.0 ? 1.0 : 1.0 / a; }\n",
            RecipSqrt => {
                "float recip_sqrt(float a) {\n    \
                     return a == 1.0 ? 1.0 : (a == 0.0 ? 1.0 / a : inversesqrt(a));\n}\n"
            }
            Sqrt => "float sqrt_of(float a) { return a == 1.0 || a == 0.0 ? a : sqrt(a); }\n",
            ToInt => {
                "// Truncates. What does not fit keeps its low 32 bits; infinity and NaN give 0.\n\
                 int to_int(float a) {\n    \
                     if (a >= -2147483648.0 && a < 2147483648.0) { return int(a); }\n    \
                     uint bits = floatBitsToUint(a); uint left = (bits >> 23u & 255u) - 150u;\n    \
                     if (left > 31u) { return 0; }\n    \
                     uint m = (bits & 0x7fffffu | 0x800000u) << left;\n    \
                     return int(a < 0.0 ? 0u - m : m);\n}\n"
            }
            ToUint => {
                "// Truncates. What does not fit gives the nearest integer, NaN gives 0.\n\
                 uint to_uint(float a) {\n    \
                     if (a >= 0.0 && a < 4294967296.0) { return uint(a); }\n    \
                     return a > 0.0 ? 0xffffffffu : 0u;\n}\n"
            }
            ShiftLeft => "int shift_left(int a, uint n) { return n > 31u ? 0 : a << n; }\n",
            ShiftRight => "uint shift_right(uint a, uint n) { return n > 31u ? 0u : a >> n; }\n",
            ShiftSigned => "int shift_signed(int a, uint n) { return a >> min(n, 31u); }\n",
            MulHigh => {
                "uint mul_high(uint a, uint b) {\n    \
                     uint al = a & 0xffffu; uint ah = a >> 16u; uint bl = b & 0xffffu; uint bh = b >> 16u;\n    \
                     uint low = al * bl; uint cross = ah * bl + (low >> 16u);\n    \
                     uint rest = al * bh + (cross & 0xffffu);\n    \
                     return ah * bh + (cross >> 16u) + (rest >> 16u);\n}\n"
            }
            MulHighSigned => {
                "int mul_high_signed(int a, int b) {\n    \
                     uint high = mul_high(uint(a), uint(b));\n    \
                     return int(high - (a < 0 ? uint(b) : 0u) - (b < 0 ? uint(a) : 0u));\n}\n"
            }
            RecipUint => {
                "// The floor of 2^32 / a; what does not fit, or has no value, gives the largest integer.\n\
                 uint recip_uint(uint a) {\n    \
                     if (a < 2u) { return 0xffffffffu; }\n    \
                     uint q = 0xffffffffu / a;\n    \
                     return 0xffffffffu - q * a == a - 1u ? q + 1u : q;\n}\n"
            }
            RecipInt => {
                "// The floor of 2^32 / a, of which a quotient that does not fit keeps its low bits.\n\
                 int recip_int(int a) {\n    \
                     if (a == 0) { return -1; }\n    \
                     uint m = a < 0 ? 0u - uint(a) : uint(a);\n    \
                     uint q = 0xffffffffu / m; uint r = 0xffffffffu - q * m;\n    \
                     bool whole = r == m - 1u;\n    \
                     return a > 0 ? int(whole ? q + 1u : q) : int(0u - (q + 1u));\n}\n"
            }
            MulLit => {
                "float mul_lit(float a, float b, float c) {\n    \
                     return b > -3.4028235e38 && c > 0.0 ? mul(a, b) : -3.4028235e38;\n}\n"
            }
            Address => {
                "// What the address register holds of a number: above 255 it wraps to the lowest.\n\
                 int address(float a) { return a >= -256.0 && a <= 255.0 ? int(a) : -256; }\n"
            }
            Cube => {
                "// Face coordinates of a direction: T, S, twice the major axis, the face.\n\
                 vec4 cube(vec3 r) {\n    \
                     vec3 m = abs(r);\n    \
                     if (m.z >= m.x && m.z >= m.y) {\n        \
                         return r.z < 0.0 ? vec4(-r.y, -r.x, 2.0 * m.z, 5.0) : vec4(-r.y, r.x, 2.0 * m.z, 4.0);\n    }\n    \
                     if (m.y >= m.x) {\n        \
                         return r.y < 0.0 ? vec4(-r.z, r.x, 2.0 * m.y, 3.0) : vec4(r.z, r.x, 2.0 * m.y, 2.0);\n    }\n    \
                     return r.x < 0.0 ? vec4(-r.y, r.z, 2.0 * m.x, 1.0) : vec4(-r.y, -r.z, 2.0 * m.x, 0.0);\n}\n"
            }
            CubeDirection => {
                "// The direction of face coordinates as fetches have them: S and T from 1 to 2, and the face.\n\
                 vec3 cube_direction(float x, float y, float face) {\n    \
                     float s = 2.0 * x - 3.0; float t = 2.0 * y - 3.0; int f = int(face + 0.5);\n    \
                     if (f == 0) { return vec3(1.0, -t, -s); }\n    \
                     if (f == 1) { return vec3(-1.0, -t, s); }\n    \
                     if (f == 2) { return vec3(s, 1.0, t); }\n    \
                     if (f == 3) { return vec3(s, -1.0, -t); }\n    \
                     if (f == 4) { return vec3(s, -t, 1.0); }\n    \
                     return vec3(-s, -t, -1.0);\n}\n"
            }
            Signed => {
                "// The low bits of a word as a signed integer.\n\
                 int signed_bits(uint a, uint width) { return int(a << (32u - width)) >> (32u - width); }\n"
            }
        }
    }
}

/// A set of functions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Helpers(u32);

impl Helpers {
    pub(crate) fn insert(&mut self, helper: Helper) {
        self.0 |= 1 << helper as u32;
        for needed in helper.needs() {
            self.insert(*needed);
        }
    }

    /// Appends their sources.
    pub(crate) fn write(self, out: &mut String) {
        for helper in ALL {
            if self.0 >> helper as u32 & 1 != 0 {
                out.push_str(helper.source());
            }
        }
    }
}
