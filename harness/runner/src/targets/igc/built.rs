//! Streams that the library builds: triangle packets and sweeps, whole or damaged. What a builder makes must be accepted, and
//! a packet must run.

use corpora::generate::{Random, mutate};
use igc::packet::{self, Vertex};
use igc::sweep;

/// Words that are of interest in a packet: headers, and coefficients that look like them.
const INTERESTING: [u32; 6] = [0, 0x100, 0x3ae9_4200, 0x44ea_2120, 0x438a_4320, 0x7f80_0000];

/// Appends a few packets or a sweep.
pub(super) fn stream(random: &mut Random, _: &[&[u8]], out: &mut Vec<u8>) {
    let words = if random.one_in(4) {
        swept(random)
    } else {
        packets(random)
    };
    out.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    if random.one_in(3) {
        mutate::words(out, random, &INTERESTING, false);
    }
}

fn swept(random: &mut Random) -> Vec<u32> {
    let (src, dst) = (random.below(237) as u32, random.below(237) as u32);
    if random.one_in(3) {
        return sweep::block69(src, dst).expect("places within the pixel");
    }
    let mut words = sweep::LEAD_IN.to_vec();
    let steps = 1 + random.below(20) as u8;
    words.extend(sweep::sweep(src, dst, steps).expect("steps of the emitter"));
    words
}

/// SETENABS and a triangle, one to three times.
fn packets(random: &mut Random) -> Vec<u32> {
    (0..=random.below(3)).flat_map(|_| packet(random)).collect()
}

/// SETENABS and a triangle; vertices that lie on a line make none.
fn packet(random: &mut Random) -> Vec<u32> {
    const SETENABS: u32 = 0x100;
    let zeros = random.below(4) as u8;
    let vertices = [vertex(random), vertex(random), vertex(random)];
    let triangle = packet::triangle(&vertices, zeros).unwrap_or_default();
    let words = triangle.iter().flat_map(|instruction| instruction.words());
    [SETENABS].iter().chain(words).copied().collect()
}

/// A vertex in or near a small array.
fn vertex(random: &mut Random) -> Vertex {
    let fraction = if random.one_in(2) { 1 } else { 8 };
    let mut below = |bound: u64| random.below(bound * fraction) as f32 / fraction as f32;
    Vertex {
        x: below(80) - 8.0,
        y: below(12) - 3.0,
        z: below(1 << 20),
        diff: below(1 << 8),
        spec: below(1 << 8),
        texu: below(1 << 16),
        texv: below(1 << 16),
        texz: below(1 << 16),
    }
}
