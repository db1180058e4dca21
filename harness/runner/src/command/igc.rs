//! `assay igc`: look into words of the IGC of Pixel-Planes 5.

mod dis;
mod map;
mod mine;
mod render;

use clap::Subcommand;

use super::Outcome;

/// Subcommands of `assay igc`.
#[derive(Debug, Subcommand)]
pub(super) enum Igc {
    /// Disassemble a stream, or explain it word by word
    Dis(dis::Dis),
    /// Find the words of instructions in a C source and its i860 assembly
    Mine(mine::Mine),
    /// Execute a stream on an array of pixels, and draw a field of them
    Render(render::Render),
}

impl Igc {
    pub(super) fn run(self) -> Outcome {
        match self {
            Self::Dis(dis) => dis.run(),
            Self::Mine(mine) => mine.run(),
            Self::Render(render) => render.run(),
        }
    }
}
