#version 450
layout(location = 0) in vec4 p;
layout(location = 2) out vec4 o;
out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[8]; };
void main() {
    gl_Position = p.yxzw;
    gl_ClipDistance[0] = p.x;
    for (int i = 1; i < 8; i++) gl_ClipDistance[i] = float(i + gl_InstanceIndex);
    o = vec4(gl_VertexIndex);
}
