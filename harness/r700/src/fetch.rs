//! Fetch clauses hold fetches of three formats; the clause and the opcode say which.

use crate::cf::{CfKind, CfOp};
use crate::chip::Chip;
use crate::words::mask;

pub use crate::mem::{Mem, MemRead};
pub use crate::tex::{TEX_OPS, Tex, TexInfo, TexOp};
pub use crate::vtx::{VTX_OPS, Vtx, VtxOp};

/// A fetch: 128 bits, of which the fourth word has no field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fetch {
    /// From a texture.
    Tex(Tex),
    /// From a vertex buffer or another buffer of elements.
    Vtx(Vtx),
    /// From memory.
    Mem(Mem),
}

/// The formats of a fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FetchFormat {
    /// [`Tex`].
    Tex,
    /// [`Vtx`].
    Vtx,
    /// [`Mem`].
    Mem,
}

impl FetchFormat {
    /// The format of a fetch whose first word is `word0`, in a clause that `clause` runs.
    ///
    /// The lowest five bits decide: 2 is a memory fetch on R700, 0 and 1 are vertex fetches even in
    /// a texture clause, and everything else is what the clause is.
    pub fn of(word0: u32, clause: CfOp, chip: Chip) -> Self {
        let tex_clause = clause.kind(chip) == CfKind::TexClause;
        match word0 & mask(5) {
            2 if chip == Chip::R700 => Self::Mem,
            0 | 1 => Self::Vtx,
            _ if tex_clause => Self::Tex,
            _ => Self::Vtx,
        }
    }
}

impl Fetch {
    /// Parses the four words of a fetch in a clause that `clause` runs. All words are one.
    pub fn decode(words: [u32; 4], clause: CfOp, chip: Chip) -> Self {
        match FetchFormat::of(words[0], clause, chip) {
            FetchFormat::Tex => Self::Tex(Tex::decode(words, chip)),
            FetchFormat::Vtx => Self::Vtx(Vtx::decode(words, chip)),
            FetchFormat::Mem => Self::Mem(Mem::decode(words)),
        }
    }

    /// The four words of the fetch.
    pub fn encode(&self) -> [u32; 4] {
        match self {
            Self::Tex(fetch) => fetch.encode(),
            Self::Vtx(fetch) => fetch.encode(),
            Self::Mem(fetch) => fetch.encode(),
        }
    }

    /// The format.
    pub const fn format(&self) -> FetchFormat {
        match self {
            Self::Tex(_) => FetchFormat::Tex,
            Self::Vtx(_) => FetchFormat::Vtx,
            Self::Mem(_) => FetchFormat::Mem,
        }
    }

    /// The name of the opcode, if it has one.
    pub fn op_name(&self) -> Option<&'static str> {
        match self {
            Self::Tex(fetch) => fetch.op_name(),
            Self::Vtx(fetch) => fetch.op_name(),
            Self::Mem(fetch) => fetch.op_name(),
        }
    }
}

impl From<Tex> for Fetch {
    fn from(fetch: Tex) -> Self {
        Self::Tex(fetch)
    }
}

impl From<Vtx> for Fetch {
    fn from(fetch: Vtx) -> Self {
        Self::Vtx(fetch)
    }
}

impl From<Mem> for Fetch {
    fn from(fetch: Mem) -> Self {
        Self::Mem(fetch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clause_and_the_opcode_choose_the_format() {
        let tex = CfOp::from_name("TEX").unwrap();
        let vtx = CfOp::from_name("VTX_TC").unwrap();
        let of = |opcode, clause, chip| FetchFormat::of(opcode, clause, chip);
        for chip in Chip::ALL {
            assert_eq!(of(0, tex, chip), FetchFormat::Vtx);
            assert_eq!(of(1, tex, chip), FetchFormat::Vtx);
            assert_eq!(of(3, tex, chip), FetchFormat::Tex);
            assert_eq!(of(16, vtx, chip), FetchFormat::Vtx);
            // Bits above the lowest five don't matter.
            assert_eq!(of(0x23, tex, chip), FetchFormat::Tex);
        }
        assert_eq!(of(2, tex, Chip::R700), FetchFormat::Mem);
        assert_eq!(of(2, vtx, Chip::R700), FetchFormat::Mem);
        assert_eq!(of(2, tex, Chip::R600), FetchFormat::Tex);
        assert_eq!(of(2, vtx, Chip::R600), FetchFormat::Vtx);
    }
}
