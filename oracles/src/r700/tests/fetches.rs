//! Single fetches, taken apart by hand from the positions in AMD's register guide and, for memory reads, Mesa's header.

use super::*;
use Chip::{R600, R700};

#[test]
fn texture_fetches() {
    // 00011210: SRC_GPR 1, RESOURCE_ID 18, TEX_INST 16. f00d1002: COORD_TYPE all 1 (31:28), DST_SEL W 3, Z 2, Y 1, X 0
    // (20:9), DST_GPR 2. fc800000: SRC_SEL W 7, Z 7, Y 1, X 0 (31:20).
    check(
        Unit::Tex,
        R700,
        &[0x0001_1210, 0xf00d_1002, 0xfc80_0000, 0],
        "tex.op=SAMPLE/16 tex.bc_frac_mode=0 tex.fetch_whole_quad=0 tex.resource_id=18 tex.src.gpr=1 tex.src.rel=0
         tex.alt_const=0 tex.dst.gpr=2 tex.dst.rel=0
         tex.dst.sel.x=X/0 tex.dst.sel.y=Y/1 tex.dst.sel.z=Z/2 tex.dst.sel.w=W/3 tex.lod_bias=0
         tex.coord_type.x=NORMALIZED/1 tex.coord_type.y=NORMALIZED/1 tex.coord_type.z=NORMALIZED/1
         tex.coord_type.w=NORMALIZED/1 tex.offset.x=0 tex.offset.y=0 tex.offset.z=0 tex.sampler_id=0
         tex.src.sel.x=X/0 tex.src.sel.y=Y/1 tex.src.sel.z=MASK/7 tex.src.sel.w=MASK/7
         tex.reserved0=0x0 tex.reserved1=0x0 tex.word3=0",
    );
    // LOD_BIAS 0x40 (27:21) is -64 sixteenths; OFFSET 0x10, 0x1f, 0x0f are -16, -1, 15 half texels; SAMPLER_ID 17.
    let odd = [
        14 | 1 << 5 | 1 << 6 | 1 << 7 | 1 << 23 | 1 << 24,
        1 << 7 | 1 << 8 | 0x40 << 21 | 1 << 30,
        0x10 | 0x1f << 5 | 0x0f << 10 | 17 << 15 | 6 << 20 | 5 << 23 | 4 << 26,
        0xdead_beef,
    ];
    check(
        Unit::Tex,
        R700,
        &odd,
        "tex.op=SET_CUBEMAP_INDEX/14 tex.bc_frac_mode=1 tex.fetch_whole_quad=1 tex.resource_id=0 tex.src.gpr=0
         tex.src.rel=1 tex.alt_const=1 tex.dst.gpr=0 tex.dst.rel=1
         tex.dst.sel.x=X/0 tex.dst.sel.y=X/0 tex.dst.sel.z=X/0 tex.dst.sel.w=X/0 tex.lod_bias=-64
         tex.coord_type.x=UNNORMALIZED/0 tex.coord_type.y=UNNORMALIZED/0 tex.coord_type.z=NORMALIZED/1
         tex.coord_type.w=UNNORMALIZED/0 tex.offset.x=-16 tex.offset.y=-1 tex.offset.z=15 tex.sampler_id=17
         tex.src.sel.x=reserved/6 tex.src.sel.y=1/5 tex.src.sel.z=0/4 tex.src.sel.w=X/0
         tex.reserved0=0x40 tex.reserved1=0x100 tex.word3=3735928559",
    );
    check_some(Unit::Tex, R600, &odd, "tex.reserved0=0x1000040");
    for (op, r600, r700) in [
        (2, "reserved", "MEM"),
        (10, "reserved", "KEEP_GRADIENTS"),
        (0, "VTX_FETCH", "VTX_FETCH"),
        (1, "VTX_SEMANTIC", "VTX_SEMANTIC"),
        (15, "FETCH4", "FETCH4"),
        (31, "SAMPLE_C_G_LZ", "SAMPLE_C_G_LZ"),
    ] {
        check_some(
            Unit::Tex,
            R600,
            &[op, 0, 0, 0],
            &format!("tex.op={r600}/{op}"),
        );
        check_some(
            Unit::Tex,
            R700,
            &[op, 0, 0, 0],
            &format!("tex.op={r700}/{op}"),
        );
    }
}

