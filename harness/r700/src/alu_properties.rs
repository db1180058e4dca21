//! What the ALU opcodes are like: operands, units, flags. Keyed by number; the names stand in
//! [`crate::alu_tables`], and here only as comments.
//!
//! Sources: Mesa 22.3.6 `r600_isa.c` for operands, units and flags. Where its units are not AMD's, the
//! `r700` target says so: shifts (0x70 to 0x72) and MOVA_GPR_INT (0x60, erratum R032) need the trans
//! unit on R600 only, MUL_LIT and its forms (OP3 0x0c to 0x0f, erratum R018) need it on both chips.

use crate::alu_ops::UnitClass::{self, Any, Trans, Vector};
use crate::alu_ops::{AluFlags, flags::*};

/// The properties of one opcode.
pub(crate) struct Row {
    pub(crate) number: u16,
    pub(crate) operands: u8,
    pub(crate) r600: UnitClass,
    pub(crate) r700: UnitClass,
    pub(crate) flags: AluFlags,
}

const fn row(number: u16, operands: u8, units: UnitClass, flags: &[AluFlags]) -> Row {
    Row {
        number,
        operands,
        r600: units,
        r700: units,
        flags: AluFlags::all_of(flags),
    }
}

impl Row {
    const fn on_r600(self, units: UnitClass) -> Self {
        Self {
            r600: units,
            ..self
        }
    }
}

