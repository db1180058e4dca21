//! Register state: what a command list draws, and from which layout.
//!
//! A command list is what the GPU takes: 32-bit little-endian words. [`draws`] follows its register writes and resolves the
//! state at each draw to a [`Draw`]: arrays, attributes with their places, fixed values, destination slots. Register
//! numbers are libctru's (`gpu/registers.h`); how a loader is walked is known from 3dbrew and from tests on hardware that
//! Citra's pull requests 1395, 1496 and 1535 report.

mod commands;
mod draw;
mod fixed;
mod loader;
mod registers;

pub use draw::{Draw, DrawAttribute, IndexArray, Source, Status};
pub use fixed::{Fixed, float24};
pub use loader::Loader;

use commands::{Commands, Write};
use fixed::FixedAttributes;
use registers::{DRAW_ARRAYS, DRAW_ELEMENTS, Registers};

/// The longest command list, in bytes.
pub const MAX_LIST: usize = 4 << 20;

/// The most draws of a list.
pub const MAX_DRAWS: usize = 4096;

/// Why a list is not resolved. Places are bytes from its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StateError {
    /// The list does not consist of whole pairs of words.
    #[error("a list of {found} bytes, a multiple of 8 is allowed")]
    Length {
        /// Its length.
        found: usize,
    },
    /// The list is longer than [`MAX_LIST`].
    #[error("a list of {found} bytes, at most 4194304 are allowed")]
    TooLong {
        /// Its length.
        found: usize,
    },
    /// A command's parameters reach beyond the end.
    #[error("byte {at}: a command of {needed} bytes, {left} are left")]
    Truncated {
        /// Where the command begins.
        at: usize,
        /// Its size.
        needed: usize,
        /// What is left of the list.
        left: usize,
    },
    /// A register that does not exist.
    #[error("byte {at}: register {found:#x}, at most 0x2ff is allowed")]
    Register {
        /// Where the command's header is.
        at: usize,
        /// The last register that it writes.
        found: u32,
    },
    /// More draws than [`MAX_DRAWS`].
    #[error("byte {at}: a draw beyond the 4096 that are allowed")]
    TooManyDraws {
        /// Where the command begins.
        at: usize,
    },
    /// Vertices that are written one by one (attribute 15), which have no layout.
    #[error("byte {at}: vertices of immediate mode have no layout")]
    Immediate {
        /// Where the command begins.
        at: usize,
    },
}

/// Resolves the draws of a command list, in order.
///
/// A list that is wrong anywhere is an error, also behind a vertex of immediate mode.
pub fn draws(list: &[u8]) -> Result<Vec<Draw>, StateError> {
    let mut registers = Registers::new();
    let mut fixed = FixedAttributes::default();
    let mut draws = Vec::new();
    let mut immediate = None;
    for write in Commands::new(list)? {
        let Write {
            at,
            register,
            value,
            mask,
        } = write?;
        if mask == 0 {
            continue;
        }
        let merged = registers.write(register, value, mask);
        if fixed.takes(register, merged, value).is_err() {
            immediate.get_or_insert(StateError::Immediate { at });
        }
        if register == DRAW_ARRAYS || register == DRAW_ELEMENTS {
            if draws.len() == MAX_DRAWS {
                return Err(StateError::TooManyDraws { at });
            }
            let indexed = register == DRAW_ELEMENTS;
            draws.push(Draw::resolve(at, indexed, &registers, &fixed));
        }
    }
    match immediate {
        Some(error) => Err(error),
        None => Ok(draws),
    }
}

#[cfg(test)]
mod tests;
