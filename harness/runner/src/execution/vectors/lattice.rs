//! Words that a program's comparisons may turn at: its literals and inline constants, and what lies next to them.

use std::collections::BTreeSet;

use corpora::generate::Random;

/// The literals and inline constants of a program.
pub(super) struct Lattice(Vec<u32>);

const SIGN: u32 = 1 << 31;

impl Lattice {
    pub(super) fn new(words: &BTreeSet<u32>) -> Self {
        Self(words.iter().copied().collect())
    }

    /// One of them or a neighbour; none if there are none.
    pub(super) fn word(&self, random: &mut Random) -> Option<u32> {
        if self.0.is_empty() {
            return None;
        }
        let word = *random.pick(&self.0);
        let near = if random.one_in(2) {
            *random.pick(&closest(word))
        } else {
            *random.pick(&neighbours(word))
        };
        // Next to a float that is an ordinary one the words that are none say nothing more.
        Some(if is_ordinary(near) || !is_ordinary(word) {
            near
        } else {
            word
        })
    }
}

/// A word and the two next to it: as a float one unit in the last place away, as an integer one.
fn closest(word: u32) -> [u32; 3] {
    [word, word.wrapping_add(1), word.wrapping_sub(1)]
}

/// The negations of a word with what is next to them, and the floats that are one away.
fn neighbours(word: u32) -> [u32; 8] {
    let [float, above, below] = closest(word ^ SIGN);
    let [integer, greater, less] = closest(word.wrapping_neg());
    let number = f32::from_bits(word);
    let [up, down] = [number + 1.0, number - 1.0].map(f32::to_bits);
    [float, above, below, integer, greater, less, up, down]
}

/// Whether a word is an ordinary float: a normal one, or zero.
fn is_ordinary(word: u32) -> bool {
    let number = f32::from_bits(word);
    number.is_normal() || number == 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_neighbours_are_drawn_and_nothing_else() {
        // 37.5 is 0x42160000; its neighbours are one unit in the last place (0x1) away, 38.5 and 36.5 one.
        let floats = [
            0x4216_0000,
            0x4216_0001,
            0x4215_ffff,
            0xc216_0000,
            0xc216_0001,
            0xc215_ffff,
            0x421a_0000,
            0x4212_0000,
            // As an integer: its negation and what is next to that, all of them ordinary floats.
            0xbdea_0000,
            0xbdea_0001,
            0xbde9_ffff,
        ];
        // 7 as an integer. As a float it is a denormal, so that one away is 1.0 and -1.0.
        let integers = [
            7,
            8,
            6,
            0x8000_0007,
            0x8000_0008,
            0x8000_0006,
            -7_i32 as u32,
            -6_i32 as u32,
            -8_i32 as u32,
            0x3f80_0000,
            0xbf80_0000,
        ];
        let mut random = Random::new(3, 3);
        for (word, wanted) in [(0x4216_0000, floats), (7, integers)] {
            let lattice = Lattice::new(&[word].into());
            let drawn: BTreeSet<u32> = (0..1000)
                .filter_map(|_| lattice.word(&mut random))
                .collect();
            assert_eq!(drawn, BTreeSet::from(wanted), "{word:#x}");
        }
        assert_eq!(Lattice::new(&BTreeSet::new()).word(&mut random), None);
    }
}
