//! What a decoder or an oracle says of an input.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Record;

/// Why an input was rejected. The list is short on purpose and shared by all targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RejectClass {
    /// The input ends inside something.
    Truncated,
    /// A magic number is another.
    BadMagic,
    /// A version that the format does not have.
    BadVersion,
    /// A size field with a value it cannot have.
    BadLength,
    /// A number or a reference outside what is allowed.
    OutOfRange,
    /// Two things claim the same place.
    Overlap,
    /// A sum or product does not fit.
    Overflow,
    /// A value that the specification reserves.
    Reserved,
    /// A float that must be finite is not.
    Nonfinite,
    /// More than the implementation takes.
    Limit,
    /// A place that is not a multiple of what it must be.
    Misaligned,
}

impl RejectClass {
    /// Every class.
    pub const ALL: [Self; 11] = [
        Self::Truncated,
        Self::BadMagic,
        Self::BadVersion,
        Self::BadLength,
        Self::OutOfRange,
        Self::Overlap,
        Self::Overflow,
        Self::Reserved,
        Self::Nonfinite,
        Self::Limit,
        Self::Misaligned,
    ];

    /// The name as it stands in case files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Truncated => "truncated",
            Self::BadMagic => "bad-magic",
            Self::BadVersion => "bad-version",
            Self::BadLength => "bad-length",
            Self::OutOfRange => "out-of-range",
            Self::Overlap => "overlap",
            Self::Overflow => "overflow",
            Self::Reserved => "reserved",
            Self::Nonfinite => "nonfinite",
            Self::Limit => "limit",
            Self::Misaligned => "misaligned",
        }
    }

    /// The class of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.name() == name)
    }
}

impl fmt::Display for RejectClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The first half of an outcome: was the input taken?
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Status {
    /// Taken; the fields are in the outcome's record.
    Accepted {
        /// Bytes of the input that belong to what was decoded.
        consumed: u64,
    },
    /// Not taken.
    Rejected {
        /// Why.
        class: RejectClass,
        /// Where, in bytes from the start of the input.
        offset: u64,
    },
    /// Not something this implementation does.
    Unsupported {
        /// What is not done.
        what: String,
    },
    /// Nothing said yet.
    #[default]
    Unanswered,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Accepted { consumed } => write!(f, "accepted ({consumed} bytes)"),
            Self::Rejected { class, offset } => write!(f, "rejected: {class} at byte {offset}"),
            Self::Unsupported { what } => write!(f, "unsupported: {what}"),
            Self::Unanswered => f.write_str("not answered"),
        }
    }
}

/// A status and, when accepted, the fields. Made once and filled again and again.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Was the input taken?
    pub status: Status,
    /// The fields; empty unless accepted.
    pub record: Record,
}

impl Outcome {
    /// Forgets what was said and keeps the buffers.
    pub fn clear(&mut self) {
        self.status = Status::Unanswered;
        self.record.clear();
    }

    /// Says accepted, and brings the record into its canonical order.
    pub fn accept(&mut self, consumed: usize) {
        self.status = Status::Accepted {
            consumed: consumed as u64,
        };
        self.record.seal();
    }

    /// Says rejected, and drops the fields that were collected.
    pub fn reject(&mut self, class: RejectClass, offset: usize) {
        self.status = Status::Rejected {
            class,
            offset: offset as u64,
        };
        self.record.clear();
    }

    /// Says unsupported, and drops the fields that were collected.
    pub fn unsupported(&mut self, what: &str) {
        self.status = Status::Unsupported {
            what: what.to_owned(),
        };
        self.record.clear();
    }
}
