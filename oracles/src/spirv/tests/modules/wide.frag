#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(location = 0) flat in uvec4 a;
layout(location = 0) out uvec4 o;
layout(set = 3, binding = 0, std430) buffer B { uint64_t wide[2]; double real; uint8_t bytes[4]; float16_t halves[2]; int16_t shorts[2]; };
void main() {
    uint64_t product = uint64_t(a.x) * uint64_t(a.y) + wide[1];
    wide[0] = product << 4;
    o.x = uint(product >> 32);
    o.y = uint(int64_t(product) < 0l ? 1 : 2);
    real = real * 0.5 + double(a.z);
    int8_t narrow = int8_t(a.w);
    o.z = uint(int(narrow));
    bytes[1] = uint8_t(a.w + 255u);
    halves[1] = halves[0] + float16_t(0.5);
    shorts[0] = shorts[1] / 2s;
    uint high, low;
    umulExtended(a.x, a.y, high, low);
    o.w = high;
}
