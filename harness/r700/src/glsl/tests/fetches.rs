use super::*;
use crate::codes::{EndianSwap, FormatComp, NumFormat, Sel};
use crate::fetch::{Fetch, Tex, TexOp, Vtx, VtxOp};
use crate::glsl::{Texel, TextureKind, TextureShape};

fn tex(name: &str) -> Tex {
    Tex::new(TexOp::from_name(name).unwrap(), CHIP)
        .with_dst(Gpr::new(1))
        .with_resource_id(3)
        .with_sampler_id(2)
}

fn program(fetches: &[Fetch]) -> Program {
    let mut asm = Assembler::new(CHIP);
    let name = if matches!(fetches[0], Fetch::Tex(_)) {
        "TEX"
    } else {
        "VTX"
    };
    asm.fetch(plain(name), fetches).unwrap();
    asm.cf(export(0, 0, 1));
    finished(&asm)
}

fn kind(shape: TextureShape, texel: Texel) -> Options<'static> {
    let kind = TextureKind {
        shape,
        texel,
        depth: false,
    };
    Options {
        dimensions: [(3, kind)].into(),
        ..Options::default()
    }
}

fn sampled(fetch: Tex, options: &Options<'_>) -> Translation {
    accepted(&program(&[fetch.into()]), options)
}

#[test]
fn samples_of_all_shapes() {
    let check = |name, shape, text: &str| {
        expect_lines(&sampled(tex(name), &kind(shape, Texel::Float)), &[text]);
    };
    check(
        "SAMPLE",
        TextureShape::D2,
        "vec4 f = texture(sampler2D(t3, s2), vec2(R0.x, R0.y));",
    );
    check(
        "SAMPLE",
        TextureShape::D1,
        "vec4 f = texture(sampler1D(t3, s2), R0.x);",
    );
    check(
        "SAMPLE_L",
        TextureShape::D3,
        "vec4 f = textureLod(sampler3D(t3, s2), vec3(R0.x, R0.y, R0.z), R0.w);",
    );
    check(
        "SAMPLE_LB",
        TextureShape::D2Array,
        "vec4 f = texture(sampler2DArray(t3, s2), vec3(R0.x, R0.y, R0.z), R0.w);",
    );
    check(
        "SAMPLE_LZ",
        TextureShape::Cube,
        "vec4 f = textureLod(samplerCube(t3, s2), cube_direction(R0.x, R0.y, R0.z), 0.0);",
    );
    check(
        "SAMPLE_C",
        TextureShape::D2,
        "vec4 f = vec4(texture(sampler2DShadow(t3, s2_compare), vec3(R0.x, R0.y, R0.w)), 0.0, 0.0, 1.0);",
    );
    check(
        "SAMPLE_C_LZ",
        TextureShape::D2Array,
        "vec4 f = vec4(textureGrad(sampler2DArrayShadow(t3, s2_compare), vec4(R0.x, R0.y, R0.z, R0.w), \
         vec2(0.0), vec2(0.0)), 0.0, 0.0, 1.0);",
    );
}

#[test]
fn biases_and_offsets_are_constants() {
    // LOD_BIAS in sixteenths, OFFSET in half texels.
    let fetch = tex("SAMPLE")
        .with_lod_bias(-24)
        .with_offset_x(2)
        .with_offset_y(-4);
    expect_lines(
        &sampled(fetch, &Options::default()),
        &["vec4 f = textureOffset(sampler2D(t3, s2), vec2(R0.x, R0.y), ivec2(1, -2), -1.5);"],
    );
    let half = program(&[tex("SAMPLE").with_offset_x(1).into()]);
    assert!(matches!(
        refusal(&half, &Options::default()),
        (2, Reason::Fetch(..))
    ));
}

#[test]
fn integers_are_loaded_and_not_sampled() {
    let program = program(&[tex("SAMPLE_LZ").into()]);
    for texel in [Texel::Int, Texel::Uint] {
        let (slot, reason) = refusal(&program, &kind(TextureShape::D2, texel));
        assert!(matches!(reason, Reason::Fetch(name, _) if slot == 2 && name == "SAMPLE_LZ"));
    }
}

#[test]
fn loads_and_sizes_are_integers() {
    let load = sampled(tex("LD"), &kind(TextureShape::D2, Texel::Int));
    expect_lines(
        &load,
        &[
            "vec4 f = intBitsToFloat(texelFetch(t3, ivec2(floatBitsToInt(R0.x), floatBitsToInt(R0.y)), \
           floatBitsToInt(R0.w)));",
        ],
    );
    assert!(load.interface.samplers.is_empty());
    let size = sampled(tex("GET_TEXTURE_RESINFO"), &Options::default());
    expect_lines(
        &size,
        &[
            "vec4 f = intBitsToFloat(ivec4(textureSize(t3, floatBitsToInt(R0.x)), 1, textureQueryLevels(t3)));",
        ],
    );
}

