//! Words, instructions, streams and DMA lists of the IGC of Pixel-Planes 5: valid ones, ones at a border, and ones with one
//! thing wrong.
//!
//! The bases and rules that are needed are typed here once more, apart from decoder and oracle.

mod instruction;
mod program;

pub use instruction::{Behind, Rule, SHAPES, Shape};
pub use program::program;

use super::{Random, mutate};
use instruction::{at_a_border, wild, within};

/// Words at which a stream goes another way: bases, quoted words, and the ends of numbers.
const INTERESTING: [u32; 10] = [
    0,
    0x100,
    0x601,
    0x604,
    0x3ae9_4200,
    0x44ea_2120,
    0xbc00_4c34,
    0xba01_253a,
    0x0002_0000,
    u32::MAX,
];

/// A first word, now and then with too few bytes or with more behind it.
pub fn word(random: &mut Random, _: &[&[u8]], out: &mut Vec<u8>) {
    let mut words = Vec::new();
    match random.below(4) {
        0 => wild(random, &mut words),
        _ => at_a_border(random, &mut words),
    }
    put(&words[..1], out);
    match random.below(16) {
        0 => out.truncate(random.below(4) as usize),
        1 => out.extend((0..random.below(9)).map(|at| at as u8)),
        _ => {}
    }
}

/// An instruction, now and then cut off, or with something behind it.
pub fn instruction(random: &mut Random, _: &[&[u8]], out: &mut Vec<u8>) {
    let mut words = Vec::new();
    match random.below(8) {
        0 => wild(random, &mut words),
        1..3 => within(random, &mut words),
        _ => at_a_border(random, &mut words),
    }
    put(&words, out);
    match random.below(8) {
        0 => out.truncate(random.below(out.len() as u64) as usize),
        1 => out.extend((0..random.below(9)).map(|_| random.word() as u8)),
        _ => {}
    }
}

/// A stream: instructions that are accepted, with one here and there that may not be; or one of the corpus, damaged.
pub fn stream(random: &mut Random, corpus: &[&[u8]], out: &mut Vec<u8>) {
    if !corpus.is_empty() && random.one_in(4) {
        let mut bytes = random.pick(corpus).to_vec();
        mutate::words(&mut bytes, random, &INTERESTING, false);
        out.extend(bytes);
        return;
    }
    let mut words = Vec::new();
    // Some streams have nothing wrong but what damage does to them.
    let odd = random.below(3);
    for _ in 0..random.below(24) {
        match random.below(32) {
            0 if odd > 0 => at_a_border(random, &mut words),
            1 if odd > 1 => wild(random, &mut words),
            _ => within(random, &mut words),
        }
    }
    put(&words, out);
    if random.one_in(4) {
        mutate::words(out, random, &INTERESTING, false);
    }
}

/// A list of DMA pairs: SENDs of every length at the borders, other opcodes, now and then an odd number of bytes.
pub fn dma(random: &mut Random, corpus: &[&[u8]], out: &mut Vec<u8>) {
    const COUNTS: [u32; 8] = [0, 1, 2, 126, 127, 128, 129, 0x0fff_ffff];
    if !corpus.is_empty() && random.one_in(8) {
        out.extend(random.pick(corpus).iter());
        mutate::words(out, random, &COUNTS, false);
        return;
    }
    let right = random.one_in(2);
    for _ in 0..random.below(16) {
        let any = random.word() as u32;
        let count = match random.below(4) {
            0 if !right => *random.pick(&COUNTS),
            1 if !right => any >> 4,
            _ => 1 + random.below(127) as u32,
        };
        let op = match random.below(3) {
            0 => any >> 28,
            _ => 1,
        };
        // Another opcode may have any count.
        let count = if op == 1 { count } else { any & 0x0fff_ffff };
        put(&[random.word() as u32, op << 28 | count], out);
    }
    if random.one_in(8) {
        mutate::words(out, random, &COUNTS, false);
    }
}

/// Appends words, little-endian.
fn put(words: &[u32], out: &mut Vec<u8>) {
    out.extend(words.iter().flat_map(|word| word.to_le_bytes()));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each row, as it is quoted, comes out of the generator of instructions that are within the rules.
    #[test]
    fn every_row_is_generated() {
        let mut random = Random::new(1, 1);
        let mut missing: Vec<u32> = SHAPES.iter().map(|shape| shape.base).collect();
        for _ in 0..10_000 {
            let mut words = Vec::new();
            within(&mut random, &mut words);
            missing.retain(|base| words[0] & 0x807f_ff00 != base & 0x807f_ff00);
        }
        assert_eq!(missing, [0_u32; 0]);
    }

    #[test]
    fn inputs_repeat_with_their_seed() {
        for make in [word, instruction, stream, dma, program] {
            let of = |seed| {
                let mut out = Vec::new();
                for _ in 0..10 {
                    make(&mut Random::new(seed, 0), &[], &mut out);
                }
                out
            };
            assert_eq!(of(3), of(3));
            assert_ne!(of(3), of(4));
        }
    }
}
