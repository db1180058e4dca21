//! Programs with known results: a `programs.jsonl` with an `expect.tsv` beside it.
//!
//! A row of the table is a run of one pixel: the inputs by name, the constants, and what the program exports. Its words are
//! hexadecimal; results are compared as numbers as far as the sign of a zero goes, which the rows do not settle.

use std::collections::BTreeMap;
use std::path::Path;

use corpora::execution::cases::{LaneExpected, Word};
use corpora::execution::{Environment, Lane, Stage, Vec4};
use corpora::hex;
use serde::Deserialize;

use super::shader::Shader;

/// A program, and the rows that it has to reproduce.
#[derive(Clone, Debug)]
pub struct Expected {
    /// The program.
    pub shader: Shader,
    /// Runs of one pixel each, and what it exports.
    pub rows: Vec<(Environment, LaneExpected)>,
}

#[derive(Deserialize)]
struct Line {
    name: String,
    backend: String,
    /// Which register each input arrives in.
    inputs: BTreeMap<String, u8>,
    kcache: Kcache,
    words: Vec<String>,
}

/// Where the constants are.
#[derive(Deserialize)]
struct Kcache {
    bank: u8,
    /// The first entry of the floats.
    k: usize,
    /// The entry of the integers.
    ik: usize,
}

/// A row that a compiler's fault makes wrong for one program.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompilerFault {
    /// The program: name and back end.
    pub program: String,
    /// The row, from 1.
    pub row: usize,
    /// The erratum that proves it.
    pub erratum: String,
    /// `pixel0.z`.
    pub export: String,
    /// What the microcode exports there.
    pub word: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FaultFile {
    fault: Vec<CompilerFault>,
}

/// The name of the file of such rows.
const FAULTS: &str = "compiler_faults.toml";

/// Reads the rows that compilers got wrong, from below the project's own test data.
pub fn compiler_faults(testdata: &Path) -> Result<Vec<CompilerFault>, String> {
    let path = testdata.join("r700/execution").join(FAULTS);
    if !path.is_file() {
        return Ok(Vec::new());
    }
    let at = |why: String| format!("{}: {why}", path.display());
    let text = std::fs::read_to_string(&path).map_err(|error| at(error.to_string()))?;
    let file: FaultFile = toml::from_str(&text).map_err(|error| at(error.to_string()))?;
    Ok(file.fault)
}

impl Expected {
    /// Puts what the microcode exports in the place of what its source gives, in the row of the fault.
    pub fn apply(&mut self, fault: &CompilerFault) -> Result<(), String> {
        if !self.shader.origin.ends_with(&format!("/{}", fault.program)) {
            return Ok(());
        }
        let refuse = |why: &str| format!("{FAULTS}: {} row {}: {why}", fault.program, fault.row);
        let digits = fault.word.strip_prefix("0x");
        let word = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let word = word.ok_or_else(|| refuse("the word is not 0x and up to eight digits"))?;
        let row = self.rows.get_mut(fault.row.wrapping_sub(1));
        let (_, expected) = row.ok_or_else(|| refuse("there is no such row"))?;
        let (target, channel) = fault.export.split_once('.').unwrap_or_default();
        let words = expected.exports.get_mut(target);
        let place = "xyzw".find(channel).filter(|_| channel.len() == 1);
        match words.zip(place) {
            Some((words, place)) => words[place] = Word::Is(word),
            None => return Err(refuse("it exports no such component")),
        }
        Ok(())
    }
}

/// The name of the table.
const TABLE: &str = "expect.tsv";

/// Columns of the table.
const COLUMNS: [&str; 7] = ["name", "v0", "v1", "iv", "k", "ik", "o0"];

/// Whether the programs of a file are shaders with inputs in registers, and not those of another target.
fn has_shaders(lines: &Path) -> bool {
    let text = std::fs::read_to_string(lines).unwrap_or_default();
    let first = text.lines().next().unwrap_or_default();
    let first: Result<serde_json::Value, _> = serde_json::from_str(first);
    first.is_ok_and(|line| line.get("kcache").is_some() && line.get("inputs").is_some())
}

