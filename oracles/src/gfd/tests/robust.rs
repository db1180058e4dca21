//! Whatever the bytes, there is an answer, in reasonable time; and real files are taken.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use corpora::generate::{self, Random};
use corpora::{Implementation, Outcome, Status};

use super::files::*;
use super::{answer, oracle};

#[test]
fn random_bytes_are_answered() {
    let (mut oracle, _) = oracle();
    let mut outcome = Outcome::default();
    let mut random = Random::new(1, 0);
    for _ in 0..20_000 {
        let length = random.below(0x200) as usize;
        let mut bytes: Vec<u8> = (0..length).map(|_| random.word() as u8).collect();
        // Past the file header, most of the time.
        if !random.one_in(8) {
            let start = header(7, 1, 0);
            let shared = start.len().min(bytes.len());
            bytes[..shared].copy_from_slice(&start[..shared]);
        }
        outcome.clear();
        oracle.answer(&bytes, &mut outcome);
        assert_ne!(outcome.status, Status::Unanswered);
    }
}

#[test]
fn damaged_files_are_answered() {
    let (mut oracle, _) = oracle();
    let mut outcome = Outcome::default();
    let mut random = Random::new(2, 0);
    let mut taken = 0;
    for stage in STAGES.iter().cycle().take(400) {
        let whole = file(&[
            block(stage.kind, &full_data(stage, 0, 3)),
            block(11, &texture_data()),
        ]);
        for _ in 0..50 {
            let mut bytes = whole.clone();
            for _ in 0..=random.below(3) {
                let at = random.below(bytes.len() as u64 / 4) as usize * 4;
                let old = u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
                let word = match random.below(6) {
                    0 => old.wrapping_add(1),
                    1 => old.wrapping_sub(4),
                    2 => old ^ 1 << random.below(32),
                    3 => 0xD060_0000 | random.below(0x400) as u32,
                    4 => u32::MAX,
                    _ => random.word() as u32,
                };
                bytes = with(&bytes, at, word);
            }
            if random.one_in(4) {
                bytes.truncate(random.below(bytes.len() as u64) as usize);
            }
            outcome.clear();
            oracle.answer(&bytes, &mut outcome);
            match outcome.status {
                Status::Accepted { consumed } => {
                    assert!(consumed <= bytes.len() as u64);
                    taken += 1;
                }
                Status::Rejected { offset, .. } => assert!(offset <= bytes.len() as u64),
                ref other => panic!("{other}"),
            }
        }
    }
    // Both happen often enough to mean something.
    assert!((1_000..19_000).contains(&taken), "{taken}");
}

#[test]
fn generated_files_are_answered() {
    let (mut oracle, _) = oracle();
    let mut outcome = Outcome::default();
    let mut random = Random::new(3, 0);
    let mut bytes = Vec::new();
    let (mut taken, mut classes) = (0, BTreeSet::new());
    for _ in 0..5_000 {
        bytes.clear();
        generate::gfd::file(&mut random, &[[0_u8; 0]; 0], &mut bytes);
        outcome.clear();
        oracle.answer(&bytes, &mut outcome);
        match outcome.status {
            Status::Accepted { .. } => taken += 1,
            Status::Rejected { class, .. } => _ = classes.insert(class),
            ref other => panic!("{other}"),
        }
    }
    // Both happen often enough to mean something.
    assert!((500..4_500).contains(&taken), "{taken}");
    assert!(classes.len() >= 5, "{classes:?}");
}

#[test]
fn no_prefix_of_a_file_is_a_file() {
    let (mut oracle, _) = oracle();
    let whole = vertex_file();
    for length in 0..whole.len() {
        let mut outcome = Outcome::default();
        oracle.answer(&whole[..length], &mut outcome);
        let status = outcome.status;
        assert!(
            matches!(status, Status::Rejected { .. }),
            "{length}: {status}"
        );
    }
}

#[test]
fn names_that_share_a_long_text_do_not_exhaust_memory() {
    // 2,000 samplers, each named by the same 60,000 bytes: 120 MB of names in a file of 84 KB.
    let count = 2_000;
    let mut structure = vec![0; 0xE8];
    structure = with(&structure, 0xD0, count);
    structure = with(&structure, 0xD4, 0xD060_00E8);
    let text_offset = 0xE8 + 12 * count;
    let samplers = words(&[0xCA70_0000 | text_offset, 1, 0]).repeat(count as usize);
    let mut text = vec![b'n'; 60_000];
    text.extend([0; 4]);
    let size = text_offset + text.len() as u32;
    let trailer = words(&[
        0x7D42_4C4B,
        0x28,
        0,
        size,
        0xD060_0000,
        text.len() as u32,
        0xD060_0000 | text_offset,
        0,
        0,
        0xD060_0000 | size,
    ]);
    let bytes = file(&[block(6, &[structure, samplers, text, trailer].concat())]);
    let outcome = answer(&bytes);
    assert_eq!(
        outcome.status.to_string(),
        "unsupported: names far longer than the file"
    );
    assert!(outcome.record.entries().is_empty());
    // What is wrong is still found.
    let wrong = [&bytes[..bytes.len() - 0x20], &[0; 0x20]].concat();
    let end = bytes.len() - 0x20;
    let expected = format!("rejected: bad-magic at byte {end}");
    assert_eq!(answer(&wrong).status.to_string(), expected);
}

/// All `.gsh` files below a directory.
fn shaders(directory: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(directory) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            shaders(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "gsh") {
            found.push(path);
        }
    }
}

/// With `ASSAY_CORPUS` naming a directory of real inputs; skipped without.
#[test]
fn real_files_are_taken_whole() {
    let Some(corpus) = std::env::var_os("ASSAY_CORPUS") else {
        return;
    };
    let mut found = Vec::new();
    shaders(&Path::new(&corpus).join("gfd"), &mut found);
    assert!(!found.is_empty(), "no .gsh below {corpus:?}");
    for path in found {
        let bytes = fs::read(&path).unwrap();
        let consumed = bytes.len() as u64;
        assert_eq!(
            answer(&bytes).status,
            Status::Accepted { consumed },
            "{path:?}"
        );
    }
}