#[test]
fn gradients_are_set_and_read() {
    let fetches = [
        tex("SET_GRADIENTS_H").into(),
        tex("SET_GRADIENTS_V").into(),
        tex("SAMPLE_G").into(),
    ];
    expect_lines(
        &accepted(&program(&fetches), &Options::default()),
        &[
            "vec4 f = textureGrad(sampler2D(t3, s2), vec2(R0.x, R0.y), gradient_h.xy, gradient_v.xy);",
        ],
    );
    expect_lines(
        &sampled(tex("GET_GRADIENTS_V"), &Options::default()),
        &["vec4 f = dFdy(vec4(R0.x, R0.y, R0.z, R0.w));"],
    );
}

#[test]
fn destinations_are_swizzled_and_masked() {
    let fetch = tex("SAMPLE").with_dst_sel(Swizzle::new(Sel::W, Sel::MASK, Sel::ZERO, Sel::ONE));
    expect_lines(
        &sampled(fetch, &Options::default()),
        &["R1.xzw = vec3(f.w, 0.0, 1.0);", "}", "//@ 2 R1.xzw"],
    );
}

/// There are no derivatives to bias in a vertex shader, so the bias is the level.
#[test]
fn a_comparison_in_layers_takes_no_level_but_0() {
    let options = Options {
        stage: Stage::Vertex,
        ..kind(TextureShape::D2Array, Texel::Float)
    };
    let biased = program(&[tex("SAMPLE_C").with_lod_bias(16).into()]);
    let (_, reason) = refusal(&biased, &options);
    assert!(matches!(reason, Reason::Fetch(name, _) if name == "SAMPLE_C"));
}

#[test]
fn every_fetch_translates_or_is_refused_by_name() {
    for code in 3..32 {
        let op = TexOp::from_code(code);
        for shape in [
            TextureShape::D1,
            TextureShape::D2,
            TextureShape::D3,
            TextureShape::Cube,
            TextureShape::D2Array,
        ] {
            let program = program(&[Tex::new(op, CHIP).into()]);
            let mut options = kind(shape, Texel::Float);
            options.dimensions.insert(0, TextureKind::float(shape));
            match translate(&program, &options) {
                Ok(_) => drop(accepted(&program, &options)),
                Err(refusal) => assert!(matches!(refusal.reason, Reason::Fetch(..)), "{refusal}"),
            }
        }
    }
}

#[test]
fn elements_of_buffers() {
    // 8_8_8_8, signed and normalised, bytes reversed in dwords: X is the lowest byte of the swapped word.
    let fetch = Vtx::new(VtxOp::FETCH, CHIP)
        .with_dst(Gpr::new(1))
        .with_buffer_id(160)
        .with_data_format(26)
        .with_num_format_all(NumFormat::NORM)
        .with_format_comp_all(FormatComp::SIGNED)
        .with_endian_swap(EndianSwap::SWAP_8IN32)
        .with_offset(8);
    let mut options = Options::default();
    options.strides.insert(160, 20);
    let translation = accepted(&program(&[fetch.into()]), &options);
    expect_lines(
        &translation,
        &[
            "uint i = floatBitsToUint(R0.x);",
            "bool inside = 12u <= size160() && i <= (size160() - 12u) / 20u;",
            "uint a = inside ? i * 20u + 8u : 0u;",
            "uint w0 = swap32(load160(a + 0u));",
            "vec4 f = vec4(max(float(signed_bits((w0 & 0xffu), 8u)) / 127.0, -1.0), \
             max(float(signed_bits((w0 >> 8u & 0xffu), 8u)) / 127.0, -1.0), \
             max(float(signed_bits((w0 >> 16u & 0xffu), 8u)) / 127.0, -1.0), \
             max(float(signed_bits((w0 >> 24u), 8u)) / 127.0, -1.0));",
        ],
    );
    for format in 0..64 {
        for number in [NumFormat::NORM, NumFormat::INT, NumFormat::SCALED] {
            let program = program(&[fetch
                .with_data_format(format)
                .with_num_format_all(number)
                .into()]);
            match translate(&program, &options) {
                Ok(_) => drop(accepted(&program, &options)),
                Err(refusal) => assert!(matches!(refusal.reason, Reason::Fetch(..)), "{refusal}"),
            }
        }
    }
}
