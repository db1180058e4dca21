//! The containers of the files that a command names.

use std::path::Path;

use anyhow::anyhow;
use gfd::find::{self, Findings, Found, InputKind, Place};

use crate::command::{Failure, input, output};

/// A container, and what is known of where it stands.
pub(super) struct Container {
    /// The file it is in.
    pub(super) file: String,
    /// Where in the file, if it is not the file itself.
    pub(super) place: Option<String>,
    /// A name for it: a symbol or identifier, or the file's.
    pub(super) name: String,
    /// The source file that it was compiled from, if the file says so.
    pub(super) source: Option<String>,
    /// Further facts about the place.
    pub(super) facts: Vec<(&'static str, String)>,
    /// Its bytes, and whatever follows them in the file if it is the file itself.
    pub(super) bytes: Vec<u8>,
}

/// All containers of a file. A file without any is an error that says what came nearest.
pub(super) fn open(path: &Path) -> Result<Vec<Container>, Failure> {
    let (name, bytes) = (input::name(path), input::read(path)?);
    let fail = |why: String| Failure::usage(anyhow!("{name}: {why}"));
    let stem = path
        .file_stem()
        .map_or_else(|| "stdin".to_owned(), |s| s.to_string_lossy().into_owned());
    if bytes.starts_with(b"Gfx2") {
        let consumed = bound_names(&bytes).map_err(fail)?;
        // More of them may follow the first, one behind the other.
        let behind = find::raw(&bytes[consumed..]);
        note(&name, consumed, &behind);
        let mut more = Vec::new();
        for (number, mut found) in behind.found.into_iter().enumerate() {
            if let Place::Offset(offset) = &mut found.place {
                *offset += consumed;
            }
            let fallback = format!("{stem}-{}", number + 1);
            let container = describe(name.clone(), fallback, found);
            bound_names(&container.bytes).map_err(fail)?;
            more.push(container);
        }
        let mut containers = vec![Container {
            file: name,
            place: None,
            name: stem,
            source: None,
            facts: Vec::new(),
            bytes,
        }];
        containers.append(&mut more);
        return Ok(containers);
    }
    let findings = find::find(&bytes, path.to_str());
    if findings.found.is_empty() {
        if let Some(problem) = findings.problems.first() {
            return Err(fail(format!("no GFD container found: {problem}")));
        }
        if let Some(near) = findings.near.first() {
            return Err(fail(format!(
                "no GFD container found; one begins but: {}",
                near.error
            )));
        }
        return Err(fail(match findings.kind {
            InputKind::Executable => "no GFD container in any section".to_owned(),
            _ => "no GFD container in it: byte 0 is not \"Gfx2\", and none begins further on"
                .to_owned(),
        }));
    }
    note(&name, 0, &findings);
    let several = findings.found.len() > 1;
    let container = |(number, found): (usize, Found<'_>)| {
        let fallback = if several {
            format!("{stem}-{number}")
        } else {
            stem.clone()
        };
        describe(name.clone(), fallback, found)
    };
    let containers: Vec<_> = findings
        .found
        .into_iter()
        .enumerate()
        .map(container)
        .collect();
    for container in &containers {
        let place = container.place.as_deref().unwrap_or("offset 0");
        bound_names(&container.bytes).map_err(|why| fail(format!("{place}: {why}")))?;
    }
    Ok(containers)
}

/// Most notes on one file.
const NOTES: usize = 5;

/// Says, on standard error, what begins like a container beside those that were found and is none.
fn note(file: &str, from: usize, findings: &Findings<'_>) {
    let problems = findings.problems.iter().map(ToString::to_string);
    let near = findings.near.iter().map(|near| match near.place {
        Place::Offset(offset) => format!("{:#x}: not a container: {}", from + offset, near.error),
        _ => format!("not a container: {}", near.error),
    });
    let notes: Vec<String> = problems.chain(near).collect();
    for note in notes.iter().take(NOTES) {
        output::note(&format!("{file}: {note}"));
    }
    if notes.len() > NOTES {
        output::note(&format!("{file}: and {} more", notes.len() - NOTES));
    }
}

/// Refuses what does not parse, and what cannot be shown: names may share their text, so that a file of a megabyte can
/// name gigabytes. Answers how many bytes the container has.
fn bound_names(bytes: &[u8]) -> Result<usize, String> {
    let file = gfd::parse(bytes).map_err(|error| error.to_string())?;
    match file.names_length(gfd::MAX_NAMES_LENGTH) {
        Some(_) => Ok(file.consumed()),
        None => Err(format!(
            "the names of the container share their text and come to more than {} bytes together; \
             at most that many are allowed",
            gfd::MAX_NAMES_LENGTH
        )),
    }
}

fn describe(file: String, fallback: String, found: Found<'_>) -> Container {
    let (name, source, place, facts) = match found.place {
        Place::Offset(offset) => (None, None, format!("offset {offset:#x}"), Vec::new()),
        Place::Array(array) => {
            let place = format!(
                "line {}, offset {:#x} of the array",
                array.line, array.offset
            );
            (array.identifier, None, place, Vec::new())
        }
        Place::Section(section) => {
            let mut facts = vec![("address", format!("{:#010x}", section.address))];
            if let Some(size) = &section.size_symbol {
                let agrees = if size.agrees {
                    ""
                } else {
                    ", not the container's size"
                };
                facts.push((
                    "size symbol",
                    format!("{} = {}{agrees}", size.name, size.value),
                ));
            }
            let place = format!(
                "section {} ({}), offset {:#x}",
                section.index, section.section, section.offset
            );
            (
                section.symbol,
                section.source.map(|source| source.path),
                place,
                facts,
            )
        }
    };
    Container {
        file,
        place: Some(place),
        name: name.unwrap_or(fallback),
        source,
        facts,
        bytes: found.bytes.into_owned(),
    }
}
