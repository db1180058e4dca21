//! `instructions.tsv` and `lengths.tsv`: which row a word is of, and what its length is.

use std::sync::Arc;

use super::Tables;
use super::fields::BitField;
use crate::table::{Row, TableError};

/// The name of a word that no row takes.
pub(super) const UNKNOWN: &str = "unknown";

/// What the words after the first are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operands {
    /// None.
    None,
    /// Three floats.
    Floats,
    /// A scalar.
    Scalar,
    /// A source address.
    Source,
    /// Source, destination and length.
    Sweep,
    /// A word kept as it is.
    Raw,
}

/// Which length the source of an operand word is held with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SourceLength {
    /// The source is not held against the memory.
    Unbounded,
    /// The length of the first word.
    First,
    /// The second length.
    Second,
}

/// A length rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rule {
    /// Bias, lowest and highest L, modulus.
    numbers: Option<[u32; 4]>,
    /// The only values of L that are executed, if any are named.
    pub(super) executed: Option<Vec<u32>>,
}

/// A row of `instructions.tsv`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Definition {
    pub(super) name: String,
    bases: Vec<u32>,
    mask: u32,
    pub(super) words: u32,
    pub(super) operands: Operands,
    pub(super) rule: Option<Rule>,
    pub(super) bounded: bool,
    pub(super) source_length: SourceLength,
    pub(super) len_max: Option<u32>,
    /// Executed with address 0 alone.
    pub(super) zero_address: bool,
    /// The name of what it does, if that is known.
    pub(super) execution: Option<String>,
}

/// The instructions and the parts of a word.
#[derive(Clone, Debug)]
pub(super) struct Instructions {
    pub(super) rows: Vec<Arc<Definition>>,
    pub(super) addr: BitField,
    pub(super) opcode: BitField,
    pub(super) modifier: BitField,
    pub(super) length: BitField,
    pub(super) second: BitField,
}

fn optional(row: Row<'_>, column: &str) -> Result<Option<u32>, TableError> {
    match row.text(column) {
        "-" => Ok(None),
        _ => row.number(column).map(Some),
    }
}

fn flag(row: Row<'_>, column: &str, set: &str, clear: &str) -> Result<bool, TableError> {
    match row.text(column) {
        text if text == set => Ok(true),
        text if text == clear => Ok(false),
        other => Err(row.fault(format!("{column} is {other:?}, not {set} or {clear}"))),
    }
}

/// Numbers with blanks between them.
fn numbers(row: Row<'_>, column: &str) -> Result<Vec<u32>, TableError> {
    let parse = |text: &str| match text.strip_prefix("0x") {
        Some(hex) => u32::from_str_radix(hex, 16),
        None => text.parse(),
    };
    let numbers: Result<Vec<u32>, _> = row.text(column).split(' ').map(parse).collect();
    numbers.map_err(|_| row.fault(format!("{column} is not a list of numbers")))
}

impl Rule {
    fn read(tables: &Tables, row: Row<'_>) -> Result<Option<Self>, TableError> {
        let name = row.text("rule");
        if name == "-" {
            return Ok(None);
        }
        let rule = tables.lengths.rows().find(|rule| rule.text("rule") == name);
        let rule = rule.ok_or_else(|| row.fault(format!("no rule {name:?}")))?;
        let mut parts = [0; 4];
        let columns = ["bias", "low", "high", "modulus"];
        let computed = rule.text("bias") != "-";
        for (part, column) in parts.iter_mut().zip(columns) {
            *part = if computed { rule.number(column)? } else { 0 };
        }
        if computed && (parts[3] == 0 || parts[3] > 256 || parts[0] > parts[3]) {
            return Err(rule.fault("a bias above the modulus, or no modulus from 1 to 256"));
        }
        let executed = match rule.text("executed") {
            "-" => None,
            _ => Some(numbers(rule, "executed")?),
        };
        Ok(Some(Self {
            numbers: computed.then_some(parts),
            executed,
        }))
    }

    /// The length that L says.
    fn len(&self, length: u32) -> Option<u32> {
        let [bias, low, high, modulus] = self.numbers?;
        (low..=high)
            .contains(&length)
            .then(|| (length + modulus - bias) % modulus)
    }

    /// Whether the rule can give a length at all.
    pub(super) fn has_lengths(&self) -> bool {
        self.numbers.is_some()
    }
}

impl Definition {
    fn read(tables: &Tables, row: Row<'_>) -> Result<Self, TableError> {
        let operands = match row.text("operands") {
            "-" => Operands::None,
            "A B C" => Operands::Floats,
            "S" => Operands::Scalar,
            "P" => Operands::Source,
            "W" => Operands::Sweep,
            "R" => Operands::Raw,
            other => return Err(row.fault(format!("no operands {other:?}"))),
        };
        let words = row.number("words")?;
        let wanted = match operands {
            Operands::None => 1,
            Operands::Floats => 4,
            _ => 2,
        };
        if words != wanted {
            return Err(row.fault(format!("{words} words, where the operands make {wanted}")));
        }
        let source_length = match row.text("source_length") {
            "-" => SourceLength::Unbounded,
            "len" => SourceLength::First,
            "len2" => SourceLength::Second,
            other => return Err(row.fault(format!("no length {other:?}"))),
        };
        let execution = row.text("execution");
        Ok(Self {
            name: row.text("name").to_owned(),
            bases: numbers(row, "base")?,
            mask: row.number("mask")?,
            words,
            operands,
            rule: Rule::read(tables, row)?,
            bounded: flag(row, "bounded", "yes", "no")?,
            source_length,
            len_max: optional(row, "len_max")?,
            zero_address: flag(row, "addr", "zero", "any")?,
            execution: (execution != "-").then(|| execution.to_owned()),
        })
    }

    /// The length that L says of this instruction.
    pub(super) fn len(&self, length: u32) -> Option<u32> {
        self.rule.as_ref()?.len(length)
    }
}

impl Instructions {
    pub(super) fn read(tables: &Tables) -> Result<Self, TableError> {
        let field = |name| BitField::read(tables, "first", name);
        let rows = tables.instructions.rows();
        Ok(Self {
            rows: rows
                .map(|row| Definition::read(tables, row).map(Arc::new))
                .collect::<Result<_, _>>()?,
            addr: field("addr")?,
            opcode: field("opcode")?,
            modifier: field("modifier")?,
            length: field("length")?,
            second: field("second")?,
        })
    }

    /// The first row that takes the word.
    pub(super) fn of(&self, word: u32) -> Option<&Arc<Definition>> {
        self.rows
            .iter()
            .find(|row| row.bases.contains(&(word & row.mask)))
    }
}
