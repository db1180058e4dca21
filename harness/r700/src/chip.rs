//! The chip families whose microcode is understood.

use std::fmt;

/// A chip family. The layouts differ in a few bits and the tables in a few opcodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Chip {
    /// The R6xx family.
    R600,
    /// The R7xx family and Latte, the GPU of the Wii U.
    #[default]
    R700,
}

impl Chip {
    /// Both families.
    pub const ALL: [Self; 2] = [Self::R600, Self::R700];
}

impl fmt::Display for Chip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::R600 => "r600",
            Self::R700 => "r700",
        })
    }
}

/// The chip families that have an opcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Chips {
    /// None of them: the slot of the table is reserved.
    Neither,
    /// Both families.
    Both,
    /// Only the R7xx family.
    OnlyR700,
}

impl Chips {
    /// Whether `chip` is one of them.
    pub const fn contains(self, chip: Chip) -> bool {
        match self {
            Self::Neither => false,
            Self::Both => true,
            Self::OnlyR700 => matches!(chip, Chip::R700),
        }
    }
}
