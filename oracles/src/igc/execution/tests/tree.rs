//! Instructions of the tree. Floats: 1 is 3f800000, -1 bf800000, 0.5 3f000000, -0.5 bf000000, 2 40000000, 3 40400000.

use super::{array, enables, put, run};

#[test]
fn comparisons_with_zero_use_the_truncated_value() {
    // x - 2 at x = 0 to 4: -2 -1 0 1 2.
    let mut five = array(5, 1);
    run(&mut five, "00000100 3ae94200 3f800000 00000000 c0000000");
    assert_eq!(enables(&five), [true, true, false, false, false]);
    let mut five = array(5, 1);
    run(&mut five, "00000100 3ae80d00 3f800000 00000000 c0000000");
    assert_eq!(enables(&five), [false, false, true, true, true]);
    // -0.5 is cut to 0, which is not below zero.
    let mut one = array(1, 1);
    run(&mut one, "00000100 3ae94200 00000000 00000000 bf000000");
    assert_eq!(enables(&one), [false]);
    // A disabled pixel stays so: 0 is at least 0.
    let mut one = array(1, 1);
    run(&mut one, "3ae80d00 00000000 00000000 00000000");
    assert_eq!(enables(&one), [false]);
    assert_eq!(one.tree(), Some([0.0; 3]));
}

#[test]
fn the_tree_is_stored_and_stored_again() {
    // 2x + 3y + 1 into 82/8 at (1, 2): 2 + 6 + 1 = 9. TREEintoMEM_L0 puts the same into 32/20.
    let mut array = array(2, 3);
    run(
        &mut array,
        "00000100 3daa4352 40000000 40400000 3f800000 438a4320",
    );
    assert_eq!(array.field(1, 2, 82, 8), Some(9));
    assert_eq!(array.field(1, 2, 32, 20), Some(9));
    assert_eq!(array.field(0, 0, 82, 8), Some(1));
    assert_eq!(array.field(0, 2, 82, 8), Some(7));
}

#[test]
fn a_negative_value_is_twos_complement_of_any_length() {
    // -1.5 is cut to -1: all bits. 70 bits are L = 185: 0x5caa4300.
    let mut array = array(1, 1);
    run(&mut array, "00000100 5caa4300 00000000 00000000 bfc00000");
    assert_eq!(array.field(0, 0, 0, 64), Some(u64::MAX));
    assert_eq!(array.field(0, 0, 64, 7), Some(0b011_1111));
    // Low bits: 300 is 256 + 44, 0x43960000.
    run(&mut array, "3daa4352 00000000 00000000 43960000");
    assert_eq!(array.field(0, 0, 82, 9), Some(44));
    // 2 to the 100th is saturated: 63 ones.
    run(&mut array, "5caa4300 00000000 00000000 71800000");
    assert_eq!(array.field(0, 0, 0, 64), Some(i64::MAX as u64));
    assert_eq!(array.field(0, 0, 64, 6), Some(0));
}

#[test]
fn the_sum_is_made_in_doubles() {
    // 2 to the 24th + 1 is no float: A = 2^24 (4b800000) at x = 1, C = 1.
    let mut array = array(2, 1);
    run(&mut array, "00000100 412a4300 4b800000 00000000 3f800000");
    assert_eq!(array.field(1, 0, 0, 15), Some(1));
}

#[test]
fn a_field_is_compared_unsigned() {
    // 20 bits at 32 against 100 (42c80000): 99 is below, 100 and 0xfffff are not.
    let mut three = array(3, 1);
    for (x, value) in [(0, 99), (1, 100), (2, 0xFFFFF)] {
        put(&mut three, (x, 0), 32, 20, value);
    }
    run(&mut three, "00000100 44ea2120 00000000 00000000 42c80000");
    assert_eq!(enables(&three), [true, false, false]);
    // No field is below a negative value.
    run(&mut three, "00000100 44ea2120 00000000 00000000 bf800000");
    assert_eq!(enables(&three), [false; 3]);
    // 0 is below 1, but a disabled pixel stays so.
    let mut one = array(1, 1);
    run(&mut one, "44ea2120 00000000 00000000 3f800000");
    assert_eq!(enables(&one), [false]);
    // A bit above the 64th makes the field greater than any value: 70 bits are L = 187, 0x5dea2100.
    let mut one = array(1, 1);
    put(&mut one, (0, 0), 69, 1, 1);
    run(&mut one, "00000100 5dea2100 00000000 00000000 71800000");
    assert_eq!(enables(&one), [false]);
}
