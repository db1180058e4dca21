//! Finds the inputs of all targets in a directory of files.

use std::fs;
use std::path::{Path, PathBuf};

use thiserror::Error;
use walkdir::WalkDir;

use crate::target::{Found, Target};

/// Files above this size are not read: no container or program comes near it.
const LARGEST: u64 = 256 << 20;

/// Why a directory of inputs could not be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum InputError {
    /// A directory or file that cannot be read.
    #[error("{path}: {error}")]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A file that is too large.
    #[error("{path}: {size} bytes; at most {LARGEST} are read")]
    Large {
        /// Which.
        path: PathBuf,
        /// Its size.
        size: u64,
    },
    /// A list of programs that is not one.
    #[error("{path}: {why}")]
    Malformed {
        /// Which.
        path: PathBuf,
        /// Where and why.
        why: String,
    },
}

/// Reads the inputs of each target below `root`; `prefix` is put before their origins. The lists are in the order of
/// `targets`, inputs in the order of their paths. Links are followed.
pub fn directory(
    root: &Path,
    prefix: Option<&str>,
    targets: &[Box<dyn Target>],
) -> Result<Vec<Found>, InputError> {
    let mut all: Vec<Found> = targets.iter().map(|_| Found::default()).collect();
    let read = |path: &Path, error| InputError::Read {
        path: path.to_owned(),
        error,
    };
    let whole = fs::canonicalize(root).map_err(|error| read(root, error))?;
    let base = whole.file_name().map_or_else(
        || "corpus".to_owned(),
        |name| name.to_string_lossy().into_owned(),
    );
    for entry in WalkDir::new(root).follow_links(true).sort_by_file_name() {
        let entry = entry.map_err(|error| {
            let path = error.path().unwrap_or(root).to_owned();
            read(&path, error.into())
        })?;
        let path = entry.path();
        if !entry.file_type().is_file() || !targets.iter().any(|target| target.reads(path)) {
            continue;
        }
        let size = entry
            .metadata()
            .map_err(|error| read(path, error.into()))?
            .len();
        if size > LARGEST {
            return Err(InputError::Large {
                path: path.to_owned(),
                size,
            });
        }
        let bytes = fs::read(path).map_err(|error| read(path, error))?;
        let relative = path
            .strip_prefix(root)
            .unwrap_or(path)
            .to_string_lossy()
            .replace('\\', "/");
        let origin = match prefix {
            Some(prefix) => format!("{prefix}/{relative}"),
            None if relative.contains('/') => relative,
            None => format!("{base}/{relative}"),
        };
        for (target, all) in targets.iter().zip(&mut all) {
            if target.reads(path) {
                let found = target.inputs(path, &bytes, &origin);
                let found = found.map_err(|why| InputError::Malformed {
                    path: path.to_owned(),
                    why,
                })?;
                all.inputs.extend(found.inputs);
                all.passed_over.extend(found.passed_over);
            }
        }
    }
    Ok(all)
}
