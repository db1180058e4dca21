//! Vertex fetches.
//!
//! Positions: Mesa 22.3.6 `r600_sq.h` and `r700_sq.h`, VTX_WORD0, VTX_WORD1_GPR, VTX_WORD1_SEM,
//! VTX_WORD2; the gaps between the fields: `sb_bc_fmt_def.inc`. Opcodes: `r600_isa.c`.

use crate::chip::Chip;
use crate::codes::{Chan, EndianSwap, FetchType, FormatComp, NumFormat, SrfMode};
use crate::registers::{Gpr, Swizzle};
use crate::words::{Field, words};

/// The opcodes of a vertex fetch, all 32; only two have names.
pub static VTX_OPS: [Option<&str>; 32] = {
    let mut ops = [None; 32];
    ops[0] = Some("VFETCH");
    ops[1] = Some("SEMFETCH");
    ops
};

/// The opcode of a vertex fetch (VTX_WORD0, VTX_INST), 0 to 31.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct VtxOp(u8);

impl VtxOp {
    /// `VFETCH`: fetches to a register.
    pub const FETCH: Self = Self(0);
    /// `SEMFETCH`: fetches to the register that a table gives for a semantic.
    pub const SEMANTIC: Self = Self(1);

    /// The opcode with this number.
    ///
    /// # Panics
    ///
    /// If the number is above 31.
    pub const fn from_code(code: u8) -> Self {
        assert!(code < 32, "the opcode does not fit its field");
        Self(code)
    }

    /// The number that stands in the word.
    pub const fn code(self) -> u8 {
        self.0
    }

    /// The name, if it has one.
    pub fn name(self) -> Option<&'static str> {
        VTX_OPS[usize::from(self.0)]
    }
}

impl Field for VtxOp {
    fn from_bits(bits: u32, _width: u32) -> Self {
        Self(bits as u8 & 31)
    }

    fn to_bits(self) -> u32 {
        u32::from(self.0)
    }
}

words! {
    /// A vertex fetch: 128 bits.
    pub struct Vtx: 4 words {
        /// VTX_INST: the opcode.
        pub op: VtxOp = 0[4:0];
        /// FETCH_TYPE: what the index counts.
        pub fetch_type / with_fetch_type: FetchType = 0[6:5];
        /// FETCH_WHOLE_QUAD: fetches for all lanes of a quad if one of them does.
        pub fetch_whole_quad / with_fetch_whole_quad: bool = 0[7:7];
        /// BUFFER_ID: the buffer.
        pub buffer_id / with_buffer_id: u8 = 0[15:8];
        /// SRC_GPR and SRC_REL: the register of the index.
        pub src / with_src: Gpr = 0[23:16];
        /// SRC_SEL_X: the channel of the index.
        pub src_sel_x / with_src_sel_x: Chan = 0[25:24];
        /// MEGA_FETCH_COUNT: bytes that a mega fetch reads, less one.
        pub mega_fetch_count / with_mega_fetch_count: u8 = 0[31:26];
        /// DST_GPR and DST_REL: the register of the result. Only of opcode 0.
        pub dst / with_dst: Gpr = 1[7:0] when Vtx::is_fetch;
        /// SEMANTIC_ID: the semantic whose register gets the result. Only of opcode 1.
        pub semantic_id / with_semantic_id: u8 = 1[7:0] when Vtx::is_semantic;
        /// DST_SEL_X to DST_SEL_W: what goes to each channel of the result.
        pub dst_sel / with_dst_sel: Swizzle = 1[20:9];
        /// USE_CONST_FIELDS: takes the format from the buffer's constants, not from these words.
        pub use_const_fields / with_use_const_fields: bool = 1[21:21];
        /// DATA_FORMAT: the layout of an element; see [`data_format`](crate::data_format).
        pub data_format / with_data_format: u8 = 1[27:22];
        /// NUM_FORMAT_ALL: how integers become numbers.
        pub num_format_all / with_num_format_all: NumFormat = 1[29:28];
        /// FORMAT_COMP_ALL: the signedness of the components.
        pub format_comp_all / with_format_comp_all: FormatComp = 1[30:30];
        /// SRF_MODE_ALL: where signed normalised formats have their zero.
        pub srf_mode_all / with_srf_mode_all: SrfMode = 1[31:31];
        /// OFFSET: bytes from the start of an element.
        pub offset / with_offset: u16 = 2[15:0];
        /// ENDIAN_SWAP: the units in which bytes are reversed.
        pub endian_swap / with_endian_swap: EndianSwap = 2[17:16];
        /// CONST_BUF_NO_STRIDE: the stride is that of a constant buffer.
        pub const_buf_no_stride / with_const_buf_no_stride: bool = 2[18:18];
        /// MEGA_FETCH: this is a mega fetch, which later mini fetches share.
        pub mega_fetch / with_mega_fetch: bool = 2[19:19];
        /// ALT_CONST: uses the other set of resources. R700 only (erratum R058).
        pub alt_const / with_alt_const: bool = 2[20:20] when Vtx::is_r700;
        /// The fourth word, which has no field: usually zero.
        pub word3 / with_word3: u32 = 3[31:0];
    }
}

