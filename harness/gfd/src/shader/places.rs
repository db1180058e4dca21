//! The set of places that a patch table has named so far: a bit for each word of the data.

use crate::pointer::Pointer;

/// Words of data that the set holds without an allocation: 4 KiB of data, which no shader header seen reaches.
const INLINE_WORDS: usize = 1024;

/// A set of words, by index.
pub(super) enum Places {
    Inline([u64; INLINE_WORDS / 64]),
    Heap(Vec<u64>),
}

impl Places {
    /// An empty set for the words of `data_size` bytes. Pointers end after a MiB, and so does the set: 32 KiB.
    pub(super) fn new(data_size: usize) -> Places {
        let words = data_size.min(Pointer::MAX_OFFSET as usize + 1).div_ceil(4);
        match words {
            0..=INLINE_WORDS => Places::Inline([0; INLINE_WORDS / 64]),
            _ => Places::Heap(vec![0; words.div_ceil(64)]),
        }
    }

    /// Adds a word; whether it is new.
    #[inline]
    pub(super) fn insert(&mut self, word: usize) -> bool {
        let bits = match self {
            Places::Inline(bits) => &mut bits[..],
            Places::Heap(bits) => bits,
        };
        let (bits, bit) = (&mut bits[word / 64], 1 << (word % 64));
        let new = *bits & bit == 0;
        *bits |= bit;
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_new_once() {
        for data_size in [0x1000, 0x1004, 1 << 20, usize::MAX] {
            let last = data_size.min(1 << 20) / 4 - 1;
            let mut places = Places::new(data_size);
            assert!(places.insert(0));
            assert!(places.insert(last));
            assert!(places.insert(63));
            assert!(places.insert(64));
            assert!(!places.insert(last));
            assert!(!places.insert(63));
        }
    }
}
