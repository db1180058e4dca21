//! Opcode tables out of the text of AMD's manuals, as `pdftotext` gives it.
//!
//! The text has the opcodes twice. The microcode chapter enumerates them (`26 OP2_INST_NOP`), with page headers between the
//! lines and numbers parted from their names where a line wraps. The instruction pages say `ALU_INST == OP2_INST_NOP,
//! opcode 26 (1Ah)`. Where the two contradict each other the enumeration counts: programs agree with it.

use std::collections::BTreeMap;
use std::ops::Range;
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

/// The one name that the R700 manual's enumeration spells unlike every other list (erratum C22): as it stands among the
/// opcodes of three operands, and as it should.
const MISSPELT_OP3: [&str; 2] = ["CMNDGT_INT", "CNDGT_INT"];

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
    /// One name under two numbers of an encoding, both enumerated.
    #[error("line {line}: OP{operands}_INST_{name} has number {second}, and had {first} before")]
    TwoNumbers {
        /// Operands.
        operands: u8,
        /// Name.
        name: String,
        /// First number.
        first: u16,
        /// Second number.
        second: u16,
        /// The line, from 1.
        line: usize,
    },
}

impl Opcodes {
    fn table(&self, operands: u8) -> &BTreeMap<u16, String> {
        if operands == 2 { &self.op2 } else { &self.op3 }
    }

    fn number(&self, operands: u8, name: &str) -> Option<u16> {
        let mut rows = self.table(operands).iter();
        rows.find(|(_, known)| *known == name)
            .map(|(&number, _)| number)
    }

    /// Adds an opcode unless its number or its name is another's.
    fn add(
        &mut self,
        operands: u8,
        number: u16,
        name: &str,
        line: impl Fn() -> usize,
    ) -> Result<(), TextError> {
        if let Some(first) = self.table(operands).get(&number)
            && first != name
        {
            return Err(TextError::TwoNames {
                operands,
                number,
                first: first.clone(),
                second: name.to_owned(),
                line: line(),
            });
        }
        match self.number(operands, name) {
            Some(first) if first != number => {
                return Err(TextError::TwoNumbers {
                    operands,
                    name: name.to_owned(),
                    first,
                    second: number,
                    line: line(),
                });
            }
            _ => {}
        }
        let table = if operands == 2 {
            &mut self.op2
        } else {
            &mut self.op3
        };
        table.insert(number, name.to_owned());
        Ok(())
    }
}

fn spelling(operands: u8, name: &str) -> &str {
    let [wrong, right] = MISSPELT_OP3;
    if operands == 3 && name == wrong {
        right
    } else {
        name
    }
}

fn line(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

/// Reads the opcodes.
///
/// # Errors
///
/// An encoding has no opcode, a number is too large, or two enumerated opcodes share a number or a name.
pub fn read(text: &str) -> Result<Reading, TextError> {
    let mut reading = Reading::default();
    for found in ENUMERATED.captures_iter(text) {
        let at = || line(text, found.get_match().start());
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
                line: at(),
            })?;
        let spelling = spelling(operands, name);
        if spelling != name {
            reading.remarks.push(format!(
                "line {}: {name} is spelled {spelling} in every other list",
                at()
            ));
        }
        reading.opcodes.add(operands, value, spelling, at)?;
    }
    let Opcodes { op2, op3 } = &reading.opcodes;
    match (op2.is_empty(), op3.is_empty()) {
        (true, true) => return Err(TextError::Empty),
        (true, false) => return Err(TextError::Missing(2)),
        (false, true) => return Err(TextError::Missing(3)),
        (false, false) => {}
    }
    let contradictions = pages(text, &reading.opcodes);
    reading.remarks.extend(contradictions);
    Ok(reading)
}

/// Instruction pages that give an opcode another number than the enumeration does.
fn pages(text: &str, opcodes: &Opcodes) -> Vec<String> {
    let mut remarks = Vec::new();
    for found in PAGE.captures_iter(text) {
        let (_, [operands, name, number]) = found.extract();
        let operands = if operands == "2" { 2 } else { 3 };
        let name = spelling(operands, name);
        let decision = match opcodes.number(operands, name) {
            Some(enumerated) if enumerated.to_string() == number => continue,
            Some(enumerated) => format!("the enumeration {enumerated}; the enumeration is used"),
            None => "and no enumeration has the name; it is left out".to_owned(),
        };
        let at = line(text, found.get_match().start());
        remarks.push(format!(
            "line {at}: the page of {name} says opcode {number}, {decision}"
        ));
    }
    remarks
}

/// The source text of `harness/r700/src/alu_tables.rs` with these opcodes: `current` with its two tables replaced.
pub fn render(current: &str, opcodes: &Opcodes) -> Option<String> {
    let mut text = replace(current, "OP2", &opcodes.op2)?;
    text = replace(&text, "OP3", &opcodes.op3)?;
    Some(text)
}

