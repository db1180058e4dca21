//! The bytes of an input, read little-endian; and how a rule is broken.

use corpora::RejectClass;

/// Which rule an input breaks, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rejection {
    /// Why.
    pub(super) class: RejectClass,
    /// Byte offset in the input.
    pub(super) offset: u64,
}

/// Ends the judgment with `class` at `offset` unless `holds`.
pub(super) fn require(holds: bool, class: RejectClass, offset: u64) -> Result<(), Rejection> {
    if holds {
        Ok(())
    } else {
        Err(Rejection { class, offset })
    }
}

/// Bytes that are stored, and zero bytes behind them that are not. Places are 64 bits wide, so that no sum of numbers
/// from a request overflows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes<'a> {
    stored: &'a [u8],
    zeros: u64,
}

impl<'a> Bytes<'a> {
    /// Stored bytes alone.
    pub(super) fn stored(stored: &'a [u8]) -> Self {
        Self { stored, zeros: 0 }
    }

    /// The stored bytes from `at` on, and `zeros` zero bytes.
    pub(super) fn behind(self, at: u64, zeros: u64) -> Self {
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        Self {
            stored: self.stored.get(at..).unwrap_or(&[]),
            zeros,
        }
    }

    /// How many bytes there are, the zero bytes counted.
    pub(super) fn len(self) -> u64 {
        self.stored.len() as u64 + self.zeros
    }

    /// One byte. It is zero behind the stored ones; no rule reads behind [`len`](Self::len).
    pub(super) fn byte(self, at: u64) -> u8 {
        let stored = usize::try_from(at).ok().and_then(|at| self.stored.get(at));
        stored.copied().unwrap_or(0)
    }

    /// The little-endian number of at most eight bytes at `at`.
    pub(super) fn number(self, at: u64, size: u64) -> u64 {
        (0..size).fold(0, |number, n| {
            number | u64::from(self.byte(at + n)) << (8 * n)
        })
    }
}
