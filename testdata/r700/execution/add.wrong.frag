#version 450
// The translation of add.bin with a mistake in it, for the tests and the documentation: Z is a difference.
layout(location = 0) in vec4 in_0;
layout(location = 1) in vec4 in_1;
layout(location = 0) out vec4 out_0;
vec4 R0;
vec4 R1;
vec4 R2;
vec4 PV;

void main() {
    R0 = in_0;
    R1 = in_1;
    // 2 x: ADD R2.x = R0.x, R1.x
    // 3 y: ADD R2.y = R0.y, R1.y
    // 4 z: ADD R2.z = R0.z, R1.z
    // 5 w: ADD R2.w = R0.w, R1.w
    {
        float x = R0.x + R1.x;
        float y = R0.y + R1.y;
        float z = R0.z - R1.z;
        float w = R0.w + R1.w;
        PV = vec4(x, y, z, w);
        R2 = vec4(x, y, z, w);
    }
    //@ 2 R2.xyzw PV.xyzw
    out_0 = R2;
}
