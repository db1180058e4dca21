//! The speeds that Assay promises, as ratios and rates measured in one run on one core.
//!
//! `cargo bench -p assay --bench ratios`. Each figure is the best of many samples, taken in turn, so that a neighbour on the
//! machine slows all of them alike. Words and files are those of `testdata`, and of the corpus that ASSAY_CORPUS names.

#![allow(
    clippy::print_stdout,
    reason = "printing its figures is all that it does"
)]

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use assay::judge::{Pair, Verdict};
use assay::target::Target;
use assay::targets::gfd::Gfd;
use assay::targets::pica::request::{Attribute, Request, Stream};
use assay::targets::pica::{self, Pica};
use assay::targets::r700::R700;
use corpora::Options;
use r700::Chip;
use r700::program::{self, ClauseBody};

/// How often each figure is taken.
const SAMPLES: usize = 40;

/// The best time of each of several things, measured in turn.
fn best<const N: usize>(mut things: [&mut dyn FnMut(); N]) -> [Duration; N] {
    let mut best = [Duration::MAX; N];
    for _ in 0..SAMPLES {
        for (thing, best) in things.iter_mut().zip(&mut best) {
            let began = Instant::now();
            thing();
            *best = began.elapsed().min(*best);
        }
    }
    best
}

fn rate(amount: usize, time: Duration) -> f64 {
    amount as f64 / time.as_secs_f64()
}

/// Every input of a target in `testdata` and in the corpus.
fn inputs(target: &dyn Target) -> Vec<Vec<u8>> {
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let corpus = std::env::var_os("ASSAY_CORPUS").map(std::path::PathBuf::from);
    let mut inputs = Vec::new();
    for root in [Some(testdata), corpus].into_iter().flatten() {
        for entry in walkdir::WalkDir::new(root)
            .sort_by_file_name()
            .into_iter()
            .flatten()
        {
            if entry.file_type().is_file() && target.reads(entry.path()) {
                let bytes = std::fs::read(entry.path()).expect("a readable input");
                let found = target.inputs(entry.path(), &bytes, "").expect("inputs");
                inputs.extend(found.inputs.into_iter().map(|input| input.bytes.to_vec()));
            }
        }
    }
    inputs
}

/// The words of every ALU instruction of the programs, again and again up to `bytes`.
fn alu_words(programs: &[Vec<u8>], bytes: usize) -> Vec<u32> {
    let decoded = programs
        .iter()
        .filter_map(|bytes| program::decode(bytes, Chip::R700).ok());
    let words: Vec<u32> = decoded
        .flat_map(|program| {
            let alu = |clause: &r700::program::Clause| match &clause.body {
                ClauseBody::Alu(alu) => alu
                    .instructions()
                    .iter()
                    .flat_map(|slot| slot.alu.encode())
                    .collect(),
                ClauseBody::Fetch(_) => Vec::new(),
            };
            program.clauses().iter().flat_map(alu).collect::<Vec<u32>>()
        })
        .collect();
    words.iter().copied().cycle().take(bytes / 4).collect()
}

/// Vertices with position (f32 x 3), texture coordinates (f32 x 2), colour (u8 x 4) and two shorts, interleaved.
fn vertices(count: u32) -> Vec<u8> {
    const STRIDE: u32 = 28;
    let vertex = |number: u32| {
        let floats = (0..5).flat_map(move |at| ((number * 5 + at) as f32 / 3.0).to_le_bytes());
        let rest = (0..8).map(move |at| (number * 8 + at) as u8);
        floats.chain(rest)
    };
    let data: Vec<u8> = (0..count).flat_map(vertex).collect();
    let mut request = Request::new(count, &data);
    request.add_stream(Stream {
        start: 0,
        length: data.len() as u32,
        offset: 0,
        stride: STRIDE,
    });
    for (slot, (format, components, offset)) in [(3, 3, 0), (3, 2, 12), (1, 4, 20), (2, 2, 24)]
        .into_iter()
        .enumerate()
    {
        request.add_attribute(Attribute {
            stream: 0,
            format,
            components,
            slot: slot as u8,
            offset,
        });
    }
    let mut bytes = Vec::new();
    request.write(&mut bytes);
    bytes
}

fn main() {
    // The test runner asks every target for its tests; there are none here.
    if std::env::args().any(|argument| argument == "--list" || argument == "--test") {
        return;
    }
    let r700 = R700::new().expect("the target");
    let programs = inputs(&r700);
    println!("{} programs", programs.len());
    for bytes in [64 << 10, 8 << 20] {
        let words = alu_words(&programs, bytes);
        let mut decoded = Vec::with_capacity(words.len() / 2);
        let [sum, decode] = best([
            &mut || {
                let sum = words
                    .iter()
                    .fold(0_u32, |sum, word| sum.wrapping_add(*word));
                black_box(sum);
            },
            &mut || {
                decoded.clear();
                r700::alu::decode_words(black_box(&words), Chip::R700, &mut decoded);
                black_box(&decoded);
            },
        ]);
        let ratio = decode.as_secs_f64() / sum.as_secs_f64();
        println!(
            "decode ALU words, {:5} KiB   {:6.2} GB/s against {:6.2} GB/s of a plain sum: 1/{ratio:.1} (promised 1/16)",
            bytes >> 10,
            rate(bytes, decode) / 1e9,
            rate(bytes, sum) / 1e9,
        );
    }

    let words = alu_words(&programs, 64 << 10);
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut random = vec![0; 64 << 10];
    corpora::generate::unit::fill(&mut random, &mut corpora::generate::Random::new(1, 1));
    let mut pair = Pair::new(r700.subject(), r700.oracle());
    pair.select(&Options::new().with("unit", "alu"))
        .expect("the unit");
    for (name, bytes) in [("real", &bytes), ("random", &random)] {
        let [judge] = best([&mut || {
            let agree = bytes
                .chunks_exact(8)
                .filter(|word| pair.judge(word) == Verdict::Agree);
            assert_eq!(black_box(agree.count()), bytes.len() / 8);
        }]);
        println!(
            "judge {name:6} ALU words        {:6.2} million words/s: decoder, oracle, comparison (promised 2)",
            rate(bytes.len() / 8, judge) / 1e6,
        );
    }

    let target = Gfd::new().expect("the target");
    let files = inputs(&target);
    let total: usize = files.iter().map(Vec::len).sum();
    let [parse] = best([&mut || {
        for file in &files {
            black_box(gfd::parse(black_box(file)).is_ok());
        }
    }]);
    println!(
        "parse {:4} GFD files           {:6.2} GB/s over {total} bytes (promised 1)",
        files.len(),
        rate(total, parse) / 1e9,
    );

    let target = Pica::new().expect("the target");
    let mut pair = Pair::new(target.subject(), target.oracle());
    pair.select(&pica::unit(pica::DECODE)).expect("the unit");
    for count in [64, 4096] {
        let request = vertices(count);
        let [judge] = best([&mut || {
            assert_eq!(black_box(pair.judge(&request)), Verdict::Agree);
        }]);
        println!(
            "judge {count:4} vertices            {:6.2} million vertices/s: decoder, oracle, comparison (promised 2)",
            rate(count as usize, judge) / 1e6,
        );
    }
}
