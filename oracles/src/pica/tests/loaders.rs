//! Walks of loaders: alignment, padding, order.

use super::*;

/// Formats of attributes 0 to 3: s8 of one component, s16 of two, f32 of three, u8 of four. As nibbles: (components - 1) in
/// bits 3:2, format in 1:0: 0, 6, 0xB, 0xD.
const FORMATS: u32 = 0xDB60;

/// Four attributes, and loaders: offset, ids, stride.
fn drawn(loaders: &[(u32, &[u32], u32)]) -> Fields {
    let mut list = [
        write(0x201, FORMATS),
        write(0x202, 0x3000_0000),
        write(0x2BB, 0x3210),
    ]
    .concat();
    for (number, (offset, ids, stride)) in loaders.iter().enumerate() {
        let register = 0x203 + 3 * number as u32;
        let mut low = 0;
        let mut high = stride << 16 | (ids.len() as u32) << 28;
        for (position, id) in ids.iter().enumerate().take(12) {
            if position < 8 {
                low |= id << (4 * position);
            } else {
                high |= id << (4 * (position - 8));
            }
        }
        list.extend(write(register, *offset));
        list.extend(write(register + 1, low));
        list.extend(write(register + 2, high));
    }
    list.extend(write(0x22E, 0));
    fields("state", &list)
}

/// Offsets of attributes 0 to 3 in loader 0 and the size of its record.
#[track_caller]
fn assert_walk(ids: &[u32], offsets: [&str; 4], size: &str) {
    let fields = drawn(&[(0, ids, 255)]);
    for (attribute, offset) in offsets.iter().enumerate() {
        let path = format!("draw[0].attribute[{attribute}].offset");
        assert_fields(&fields, &[(&path, offset)]);
    }
    assert_fields(&fields, &[("draw[0].loader[0].size", size)]);
}

#[test]
fn components_are_aligned_to_their_element() {
    // s8 at 0; s16 from 1 to 2, four bytes; f32 from 6 to 8, twelve bytes; u8 at 20, four bytes. The end is not rounded.
    assert_walk(&[0, 1, 2, 3], ["0x0", "0x2", "0x8", "0x14"], "0x18");
    // u8 of four at 0, f32 at 4, s16 at 16, s8 at 20.
    assert_walk(&[3, 2, 1, 0], ["0x14", "0x10", "0x4", "0x0"], "0x15");
    // s8, then f32 at 4.
    assert_walk(&[0, 2], ["0x0", "", "0x4", ""], "0x10");
}

#[test]
fn padding_is_rounded_and_passed_over() {
    // s8 at 0; 12: from 1 to 4, and 4: s16 at 8, to 12.
    assert_walk(&[0, 12, 1], ["0x0", "0x8", "", ""], "0xc");
    assert_walk(&[0, 13, 1], ["0x0", "0xc", "", ""], "0x10");
    assert_walk(&[0, 14, 1], ["0x0", "0x10", "", ""], "0x14");
    assert_walk(&[0, 15, 1], ["0x0", "0x14", "", ""], "0x18");
    // At a multiple of 4 nothing is rounded: 4, and 4 + 8.
    assert_walk(&[12, 13, 0], ["0xc", "", "", ""], "0xd");
    // At the end it counts for the size: 1, to 4, and 16.
    assert_walk(&[0, 15], ["0x0", "", "", ""], "0x14");
}

#[test]
fn ids_stand_in_both_registers() {
    // Eight times 4 bytes of padding, and then 3, 2, 1, 0 at 32.
    let ids = [12, 12, 12, 12, 12, 12, 12, 12, 3, 2, 1, 0];
    assert_walk(&ids, ["0x34", "0x30", "0x24", "0x20"], "0x35");
    // The largest record: twelve times 16.
    assert_walk(&[15; 12], [""; 4], "0xc0");
}