/// Properties of the opcodes of ALU_WORD1_OP2, sorted by number.
#[rustfmt::skip]
pub(crate) static OP2: &[Row] = &[
    row(0x00, 2, Any, &[COMMUTATIVE]), // ADD
    row(0x01, 2, Any, &[COMMUTATIVE]), // MUL
    row(0x02, 2, Any, &[COMMUTATIVE, IEEE]), // MUL_IEEE
    row(0x03, 2, Any, &[COMMUTATIVE]), // MAX
    row(0x04, 2, Any, &[COMMUTATIVE]), // MIN
    row(0x05, 2, Any, &[COMMUTATIVE, DX10]), // MAX_DX10
    row(0x06, 2, Any, &[COMMUTATIVE, DX10]), // MIN_DX10
    row(0x07, 1, Vector, &[FLOAT64]), // FREXP_64
    row(0x08, 2, Any, &[SET]), // SETE
    row(0x09, 2, Any, &[SET]), // SETGT
    row(0x0a, 2, Any, &[SET]), // SETGE
    row(0x0b, 2, Any, &[SET]), // SETNE
    row(0x0c, 2, Any, &[SET, DX10, DST_INT]), // SETE_DX10
    row(0x0d, 2, Any, &[SET, DX10, DST_INT]), // SETGT_DX10
    row(0x0e, 2, Any, &[SET, DX10, DST_INT]), // SETGE_DX10
    row(0x0f, 2, Any, &[SET, DX10, DST_INT]), // SETNE_DX10
    row(0x10, 1, Any, &[]), // FRACT
    row(0x11, 1, Any, &[]), // TRUNC
    row(0x12, 1, Any, &[]), // CEIL
    row(0x13, 1, Any, &[]), // RNDNE
    row(0x14, 1, Any, &[]), // FLOOR
    row(0x15, 1, Vector, &[MOVA]), // MOVA
    row(0x16, 1, Vector, &[MOVA]), // MOVA_FLOOR
    row(0x17, 2, Vector, &[FLOAT64]), // ADD_64
    row(0x18, 1, Vector, &[MOVA]), // MOVA_INT
    row(0x19, 1, Any, &[]), // MOV
    row(0x1a, 0, Any, &[]), // NOP
    row(0x1b, 2, Vector, &[FLOAT64]), // MUL_64
    row(0x1c, 1, Vector, &[FLOAT64]), // FLT64_TO_FLT32
    row(0x1d, 1, Vector, &[FLOAT64]), // FLT32_TO_FLT64
    row(0x1e, 2, Any, &[PRED_SET, CMP_UINT]), // PRED_SETGT_UINT
    row(0x1f, 2, Any, &[PRED_SET, CMP_UINT]), // PRED_SETGE_UINT
    row(0x20, 2, Any, &[PRED_SET]), // PRED_SETE
    row(0x21, 2, Any, &[PRED_SET]), // PRED_SETGT
    row(0x22, 2, Any, &[PRED_SET]), // PRED_SETGE
    row(0x23, 2, Any, &[PRED_SET]), // PRED_SETNE
    row(0x24, 1, Any, &[PRED_SET]), // PRED_SET_INV
    row(0x25, 2, Any, &[PRED_SET]), // PRED_SET_POP
    row(0x26, 0, Any, &[PRED_SET]), // PRED_SET_CLR
    row(0x27, 1, Any, &[PRED_SET]), // PRED_SET_RESTORE
    row(0x28, 2, Any, &[PRED_SET_PUSH]), // PRED_SETE_PUSH
    row(0x29, 2, Any, &[PRED_SET_PUSH]), // PRED_SETGT_PUSH
    row(0x2a, 2, Any, &[PRED_SET_PUSH]), // PRED_SETGE_PUSH
    row(0x2b, 2, Any, &[PRED_SET_PUSH]), // PRED_SETNE_PUSH
    row(0x2c, 2, Any, &[KILL]), // KILLE
    row(0x2d, 2, Any, &[KILL]), // KILLGT
    row(0x2e, 2, Any, &[KILL]), // KILLGE
    row(0x2f, 2, Any, &[KILL]), // KILLNE
    row(0x30, 2, Any, &[COMMUTATIVE, DST_INT]), // AND_INT
    row(0x31, 2, Any, &[COMMUTATIVE, DST_INT]), // OR_INT
    row(0x32, 2, Any, &[COMMUTATIVE, DST_INT]), // XOR_INT
    row(0x33, 1, Any, &[DST_INT]), // NOT_INT
    row(0x34, 2, Any, &[COMMUTATIVE, DST_INT]), // ADD_INT
    row(0x35, 2, Any, &[DST_INT]), // SUB_INT
    row(0x36, 2, Any, &[COMMUTATIVE, DST_INT]), // MAX_INT
    row(0x37, 2, Any, &[COMMUTATIVE, DST_INT]), // MIN_INT
    row(0x38, 2, Any, &[COMMUTATIVE, DST_UINT]), // MAX_UINT
    row(0x39, 2, Any, &[COMMUTATIVE, DST_UINT]), // MIN_UINT
    row(0x3a, 2, Any, &[SET, DST_INT, CMP_INT]), // SETE_INT
    row(0x3b, 2, Any, &[SET, DST_INT, CMP_INT]), // SETGT_INT
    row(0x3c, 2, Any, &[SET, DST_INT, CMP_INT]), // SETGE_INT
    row(0x3d, 2, Any, &[SET, DST_INT, CMP_INT]), // SETNE_INT
    row(0x3e, 2, Any, &[SET, DST_UINT, CMP_UINT]), // SETGT_UINT
    row(0x3f, 2, Any, &[SET, DST_UINT, CMP_UINT]), // SETGE_UINT
    row(0x40, 2, Any, &[KILL, CMP_UINT]), // KILLGT_UINT
    row(0x41, 2, Any, &[KILL, CMP_UINT]), // KILLGE_UINT
    row(0x42, 2, Any, &[PRED_SET, CMP_INT]), // PRED_SETE_INT
    row(0x43, 2, Any, &[PRED_SET, CMP_INT]), // PRED_SETGT_INT
    row(0x44, 2, Any, &[PRED_SET, CMP_INT]), // PRED_SETGE_INT
    row(0x45, 2, Any, &[PRED_SET, CMP_INT]), // PRED_SETNE_INT
    row(0x46, 2, Any, &[KILL, CMP_INT]), // KILLE_INT
    row(0x47, 2, Any, &[KILL, CMP_INT]), // KILLGT_INT
    row(0x48, 2, Any, &[KILL, CMP_INT]), // KILLGE_INT
    row(0x49, 2, Any, &[KILL, CMP_INT]), // KILLNE_INT
    row(0x4a, 2, Any, &[PRED_SET_PUSH, CMP_INT]), // PRED_SETE_PUSH_INT
    row(0x4b, 2, Any, &[PRED_SET_PUSH, CMP_INT]), // PRED_SETGT_PUSH_INT
    row(0x4c, 2, Any, &[PRED_SET_PUSH, CMP_INT]), // PRED_SETGE_PUSH_INT
    row(0x4d, 2, Any, &[PRED_SET_PUSH, CMP_INT]), // PRED_SETNE_PUSH_INT
    row(0x4e, 2, Any, &[PRED_SET_PUSH, CMP_INT]), // PRED_SETLT_PUSH_INT
    row(0x4f, 2, Any, &[PRED_SET_PUSH, CMP_INT]), // PRED_SETLE_PUSH_INT
    row(0x50, 2, Vector, &[REPLICATED, REDUCTION]), // DOT4
    row(0x51, 2, Vector, &[REPLICATED, IEEE, REDUCTION]), // DOT4_IEEE
    row(0x52, 2, Vector, &[REDUCTION]), // CUBE
    row(0x53, 1, Vector, &[REPLICATED, REDUCTION]), // MAX4
    row(0x60, 1, Any, &[MOVA]).on_r600(Trans), // MOVA_GPR_INT
    row(0x61, 1, Trans, &[IEEE]), // EXP_IEEE
    row(0x62, 1, Trans, &[]), // LOG_CLAMPED
    row(0x63, 1, Trans, &[IEEE]), // LOG_IEEE
    row(0x64, 1, Trans, &[]), // RECIP_CLAMPED
    row(0x65, 1, Trans, &[]), // RECIP_FF
    row(0x66, 1, Trans, &[IEEE]), // RECIP_IEEE
    row(0x67, 1, Trans, &[]), // RECIPSQRT_CLAMPED
    row(0x68, 1, Trans, &[]), // RECIPSQRT_FF
    row(0x69, 1, Trans, &[IEEE]), // RECIPSQRT_IEEE
    row(0x6a, 1, Trans, &[IEEE]), // SQRT_IEEE
    row(0x6b, 1, Trans, &[DST_INT]), // FLT_TO_INT
    row(0x6c, 1, Trans, &[]), // INT_TO_FLT
    row(0x6d, 1, Trans, &[]), // UINT_TO_FLT
    row(0x6e, 1, Trans, &[]), // SIN
    row(0x6f, 1, Trans, &[]), // COS
    row(0x70, 2, Any, &[DST_INT]).on_r600(Trans), // ASHR_INT
    row(0x71, 2, Any, &[DST_INT]).on_r600(Trans), // LSHR_INT
    row(0x72, 2, Any, &[DST_INT]).on_r600(Trans), // LSHL_INT
    row(0x73, 2, Trans, &[COMMUTATIVE, DST_INT, REPLICATED]), // MULLO_INT
    row(0x74, 2, Trans, &[COMMUTATIVE, DST_INT, REPLICATED]), // MULHI_INT
    row(0x75, 2, Trans, &[COMMUTATIVE, DST_UINT, REPLICATED]), // MULLO_UINT
    row(0x76, 2, Trans, &[COMMUTATIVE, DST_UINT, REPLICATED]), // MULHI_UINT
    row(0x77, 1, Trans, &[DST_INT]), // RECIP_INT
    row(0x78, 1, Trans, &[DST_UINT]), // RECIP_UINT
    row(0x79, 1, Trans, &[DST_UINT]), // FLT_TO_UINT
    row(0x7a, 2, Vector, &[FLOAT64]), // LDEXP_64
    row(0x7b, 1, Vector, &[FLOAT64]), // FRACT_64
    row(0x7c, 2, Vector, &[PRED_SET, FLOAT64]), // PRED_SETGT_64
    row(0x7d, 2, Vector, &[PRED_SET, FLOAT64]), // PRED_SETE_64
    row(0x7e, 2, Vector, &[PRED_SET, FLOAT64]), // PRED_SETGE_64
];

