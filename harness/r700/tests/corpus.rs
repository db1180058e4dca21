//! Programs of a real compiler: those of the project's own test data always, and those of the corpus that `ASSAY_CORPUS`
//! names, if it does.

use std::fs;
use std::path::{Path, PathBuf};

use r700::disasm::Listing;
use r700::{Chip, program};
use serde_json::Value;

#[test]
fn handwritten_shaders() {
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/r700/mesa");
    check(&testdata.join("programs.jsonl"), 266);
}

#[test]
#[ignore = "needs a corpus: ASSAY_CORPUS names the directory with r700-random in it"]
fn random_shaders() {
    let corpus = std::env::var_os("ASSAY_CORPUS").expect("ASSAY_CORPUS");
    check(
        &PathBuf::from(corpus).join("r700-random/programs.jsonl"),
        592,
    );
}

/// Every program of a list decodes, comes back whole, and has no reserved opcode.
fn check(path: &Path, expected: usize) {
    let lines = fs::read_to_string(path).expect("the list is readable");
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
