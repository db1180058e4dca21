//! The formats of the 64-bit control-flow instruction.
//!
//! Positions: Mesa 22.3.6 `r600_sq.h` and `r700_sq.h`; the gaps between the fields: `sb_bc_fmt_def.inc`.

use crate::cf_ops::{CfAluOp, CfKind, CfOp};
use crate::chip::Chip;
use crate::codes::{Cond, KcacheMode};
use crate::registers::{Gpr, Swizzle};
use crate::words::words;

words! {
    /// A control-flow instruction that is neither an ALU clause nor an export (CF_WORD0, CF_WORD1).
    pub struct CfPlain: 2 words {
        /// ADDR: the slot that a jump leads to or that a clause starts at.
        pub addr / with_addr: u32 = 0[31:0];
        /// POP_COUNT: how many entries a popping instruction takes from the stack.
        pub pop_count / with_pop_count: u8 = 1[2:0];
        /// CF_CONST: the constant that the condition or the loop uses.
        pub cf_const / with_cf_const: u8 = 1[7:3];
        /// COND: which lanes count.
        pub cond / with_cond: Cond = 1[9:8];
        count_low / with_count_low: u8 = 1[12:10];
        /// CALL_COUNT: what a call adds to the nesting of calls.
        pub call_count / with_call_count: u8 = 1[18:13];
        // COUNT_3: R700 only (erratum R060).
        count_high / with_count_high: bool = 1[19:19] when CfPlain::is_r700;
        /// END_OF_PROGRAM: the program is over after this instruction.
        pub end_of_program / with_end_of_program: bool = 1[21:21];
        /// VALID_PIXEL_MODE: lanes without a pixel don't take part.
        pub valid_pixel_mode / with_valid_pixel_mode: bool = 1[22:22];
        /// CF_INST: the opcode.
        pub op: CfOp = 1[29:23];
        /// WHOLE_QUAD_MODE: all lanes of a quad take part if one does.
        pub whole_quad_mode / with_whole_quad_mode: bool = 1[30:30];
        /// BARRIER: waits for the instructions before.
        pub barrier / with_barrier: bool = 1[31:31];
    }
}

impl CfPlain {
    /// The instruction with this opcode and all other bits clear.
    ///
    /// # Panics
    ///
    /// If the opcode is none of this format.
    pub fn new(op: CfOp, chip: Chip) -> Self {
        use CfKind::{Jump, Plain, Return, TexClause, VtxClause};
        assert!(
            matches!(op.kind(chip), Plain | Jump | Return | TexClause | VtxClause),
            "opcode {} has another format",
            op.code()
        );
        Self::decode([0, u32::from(op.code()) << 23], chip)
    }

    pub(crate) fn decode(words: [u32; 2], chip: Chip) -> Self {
        Self::parse(words, chip)
    }

    pub(crate) fn encode(&self) -> [u32; 2] {
        self.pack()
    }

    const fn is_r700(&self) -> bool {
        matches!(self.chip, Chip::R700)
    }

    /// COUNT: the instructions of a fetch clause less one; 3 bits, on R700 with COUNT_3 on top 4.
    pub const fn count(&self) -> u8 {
        let high = matches!(self.count_high(), Some(true));
        self.count_low() | (high as u8) << 3
    }

    /// The same with [`count`](Self::count) replaced.
    ///
    /// # Panics
    ///
    /// If the chip's field does not hold the value.
    #[must_use]
    pub fn with_count(self, count: u8) -> Self {
        match self.chip {
            Chip::R600 => self.with_count_low(count),
            Chip::R700 => {
                assert!(count < 16, "count does not fit its 4 bits");
                self.with_count_low(count & 7)
                    .with_count_high(count >> 3 != 0)
            }
        }
    }

    /// The unnamed bits of the whole instruction, in place; word 0 is the low half.
    pub const fn reserved(&self) -> u64 {
        wide(self.reserved)
    }
}

words! {
    /// An ALU clause instruction (CF_ALU_WORD0, CF_ALU_WORD1).
    pub struct CfAlu: 2 words {
        /// ADDR: the slot that the clause starts at.
        pub addr / with_addr: u32 = 0[21:0];
        kcache0_bank / with_kcache0_bank: u8 = 0[25:22];
        kcache1_bank / with_kcache1_bank: u8 = 0[29:26];
        kcache0_mode / with_kcache0_mode: KcacheMode = 0[31:30];
        kcache1_mode / with_kcache1_mode: KcacheMode = 1[1:0];
        kcache0_addr / with_kcache0_addr: u8 = 1[9:2];
        kcache1_addr / with_kcache1_addr: u8 = 1[17:10];
        /// COUNT: the slots of the clause less one, literals included.
        pub count / with_count: u8 = 1[24:18];
        /// ALT_CONST: uses the other set of constants. R700 only (erratum R056).
        pub alt_const / with_alt_const: bool = 1[25:25] when CfAlu::is_r700;
        /// USES_WATERFALL: the clause has waterfall loads. R600 only.
        pub uses_waterfall / with_uses_waterfall: bool = 1[25:25] when CfAlu::is_r600;
        /// CF_INST: the opcode.
        pub op: CfAluOp = 1[29:26];
        /// WHOLE_QUAD_MODE: all lanes of a quad take part if one does.
        pub whole_quad_mode / with_whole_quad_mode: bool = 1[30:30];
        /// BARRIER: waits for the instructions before.
        pub barrier / with_barrier: bool = 1[31:31];
    }
}

