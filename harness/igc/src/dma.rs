//! DMA commands: pairs of an address and a count with an opcode.
//!
//! SEND is the only opcode that is known. That of GOTO, by which a list goes on in another chunk, has to be named by the
//! caller.

use std::fmt;

use crate::Error;
use crate::stream::{MAX_BYTES, whole};

/// Longwords that one SEND may have.
pub const MAX_SEND: u32 = 127;

/// Pairs that a chunk holds before its GOTO: BIN_FULL is 63 · 2 words.
pub const CHUNK_PAIRS: usize = 63;

/// The opcode of SEND.
pub const SEND: u8 = 1;

/// A command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The first word.
    pub addr: u32,
    /// The second word: bits 27:0 count, 31:28 opcode.
    pub command: u32,
}

impl Pair {
    fn read([a, b, c, d, e, f, g, h]: [u8; 8]) -> Self {
        Self {
            addr: u32::from_le_bytes([a, b, c, d]),
            command: u32::from_le_bytes([e, f, g, h]),
        }
    }

    /// Bits 27:0 of the second word.
    pub const fn count(self) -> u32 {
        self.command & 0x0fff_ffff
    }

    /// Bits 31:28 of the second word.
    pub const fn opcode(self) -> u8 {
        (self.command >> 28) as u8
    }

    /// `SEND` or `unknown`.
    pub const fn op(self) -> &'static str {
        if self.opcode() == SEND {
            "SEND"
        } else {
            "unknown"
        }
    }

    /// Its 8 bytes.
    pub fn encode(self) -> [u8; 8] {
        (u64::from(self.command) << 32 | u64::from(self.addr)).to_le_bytes()
    }

    fn check(self, at: usize) -> Result<Self, Error> {
        let found = self.count();
        if self.opcode() == SEND && !(1..=MAX_SEND).contains(&found) {
            return Err(Error::Send { at: at + 4, found });
        }
        Ok(self)
    }
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x} {}", self.addr, self.op())?;
        if self.opcode() != SEND {
            write!(f, " opcode={}", self.opcode())?;
        }
        write!(f, " count={}", self.count())
    }
}

/// A list of commands, or its first error.
pub fn decode(bytes: &[u8]) -> Result<Vec<Pair>, Error> {
    whole(bytes, 8)?;
    let (pairs, _) = bytes.as_chunks();
    let pairs = pairs.iter().enumerate();
    pairs
        .map(|(n, pair)| Pair::read(*pair).check(8 * n))
        .collect()
}

/// A send that reaches beyond the last address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{longwords} longwords at {addr:#010x} end above 0xffffffff")]
pub struct SendOverflow {
    /// The first address.
    pub addr: u32,
    /// The longwords to be sent.
    pub longwords: u32,
}

/// SENDs for any number of longwords: as many of 127 as fit, then the remainder.
///
/// ```
/// let sends: Vec<_> = igc::dma::split(0x1000, 128)?.map(|pair| (pair.addr, pair.command)).collect();
/// assert_eq!(sends, [(0x1000, 0x1000_007f), (0x11fc, 0x1000_0001)]);
/// # Ok::<(), igc::dma::SendOverflow>(())
/// ```
pub fn split(
    addr: u32,
    longwords: u32,
) -> Result<impl ExactSizeIterator<Item = Pair>, SendOverflow> {
    if u64::from(addr) + 4 * u64::from(longwords) > 1 << 32 {
        return Err(SendOverflow { addr, longwords });
    }
    Ok((0..longwords.div_ceil(MAX_SEND)).map(move |n| Pair {
        addr: addr + 4 * MAX_SEND * n,
        command: u32::from(SEND) << 28 | MAX_SEND.min(longwords - MAX_SEND * n),
    }))
}

/// Memory in which a list is followed from chunk to chunk.
#[derive(Clone, Copy, Debug)]
pub struct Memory<'a> {
    /// The address of the first byte.
    pub base: u32,
    /// What is there.
    pub bytes: &'a [u8],
}

impl Memory<'_> {
    fn pair(&self, addr: u32) -> Option<Pair> {
        let start = addr.checked_sub(self.base)? as usize;
        self.bytes
            .get(start..)?
            .first_chunk()
            .map(|pair| Pair::read(*pair))
    }
}

