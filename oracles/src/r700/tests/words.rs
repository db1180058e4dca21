//! Control-flow and ALU instructions, taken apart by hand from the positions in AMD's register guide; options and lengths.
//!
//! The words of the first tests are ones that compilers wrote; what is expected is not what their disassemblers printed
//! but what the bits say.

use corpora::{Implementation, Options, Outcome, RejectClass, Status};

use super::*;
use Chip::{R600, R700};

#[test]
fn exports() {
    // c0010000: ELEM_SIZE 3 (31:30), RW_GPR 2 (21:15). 94200688: BARRIER (31), CF_INST 40 (29:23), END_OF_PROGRAM (21),
    // SEL_W 3 (11:9), SEL_Z 2 (8:6), SEL_Y 1 (5:3), SEL_X 0 (2:0).
    check(
        Unit::Cf,
        R700,
        &[0xc001_0000, 0x9420_0688],
        "cf.format=EXPORT_SWIZ/2 cf.op=EXPORT_DONE/40
         cf.export.array_base=0 cf.export.rw_gpr=2 cf.export.rw_rel=0 cf.export.index_gpr=0 cf.export.elem_size=3
         cf.export.burst_count=0 cf.export.type=PIXEL/0
         cf.export.sel.x=X/0 cf.export.sel.y=Y/1 cf.export.sel.z=Z/2 cf.export.sel.w=W/3
         cf.end_of_program=1 cf.valid_pixel_mode=0 cf.whole_quad_mode=0 cf.barrier=1 cf.reserved=0x0",
    );
    // The same with TYPE 2 (14:13) and BURST_COUNT 1 (20:17).
    check_some(
        Unit::Cf,
        R700,
        &[0xc001_4000, 0x9422_0688],
        "cf.export.type=PARAM/2 cf.export.burst_count=1 cf.export.rw_gpr=2",
    );
    // MEM_RING: ARRAY_BASE 0x1fff, TYPE 3, RW_REL, INDEX_GPR 5, ELEM_SIZE 0; ARRAY_SIZE 0xabc, COMP_MASK 9, CF_INST 38.
    let ring = [
        0x1fff | 3 << 13 | 1 << 22 | 5 << 23,
        0xabc | 9 << 12 | 38 << 23,
    ];
    check(
        Unit::Cf,
        R700,
        &ring,
        "cf.format=EXPORT_BUF/3 cf.op=MEM_RING/38
         cf.export.array_base=8191 cf.export.rw_gpr=0 cf.export.rw_rel=1 cf.export.index_gpr=5 cf.export.elem_size=0
         cf.export.burst_count=0 cf.export.type=WRITE_IND_ACK/3 cf.export.array_size=2748 cf.export.comp_mask=9
         cf.end_of_program=0 cf.valid_pixel_mode=0 cf.whole_quad_mode=0 cf.barrier=0 cf.reserved=0x0",
    );
    check_some(Unit::Cf, R600, &ring, "cf.export.type=READ_IND/3");
    // Export type 3 has no name; selects 4 to 7.
    check_some(
        Unit::Cf,
        R700,
        &[3 << 13, 4 | 5 << 3 | 6 << 6 | 7 << 9 | 39 << 23],
        "cf.export.type=reserved/3 cf.export.sel.x=0/4 cf.export.sel.y=1/5 cf.export.sel.z=reserved/6
         cf.export.sel.w=MASK/7",
    );
}

#[test]
fn alu_clauses() {
    // a00c0000: BARRIER, CF_INST 8 (29:26), COUNT 3 (24:18).
    check(
        Unit::Cf,
        R700,
        &[0x0000_0002, 0xa00c_0000],
        "cf.format=ALU/1 cf.op=ALU/8 cf.addr=2 cf.count=3
         cf.kcache0.bank=0 cf.kcache0.mode=NOP/0 cf.kcache0.addr=0
         cf.kcache1.bank=0 cf.kcache1.mode=NOP/0 cf.kcache1.addr=0
         cf.alt_const=0 cf.whole_quad_mode=0 cf.barrier=1",
    );
    // KCACHE_MODE0 1 (31:30), COUNT 7.
    check_some(
        Unit::Cf,
        R700,
        &[0x4000_0002, 0xa01c_0000],
        "cf.kcache0.mode=LOCK_1/1 cf.count=7 cf.addr=2",
    );
    check_some(
        Unit::Cf,
        R700,
        &[0x4000_0011, 0xa404_0000],
        "cf.op=ALU_PUSH_BEFORE/9 cf.addr=17 cf.count=1",
    );
    // KCACHE_BANK0 10 (25:22), BANK1 5 (29:26), MODE0 2; MODE1 3 (1:0), ADDR0 0x81 (9:2), ADDR1 0x42 (17:10), bit 25.
    let locks = [
        0x3f_ffff | 10 << 22 | 5 << 26 | 2 << 30,
        3 | 0x81 << 2 | 0x42 << 10 | 1 << 25 | 12 << 26,
    ];
    check_some(
        Unit::Cf,
        R700,
        &locks,
        "cf.format=ALU/1 cf.op=reserved/12 cf.addr=4194303 cf.alt_const=1
         cf.kcache0.bank=10 cf.kcache0.mode=LOCK_2/2 cf.kcache0.addr=129
         cf.kcache1.bank=5 cf.kcache1.mode=LOCK_LOOP_INDEX/3 cf.kcache1.addr=66",
    );
    check_some(Unit::Cf, R600, &locks, "cf.uses_waterfall=1");
}

