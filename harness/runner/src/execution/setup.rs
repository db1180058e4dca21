//! What execution checks work on: cases, shaders, the reference, the engines.

use std::path::Path;

use corpora::execution::cases::{self, ExecutionCases};
use walkdir::WalkDir;

use super::expected::{self, Expected};
use super::shader::Shader;
use super::shaders;
use super::source;
use super::trial::Reference;
use crate::engine::Engine;
use crate::report::model::NotRun;

/// An engine, and the reference with the bounds that go with it.
pub struct Judge {
    /// The engine.
    pub engine: Box<dyn Engine>,
    /// The reference.
    pub reference: Reference,
}

/// What execution checks work on.
#[derive(Default)]
pub struct Setup {
    /// Cases.
    pub cases: ExecutionCases,
    /// Programs with known results.
    pub expected: Vec<Expected>,
    /// Shaders without, by corpus.
    pub shaders: Vec<Shader>,
    /// Corpora whose programs come with their sources and the compiler's logs.
    pub sources: Vec<(String, source::Corpus)>,
    /// The engines.
    pub judges: Vec<Judge>,
    /// What is not judged.
    pub not_run: Vec<NotRun>,
}

impl Setup {
    /// Adds what a directory holds. `prefix` is put before the names of its files.
    pub fn add(&mut self, root: &Path, prefix: Option<&str>) -> Result<(), String> {
        let found = cases::directory(root).map_err(|error| error.to_string())?;
        self.cases.instructions.extend(found.instructions);
        self.cases.programs.extend(found.programs);
        for entry in WalkDir::new(root).follow_links(true).sort_by_file_name() {
            let entry = entry.map_err(|error| error.to_string())?;
            let path = entry.path();
            let relative = path
                .strip_prefix(root)
                .unwrap_or(path)
                .to_string_lossy()
                .replace('\\', "/");
            let origin = prefix.map_or(relative.clone(), |prefix| format!("{prefix}/{relative}"));
            let is_lines = entry.file_name() == "programs.jsonl";
            if !entry.file_type().is_file() || !(is_lines || crate::targets::gfd::holds(path)) {
                continue;
            }
            let bytes =
                std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
            let found = if is_lines {
                let dir = path.parent().unwrap_or(root);
                let folder = origin.trim_end_matches("/programs.jsonl");
                let known = expected::directory(dir, folder)?;
                if !known.is_empty() {
                    self.expected.extend(known);
                    continue;
                }
                if dir.join("src").is_dir() && dir.join("dump").is_dir() {
                    let corpus = source::Corpus::read(dir)?;
                    self.sources.push((folder.to_owned(), corpus));
                }
                let text =
                    std::str::from_utf8(&bytes).map_err(|error| format!("{origin}: {error}"))?;
                shaders::of_lines(path, text, &origin)?
            } else {
                let found = shaders::of_containers(&bytes, &origin);
                // The target of containers judges what is none.
                if !found.broken.is_empty() {
                    continue;
                }
                found
            };
            self.shaders.extend(found.shaders);
            self.not_run.extend(found.others);
        }
        Ok(())
    }

    /// Whether there is nothing to judge.
    pub fn is_empty(&self) -> bool {
        self.cases.instructions.is_empty()
            && self.cases.programs.is_empty()
            && self.expected.is_empty()
            && self.shaders.is_empty()
    }
}
