//! The shaders that a command is given: files, directories, standard input; and how options complete them.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::{Args, ValueEnum};
use corpora::execution::Stage;
use r700::glsl::{TextureKind, TextureShape};
use walkdir::WalkDir;

use super::ChipName;
use super::which::Which;
use crate::command::{Failure, input, output};
use crate::execution::shader::Shader;
use crate::execution::shaders::{Shaders, of_containers, of_lines, stage};

/// A stage, as an option names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum StageName {
    Vertex,
    Pixel,
    Geometry,
    Compute,
}

/// What completes a raw program.
#[derive(Debug, Args)]
pub(super) struct Surroundings {
    /// Only that shader: its number from 1 among those of all files, the end of its name (block5), or six digits or more
    /// of its program's SHA-256
    #[arg(long, value_name = "WHICH")]
    shader: Option<Which>,
    /// The chip
    #[arg(long, value_enum, default_value_t = ChipName::R700)]
    chip: ChipName,
    /// The stage of raw programs [default: by what they export]
    #[arg(long, value_enum, value_name = "STAGE")]
    stage: Option<StageName>,
    /// The fetch shader that CALL_FS runs: a raw program
    #[arg(long, value_name = "FILE")]
    fetch_shader: Option<PathBuf>,
    /// The kind of a texture: 1d, 2d, 3d, cube, 2d-array or shadow; may be given several times [default: 2d]
    #[arg(long = "texture", value_name = "ID=KIND", value_parser = texture)]
    textures: Vec<(u8, TextureKind)>,
    /// Bytes between the elements of a vertex fetch resource; may be given several times [default: 16]
    #[arg(long = "stride", value_name = "ID=BYTES", value_parser = stride)]
    strides: Vec<(u8, u32)>,
}

fn texture(text: &str) -> Result<(u8, TextureKind), String> {
    let refuse = || "not ID=KIND with a kind of 1d, 2d, 3d, cube, 2d-array, shadow".to_owned();
    let (id, kind) = text.split_once('=').ok_or_else(refuse)?;
    let id = id.parse().map_err(|_| refuse())?;
    let shape = match kind {
        "1d" => TextureShape::D1,
        "2d" | "shadow" => TextureShape::D2,
        "3d" => TextureShape::D3,
        "cube" => TextureShape::Cube,
        "2d-array" => TextureShape::D2Array,
        _ => return Err(refuse()),
    };
    let depth = kind == "shadow";
    let kind = TextureKind {
        depth,
        ..TextureKind::float(shape)
    };
    Ok((id, kind))
}

fn stride(text: &str) -> Result<(u8, u32), String> {
    let parts = text.split_once('=');
    let parts = parts.and_then(|(id, bytes)| Some((id.parse().ok()?, bytes.parse().ok()?)));
    parts.ok_or_else(|| "not ID=BYTES".to_owned())
}

/// Largest raw program.
const MOST: usize = 4 << 20;

/// The shaders of a command, and why some of its files gave none.
pub(super) struct Found {
    pub(super) shaders: Vec<Shader>,
    pub(super) unread: Vec<Failure>,
}

impl Found {
    /// The only shader there is: for commands that take one at a time.
    pub(super) fn one(self) -> Result<Shader, Failure> {
        if let Some(failure) = self.unread.into_iter().next() {
            return Err(failure);
        }
        let mut shaders = self.shaders;
        match shaders.len() {
            1 => Ok(shaders.remove(0)),
            _ => Err(Failure::usage(anyhow!(
                "one shader at a time, say --shader; there are {}",
                super::which::listed(&shaders)
            ))),
        }
    }
}

impl Surroundings {
    /// Where the fetch shader is read from.
    pub(super) fn fetch_shader(&self) -> Option<&Path> {
        self.fetch_shader.as_deref()
    }

