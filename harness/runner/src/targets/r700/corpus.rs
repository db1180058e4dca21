//! Programs in files: `programs.jsonl`, and every program of a GFD container or of a file with such containers in it.

use std::path::Path;
use std::sync::Arc;

use corpora::{Options, hex};

use super::ids::Ids;
use super::names::Aliases;
use super::peer::{self, Program};
use crate::target::Input;

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
) -> Result<Vec<Input>, String> {
    if path
        .extension()
        .is_some_and(|extension| extension == "jsonl")
    {
        return lines(bytes, origin, ids, aliases);
    }
    let containers = crate::targets::gfd::containers(bytes, origin);
    Ok(containers
        .iter()
        .flat_map(|(name, container)| programs(container, name))
        .collect())
}

fn options() -> Options {
    Options::new().with("unit", "program").with("chip", "r700")
}

fn lines(bytes: &[u8], origin: &str, ids: &Ids, aliases: &Aliases) -> Result<Vec<Input>, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
    let mut inputs = Vec::new();
    for (number, line) in text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
    {
        let at = |why: String| format!("line {}: {why}", number + 1);
        let program: Program = serde_json::from_str(line).map_err(|error| at(error.to_string()))?;
        if program.gprs.is_none() {
            continue;
        }
        let words = hex::little_endian_words(&program.words.join(" "))
            .map_err(|error| at(error.to_string()))?;
        let backend = program
            .backend
            .as_ref()
            .map(|name| format!(".{name}"))
            .unwrap_or_default();
        inputs.push(Input {
            origin: format!("{origin}:{}{backend}", program.id),
            options: options(),
            bytes: words.into(),
            peer: peer::answers(&program, ids, aliases).map_err(at)?,
        });
    }
    Ok(inputs)
}

/// The programs of a container, as the decoder of containers sees them.
fn programs(container: &[u8], origin: &str) -> Vec<Input> {
    let Ok(file) = gfd::parse(container) else {
        return Vec::new();
    };
    let programs = file
        .blocks()
        .iter()
        .enumerate()
        .filter(|(_, block)| crate::targets::gfd::is_program(block.kind()));
    programs
        .map(|(number, block)| Input {
            origin: format!("{origin}:block{number}"),
            options: options(),
            bytes: Arc::from(block.data()),
            peer: None,
        })
        .collect()
}
