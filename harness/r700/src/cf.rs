//! Control-flow instructions: the program's spine.

use crate::chip::Chip;
use crate::codes::Cond;
use crate::words::mask;

pub use crate::cf_formats::{CfAlu, CfExport, CfPlain, CfReserved, ExportType, Kcache};
pub use crate::cf_ops::{CF_ALU_OPS, CF_OPS, CfAluOp, CfConst, CfInfo, CfKind, CfOp};

/// One control-flow instruction: 64 bits, in one of its formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cf {
    /// Neither an ALU clause nor an export.
    Plain(CfPlain),
    /// An ALU clause.
    Alu(CfAlu),
    /// An export or a memory write.
    Export(CfExport),
    /// An opcode without a name.
    Reserved(CfReserved),
}

/// The formats of a control-flow instruction, as the `r700` target numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CfFormat {
    /// `CF`: [`Cf::Plain`].
    Cf = 0,
    /// `ALU`: [`Cf::Alu`].
    Alu = 1,
    /// `EXPORT_SWIZ`: [`Cf::Export`] of an export.
    ExportSwiz = 2,
    /// `EXPORT_BUF`: [`Cf::Export`] of a memory write.
    ExportBuf = 3,
    /// `RESERVED`: [`Cf::Reserved`].
    Reserved = 4,
}

impl CfFormat {
    /// The target's number.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The target's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cf => "CF",
            Self::Alu => "ALU",
            Self::ExportSwiz => "EXPORT_SWIZ",
            Self::ExportBuf => "EXPORT_BUF",
            Self::Reserved => "RESERVED",
        }
    }
}

/// What a clause consists of, as the instruction that runs it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClauseKind {
    /// ALU instructions and literals.
    Alu,
    /// Fetches: the opcode of the control-flow instruction, which is TEX, VTX or one of their forms.
    Fetch(CfOp),
}

/// The clause that a control-flow instruction runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClauseRef {
    /// What it consists of.
    pub kind: ClauseKind,
    /// Its first slot: the instruction's ADDR.
    pub addr: u32,
    /// Its slots: COUNT and one, twice that for fetches.
    pub size: usize,
}

impl Cf {
    /// Parses the two words of an instruction. Every pair of words is one.
    pub fn decode(words: [u32; 2], chip: Chip) -> Self {
        let op = words[1] >> 23 & mask(7);
        if op >= 64 {
            return Self::Alu(CfAlu::decode(words, chip));
        }
        match CfOp::from_code(op as u8).kind(chip) {
            CfKind::Reserved => Self::Reserved(CfReserved::decode(words, chip)),
            CfKind::Export | CfKind::MemWrite => Self::Export(CfExport::decode(words, chip)),
            CfKind::Plain
            | CfKind::Jump
            | CfKind::Return
            | CfKind::TexClause
            | CfKind::VtxClause => Self::Plain(CfPlain::decode(words, chip)),
        }
    }

    /// The two words of the instruction.
    pub fn encode(&self) -> [u32; 2] {
        match self {
            Self::Plain(cf) => cf.encode(),
            Self::Alu(cf) => cf.encode(),
            Self::Export(cf) => cf.encode(),
            Self::Reserved(cf) => cf.encode(),
        }
    }

    /// The chip family that the words are for.
    pub const fn chip(&self) -> Chip {
        match self {
            Self::Plain(cf) => cf.chip(),
            Self::Alu(cf) => cf.chip(),
            Self::Export(cf) => cf.chip(),
            Self::Reserved(cf) => cf.chip(),
        }
    }

    /// The format.
    pub fn format(&self) -> CfFormat {
        match self {
            Self::Plain(_) => CfFormat::Cf,
            Self::Alu(_) => CfFormat::Alu,
            Self::Export(cf) if cf.is_swizzled() => CfFormat::ExportSwiz,
            Self::Export(_) => CfFormat::ExportBuf,
            Self::Reserved(_) => CfFormat::Reserved,
        }
    }

    /// The number in the opcode field: 4 bits in an ALU clause instruction, else 7.
    pub const fn op_code(&self) -> u8 {
        match self {
            Self::Plain(cf) => cf.op().code(),
            Self::Alu(cf) => cf.op().code(),
            Self::Export(cf) => cf.op().code(),
            Self::Reserved(cf) => cf.op().code(),
        }
    }

