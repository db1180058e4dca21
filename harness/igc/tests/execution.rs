//! The executor against the sentences of docs/targets/igc.md: results derived by hand.

use igc::array::{ArrayError, RunError, Stop, Unsupported};
use igc::{Array, Builder, Instruction, Op};

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn new(op: Op) -> Builder {
    Builder::new(op)
}

fn run(array: &mut Array, program: &[Builder]) {
    for builder in program {
        let instruction = builder.build().unwrap();
        array
            .step(&instruction)
            .unwrap_or_else(|why| panic!("{instruction}: {why}"));
    }
}

fn tree(addr: u32, len: u32, abc: [f32; 3]) -> Builder {
    new(Op::TreeIntoMemL3).addr(addr).len(len).coefficients(abc)
}

/// Four pixels, all enabled, with x in bits 0 and 1: bit 0 is set in 1 and 3, bit 1 in 2 and 3.
fn four() -> Array {
    let mut array = Array::new(4, 1).unwrap();
    run(
        &mut array,
        &[new(Op::SetEnabs), tree(0, 2, [1.0, 0.0, 0.0])],
    );
    array
}

#[test]
fn enables_are_set_from_bits() {
    let enable_after = |program: &[Builder]| {
        let mut array = four();
        run(&mut array, program);
        array.enable()[0]
    };
    let from_0 = new(Op::MemIntoEnab);
    assert_eq!(enable_after(&[]), 0b1111);
    assert_eq!(enable_after(&[new(Op::ClrEnabs)]), 0);
    assert_eq!(enable_after(&[from_0]), 0b1010);
    assert_eq!(enable_after(&[new(Op::MemBarIntoEnab)]), 0b0101);
    assert_eq!(
        enable_after(&[new(Op::MemBarIntoEnab).len(1).addr(1)]),
        0b0011
    );
    assert_eq!(
        enable_after(&[from_0, new(Op::EnabAndEqMem).addr(1)]),
        0b1000
    );
    assert_eq!(
        enable_after(&[from_0, new(Op::EnabAndEqMemBar).addr(1)]),
        0b0010
    );
    assert_eq!(
        enable_after(&[from_0, new(Op::EnabXorEqMem).addr(1)]),
        0b0110
    );
    // All pixels: also those that are disabled.
    assert_eq!(enable_after(&[new(Op::ClrEnabs), from_0]), 0b1010);
    assert_eq!(
        enable_after(&[new(Op::ClrEnabs), new(Op::SetEnabs)]),
        0b1111
    );
}

#[test]
fn bits_are_stored_from_enables_in_all_pixels() {
    let bit_1_after = |op| {
        let mut array = four();
        run(&mut array, &[new(Op::MemIntoEnab), new(op).addr(1)]);
        array.plane(1)[0]
    };
    assert_eq!(bit_1_after(Op::EnabIntoMem), 0b1010);
    assert_eq!(bit_1_after(Op::MemOrEqEnab), 0b1110);
    assert_eq!(bit_1_after(Op::MemAndEqEnab), 0b1000);
}

#[test]
fn the_tree_is_truncated_towards_zero_and_evaluated_in_order() {
    let value = |abc, x: usize| {
        let mut array = Array::new(4, 2).unwrap();
        run(&mut array, &[new(Op::SetEnabs), tree(0, 64, abc)]);
        // Row 1.
        array.field(0, 64).unwrap()[4 + x] as i64
    };
    assert_eq!(value([0.5, 0.0, -1.0], 0), -1);
    assert_eq!(value([0.5, 0.0, -1.0], 1), 0);
    assert_eq!(value([2.0, 3.0, -20.0], 3), -11);
    // (2^60 − 2^60) + 1.5; the other order would lose the 1.5.
    let far = 2f32.powi(60);
    assert_eq!(value([far, -far, 1.5], 1), 1);
    // 16777216 + 1 is no float, but an f64.
    assert_eq!(value([16_777_216.0, 0.0, 1.0], 1), 16_777_217);
    assert_eq!(value([0.0, 0.0, 1e30], 0), i64::MAX);
    assert_eq!(value([0.0, -1e30, 0.0], 0), i64::MIN);
}

#[test]
fn comparisons_use_the_truncated_value_and_only_take_away() {
    let enable = |program: &[Builder]| {
        let mut array = four();
        run(&mut array, program);
        array.enable()[0]
    };
    let below = |abc| new(Op::TreeLtZeroL3).coefficients(abc);
    let from = |abc| new(Op::TreeGeZeroL3).coefficients(abc);
    // x/2 − 1: −1, −0.5, 0, 0.5.
    assert_eq!(enable(&[below([0.5, 0.0, -1.0])]), 0b0001);
    assert_eq!(enable(&[from([0.5, 0.0, -1.0])]), 0b1110);
    assert_eq!(
        enable(&[new(Op::MemIntoEnab), from([0.5, 0.0, -1.0])]),
        0b1010
    );
    assert_eq!(enable(&[new(Op::ClrEnabs), below([0.0, 0.0, -9.0])]), 0);
    // x < 2.9: t is 2.
    let compare = new(Op::MemLtTreeL3).len(2);
    assert_eq!(enable(&[compare.coefficients([0.0, 0.0, 2.9])]), 0b0011);
    assert_eq!(enable(&[compare.coefficients([0.0, 0.0, -1.0])]), 0);
    assert_eq!(enable(&[compare.coefficients([0.0, 0.0, 1e30])]), 0b1111);
    // x < 3 − x: 0 < 3, 1 < 2.
    assert_eq!(enable(&[compare.coefficients([-1.0, 0.0, 3.0])]), 0b0011);
}

