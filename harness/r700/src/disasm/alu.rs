//! Lines of ALU instructions.

use std::fmt;

use super::{Unused, field, flag};
use crate::alu::{Alu, Source, SourceKind};
use crate::chip::Chip;
use crate::codes::{BankSwizzle, Chan, IndexMode, Omod, PredSel};

/// The instruction as a line, as in `MUL_IEEE R1.x = -R2.y, |KC0[3].x| *2 CLAMP`.
impl fmt::Display for Alu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let index = Index {
            mode: self.index_mode(),
            chip: self.chip(),
        };
        let dst = self.dst();
        write!(f, "{} ", self.op())?;
        match (self.writes_dst(), dst.rel()) {
            (false, _) => f.write_str("----")?,
            (true, false) => write!(f, "R{}.{}", dst.gpr(), letter(dst.chan()))?,
            (true, true) => write!(f, "R[{}+{index}].{}", dst.gpr(), letter(dst.chan()))?,
        }

        let operands = usize::from(self.op().info().operands);
        let mut unused = Unused::default();
        for (i, source) in self.sources().enumerate() {
            let operand = Operand { source, index };
            if i < operands {
                write!(f, "{} {operand}", if i == 0 { " =" } else { "," })?;
            } else {
                unused.note(&format!("src{i}"), operand, source == Source::default());
            }
        }

        match self.omod() {
            Omod::M2 => f.write_str(" *2")?,
            Omod::M4 => f.write_str(" *4")?,
            Omod::D2 => f.write_str(" /2")?,
            _ => {}
        }
        flag(f, "CLAMP", self.clamp())?;
        flag(f, "FOG_MERGE", self.fog_merge())?;
        flag(f, "UPDATE_EXECUTE_MASK", self.update_execute_mask())?;
        flag(f, "UPDATE_PRED", self.update_pred())?;
        field(f, "pred_sel", Code(self.pred_sel()), Code(PredSel::OFF))?;
        field(
            f,
            "bank_swizzle",
            Code(self.bank_swizzle()),
            Code(BankSwizzle::VEC_012),
        )?;
        let is_indexed = (self.writes_dst() && dst.rel()) || self.sources().any(Source::rel);
        if !is_indexed && self.index_mode() != IndexMode::AR_X {
            unused.note("index_mode", index, false);
        }
        if !self.writes_dst() && dst.rel() {
            unused.note("dst_rel", 1, false);
        }
        write!(f, "{unused}")?;
        if self.op().name().is_none() {
            let [word0, word1] = self.encode();
            write!(f, " words({word0:#010x} {word1:#010x})")?;
        }
        Ok(())
    }
}

/// The line of the instruction, and its words.
impl fmt::Debug for Alu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [word0, word1] = self.encode();
        write!(
            f,
            "Alu({self}; {}; {word0:#010x} {word1:#010x})",
            self.chip()
        )
    }
}

/// A code that is written as its name.
#[derive(PartialEq)]
struct Code<T>(T);

impl<T: fmt::Display> fmt::Display for Code<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

const fn letter(chan: Chan) -> &'static str {
    ["x", "y", "z", "w"][chan.code() as usize]
}

/// What relative operands are indexed with.
#[derive(Clone, Copy)]
struct Index {
    mode: IndexMode,
    chip: Chip,
}

impl fmt::Display for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mode.name(self.chip) {
            Some(name) => f.write_str(name),
            None => write!(f, "RESERVED_{}", self.mode.code()),
        }
    }
}

