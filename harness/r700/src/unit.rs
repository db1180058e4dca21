//! The units of the ALU.

use std::fmt;

use crate::codes::Chan;

/// A unit of the ALU: four vector units, named after the channel that they write, and one more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// The vector unit of channel X.
    X = 0,
    /// The vector unit of channel Y.
    Y = 1,
    /// The vector unit of channel Z.
    Z = 2,
    /// The vector unit of channel W.
    W = 3,
    /// The trans unit.
    T = 4,
}

impl Unit {
    /// The vector unit that writes a channel.
    pub const fn of(chan: Chan) -> Self {
        match chan.code() {
            0 => Self::X,
            1 => Self::Y,
            2 => Self::Z,
            _ => Self::W,
        }
    }

    /// The number of the unit.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The letter of the unit.
    pub const fn name(self) -> &'static str {
        match self {
            Self::X => "X",
            Self::Y => "Y",
            Self::Z => "Z",
            Self::W => "W",
            Self::T => "T",
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
