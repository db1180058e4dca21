//! Finding containers in other files: executables, C sources, archives, memory dumps.
//!
//! Nothing that looks like a container is dropped in silence: where the magic number stands and parsing fails, there
//! is a [`Near`] with the reason.

mod blobs;
mod c_array;
mod c_token;
mod executable;
mod inflate;
mod source;
mod symbol;

pub use blobs::{Blobs, Hit, blobs};
pub use c_array::{ArrayPlace, c_arrays};
pub use executable::{SectionPlace, executable};
pub use inflate::{INFLATE_LIMIT, INFLATE_RATIO};
pub use source::{SourceName, SourceOrigin};
pub use symbol::SizeSymbol;

use std::borrow::Cow;

use crate::Error;

/// What a search has found.
#[derive(Clone, Debug)]
pub struct Findings<'a> {
    /// What the searched bytes were taken for.
    pub kind: InputKind,
    /// Every container, in the order of the search.
    pub found: Vec<Found<'a>>,
    /// Every magic number behind which there is no container.
    pub near: Vec<Near>,
    /// What could not be searched as it should. Raw bytes are searched in any case.
    pub problems: Vec<ExecutableError>,
}

/// What searched bytes were taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputKind {
    /// A file that starts with a container; more of them may follow.
    Gfd,
    /// An executable: each section, then what lies outside of them.
    Executable,
    /// An executable that could not be read; it was searched as raw bytes.
    BrokenExecutable,
    /// Text: the arrays of a C or C++ source.
    Text,
    /// Raw bytes.
    Raw,
}

impl std::fmt::Display for InputKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            InputKind::Gfd => "GFD container",
            InputKind::Executable => "executable",
            InputKind::BrokenExecutable => "broken executable, searched as raw bytes",
            InputKind::Text => "text",
            InputKind::Raw => "raw bytes",
        })
    }
}

/// A container.
#[derive(Clone, Debug, PartialEq)]
pub struct Found<'a> {
    /// Where it is.
    pub place: Place,
    /// Its bytes, up to the end of its end block.
    pub bytes: Cow<'a, [u8]>,
}

/// A magic number without a container behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct Near {
    /// Where it is.
    pub place: Place,
    /// Why there is no container; offsets count from the magic number.
    pub error: Error,
}

/// A place in what was searched.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// A byte offset.
    Offset(usize),
    /// A section of an executable.
    Section(Box<SectionPlace>),
    /// An array of a C or C++ source.
    Array(Box<ArrayPlace>),
}

/// Why an executable, or a section of it, cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExecutableError {
    /// The file does not start with an ELF magic number.
    #[error("{offset:#x}: no ELF magic number")]
    NotElf {
        /// Where it should be: 0.
        offset: usize,
    },
    /// The file is an ELF file, but not one of 32 bits and big-endian, or its header is cut off.
    #[error("{offset:#x}: not a whole header of a 32-bit big-endian ELF file")]
    NotBigEndian32 {
        /// Where the header starts: 0.
        offset: usize,
    },
    /// The section headers do not lie within the file, or have another size than they should.
    #[error("{offset:#x}: section headers are not within the file's {length:#x} bytes")]
    BadSectionTable {
        /// Where the file header says they start.
        offset: usize,
        /// Length of the file.
        length: usize,
    },
    /// There are no section headers.
    #[error("{offset:#x}: no section headers")]
    NoSections {
        /// Where the file header should say where they start.
        offset: usize,
    },
    /// A section goes beyond the end of the file, or is too short for what it should hold.
    #[error("{offset:#x}: section {section} has {size:#x} bytes there, the file has {length:#x}")]
    BadSection {
        /// Where the section starts in the file.
        offset: usize,
        /// Its index.
        section: usize,
        /// Its size in bytes.
        size: usize,
        /// Length of the file.
        length: usize,
    },
    /// A deflated section is not a zlib stream of the declared length.
    #[error("{offset:#x}: section {section} does not inflate to its {declared:#x} bytes")]
    BadDeflate {
        /// Where the section starts in the file.
        offset: usize,
        /// Its index.
        section: usize,
        /// The declared size in bytes.
        declared: usize,
    },
    /// A deflated section declares more bytes than are allowed.
    #[error("{offset:#x}: section {section} declares {declared:#x} bytes, {allowed:#x} allowed")]
    InflateLimit {
        /// Where the section starts in the file.
        offset: usize,
        /// Its index.
        section: usize,
        /// The declared size in bytes.
        declared: usize,
        /// How many are allowed: by the section's own size, or by what is left of [`INFLATE_LIMIT`].
        allowed: usize,
    },
    /// Sections overlap so much that together they are far larger than the file.
    #[error("{offset:#x}: section {section} and those before it have more than {allowed:#x} bytes")]
    OverlapLimit {
        /// Where the section starts in the file.
        offset: usize,
        /// Its index.
        section: usize,
        /// How many are allowed.
        allowed: usize,
    },
}

