//! Why a program is rejected.

use crate::alu::Unit;

/// Why bytes are not a program, or not a unit.
///
/// Offsets are in bytes from the start of the input; addresses and sizes are in slots of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The length of the program is not a multiple of the slot size.
    #[error("at byte {offset}: a program of {length} bytes is not a whole number of 8-byte slots")]
    BadLength {
        /// Length of the input in bytes.
        length: usize,
        /// The last multiple of 8.
        offset: usize,
    },
    /// The program has no slot at all.
    #[error("at byte 0: a program has at least one slot, found none")]
    Empty,
    /// A unit has fewer bytes than its words need.
    #[error("at byte 0: the unit needs {needed} bytes, found {found}")]
    ShortUnit {
        /// Bytes that the unit takes.
        needed: usize,
        /// Bytes that are there.
        found: usize,
    },
    /// The control-flow section runs into the end of the program.
    #[error("at byte {offset}: the program ends before its control flow does")]
    EndlessControlFlow {
        /// Length of the program in bytes.
        offset: usize,
    },
    /// A jumping instruction names a slot that the program does not have.
    #[error("at byte {offset}: jump to slot {addr}, the program has {slots}")]
    JumpOutOfRange {
        /// The instruction's ADDR.
        addr: u32,
        /// Slots of the program.
        slots: usize,
        /// The instruction.
        offset: usize,
    },
    /// A fetch clause starts on an odd slot.
    #[error("at byte {offset}: fetch clause at slot {addr}, it must be even")]
    MisalignedFetch {
        /// The instruction's ADDR.
        addr: u32,
        /// The instruction.
        offset: usize,
    },
    /// A clause reaches beyond the end of the program.
    #[error("at byte {offset}: clause of {size} slots at slot {addr}, the program has {slots}")]
    ClauseOutOfRange {
        /// The instruction's ADDR.
        addr: u32,
        /// Slots of the clause.
        size: usize,
        /// Slots of the program.
        slots: usize,
        /// The instruction.
        offset: usize,
    },
    /// A clause shares a slot with the control-flow section or with a different clause.
    #[error("at byte {offset}: slot {slot} of the clause belongs to something else already")]
    ClauseOverlap {
        /// The first slot that is shared.
        slot: usize,
        /// The instruction that names the clause.
        offset: usize,
    },
    /// An ALU group, with its literals, is not over where its clause is.
    #[error("at byte {offset}: the group is not over at the end of its clause, slot {end}")]
    TruncatedGroup {
        /// The slot after the clause.
        end: usize,
        /// The first slot of the group.
        offset: usize,
    },
    /// The unit that an ALU instruction must go to has an instruction of this group already.
    #[error("at byte {offset}: unit {unit} of the group is taken")]
    UnitTaken {
        /// The unit.
        unit: Unit,
        /// The instruction.
        offset: usize,
    },
}

impl Error {
    /// The byte that the error is reported at, from the start of the input.
    pub const fn offset(&self) -> usize {
        match *self {
            Self::Empty | Self::ShortUnit { .. } => 0,
            Self::BadLength { offset, .. }
            | Self::EndlessControlFlow { offset }
            | Self::JumpOutOfRange { offset, .. }
            | Self::MisalignedFetch { offset, .. }
            | Self::ClauseOutOfRange { offset, .. }
            | Self::ClauseOverlap { offset, .. }
            | Self::TruncatedGroup { offset, .. }
            | Self::UnitTaken { offset, .. } => offset,
        }
    }

    /// The kind of rule that was broken.
    pub const fn class(&self) -> ErrorClass {
        match self {
            Self::BadLength { .. } => ErrorClass::BadLength,
            Self::Empty
            | Self::ShortUnit { .. }
            | Self::EndlessControlFlow { .. }
            | Self::TruncatedGroup { .. } => ErrorClass::Truncated,
            Self::JumpOutOfRange { .. } | Self::ClauseOutOfRange { .. } => ErrorClass::OutOfRange,
            Self::MisalignedFetch { .. } => ErrorClass::Misaligned,
            Self::ClauseOverlap { .. } | Self::UnitTaken { .. } => ErrorClass::Overlap,
        }
    }
}

/// The kinds of rules that a program can break, as the `r700` target names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorClass {
    /// The length fits no program.
    BadLength,
    /// Something is cut off.
    Truncated,
    /// An address leads out of the program.
    OutOfRange,
    /// An address is not aligned.
    Misaligned,
    /// Two things claim one place.
    Overlap,
}

impl ErrorClass {
    /// The class as the target spells it, such as `out-of-range`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::BadLength => "bad-length",
            Self::Truncated => "truncated",
            Self::OutOfRange => "out-of-range",
            Self::Misaligned => "misaligned",
            Self::Overlap => "overlap",
        }
    }
}

impl std::fmt::Display for ErrorClass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
