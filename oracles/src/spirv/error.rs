//! Why a module is refused or a run ends early.

use std::fmt;

use spirv::Op;

/// The kind of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The words are not a valid module.
    Malformed,
    /// The module is, or may be, valid, and this engine does not do what it asks for.
    Unsupported,
    /// The launch lacks something that the module needs, or has it in another shape.
    Launch,
    /// The run exceeds a limit of the engine.
    Limit,
}

/// Why a module is refused or a run ends early: one line, with the offset of the instruction in words where there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What kind of reason.
    pub cause: Cause,
    /// The instruction's offset from the start of the module, in words.
    pub word: Option<u32>,
    /// What was found and what was allowed.
    pub message: String,
}

impl Error {
    pub(super) fn malformed(message: impl Into<String>) -> Self {
        Self {
            cause: Cause::Malformed,
            word: None,
            message: message.into(),
        }
    }

    pub(super) fn unsupported(message: impl Into<String>) -> Self {
        Self {
            cause: Cause::Unsupported,
            word: None,
            message: message.into(),
        }
    }

    pub(super) fn launch(message: impl Into<String>) -> Self {
        Self {
            cause: Cause::Launch,
            word: None,
            message: message.into(),
        }
    }

    pub(super) fn limit(message: impl Into<String>) -> Self {
        Self {
            cause: Cause::Limit,
            word: None,
            message: message.into(),
        }
    }

    pub(super) fn opcode(op: Op) -> Self {
        Self::unsupported(format!("Op{op:?} is not supported"))
    }

    /// The same error with this offset, unless it has one.
    pub(super) fn at(mut self, word: u32) -> Self {
        self.word.get_or_insert(word);
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.word {
            Some(word) => write!(f, "SPIR-V word {word}: {}", self.message),
            None => write!(f, "SPIR-V: {}", self.message),
        }
    }
}

impl std::error::Error for Error {}
