//! Enumerations: fields whose codes have names.
//!
//! Each is a newtype with a constant for every named code. A code without a name stays what it is:
//! `name` answers `None`, and the text form is `RESERVED_` and the code.

use std::fmt;

use crate::chip::Chip;
use crate::words::{Field, mask};

macro_rules! codes {
    ($(
        $(#[$meta:meta])*
        pub struct $name:ident: $width:literal bits {
            $( $konst:ident = $code:literal, $text:literal, $doc:literal; )*
        }
    )*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name(u8);

        impl $name {
            $(
                #[doc = concat!("`", $text, "`: ", $doc, ".")]
                pub const $konst: Self = Self($code);
            )*

            /// The value with this code.
            ///
            /// # Panics
            ///
            #[doc = concat!("If the code needs more than ", $width, " bits.")]
            pub const fn from_code(code: u8) -> Self {
                assert!(code as u32 <= mask($width), "the code does not fit its field");
                Self(code)
            }

            /// The number that stands in the word.
            pub const fn code(self) -> u8 {
                self.0
            }

            /// The name of the code, if it has one.
            pub const fn name(self) -> Option<&'static str> {
                match self.0 {
                    $( $code => Some($text), )*
                    _ => None,
                }
            }
        }

        impl Field for $name {
            fn from_bits(bits: u32, _width: u32) -> Self {
                Self((bits & mask($width)) as u8)
            }

            fn to_bits(self) -> u32 {
                u32::from(self.0)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write_code(f, self.name(), self.0)
            }
        }
    )*};
}

/// Writes a name, or `RESERVED_` and the code of a value without one.
pub(crate) fn write_code(f: &mut fmt::Formatter<'_>, name: Option<&str>, code: u8) -> fmt::Result {
    match name {
        Some(name) => f.pad(name),
        None => write!(f, "RESERVED_{code}"),
    }
}

