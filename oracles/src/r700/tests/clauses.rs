//! Clauses: rules 5 to 7 of the contract kept and broken.

use super::program::{
    END, NOP, Slot, accepted, add, alu, cf, ending, kinds, last, rejected, tex, vtx,
};
use super::*;
use Chip::{R600, R700};
use RejectClass::{Overlap, Truncated};

/// An operation with two operands, ALU_INST (17:7), to a channel.
fn op2(op: u32, channel: u32) -> Slot {
    [0, op << 7 | channel << 29]
}

/// With SRC0_SEL LITERAL (253) of a channel (11:10).
fn literal0(slot: Slot, channel: u32) -> Slot {
    [slot[0] & !0xdff | 253 | channel << 10, slot[1]]
}

#[test]
fn rule_5_groups() {
    let slots = [
        alu(2, 4),
        END,
        add(0),
        last(add(1)),
        last(add(1)),
        last(add(2)),
    ];
    accepted(
        &slots,
        "slot[2].alu.group=0 slot[3].alu.group=0 slot[4].alu.group=1 slot[5].alu.group=2 slot[5].clause=0
         slot[2].alu.unit=X/0 slot[3].alu.unit=Y/1 slot[4].alu.unit=Y/1 slot[5].alu.unit=Z/2",
    );
    // The second group does not end in its clause, though the next slot has LAST.
    rejected(
        &[alu(2, 2), END, last(add(0)), add(1), last(add(2))],
        Truncated,
        3,
    );
}

#[test]
fn rule_5_literals() {
    let words = [0x3f80_0000, 0x4000_0000];
    // Channel X or Y: one slot. Z or W: two.
    let one = [
        alu(2, 3),
        END,
        last(literal0(add(0), 1)),
        words,
        last(add(0)),
    ];
    assert_eq!(kinds(&one), ["0 cf", "1 cf", "2 alu", "3 literal", "4 alu"]);
    accepted(
        &one,
        "slot[3].literal.x=1065353216 slot[3].literal.y=1073741824 slot[3].clause=0 slot[3].alu.group=0
         slot[3].kind=literal/2 slot[4].alu.group=1",
    );
    let two = [alu(2, 3), END, last(literal0(add(0), 2)), words, words];
    assert_eq!(
        kinds(&two),
        ["0 cf", "1 cf", "2 alu", "3 literal", "4 literal"]
    );
    // Any instruction of the group decides, the literals come after the last.
    let early = [
        alu(2, 4),
        END,
        literal0(add(0), 3),
        last(add(1)),
        words,
        words,
    ];
    assert_eq!(
        kinds(&early),
        ["0 cf", "1 cf", "2 alu", "3 alu", "4 literal", "5 literal"]
    );
    // The channel of another operand does not count: SRC1_CHAN W (24:23) with SRC1_SEL a register.
    let other = last(literal0([3 << 23, 0], 0));
    assert_eq!(kinds(&[alu(2, 2), END, other, words]).len(), 4);
    // SRC1 literal of NOP (26), which has no operands: used or not, it counts.
    let unused = last([253 << 13 | 2 << 23, 26 << 7]);
    assert_eq!(kinds(&[alu(2, 3), END, unused, words, words]).len(), 5);
    // SRC2 of MULADD (16 in 17:13); the same bits of an operation with two operands are its opcode and modifiers.
    let third = last([0, 16 << 13 | 253 | 2 << 10]);
    assert_eq!(kinds(&[alu(2, 3), END, third, words, words]).len(), 5);
    let no_third = last([0, 253]);
    assert_eq!(kinds(&[alu(2, 1), END, no_third]).len(), 3);
    // Literals beyond the clause: the group's first slot.
    rejected(
        &[alu(2, 2), END, add(0), last(literal0(add(1), 0)), words],
        Truncated,
        2,
    );
    rejected(
        &[alu(2, 2), END, last(literal0(add(1), 3)), words, words],
        Truncated,
        2,
    );
}

#[test]
fn rule_6_units() {
    // RECIP_IEEE (102) goes to T whatever its channel, ADD follows its own.
    let slots = [alu(2, 3), END, add(1), op2(102, 1), last(add(0))];
    accepted(
        &slots,
        "slot[2].alu.unit=Y/1 slot[3].alu.unit=T/4 slot[4].alu.unit=X/0",
    );
    // A second instruction of a channel goes to T, a reserved opcode (84) as well.
    let slots = [alu(2, 3), END, add(1), add(0), last(op2(84, 1))];
    accepted(
        &slots,
        "slot[2].alu.unit=Y/1 slot[3].alu.unit=X/0 slot[4].alu.unit=T/4",
    );
    // All five.
    let slots = [alu(2, 5), END, add(0), add(1), add(2), add(3), last(add(3))];
    accepted(&slots, "slot[5].alu.unit=W/3 slot[6].alu.unit=T/4");
}

