//! Every field of the contract, read from containers laid out by hand.

use gfd::{
    AttribVar, BlockKind, BlockType, Body, InitialValue, LoopVar, RBuffer, SamplerVar,
    SamplerVarType, ShaderMode, ShaderStruct, ShaderVarType, Stage, UniformBlock, UniformVar,
    Version, parse,
};

use crate::fixture::{bare_shader, set, texture, vertex};

#[test]
fn file_and_block_headers() {
    let mut bytes = vertex();
    for (at, word) in [(0x10, 11), (0x14, 1), (0x18, 12), (0x1C, 13)] {
        set(&mut bytes, at, word);
    }
    for (at, word) in [(0x08, 21), (0x0C, 22), (0x18, 23), (0x1C, 24)] {
        set(&mut bytes, 0x24C + at, word);
    }
    let file = parse(&bytes).unwrap();
    let header = file.header;
    assert_eq!(header.version, Version { major: 7, minor: 1 });
    assert_eq!((header.gpu_version, header.align), (11, 1));
    assert_eq!((header.reserved0, header.reserved1), (12, 13));

    let kinds: Vec<(usize, &str)> = file
        .blocks()
        .iter()
        .map(|block| (block.offset(), block.kind().name().unwrap()))
        .collect();
    assert_eq!(
        kinds,
        [
            (0x20, "VERTEX_SHADER_HEADER"),
            (0x24C, "VERTEX_SHADER_PROGRAM"),
            (0x274, "END_OF_FILE")
        ]
    );
    let program = file.blocks()[1];
    let header = program.header();
    assert_eq!(
        header.version,
        Version {
            major: 21,
            minor: 22
        }
    );
    assert_eq!(header.block_type, BlockType::VERTEX_SHADER_PROGRAM);
    assert_eq!((header.data_size, header.id, header.index), (8, 23, 24));
    assert_eq!(program.data(), [1, 0, 0, 0, 2, 0, 0, 0]);
    assert!(matches!(
        program.body(),
        Body::Program {
            stage: Stage::Vertex,
            ..
        }
    ));
}

#[test]
fn unknown_blocks_keep_their_number_and_data() {
    let mut bytes = vertex();
    set(&mut bytes, 0x24C + 0x10, 4);
    let file = parse(&bytes).unwrap();
    let block = file.blocks()[1];
    assert_eq!(block.kind(), BlockKind::Unknown);
    assert_eq!(block.kind().name(), None);
    assert_eq!(block.header().block_type, BlockType(4));
    assert!(matches!(
        block.body(),
        Body::Unknown([1, 0, 0, 0, 2, 0, 0, 0])
    ));
}

#[test]
fn vertex_structure() {
    let bytes = vertex();
    let file = parse(&bytes).unwrap();
    let Body::Shader(header) = file.blocks()[0].body() else {
        panic!("a shader header")
    };
    let structure = header.structure();
    let ShaderStruct::Vertex(shader) = structure else {
        panic!("a vertex shader")
    };
    assert_eq!(
        (shader.size, shader.program, shader.mode),
        (8, 0, ShaderMode::UNIFORM_BLOCK)
    );
    assert_eq!((shader.ring_item_size, shader.has_stream_out), (0x11, 0x22));
    assert_eq!(shader.stream_out_stride, [0x31, 0x32, 0x33, 0x34]);
    let buffer = RBuffer {
        flags: 0x41,
        elem_size: 0x42,
        elem_count: 0x43,
        buffer: 0x44,
    };
    assert_eq!(shader.r_buffer, buffer);

    // The registers are numbered from 0xC0000000 on, word by word.
    assert_eq!(shader.regs.sq_pgm_resources_vs, 0xC000_0000);
    assert_eq!(shader.regs.spi_vs_out_id[9], 0xC000_000D);
    assert_eq!(shader.regs.sq_vtx_semantic[31], 0xC000_0030);
    assert_eq!(shader.regs.vgt_hos_reuse_depth, 0xC000_0033);
    let registers: Vec<(&str, u32, usize, bool)> = structure
        .registers()
        .iter()
        .map(|register| {
            let first = register.values[0] - 0xC000_0000;
            (
                register.name,
                first * 4,
                register.values.len(),
                register.is_array,
            )
        })
        .collect();
    assert_eq!(
        registers,
        [
            ("sq_pgm_resources_vs", 0x00, 1, false),
            ("vgt_primitiveid_en", 0x04, 1, false),
            ("spi_vs_out_config", 0x08, 1, false),
            ("num_spi_vs_out_id", 0x0C, 1, false),
            ("spi_vs_out_id", 0x10, 10, true),
            ("pa_cl_vs_out_cntl", 0x38, 1, false),
            ("sq_vtx_semantic_clear", 0x3C, 1, false),
            ("num_sq_vtx_semantic", 0x40, 1, false),
            ("sq_vtx_semantic", 0x44, 32, true),
            ("vgt_strmout_buffer_en", 0xC4, 1, false),
            ("vgt_vertex_reuse_block_cntl", 0xC8, 1, false),
            ("vgt_hos_reuse_depth", 0xCC, 1, false),
        ]
    );
}

