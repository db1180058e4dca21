//! Khronos' reference compiler, when `glslangValidator` is installed.

use std::process::{Command, Stdio};

use corpora::execution::Stage;

use super::CompileError;

/// What glslang says of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Glslang {
    /// It is not installed.
    NotInstalled,
    /// It compiled.
    Compiled(Vec<u32>),
    /// It did not.
    Failed(CompileError),
}

const PROGRAM: &str = "glslangValidator";

/// Compiles a shader with glslang, for Vulkan 1.1 and so SPIR-V 1.3.
pub fn compile_with_glslang(source: &str, stage: Stage) -> Glslang {
    let failed =
        |message: String| Glslang::Failed(CompileError::new("glslang", message, source, None));
    let extension = match stage {
        Stage::Vertex => "vert",
        Stage::Pixel => "frag",
    };
    let directory = match tempfile::tempdir() {
        Ok(directory) => directory,
        Err(error) => return failed(format!("no temporary directory: {error}")),
    };
    let input = directory.path().join(format!("shader.{extension}"));
    let output = directory.path().join("shader.spv");
    if let Err(error) = std::fs::write(&input, source) {
        return failed(format!("cannot write a temporary file: {error}"));
    }
    let run = Command::new(PROGRAM)
        .args(["--target-env", "vulkan1.1", "-o"])
        .args([&output, &input])
        .stdin(Stdio::null())
        .output();
    let run = match run {
        Ok(run) => run,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Glslang::NotInstalled,
        Err(error) => return failed(format!("cannot run {PROGRAM}: {error}")),
    };
    if !run.status.success() {
        return Glslang::Failed(first_error(&String::from_utf8_lossy(&run.stdout), source));
    }
    match std::fs::read(&output) {
        Ok(bytes) => Glslang::Compiled(
            bytes
                .chunks_exact(4)
                .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
                .collect(),
        ),
        Err(error) => failed(format!("{PROGRAM} wrote nothing: {error}")),
    }
}

/// The first error of what it prints: `ERROR: file:12: 'name' : message`. It gives no columns, so the
/// column is that of the name in the line, or 1.
fn first_error(printed: &str, source: &str) -> CompileError {
    let error = printed
        .lines()
        .find_map(|line| line.strip_prefix("ERROR: "))
        .unwrap_or("no message");
    let parts = error
        .find(".vert:")
        .or_else(|| error.find(".frag:"))
        .and_then(|dot| {
            let (number, message) = error[dot + ".vert:".len()..].split_once(':')?;
            Some((number.trim().parse::<u32>().ok()?, message.trim()))
        });
    let Some((row, message)) = parts else {
        return CompileError::new("glslang", error, source, None);
    };
    let text = (row as usize)
        .checked_sub(1)
        .and_then(|row| source.lines().nth(row))
        .unwrap_or("");
    let name = message
        .strip_prefix('\'')
        .and_then(|rest| rest.split('\'').next());
    let column = name
        .and_then(|name| text.find(name))
        .map_or(1, |byte| byte as u32 + 1);
    CompileError::new("glslang", message, source, Some((row, column)))
}
