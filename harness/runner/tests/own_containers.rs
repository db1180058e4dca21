//! The project's own GFD files: built by our writer from programs of `testdata/r700/mesa`, and the same as those in
//! `testdata/gfd/mesa`. `ASSAY_BLESS=1 cargo test -p assay --test own_containers` writes them anew.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use gfd::{
    AttribVar, BlockIds, BlockType, Builder, InitialValue, LoopVar, OwnedShader, PatchStyle,
    PixelRegisters, PixelShader, SamplerVar, SamplerVarType, ShaderMode, ShaderStruct,
    ShaderVarType, Texture, UniformBlock, UniformVar, Version, VertexRegisters, VertexShader,
};
use serde_json::Value;

fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata")
}

/// Programs by id, as bytes.
fn programs() -> BTreeMap<String, Vec<u8>> {
    let text = fs::read_to_string(testdata().join("r700/mesa/programs.jsonl")).expect("readable");
    text.lines()
        .map(|line| {
            let program: Value = serde_json::from_str(line).expect("a line of JSON");
            let words = program["words"].as_array().expect("words");
            let words: Vec<_> = words
                .iter()
                .map(|word| word.as_str().expect("hex"))
                .collect();
            let bytes = corpora::hex::little_endian_words(&words.concat()).expect("words");
            (program["id"].as_str().expect("an id").to_owned(), bytes)
        })
        .collect()
}

/// SPI_VS_OUT_ID: parameter n has semantic n, up to eight of them.
fn semantics() -> [u32; 10] {
    let mut words = [u32::MAX; 10];
    words[..2].copy_from_slice(&[0x0302_0100, 0x0706_0504]);
    words
}