#[test]
fn rule_6_overlaps() {
    // Three of one channel; two that only T has; T taken by ADD before RECIP; DOT4 (80), which T does not have.
    rejected(&[alu(2, 3), END, add(1), add(1), last(add(1))], Overlap, 4);
    rejected(&[alu(2, 2), END, op2(102, 0), last(op2(99, 1))], Overlap, 3);
    rejected(
        &[alu(2, 3), END, add(0), add(0), last(op2(102, 1))],
        Overlap,
        4,
    );
    rejected(&[alu(2, 2), END, add(0), last(op2(80, 0))], Overlap, 3);
    rejected(
        &[alu(2, 2), END, op2(102, 1), last(op2(12 << 6, 1))],
        Overlap,
        3,
    );
    // Six instructions cannot fit.
    let six = [
        alu(2, 6),
        END,
        add(0),
        add(1),
        add(2),
        add(3),
        add(0),
        last(add(1)),
    ];
    rejected(&six, Overlap, 7);
    // The truncation of the same group is reported first; an overlap of an earlier group before it.
    rejected(&[alu(2, 3), END, add(1), add(1), add(1)], Truncated, 2);
    let earlier = [
        alu(2, 4),
        END,
        op2(102, 0),
        op2(102, 0),
        last(add(0)),
        add(0),
    ];
    rejected(&earlier, Overlap, 3);
}

#[test]
fn rule_6_units_by_chip() {
    // LSHL_INT (114): any unit on R7xx, T alone on R6xx, where ALU_INST is 17:8. MOVA_GPR_INT (96) alike.
    for op in [112, 113, 114, 96] {
        let slots = [alu(2, 1), END, last(op2(op, 2))];
        accepted(&slots, "slot[2].alu.unit=Z/2");
        let slots = [alu(2, 1), END, last([0, op << 8 | 2 << 29])];
        check_some(
            Unit::Program,
            R600,
            slots.as_flattened(),
            "slot[2].alu.unit=T/4",
        );
    }
    // MUL_LIT and its scaled forms (12 to 15 in 17:13): T.
    for op in 12..16 {
        let slots = [alu(2, 1), END, last([0, op << 13])];
        accepted(&slots, "slot[2].alu.unit=T/4");
    }
}

#[test]
fn rule_7_fetches() {
    let of_clause = |clause: Slot, op: u32| [ending(clause), NOP, [op, 0], NOP];
    let kind = |chip, clause: Slot, op| {
        let slots = of_clause(clause, op);
        let fields = fields(Unit::Program, chip, slots.as_flattened());
        let prefix = "slot[2].kind=";
        let kind = fields.iter().find_map(|field| field.strip_prefix(prefix));
        kind.unwrap().to_owned()
    };
    for op in [1, 27] {
        let clause = cf(op, 2);
        for (fetch, expected) in [
            (0, "vtx/4"),
            (1, "vtx/4"),
            (2, "mem/5"),
            (3, "tex/3"),
            (31, "tex/3"),
        ] {
            assert_eq!(kind(R700, clause, fetch), expected);
            assert_eq!(kind(R700, clause, fetch | 0xffff_ffe0), expected);
        }
    }
    for op in [2, 3, 28, 29] {
        let clause = cf(op, 2);
        for (fetch, expected) in [
            (0, "vtx/4"),
            (1, "vtx/4"),
            (2, "mem/5"),
            (3, "vtx/4"),
            (31, "vtx/4"),
        ] {
            assert_eq!(kind(R700, clause, fetch), expected);
        }
    }
    assert_eq!(kind(R600, tex(2, 1), 2), "tex/3");
    assert_eq!(kind(R600, vtx(2, 1), 2), "vtx/4");
    // Two fetches: reported at slots 2 and 4.
    let two = [ending(tex(2, 2)), NOP, [16, 0], NOP, [0, 0], NOP];
    assert_eq!(kinds(&two), ["0 cf", "2 tex", "4 vtx"]);
}

#[test]
fn a_program_as_a_compiler_wrote_it() {
    // ALU 4 @4; EXPORT_DONE PIXEL; padding up to slot 2 = dword 4; four ADDs, the last with LAST.
    let words = [
        0x0000_0002,
        0xa00c_0000,
        0xc001_0000,
        0x9420_0688,
        0x0000_2000,
        0x0040_0010,
        0x0080_2400,
        0x2040_0010,
        0x0100_2800,
        0x4040_0010,
        0x8180_2c00,
        0x6040_0010,
    ];
    check_some(
        Unit::Program,
        R700,
        &words,
        "slot[0].cf.op=ALU/8 slot[0].kind=cf/0 slot[1].cf.op=EXPORT_DONE/40 slot[2].alu.op=ADD/0 slot[2].alu.unit=X/0
         slot[5].alu.unit=W/3 slot[5].alu.last=1 slot[5].alu.group=0 slot[5].clause=0",
    );
}
