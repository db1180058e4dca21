//! The shaders in files: programs with their stage, and all that the file says of how they are wired.

use std::collections::BTreeMap;
use std::path::Path;

use corpora::execution::Stage;
use corpora::hex;
use gfd::{Body, ShaderHeader, ShaderStruct};
use r700::cf::Cf;
use r700::glsl::{PixelRegisters, StageRegisters, TextureKind, TextureShape, VertexRegisters};
use r700::{Chip, program};
use serde::Deserialize;

use super::shader::Shader;
use crate::report::model::NotRun;
use crate::targets::gfd::containers;

/// The shaders of a file, and what is not judged, with the reason.
#[derive(Clone, Debug, Default)]
pub struct Shaders {
    /// Vertex and pixel shaders.
    pub shaders: Vec<Shader>,
    /// Programs of other stages.
    pub others: Vec<NotRun>,
    /// What is wrong with containers, by place: the others of a file are read all the same.
    pub broken: Vec<String>,
}

/// A line of `programs.jsonl`.
#[derive(Deserialize)]
struct Line {
    #[serde(alias = "name")]
    id: String,
    from: Option<String>,
    backend: Option<String>,
    gprs: Option<u32>,
    #[serde(default)]
    words: Vec<String>,
}

/// The stage of a program, by what it exports; none if it exports nothing that tells.
pub fn stage(bytes: &[u8], chip: Chip) -> Option<Stage> {
    let program = program::decode(bytes, chip).ok()?;
    program.cf().iter().find_map(|slot| match slot.cf {
        Cf::Export(export) => match export.export_type().name()? {
            "PIXEL" => Some(Stage::Pixel),
            "POS" | "PARAM" => Some(Stage::Vertex),
            _ => None,
        },
        _ => None,
    })
}

/// The shaders of a file of lines; `path` is where their sources may be looked for.
pub fn of_lines(path: &Path, text: &str, origin: &str) -> Result<Shaders, String> {
    let mut found = Shaders::default();
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let at = |why: String| format!("{origin}: line {}: {why}", number + 1);
        let line: Line = serde_json::from_str(line).map_err(|error| at(error.to_string()))?;
        if line.gprs.is_none() {
            continue;
        }
        let backend = line
            .backend
            .map(|name| format!(".{name}"))
            .unwrap_or_default();
        let name = format!("{origin}:{}{backend}", line.id);
        let words = line.words.join(" ");
        let bytes = hex::little_endian_words(&words).map_err(|error| at(error.to_string()))?;
        let Some(stage) = stage(&bytes, Chip::R700) else {
            found.others.push(NotRun {
                what: format!("execution of {name}"),
                reason: "it exports neither a pixel nor a position nor a parameter: a fetch shader"
                    .to_owned(),
            });
            continue;
        };
        let mut shader = Shader::new(name, bytes, stage);
        if let Some(from) = &line.from {
            shader.textures = textures_of_source(path, from);
        }
        found.shaders.push(shader);
    }
    Ok(found)
}

/// The first resource id that Mesa gives to textures of a stage.
const MESA_TEXTURES: u8 = 18;

/// The kinds of the textures of a program that a GLSL source beside it was compiled to: those that the source uses, in
/// the order in which it declares them.
fn textures_of_source(lines: &Path, from: &str) -> BTreeMap<u8, TextureKind> {
    let name = from.split('.').next().unwrap_or(from);
    let source = lines.parent().and_then(|dir| {
        let file = |ending: &str| {
            std::fs::read_to_string(dir.join("src").join(format!("{name}.{ending}"))).ok()
        };
        file("frag").or_else(|| file("vert"))
    });
    let Some(source) = source else {
        return BTreeMap::new();
    };
    let body = source.split_once("void main").map_or("", |(_, body)| body);
    let declared = source.split("uniform ").skip(1).filter_map(|declaration| {
        let (kind, rest) = declaration.split_once(' ')?;
        let name = rest
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .next()?;
        Some((kind.strip_prefix("sampler")?, name))
    });
    let used = declared.filter(|(_, name)| {
        body.split(|c: char| !c.is_alphanumeric() && c != '_')
            .any(|word| word == *name)
    });
    let kind = |kind: &str| {
        let (shape, depth) = match kind {
            "1D" => (TextureShape::D1, false),
            "3D" => (TextureShape::D3, false),
            "Cube" => (TextureShape::Cube, false),
            "2DArray" => (TextureShape::D2Array, false),
            "2DShadow" => (TextureShape::D2, true),
            _ => (TextureShape::D2, false),
        };
        TextureKind {
            depth,
            ..TextureKind::float(shape)
        }
    };
    (MESA_TEXTURES..)
        .zip(used.map(|(name, _)| kind(name)))
        .collect()
}