#[test]
fn fields_are_written_in_enabled_pixels() {
    let mut array = four();
    let program = [
        new(Op::MemIntoEnab),
        // −1 beyond 64 bits.
        tree(100, 140, [0.0, 0.0, -1.0]),
        // 7 of two bits is 3; the tree there is.
        tree(10, 3, [0.0, 0.0, 7.0]),
        new(Op::TreeIntoMemL0).addr(20).len(2),
        new(Op::ScaIntoMemS1).addr(30).len(4).scalar(0x35),
        // x from 0, 1 to 1, 2: read whole before.
        new(Op::Cpy).addr(1).len(2).source(0),
    ];
    run(&mut array, &program);
    let field = |addr, len| array.field(addr, len).unwrap();
    assert_eq!(field(176, 64), [0, u64::MAX, 0, u64::MAX]);
    assert_eq!(field(240, 8), [0, 0, 0, 0]);
    assert_eq!(field(10, 4), [0, 7, 0, 7]);
    assert_eq!(field(20, 4), [0, 3, 0, 3]);
    assert_eq!(field(30, 8), [0, 5, 0, 5]);
    // 1 becomes 1 + 1·2, 3 becomes 1 + 3·2; 0 and 2 stay.
    assert_eq!(field(0, 3), [0, 3, 2, 7]);
}

#[test]
fn sums_wrap_and_carry() {
    let mut array = four();
    let program = [
        tree(10, 3, [2.0, 0.0, 3.0]),
        // 3, 5, 7, 1 (9 cut to three bits) with 0, 1, 2, 3 added: 3, 6, 9, 4.
        new(Op::MemPlusEqMemK).addr(10).len(3).sweep(0, 2),
        new(Op::CryIntoMem).addr(20),
    ];
    run(&mut array, &program);
    assert_eq!(array.field(10, 3).unwrap(), [3, 6, 1, 4]);
    assert_eq!(array.field(20, 1).unwrap(), [0, 0, 1, 0]);
    // Bits 12:11 and, read whole before, 12:10 cut to two bits: in pixel 1 3 + 2, 1 with a carry; in pixel 3 2 + 0.
    let program = [
        new(Op::ClrEnabs),
        new(Op::EnabXorEqMem).addr(0),
        new(Op::MemPlusEqMemK).addr(11).len(2).sweep(10, 3),
    ];
    run(&mut array, &program);
    assert_eq!(array.field(10, 3).unwrap(), [3, 2, 1, 4]);
    assert_eq!(array.carry()[0], 0b0110, "pixel 2 keeps its own");
}

#[test]
fn a_packet_draws_a_triangle() {
    let vertex = |x, y, texu| igc::packet::Vertex {
        x,
        y,
        z: 100.0,
        diff: 200.0,
        spec: 1.0,
        texu,
        texv: 2.0,
        texz: 3.0,
    };
    let corners = [
        vertex(0.0, 0.0, 0.0),
        vertex(8.0, 0.0, 16.0),
        vertex(0.0, 4.0, 0.0),
    ];
    let packet = igc::packet::triangle(&corners, 2).unwrap();
    let mut stream = bytes(&[0x100]);
    stream.extend(packet.iter().flat_map(Instruction::encode));
    assert_eq!(stream.len(), 4 * 42);
    let mut array = Array::new(9, 5).unwrap();
    assert_eq!(array.run(&stream), Ok(14));
    // Inside are 0 < x, 0 < y, x + 2y < 8: x to 5 in row 1, to 3 in row 2, 1 in row 3.
    #[rustfmt::skip]
    let texu = [
        0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 2, 4, 6, 8, 10, 0, 0, 0,
        0, 2, 4, 6, 0, 0, 0, 0, 0,
        0, 2, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0,
    ];
    assert_eq!(array.field(98, 16).unwrap(), texu);
    let inside = |value: u64| texu.map(|u| if u > 0 { value } else { 0 });
    assert_eq!(array.field(32, 20).unwrap(), inside(100));
    assert_eq!(array.field(82, 8).unwrap(), inside(200));
    assert_eq!(array.field(52, 30).unwrap(), inside(0x3f80_0000));
    // Once more: what is there is not below 100.
    array.run(&stream).unwrap();
    assert!(array.enable().iter().all(|word| *word == 0));
}

