//! Builds the static library, and runs `capi.c` and `capi_memory.c` on it: as they are, and under the sanitizers.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn text(output: &Output) -> String {
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

/// `libpica.a`, from the sources as they are now.
fn library() -> PathBuf {
    // Beside the tests' own directories, so that dependencies are built once.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent();
    let target = target.expect("target/tmp");
    let built = Command::new(env!("CARGO"))
        .args(["rustc", "--package", "pica", "--lib", "--features", "capi"])
        .args(["--crate-type", "staticlib", "--locked", "--target-dir"])
        .arg(target)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_remove("CARGO_BUILD_TARGET")
        .output()
        .expect("cargo runs");
    assert!(built.status.success(), "{}", text(&built));
    let made = target.join("debug/libpica.a");
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join("libpica.a");
    fs::copy(&made, &kept).unwrap_or_else(|error| panic!("{}: {error}", made.display()));
    kept
}

/// Compiles with every warning an error.
fn compile(sources: &[PathBuf], library: &Path, more: &[&str], to: &Path) -> Output {
    Command::new("cc")
        .args([
            "-std=c99",
            "-Wall",
            "-Wextra",
            "-Wpedantic",
            "-Werror",
            "-g",
        ])
        .args(more)
        .arg("-I")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("include"))
        .args(sources)
        .arg(library)
        .args(["-lpthread", "-ldl", "-lm", "-o"])
        .arg(to)
        .output()
        .expect("cc runs")
}

#[test]
fn c_gets_what_the_contract_says() {
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("skipped: there is no `cc` here");
        return;
    }
    let library = library();
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let sources = ["capi.c", "capi_memory.c"].map(|name| tests.join(name));
    let temporary = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let run = |name: &str, more: &[&str]| {
        let program = temporary.join(name);
        let compiled = compile(&sources, &library, more, &program);
        assert!(compiled.status.success(), "{}", text(&compiled));
        let ran = Command::new(&program).output().expect("it runs");
        assert!(ran.status.success(), "{name}: {}", text(&ran));
        eprintln!("{name}: {}", text(&ran).trim());
    };
    run("capi", &[]);

    const SANITIZERS: [&str; 2] = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    let empty = temporary.join("empty.c");
    fs::write(&empty, "int main(void) { return 0; }\n").expect("writable");
    let probe = temporary.join("empty");
    let works = compile(&[empty], &library, &SANITIZERS, &probe)
        .status
        .success()
        && Command::new(&probe)
            .status()
            .is_ok_and(|status| status.success());
    if works {
        run("capi_sanitized", &SANITIZERS);
    } else {
        eprintln!("skipped under the sanitizers: `cc` has none here");
    }
}
