//! Small changes to valid inputs: where parsers go wrong is next to what is right.

use super::Random;

/// Changes `bytes` in one to four places, with values that sizes, counts and offsets like to be tripped by. `big_endian`
/// says how 32-bit values are stored.
pub fn words(bytes: &mut Vec<u8>, random: &mut Random, interesting: &[u32], big_endian: bool) {
    for _ in 0..=random.below(4) {
        if bytes.is_empty() {
            return;
        }
        match random.below(8) {
            0 => {
                let at = random.below(bytes.len() as u64) as usize;
                bytes[at] ^= 1 << random.below(8);
            }
            1 => {
                let length = random.below(bytes.len() as u64 + 1) as usize;
                bytes.truncate(length);
            }
            2 => {
                let more = random.below(64) as usize;
                bytes.extend((0..more).map(|_| random.word() as u8));
            }
            3 => splice(bytes, random),
            _ => {
                let at = random.below(bytes.len() as u64 / 4 + 1) as usize * 4;
                let Some(word) = bytes.get_mut(at..at + 4) else {
                    continue;
                };
                let old = if big_endian {
                    u32::from_be_bytes([word[0], word[1], word[2], word[3]])
                } else {
                    u32::from_le_bytes([word[0], word[1], word[2], word[3]])
                };
                let new = value(old, random, interesting);
                let new = if big_endian {
                    new.to_be_bytes()
                } else {
                    new.to_le_bytes()
                };
                word.copy_from_slice(&new);
            }
        }
    }
}

fn value(old: u32, random: &mut Random, interesting: &[u32]) -> u32 {
    match random.below(7) {
        0 => old.wrapping_add(1),
        1 => old.wrapping_sub(1),
        2 => old.wrapping_add(4),
        3 => old ^ 1 << random.below(32),
        4 => random.word() as u32,
        5 => random.below(512) as u32,
        _ if interesting.is_empty() => u32::MAX,
        _ => *random.pick(interesting),
    }
}

/// Copies one run of words over another place of the same input.
fn splice(bytes: &mut [u8], random: &mut Random) {
    let length = (random.below(16) as usize + 1) * 4;
    if bytes.len() < length {
        return;
    }
    let places = (bytes.len() - length) as u64 / 4 + 1;
    let (from, to) = (
        random.below(places) as usize * 4,
        random.below(places) as usize * 4,
    );
    bytes.copy_within(from..from + length, to);
}
