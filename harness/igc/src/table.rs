//! The table of instructions: one row each, with what is known of it and how.

use std::fmt;

use crate::Rule;

/// An instruction by name.
///
/// The names are those of the notes, where macros have them after `IGC_`; [`Op::name`] spells them so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the table says all there is")]
#[repr(u8)]
pub enum Op {
    Noop,
    SetEnabs,
    ClrEnabs,
    MemIntoEnab,
    EnabAndEqMem,
    Edge,
    EnabAndEqMemBar,
    MemBarIntoEnab,
    CryIntoMem,
    EnabIntoMem,
    MemOrEqEnab,
    MemAndEqEnab,
    EnabXorEqMem,
    SEdge,
    MemEdge,
    SEdgeBar,
    TreeGeZeroL3,
    TreeLtZeroL3,
    MemLtTreeL3,
    TreeIntoMemL3,
    TreeIntoMemL0,
    ScaIntoMemS1,
    Cpy,
    MemGeScaS1,
    FBits,
    OvFix,
    MemPlusEqMemK,
    Sweep121,
    Sweep125,
    McWrite,
    /// A word that is none of the others: one word, kept whole.
    Unknown,
}

/// What the words after the first are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operands {
    /// Nothing follows.
    None,
    /// Three floats: A, B, C.
    Coefficients,
    /// A word, unsigned.
    Scalar,
    /// A word whose bits 7:0 are an address.
    Source,
    /// A source, the destination again and a second length.
    Sweep,
    /// A word kept as it is.
    Raw,
}

/// How a fact is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// The notes say so, and no word contradicts it.
    Stated,
    /// Concluded from the words named beside it.
    Inferred,
    /// Nothing decides; held so that implementations agree.
    Chosen,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Row {
    /// The instruction.
    pub op: Op,
    /// Its name.
    pub name: &'static str,
    /// Bits 31 and 22:8 of its first word. EDGE has the lowest of its three words here, MCWRITE the word of number 0.
    pub base: u32,
    /// Words, with the first.
    pub words: u8,
    /// The words after the first.
    pub operands: Operands,
    /// How L says the length.
    pub rule: Rule,
    /// How the base is known.
    pub evidence: Evidence,
    /// First words that the notes show.
    pub samples: &'static [u32],
    /// What the rest of the row stands on.
    pub provenance: &'static str,
}

const fn bits(op: Op, name: &'static str, base: u32, provenance: &'static str) -> Row {
    Row {
        op,
        name,
        base,
        words: 1,
        operands: Operands::None,
        rule: Rule::Zero,
        evidence: Evidence::Stated,
        samples: &[],
        provenance,
    }
}

