#version 450
layout(location = 0) flat in uvec4 a;
layout(location = 0) out uvec4 o;
layout(set = 3, binding = 1, std430) readonly buffer In { uint words[]; } i;
layout(set = 3, binding = 2, std430) buffer Out { uint head; uint log_[]; } b;
void main() {
    o = uvec4(i.words[a.x], uint(i.words.length()), uint(b.log_.length()), 0u);
    o.w = atomicAdd(b.head, 1u);
    b.log_[o.w] = i.words[a.x];
    b.log_[a.y] = 9u;
}
