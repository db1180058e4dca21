//! `include/pica.h` is what cbindgen makes of the sources, and compiles as C99 and as C++.
//!
//! `ASSAY_BLESS=1 cargo test -p pica --test header` writes it anew.

use std::fs;
use std::path::Path;
use std::process::Command;

use cbindgen::{Builder, Config};

#[test]
fn the_header_is_what_the_sources_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = Config::from_file(root.join("cbindgen.toml")).expect("a configuration");
    let bindings = Builder::new()
        .with_config(config)
        .with_src(root.join("src/input.rs"))
        .with_src(root.join("src/capi/report.rs"))
        .with_src(root.join("src/capi.rs"))
        .generate()
        .expect("the sources parse");
    let mut made = Vec::new();
    bindings.write(&mut made);
    let made = String::from_utf8(made).expect("UTF-8");
    let path = root.join("include/pica.h");
    if std::env::var_os("ASSAY_BLESS").is_some() {
        fs::write(&path, &made).expect("writable");
    }
    let kept = fs::read_to_string(&path).expect("include/pica.h");
    assert!(
        kept == made,
        "include/pica.h is not what the sources say now; ASSAY_BLESS=1 writes it:\n{made}"
    );
}

/// Compiles the header alone, twice in one unit, with every warning an error.
fn compiles(compiler: &str, language: &str, standard: &str) {
    if Command::new(compiler).arg("--version").output().is_err() {
        eprintln!("skipped: there is no `{compiler}` here");
        return;
    }
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("include");
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("header.{language}"));
    fs::write(&source, "#include \"pica.h\"\n#include \"pica.h\"\n").expect("writable");
    let compiled = Command::new(compiler)
        .args([
            "-x",
            language,
            standard,
            "-fsyntax-only",
            "-Wall",
            "-Wextra",
            "-Wpedantic",
        ])
        .args(["-Werror", "-I"])
        .arg(include)
        .arg(source)
        .output()
        .expect("the compiler runs");
    let text = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{text}");
}

#[test]
fn the_header_compiles_as_c99() {
    compiles("cc", "c", "-std=c99");
}

#[test]
fn the_header_compiles_as_cpp() {
    compiles("c++", "c++", "-std=c++11");
}
