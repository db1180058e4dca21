//! Building and changing ALU instructions.

use crate::alu::at::{
    BANK_SWIZZLE, CLAMP, DST, FOG_MERGE, INDEX_MODE, LAST, OMOD, PRED_SEL, UPDATE_EXECUTE_MASK,
    UPDATE_PRED, WRITE_MASK,
};
use crate::alu::{Alu, AluOp, Dest, Encoding, Source};
use crate::chip::Chip;
use crate::codes::{BankSwizzle, IndexMode, Omod, PredSel};
use crate::words::mask;

impl Alu {
    /// The instruction with this opcode and all other bits clear: it reads R0.x and writes nothing
    /// (OP2) or R0.x (OP3).
    ///
    /// # Panics
    ///
    /// If the chip has no room for the opcode: those of OP2 have 7 bits on R600.
    pub fn new(op: AluOp, chip: Chip) -> Self {
        let word1 = match (op.encoding(), chip) {
            (Encoding::Op3, _) => u32::from(op.code()) << 13,
            (Encoding::Op2, Chip::R700) => u32::from(op.code()) << 7,
            (Encoding::Op2, Chip::R600) => {
                assert!(op.code() < 128, "R600 has no room for opcode {}", op.code());
                u32::from(op.code()) << 8
            }
        };
        Self::decode([0, word1], chip)
    }

    /// The same with operand 0 replaced.
    ///
    /// # Panics
    ///
    /// If ABS is set and the encoding is OP3.
    #[must_use]
    pub const fn with_src0(mut self, source: Source) -> Self {
        self.check_abs(source);
        self.sources = self.sources & !mask(16) | source.to_bits();
        self
    }

    /// The same with operand 1 replaced.
    ///
    /// # Panics
    ///
    /// If ABS is set and the encoding is OP3.
    #[must_use]
    pub const fn with_src1(mut self, source: Source) -> Self {
        self.check_abs(source);
        self.sources = self.sources & mask(16) | source.to_bits() << 16;
        self
    }

    /// The same with operand 2 replaced.
    ///
    /// # Panics
    ///
    /// If the encoding is OP2, or ABS is set.
    #[must_use]
    pub const fn with_src2(mut self, source: Source) -> Self {
        assert!(
            matches!(self.encoding(), Encoding::Op3),
            "OP2 has no third operand"
        );
        self.check_abs(source);
        self.third_and_dst = self.third_and_dst & !mask(16) | source.to_bits();
        self
    }

    const fn check_abs(&self, source: Source) {
        assert!(
            !source.abs() || matches!(self.encoding(), Encoding::Op2),
            "operands of OP3 have no ABS"
        );
    }

    /// The same with INDEX_MODE replaced.
    #[must_use]
    pub const fn with_index_mode(self, mode: IndexMode) -> Self {
        self.with_field(INDEX_MODE, 3, mode.code() as u32)
    }

    /// The same with PRED_SEL replaced.
    #[must_use]
    pub const fn with_pred_sel(self, sel: PredSel) -> Self {
        self.with_field(PRED_SEL, 2, sel.code() as u32)
    }

    /// The same with LAST replaced.
    #[must_use]
    pub const fn with_last(self, last: bool) -> Self {
        self.with_field(LAST, 1, last as u32)
    }

    /// The same with BANK_SWIZZLE replaced.
    #[must_use]
    pub const fn with_bank_swizzle(self, swizzle: BankSwizzle) -> Self {
        self.with_field(BANK_SWIZZLE, 3, swizzle.code() as u32)
    }

    /// The same with the destination replaced; in OP2, WRITE_MASK is another field.
    #[must_use]
    pub const fn with_dst(mut self, dst: Dest) -> Self {
        self.third_and_dst = self.third_and_dst & !(mask(10) << DST) | dst.to_bits() << DST;
        self
    }

    /// The same with CLAMP replaced.
    #[must_use]
    pub const fn with_clamp(mut self, clamp: bool) -> Self {
        self.third_and_dst = self.third_and_dst & !(1 << CLAMP) | (clamp as u32) << CLAMP;
        self
    }

    /// The same with UPDATE_EXECUTE_MASK replaced.
    ///
    /// # Panics
    ///
    /// If the encoding is OP3.
    #[must_use]
    pub const fn with_update_execute_mask(self, update: bool) -> Self {
        self.with_op2_field(UPDATE_EXECUTE_MASK, 1, update as u32)
    }

    /// The same with UPDATE_PRED replaced.
    ///
    /// # Panics
    ///
    /// If the encoding is OP3.
    #[must_use]
    pub const fn with_update_pred(self, update: bool) -> Self {
        self.with_op2_field(UPDATE_PRED, 1, update as u32)
    }

    /// The same with WRITE_MASK replaced.
    ///
    /// # Panics
    ///
    /// If the encoding is OP3.
    #[must_use]
    pub const fn with_write_mask(self, write: bool) -> Self {
        self.with_op2_field(WRITE_MASK, 1, write as u32)
    }

    /// The same with OMOD replaced.
    ///
    /// # Panics
    ///
    /// If the encoding is OP3.
    #[must_use]
    pub const fn with_omod(self, omod: Omod) -> Self {
        self.with_op2_field(OMOD, 2, omod.code() as u32)
    }

    /// The same with FOG_MERGE replaced.
    ///
    /// # Panics
    ///
    /// If the encoding is OP3 or the chip is not R600.
    #[must_use]
    pub const fn with_fog_merge(self, merge: bool) -> Self {
        assert!(matches!(self.chip(), Chip::R600), "only R600 has FOG_MERGE");
        self.with_op2_field(FOG_MERGE, 1, merge as u32)
    }

    const fn with_field(mut self, position: u32, width: u32, value: u32) -> Self {
        self.action = self.action & !(mask(width) << position) | value << position;
        self
    }

    const fn with_op2_field(self, position: u32, width: u32, value: u32) -> Self {
        assert!(
            matches!(self.encoding(), Encoding::Op2),
            "OP3 has no such field"
        );
        self.with_field(position, width, value)
    }
}
