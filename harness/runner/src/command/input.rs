//! Reads the input of a command: a file, or standard input for `-`.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::Context as _;

use super::Failure;

/// Most bytes of an input: larger than any executable of these machines, and never the whole memory of this one.
const MOST: u64 = 1 << 30;

/// The bytes of a file, or of standard input.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    read_up_to(MOST, path).map_err(Failure::usage)
}

/// The bytes of a file, or of standard input, if they are not more than `most`.
pub(super) fn read_up_to(most: u64, path: &Path) -> anyhow::Result<Vec<u8>> {
    let bytes = match path == Path::new("-") {
        true => up_to(most, std::io::stdin().lock()),
        false => File::open(path).and_then(|file| up_to(most, file)),
    };
    bytes.with_context(|| name(path))
}

/// Without asking for the length first: pipes and devices do not know theirs.
fn up_to(most: u64, source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let what = format!("more than {most} bytes, at most these are read");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, what));
    }
    Ok(bytes)
}

/// What to call an input in output and errors.
pub(super) fn name(path: &Path) -> String {
    if path == Path::new("-") {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_without_end_is_an_error() {
        assert_eq!(up_to(4, &b"abcd"[..]).unwrap(), b"abcd");
        let error = up_to(4, io::repeat(0)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "more than 4 bytes, at most these are read"
        );
    }
}
