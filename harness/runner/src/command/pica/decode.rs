//! `assay pica decode`: vertices of a request, of a layout in TOML, or of the draws of a command list.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use clap::Args;
use serde_json::json;

use super::draw::{Draw, Source};
use super::fetched::{Vertices, ask, target};
use super::memory::{Memory, Place};
use super::{layout, scatter};
use crate::command::{Exit, Failure, Outcome, input, output};
use crate::target::Target;
use crate::targets::pica::{DECODE, INDEXED, STATE};

/// Arguments of `assay pica decode`.
#[derive(Debug, Args)]
pub(in crate::command) struct Decode {
    /// A request, as docs/targets/pica.md has it, or a layout (.toml); - for a request on standard input
    #[arg(required_unless_present = "commands", conflicts_with = "commands")]
    file: Option<PathBuf>,
    /// The request has indices
    #[arg(long, conflicts_with = "commands")]
    indexed: bool,
    /// Decode the draws of a command list
    #[arg(long, value_name = "LIST", requires = "memory")]
    commands: Option<PathBuf>,
    /// Bytes at an address, for the draws: a dump of memory
    #[arg(long, value_name = "ADDRESS=FILE", conflicts_with = "file")]
    memory: Vec<Place>,
    /// Print JSON
    #[arg(long, conflicts_with = "svg")]
    json: bool,
    /// Draw x and y of one attribute instead; - for standard output
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// The slot whose x and y are drawn
    #[arg(long, value_name = "SLOT", default_value_t = 0, requires = "svg",
        value_parser = clap::value_parser!(u32).range(..16))]
    attribute: u32,
}

/// Vertices and what they are called; or why there are none.
struct Part {
    name: String,
    vertices: Result<Vertices, String>,
}

impl Decode {
    pub(super) fn run(self) -> Outcome {
        let target = target()?;
        let parts = match (&self.file, &self.commands) {
            (Some(file), _) => vec![self.one(file, &*target)?],
            (None, Some(list)) => self.draws(list, &*target)?,
            (None, None) => return Err(Failure::usage(anyhow!("no input"))),
        };
        if let Some(path) = &self.svg {
            self.draw(path, &parts)?;
        } else if self.json {
            let part = |part: &Part| match &part.vertices {
                Ok(vertices) => {
                    let mut json = vertices.json();
                    json["name"] = part.name.clone().into();
                    json
                }
                Err(why) => json!({ "name": part.name, "error": why }),
            };
            output::print_json(&parts.iter().map(part).collect::<Vec<_>>())?;
        } else {
            output::print(&text(&parts))?;
        }
        // What could not be decoded is said in its place, and the rest is still shown.
        Ok(if parts.iter().any(|part| part.vertices.is_err()) {
            Exit::Usage
        } else {
            Exit::Agree
        })
    }

    fn one(&self, file: &Path, target: &dyn Target) -> Result<Part, Failure> {
        let name = input::name(file);
        let bytes = input::read(file)?;
        let is_layout = file
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("toml"));
        let (request, indexed) = if is_layout {
            let text = std::str::from_utf8(&bytes).with_context(|| name.clone());
            layout::request(text.map_err(Failure::usage)?, file)
                .with_context(|| name.clone())
                .map_err(Failure::usage)?
        } else {
            (bytes, self.indexed)
        };
        let said = ask(
            target,
            &name,
            if indexed { INDEXED } else { DECODE },
            &request,
        )?;
        Ok(Part {
            name,
            vertices: Ok(Vertices::of(&said, target)?),
        })
    }

    fn draws(&self, list: &Path, target: &dyn Target) -> Result<Vec<Part>, Failure> {
        let mut memory = Memory::default();
        for place in &self.memory {
            memory.add(place.address, &input::read(&place.file)?)?;
        }
        let said = ask(target, &input::name(list), STATE, &input::read(list)?)?;
        let draws = Draw::all(&said, target)?;
        let part = |(number, draw): (usize, &Draw)| Part {
            name: draw.headline(number),
            vertices: fetch(draw, &memory, target),
        };
        Ok(draws.iter().enumerate().map(part).collect())
    }

    fn draw(&self, path: &Path, parts: &[Part]) -> Result<(), Failure> {
        let mut points = Vec::new();
        let mut found = false;
        for vertices in parts.iter().filter_map(|part| part.vertices.as_ref().ok()) {
            if let Some(own) = vertices.points(self.attribute) {
                found = true;
                points.extend(
                    own.into_iter()
                        .filter(|point| point.iter().all(|x| x.is_finite())),
                );
            }
        }
        if !found {
            let slot = self.attribute;
            return Err(Failure::usage(anyhow!(
                "no vertices have an attribute in slot {slot}"
            )));
        }
        let title = format!("x and y of v{}", self.attribute);
        let svg = scatter::svg(&points, &title);
        if path == Path::new("-") {
            output::print(&svg)?;
        } else {
            fs::write(path, svg).with_context(|| path.display().to_string())?;
        }
        Ok(())
    }
}

/// Vertices of a draw: what loaders give, and the fixed values beside them.
fn fetch(draw: &Draw, memory: &Memory, target: &dyn Target) -> Result<Vertices, String> {
    if draw.status != "resolved" {
        return Err(format!("not decoded: {}", draw.status));
    }
    let request = memory.request(draw)?;
    let unit = if draw.index.is_some() {
        INDEXED
    } else {
        DECODE
    };
    let fetched =
        ask(target, "the draw", unit, &request).and_then(|said| Vertices::of(&said, target));
    let mut vertices = fetched.map_err(|failure| failure.error.to_string())?;
    for attribute in &draw.attributes {
        if let Source::Fixed { value, .. } = attribute.source {
            vertices.add_constant(attribute.slot, value);
        }
    }
    Ok(vertices)
}

fn text(parts: &[Part]) -> String {
    let mut text = String::new();
    for part in parts {
        match &part.vertices {
            Ok(vertices) => {
                text += &format!("{}: {}\n", part.name, vertices.summary());
                vertices.describe(&mut text);
            }
            Err(why) => text += &format!("{}: {why}\n", part.name),
        }
    }
    if parts.is_empty() {
        text.push_str("no draw\n");
    }
    text
}
