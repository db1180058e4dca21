//! Reads cases from the TOML files of a directory.
//!
//! A file holds any number of cases:
//!
//! ```toml
//! [[case]]
//! id       = "r700/alu/op2-opcode-is-17-7"
//! target   = "r700"
//! input    = { words = "81802c00 60400090" }   # or { hex = "…" } or { file = "…", offset = 0, length = 8, sha256 = "…" }
//! options  = { unit = "alu" }
//! expect   = { accept = { "alu.op" = "MUL" } } # or { reject = "truncated", offset = 0 } or { unsupported = true }
//! evidence = "vendor-spec"
//! source   = "R700 ISA, ALU_WORD1_OP2, ALU_INST"
//! note     = "read at [17:8] this word is ADD"
//! ```
//!
//! Unknown keys are refused and ids are unique over the whole directory. `words` are 32-bit words as disassemblers print
//! them, stored little-endian. A `file` is found from the loaded directory and cannot lead out of it.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use serde::Deserialize;
use sha2::{Digest, Sha256};
use thiserror::Error;
use walkdir::WalkDir;

use crate::case::{Case, Expectation};
use crate::hex::{self, HexError};
use crate::{Evidence, Options, RejectClass};

/// Why a directory of cases could not be loaded.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The directory, or a file in it, cannot be read.
    #[error("{path}: {error}")]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file that is not TOML, or not of this shape.
    #[error("{path}: {error}")]
    Syntax {
        /// Which.
        path: PathBuf,
        /// Where and why.
        error: Box<toml::de::Error>,
    },
    /// A case that makes no sense.
    #[error("{path}: case {id:?}: {why}")]
    Case {
        /// Which file.
        path: PathBuf,
        /// Which case.
        id: String,
        /// Why.
        why: String,
    },
    /// Two cases with one id.
    #[error("case {id:?} is in {second} and already in {first}")]
    Twice {
        /// The id.
        id: String,
        /// Where it was first.
        first: PathBuf,
        /// Where it is again.
        second: PathBuf,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseFile {
    #[serde(default, rename = "case")]
    cases: Vec<RawCase>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCase {
    id: String,
    target: String,
    input: RawInput,
    #[serde(default)]
    options: Options,
    expect: RawExpect,
    evidence: Evidence,
    source: String,
    #[serde(default)]
    note: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawInput {
    hex: Option<String>,
    words: Option<String>,
    file: Option<PathBuf>,
    offset: Option<usize>,
    length: Option<usize>,
    sha256: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawExpect {
    accept: Option<BTreeMap<String, toml::Value>>,
    #[serde(default)]
    absent: Vec<String>,
    consumed: Option<u64>,
    reject: Option<RejectClass>,
    offset: Option<u64>,
    unsupported: Option<bool>,
}

/// Loads every file below a directory whose name ends like that, in the order of their paths. Links are followed.
pub fn directory(root: &Path, ending: &str) -> Result<Vec<Case>, LoadError> {
    let mut cases = Vec::new();
    let mut places: HashMap<String, PathBuf> = HashMap::new();
    for entry in WalkDir::new(root).follow_links(true).sort_by_file_name() {
        let entry = entry.map_err(|error| LoadError::Read {
            path: error.path().unwrap_or(root).to_owned(),
            error: error.into(),
        })?;
        let path = entry.path();
        let is_named = entry.file_name().to_string_lossy().ends_with(ending);
        if !entry.file_type().is_file() || !is_named {
            continue;
        }
        for case in file(path, root)? {
            if let Some(first) = places.insert(case.id.clone(), case.file.clone()) {
                return Err(LoadError::Twice {
                    id: case.id,
                    first,
                    second: case.file,
                });
            }
            cases.push(case);
        }
    }
    Ok(cases)
}

/// Loads one file; inputs named in it are found from `root`.
pub fn file(path: &Path, root: &Path) -> Result<Vec<Case>, LoadError> {
    let text = fs::read_to_string(path).map_err(|error| LoadError::Read {
        path: path.to_owned(),
        error,
    })?;
    parse(&text, path, root)
}

/// Reads cases from text; `path` is named in errors and kept in the cases.
pub fn parse(text: &str, path: &Path, root: &Path) -> Result<Vec<Case>, LoadError> {
    let file: CaseFile = toml::from_str(text).map_err(|error| LoadError::Syntax {
        path: path.to_owned(),
        error: Box::new(error),
    })?;
    file.cases
        .into_iter()
        .map(|raw| {
            let id = raw.id.clone();
            raw.into_case(path, root).map_err(|why| LoadError::Case {
                path: path.to_owned(),
                id,
                why,
            })
        })
        .collect()
}

impl RawCase {
    fn into_case(self, path: &Path, root: &Path) -> Result<Case, String> {
        if self.id.is_empty() || self.id.contains(char::is_whitespace) {
            return Err("an id is not empty and has no blanks".to_owned());
        }
        if self.source.is_empty() {
            return Err("source is empty: say where the expectation comes from".to_owned());
        }
        Ok(Case {
            id: self.id,
            target: self.target,
            input: self.input.read(root)?,
            options: self.options,
            expect: self.expect.read()?,
            evidence: self.evidence,
            source: self.source,
            note: self.note,
            file: path.to_owned(),
        })
    }
}

impl RawInput {
    fn read(self, root: &Path) -> Result<Vec<u8>, String> {
        let hex = |error: HexError| error.to_string();
        let bytes = match (self.hex, self.words, &self.file) {
            (Some(text), None, None) => hex::bytes(&text).map_err(hex)?,
            (None, Some(text), None) => hex::little_endian_words(&text).map_err(hex)?,
            (None, None, Some(name)) => {
                if name
                    .components()
                    .any(|part| !matches!(part, Component::Normal(_)))
                {
                    return Err(format!(
                        "input file {name:?} leads out of the loaded directory"
                    ));
                }
                let path = root.join(name);
                fs::read(&path)
                    .map_err(|error| format!("input file {}: {error}", path.display()))?
            }
            _ => return Err("input needs exactly one of hex, words and file".to_owned()),
        };
        if let Some(wanted) = self.sha256 {
            let found = hex::encode(&Sha256::digest(&bytes));
            if !wanted.eq_ignore_ascii_case(&found) {
                return Err(format!("input has SHA-256 {found}, the case says {wanted}"));
            }
        }
        let offset = self.offset.unwrap_or(0);
        let length = self.length.unwrap_or(bytes.len().saturating_sub(offset));
        let part = offset
            .checked_add(length)
            .and_then(|end| bytes.get(offset..end));
        part.map(<[u8]>::to_vec).ok_or_else(|| {
            format!(
                "input [{offset}, {offset} + {length}) is not inside its {} bytes",
                bytes.len()
            )
        })
    }
}

impl RawExpect {
    fn read(self) -> Result<Expectation, String> {
        let (accepts, rejects) = (self.accept.is_some(), self.reject.is_some());
        let unsupported = self.unsupported.unwrap_or(false);
        if usize::from(accepts) + usize::from(rejects) + usize::from(unsupported) != 1 {
            return Err(
                "expect needs exactly one of accept, reject and unsupported = true".to_owned(),
            );
        }
        if !accepts && (self.consumed.is_some() || !self.absent.is_empty()) {
            return Err("consumed and absent go with accept".to_owned());
        }
        if !rejects && self.offset.is_some() {
            return Err("offset goes with reject".to_owned());
        }
        Ok(match (self.accept, self.reject) {
            (Some(fields), _) => Expectation::Accept {
                fields,
                absent: self.absent,
                consumed: self.consumed,
            },
            (None, Some(class)) => Expectation::Reject {
                class,
                offset: self.offset,
            },
            (None, None) => Expectation::Unsupported,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(body: &str) -> Result<Vec<Case>, String> {
        let text = format!(
            "[[case]]\nid = \"t/a\"\ntarget = \"t\"\nevidence = \"inferred\"\nsource = \"s\"\n{body}"
        );
        parse(&text, Path::new("f.toml"), Path::new(".")).map_err(|error| error.to_string())
    }

    #[test]
    fn a_whole_case() {
        let body =
            "input = { words = \"00000001\" }\nexpect = { reject = \"truncated\", offset = 0 }";
        let cases = load(body).unwrap();
        assert_eq!(cases[0].input, [1, 0, 0, 0]);
        assert_eq!(
            cases[0].expect,
            Expectation::Reject {
                class: RejectClass::Truncated,
                offset: Some(0)
            }
        );
    }

    #[test]
    fn what_is_refused_is_named() {
        let ok = "expect = { reject = \"truncated\" }";
        for (body, why) in [
            (
                format!("input = {{ hex = \"0\" }}\n{ok}"),
                "1 hex digits are not a whole number",
            ),
            (
                format!("input = {{ }}\n{ok}"),
                "exactly one of hex, words and file",
            ),
            (
                format!("input = {{ file = \"../x\" }}\n{ok}"),
                "leads out of the loaded directory",
            ),
            (
                format!("input = {{ file = \"/x\" }}\n{ok}"),
                "leads out of the loaded directory",
            ),
            (
                format!("input = {{ hex = \"00\", offset = 2 }}\n{ok}"),
                "is not inside its 1 bytes",
            ),
            (
                format!("input = {{ hex = \"00\", sha256 = \"00\" }}\n{ok}"),
                "SHA-256",
            ),
            (
                format!("input = {{ hex = \"00\" }}\n{ok}\nnotes = \"x\""),
                "unknown field `notes`",
            ),
            (
                "input = { hex = \"00\" }\nexpect = { }".to_owned(),
                "exactly one of accept",
            ),
            (
                "input = { hex = \"00\" }\nexpect = { reject = \"limit\", consumed = 1 }"
                    .to_owned(),
                "consumed and absent go with accept",
            ),
            (
                "input = { hex = \"00\" }\nexpect = { reject = \"wrong\" }".to_owned(),
                "unknown variant",
            ),
        ] {
            let error = load(&body).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
    }
}
