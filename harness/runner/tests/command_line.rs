//! What the program prints, against files in `testdata/golden`. `ASSAY_BLESS=1 cargo test -p assay --test command_line` writes
//! them anew; the difference is shown, and is to be read before it is committed.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use similar::TextDiff;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn assay(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_assay"))
        .args(arguments)
        .current_dir(root())
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    // A program that does not read its input closes the pipe; that is no fault.
    let writer = std::thread::spawn(move || stdin.write_all(&input).ok());
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the writer ends");
    output
}

/// Output, errors and exit code, as one text.
fn transcript(arguments: &[&str]) -> String {
    let output = assay(arguments, b"");
    format!(
        "$ assay {}\n{}{}exit {}\n",
        arguments.join(" "),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
        output.status.code().expect("no signal")
    )
}

/// Runs several commands into one golden file.
fn golden(name: &str, commands: &[&[&str]]) {
    let found: String = commands
        .iter()
        .map(|arguments| transcript(arguments))
        .collect();
    let path = root().join("testdata/golden").join(name);
    let kept = fs::read_to_string(&path).unwrap_or_default();
    if kept == found {
        return;
    }
    let diff = TextDiff::from_lines(&kept, &found);
    let diff = diff
        .unified_diff()
        .context_radius(2)
        .header("kept", "found")
        .to_string();
    if std::env::var_os("ASSAY_BLESS").is_some() {
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(&path, found).expect("writable");
    } else {
        panic!("{name} differs; if that is right, see the top of this test\n{diff}");
    }
}

const TWO: &str = "testdata/gfd/mesa/two_textures.gsh";
const LOOPS: &str = "testdata/gfd/mesa/loops.gsh";

#[test]
fn disassembly() {
    golden(
        "r700-dis.txt",
        &[&["r700", "dis", TWO], &["r700", "dis", LOOPS]],
    );
}

#[test]
fn layout() {
    golden("r700-layout.txt", &[&["r700", "layout", TWO, LOOPS]]);
}

const EXAMPLES: &str = "testdata/pica/examples";
const QUAD: &str = "testdata/pica/examples/quad.pica";

#[test]
fn vertex_fetches() {
    let layout = format!("{EXAMPLES}/quad.toml");
    golden(
        "pica-decode.txt",
        &[
            &["pica", "decode", QUAD],
            &["pica", "decode", &layout],
            &["pica", "decode", &layout, "--json"],
            &["pica", "decode", &layout, "--svg", "-", "--attribute", "0"],
        ],
    );
}

#[test]
fn register_state() {
    let example = |name: &str| format!("{EXAMPLES}/{name}");
    let scene = example("scene.picacmd");
    let memory = format!("0x18000000={}", example("scene.memory.bin"));
    let nowhere = format!("0x20000000={}", example("scene.memory.bin"));
    let draws = ["pica", "decode", "--commands", &scene, "--memory"];
    golden(
        "pica-state.txt",
        &[
            &["pica", "state", &scene],
            &["pica", "state", &scene, "--json"],
            &["pica", "state", "LICENSE-MIT"],
            &[&draws[..], &[&memory]].concat(),
            &[&draws[..], &[&memory, "--json"]].concat(),
            &[&draws[..], &[&nowhere]].concat(),
        ],
    );
}

#[test]
fn headers() {
    golden(
        "pica-headers.txt",
        &[
            &["pica", "headers", "testdata/pica/headers/same"],
            &["pica", "headers", "testdata/pica/headers/other"],
            &[
                "pica",
                "headers",
                "testdata/pica/headers/other/gpu",
                "--json",
            ],
        ],
    );
}

const TRIANGLE: &str = "testdata/igc/examples/triangle.igc";
const SWEEP: &str = "testdata/igc/examples/sweep.igc";

#[test]
fn igc_streams() {
    golden(
        "igc-dis.txt",
        &[
            &["igc", "dis", TRIANGLE],
            &["igc", "dis", TRIANGLE, "--explain"],
            &["igc", "dis", SWEEP],
            &["igc", "dis", SWEEP, "--json"],
            &["igc", "dis", SWEEP, "--explain", "--json"],
            &["igc", "dis", "LICENSE-MIT"],
        ],
    );
}

