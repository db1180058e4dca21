//! `assay gfd` against inputs that make it lose or repeat something, and the writing side of `assay r700 tables`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use gfd::{
    Builder, OwnedShader, PixelRegisters, PixelShader, ShaderStruct, Stage, UniformBlock, Version,
};
use serde_json::Value;
use tempfile::TempDir;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn assay(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_assay"))
        .args(arguments)
        .current_dir(root())
        .env("NO_COLOR", "1")
        .output()
        .expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// A pixel shader that differs from others in a register.
fn pixel(register: u32) -> OwnedShader {
    let regs = PixelRegisters {
        sq_pgm_resources_ps: register,
        ..PixelRegisters::default()
    };
    OwnedShader::from(ShaderStruct::Pixel(PixelShader {
        regs,
        ..PixelShader::default()
    }))
}

fn new() -> Builder {
    Builder::new(Version::V7_1)
}

/// What `gfd extract` wrote.
struct Extracted {
    files: BTreeMap<String, Vec<u8>>,
    rows: Vec<Vec<String>>,
}

impl Extracted {
    /// The register that makes a header of [`pixel`] different.
    fn register(&self, file: &str) -> u64 {
        let json: Value = serde_json::from_slice(&self.files[file]).expect("JSON");
        json["regs"]["sq_pgm_resources_ps"]
            .as_u64()
            .unwrap_or_else(|| panic!("{file}: {json:#}"))
    }

    /// The names of the files, but for the manifest's.
    fn names(&self) -> Vec<&str> {
        let names = self.files.keys().map(String::as_str);
        names.filter(|name| *name != "manifest.tsv").collect()
    }
}

/// Extracts from files that are written for it; a name may have a directory.
fn extract(inputs: &[(&str, Builder)]) -> Extracted {
    let dir = TempDir::new().expect("a directory");
    let out = dir.path().join("out");
    let mut arguments = vec!["gfd".to_owned(), "extract".to_owned(), "--out".to_owned()];
    arguments.push(text(out.as_os_str().as_encoded_bytes()));
    for (name, builder) in inputs {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(&path, builder.clone().write().expect("a valid file")).expect("writable");
        arguments.push(text(path.as_os_str().as_encoded_bytes()));
    }
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    let output = assay(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let files: BTreeMap<_, _> = fs::read_dir(&out)
        .expect("a directory")
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy();
            (name.into_owned(), fs::read(&path).expect("readable"))
        })
        .collect();
    let manifest = text(&files["manifest.tsv"]);
    assert_eq!(
        manifest.lines().next(),
        Some("sha256\tstage\tsize\tname\tsource\tfile\tregisters")
    );
    let row = |line: &str| line.split('\t').map(str::to_owned).collect();
    let rows = manifest.lines().skip(1).map(row).collect();
    Extracted { files, rows }
}

/// 25,000 uniform blocks whose names are all one text of 500 KB: 12.5 GB of names in a file of 800 KB.
fn hostile_names() -> Vec<u8> {
    const COUNT: usize = 25_000;
    let mut shader = pixel(0);
    let block = UniformBlock {
        name: None,
        offset: 0,
        size: 0,
    };
    shader.uniform_blocks = vec![block; COUNT];
    shader.uniform_blocks[0].name = Some("n".repeat(500_000).into());
    let mut bytes = new().shader_header(shader).write().expect("a valid file");
    // The data begins at 0x40. The blocks, 12 bytes each, follow the structure of 0xE8 bytes, and the text the blocks.
    let name = (0xCA70_0000 + 0xE8 + 12 * COUNT as u32).to_be_bytes();
    for number in 0..COUNT {
        let at = 0x40 + 0xE8 + 12 * number;
        bytes[at..at + 4].copy_from_slice(&name);
    }
    assert!(gfd::parse(&bytes).is_ok());
    bytes
}

/// One line and no gigabytes: the program has a gigabyte of address space here, and would be killed by more.
#[test]
#[cfg(target_os = "linux")]
fn names_that_share_their_text_are_refused() {
    let dir = TempDir::new().expect("a directory");
    let (plain, embedded) = (
        dir.path().join("plain.gsh"),
        dir.path().join("embedded.bin"),
    );
    let bytes = hostile_names();
    fs::write(&plain, &bytes).expect("writable");
    fs::write(&embedded, [&[0; 64], &*bytes].concat()).expect("writable");
    for file in [&plain, &embedded] {
        for command in [
            &["info"][..],
            &["info", "--json"],
            &["extract", "--out", "target/never"],
        ] {
            let output = Command::new("sh")
                .args(["-c", "ulimit -v 1048576; exec \"$0\" gfd \"$@\""])
                .arg(env!("CARGO_BIN_EXE_assay"))
                .args(command)
                .arg(file)
                .output()
                .expect("the program runs");
            let said = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{command:?}: {said}");
            assert_eq!(said.lines().count(), 1, "{said}");
            assert!(
                said.contains(&*file.to_string_lossy()) && said.contains("16777216 bytes"),
                "{said}"
            );
            assert!(output.stdout.is_empty());
        }
    }
}

