//! Command lists: draws as programs set them up, with every liberty that registers leave.

use super::{ELEMENT, INTERESTING, damaged};
use crate::generate::{Random, mutate};

const BASE: u32 = 0x200;
const FORMATS: u32 = 0x201;
const LOADERS: u32 = 0x203;
const INDICES: u32 = 0x227;
const VERTICES: u32 = 0x228;
const FIRST: u32 = 0x22a;
const DRAW: u32 = 0x22e;
const FIXED: u32 = 0x232;
const SLOTS: u32 = 0x2bb;

/// Appends a command list.
pub fn commands(random: &mut Random, corpus: &[&[u8]], out: &mut Vec<u8>) {
    if random.one_in(8) && damaged(random, corpus, out) {
        return;
    }
    let start = out.len();
    for _ in 0..=random.below(3) {
        // What is left out keeps its value from the draw before.
        if !random.one_in(3) {
            arrays(random, out);
        }
        for _ in 0..random.below(3) {
            fixed(random, out);
        }
        if random.one_in(3) {
            noise(random, out);
        }
        draw(random, out);
    }
    if random.one_in(4) {
        let mut list = out.split_off(start);
        mutate::words(&mut list, random, &INTERESTING, false);
        if !random.one_in(4) {
            list.truncate(list.len() / 8 * 8);
        }
        out.extend(list);
    }
}

/// Writes registers that follow each other: in one command, or in one for each.
fn write(random: &mut Random, out: &mut Vec<u8>, register: u32, words: &[u32]) {
    if random.one_in(3) {
        command(out, register, words, 15, true);
        return;
    }
    for (register, word) in (register..).zip(words) {
        command(out, register, &[*word], 15, false);
    }
}

fn command(out: &mut Vec<u8>, register: u32, words: &[u32], mask: u32, follow: bool) {
    let Some((first, more)) = words.split_first() else {
        return;
    };
    let header = register | mask << 16 | (more.len() as u32) << 20 | u32::from(follow) << 31;
    let mut put = |word: u32| out.extend(word.to_le_bytes());
    put(*first);
    put(header);
    more.iter().for_each(|word| put(*word));
    if more.len() % 2 == 1 {
        // Padding is not read, so it may look like a command.
        put(DRAW | 0xf << 16);
    }
}

/// Base, formats, loaders and slots of a layout that mostly fits.
fn arrays(random: &mut Random, out: &mut Vec<u8>) {
    let base = if random.one_in(8) {
        random.word() as u32
    } else {
        0x0300_0000
    };
    write(random, out, BASE, &[base]);
    let most = if random.one_in(16) { 16 } else { 6 };
    let count = 1 + random.below(most) as u32;
    let formats = random.word();
    let fixed = if random.one_in(3) {
        random.word() as u32 & 0xfff
    } else {
        0
    };
    let high = (formats >> 32) as u32 & 0xffff | fixed << 16 | (count - 1) << 28;
    write(random, out, FORMATS, &[formats as u32, high]);
    for loader in 0..random.below(4) as u32 {
        let number = if random.one_in(8) {
            random.below(12) as u32
        } else {
            loader
        };
        let ids = ids(random, count);
        let size = size(&ids, formats);
        let stride = match random.below(12) {
            0 => random.below(256) as u32,
            1 => 0,
            2 => size.wrapping_sub(1) & 0xff,
            3 => (size + 4) & 0xff,
            _ => size & 0xff,
        };
        let components = match random.below(24) {
            0 => random.below(16) as u32,
            _ => ids.len() as u32,
        };
        let packed = ids
            .iter()
            .rev()
            .fold(0_u64, |packed, id| packed << 4 | u64::from(*id));
        let last = (packed >> 32) as u32 & 0xffff | stride << 16 | components << 28;
        let offset = if random.one_in(8) {
            random.word() as u32
        } else {
            random.below(0x1000) as u32
        };
        write(
            random,
            out,
            LOADERS + 3 * number,
            &[offset, packed as u32, last],
        );
    }
    let slots = match random.below(12) {
        0 => random.word(),
        1..=3 => 0x0123_4567_89ab,
        _ => 0xba98_7654_3210,
    };
    write(random, out, SLOTS, &[slots as u32, (slots >> 32) as u32]);
}

