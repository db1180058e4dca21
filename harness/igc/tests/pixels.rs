//! The executor against one pixel at a time, over random programs.

mod pixel;

use igc::{Array, Builder, Instruction, Op};
use proptest::prelude::*;

fn new(op: Op) -> Builder {
    Builder::new(op)
}

fn tree(addr: u32, len: u32, abc: [f32; 3]) -> Builder {
    new(Op::TreeIntoMemL3).addr(addr).len(len).coefficients(abc)
}

/// Coefficients of several magnitudes, among them those at which ways of evaluating part.
fn coefficient() -> impl Strategy<Value = f32> {
    prop_oneof![
        (-4i32..=4).prop_map(|n| n as f32 / 2.0),
        -300.0f32..300.0,
        any::<f32>().prop_filter("finite", |c| c.is_finite()),
        Just(2f32.powi(51)),
        Just(-(2f32.powi(31))),
    ]
}

fn instruction() -> impl Strategy<Value = Instruction> {
    let abc = || [coefficient(), coefficient(), coefficient()];
    let one = prop::sample::select(vec![
        Op::SetEnabs,
        Op::ClrEnabs,
        Op::MemIntoEnab,
        Op::MemBarIntoEnab,
        Op::EnabAndEqMem,
        Op::EnabAndEqMemBar,
        Op::EnabXorEqMem,
        Op::EnabIntoMem,
        Op::MemOrEqEnab,
        Op::MemAndEqEnab,
        Op::CryIntoMem,
    ]);
    // A small part of the memory, so that fields meet.
    let addr = || 0..48u32;
    prop_oneof![
        (one, addr()).prop_map(|(op, addr)| {
            let addr = if matches!(op, Op::SetEnabs | Op::ClrEnabs) {
                0
            } else {
                addr
            };
            new(op).addr(addr)
        }),
        abc().prop_map(|abc| new(Op::TreeLtZeroL3).coefficients(abc)),
        abc().prop_map(|abc| new(Op::TreeGeZeroL3).coefficients(abc)),
        (addr(), 1..=138u32, abc()).prop_map(|(addr, len, abc)| new(Op::MemLtTreeL3)
            .addr(addr)
            .len(len)
            .coefficients(abc)),
        (addr(), 1..=20u32, abc()).prop_map(|(addr, len, abc)| new(Op::MemLtTreeL3)
            .addr(addr)
            .len(len)
            .coefficients(abc)),
        (addr(), 1..=140u32, abc()).prop_map(|(addr, len, abc)| tree(addr, len, abc)),
        (addr(), 1..=20u32, abc()).prop_map(|(addr, len, abc)| tree(addr, len, abc)),
        (addr(), 1..=32u32, any::<u32>())
            .prop_map(|(addr, len, s)| new(Op::ScaIntoMemS1).addr(addr).len(len).scalar(s)),
        (addr(), 1..=140u32, addr())
            .prop_map(|(addr, len, src)| new(Op::Cpy).addr(addr).len(len).source(src)),
        (addr(), 1..=127u32, addr(), 1..=127u32).prop_map(|(addr, len, src, len2)| {
            new(Op::MemPlusEqMemK).addr(addr).len(len).sweep(src, len2)
        }),
    ]
    .prop_map(|builder| builder.build().unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn an_array_is_its_pixels(
        (width, height) in (prop::sample::select(vec![1u16, 3, 63, 64, 65, 130]), 1u16..=3),
        program in prop::collection::vec(instruction(), 1..24),
    ) {
        let mut array = Array::new(width, height).unwrap();
        let set = new(Op::SetEnabs).build().unwrap();
        let program: Vec<_> = [set].into_iter().chain(program).collect();
        for instruction in &program {
            array.step(instruction).unwrap();
        }
        for y in 0..height {
            for x in 0..width {
                let pixel = pixel::Pixel::after(&program, x, y);
                let word = usize::from(y) * array.row_words() + usize::from(x / 64);
                let bit = |plane: &[u64]| plane[word] >> (x % 64) & 1 == 1;
                prop_assert_eq!(bit(array.enable()), pixel.enable, "enable of {} {}", x, y);
                prop_assert_eq!(bit(array.carry()), pixel.carry, "carry of {} {}", x, y);
                for n in 0..=255 {
                    let expected = pixel.memory[usize::from(n)];
                    prop_assert_eq!(bit(array.plane(n)), expected, "bit {} of {} {}", n, x, y);
                }
            }
        }
        // Nothing beyond the row's end is ever set.
        let beyond = if width % 64 == 0 { 0 } else { u64::MAX << (width % 64) };
        let row = array.row_words();
        for plane in (0..=255).map(|n| array.plane(n)).chain([array.enable(), array.carry()]) {
            prop_assert!(plane.chunks(row).all(|row| row[row.len() - 1] & beyond == 0));
        }
    }
}
