//! The miner: what words a macro makes, found in a C source and the assembly that a compiler made of it.
//!
//! Calls of `IGC_NAME(…)` are aligned with the words that their lines store through a rolling pointer; words of one name
//! that differ as an argument does show where that argument is.

mod align;
mod assembly;
mod literal;
mod source;
mod template;

use std::fmt;

/// Bytes that a source may have.
pub const MAX_SOURCE: usize = 4 << 20;

/// Arguments that a call may have.
pub const MAX_ARGUMENTS: usize = 32;

/// The rolling pointer where none is named: r16.
pub const DEFAULT_POINTER: u8 = 16;

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Mined {
    /// One for each name that has a sample, in the order of their first calls.
    pub templates: Vec<Template>,
    /// In the order of the templates, then of words.
    pub contradictions: Vec<Contradiction>,
    /// By line.
    pub warnings: Vec<Warning>,
}

/// The words of a macro.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Template {
    /// The name after `IGC_`.
    pub name: String,
    /// How many words it makes.
    pub words: usize,
    /// Calls with that many words.
    pub samples: usize,
    /// What is known of each word.
    pub word: Vec<WordTemplate>,
}

/// A word of a macro.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct WordTemplate {
    /// The bits that are constant.
    pub mask: u32,
    /// Those bits; the whole word of a single sample.
    pub value: u32,
    /// The bits that follow an argument.
    pub fields: Vec<Field>,
    /// The float argument that the word is.
    pub float: Option<usize>,
    /// Arguments that vary where the word does not.
    pub without_effect: Vec<usize>,
}

/// Bits that are an argument and a constant, modulo 2^width.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Field {
    /// The argument, from 0.
    pub arg: usize,
    /// Its lowest bit.
    pub shift: u32,
    /// How many bits it has.
    pub width: u32,
    /// What is added to the argument.
    pub offset: u32,
    /// C lines of the calls for which it holds.
    pub samples: Vec<u32>,
}

/// What speaks against a template.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Contradiction {
    /// The name after `IGC_`.
    pub name: String,
    /// Of which kind it is.
    pub kind: Kind,
    /// The word; 0 where it is about all.
    pub word: usize,
    /// The bit, of [`Kind::VaryingBit`] only.
    pub bit: Option<u32>,
    /// C lines.
    pub lines: Vec<u32>,
}

/// A kind of contradiction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Kind {
    /// Calls of one name have different numbers of words.
    WordCount,
    /// A call that a field of all others does not hold for.
    Sample,
    /// A bit that differs, and no field explains it.
    VaryingBit,
}

impl Kind {
    /// `word-count`, `sample` or `varying-bit`.
    pub fn name(self) -> &'static str {
        match self {
            Self::WordCount => "word-count",
            Self::Sample => "sample",
            Self::VaryingBit => "varying-bit",
        }
    }
}

/// What could not be aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Warning {
    /// The C line; 0 where no marker stands before the store.
    pub line: u32,
    /// What is wrong.
    pub what: What,
}

/// A kind of warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum What {
    /// Calls whose line stores nothing.
    #[cfg_attr(feature = "serde", serde(rename = "call without words"))]
    CallWithoutWords,
    /// Stores of a line that calls nothing.
    #[cfg_attr(feature = "serde", serde(rename = "words without call"))]
    WordsWithoutCall,
    /// Several calls of a line among which its words can't be shared out.
    #[cfg_attr(feature = "serde", serde(rename = "words not divisible"))]
    WordsNotDivisible,
    /// A store where the function has stored before.
    #[cfg_attr(feature = "serde", serde(rename = "place written twice"))]
    PlaceWrittenTwice,
}

impl What {
    /// What is wrong, in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::CallWithoutWords => "call without words",
            Self::WordsWithoutCall => "words without call",
            Self::WordsNotDivisible => "words not divisible",
            Self::PlaceWrittenTwice => "place written twice",
        }
    }
}

/// One of the two sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The C source.
    C,
    /// The assembly.
    Assembly,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::C => "C source",
            Self::Assembly => "assembly",
        })
    }
}

/// Why sources can't be mined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the message says what the fields are")]
pub enum MineError {
    /// A source longer than [`MAX_SOURCE`].
    #[error("{source_of}: {found} bytes, at most 4194304 are allowed")]
    TooLong { source_of: Source, found: usize },
    /// A source that is no text.
    #[error("{source_of}: byte {at} is not UTF-8")]
    NotText { source_of: Source, at: usize },
    /// A call of more than [`MAX_ARGUMENTS`].
    #[error(
        "C source: line {line}: a call of more than {most} arguments, which is the most allowed"
    )]
    Arguments { line: u32, most: usize },
    /// A pointer that is no register that can change.
    #[error("r{found} as the rolling pointer, r1 to r31 is allowed")]
    Pointer { found: u8 },
}

/// Mines a C source and its i860 assembly. `pointer` is the number of the register through which the words are stored.
///
/// ```
/// let c = b"IGC_MEMintoENAB(3);\nIGC_MEMintoENAB(64);";
/// let assembly = b"// lineno: 1\n or 0x303,r0,r18\n st.l r18,0(r16)\n\
///     // lineno: 2\n or 0x340,r0,r18\n st.l r18,4(r16)\n";
/// let mined = igc::miner::mine(c, assembly, igc::miner::DEFAULT_POINTER)?;
/// let word = &mined.templates[0].word[0];
/// assert_eq!((word.mask, word.value), (0xffff_ff00, 0x300));
/// assert_eq!((word.fields[0].arg, word.fields[0].shift, word.fields[0].width), (0, 0, 8));
/// # Ok::<(), igc::miner::MineError>(())
/// ```
pub fn mine(c: &[u8], assembly: &[u8], pointer: u8) -> Result<Mined, MineError> {
    if !(1..=31).contains(&pointer) {
        return Err(MineError::Pointer { found: pointer });
    }
    let c = source::without_comments(text(c, Source::C)?);
    let calls = source::calls(&c)?;
    let emitted = assembly::words(text(assembly, Source::Assembly)?, pointer);
    let aligned = align::align(&calls, emitted);
    let mut mined = template::templates(&calls, &aligned.samples);
    mined.warnings = aligned.warnings;
    Ok(mined)
}

fn text(bytes: &[u8], source_of: Source) -> Result<&str, MineError> {
    let found = bytes.len();
    if found > MAX_SOURCE {
        return Err(MineError::TooLong { source_of, found });
    }
    std::str::from_utf8(bytes).map_err(|error| MineError::NotText {
        source_of,
        at: error.valid_up_to(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_text_of_a_bounded_length() {
        let long = vec![b' '; MAX_SOURCE + 1];
        let error = |c: &[u8], s: &[u8], pointer| mine(c, s, pointer).unwrap_err().to_string();
        assert_eq!(
            error(&long, b"", 16),
            "C source: 4194305 bytes, at most 4194304 are allowed"
        );
        assert_eq!(error(b"", b"ab\xff", 16), "assembly: byte 2 is not UTF-8");
        assert_eq!(
            error(b"", b"", 0),
            "r0 as the rolling pointer, r1 to r31 is allowed"
        );
        assert_eq!(mine(b"", b"", 16), Ok(Mined::default()));
    }
}