/// Reads both files of a directory; none if it has no table.
pub fn directory(dir: &Path, origin: &str) -> Result<Vec<Expected>, String> {
    let table = dir.join(TABLE);
    if !table.is_file() || !has_shaders(&dir.join("programs.jsonl")) {
        return Ok(Vec::new());
    }
    let read = |path: &Path| {
        std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let text = read(&table)?;
    let mut rows: BTreeMap<&str, Vec<Vec<&str>>> = BTreeMap::new();
    for (number, line) in text.lines().enumerate() {
        let cells: Vec<_> = line.split('\t').collect();
        let fits = if number == 0 {
            cells == COLUMNS
        } else {
            cells.len() == COLUMNS.len()
        };
        if !fits {
            return Err(format!(
                "{origin}/{TABLE}: line {}: not the columns {}",
                number + 1,
                COLUMNS.join(", ")
            ));
        }
        if number > 0 {
            rows.entry(cells[0]).or_default().push(cells);
        }
    }
    let mut all = Vec::new();
    for (number, line) in read(&dir.join("programs.jsonl"))?.lines().enumerate() {
        let at = |why: String| format!("{origin}/programs.jsonl: line {}: {why}", number + 1);
        let line: Line = serde_json::from_str(line).map_err(|error| at(error.to_string()))?;
        let words = hex::little_endian_words(&line.words.join(" "))
            .map_err(|error| at(error.to_string()))?;
        let name = format!("{origin}/{}.{}", line.name, line.backend);
        let own = rows
            .get(line.name.as_str())
            .map(Vec::as_slice)
            .unwrap_or_default();
        let own = own
            .iter()
            .map(|cells| row(cells, &line).map_err(&at))
            .collect::<Result<_, _>>()?;
        let mut shader = Shader::new(name, words, Stage::Pixel);
        shader.inputs = Some(line.inputs.values().copied().collect());
        all.push(Expected { shader, rows: own });
    }
    Ok(all)
}

fn row(cells: &[&str], line: &Line) -> Result<(Environment, LaneExpected), String> {
    let words = |cell: &str| -> Result<Vec<u32>, String> {
        let word =
            |word: &str| u32::from_str_radix(word, 16).map_err(|_| format!("{word:?} is no word"));
        cell.split_whitespace().map(word).collect()
    };
    let vec4 = |cell: &str| -> Result<Vec4, String> {
        words(cell)?
            .try_into()
            .map_err(|words: Vec<u32>| format!("{} words, not 4", words.len()))
    };
    let mut environment = Environment::new(Stage::Pixel);
    let mut lane = Lane::default();
    for (name, cell) in COLUMNS[1..4].iter().zip(&cells[1..4]) {
        // An input that the program does not read has no register.
        if let Some(&register) = line.inputs.get(*name) {
            lane.registers.insert(register, vec4(cell)?);
        }
    }
    environment.lanes.push(lane);
    let k = words(cells[4])?;
    let (first, integers) = (line.kcache.k, line.kcache.ik);
    let mut block = vec![[0; 4]; (first + k.len() / 4).max(integers + 1).next_multiple_of(16)];
    for (entry, words) in block[first..].iter_mut().zip(k.chunks_exact(4)) {
        entry.copy_from_slice(words);
    }
    block[integers] = vec4(cells[5])?;
    environment.blocks.insert(line.kcache.bank, block);
    let mut expected = LaneExpected::default();
    if cells[6] == "killed" {
        expected.killed = true;
    } else {
        let word = |word: u32| match word << 1 {
            0 => Word::OneOf(vec![0, 1 << 31]),
            _ => Word::Is(word),
        };
        expected
            .exports
            .insert("pixel0".to_owned(), vec4(cells[6])?.map(word));
    }
    Ok((environment, expected))
}
