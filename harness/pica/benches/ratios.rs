//! Prints, for 4,096 and 256 vertices, two ratios of one run: decoding to a plain loop (four interleaved attributes),
//! and to memcpy of the output (f32x4).
//!
//! The plain loop keeps the contract too: nothing is written before everything was looked at. So it goes over the
//! vertices twice, first to find floats that are not finite, then to convert. One pass would be faster, and would leave
//! the vertices before a bad float behind. Ranges are judged by neither: the loop leaves them to the slices.
#![allow(clippy::print_stdout, reason = "a benchmark prints")]

use std::hint::black_box;
use std::time::Instant;

use pica::{Attribute, Stream, Vertex};

const SAMPLES: usize = 2000;

/// A component by byte loads and a match.
fn component(attribute: &Attribute, stream: &Stream<'_>, number: usize, component: usize) -> f32 {
    let start = number * stream.stride as usize + attribute.offset as usize;
    let byte = |n: usize| stream.bytes[start + n];
    match attribute.format {
        0 => f32::from(byte(component) as i8),
        1 => f32::from(byte(component)),
        2 => {
            let at = 2 * component;
            f32::from(i16::from_le_bytes([byte(at), byte(at + 1)]))
        }
        _ => {
            let at = 4 * component;
            f32::from_le_bytes([byte(at), byte(at + 1), byte(at + 2), byte(at + 3)])
        }
    }
}

/// Per vertex, attribute and component: a pass that checks, then a pass that converts.
fn plain(attributes: &[Attribute], stream: &Stream<'_>, output: &mut [Vertex]) -> bool {
    for number in 0..output.len() {
        for attribute in attributes {
            for n in 0..usize::from(attribute.components) {
                if !component(attribute, stream, number, n).is_finite() {
                    return false;
                }
            }
        }
    }
    for (number, vertex) in output.iter_mut().enumerate() {
        *vertex = Vertex::DEFAULT;
        for attribute in attributes {
            for n in 0..usize::from(attribute.components) {
                let value = component(attribute, stream, number, n);
                vertex.slots[usize::from(attribute.slot)][n] = value;
            }
        }
    }
    true
}

/// The shortest time of each of two, in seconds; they take turns, so that other work on the machine hits both.
fn shortest(mut one: impl FnMut(), mut other: impl FnMut()) -> [f64; 2] {
    fn time(run: &mut impl FnMut()) -> f64 {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    }
    (0..SAMPLES).fold([f64::INFINITY; 2], |[a, b], _| {
        [a.min(time(&mut one)), b.min(time(&mut other))]
    })
}

fn at(format: u8, components: u8, slot: u8, offset: u32) -> Attribute {
    Attribute {
        stream: 0,
        format,
        components,
        slot,
        offset,
    }
}

fn decode(attributes: &[Attribute], stream: &Stream<'_>, output: &mut [Vertex]) {
    let (attributes, stream) = (black_box(attributes), black_box(*stream));
    let count = output.len() as u32;
    pica::decode(attributes, &[stream], 0, count, black_box(output)).unwrap();
}

fn ratios(count: usize) {
    let bytes = vec![1; count * 28];
    let [mut output, mut second] = [(); 2].map(|()| vec![Vertex::DEFAULT; count]);
    let four = [
        at(3, 3, 0, 0),
        at(3, 2, 1, 12),
        at(1, 4, 2, 20),
        at(2, 2, 3, 24),
    ];
    let stream = |stride| Stream {
        bytes: &bytes,
        offset: 0,
        stride,
    };
    let [loops, ours] = shortest(
        || assert!(plain(black_box(&four), black_box(&stream(28)), &mut second)),
        || decode(&four, &stream(28), &mut output),
    );
    assert!(output == second, "the two disagree");
    println!(
        "{count:4} vertices: plain loop / decode, four attributes: {:.2} ({:.2} us / {:.2} us)",
        loops / ours,
        loops * 1e6,
        ours * 1e6
    );
    let source = vec![Vertex::DEFAULT; count];
    let [copy, ours] = shortest(
        || black_box(&mut second).copy_from_slice(black_box(&source)),
        || decode(&[at(3, 4, 0, 0)], &stream(16), &mut output),
    );
    println!(
        "{count:4} vertices: memcpy / decode, f32x4: {:.2} ({:.2} us / {:.2} us)",
        copy / ours,
        copy * 1e6,
        ours * 1e6
    );
}

fn main() {
    ratios(4096);
    ratios(256);
}