#[test]
fn an_attribute_that_is_named_twice() {
    // In one loader the later place: s16 at 0 and at 4.
    let fields = drawn(&[(0, &[1, 1], 8)]);
    let expected = [
        ("draw[0].attribute[1].source", "loader"),
        ("draw[0].attribute[1].offset", "0x4"),
        ("draw[0].attribute[1].named", "0x2"),
        ("draw[0].attribute[0].source", "none"),
        ("draw[0].attribute[0].named", "0x0"),
        ("draw[0].attribute[0].offset", ""),
        ("draw[0].attribute[0].loader", ""),
        ("draw[0].status", "resolved"),
    ];
    assert_fields(&fields, &expected);
    // In two loaders the later one, though its place is lower.
    let fields = drawn(&[(0, &[0, 1], 8), (0x100, &[1], 8)]);
    let expected = [
        ("draw[0].attribute[1].loader", "0x1"),
        ("draw[0].attribute[1].offset", "0x0"),
        ("draw[0].attribute[1].named", "0x2"),
        ("draw[0].attribute[0].loader", "0x0"),
        ("draw[0].attribute[0].named", "0x1"),
    ];
    assert_fields(&fields, &expected);
}

#[test]
fn a_loader_without_components_does_nothing() {
    // Ids of zero are those of attribute 0, but none counts.
    let fields = drawn(&[(0x40, &[], 9), (0, &[0], 1)]);
    let expected = [
        ("draw[0].loader[0].address", ""),
        ("draw[0].loader[0].stride", ""),
        ("draw[0].loader[0].size", ""),
        ("draw[0].loader[1].size", "0x1"),
        ("draw[0].attribute[0].loader", "0x1"),
        ("draw[0].attribute[0].named", "0x1"),
    ];
    assert_fields(&fields, &expected);
}

#[test]
fn components_beyond_the_twelfth_are_passed_over() {
    for count in [13, 14, 15] {
        let fields = drawn(&[(0, &vec![12; count], 64)]);
        let expected = [
            ("draw[0].loader[0].size", "0x30"),
            ("draw[0].status", "component-count"),
        ];
        assert_fields(&fields, &expected);
    }
    assert_fields(
        &drawn(&[(0, &[12; 12], 64)]),
        &[("draw[0].status", "resolved")],
    );
}

#[test]
fn addresses() {
    // Base 0x200: 0x21 has bits 5 and 0; bits 28:1 of it are 0x10, times 16 is 0x100. Offsets have 28 bits.
    let mut list = [
        write(0x200, 0x21),
        write(0x203, 0xF000_0010),
        write(0x205, 0x1008_0000),
    ]
    .concat();
    list.extend(write(0x22E, 0));
    let expected = [
        ("draw[0].base", "0x100"),
        ("draw[0].loader[0].address", "0x110"),
        ("draw[0].loader[0].stride", "0x8"),
    ];
    assert_fields(&fields("state", &list), &expected);
    // The largest of both: 0xFFFFFFF0 + 0x0FFFFFFF wraps to 0x0FFFFFEF.
    let mut list = [
        write(0x200, u32::MAX),
        write(0x203, u32::MAX),
        write(0x205, 0x1008_0000),
    ]
    .concat();
    list.extend(write(0x22E, 0));
    let expected = [
        ("draw[0].base", "0xfffffff0"),
        ("draw[0].loader[0].address", "0xfffffef"),
    ];
    assert_fields(&fields("state", &list), &expected);
}

#[test]
fn the_last_loader() {
    // Loader 11 is at 0x224 to 0x226.
    let list = [
        write(0x224, 0x30),
        write(0x225, 0),
        write(0x226, 0x1004_0000),
        write(0x22E, 0),
    ];
    let expected = [
        ("draw[0].loader[11].address", "0x30"),
        ("draw[0].loader[11].stride", "0x4"),
        ("draw[0].attribute[0].loader", "0xb"),
    ];
    assert_fields(&fields("state", &list.concat()), &expected);
}