fn vertex(names: &[(&'static str, ShaderVarType)], blocks: bool) -> OwnedShader {
    let regs = VertexRegisters {
        // 32 registers, one entry of the stack.
        sq_pgm_resources_vs: 0x0120,
        spi_vs_out_config: 2,
        num_spi_vs_out_id: 1,
        spi_vs_out_id: semantics(),
        num_sq_vtx_semantic: names.len() as u32,
        sq_vtx_semantic: [0xff; 32],
        ..VertexRegisters::default()
    };
    let mode = if blocks {
        ShaderMode::UNIFORM_BLOCK
    } else {
        ShaderMode::UNIFORM_REGISTER
    };
    let mut shader = OwnedShader::from(ShaderStruct::Vertex(VertexShader {
        regs,
        mode,
        ..VertexShader::default()
    }));
    shader.attrib_vars = names
        .iter()
        .enumerate()
        .map(|(location, &(name, ty))| AttribVar {
            name: Some(name.into()),
            ty,
            count: 0,
            location: location as u32,
        })
        .collect();
    shader.uniform_vars = vec![UniformVar {
        name: Some("uModelViewProj".into()),
        ty: ShaderVarType::FLOAT4X4,
        count: 1,
        offset: 0,
        block: if blocks { 0 } else { u32::MAX },
    }];
    if blocks {
        shader.uniform_blocks = vec![UniformBlock {
            name: Some("Camera".into()),
            offset: 1,
            size: 64,
        }];
    } else {
        shader.initial_values = vec![InitialValue {
            value: [0x3f; 16],
            offset: 16,
        }];
        shader.loop_vars = vec![LoopVar {
            offset: 0,
            value: 0x0100_0004,
        }];
    }
    shader
}

fn pixel(samplers: &[(&'static str, SamplerVarType)]) -> OwnedShader {
    let mut spi_ps_input_cntls = [0; 32];
    spi_ps_input_cntls[..4].copy_from_slice(&[0, 1, 2, 3]);
    let regs = PixelRegisters {
        // 32 registers, two entries of the stack.
        sq_pgm_resources_ps: 0x0220,
        sq_pgm_exports_ps: 2,
        // Four parameters.
        spi_ps_in_control_0: 4,
        num_spi_ps_input_cntl: 4,
        spi_ps_input_cntls,
        cb_shader_mask: 0xffff_ffff,
        ..PixelRegisters::default()
    };
    let mut shader = OwnedShader::from(ShaderStruct::Pixel(PixelShader {
        regs,
        mode: ShaderMode::UNIFORM_REGISTER,
        ..PixelShader::default()
    }));
    shader.sampler_vars = samplers
        .iter()
        .enumerate()
        .map(|(location, &(name, ty))| SamplerVar {
            name: Some(name.into()),
            ty,
            location: location as u32,
        })
        .collect();
    shader
}

/// Every file by name.
fn files() -> BTreeMap<&'static str, Vec<u8>> {
    let programs = programs();
    let program = |id: &str| programs[id].clone();
    let position = ("aPosition", ShaderVarType::FLOAT4);
    let uv = ("aTexCoord", ShaderVarType::FLOAT2);
    let two_d = SamplerVarType::SAMPLER_2D;
    let new = || Builder::new(Version::V7_1);
    let mut styled = vertex(&[position, uv], false);
    styled.patch_style = PatchStyle::DataTags;
    let texture = Texture {
        width: 4,
        height: 4,
        depth: 1,
        mip_levels: 2,
        image_size: 64,
        mipmap_size: 16,
        swizzle: 0x0001_0d00,
        alignment: 0x800,
        pitch: 32,
        ..Texture::default()
    };
    let built = [
        // An aligned file of two textures sampled by one pixel shader.
        (
            "two_textures.gsh",
            new()
                .align(1)
                .ids(BlockIds::Running)
                .shader(vertex(&[position, uv], false), program("7f648c21e649"))
                .shader(
                    pixel(&[("uFirst", two_d), ("uSecond", two_d)]),
                    program("fc89fbec05dc"),
                ),
        ),
        // Skinning through a uniform block, no padding.
        (
            "skin_block.gsh",
            new().shader(vertex(&[position, uv], true), program("7f9ef53ea3e8")),
        ),
        // Several shaders of a stage in one file, patch entries all with one tag.
        (
            "loops.gsh",
            new()
                .ids(BlockIds::Running)
                .shader(styled, program("d57327ad86e6"))
                .shader(pixel(&[("uNoise", two_d)]), program("6108efe16287"))
                .shader(pixel(&[("uNoise", two_d)]), program("5159c29a923d")),
        ),
        (
            "cube_and_shadow.gsh",
            new()
                .shader(
                    pixel(&[("uSky", SamplerVarType::SAMPLER_CUBE)]),
                    program("c29c27f13f8e"),
                )
                .shader(pixel(&[("uShadow", two_d)]), program("e91e909c63a8")),
        ),
        (
            "targets.gsh",
            new()
                .align(1)
                .shader(pixel(&[]), program("1b7bdb86529b"))
                .shader(pixel(&[]), program("508091a910df")),
        ),
        // Version 6.0, with its own numbers for textures.
        (
            "old_texture.gtx",
            Builder::new(Version { major: 6, minor: 0 }).texture(
                texture,
                (0..64).collect(),
                Some((0..16).collect()),
            ),
        ),
        // A block that no version knows is kept.
        (
            "unknown_block.gsh",
            new()
                .block(BlockType(99), b"not for us".to_vec())
                .shader(pixel(&[]), program("98f1c38a7950")),
        ),
    ];
    built
        .into_iter()
        .map(|(name, builder)| (name, builder.write().expect("a valid file")))
        .collect()
}

#[test]
fn the_files_are_what_the_writer_writes() {
    let dir = testdata().join("gfd/mesa");
    let bless = std::env::var_os("ASSAY_BLESS").is_some();
    for (name, bytes) in files() {
        let path = dir.join(name);
        if bless {
            fs::create_dir_all(&dir).expect("a directory");
            fs::write(&path, &bytes).expect("writable");
        }
        let kept = fs::read(&path).unwrap_or_default();
        assert!(
            kept == bytes,
            "{} is not what the writer writes; see the top of this test",
            path.display()
        );
    }
}

/// Every file is used: none is left from an earlier form of the list.
#[test]
fn no_file_is_left_over() {
    let known = files();
    for entry in fs::read_dir(testdata().join("gfd/mesa")).expect("the directory") {
        let name = entry
            .expect("an entry")
            .file_name()
            .into_string()
            .expect("UTF-8");
        assert!(
            name == "SOURCE.txt" || known.contains_key(name.as_str()),
            "{name}"
        );
    }
}
