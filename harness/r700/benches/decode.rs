//! How fast ALU words are decoded, against the least that reading them costs.
//!
//! `sum` adds the words up: memory, and one addition a word. `decode` parses the same words into a
//! vector that is kept between the runs. The figure of merit is the ratio of the two in bytes a
//! second, in a buffer that the second-level cache holds and in one that it does not.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use r700::Chip;
use r700::alu::{self, Alu, AluOp, Dest, Source};
use r700::codes::Chan;

/// Bytes of words: 64 KiB and 8 MiB.
const SIZES: [usize; 2] = [64 << 10, 8 << 20];

fn main() {
    divan::main();
}

/// A mix as compilers write it: two instructions of encoding OP2 for one of OP3, groups of three,
/// registers, locked constants and previous results as operands.
fn words(bytes: usize) -> Vec<u32> {
    const OP2: [AluOp; 5] = [
        AluOp::named("MOV"),
        AluOp::named("MUL_IEEE"),
        AluOp::named("ADD"),
        AluOp::named("DOT4"),
        AluOp::named("RECIP_IEEE"),
    ];
    const OP3: [AluOp; 2] = [AluOp::named("MULADD_IEEE"), AluOp::named("CNDGE")];

    let mut state = 0x2545_f491_u32;
    let mut random = |below: u32| {
        // Xorshift, so that the branch predictor and the caches see no period.
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state % below
    };
    (0..bytes / 8)
        .flat_map(|i| {
            let mut source = || {
                let chan = Chan::from_code(random(4) as u8);
                let source = match random(4) {
                    0 => Source::kcache(0, random(32) as u8, chan),
                    1 => Source::new(alu::SourceSel::PV, chan),
                    _ => Source::gpr(random(20) as u8, chan),
                };
                source.with_neg(random(8) == 0)
            };
            let sources = [source(), source(), source()];
            let op = match random(3) {
                0 => OP3[random(2) as usize],
                _ => OP2[random(5) as usize],
            };
            let dst = Dest::new(random(20) as u8, Chan::from_code(random(4) as u8));
            let alu = Alu::new(op, Chip::R700)
                .with_src0(sources[0])
                .with_src1(sources[1])
                .with_dst(dst)
                .with_last(i % 3 == 2);
            match op.encoding() {
                alu::Encoding::Op2 => alu.with_write_mask(true),
                alu::Encoding::Op3 => alu.with_src2(sources[2]),
            }
            .encode()
        })
        .collect()
}

#[divan::bench(args = SIZES)]
fn sum(bencher: Bencher<'_, '_>, bytes: usize) {
    let words = words(bytes);
    bencher.counter(BytesCount::new(bytes)).bench_local(|| {
        black_box(&words)
            .iter()
            .fold(0_u32, |sum, word| sum.wrapping_add(*word))
    });
}

#[divan::bench(args = SIZES)]
fn decode(bencher: Bencher<'_, '_>, bytes: usize) {
    let words = words(bytes);
    let mut out = Vec::with_capacity(words.len() / 2);
    bencher.counter(BytesCount::new(bytes)).bench_local(|| {
        alu::decode_words(black_box(&words), Chip::R700, &mut out);
        black_box(&out);
    });
}
