//! Lines of control-flow instructions.

use std::fmt;

use super::{Unused, bits, byte, field, flag};
use crate::cf::{Cf, CfAlu, CfConst, CfExport, CfKind, CfPlain, CfReserved, Kcache};
use crate::codes::{Cond, KcacheMode};

/// The instruction as a line, as in `JUMP addr=40 (5) pop_count=1`.
impl fmt::Display for Cf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(cf) => write_plain(f, cf)?,
            Self::Alu(cf) => write_alu(f, cf)?,
            Self::Export(cf) => write_export(f, cf)?,
            Self::Reserved(cf) => write_reserved(f, cf, self.encode())?,
        }
        flag(f, "WHOLE_QUAD_MODE", self.whole_quad_mode())?;
        flag(f, "VALID_PIXEL_MODE", self.valid_pixel_mode() == Some(true))?;
        flag(f, "NO_BARRIER", !self.barrier())?;
        flag(f, "END_OF_PROGRAM", self.end_of_program() == Some(true))?;
        match self {
            // The words of a reserved instruction are written already.
            Self::Reserved(_) => Ok(()),
            _ => bits(f, "reserved", self.reserved().unwrap_or(0)),
        }
    }
}

fn write_plain(f: &mut fmt::Formatter<'_>, cf: &CfPlain) -> fmt::Result {
    let mut unused = Unused::default();
    f.write_str(cf.op().name(cf.chip()).unwrap_or("RESERVED"))?;
    match cf.op().kind(cf.chip()) {
        CfKind::Jump => {
            write!(f, " addr={} ({})", byte(cf.addr()), cf.addr())?;
            unused.note("count", cf.count(), cf.count() == 0);
        }
        CfKind::TexClause | CfKind::VtxClause => {
            let fetches = cf.count() + 1;
            let plural = if fetches == 1 { "" } else { "s" };
            write!(
                f,
                " addr={} ({fetches} instruction{plural})",
                byte(cf.addr())
            )?;
        }
        _ => {
            unused.note("addr", byte(cf.addr()), cf.addr() == 0);
            unused.note("count", cf.count(), cf.count() == 0);
        }
    }
    field(f, "pop_count", cf.pop_count(), 0)?;
    field(f, "call_count", cf.call_count(), 0)?;
    if cf.cond() != Cond::ACTIVE {
        write!(f, " cond={}", cf.cond())?;
    }
    let needs_bool = matches!(cf.cond(), Cond::BOOL | Cond::NOT_BOOL);
    match cf.op().info().constant {
        CfConst::Loop => write!(f, " loop_const={}", cf.cf_const())?,
        CfConst::Bool if needs_bool => write!(f, " bool_const={}", cf.cf_const())?,
        CfConst::Bool => unused.note("cf_const", cf.cf_const(), cf.cf_const() == 0),
    }
    write!(f, "{unused}")
}

fn write_alu(f: &mut fmt::Formatter<'_>, cf: &CfAlu) -> fmt::Result {
    let slots = cf.count() + 1;
    let plural = if slots == 1 { "" } else { "s" };
    write!(
        f,
        "{} addr={} ({slots} slot{plural})",
        cf.op(),
        byte(cf.addr())
    )?;
    write_kcache(f, "kcache0", cf.kcache0())?;
    write_kcache(f, "kcache1", cf.kcache1())?;
    flag(f, "ALT_CONST", cf.alt_const() == Some(true))?;
    flag(f, "USES_WATERFALL", cf.uses_waterfall() == Some(true))?;
    if cf.op().name().is_none() {
        let [word0, word1] = cf.encode();
        write!(f, " words({word0:#010x} {word1:#010x})")?;
    }
    Ok(())
}

fn write_kcache(f: &mut fmt::Formatter<'_>, name: &str, kcache: Kcache) -> fmt::Result {
    let Kcache { bank, mode, addr } = kcache;
    if mode == KcacheMode::NOP && bank == 0 && addr == 0 {
        return Ok(());
    }
    write!(f, " {name}({mode} bank={bank} addr={addr})")
}

