//! The layout of a program: which bytes are what.

use std::fmt;
use std::ops::Range;

use crate::cf::ClauseKind;
use crate::clause::SLOT_BYTES;
use crate::program::Program;

/// What a section of a program is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SectionKind {
    /// The control-flow instructions.
    ControlFlow,
    /// A clause, and the slot of the first control-flow instruction that runs it.
    Clause(ClauseKind, usize),
    /// Slots that nothing names.
    Gap,
}

/// A run of bytes of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// What it is.
    pub kind: SectionKind,
    /// Its bytes, from the start of the program.
    pub bytes: Range<usize>,
}

impl Program {
    /// The sections of the program, in order: they follow each other without holes.
    pub fn sections(&self) -> Vec<Section> {
        let section = |kind, start: usize, size: usize| Section {
            kind,
            bytes: SLOT_BYTES * start..SLOT_BYTES * (start + size),
        };
        let mut sections = vec![section(SectionKind::ControlFlow, 0, self.cf().len())];
        sections.extend(self.clauses().iter().map(|clause| {
            section(
                SectionKind::Clause(clause.kind, clause.cf_slot),
                clause.start,
                clause.size,
            )
        }));
        sections.extend(
            self.gaps()
                .iter()
                .map(|gap| section(SectionKind::Gap, gap.start, gap.words.len())),
        );
        sections.sort_by_key(|section| section.bytes.start);
        sections
    }
}

/// As in `0x0010..0x0030 ALU clause of 1`.
impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Range { start, end } = self.bytes;
        write!(f, "{start:#06x}..{end:#06x} ")?;
        match self.kind {
            SectionKind::ControlFlow => f.write_str("control flow"),
            SectionKind::Clause(ClauseKind::Alu, slot) => write!(f, "ALU clause of {slot}"),
            SectionKind::Clause(ClauseKind::Fetch(op), slot) => {
                // A clause is only made for opcodes with names.
                write!(
                    f,
                    "{} clause of {slot}",
                    op.info().name.unwrap_or("RESERVED")
                )
            }
            SectionKind::Gap => f.write_str("gap"),
        }
    }
}