codes! {
    /// A channel of a register (Mesa `r700_sq.h`, `SRC0_CHAN` and the like).
    pub struct Chan: 2 bits {
        X = 0, "X", "the first";
        Y = 1, "Y", "the second";
        Z = 2, "Z", "the third";
        W = 3, "W", "the fourth";
    }

    /// One component of a four-component swizzle (Mesa `r600d.h`, `sb_bc.h`, `SEL_*`).
    pub struct Sel: 3 bits {
        X = 0, "X", "the first channel";
        Y = 1, "Y", "the second channel";
        Z = 2, "Z", "the third channel";
        W = 3, "W", "the fourth channel";
        ZERO = 4, "0", "the constant 0.0";
        ONE = 5, "1", "the constant 1.0";
        MASK = 7, "MASK", "not written; also seen in sources, where it means nothing";
    }

    /// Which lanes an ALU instruction runs in (LLVM `R600RegisterInfo.td`, `PRED_SEL_*`).
    pub struct PredSel: 2 bits {
        OFF = 0, "OFF", "all";
        ZERO = 2, "ZERO", "those whose predicate is 0";
        ONE = 3, "ONE", "those whose predicate is 1";
    }

    /// What a result is multiplied with (Mesa `sb_bc.h`, `OMOD_*`).
    pub struct Omod: 2 bits {
        OFF = 0, "OFF", "1";
        M2 = 1, "M2", "2";
        M4 = 2, "M4", "4";
        D2 = 3, "D2", "1/2";
    }

    /// In which cycles a vector instruction reads its three operands (Mesa `r700_sq.h`,
    /// `SQ_ALU_VEC_*`; erratum R065).
    pub struct BankSwizzle: 3 bits {
        VEC_012 = 0, "VEC_012", "0, 1, 2";
        VEC_021 = 1, "VEC_021", "0, 2, 1";
        VEC_120 = 2, "VEC_120", "1, 2, 0";
        VEC_102 = 3, "VEC_102", "1, 0, 2";
        VEC_201 = 4, "VEC_201", "2, 0, 1";
        VEC_210 = 5, "VEC_210", "2, 1, 0";
    }

    /// The condition of a control-flow instruction (Mesa `r600_sq.h`, `SQ_CF_COND_*`).
    pub struct Cond: 2 bits {
        ACTIVE = 0, "ACTIVE", "the lane is active";
        FALSE = 1, "FALSE", "never";
        BOOL = 2, "BOOL", "active, and the boolean constant is set";
        NOT_BOOL = 3, "NOT_BOOL", "active, and the boolean constant is clear";
    }

    /// How an ALU clause locks lines of a constant buffer (Mesa `r600_sq.h`, `SQ_CF_KCACHE_*`).
    pub struct KcacheMode: 2 bits {
        NOP = 0, "NOP", "no lock";
        LOCK_1 = 1, "LOCK_1", "one line of 16 constants";
        LOCK_2 = 2, "LOCK_2", "two lines";
        LOCK_LOOP_INDEX = 3, "LOCK_LOOP_INDEX", "lines that the loop index moves";
    }

    /// The index of a vertex fetch (Mesa `r600_sq.h`, `SQ_VTX_FETCH_*`).
    pub struct FetchType: 2 bits {
        VERTEX_DATA = 0, "VERTEX_DATA", "the vertex index, with its base";
        INSTANCE_DATA = 1, "INSTANCE_DATA", "the instance index, with its base";
        NO_INDEX_OFFSET = 2, "NO_INDEX_OFFSET", "the source as it is";
    }

    /// How a fetched integer becomes a number (Mesa `r600d.h`, `SQ_NUM_FORMAT_*`).
    pub struct NumFormat: 2 bits {
        NORM = 0, "NORM", "normalised";
        INT = 1, "INT", "an integer still";
        SCALED = 2, "SCALED", "a float of the same value";
    }

    /// Signedness of fetched components (Mesa `r600d.h`, `SQ_FORMAT_COMP_*`).
    pub struct FormatComp: 1 bits {
        UNSIGNED = 0, "UNSIGNED", "unsigned";
        SIGNED = 1, "SIGNED", "signed";
    }

    /// Where a signed normalised format has its zero (Mesa `r600d.h`, `SRF_MODE_*`).
    pub struct SrfMode: 1 bits {
        ZERO_CLAMP_MINUS_ONE = 0, "ZERO_CLAMP_MINUS_ONE", "at 0; the lowest code is -1 too";
        NO_ZERO = 1, "NO_ZERO", "nowhere";
    }

    /// The units in which the bytes of an element are reversed (Mesa `r600_formats.h`, `ENDIAN_*`).
    pub struct EndianSwap: 2 bits {
        NONE = 0, "NONE", "none";
        SWAP_8IN16 = 1, "8IN16", "16 bits";
        SWAP_8IN32 = 2, "8IN32", "32 bits";
    }

    /// The unit of a texture coordinate (Mesa `r600_sq.h`, `SQ_TEX_COORD_*`).
    pub struct CoordType: 1 bits {
        UNNORMALIZED = 0, "UNNORMALIZED", "texels";
        NORMALIZED = 1, "NORMALIZED", "the size of the texture";
    }

    /// The operation of a MEM fetch (Mesa `r600_isa.c`, fetch instruction 2).
    pub struct MemOp: 3 bits {
        READ_SCRATCH = 0, "READ_SCRATCH", "reads a scratch buffer";
        READ_REDUCT = 1, "READ_REDUCT", "reads a reduction buffer";
        READ_MEM = 2, "READ_MEM", "reads memory";
        DS_LOCAL_WRITE = 4, "DS_LOCAL_WRITE", "writes the local data share";
        DS_LOCAL_READ = 5, "DS_LOCAL_READ", "reads the local data share";
        DS_GLOBAL_WRITE = 6, "DS_GLOBAL_WRITE", "writes the global data share";
        DS_GLOBAL_READ = 7, "DS_GLOBAL_READ", "reads the global data share";
    }
}

/// The register that relative operands of an ALU instruction are indexed with (Mesa `sb_bc.h`,
/// `INDEX_*`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct IndexMode(u8);

impl IndexMode {
    /// `AR_X`: the address register's channel of that name.
    pub const AR_X: Self = Self(0);
    /// `AR_Y`, likewise.
    pub const AR_Y: Self = Self(1);
    /// `AR_Z`, likewise.
    pub const AR_Z: Self = Self(2);
    /// `AR_W`, likewise.
    pub const AR_W: Self = Self(3);
    /// `LOOP`: the loop index.
    pub const LOOP: Self = Self(4);
    /// `GLOBAL`: absolute, not relative to the wave's registers (R700).
    pub const GLOBAL: Self = Self(5);
    /// `GLOBAL_AR_X`: absolute, and indexed with `AR_X` (R700).
    pub const GLOBAL_AR_X: Self = Self(6);

    /// The mode with this code.
    ///
    /// # Panics
    ///
    /// If the code needs more than 3 bits.
    pub const fn from_code(code: u8) -> Self {
        assert!(code < 8, "the code does not fit its field");
        Self(code)
    }

    /// The number that stands in the word.
    pub const fn code(self) -> u8 {
        self.0
    }

    /// The name of the code on `chip`, if it has one.
    pub const fn name(self, chip: Chip) -> Option<&'static str> {
        match (self.0, chip) {
            (0, _) => Some("AR_X"),
            (1, _) => Some("AR_Y"),
            (2, _) => Some("AR_Z"),
            (3, _) => Some("AR_W"),
            (4, _) => Some("LOOP"),
            (5, Chip::R700) => Some("GLOBAL"),
            (6, Chip::R700) => Some("GLOBAL_AR_X"),
            _ => None,
        }
    }
}
