//! Enumerations of shader headers (wut `include/gx2/enum.h`).

use super::constants;

constants! {
    /// How a shader gets its uniforms, or which special stage it is (GX2ShaderMode).
    pub struct ShaderMode {
        0 UNIFORM_REGISTER,
        1 UNIFORM_BLOCK,
        2 GEOMETRY_SHADER,
        3 COMPUTE_SHADER,
    }
}

constants! {
    /// Dimensions of a sampler variable (GX2SamplerVarType); 2 is not assigned.
    pub struct SamplerVarType {
        0 SAMPLER_1D,
        1 SAMPLER_2D,
        3 SAMPLER_3D,
        4 SAMPLER_CUBE,
    }
}

constants! {
    /// Type of a uniform or attribute (GX2ShaderVarType).
    pub struct ShaderVarType {
        0 VOID,
        1 BOOL,
        2 INT,
        3 UINT,
        4 FLOAT,
        5 DOUBLE,
        6 DOUBLE2,
        7 DOUBLE3,
        8 DOUBLE4,
        9 FLOAT2,
        10 FLOAT3,
        11 FLOAT4,
        12 BOOL2,
        13 BOOL3,
        14 BOOL4,
        15 INT2,
        16 INT3,
        17 INT4,
        18 UINT2,
        19 UINT3,
        20 UINT4,
        21 FLOAT2X2,
        22 FLOAT2X3,
        23 FLOAT2X4,
        24 FLOAT3X2,
        25 FLOAT3X3,
        26 FLOAT3X4,
        27 FLOAT4X2,
        28 FLOAT4X3,
        29 FLOAT4X4,
        30 DOUBLE2X2,
        31 DOUBLE2X3,
        32 DOUBLE2X4,
        33 DOUBLE3X2,
        34 DOUBLE3X3,
        35 DOUBLE3X4,
        36 DOUBLE4X2,
        37 DOUBLE4X3,
        38 DOUBLE4X4,
    }
}