/// Why a list can't be followed. `addr` is the address of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the message says what the fields are")]
pub enum FollowError {
    /// SEND's opcode, or one that has more than four bits.
    #[error("opcode {found} for GOTO, 0 or 2 to 15 is allowed")]
    Goto { found: u8 },
    /// The memory has no whole pair there.
    #[error("{addr:#010x}: no pair there: {length} bytes from {base:#010x} are known")]
    Unknown { addr: u32, base: u32, length: usize },
    /// A chunk that is full has no GOTO behind its pairs.
    #[error("{addr:#010x}: no GOTO behind the 63 pairs of a chunk")]
    Full { addr: u32 },
    /// A chunk that was gone through before.
    #[error("{addr:#010x}: GOTO {target:#010x}, where the list has been before")]
    Cycle { addr: u32, target: u32 },
    /// A SEND of no longword, or of too many.
    #[error("{addr:#010x}: SEND of {found} longwords, 1 to 127 are allowed")]
    Send { addr: u32, found: u32 },
    /// A list longer than [`crate::MAX_BYTES`].
    #[error("{addr:#010x}: the list is longer than 262144 bytes")]
    TooLong { addr: u32 },
}

/// The `count` pairs of the list that begins at `start`, GOTOs followed and left out; `goto` is GOTO's opcode. Each has its
/// address.
///
/// How a list ends is not known: the caller says how many pairs it has.
pub fn follow(
    memory: Memory<'_>,
    start: u32,
    count: usize,
    goto: u8,
) -> Result<Vec<(u32, Pair)>, FollowError> {
    if goto == SEND || goto > 15 {
        return Err(FollowError::Goto { found: goto });
    }
    let mut pairs = Vec::new();
    let mut chunks = std::collections::BTreeSet::from([start]);
    let mut addr = start;
    let mut in_chunk = 0;
    while pairs.len() < count {
        if pairs.len() + chunks.len() > MAX_BYTES / 8 {
            return Err(FollowError::TooLong { addr });
        }
        let pair = memory.pair(addr).ok_or(FollowError::Unknown {
            addr,
            base: memory.base,
            length: memory.bytes.len(),
        })?;
        if pair.opcode() == goto {
            if !chunks.insert(pair.addr) {
                return Err(FollowError::Cycle {
                    addr,
                    target: pair.addr,
                });
            }
            addr = pair.addr;
            in_chunk = 0;
            continue;
        }
        if in_chunk == CHUNK_PAIRS {
            return Err(FollowError::Full { addr });
        }
        if let Err(Error::Send { found, .. }) = pair.check(0) {
            return Err(FollowError::Send { addr, found });
        }
        pairs.push((addr, pair));
        in_chunk += 1;
        // Behind the last address comes the first, as in a counter of 32 bits.
        addr = addr.wrapping_add(8);
    }
    Ok(pairs)
}