#[test]
fn plain_control_flow() {
    // 85000000: BARRIER, CF_INST 10.
    check(
        Unit::Cf,
        R700,
        &[0x0000_0005, 0x8500_0000],
        "cf.format=CF/0 cf.op=JUMP/10 cf.addr=5 cf.pop_count=0 cf.const=0 cf.call_count=0 cf.cond=ACTIVE/0 cf.count=0
         cf.end_of_program=0 cf.valid_pixel_mode=0 cf.whole_quad_mode=0 cf.barrier=1 cf.reserved=0x0",
    );
    check_some(Unit::Cf, R700, &[0, 0x8300_0000], "cf.op=LOOP_START_DX10/6");
    check_some(Unit::Cf, R700, &[0, 0x8280_0000], "cf.op=LOOP_END/5");
    // POP_COUNT 5 (2:0), CF_CONST 19 (7:3), COND 3 (9:8), COUNT 6 (12:10), CALL_COUNT 33 (18:13), COUNT_3 (19), bit 20.
    let call = [
        u32::MAX,
        5 | 19 << 3 | 3 << 8 | 6 << 10 | 33 << 13 | 1 << 19 | 1 << 20 | 18 << 23 | 1 << 30,
    ];
    check(
        Unit::Cf,
        R700,
        &call,
        "cf.format=CF/0 cf.op=CALL/18 cf.addr=4294967295 cf.pop_count=5 cf.const=19 cf.call_count=33 cf.cond=NOT_BOOL/3
         cf.count=14 cf.end_of_program=0 cf.valid_pixel_mode=0 cf.whole_quad_mode=1 cf.barrier=0
         cf.reserved=0x10000000000000",
    );
    // R6xx has no COUNT_3: the count is 6, and bits 19 and 20 are unnamed.
    check_some(
        Unit::Cf,
        R600,
        &call,
        "cf.count=6 cf.reserved=0x18000000000000",
    );
}

#[test]
fn opcodes_without_a_name() {
    for (op, chip, reserved) in [
        (25, R700, true),
        (30, R700, true),
        (41, R700, true),
        (57, R700, true),
        (63, R700, true),
        (26, R600, true),
        (27, R600, true),
        (28, R600, true),
        (29, R600, true),
        (58, R600, true),
        (26, R700, false),
        (29, R700, false),
        (58, R700, false),
    ] {
        let format = number(Unit::Cf, chip, &[0, op << 23], "cf.format").unwrap();
        assert_eq!(format == 4, reserved, "{op}");
    }
    check(
        Unit::Cf,
        R700,
        &[u32::MAX, !(0x7f << 23) | 25 << 23],
        "cf.format=RESERVED/4 cf.op=reserved/25
         cf.end_of_program=1 cf.valid_pixel_mode=1 cf.whole_quad_mode=1 cf.barrier=1 cf.reserved=0x1fffffffffffff",
    );
}

