//! New files: their layout, and that whatever is built can be read and written again.

use gfd::{
    AttribVar, BlockIds, BlockKind, BlockType, Body, Builder, InitialValue, LoopVar, OwnedBody,
    OwnedFile, OwnedShader, PatchStyle, PixelShader, SamplerVar, SamplerVarType, ShaderMode,
    ShaderStruct, ShaderVarType, Stage, Texture, UniformBlock, UniformVar, Version, VertexShader,
    WriteError, parse,
};
use proptest::prelude::*;

use crate::fixture::{Bytes, bare_shader, get, set};

fn pixel() -> OwnedShader {
    OwnedShader::from(ShaderStruct::Pixel(PixelShader::default()))
}

/// A pixel shader with one uniform variable "u" and one sampler without a name.
fn pixel_with_names(patch_style: PatchStyle) -> OwnedShader {
    let mut shader = pixel();
    let (name, ty) = (Some("u".into()), ShaderVarType::FLOAT4);
    shader.uniform_vars.push(UniformVar {
        name,
        ty,
        count: 1,
        offset: 0,
        block: 0,
    });
    let ty = SamplerVarType::SAMPLER_2D;
    shader.sampler_vars.push(SamplerVar {
        name: None,
        ty,
        location: 0,
    });
    shader.patch_style = patch_style;
    shader
}

#[test]
fn a_header_is_laid_out_with_patches_that_have_their_own_tags() {
    let data = pixel_with_names(PatchStyle::OwnTags).encode().unwrap();
    let mut tail = Bytes(Vec::new());
    tail.words(&[0xCA70_0108, 11, 1, 0, 0]); // 0E8 the variable
    tail.words(&[0, 1, 0]); // 0FC the sampler
    tail.raw(b"u\0\0\0"); // 108 text
    tail.words(&[0xD060_00BC, 0xD060_00D4, 0xCA70_00E8]); // 10C patches
    tail.raw(b"}BLK").words(&[
        0x28,        // 118 size of the trailer
        0,           // reserved
        0x10C,       // data size
        0xD060_0000, // data offset
        4,           // text size
        0xD060_0108, // text offset
        0,           // patch base
        3,           // patch count
        0xD060_010C, // patch offset
    ]);
    assert_eq!(data[0xE8..], tail.0);
    // The counts and pointers of the variables and of the samplers.
    assert_eq!((get(&data, 0xB8), get(&data, 0xBC)), (1, 0xD060_00E8));
    assert_eq!((get(&data, 0xD0), get(&data, 0xD4)), (1, 0xD060_00FC));
    assert_eq!(data[..0xB8], [0; 0xB8]);
}

#[test]
fn a_header_is_laid_out_with_patches_that_all_have_data_tags() {
    let data = pixel_with_names(PatchStyle::DataTags).encode().unwrap();
    let mut tail = Bytes(Vec::new());
    tail.words(&[
        0,           // 10C program
        0,           // uniform blocks
        0xD060_00BC, // uniform variables
        0,           // initial values
        0,           // loop variables
        0xD060_00D4, // samplers
        0xD060_00E8, // the variable's name
        0,           // the sampler's
        0,
        0, // two more
        0,
        0, // and eight bytes behind the table
    ]);
    assert_eq!(data[0x10C..0x13C], tail.0);
    assert_eq!(data[0x13C..0x140], *b"}BLK");
    assert_eq!(get(&data, 0x13C + 0x20), 10, "patch count");
}

#[test]
fn alignment_mode_1_puts_padding_before_programs_and_images() {
    let bytes = Builder::new(Version::V7_1)
        .align(1)
        .ids(BlockIds::Running)
        .shader(pixel(), vec![1; 8])
        .texture(Texture::default(), vec![2; 0x40], Some(vec![3; 4]))
        .write()
        .unwrap();
    let file = parse(&bytes).unwrap();
    assert_eq!(file.header.align, 1);
    let blocks: Vec<(&str, usize, u32, u32)> = file
        .blocks()
        .iter()
        .map(|block| {
            let name = block.kind().name().unwrap();
            (
                name,
                block.offset(),
                block.header().data_size,
                block.header().id,
            )
        })
        .collect();
    assert_eq!(
        blocks,
        [
            // 0xE8 bytes of structure and 0x28 of trailer.
            ("PIXEL_SHADER_HEADER", 0x020, 0x110, 0),
            ("PADDING", 0x150, 0x70, 1),
            ("PIXEL_SHADER_PROGRAM", 0x1E0, 8, 2), // data at 0x200
            ("TEXTURE_HEADER", 0x208, 0x9C, 3),
            ("PADDING", 0x2C4, 0xFC, 4),
            ("TEXTURE_IMAGE", 0x3E0, 0x40, 5), // data at 0x400
            ("PADDING", 0x440, 0x80, 6),
            ("TEXTURE_MIPMAP", 0x4E0, 4, 7), // data at 0x500
            ("END_OF_FILE", 0x504, 0, 8),
        ]
    );
    let Body::Padding(padding) = file.blocks()[1].body() else {
        panic!("a padding block")
    };
    assert_eq!(padding, [0; 0x70]);
}

