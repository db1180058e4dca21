//! `assay r700 diff`, `trace` and `glsl` as somebody uses them who brings a translation, a trace or a directory of his own.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use corpora::execution::{Compare, Dimension, Filter, Wrap, inputs};
use serde_json::Value as Json;

const ADD: &str = "testdata/r700/execution/add.bin";
const INPUTS: &str = "testdata/r700/execution/add.inputs.toml";
const TWO: &str = "testdata/gfd/mesa/two_textures.gsh";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn assay(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_assay"))
        .args(arguments)
        .current_dir(root())
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

/// Exit code, output, errors.
fn run(arguments: &[&str], input: &str) -> (i32, String, String) {
    let output = assay(arguments, input.as_bytes());
    (
        output.status.code().expect("no signal"),
        String::from_utf8(output.stdout).expect("text"),
        String::from_utf8(output.stderr).expect("text"),
    )
}

/// The project's translation of the shader that adds.
fn own() -> String {
    let (exit, text, errors) = run(&["r700", "glsl", ADD], "");
    assert_eq!((exit, errors.as_str()), (0, ""));
    text
}

/// The translation with this before `main`, and that at its end.
fn edited(source: &str, declared: &str, done: &str) -> String {
    let (before, main) = source.split_once("void main").expect("main");
    let body = main.trim_end().strip_suffix('}').expect("its end");
    format!("{before}{declared}\nvoid main{body}    {done}\n}}\n")
}

fn judged(source: &str) -> (i32, String, String) {
    run(
        &[
            "r700",
            "diff",
            ADD,
            "--inputs",
            INPUTS,
            "--translation",
            "-",
        ],
        source,
    )
}

#[test]
fn an_output_that_the_microcode_does_not_export_differs() {
    let source = own();
    assert_eq!(judged(&source).0, 0);
    let more = "layout(location = 1) out vec4 more;";
    for (name, declared, done) in [
        ("gl_FragDepth", "", "gl_FragDepth = 0.5;"),
        ("gl_SampleMask", "", "gl_SampleMask[0] = 1;"),
        ("output location 1", more, "more = vec4(0.5);"),
    ] {
        let (exit, text, errors) = judged(&edited(&source, declared, done));
        if errors.contains("glslangValidator is not installed") {
            continue;
        }
        assert_eq!(exit, 1, "{text}{errors}");
        let wanted = format!("lane 0: {name}\n    interpreter  not exported\n");
        assert!(text.contains(&wanted), "{text}");
    }
}

#[test]
fn a_varying_that_the_microcode_does_not_export_differs() {
    let directory = tempfile::tempdir().expect("a directory");
    // EXPORT type=POS array_base=60 R1.xyzw, EXPORT_DONE type=PARAM array_base=0 R2.xyzw END_OF_PROGRAM.
    let program = directory.path().join("vertex.bin");
    let words: [u32; 4] = [0xc000_a03c, 0x9380_0688, 0xc001_4000, 0x9420_0688];
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    fs::write(&program, bytes).expect("writable");
    let program = program.to_str().expect("UTF-8");
    let (exit, source, errors) = run(&["r700", "glsl", program], "");
    assert_eq!((exit, errors.as_str()), (0, ""));
    let judge = |source: &str| run(&["r700", "diff", program, "--translation", "-"], source);
    assert_eq!(judge(&source).0, 0);
    let more = "layout(location = 7) out vec4 more;";
    let (exit, text, _) = judge(&edited(&source, more, "more = gl_Position;"));
    assert_eq!(exit, 1, "{text}");
    assert!(
        text.contains("output location 7\n    interpreter  not exported\n"),
        "{text}"
    );
    // Vulkan wants a size of whatever draws points.
    assert_eq!(judge(&edited(&source, "", "gl_PointSize = 1.0;")).0, 0);
    assert_eq!(judge(&edited(&source, "", "gl_PointSize = 2.0;")).0, 1);
}

/// R1 is not set, so nothing is known of a sum with it.
#[test]
fn where_everything_is_open_nothing_is_decided() {
    let lane = "{ R0 = [1.0, 2.0, 3.0, 4.0] }";
    let known = "{ R0 = [1.0, 2.0, 3.0, 4.0], R1 = [1.0, 2.0, 3.0, 4.0] }";
    let diff = ["r700", "diff", ADD, "--inputs", "-"];
    let (exit, text, _) = run(&diff, &format!("stage = \"pixel\"\nlanes = [{lane}]\n"));
    assert_eq!(exit, 3, "{text}");
    assert!(text.starts_with("undecided: "), "{text}");
    assert!(
        text.contains("0 vectors agree, 0 within what is open, 1 cannot be judged, 0 differ\n"),
        "{text}"
    );
    let (exit, text, _) = run(
        &diff,
        &format!("stage = \"pixel\"\nlanes = [{lane}, {known}]\n"),
    );
    assert_eq!(exit, 0, "{text}");
    assert!(text.starts_with("agree: "), "{text}");
    assert!(
        text.contains("1 vectors agree, 0 within what is open, 1 cannot be judged, 0 differ\n"),
        "{text}"
    );
}

#[test]
fn a_translation_is_judged_though_its_probes_do_not_compile() {
    let source = own().replace("R0.x + R1.x", "R0.x - R1.x");
    let taken = "void assay_probe(uint word) {}";
    let (exit, text, errors) = judged(&edited(&source, taken, ""));
    assert_eq!(exit, 1, "{text}{errors}");
    assert!(text.contains("lane 0: pixel0.x\n"), "{text}");
    assert!(
        text.contains("no group of it could be looked into: with probes in it: "),
        "{text}"
    );
}

#[test]
fn a_translation_without_an_end_differs() {
    let (exit, text, errors) = judged(&edited(&own(), "", "while (true) { out_0.x += 1.0; }"));
    assert_eq!(exit, 1, "{text}{errors}");
    let wanted = "lane 0: the run\n    interpreter  it ends\n    translation  it did not end within 16777216 instructions\n";
    assert!(text.contains(wanted), "{text}");
}

/// PUSH_ELSE, which the translator refuses: the case r700/control/PUSH_ELSE/passes of control.programs.toml.
#[test]
fn a_translation_is_judged_though_the_own_one_is_refused() {
    let words: [u32; 16] = [
        0x0000_0002,
        0x8600_0228,
        0x0000_0006,
        0xa000_0000,
        0x0000_0005,
        0x8680_0001,
        0x0000_0007,
        0xa000_0000,
        0x0000_0005,
        0x8700_0001,
        0xc000_8000,
        0x9420_0688,
        0x8000_00fc,
        0x0020_0c90,
        0x8000_00fc,
        0x2020_0c90,
    ];
    let directory = tempfile::tempdir().expect("a directory");
    let file = |name: &str, bytes: &[u8]| {
        let path = directory.path().join(name);
        fs::write(&path, bytes).expect("writable");
        path.to_str().expect("UTF-8").to_owned()
    };
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let program = file("push_else.bin", &bytes);
    let inputs =
        "stage = \"pixel\"\nlanes = [{ R1 = [1.0, 2.0, 3.0, 4.0] }]\nbooleans = \"0x20\"\n";
    let inputs = file("inputs.toml", inputs.as_bytes());
    let source = "#version 450
layout(set = 0, binding = 1, std140) uniform Control { uvec4 control[9]; };
layout(location = 1) in vec4 in_1;
layout(location = 0) out vec4 out_0;
void main() {
    out_0 = in_1;
    if ((control[8].x >> 5 & 1u) != 0u) { out_0.x = 0.5; } else { out_0.y = 0.5; }
}
";
    let (exit, _, errors) = run(&["r700", "diff", &program, "--inputs", &inputs], "");
    assert_eq!(exit, 2);
    assert!(errors.contains("PUSH_ELSE"), "{errors}");
    let with = ["r700", "diff", &program, "--translation", "-"];
    // What the program reads is the microcode's to say, so that there are random inputs as well.
    let (exit, text, errors) = run(&with, source);
    assert_eq!((exit, errors.as_str()), (0, ""), "{text}");
    assert!(text.contains("64 vectors agree"), "{text}");
    let with = [&with[..], &["--inputs", &inputs]].concat();
    let (exit, text, errors) = run(&with, source);
    assert_eq!((exit, errors.as_str()), (0, ""), "{text}");
    let (exit, text, _) = run(&with, &source.replace("out_0.x = 0.5", "out_0.z = 0.5"));
    assert_eq!(exit, 1, "{text}");
    assert!(text.contains("lane 0: pixel0.x\n"), "{text}");

    // In a directory it is passed over, and JSON says so with the reason.
    fs::copy(root().join(ADD), directory.path().join("add.bin")).expect("copied");
    let directory = directory.path().to_str().expect("UTF-8");
    let (exit, text, _) = run(&["r700", "diff", directory, "--json"], "");
    assert_eq!(exit, 0, "{text}");
    let all: Vec<Json> = serde_json::from_str(&text).expect("JSON");
    assert_eq!(all.len(), 2);
    assert_eq!(all[0]["verdict"], "agree");
    assert!(
        all[1]["refused"]
            .as_str()
            .is_some_and(|why| why.contains("PUSH_ELSE")),
        "{text}"
    );
    let (exit, text, _) = run(&["r700", "glsl", directory, "--json"], "");
    assert_eq!(exit, 2);
    let all: Vec<Json> = serde_json::from_str(&text).expect("JSON");
    assert!(all[0]["source"].is_string());
    assert!(
        all[1]["refused"]
            .as_str()
            .is_some_and(|why| why.contains("PUSH_ELSE")),
        "{text}"
    );
}

#[test]
fn a_broken_file_does_not_discard_a_directory() {
    let directory = tempfile::tempdir().expect("a directory");
    let shaders = directory.path().join("shaders");
    fs::create_dir(&shaders).expect("a directory");
    fs::copy(root().join(ADD), shaders.join("b.bin")).expect("copied");
    fs::write(shaders.join("a.gsh"), b"Gfx2 and nothing more").expect("writable");
    fs::write(shaders.join("c.bin"), b"no program at all").expect("writable");
    let shaders = shaders.to_str().expect("UTF-8");
    let (exit, text, errors) = run(&["r700", "diff", shaders], "");
    assert_eq!(exit, 2, "{text}{errors}");
    assert!(
        text.starts_with("agree: ") && text.contains("b.bin"),
        "{text}"
    );
    assert!(
        errors.contains("a.gsh") && errors.contains("c.bin"),
        "{errors}"
    );
    let out = directory.path().join("out");
    let out = out.to_str().expect("UTF-8");
    let (exit, text, errors) = run(&["r700", "glsl", shaders, "--out", out], "");
    assert_eq!(exit, 2, "{text}{errors}");
    assert!(text.starts_with("1 translated, 0 refused: "), "{text}");
    assert!(
        errors.contains("a.gsh") && errors.contains("c.bin"),
        "{errors}"
    );
    let manifest = fs::read_to_string(Path::new(out).join("manifest.tsv")).expect("a manifest");
    assert_eq!(manifest.lines().count(), 2, "{manifest}");
}

#[test]
fn one_shader_of_a_file_is_picked() {
    let (_, both, _) = run(&["r700", "glsl", TWO], "");
    let (exit, first, _) = run(&["r700", "glsl", TWO, "--shader", "1"], "");
    assert_eq!(exit, 0);
    let (_, second, _) = run(&["r700", "glsl", TWO, "--shader", "2"], "");
    assert_ne!(first, second);
    assert!(both.contains(&first) && both.contains(&second), "{both}");
    // The second is of block 5, as `assay r700 dis` shows.
    let (_, named, _) = run(&["r700", "glsl", TWO, "--shader", "block5"], "");
    assert_eq!(named, second);
    let (exit, text, _) = run(&["r700", "diff", TWO, "--shader", "block5"], "");
    assert_eq!(
        (
            exit,
            text.lines()
                .filter(|line| line.contains(" engine: "))
                .count()
        ),
        (0, 1),
        "{text}"
    );
    let (exit, text, errors) = run(
        &["r700", "trace", TWO, "--shader", "2", "--random", "4"],
        "",
    );
    assert_eq!((exit, errors.as_str()), (0, ""));
    assert!(
        text.starts_with("{\"trace\":\"r700\",\"version\":1,\"lanes\":4}\n"),
        "{text}"
    );
    for command in ["glsl", "diff", "trace"] {
        let (exit, text, errors) = run(&["r700", command, TWO, "--shader", "block6"], "");
        assert_eq!((exit, text.as_str()), (2, ""));
        assert!(
            errors.contains("no shader \"block6\"; there are 1 "),
            "{errors}"
        );
    }
    let (exit, _, errors) = run(&["r700", "trace", TWO], "");
    assert_eq!(exit, 2);
    assert!(errors.contains("say --shader; there are 1 "), "{errors}");
}

#[test]
fn a_trace_is_of_one_wavefront() {
    let (exit, text, _) = run(&["r700", "trace", ADD, "--random", "64"], "");
    assert_eq!(exit, 0);
    assert!(
        text.starts_with("{\"trace\":\"r700\",\"version\":1,\"lanes\":64}\n"),
        "{text}"
    );
    let (exit, text, errors) = run(&["r700", "trace", ADD, "--random", "1000"], "");
    assert_eq!((exit, text.as_str()), (2, ""));
    assert_eq!(
        errors,
        "assay: --random 1000: a trace is of one wavefront, which has 1 to 64 lanes\n"
    );
}

#[test]
fn standard_input_is_one_input() {
    for arguments in [
        &["r700", "diff", "-", "--inputs", "-"][..],
        &["r700", "diff", ADD, "--inputs", "-", "--trace", "-"],
        &["r700", "diff", ADD, "--inputs", "-", "--translation", "-"],
        &["r700", "trace", "-", "--fetch-shader", "-"],
        &["r700", "glsl", "-", "-"],
    ] {
        let (exit, text, errors) = run(arguments, "");
        assert_eq!((exit, text.as_str()), (2, ""), "{arguments:?}");
        assert!(
            errors.starts_with("assay: standard input can be one input only"),
            "{errors}"
        );
    }
}

#[test]
fn a_trace_with_nothing_to_compare_is_no_pass() {
    let diff = ["r700", "diff", ADD, "--inputs", INPUTS, "--trace", "-"];
    let (exit, _, errors) = run(&diff, "");
    assert_eq!(
        (exit, errors.as_str()),
        (2, "assay: standard input: no record\n")
    );
    let (exit, text, _) = run(&diff, "{\"kind\":\"group\",\"slot\":2}\n");
    assert_eq!(exit, 3, "{text}");
    assert!(
        text.starts_with("undecided: 1 records, 0 words compared"),
        "{text}"
    );
    let (_, own, _) = run(&["r700", "trace", ADD, "--inputs", INPUTS], "");
    // The group's record is the second line.
    for (from, to, wanted) in [
        (
            "3fc00000",
            "3fc0000",
            "line 2: ops: result: lane 0: \"3fc0000\": eight hexadecimal digits",
        ),
        ("\"version\":1", "\"version\":2", "line 1: version 2: 1"),
        (
            "\"lanes\":2",
            "\"lanes\":4",
            "line 1: lanes 4: the inputs have 2",
        ),
        ("{\"kind\":\"group\"", "{\"kind\":\"group", "line 2: "),
    ] {
        let (exit, text, errors) = run(&diff, &own.replacen(from, to, 1));
        assert_eq!((exit, text.as_str()), (2, ""), "{to}");
        assert!(
            errors.starts_with(&format!("assay: standard input: {wanted}")),
            "{errors}"
        );
    }
    for (from, to) in [
        ("\"mask\":\"3\"", "\"mask\":\"1\""),
        ("\"op\":\"ALU\"", "\"op\":\"POP\""),
        ("\"next\":1", "\"next\":0"),
    ] {
        let (exit, text, _) = run(&diff, &own.replacen(from, to, 1));
        assert_eq!(exit, 1, "{to}: {text}");
    }
    let zeros = [
        "r700",
        "diff",
        ADD,
        "--inputs",
        INPUTS,
        "--trace",
        "/dev/zero",
    ];
    if Path::new("/dev/zero").exists() {
        let (exit, _, errors) = run(&zeros, "");
        assert_eq!(exit, 2);
        assert_eq!(
            errors,
            "assay: /dev/zero: line 1: it is longer than 4194304 bytes\n"
        );
    }
}

/// The example of inputs in the contract is read as it says, and has every key.
#[test]
fn the_documented_inputs_are_read() {
    let page = fs::read_to_string(root().join("docs/targets/r700-execution.md")).expect("readable");
    let (_, section) = page.split_once("## Inputs\n").expect("the section");
    let (_, example) = section.split_once("```toml\n").expect("an example");
    let (example, _) = example.split_once("```").expect("its end");
    let environment = inputs::parse(example).expect("inputs");
    assert_eq!(environment.lanes.len(), 2);
    assert_eq!(
        environment.lanes[0].registers[&1],
        [0x3f80_0000, 0x7fc0_0000, 0xffff_ffff, 7]
    );
    assert_eq!(environment.constants, [[0x3f80_0000, 0, 0, 0x3f80_0000]]);
    assert_eq!(environment.blocks[&1][0][0], 0x3f00_0000);
    assert_eq!(environment.booleans, 3);
    assert_eq!(environment.loops[0].0, 0x0100_0004);
    assert_eq!((environment.gprs, environment.clause_temporaries), (124, 4));
    let buffer = &environment.buffers[&160];
    assert_eq!((buffer.stride, buffer.bytes.len()), (16, 16));
    assert_eq!(
        buffer
            .format
            .map(|format| (format.data_format, format.srf_mode)),
        Some((35, 1))
    );
    let texture = &environment.textures[&0];
    assert_eq!(
        (texture.dimension, texture.levels.len()),
        (Dimension::D2, 2)
    );
    let sampler = &environment.samplers[&0];
    assert_eq!(
        (sampler.mag, sampler.mip),
        (Filter::Linear, Some(Filter::Point))
    );
    assert_eq!(
        sampler.wrap,
        [Wrap::Repeat, Wrap::Mirror, Wrap::ClampToEdge]
    );
    assert_eq!(
        (sampler.compare, sampler.max_lod),
        (Some(Compare::LessEqual), 1.0)
    );
    let (exit, text, errors) = run(&["r700", "diff", ADD, "--inputs", "-"], example);
    assert_eq!(exit, 0, "{text}{errors}");
}
