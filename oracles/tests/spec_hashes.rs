//! Each specification table has its hash in `spec/SHA256SUMS`: a table changes on purpose, or not at all.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use sha2::{Digest, Sha256};

#[test]
fn every_table_has_its_hash() {
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("spec");
    let sums = fs::read_to_string(spec.join("SHA256SUMS")).expect("SHA256SUMS");
    let mut listed = BTreeSet::new();
    for line in sums.lines() {
        let (hash, name) = line.split_once("  ").expect("hash, two blanks, name");
        let bytes = fs::read(spec.join(name)).expect("a listed table is there");
        let found: String = Sha256::digest(&bytes)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        assert_eq!(found, hash, "{name} changed; see CONTRIBUTING.md");
        listed.insert(name.to_owned());
    }
    for target in fs::read_dir(&spec)
        .expect("spec")
        .map(|entry| entry.expect("an entry").path())
    {
        for table in fs::read_dir(&target).into_iter().flatten() {
            let path = table.expect("an entry").path();
            let name = path
                .strip_prefix(&spec)
                .expect("below spec")
                .to_string_lossy()
                .into_owned();
            assert!(listed.contains(&name), "{name} has no hash");
        }
    }
}