    /// The name of the opcode, if it has one.
    pub fn op_name(&self) -> Option<&'static str> {
        match self {
            Self::Plain(cf) => cf.op().name(cf.chip()),
            Self::Alu(cf) => cf.op().name(),
            Self::Export(cf) => cf.op().name(cf.chip()),
            Self::Reserved(_) => None,
        }
    }

    /// ADDR, in slots, of the formats that have one.
    pub const fn addr(&self) -> Option<u32> {
        match self {
            Self::Plain(cf) => Some(cf.addr()),
            Self::Alu(cf) => Some(cf.addr()),
            Self::Export(_) | Self::Reserved(_) => None,
        }
    }

    /// COUNT, as stored, of the formats that have one.
    pub const fn count(&self) -> Option<u8> {
        match self {
            Self::Plain(cf) => Some(cf.count()),
            Self::Alu(cf) => Some(cf.count()),
            Self::Export(_) | Self::Reserved(_) => None,
        }
    }

    /// COND, of the format that has one.
    pub const fn cond(&self) -> Option<Cond> {
        match self {
            Self::Plain(cf) => Some(cf.cond()),
            _ => None,
        }
    }

    /// END_OF_PROGRAM; an ALU clause instruction has none.
    pub const fn end_of_program(&self) -> Option<bool> {
        match self {
            Self::Plain(cf) => Some(cf.end_of_program()),
            Self::Alu(_) => None,
            Self::Export(cf) => Some(cf.end_of_program()),
            Self::Reserved(cf) => Some(cf.end_of_program()),
        }
    }

    /// VALID_PIXEL_MODE; an ALU clause instruction has none.
    pub const fn valid_pixel_mode(&self) -> Option<bool> {
        match self {
            Self::Plain(cf) => Some(cf.valid_pixel_mode()),
            Self::Alu(_) => None,
            Self::Export(cf) => Some(cf.valid_pixel_mode()),
            Self::Reserved(cf) => Some(cf.valid_pixel_mode()),
        }
    }

    /// WHOLE_QUAD_MODE.
    pub const fn whole_quad_mode(&self) -> bool {
        match self {
            Self::Plain(cf) => cf.whole_quad_mode(),
            Self::Alu(cf) => cf.whole_quad_mode(),
            Self::Export(cf) => cf.whole_quad_mode(),
            Self::Reserved(cf) => cf.whole_quad_mode(),
        }
    }

    /// BARRIER.
    pub const fn barrier(&self) -> bool {
        match self {
            Self::Plain(cf) => cf.barrier(),
            Self::Alu(cf) => cf.barrier(),
            Self::Export(cf) => cf.barrier(),
            Self::Reserved(cf) => cf.barrier(),
        }
    }

    /// The unnamed bits of the instruction, in place, word 0 in the low half; an ALU clause
    /// instruction has none.
    pub const fn reserved(&self) -> Option<u64> {
        match self {
            Self::Plain(cf) => Some(cf.reserved()),
            Self::Alu(_) => None,
            Self::Export(cf) => Some(cf.reserved()),
            Self::Reserved(cf) => Some(cf.reserved()),
        }
    }

    /// The slot that a jumping instruction names.
    pub fn jump_target(&self) -> Option<u32> {
        match self {
            Self::Plain(cf) if cf.op().kind(cf.chip()) == CfKind::Jump => Some(cf.addr()),
            _ => None,
        }
    }

    /// Whether this is a RETURN.
    pub fn is_return(&self) -> bool {
        matches!(self, Self::Plain(cf) if cf.op().kind(cf.chip()) == CfKind::Return)
    }

    /// The clause that the instruction runs.
    pub fn clause(&self) -> Option<ClauseRef> {
        match self {
            Self::Alu(cf) if cf.op().name().is_some() => Some(ClauseRef {
                kind: ClauseKind::Alu,
                addr: cf.addr(),
                size: usize::from(cf.count()) + 1,
            }),
            Self::Plain(cf) => match cf.op().kind(cf.chip()) {
                CfKind::TexClause | CfKind::VtxClause => Some(ClauseRef {
                    kind: ClauseKind::Fetch(cf.op()),
                    addr: cf.addr(),
                    size: 2 * (usize::from(cf.count()) + 1),
                }),
                _ => None,
            },
            _ => None,
        }
    }
}

impl From<CfPlain> for Cf {
    fn from(cf: CfPlain) -> Self {
        Self::Plain(cf)
    }
}

impl From<CfAlu> for Cf {
    fn from(cf: CfAlu) -> Self {
        Self::Alu(cf)
    }
}

impl From<CfExport> for Cf {
    fn from(cf: CfExport) -> Self {
        Self::Export(cf)
    }
}

