//! Texture fetches.
//!
//! Positions: Mesa 22.3.6 `r600_sq.h` and `r700_sq.h`, TEX_WORD0 to TEX_WORD2; the gaps between the
//! fields: `sb_bc_fmt_def.inc`. Opcodes: `r600_isa.c`.

use crate::chip::{Chip, Chips};
use crate::registers::{CoordTypes, Gpr, Swizzle};
use crate::words::{Field, words};

/// A row of [`TEX_OPS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TexInfo {
    /// The name; `None` in an empty slot.
    pub name: Option<&'static str>,
    /// The chips that have the opcode.
    pub chips: Chips,
}

const fn both(name: &'static str) -> TexInfo {
    TexInfo {
        name: Some(name),
        chips: Chips::Both,
    }
}

const fn r700(name: &'static str) -> TexInfo {
    TexInfo {
        name: Some(name),
        chips: Chips::OnlyR700,
    }
}

/// The opcodes of a texture fetch, all 32.
///
/// A texture clause reads words with the opcodes 0 to 2 in other formats; see
/// [`Fetch`](crate::fetch::Fetch).
pub static TEX_OPS: [TexInfo; 32] = [
    both("VFETCH"),
    both("SEMFETCH"),
    r700("MEM"),
    both("LD"),
    both("GET_TEXTURE_RESINFO"),
    both("GET_NUMBER_OF_SAMPLES"),
    both("GET_LOD"),
    both("GET_GRADIENTS_H"),
    both("GET_GRADIENTS_V"),
    both("GET_LERP"),
    r700("KEEP_GRADIENTS"),
    both("SET_GRADIENTS_H"),
    both("SET_GRADIENTS_V"),
    both("PASS"),
    both("SET_CUBEMAP_INDEX"),
    both("FETCH4"),
    both("SAMPLE"),
    both("SAMPLE_L"),
    both("SAMPLE_LB"),
    both("SAMPLE_LZ"),
    both("SAMPLE_G"),
    both("SAMPLE_G_L"),
    both("SAMPLE_G_LB"),
    both("SAMPLE_G_LZ"),
    both("SAMPLE_C"),
    both("SAMPLE_C_L"),
    both("SAMPLE_C_LB"),
    both("SAMPLE_C_LZ"),
    both("SAMPLE_C_G"),
    both("SAMPLE_C_G_L"),
    both("SAMPLE_C_G_LB"),
    both("SAMPLE_C_G_LZ"),
];

/// The opcode of a texture fetch (TEX_WORD0, TEX_INST), 0 to 31.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TexOp(u8);

impl TexOp {
    /// The opcode with this number.
    ///
    /// # Panics
    ///
    /// If the number is above 31.
    pub const fn from_code(code: u8) -> Self {
        assert!(code < 32, "the opcode does not fit its field");
        Self(code)
    }

    /// The opcode with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        let code = TEX_OPS.iter().position(|info| info.name == Some(name))?;
        Some(Self(code as u8))
    }

    /// The number that stands in the word.
    pub const fn code(self) -> u8 {
        self.0
    }

    /// The name on `chip`, if it has one there.
    pub fn name(self, chip: Chip) -> Option<&'static str> {
        let info = &TEX_OPS[usize::from(self.0)];
        if info.chips.contains(chip) {
            info.name
        } else {
            None
        }
    }
}

impl Field for TexOp {
    fn from_bits(bits: u32, _width: u32) -> Self {
        Self(bits as u8 & 31)
    }

    fn to_bits(self) -> u32 {
        u32::from(self.0)
    }
}

words! {
    /// A texture fetch: 128 bits.
    pub struct Tex: 4 words {
        /// TEX_INST: the opcode.
        pub op: TexOp = 0[4:0];
        /// BC_FRAC_MODE: how fractions of coordinates of block-compressed formats are made.
        pub bc_frac_mode / with_bc_frac_mode: bool = 0[5:5];
        /// FETCH_WHOLE_QUAD: fetches for all lanes of a quad if one of them does.
        pub fetch_whole_quad / with_fetch_whole_quad: bool = 0[7:7];
        /// RESOURCE_ID: the texture.
        pub resource_id / with_resource_id: u8 = 0[15:8];
        /// SRC_GPR and SRC_REL: the register of the coordinates.
        pub src / with_src: Gpr = 0[23:16];
        /// ALT_CONST: uses the other set of resources. R700 only (erratum R057).
        pub alt_const / with_alt_const: bool = 0[24:24] when Tex::is_r700;
        /// DST_GPR and DST_REL: the register of the result.
        pub dst / with_dst: Gpr = 1[7:0];
        /// DST_SEL_X to DST_SEL_W: what goes to each channel of the result.
        pub dst_sel / with_dst_sel: Swizzle = 1[20:9];
        /// LOD_BIAS: added to the level of detail, in sixteenths.
        pub lod_bias / with_lod_bias: i8 = 1[27:21];
        /// COORD_TYPE_X to COORD_TYPE_W: the units of the coordinates.
        pub coord_type / with_coord_type: CoordTypes = 1[31:28];
        /// OFFSET_X: added to the first coordinate, in half texels.
        pub offset_x / with_offset_x: i8 = 2[4:0];
        /// OFFSET_Y: added to the second coordinate, in half texels.
        pub offset_y / with_offset_y: i8 = 2[9:5];
        /// OFFSET_Z: added to the third coordinate, in half texels.
        pub offset_z / with_offset_z: i8 = 2[14:10];
        /// SAMPLER_ID: the sampler.
        pub sampler_id / with_sampler_id: u8 = 2[19:15];
        /// SRC_SEL_X to SRC_SEL_W: the channels that the coordinates are taken from.
        pub src_sel / with_src_sel: Swizzle = 2[31:20];
        /// The fourth word, which has no field: usually zero.
        pub word3 / with_word3: u32 = 3[31:0];
    }
}

