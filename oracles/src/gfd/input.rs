//! The bytes of an input, read big-endian and never past their end; and how a rule is broken.

use corpora::RejectClass;

/// Which rule an input breaks, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rejection {
    /// Why.
    pub(super) class: RejectClass,
    /// Byte offset from the file's start.
    pub(super) offset: u64,
}

/// Ends the reading with `class` at `offset` unless `holds`.
pub(super) fn require(holds: bool, class: RejectClass, offset: u64) -> Result<(), Rejection> {
    if holds {
        Ok(())
    } else {
        Err(Rejection { class, offset })
    }
}

/// An input. Places are 64 bits wide, so that no sum of two numbers from a file overflows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Input<'a>(pub(super) &'a [u8]);

impl<'a> Input<'a> {
    /// How many bytes there are.
    pub(super) fn len(self) -> u64 {
        self.0.len() as u64
    }

    /// The bytes from `at` on, if all of them are there.
    pub(super) fn bytes(self, at: u64, length: u64) -> Option<&'a [u8]> {
        let start = usize::try_from(at).ok()?;
        let end = usize::try_from(at.checked_add(length)?).ok()?;
        self.0.get(start..end)
    }

    /// The big-endian number of at most eight bytes at `at`.
    pub(super) fn number(self, at: u64, width: u64) -> Option<u64> {
        let bytes = self.bytes(at, width)?;
        Some(
            bytes
                .iter()
                .fold(0, |number, &byte| number << 8 | u64::from(byte)),
        )
    }
}
