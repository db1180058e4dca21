//! Operands that several words share: registers and four-component swizzles.

use std::fmt;

use crate::codes::{CoordType, Sel};
use crate::words::Field;

/// A general register of a fetch or an export: 7 bits of number and the REL bit above them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Gpr(u8);

impl Gpr {
    /// The register with this number, addressed directly.
    ///
    /// # Panics
    ///
    /// If the number is above 127.
    pub const fn new(gpr: u8) -> Self {
        assert!(gpr < 128, "there are 128 registers");
        Self(gpr)
    }

    /// The same register, relative (indexed) or not.
    #[must_use]
    pub const fn with_rel(self, rel: bool) -> Self {
        Self(self.0 & 0x7f | (rel as u8) << 7)
    }

    /// The number, 0 to 127.
    pub const fn gpr(self) -> u8 {
        self.0 & 0x7f
    }

    /// Whether an index is added to the number.
    pub const fn rel(self) -> bool {
        self.0 >> 7 != 0
    }
}

impl Field for Gpr {
    fn from_bits(bits: u32, _width: u32) -> Self {
        Self(bits as u8)
    }

    fn to_bits(self) -> u32 {
        u32::from(self.0)
    }
}

/// `R3`, or `R[3+rel]` when relative.
impl fmt::Display for Gpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rel() {
            false => write!(f, "R{}", self.gpr()),
            true => write!(f, "R[{}+rel]", self.gpr()),
        }
    }
}

/// A select for each of four components: 3 bits each, X lowest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Swizzle(u16);

impl Swizzle {
    /// Every component is itself.
    pub const XYZW: Self = Self::new(Sel::X, Sel::Y, Sel::Z, Sel::W);

    /// The swizzle with these selects.
    pub const fn new(x: Sel, y: Sel, z: Sel, w: Sel) -> Self {
        Self(
            x.code() as u16
                | (y.code() as u16) << 3
                | (z.code() as u16) << 6
                | (w.code() as u16) << 9,
        )
    }

    /// The select of X.
    pub const fn x(self) -> Sel {
        self.get(0)
    }

    /// The select of Y.
    pub const fn y(self) -> Sel {
        self.get(1)
    }

    /// The select of Z.
    pub const fn z(self) -> Sel {
        self.get(2)
    }

    /// The select of W.
    pub const fn w(self) -> Sel {
        self.get(3)
    }

    /// All four, X first.
    pub const fn selects(self) -> [Sel; 4] {
        [self.x(), self.y(), self.z(), self.w()]
    }

    const fn get(self, component: u32) -> Sel {
        Sel::from_code((self.0 >> (3 * component) & 7) as u8)
    }
}

impl Field for Swizzle {
    fn from_bits(bits: u32, _width: u32) -> Self {
        Self(bits as u16)
    }

    fn to_bits(self) -> u32 {
        u32::from(self.0)
    }
}

/// Four letters: `xyzw`, `0`, `1`, `_` for MASK, `?` for the reserved code.
impl fmt::Display for Swizzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.selects()
            .iter()
            .try_for_each(|sel| f.write_str(&"xyzw01?_"[usize::from(sel.code())..][..1]))
    }
}

/// The type of each of four texture coordinates: 1 bit each, X lowest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CoordTypes(u8);

impl CoordTypes {
    /// All four unnormalized.
    pub const UNNORMALIZED: Self = Self(0);
    /// All four normalized.
    pub const NORMALIZED: Self = Self(0xf);

    /// Coordinates of these types.
    pub const fn new(x: CoordType, y: CoordType, z: CoordType, w: CoordType) -> Self {
        Self(x.code() | y.code() << 1 | z.code() << 2 | w.code() << 3)
    }

    /// The type of X.
    pub const fn x(self) -> CoordType {
        self.get(0)
    }

    /// The type of Y.
    pub const fn y(self) -> CoordType {
        self.get(1)
    }

    /// The type of Z.
    pub const fn z(self) -> CoordType {
        self.get(2)
    }

    /// The type of W.
    pub const fn w(self) -> CoordType {
        self.get(3)
    }

    const fn get(self, component: u32) -> CoordType {
        CoordType::from_code(self.0 >> component & 1)
    }
}

impl Field for CoordTypes {
    fn from_bits(bits: u32, _width: u32) -> Self {
        Self(bits as u8)
    }

    fn to_bits(self) -> u32 {
        u32::from(self.0)
    }
}

/// Four letters, `N` for normalized and `U` for not.
impl fmt::Display for CoordTypes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        [self.x(), self.y(), self.z(), self.w()]
            .iter()
            .try_for_each(|coord| {
                f.write_str(if *coord == CoordType::NORMALIZED {
                    "N"
                } else {
                    "U"
                })
            })
    }
}