#[test]
fn igc_templates() {
    let source = |name: &str| format!("testdata/igc/miner/{name}");
    let (odd_c, odd_s) = (source("odd.c"), source("odd.s"));
    let (tree_c, tree_s) = (source("tree.c"), source("tree.s"));
    golden(
        "igc-mine.txt",
        &[
            &["igc", "mine", &tree_c, &tree_s],
            &["igc", "mine", &odd_c, &odd_s],
            &["igc", "mine", &tree_c, &tree_s, "--pointer", "r17"],
            &["igc", "mine", &tree_c, &tree_s, "--pointer", "r32"],
        ],
    );
    // The JSON is the answer that was derived by hand.
    for name in ["bits", "odd", "roll", "tree"] {
        let (c, s) = (source(&format!("{name}.c")), source(&format!("{name}.s")));
        let found = assay(&["igc", "mine", &c, &s, "--json"], b"").stdout;
        let found: serde_json::Value = serde_json::from_slice(&found).expect("JSON");
        let stated = fs::read(root().join(source(&format!("{name}.answer.json"))));
        let stated: serde_json::Value =
            serde_json::from_slice(&stated.expect("the answer")).expect("JSON");
        assert_eq!(found, stated, "{name}");
    }
}

/// The greys of a picture, row after row, and its size.
fn greys(path: &Path) -> (u32, u32, Vec<u8>) {
    let file = std::io::BufReader::new(fs::File::open(path).expect("the picture"));
    let mut reader = png::Decoder::new(file).read_info().expect("a PNG");
    let mut greys = vec![0; reader.output_buffer_size().expect("a small picture")];
    let info = reader.next_frame(&mut greys).expect("an image");
    assert_eq!(
        (info.color_type, info.bit_depth),
        (png::ColorType::Grayscale, png::BitDepth::Eight)
    );
    (info.width, info.height, greys)
}

/// The pixels of the triangle that `testdata/igc/examples/SOURCE.txt` describes, pixel by pixel.
#[test]
fn a_picture_of_a_triangle() {
    let out = tempfile::tempdir().expect("a directory");
    let path = out.path().join("triangle.png");
    let draw = |more: &[&str]| {
        let file = path.to_str().expect("UTF-8");
        let all = [&["igc", "render", TRIANGLE, "-o", file], more].concat();
        let output = assay(&all, b"");
        assert_eq!(output.status.code(), Some(0), "{more:?}");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let inside = |x: u32, y: u32| x > 8 && y > 8 && 2 * x + 3 * y < 136;
    let same = |size: (u32, u32), value: &dyn Fn(u32, u32) -> u32| {
        let (width, height, greys) = greys(&path);
        assert_eq!((width, height), size);
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        for ((x, y), grey) in places.zip(greys) {
            let expected = if inside(x, y) { value(x, y) } else { 0 };
            assert_eq!(u32::from(grey), expected, "pixel ({x}, {y})");
        }
    };
    // 2x + 3y is 135 at (54, 9), furthest to the right, and at (9, 39), the lowest.
    assert_eq!(draw(&[]), "128 x 128 pixels, 8 bits at 82: 0 to 216\n");
    same((128, 128), &|x, _| 4 * x);
    assert_eq!(
        draw(&["--field", "spec", "--size", "64x48"]),
        "64 x 48 pixels, 8 bits at 90: 0 to 78\n"
    );
    same((64, 48), &|_, y| 2 * y);
    // The upper eight of sixteen bits: 256x, and x + y + 1000.
    draw(&["--field", "texu", "--size", "65x41"]);
    same((65, 41), &|x, _| x);
    draw(&["--field", "130:16"]);
    same((128, 128), &|x, y| (x + y + 1000) >> 8);
    // Four bits of y, spread over all greys.
    draw(&["--field", "91:4"]);
    same((128, 128), &|_, y| (y % 16) * 17);
}

#[test]
fn a_picture_of_what_cannot_be_executed() {
    let out = tempfile::tempdir().expect("a directory");
    let path = out.path().join("sweep.png");
    let file = path.to_str().expect("UTF-8");
    let output = assay(&["igc", "render", SWEEP, "-o", file, "--size", "4x2"], b"");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "4 x 2 pixels, 8 bits at 82: 0 to 0\n\
         stopped: word 2: SWEEP_121: what it does is not known\n"
    );
    assert_eq!(greys(&path), (4, 2, vec![0; 8]));
}