/// The shaders of containers: of a .gsh, of an executable, of any file with containers in it.
pub fn of_containers(bytes: &[u8], origin: &str) -> Shaders {
    let mut found = Shaders::default();
    for (place, container) in containers(bytes, origin).found {
        let file = match gfd::parse(&container) {
            Ok(file) => file,
            Err(error) => {
                found.broken.push(format!("{place}: {error}"));
                continue;
            }
        };
        // A program follows the header that it belongs to.
        let mut header: Option<ShaderHeader<'_>> = None;
        for (number, block) in file.blocks().iter().enumerate() {
            let name = format!("{place}:block{number}");
            match block.body() {
                Body::Shader(shader) => header = Some(shader),
                Body::Program { stage, code } => match stage {
                    gfd::Stage::Vertex => {
                        found
                            .shaders
                            .push(wired(name, code, Stage::Vertex, header.take()))
                    }
                    gfd::Stage::Pixel => {
                        found
                            .shaders
                            .push(wired(name, code, Stage::Pixel, header.take()))
                    }
                    other => found.others.push(NotRun {
                        what: format!("execution of {name}"),
                        reason: format!("{other:?} shaders are not translated").to_lowercase(),
                    }),
                },
                _ => {}
            }
        }
    }
    found
}

/// A shader as its header wires it.
fn wired(name: String, code: &[u8], stage: Stage, header: Option<ShaderHeader<'_>>) -> Shader {
    let mut shader = Shader::new(name, code.to_vec(), stage);
    let Some(header) = header else {
        return shader;
    };
    for sampler in header.sampler_vars() {
        let shape = match sampler.ty {
            gfd::SamplerVarType::SAMPLER_1D => TextureShape::D1,
            gfd::SamplerVarType::SAMPLER_3D => TextureShape::D3,
            gfd::SamplerVarType::SAMPLER_CUBE => TextureShape::Cube,
            _ => TextureShape::D2,
        };
        if let Ok(id) = u8::try_from(sampler.location) {
            shader.textures.insert(id, TextureKind::float(shape));
        }
    }
    shader.registers = match header.structure() {
        ShaderStruct::Vertex(structure) => {
            let regs = structure.regs;
            Some(StageRegisters::Vertex(VertexRegisters {
                sq_pgm_resources_vs: regs.sq_pgm_resources_vs,
                spi_vs_out_config: regs.spi_vs_out_config,
                spi_vs_out_id: regs.spi_vs_out_id,
                semantics_used: regs.num_sq_vtx_semantic,
                sq_vtx_semantic: regs.sq_vtx_semantic,
            }))
        }
        ShaderStruct::Pixel(structure) => {
            let regs = structure.regs;
            Some(StageRegisters::Pixel(PixelRegisters {
                sq_pgm_resources_ps: regs.sq_pgm_resources_ps,
                spi_ps_in_control_0: regs.spi_ps_in_control_0,
                spi_ps_in_control_1: regs.spi_ps_in_control_1,
                spi_ps_input_cntl: regs.spi_ps_input_cntls,
                cb_shader_mask: regs.cb_shader_mask,
                db_shader_control: regs.db_shader_control,
            }))
        }
        _ => None,
    };
    shader
}
