//! Editing a parsed file: what is changed comes out changed, everything else as it was.

use gfd::{
    Body, Error, LoopVar, NamesTooLong, OwnedBody, OwnedFile, OwnedShader, PatchStyle, SamplerVar,
    SamplerVarType, ShaderStruct, Stage, UniformBlock, WriteError, parse,
};

use crate::fixture::{get, set, texture, vertex};

fn owned(bytes: &[u8]) -> OwnedFile {
    OwnedFile::try_from(&parse(bytes).unwrap()).unwrap()
}

fn shader(file: &mut OwnedFile) -> &mut OwnedShader {
    match &mut file.blocks[0].body {
        OwnedBody::Shader(shader) => shader,
        other => panic!("{other:?}"),
    }
}

/// The places of the words in which two files of one length differ.
fn differences(a: &[u8], b: &[u8]) -> Vec<usize> {
    assert_eq!(a.len(), b.len());
    (0..a.len() / 4)
        .map(|i| 4 * i)
        .filter(|&at| get(a, at) != get(b, at))
        .collect()
}

#[test]
fn a_file_without_changes_gives_the_same_bytes() {
    let mut odd = vertex();
    odd.extend_from_slice(b"trailing");
    set(&mut odd, 0x24C + 0x10, 4); // the program becomes an unknown block
    for bytes in [
        odd,
        vertex(),
        texture(7, 1, [11, 12, 13]),
        texture(6, 0, [10, 11, 12]),
    ] {
        assert_eq!(parse(&bytes).unwrap().write(), bytes);
        assert_eq!(owned(&bytes).write().unwrap(), bytes);
    }
}

#[test]
fn a_changed_file_header_comes_out_changed() {
    let bytes = vertex();
    let mut file = parse(&bytes).unwrap();
    file.header.version.minor = 5;
    file.header.reserved1 = 6;
    let written = file.write();
    assert_eq!(differences(&bytes, &written), [0x0C, 0x1C]);
    assert_eq!((get(&written, 0x0C), get(&written, 0x1C)), (5, 6));
}

#[test]
fn a_changed_texture_field_is_the_only_change() {
    let bytes = texture(7, 1, [11, 12, 13]);
    let mut file = owned(&bytes);
    let OwnedBody::Texture(header) = &mut file.blocks[0].body else {
        panic!("a texture header")
    };
    header.texture.swizzle = 0x1234;
    header.texture.regs[4] = 0x5678;
    let written = file.write().unwrap();
    assert_eq!(differences(&bytes, &written), [0x40 + 0x34, 0x40 + 0x98]);
    assert_eq!((get(&written, 0x74), get(&written, 0xD8)), (0x1234, 0x5678));
}

#[test]
fn changed_shader_fields_are_the_only_changes() {
    let bytes = vertex();
    let mut file = owned(&bytes);
    file.blocks[1].id = 3;
    let shader = shader(&mut file);
    let ShaderStruct::Vertex(structure) = &mut shader.structure else {
        panic!("a vertex shader")
    };
    structure.regs.sq_vtx_semantic[31] = 0xFF;
    structure.stream_out_stride[3] = 0x99;
    shader.uniform_vars[1].offset = 0x55;
    shader.initial_values[0].value[15] = 1;
    shader.loop_vars[0].value = 7;
    shader.attrib_vars[0].location = 8;
    shader.reserved = 2;
    let places = [
        0x040 + 0x044 + 4 * 31, // the last semantic
        0x040 + 0x120,          // the last stride
        0x040 + 0x154 + 0xC,    // the second variable's offset
        0x040 + 0x168 + 0xC,    // the initial value's last word
        0x040 + 0x17C + 0x4,    // the loop variable's value
        0x040 + 0x190 + 0xC,    // the attribute's location
        0x040 + 0x1E4 + 0x8,    // the trailer's reserved word
        0x24C + 0x18,           // the program block's id
    ];
    let written = file.write().unwrap();
    assert_eq!(differences(&bytes, &written), places);
    assert_eq!(
        places.map(|at| get(&written, at)),
        [0xFF, 0x99, 0x55, 0x4000_0001, 7, 8, 2, 3]
    );
}