#[test]
fn sizes_are_those_of_what_was_given() {
    let texture = Texture {
        swizzle: 0xD0000,
        ..Texture::default()
    };
    let bytes = Builder::new(Version::V7_1)
        .shader(pixel(), vec![1; 24])
        .texture(texture, vec![2; 3], Some(vec![3; 5]))
        .texture(texture, vec![4; 7], None)
        .write()
        .unwrap();
    let file = parse(&bytes).unwrap();
    let Body::Shader(header) = file.blocks()[0].body() else {
        panic!("a shader header")
    };
    assert_eq!(header.structure().size(), 24);
    let sizes: Vec<(u32, u32)> = file
        .blocks()
        .iter()
        .filter_map(|block| match block.body() {
            Body::Texture(header) => Some(header.texture()),
            _ => None,
        })
        .map(|texture| (texture.image_size, texture.mipmap_size))
        .collect();
    assert_eq!(sizes, [(3, 5), (7, 0)]);
}

#[test]
fn version_6_0_has_its_own_numbers_and_no_padding() {
    let v6_0 = Version { major: 6, minor: 0 };
    let bytes = Builder::new(v6_0)
        .align(1)
        .texture(Texture::default(), vec![1], Some(vec![2]))
        .write()
        .unwrap();
    let file = parse(&bytes).unwrap();
    let numbers: Vec<u32> = file
        .blocks()
        .iter()
        .map(|block| block.header().block_type.0)
        .collect();
    assert_eq!(numbers, [10, 11, 12, 1]);

    let kind = BlockKind::ShaderHeader(Stage::Compute);
    let compute = OwnedShader::from(ShaderStruct::Compute(gfd::ComputeShader::default()));
    assert_eq!(
        Builder::new(v6_0).shader(compute, Vec::new()).write(),
        Err(WriteError::NotInVersion {
            kind,
            version: v6_0
        })
    );
}

#[test]
fn a_geometry_shader_has_two_programs() {
    let geometry = OwnedShader::from(ShaderStruct::Geometry(gfd::GeometryShader::default()));
    let bytes = Builder::new(Version::V7_1)
        .geometry_shader(geometry, vec![1; 16], vec![2; 32])
        .block(BlockType(77), b"unknown".to_vec())
        .write()
        .unwrap();
    let file = parse(&bytes).unwrap();
    let [header, program, copy, unknown, _] = file.blocks() else {
        panic!("five blocks")
    };
    let Body::Shader(header) = header.body() else {
        panic!("a shader header")
    };
    let ShaderStruct::Geometry(structure) = header.structure() else {
        panic!("geometry")
    };
    assert_eq!((structure.size, structure.vertex_program_size), (16, 32));
    assert!(matches!(
        program.body(),
        Body::Program {
            stage: Stage::Geometry,
            ..
        }
    ));
    assert!(matches!(copy.body(), Body::GeometryCopyProgram([2, ..])));
    assert_eq!(unknown.data(), b"unknown");
}

#[test]
fn the_shape_of_real_files_comes_out() {
    // As a compiler of shaders writes a vertex shader with two attributes: 0x134 bytes of structure, 0x20 of
    // attributes, 0x18 of names.
    let structure = VertexShader {
        mode: ShaderMode::UNIFORM_BLOCK,
        ..VertexShader::default()
    };
    let mut shader = OwnedShader::from(ShaderStruct::Vertex(structure));
    for (name, location) in [("in_color", 1), ("in_position", 0)] {
        let (name, ty) = (Some(name.into()), ShaderVarType::FLOAT4);
        shader.attrib_vars.push(AttribVar {
            name,
            ty,
            count: 0,
            location,
        });
    }
    shader.patch_style = PatchStyle::DataTags;
    let data = shader.encode().unwrap();
    assert_eq!(data.len(), 0x134 + 0x20 + 0x18 + 4 * 11 + 8 + 0x28);
    assert_eq!(get(&data, 0x108), 0xD060_0134);
    assert_eq!(
        (get(&data, 0x134), get(&data, 0x144)),
        (0xCA70_0154, 0xCA70_0160)
    );
    assert_eq!(data[0x154..0x16C], *b"in_color\0\0\0\0in_position\0");
}

/// A name, or none.
fn name() -> impl Strategy<Value = Option<gfd::Name<'static>>> {
    proptest::option::of("[a-z_]{0,9}".prop_map(Into::into))
}

/// A structure of any stage, with any words.
fn structure() -> impl Strategy<Value = ShaderStruct> {
    let stages = [
        (3, 0x134, 0xDC),
        (6, 0xE8, 0xB0),
        (8, 0xB0, 0x60),
        (14, 0x84, 0x38),
    ];
    let stage = proptest::sample::select(stages.to_vec());
    (stage, proptest::collection::vec(any::<u32>(), 0x134 / 4)).prop_map(
        |((block_type, size, arrays), words)| {
            let mut bytes = bare_shader(block_type, size, arrays);
            let pairs = if block_type == 3 { 12 } else { 10 };
            for i in (0..size / 4).filter(|i| !(arrays / 4..arrays / 4 + pairs).contains(i)) {
                set(&mut bytes, 0x40 + 4 * i as usize, words[i as usize]);
            }
            if block_type == 3 {
                set(&mut bytes, 0x40 + 0x104, 0);
            }
            let file = parse(&bytes).unwrap();
            let Body::Shader(header) = file.blocks()[0].body() else {
                panic!("a shader header")
            };
            header.structure()
        },
    )
}

