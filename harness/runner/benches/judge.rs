//! How fast words are judged: decoder, oracle and comparison, on one thread.
//!
//! `cargo bench -p assay`. One item is one word; the sweep's own loop is measured, with its random filling.

use assay::judge::{Pair, Verdict};
use assay::target::Target;
use assay::targets::gfd::Gfd;
use assay::targets::r700::R700;
use corpora::Options;
use corpora::generate::{Random, unit};
use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};

fn main() {
    divan::main();
}

const WORDS: usize = 4096;

/// Random words of a unit, judged one by one.
#[divan::bench(args = ["alu", "cf", "tex", "vtx"])]
fn judge_words(bencher: Bencher<'_, '_>, name: &str) {
    let target = R700::new().expect("the target");
    let bytes = if matches!(name, "alu" | "cf") { 8 } else { 16 };
    let mut words = vec![0; WORDS * bytes];
    unit::fill(&mut words, &mut Random::new(1, 1));
    let mut pair = Pair::new(target.subject(), target.oracle());
    pair.select(&Options::new().with("unit", name))
        .expect("a unit");
    bencher.counter(ItemsCount::new(WORDS)).bench_local(|| {
        words
            .chunks_exact(bytes)
            .filter(|word| pair.judge(word) == Verdict::Agree)
            .count()
    });
}

/// One side alone: what the oracle costs, and what the decoder with its rendering into fields costs.
#[divan::bench(args = ["decoder", "oracle"])]
fn answer_alu_words(bencher: Bencher<'_, '_>, side: &str) {
    let target = R700::new().expect("the target");
    let mut words = vec![0; WORDS * 8];
    unit::fill(&mut words, &mut Random::new(1, 1));
    let mut side = if side == "decoder" {
        target.subject()
    } else {
        target.oracle()
    };
    side.select(&Options::new().with("unit", "alu"))
        .expect("a unit");
    let mut outcome = corpora::Outcome::default();
    bencher.counter(ItemsCount::new(WORDS)).bench_local(|| {
        let mut entries = 0;
        for word in words.chunks_exact(8) {
            outcome.clear();
            side.answer(word, &mut outcome);
            entries += outcome.record.entries().len();
        }
        entries
    });
}

/// Generated GFD files, judged one by one.
#[divan::bench]
fn judge_files(bencher: Bencher<'_, '_>) {
    let target = Gfd::new().expect("the target");
    let mut random = Random::new(1, 1);
    let files: Vec<Vec<u8>> = (0..256)
        .map(|_| {
            let mut file = Vec::new();
            corpora::generate::gfd::file(&mut random, &[[0_u8; 0]; 0], &mut file);
            file
        })
        .collect();
    let mut pair = Pair::new(target.subject(), target.oracle());
    let total: usize = files.iter().map(Vec::len).sum();
    bencher.counter(BytesCount::new(total)).bench_local(|| {
        files
            .iter()
            .filter(|file| pair.judge(file) == Verdict::Agree)
            .count()
    });
}
