//! Programs of a real compiler, if they are there: `ASSAY_CORPUS` names the directory that holds
//! `r700-mesa/programs.jsonl` and `r700-random/programs.jsonl`. Without it the tests say so and pass.

use std::fs;
use std::path::PathBuf;

use r700::disasm::Listing;
use r700::{Chip, program};
use serde_json::Value;

#[test]
fn handwritten_shaders() {
    check("r700-mesa", 266);
}

#[test]
fn random_shaders() {
    check("r700-random", 592);
}

/// Every program of a part of the corpus decodes, comes back whole, and has no reserved opcode.
fn check(part: &str, expected: usize) {
    let Some(corpus) = std::env::var_os("ASSAY_CORPUS") else {
        eprintln!("skipped: ASSAY_CORPUS is not set");
        return;
    };
    let path = PathBuf::from(corpus).join(part).join("programs.jsonl");
    let lines = fs::read_to_string(&path).expect("the corpus is readable");
    for (number, line) in lines.lines().enumerate() {
        let bytes = bytes(&serde_json::from_str(line).expect("JSON"));
        let program = program::decode(&bytes, Chip::R700)
            .unwrap_or_else(|error| panic!("line {}: {error}", number + 1));
        assert_eq!(program.encode(), bytes, "line {}", number + 1);
        let listing = Listing::new(&program).to_string();
        assert!(
            !listing.contains("RESERVED"),
            "line {}\n{listing}",
            number + 1
        );
    }
    assert_eq!(lines.lines().count(), expected);
}

fn bytes(line: &Value) -> Vec<u8> {
    let words = line["words"].as_array().expect("words");
    words
        .iter()
        .map(|word| u32::from_str_radix(word.as_str().expect("a hex dword"), 16).expect("hex"))
        .flat_map(u32::to_le_bytes)
        .collect()
}
