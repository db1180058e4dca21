//! `assay gfd info`: what is in a file.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use clap::Args;
use corpora::{Options, Outcome as Said, Section, Status};
use gfd::{Block, Body, ShaderHeader};
use serde_json::{Map, Value as Json, json};

use super::open::{Container, open};
use crate::command::{Exit, Failure, Outcome, output, values};
use crate::load;
use crate::target::Target;

/// Arguments of `assay gfd info`.
#[derive(Debug, Args)]
pub(in crate::command) struct Info {
    /// A .gsh, .gtx, .rpx, C source, or any file with GFD containers in it; - for standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print JSON: every field of `assay fields gfd`
    #[arg(long)]
    json: bool,
}

impl Info {
    pub(super) fn run(self) -> Outcome {
        let mut containers = Vec::new();
        for file in &self.files {
            containers.extend(open(file)?);
        }
        if self.json {
            let target = target()?;
            let all = containers
                .iter()
                .map(|container| container_json(container, &*target))
                .collect::<Result<Vec<_>, _>>()?;
            output::print_json(&all)?;
        } else {
            let mut text = String::new();
            for (number, container) in containers.iter().enumerate() {
                if number > 0 {
                    text.push('\n');
                }
                describe(&mut text, container)?;
            }
            output::print(&text)?;
        }
        Ok(Exit::Agree)
    }
}

fn parse(container: &Container) -> Result<gfd::File<'_>, Failure> {
    gfd::parse(&container.bytes)
        .map_err(|error| Failure::usage(anyhow!("{}: {error}", container.file)))
}

/// The target that knows the fields of containers. Making it reads the tables of all targets: once for a command.
pub(super) fn target() -> Result<Box<dyn Target>, Failure> {
    Ok(load::targets(Some("gfd"))?.pop().context("no target gfd")?)
}

/// A container's fields, its blocks as a list.
pub(super) fn container_json(container: &Container, target: &dyn Target) -> Result<Json, Failure> {
    let file = parse(container)?;
    let mut subject = target.subject();
    subject.select(&Options::new())?;
    let mut said = Said::default();
    subject.answer(&container.bytes, &mut said);
    if !matches!(said.status, Status::Accepted { .. }) {
        return Err(Failure::usage(anyhow!(
            "{}: {}",
            container.file,
            said.status
        )));
    }
    let vocabulary = target.vocabulary();
    let blocks = (0..file.blocks().len() as u32).map(|number| {
        // Programs and images are bytes by the thousand; `extract` writes them.
        values::nested(&said.record, vocabulary, Section::part(number), |path| {
            path == "data"
        })
    });
    let mut root = Map::new();
    root.insert("file".to_owned(), container.file.clone().into());
    root.insert("name".to_owned(), container.name.clone().into());
    root.insert("place".to_owned(), json!(container.place));
    root.insert("source".to_owned(), json!(container.source));
    for (key, value) in &container.facts {
        root.insert(key.replace(' ', "_"), value.clone().into());
    }
    root.insert("bytes".to_owned(), file.consumed().into());
    root.insert("trailing_bytes".to_owned(), file.trailing().len().into());
    if let Json::Object(whole) = values::nested(&said.record, vocabulary, Section::WHOLE, |_| false)
    {
        root.extend(whole);
    }
    root.insert("blocks".to_owned(), blocks.collect());
    Ok(Json::Object(root))
}

fn describe(text: &mut String, container: &Container) -> Result<(), Failure> {
    let file = parse(container)?;
    let mut line = |indent: usize, what: String| {
        writeln!(text, "{:indent$}{}", "", output::printable(&what)).expect("writing to a string");
    };
    line(0, container.file.clone());
    if let Some(place) = &container.place {
        line(2, place.clone());
        line(2, format!("name {}", container.name));
    }
    for (key, value) in &container.facts {
        line(2, format!("{key} {value}"));
    }
    if let Some(source) = &container.source {
        line(2, format!("source {source}"));
    }
    let header = &file.header;
    line(
        2,
        format!(
            "GFD {}, GPU version {}, alignment mode {}, {} bytes, {} blocks",
            header.version,
            header.gpu_version,
            header.align,
            file.consumed(),
            file.blocks().len()
        ),
    );
    if !file.trailing().is_empty() {
        line(
            2,
            format!("{} bytes follow the end block", file.trailing().len()),
        );
    }
    for (number, block) in file.blocks().iter().enumerate() {
        line(2, block_line(number, block));
        match block.body() {
            Body::Shader(shader) => shader_lines(&shader, &mut line),
            Body::Texture(texture) => {
                let t = texture.texture();
                line(
                    6,
                    format!(
                        "{} {}x{}x{}, {} mips, {}, {}, swizzle {:#x}, pitch {}",
                        t.dim,
                        t.width,
                        t.height,
                        t.depth,
                        t.mip_levels,
                        t.format,
                        t.tile_mode,
                        t.swizzle,
                        t.pitch
                    ),
                );
            }
            _ => {}
        }
    }
    Ok(())
}

fn block_line(number: usize, block: &Block<'_>) -> String {
    let kind = match block.kind() {
        gfd::BlockKind::Unknown => format!("unknown type {}", block.header().block_type.0),
        kind => kind.to_string(),
    };
    format!(
        "{number:3}  {:#08x}  {:6} bytes  {kind}",
        block.offset(),
        block.data().len()
    )
}

fn shader_lines(shader: &ShaderHeader<'_>, line: &mut impl FnMut(usize, String)) {
    let name = |name: Option<&gfd::Name<'_>>| {
        name.map_or_else(
            || "(no name)".to_owned(),
            |name| name.to_text().into_owned(),
        )
    };
    let structure = shader.structure();
    let mode = structure
        .mode()
        .map(|mode| format!(", mode {mode}"))
        .unwrap_or_default();
    line(6, format!("program of {} bytes{mode}", structure.size()));
    for block in shader.uniform_blocks() {
        line(
            6,
            format!(
                "uniform block {} #{} {} bytes",
                name(block.name.as_ref()),
                block.offset,
                block.size
            ),
        );
    }
    for var in shader.uniform_vars() {
        line(
            6,
            format!(
                "uniform {} {}[{}] at {}, block {}",
                var.ty,
                name(var.name.as_ref()),
                var.count,
                var.offset,
                var.block as i32
            ),
        );
    }
    for value in shader.initial_values() {
        line(
            6,
            format!(
                "initial value at {}: {}",
                value.offset,
                corpora::hex::encode(&value.value)
            ),
        );
    }
    for var in shader.loop_vars() {
        line(
            6,
            format!("loop variable at {}: {:#x}", var.offset, var.value),
        );
    }
    for var in shader.sampler_vars() {
        line(
            6,
            format!(
                "sampler {} {} #{}",
                var.ty,
                name(var.name.as_ref()),
                var.location
            ),
        );
    }
    for var in shader.attrib_vars() {
        line(
            6,
            format!(
                "attribute {} {}[{}] #{}",
                var.ty,
                name(var.name.as_ref()),
                var.count,
                var.location
            ),
        );
    }
}
