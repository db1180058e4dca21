//! Command lists: each rule with a border that is taken and one that is not.

use corpora::RejectClass::*;

use super::*;

const DRAW: u32 = 0x22E;
const VERTICES: u32 = 0x228;

#[test]
fn rule_1_length() {
    assert!(fields("state", &[]).is_empty());
    for length in [1, 4, 7, 9, 12] {
        assert_eq!(rejection("state", &vec![0; length]), (BadLength, 0));
    }
    // 2^22 bytes: commands that write zero to register 0 with mask 0.
    assert!(fields("state", &vec![0; 4_194_304]).is_empty());
    assert_eq!(rejection("state", &vec![0; 4_194_312]), (Limit, 0));
    assert_eq!(rejection("state", &vec![0; 4_194_305]), (BadLength, 0));
}

#[test]
fn rule_2_parameters() {
    // Two further parameters are 16 bytes with the first word and the header; one has four bytes of padding.
    let header = |further: u32| further << 20 | 0xF_0000 | 0x100;
    fields("state", &words(&[1, header(2), 2, 3]));
    assert_eq!(rejection("state", &words(&[1, header(2)])), (Truncated, 0));
    fields("state", &words(&[1, header(1), 2, 0xDEAD]));
    assert_eq!(
        rejection("state", &words(&[1, header(3), 2, 3])),
        (Truncated, 0)
    );
    // The place is the command's, also behind another, and also with a register that there is none of.
    let list = [write(0x100, 0), words(&[1, 0xF_FFFF])].concat();
    assert_eq!(rejection("state", &list), (OutOfRange, 12));
    let list = [write(0x100, 0), words(&[1, 0x1F_FFFF])].concat();
    assert_eq!(rejection("state", &list), (Truncated, 8));
}

#[test]
fn rule_2_registers() {
    fields("state", &write(0x2FF, 0));
    assert_eq!(rejection("state", &write(0x300, 0)), (OutOfRange, 4));
    assert_eq!(rejection("state", &write(0xFFFF, 0)), (OutOfRange, 4));
    // A mask of 0 is no excuse.
    assert_eq!(rejection("state", &words(&[0, 0x300])), (OutOfRange, 4));
    // 255 further parameters, padded: 0x200 + 255 is 0x2FF.
    let many = |header: u32| [words(&[0, header]), vec![0; 256 * 4]].concat();
    fields("state", &many(0x8FF0_0200));
    assert_eq!(rejection("state", &many(0x8FF0_0201)), (OutOfRange, 4));
    // To one register, it is the only one. Bits 30:28 are ignored.
    fields("state", &many(0x0FF0_02FF));
    fields("state", &many(0x7FF0_02FF));
}

#[test]
fn rule_2_draws() {
    // 16 commands that draw 256 times each, and one that draws once: 4,096 draws and one too many.
    let many = [words(&[0, 0x0FFF_0000 | DRAW]), vec![0; 256 * 4]].concat();
    let list = many.repeat(16);
    let drawn = fields("state", &list);
    assert_fields(
        &drawn,
        &[
            ("draw[0].at", "0x4"),
            ("draw[255].at", "0x4"),
            // 258 words further.
            ("draw[256].at", "0x40c"),
            ("draw[4095].at", "0x3c7c"),
            ("draw[4096].at", ""),
        ],
    );
    let end = list.len() as u64;
    let one_more = [list.clone(), write(0x22F, 0)].concat();
    assert_eq!(rejection("state", &one_more), (Limit, end));
    // With mask 0 it is no draw.
    fields("state", &[list, words(&[0, DRAW])].concat());
}

#[test]
fn rule_3_immediate_mode() {
    let unsupported = |list: &[u8]| {
        let outcome = answer("state", list);
        assert!(outcome.record.entries().is_empty());
        matches!(outcome.status, Status::Unsupported { .. })
    };
    // Index 15, and nothing behind it; then data.
    fields("state", &write(0x232, 15));
    fields("state", &write(0x232, 0xFFFF_FFF0));
    for data in [0x233, 0x234, 0x235] {
        assert!(unsupported(&[write(0x232, 15), write(data, 0)].concat()));
        assert!(unsupported(&[write(0x232, 0xFF), write(data, 0)].concat()));
        // With mask 0 it is no data.
        fields("state", &[write(0x232, 15), words(&[0, data])].concat());
    }
    // After 14 comes 15.
    let attribute = write(0x233, 0).repeat(3);
    let list = [write(0x232, 14), attribute].concat();
    fields("state", &list);
    assert!(unsupported(&[list, write(0x233, 0)].concat()));
    // What is wrong behind it is still found.
    let list = [write(0x232, 15), write(0x233, 0), write(0x300, 0)].concat();
    assert_eq!(rejection("state", &list), (OutOfRange, 20));
}

#[test]
fn masks_let_bytes_through() {
    for (mask, expected) in [
        (0x1, "0x111111dd"),
        (0x2, "0x1111cc11"),
        (0x4, "0x11bb1111"),
        (0x8, "0xaa111111"),
        (0x9, "0xaa1111dd"),
        (0xF, "0xaabbccdd"),
    ] {
        let second = words(&[0xAABB_CCDD, mask << 16 | VERTICES]);
        let list = [write(VERTICES, 0x1111_1111), second, write(DRAW, 1)].concat();
        assert_fields(&fields("state", &list), &[("draw[0].vertices", expected)]);
    }
    let none = words(&[0xAABB_CCDD, VERTICES]);
    let list = [write(VERTICES, 0x1111_1111), none, write(DRAW, 1)].concat();
    assert_fields(
        &fields("state", &list),
        &[("draw[0].vertices", "0x11111111")],
    );
}

#[test]
fn parameters_go_to_one_register_or_to_those_that_follow() {
    // The words 1, 2, 3 from 0x228 on: 0x22A is the first vertex. Then the draw.
    let list = |follow: u32| {
        let header = follow << 31 | 0x2F_0000 | VERTICES;
        [words(&[1, header, 2, 3]), write(DRAW, 0)].concat()
    };
    let follow = [("draw[0].vertices", "0x1"), ("draw[0].first", "0x3")];
    assert_fields(&fields("state", &list(1)), &follow);
    let same = [("draw[0].vertices", "0x3"), ("draw[0].first", "0x0")];
    assert_fields(&fields("state", &list(0)), &same);
    // A draw among registers that follow: 0x22D, 0x22E, 0x22F are a draw each way, in one command.
    let list = words(&[1, 0x802F_022D, 2, 3]);
    let expected = [
        ("draw[0].indexed", "0x0"),
        ("draw[0].at", "0x4"),
        ("draw[1].indexed", "0x1"),
        ("draw[1].at", "0x4"),
    ];
    assert_fields(&fields("state", &list), &expected);
}

#[test]
fn a_draw_has_the_registers_as_they_are_then() {
    let list = [
        write(VERTICES, 3),
        write(DRAW, 0),
        write(VERTICES, 4),
        // Any byte of it draws.
        words(&[0, 0x4_0000 | DRAW]),
        write(VERTICES, 5),
    ]
    .concat();
    let expected = [
        ("draw[0].at", "0xc"),
        ("draw[0].vertices", "0x3"),
        ("draw[1].at", "0x1c"),
        ("draw[1].vertices", "0x4"),
        ("draw[2].vertices", ""),
    ];
    assert_fields(&fields("state", &list), &expected);
}