/// Properties of the opcodes of ALU_WORD1_OP3, sorted by number.
#[rustfmt::skip]
pub(crate) static OP3: &[Row] = &[
    row(0x08, 3, Vector, &[FLOAT64]), // MULADD_64
    row(0x09, 3, Vector, &[FLOAT64]), // MULADD_64_M2
    row(0x0a, 3, Vector, &[FLOAT64]), // MULADD_64_M4
    row(0x0b, 3, Vector, &[FLOAT64]), // MULADD_64_D2
    row(0x0c, 3, Trans, &[]), // MUL_LIT
    row(0x0d, 3, Trans, &[]), // MUL_LIT_M2
    row(0x0e, 3, Trans, &[]), // MUL_LIT_M4
    row(0x0f, 3, Trans, &[]), // MUL_LIT_D2
    row(0x10, 3, Any, &[COMMUTATIVE]), // MULADD
    row(0x11, 3, Any, &[COMMUTATIVE]), // MULADD_M2
    row(0x12, 3, Any, &[COMMUTATIVE]), // MULADD_M4
    row(0x13, 3, Any, &[COMMUTATIVE]), // MULADD_D2
    row(0x14, 3, Any, &[COMMUTATIVE, IEEE]), // MULADD_IEEE
    row(0x15, 3, Any, &[COMMUTATIVE, IEEE]), // MULADD_IEEE_M2
    row(0x16, 3, Any, &[COMMUTATIVE, IEEE]), // MULADD_IEEE_M4
    row(0x17, 3, Any, &[COMMUTATIVE, IEEE]), // MULADD_IEEE_D2
    row(0x18, 3, Any, &[CMOV]), // CNDE
    row(0x19, 3, Any, &[CMOV]), // CNDGT
    row(0x1a, 3, Any, &[CMOV]), // CNDGE
    row(0x1c, 3, Any, &[CMOV, CMP_INT]), // CNDE_INT
    row(0x1d, 3, Any, &[CMOV, CMP_INT]), // CNDGT_INT
    row(0x1e, 3, Any, &[CMOV, CMP_INT]), // CNDGE_INT
];
