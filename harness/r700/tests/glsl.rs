//! Translations of compilers' programs: all of them translate, and every GLSL front end at hand takes the text.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use glsl_lang::ast::TranslationUnit;
use glsl_lang::parse::{DefaultParse as _, ParseOptions};
use r700::glsl::{Options, Profile, Stage, TextureKind, TextureShape, translate};
use r700::{Chip, Program, program};
use serde_json::Value;

#[test]
fn handwritten_shaders() {
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/r700/mesa");
    check(&testdata.join("programs.jsonl"), 2 * (266 - 8));
}

#[test]
#[ignore = "needs a corpus: ASSAY_CORPUS names the directory with r700-random in it"]
fn random_shaders() {
    let corpus = std::env::var_os("ASSAY_CORPUS").expect("ASSAY_CORPUS");
    check(
        &PathBuf::from(corpus).join("r700-random/programs.jsonl"),
        2 * 592,
    );
}

/// A program of a list, with what its source is known to bind.
struct Listed {
    name: String,
    program: Program,
    options: Options<'static>,
}

fn listed(line: &str) -> Option<Listed> {
    let line: Value = serde_json::from_str(line).expect("JSON");
    let name = line["from"]
        .as_str()
        .or(line["name"].as_str())
        .expect("a name")
        .to_owned();
    let words = line["words"].as_array().expect("words");
    let bytes: Vec<u8> = words
        .iter()
        .map(|word| u32::from_str_radix(word.as_str().expect("a hex dword"), 16).expect("hex"))
        .flat_map(u32::to_le_bytes)
        .collect();
    let program = program::decode(&bytes, Chip::R700).expect("a program");
    let exports = |kind: &str| {
        program.cf().iter().any(|slot| match &slot.cf {
            r700::cf::Cf::Export(export) => export.export_type().name() == Some(kind),
            _ => false,
        })
    };
    let stage = match (exports("PIXEL"), exports("POS")) {
        (true, _) => Stage::Pixel,
        (_, true) => Stage::Vertex,
        // A fetch shader.
        _ => return None,
    };
    let mut options = Options {
        stage,
        ..Options::default()
    };
    let shape = match name.split('.').next().unwrap_or("") {
        "ps_t_3d" => TextureShape::D3,
        "ps_t_cube" => TextureShape::Cube,
        "ps_t_array" => TextureShape::D2Array,
        _ => TextureShape::D2,
    };
    for resource in 0..=32 {
        options
            .dimensions
            .insert(resource, TextureKind::float(shape));
    }
    Some(Listed {
        name,
        program,
        options,
    })
}

fn check(path: &Path, expected: usize) {
    let lines = fs::read_to_string(path).expect("the list is readable");
    let tools = Tools::find();
    let mut translated = 0;
    for (number, line) in lines.lines().enumerate() {
        let Some(mut listed) = listed(line) else {
            continue;
        };
        for profile in [Profile::Exact, Profile::Fast] {
            listed.options.profile = profile;
            let place = format!("line {} ({}, {profile:?})", number + 1, listed.name);
            let translation = translate(&listed.program, &listed.options)
                .unwrap_or_else(|refusal| panic!("{place}: {refusal}"));
            accept(&translation.source, listed.options.stage, &place);
            tools.accept(&translation.source, listed.options.stage, &place);
            translated += 1;
        }
    }
    assert_eq!(translated, expected);
}

/// Both front ends that are crates take the source.
fn accept(source: &str, stage: Stage, place: &str) {
    let stage = match stage {
        Stage::Vertex => naga::ShaderStage::Vertex,
        _ => naga::ShaderStage::Fragment,
    };
    let options = naga::front::glsl::Options::from(stage);
    let module = naga::front::glsl::Frontend::default()
        .parse(&options, source)
        .unwrap_or_else(|error| {
            panic!("{place}: naga: {}\n{source}", error.emit_to_string(source))
        });
    let mut validator = naga::valid::Validator::new(
        naga::valid::ValidationFlags::all(),
        naga::valid::Capabilities::all(),
    );
    if let Err(error) = validator.validate(&module) {
        panic!("{place}: naga: {}\n{source}", error.emit_to_string(source));
    }
    let options = ParseOptions {
        target_vulkan: true,
        ..ParseOptions::new()
    };
    if let Err(error) = TranslationUnit::parse_with_options(source, &options) {
        panic!("{place}: glsl-lang: {error}\n{source}");
    }
}

/// The programs that a distribution's packages bring, if they are installed.
struct Tools {
    directory: PathBuf,
    installed: bool,
}

impl Tools {
    fn find() -> Self {
        let name = format!(
            "assay-glsl-{}-{:?}",
            std::process::id(),
            std::thread::current().id()
        );
        let directory = std::env::temp_dir().join(name);
        let runs = |program| Command::new(program).arg("--version").output().is_ok();
        let installed = runs("glslangValidator") && runs("spirv-val");
        if installed {
            fs::create_dir_all(&directory).expect("a directory for temporary files");
        }
        Self {
            directory,
            installed,
        }
    }

    fn accept(&self, source: &str, stage: Stage, place: &str) {
        if !self.installed {
            return;
        }
        let extension = if stage == Stage::Vertex {
            "vert"
        } else {
            "frag"
        };
        let (text, binary) = (
            self.directory.join(format!("shader.{extension}")),
            self.directory.join("shader.spv"),
        );
        fs::write(&text, source).expect("a temporary file");
        run(
            Command::new("glslangValidator")
                .arg("-V")
                .arg(&text)
                .arg("-o")
                .arg(&binary),
            source,
            place,
        );
        run(
            Command::new("spirv-val")
                .arg("--target-env")
                .arg("vulkan1.1")
                .arg(&binary),
            source,
            place,
        );
    }
}

fn run(command: &mut Command, source: &str, place: &str) {
    let output = command.output().expect("the program runs");
    assert!(
        output.status.success(),
        "{place}: {command:?}: {}{}\n{source}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

impl Drop for Tools {
    fn drop(&mut self) {
        if self.installed {
            // Nothing depends on whether the directory can be removed.
            let _ = fs::remove_dir_all(&self.directory);
        }
    }
}
