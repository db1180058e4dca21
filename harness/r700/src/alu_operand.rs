//! Operands of ALU instructions.

use crate::codes::Chan;
use crate::words::mask;

/// A source operand: SEL, REL, CHAN, NEG as in the word, and ABS, which OP2 has beside its opcode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Source(u16);

const REL: u16 = 1 << 9;
const CHAN: u32 = 10;
const NEG: u16 = 1 << 12;
const ABS: u16 = 1 << 13;

impl Source {
    /// A channel of what `sel` selects.
    pub const fn new(sel: SourceSel, chan: Chan) -> Self {
        Self(sel.0 | (chan.code() as u16) << CHAN)
    }

    /// A channel of a register.
    ///
    /// # Panics
    ///
    /// If the number is above 127.
    pub const fn gpr(gpr: u8, chan: Chan) -> Self {
        assert!(gpr < 128, "there are 128 registers");
        Self::new(SourceSel(gpr as u16), chan)
    }

    /// A channel of constant `index` of the window that kcache lock 0 or 1 opens.
    ///
    /// # Panics
    ///
    /// If the lock is above 1 or the index above 31.
    pub const fn kcache(lock: u8, index: u8, chan: Chan) -> Self {
        assert!(
            lock < 2 && index < 32,
            "there are two locks of 32 constants"
        );
        Self::new(SourceSel(128 + 32 * lock as u16 + index as u16), chan)
    }

    /// A channel of a constant of the constant file.
    pub const fn cfile(index: u8, chan: Chan) -> Self {
        Self::new(SourceSel(256 + index as u16), chan)
    }

    /// A dword of the group's literals: X and Y are the first slot.
    pub const fn literal(chan: Chan) -> Self {
        Self::new(SourceSel::LITERAL, chan)
    }

    /// The same, relative (indexed) or not.
    #[must_use]
    pub const fn with_rel(self, rel: bool) -> Self {
        self.with(REL, rel)
    }

    /// The same, negated or not.
    #[must_use]
    pub const fn with_neg(self, neg: bool) -> Self {
        self.with(NEG, neg)
    }

    /// The same, as its absolute value or not. Only operands of OP2 have this.
    #[must_use]
    pub const fn with_abs(self, abs: bool) -> Self {
        self.with(ABS, abs)
    }

    const fn with(self, bit: u16, set: bool) -> Self {
        Self(if set { self.0 | bit } else { self.0 & !bit })
    }

    /// SEL: what is read.
    pub const fn sel(self) -> SourceSel {
        SourceSel(self.0 & mask(9) as u16)
    }

    /// REL: whether an index is added to the register or constant.
    pub const fn rel(self) -> bool {
        self.0 & REL != 0
    }

    /// CHAN: the channel that is read.
    pub const fn chan(self) -> Chan {
        Chan::from_code((self.0 >> CHAN & 3) as u8)
    }

    /// NEG: whether the value is negated, after ABS.
    pub const fn neg(self) -> bool {
        self.0 & NEG != 0
    }

    /// ABS: whether the absolute value is read. Never set in OP3.
    pub const fn abs(self) -> bool {
        self.0 & ABS != 0
    }

    /// Whether the operand is a literal.
    pub const fn is_literal(self) -> bool {
        self.sel().0 == SourceSel::LITERAL.0
    }

    /// The operand in 14 bits: those of the word, then ABS.
    pub(crate) const fn from_bits(bits: u32) -> Self {
        Self((bits & mask(14)) as u16)
    }

    pub(crate) const fn to_bits(self) -> u32 {
        self.0 as u32
    }
}

/// What an operand reads: the 9-bit SEL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SourceSel(u16);

impl SourceSel {
    /// `ZERO`: 0.0, also the integer 0.
    pub const ZERO: Self = Self(248);
    /// `ONE`: 1.0.
    pub const ONE: Self = Self(249);
    /// `ONE_INT`: the integer 1.
    pub const ONE_INT: Self = Self(250);
    /// `M_ONE_INT`: the integer -1.
    pub const M_ONE_INT: Self = Self(251);
    /// `HALF`: 0.5.
    pub const HALF: Self = Self(252);
    /// `LITERAL`: a dword after the group.
    pub const LITERAL: Self = Self(253);
    /// `PV`: what the vector unit of the channel had as result in the group before.
    pub const PV: Self = Self(254);
    /// `PS`: what the trans unit had as result in the group before.
    pub const PS: Self = Self(255);

    /// The select with this code.
    ///
    /// # Panics
    ///
    /// If the code is above 511.
    pub const fn from_code(code: u16) -> Self {
        assert!(code < 512, "the code does not fit its field");
        Self(code)
    }

    /// The number that stands in the word.
    pub const fn code(self) -> u16 {
        self.0
    }

