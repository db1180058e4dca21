//! Requests of vertex fetches and command lists of the PICA200: valid ones, ones at a border, and ones with one thing wrong.
//!
//! The few sizes and places that are needed are typed here once more, apart from decoder and oracle.

mod commands;
mod request;

pub use commands::commands;
pub use request::{indexed, sequential};

use super::{Random, mutate};

/// Bytes of a component of formats 0 to 3: s8, u8, s16, f32.
const ELEMENT: [u32; 4] = [1, 1, 2, 4];

/// Numbers at which the arithmetic of places goes wrong if it does.
const INTERESTING: [u32; 16] = [
    0,
    1,
    2,
    3,
    4,
    12,
    13,
    15,
    16,
    255,
    256,
    4096,
    4097,
    0x40_0000,
    0x7fff_ffff,
    0xffff_fffe,
];

/// Appends one of the corpus with small damage, and says whether there was one.
fn damaged(random: &mut Random, corpus: &[&[u8]], out: &mut Vec<u8>) -> bool {
    if corpus.is_empty() {
        return false;
    }
    let mut bytes = random.pick(corpus).to_vec();
    mutate::words(&mut bytes, random, &INTERESTING, false);
    out.extend(bytes);
    true
}