prop_compose! {
    fn shader()(
        structure in structure(),
        blocks in proptest::collection::vec((name(), any::<(u32, u32)>()), 0..3),
        vars in proptest::collection::vec((name(), any::<(u32, u32, u32, u32)>()), 0..3),
        values in proptest::collection::vec(any::<([u8; 16], u32)>(), 0..3),
        loops in proptest::collection::vec(any::<(u32, u32)>(), 0..3),
        samplers in proptest::collection::vec((name(), any::<(u32, u32)>()), 0..3),
        attribs in proptest::collection::vec((name(), any::<(u32, u32, u32)>()), 0..3),
        (reserved, patch_base) in any::<(u32, u32)>(),
        data_tags in any::<bool>(),
    ) -> OwnedShader {
        let mut shader = OwnedShader::from(structure);
        for (name, (offset, size)) in blocks {
            shader.uniform_blocks.push(UniformBlock { name, offset, size });
        }
        for (name, (ty, count, offset, block)) in vars {
            let ty = ShaderVarType(ty);
            shader.uniform_vars.push(UniformVar { name, ty, count, offset, block });
        }
        for (value, offset) in values {
            shader.initial_values.push(InitialValue { value, offset });
        }
        for (offset, value) in loops {
            shader.loop_vars.push(LoopVar { offset, value });
        }
        for (name, (ty, location)) in samplers {
            shader.sampler_vars.push(SamplerVar { name, ty: SamplerVarType(ty), location });
        }
        if structure.stage() == Stage::Vertex {
            for (name, (ty, count, location)) in attribs {
                let ty = ShaderVarType(ty);
                shader.attrib_vars.push(AttribVar { name, ty, count, location });
            }
        }
        shader.reserved = reserved;
        shader.patch_base = patch_base;
        shader.patch_style = if data_tags { PatchStyle::DataTags } else { PatchStyle::OwnTags };
        shader
    }
}

proptest! {
    #[test]
    fn what_is_built_reads_back_and_writes_the_same(
        shaders in proptest::collection::vec((shader(), 0_usize..40), 0..4),
        align in 0_u32..2,
        running in any::<bool>(),
        image in proptest::option::of(0_usize..300),
        trailing in proptest::collection::vec(any::<u8>(), 0..4),
    ) {
        let ids = if running { BlockIds::Running } else { BlockIds::Zero };
        let mut builder = Builder::new(Version::V7_1).align(align).ids(ids);
        for (shader, size) in &shaders {
            builder = builder.shader(shader.clone(), vec![0xAB; *size]);
        }
        if let Some(size) = image {
            builder = builder.texture(Texture::default(), vec![0xCD; size], None);
        }
        let mut file = builder.build().unwrap();
        file.trailing = trailing;
        let bytes = file.write().unwrap();

        let parsed = parse(&bytes).unwrap();
        prop_assert_eq!(parsed.write(), bytes.clone());
        let again = OwnedFile::try_from(&parsed).unwrap();
        prop_assert_eq!(&again, &file);
        prop_assert_eq!(again.write().unwrap(), bytes.clone());

        let programs = parsed.blocks().iter().filter(|block| {
            matches!(block.kind(), BlockKind::ShaderProgram(_) | BlockKind::TextureImage)
        });
        for block in programs {
            prop_assert!(align == 0 || (block.offset() + 0x20) % 0x100 == 0);
        }
    }

    /// Every field of one shader put into the layout of another one comes out as that field.
    #[test]
    fn every_field_can_be_edited(mut old in shader(), mut new in shader()) {
        if old.structure.stage() != new.structure.stage() {
            old.structure = new.structure;
            old.attrib_vars.clear();
            new.attrib_vars.clear();
        }
        let builder = Builder::new(Version::V7_1).shader_header(old);
        let bytes = builder.write().unwrap();
        let mut file = OwnedFile::try_from(&parse(&bytes).unwrap()).unwrap();
        let OwnedBody::Shader(shader) = &mut file.blocks[0].body else { panic!("a shader") };
        shader.structure = new.structure;
        shader.uniform_blocks = new.uniform_blocks;
        shader.uniform_vars = new.uniform_vars;
        shader.initial_values = new.initial_values;
        shader.loop_vars = new.loop_vars;
        shader.sampler_vars = new.sampler_vars;
        shader.attrib_vars = new.attrib_vars;
        shader.reserved = new.reserved;
        shader.patch_base = new.patch_base;
        let written = file.write().unwrap();
        prop_assert_eq!(OwnedFile::try_from(&parse(&written).unwrap()).unwrap(), file);
    }
}