fn refused(words: &[u32]) -> Unsupported {
    let mut array = four();
    // CPY of one bit, from 0 to 200, stands before.
    let mut stream = bytes(&[0xba00_4cc8, 0]);
    stream.extend(bytes(words));
    let before = array.clone();
    match array.run(&stream) {
        Err(RunError::Unsupported(Stop { word: 2, op, why })) => {
            assert_eq!(op, igc::Word(words[0]).op());
            assert_eq!(array.plane(200)[0], 0b1010, "what was before stands");
            for bit in (0..=255).filter(|bit| *bit != 200) {
                assert_eq!(array.plane(bit), before.plane(bit));
            }
            assert_eq!(
                (array.enable(), array.tree()),
                (before.enable(), before.tree())
            );
            why
        }
        other => panic!("{words:08x?}: {other:?}"),
    }
}

#[test]
fn what_is_not_known_is_refused_and_changes_nothing() {
    use Unsupported as U;
    let nan = 0x7fc0_0001;
    for words in [
        &[0x601, 0, 0, 0][..],
        &[0x0040_0a00],
        &[0x0041_3f00],
        &[0x0041_3c00],
        &[0x8000_e600, 0],
        &[0x8000_0000, 0x4800_0000],
        &[0xbc91_6c00, 0x34],
        &[0x8401_213a, 0x21],
        &[0xba01_253a, 0x0014_3a21],
        &[0x0002_0000],
        &[0x0001_979d],
    ] {
        assert_eq!(refused(words), U::NotKnown, "{words:08x?}");
    }
    assert_eq!(
        refused(&[0x3ae9_4200, 0, nan, 0]),
        U::NonFinite {
            coefficient: 1,
            bits: nan
        }
    );
    assert!(matches!(
        refused(&[0x3d2a_4339, 0, 0, 0xff80_0000]),
        U::NonFinite { coefficient: 2, .. }
    ));
    // L of 114 under T, 116 under Z, 146 under M.
    assert!(matches!(
        refused(&[0x392a_4339, 0, 0, 0]),
        U::NoLength { found: 114, .. }
    ));
    assert!(matches!(
        refused(&[0x3a6a_2120, 0, 0, 0]),
        U::NoLength { found: 116, .. }
    ));
    assert!(matches!(
        refused(&[0x4910_f734, 0]),
        U::NoLength { found: 146, .. }
    ));
    assert_eq!(refused(&[0x39aa_4339, 0, 0, 0]), U::ZeroLength);
    assert_eq!(refused(&[0x3a10_f734, 0]), U::ZeroLength);
    // 33 + 116 − 128 = 21.
    assert_eq!(refused(&[0x0a90_f734, 0]), U::LongScalar { found: 33 });
    // MEMpluseqMEM_K of length 8 (124) at 58, from 33.
    assert_eq!(refused(&[0xbe00_6c3a, 0x0000_3a21]), U::ZeroSecondLength);
    assert_eq!(refused(&[0xbe00_6c3a, 0x0084_3a21]), U::Rest { found: 1 });
    assert_eq!(
        refused(&[0xbe00_6c3a, 0x0004_3b21]),
        U::Destination {
            found: 59,
            addr: 58
        }
    );
    assert_eq!(refused(&[0xbb00_4cb3, 0x0001_008f]), U::Rest { found: 256 });
    assert!(matches!(
        refused(&[0x4800_0000]),
        U::Length { found: 144, .. }
    ));
    assert!(matches!(
        refused(&[0x3a80_0334]),
        U::Length { found: 117, .. }
    ));
    assert!(matches!(
        refused(&[0x3b00_4834]),
        U::Length { found: 118, .. }
    ));
    assert!(matches!(
        refused(&[0x3a69_4200, 0, 0, 0]),
        U::Length { found: 116, .. }
    ));
    assert_eq!(refused(&[0x0000_0101]), U::Addr { found: 1 });
    assert_eq!(refused(&[0x3ae8_0d07, 0, 0, 0]), U::Addr { found: 7 });
}

#[test]
fn a_tree_has_to_be_there() {
    let mut array = Array::new(1, 1).unwrap();
    let stream = bytes(&[0x100, 0x438a_4320]);
    let stop = Stop {
        word: 1,
        op: Op::TreeIntoMemL0,
        why: Unsupported::NoTree,
    };
    assert_eq!(array.run(&stream), Err(RunError::Unsupported(stop)));
    assert_eq!(stop.to_string(), "word 1: TREEintoMEM_L0: no live tree");
    assert_eq!(array.enable(), [1]);
}

#[test]
fn a_stream_is_judged_whole_before_it_runs() {
    let mut array = Array::new(1, 1).unwrap();
    let error = array.run(&bytes(&[0x100, 0xbc00_4c34])).unwrap_err();
    assert!(matches!(error, RunError::Rejected(error) if error.class() == "truncated"));
    assert_eq!(array.enable(), [0]);
    assert!(matches!(Array::new(0, 1), Err(ArrayError::Size { .. })));
}
