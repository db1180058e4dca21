//! Containers in files: the file itself, or every container found inside it.

use std::path::Path;

use gfd::find::{self, Place};

use crate::report::model::NotRun;

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

/// Containers found in a file, and what was passed over.
#[derive(Default)]
pub struct Containers {
    /// Each with a name made of the file's and its place.
    pub found: Vec<(String, Vec<u8>)>,
    /// What begins like a container, or like an executable, and cannot be read.
    pub passed_over: Vec<NotRun>,
}

/// The containers in a file. A file that starts as a container is one, whether it parses or not: what is wrong with it is
/// for the checks to say.
pub fn containers(bytes: &[u8], origin: &str) -> Containers {
    if bytes.starts_with(b"Gfx2") {
        return Containers {
            found: vec![(origin.to_owned(), bytes.to_vec())],
            passed_over: Vec::new(),
        };
    }
    let findings = find::find(bytes, Some(origin));
    let name = |at: &Place| format!("{origin}:{}", place(at));
    let mut passed_over: Vec<NotRun> = Vec::new();
    let mut pass = |what: String, reason: String| passed_over.push(NotRun { what, reason });
    for problem in &findings.problems {
        pass(origin.to_owned(), problem.to_string());
    }
    for near in &findings.near {
        pass(name(&near.place), near.error.to_string());
    }
    if findings.found.is_empty() && findings.near.is_empty() && findings.problems.is_empty() {
        pass(origin.to_owned(), "no GFD container in it".to_owned());
    }
    let found = findings.found.into_iter();
    let found = found.map(|found| (name(&found.place), found.bytes.into_owned()));
    Containers {
        found: found.collect(),
        passed_over,
    }
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