impl CfAlu {
    /// The instruction with this opcode and all other bits clear.
    pub fn new(op: CfAluOp, chip: Chip) -> Self {
        Self::decode([0, u32::from(op.code()) << 26], chip)
    }

    pub(crate) fn decode(words: [u32; 2], chip: Chip) -> Self {
        Self::parse(words, chip)
    }

    pub(crate) fn encode(&self) -> [u32; 2] {
        self.pack()
    }

    const fn is_r600(&self) -> bool {
        matches!(self.chip, Chip::R600)
    }

    const fn is_r700(&self) -> bool {
        matches!(self.chip, Chip::R700)
    }

    /// The first lock of a constant buffer, for the operands `KCACHE0`.
    pub const fn kcache0(&self) -> Kcache {
        Kcache {
            bank: self.kcache0_bank(),
            mode: self.kcache0_mode(),
            addr: self.kcache0_addr(),
        }
    }

    /// The second lock, for the operands `KCACHE1`.
    pub const fn kcache1(&self) -> Kcache {
        Kcache {
            bank: self.kcache1_bank(),
            mode: self.kcache1_mode(),
            addr: self.kcache1_addr(),
        }
    }

    /// The same with [`kcache0`](Self::kcache0) replaced.
    ///
    /// # Panics
    ///
    /// If the bank is above 15.
    #[must_use]
    pub fn with_kcache0(self, kcache: Kcache) -> Self {
        self.with_kcache0_bank(kcache.bank)
            .with_kcache0_mode(kcache.mode)
            .with_kcache0_addr(kcache.addr)
    }

    /// The same with [`kcache1`](Self::kcache1) replaced.
    ///
    /// # Panics
    ///
    /// If the bank is above 15.
    #[must_use]
    pub fn with_kcache1(self, kcache: Kcache) -> Self {
        self.with_kcache1_bank(kcache.bank)
            .with_kcache1_mode(kcache.mode)
            .with_kcache1_addr(kcache.addr)
    }
}

/// A lock of lines of a constant buffer, for the length of an ALU clause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Kcache {
    /// KCACHE_BANK: the constant buffer, 0 to 15.
    pub bank: u8,
    /// KCACHE_MODE: how many lines.
    pub mode: KcacheMode,
    /// KCACHE_ADDR: the first line, in units of 16 constants.
    pub addr: u8,
}

words! {
    /// An export or a memory write (CF_ALLOC_EXPORT_WORD0, `_WORD1`, and `_WORD1_SWIZ` or
    /// `_WORD1_BUF`).
    pub struct CfExport: 2 words {
        /// CF_INST: the opcode.
        pub op: CfOp = 1[29:23];
        /// ARRAY_BASE: the target, or the base of the memory.
        pub array_base / with_array_base: u16 = 0[12:0];
        type_code / with_type_code: u8 = 0[14:13];
        /// RW_GPR and RW_REL: the register that is written out.
        pub rw / with_rw: Gpr = 0[22:15];
        /// INDEX_GPR: the register that indexes memory.
        pub index_gpr / with_index_gpr: u8 = 0[29:23];
        /// ELEM_SIZE: components of an element less one.
        pub elem_size / with_elem_size: u8 = 0[31:30];
        /// SEL_X to SEL_W: what goes to each component. Exports only.
        pub sel / with_sel: Swizzle = 1[11:0] when CfExport::is_swizzled;
        /// ARRAY_SIZE: the size of the memory. Memory writes only.
        pub array_size / with_array_size: u16 = 1[11:0] when CfExport::is_masked;
        /// COMP_MASK: which components are written, X lowest. Memory writes only.
        pub comp_mask / with_comp_mask: u8 = 1[15:12] when CfExport::is_masked;
        /// BURST_COUNT: the registers that are written out less one.
        pub burst_count / with_burst_count: u8 = 1[20:17];
        /// END_OF_PROGRAM: the program is over after this instruction.
        pub end_of_program / with_end_of_program: bool = 1[21:21];
        /// VALID_PIXEL_MODE: lanes without a pixel don't take part.
        pub valid_pixel_mode / with_valid_pixel_mode: bool = 1[22:22];
        /// WHOLE_QUAD_MODE: all lanes of a quad take part if one does.
        pub whole_quad_mode / with_whole_quad_mode: bool = 1[30:30];
        /// BARRIER: waits for the instructions before.
        pub barrier / with_barrier: bool = 1[31:31];
    }
}

