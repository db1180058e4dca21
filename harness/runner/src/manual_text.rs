//! Opcode tables out of the text of AMD's manuals, as `pdftotext` gives it.
//!
//! The text has the opcodes twice. The microcode chapter enumerates them (`26 OP2_INST_NOP`), with page headers between the
//! lines and numbers parted from their names where a line wraps. The instruction pages say `ALU_INST == OP2_INST_NOP,
//! opcode 26 (1Ah)`. Where the two contradict each other the enumeration counts: programs agree with it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;
use thiserror::Error;

/// `number name` of an enumeration, across line breaks.
static ENUMERATED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b(\d+)\s+OP([23])_INST_([A-Z0-9_]+)").expect("a valid pattern"));

/// The opcode line of an instruction page.
static PAGE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"ALU_INST\s*==\s*OP([23])_INST_([A-Z0-9_]+),\s*opcode\s+(\d+)\s*\(")
        .expect("a valid pattern")
});

/// Largest opcode of each encoding: OP2 has 11 bits of which the top three are zero, OP3 has five.
const LIMITS: [u16; 2] = [255, 31];

/// Opcodes by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opcodes {
    /// Two operands.
    pub op2: BTreeMap<u16, String>,
    /// Three operands.
    pub op3: BTreeMap<u16, String>,
}

/// What was read, and what was strange about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// The opcodes.
    pub opcodes: Opcodes,
    /// Contradictions inside the text, and how each was decided.
    pub remarks: Vec<String>,
}

/// A text that cannot be what it should be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TextError {
    /// No enumeration line at all.
    #[error(
        "no line like \"26 OP2_INST_NOP\" in the text: is it the manual's text, as pdftotext gives it?"
    )]
    Empty,
    /// An encoding without any opcode.
    #[error("the text enumerates no OP{0} opcode")]
    Missing(u8),
    /// A number that the encoding cannot hold.
    #[error("line {line}: OP{operands}_INST_{name} has number {number}; at most {limit} fits")]
    Large {
        /// Operands.
        operands: u8,
        /// Name.
        name: String,
        /// Number, as it stands.
        number: String,
        /// The largest possible.
        limit: u16,
        /// The line, from 1.
        line: usize,
    },
    /// Two names for one number, both enumerated.
    #[error("line {line}: OP{operands} opcode {number} is {second}, and was {first} before")]
    TwoNames {
        /// Operands.
        operands: u8,
        /// Number.
        number: u16,
        /// First name.
        first: String,
        /// Second name.
        second: String,
        /// The line, from 1.
        line: usize,
    },
}