impl From<CfReserved> for Cf {
    fn from(cf: CfReserved) -> Self {
        Self::Reserved(cf)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::{KcacheMode, Sel};
    use crate::registers::{Gpr, Swizzle};

    fn decode(words: [u32; 2]) -> Cf {
        let cf = Cf::decode(words, Chip::R700);
        assert_eq!(cf.encode(), words);
        cf
    }

    // The words of the first tests are a compiler's; the fields are read off by hand.

    #[test]
    fn export_to_a_pixel() {
        let cf = decode([
            0xc001_0000, // ARRAY_BASE 0, TYPE 0, RW_GPR 2 at 21:15, ELEM_SIZE 3
            0x9420_0688, // SEL 0 1 2 3, BURST_COUNT 0, END_OF_PROGRAM, CF_INST 0x28, BARRIER
        ]);
        assert_eq!(
            (cf.format(), cf.op_name()),
            (CfFormat::ExportSwiz, Some("EXPORT_DONE"))
        );
        let Cf::Export(export) = cf else {
            panic!("{cf:?}")
        };
        assert_eq!(export.export_type().name(), Some("PIXEL"));
        assert_eq!((export.array_base(), export.elem_size()), (0, 3));
        assert_eq!((export.rw(), export.index_gpr()), (Gpr::new(2), 0));
        assert_eq!(export.sel(), Some(Swizzle::XYZW));
        assert_eq!((export.array_size(), export.comp_mask()), (None, None));
        assert_eq!((export.burst_count(), export.end_of_program()), (0, true));
        assert!(export.barrier() && !export.whole_quad_mode() && !export.valid_pixel_mode());
        assert_eq!(cf.reserved(), Some(0));
    }

    #[test]
    fn export_of_two_parameters() {
        let cf = decode([
            0xc001_4000, // TYPE 2 at 14:13, RW_GPR 2, ELEM_SIZE 3
            0x9422_0688, // SEL 0 1 2 3, BURST_COUNT 1 at 20:17, END_OF_PROGRAM, 0x28, BARRIER
        ]);
        let Cf::Export(export) = cf else {
            panic!("{cf:?}")
        };
        assert_eq!(export.export_type().name(), Some("PARAM"));
        assert_eq!(export.burst_count(), 1);
    }

    #[test]
    fn alu_clauses() {
        let plain = decode([
            0x0000_0002, // ADDR 2
            0xa00c_0000, // COUNT 3 at 24:18, CF_INST 8 at 29:26, BARRIER
        ]);
        assert_eq!((plain.op_name(), plain.op_code()), (Some("ALU"), 8));
        let clause = ClauseRef {
            kind: ClauseKind::Alu,
            addr: 2,
            size: 4,
        };
        assert_eq!(plain.clause(), Some(clause));
        assert_eq!((plain.end_of_program(), plain.reserved()), (None, None));

        let locking = decode([
            0x4000_0011, // ADDR 17, KCACHE_MODE0 1 at 31:30
            0xa404_0000, // COUNT 1, CF_INST 9, BARRIER
        ]);
        assert_eq!(locking.op_name(), Some("ALU_PUSH_BEFORE"));
        let Cf::Alu(alu) = locking else {
            panic!("{locking:?}")
        };
        let lock = Kcache {
            bank: 0,
            mode: KcacheMode::LOCK_1,
            addr: 0,
        };
        assert_eq!((alu.kcache0(), alu.kcache1()), (lock, Kcache::default()));
        assert_eq!((alu.addr(), alu.count()), (17, 1));
        assert_eq!((alu.alt_const(), alu.uses_waterfall()), (Some(false), None));
    }

    #[test]
    fn all_fields_of_an_alu_clause() {
        // ADDR 0x3fffff, KCACHE_BANK0 5, KCACHE_BANK1 10, KCACHE_MODE0 2; KCACHE_MODE1 3,
        // KCACHE_ADDR0 0x12, KCACHE_ADDR1 0x34, COUNT 0x56, bit 25, CF_INST 15.
        let words = [0xa97f_ffff, 0x3f58_d04b];
        let Cf::Alu(alu) = decode(words) else {
            panic!()
        };
        assert_eq!((alu.addr(), alu.count()), (0x3f_ffff, 0x56));
        let lock = Kcache {
            bank: 5,
            mode: KcacheMode::LOCK_2,
            addr: 0x12,
        };
        assert_eq!(alu.kcache0(), lock);
        let lock = Kcache {
            bank: 10,
            mode: KcacheMode::LOCK_LOOP_INDEX,
            addr: 0x34,
        };
        assert_eq!(alu.kcache1(), lock);
        assert_eq!(
            (alu.alt_const(), alu.op().name()),
            (Some(true), Some("ALU_ELSE_AFTER"))
        );
        // R056: the bit has another name on R600.
        let Cf::Alu(r600) = Cf::decode(words, Chip::R600) else {
            panic!()
        };
        assert_eq!(
            (r600.alt_const(), r600.uses_waterfall()),
            (None, Some(true))
        );
    }

    #[test]
    fn jumps_and_loops() {
        let jump = decode([5, 0x8500_0000]); // CF_INST 10 at 29:23, BARRIER
        assert_eq!(
            (jump.op_name(), jump.jump_target()),
            (Some("JUMP"), Some(5))
        );
        assert_eq!(decode([0, 0x8300_0000]).op_name(), Some("LOOP_START_DX10"));
        assert_eq!(decode([0, 0x8280_0000]).op_name(), Some("LOOP_END"));
        // POP has no use for ADDR: CF_INST 14.
        assert_eq!(decode([5, 0x8700_0000]).jump_target(), None);
        assert!(decode([0, 0x8a00_0000]).is_return()); // CF_INST 20
    }

    #[test]
    fn the_count_of_a_fetch_clause_is_longer_on_r700() {
        // COUNT 5 at 12:10, COUNT_3, bit 20; POP_COUNT 1, CF_CONST 2, COND 3, CALL_COUNT 9.
        let words = [8, 0x0099_3711];
        let Cf::Plain(r700) = decode(words) else {
            panic!()
        };
        assert_eq!(
            (r700.op().code(), r700.count(), r700.reserved()),
            (1, 13, 1 << 52)
        );
        assert_eq!(
            (r700.pop_count(), r700.cf_const(), r700.call_count()),
            (1, 2, 9)
        );
        assert_eq!(r700.cond(), Cond::NOT_BOOL);
        assert_eq!(Cf::Plain(r700).clause().map(|clause| clause.size), Some(28));
        // R060: bit 19 is unnamed on R600.
        let Cf::Plain(r600) = Cf::decode(words, Chip::R600) else {
            panic!()
        };
        assert_eq!((r600.count(), r600.reserved()), (5, 3 << 51));
        assert_eq!(Cf::Plain(r600).encode(), words);
    }

    #[test]
    fn types_are_named_after_the_opcode_and_the_chip() {
        let name = |op: u32, code: u32, chip| match Cf::decode([code << 13, op << 23], chip) {
            Cf::Export(export) => export.export_type().name(),
            cf => panic!("{cf:?}"),
        };
        // R067: exports have no type 3.
        assert_eq!(name(39, 3, Chip::R700), None);
        assert_eq!(name(38, 1, Chip::R600), Some("WRITE_IND"));
        assert_eq!(name(38, 2, Chip::R600), Some("READ"));
        assert_eq!(name(38, 2, Chip::R700), Some("WRITE_ACK"));
        assert_eq!(name(38, 3, Chip::R700), Some("WRITE_IND_ACK"));
    }

    #[test]
    fn unnamed_bits_depend_on_the_format() {
        let all_but_op = |op: u32| [u32::MAX, !(0x7f << 23) | op << 23];
        let reserved = |op| decode(all_but_op(op)).reserved();
        assert_eq!(reserved(0), Some(0x0010_0000_0000_0000)); // NOP: bit 20
        assert_eq!(reserved(40), Some(0x0001_f000_0000_0000)); // EXPORT_DONE: 16:12
        assert_eq!(reserved(32), Some(0x0001_0000_0000_0000)); // MEM_STREAM0: 16
        // No opcode: all but the opcode, bits 21, 22, 30, 31.
        assert_eq!(reserved(25), Some(0x001f_ffff_ffff_ffff));
        assert_eq!(decode(all_but_op(41)).format(), CfFormat::Reserved);
        assert_eq!(decode(all_but_op(41)).end_of_program(), Some(true));
    }

    #[test]
    fn the_unused_alu_opcode_keeps_the_format() {
        let cf = decode([0, 0xb000_0000]); // CF_INST 12
        assert_eq!(
            (cf.format(), cf.op_code(), cf.op_name()),
            (CfFormat::Alu, 12, None)
        );
        assert_eq!(cf.clause(), None);
    }

    #[test]
    fn memory_writes_have_a_mask() {
        // INDEX_GPR 3, RW_GPR 1 with RW_REL, TYPE 1, ARRAY_BASE 7; MEM_RING.
        let cf = decode([0xc1c0_a007, 0x9300_bfff]);
        let Cf::Export(write) = cf else {
            panic!("{cf:?}")
        };
        assert_eq!(cf.format(), CfFormat::ExportBuf);
        assert_eq!((write.array_base(), write.index_gpr()), (7, 3));
        assert_eq!(write.rw(), Gpr::new(1).with_rel(true));
        assert_eq!(
            (write.array_size(), write.comp_mask()),
            (Some(0xfff), Some(0b1011))
        );
        assert_eq!(write.sel(), None);
    }

    #[test]
    fn setters_give_the_words() {
        let export = CfExport::new(CfOp::from_name("EXPORT").unwrap(), Chip::R700)
            .with_array_base(61)
            .with_rw(Gpr::new(4))
            .with_elem_size(3)
            .with_sel(Swizzle::new(Sel::X, Sel::MASK, Sel::ONE, Sel::ZERO));
        // ELEM_SIZE 3, RW_GPR 4, ARRAY_BASE 61; SEL 0 7 5 4, CF_INST 0x27.
        assert_eq!(Cf::from(export).encode(), [0xc002_003d, 0x1380_0978]);
    }
}
