//! Containers in files: the file itself, or every container found inside it.

use std::path::Path;

use gfd::find::{self, Place};

/// Endings of files that hold containers.
const ENDINGS: [&str; 5] = ["gsh", "gtx", "gfd", "rpx", "rpl"];

/// Whether a file of that name holds containers.
pub fn holds(path: &Path) -> bool {
    path.extension().is_some_and(|ending| {
        ENDINGS
            .iter()
            .any(|known| ending.eq_ignore_ascii_case(known))
    })
}

/// The containers in a file, each with a name made of `origin` and its place. A file that starts as a container is one,
/// whether it parses or not: what is wrong with it is for the checks to say.
pub fn containers(bytes: &[u8], origin: &str) -> Vec<(String, Vec<u8>)> {
    if bytes.starts_with(b"Gfx2") {
        return vec![(origin.to_owned(), bytes.to_vec())];
    }
    let found = find::find(bytes, Some(origin)).found;
    found
        .into_iter()
        .map(|found| {
            (
                format!("{origin}:{}", place(&found.place)),
                found.bytes.into_owned(),
            )
        })
        .collect()
}

/// A place in a few characters.
fn place(place: &Place) -> String {
    match place {
        Place::Offset(offset) => format!("{offset:#x}"),
        Place::Array(array) => array
            .identifier
            .clone()
            .unwrap_or_else(|| format!("line{}", array.line)),
        Place::Section(section) => format!("{}+{:#x}", section.section, section.offset),
    }
}

/// Whether a block of that kind holds microcode.
pub fn is_program(kind: gfd::BlockKind) -> bool {
    matches!(
        kind,
        gfd::BlockKind::ShaderProgram(_) | gfd::BlockKind::GeometryCopyProgram
    )
}
