//! GFD files: written from parts with known sizes, and damaged ones.
//!
//! The few sizes and offsets that are needed are typed here once more, apart from parser and oracle.

use super::{Random, mutate};

/// A shader header's structure: block type, size, and its arrays in file order.
struct Stage {
    block: u32,
    program: u32,
    size: usize,
    arrays: &'static [Array],
}

/// An array of a header: where its count stands (the pointer follows), its element's size, and whether elements begin with
/// a name.
struct Array {
    count: usize,
    element: usize,
    named: bool,
}

const fn array(count: usize, element: usize, named: bool) -> Array {
    Array {
        count,
        element,
        named,
    }
}

const STAGES: [Stage; 4] = [
    Stage {
        block: 3,
        program: 5,
        size: 0x134,
        arrays: &[
            array(0xdc, 12, true),
            array(0xe4, 20, true),
            array(0xec, 20, false),
            array(0xf4, 8, false),
            array(0xfc, 12, true),
            array(0x104, 16, true),
        ],
    },
    Stage {
        block: 6,
        program: 7,
        size: 0xe8,
        arrays: &[
            array(0xb0, 12, true),
            array(0xb8, 20, true),
            array(0xc0, 20, false),
            array(0xc8, 8, false),
            array(0xd0, 12, true),
        ],
    },
    Stage {
        block: 8,
        program: 9,
        size: 0xb0,
        arrays: &[
            array(0x60, 12, true),
            array(0x68, 20, true),
            array(0x70, 20, false),
            array(0x78, 8, false),
            array(0x80, 12, true),
        ],
    },
    Stage {
        block: 14,
        program: 15,
        size: 0x84,
        arrays: &[
            array(0x38, 12, true),
            array(0x40, 20, true),
            array(0x48, 20, false),
            array(0x50, 8, false),
            array(0x58, 12, true),
        ],
    },
];

const DATA: u32 = 0xd060_0000;
const TEXT: u32 = 0xca70_0000;
const INTERESTING: [u32; 14] = [
    0,
    1,
    2,
    6,
    7,
    0x20,
    0x28,
    DATA,
    TEXT,
    DATA | 0x134,
    TEXT | 0xf_ffff,
    0x7fff_ffff,
    0xffff_fffc,
    u32::MAX,
];

/// Appends a file: one made from parts, or one of `corpus` (any may be damaged, made ones less often).
pub fn file(random: &mut Random, corpus: &[impl AsRef<[u8]>], out: &mut Vec<u8>) {
    let mut bytes = if corpus.is_empty() || random.one_in(2) {
        made(random)
    } else {
        random.pick(corpus).as_ref().to_vec()
    };
    if random.below(3) > 0 {
        mutate::words(&mut bytes, random, &INTERESTING, true);
    }
    out.extend(bytes);
}

fn push(out: &mut Vec<u8>, words: &[u32]) {
    out.extend(words.iter().flat_map(|word| word.to_be_bytes()));
}

fn set(out: &mut [u8], at: usize, word: u32) {
    out[at..at + 4].copy_from_slice(&word.to_be_bytes());
}

fn block(out: &mut Vec<u8>, kind: u32, id: u32, data: &[u8]) {
    out.extend(*b"BLK{");
    push(out, &[0x20, 1, 0, kind, data.len() as u32, id, 0]);
    out.extend(data);
}

fn made(random: &mut Random) -> Vec<u8> {
    let old = random.one_in(5);
    let minor = if old { random.below(2) as u32 } else { 1 };
    let align = random.below(2) as u32;
    let mut out = b"Gfx2".to_vec();
    push(
        &mut out,
        &[0x20, if old { 6 } else { 7 }, minor, 2, align, 0, 0],
    );
    for id in 0..random.below(5) as u32 {
        match random.below(6) {
            0..=2 => {
                let stage = random.pick(&STAGES);
                let header = shader(stage, random);
                block(&mut out, stage.block, id, &header);
                let program = noise(random, 8);
                block(&mut out, stage.program, id, &program);
            }
            3 => {
                let mut texture = noise(random, 0x9c);
                texture.resize(0x9c, 0);
                block(
                    &mut out,
                    if old && minor == 0 { 10 } else { 11 },
                    id,
                    &texture,
                );
                let image = noise(random, 16);
                block(&mut out, 12, id, &image);
            }
            4 => block(&mut out, 2, id, &[0; 24][..random.below(25) as usize]),
            _ => {
                let data = noise(random, 1);
                block(&mut out, *random.pick(&[4, 10, 13, 16, 99]), id, &data);
            }
        }
    }
    block(&mut out, 1, 0, &[]);
    if random.one_in(8) {
        out.extend(noise(random, 1));
    }
    out
}