#[test]
fn vertex_arrays() {
    let bytes = vertex();
    let file = parse(&bytes).unwrap();
    let Body::Shader(header) = file.blocks()[0].body() else {
        panic!("a shader header")
    };
    assert_eq!(
        header.uniform_blocks().collect::<Vec<_>>(),
        [UniformBlock {
            name: Some("ub".into()),
            offset: 2,
            size: 0x100
        }]
    );
    assert_eq!(
        header.uniform_vars().collect::<Vec<_>>(),
        [
            UniformVar {
                name: Some("u_mvp".into()),
                ty: ShaderVarType::FLOAT4X4,
                count: 1,
                offset: 16,
                block: 0,
            },
            UniformVar {
                name: None,
                ty: ShaderVarType(99),
                count: 3,
                offset: 4,
                block: 0xFFFF_FFFF
            },
        ]
    );
    let value = [0x3F, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0];
    assert_eq!(
        header.initial_values().collect::<Vec<_>>(),
        [InitialValue { value, offset: 7 }]
    );
    assert_eq!(
        header.loop_vars().collect::<Vec<_>>(),
        [LoopVar {
            offset: 5,
            value: 0x0001_0003
        }]
    );
    let ty = SamplerVarType::SAMPLER_2D;
    assert_eq!(
        header.sampler_vars().collect::<Vec<_>>(),
        [SamplerVar {
            name: Some("tex".into()),
            ty,
            location: 6
        }]
    );
    let ty = ShaderVarType::FLOAT3;
    assert_eq!(
        header.attrib_vars().collect::<Vec<_>>(),
        [AttribVar {
            name: Some("pos".into()),
            ty,
            count: 1,
            location: 9
        }]
    );
    assert_eq!(header.uniform_vars().len(), 2);
}

#[test]
fn a_name_is_bytes_and_shown_as_text() {
    let mut bytes = vertex();
    set(
        &mut bytes,
        0x40 + 0x1A4,
        u32::from_be_bytes([b'a', 0xFF, b'b', 0]),
    );
    let file = parse(&bytes).unwrap();
    let Body::Shader(header) = file.blocks()[0].body() else {
        panic!("a shader header")
    };
    let name = header.uniform_vars().next().unwrap().name.unwrap();
    assert_eq!(name.as_bytes(), b"a\xFFb");
    assert_eq!(name.to_string(), "a\u{FFFD}b");
}

#[test]
fn relocations() {
    let mut bytes = vertex();
    let trailer = 0x40 + 0x1E4;
    set(&mut bytes, trailer + 8, 0x77);
    set(&mut bytes, trailer + 0x1C, 0x88);
    let file = parse(&bytes).unwrap();
    let Body::Shader(header) = file.blocks()[0].body() else {
        panic!("a shader header")
    };
    let relocation = header.relocation();
    assert_eq!((relocation.reserved, relocation.patch_base), (0x77, 0x88));
    assert_eq!((relocation.data_size, relocation.text_size), (0x1B4, 0x14));
    assert_eq!(
        (relocation.text_offset, relocation.patch_offset),
        (0x1A0, 0x1B4)
    );
    let patches: Vec<u32> = relocation.patches().map(|entry| entry.0).collect();
    assert_eq!(patches.len(), 11);
    assert_eq!(patches[5..8], [0xD060_0108, 0, 0xCA70_0134]);
}

/// Words of a bare shader are numbered from 1 on, so that a field tells its own place.
fn place(number: u32) -> u32 {
    4 * (number - 1)
}

#[test]
fn pixel_structure() {
    let bytes = bare_shader(6, 0xE8, 0xB0);
    let file = parse(&bytes).unwrap();
    let Body::Shader(header) = file.blocks()[0].body() else {
        panic!("a shader header")
    };
    let ShaderStruct::Pixel(shader) = header.structure() else {
        panic!("a pixel shader")
    };
    assert_eq!(place(shader.regs.sq_pgm_resources_ps), 0);
    assert_eq!(place(shader.regs.sq_pgm_exports_ps), 4);
    assert_eq!(place(shader.regs.spi_ps_in_control_0), 8);
    assert_eq!(place(shader.regs.spi_ps_in_control_1), 0xC);
    assert_eq!(place(shader.regs.num_spi_ps_input_cntl), 0x10);
    assert_eq!(shader.regs.spi_ps_input_cntls.map(place)[..2], [0x14, 0x18]);
    assert_eq!(place(shader.regs.spi_ps_input_cntls[31]), 0x90);
    assert_eq!(place(shader.regs.cb_shader_mask), 0x94);
    assert_eq!(place(shader.regs.cb_shader_control), 0x98);
    assert_eq!(place(shader.regs.db_shader_control), 0x9C);
    assert_eq!(place(shader.regs.spi_input_z), 0xA0);
    assert_eq!(place(shader.size), 0xA4);
    assert_eq!(place(shader.program), 0xA8);
    assert_eq!(place(shader.mode.0), 0xAC);
    assert_eq!(shader.mode.name(), None);
    assert_eq!(place(shader.r_buffer.flags), 0xD8);
    assert_eq!(place(shader.r_buffer.buffer), 0xE4);
    assert_eq!(header.attrib_vars().count(), 0);
}