#[test]
fn a_name_that_fits_keeps_the_layout() {
    // "u_mvp" has eight bytes in the text: five, its zero, and two that fill up.
    for name in ["u", "u_wor", "u_world", ""] {
        let bytes = vertex();
        let mut file = owned(&bytes);
        shader(&mut file).uniform_vars[0].name = Some(name.into());
        let written = file.write().unwrap();
        let mut expected = bytes.clone();
        let text = 0x40 + 0x1A4;
        expected[text..text + 8].fill(0);
        expected[text..text + name.len()].copy_from_slice(name.as_bytes());
        assert_eq!(written, expected, "{name}");
    }
}

#[test]
fn a_name_taken_away_leaves_a_zero_pointer() {
    let bytes = vertex();
    let mut file = owned(&bytes);
    shader(&mut file).sampler_vars[0].name = None;
    let written = file.write().unwrap();
    assert_eq!(differences(&bytes, &written), [0x40 + 0x184]);
    assert_eq!(get(&written, 0x40 + 0x184), 0);
}

#[test]
fn what_does_not_fit_is_laid_out_anew() {
    let edits: [fn(&mut OwnedShader); 5] = [
        |shader| shader.uniform_vars[0].name = Some("u_worlds".into()),
        |shader| shader.uniform_vars[1].name = Some("x".into()),
        |shader| {
            shader.loop_vars.push(LoopVar {
                offset: 1,
                value: 2,
            })
        },
        |shader| drop(shader.uniform_blocks.pop()),
        |shader| shader.patch_style = PatchStyle::DataTags,
    ];
    for edit in edits {
        let mut file = owned(&vertex());
        edit(shader(&mut file));
        let written = file.write().unwrap();
        let mut again = owned(&written);
        assert_eq!(again, file);
        assert_eq!(shader(&mut again).attrib_vars[0].name, Some("pos".into()));
        assert_eq!(again.write().unwrap(), written);
    }
}

#[test]
fn names_that_share_bytes_are_parted_when_one_changes() {
    // The sampler's name becomes the end of the variable's: "p" of "u_mvp".
    let mut bytes = vertex();
    set(&mut bytes, 0x40 + 0x184, 0xCA70_01A8);
    let mut file = owned(&bytes);
    assert_eq!(shader(&mut file).sampler_vars[0].name, Some("p".into()));
    shader(&mut file).sampler_vars[0].name = Some("q".into());
    let written = file.write().unwrap();
    let mut again = owned(&written);
    assert_eq!(
        shader(&mut again).uniform_vars[0].name,
        Some("u_mvp".into())
    );
    assert_eq!(shader(&mut again).sampler_vars[0].name, Some("q".into()));
}

#[test]
fn an_overlay_that_would_break_the_layout_is_not_used() {
    // A loop variable over the text: its new value would overwrite names.
    let mut bytes = vertex();
    set(&mut bytes, 0x40 + 0xF8, 0xD060_01A4);
    let mut file = owned(&bytes);
    assert_eq!(file.write().unwrap(), bytes);
    shader(&mut file).loop_vars[0].value = 0xFFFF_FFFF;
    let mut again = owned(&file.write().unwrap());
    assert_eq!(shader(&mut again).loop_vars[0].value, 0xFFFF_FFFF);
    assert_eq!(
        shader(&mut again).uniform_vars[0].name,
        Some("u_mvp".into())
    );
}