#[test]
fn a_program_with_two_headers_keeps_both() {
    let code = vec![1; 16];
    let found = extract(&[
        ("a.gsh", new().shader(pixel(1), code.clone())),
        // The block stands elsewhere and has another id; its registers are those of a.gsh.
        (
            "b.gsh",
            new()
                .ids(gfd::BlockIds::Running)
                .block(gfd::BlockType(99), vec![0; 12])
                .shader(pixel(1), code.clone()),
        ),
        ("c.gsh", new().shader(pixel(2), code.clone())),
    ]);
    assert_eq!(
        found.names(),
        ["a.pixel.bin", "a.pixel.json", "c.pixel.json"]
    );
    assert_eq!(found.rows.len(), 1);
    let row = &found.rows[0];
    assert_eq!(
        row[1..4],
        ["pixel".to_owned(), "16".to_owned(), "a,b,c".to_owned()]
    );
    assert_eq!(row[5..], ["a.pixel.bin", "a.pixel.json,c.pixel.json"]);
    assert_eq!(found.files["a.pixel.bin"], code);
    assert_eq!(found.register("a.pixel.json"), 1);
    assert_eq!(found.register("c.pixel.json"), 2);
    let json: Value = serde_json::from_slice(&found.files["a.pixel.json"]).expect("JSON");
    for place in ["offset", "id", "index"] {
        assert!(json.get(place).is_none(), "{place} is the file's");
    }
}

#[test]
fn headers_without_a_program_are_kept() {
    let found = extract(&[(
        "a.gsh",
        new()
            .shader_header(pixel(1))
            .shader_header(pixel(2))
            .shader(pixel(3), vec![3; 8])
            .shader_header(pixel(4)),
    )]);
    assert_eq!(found.rows.len(), 1);
    let registers = &found.rows[0][6];
    assert_eq!(found.register(registers), 3);
    let program = found.rows[0][5].replace(".bin", "");
    assert_eq!(format!("{program}.json"), *registers);
    let mut all: Vec<_> = found
        .names()
        .into_iter()
        .filter(|name| name.ends_with(".json"))
        .map(|name| found.register(name))
        .collect();
    all.sort_unstable();
    assert_eq!(all, [1, 2, 3, 4]);
    assert_eq!(found.names().len(), 5);
}

#[test]
fn files_of_the_same_stem_do_not_overwrite_each_other() {
    let found = extract(&[
        ("1/a.gsh", new().shader_header(pixel(1))),
        ("2/a.gsh", new().shader(pixel(2), vec![2; 8])),
        ("3/A.gsh", new().shader(pixel(3), vec![3; 8])),
        ("4/a.gsh", new().program(Stage::Pixel, vec![4; 8])),
        ("5/a.gsh", new().shader(pixel(5), vec![4; 8])),
    ]);
    assert_eq!(
        found.names(),
        [
            "A.pixel-3.bin",
            "A.pixel-3.json",
            "a.pixel-2.bin",
            "a.pixel-2.json",
            "a.pixel-4.bin",
            "a.pixel-5.json",
            "a.pixel.json",
        ]
    );
    assert_eq!(found.rows.len(), 3);
}

const EXCERPT: &str = "testdata/r700/manual_excerpt.txt";
const TABLES: &str = "harness/r700/src/alu_tables.rs";

/// A copy of the tables with a row replaced by another text.
fn tables(row: &str, by: &str) -> (TempDir, String) {
    let dir = TempDir::new().expect("a directory");
    let path = dir.path().join("alu_tables.rs");
    let current = fs::read_to_string(root().join(TABLES)).expect("the tables");
    assert_eq!(current.matches(row).count(), 1, "{row}");
    fs::write(&path, current.replace(row, by)).expect("writable");
    let path = text(path.as_os_str().as_encoded_bytes());
    (dir, path)
}

#[test]
fn tables_are_written_as_they_are_checked_in() {
    let (_dir, path) = tables("    (25, \"MOV\"),\n", "");
    let output = assay(&["r700", "tables", EXCERPT, "--tables", &path]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).ends_with(&format!("{path} written\n")));
    let (written, kept) = (fs::read(&path), fs::read(root().join(TABLES)));
    assert!(written.expect("the copy") == kept.expect("the tables"));
}

#[test]
fn tables_do_not_lose_rows_unasked() {
    let more = "    (25, \"MOV\"),\n    (200, \"FIRST\"),\n    (201, \"SECOND\"),\n";
    let (_dir, path) = tables("    (25, \"MOV\"),\n", more);
    let before = fs::read(&path).expect("the copy");
    let arguments = ["r700", "tables", EXCERPT, "--tables", &path, "--force"];
    let refused = assay(&arguments[..5]);
    let said = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(
        said.contains("2 of its opcodes (OP2 200 FIRST, OP2 201 SECOND)"),
        "{said}"
    );
    assert!(fs::read(&path).expect("the copy") == before);
    let forced = assay(&arguments);
    assert_eq!(forced.status.code(), Some(0), "{}", text(&forced.stderr));
    let (written, kept) = (fs::read(&path), fs::read(root().join(TABLES)));
    assert!(written.expect("the copy") == kept.expect("the tables"));
}

#[test]
fn a_check_shows_the_difference_and_writes_nothing() {
    let (_dir, path) = tables("(25, \"MOV\")", "(25, \"MOVE\")");
    let before = fs::read(&path).expect("the copy");
    let output = assay(&["r700", "tables", EXCERPT, "--tables", &path, "--check"]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("-    (25, \"MOVE\"),\n+    (25, \"MOV\"),\n"),
        "{said}"
    );
    assert!(fs::read(&path).expect("the copy") == before);
}
