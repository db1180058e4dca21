//! The fuzz targets' functions on stable Rust: every regression that fuzzing found, and the project's own inputs with small
//! damage.

use std::fs;
use std::path::{Path, PathBuf};

use assay::fuzz;
use corpora::generate::{Random, mutate};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn regressions(target: &str, run: fn(&[u8])) {
    for entry in fs::read_dir(root().join("fuzz/regressions").join(target)).expect("a directory") {
        run(&fs::read(entry.expect("an entry").path()).expect("readable"));
    }
}

#[test]
fn regressions_stay_fixed() {
    regressions("gfd", fuzz::gfd);
    regressions("r700_program", fuzz::r700_program);
    regressions("r700_words", fuzz::r700_words);
    regressions("pica", fuzz::pica);
    regressions("pica_indexed", fuzz::pica_indexed);
    regressions("pica_state", fuzz::pica_state);
    regressions("igc_stream", fuzz::igc_stream);
    regressions("igc_dma", fuzz::igc_dma);
}

#[test]
fn damaged_containers_are_agreed_on() {
    let mut random = Random::new(5, 1);
    let mut seen = 0;
    for entry in fs::read_dir(root().join("testdata/gfd/mesa")).expect("a directory") {
        let bytes = fs::read(entry.expect("an entry").path()).expect("readable");
        fuzz::gfd(&bytes);
        for _ in 0..200 {
            let mut damaged = bytes.clone();
            mutate::words(
                &mut damaged,
                &mut random,
                &[0, 1, 0xd060_0000, u32::MAX],
                true,
            );
            fuzz::gfd(&damaged);
            seen += 1;
        }
    }
    assert!(seen > 1000);
}

#[test]
fn programs_and_words_of_noise_are_agreed_on() {
    let mut random = Random::new(5, 2);
    for length in 0..2000 {
        let noise: Vec<u8> = (0..length % 97).map(|_| random.word() as u8).collect();
        fuzz::r700_program(&noise);
        fuzz::r700_words(&noise);
        let mut program = Vec::new();
        corpora::generate::r700::program(&mut random, &mut program);
        fuzz::r700_program(&program);
    }
}

/// Every golden case of the target, as it is and damaged, in every unit: the units take any bytes.
#[test]
fn damaged_vertex_fetches_are_agreed_on() {
    let mut random = Random::new(5, 3);
    let cases = corpora::load::directory(&root().join("testdata"), ".cases.toml").expect("cases");
    let mut seen = 0;
    for case in cases.iter().filter(|case| case.target == "pica") {
        for run in [fuzz::pica, fuzz::pica_indexed, fuzz::pica_state] {
            run(&case.input);
            // A list of 4,096 draws takes its time.
            if case.input.len() < 4096 {
                let mut damaged = case.input.clone();
                let interesting = [0, 1, 255, 4096, 0x40_0000, u32::MAX];
                mutate::words(&mut damaged, &mut random, &interesting, false);
                run(&damaged);
                seen += 1;
            }
        }
    }
    assert!(seen > 1000);
}

/// Every golden case of the target, and streams that run, as they are and damaged.
#[test]
fn damaged_streams_are_agreed_on() {
    let mut random = Random::new(5, 4);
    let cases = corpora::load::directory(&root().join("testdata"), ".cases.toml").expect("cases");
    let cases = cases.into_iter().filter(|case| case.target == "igc");
    let mut inputs: Vec<Vec<u8>> = cases.map(|case| case.input).collect();
    assert!(inputs.len() > 100, "{} cases", inputs.len());
    for _ in 0..100 {
        let mut program = Vec::new();
        corpora::generate::igc::program(&mut random, &[], &mut program);
        inputs.push(program);
    }
    for input in inputs {
        for run in [fuzz::igc_stream, fuzz::igc_dma] {
            run(&input);
            for _ in 0..4 {
                let mut damaged = input.clone();
                let interesting = [0, 1, 0x1000_007f, 0x3ae9_4200, u32::MAX];
                mutate::words(&mut damaged, &mut random, &interesting, false);
                run(&damaged);
            }
        }
    }
}