/// Component ids: attributes below the count, padding between them, and sometimes what nobody expects.
fn ids(random: &mut Random, count: u32) -> Vec<u8> {
    let most = if random.one_in(10) { 13 } else { 6 };
    let length = random.below(most);
    (0..length)
        .map(|at| match random.below(10) {
            0..=1 => 12 + random.below(4) as u8,
            2 => random.below(12) as u8,
            _ => (at % u64::from(count)) as u8,
        })
        .collect()
}

/// The record that a loader walks through.
fn size(ids: &[u8], formats: u64) -> u32 {
    ids.iter().fold(0, |at: u32, &id| {
        if id >= 12 {
            return at.next_multiple_of(4) + 4 * (u32::from(id) - 11);
        }
        let descriptor = (formats >> (4 * id)) as u32;
        let element = ELEMENT[(descriptor & 3) as usize];
        at.next_multiple_of(element) + element * ((descriptor >> 2 & 3) + 1)
    })
}

/// A fixed attribute, or words that make none.
fn fixed(random: &mut Random, out: &mut Vec<u8>) {
    let number = match random.below(16) {
        0 => random.word() as u32,
        1 => 11 + random.below(4) as u32,
        _ => random.below(12) as u32,
    };
    let mut words = vec![number];
    let count = if random.one_in(6) { random.below(8) } else { 3 };
    words.extend((0..count).map(|_| random.word() as u32));
    if random.one_in(2) {
        command(out, FIXED, &words, 15, true);
        return;
    }
    command(out, FIXED, &words[..1], 15, false);
    for word in &words[1..] {
        let register = FIXED + 1 + random.below(3) as u32;
        command(out, register, &[*word], mask(random), false);
    }
}

fn mask(random: &mut Random) -> u32 {
    if random.one_in(8) {
        random.below(16) as u32
    } else {
        15
    }
}

/// Writes to registers that matter, with any mask and any value.
fn noise(random: &mut Random, out: &mut Vec<u8>) {
    let register = match random.below(8) {
        0 => random.below(0x301) as u32,
        1 => SLOTS + random.below(2) as u32,
        _ => BASE + random.below(0x33) as u32,
    };
    let count = 1 + random.below(4);
    let words: Vec<u32> = (0..count).map(|_| random.word() as u32).collect();
    let (mask, follow) = (mask(random), random.one_in(2));
    command(out, register, &words, mask, follow);
}

fn draw(random: &mut Random, out: &mut Vec<u8>) {
    let vertices = match random.below(12) {
        0 => random.word() as u32,
        1 => 4096 + random.below(2) as u32,
        _ => random.below(64) as u32,
    };
    write(random, out, VERTICES, &[vertices]);
    let first = if random.one_in(3) {
        random.below(100) as u32
    } else {
        0
    };
    write(random, out, FIRST, &[first]);
    let indexed = random.one_in(2);
    if indexed {
        let offset = random.word() as u32
            & if random.one_in(6) {
                u32::MAX
            } else {
                0x8000_ffff
            };
        write(random, out, INDICES, &[offset]);
    }
    let mask = mask(random);
    command(out, DRAW + u32::from(indexed), &[1], mask, false);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unharmed_list_is_whole_commands() {
        let mut random = Random::new(4, 4);
        for _ in 0..500 {
            let mut out = Vec::new();
            arrays(&mut random, &mut out);
            fixed(&mut random, &mut out);
            noise(&mut random, &mut out);
            draw(&mut random, &mut out);
            let mut at = 0;
            while at < out.len() {
                let header = u32::from_le_bytes(out[at + 4..at + 8].try_into().unwrap());
                at += (8 + 4 * (header as usize >> 20 & 0xff)).next_multiple_of(8);
            }
            assert_eq!(at, out.len());
        }
    }

    #[test]
    fn a_record_is_walked_with_alignment() {
        // u8 x 1, then f32 x 1: 1, rounded to 4, 8; then 4 bytes of padding.
        assert_eq!(size(&[0, 1, 12], 0x31), 12);
    }
}
