//! Memory fetches: fetch instruction 2 of R700.
//!
//! Positions: Mesa 22.3.6 `sb_bc_fmt_def.inc`, MEM_RD_WORD0 to MEM_RD_WORD2 (erratum R062), which
//! `r700_sq.h` agrees with. Operations: `r600_isa.c`.

use crate::chip::Chip;
use crate::codes::{Chan, EndianSwap, FormatComp, MemOp, NumFormat, SrfMode};
use crate::registers::{Gpr, Swizzle};
use crate::words::{Field, mask, words};

/// The fetch instruction whose operations have names.
const MEM_INST: u8 = 2;

/// Where MEM_OP stands in word 0; MEM_INST is below it, at bit 0.
const MEM_OP: u32 = 8;

/// The two opcode fields of word 0.
const OPCODES: u32 = 0x71f;

/// A memory fetch: 128 bits, R700 only.
///
/// The layout is known for the three reads; anything else is two opcode fields and unnamed bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mem {
    inst: u8,
    op: MemOp,
    body: Body,
    word3: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Body {
    Read(MemRead),
    Unnamed([u32; 3]),
}

words! {
    /// The fields of a memory read, beside the opcodes.
    pub struct MemRead: 3 words {
        /// ELEM_SIZE: dwords of an element less one.
        pub elem_size / with_elem_size: u8 = 0[6:5];
        /// FETCH_WHOLE_QUAD: fetches for all lanes of a quad if one of them does.
        pub fetch_whole_quad / with_fetch_whole_quad: bool = 0[7:7];
        /// UNCACHED: passes the cache by.
        pub uncached / with_uncached: bool = 0[11:11];
        /// INDEXED: the source is added to the address.
        pub indexed / with_indexed: bool = 0[12:12];
        /// SRC_SEL_Y: the second channel of the source.
        pub src_sel_y / with_src_sel_y: Chan = 0[14:13];
        /// SRC_GPR and SRC_REL: the register of the index.
        pub src / with_src: Gpr = 0[23:16];
        /// SRC_SEL_X: the first channel of the source.
        pub src_sel_x / with_src_sel_x: Chan = 0[25:24];
        /// BURST_COUNT: the registers that are read less one.
        pub burst_count / with_burst_count: u8 = 0[29:26];
        /// LDS_REQ: a request of the local data share.
        pub lds_req / with_lds_req: bool = 0[30:30];
        /// COALESCED_READ: the lanes' reads are put together.
        pub coalesced_read / with_coalesced_read: bool = 0[31:31];
        /// DST_GPR and DST_REL: the register of the result.
        pub dst / with_dst: Gpr = 1[7:0];
        /// DST_SEL_X to DST_SEL_W: what goes to each channel of the result.
        pub dst_sel / with_dst_sel: Swizzle = 1[20:9];
        /// DATA_FORMAT: the layout of an element; see [`data_format`](crate::data_format).
        pub data_format / with_data_format: u8 = 1[27:22];
        /// NUM_FORMAT_ALL: how integers become numbers.
        pub num_format_all / with_num_format_all: NumFormat = 1[29:28];
        /// FORMAT_COMP_ALL: the signedness of the components.
        pub format_comp_all / with_format_comp_all: FormatComp = 1[30:30];
        /// SRF_MODE_ALL: where signed normalised formats have their zero.
        pub srf_mode_all / with_srf_mode_all: SrfMode = 1[31:31];
        /// ARRAY_BASE: the base of the memory.
        pub array_base / with_array_base: u16 = 2[12:0];
        /// ENDIAN_SWAP: the units in which bytes are reversed.
        pub endian_swap / with_endian_swap: EndianSwap = 2[17:16];
        /// ARRAY_SIZE: the size of the memory.
        pub array_size / with_array_size: u16 = 2[31:20];
    }
}

impl Mem {
    /// A read (`READ_SCRATCH`, `READ_REDUCT` or `READ_MEM`) that writes R0 in order, with all other
    /// bits clear.
    ///
    /// # Panics
    ///
    /// If the operation is none of the three.
    pub fn new(op: MemOp) -> Self {
        let mem = Self::decode([
            u32::from(MEM_INST) | u32::from(op.code()) << MEM_OP,
            0,
            0,
            0,
        ]);
        let read = mem.read().expect("the operation is a read");
        mem.with_read(read.with_dst_sel(Swizzle::XYZW))
    }

    /// Parses the four words of a fetch. All words are one.
    pub fn decode(words: [u32; 4]) -> Self {
        let inst = (words[0] & mask(5)) as u8;
        let op = MemOp::from_bits(words[0] >> MEM_OP, 3);
        let rest = [words[0] & !OPCODES, words[1], words[2]];
        let is_read = matches!(
            op,
            MemOp::READ_SCRATCH | MemOp::READ_REDUCT | MemOp::READ_MEM
        );
        let body = match inst == MEM_INST && is_read {
            true => Body::Read(MemRead::parse(rest, Chip::R700)),
            false => Body::Unnamed(rest),
        };
        Self {
            inst,
            op,
            body,
            word3: words[3],
        }
    }

