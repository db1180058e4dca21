//! What can be wrong with input: one flat enum, each variant with the place and the value.

use crate::Op;

/// The first broken acceptance rule. `at` is a byte offset from the input's start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the message says what the fields are")]
pub enum Error {
    /// A word or an instruction does not fit into what is left.
    #[error("{at:#x}: truncated: {left} bytes left, {needed} needed")]
    Truncated {
        at: usize,
        needed: usize,
        left: usize,
    },
    /// An input of whole words or pairs that is not one.
    #[error("{found} bytes, a multiple of {multiple} is allowed")]
    Length { found: usize, multiple: usize },
    /// An input longer than [`crate::MAX_BYTES`].
    #[error("{found} bytes, at most 262144 are allowed")]
    TooLong { found: usize },
    /// A field that ends beyond the 256 bits of a pixel.
    #[error("{at:#x}: {op}: {len} bits at {addr} end at bit {}, at most 256 is allowed", u16::from(*addr) + u16::from(*len))]
    Field {
        at: usize,
        op: Op,
        addr: u8,
        len: u8,
    },
    /// A source field that ends beyond the 256 bits of a pixel.
    #[error("{at:#x}: {op}: source: {len} bits at {src} end at bit {}, at most 256 is allowed", u16::from(*src) + u16::from(*len))]
    Source { at: usize, op: Op, src: u8, len: u8 },
    /// A SEND of no longword, or of more than [`crate::dma::MAX_SEND`].
    #[error("{at:#x}: SEND of {found} longwords, 1 to 127 are allowed")]
    Send { at: usize, found: u32 },
}

impl Error {
    /// The contract's class: `truncated`, `bad-length`, `limit` or `out-of-range`.
    pub fn class(&self) -> &'static str {
        match self {
            Self::Truncated { .. } => "truncated",
            Self::Length { .. } => "bad-length",
            Self::TooLong { .. } => "limit",
            Self::Field { .. } | Self::Source { .. } | Self::Send { .. } => "out-of-range",
        }
    }

    /// The byte that the error is about; 0 where it is about the whole input.
    pub fn offset(&self) -> usize {
        match *self {
            Self::Truncated { at, .. }
            | Self::Field { at, .. }
            | Self::Source { at, .. }
            | Self::Send { at, .. } => at,
            Self::Length { .. } | Self::TooLong { .. } => 0,
        }
    }

    /// The same error of an input that begins `by` bytes later.
    pub(crate) fn moved(mut self, by: usize) -> Self {
        match &mut self {
            Self::Truncated { at, .. }
            | Self::Field { at, .. }
            | Self::Source { at, .. }
            | Self::Send { at, .. } => *at += by,
            Self::Length { .. } | Self::TooLong { .. } => {}
        }
        self
    }
}
