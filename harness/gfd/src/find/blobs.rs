//! Containers in raw bytes.

use memchr::memmem::Finder;

use crate::file::parse_measured;
use crate::{Error, FILE_MAGIC};

/// A magic number in searched bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hit {
    /// A container.
    Found {
        /// Where it starts.
        offset: usize,
        /// Its length in bytes, up to the end of its end block.
        length: usize,
    },
    /// No container.
    Near {
        /// Where the magic number is.
        offset: usize,
        /// Why there is none; its offsets count from the magic number.
        error: Error,
    },
}

/// Finds every container in `bytes`, in order. Inside of a container none is searched for.
///
/// The work is linear in the bytes: attempts that fail may look at sixteen times as many bytes as there are, and a
/// MiB besides; after that, magic numbers are reported with [`Error::SearchBudget`] and not tried.
pub fn blobs(bytes: &[u8]) -> Blobs<'_> {
    let allowed = 16 * bytes.len() as u64 + (1 << 20);
    Blobs {
        bytes,
        next: 0,
        allowed,
        spent: 0,
        magic: Finder::new(&MAGIC),
    }
}

const MAGIC: [u8; 4] = FILE_MAGIC.to_be_bytes();

/// The magic numbers in raw bytes; see [`blobs`].
#[derive(Clone, Debug)]
pub struct Blobs<'a> {
    bytes: &'a [u8],
    next: usize,
    /// Bytes that failing attempts may look at, and those that they have looked at.
    allowed: u64,
    spent: u64,
    magic: Finder<'static>,
}

impl Iterator for Blobs<'_> {
    type Item = Hit;

    fn next(&mut self) -> Option<Hit> {
        let rest = self.bytes.get(self.next..)?;
        let offset = self.next + self.magic.find(rest)?;
        self.next = offset + MAGIC.len();
        if self.spent > self.allowed {
            let error = Error::SearchBudget {
                offset: 0,
                allowed: self.allowed,
            };
            return Some(Hit::Near { offset, error });
        }
        let mut work = 0;
        match parse_measured(&self.bytes[offset..], &mut work) {
            Ok(file) => {
                let length = file.consumed();
                self.next = offset + length;
                Some(Hit::Found { offset, length })
            }
            Err(error) => {
                self.spent += work;
                Some(Hit::Near { offset, error })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Part;

    /// The smallest container: a file header and an end block.
    const SMALLEST: &[u8; 64] =
        b"Gfx2\0\0\0\x20\0\0\0\x07\0\0\0\x01\0\0\0\x02\0\0\0\0\0\0\0\0\0\0\0\0\
        BLK{\0\0\0\x20\0\0\0\x01\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\0";

    #[test]
    fn containers_and_near_misses_come_in_order() {
        let mut bytes = b"..Gfx2..".to_vec(); // the magic number alone, at 2
        bytes.extend_from_slice(SMALLEST); // at 8
        bytes.extend_from_slice(SMALLEST); // at 72
        bytes.push(0);
        bytes.extend_from_slice(&SMALLEST[..60]); // cut off, at 137
        let part = Part::FileHeader;
        let not_a_size = Error::BadHeaderSize {
            offset: 4,
            part,
            found: 0x2E2E_4766,
            allowed: 32,
        };
        let part = Part::BlockHeader;
        let cut_off = Error::Truncated {
            offset: 32,
            part,
            needed: 32,
            left: 28,
        };
        assert_eq!(
            blobs(&bytes).collect::<Vec<_>>(),
            [
                Hit::Near {
                    offset: 2,
                    error: not_a_size
                },
                Hit::Found {
                    offset: 8,
                    length: 64
                },
                Hit::Found {
                    offset: 72,
                    length: 64
                },
                Hit::Near {
                    offset: 137,
                    error: cut_off
                },
            ]
        );
    }

    #[test]
    fn a_chain_of_broken_containers_is_not_walked_again_and_again() {
        // Every 64 bytes a file header and the header of an unknown block whose data is the next file header: each
        // attempt runs through to the end of the bytes, where the last block is missing.
        let mut link = SMALLEST.to_vec();
        link[0x33] = 0x55; // block type
        link[0x37] = 0x20; // block data size
        let bytes = link.repeat(20_000);
        let hits: Vec<Hit> = blobs(&bytes).collect();
        assert_eq!(hits.len(), 20_000);
        let tried = |hit: &Hit| matches!(hit, Hit::Near { error, .. } if !matches!(error, Error::SearchBudget { .. }));
        // 20,000 links of 32 bytes looked at each, against 16 × 64 bytes each and a MiB: 33 attempts and a part.
        let budget = 16 * bytes.len() as u64 + (1 << 20);
        assert!((hits.iter().filter(|hit| tried(hit)).count() as u64) < budget / (32 * 19_000) + 2);
        let last = Hit::Near {
            offset: 64 * 19_999,
            error: Error::SearchBudget {
                offset: 0,
                allowed: budget,
            },
        };
        assert_eq!(hits.last(), Some(&last));
    }
}
