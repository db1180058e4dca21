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
use crate::command::{Exit, Failure, Outcome, output};
use crate::engine::glsl::{self, NotCompiled};

/// Arguments of `assay r700 glsl`.
#[derive(Debug, Args)]
pub(in crate::command) struct Glsl {
    /// Raw programs, .gsh, .rpx, programs.jsonl, directories of such, or - for standard input
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
    /// Print JSON: the source and what it reads and writes
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
        let shaders = self.surroundings.read(&self.files)?;
        let mut manifest = String::from("sha256\tstage\tbytes\tfile\torigin\tnote\n");
        let (mut text, mut all) = (String::new(), Vec::new());
        let mut refused = Vec::new();
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
                    refused.push(anyhow!("{}: {error}", shader.origin));
                    continue;
                }
            };
            // Whatever is written down compiles.
            if let Err(NotCompiled::Wrong(error)) =
                glsl::to_spirv(&translation.source, shader.stage)
            {
                return Err(anyhow!(
                    "{}: the translation does not compile: {error}",
                    shader.origin
                )
                .into());
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
                shaders.len() - refused.len(),
                refused.len(),
                path.display()
            ))?;
        } else if self.json {
            output::print_json(&all)?;
        } else {
            output::print(&text)?;
        }
        let count = refused.len();
        match refused.into_iter().next() {
            None => Ok(Exit::Agree),
            // A directory may hold what cannot be translated: the manifest says so.
            Some(_) if self.out.is_some() && count < shaders.len() => Ok(Exit::Agree),
            Some(first) => Err(Failure::usage(first)),
        }
    }
}