    /// The four words of the fetch.
    pub fn encode(&self) -> [u32; 4] {
        let [word0, word1, word2] = match self.body {
            Body::Read(read) => read.pack(),
            Body::Unnamed(words) => words,
        };
        let opcodes = u32::from(self.inst) | self.op.to_bits() << MEM_OP;
        [word0 | opcodes, word1, word2, self.word3]
    }

    /// MEM_INST: the fetch instruction, 2 for the operations that have names.
    ///
    /// Word 0, bits 4:0.
    pub const fn inst(&self) -> u8 {
        self.inst
    }

    /// MEM_OP: the operation. Its name only holds in instruction 2; see
    /// [`op_name`](Self::op_name).
    ///
    /// Word 0, bits 10:8.
    pub const fn op(&self) -> MemOp {
        self.op
    }

    /// The name of the operation, if it has one.
    pub const fn op_name(&self) -> Option<&'static str> {
        if self.inst == MEM_INST {
            self.op.name()
        } else {
            None
        }
    }

    /// The other fields, if this is a read.
    pub const fn read(&self) -> Option<MemRead> {
        match self.body {
            Body::Read(read) => Some(read),
            Body::Unnamed(_) => None,
        }
    }

    /// The same read with its fields replaced.
    ///
    /// # Panics
    ///
    /// If this is not a read.
    #[must_use]
    pub fn with_read(self, read: MemRead) -> Self {
        assert!(self.read().is_some(), "this fetch is not a read");
        Self {
            body: Body::Read(read),
            ..self
        }
    }

    /// The fourth word, which has no field: usually zero.
    pub const fn word3(&self) -> u32 {
        self.word3
    }

    /// The unnamed bits of words 0 to 2, in place.
    pub const fn reserved(&self) -> [u32; 3] {
        match self.body {
            Body::Read(read) => read.reserved,
            Body::Unnamed(words) => words,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::Sel;

    #[test]
    fn read_scratch_by_hand() {
        let words = [
            // MEM_INST 2, ELEM_SIZE 3, MEM_OP 0, UNCACHED, INDEXED, SRC_SEL_Y 1, SRC_GPR 5,
            // SRC_SEL_X 2, BURST_COUNT 1
            0x0605_3862,
            // DST_GPR 7, DST_SEL 0 1 2 7, DATA_FORMAT 34, NUM_FORMAT_ALL 1
            0x189d_1007,
            // ARRAY_BASE 0x123, ENDIAN_SWAP 2, ARRAY_SIZE 0x456
            0x4562_0123,
            0x0000_0000,
        ];
        let mem = Mem::decode(words);
        assert_eq!((mem.inst(), mem.op_name()), (2, Some("READ_SCRATCH")));
        let read = mem.read().unwrap();
        assert_eq!(
            (read.elem_size(), read.uncached(), read.indexed()),
            (3, true, true)
        );
        assert_eq!((read.src_sel_y(), read.src_sel_x()), (Chan::Y, Chan::Z));
        assert_eq!((read.src(), read.dst()), (Gpr::new(5), Gpr::new(7)));
        assert_eq!(
            (read.burst_count(), read.lds_req(), read.coalesced_read()),
            (1, false, false)
        );
        assert_eq!(
            read.dst_sel(),
            Swizzle::new(Sel::X, Sel::Y, Sel::Z, Sel::MASK)
        );
        assert_eq!(
            (read.data_format(), read.num_format_all()),
            (34, NumFormat::INT)
        );
        assert_eq!((read.array_base(), read.array_size()), (0x123, 0x456));
        assert_eq!(read.endian_swap(), EndianSwap::SWAP_8IN32);
        assert_eq!(mem.reserved(), [0, 0, 0]);
        assert_eq!(mem.encode(), words);
    }

    #[test]
    fn gaps_of_a_read() {
        // MEM_INST 2, MEM_OP 2 (READ_MEM), and every other bit.
        let words = [0xffff_fae2, u32::MAX, u32::MAX, 7];
        let mem = Mem::decode(words);
        assert_eq!(mem.op_name(), Some("READ_MEM"));
        assert_eq!(mem.reserved(), [1 << 15, 1 << 8 | 1 << 21, 0x000c_e000]);
        assert_eq!((mem.word3(), mem.encode()), (7, words));
    }

    #[test]
    fn everything_else_is_two_opcodes() {
        // MEM_OP 4 of instruction 2, and MEM_OP 0 of instruction 3.
        let write = Mem::decode([0xffff_fce2, 1, 2, 3]);
        assert_eq!(
            (write.op_name(), write.read()),
            (Some("DS_LOCAL_WRITE"), None)
        );
        assert_eq!(write.reserved(), [0xffff_f8e0, 1, 2]);
        let other = Mem::decode([0x0000_0023, 1, 2, 3]);
        assert_eq!(
            (other.inst(), other.op().code(), other.op_name()),
            (3, 0, None)
        );
        assert_eq!(other.reserved(), [0x20, 1, 2]);
        assert_eq!(other.encode(), [0x0000_0023, 1, 2, 3]);
    }
}
