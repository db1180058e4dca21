#version 450
layout(location = 0) flat in uvec4 a;
layout(location = 0) out uvec4 o;
layout(set = 3, binding = 0, std430) buffer B { uint words[]; } b;
void main() {
    o = uvec4(0u);
    atomicMax(b.words[0], a.x);
    atomicMin(b.words[1], a.x);
    atomicOr(b.words[2], a.x);
    atomicAnd(b.words[3], a.x);
    atomicXor(b.words[4], a.x);
    o.x = atomicExchange(b.words[5], a.x);
    o.y = atomicCompSwap(b.words[6], 5u, a.x);
    atomicAdd(b.words[7], a.x);
}
