//! `assay pica`: look into vertex fetches of the 3DS.

mod decode;
mod draw;
mod fetched;
mod headers;
mod layout;
mod memory;
mod scatter;
mod state;

use clap::Subcommand;

use super::Outcome;

/// Subcommands of `assay pica`.
#[derive(Debug, Subcommand)]
pub(super) enum Pica {
    /// Decode vertices: of a request, of a layout in TOML, or of the draws of a command list
    Decode(decode::Decode),
    /// Resolve the register writes of a command list: the layout that each draw has
    State(state::State),
    /// Compare a copy of libctru's headers with the numbers that are pinned here
    Headers(headers::Headers),
}

impl Pica {
    pub(super) fn run(self) -> Outcome {
        match self {
            Self::Decode(decode) => decode.run(),
            Self::State(state) => state.run(),
            Self::Headers(headers) => headers.run(),
        }
    }
}