#[test]
fn operations_with_two_operands() {
    // 81802c00: LAST (31), SRC1_CHAN 3 (24:23), SRC1_SEL 1 (21:13), SRC0_CHAN 3 (11:10).
    // 60400010: DST_CHAN 3 (30:29), DST_GPR 2 (27:21), WRITE_MASK (4).
    check(
        Unit::Alu,
        R700,
        &[0x8180_2c00, 0x6040_0010],
        "alu.encoding=OP2/0 alu.op=ADD/0
         alu.src0.sel=GPR/0 alu.src0.rel=0 alu.src0.neg=0 alu.src0.chan=W/3 alu.src0.abs=0
         alu.src1.sel=GPR/1 alu.src1.rel=0 alu.src1.neg=0 alu.src1.chan=W/3 alu.src1.abs=0
         alu.index_mode=AR_X/0 alu.pred_sel=OFF/0 alu.bank_swizzle=VEC_012/0 alu.last=1 alu.clamp=0
         alu.dst.gpr=2 alu.dst.rel=0 alu.dst.chan=W/3
         alu.update_execute_mask=0 alu.update_pred=0 alu.write_mask=1 alu.omod=OFF/0",
    );
    check_some(
        Unit::Alu,
        R700,
        &[0x0190_0c00, 0x0020_0290],
        "alu.op=MAX_DX10/5 alu.src0.sel=GPR/0 alu.src0.chan=W/3 alu.src1.sel=KCACHE0/128 alu.src1.chan=W/3
         alu.dst.gpr=1 alu.dst.chan=X/0 alu.write_mask=1 alu.last=0",
    );
    check_some(
        Unit::Alu,
        R700,
        &[0x0100_0000, 0x0fc0_2880],
        "alu.op=DOT4_IEEE/81 alu.src1.chan=Z/2 alu.dst.gpr=126 alu.write_mask=0",
    );
    check_some(
        Unit::Alu,
        R700,
        &[0x8000_0000, 0x2040_3111],
        "alu.op=LOG_CLAMPED/98 alu.src0.abs=1 alu.src1.abs=0 alu.dst.gpr=2 alu.dst.chan=Y/1 alu.write_mask=1
         alu.last=1",
    );
    check_some(
        Unit::Alu,
        R700,
        &[0x801f_04fe, 0x4fe0_2284],
        "alu.op=PRED_SETNE_INT/69 alu.src0.sel=PV/254 alu.src0.chan=Y/1 alu.src1.sel=ZERO/248
         alu.update_execute_mask=1 alu.update_pred=0 alu.write_mask=0 alu.dst.gpr=127 alu.dst.chan=Z/2",
    );
    // Everything that the others leave at zero.
    check(
        Unit::Alu,
        R700,
        &[
            0x1ff | 1 << 9 | 1 << 12 | 253 << 13 | 1 << 22 | 2 << 23 | 1 << 25 | 6 << 26 | 2 << 29,
            2 | 1 << 3 | 3 << 5 | 124 << 7 | 5 << 18 | 1 << 28 | 1 << 31,
        ],
        "alu.encoding=OP2/0 alu.op=PRED_SETGT_64/124
         alu.src0.sel=CFILE/511 alu.src0.rel=1 alu.src0.neg=1 alu.src0.chan=X/0 alu.src0.abs=0
         alu.src1.sel=LITERAL/253 alu.src1.rel=1 alu.src1.neg=1 alu.src1.chan=Z/2 alu.src1.abs=1
         alu.index_mode=GLOBAL_AR_X/6 alu.pred_sel=ZERO/2 alu.bank_swizzle=VEC_210/5 alu.last=0 alu.clamp=1
         alu.dst.gpr=0 alu.dst.rel=1 alu.dst.chan=X/0
         alu.update_execute_mask=0 alu.update_pred=1 alu.write_mask=0 alu.omod=D2/3",
    );
}

#[test]
fn operations_with_two_operands_of_r600() {
    // FOG_MERGE (5), OMOD 2 (7:6), ALU_INST 99 (17:8): one bit above R7xx.
    let log = [0, 1 << 5 | 2 << 6 | 99 << 8];
    check_some(
        Unit::Alu,
        R600,
        &log,
        "alu.op=LOG_IEEE/99 alu.omod=M4/2 alu.fog_merge=1",
    );
    // The same word on R7xx: OMOD 1 (6:5), and 1 + 2 * 99 in 17:7.
    check_some(Unit::Alu, R700, &log, "alu.op=reserved/199 alu.omod=M2/1");
    check_some(Unit::Alu, R600, &[5 << 26, 0], "alu.index_mode=reserved/5");
}

