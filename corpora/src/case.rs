//! A case: an input, options, what is expected, and how that is known.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::vocabulary::{FieldId, Vocabulary, VocabularyError};
use crate::{Evidence, Kind, Options, Outcome, RejectClass, Section, Status, Value};

/// What a case expects, as its file states it.
#[derive(Clone, Debug, PartialEq)]
pub enum Expectation {
    /// Accepted, with these fields among others.
    Accept {
        /// Full path to value.
        fields: BTreeMap<String, toml::Value>,
        /// Full paths that must not be answered.
        absent: Vec<String>,
        /// Bytes that must be consumed, if stated.
        consumed: Option<u64>,
    },
    /// Rejected, with this class.
    Reject {
        /// Why.
        class: RejectClass,
        /// Where, in bytes, if stated.
        offset: Option<u64>,
    },
    /// Unsupported.
    Unsupported,
}

/// One case.
#[derive(Clone, Debug)]
pub struct Case {
    /// Stable and unique, for example `r700/alu/op2-opcode-is-17-7`.
    pub id: String,
    /// The target's name.
    pub target: String,
    /// The bytes.
    pub input: Vec<u8>,
    /// The target's options.
    pub options: Options,
    /// What is expected.
    pub expect: Expectation,
    /// How it is known.
    pub evidence: Evidence,
    /// Document and place, or the derivation.
    pub source: String,
    /// What the case is for.
    pub note: String,
    /// The file that states it.
    pub file: PathBuf,
}

/// An expectation whose paths and values were resolved against a vocabulary.
#[derive(Clone, Debug)]
pub struct Expected {
    accept: Option<Accept>,
    expectation: Expectation,
}

#[derive(Clone, Debug)]
struct Accept {
    fields: Vec<(Section, FieldId, u32, Wanted)>,
    absent: Vec<(Section, FieldId, u32)>,
}

#[derive(Clone, Debug)]
enum Wanted {
    Value(Value),
    SymbolName(String),
    SymbolCode(u32),
}

impl Wanted {
    fn is(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::Value(wanted), value) => wanted == value,
            (Self::SymbolName(wanted), Value::Symbol { name, .. }) => wanted == name,
            (Self::SymbolCode(wanted), Value::Symbol { code, .. }) => wanted == code,
            _ => false,
        }
    }
}

impl std::fmt::Display for Wanted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Value(value) => write!(f, "{value}"),
            Self::SymbolName(name) => f.write_str(name),
            Self::SymbolCode(code) => write!(f, "code {code}"),
        }
    }
}

/// Why an expectation cannot be held against anything.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExpectationError {
    /// A path that the target does not have.
    #[error(transparent)]
    Path(#[from] VocabularyError),
    /// A value of another type than the field.
    #[error("field {path:?} is {kind}, and {value} is not")]
    Type {
        /// The path.
        path: String,
        /// The field's kind.
        kind: &'static str,
        /// The value in the file.
        value: String,
    },
}

impl Expectation {
    /// Resolves paths and values against a vocabulary.
    pub fn resolve(&self, vocabulary: &Vocabulary) -> Result<Expected, ExpectationError> {
        let accept = match self {
            Self::Accept { fields, absent, .. } => {
                let mut resolved = Vec::with_capacity(fields.len());
                for (path, value) in fields {
                    let (section, field, item) = vocabulary.resolve(path)?;
                    let kind = vocabulary.field(field).kind;
                    let wanted = wanted(kind, value).ok_or_else(|| ExpectationError::Type {
                        path: path.clone(),
                        kind: kind.name(),
                        value: value.to_string(),
                    })?;
                    resolved.push((section, field, item, wanted));
                }
                let absent = absent
                    .iter()
                    .map(|path| vocabulary.resolve(path))
                    .collect::<Result<_, _>>()?;
                Some(Accept {
                    fields: resolved,
                    absent,
                })
            }
            _ => None,
        };
        Ok(Expected {
            accept,
            expectation: self.clone(),
        })
    }
}

