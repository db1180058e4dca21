//! Reads the input of a command: a file, or standard input for `-`.

use std::fs;
use std::io::Read;
use std::path::Path;

use anyhow::Context as _;

use super::Failure;

/// The bytes of a file, or of standard input.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin()
            .lock()
            .read_to_end(&mut bytes)
            .context("standard input")
            .map_err(Failure::usage)?;
        return Ok(bytes);
    }
    fs::read(path)
        .with_context(|| path.display().to_string())
        .map_err(Failure::usage)
}

/// What to call an input in output and errors.
pub(super) fn name(path: &Path) -> String {
    if path == Path::new("-") {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    }
}