struct Operand {
    source: Source,
    index: Index,
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { source, index } = self;
        let bar = if source.abs() { "|" } else { "" };
        write!(f, "{}{bar}", if source.neg() { "-" } else { "" })?;
        let chan = letter(source.chan());
        let rel = if source.rel() { "[rel]" } else { "" };
        match (source.sel().kind(), source.rel()) {
            (SourceKind::Gpr(n), false) => write!(f, "R{n}.{chan}")?,
            (SourceKind::Gpr(n), true) => write!(f, "R[{n}+{index}].{chan}")?,
            (SourceKind::Kcache0(n), false) => write!(f, "KC0[{n}].{chan}")?,
            (SourceKind::Kcache0(n), true) => write!(f, "KC0[{n}+{index}].{chan}")?,
            (SourceKind::Kcache1(n), false) => write!(f, "KC1[{n}].{chan}")?,
            (SourceKind::Kcache1(n), true) => write!(f, "KC1[{n}+{index}].{chan}")?,
            (SourceKind::Cfile(n), false) => write!(f, "C{n}.{chan}")?,
            (SourceKind::Cfile(n), true) => write!(f, "C[{n}+{index}].{chan}")?,
            (SourceKind::Zero, _) => write!(f, "0.0{rel}")?,
            (SourceKind::One, _) => write!(f, "1.0{rel}")?,
            (SourceKind::OneInt, _) => write!(f, "1i{rel}")?,
            (SourceKind::MinusOneInt, _) => write!(f, "-1i{rel}")?,
            (SourceKind::Half, _) => write!(f, "0.5{rel}")?,
            (SourceKind::Literal, _) => write!(f, "literal.{chan}{rel}")?,
            (SourceKind::Pv, _) => write!(f, "PV.{chan}{rel}")?,
            (SourceKind::Ps, _) => write!(f, "PS{rel}")?,
            (SourceKind::Reserved, _) => {
                write!(f, "RESERVED_{}.{chan}{rel}", source.sel().code())?;
            }
        }
        f.write_str(bar)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alu::{AluOp, Dest};

    fn alu(name: &str) -> Alu {
        Alu::new(AluOp::from_name(name).unwrap(), Chip::R700)
    }

    #[test]
    fn operands_and_modifiers() {
        let mul = alu("MUL_IEEE")
            .with_src0(Source::gpr(2, Chan::Y).with_neg(true))
            .with_src1(Source::kcache(1, 3, Chan::X).with_abs(true).with_rel(true))
            .with_dst(Dest::new(1, Chan::X))
            .with_write_mask(true)
            .with_omod(Omod::M2)
            .with_clamp(true)
            .with_pred_sel(PredSel::ONE)
            .with_bank_swizzle(BankSwizzle::VEC_120);
        assert_eq!(
            mul.to_string(),
            "MUL_IEEE R1.x = -R2.y, |KC1[3+AR_X].x| *2 CLAMP pred_sel=ONE bank_swizzle=VEC_120"
        );
    }

    #[test]
    fn the_third_operand_is_always_written_out() {
        let muladd = alu("MULADD")
            .with_src1(Source::cfile(3, Chan::Y))
            .with_src2(Source::literal(Chan::W))
            .with_dst(Dest::new(123, Chan::X).with_rel(true))
            .with_index_mode(IndexMode::LOOP);
        assert_eq!(
            muladd.to_string(),
            "MULADD R[123+LOOP].x = R0.x, C3.y, literal.w"
        );
    }

    #[test]
    fn a_masked_destination_and_an_unused_operand() {
        let mov = alu("MOV").with_src1(Source::literal(Chan::X));
        assert_eq!(mov.to_string(), "MOV ---- = R0.x unused(src1=literal.x)");
    }

    #[test]
    fn predicates_show_what_they_update() {
        let pred = alu("PRED_SETNE_INT")
            .with_update_pred(true)
            .with_update_execute_mask(true);
        assert_eq!(
            pred.to_string(),
            "PRED_SETNE_INT ---- = R0.x, R0.x UPDATE_EXECUTE_MASK UPDATE_PRED"
        );
    }

    #[test]
    fn reserved_opcodes_show_their_words() {
        let reserved = Alu::new(AluOp::op2(0xd6), Chip::R700);
        assert_eq!(
            reserved.to_string(),
            "RESERVED_OP2_0xd6 ---- = R0.x, R0.x words(0x00000000 0x00006b00)"
        );
    }
}
