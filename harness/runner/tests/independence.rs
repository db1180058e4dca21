//! Independence, proved from `cargo metadata`: no oracle reaches a decoder, no decoder reaches an oracle, and the decoder
//! libraries know nothing of ours at all.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

/// Decoder libraries. A new one is added here, and `every_crate_has_a_place` says so if it is not.
const DECODERS: [&str; 4] = ["gfd", "r700", "pica", "igc"];

fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--no-deps",
            "--offline",
            "--locked",
            "--format-version",
            "1",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo metadata runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Each crate of the workspace, and those that it names as dependencies of any kind.
fn workspace() -> BTreeMap<String, BTreeSet<String>> {
    let metadata = metadata();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let packages = metadata["packages"].as_array().expect("packages");
    let names: BTreeSet<String> = packages
        .iter()
        .map(|package| text(&package["name"]))
        .collect();
    packages
        .iter()
        .map(|package| {
            let dependencies = package["dependencies"].as_array().expect("dependencies");
            let ours = dependencies
                .iter()
                .map(|one| text(&one["name"]))
                .filter(|one| names.contains(one));
            (text(&package["name"]), ours.collect())
        })
        .collect()
}

/// Everything that `from` reaches, itself left out.
fn reached(from: &str, edges: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![from.to_owned()];
    while let Some(next) = open.pop() {
        for name in &edges[&next] {
            if found.insert(name.clone()) {
                open.push(name.clone());
            }
        }
    }
    found
}

#[test]
fn oracles_reach_corpora_only() {
    let edges = workspace();
    assert_eq!(
        reached("oracles", &edges),
        BTreeSet::from(["corpora".to_owned()])
    );
}

#[test]
fn decoders_reach_nothing_of_ours() {
    let edges = workspace();
    for decoder in DECODERS {
        assert_eq!(reached(decoder, &edges), BTreeSet::new(), "{decoder}");
    }
}

#[test]
fn corpora_reach_nothing_of_ours() {
    assert_eq!(reached("corpora", &workspace()), BTreeSet::new());
}

#[test]
fn every_crate_has_a_place() {
    let mut placed: BTreeSet<&str> = DECODERS.into();
    placed.extend(["assay", "corpora", "oracles"]);
    let edges = workspace();
    let found: BTreeSet<&str> = edges.keys().map(String::as_str).collect();
    assert_eq!(found, placed, "say in this test what a new crate may reach");
}

/// A dependency by path that is no member would be a way around: all others come from a registry.
#[test]
fn nothing_comes_from_outside_the_workspace_by_path() {
    let metadata = metadata();
    let members = workspace();
    for package in metadata["packages"].as_array().expect("packages") {
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            let name = dependency["name"].as_str().expect("a name");
            let source = dependency["source"].as_str().unwrap_or("");
            let fine = members.contains_key(name) || source.starts_with("registry+");
            assert!(
                fine,
                "{} depends on {name} from {source:?}",
                package["name"]
            );
        }
    }
}

/// Generated files and tables would be shared without a dependency: a source pulls in files of its own crate only.
#[test]
fn no_source_pulls_in_the_other_sides_files() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut seen = 0;
    for dir in [
        "oracles",
        "harness/gfd",
        "harness/r700",
        "harness/pica",
        "harness/igc",
        "corpora",
    ] {
        let home = root.join(dir).canonicalize().expect("a crate");
        assert!(
            !home.join("build.rs").exists(),
            "{dir} generates nothing when it is built"
        );
        for entry in walkdir::WalkDir::new(home.join("src")) {
            let path = entry.expect("readable").into_path();
            if path.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("UTF-8");
            for include in ["include_str!(", "include_bytes!(", "include!(", "#[path ="] {
                for (at, _) in text.match_indices(include) {
                    let quoted = text[at..].split('"').nth(1).expect("a file name");
                    let file = path.parent().expect("a directory").join(quoted);
                    let file = file.canonicalize().expect("an included file");
                    assert!(
                        file.starts_with(&home),
                        "{} includes {quoted}",
                        path.display()
                    );
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 5, "the oracles' tables are pulled in somewhere");
}
