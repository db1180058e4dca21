//! Execution cases: what one instruction computes, or what a whole program exports.
//!
//! Files that end in `.execution.toml` hold single instructions:
//!
//! ```toml
//! [[execution]]
//! id       = "r700/op/MUL/zero-times-infinity"
//! op       = "MUL"
//! src      = ["0x00000000", "0x7f800000"]  # words or floats; for a reduction four of each operand, for doubles two halves
//! omod     = "M2"                          # also: clamp = true, abs = [true, false], neg = […], chip = "r600"
//! expect   = { one_of = ["0x00000000", "0x80000000"] }
//! evidence = "vendor-spec"
//! source   = "R6xx ISA p. 153"
//! note     = "the sign of the zero is not stated"
//! ```
//!
//! Files that end in `.programs.toml` hold programs, with what each lane starts with and exports:
//!
//! ```toml
//! [[program]]
//! id     = "r700/flow/if-else"
//! words  = "00000002 a00c0000 …"
//! stage  = "pixel"
//! lanes  = [ { R0 = ["0x3f800000", 0.0, 0.0, 0.0] } ]
//! blocks = { 1 = [["0x0", "0x0", "0x0", "0x0"]] }   # also: constants, booleans, loops, buffers, textures, samplers,
//!                                                   # as inputs have them, and fetch_shader = "words"
//! expect = [ { pixel0 = ["0x3f800000", "-", "-", "-"] } ]
//! ```
//!
//! Also `semantics = { 3 = 2 }`: semantic id 3 arrives in R2; and instead of `expect` `undefined = "EMIT_VERTEX"`: no source
//! says what the program does, and both sides have to refuse it with that name. What a program exports, and each word of a
//! result, may be stated as `{ one_of = [0.0, 1.0] }` or `{ within = [0.49, 0.51] }` too.
//!
//! Unknown keys are refused. `-` is a word of which nothing is stated, `?` one of which no source says anything. The
//! interpreter has to leave open what a case does, and no more: `one_of` names all words that it allows, `within` the bounds
//! that its own may not exceed.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use walkdir::WalkDir;

use super::inputs::{RawBuffer, RawEnvironment, RawSampler, RawTexture};
use super::{Environment, Vec4};
use crate::load::LoadError;
use crate::{Evidence, hex};

/// How the names of files with single instructions end.
pub const INSTRUCTIONS: &str = ".execution.toml";

/// How the names of files with programs end.
pub const PROGRAMS: &str = ".programs.toml";

/// One instruction, and what it computes.
#[derive(Clone, Debug)]
pub struct InstructionCase {
    /// Stable and unique.
    pub id: String,
    /// The opcode's canonical name.
    pub op: String,
    /// By operand: one word, four for a reduction (X to W), two for a double (low, high).
    pub operands: Vec<Vec<u32>>,
    /// The operands whose absolute value is taken.
    pub abs: Vec<bool>,
    /// The operands that are negated.
    pub neg: Vec<bool>,
    /// Whether the result is clamped.
    pub clamp: bool,
    /// The output modifier's name; `OFF` if none is given.
    pub omod: String,
    /// The chip: `r600` or `r700`.
    pub chip: String,
    /// What is expected.
    pub expect: Expected,
    /// How that is known.
    pub evidence: Evidence,
    /// Where from.
    pub source: String,
    /// What the case is for.
    pub note: String,
    /// The file that states it.
    pub file: PathBuf,
}

/// What an instruction is expected to compute.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expected {
    /// The result: one expectation, or one for each word of a wide or fourfold one. Empty: nothing is stated.
    pub result: Vec<Word>,
    /// The predicate that it sets.
    pub predicate: Option<bool>,
    /// Whether the pixel is killed.
    pub killed: Option<bool>,
    /// What the address register gets.
    pub address: Option<i32>,
    /// No source says what it does: both sides have to refuse it by name.
    pub undefined: bool,
}

/// What is expected of one word.
#[derive(Clone, Debug, PartialEq)]
pub enum Word {
    /// Nothing is stated.
    Any,
    /// It is this.
    Is(u32),
    /// It is one of these, and no source says which.
    OneOf(Vec<u32>),
    /// A NaN of any sign and payload.
    Nan,
    /// A float from the first to the second; -0 is +0.
    Within(u32, u32),
    /// No source says what it is.
    Unsettled,
}