    /// What the code stands for.
    pub const fn kind(self) -> SourceKind {
        match self.0 {
            0..128 => SourceKind::Gpr(self.0 as u8),
            128..160 => SourceKind::Kcache0(self.0 as u8 - 128),
            160..192 => SourceKind::Kcache1(self.0 as u8 - 160),
            248 => SourceKind::Zero,
            249 => SourceKind::One,
            250 => SourceKind::OneInt,
            251 => SourceKind::MinusOneInt,
            252 => SourceKind::Half,
            253 => SourceKind::Literal,
            254 => SourceKind::Pv,
            255 => SourceKind::Ps,
            256..512 => SourceKind::Cfile((self.0 - 256) as u8),
            // Some lists name part of 219 to 247, for other chips (erratum R069).
            _ => SourceKind::Reserved,
        }
    }

    /// The name of the code, without its index, if it has one.
    pub const fn name(self) -> Option<&'static str> {
        Some(match self.kind() {
            SourceKind::Gpr(_) => "GPR",
            SourceKind::Kcache0(_) => "KCACHE0",
            SourceKind::Kcache1(_) => "KCACHE1",
            SourceKind::Zero => "ZERO",
            SourceKind::One => "ONE",
            SourceKind::OneInt => "ONE_INT",
            SourceKind::MinusOneInt => "M_ONE_INT",
            SourceKind::Half => "HALF",
            SourceKind::Literal => "LITERAL",
            SourceKind::Pv => "PV",
            SourceKind::Ps => "PS",
            SourceKind::Cfile(_) => "CFILE",
            SourceKind::Reserved => return None,
        })
    }
}

/// What [`SourceSel`] stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SourceKind {
    /// A register, 0 to 127.
    Gpr(u8),
    /// A constant of the window of kcache lock 0, 0 to 31.
    Kcache0(u8),
    /// A constant of the window of kcache lock 1, 0 to 31.
    Kcache1(u8),
    /// 0.0, also the integer 0.
    Zero,
    /// 1.0.
    One,
    /// The integer 1.
    OneInt,
    /// The integer -1.
    MinusOneInt,
    /// 0.5.
    Half,
    /// A dword after the group.
    Literal,
    /// The result of a vector unit in the group before.
    Pv,
    /// The result of the trans unit in the group before.
    Ps,
    /// A constant of the constant file, 0 to 255.
    Cfile(u8),
    /// A code without a meaning.
    Reserved,
}

/// A destination: DST_GPR, DST_REL, DST_CHAN.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Dest(u16);

impl Dest {
    /// A channel of a register.
    ///
    /// # Panics
    ///
    /// If the number is above 127.
    pub const fn new(gpr: u8, chan: Chan) -> Self {
        assert!(gpr < 128, "there are 128 registers");
        Self(gpr as u16 | (chan.code() as u16) << 8)
    }

    /// The same, relative (indexed) or not.
    #[must_use]
    pub const fn with_rel(self, rel: bool) -> Self {
        Self(self.0 & !(1 << 7) | (rel as u16) << 7)
    }

    /// DST_GPR: the register, 0 to 127.
    pub const fn gpr(self) -> u8 {
        (self.0 & 0x7f) as u8
    }

    /// DST_REL: whether an index is added to the register.
    pub const fn rel(self) -> bool {
        self.0 >> 7 & 1 != 0
    }

    /// DST_CHAN: the channel, which also names the vector unit.
    pub const fn chan(self) -> Chan {
        Chan::from_code((self.0 >> 8 & 3) as u8)
    }

    /// The destination in 10 bits, as in the word.
    pub(crate) const fn from_bits(bits: u32) -> Self {
        Self((bits & mask(10)) as u16)
    }

    pub(crate) const fn to_bits(self) -> u32 {
        self.0 as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ranges_of_the_select() {
        let name = |code| SourceSel::from_code(code).name();
        assert_eq!((name(127), name(128)), (Some("GPR"), Some("KCACHE0")));
        assert_eq!((name(159), name(160)), (Some("KCACHE0"), Some("KCACHE1")));
        assert_eq!((name(191), name(192)), (Some("KCACHE1"), None));
        // R069: 219 to 247 have names in lists for other chips only.
        assert_eq!((name(219), name(244), name(247)), (None, None, None));
        assert_eq!((name(248), name(255)), (Some("ZERO"), Some("PS")));
        assert_eq!((name(256), name(511)), (Some("CFILE"), Some("CFILE")));
    }

    #[test]
    fn an_operand_keeps_its_parts_apart() {
        let source = Source::kcache(1, 31, Chan::W).with_neg(true).with_rel(true);
        assert_eq!(source.sel().kind(), SourceKind::Kcache1(31));
        assert_eq!(source.chan(), Chan::W);
        assert!(source.neg() && source.rel() && !source.abs());
        assert_eq!(
            source.with_neg(false).with_rel(false),
            Source::kcache(1, 31, Chan::W)
        );
    }
}
