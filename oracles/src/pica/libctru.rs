//! What a copy of libctru's headers can be held against: names, numbers, and the revisions that they are from.

use super::Tables;

/// A named number of libctru.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// The name, as in the header: an enumerator of `GPU_FORMATS`, or a `GPUREG_` macro.
    pub name: String,
    /// Its value in the revision that was read.
    pub value: u32,
    /// The header below libctru's `include/3ds`: `gpu/enums.h` or `gpu/registers.h`.
    pub file: &'static str,
}

/// A revision of another project's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// The project's name.
    pub project: String,
    /// The file.
    pub file: String,
    /// The commit, as many digits as are known.
    pub commit: String,
    /// The day of the commit; `-` if it is not known.
    pub date: String,
    /// Whether it was read; otherwise a document names it, and it could not be obtained.
    pub read: bool,
    /// The last commit up to it that changed the file; `-` if it is not known.
    pub changes: String,
    /// What it stands for here.
    pub note: String,
}

/// Every named number that is from libctru, in the order of the tables: `GPU_FORMATS`, then the registers.
pub fn libctru() -> Vec<Constant> {
    let tables = Tables::embedded();
    let formats = (tables.formats.rows())
        .filter(|row| row.text("list") == "attribute")
        .map(|row| (row, "gpu/enums.h"));
    let registers = (tables.registers.rows()).map(|row| (row, "gpu/registers.h"));
    formats
        .chain(registers)
        .map(|(row, file)| Constant {
            name: row.text("name").to_owned(),
            value: row.number("number").expect("an embedded number is one"),
            file,
        })
        .collect()
}

/// Every revision that was read, and those that a document names and that could not be obtained.
pub fn versions() -> Vec<Version> {
    let text = |row: crate::table::Row<'_>, column| row.text(column).to_owned();
    (Tables::embedded().versions.rows())
        .map(|row| Version {
            project: text(row, "project"),
            file: text(row, "file"),
            commit: text(row, "commit"),
            date: text(row, "date"),
            read: row.text("read") == "yes",
            changes: text(row, "changes"),
            note: text(row, "note"),
        })
        .collect()
}