#[test]
fn geometry_structure() {
    let bytes = bare_shader(8, 0xB0, 0x60);
    let file = parse(&bytes).unwrap();
    let Body::Shader(header) = file.blocks()[0].body() else {
        panic!("a shader header")
    };
    let structure = header.structure();
    let names: Vec<(&str, u32)> = structure
        .registers()
        .iter()
        .map(|register| (register.name, place(register.values[0])))
        .collect();
    assert_eq!(
        names,
        [
            ("sq_pgm_resources_gs", 0x00),
            ("vgt_gs_out_prim_type", 0x04),
            ("vgt_gs_mode", 0x08),
            ("pa_cl_vs_out_cntl", 0x0C),
            ("sq_pgm_resources_vs", 0x10),
            ("sq_gs_vert_itemsize", 0x14),
            ("spi_vs_out_config", 0x18),
            ("num_spi_vs_out_id", 0x1C),
            ("spi_vs_out_id", 0x20),
            ("vgt_strmout_buffer_en", 0x48),
        ]
    );
    let ShaderStruct::Geometry(shader) = structure else {
        panic!("a geometry shader")
    };
    assert_eq!(place(shader.size), 0x4C);
    assert_eq!(place(shader.program), 0x50);
    assert_eq!(place(shader.vertex_program_size), 0x54);
    assert_eq!(place(shader.vertex_program), 0x58);
    assert_eq!(place(shader.mode.0), 0x5C);
    assert_eq!(place(shader.ring_item_size), 0x88);
    assert_eq!(place(shader.has_stream_out), 0x8C);
    assert_eq!(
        shader.stream_out_stride.map(place),
        [0x90, 0x94, 0x98, 0x9C]
    );
    assert_eq!(place(shader.r_buffer.elem_size), 0xA4);
}

#[test]
fn compute_structure() {
    let bytes = bare_shader(14, 0x84, 0x38);
    let file = parse(&bytes).unwrap();
    let Body::Shader(header) = file.blocks()[0].body() else {
        panic!("a shader header")
    };
    let ShaderStruct::Compute(shader) = header.structure() else {
        panic!("a compute shader")
    };
    assert_eq!(shader.regs.word.map(place)[..3], [0, 4, 8]);
    assert_eq!(place(shader.regs.word[11]), 0x2C);
    assert_eq!(place(shader.size), 0x30);
    assert_eq!(place(shader.program), 0x34);
    assert_eq!(place(shader.work_group_size_x), 0x60);
    assert_eq!(place(shader.work_group_size_y), 0x64);
    assert_eq!(place(shader.work_group_size_z), 0x68);
    assert_eq!(place(shader.over_64_mode), 0x6C);
    assert_eq!(place(shader.num_waves_per_simd), 0x70);
    assert_eq!(place(shader.r_buffer.elem_count), 0x7C);
    assert_eq!(header.structure().mode(), None);
}

#[test]
fn texture_structure() {
    for bytes in [texture(7, 1, [11, 12, 13]), texture(6, 0, [10, 11, 12])] {
        let file = parse(&bytes).unwrap();
        let [header, image, mipmap, _] = file.blocks() else {
            panic!("four blocks")
        };
        let Body::Texture(header) = header.body() else {
            panic!("a texture header")
        };
        let texture = header.texture();
        assert_eq!(texture.dim.name(), Some("TEXTURE_2D"));
        assert_eq!((texture.width, texture.height, texture.depth), (2, 3, 4));
        assert_eq!((texture.mip_levels, texture.aa, texture.usage), (5, 6, 7));
        assert_eq!(texture.format.name(), Some("UNORM_R8_G8_B8_A8"));
        assert_eq!((texture.image_size, texture.image), (16, 8));
        assert_eq!((texture.mipmap_size, texture.mipmaps), (4, 9));
        assert_eq!(texture.tile_mode.name(), Some("TILED_2D_THIN1"));
        assert_eq!(
            (texture.swizzle, texture.alignment, texture.pitch),
            (0xD_0000, 0x800, 32)
        );
        assert_eq!(
            texture.mip_level_offset,
            std::array::from_fn(|i| 40 + i as u32)
        );
        assert_eq!((texture.view_first_mip, texture.view_num_mips), (60, 61));
        assert_eq!(
            (texture.view_first_slice, texture.view_num_slices),
            (62, 63)
        );
        assert_eq!(texture.comp_map, 0x0001_0203);
        assert_eq!(texture.regs, [70, 71, 72, 73, 74]);
        assert_eq!(header.rest(), b"rest");
        assert!(matches!(image.body(), Body::Image(b"0123456789abcdef")));
        assert!(matches!(mipmap.body(), Body::Mipmap(b"mips")));
    }
}
