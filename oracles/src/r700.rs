//! The oracle of the `r700` target: R600 and R700 ("Latte") shader microcode.
//!
//! Everything it knows of a field, an opcode or a name is a row of a table in `oracles/spec/r700`, read from AMD's own
//! manuals where those are readable (each row says where, and how it is known otherwise). The code here is what
//! `docs/targets/r700.md` says in words: how a word is read by its rows (`word`), and how a program is walked (`program`,
//! `groups`).
//!
//! - [`Tables`] are the rows. A change in one makes a wrong oracle, never a refused one as long as the row can be read:
//!   that is how the suite proves that it would notice.
//! - [`vocabulary`] lists the target's fields, in the order of the contract.
//! - [`Oracle`] answers, for one chip and unit at a time.
//! - [`execution`] runs programs.

mod compile;
pub mod execution;
mod groups;
mod names;
mod program;
mod rows;
#[cfg(test)]
mod tests;
mod word;

use std::sync::Arc;

use corpora::{Bits, Implementation, OptionError, Options, Outcome, Vocabulary};

use crate::table::{Table, TableError};
use compile::Compiler;
use program::Walker;
use word::Layout;

pub use rows::vocabulary;

/// The rows that the oracle is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tables {
    /// Bit fields, in the order of the vocabulary.
    pub fields: Table,
    /// Opcodes.
    pub opcodes: Table,
    /// Names of all other numbers.
    pub enums: Table,
    /// Other spellings of these names.
    pub aliases: Table,
}

impl Tables {
    /// The tables in `oracles/spec/r700`.
    pub fn embedded() -> Result<Self, TableError> {
        Ok(Self {
            fields: Table::parse("r700/fields.tsv", include_str!("../spec/r700/fields.tsv"))?,
            opcodes: Table::parse("r700/opcodes.tsv", include_str!("../spec/r700/opcodes.tsv"))?,
            enums: Table::parse("r700/enums.tsv", include_str!("../spec/r700/enums.tsv"))?,
            aliases: Table::parse("r700/aliases.tsv", include_str!("../spec/r700/aliases.tsv"))?,
        })
    }

    /// The name that the contract uses for another spelling of it. `class` is a class of opcodes (`op2`, `tex`) or a list
    /// of names (`alu_src`).
    pub fn canonical(&self, class: &str, spelling: &str) -> Option<&str> {
        self.aliases
            .rows()
            .find(|row| row.text("class") == class && row.text("alias") == spelling)
            .map(|row| row.text("name"))
    }
}

/// What an input is: one instruction of some kind, or a program. The option `unit`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Unit {
    /// A whole program.
    #[default]
    Program,
    /// One control-flow instruction, 8 bytes.
    Cf,
    /// One ALU instruction, 8 bytes.
    Alu,
    /// One texture fetch, 16 bytes.
    Tex,
    /// One vertex fetch, 16 bytes.
    Vtx,
    /// One memory read or data share operation, 16 bytes.
    Mem,
}

impl Unit {
    /// Every unit.
    pub const ALL: [Self; 6] = [
        Self::Program,
        Self::Cf,
        Self::Alu,
        Self::Tex,
        Self::Vtx,
        Self::Mem,
    ];

    /// The value of the option.
    pub fn name(self) -> &'static str {
        match self {
            Self::Program => "program",
            Self::Cf => "cf",
            Self::Alu => "alu",
            Self::Tex => "tex",
            Self::Vtx => "vtx",
            Self::Mem => "mem",
        }
    }
}

/// Which generation's encoding is meant. The option `chip`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Chip {
    /// The R6xx family.
    R600,
    /// The R7xx family and Latte.
    #[default]
    R700,
}

impl Chip {
    /// Every chip.
    pub const ALL: [Self; 2] = [Self::R600, Self::R700];

    /// The value of the option.
    pub fn name(self) -> &'static str {
        match self {
            Self::R600 => "r600",
            Self::R700 => "r700",
        }
    }
}

/// The rows of one chip, compiled.
#[derive(Clone, Debug)]
struct Core {
    cf: Layout,
    alu: Layout,
    tex: Layout,
    vtx: Layout,
    mem: Layout,
    walker: Walker,
}