impl CfExport {
    /// The instruction with this opcode and all other bits clear.
    ///
    /// # Panics
    ///
    /// If the opcode is none of this format.
    pub fn new(op: CfOp, chip: Chip) -> Self {
        assert!(
            matches!(op.kind(chip), CfKind::Export | CfKind::MemWrite),
            "opcode {} has another format",
            op.code()
        );
        Self::decode([0, u32::from(op.code()) << 23], chip)
    }

    pub(crate) fn decode(words: [u32; 2], chip: Chip) -> Self {
        Self::parse(words, chip)
    }

    pub(crate) fn encode(&self) -> [u32; 2] {
        self.pack()
    }

    /// Whether this is an export, in format `EXPORT_SWIZ`.
    pub fn is_swizzled(&self) -> bool {
        self.op.kind(self.chip) == CfKind::Export
    }

    /// Whether this is a memory write, in format `EXPORT_BUF`.
    pub fn is_masked(&self) -> bool {
        !self.is_swizzled()
    }

    /// TYPE: where an export goes, or how memory is written.
    ///
    /// Word 0, bits 14:13.
    pub fn export_type(&self) -> ExportType {
        let name = match (self.is_swizzled(), self.type_code(), self.chip) {
            (true, 0, _) => Some("PIXEL"),
            (true, 1, _) => Some("POS"),
            (true, 2, _) => Some("PARAM"),
            // Mesa's SX is not in AMD's lists (erratum R067).
            (true, _, _) => None,
            (false, 0, _) => Some("WRITE"),
            (false, 1, _) => Some("WRITE_IND"),
            (false, 2, Chip::R600) => Some("READ"),
            (false, 2, Chip::R700) => Some("WRITE_ACK"),
            (false, _, Chip::R600) => Some("READ_IND"),
            (false, _, Chip::R700) => Some("WRITE_IND_ACK"),
        };
        ExportType {
            code: self.type_code(),
            name,
        }
    }

    /// The same with the code of [`export_type`](Self::export_type) replaced.
    ///
    /// # Panics
    ///
    /// If the code is above 3.
    #[must_use]
    pub fn with_export_type(self, code: u8) -> Self {
        self.with_type_code(code)
    }

    /// The unnamed bits of the whole instruction, in place; word 0 is the low half.
    pub const fn reserved(&self) -> u64 {
        wide(self.reserved)
    }
}

/// TYPE of an export or memory write: the code, and what the opcode and the chip call it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ExportType {
    code: u8,
    name: Option<&'static str>,
}

impl ExportType {
    /// The number that stands in the word.
    pub const fn code(self) -> u8 {
        self.code
    }

    /// The name of the code, if it has one.
    pub const fn name(self) -> Option<&'static str> {
        self.name
    }
}

impl std::fmt::Display for ExportType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        crate::codes::write_code(f, self.name, self.code)
    }
}

words! {
    /// A control-flow instruction whose opcode has no name: only the bits that all formats but ALU
    /// share have a meaning.
    pub struct CfReserved: 2 words {
        /// END_OF_PROGRAM: the program is over after this instruction.
        pub end_of_program / with_end_of_program: bool = 1[21:21];
        /// VALID_PIXEL_MODE: lanes without a pixel don't take part.
        pub valid_pixel_mode / with_valid_pixel_mode: bool = 1[22:22];
        /// CF_INST: the opcode.
        pub op: CfOp = 1[29:23];
        /// WHOLE_QUAD_MODE: all lanes of a quad take part if one does.
        pub whole_quad_mode / with_whole_quad_mode: bool = 1[30:30];
        /// BARRIER: waits for the instructions before.
        pub barrier / with_barrier: bool = 1[31:31];
    }
}

impl CfReserved {
    pub(crate) fn decode(words: [u32; 2], chip: Chip) -> Self {
        Self::parse(words, chip)
    }

    pub(crate) fn encode(&self) -> [u32; 2] {
        self.pack()
    }

    /// The unnamed bits of the whole instruction, in place; word 0 is the low half.
    pub const fn reserved(&self) -> u64 {
        wide(self.reserved)
    }
}

const fn wide(words: [u32; 2]) -> u64 {
    words[0] as u64 | (words[1] as u64) << 32
}
