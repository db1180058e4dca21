//! Typed values, as they are rendered and as expectations state them.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::hex;

/// The type of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// An unsigned integer.
    Unsigned,
    /// A signed integer.
    Signed,
    /// A 32-bit float, compared by its bits.
    Float,
    /// A number with a name.
    Symbol,
    /// UTF-8 text.
    Text,
    /// Raw bytes.
    Bytes,
}

impl Kind {
    /// The name as it stands in tables and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unsigned => "unsigned",
            Self::Signed => "signed",
            Self::Float => "float",
            Self::Symbol => "symbol",
            Self::Text => "text",
            Self::Bytes => "bytes",
        }
    }

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [
            Self::Unsigned,
            Self::Signed,
            Self::Float,
            Self::Symbol,
            Self::Text,
            Self::Bytes,
        ]
        .into_iter()
        .find(|kind| kind.name() == name)
    }
}

/// A value on its own, away from its record.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// An unsigned integer.
    Unsigned(u64),
    /// A signed integer.
    Signed(i64),
    /// The bits of a 32-bit float.
    Float(u32),
    /// A number and its name.
    Symbol {
        /// The number.
        code: u32,
        /// Its name; `reserved` where it has none.
        name: String,
    },
    /// Text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
}

/// Bytes shown of a long value before it is cut.
const SHOWN: usize = 32;

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsigned(value) if *value > 9 => write!(f, "{value} (0x{value:x})"),
            Self::Unsigned(value) => write!(f, "{value}"),
            Self::Signed(value) => write!(f, "{value}"),
            Self::Float(bits) => write!(f, "{:?} (0x{bits:08x})", f32::from_bits(*bits)),
            Self::Symbol { code, name } => write!(f, "{name} ({code})"),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::Bytes(bytes) if bytes.len() <= SHOWN => f.write_str(&hex::encode(bytes)),
            Self::Bytes(bytes) => {
                write!(
                    f,
                    "{}… ({} bytes)",
                    hex::encode(&bytes[..SHOWN]),
                    bytes.len()
                )
            }
        }
    }
}