impl Word {
    /// Whether a found word is among what is expected.
    pub fn accepts(&self, found: u32) -> bool {
        let float = f32::from_bits(found);
        match self {
            Self::Any | Self::Unsettled => true,
            Self::Is(word) => *word == found,
            Self::OneOf(words) => words.contains(&found),
            Self::Nan => float.is_nan(),
            Self::Within(low, high) => {
                f32::from_bits(*low) <= float && float <= f32::from_bits(*high)
            }
        }
    }
}

impl std::fmt::Display for Word {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Any => f.write_str("anything"),
            Self::Is(word) => write!(f, "{word:08x}"),
            Self::OneOf(words) => {
                f.write_str("one of")?;
                words.iter().try_for_each(|word| write!(f, " {word:08x}"))
            }
            Self::Nan => f.write_str("any NaN"),
            Self::Within(low, high) => write!(f, "between {low:08x} and {high:08x}"),
            Self::Unsettled => f.write_str("unsettled"),
        }
    }
}

/// A program, and what its lanes export.
#[derive(Clone, Debug)]
pub struct ProgramCase {
    /// Stable and unique.
    pub id: String,
    /// The program, little-endian.
    pub bytes: Vec<u8>,
    /// The chip: `r600` or `r700`.
    pub chip: String,
    /// What it runs on.
    pub environment: Environment,
    /// By lane: what it exports.
    pub expect: Vec<LaneExpected>,
    /// No source says what it does: both sides have to refuse it, with this name.
    pub undefined: Option<String>,
    /// How that is known.
    pub evidence: Evidence,
    /// Where from.
    pub source: String,
    /// What the case is for.
    pub note: String,
    /// The file that states it.
    pub file: PathBuf,
}