#[test]
fn operations_with_three_operands() {
    // 00802400: SRC1_CHAN 1, SRC1_SEL 1, SRC0_CHAN 1. 004298fe: DST_GPR 2, ALU_INST 20 (17:13), SRC2_NEG (12),
    // SRC2_CHAN 2 (11:10), SRC2_SEL 254 (8:0).
    check(
        Unit::Alu,
        R700,
        &[0x0080_2400, 0x0042_98fe],
        "alu.encoding=OP3/1 alu.op=MULADD_IEEE/20
         alu.src0.sel=GPR/0 alu.src0.rel=0 alu.src0.neg=0 alu.src0.chan=Y/1
         alu.src1.sel=GPR/1 alu.src1.rel=0 alu.src1.neg=0 alu.src1.chan=Y/1
         alu.src2.sel=PV/254 alu.src2.rel=0 alu.src2.neg=1 alu.src2.chan=Z/2
         alu.index_mode=AR_X/0 alu.pred_sel=OFF/0 alu.bank_swizzle=VEC_012/0 alu.last=0 alu.clamp=0
         alu.dst.gpr=2 alu.dst.rel=0 alu.dst.chan=X/0",
    );
    // The lowest opcode of three operands, 4, has no name.
    check_some(
        Unit::Alu,
        R600,
        &[0, 4 << 13 | 1 << 9 | 191],
        "alu.encoding=OP3/1 alu.op=reserved/4 alu.src2.sel=KCACHE1/191 alu.src2.rel=1",
    );
}

#[test]
fn the_ends_of_every_range_of_operands() {
    for (sel, name) in [
        (0, "GPR"),
        (127, "GPR"),
        (128, "KCACHE0"),
        (159, "KCACHE0"),
        (160, "KCACHE1"),
        (191, "KCACHE1"),
        (192, "reserved"),
        (247, "reserved"),
        (248, "ZERO"),
        (249, "ONE"),
        (250, "ONE_INT"),
        (251, "M_ONE_INT"),
        (252, "HALF"),
        (253, "LITERAL"),
        (254, "PV"),
        (255, "PS"),
        (256, "CFILE"),
        (511, "CFILE"),
    ] {
        let expected = format!("alu.src0.sel={name}/{sel}");
        check_some(Unit::Alu, R700, &[sel, 0], &expected);
    }
}

#[test]
fn opcodes_that_only_one_list_has() {
    // Evergreen's interpolation, which LLVM does not restrict, and gaps of AMD's list.
    for op in [0xd6, 0xd7, 0xe0, 84, 95, 127] {
        check_some(
            Unit::Alu,
            R700,
            &[0, op << 7],
            &format!("alu.op=reserved/{op}"),
        );
    }
    // LLVM names 67 as it names 68; AMD and Mesa do not.
    check_some(Unit::Alu, R700, &[0, 67 << 7], "alu.op=PRED_SETGT_INT/67");
    // R6 has other names at 70 and 71, and for the conditional moves.
    check_some(Unit::Alu, R600, &[0, 70 << 8], "alu.op=KILLE_INT/70");
    check_some(Unit::Alu, R600, &[0, 28 << 13], "alu.op=CNDE_INT/28");
}

#[test]
fn lengths_of_units() {
    for (unit, length) in [
        (Unit::Cf, 8),
        (Unit::Alu, 8),
        (Unit::Tex, 16),
        (Unit::Vtx, 16),
        (Unit::Mem, 16),
    ] {
        for short in [0, 1, length - 1] {
            check_rejected(unit, R700, &vec![0; short], RejectClass::Truncated, 0);
        }
        for long in [length, length + 1, 100] {
            let (_, outcome) = ask(unit, R700, &vec![0; long]);
            let consumed = length as u64;
            assert_eq!(outcome.status, Status::Accepted { consumed });
        }
    }
}

#[test]
fn options_by_name() {
    let mut oracle = oracle();
    let select = |oracle: &mut Oracle, name, value| {
        oracle
            .select(&Options::new().with(name, value))
            .map_err(|error| error.to_string())
    };
    assert_eq!(select(&mut oracle, "unit", "alu"), Ok(()));
    assert_eq!((oracle.unit, oracle.chip), (Unit::Alu, R700));
    // What is not given has its default again.
    assert_eq!(select(&mut oracle, "chip", "r600"), Ok(()));
    assert_eq!((oracle.unit, oracle.chip), (Unit::Program, R600));
    assert_eq!(
        select(&mut oracle, "chip", "rv770"),
        Err("option chip=\"rv770\" is not one of: r600, r700".to_owned())
    );
    assert!(select(&mut oracle, "unit", "ALU").is_err());
    assert!(select(&mut oracle, "stage", "vs").is_err());
    let mut outcome = Outcome::default();
    oracle.set(Unit::Mem, R600);
    oracle.answer(&[], &mut outcome);
    assert!(matches!(outcome.status, Status::Unsupported { .. }));
}