#[test]
fn vertex_fetches() {
    // 7c00a000: MEGA_FETCH_COUNT 31 (31:26), BUFFER_ID 160. 08cd1001: DATA_FORMAT 35 (27:22), DST_SEL WZYX 3210,
    // DST_GPR 1. 00080000: MEGA_FETCH (19).
    check(
        Unit::Vtx,
        R700,
        &[0x7c00_a000, 0x08cd_1001, 0x0008_0000, 0],
        "vtx.op=FETCH/0 vtx.fetch_type=VERTEX_DATA/0 vtx.fetch_whole_quad=0 vtx.buffer_id=160 vtx.src.gpr=0 vtx.src.rel=0
         vtx.src.sel.x=X/0 vtx.mega_fetch_count=31 vtx.dst.gpr=1 vtx.dst.rel=0
         vtx.dst.sel.x=X/0 vtx.dst.sel.y=Y/1 vtx.dst.sel.z=Z/2 vtx.dst.sel.w=W/3 vtx.use_const_fields=0
         vtx.data_format=35 vtx.num_format_all=NORM/0 vtx.format_comp_all=UNSIGNED/0
         vtx.srf_mode_all=ZERO_CLAMP_MINUS_ONE/0 vtx.offset=0 vtx.endian_swap=NONE/0 vtx.const_buf_no_stride=0
         vtx.mega_fetch=1 vtx.alt_const=0 vtx.reserved1=0x0 vtx.reserved2=0x0 vtx.word3=0",
    );
    // SEMANTIC: bits 7:0 are one id. Everything else at its largest.
    let semantic = [0xffff_ffe1, 0xffff_ffff, 0xffff_ffff, 7];
    check(
        Unit::Vtx,
        R700,
        &semantic,
        "vtx.op=SEMANTIC/1 vtx.fetch_type=reserved/3 vtx.fetch_whole_quad=1 vtx.buffer_id=255 vtx.src.gpr=127
         vtx.src.rel=1 vtx.src.sel.x=W/3 vtx.mega_fetch_count=63 vtx.semantic_id=255
         vtx.dst.sel.x=MASK/7 vtx.dst.sel.y=MASK/7 vtx.dst.sel.z=MASK/7 vtx.dst.sel.w=MASK/7 vtx.use_const_fields=1
         vtx.data_format=63 vtx.num_format_all=reserved/3 vtx.format_comp_all=SIGNED/1 vtx.srf_mode_all=NO_ZERO/1
         vtx.offset=65535 vtx.endian_swap=reserved/3 vtx.const_buf_no_stride=1 vtx.mega_fetch=1 vtx.alt_const=1
         vtx.reserved1=0x100 vtx.reserved2=0xffe00000 vtx.word3=7",
    );
    check_some(Unit::Vtx, R600, &semantic, "vtx.reserved2=0xfff00000");
    // Any other opcode has neither register nor id.
    check_some(
        Unit::Vtx,
        R700,
        &[2, 0x1ff, 1 << 16, 0],
        "vtx.op=reserved/2 vtx.reserved1=0x1ff vtx.endian_swap=8IN16/1",
    );
    let (oracle, outcome) = ask(Unit::Vtx, R700, &bytes(&[2, 0, 0, 0]));
    for path in ["vtx.dst.gpr", "vtx.dst.rel", "vtx.semantic_id"] {
        let id = oracle.vocabulary().id(path).unwrap();
        assert_eq!(outcome.record.find(Section::WHOLE, id, 0), None);
    }
}

#[test]
fn memory_reads() {
    // Instruction 2, operation 2 (10:8), ELEM_SIZE 3 (6:5), UNCACHED (11), SRC_SEL_Y 1 (14:13), SRC_GPR 9, SRC_SEL_X 2
    // (25:24), BURST_COUNT 10 (29:26), COALESCED_READ (31), and the unnamed bit 15.
    let read = [
        2 | 3 << 5 | 2 << 8 | 1 << 11 | 1 << 13 | 1 << 15 | 9 << 16 | 2 << 24 | 10 << 26 | 1 << 31,
        4 | 1 << 8 | 5 << 9 | 7 << 12 | 1 << 21 | 14 << 22 | 1 << 28 | 1 << 31,
        0x1fff | 7 << 13 | 2 << 16 | 3 << 18 | 0x800 << 20,
        1,
    ];
    check(
        Unit::Mem,
        R700,
        &read,
        "mem.inst=2 mem.op=READ_MEM/2 mem.elem_size=3 mem.fetch_whole_quad=0 mem.uncached=1 mem.indexed=0
         mem.src.sel.y=Y/1 mem.src.sel.x=Z/2 mem.src.gpr=9 mem.src.rel=0 mem.burst_count=10 mem.lds_req=0
         mem.coalesced_read=1 mem.dst.gpr=4 mem.dst.rel=0
         mem.dst.sel.x=1/5 mem.dst.sel.y=MASK/7 mem.dst.sel.z=X/0 mem.dst.sel.w=X/0
         mem.data_format=14 mem.num_format_all=INT/1 mem.format_comp_all=UNSIGNED/0 mem.srf_mode_all=NO_ZERO/1
         mem.array_base=8191 mem.endian_swap=8IN32/2 mem.array_size=2048
         mem.reserved0=0x8000 mem.reserved1=0x200100 mem.reserved2=0xce000 mem.word3=1",
    );
    // Everything but the two opcode fields is unnamed for the data share, an unused operation, another instruction.
    for (inst, op, name) in [
        (2, 4, "DS_LOCAL_WRITE"),
        (2, 3, "reserved"),
        (1, 2, "reserved"),
    ] {
        let words = [0xffff_f8e0 | inst | op << 8, u32::MAX, u32::MAX, u32::MAX];
        let expected = format!(
            "mem.inst={inst} mem.op={name}/{op} mem.reserved0=0xfffff8e0 mem.reserved1=0xffffffff
             mem.reserved2=0xffffffff mem.word3=4294967295"
        );
        check(Unit::Mem, R700, &words, &expected);
    }
    let (_, outcome) = ask(Unit::Mem, R600, &bytes(&read));
    assert!(matches!(outcome.status, Status::Unsupported { .. }));
}
