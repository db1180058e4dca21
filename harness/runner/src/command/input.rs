//! Reads the input of a command: a file, or standard input for `-`.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use anyhow::{Context as _, anyhow};

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

/// A file, or standard input, to be read bit by bit.
pub(super) fn open(path: &Path) -> Result<Box<dyn BufRead>, Failure> {
    if path == Path::new("-") {
        return Ok(Box::new(std::io::stdin().lock()));
    }
    let file = File::open(path)
        .with_context(|| path.display().to_string())
        .map_err(Failure::usage)?;
    Ok(Box::new(BufReader::new(file)))
}

/// Refuses standard input for more than one of a command's inputs: the first would leave nothing to the second.
pub(super) fn standard_input_once<'a>(
    inputs: impl IntoIterator<Item = (&'static str, &'a Path)>,
) -> Result<(), Failure> {
    let asked = inputs
        .into_iter()
        .filter(|(_, path)| *path == Path::new("-"));
    let asked: Vec<_> = asked.map(|(name, _)| name).collect();
    if asked.len() < 2 {
        return Ok(());
    }
    let asked = asked.join(" and ");
    Err(Failure::usage(anyhow!(
        "standard input can be one input only, and is to be {asked}"
    )))
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