/// What a lane is expected to export.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LaneExpected {
    /// Whether it is killed; nothing is stated of its exports then.
    pub killed: bool,
    /// By target (`pixel0`, `pos60`, `param3`).
    pub exports: BTreeMap<String, [Word; 4]>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct InstructionFile {
    execution: Vec<RawInstruction>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawInstruction {
    id: String,
    op: String,
    src: Vec<OneOrMany>,
    #[serde(default)]
    abs: Vec<bool>,
    #[serde(default)]
    neg: Vec<bool>,
    #[serde(default)]
    clamp: bool,
    omod: Option<String>,
    chip: Option<String>,
    expect: RawExpected,
    evidence: Evidence,
    source: String,
    #[serde(default)]
    note: String,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(RawWord),
    Many(Vec<RawWord>),
}

/// A result: one statement, or one for each word.
#[derive(Deserialize)]
#[serde(untagged)]
enum RawResult {
    One(RawStated),
    Many(Vec<RawStated>),
}

/// `"0x3f800000"`, `1.5`, `-1`, `"-"`, `"?"`.
#[derive(Clone, Deserialize)]
#[serde(untagged)]
pub(super) enum RawWord {
    Integer(i64),
    Float(f32),
    Text(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawExpected {
    result: Option<RawResult>,
    one_of: Option<Vec<RawWord>>,
    #[serde(default)]
    nan: bool,
    within: Option<[RawWord; 2]>,
    #[serde(default)]
    unsettled: bool,
    predicate: Option<bool>,
    killed: Option<bool>,
    address: Option<i32>,
    #[serde(default)]
    undefined: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProgramFile {
    program: Vec<RawProgram>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawProgram {
    id: String,
    words: String,
    chip: Option<String>,
    stage: String,
    lanes: Vec<BTreeMap<String, [RawWord; 4]>>,
    #[serde(default)]
    constants: Vec<[RawWord; 4]>,
    #[serde(default)]
    blocks: BTreeMap<String, Vec<[RawWord; 4]>>,
    booleans: Option<RawWord>,
    #[serde(default)]
    loops: BTreeMap<String, RawWord>,
    gprs: Option<u8>,
    clause_temporaries: Option<u8>,
    #[serde(default)]
    buffers: BTreeMap<String, RawBuffer>,
    #[serde(default)]
    textures: BTreeMap<String, RawTexture>,
    #[serde(default)]
    samplers: BTreeMap<String, RawSampler>,
    fetch_shader: Option<String>,
    #[serde(default)]
    semantics: BTreeMap<String, u8>,
    expect: Option<Vec<BTreeMap<String, RawLane>>>,
    undefined: Option<String>,
    evidence: Evidence,
    source: String,
    #[serde(default)]
    note: String,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum RawLane {
    Killed(bool),
    Words(Box<[RawStated; 4]>),
}

/// What is stated of one word: of a result, or of a component that a program exports.
#[derive(Deserialize)]
#[serde(untagged)]
enum RawStated {
    Word(RawWord),
    Among(RawAmong),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawAmong {
    one_of: Option<Vec<RawWord>>,
    within: Option<[RawWord; 2]>,
}

impl RawStated {
    fn expected(&self) -> Result<Word, String> {
        match self {
            Self::Word(word) => word.expected(),
            Self::Among(RawAmong {
                one_of: Some(words),
                within: None,
            }) => Ok(Word::OneOf(given(words)?)),
            Self::Among(RawAmong {
                one_of: None,
                within: Some([low, high]),
            }) => Ok(Word::Within(low.given()?, high.given()?)),
            Self::Among(_) => Err("one_of or within, one of them".to_owned()),
        }
    }
}

impl RawWord {
    /// The word; none for `-`.
    fn word(&self) -> Result<Option<u32>, String> {
        match self {
            Self::Float(float) => Ok(Some(float.to_bits())),
            Self::Integer(number) => u32::try_from(*number)
                .or_else(|_| i32::try_from(*number).map(|number| number as u32))
                .map(Some)
                .map_err(|_| format!("{number} has more than 32 bits")),
            Self::Text(text) if text == "-" => Ok(None),
            Self::Text(text) => text
                .strip_prefix("0x")
                .and_then(|digits| u32::from_str_radix(digits, 16).ok())
                .map(Some)
                .ok_or_else(|| {
                    format!("{text:?} is no word: 0x and up to eight digits, or a number")
                }),
        }
    }

    pub(super) fn given(&self) -> Result<u32, String> {
        self.word()?
            .ok_or_else(|| "a word is missing: -".to_owned())
    }

    fn expected(&self) -> Result<Word, String> {
        if matches!(self, Self::Text(text) if text == "?") {
            return Ok(Word::Unsettled);
        }
        Ok(self.word()?.map_or(Word::Any, Word::Is))
    }
}

pub(super) fn vec4(words: &[RawWord; 4]) -> Result<Vec4, String> {
    let mut all = [0; 4];
    for (to, word) in all.iter_mut().zip(words) {
        *to = word.given()?;
    }
    Ok(all)
}

fn given(words: &[RawWord]) -> Result<Vec<u32>, String> {
    words.iter().map(RawWord::given).collect()
}

fn chip(chip: Option<String>) -> Result<String, String> {
    match chip.as_deref() {
        None | Some("r700") => Ok("r700".to_owned()),
        Some("r600") => Ok("r600".to_owned()),
        Some(other) => Err(format!("chip {other:?}: r600 or r700")),
    }
}

impl RawExpected {
    fn read(self) -> Result<Expected, String> {
        let mut stated = Vec::new();
        match self.result {
            Some(RawResult::One(word)) => stated.push(vec![word.expected()?]),
            Some(RawResult::Many(words)) => {
                let words: Result<_, _> = words.iter().map(RawStated::expected).collect();
                stated.push(words?);
            }
            None => {}
        }
        if let Some(words) = self.one_of {
            stated.push(vec![Word::OneOf(given(&words)?)]);
        }
        if self.nan {
            stated.push(vec![Word::Nan]);
        }
        if let Some([low, high]) = self.within {
            stated.push(vec![Word::Within(low.given()?, high.given()?)]);
        }
        if self.unsettled {
            stated.push(vec![Word::Unsettled]);
        }
        if stated.len() > 1 {
            return Err("one of result, one_of, nan, within and unsettled".to_owned());
        }
        Ok(Expected {
            result: stated.pop().unwrap_or_default(),
            predicate: self.predicate,
            killed: self.killed,
            address: self.address,
            undefined: self.undefined,
        })
    }
}

impl RawInstruction {
    fn read(self, file: &Path) -> Result<InstructionCase, String> {
        let operands = self.src.iter().map(|operand| match operand {
            OneOrMany::One(word) => Ok(vec![word.given()?]),
            OneOrMany::Many(words) => given(words),
        });
        Ok(InstructionCase {
            operands: operands.collect::<Result<_, String>>()?,
            abs: self.abs,
            neg: self.neg,
            clamp: self.clamp,
            omod: self.omod.unwrap_or_else(|| "OFF".to_owned()),
            chip: chip(self.chip)?,
            expect: self.expect.read()?,
            id: self.id,
            op: self.op,
            evidence: self.evidence,
            source: self.source,
            note: self.note,
            file: file.to_owned(),
        })
    }
}

impl RawProgram {
    fn read(self, file: &Path) -> Result<ProgramCase, String> {
        let environment = RawEnvironment {
            stage: self.stage,
            lanes: self.lanes,
            constants: self.constants,
            blocks: self.blocks,
            booleans: self.booleans,
            loops: self.loops,
            gprs: self.gprs,
            clause_temporaries: self.clause_temporaries,
            buffers: self.buffers,
            textures: self.textures,
            samplers: self.samplers,
        };
        let mut environment = environment.read()?;
        if let Some(words) = &self.fetch_shader {
            let bytes = hex::little_endian_words(words).map_err(|error| error.to_string())?;
            environment.fetch_shader = Some(bytes);
        }
        for (id, register) in &self.semantics {
            let id = id
                .parse()
                .map_err(|_| format!("{id:?} is no semantic id: a number from 0 to 255"))?;
            environment.semantics.insert(id, *register);
        }
        let stated = match (self.expect, &self.undefined) {
            (Some(stated), None) => stated,
            (None, Some(_)) => Vec::new(),
            _ => return Err("expect or undefined, one of them".to_owned()),
        };
        if self.undefined.is_none() && stated.len() != environment.lanes.len() {
            let (lanes, expected) = (environment.lanes.len(), stated.len());
            return Err(format!("{lanes} lanes, and expectations of {expected}"));
        }
        let mut expect = Vec::new();
        for lane in &stated {
            let mut expected = LaneExpected::default();
            for (target, stated) in lane {
                match (target.as_str(), stated) {
                    ("killed", RawLane::Killed(killed)) => expected.killed = *killed,
                    (target, RawLane::Words(words)) => {
                        let [x, y, z, w] = &**words;
                        let words = [x.expected()?, y.expected()?, z.expected()?, w.expected()?];
                        expected.exports.insert(target.to_owned(), words);
                    }
                    (target, RawLane::Killed(_)) => {
                        return Err(format!(
                            "{target:?} takes four words; only killed is true or false"
                        ));
                    }
                }
            }
            expect.push(expected);
        }
        Ok(ProgramCase {
            bytes: hex::little_endian_words(&self.words).map_err(|error| error.to_string())?,
            chip: chip(self.chip)?,
            environment,
            expect,
            undefined: self.undefined,
            id: self.id,
            evidence: self.evidence,
            source: self.source,
            note: self.note,
            file: file.to_owned(),
        })
    }
}

/// All execution cases below a directory.
#[derive(Clone, Debug, Default)]
pub struct ExecutionCases {
    /// Single instructions.
    pub instructions: Vec<InstructionCase>,
    /// Programs.
    pub programs: Vec<ProgramCase>,
}

/// Loads every file below a directory whose name ends in [`INSTRUCTIONS`] or [`PROGRAMS`], in the order of their paths.
pub fn directory(root: &Path) -> Result<ExecutionCases, LoadError> {
    let mut cases = ExecutionCases::default();
    let mut places: HashMap<String, PathBuf> = HashMap::new();
    let mut first = |id: &str, path: &Path| match places.insert(id.to_owned(), path.to_owned()) {
        None => Ok(()),
        Some(first) => Err(LoadError::Twice {
            id: id.to_owned(),
            first,
            second: path.to_owned(),
        }),
    };
    for entry in WalkDir::new(root).follow_links(true).sort_by_file_name() {
        let entry = entry.map_err(|error| LoadError::Read {
            path: error.path().unwrap_or(root).to_owned(),
            error: error.into(),
        })?;
        let path = entry.path();
        let name = entry.file_name().to_string_lossy();
        let instructions = name.ends_with(INSTRUCTIONS);
        if !entry.file_type().is_file() || !(instructions || name.ends_with(PROGRAMS)) {
            continue;
        }
        let text = fs::read_to_string(path).map_err(|error| LoadError::Read {
            path: path.to_owned(),
            error,
        })?;
        let refuse = |id: &str, why| LoadError::Case {
            path: path.to_owned(),
            id: id.to_owned(),
            why,
        };
        let syntax = |error| LoadError::Syntax {
            path: path.to_owned(),
            error: Box::new(error),
        };
        if instructions {
            let file: InstructionFile = toml::from_str(&text).map_err(syntax)?;
            for raw in file.execution {
                let id = raw.id.clone();
                first(&id, path)?;
                let case = raw.read(path).map_err(|why| refuse(&id, why))?;
                cases.instructions.push(case);
            }
        } else {
            let file: ProgramFile = toml::from_str(&text).map_err(syntax)?;
            for raw in file.program {
                let id = raw.id.clone();
                first(&id, path)?;
                let case = raw.read(path).map_err(|why| refuse(&id, why))?;
                cases.programs.push(case);
            }
        }
    }
    Ok(cases)
}