const ADD: &str = "testdata/r700/execution/add.bin";
const INPUTS: &str = "testdata/r700/execution/add.inputs.toml";

#[test]
fn translations() {
    golden(
        "r700-glsl.txt",
        &[
            &["r700", "glsl", ADD],
            &["r700", "glsl", ADD, "--profile", "fast"],
            &["r700", "glsl", TWO],
            &["r700", "glsl", ADD, "--stage", "geometry"],
        ],
    );
}

#[test]
fn a_trace() {
    golden(
        "r700-trace.txt",
        &[&["r700", "trace", ADD, "--inputs", INPUTS]],
    );
}

#[test]
fn differences() {
    let wrong = "testdata/r700/execution/add.wrong.frag";
    golden(
        "r700-diff.txt",
        &[
            &["r700", "diff", ADD, "--inputs", INPUTS],
            &["r700", "diff", ADD, "--random", "128", "--seed", "7"],
            &[
                "r700",
                "diff",
                ADD,
                "--inputs",
                INPUTS,
                "--translation",
                wrong,
            ],
            &[
                "r700",
                "diff",
                ADD,
                "--random",
                "64",
                "--translation",
                wrong,
                "--json",
            ],
            &[
                "r700",
                "diff",
                ADD,
                "--translation",
                "testdata/r700/execution/add.bin",
            ],
            &["r700", "diff", ADD, "--inputs", wrong],
        ],
    );
}

/// A trace of one's own agrees with itself, and one with a wrong word is told where.
#[test]
fn another_trace() {
    let own = assay(&["r700", "trace", ADD, "--inputs", INPUTS], b"");
    let own = String::from_utf8(own.stdout).expect("text");
    let same = assay(
        &["r700", "diff", ADD, "--inputs", INPUTS, "--trace", "-"],
        own.as_bytes(),
    );
    assert_eq!(
        same.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&same.stderr)
    );
    // 1.0 + 0.5, the first lane's R2.x.
    let wrong = own.replace("3fc00000", "3fc00001");
    assert_ne!(own, wrong);
    let found = assay(
        &["r700", "diff", ADD, "--inputs", INPUTS, "--trace", "-"],
        wrong.as_bytes(),
    );
    assert_eq!(found.status.code(), Some(1));
    let text = String::from_utf8_lossy(&found.stdout).into_owned();
    assert!(text.starts_with("differ at slot 2, line "), "{text}");
}

#[test]
fn container_info() {
    golden(
        "gfd-info.txt",
        &[
            &["gfd", "info", TWO],
            &["gfd", "info", "testdata/gfd/mesa/skin_block.gsh"],
            &["gfd", "info", "testdata/gfd/mesa/old_texture.gtx"],
            &["gfd", "info", "testdata/gfd/mesa/unknown_block.gsh"],
        ],
    );
}

#[test]
fn vocabularies() {
    golden(
        "fields.txt",
        &[&["fields", "gfd"], &["fields", "r700"], &["fields", "igc"]],
    );
}

#[test]
fn tables_of_the_manual() {
    golden(
        "r700-tables.txt",
        &[&[
            "r700",
            "tables",
            "testdata/r700/manual_excerpt.txt",
            "--check",
        ]],
    );
}

#[test]
fn replay() {
    golden(
        "replay.txt",
        &[
            &[
                "replay",
                "r700",
                "--options",
                "unit=alu",
                "--words",
                "81802c00",
                "60400010",
            ],
            &["replay", "r700", "--options", "unit=alu", "--hex", "00"],
            &[
                "replay",
                "r700",
                "--options",
                "unit=alu",
                "--law",
                "decode-encode",
                "--hex",
                "ffffffffffffffff",
            ],
        ],
    );
}

