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

use super::info::{container_json, target};
use super::open::{Container, open};
use crate::command::{Exit, Failure, Outcome, output};
use crate::target::Target;

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
    stages: BTreeSet<String>,
    size: usize,
    names: BTreeSet<String>,
    sources: BTreeSet<String>,
    file: String,
    /// Files with the registers and variables of the headers that the program came with, each different one once.
    registers: Vec<String>,
}

/// The latest header of a stage.
struct Header {
    text: String,
    /// Whether a program came after it.
    used: bool,
}

/// Everything to write, before anything is written.
#[derive(Default)]
struct Files {
    contents: BTreeMap<String, Vec<u8>>,
    /// Base names that are taken, in lower case since some file systems know no other, and how often each was asked for.
    bases: BTreeMap<String, usize>,
    /// Descriptions of headers that are there already, each with what it belongs to: a program, or a name.
    described: BTreeSet<(String, String)>,
    rows: BTreeMap<String, Row>,
}

impl Extract {
    pub(super) fn run(self) -> Outcome {
        let mut files = Files::default();
        let target = target()?;
        for path in &self.files {
            for container in open(path)? {
                files.take(&container, &*target)?;
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

/// A block's fields as they are written: without those that only say where in its file it stands.
fn description(block: &Json) -> String {
    let mut block = block.clone();
    if let Json::Object(fields) = &mut block {
        for place in ["index", "offset", "id"] {
            fields.shift_remove(place);
        }
    }
    format!("{block:#}\n")
}

/// Parts as one cell of the manifest; no tab or line break of a symbol's name may end it.
fn cell<'a>(parts: impl IntoIterator<Item = &'a String>) -> String {
    let joined = parts.into_iter().cloned().collect::<Vec<_>>().join(",");
    joined.replace(|c: char| c.is_control(), "_")
}

impl Files {
    fn take(&mut self, container: &Container, target: &dyn Target) -> Result<(), Failure> {
        let file = gfd::parse(&container.bytes)
            .map_err(|error| Failure::usage(anyhow!("{}: {error}", container.file)))?;
        let fields = container_json(container, target)?;
        let name = safe(&container.name);
        let mut texture = format!("{name}.texture");
        let mut headers: BTreeMap<&str, Header> = BTreeMap::new();
        for (number, block) in file.blocks().iter().enumerate() {
            match block.body() {
                Body::Shader(shader) => {
                    let stage = stage_name(shader.stage());
                    let text = description(&fields["blocks"][number]);
                    let header = Header { text, used: false };
                    if let Some(earlier) = headers.insert(stage, header) {
                        self.alone(&name, stage, earlier);
                    }
                }
                Body::Program { stage, code } => {
                    let stage = stage_name(stage);
                    self.program(container, stage, code, headers.get_mut(stage));
                }
                Body::GeometryCopyProgram(code) => {
                    let header = headers.get_mut("geometry");
                    self.program(container, "geometry-copy", code, header);
                }
                Body::Texture(_) => {
                    texture = self.claim(&format!("{name}.texture"));
                    let text = description(&fields["blocks"][number]);
                    self.put(&texture, "json", text.into_bytes());
                }
                Body::Image(data) => self.image(&format!("{texture}.image"), data),
                Body::Mipmap(data) => self.image(&format!("{texture}.mips"), data),
                _ => {}
            }
        }
        for (stage, header) in headers {
            self.alone(&name, stage, header);
        }
        Ok(())
    }

    /// A base name that no file has, taken from now on: `wanted`, or `wanted-2`, `wanted-3`, … with whatever ending.
    fn claim(&mut self, wanted: &str) -> String {
        let key = wanted.to_ascii_lowercase();
        let mut number = self.bases.get(&key).copied().unwrap_or(0);
        let base = loop {
            number += 1;
            let base = match number {
                1 => wanted.to_owned(),
                _ => format!("{wanted}-{number}"),
            };
            if !self.bases.contains_key(&base.to_ascii_lowercase()) {
                break base;
            }
        };
        self.bases.insert(base.to_ascii_lowercase(), 1);
        self.bases.insert(key, number);
        base
    }

    /// Adds a file, and says its name.
    fn put(&mut self, base: &str, ending: &str, bytes: Vec<u8>) -> String {
        let name = format!("{base}.{ending}");
        self.contents.insert(name.clone(), bytes);
        name
    }

    fn image(&mut self, wanted: &str, data: &[u8]) {
        if !data.is_empty() {
            let base = self.claim(wanted);
            self.put(&base, "bin", data.to_vec());
        }
    }

    /// A header without a program is still worth its registers and variables.
    fn alone(&mut self, name: &str, stage: &str, header: Header) {
        let wanted = format!("{name}.{stage}");
        if !header.used && self.is_new(&wanted, &header.text) {
            let base = self.claim(&wanted);
            self.put(&base, "json", header.text.into_bytes());
        }
    }

    /// Whether a description is the first of its kind for what it belongs to.
    fn is_new(&mut self, owner: &str, text: &str) -> bool {
        self.described.insert((owner.to_owned(), text.to_owned()))
    }

    /// A program is written once, however often it occurs; each different header that it comes with, too.
    fn program(
        &mut self,
        container: &Container,
        stage: &str,
        code: &[u8],
        header: Option<&mut Header>,
    ) {
        let digest = hex::encode(&Sha256::digest(code));
        let wanted = format!("{}.{stage}", safe(&container.name));
        let mut base = None;
        if !self.rows.contains_key(&digest) {
            let claimed = self.claim(&wanted);
            let row = Row {
                stages: BTreeSet::new(),
                size: code.len(),
                names: BTreeSet::new(),
                sources: BTreeSet::new(),
                file: self.put(&claimed, "bin", code.to_vec()),
                registers: Vec::new(),
            };
            self.rows.insert(digest.clone(), row);
            base = Some(claimed);
        }
        let registers = header.and_then(|header| {
            header.used = true;
            self.is_new(&digest, &header.text).then(|| {
                // The first header of a program has the program's name.
                let base = base.unwrap_or_else(|| self.claim(&wanted));
                self.put(&base, "json", header.text.clone().into_bytes())
            })
        });
        if let Some(row) = self.rows.get_mut(&digest) {
            row.stages.insert(stage.to_owned());
            row.names.insert(container.name.clone());
            row.sources.insert(source_of(container));
            row.registers.extend(registers);
        }
    }

    fn manifest(&self) -> String {
        let mut text = "sha256\tstage\tsize\tname\tsource\tfile\tregisters\n".to_owned();
        for (digest, row) in &self.rows {
            text += &format!(
                "{digest}\t{}\t{}\t{}\t{}\t{}\t{}\n",
                cell(&row.stages),
                row.size,
                cell(&row.names),
                cell(&row.sources),
                row.file,
                cell(&row.registers),
            );
        }
        text
    }

    fn rows_json(&self) -> Json {
        let row = |(digest, row): (&String, &Row)| {
            json!({
                "sha256": digest,
                "stage": cell(&row.stages),
                "size": row.size,
                "names": row.names,
                "sources": row.sources,
                "file": row.file,
                "registers": row.registers,
            })
        };
        self.rows.iter().map(row).collect()
    }
}