fn line(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

/// Reads the opcodes. `canonical` gives the spelling to use for a name.
pub fn read(text: &str, canonical: impl Fn(u8, &str) -> String) -> Result<Reading, TextError> {
    let mut reading = Reading::default();
    for found in ENUMERATED.captures_iter(text) {
        let at = line(text, found.get_match().start());
        let (_, [number, operands, name]) = found.extract();
        let operands: u8 = if operands == "2" { 2 } else { 3 };
        let limit = LIMITS[usize::from(operands) - 2];
        let value = number
            .parse()
            .ok()
            .filter(|value| *value <= limit)
            .ok_or_else(|| TextError::Large {
                operands,
                name: name.to_owned(),
                number: number.to_owned(),
                limit,
                line: at,
            })?;
        let spelling = canonical(operands, name);
        if spelling != name {
            reading.remarks.push(format!(
                "line {at}: {name} is spelled {spelling} in every other list"
            ));
        }
        let table = if operands == 2 {
            &mut reading.opcodes.op2
        } else {
            &mut reading.opcodes.op3
        };
        if let Some(first) = table.insert(value, spelling.clone())
            && first != spelling
        {
            return Err(TextError::TwoNames {
                operands,
                number: value,
                first,
                second: spelling,
                line: at,
            });
        }
    }
    let Opcodes { op2, op3 } = &reading.opcodes;
    match (op2.is_empty(), op3.is_empty()) {
        (true, true) => return Err(TextError::Empty),
        (true, false) => return Err(TextError::Missing(2)),
        (false, true) => return Err(TextError::Missing(3)),
        (false, false) => {}
    }
    let contradictions = pages(text, &reading.opcodes, &canonical);
    reading.remarks.extend(contradictions);
    Ok(reading)
}

/// Instruction pages that give an opcode another number than the enumeration does.
fn pages(text: &str, opcodes: &Opcodes, canonical: &impl Fn(u8, &str) -> String) -> Vec<String> {
    let mut remarks = Vec::new();
    for found in PAGE.captures_iter(text) {
        let at = line(text, found.get_match().start());
        let (_, [operands, name, number]) = found.extract();
        let (operands, table) = if operands == "2" {
            (2, &opcodes.op2)
        } else {
            (3, &opcodes.op3)
        };
        let name = canonical(operands, name);
        let enumerated = table
            .iter()
            .find(|(_, known)| **known == name)
            .map(|(number, _)| number);
        match enumerated {
            Some(enumerated) if enumerated.to_string() == number => {}
            Some(enumerated) => remarks.push(format!(
                "line {at}: the page of {name} says opcode {number}, the enumeration {enumerated}; the enumeration is used"
            )),
            None => remarks.push(format!(
                "line {at}: the page of {name} says opcode {number}, and no enumeration has the name; it is left out"
            )),
        }
    }
    remarks
}

/// The source text of `harness/r700/src/alu_tables.rs` with these opcodes: `current` with its two tables replaced.
pub fn render(current: &str, opcodes: &Opcodes) -> Option<String> {
    let mut text = replace(current, "OP2", &opcodes.op2)?;
    text = replace(&text, "OP3", &opcodes.op3)?;
    Some(text)
}

fn replace(current: &str, name: &str, rows: &BTreeMap<u16, String>) -> Option<String> {
    let head = format!("static {name}: &[(u16, &str)] = &[\n");
    let start = current.find(&head)? + head.len();
    let end = start + current[start..].find("];")?;
    let number = |line: &str| {
        let digits = line.trim_start().strip_prefix('(')?.split(',').next()?;
        match digits.strip_prefix("0x") {
            Some(hex) => u16::from_str_radix(hex, 16).ok(),
            None => digits.parse().ok(),
        }
    };
    // Keep the file's own way to write a number.
    let hex = current[start..end].lines().any(|line| line.contains("0x"));
    let known: Vec<u16> = current[start..end].lines().filter_map(number).collect();
    debug_assert!(known.is_sorted());
    let body: String = rows
        .iter()
        .map(|(number, name)| {
            if hex {
                format!("    ({number:#04x}, {name:?}),\n")
            } else {
                format!("    ({number}, {name:?}),\n")
            }
        })
        .collect();
    Some(format!("{}{body}{}", &current[..start], &current[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(_: u8, name: &str) -> String {
        name.to_owned()
    }

    #[test]
    fn wrapped_lines_and_page_headers() {
        let text = "Field  Bits\n0 OP2_INST_ADD\n\nPage 9-2 Microcode\n25\nOP2_INST_MOV\n16 OP3_INST_MULADD\n";
        let reading = read(text, plain).unwrap();
        assert_eq!(
            reading.opcodes.op2,
            [(0, "ADD".to_owned()), (25, "MOV".to_owned())].into()
        );
        assert_eq!(reading.opcodes.op3, [(16, "MULADD".to_owned())].into());
        assert!(reading.remarks.is_empty());
    }

    #[test]
    fn the_enumeration_is_believed_and_the_page_remarked_on() {
        let text = "26 OP2_INST_NOP 16 OP3_INST_MULADD\nALU_INST == OP2_INST_NOP, opcode 0 (0h)\n";
        let reading = read(text, plain).unwrap();
        assert_eq!(reading.opcodes.op2[&26], "NOP");
        assert_eq!(reading.remarks.len(), 1);
        assert!(reading.remarks[0].contains("says opcode 0, the enumeration 26"));
    }

    #[test]
    fn what_cannot_be_is_refused_with_its_line() {
        assert_eq!(read("nothing here", plain), Err(TextError::Empty));
        assert_eq!(read("1 OP2_INST_MUL", plain), Err(TextError::Missing(3)));
        let large = read("\n256 OP2_INST_MUL", plain).unwrap_err().to_string();
        assert_eq!(
            large,
            "line 2: OP2_INST_MUL has number 256; at most 255 fits"
        );
        let huge = read("99999999999999999999 OP2_INST_MUL", plain).unwrap_err();
        assert!(matches!(huge, TextError::Large { .. }));
        let twice = read("1 OP2_INST_MUL\n1 OP2_INST_ADD", plain)
            .unwrap_err()
            .to_string();
        assert_eq!(twice, "line 2: OP2 opcode 1 is ADD, and was MUL before");
    }
}
