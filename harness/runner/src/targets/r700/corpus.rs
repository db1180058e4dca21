//! Programs in files: `programs.jsonl`, and every program of a GFD container or of a file with such containers in it.

use std::path::Path;
use std::sync::Arc;

use corpora::{Options, hex};

use super::ids::Ids;
use super::names::Aliases;
use super::peer::{self, Program};
use crate::report::model::NotRun;
use crate::target::{Found, Input};

/// Whether a file of that name holds programs.
pub(super) fn reads(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|name| name == "programs.jsonl")
        || crate::targets::gfd::holds(path)
}

/// The programs in a file.
pub(super) fn inputs(
    path: &Path,
    bytes: &[u8],
    origin: &str,
    ids: &Ids,
    aliases: &Aliases,
) -> Result<Found, String> {
    if path
        .extension()
        .is_some_and(|extension| extension == "jsonl")
    {
        return lines(bytes, origin, ids, aliases);
    }
    // What is passed over here is passed over by the target of containers, which says so.
    let containers = crate::targets::gfd::containers(bytes, origin).found;
    let mut found = Found::default();
    for (name, container) in &containers {
        match gfd::parse(container) {
            Ok(file) => found.inputs.extend(programs(&file, name)),
            Err(error) => found.passed_over.push(NotRun {
                what: format!("programs in {name}"),
                reason: error.to_string(),
            }),
        }
    }
    Ok(found)
}

fn options() -> Options {
    Options::new().with("unit", "program").with("chip", "r700")
}

fn lines(bytes: &[u8], origin: &str, ids: &Ids, aliases: &Aliases) -> Result<Found, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
    let mut found = Found::default();
    let mut others = 0;
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let at = |why: String| format!("line {}: {why}", number + 1);
        let program: Program = serde_json::from_str(line).map_err(|error| at(error.to_string()))?;
        if program.gprs.is_none() {
            others += 1;
            continue;
        }
        let words = hex::little_endian_words(&program.words.join(" "))
            .map_err(|error| at(error.to_string()))?;
        let backend = program.backend.as_ref().map(|name| format!(".{name}"));
        found.inputs.push(Input {
            origin: format!("{origin}:{}{}", program.id, backend.unwrap_or_default()),
            options: options(),
            bytes: words.into(),
            peer: peer::answers(&program, ids, aliases).map_err(at)?,
        });
    }
    if others > 0 {
        found.passed_over.push(NotRun {
            what: format!("{others} programs in {origin}"),
            reason: "no gprs in the line: programs of another family".to_owned(),
        });
    }
    Ok(found)
}

/// The programs of a container, as the decoder of containers sees them.
fn programs(file: &gfd::File<'_>, origin: &str) -> Vec<Input> {
    let blocks = file.blocks().iter().enumerate();
    let programs = blocks.filter(|(_, block)| crate::targets::gfd::is_program(block.kind()));
    programs
        .map(|(number, block)| Input {
            origin: format!("{origin}:block{number}"),
            options: options(),
            bytes: Arc::from(block.data()),
            peer: None,
        })
        .collect()
}