impl Tex {
    /// The fetch with this opcode that reads R0 and writes R0, both unswizzled, with normalized
    /// coordinates and all other bits clear.
    pub fn new(op: TexOp, chip: Chip) -> Self {
        Self::decode([u32::from(op.code()), 0, 0, 0], chip)
            .with_dst_sel(Swizzle::XYZW)
            .with_src_sel(Swizzle::XYZW)
            .with_coord_type(CoordTypes::NORMALIZED)
    }

    /// Parses the four words of a fetch. All words are one.
    pub fn decode(words: [u32; 4], chip: Chip) -> Self {
        Self::parse(words, chip)
    }

    /// The four words of the fetch.
    pub fn encode(&self) -> [u32; 4] {
        self.pack()
    }

    /// The name of the opcode, if it has one.
    pub fn op_name(&self) -> Option<&'static str> {
        self.op.name(self.chip)
    }

    const fn is_r700(&self) -> bool {
        matches!(self.chip, Chip::R700)
    }

    /// The unnamed bits of word 0, in place.
    pub const fn reserved0(&self) -> u32 {
        self.reserved[0]
    }

    /// The unnamed bits of word 1, in place.
    pub const fn reserved1(&self) -> u32 {
        self.reserved[1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::{CoordType, Sel};

    #[test]
    fn sample_by_hand() {
        // "SAMPLE" of a compiler: R2 from R1.xy, texture 18, sampler 0.
        let words = [
            0x0001_1210, // TEX_INST 0x10, RESOURCE_ID 0x12, SRC_GPR 1
            0xf00d_1002, // DST_GPR 2, DST_SEL 0 1 2 3, four times COORD_TYPE 1
            0xfc80_0000, // SRC_SEL 0 1 1 7: bits 22:20, 25:23, 28:26, 31:29
            0x0000_0000,
        ];
        let tex = Tex::decode(words, Chip::R700);
        assert_eq!(tex.op_name(), Some("SAMPLE"));
        assert_eq!(tex.resource_id(), 18);
        assert_eq!((tex.src().gpr(), tex.src().rel()), (1, false));
        assert_eq!((tex.dst().gpr(), tex.dst().rel()), (2, false));
        assert_eq!(tex.dst_sel(), Swizzle::XYZW);
        assert_eq!(tex.coord_type().x(), CoordType::NORMALIZED);
        assert_eq!(tex.coord_type(), CoordTypes::NORMALIZED);
        assert_eq!(
            tex.src_sel(),
            Swizzle::new(Sel::X, Sel::Y, Sel::MASK, Sel::MASK)
        );
        assert_eq!(
            (tex.lod_bias(), tex.sampler_id(), tex.alt_const()),
            (0, 0, Some(false))
        );
        assert_eq!((tex.reserved0(), tex.reserved1()), (0, 0));
        assert_eq!(tex.encode(), words);
    }

    #[test]
    fn signed_fields_and_gaps() {
        let words = [
            0xff00_0040, // bits 31:24 and bit 6
            0x0fe0_0100, // LOD_BIAS -1, and bit 8
            0x0000_7c0f, // OFFSET_X 15, OFFSET_Y 0, OFFSET_Z -1
            0xdead_beef,
        ];
        let r700 = Tex::decode(words, Chip::R700);
        assert_eq!(r700.alt_const(), Some(true));
        assert_eq!((r700.reserved0(), r700.reserved1()), (0xfe00_0040, 0x100));
        assert_eq!(r700.lod_bias(), -1);
        assert_eq!(
            (r700.offset_x(), r700.offset_y(), r700.offset_z()),
            (15, 0, -1)
        );
        assert_eq!(r700.word3(), 0xdead_beef);
        // R057: bit 24 is unnamed on R600.
        let r600 = Tex::decode(words, Chip::R600);
        assert_eq!((r600.alt_const(), r600.reserved0()), (None, 0xff00_0040));
        assert_eq!((r700.encode(), r600.encode()), (words, words));
    }
}
