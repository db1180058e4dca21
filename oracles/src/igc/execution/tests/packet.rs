//! A triangle packet on 8 x 8 pixels, in the order of the logged ones.

use super::{array, put, run};

/// Edges: -x < 0, -y < 0, x + y - 6 < 0: x from 1, y from 1, x + y to 5. These are 4 + 3 + 2 + 1 pixels.
const EDGES: &str = "3ae94200 bf800000 00000000 00000000
    3ae94200 00000000 bf800000 00000000
    3ae94200 3f800000 3f800000 c0c00000";

/// z = 10x + 50 is compared with 32/20 and written there; diff = y, spec = x + 2y, texu = 7, texv = -1, texz = 100.
const PLANES: &str = "44ea2120 41200000 00000000 42480000
    438a4320
    3daa4352 00000000 3f800000 00000000
    3daa435a 3f800000 40000000 00000000
    41aa4362 00000000 00000000 40e00000
    41aa4372 00000000 00000000 bf800000
    41aa4382 00000000 00000000 42c80000
    0910f734 3f800000
    00000000 00000000";

fn inside(x: u32, y: u32) -> bool {
    x >= 1 && y >= 1 && x + y <= 5
}

#[test]
fn a_triangle_is_drawn_where_it_is_in_front() {
    let mut array = array(8, 8);
    // What was there before: z of 75 at (3, 1) and at (2, 1). The triangle has 80 and 70.
    put(&mut array, (3, 1), 32, 20, 75);
    put(&mut array, (2, 1), 32, 20, 75);
    run(&mut array, &format!("00000100 {EDGES} {PLANES}"));
    let mut drawn = 0;
    for y in 0..8 {
        for x in 0..8 {
            let old = if y == 1 && (x == 2 || x == 3) { 75 } else { 0 };
            // Greater z is in front: the field must be below the tree.
            let visible = inside(x, y) && (x, y) != (2, 1);
            drawn += u32::from(visible);
            assert_eq!(array.enable(x, y), Some(visible), "({x}, {y})");
            let (x64, y64) = (u64::from(x), u64::from(y));
            let expected = if visible {
                let z = 10 * x64 + 50;
                [z, 0x3F80_0000, y64, x64 + 2 * y64, 7, 0xFFFF, 100]
            } else {
                [old, 0, 0, 0, 0, 0, 0]
            };
            let places = [
                (32, 20),
                (52, 30),
                (82, 8),
                (90, 8),
                (98, 16),
                (114, 16),
                (130, 16),
            ];
            for ((addr, len), expected) in places.into_iter().zip(expected) {
                let found = array.field(x, y, addr, len);
                assert_eq!(found, Some(expected), "({x}, {y}), {addr}/{len}");
            }
        }
    }
    assert_eq!(drawn, 9);
    assert_eq!(array.tree(), Some([0.0, 0.0, 100.0]));
}
