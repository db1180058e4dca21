//! Prints the speed of segmenting a stream, beside a plain sum of its words, and of executing a triangle packet, beside a
//! loop over pixels that evaluates the same trees and writes the same fields into one u32 array each.
//!
//! The plain loop keeps no bits apart, so it could not do what the rest of the instructions do; it shows what the planes
//! cost, or save.
#![allow(clippy::print_stdout, reason = "a benchmark prints")]

use std::hint::black_box;
use std::time::Instant;

use igc::packet::{Vertex, triangle};
use igc::{Array, Instruction, MAX_BYTES, Operand};

const SAMPLES: usize = 300;

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

fn vertex(x: f32, y: f32, texu: f32) -> Vertex {
    Vertex {
        x,
        y,
        z: 1000.0 * (x + y),
        diff: x,
        spec: y,
        texu,
        texv: x * y,
        texz: 7.0,
    }
}

/// A SETENABS and a packet that covers about half of 128 by 128 pixels.
fn packet() -> Vec<Instruction> {
    let corners = [
        vertex(0.0, 0.0, 5.0),
        vertex(127.0, 3.0, 500.0),
        vertex(20.0, 127.0, 60_000.0),
    ];
    let first = igc::Builder::new(igc::Op::SetEnabs).build().unwrap();
    std::iter::once(first)
        .chain(triangle(&corners, 2).unwrap())
        .collect()
}

fn encoded(instructions: &[Instruction]) -> Vec<u8> {
    instructions.iter().flat_map(Instruction::encode).collect()
}

fn repeated(unit: &[u8]) -> Vec<u8> {
    unit.repeat(MAX_BYTES / unit.len())
}

fn segment(what: &str, stream: &[u8]) {
    let (mut of_ours, mut of_plain) = (0u64, 0u64);
    let [ours, plain] = shortest(
        || {
            let instructions = igc::instructions(black_box(stream)).unwrap();
            of_ours = instructions
                .map(|placed| {
                    placed
                        .unwrap()
                        .instruction
                        .words()
                        .iter()
                        .map(|word| u64::from(*word))
                        .sum::<u64>()
                })
                .sum();
        },
        || {
            let (words, _) = black_box(stream).as_chunks();
            of_plain = words
                .iter()
                .map(|word| u64::from(u32::from_le_bytes(*word)))
                .sum();
        },
    );
    assert_eq!(of_ours, of_plain, "the two disagree");
    let rate = |seconds: f64| stream.len() as f64 / seconds / 1e6;
    println!(
        "segment, {what}: {:.0} MB/s (plain sum of words {:.0} MB/s)",
        rate(ours),
        rate(plain)
    );
    let [count, all] = shortest(
        || _ = black_box(igc::stream::count(black_box(stream)).unwrap()),
        || _ = black_box(igc::stream::decode(black_box(stream)).unwrap()),
    );
    println!(
        "count, {what}: {:.0} MB/s; decode to a list: {:.0} MB/s",
        rate(count),
        rate(all)
    );
}

/// A u32 for each field of the packet.
struct Plain {
    enable: Vec<bool>,
    fields: [Vec<u32>; 256],
}

impl Plain {
    fn new() -> Self {
        Self {
            enable: vec![true; 128 * 128],
            fields: std::array::from_fn(|_| vec![0; 128 * 128]),
        }
    }

    fn run(&mut self, packet: &[Instruction]) {
        let mut tree = [0.0; 3];
        self.enable.fill(true);
        for instruction in packet {
            if let Operand::Coefficients(abc) = instruction.operand() {
                tree = abc.map(f64::from);
            }
            let [a, b, c] = tree;
            let t = |n: usize| (a * (n % 128) as f64 + b * (n / 128) as f64 + c) as i64;
            let field = &mut self.fields[usize::from(instruction.word().addr())];
            let mask = (1u32 << instruction.len().unwrap_or(0)) - 1;
            let pixels = self.enable.iter_mut().zip(field).enumerate();
            match instruction.op() {
                igc::Op::TreeLtZeroL3 => pixels.for_each(|(n, (enable, _))| *enable &= t(n) < 0),
                igc::Op::MemLtTreeL3 => {
                    pixels.for_each(|(n, (enable, field))| *enable &= i64::from(*field) < t(n));
                }
                igc::Op::TreeIntoMemL3 | igc::Op::TreeIntoMemL0 => {
                    let enabled = pixels.filter(|(_, (enable, _))| **enable);
                    enabled.for_each(|(n, (_, field))| *field = t(n) as u32 & mask);
                }
                igc::Op::ScaIntoMemS1 => {
                    let scalar = instruction.following()[0];
                    let enabled = pixels.filter(|(_, (enable, _))| **enable);
                    enabled.for_each(|(_, (_, field))| *field = scalar & mask);
                }
                _ => {}
            }
        }
    }
}

fn execute() {
    let packet = packet();
    // Depth is greater than 0 once: each sample draws into a cleared field.
    let clear = igc::Builder::new(igc::Op::ScaIntoMemS1)
        .addr(32)
        .len(20)
        .scalar(0)
        .build()
        .unwrap();
    let mut program = packet.clone();
    program.insert(1, clear);
    let stream = encoded(&program);
    let mut array = Array::default();
    let mut plain = Plain::new();
    let [ours, loops] = shortest(
        || _ = array.run(black_box(&stream)).unwrap(),
        || plain.run(black_box(&program)),
    );
    for (addr, len) in [(32, 20), (82, 8), (98, 16), (114, 16), (52, 30)] {
        let field = array.field(addr, len).unwrap();
        let fields = &plain.fields[usize::from(addr)];
        assert!(
            field
                .iter()
                .copied()
                .eq(fields.iter().copied().map(u64::from)),
            "{addr}"
        );
    }
    let drawn = plain.enable.iter().filter(|enable| **enable).count();
    println!(
        "execute, packet of {} instructions on 128 by 128, {drawn} pixels drawn: {:.0} us (plain loop {:.0} us, ratio {:.2})",
        program.len(),
        ours * 1e6,
        loops * 1e6,
        loops / ours
    );
    let whole = igc::Builder::new(igc::Op::TreeIntoMemL3).addr(98).len(16);
    let whole = [whole.coefficients([1.5, 2.5, 3.5]).build().unwrap()];
    let set = igc::Builder::new(igc::Op::SetEnabs).build().unwrap();
    array.step(&set).unwrap();
    let [ours, loops] = shortest(
        || array.step(black_box(&whole[0])).unwrap(),
        || plain.run(black_box(&whole)),
    );
    println!(
        "execute, TREEintoMEM_L3 of 16 bits into 16,384 pixels: {:.1} us (plain loop {:.1} us, ratio {:.2})",
        ours * 1e6,
        loops * 1e6,
        loops / ours
    );
}

fn main() {
    segment("packets", &repeated(&encoded(&packet())));
    let sweep: Vec<u8> = igc::sweep::block69(33, 58)
        .unwrap()
        .into_iter()
        .flat_map(u32::to_le_bytes)
        .collect();
    segment("sweeps", &repeated(&sweep));
    segment("zeros", &vec![0; MAX_BYTES]);
    execute();
}
