//! Lines of fetches.

use std::fmt;

use super::{bits, field, flag};
use crate::codes::{Chan, EndianSwap};
use crate::data_format;
use crate::fetch::{Fetch, Mem, Tex, Vtx};
use crate::registers::CoordTypes;

impl fmt::Display for Fetch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tex(fetch) => fetch.fmt(f),
            Self::Vtx(fetch) => fetch.fmt(f),
            Self::Mem(fetch) => fetch.fmt(f),
        }
    }
}

/// The fetch as a line, as in `SAMPLE R1.w___ <- R0.xy0x resource=1 sampler=1`.
///
/// The level bias is in levels, offsets are in texels.
impl fmt::Display for Tex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_op(f, self.op_name(), self.op().code())?;
        write!(
            f,
            " {}.{} <- {}.{} resource={} sampler={}",
            self.dst(),
            self.dst_sel(),
            self.src(),
            self.src_sel(),
            self.resource_id(),
            self.sampler_id()
        )?;
        field(f, "coord", self.coord_type(), CoordTypes::NORMALIZED)?;
        field(f, "lod_bias", f32::from(self.lod_bias()) / 16.0, 0.0)?;
        let offset = [self.offset_x(), self.offset_y(), self.offset_z()];
        if offset != [0; 3] {
            let [x, y, z] = offset.map(|half_texels| f32::from(half_texels) / 2.0);
            write!(f, " offset=({x}, {y}, {z})")?;
        }
        flag(f, "BC_FRAC_MODE", self.bc_frac_mode())?;
        flag(f, "FETCH_WHOLE_QUAD", self.fetch_whole_quad())?;
        flag(f, "ALT_CONST", self.alt_const() == Some(true))?;
        bits(f, "reserved0", self.reserved0())?;
        bits(f, "reserved1", self.reserved1())?;
        bits(f, "word3", self.word3())?;
        write_words(f, self.op_name(), self.encode())
    }
}

/// The fetch as a line, as in `VFETCH R1.xyz1 <- R0.x buffer=160 offset=0
/// format=(32_32_32_FLOAT NORM UNSIGNED ZERO_CLAMP_MINUS_ONE) type=VERTEX_DATA mega_fetch=32`.
impl fmt::Display for Vtx {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_op(f, self.op_name(), self.op().code())?;
        match (self.dst(), self.semantic_id()) {
            (Some(dst), _) => write!(f, " {dst}.")?,
            (None, Some(semantic)) => write!(f, " semantic[{semantic}].")?,
            (None, None) => f.write_str(" ?.")?,
        }
        write!(
            f,
            "{} <- {}.{} buffer={} offset={}",
            self.dst_sel(),
            self.src(),
            letter(self.src_sel_x()),
            self.buffer_id(),
            self.offset()
        )?;
        write!(
            f,
            " format=({} {} {} {})",
            data_format::name(self.data_format()),
            self.num_format_all(),
            self.format_comp_all(),
            self.srf_mode_all()
        )?;
        flag(f, "USE_CONST_FIELDS", self.use_const_fields())?;
        write!(f, " type={}", self.fetch_type())?;
        // Bytes, not what is stored.
        let fetch = if self.mega_fetch() {
            "mega_fetch"
        } else {
            "mini_fetch"
        };
        write!(f, " {fetch}={}", self.mega_fetch_count() + 1)?;
        write_endian(f, self.endian_swap())?;
        flag(f, "CONST_BUF_NO_STRIDE", self.const_buf_no_stride())?;
        flag(f, "FETCH_WHOLE_QUAD", self.fetch_whole_quad())?;
        flag(f, "ALT_CONST", self.alt_const() == Some(true))?;
        bits(f, "reserved1", self.reserved1())?;
        bits(f, "reserved2", self.reserved2())?;
        bits(f, "word3", self.word3())?;
        write_words(f, self.op_name(), self.encode())
    }
}

