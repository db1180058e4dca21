//! `assay gfd`: look into Wii U GFD containers.

mod extract;
mod info;
mod open;

use clap::Subcommand;

use super::Outcome;

/// Subcommands of `assay gfd`.
#[derive(Debug, Subcommand)]
pub(super) enum Gfd {
    /// Say what is in a file: blocks, shaders, textures, and where they were found
    Info(info::Info),
    /// Write programs as raw words, registers and variables as JSON, and manifest.tsv
    Extract(extract::Extract),
}

impl Gfd {
    pub(super) fn run(self) -> Outcome {
        match self {
            Self::Info(info) => info.run(),
            Self::Extract(extract) => extract.run(),
        }
    }
}