#[test]
fn errors_are_one_line_with_the_right_exit_code() {
    golden(
        "errors.txt",
        &[
            &["gfd", "info", "Cargo.lock"],
            &["gfd", "info", "no/such/file"],
            &["gfd", "extract", "Cargo.lock", "-o", "target/never"],
            &["r700", "dis", "LICENSE-MIT"],
            &["r700", "tables", "LICENSE-MIT"],
            &["pica", "decode", "LICENSE-MIT"],
            &[
                "pica",
                "decode",
                "testdata/pica/headers/SOURCE.txt",
                "--indexed",
            ],
            &["pica", "decode", "deny.toml"],
            &["pica", "decode", QUAD, "--svg", "-", "--attribute", "5"],
            &["pica", "headers", "testdata"],
            &["igc", "render", TRIANGLE, "-o", "no.png", "--field", "r24"],
            &["igc", "render", TRIANGLE, "-o", "no/such/dir.png"],
            &["fields", "nope"],
            &["replay", "r700", "--options", "unit=foo", "--hex", "00"],
            &["replay", "r700", "--options", "foo", "--hex", "00"],
            &["replay", "r700", "--hex", "0g"],
            &["replay", "r700", "--law", "nope", "--hex", "00"],
            &["verify", "--target", "nope"],
            &["verify", "--case", "no-such-case"],
            &["verify", "--corpus", "no/such/dir"],
            &["verify", "--testdata", "no/such/dir"],
            &["report", "show", "no/such/report"],
        ],
    );
}

#[test]
fn a_dash_is_standard_input() {
    let file = fs::read(root().join(TWO)).expect("readable");
    let output = assay(&["gfd", "info", "-"], &file);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.starts_with("standard input\n"), "{text}");
    assert_eq!(output.status.code(), Some(0));
    let empty = assay(&["r700", "dis", "-"], b"");
    assert_eq!(empty.status.code(), Some(2));
}

#[test]
fn a_reader_that_goes_away_is_no_fault() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_assay"))
        .args(["fields", "r700", "--json"])
        .current_dir(root())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn json_is_json() {
    for arguments in [
        &["fields", "gfd", "--json"][..],
        &["gfd", "info", "--json", TWO],
        &["r700", "dis", "--json", TWO],
        &["r700", "layout", "--json", TWO],
        &["igc", "dis", "--json", TRIANGLE],
        &[
            "r700",
            "tables",
            "--json",
            "testdata/r700/manual_excerpt.txt",
        ],
        &[
            "replay",
            "r700",
            "--options",
            "unit=cf",
            "--hex",
            "0000000000000094",
            "--json",
        ],
    ] {
        let output = assay(arguments, b"");
        let value: Result<serde_json::Value, _> = serde_json::from_slice(&output.stdout);
        assert!(value.is_ok_and(|value| !value.is_null()), "{arguments:?}");
    }
}

/// `reports/report.schema.json` is the schema of what is written, and the committed sample is such a report.
#[test]
fn the_schema_and_the_sample_are_current() {
    let path = root().join("reports/report.schema.json");
    let schema = assay(&["report", "schema"], b"").stdout;
    if std::env::var_os("ASSAY_BLESS").is_some() {
        fs::write(&path, &schema).expect("writable");
    }
    assert!(
        fs::read(&path).expect("the schema") == schema,
        "see the top of this test"
    );
    let sample = assay(&["report", "show", "reports/sample"], b"");
    assert_eq!(
        sample.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&sample.stderr)
    );
}

