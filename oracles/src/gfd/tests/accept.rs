//! Files that are taken, and what is answered of them.

use corpora::{Implementation, Options};

use super::files::*;
use super::{assert_field, fields, oracle};

#[test]
fn the_smallest_file_is_a_header_and_an_end_block() {
    let (fields, consumed) = fields(&file(&[]));
    assert_eq!(consumed, 0x40);
    let expected = [
        ("block[0].data", ""),
        ("block[0].data_size", "0x0"),
        ("block[0].id", "0x0"),
        ("block[0].index", "0x0"),
        ("block[0].offset", "0x20"),
        ("block[0].type", "END_OF_FILE (1)"),
        ("block[0].version.major", "0x1"),
        ("block[0].version.minor", "0x0"),
        ("header.align", "0x0"),
        ("header.gpu_version", "0x2"),
        ("header.reserved0", "0x0"),
        ("header.reserved1", "0x0"),
        ("header.version.major", "0x7"),
        ("header.version.minor", "0x1"),
    ];
    let found: Vec<_> = fields
        .iter()
        .map(|(path, value)| (path.as_str(), value.as_str()))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn every_word_of_both_headers_is_told() {
    let mut bytes = file(&[block(2, b"zz")]);
    for (at, word) in [
        (0x0C, 9),
        (0x10, 10),
        (0x14, 1),
        (0x18, 12),
        (0x1C, 13),
        (0x28, 14), // any block version is kept
        (0x2C, 15),
        (0x38, 16),
        (0x3C, 17),
    ] {
        bytes = with(&bytes, at, word);
    }
    let (fields, consumed) = fields(&bytes);
    assert_eq!(consumed, 0x62);
    for (path, value) in [
        ("header.version.minor", "0x9"),
        ("header.gpu_version", "0xa"),
        ("header.align", "0x1"),
        ("header.reserved0", "0xc"),
        ("header.reserved1", "0xd"),
        ("block[0].offset", "0x20"),
        ("block[0].version.major", "0xe"),
        ("block[0].version.minor", "0xf"),
        ("block[0].type", "PADDING (2)"),
        ("block[0].data_size", "0x2"),
        ("block[0].id", "0x10"),
        ("block[0].index", "0x11"),
        ("block[0].data", "7a7a"),
        ("block[1].offset", "0x42"),
    ] {
        assert_field(&fields, path, value);
    }
}

#[test]
fn a_vertex_shader_header_with_one_variable() {
    let (fields, consumed) = fields(&vertex_file());
    assert_eq!(consumed, 0x1DC);
    let shown = [
        ("block[0].offset", "0x20"),
        ("block[0].version.major", "0x1"),
        ("block[0].version.minor", "0x0"),
        ("block[0].type", "VERTEX_SHADER_HEADER (3)"),
        ("block[0].data_size", "0x17c"),
        ("block[0].id", "0x0"),
        ("block[0].index", "0x0"),
        ("block[0].regs.sq_pgm_resources_vs", "0x102"),
        ("block[0].regs.vgt_primitiveid_en", "0x1"),
        ("block[0].regs.spi_vs_out_config", "0x2"),
        ("block[0].regs.num_spi_vs_out_id", "0x3"),
        ("block[0].regs.spi_vs_out_id[0]", "0xff"),
        ("block[0].regs.spi_vs_out_id[1]", "0x1"),
        ("block[0].regs.spi_vs_out_id[2]", "0x2"),
        ("block[0].regs.spi_vs_out_id[3]", "0x3"),
        ("block[0].regs.spi_vs_out_id[4]", "0x4"),
        ("block[0].regs.spi_vs_out_id[5]", "0x5"),
        ("block[0].regs.spi_vs_out_id[6]", "0x6"),
        ("block[0].regs.spi_vs_out_id[7]", "0x7"),
        ("block[0].regs.spi_vs_out_id[8]", "0x8"),
        ("block[0].regs.spi_vs_out_id[9]", "0x9"),
        ("block[0].regs.pa_cl_vs_out_cntl", "0x10"),
        ("block[0].regs.sq_vtx_semantic_clear", "0x11"),
        ("block[0].regs.num_sq_vtx_semantic", "0x12"),
        ("block[0].regs.vgt_strmout_buffer_en", "0x13"),
        ("block[0].regs.vgt_vertex_reuse_block_cntl", "0xe"),
        ("block[0].regs.vgt_hos_reuse_depth", "0x10"),
        ("block[0].shader.size", "0x140"),
        ("block[0].shader.program", "0x0"),
        ("block[0].shader.mode", "UNIFORM_BLOCK (1)"),
        ("block[0].shader.ring_item_size", "0x20"),
        ("block[0].shader.has_stream_out", "0x1"),
        ("block[0].shader.stream_out_stride[0]", "0x4"),
        ("block[0].shader.stream_out_stride[1]", "0x8"),
        ("block[0].shader.stream_out_stride[2]", "0xc"),
        ("block[0].shader.stream_out_stride[3]", "0x14"),
        ("block[0].shader.r_buffer.flags", "0x55"),
        ("block[0].shader.r_buffer.elem_size", "0x56"),
        ("block[0].shader.r_buffer.elem_count", "0x57"),
        ("block[0].shader.r_buffer.buffer", "0x58"),
        ("block[0].uniform_var[0].name", "\"a\""),
        ("block[0].uniform_var[0].type", "FLOAT4 (11)"),
        ("block[0].uniform_var[0].count", "0x1"),
        ("block[0].uniform_var[0].offset", "0x10"),
        ("block[0].uniform_var[0].block", "0xffffffff"),
        ("block[0].reloc.reserved", "0x0"),
        ("block[0].reloc.data_size", "0x14c"),
        ("block[0].reloc.text_size", "0x4"),
        ("block[0].reloc.text_offset", "0x148"),
        ("block[0].reloc.patch_base", "0x7"),
        ("block[0].reloc.patch_offset", "0x14c"),
        ("block[0].reloc.patch[0]", "0xd06000e8"),
        ("block[0].reloc.patch[1]", "0xca700134"),
    ];
    for (path, value) in shown {
        assert_field(&fields, path, value);
    }
    for semantic in 0..32 {
        let path = format!("block[0].regs.sq_vtx_semantic[{semantic}]");
        assert_field(&fields, &path, "0xbad0bad");
    }
    // And nothing else of this block: no raw data, no element of another array.
    let all = fields.keys().filter(|path| path.starts_with("block[0]"));
    assert_eq!(all.count(), shown.len() + 32);
}

#[test]
fn every_array_of_every_stage_is_told() {
    for stage in &STAGES {
        let (fields, _) = fields(&file(&[block(stage.kind, &full_data(stage, 0, 3))]));
        for array in ["uniform_block", "uniform_var", "sampler_var"] {
            for element in 0..3 {
                let path = format!("block[0].{array}[{element}].name");
                assert_field(&fields, &path, &format!("\"name{element}\""));
            }
        }
        for (path, value) in [
            ("block[0].uniform_block[2].offset", "0x2"),
            ("block[0].uniform_var[2].type", "INT (2)"),
            ("block[0].loop_var[2].value", "0x2"),
            ("block[0].sampler_var[1].type", "SAMPLER_2D (1)"),
            ("block[0].sampler_var[2].type", "reserved (2)"),
            ("block[0].reloc.reserved", "0xbad"),
            ("block[0].reloc.patch_base", "0xbae"),
            ("block[0].reloc.patch[0]", "0x0"),
        ] {
            assert_field(&fields, path, value);
        }
        let value = &fields["block[0].initial_value[2].value"];
        assert_eq!((value.len(), &value[8..16]), (32, "00000002"));
        let attributes = fields.contains_key("block[0].attrib_var[2].location");
        assert_eq!(attributes, stage.kind == 3);
        let mode = fields.contains_key("block[0].shader.mode");
        assert_eq!(mode, stage.kind != 14);
    }
}

#[test]
fn registers_of_the_other_stages() {
    let base = |stage: usize| full_data(&STAGES[stage], 4, 1);
    let pixel = with(&base(1), 0xA0, 0x11);
    let geometry = with(&with(&base(2), 0x48, 0x21), 0x54, 0x22);
    let compute = with(&with(&base(3), 0x2C, 0x31), 0x70, 0x32);
    let (fields, _) = fields(&file(&[
        block(6, &pixel),
        block(8, &geometry),
        block(14, &compute),
    ]));
    for (path, value) in [
        ("block[0].regs.spi_input_z", "0x11"),
        ("block[0].shader.mode", "unknown (4)"),
        ("block[1].regs.vgt_strmout_buffer_en", "0x21"),
        ("block[1].shader.vertex_program_size", "0x22"),
        ("block[2].regs.word[11]", "0x31"),
        ("block[2].shader.num_waves_per_simd", "0x32"),
    ] {
        assert_field(&fields, path, value);
    }
}

#[test]
fn a_texture_header() {
    // Four bytes more than the structure: kept, and not told.
    let data = [texture_data(), words(&[1])].concat();
    let (fields, consumed) = fields(&file(&[block(11, &data)]));
    assert_eq!(consumed, 0x20 + 0x20 + 0xA0 + 0x20);
    let shown = [
        ("block[0].type", "TEXTURE_HEADER (11)"),
        ("block[0].texture.dim", "TEXTURE_2D (1)"),
        ("block[0].texture.width", "0x280"),
        ("block[0].texture.height", "0x168"),
        ("block[0].texture.depth", "0x1"),
        ("block[0].texture.mip_levels", "0xb"),
        ("block[0].texture.format", "UNORM_R8_G8_B8_A8 (26)"),
        ("block[0].texture.aa", "0x2"),
        ("block[0].texture.use", "0x3"),
        ("block[0].texture.image_size", "0xea000"),
        ("block[0].texture.image", "0x5"),
        ("block[0].texture.mipmap_size", "0x6"),
        ("block[0].texture.mipmaps", "0x7"),
        ("block[0].texture.tile_mode", "TILED_2D_THIN1 (4)"),
        ("block[0].texture.swizzle", "0xd0000"),
        ("block[0].texture.alignment", "0x800"),
        ("block[0].texture.pitch", "0x280"),
        ("block[0].texture.mip_level_offset[0]", "0x40"),
        ("block[0].texture.mip_level_offset[12]", "0x4c"),
        ("block[0].texture.view_first_mip", "0x1"),
        ("block[0].texture.view_num_mips", "0x2"),
        ("block[0].texture.view_first_slice", "0x3"),
        ("block[0].texture.view_num_slices", "0x4"),
        ("block[0].texture.comp_map", "0x10203"),
        ("block[0].texture.regs[0]", "0x88"),
        ("block[0].texture.regs[4]", "0x98"),
    ];
    for (path, value) in shown {
        assert_field(&fields, path, value);
    }
    // 6 of the block header besides its type, 11 mip level offsets and 3 registers are not listed above.
    let all = fields.keys().filter(|path| path.starts_with("block[0]"));
    assert_eq!(all.count(), shown.len() + 6 + 11 + 3);
}

#[test]
fn numbers_without_a_name() {
    let mut data = texture_data();
    for (at, word) in [(0x00, 8), (0x14, 0x3F), (0x30, 17)] {
        data = with(&data, at, word);
    }
    let (fields, _) = fields(&file(&[block(11, &data), block(4, b"x"), block(99, b"")]));
    for (path, value) in [
        ("block[0].texture.dim", "reserved (8)"),
        ("block[0].texture.format", "reserved (63)"),
        ("block[0].texture.tile_mode", "reserved (17)"),
        ("block[1].type", "unknown (4)"),
        ("block[1].data", "78"),
        ("block[2].type", "unknown (99)"),
        ("block[2].data", ""),
    ] {
        assert_field(&fields, path, value);
    }
}

#[test]
fn version_6_0_has_its_own_numbers() {
    let blocks = [
        block(10, &texture_data()),
        block(11, b"i"),
        block(12, b"m"),
        block(13, b"?"),
        block(14, b"?"),
        block(15, b"?"),
        block(3, &vertex_data()),
        block(1, &[]),
    ]
    .concat();
    // The alignment word is unused there.
    let (fields, _) = fields(&[header(6, 0, 0x1234), blocks].concat());
    for (path, value) in [
        ("header.align", "0x1234"),
        ("block[0].type", "TEXTURE_HEADER (10)"),
        ("block[0].texture.width", "0x280"),
        ("block[1].type", "TEXTURE_IMAGE (11)"),
        ("block[2].type", "TEXTURE_MIPMAP (12)"),
        ("block[3].type", "unknown (13)"),
        ("block[4].type", "unknown (14)"),
        ("block[5].type", "unknown (15)"),
        ("block[5].data", "3f"),
        ("block[6].type", "VERTEX_SHADER_HEADER (3)"),
        ("block[6].uniform_var[0].name", "\"a\""),
    ] {
        assert_field(&fields, path, value);
    }
}

#[test]
fn version_6_1_has_the_numbers_of_7() {
    let blocks = [block(10, b"g"), block(13, b"m"), block(1, &[])].concat();
    let (fields, _) = fields(&[header(6, 1, 1), blocks].concat());
    assert_field(
        &fields,
        "block[0].type",
        "GEOMETRY_SHADER_COPY_PROGRAM (10)",
    );
    assert_field(&fields, "block[1].type", "TEXTURE_MIPMAP (13)");
}

#[test]
fn names_can_be_empty_absent_or_not_utf8() {
    let name = |bytes: &[u8; 4], pointer: u32| {
        let mut file = with(&vertex_file(), 0x188, u32::from_be_bytes(*bytes));
        file = with(&file, 0x174, pointer);
        let (fields, _) = fields(&file);
        fields.get("block[0].uniform_var[0].name").cloned()
    };
    assert_eq!(name(b"a\0\0\0", 0xCA70_0149).as_deref(), Some("\"\""));
    assert_eq!(name(b"abc\0", 0xCA70_0149).as_deref(), Some("\"bc\""));
    assert_eq!(
        name(b"\xFF\xFFz\0", 0xCA70_0148).as_deref(),
        Some("\"\u{FFFD}\u{FFFD}z\"")
    );
    assert_eq!(name(b"abc\0", 0), None);
}

#[test]
fn zero_patches_and_pointers_without_elements_are_skipped() {
    let mut bytes = vertex_file();
    bytes = with(&bytes, 0x18C, 0); // both patches
    bytes = with(&bytes, 0x190, 0);
    bytes = with(&bytes, 0x124, 0); // no variable, whatever the pointer
    bytes = with(&bytes, 0x128, 0xFFFF_FFFF);
    let (fields, _) = fields(&bytes);
    assert_field(&fields, "block[0].reloc.patch[1]", "0x0");
    assert!(!fields.contains_key("block[0].uniform_var[0].type"));
}

#[test]
fn what_follows_the_end_block_is_not_judged() {
    let bytes = [file(&[]), b"BLK{ or not".to_vec()].concat();
    let (fields, consumed) = fields(&bytes);
    assert_eq!(consumed, 0x40);
    assert!(!fields.contains_key("block[1].type"));
}

#[test]
fn there_are_no_options() {
    let (mut oracle, _) = oracle();
    assert_eq!(oracle.name(), "gfd oracle");
    assert!(oracle.select(&Options::new()).is_ok());
    let error = oracle.select(&Options::new().with("chip", "r700"));
    assert_eq!(error.unwrap_err().name, "chip");
}
