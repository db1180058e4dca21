use corpora::execution::Wrap;

use super::super::wrap::wrap;

/// Four texels, numbers -5 to 8: written out from what each mode means.
#[test]
fn texels_outside_a_row_of_four() {
    let rows: [(Wrap, [u32; 14]); 3] = [
        (Wrap::Repeat, [3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0]),
        (Wrap::Mirror, [3, 3, 2, 1, 0, 0, 1, 2, 3, 3, 2, 1, 0, 0]),
        (
            Wrap::ClampToEdge,
            [0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3],
        ),
    ];
    for (mode, expected) in rows {
        for (index, expected) in (-5..).zip(expected) {
            assert_eq!(wrap(mode, index, 4), Some(expected), "{mode:?} {index}");
        }
    }
    for (index, expected) in [(-1, None), (0, Some(0)), (3, Some(3)), (4, None)] {
        assert_eq!(
            wrap(Wrap::ClampToBorder, index, 4),
            expected,
            "border {index}"
        );
    }
}

#[test]
fn a_row_of_one_and_far_numbers() {
    for mode in [Wrap::Repeat, Wrap::Mirror, Wrap::ClampToEdge] {
        for index in [i64::from(i32::MIN), -1, 0, 1, i64::from(i32::MAX)] {
            assert_eq!(wrap(mode, index, 1), Some(0), "{mode:?} {index}");
        }
    }
    // An empty row is not asked for, and is no division by zero.
    assert_eq!(wrap(Wrap::Repeat, 7, 0), Some(0));
}
