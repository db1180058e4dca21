//! The ALU opcodes: one table of both encodings, every slot of it classified.

use std::fmt;

use crate::alu_properties::{self as properties, Row};
use crate::alu_tables as names;
use crate::chip::Chip;

/// The units that can run an opcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnitClass {
    /// A vector unit or the trans unit.
    Any,
    /// Only the four vector units.
    Vector,
    /// Only the trans unit.
    Trans,
}

/// Properties of an opcode: a set of the constants in [`flags`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AluFlags(u32);

impl AluFlags {
    /// The union of some sets.
    pub const fn all_of(flags: &[Self]) -> Self {
        let mut union = 0;
        let mut i = 0;
        while i < flags.len() {
            union |= flags[i].0;
            i += 1;
        }
        Self(union)
    }

    /// Whether everything in `other` is in this set.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// The members of [`AluFlags`].
pub mod flags {
    use super::AluFlags;

    /// Operands 0 and 1 can be exchanged.
    pub const COMMUTATIVE: AluFlags = AluFlags(1);
    /// Zero times anything is not always zero.
    pub const IEEE: AluFlags = AluFlags(1 << 1);
    /// Follows the rules of DX10: NaN handling, or all bits set for true.
    pub const DX10: AluFlags = AluFlags(1 << 2);
    /// Works on 64-bit floats, which take two channels.
    pub const FLOAT64: AluFlags = AluFlags(1 << 3);
    /// Compares and gives a truth value.
    pub const SET: AluFlags = AluFlags(1 << 4);
    /// Sets the predicate.
    pub const PRED_SET: AluFlags = AluFlags(1 << 5);
    /// Sets the predicate, with a count of pushes as its result.
    pub const PRED_SET_PUSH: AluFlags = AluFlags(1 << 6);
    /// Ends the pixels for which the comparison holds.
    pub const KILL: AluFlags = AluFlags(1 << 7);
    /// Writes the address register.
    pub const MOVA: AluFlags = AluFlags(1 << 8);
    /// Selects operand 1 or 2 by operand 0.
    pub const CMOV: AluFlags = AluFlags(1 << 9);
    /// All units of the group get the same result.
    pub const REPLICATED: AluFlags = AluFlags(1 << 10);
    /// Takes all four vector units of the group.
    pub const REDUCTION: AluFlags = AluFlags(1 << 11);
    /// Compares signed integers.
    pub const CMP_INT: AluFlags = AluFlags(1 << 12);
    /// Compares unsigned integers.
    pub const CMP_UINT: AluFlags = AluFlags(1 << 13);
    /// The result is a signed integer.
    pub const DST_INT: AluFlags = AluFlags(1 << 14);
    /// The result is an unsigned integer.
    pub const DST_UINT: AluFlags = AluFlags(1 << 15);
}

/// A row of [`ALU_OPS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AluInfo {
    /// The name; `None` in a reserved slot, which has the operands of its encoding and any unit.
    pub name: Option<&'static str>,
    /// Operands that the opcode uses, at most those that the encoding has.
    pub operands: u8,
    /// The units on R600.
    pub r600: UnitClass,
    /// The units on R700.
    pub r700: UnitClass,
    /// Properties.
    pub flags: AluFlags,
}

impl AluInfo {
    /// The units on `chip`.
    pub const fn units(&self, chip: Chip) -> UnitClass {
        match chip {
            Chip::R600 => self.r600,
            Chip::R700 => self.r700,
        }
    }
}

/// Slots of [`ALU_OPS`] before those of the encoding OP3.
pub(crate) const OP3_BASE: u16 = 256;

/// Every opcode that an ALU word can hold, by [`AluOp::index`]: 256 of OP2, then 32 of OP3. (A word of
/// encoding OP3 has at least 4 there, so the first four of those are never met.)
pub static ALU_OPS: [AluInfo; 288] = {
    let mut ops = [reserved(2); 288];
    let mut i = OP3_BASE as usize;
    while i < ops.len() {
        ops[i] = reserved(3);
        i += 1;
    }
    ops = filled(ops, 0, names::OP2, properties::OP2);
    filled(ops, OP3_BASE, names::OP3, properties::OP3)
};

const fn reserved(operands: u8) -> AluInfo {
    AluInfo {
        name: None,
        operands,
        r600: UnitClass::Any,
        r700: UnitClass::Any,
        flags: AluFlags(0),
    }
}

const fn filled(
    mut ops: [AluInfo; 288],
    base: u16,
    names: &[(u16, &'static str)],
    rows: &[Row],
) -> [AluInfo; 288] {
    let mut i = 0;
    while i < names.len() {
        let (number, name) = names[i];
        ops[(base + number) as usize].name = Some(name);
        i += 1;
    }
    let mut i = 0;
    while i < rows.len() {
        let row = &rows[i];
        let op = &mut ops[(base + row.number) as usize];
        // A row for an opcode that no longer has a name must not say where a reserved one may go.
        if op.name.is_some() {
            op.operands = row.operands;
            op.r600 = row.r600;
            op.r700 = row.r700;
            op.flags = row.flags;
        }
        i += 1;
    }
    ops
}

/// The encodings of the second word of an ALU instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// ALU_WORD1_OP2: two operands, output modifiers, a write mask.
    Op2 = 0,
    /// ALU_WORD1_OP3: three operands.
    Op3 = 1,
}

impl Encoding {
    /// The `r700` target's number.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The `r700` target's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Op2 => "OP2",
            Self::Op3 => "OP3",
        }
    }

    /// Operands that the encoding has room for.
    pub const fn operands(self) -> usize {
        match self {
            Self::Op2 => 2,
            Self::Op3 => 3,
        }
    }
}

