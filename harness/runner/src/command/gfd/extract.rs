//! `assay gfd extract`: programs, registers and variables, images, and a manifest.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use clap::Args;
use corpora::hex;
use gfd::{Body, Stage};
use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};

use super::info::container_json;
use super::open::{Container, open};
use crate::command::{Exit, Failure, Outcome, output};

/// Arguments of `assay gfd extract`.
#[derive(Debug, Args)]
pub(in crate::command) struct Extract {
    /// Files with GFD containers: .gsh, .gtx, .rpx, C source, or any; - for standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Directory to write to; made if it is not there
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
    /// Print the manifest as JSON
    #[arg(long)]
    json: bool,
}

/// A row of the manifest: one for each different program.
struct Row {
    stage: String,
    size: usize,
    names: BTreeSet<String>,
    sources: BTreeSet<String>,
    file: String,
}

/// Everything to write, before anything is written.
#[derive(Default)]
struct Files {
    contents: BTreeMap<String, Vec<u8>>,
    rows: BTreeMap<String, Row>,
}

impl Extract {
    pub(super) fn run(self) -> Outcome {
        let mut files = Files::default();
        for path in &self.files {
            for container in open(path)? {
                files.take(&container)?;
            }
        }
        if files.contents.is_empty() {
            return Err(Failure::usage(anyhow!(
                "nothing to extract: no block holds a program or an image"
            )));
        }
        let manifest = files.manifest();
        files
            .contents
            .insert("manifest.tsv".to_owned(), manifest.clone().into_bytes());
        fs::create_dir_all(&self.out).with_context(|| self.out.display().to_string())?;
        for (name, bytes) in &files.contents {
            let path = self.out.join(name);
            fs::write(&path, bytes).with_context(|| path.display().to_string())?;
        }
        if self.json {
            output::print_json(&files.rows_json())?;
        } else {
            output::print(&manifest)?;
        }
        Ok(Exit::Agree)
    }
}

fn stage_name(stage: Stage) -> &'static str {
    match stage {
        Stage::Vertex => "vertex",
        Stage::Pixel => "pixel",
        Stage::Geometry => "geometry",
        Stage::Compute => "compute",
    }
}

/// The source file that a program was compiled from, or else the file that it was found in.
fn source_of(container: &Container) -> String {
    container
        .source
        .clone()
        .unwrap_or_else(|| container.file.clone())
}

/// A name that is safe as a file's, whatever the symbol was.
fn safe(name: &str) -> String {
    let safe: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+') {
                c
            } else {
                '_'
            }
        })
        .take(100)
        .collect();
    if safe.is_empty() {
        "unnamed".to_owned()
    } else {
        safe
    }
}

impl Files {
    fn take(&mut self, container: &Container) -> Result<(), Failure> {
        let file = gfd::parse(&container.bytes)
            .map_err(|error| Failure::usage(anyhow!("{}: {error}", container.file)))?;
        let fields = container_json(container)?;
        let name = safe(&container.name);
        let mut base = String::new();
        let mut headers: BTreeMap<&str, usize> = BTreeMap::new();
        for (number, block) in file.blocks().iter().enumerate() {
            let described = |header: Option<&usize>| match header {
                Some(&header) => fields["blocks"][header].clone(),
                None => Json::Null,
            };
            match block.body() {
                Body::Shader(shader) => {
                    headers.insert(stage_name(shader.stage()), number);
                }
                Body::Program { stage, code } => {
                    let stage = stage_name(stage);
                    let header = described(headers.get(stage));
                    self.program(container, &format!("{name}.{stage}"), stage, code, header);
                }
                Body::GeometryCopyProgram(code) => {
                    let header = described(headers.get("geometry"));
                    let base = format!("{name}.geometry-copy");
                    self.program(container, &base, "geometry-copy", code, header);
                }
                Body::Texture(_) => {
                    base = self.free(&format!("{name}.texture"), ".json");
                    self.json(&base, &fields["blocks"][number]);
                }
                Body::Image(data) if !data.is_empty() => self.image(&base, &name, "image", data),
                Body::Mipmap(data) if !data.is_empty() => self.image(&base, &name, "mips", data),
                _ => {}
            }
        }
        // A header without a program is still worth its registers and variables.
        for (stage, number) in headers {
            let alone = format!("{name}.{stage}");
            let has_program = |base: &str| self.contents.contains_key(&format!("{base}.bin"));
            if !has_program(&alone) && !self.contents.contains_key(&format!("{alone}.json")) {
                self.json(&alone, &fields["blocks"][number]);
            }
        }
        Ok(())
    }

    /// `base`, or `base-2`, `base-3` … if that is taken.
    fn free(&self, base: &str, ending: &str) -> String {
        let taken = |name: &str| self.contents.contains_key(&format!("{name}{ending}"));
        if !taken(base) {
            return base.to_owned();
        }
        (2..)
            .map(|n| format!("{base}-{n}"))
            .find(|name| !taken(name))
            .unwrap_or_default()
    }

    fn json(&mut self, base: &str, value: &Json) {
        let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
        text.push('\n');
        self.contents
            .insert(format!("{base}.json"), text.into_bytes());
    }

    fn image(&mut self, base: &str, name: &str, what: &str, data: &[u8]) {
        let base = if base.is_empty() {
            format!("{name}.texture")
        } else {
            base.to_owned()
        };
        let base = self.free(&format!("{base}.{what}"), ".bin");
        self.contents.insert(format!("{base}.bin"), data.to_vec());
    }

    /// A program is written once, however often it occurs.
    fn program(
        &mut self,
        container: &Container,
        base: &str,
        stage: &str,
        code: &[u8],
        header: Json,
    ) {
        let digest = hex::encode(&Sha256::digest(code));
        if let Some(row) = self.rows.get_mut(&digest) {
            row.names.insert(container.name.clone());
            row.sources.insert(source_of(container));
            return;
        }
        let base = self.free(base, ".bin");
        self.contents.insert(format!("{base}.bin"), code.to_vec());
        if !header.is_null() {
            self.json(&base, &header);
        }
        let row = Row {
            stage: stage.to_owned(),
            size: code.len(),
            names: BTreeSet::from([container.name.clone()]),
            sources: BTreeSet::from([source_of(container)]),
            file: format!("{base}.bin"),
        };
        self.rows.insert(digest, row);
    }

    fn manifest(&self) -> String {
        let mut text = "sha256\tstage\tsize\tname\tsource\tfile\n".to_owned();
        // No tab or line break of a symbol's name may end a cell.
        let cell = |parts: &BTreeSet<String>| {
            let joined = parts.iter().cloned().collect::<Vec<_>>().join(",");
            joined.replace(|c: char| c.is_control(), "_")
        };
        for (digest, row) in &self.rows {
            let (names, sources) = (cell(&row.names), cell(&row.sources));
            text += &format!(
                "{digest}\t{}\t{}\t{names}\t{sources}\t{}\n",
                row.stage, row.size, row.file
            );
        }
        text
    }

    fn rows_json(&self) -> Json {
        let row = |(digest, row): (&String, &Row)| {
            json!({
                "sha256": digest,
                "stage": row.stage,
                "size": row.size,
                "names": row.names,
                "sources": row.sources,
                "file": row.file,
            })
        };
        self.rows.iter().map(row).collect()
    }
}
