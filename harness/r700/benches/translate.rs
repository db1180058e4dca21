//! How fast programs are translated to GLSL.
//!
//! `decode` decodes the compiler's programs of the test data, `translate` translates them after that, in either
//! profile. The figure of merit is programs a second; a port translates some thousands when it starts.

use std::path::Path;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use r700::glsl::{self, Options, Profile, Stage};
use r700::{Chip, Program, program};

fn main() {
    divan::main();
}

/// The programs, with their stages; not the fetch shaders.
fn programs() -> Vec<(Vec<u8>, Program, Stage)> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/r700/mesa/programs.jsonl");
    let lines = std::fs::read_to_string(path).expect("the list is readable");
    let decoded = lines.lines().filter_map(|line| {
        let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let words = line["words"].as_array().expect("words");
        let bytes: Vec<u8> = words
            .iter()
            .map(|word| u32::from_str_radix(word.as_str().expect("a hex dword"), 16).expect("hex"))
            .flat_map(u32::to_le_bytes)
            .collect();
        let program = program::decode(&bytes, Chip::R700).expect("a program");
        let stage = program.cf().iter().find_map(|slot| match &slot.cf {
            r700::cf::Cf::Export(export) => match export.export_type().name() {
                Some("PIXEL") => Some(Stage::Pixel),
                _ => Some(Stage::Vertex),
            },
            _ => None,
        })?;
        Some((bytes, program, stage))
    });
    decoded.collect()
}

#[divan::bench]
fn decode(bencher: Bencher<'_, '_>) {
    let programs = programs();
    bencher
        .counter(ItemsCount::new(programs.len()))
        .bench_local(|| {
            for (bytes, ..) in &programs {
                let _ = black_box(program::decode(black_box(bytes), Chip::R700));
            }
        });
}

#[divan::bench(args = [Profile::Exact, Profile::Fast])]
fn translate(bencher: Bencher<'_, '_>, profile: &Profile) {
    let programs = programs();
    bencher
        .counter(ItemsCount::new(programs.len()))
        .bench_local(|| {
            for (_, program, stage) in &programs {
                let options = Options {
                    stage: *stage,
                    profile: *profile,
                    ..Options::default()
                };
                let _ = black_box(glsl::translate(black_box(program), &options));
            }
        });
}