fn write_export(f: &mut fmt::Formatter<'_>, cf: &CfExport) -> fmt::Result {
    f.write_str(cf.op().name(cf.chip()).unwrap_or("RESERVED"))?;
    write!(
        f,
        " type={} array_base={}",
        cf.export_type(),
        cf.array_base()
    )?;
    if let Some(size) = cf.array_size() {
        write!(f, " array_size={size}")?;
    }
    write!(f, " {}.", cf.rw())?;
    if let Some(swizzle) = cf.sel() {
        write!(f, "{swizzle}")?;
    }
    if let Some(mask) = cf.comp_mask() {
        for (component, letter) in ["x", "y", "z", "w"].into_iter().enumerate() {
            f.write_str(if mask >> component & 1 != 0 {
                letter
            } else {
                "_"
            })?;
        }
    }
    // Registers, not what is stored.
    field(f, "burst", cf.burst_count() + 1, 1)?;
    // The odd types of memory writes are indexed.
    let is_indexed = cf.is_masked() && cf.export_type().code() & 1 != 0;
    if is_indexed || cf.index_gpr() != 0 {
        write!(f, " index=R{}", cf.index_gpr())?;
    }
    field(f, "elem_size", cf.elem_size(), 3)
}

fn write_reserved(f: &mut fmt::Formatter<'_>, cf: &CfReserved, words: [u32; 2]) -> fmt::Result {
    let [word0, word1] = words;
    write!(
        f,
        "RESERVED_{:#04x} words({word0:#010x} {word1:#010x})",
        cf.op().code()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chip::Chip;

    fn line(words: [u32; 2]) -> String {
        Cf::decode(words, Chip::R700).to_string()
    }

    #[test]
    fn jumps_and_loops() {
        // JUMP: ADDR 5, POP_COUNT 1, CF_INST 0x0a, BARRIER
        assert_eq!(line([5, 0x8500_0001]), "JUMP addr=40 (5) pop_count=1");
        // LOOP_START: ADDR 5, CF_CONST 2, CF_INST 4, BARRIER
        assert_eq!(
            line([5, 0x8200_0010]),
            "LOOP_START addr=40 (5) loop_const=2"
        );
        // LOOP_START_DX10: the same constant has no use. CF_INST 6
        assert_eq!(
            line([5, 0x8300_0010]),
            "LOOP_START_DX10 addr=40 (5) unused(cf_const=2)"
        );
        // JUMP: COND 2 (BOOL), CF_CONST 3, no BARRIER
        assert_eq!(
            line([0, 0x0500_0218]),
            "JUMP addr=0 (0) cond=BOOL bool_const=3 NO_BARRIER"
        );
    }

    #[test]
    fn clauses() {
        // TEX: ADDR 48, COUNT 2, CF_INST 1, BARRIER
        assert_eq!(line([48, 0x8080_0800]), "TEX addr=384 (3 instructions)");
        // ALU: ADDR 2, KCACHE_MODE0 1, COUNT 7, CF_INST 8, BARRIER
        assert_eq!(
            line([0x4000_0002, 0xa01c_0000]),
            "ALU addr=16 (8 slots) kcache0(LOCK_1 bank=0 addr=0)"
        );
    }

    #[test]
    fn exports_and_memory_writes() {
        // ELEM_SIZE 3, RW_GPR 2, TYPE PARAM; BURST_COUNT 1, SEL xyz1, END_OF_PROGRAM, EXPORT_DONE
        assert_eq!(
            line([0xc001_4000, 0x9422_0a88]),
            "EXPORT_DONE type=PARAM array_base=0 R2.xyz1 burst=2 END_OF_PROGRAM"
        );
        // INDEX_GPR 3, RW_GPR 1, TYPE 1; COMP_MASK 0b1011, ARRAY_SIZE 0xfff, MEM_RING
        assert_eq!(
            line([0xc180_a000, 0x9300_bfff]),
            "MEM_RING type=WRITE_IND array_base=0 array_size=4095 R1.xy_w index=R3"
        );
    }

    #[test]
    fn reserved_opcodes_show_their_words() {
        // CF_INST 25, END_OF_PROGRAM, BARRIER
        assert_eq!(
            line([1, 0x8ca0_0000]),
            "RESERVED_0x19 words(0x00000001 0x8ca00000) END_OF_PROGRAM"
        );
        // The unused opcode of ALU clauses: CF_INST 12
        assert_eq!(
            line([2, 0xb000_0000]),
            "RESERVED_12 addr=16 (1 slot) words(0x00000002 0xb0000000)"
        );
    }
}