impl Vtx {
    /// The fetch with this opcode that reads R0.x and writes all channels in order (of R0, or for
    /// semantic 0), with all other bits clear.
    pub fn new(op: VtxOp, chip: Chip) -> Self {
        Self::decode([u32::from(op.code()), 0, 0, 0], chip).with_dst_sel(Swizzle::XYZW)
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
        self.op.name()
    }

    fn is_fetch(&self) -> bool {
        self.op == VtxOp::FETCH
    }

    fn is_semantic(&self) -> bool {
        self.op == VtxOp::SEMANTIC
    }

    const fn is_r700(&self) -> bool {
        matches!(self.chip, Chip::R700)
    }

    /// The unnamed bits of word 1, in place.
    pub const fn reserved1(&self) -> u32 {
        self.reserved[1]
    }

    /// The unnamed bits of word 2, in place.
    pub const fn reserved2(&self) -> u32 {
        self.reserved[2]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data_format;

    #[test]
    fn vfetch_by_hand() {
        // A compiler's fetch shader: R1.xyzw from R0.x, buffer 160.
        let words = [
            0x7c00_a000, // VTX_INST 0, BUFFER_ID 0xa0, SRC_GPR 0, MEGA_FETCH_COUNT 31
            0x08cd_1001, // DST_GPR 1, DST_SEL 0 1 2 3, DATA_FORMAT 35
            0x0008_0000, // OFFSET 0, MEGA_FETCH
            0x0000_0000,
        ];
        let vtx = Vtx::decode(words, Chip::R700);
        assert_eq!(vtx.op_name(), Some("VFETCH"));
        assert_eq!(vtx.fetch_type(), FetchType::VERTEX_DATA);
        assert_eq!(vtx.buffer_id(), 160);
        assert_eq!((vtx.src().gpr(), vtx.src_sel_x()), (0, Chan::X));
        assert_eq!(vtx.mega_fetch_count(), 31);
        assert_eq!((vtx.dst(), vtx.semantic_id()), (Some(Gpr::new(1)), None));
        assert_eq!(vtx.dst_sel(), Swizzle::XYZW);
        assert_eq!(data_format::name(vtx.data_format()), "32_32_32_32_FLOAT");
        assert_eq!(vtx.num_format_all(), NumFormat::NORM);
        assert_eq!((vtx.offset(), vtx.mega_fetch()), (0, true));
        assert_eq!((vtx.reserved1(), vtx.reserved2()), (0, 0));
        assert_eq!(vtx.encode(), words);
    }

    #[test]
    fn the_opcode_names_the_low_bits_of_word_1() {
        let decode = |op: u32| Vtx::decode([op, 0x1ff, 0xfff0_0000, 0], Chip::R700);
        let fetch = decode(0);
        assert_eq!(fetch.dst(), Some(Gpr::new(127).with_rel(true)));
        assert_eq!((fetch.semantic_id(), fetch.reserved1()), (None, 0x100));
        let semantic = decode(1);
        assert_eq!((semantic.dst(), semantic.semantic_id()), (None, Some(255)));
        assert_eq!(semantic.reserved1(), 0x100);
        let other = decode(2);
        assert_eq!(
            (other.dst(), other.semantic_id(), other.reserved1()),
            (None, None, 0x1ff)
        );
        assert_eq!(other.encode(), [2, 0x1ff, 0xfff0_0000, 0]);
    }

    #[test]
    fn alt_const_is_unnamed_on_r600() {
        let words = [0, 0, 0x0010_0000, 0];
        let r600 = Vtx::decode(words, Chip::R600);
        assert_eq!((r600.alt_const(), r600.reserved2()), (None, 0x0010_0000));
        let r700 = Vtx::decode(words, Chip::R700);
        assert_eq!((r700.alt_const(), r700.reserved2()), (Some(true), 0));
    }
}