fn noise(random: &mut Random, unit: usize) -> Vec<u8> {
    let length = random.below(20) as usize * unit;
    (0..length).map(|_| random.word() as u8).collect()
}

/// A shader header: structure, arrays, names, patch table, trailer.
fn shader(stage: &Stage, random: &mut Random) -> Vec<u8> {
    let mut out: Vec<u8> = (0..stage.size).map(|_| random.word() as u8).collect();
    let mut patches = Vec::new();
    let mut names: Vec<usize> = Vec::new();
    for array in stage.arrays {
        let count = if random.one_in(2) {
            0
        } else {
            random.below(4) as u32
        };
        set(&mut out, array.count, count);
        set(&mut out, array.count + 4, 0);
        if count == 0 {
            if random.one_in(4) {
                patches.push(0);
            }
            continue;
        }
        let start = out.len();
        set(&mut out, array.count + 4, DATA | start as u32);
        patches.push(array.count + 4);
        for element in 0..count as usize {
            let at = start + element * array.element;
            // Small values, so that types and modes are often ones that have a name.
            for _ in 0..array.element / 4 {
                let value = random.below(40) as u32;
                push(&mut out, &[value]);
            }
            if array.named {
                names.push(at);
            }
        }
    }
    let text = out.len();
    for at in names {
        if random.one_in(8) {
            set(&mut out, at, 0);
            continue;
        }
        let name = out.len() as u32;
        set(&mut out, at, TEXT | name);
        patches.push(at);
        let length = random.below(9);
        out.extend((0..length).map(|_| b'a' + random.below(26) as u8));
        out.push(0);
    }
    if random.below(4) > 0 {
        out.resize(out.len().next_multiple_of(4), 0);
    }
    if random.one_in(32) {
        // More than a page, for whatever a parser keeps by place.
        out.resize(out.len() + 0x1800, 0);
    }
    let data = out.len();
    match random.below(12) {
        // Places at the very end, where a pointer may or may not have room.
        0 => patches.push(data.saturating_sub(random.below(8) as usize) & !3),
        // A place again, and one that is not aligned.
        1 if !patches.is_empty() => patches.push(*random.pick(&patches.clone())),
        2 => patches.push(random.below(data as u64) as usize),
        _ => {}
    }
    let own_tags = random.one_in(2);
    for &place in &patches {
        let word = out
            .get(place..place + 4)
            .and_then(|word| word.try_into().ok());
        let tag = word.map_or(DATA, |word| u32::from_be_bytes(word) & 0xfff0_0000);
        let tag = if own_tags && matches!(tag, DATA | TEXT) {
            tag
        } else {
            DATA
        };
        push(&mut out, &[if place == 0 { 0 } else { tag | place as u32 }]);
    }
    if random.one_in(2) {
        push(&mut out, &[0, 0]);
    }
    out.extend(*b"}BLK");
    let (data, text) = (data as u32, text as u32);
    push(
        &mut out,
        &[
            0x28,
            0,
            data,
            DATA,
            data - text,
            DATA | text,
            0,
            patches.len() as u32,
        ],
    );
    push(&mut out, &[DATA | data]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_made_file_has_its_blocks_end_to_end() {
        let mut random = Random::new(3, 3);
        for _ in 0..100 {
            let bytes = made(&mut random);
            let word = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
            let mut at = 0x20;
            loop {
                assert_eq!(&bytes[at..at + 4], b"BLK{");
                let (kind, size) = (word(at + 0x10), word(at + 0x14) as usize);
                at += 0x20 + size;
                if kind == 1 {
                    break;
                }
            }
            assert!(at <= bytes.len());
        }
    }
}