/// The opcodes of `current`, the source text of the tables, whose numbers `opcodes` does not have: `OP2 25 MOV`.
pub fn lost(current: &str, opcodes: &Opcodes) -> Vec<String> {
    let tables = [("OP2", &opcodes.op2), ("OP3", &opcodes.op3)];
    let lost = |(table, kept): (&str, &BTreeMap<u16, String>)| -> Vec<String> {
        let body = body(current, table).unwrap_or_default();
        current[body]
            .lines()
            .filter_map(row)
            .filter(|(number, _)| !kept.contains_key(number))
            .map(|(number, name)| format!("{table} {number} {name}"))
            .collect()
    };
    tables.into_iter().flat_map(lost).collect()
}

/// Where the rows of a table stand in the source text.
fn body(current: &str, table: &str) -> Option<Range<usize>> {
    let head = format!("static {table}: &[(u16, &str)] = &[\n");
    let start = current.find(&head)? + head.len();
    let end = start + current[start..].find("];")?;
    Some(start..end)
}

/// Number and name of a row of the source text.
fn row(line: &str) -> Option<(u16, &str)> {
    let (digits, rest) = line.trim_start().strip_prefix('(')?.split_once(',')?;
    let number = match digits.strip_prefix("0x") {
        Some(hex) => u16::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some((number, rest.split('"').nth(1)?))
}

fn replace(current: &str, table: &str, rows: &BTreeMap<u16, String>) -> Option<String> {
    let Range { start, end } = body(current, table)?;
    // Keep the file's own way to write a number.
    let hex = current[start..end].lines().any(|line| line.contains("0x"));
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

    #[test]
    fn wrapped_lines_and_page_headers() {
        let text = "Field  Bits\n0 OP2_INST_ADD\n\nPage 9-2 Microcode\n25\nOP2_INST_MOV\n16 OP3_INST_MULADD\n";
        let reading = read(text).unwrap();
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
        let reading = read(text).unwrap();
        assert_eq!(reading.opcodes.op2[&26], "NOP");
        assert_eq!(reading.remarks.len(), 1);
        assert!(reading.remarks[0].contains("says opcode 0, the enumeration 26"));
    }

    #[test]
    fn what_cannot_be_is_refused_with_its_line() {
        assert_eq!(read("nothing here"), Err(TextError::Empty));
        assert_eq!(read("1 OP2_INST_MUL"), Err(TextError::Missing(3)));
        let large = read("\n256 OP2_INST_MUL").unwrap_err().to_string();
        assert_eq!(
            large,
            "line 2: OP2_INST_MUL has number 256; at most 255 fits"
        );
        let huge = read("99999999999999999999 OP2_INST_MUL").unwrap_err();
        assert!(matches!(huge, TextError::Large { .. }));
        let twice = read("1 OP2_INST_MUL\n1 OP2_INST_ADD")
            .unwrap_err()
            .to_string();
        assert_eq!(twice, "line 2: OP2 opcode 1 is ADD, and was MUL before");
        let moved = read("1 OP2_INST_MUL\n2 OP2_INST_MUL")
            .unwrap_err()
            .to_string();
        assert_eq!(moved, "line 2: OP2_INST_MUL has number 2, and had 1 before");
    }

    #[test]
    fn a_name_may_be_in_both_encodings_and_be_said_twice() {
        let text = "1 OP2_INST_MUL 7 OP3_INST_MUL\n1 OP2_INST_MUL\n";
        let Opcodes { op2, op3 } = read(text).unwrap().opcodes;
        assert_eq!((&*op2[&1], &*op3[&7]), ("MUL", "MUL"));
    }

    #[test]
    fn the_misspelt_name_is_put_right_among_three_operands_only() {
        let text = "1 OP2_INST_CMNDGT_INT 29 OP3_INST_CMNDGT_INT";
        let reading = read(text).unwrap();
        assert_eq!(reading.opcodes.op2[&1], "CMNDGT_INT");
        assert_eq!(reading.opcodes.op3[&29], "CNDGT_INT");
        assert_eq!(reading.remarks.len(), 1);
    }

    #[test]
    fn lost_rows_are_named() {
        let source = "static OP2: &[(u16, &str)] = &[\n    (1, \"MUL\"),\n    (0x19, \"MOV\"),\n];\n\
                      static OP3: &[(u16, &str)] = &[\n    (29, \"CNDGT_INT\"),\n];\n";
        let opcodes = Opcodes {
            op2: [(1, "MULTIPLY".to_owned())].into(),
            op3: BTreeMap::new(),
        };
        assert_eq!(lost(source, &opcodes), ["OP2 25 MOV", "OP3 29 CNDGT_INT"]);
    }
}