impl Core {
    fn layout(&self, unit: Unit) -> Option<&Layout> {
        match unit {
            Unit::Program => None,
            Unit::Cf => Some(&self.cf),
            Unit::Alu => Some(&self.alu),
            Unit::Tex => Some(&self.tex),
            Unit::Vtx => Some(&self.vtx),
            Unit::Mem => Some(&self.mem),
        }
    }
}

/// The oracle. Made once from tables; then it answers without touching text.
#[derive(Clone, Debug)]
pub struct Oracle {
    vocabulary: Arc<Vocabulary>,
    r600: Arc<Core>,
    r700: Arc<Core>,
    unit: Unit,
    chip: Chip,
}

impl Oracle {
    /// Makes an oracle from tables. Its records are written in `vocabulary`, which has to have the fields of
    /// [`vocabulary`] and may have further symbols. Names that it lacks, as altered tables can have, are added to the
    /// oracle's own copy.
    pub fn new(tables: &Tables, vocabulary: Arc<Vocabulary>) -> Result<Self, TableError> {
        let mut vocabulary = Vocabulary::clone(&vocabulary);
        let mut core = |chip| -> Result<Core, TableError> {
            let mut compiler = Compiler::new(tables, &mut vocabulary, chip)?;
            Ok(Core {
                cf: compiler.layout("cf")?,
                alu: compiler.layout("alu")?,
                tex: compiler.layout("tex")?,
                vtx: compiler.layout("vtx")?,
                mem: compiler.layout("mem")?,
                walker: Walker::new(&mut compiler)?,
            })
        };
        let (r600, r700) = (core(Chip::R600)?, core(Chip::R700)?);
        Ok(Self {
            vocabulary: Arc::new(vocabulary),
            r600: Arc::new(r600),
            r700: Arc::new(r700),
            unit: Unit::default(),
            chip: Chip::default(),
        })
    }

    /// The vocabulary of its records.
    pub fn vocabulary(&self) -> &Arc<Vocabulary> {
        &self.vocabulary
    }

    /// Takes the options as values rather than as text.
    pub fn set(&mut self, unit: Unit, chip: Chip) {
        (self.unit, self.chip) = (unit, chip);
    }

    /// Where the fields of a unit stand, in any of its layouts, and the runs of bits that have no name: what a
    /// generator sets to every value in turn. Each place once, in ascending order; none for a program.
    pub fn sweep_fields(&self, unit: Unit, chip: Chip) -> Vec<Bits> {
        self.core(chip)
            .layout(unit)
            .map(Layout::places)
            .unwrap_or_default()
    }

    fn core(&self, chip: Chip) -> &Arc<Core> {
        match chip {
            Chip::R600 => &self.r600,
            Chip::R700 => &self.r700,
        }
    }
}

impl Implementation for Oracle {
    fn name(&self) -> &str {
        "r700 oracle"
    }

    fn select(&mut self, options: &Options) -> Result<(), OptionError> {
        let (mut unit, mut chip) = (Unit::default(), Chip::default());
        for (name, value) in options.iter() {
            let refuse = |allowed: Vec<&str>| OptionError {
                name: name.to_owned(),
                value: value.to_owned(),
                allowed: allowed.join(", "),
            };
            match name {
                "unit" => {
                    unit = Unit::ALL
                        .into_iter()
                        .find(|unit| unit.name() == value)
                        .ok_or_else(|| refuse(Unit::ALL.map(Unit::name).to_vec()))?;
                }
                "chip" => {
                    chip = Chip::ALL
                        .into_iter()
                        .find(|chip| chip.name() == value)
                        .ok_or_else(|| refuse(Chip::ALL.map(Chip::name).to_vec()))?;
                }
                _ => return Err(refuse(vec!["the options unit and chip"])),
            }
        }
        self.set(unit, chip);
        Ok(())
    }

    fn answer(&mut self, input: &[u8], outcome: &mut Outcome) {
        let core = self.core(self.chip);
        match core.layout(self.unit) {
            Some(layout) if layout.is_empty() => {
                outcome.unsupported("memory reads and data share operations came with R700");
            }
            Some(layout) => layout.answer(input, outcome),
            None => program::answer(core, input, outcome),
        }
    }
}