/// Programs come out as raw words, a program that is there twice once, and nothing is written when one input is bad.
#[test]
fn extraction() {
    let out = tempfile::tempdir().expect("a directory");
    let dir = out.path().join("new");
    let dir_text = dir.to_str().expect("UTF-8");
    let bad = assay(&["gfd", "extract", TWO, "Cargo.lock", "-o", dir_text], b"");
    assert_eq!(bad.status.code(), Some(2));
    assert!(!dir.exists(), "a bad input must leave nothing behind");

    let good = assay(&["gfd", "extract", TWO, TWO, LOOPS, "-o", dir_text], b"");
    assert_eq!(
        good.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&good.stderr)
    );
    let manifest = fs::read_to_string(dir.join("manifest.tsv")).expect("a manifest");
    let rows: Vec<Vec<&str>> = manifest
        .lines()
        .skip(1)
        .map(|line| line.split('\t').collect())
        .collect();
    // Two programs of one file, three of the other, none of them the same.
    assert_eq!(rows.len(), 5, "{manifest}");
    for row in rows {
        use sha2::{Digest, Sha256};
        let bytes = fs::read(dir.join(row[5])).expect("a program");
        assert_eq!(row[0], corpora::hex::encode(&Sha256::digest(&bytes)));
        assert_eq!(row[2], bytes.len().to_string());
        let listing = assay(&["r700", "dis", "-"], &bytes);
        assert_eq!(listing.status.code(), Some(0));
        let registers = fs::read(dir.join(row[5].replace(".bin", ".json"))).expect("registers");
        let registers: serde_json::Value = serde_json::from_slice(&registers).expect("JSON");
        assert!(registers["regs"].is_object());
    }
}

/// The parts of a split run join to the report of the whole one, byte for byte; and a run repeats itself.
#[test]
fn shards_join_to_the_whole() {
    let out = tempfile::tempdir().expect("a directory");
    let place = |name: &str| out.path().join(name).to_str().expect("UTF-8").to_owned();
    let verify = |name: &str, more: &[&str]| {
        let dir = place(name);
        let mut arguments = vec!["verify", "--mode", "smoke", "--out", &dir];
        arguments.extend(more);
        let output = assay(&arguments, b"");
        assert_eq!(
            output.status.code(),
            Some(0),
            "{}",
            String::from_utf8_lossy(&output.stdout)
        );
    };
    verify("whole", &[]);
    verify("again", &[]);
    verify("first", &["--shard", "1/2"]);
    verify("second", &["--shard", "2/2"]);
    let (first, second, joined) = (place("first"), place("second"), place("joined"));
    let merged = assay(&["report", "merge", &first, &second, "--out", &joined], b"");
    assert_eq!(
        merged.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&merged.stderr)
    );
    let read =
        |name: &str, file: &str| fs::read(out.path().join(name).join(file)).expect("a report");
    for file in ["report.json", "report.html", "junit.xml", "sarif.json"] {
        assert!(
            read("whole", file) == read("again", file),
            "{file} is not repeatable"
        );
        assert!(
            read("whole", file) == read("joined", file),
            "{file} is not the whole"
        );
    }
    let one = assay(&["report", "merge", &first, "--out", &joined], b"");
    assert_eq!(one.status.code(), Some(2), "half a run is not a report");
}

/// An erratum whose case is gone fails the run before anything is judged.
#[test]
fn an_erratum_without_its_case_fails_the_run() {
    let testdata = tempfile::tempdir().expect("a directory");
    let case = r#"
        [[case]]
        id = "gfd/only"
        target = "gfd"
        input = { hex = "" }
        expect = { reject = "truncated", offset = 0 }
        evidence = "inferred"
        source = "a file of no bytes"
    "#;
    fs::write(testdata.path().join("only.cases.toml"), case).expect("writable");
    let dir = testdata.path().to_str().expect("UTF-8");
    let output = assay(
        &[
            "verify",
            "--testdata",
            dir,
            "--kind",
            "golden",
            "--out",
            dir,
        ],
        b"",
    );
    assert_eq!(output.status.code(), Some(3));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.starts_with("assay: erratum ") && said.contains("which is not in testdata"),
        "{said}"
    );
}

