//! `assay r700 glsl`: translations.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use clap::{Args, ValueEnum};
use corpora::execution::Stage;
use corpora::hex;
use r700::glsl::Profile;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::shaders::Surroundings;
use crate::command::{Exit, Failure, Outcome, input, output};
use crate::engine::glsl::{self, NotCompiled};

/// Arguments of `assay r700 glsl`.
#[derive(Debug, Args)]
pub(in crate::command) struct Glsl {
    /// Raw programs, .gsh, .rpx, programs.jsonl, directories of such; - for standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// How close to keep to the hardware
    #[arg(long, value_enum, default_value_t = ProfileName::Exact)]
    profile: ProfileName,
    /// Write each translation to a file named by the SHA-256 of its program, and manifest.tsv beside them
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    surroundings: Surroundings,
    /// Print JSON: of each shader the source and what it reads and writes, or why it is refused
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ProfileName {
    /// Bit for bit, where the sources settle the bits
    Exact,
    /// What a port would ship
    Fast,
}

impl ProfileName {
    pub(super) fn profile(self) -> Profile {
        match self {
            Self::Exact => Profile::Exact,
            Self::Fast => Profile::Fast,
        }
    }
}

impl Glsl {
    pub(super) fn run(self) -> Outcome {
        input::standard_input_once(
            self.files
                .iter()
                .map(|path| ("FILE", path.as_path()))
                .chain(
                    self.surroundings
                        .fetch_shader()
                        .map(|path| ("--fetch-shader", path)),
                ),
        )?;
        let found = self.surroundings.read(&self.files)?;
        let shaders = found.shaders;
        let mut failures = found.unread;
        let mut manifest = String::from("sha256\tstage\tbytes\tfile\torigin\tnote\n");
        let (mut text, mut all) = (String::new(), Vec::new());
        let (mut refused, mut wrong) = (Vec::new(), 0);
        let mut written = BTreeSet::new();
        for shader in &shaders {
            let digest = hex::encode(&Sha256::digest(&shader.bytes));
            let ending = match shader.stage {
                Stage::Vertex => "vert",
                Stage::Pixel => "frag",
            };
            let mut row = |file: &str, note: &str| {
                let (stage, size) = (shader.stage.name(), shader.bytes.len());
                let origin = output::printable(&shader.origin);
                let _ = writeln!(
                    manifest,
                    "{digest}\t{stage}\t{size}\t{file}\t{origin}\t{note}"
                );
            };
            let translation = match shader.translate(self.profile.profile()) {
                Ok(translation) => translation,
                Err(error) => {
                    row("-", &error.to_string());
                    all.push(json!({
                        "name": shader.origin,
                        "stage": shader.stage.name(),
                        "sha256": digest,
                        "refused": error.to_string(),
                    }));
                    refused.push(anyhow!("{}: {error}", shader.origin));
                    continue;
                }
            };
            // Whatever is written down compiles.
            if let Err(NotCompiled::Wrong(error)) =
                glsl::to_spirv(&translation.source, shader.stage)
            {
                let why = format!("the translation does not compile: {error}");
                row("-", &why);
                failures.push(anyhow!("{}: {why}", shader.origin).into());
                all.push(json!({
                    "name": shader.origin,
                    "stage": shader.stage.name(),
                    "sha256": digest,
                    "failed": why,
                }));
                wrong += 1;
                continue;
            }
            match &self.out {
                Some(dir) => {
                    // The same program can be wired in two ways.
                    let wired = hex::encode(&Sha256::digest(&translation.source)[..4]);
                    let mut file = format!("{digest}.{ending}");
                    if !written.insert(file.clone()) {
                        file = format!("{digest}.{wired}.{ending}");
                        written.insert(file.clone());
                    }
                    fs::create_dir_all(dir).with_context(|| dir.display().to_string())?;
                    let path = dir.join(&file);
                    fs::write(&path, &translation.source)
                        .with_context(|| path.display().to_string())?;
                    row(&file, "");
                }
                None if self.json => all.push(json!({
                    "name": shader.origin,
                    "stage": shader.stage.name(),
                    "sha256": digest,
                    "source": translation.source,
                    "interface": format!("{:?}", translation.interface),
                })),
                None => {
                    if shaders.len() > 1 {
                        let _ = writeln!(text, "// {}", output::printable(&shader.origin));
                    }
                    text.push_str(&translation.source);
                }
            }
        }
        if let Some(dir) = &self.out {
            fs::create_dir_all(dir).with_context(|| dir.display().to_string())?;
            let path = dir.join("manifest.tsv");
            fs::write(&path, manifest).with_context(|| path.display().to_string())?;
            output::print(&format!(
                "{} translated, {} refused: {}\n",
                shaders.len() - refused.len() - wrong,
                refused.len(),
                path.display()
            ))?;
        } else if self.json {
            output::print_json(&all)?;
        } else {
            output::print(&text)?;
        }
        // A directory may hold what cannot be translated: the manifest says so.
        if self.out.is_none() || refused.len() == shaders.len() {
            failures.extend(refused.into_iter().map(Failure::usage));
        }
        for failure in &failures {
            output::complain(&failure.error);
        }
        Ok(Exit::worst(failures.iter().map(|failure| failure.exit)))
    }
}
