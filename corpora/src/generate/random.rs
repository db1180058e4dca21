//! The one source of randomness: a small generator whose output is part of our contract with old seeds.

use rand_core::{RngCore, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// A seeded stream of numbers. PCG's output is fixed by its paper, so a seed in an old report still replays.
#[derive(Clone, Debug)]
pub struct Random(Pcg64Mcg);

impl Random {
    /// The stream of a seed; `stream` tells streams of one seed apart (a shard, a unit).
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        // The generator's state is odd, so the seed's lowest bit would be lost: it goes to the other end, turned round so
        // that odd seeds, of which 1 is the usual one, begin with the state that they stand for.
        let top = (!seed & 1) << 63;
        bytes[8..].copy_from_slice(&(stream ^ top).to_le_bytes());
        let mut random = Self(Pcg64Mcg::from_seed(bytes));
        // Neighbouring seeds begin with similar numbers; a few steps part them.
        for _ in 0..8 {
            random.word();
        }
        random
    }

    /// 64 random bits.
    #[inline]
    pub fn word(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `bound` (0 for a bound of 0), with a bias too small to matter here.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.word()) * u128::from(bound)) >> 64) as u64
    }

    /// True once in `n` times.
    #[inline]
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// One of the elements; panics on an empty slice.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len() as u64) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_stream_and_streams_differ() {
        let take = |seed, stream| {
            let mut random = Random::new(seed, stream);
            [random.word(), random.word()]
        };
        assert_eq!(take(1, 0), take(1, 0));
        assert_ne!(take(1, 0), take(1, 1));
        for seed in 0..4 {
            assert_ne!(take(seed, 0), take(seed + 1, 0));
        }
    }

    #[test]
    fn below_stays_below() {
        let mut random = Random::new(7, 7);
        assert_eq!(random.below(0), 0);
        assert!((0..1000).all(|_| random.below(3) < 3));
    }
}
