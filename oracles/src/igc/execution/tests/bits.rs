//! Instructions of enable, carry and fields.

use super::{array, enables, put, run};

/// Two pixels, bit 5 of the second set.
fn pair() -> super::Array {
    let mut array = array(2, 1);
    put(&mut array, (1, 0), 5, 1, 1);
    array
}

#[test]
fn enable_of_all_pixels_is_set_and_cleared() {
    let mut array = array(2, 2);
    assert_eq!(array.enable(1, 1), Some(false));
    run(&mut array, "00000000 00000100");
    assert_eq!(array.enable(1, 1), Some(true));
    run(&mut array, "00000200");
    assert_eq!(array.enable(0, 0), Some(false));
}

#[test]
fn enable_from_memory() {
    // m[5] is 0, 1; enable before is what the first word says.
    for (text, expected) in [
        ("00000305", [false, true]),           // MEMintoENAB
        ("00004805", [true, false]),           // MEMBARintoENAB, L = 0
        ("3a804805", [true, false]),           // the same, L = 117
        ("00000100 00000505", [false, true]),  // 1 and m
        ("00000200 00000505", [false, false]), // 0 and m
        ("00000100 00000805", [true, false]),  // 1 and not m
        ("00000200 00000805", [false, false]), // 0 and not m
        ("00000100 00010a05", [true, false]),  // 1 xor m
        ("00000200 00010a05", [false, true]),  // 0 xor m
    ] {
        let mut array = pair();
        run(&mut array, text);
        assert_eq!(enables(&array), expected, "{text}");
    }
}

#[test]
fn memory_from_enable_in_disabled_pixels_too() {
    // m[5] is 0, 1; enable is made by the first word.
    for (text, expected) in [
        ("00000100 0000b505", [true, true]), // m = enable
        ("00000200 0000b505", [false, false]),
        ("00000100 0000b705", [true, true]), // m or enable
        ("00000200 0000b705", [false, true]),
        ("00000100 0000b905", [false, true]), // m and enable
        ("00000200 0000b905", [false, false]),
    ] {
        let mut array = pair();
        run(&mut array, text);
        let found = [0, 1].map(|x| array.memory(x, 0, 5).unwrap());
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn a_scalar_goes_into_enabled_pixels() {
    // Enable is m[5]: the second pixel. 29 into 52/5, from the notes' sample; 0x3f800000 cut to 30 bits is itself.
    let mut array = pair();
    run(&mut array, "00000305 3c90f734 0000001d");
    assert_eq!(array.field(0, 0, 52, 5), Some(0));
    assert_eq!(array.field(1, 0, 52, 5), Some(29));
    run(&mut array, "0910f734 3f800000");
    assert_eq!(array.field(1, 0, 52, 30), Some(0x3F80_0000));
    // 0xff into 5 bits: 31, and the bit above stays.
    put(&mut array, (1, 0), 57, 1, 0);
    run(&mut array, "3c90f734 000000ff");
    assert_eq!(array.field(1, 0, 52, 6), Some(31));
}

#[test]
fn a_copy_is_read_whole_before_it_is_written() {
    // CPY of 5 bits from 64 to 52, the notes' sample.
    let mut array = array(1, 1);
    put(&mut array, (0, 0), 64, 5, 0b10110);
    run(&mut array, "bc004c34 00000040");
    assert_eq!(array.field(0, 0, 52, 5), Some(0), "disabled");
    run(&mut array, "00000100 bc004c34 00000040");
    assert_eq!(array.field(0, 0, 52, 5), Some(0b10110));
    // To 65 from 64: a bit by bit copy upwards would smear bit 0 over all.
    run(&mut array, "bc004c41 00000040");
    assert_eq!(array.field(0, 0, 64, 6), Some(0b10_1100));
}

#[test]
fn an_addition_wraps_and_leaves_its_carry() {
    // MEMpluseqMEM_K: len 8 is L = 124, 0xbe006c00; destination 10, source 30 of length 4.
    let mut array = array(2, 1);
    for x in [0, 1] {
        put(&mut array, (x, 0), 30, 5, 0b11111);
    }
    put(&mut array, (0, 0), 10, 8, 250);
    put(&mut array, (1, 0), 10, 8, 3);
    run(&mut array, "00000100 be006c0a 00040a1e");
    // 250 + 15 = 256 + 9; 3 + 15 = 18. The fifth bit of the source is not read.
    assert_eq!(array.field(0, 0, 10, 9), Some(9));
    assert_eq!(array.carry(0, 0), Some(true));
    assert_eq!(array.field(1, 0, 10, 9), Some(18));
    assert_eq!(array.carry(1, 0), Some(false));
    // CRYintoMEM into bit 40; the next addition clears the carry: 9 + 15 = 24.
    run(&mut array, "0000b328 be006c0a 00040a1e");
    assert_eq!(array.memory(0, 0, 40), Some(true));
    assert_eq!(array.memory(1, 0, 40), Some(false));
    assert_eq!(array.carry(0, 0), Some(false));
    assert_eq!(array.field(0, 0, 10, 8), Some(24));
}

#[test]
fn a_longer_source_is_cut_and_disabled_pixels_keep_all() {
    // len 2 is L = 118, 0xbb006c00; the source 0b101 of length 3 is 0b01: 3 + 1 = 4, which is 0 and a carry.
    let mut array = array(1, 1);
    put(&mut array, (0, 0), 10, 2, 3);
    put(&mut array, (0, 0), 30, 3, 0b101);
    run(&mut array, "bb006c0a 00030a1e 0000b329");
    assert_eq!(array.field(0, 0, 10, 2), Some(3));
    assert_eq!(array.carry(0, 0), Some(false));
    run(&mut array, "00000100 bb006c0a 00030a1e 00000200 0000b329");
    assert_eq!(array.field(0, 0, 10, 3), Some(0));
    assert_eq!(array.carry(0, 0), Some(true));
    assert_eq!(array.memory(0, 0, 41), Some(false), "disabled");
}