const fn long(
    (op, name, base): (Op, &'static str, u32),
    operands: Operands,
    rule: Rule,
    samples: &'static [u32],
    provenance: &'static str,
) -> Row {
    Row {
        op,
        name,
        base,
        words: match operands {
            Operands::None => 1,
            Operands::Coefficients => 4,
            _ => 2,
        },
        operands,
        rule,
        // A base with samples is read off their words; one without is quoted.
        evidence: if samples.is_empty() {
            Evidence::Stated
        } else {
            Evidence::Inferred
        },
        samples,
        provenance,
    }
}

/// Every known instruction, in the order of [`Op`].
pub static TABLE: [Row; 30] = {
    use Operands::{Coefficients, Raw, Scalar, Source, Sweep};
    [
        bits(Op::Noop, "NOOP", 0, "stated"),
        bits(Op::SetEnabs, "SETENABS", 0x100, "stated three times"),
        bits(Op::ClrEnabs, "CLRENABS", 0x200, "stated once"),
        bits(Op::MemIntoEnab, "MEMintoENAB", 0x300, "stated three times"),
        bits(Op::EnabAndEqMem, "ENABandeqMEM", 0x500, "stated once"),
        long(
            (Op::Edge, "EDGE", 0x601),
            Coefficients,
            Rule::None,
            &[],
            "stated once, 0x601 to 0x603; its form bits say no floats (I010)",
        ),
        bits(Op::EnabAndEqMemBar, "ENABandeqMEMBAR", 0x800, "stated once"),
        Row {
            rule: Rule::ZeroOrM,
            samples: &[0x3a80_4834],
            ..bits(
                Op::MemBarIntoEnab,
                "MEMBARintoENAB",
                0x4800,
                "stated; L of 0 and of 117 are both seen",
            )
        },
        bits(Op::CryIntoMem, "CRYintoMEM", 0xb300, "stated once"),
        bits(Op::EnabIntoMem, "ENABintoMEM", 0xb500, "stated twice"),
        bits(Op::MemOrEqEnab, "MEMoreqENAB", 0xb700, "stated once"),
        bits(Op::MemAndEqEnab, "MEMandeqENAB", 0xb900, "stated once"),
        bits(Op::EnabXorEqMem, "ENABxoreqMEM", 0x1_0a00, "stated twice"),
        bits(
            Op::SEdge,
            "SEDGE",
            0x40_0a00,
            "base stated once; words chosen",
        ),
        bits(
            Op::MemEdge,
            "MEMEDGE",
            0x41_3c00,
            "base stated once; words chosen",
        ),
        bits(
            Op::SEdgeBar,
            "SEDGEBAR",
            0x41_3f00,
            "base stated once; words chosen",
        ),
        long(
            (Op::TreeGeZeroL3, "TREEgeZERO_L3", 0x68_0d00),
            Coefficients,
            Rule::Fixed,
            &[0x3ae8_0d00],
            "one word",
        ),
        long(
            (Op::TreeLtZeroL3, "TREEltZERO_L3", 0x69_4200),
            Coefficients,
            Rule::Fixed,
            &[0x3ae9_4200],
            "one word, in six edges of two packets",
        ),
        long(
            (Op::MemLtTreeL3, "MEMltTREE_L3", 0x6a_2100),
            Coefficients,
            Rule::Z,
            &[0x44ea_2120, 0x44ea_2161],
            "two words and the builder's expression, equal in every bit",
        ),
        long(
            (Op::TreeIntoMemL3, "TREEintoMEM_L3", 0x2a_4300),
            Coefficients,
            Rule::T,
            &[
                0x3d2a_4339,
                0x412a_4340,
                0x3daa_4352,
                0x3daa_435a,
                0x41aa_4362,
                0x41aa_4372,
                0x41aa_4382,
            ],
            "seven words",
        ),
        long(
            (Op::TreeIntoMemL0, "TREEintoMEM_L0", 0x0a_4300),
            Operands::None,
            Rule::T,
            &[0x438a_4320],
            "one word",
        ),
        long(
            (Op::ScaIntoMemS1, "SCAintoMEM_S1", 0x10_f700),
            Scalar,
            Rule::M,
            &[0x3c90_f734, 0x0910_f734],
            "two words; the length of the second is inferred (I005)",
        ),
        long(
            (Op::Cpy, "CPY", 0x8000_4c00),
            Source,
            Rule::T,
            &[0xbc00_4c34, 0xbb00_4cb3],
            "two pairs; what else than the source the second word holds is open (I015)",
        ),
        long(
            (Op::MemGeScaS1, "MEMgeSCA_S1", 0x8011_6c00),
            Raw,
            Rule::M,
            &[0xbc91_6c00],
            "one pair; where its address and its scalar are is open (I009)",
        ),
        long(
            (Op::FBits, "FBITS", 0x8000_0000),
            Raw,
            Rule::None,
            &[0x8000_0000],
            "one pair, {0x80000000, 0x48000000} for 15 (I012)",
        ),
        long(
            (Op::OvFix, "OVFIX", 0x8000_e600),
            Source,
            Rule::None,
            &[],
            "base stated once; the second word inferred from bit 31 (I014)",
        ),
        long(
            (Op::MemPlusEqMemK, "MEMpluseqMEM_K", 0x8000_6c00),
            Sweep,
            Rule::M,
            &[],
            "base stated once (I016)",
        ),
        long(
            (Op::Sweep121, "SWEEP_121", 0x8001_2100),
            Source,
            Rule::M,
            &[],
            "the emitter; the name is ours",
        ),
        long(
            (Op::Sweep125, "SWEEP_125", 0x8001_2500),
            Sweep,
            Rule::M,
            &[0xba01_253a],
            "one pair captured, and the emitter; the name is ours",
        ),
        long(
            (Op::McWrite, "MCWRITE", 0x2_0000),
            Operands::None,
            Rule::None,
            &[],
            "stated once: 0x20000 | (a & 0x1ff) << 8; words chosen",
        ),
    ]
};

static UNKNOWN: Row = long(
    (Op::Unknown, "unknown", 0),
    Operands::None,
    Rule::None,
    &[],
    "one word: chosen",
);

impl Op {
    /// The row of the table; a row of its own for [`Op::Unknown`].
    #[inline]
    pub fn row(self) -> &'static Row {
        TABLE.get(self as usize).unwrap_or(&UNKNOWN)
    }

    /// The name, as the contract has it.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The instruction that a word begins.
    #[inline]
    pub fn of(word: u32) -> Self {
        let op = BY_BASE[key(word)];
        match op {
            // Three words, and no others of their base.
            Self::Edge if !matches!(word, 0x601..=0x603) => Self::Unknown,
            // L counts here: bits 31:17 are 1.
            Self::McWrite if word >> 17 != 1 => Self::Unknown,
            op => op,
        }
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that no instruction has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no instruction of this name has an encoding")]
pub struct UnknownName;

impl std::str::FromStr for Op {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let row = TABLE.iter().find(|row| row.name == name);
        row.map(|row| row.op).ok_or(UnknownName)
    }
}

/// Bits 31 and 22:8 of a word, side by side.
#[inline]
const fn key(word: u32) -> usize {
    (word >> 31 << 15 | word >> 8 & 0x7fff) as usize
}

/// The instruction of every base; EDGE and MCWRITE are to be asked for the rest of the word.
static BY_BASE: [Op; 1 << 16] = {
    let mut ops = [Op::Unknown; 1 << 16];
    let mut n = 0;
    while n < TABLE.len() {
        ops[key(TABLE[n].base)] = TABLE[n].op;
        n += 1;
    }
    let mut number = 0;
    while number < 0x200 {
        ops[key(0x2_0000 | number << 8)] = Op::McWrite;
        number += 1;
    }
    ops
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_names_and_bases_are_different() {
        for (n, row) in TABLE.iter().enumerate() {
            assert_eq!(row.op as usize, n);
            assert_eq!(row.name.parse(), Ok(row.op));
            assert_eq!(Op::of(row.base), row.op);
            for other in &TABLE[..n] {
                assert_ne!(
                    key(other.base),
                    key(row.base),
                    "{} {}",
                    other.name,
                    row.name
                );
            }
            for &sample in row.samples {
                assert_eq!(Op::of(sample), row.op, "{sample:#010x}");
            }
        }
        assert_eq!("unknown".parse::<Op>(), Err(UnknownName));
        assert_eq!("CLEAR".parse::<Op>(), Err(UnknownName));
    }

    #[test]
    fn words_of_the_notes_are_told_apart() {
        // igc/word/* of testdata/igc/words.cases.toml.
        for (word, op) in [
            (0x0001_0a00, Op::EnabXorEqMem),
            (0x0040_0a00, Op::SEdge),
            (0x0000_0601, Op::Edge),
            (0x0000_0603, Op::Edge),
            (0x0000_0600, Op::Unknown),
            (0x0000_0604, Op::Unknown),
            (0x0000_0666, Op::Unknown),
            (0x0080_0601, Op::Unknown),
            (0x0042_2100, Op::Unknown),
            (0x8000_6c00, Op::MemPlusEqMemK),
            (0xbc91_6c00, Op::MemGeScaS1),
            (0x0002_0000, Op::McWrite),
            (0x0003_ff00, Op::McWrite),
            (0x0082_0000, Op::Unknown),
            (0x0001_979d, Op::Unknown),
            (0x0001_008f, Op::Unknown),
            (0x0014_3a21, Op::Unknown),
            (0x3e01_3991, Op::Unknown),
            (0x0000_ec00, Op::Unknown),
            (0x4800_0000, Op::Noop),
            (0x1000_007f, Op::Noop),
        ] {
            assert_eq!(Op::of(word), op, "{word:#010x}");
        }
    }

    #[test]
    fn the_template_counts_the_words_of_every_row_but_two() {
        for row in &TABLE {
            let form = row.base >> 20 & 3;
            let counted = 1 + (row.base >> 31) + [0, 1, 3, 0][form as usize];
            let expected = match row.op {
                Op::Edge => 1,
                Op::MemGeScaS1 => 3,
                _ => u32::from(row.words),
            };
            assert_eq!(counted, expected, "{}", row.name);
        }
    }
}
