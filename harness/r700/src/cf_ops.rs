//! The control-flow opcodes: one table for the seven-bit opcodes, one for ALU clauses.
//!
//! Sources: Mesa 22.3.6 `r600_opcodes.h`, and `r600_isa.c` for what R700 added.

use std::fmt;

use crate::chip::{Chip, Chips};
use crate::codes::write_code;
use crate::words::Field;

/// What a control-flow opcode does to the walk of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CfKind {
    /// The slot of the table is empty.
    Reserved,
    /// Nothing that the walk needs to know; ADDR is not used.
    Plain,
    /// ADDR is the slot of another control-flow instruction.
    Jump,
    /// Returns from a subroutine or a fetch shader.
    Return,
    /// Runs a clause of texture fetches.
    TexClause,
    /// Runs a clause of vertex fetches.
    VtxClause,
    /// An export, with a swizzle.
    Export,
    /// A memory write, with a component mask.
    MemWrite,
}

/// Which constant CF_CONST selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CfConst {
    /// A boolean constant, if the condition asks for one.
    Bool,
    /// A loop constant.
    Loop,
}

/// A row of [`CF_OPS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CfInfo {
    /// The name, in AMD's spelling; `None` in an empty slot.
    pub name: Option<&'static str>,
    /// What the opcode does to the walk.
    pub kind: CfKind,
    /// Which constant its CF_CONST selects.
    pub constant: CfConst,
    /// The chips that have it.
    pub chips: Chips,
}

const fn op(name: &'static str, kind: CfKind) -> CfInfo {
    CfInfo {
        name: Some(name),
        kind,
        constant: CfConst::Bool,
        chips: Chips::Both,
    }
}

const fn looping(name: &'static str) -> CfInfo {
    CfInfo {
        constant: CfConst::Loop,
        ..op(name, CfKind::Jump)
    }
}

const fn r700(name: &'static str, kind: CfKind) -> CfInfo {
    CfInfo {
        chips: Chips::OnlyR700,
        ..op(name, kind)
    }
}

const EMPTY: CfInfo = CfInfo {
    name: None,
    kind: CfKind::Reserved,
    constant: CfConst::Bool,
    chips: Chips::Neither,
};

/// The seven-bit opcodes 0 to 63; 64 and up are ALU clauses, whose opcode has four bits.
pub static CF_OPS: [CfInfo; 64] = {
    use CfKind::{Export, Jump, MemWrite, Plain, Return, TexClause, VtxClause};
    let mut ops = [EMPTY; 64];
    ops[0] = op("NOP", Plain);
    ops[1] = op("TEX", TexClause);
    ops[2] = op("VTX", VtxClause);
    ops[3] = op("VTX_TC", VtxClause);
    ops[4] = looping("LOOP_START");
    ops[5] = op("LOOP_END", Jump);
    ops[6] = op("LOOP_START_DX10", Jump);
    ops[7] = looping("LOOP_START_NO_AL");
    ops[8] = op("LOOP_CONTINUE", Jump);
    ops[9] = op("LOOP_BREAK", Jump);
    ops[10] = op("JUMP", Jump);
    ops[11] = op("PUSH", Jump);
    ops[12] = op("PUSH_ELSE", Jump);
    ops[13] = op("ELSE", Jump);
    ops[14] = op("POP", Plain);
    ops[15] = op("POP_JUMP", Jump);
    ops[16] = op("POP_PUSH", Jump);
    ops[17] = op("POP_PUSH_ELSE", Jump);
    ops[18] = op("CALL", Jump);
    ops[19] = op("CALL_FS", Plain);
    ops[20] = op("RETURN", Return);
    ops[21] = op("EMIT_VERTEX", Plain);
    ops[22] = op("EMIT_CUT_VERTEX", Plain);
    ops[23] = op("CUT_VERTEX", Plain);
    ops[24] = op("KILL", Plain);
    // 25 stays empty: Mesa's END_PROGRAM is not in AMD's lists (erratum R021).
    ops[26] = r700("WAIT_ACK", Plain);
    ops[27] = r700("TEX_ACK", TexClause);
    ops[28] = r700("VTX_ACK", VtxClause);
    ops[29] = r700("VTX_TC_ACK", VtxClause);
    ops[32] = op("MEM_STREAM0", MemWrite);
    ops[33] = op("MEM_STREAM1", MemWrite);
    ops[34] = op("MEM_STREAM2", MemWrite);
    ops[35] = op("MEM_STREAM3", MemWrite);
    ops[36] = op("MEM_SCRATCH", MemWrite);
    ops[37] = op("MEM_REDUCTION", MemWrite);
    ops[38] = op("MEM_RING", MemWrite);
    ops[39] = op("EXPORT", Export);
    ops[40] = op("EXPORT_DONE", Export);
    ops[58] = r700("MEM_EXPORT", MemWrite);
    ops
};

