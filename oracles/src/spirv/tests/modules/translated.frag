#version 450
layout(location = 0) in vec4 pin0;
layout(location = 1) flat in vec4 pin1;
layout(location = 0) out vec4 pout0;
layout(set = 0, binding = 0, std140) uniform Constants { vec4 c[256]; };
layout(set = 0, binding = 1, std140) uniform Control { uvec4 control[9]; };
layout(set = 1, binding = 0) uniform texture2D t0;
layout(set = 2, binding = 0) uniform sampler s0;
layout(set = 3, binding = 256, std430) buffer Probe { uint log_[]; };
vec4 R0, PV;
vec4 R[8];
ivec4 AR;
bool pred;
void put(uint w) { log_[atomicAdd(log_[0], 1u) + 1u] = w; }
float mul0(float x, float y) { return x == 0.0 || y == 0.0 ? 0.0 : x * y; }
bool set_gt(inout vec4 r, float x, float y) {
    r.x = x > y ? 1.0 : 0.0;
    if (r.x != 1.0) return false;
    r.w += 1.0;
    return true;
}
void main() {
    R0 = pin0;
    R[1] = pin1;
    AR.x = int(floor(pin1.x));
    uint count = control[0].x & 0xfffu;
    for (uint i = 0u; i < count; i++) {
        PV.x = mul0(R0.x, c[AR.x + int(i)].y);
        pred = set_gt(R[2], PV.x, c[0].x);
        put(floatBitsToUint(PV.x));
        if (!pred) continue;
        R0.x += 1.0;
        if (R0.x > 8.0) break;
    }
    if ((control[8].x & 1u) != 0u && R[2].w > 2.5) discard;
    R[AR.x + 1].xy = texture(sampler2D(t0, s0), pin0.zw).xy;
    float nan = uintBitsToFloat(0x7fc00000u);
    pout0 = vec4(R0.x, R[2].w, R[3].x, nan != nan ? 1.0 : 0.0);
    gl_FragDepth = uintBitsToFloat(floatBitsToUint(PV.x) ^ 0x80000000u);
}