    /// The shaders in files and directories. In a directory only what has shaders counts, and a file that is broken does
    /// not keep the others from being read.
    pub(super) fn read(&self, files: &[PathBuf]) -> Result<Found, Failure> {
        let fetch_shader = self.fetch_shader.as_deref().map(input::read).transpose()?;
        let (mut shaders, mut unread) = (Vec::new(), Vec::new());
        for path in files {
            let before = shaders.len() + unread.len();
            if path.is_dir() {
                for entry in WalkDir::new(path).follow_links(true).sort_by_file_name() {
                    let entry = entry.map_err(Failure::usage)?;
                    let path = entry.path();
                    let holds =
                        crate::targets::gfd::holds(path) || entry.file_name() == "programs.jsonl";
                    let raw = path.extension().is_some_and(|ending| ending == "bin");
                    if entry.file_type().is_file() && (holds || raw) {
                        self.file(path, &mut shaders, &mut unread);
                    }
                }
            } else {
                self.file(path, &mut shaders, &mut unread);
            }
            if shaders.len() + unread.len() == before {
                let name = input::name(path);
                unread.push(Failure::usage(anyhow!(
                    "{name}: no vertex or pixel shader in it"
                )));
            }
        }
        if shaders.is_empty()
            && let Some(last) = unread.pop()
        {
            unread
                .iter()
                .for_each(|failure| output::complain(&failure.error));
            return Err(last);
        }
        for shader in &mut shaders {
            shader.chip = self.chip.chip();
            shader.textures.extend(self.textures.iter().copied());
            shader.strides.extend(self.strides.iter().copied());
            if fetch_shader.is_some() {
                shader.fetch_shader.clone_from(&fetch_shader);
            }
        }
        if let Some(which) = &self.shader {
            let chosen = which.choose(&shaders).map_err(Failure::usage)?;
            shaders = vec![shaders.swap_remove(chosen)];
        }
        Ok(Found { shaders, unread })
    }

    /// Adds the shaders of a file, and what is wrong with it.
    fn file(&self, path: &Path, shaders: &mut Vec<Shader>, unread: &mut Vec<Failure>) {
        match self.of_file(path) {
            Ok(found) => {
                shaders.extend(found.shaders);
                let broken = found.broken.into_iter();
                unread.extend(broken.map(|why| Failure::usage(anyhow!(why))));
            }
            Err(failure) => unread.push(failure),
        }
    }

    fn of_file(&self, path: &Path) -> Result<Shaders, Failure> {
        let (name, bytes) = (input::name(path), input::read(path)?);
        let usage = |why: String| Failure::usage(anyhow!("{why}"));
        if path.extension().is_some_and(|ending| ending == "jsonl") {
            let text =
                std::str::from_utf8(&bytes).map_err(|error| usage(format!("{name}: {error}")))?;
            return of_lines(path, text, &name).map_err(usage);
        }
        if bytes.starts_with(b"Gfx2") || bytes.starts_with(b"\x7fELF") {
            return Ok(of_containers(&bytes, &name));
        }
        if bytes.len() > MOST {
            let size = bytes.len();
            return Err(usage(format!(
                "{name}: {size} bytes; a program of at most {MOST} is taken"
            )));
        }
        let stage = match self.stage {
            Some(StageName::Vertex) => Stage::Vertex,
            Some(StageName::Pixel) => Stage::Pixel,
            Some(other) => {
                let other = format!("{other:?}").to_lowercase();
                return Err(usage(format!(
                    "{name}: {other} shaders are not supported; vertex and pixel are"
                )));
            }
            None => {
                r700::program::decode(&bytes, self.chip.chip())
                    .map_err(|error| usage(format!("{name}: {error}")))?;
                stage(&bytes, self.chip.chip()).ok_or_else(|| {
                    usage(format!(
                        "{name}: it exports nothing that tells its stage; say --stage"
                    ))
                })?
            }
        };
        Ok(Shaders {
            shaders: vec![Shader::new(name, bytes, stage)],
            ..Shaders::default()
        })
    }
}
