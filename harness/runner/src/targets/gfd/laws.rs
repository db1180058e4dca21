//! Laws of the container library.

use corpora::Options;

use crate::target::{Broken, Held, Law};

/// Most prefixes of one file that are tried.
const PREFIXES: usize = 64;

/// All laws.
pub(super) fn all() -> Vec<Law> {
    let law = |name, check| Law {
        name,
        applies: |_: &Options| true,
        check,
    };
    vec![
        law("parse-write", parse_write),
        law("edit-write", edit_write),
        law("prefix-truncated", prefix_truncated),
        law("found-in-noise", found_in_noise),
        law("error-in-bounds", error_in_bounds),
    ]
}

fn broken(expected: impl Into<String>, found: impl Into<String>) -> Result<Held, Broken> {
    Err(Broken {
        expected: expected.into(),
        found: found.into(),
    })
}

fn first_difference(a: &[u8], b: &[u8]) -> String {
    match a.iter().zip(b).position(|(a, b)| a != b) {
        Some(at) => format!("byte {at:#x} is {:#04x}, was {:#04x}", b[at], a[at]),
        None => format!("{} bytes, was {}", b.len(), a.len()),
    }
}

/// A parsed file is written back byte for byte.
fn parse_write(input: &[u8], _: &Options) -> Result<Held, Broken> {
    let Ok(file) = gfd::parse(input) else {
        return Ok(Held::Silent);
    };
    let written = file.write();
    if written == input {
        return Ok(Held::Holds);
    }
    broken(
        "the bytes that were parsed",
        first_difference(input, &written),
    )
}

/// A parsed file, taken apart into values of its own, is written back byte for byte.
fn edit_write(input: &[u8], _: &Options) -> Result<Held, Broken> {
    let Ok(file) = gfd::parse(input) else {
        return Ok(Held::Silent);
    };
    // Names may share their bytes without bound; such a file cannot be taken apart.
    let Ok(owned) = gfd::OwnedFile::try_from(&file) else {
        return Ok(Held::Silent);
    };
    let written = match owned.write() {
        Ok(written) => written,
        Err(error) => return broken("a file", format!("error: {error}")),
    };
    if written == input {
        return Ok(Held::Holds);
    }
    broken(
        "the bytes that were parsed",
        first_difference(input, &written),
    )
}

/// Whatever ends before an accepted file does is rejected as truncated.
fn prefix_truncated(input: &[u8], _: &Options) -> Result<Held, Broken> {
    let Ok(file) = gfd::parse(input) else {
        return Ok(Held::Silent);
    };
    let end = file.consumed();
    for length in (0..end).step_by((end / PREFIXES).max(1)) {
        match gfd::parse(&input[..length]) {
            Err(error) if error.class() == "truncated" && error.offset() <= length => {}
            Err(error) => {
                let found = format!(
                    "prefix of {length}: {} at {}",
                    error.class(),
                    error.offset()
                );
                return broken("truncated, inside the prefix", found);
            }
            Ok(_) => return broken("truncated", format!("the prefix of {length} is accepted")),
        }
    }
    Ok(Held::Holds)
}

/// A file is found in other bytes, where it is and as long as it is.
fn found_in_noise(input: &[u8], _: &Options) -> Result<Held, Broken> {
    let Ok(file) = gfd::parse(input) else {
        return Ok(Held::Silent);
    };
    let container = &input[..file.consumed()];
    // Almost a container before it, and half a magic number behind it.
    let before: &[u8] = b"\x7fnoise Gfx2 BLK{ Gfx";
    let mut bytes = before.to_vec();
    bytes.extend_from_slice(container);
    bytes.extend_from_slice(b"Gf");
    let findings = gfd::find::raw(&bytes);
    let found = findings.found.iter().any(|found| {
        matches!(found.place, gfd::find::Place::Offset(offset) if offset == before.len())
            && *found.bytes == *container
    });
    if found {
        return Ok(Held::Holds);
    }
    broken(
        format!("a container at {}", before.len()),
        format!("{} containers", findings.found.len()),
    )
}

/// An error names a class of the contract and a place in the input.
fn error_in_bounds(input: &[u8], _: &Options) -> Result<Held, Broken> {
    let Err(error) = gfd::parse(input) else {
        return Ok(Held::Silent);
    };
    let known = corpora::RejectClass::from_name(error.class()).is_some();
    if known && error.offset() <= input.len() {
        return Ok(Held::Holds);
    }
    broken(
        format!("a class of the contract, at most at {}", input.len()),
        format!("{} at {}", error.class(), error.offset()),
    )
}
