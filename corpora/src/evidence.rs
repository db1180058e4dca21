//! How an expectation, or a row of a table, is known.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How an expectation is known, strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Evidence {
    /// Measured on the device itself.
    Hardware,
    /// A document of the vendor says so.
    VendorSpec,
    /// A named list of a named version of somebody's source says so, and nothing else was found.
    PinnedEnum,
    /// Two or more independent sources say so, none of them the vendor.
    Consensus,
    /// Concluded from other facts.
    Inferred,
}

impl Evidence {
    /// Every kind, strongest first.
    pub const ALL: [Self; 5] = [
        Self::Hardware,
        Self::VendorSpec,
        Self::PinnedEnum,
        Self::Consensus,
        Self::Inferred,
    ];

    /// The name as it stands in case files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hardware => "hardware",
            Self::VendorSpec => "vendor-spec",
            Self::PinnedEnum => "pinned-enum",
            Self::Consensus => "consensus",
            Self::Inferred => "inferred",
        }
    }

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|evidence| evidence.name() == name)
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
