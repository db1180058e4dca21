//! The report as files in a directory, and back.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::model::{Report, SCHEMA};
use super::{html, junit, sarif};

/// The report itself, in its directory.
pub const REPORT_JSON: &str = "report.json";

/// Every file that [`write()`] writes.
pub const FILES: [&str; 5] = [
    REPORT_JSON,
    "report.html",
    "junit.xml",
    "sarif.json",
    "durations.json",
];

/// Why a report cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file cannot be opened or read.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// Not JSON, or not a report.
    #[error("{}: not a report: {error}", .path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// What is wrong, with line and column.
        error: serde_json::Error,
    },
    /// A report of another version of the schema.
    #[error("{}: schema {found}, and this program reads schema {SCHEMA}", .path.display())]
    Schema {
        /// The file.
        path: PathBuf,
        /// The schema it says it has.
        found: u32,
    },
    /// A row of the coverage that does not fit its columns.
    #[error(
        "{}: coverage of {axis}: row {row:?} has {found} cells, and there are {expected} columns",
        .path.display()
    )]
    Cells {
        /// The file.
        path: PathBuf,
        /// The table's axis.
        axis: String,
        /// The row's name.
        row: String,
        /// How many cells it has.
        found: usize,
        /// How many it should have.
        expected: usize,
    },
}

/// Writes a report and its views: `report.json`, `report.html`, `junit.xml`, `sarif.json` and `durations.json`.
///
/// The directory is made if it is not there, and files of an earlier run are replaced. Each file is written under a
/// temporary name first, and none is renamed before all are written, `report.json` last: a reader sees whole files only.
///
/// # Errors
///
/// Whatever the file system says, with the file's name. If a file cannot be written, nothing is replaced.
pub fn write(report: &Report, durations: &serde_json::Value, dir: &Path) -> io::Result<()> {
    let files = [
        ("report.html", html::render(report)),
        ("junit.xml", junit::render(report)),
        ("sarif.json", sarif::render(report)),
        ("durations.json", json(durations)?),
        (REPORT_JSON, json(report)?),
    ];
    fs::create_dir_all(dir).map_err(|error| named(error, dir))?;
    let temporary = |name: &str| dir.join(format!(".{name}.{}.partial", std::process::id()));
    let written = files
        .iter()
        .try_for_each(|(name, text)| put(&temporary(name), text))
        .and_then(|()| {
            files.iter().try_for_each(|(name, _)| {
                let path = dir.join(name);
                fs::rename(temporary(name), &path).map_err(|error| named(error, &path))
            })
        });
    if written.is_err() {
        for (name, _) in &files {
            // The error to tell is the first one; a temporary file that was renamed or never made is not there.
            let _ = fs::remove_file(temporary(name));
        }
    }
    written
}

/// Reads a report back, from its file or from the directory that it is in.
///
/// # Errors
///
/// One line that names the file: it cannot be read, is not JSON, is no report, or is one of another schema.
pub fn read(path: &Path) -> Result<Report, ReadError> {
    /// As much of a report of any schema as says which schema it is.
    #[derive(serde::Deserialize)]
    struct Versioned {
        schema: u32,
    }

    let path = if path.is_dir() {
        path.join(REPORT_JSON)
    } else {
        path.to_path_buf()
    };
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) => return Err(ReadError::Io { path, error }),
    };
    match serde_json::from_str::<Versioned>(&text) {
        Ok(Versioned { schema: SCHEMA }) => {}
        Ok(Versioned { schema }) => {
            return Err(ReadError::Schema {
                path,
                found: schema,
            });
        }
        Err(error) => return Err(ReadError::Syntax { path, error }),
    }
    let report: Report = match serde_json::from_str(&text) {
        Ok(report) => report,
        Err(error) => return Err(ReadError::Syntax { path, error }),
    };
    for coverage in &report.coverage {
        for row in &coverage.rows {
            let (found, expected) = (row.varied.len(), coverage.fields.len());
            if found != expected {
                let (axis, row) = (coverage.axis.clone(), row.name.clone());
                return Err(ReadError::Cells {
                    path,
                    axis,
                    row,
                    found,
                    expected,
                });
            }
        }
    }
    Ok(report)
}

fn json<T: serde::Serialize>(value: &T) -> io::Result<String> {
    let mut text = serde_json::to_string_pretty(value)?;
    text.push('\n');
    Ok(text)
}

fn put(path: &Path, text: &str) -> io::Result<()> {
    let written = File::create(path).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    written.map_err(|error| named(error, path))
}

fn named(error: io::Error, path: &Path) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample::{agreeing, disagreeing};

    fn names(dir: &Path) -> Vec<String> {
        let entries = fs::read_dir(dir).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn what_is_written_is_read_back() {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("reports").join("latest");
        let durations = serde_json::json!({ "total": 1.5 });
        write(&agreeing(), &durations, &out).unwrap();
        write(&disagreeing(), &durations, &out).unwrap();
        let expected = [
            "durations.json",
            "junit.xml",
            "report.html",
            "report.json",
            "sarif.json",
        ];
        assert_eq!(names(&out), expected);
        assert_eq!(read(&out).unwrap(), disagreeing());
        assert_eq!(read(&out.join(REPORT_JSON)).unwrap(), disagreeing());
        let text = fs::read_to_string(out.join(REPORT_JSON)).unwrap();
        assert!(text.starts_with("{\n  \"schema\": 2,\n") && text.ends_with("}\n"));
    }

    #[test]
    fn a_failure_leaves_no_temporary_file_and_names_the_file() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("junit.xml")).unwrap();
        fs::write(dir.path().join("junit.xml").join("in the way"), "").unwrap();
        let error = write(&agreeing(), &serde_json::Value::Null, dir.path()).unwrap_err();
        assert!(error.to_string().contains("junit.xml"), "{error}");
        assert!(
            names(dir.path())
                .iter()
                .all(|name| !name.ends_with(".partial"))
        );
        assert!(!dir.path().join(REPORT_JSON).exists());
    }

    #[test]
    fn what_is_no_report_is_said_in_one_line() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(REPORT_JSON);
        let told = |text: Option<&str>| {
            if let Some(text) = text {
                fs::write(&path, text).unwrap();
            }
            let error = read(dir.path()).unwrap_err().to_string();
            assert!(
                error.contains("report.json") && !error.contains('\n'),
                "{error}"
            );
            error
        };
        told(None);
        assert!(told(Some("")).contains("not a report: EOF"));
        assert!(told(Some("{}")).contains("missing field `schema`"));
        assert!(told(Some("{\"schema\": 99, \"new\": []}")).contains("schema 99"));
        assert!(told(Some("{\"schema\": 2}")).contains("missing field `version`"));
        let mut report = agreeing();
        report.coverage[0].rows[1].varied.pop();
        let text = serde_json::to_string(&report).unwrap();
        assert!(told(Some(&text)).contains("row \"MUL\" has 1 cells, and there are 2 columns"));
    }
}
