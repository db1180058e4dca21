#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 o;
layout(set = 1, binding = 0) uniform sampler2DArray t;
void main() {
    o = textureLod(t, vec3(0.5, 0.5, a.x), 0.0);
}