impl ExecutableError {
    /// The byte offset in the executable that the error is reported at.
    pub fn offset(&self) -> usize {
        use ExecutableError::*;
        match *self {
            NotElf { offset }
            | NotBigEndian32 { offset }
            | BadSectionTable { offset, .. }
            | NoSections { offset }
            | BadSection { offset, .. }
            | BadDeflate { offset, .. }
            | InflateLimit { offset, .. }
            | OverlapLimit { offset, .. } => offset,
        }
    }

    /// The class of the error, in the words that the `gfd` target's contract has for containers.
    pub fn class(&self) -> &'static str {
        use ExecutableError::*;
        match self {
            NotElf { .. } => "bad-magic",
            NotBigEndian32 { .. } => "bad-version",
            BadSectionTable { .. } | NoSections { .. } => "out-of-range",
            BadSection { .. } => "truncated",
            BadDeflate { .. } => "bad-length",
            InflateLimit { .. } | OverlapLimit { .. } => "limit",
        }
    }
}

/// Finds every container in a file of any kind.
///
/// `name` is the file's name, if it has one: a file named as an executable that is none is a problem worth telling.
/// Text, which has no zero bytes, cannot hold a container as it is, so its arrays are searched instead.
pub fn find<'a>(bytes: &'a [u8], name: Option<&str>) -> Findings<'a> {
    let named_executable = name
        .and_then(|name| name.rsplit_once('.'))
        .is_some_and(|(_, end)| {
            ["rpx", "rpl", "elf"]
                .iter()
                .any(|e| end.eq_ignore_ascii_case(e))
        });
    let is_elf = bytes.starts_with(&object::elf::ELFMAG);
    let starts_as_gfd = bytes.starts_with(b"Gfx2");
    if is_elf || (named_executable && !starts_as_gfd) {
        return executable(bytes).unwrap_or_else(|error| Findings {
            kind: InputKind::BrokenExecutable,
            problems: vec![error],
            ..raw(bytes)
        });
    }
    if !starts_as_gfd && !bytes.is_empty() && memchr::memchr(0, bytes).is_none() {
        return c_arrays(&String::from_utf8_lossy(bytes));
    }
    raw(bytes)
}

/// Finds every container in bytes of any kind, as they are.
pub fn raw(bytes: &[u8]) -> Findings<'_> {
    let mut findings = Findings::new(InputKind::Raw);
    findings.add(bytes, blobs(bytes), Place::Offset);
    if bytes.starts_with(b"Gfx2") {
        findings.kind = InputKind::Gfd;
    }
    findings
}

impl<'a> Findings<'a> {
    fn new(kind: InputKind) -> Findings<'a> {
        Findings {
            kind,
            found: Vec::new(),
            near: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// Adds hits in `bytes`; `place` says where an offset in them is.
    fn add(
        &mut self,
        bytes: &'a [u8],
        hits: impl Iterator<Item = Hit>,
        place: impl Fn(usize) -> Place,
    ) {
        for hit in hits {
            match hit {
                Hit::Found { offset, length } => {
                    let bytes = Cow::Borrowed(&bytes[offset..offset + length]);
                    self.found.push(Found {
                        place: place(offset),
                        bytes,
                    });
                }
                Hit::Near { offset, error } => {
                    self.near.push(Near {
                        place: place(offset),
                        error,
                    });
                }
            }
        }
    }
}
