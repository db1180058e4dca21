//! Prints two ratios of one run: decoding to a plain loop (four interleaved attributes), and to memcpy (f32x4).
#![allow(clippy::print_stdout, reason = "a benchmark prints")]

use std::hint::black_box;
use std::time::Instant;

use pica::{Attribute, Stream, Vertex};

const COUNT: usize = 4096;

/// Per vertex, attribute and component: byte loads, a match, a finite check.
fn plain(attributes: &[Attribute], stream: &Stream<'_>, output: &mut [Vertex]) -> bool {
    for (number, vertex) in output.iter_mut().enumerate() {
        *vertex = Vertex::DEFAULT;
        for attribute in attributes {
            let at = number * stream.stride as usize + attribute.offset as usize;
            for component in 0..usize::from(attribute.components) {
                let byte = |n: usize| stream.bytes[at + n];
                let value = match attribute.format {
                    0 => f32::from(byte(component) as i8),
                    1 => f32::from(byte(component)),
                    2 => {
                        let at = 2 * component;
                        f32::from(i16::from_le_bytes([byte(at), byte(at + 1)]))
                    }
                    _ => {
                        let at = 4 * component;
                        let bytes = [byte(at), byte(at + 1), byte(at + 2), byte(at + 3)];
                        f32::from_le_bytes(bytes)
                    }
                };
                if !value.is_finite() {
                    return false;
                }
                vertex.slots[usize::from(attribute.slot)][component] = value;
            }
        }
    }
    true
}

/// The shortest of many runs, in seconds.
fn shortest(mut run: impl FnMut()) -> f64 {
    let time = |_| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    };
    (0..1000).map(time).fold(f64::INFINITY, f64::min)
}

fn main() {
    let at = |format, components, slot, offset| Attribute {
        stream: 0,
        format,
        components,
        slot,
        offset,
    };
    let mut output = vec![Vertex::DEFAULT; COUNT];
    let bytes = vec![1; COUNT * 28];
    let four = [
        at(3, 3, 0, 0),
        at(3, 2, 1, 12),
        at(1, 4, 2, 20),
        at(2, 2, 3, 24),
    ];
    let stream = Stream {
        bytes: &bytes,
        offset: 0,
        stride: 28,
    };
    let loops = shortest(|| assert!(plain(black_box(&four), black_box(&stream), &mut output)));
    let ours = shortest(|| {
        pica::decode(
            black_box(&four),
            &[stream],
            0,
            COUNT as u32,
            black_box(&mut output),
        )
        .unwrap();
    });
    println!(
        "plain loop / decode, four attributes: {:.2} ({ours:.2e} s)",
        loops / ours
    );
    let source = vec![Vertex::DEFAULT; COUNT];
    let copy = shortest(|| black_box(&mut output).copy_from_slice(black_box(&source)));
    let one = [at(3, 4, 0, 0)];
    let stream = Stream {
        bytes: &bytes,
        offset: 0,
        stride: 16,
    };
    let ours = shortest(|| {
        pica::decode(
            black_box(&one),
            &[stream],
            0,
            COUNT as u32,
            black_box(&mut output),
        )
        .unwrap();
    });
    println!("memcpy / decode, f32x4: {:.2} ({ours:.2e} s)", copy / ours);
}
