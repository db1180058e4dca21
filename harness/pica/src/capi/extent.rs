//! Memory as a range of addresses, judged before anything is read through a pointer to it.

use super::report::{CError, Field, Kind};

/// Elements behind a pointer.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    start: usize,
    count: usize,
    size: usize,
    align: usize,
}

impl Extent {
    pub(super) const EMPTY: Self = Self {
        start: 0,
        count: 0,
        size: 1,
        align: 1,
    };

    pub(super) fn new<T>(pointer: *const T, count: usize) -> Self {
        Self {
            start: pointer.addr(),
            count,
            size: size_of::<T>(),
            align: align_of::<T>(),
        }
    }

    /// The number of elements. Of bytes, a span's length.
    pub(super) fn length(&self) -> usize {
        self.count
    }

    /// Null is allowed where there is nothing.
    pub(super) fn judge(&self) -> Result<(), Kind> {
        if self.start == 0 && self.count > 0 || !self.start.is_multiple_of(self.align) {
            return Err(Kind::InvalidArgument);
        }
        match self.end() {
            Some(_) => Ok(()),
            None => Err(Kind::Overflow),
        }
    }

    /// What [`Extent::judge`] found, as a report.
    pub(super) fn report(&self, kind: Kind, field: Field) -> CError {
        CError::new(kind, field, self.start as u64, 0)
    }

    fn end(&self) -> Option<usize> {
        let bytes = self.count.checked_mul(self.size)?;
        self.start.checked_add(bytes)
    }

    /// The first address that is in both. What starts at null or ends above the last address is no memory.
    pub(super) fn shares(&self, other: &Self) -> Option<u64> {
        if self.start == 0 || other.start == 0 {
            return None;
        }
        let start = self.start.max(other.start);
        (start < self.end()?.min(other.end()?)).then_some(start as u64)
    }

    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.shares(other).is_some()
    }
}