#[test]
fn a_stage_can_be_replaced() {
    let mut file = owned(&vertex());
    let pixel = ShaderStruct::Pixel(gfd::PixelShader::default());
    let vertex = shader(&mut file);
    vertex.structure = pixel;
    assert_eq!(
        vertex.encode(),
        Err(WriteError::AttribsWithoutVertex {
            stage: Stage::Pixel
        })
    );
    vertex.attrib_vars.clear();
    file.blocks[0].block_type = gfd::BlockType::PIXEL_SHADER_HEADER;
    file.blocks[1].block_type = gfd::BlockType::PIXEL_SHADER_PROGRAM;
    let written = file.write().unwrap();
    let parsed = parse(&written).unwrap();
    let Body::Shader(header) = parsed.blocks()[0].body() else {
        panic!("a shader header")
    };
    assert_eq!(header.stage(), Stage::Pixel);
    assert_eq!(
        header.sampler_vars().collect::<Vec<_>>(),
        [SamplerVar {
            name: Some("tex".into()),
            ty: SamplerVarType::SAMPLER_2D,
            location: 6
        }]
    );
}

#[test]
fn a_file_that_would_not_parse_is_refused() {
    let mut file = owned(&vertex());
    file.header.align = 2;
    let error = Error::BadAlignment {
        offset: 0x14,
        found: 2,
    };
    assert_eq!(file.write(), Err(WriteError::Invalid(error)));

    let mut file = owned(&vertex());
    shader(&mut file).uniform_vars[0].name = Some("a\0b".into());
    assert_eq!(file.write(), Err(WriteError::NameWithZero { at: 1 }));

    let mut file = owned(&vertex());
    file.blocks.pop();
    assert_eq!(file.write(), Err(WriteError::EndBlock { index: 1 }));
    file.blocks.clear();
    assert_eq!(file.write(), Err(WriteError::EndBlock { index: 0 }));

    let mut file = owned(&vertex());
    file.blocks.swap(1, 2);
    assert_eq!(file.write(), Err(WriteError::EndBlock { index: 1 }));
}

#[test]
fn names_that_share_too_many_bytes_are_refused() {
    // 5,000 uniform blocks whose names are all the same text of 4,095 bytes: 20 MB of names in a file of 64 KB.
    const COUNT: usize = 5000;
    let mut shader = OwnedShader::from(ShaderStruct::Pixel(gfd::PixelShader::default()));
    let block = UniformBlock {
        name: None,
        offset: 0,
        size: 0,
    };
    shader.uniform_blocks = vec![block.clone(); COUNT];
    shader.uniform_blocks[0].name = Some("n".repeat(4095).into());
    let mut bytes = gfd::Builder::new(gfd::Version::V7_1)
        .shader_header(shader)
        .write()
        .unwrap();
    // The blocks follow the structure of 0xE8 bytes, 12 bytes each, and the text follows the blocks.
    let text = 0xE8 + 12 * COUNT;
    for i in 0..COUNT {
        set(&mut bytes, 0x40 + 0xE8 + 12 * i, 0xCA70_0000 + text as u32);
    }
    let file = parse(&bytes).unwrap();
    assert_eq!(file.names_length(usize::MAX), Some(COUNT * 4095));
    assert_eq!(file.names_length(COUNT * 4095), Some(COUNT * 4095));
    assert_eq!(file.names_length(COUNT * 4095 - 1), None);
    assert_eq!(OwnedFile::try_from(&file), Err(NamesTooLong));
    assert_eq!(file.write(), bytes);
}

#[test]
fn a_header_beyond_the_reach_of_its_pointers_is_refused() {
    let mut file = owned(&vertex());
    // Pointers reach 0xFFFFF; the structure has 0x134 bytes, and a loop variable 8.
    let most = (0xF_FFFF - 0x134) / 8;
    let shader = shader(&mut file);
    shader.loop_vars = vec![
        LoopVar {
            offset: 0,
            value: 0
        };
        most + 1
    ];
    shader.forget_layout();
    assert!(matches!(
        shader.encode(),
        Err(WriteError::OutOfReach { .. })
    ));
}