/// An ALU opcode: the encoding and the number in its opcode field, as an index of [`ALU_OPS`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AluOp(u16);

impl AluOp {
    /// The opcode of encoding OP2 with this number. R600 has room for numbers below 128 only.
    ///
    /// # Panics
    ///
    /// If the number is above 255: bits 17:15 of the word would say OP3.
    pub const fn op2(number: u16) -> Self {
        assert!(number < OP3_BASE, "OP2 has 256 opcodes");
        Self(number)
    }

    /// The opcode of encoding OP3 with this number.
    ///
    /// # Panics
    ///
    /// If the number is not one of 4 to 31: bits 17:15 of the word would say OP2.
    pub const fn op3(number: u16) -> Self {
        assert!(4 <= number && number < 32, "OP3 has the opcodes 4 to 31");
        Self(OP3_BASE + number)
    }

    /// The opcode at an index below 288.
    pub(crate) const fn from_index(index: u16) -> Self {
        Self(index)
    }

    /// The opcode with this name.
    pub const fn from_name(name: &str) -> Option<Self> {
        let mut i = 0;
        while i < ALU_OPS.len() {
            if let Some(candidate) = ALU_OPS[i].name
                && same(candidate, name)
            {
                return Some(Self(i as u16));
            }
            i += 1;
        }
        None
    }

    /// The opcode with this name, for constants: `const MOV: AluOp = AluOp::named("MOV");`.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub const fn named(name: &str) -> Self {
        Self::from_name(name).expect("no ALU opcode has this name")
    }

    /// The index of the opcode in [`ALU_OPS`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The encoding that has the opcode.
    pub const fn encoding(self) -> Encoding {
        if self.0 < OP3_BASE {
            Encoding::Op2
        } else {
            Encoding::Op3
        }
    }

    /// The number in the opcode field.
    pub const fn code(self) -> u16 {
        if self.0 < OP3_BASE {
            self.0
        } else {
            self.0 - OP3_BASE
        }
    }

    /// The opcode's row of the table.
    pub fn info(self) -> &'static AluInfo {
        &ALU_OPS[self.index()]
    }

    /// The name, if it has one. Both chips have the same names.
    pub fn name(self) -> Option<&'static str> {
        self.info().name
    }
}

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// The name, or `RESERVED_` with the encoding and the number.
impl fmt::Display for AluOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.pad(name),
            None => write!(
                f,
                "RESERVED_{}_{:#04x}",
                self.encoding().name(),
                self.code()
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_name_has_its_properties() {
        for (names, rows) in [(names::OP2, properties::OP2), (names::OP3, properties::OP3)] {
            let named: Vec<u16> = names.iter().map(|entry| entry.0).collect();
            let described: Vec<u16> = rows.iter().map(|row| row.number).collect();
            assert_eq!(named, described);
            assert!(named.is_sorted_by(|a, b| a < b));
        }
    }

    #[test]
    fn no_name_is_used_twice() {
        let names: Vec<_> = ALU_OPS.iter().filter_map(|info| info.name).collect();
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len());
    }

    #[test]
    fn operands_fit_the_encoding() {
        for (index, info) in ALU_OPS.iter().enumerate() {
            let encoding = AluOp::from_index(index as u16).encoding();
            assert!(
                usize::from(info.operands) <= encoding.operands(),
                "{:?}",
                info.name
            );
        }
    }

    #[test]
    fn errata_of_the_names() {
        // R042 to R044: the interpolation opcodes are Evergreen's.
        for number in [0xd6, 0xd7, 0xe0] {
            assert_eq!(AluOp::op2(number).name(), None);
        }
        // R007, R008: two sources misname these.
        assert_eq!(AluOp::op2(0x1a).name(), Some("NOP"));
        assert_eq!(AluOp::op2(0x43).name(), Some("PRED_SETGT_INT"));
    }

    #[test]
    fn errata_of_the_units() {
        let units = |name| {
            let info = AluOp::named(name).info();
            (info.units(Chip::R600), info.units(Chip::R700))
        };
        assert_eq!(units("LSHL_INT"), (UnitClass::Trans, UnitClass::Any));
        assert_eq!(units("MOVA_GPR_INT"), (UnitClass::Trans, UnitClass::Any));
        assert_eq!(units("MUL_LIT_D2"), (UnitClass::Trans, UnitClass::Trans));
        assert_eq!(units("DOT4"), (UnitClass::Vector, UnitClass::Vector));
        assert_eq!(units("LOG_CLAMPED"), (UnitClass::Trans, UnitClass::Trans));
    }

    #[test]
    fn the_number_spaces_do_not_mix() {
        const MULADD: AluOp = AluOp::named("MULADD");
        assert_eq!((MULADD.encoding(), MULADD.code()), (Encoding::Op3, 0x10));
        const FRACT: AluOp = AluOp::named("FRACT");
        assert_eq!((FRACT.encoding(), FRACT.code()), (Encoding::Op2, 0x10));
    }
}