/// The streams that a list sends out of `memory`, joined: what the IGC is given.
pub fn gather(memory: Memory<'_>, pairs: &[Pair]) -> Result<Vec<u8>, FollowError> {
    let mut joined = Vec::new();
    for pair in pairs.iter().filter(|pair| pair.opcode() == SEND) {
        let unknown = FollowError::Unknown {
            addr: pair.addr,
            base: memory.base,
            length: memory.bytes.len(),
        };
        let start = pair.addr.checked_sub(memory.base).ok_or(unknown)? as usize;
        let length = 4 * pair.count() as usize;
        if joined.len() + length > MAX_BYTES {
            return Err(FollowError::TooLong { addr: pair.addr });
        }
        let sent = memory
            .bytes
            .get(start..)
            .and_then(|left| left.get(..length));
        joined.extend_from_slice(sent.ok_or(unknown)?);
    }
    Ok(joined)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    #[test]
    fn pairs_are_address_then_command() {
        // igc/reject/dma-*, igc/border/dma-*.
        let pairs = decode(&bytes(&[
            0x1000,
            0x1000_007f,
            0x11fc,
            0x1000_0001,
            7,
            0x2000_0080,
        ]))
        .unwrap();
        let found: Vec<_> = pairs
            .iter()
            .map(|p| (p.addr, p.count(), p.op(), p.opcode()))
            .collect();
        assert_eq!(
            found,
            [
                (0x1000, 127, "SEND", 1),
                (0x11fc, 1, "SEND", 1),
                (7, 128, "unknown", 2)
            ]
        );
        assert_eq!(pairs[2].encode(), [7, 0, 0, 0, 0x80, 0, 0, 0x20]);
        let rejected = |words: &[u32]| {
            let error = decode(&bytes(words)).unwrap_err();
            (error.class(), error.offset())
        };
        assert_eq!(rejected(&[0]), ("bad-length", 0));
        assert_eq!(
            rejected(&[0x1000, 0x1000_007f, 0x2000, 0x1000_0080]),
            ("out-of-range", 12)
        );
        assert_eq!(rejected(&[0x1000, 0x1000_0000]), ("out-of-range", 4));
        assert_eq!(rejected(&vec![0; MAX_BYTES / 4 + 2]), ("limit", 0));
    }

    #[test]
    fn sends_are_split_at_127() {
        let counts = |n| -> Vec<u32> { split(0, n).unwrap().map(Pair::count).collect() };
        assert_eq!(counts(0), []);
        assert_eq!(counts(127), [127]);
        assert_eq!(counts(128), [127, 1]);
        assert_eq!(counts(300), [127, 127, 46]);
        assert_eq!(split(u32::MAX - 3, 1).unwrap().len(), 1);
        assert!(split(u32::MAX - 3, 2).is_err());
        let last = split(0, 1 << 30).unwrap().last().unwrap();
        // 2^30 = 127 · 8454660 + 4, and 4 · 127 · 8454660 = 2^32 − 16.
        assert_eq!((last.addr, last.count()), (0xffff_fff0, 4));
    }

    #[test]
    fn a_list_goes_on_where_its_goto_says() {
        const GOTO: u32 = 0x5000_0000;
        let words = [
            0x100,
            0x1000_0001,
            0x8018,
            GOTO,
            0,
            0,
            0x104,
            0x1000_0002,
            0x8000,
            GOTO,
        ];
        let list = bytes(&words);
        let memory = Memory {
            base: 0x8000,
            bytes: &list,
        };
        let pairs = follow(memory, 0x8000, 2, 5).unwrap();
        let found: Vec<_> = pairs.iter().map(|(at, pair)| (*at, pair.addr)).collect();
        assert_eq!(found, [(0x8000, 0x100), (0x8018, 0x104)]);
        assert_eq!(
            follow(memory, 0x8000, 3, 5),
            Err(FollowError::Cycle {
                addr: 0x8020,
                target: 0x8000
            })
        );
        // Without the opcode the GOTO is a pair like others.
        assert_eq!(follow(memory, 0x8000, 2, 6).unwrap()[1].0, 0x8008);
        assert_eq!(
            follow(memory, 0x8000, 2, 1),
            Err(FollowError::Goto { found: 1 })
        );
        let beyond = FollowError::Unknown {
            addr: 0x8028,
            base: 0x8000,
            length: 40,
        };
        assert_eq!(follow(memory, 0x8020, 2, 6), Err(beyond));
        let full = bytes(&[0x100, 0x1000_0001].repeat(64));
        let memory = Memory {
            base: 0,
            bytes: &full,
        };
        assert_eq!(follow(memory, 0, 63, 5).unwrap().len(), 63);
        assert_eq!(
            follow(memory, 0, 64, 5),
            Err(FollowError::Full { addr: 504 })
        );
    }

    #[test]
    fn what_is_sent_is_joined() {
        let memory = Memory {
            base: 0x100,
            bytes: &[1, 2, 3, 4, 5, 6, 7, 8],
        };
        let send = |addr, count: u32| Pair {
            addr,
            command: 0x1000_0000 | count,
        };
        assert_eq!(
            gather(memory, &[send(0x104, 1), send(0x100, 1)]),
            Ok(vec![5, 6, 7, 8, 1, 2, 3, 4])
        );
        assert!(gather(memory, &[send(0x104, 2)]).is_err());
        assert!(gather(memory, &[send(0xfc, 1)]).is_err());
    }
}