/// The fetch as a line; of anything but a read the words are all there is to say.
impl fmt::Display for Mem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.op_name() {
            Some(name) => write!(f, "MEM {name}")?,
            None => write!(
                f,
                "RESERVED_{:#04x} mem_op={}",
                self.inst(),
                self.op().code()
            )?,
        }
        let Some(read) = self.read() else {
            return write_words(f, None, self.encode());
        };
        write!(
            f,
            " {}.{} <- {}.{}{} array_base={} array_size={}",
            read.dst(),
            read.dst_sel(),
            read.src(),
            letter(read.src_sel_x()),
            letter(read.src_sel_y()),
            read.array_base(),
            read.array_size()
        )?;
        write!(
            f,
            " format=({} {} {} {})",
            data_format::name(read.data_format()),
            read.num_format_all(),
            read.format_comp_all(),
            read.srf_mode_all()
        )?;
        write!(f, " elem_size={}", read.elem_size())?;
        // Registers, not what is stored.
        field(f, "burst", read.burst_count() + 1, 1)?;
        write_endian(f, read.endian_swap())?;
        flag(f, "INDEXED", read.indexed())?;
        flag(f, "UNCACHED", read.uncached())?;
        flag(f, "LDS_REQ", read.lds_req())?;
        flag(f, "COALESCED_READ", read.coalesced_read())?;
        flag(f, "FETCH_WHOLE_QUAD", read.fetch_whole_quad())?;
        let [reserved0, reserved1, reserved2] = self.reserved();
        bits(f, "reserved0", reserved0)?;
        bits(f, "reserved1", reserved1)?;
        bits(f, "reserved2", reserved2)?;
        bits(f, "word3", self.word3())
    }
}

fn write_op(f: &mut fmt::Formatter<'_>, name: Option<&str>, code: u8) -> fmt::Result {
    match name {
        Some(name) => f.write_str(name),
        None => write!(f, "RESERVED_{code:#04x}"),
    }
}

/// Writes the words of a fetch whose opcode has no name.
fn write_words(f: &mut fmt::Formatter<'_>, name: Option<&str>, words: [u32; 4]) -> fmt::Result {
    match (name, words) {
        (Some(_), _) => Ok(()),
        (None, [a, b, c, d]) => write!(f, " words({a:#010x} {b:#010x} {c:#010x} {d:#010x})"),
    }
}

fn write_endian(f: &mut fmt::Formatter<'_>, swap: EndianSwap) -> fmt::Result {
    if swap == EndianSwap::NONE {
        Ok(())
    } else {
        write!(f, " endian={swap}")
    }
}

const fn letter(chan: Chan) -> &'static str {
    ["x", "y", "z", "w"][chan.code() as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chip::Chip;

    #[test]
    fn texture_fetches() {
        // SAMPLE, RESOURCE_ID 1, SRC_GPR 0; DST_GPR 1, DST_SEL 3 7 7 7, COORD_TYPE 1 1 1 1;
        // SAMPLER_ID 1, SRC_SEL 0 1 4 0
        let words = [0x0000_0110, 0xf01f_f601, 0x1080_8000, 0];
        assert_eq!(
            Tex::decode(words, Chip::R700).to_string(),
            "SAMPLE R1.w___ <- R0.xy0x resource=1 sampler=1"
        );
        // LD with COORD_TYPE 0 0 0 1, LOD_BIAS -8, OFFSET_X 3, OFFSET_Z -2
        let words = [0x0000_0103, 0x8f1f_f601, 0x1080_f803, 0];
        assert_eq!(
            Tex::decode(words, Chip::R700).to_string(),
            "LD R1.w___ <- R0.xy0x resource=1 sampler=1 coord=UUUN lod_bias=-0.5 \
             offset=(1.5, 0, -1)"
        );
    }

    #[test]
    fn vertex_fetches() {
        // VFETCH, FETCH_TYPE 1, BUFFER_ID 160, MEGA_FETCH_COUNT 11; DST_GPR 2, DST_SEL 0 1 2 5,
        // DATA_FORMAT 48; OFFSET 16, ENDIAN_SWAP 2, MEGA_FETCH
        let words = [0x2c00_a020, 0x0c15_1002, 0x000a_0010, 0];
        assert_eq!(
            Vtx::decode(words, Chip::R700).to_string(),
            "VFETCH R2.xyz1 <- R0.x buffer=160 offset=16 \
             format=(32_32_32_FLOAT NORM UNSIGNED ZERO_CLAMP_MINUS_ONE) type=INSTANCE_DATA \
             mega_fetch=12 endian=8IN32"
        );
        // SEMFETCH: SEMANTIC_ID 2
        let line = Vtx::decode([1, 2, 0, 0], Chip::R700).to_string();
        assert!(
            line.starts_with("SEMFETCH semantic[2].xxxx <- R0.x"),
            "{line}"
        );
    }

    #[test]
    fn memory_fetches() {
        let write = Mem::decode([0x0000_0402, 1, 2, 3]);
        assert_eq!(
            write.to_string(),
            "MEM DS_LOCAL_WRITE words(0x00000402 0x00000001 0x00000002 0x00000003)"
        );
    }
}