/// A peer that is required and not there is exit code 4, and says what brings it.
#[test]
fn a_required_peer_that_is_missing() {
    let testdata = tempfile::tempdir().expect("a directory");
    let dir = testdata.path().to_str().expect("UTF-8");
    // Everything but what Mesa says of programs.
    let all = root().join("testdata");
    let entries = walkdir::WalkDir::new(&all).min_depth(1).into_iter();
    for entry in entries.filter_entry(|entry| entry.file_name() != "mesa") {
        let entry = entry.expect("an entry");
        let to = testdata
            .path()
            .join(entry.path().strip_prefix(&all).expect("below testdata"));
        if entry.file_type().is_dir() {
            fs::create_dir(&to).expect("a directory");
        } else {
            fs::copy(entry.path(), &to).expect("a copy");
        }
    }
    let verify = [
        "verify",
        "--testdata",
        dir,
        "--mode",
        "smoke",
        "--out",
        dir,
        "--peers",
        "require",
    ];
    let output = assay(&verify, b"");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(said.contains("testdata/r700/mesa brings some"), "{said}");
}

/// A directory with one golden case that is wrong: the word is MUL.
fn wrong_case() -> tempfile::TempDir {
    let corpus = tempfile::tempdir().expect("a directory");
    let case = r#"
        [[case]]
        id = "mine/mul-is-add"
        target = "r700"
        input = { words = "81802c00 60400090" }
        options = { unit = "alu" }
        expect = { accept = { "alu.op" = "ADD" } }
        evidence = "inferred"
        source = "a mistake, on purpose"
    "#;
    fs::write(corpus.path().join("mine.cases.toml"), case).expect("writable");
    corpus
}

/// A finding is exit code 1, also when nobody reads to the end, and is in every format of the report.
#[test]
fn a_finding_is_exit_code_1() {
    let (corpus, out) = (wrong_case(), tempfile::tempdir().expect("a directory"));
    let (corpus, dir) = (
        corpus.path().to_str().expect("UTF-8"),
        out.path().to_str().expect("UTF-8"),
    );
    let verify = [
        "verify", "--corpus", corpus, "--kind", "golden", "--out", dir,
    ];
    let output = assay(&verify, b"");
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("alu.op") && said.contains("MUL (1)"),
        "{said}"
    );
    for file in ["report.json", "report.html", "junit.xml", "sarif.json"] {
        let text = fs::read_to_string(out.path().join(file)).expect("a report");
        assert!(text.contains("mine/mul-is-add"), "{file}");
    }
    let mut child = Command::new(env!("CARGO_BIN_EXE_assay"))
        .args(verify)
        .arg("--json")
        .current_dir(root())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("the program ends").code(), Some(1));
}

/// A run takes an earlier report away before it can fail, and nothing that is not its own.
#[test]
fn an_earlier_report_is_taken_away_and_nothing_else() {
    let out = tempfile::tempdir().expect("a directory");
    let findings = out.path().join("findings");
    fs::create_dir(&findings).expect("a directory");
    let ours = findings.join("r700-sweep-0123abcd.bin");
    let mine = [findings.join("mine.bin"), out.path().join("notes.txt")];
    let old = out.path().join("report.html");
    for path in mine.iter().chain([&ours, &old]) {
        fs::write(path, "x").expect("writable");
    }
    let dir = out.path().to_str().expect("UTF-8");
    let output = assay(&["verify", "--case", "no-such-case", "--out", dir], b"");
    assert_eq!(output.status.code(), Some(3));
    assert!(mine.iter().all(|path| path.exists()));
    assert!(!ours.exists() && !old.exists());
}

/// A corpus that has nothing to judge is no pass.
#[test]
fn an_empty_corpus_fails_the_run() {
    let (corpus, out) = (
        tempfile::tempdir().expect("one"),
        tempfile::tempdir().expect("one"),
    );
    let (corpus, dir) = (
        corpus.path().to_str().expect("UTF-8"),
        out.path().to_str().expect("UTF-8"),
    );
    let output = assay(
        &[
            "verify", "--mode", "smoke", "--corpus", corpus, "--out", dir,
        ],
        b"",
    );
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("nothing to judge"));
}