fn wanted(kind: Kind, value: &toml::Value) -> Option<Wanted> {
    use toml::Value as Toml;
    Some(match (kind, value) {
        (Kind::Unsigned, &Toml::Integer(value)) => {
            Wanted::Value(Value::Unsigned(u64::try_from(value).ok()?))
        }
        (Kind::Unsigned, &Toml::Boolean(value)) => Wanted::Value(Value::Unsigned(value.into())),
        (Kind::Signed, &Toml::Integer(value)) => Wanted::Value(Value::Signed(value)),
        (Kind::Float, &Toml::Integer(bits)) => {
            Wanted::Value(Value::Float(u32::try_from(bits).ok()?))
        }
        (Kind::Float, &Toml::Float(value)) => Wanted::Value(Value::Float((value as f32).to_bits())),
        (Kind::Symbol, Toml::String(name)) => Wanted::SymbolName(name.clone()),
        (Kind::Symbol, &Toml::Integer(code)) => Wanted::SymbolCode(u32::try_from(code).ok()?),
        (Kind::Text, Toml::String(text)) => Wanted::Value(Value::Text(text.clone())),
        (Kind::Bytes, Toml::String(text)) => {
            Wanted::Value(Value::Bytes(crate::hex::bytes(text).ok()?))
        }
        _ => return None,
    })
}

/// One way in which an outcome is not what a case expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmet {
    /// The field's full path, or `status`.
    pub path: String,
    /// What the case says.
    pub expected: String,
    /// What was answered.
    pub found: String,
}

impl Expected {
    /// Holds an outcome against the expectation. Empty means met.
    pub fn unmet(&self, outcome: &Outcome, vocabulary: &Vocabulary) -> Vec<Unmet> {
        let status = |expected: String| {
            vec![Unmet {
                path: "status".to_owned(),
                expected,
                found: outcome.status.to_string(),
            }]
        };
        match (&self.expectation, &outcome.status) {
            (Expectation::Accept { consumed, .. }, Status::Accepted { consumed: taken }) => {
                let mut unmet = Vec::new();
                if let Some(consumed) = consumed.filter(|consumed| consumed != taken) {
                    unmet.push(Unmet {
                        path: "consumed".to_owned(),
                        expected: consumed.to_string(),
                        found: taken.to_string(),
                    });
                }
                if let Some(accept) = &self.accept {
                    accept.check(outcome, vocabulary, &mut unmet);
                }
                unmet
            }
            (
                Expectation::Reject { class, offset },
                Status::Rejected {
                    class: c,
                    offset: o,
                },
            ) if class == c && offset.is_none_or(|offset| offset == *o) => Vec::new(),
            (Expectation::Unsupported, Status::Unsupported { .. }) => Vec::new(),
            (Expectation::Accept { .. }, _) => status("accepted".to_owned()),
            (
                Expectation::Reject {
                    class,
                    offset: Some(offset),
                },
                _,
            ) => status(format!("rejected: {class} at byte {offset}")),
            (
                Expectation::Reject {
                    class,
                    offset: None,
                },
                _,
            ) => status(format!("rejected: {class}")),
            (Expectation::Unsupported, _) => status("unsupported".to_owned()),
        }
    }
}

impl Accept {
    fn check(&self, outcome: &Outcome, vocabulary: &Vocabulary, unmet: &mut Vec<Unmet>) {
        let record = &outcome.record;
        for (section, field, item, wanted) in &self.fields {
            let found = record.find(*section, *field, *item);
            let value = found.map(|entry| record.value(entry, vocabulary));
            if !value.as_ref().is_some_and(|value| wanted.is(value)) {
                unmet.push(Unmet {
                    path: vocabulary.render(*section, *field, *item),
                    expected: wanted.to_string(),
                    found: value.map_or_else(|| "not answered".to_owned(), |v| v.to_string()),
                });
            }
        }
        for &(section, field, item) in &self.absent {
            if let Some(entry) = record.find(section, field, item) {
                unmet.push(Unmet {
                    path: vocabulary.render(section, field, item),
                    expected: "not answered".to_owned(),
                    found: record.value(entry, vocabulary).to_string(),
                });
            }
        }
    }
}
