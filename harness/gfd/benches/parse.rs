//! How fast containers are parsed, in bytes a second. The aim is 1 GB/s over shader files of 1.5 to 3 KB.
//!
//! `built` files have the shapes of real ones, in both of the known styles. With `ASSAY_CORPUS` set to a corpus, its
//! `gfd/**/*.gsh` are measured too.

use std::path::Path;

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use gfd::{
    AttribVar, Body, Builder, File, OwnedShader, PatchStyle, PixelShader, SamplerVar,
    SamplerVarType, ShaderMode, ShaderStruct, ShaderVarType, Texture, UniformBlock, UniformVar,
    Version, VertexShader, parse,
};

fn main() {
    divan::main();
}

/// A vertex shader with `attribs` attributes and as many uniforms, and a pixel shader with a sampler.
fn shader_file(attribs: u32, style: PatchStyle, align: u32) -> Vec<u8> {
    let structure = VertexShader {
        mode: ShaderMode::UNIFORM_BLOCK,
        ..VertexShader::default()
    };
    let mut vertex = OwnedShader::from(ShaderStruct::Vertex(structure));
    vertex.patch_style = style;
    vertex.uniform_blocks.push(UniformBlock {
        name: Some("Matrices".into()),
        offset: 1,
        size: 192,
    });
    for i in 0..attribs {
        let (name, ty) = (
            Some(format!("u_uniform{i}").into()),
            ShaderVarType::FLOAT4X4,
        );
        vertex.uniform_vars.push(UniformVar {
            name,
            ty,
            count: 1,
            offset: 16 * i,
            block: 0,
        });
        let (name, ty) = (Some(format!("in_attrib{i}").into()), ShaderVarType::FLOAT4);
        vertex.attrib_vars.push(AttribVar {
            name,
            ty,
            count: 0,
            location: i,
        });
    }
    let mut pixel = OwnedShader::from(ShaderStruct::Pixel(PixelShader::default()));
    pixel.patch_style = style;
    let (name, ty) = (Some("tex0".into()), SamplerVarType::SAMPLER_2D);
    pixel.sampler_vars.push(SamplerVar {
        name,
        ty,
        location: 0,
    });
    Builder::new(Version::V7_1)
        .align(align)
        .shader(vertex, vec![0x11; 400])
        .shader(pixel, vec![0x22; 400])
        .write()
        .expect("a file in order")
}

/// Files with the shapes of real ones, of 1.5 to 3 KB.
fn built() -> Vec<Vec<u8>> {
    vec![
        shader_file(2, PatchStyle::OwnTags, 0),
        shader_file(6, PatchStyle::OwnTags, 0),
        shader_file(6, PatchStyle::OwnTags, 1),
        shader_file(2, PatchStyle::DataTags, 0),
        shader_file(6, PatchStyle::DataTags, 0),
    ]
}

/// The corpus's files with a shader in them; none without a corpus.
fn corpus() -> Vec<Vec<u8>> {
    fn gather(folder: &Path, files: &mut Vec<Vec<u8>>) {
        for entry in std::fs::read_dir(folder).expect("a corpus folder") {
            let path = entry.expect("a corpus entry").path();
            if path.is_dir() {
                gather(&path, files);
            } else if path.extension().is_some_and(|end| end == "gsh") {
                files.push(std::fs::read(&path).expect("a corpus file"));
            }
        }
    }
    let mut files = Vec::new();
    if let Some(corpus) = std::env::var_os("ASSAY_CORPUS") {
        gather(&Path::new(&corpus).join("gfd"), &mut files);
        files.retain(|file| file.len() >= 1000);
    }
    files
}

fn measure(bencher: Bencher<'_, '_>, files: &[Vec<u8>], work: impl Fn(&File<'_>) + Sync) {
    let bytes: usize = files.iter().map(Vec::len).sum();
    bencher.counter(BytesCount::new(bytes)).bench_local(|| {
        for file in files {
            work(&parse(black_box(file)).expect("a file in order"));
        }
    });
}

#[divan::bench]
fn built_shader_files(bencher: Bencher<'_, '_>) {
    measure(bencher, &built(), |file| {
        black_box(file);
    });
}

#[divan::bench(ignore = std::env::var_os("ASSAY_CORPUS").is_none())]
fn corpus_shader_files(bencher: Bencher<'_, '_>) {
    measure(bencher, &corpus(), |file| {
        black_box(file);
    });
}

/// Parsing, and then reading every field that a report of the file would have.
#[divan::bench]
fn built_shader_files_every_field(bencher: Bencher<'_, '_>) {
    measure(bencher, &built(), |file| {
        for block in file.blocks() {
            black_box(block.header());
            if let Body::Shader(header) = block.body() {
                black_box(header.structure());
                header
                    .uniform_blocks()
                    .for_each(|element| drop(black_box(element)));
                header
                    .uniform_vars()
                    .for_each(|element| drop(black_box(element)));
                header
                    .sampler_vars()
                    .for_each(|element| drop(black_box(element)));
                header
                    .attrib_vars()
                    .for_each(|element| drop(black_box(element)));
                header
                    .relocation()
                    .patches()
                    .for_each(|entry| _ = black_box(entry));
            }
        }
    });
}

#[divan::bench]
fn built_shader_files_write(bencher: Bencher<'_, '_>) {
    measure(bencher, &built(), |file| {
        black_box(file.write());
    });
}

#[divan::bench]
fn texture_file(bencher: Bencher<'_, '_>) {
    let texture =
        Builder::new(Version::V7_1).texture(Texture::default(), vec![0x33; 1 << 20], None);
    measure(
        bencher,
        &[texture.write().expect("a file in order")],
        |file| {
            black_box(file);
        },
    );
}

/// Searching bytes without a container: mostly zeros, and a `G` now and then.
#[divan::bench]
fn search(bencher: Bencher<'_, '_>) {
    let bytes: Vec<u8> = (0..1 << 20)
        .map(|i| if i % 61 == 0 { b'G' } else { 0 })
        .collect();
    bencher
        .counter(BytesCount::of_slice(&bytes))
        .bench_local(|| gfd::find::blobs(black_box(&bytes)).count());
}
