//! The oracle: one unit of the target at a time.

use std::sync::Arc;

use corpora::{Implementation, OptionError, Options, Outcome, Vocabulary};

use super::Tables;
use super::acceptance::{Rejection, Rules, WORD};
use super::report::Report;
use crate::table::TableError;

/// What an input is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Word,
    Instruction,
    Stream,
    Dma,
}

impl Unit {
    const ALL: [(&str, Self); 4] = [
        ("word", Self::Word),
        ("instruction", Self::Instruction),
        ("stream", Self::Stream),
        ("dma", Self::Dma),
    ];
}

/// The oracle of the `igc` target. Without a unit, or with one that the target does not have, every input is unsupported.
///
/// It never panics and takes time in proportion to the input, which is 256 KiB at most.
#[derive(Clone, Debug)]
pub struct Oracle {
    unit: Option<Unit>,
    rules: Rules,
    report: Report,
}

impl Oracle {
    /// An oracle of those tables, whose records are in that vocabulary. An error names the row that makes no sense, or
    /// whose path the vocabulary does not have.
    pub fn new(tables: &Tables, vocabulary: Arc<Vocabulary>) -> Result<Self, TableError> {
        Ok(Self {
            unit: None,
            rules: Rules::read(tables)?,
            report: Report::read(tables, &vocabulary)?,
        })
    }

    /// The bytes that were consumed.
    fn judge(&self, unit: Unit, input: &[u8], outcome: &mut Outcome) -> Result<usize, Rejection> {
        let (rules, record) = (&self.rules, &mut outcome.record);
        match unit {
            Unit::Word => {
                self.report.alone(rules, &rules.word(input)?, record);
                Ok(WORD)
            }
            Unit::Instruction => {
                let instruction = rules.instruction(input, 0)?;
                self.report.alone(rules, &instruction, record);
                Ok(WORD * (1 + instruction.operands.len()))
            }
            Unit::Stream => {
                self.report.stream(rules, &rules.stream(input)?, record);
                Ok(input.len())
            }
            Unit::Dma => {
                self.report.pairs(&rules.dma(input)?, record);
                Ok(input.len())
            }
        }
    }
}

impl Implementation for Oracle {
    fn name(&self) -> &str {
        "igc oracle"
    }

    fn select(&mut self, options: &Options) -> Result<(), OptionError> {
        self.unit = None;
        for (name, value) in options.iter() {
            if name != "unit" {
                return Err(OptionError {
                    name: name.to_owned(),
                    value: value.to_owned(),
                    allowed: "unit=word, unit=instruction, unit=stream, unit=dma".to_owned(),
                });
            }
            // Rule 1: another unit is an answer, not a fault of the caller.
            let unit = Unit::ALL.iter().find(|unit| unit.0 == value);
            self.unit = unit.map(|unit| unit.1);
        }
        Ok(())
    }

    fn answer(&mut self, input: &[u8], outcome: &mut Outcome) {
        let Some(unit) = self.unit else {
            outcome.unsupported("no unit of: word, instruction, stream, dma");
            return;
        };
        match self.judge(unit, input, outcome) {
            Ok(consumed) => outcome.accept(consumed),
            Err(rejection) => outcome.reject(rejection.class, rejection.offset),
        }
    }
}