/// What looks like an input and is not judged is named.
#[test]
fn what_is_passed_over_is_said() {
    let (corpus, out) = (
        tempfile::tempdir().expect("one"),
        tempfile::tempdir().expect("one"),
    );
    fs::write(corpus.path().join("noise.rpx"), [7; 100]).expect("writable");
    let line = r#"{"name": "other", "words": ["00000000"]}"#;
    fs::write(corpus.path().join("programs.jsonl"), line).expect("writable");
    let dir = out.path().to_str().expect("UTF-8");
    let corpus = corpus.path().to_str().expect("UTF-8");
    let verify = [
        "verify",
        "--mode",
        "smoke",
        "--kind",
        "differential",
        "--corpus",
        corpus,
        "--out",
        dir,
    ];
    assert_eq!(assay(&verify, b"").status.code(), Some(0));
    let report = fs::read_to_string(out.path().join("report.json")).expect("a report");
    assert!(
        report.contains("no ELF magic number") && report.contains("another family"),
        "{report}"
    );
}

/// A law that says nothing of an input does not hold for it.
#[test]
fn a_law_is_asked_of_its_own_inputs_only() {
    let replay = |options: &[&str]| {
        let mut arguments = vec!["replay", "r700", "--law", "decode-encode", "--hex", "00"];
        arguments.extend(options);
        let output = assay(&arguments, b"");
        (
            output.status.code(),
            String::from_utf8(output.stdout).expect("UTF-8"),
        )
    };
    assert_eq!(replay(&[]).0, Some(2));
    assert_eq!(replay(&["--options", "bogus=1"]).0, Some(2));
    let (code, said) = replay(&["--options", "unit=alu"]);
    assert_eq!((code, said.contains("silent")), (Some(0), true), "{said}");
}

/// Parts of a run with findings join to the whole, too: also where one input is in two corpora.
#[test]
fn red_shards_join_to_the_whole() {
    let out = tempfile::tempdir().expect("a directory");
    let corpus = wrong_case();
    // A compiler's text that is wrong, for programs that the project's own inputs have as well.
    let programs =
        fs::read_to_string(root().join("testdata/r700/mesa/programs.jsonl")).expect("readable");
    let wrong = programs.replace("MUL_IEEE ", "ADD ");
    fs::write(corpus.path().join("programs.jsonl"), &wrong).expect("writable");
    let again = corpus.path().join("a");
    fs::create_dir(&again).expect("a directory");
    fs::write(again.join("programs.jsonl"), &wrong).expect("writable");
    let corpus = corpus.path().to_str().expect("UTF-8");
    let place = |name: &str| out.path().join(name).to_str().expect("UTF-8").to_owned();
    let verify = |name: &str, more: &[&str]| {
        let dir = place(name);
        let mut arguments = vec![
            "verify", "--target", "r700", "--mode", "smoke", "--out", &dir,
        ];
        arguments.extend(["--corpus", corpus]);
        arguments.extend(more);
        assert_eq!(assay(&arguments, b"").status.code(), Some(1));
    };
    let parts = ["1/3", "2/3", "3/3"];
    verify("whole", &[]);
    for part in parts {
        let dir = place(part);
        let mut arguments = vec![
            "verify", "--target", "r700", "--mode", "smoke", "--out", &dir,
        ];
        arguments.extend(["--corpus", corpus, "--shard", part]);
        let code = assay(&arguments, b"").status.code();
        assert!(matches!(code, Some(0 | 1)), "{code:?}");
    }
    let [first, second, third] = parts.map(place);
    let joined = place("joined");
    let merged = assay(
        &["report", "merge", &first, &second, &third, "--out", &joined],
        b"",
    );
    assert_eq!(
        merged.status.code(),
        Some(1),
        "{}",
        String::from_utf8_lossy(&merged.stderr)
    );
    let read = |name: &str| {
        fs::read_to_string(out.path().join(name).join("report.json")).expect("a report")
    };
    let (whole, joined) = (read("whole"), read("joined"));
    let diff = TextDiff::from_lines(&whole, &joined);
    assert!(whole == joined, "{}", diff.unified_diff().context_radius(1));
}