/// The four-bit opcodes of ALU clauses. The clause bit is the top one, so 0 to 7 cannot occur.
pub static CF_ALU_OPS: [Option<&str>; 16] = {
    let mut ops = [None; 16];
    ops[8] = Some("ALU");
    ops[9] = Some("ALU_PUSH_BEFORE");
    ops[10] = Some("ALU_POP_AFTER");
    ops[11] = Some("ALU_POP2_AFTER");
    ops[13] = Some("ALU_CONTINUE");
    ops[14] = Some("ALU_BREAK");
    ops[15] = Some("ALU_ELSE_AFTER");
    ops
};

/// A seven-bit control-flow opcode (CF_WORD1, CF_INST), 0 to 63.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CfOp(u8);

impl CfOp {
    /// The opcode with this number.
    ///
    /// # Panics
    ///
    /// If the number is above 63.
    pub const fn from_code(code: u8) -> Self {
        assert!(code < 64, "opcodes from 64 on are ALU clauses");
        Self(code)
    }

    /// The opcode with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        let code = CF_OPS.iter().position(|info| info.name == Some(name))?;
        Some(Self(code as u8))
    }

    /// The number that stands in the word.
    pub const fn code(self) -> u8 {
        self.0
    }

    /// The opcode's row of the table, whichever chips have it.
    pub fn info(self) -> &'static CfInfo {
        &CF_OPS[usize::from(self.0 & 63)]
    }

    /// What it does to the walk of a program on `chip`.
    pub fn kind(self, chip: Chip) -> CfKind {
        let info = self.info();
        if info.chips.contains(chip) {
            info.kind
        } else {
            CfKind::Reserved
        }
    }

    /// The name on `chip`, if it has one there.
    pub fn name(self, chip: Chip) -> Option<&'static str> {
        let info = self.info();
        if info.chips.contains(chip) {
            info.name
        } else {
            None
        }
    }
}

impl Field for CfOp {
    fn from_bits(bits: u32, _width: u32) -> Self {
        Self(bits as u8 & 63)
    }

    fn to_bits(self) -> u32 {
        u32::from(self.0)
    }
}

/// The opcode of an ALU clause instruction (CF_ALU_WORD1, CF_INST), 8 to 15.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CfAluOp(u8);

impl CfAluOp {
    /// `ALU`: just runs the clause.
    pub const ALU: Self = Self(8);
    /// `ALU_PUSH_BEFORE`: pushes the mask first.
    pub const ALU_PUSH_BEFORE: Self = Self(9);
    /// `ALU_POP_AFTER`: pops once afterwards.
    pub const ALU_POP_AFTER: Self = Self(10);
    /// `ALU_POP2_AFTER`: pops twice afterwards.
    pub const ALU_POP2_AFTER: Self = Self(11);
    /// `ALU_CONTINUE`: lanes that the clause switches off continue the loop.
    pub const ALU_CONTINUE: Self = Self(13);
    /// `ALU_BREAK`: lanes that the clause switches off leave the loop.
    pub const ALU_BREAK: Self = Self(14);
    /// `ALU_ELSE_AFTER`: an else afterwards.
    pub const ALU_ELSE_AFTER: Self = Self(15);

    /// The opcode with this number.
    ///
    /// # Panics
    ///
    /// If the number is not one of 8 to 15.
    pub const fn from_code(code: u8) -> Self {
        assert!(
            code >= 8 && code < 16,
            "ALU clauses have the opcodes 8 to 15"
        );
        Self(code)
    }

    /// The opcode with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        let code = CF_ALU_OPS.iter().position(|op| *op == Some(name))?;
        Some(Self(code as u8))
    }

    /// The number that stands in the word.
    pub const fn code(self) -> u8 {
        self.0
    }

    /// The name, if it has one: 12 has none.
    pub fn name(self) -> Option<&'static str> {
        CF_ALU_OPS[usize::from(self.0 & 15)]
    }
}

impl Default for CfAluOp {
    fn default() -> Self {
        Self::ALU
    }
}

impl Field for CfAluOp {
    fn from_bits(bits: u32, _width: u32) -> Self {
        Self(bits as u8 & 7 | 8)
    }

    fn to_bits(self) -> u32 {
        u32::from(self.0)
    }
}

impl fmt::Display for CfAluOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_code(f, self.name(), self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acknowledging_opcodes_are_r700_only() {
        for code in [26, 27, 28, 29, 58] {
            let op = CfOp::from_code(code);
            assert!(op.name(Chip::R700).is_some(), "{code}");
            assert_eq!(op.name(Chip::R600), None, "{code}");
            assert_eq!(op.kind(Chip::R600), CfKind::Reserved, "{code}");
        }
    }

    #[test]
    fn end_program_is_reserved() {
        assert_eq!(CfOp::from_code(25).name(Chip::R700), None);
    }

    #[test]
    fn names_and_numbers_agree() {
        assert_eq!(CfOp::from_name("RETURN").map(CfOp::code), Some(0x14));
        assert_eq!(CfOp::from_name("MEM_REDUCTION").map(CfOp::code), Some(0x25));
        assert_eq!(
            CfAluOp::from_name("ALU_ELSE_AFTER"),
            Some(CfAluOp::ALU_ELSE_AFTER)
        );
        assert_eq!(CfAluOp::from_code(12).name(), None);
    }
}
