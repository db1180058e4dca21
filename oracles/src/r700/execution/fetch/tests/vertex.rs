use corpora::execution::{Buffer, BufferFormat, Outside};

use super::super::{FetchType, VertexFetch, VertexOperation, vertex};
use super::*;
use crate::r700::execution::value::Reason;

const NORM: u8 = 0;
const INT: u8 = 1;
const SCALED: u8 = 2;

fn format(data_format: u8, num_format: u8, signed: bool) -> BufferFormat {
    BufferFormat {
        data_format,
        num_format,
        format_comp: u8::from(signed),
        srf_mode: 0,
        endian_swap: 0,
    }
}

fn instruction(format: BufferFormat) -> VertexFetch {
    VertexFetch {
        op: VertexOperation::Fetch,
        fetch_type: FetchType::Vertex,
        buffer_id: 160,
        dst_sel: XYZW,
        use_const_fields: false,
        format,
        offset: 0,
        const_buf_no_stride: false,
        alt_const: false,
    }
}

fn buffer(stride: u32, bytes: &[u8]) -> Environment {
    let mut environment = Environment::new(Stage::Vertex);
    let buffer = Buffer {
        stride,
        bytes: bytes.to_vec(),
        format: None,
        outside: Outside::Zero,
    };
    environment.buffers.insert(160, buffer);
    environment
}

fn fetched(instruction: &VertexFetch, index: u32, environment: &Environment) -> [Value; 4] {
    vertex(instruction, &Value::settled(index), environment)
        .expect("a fetch that is defined")
        .map(|value| value.expect("a component that is written"))
}

/// The components of one element, as far as the format has them; the others are unknown.
#[track_caller]
fn element(format: BufferFormat, bytes: &[u8], expected: &[u32]) {
    let found = fetched(&instruction(format), 0, &buffer(16, bytes));
    for (component, value) in found.iter().enumerate() {
        match expected.get(component) {
            Some(word) => {
                assert_eq!(
                    value.possibilities(),
                    Some([*word].as_slice()),
                    "{format:?} {component}"
                );
            }
            None => assert!(is_unknown(value), "{format:?} {component}"),
        }
    }
}

/// Integers: the bits of the fields, X from the lowest.
#[test]
fn integers_of_every_format() {
    // Bytes, words and doublewords follow each other in memory, the least significant byte first.
    element(format(1, INT, false), &[0x81], &[0x81]);
    element(format(1, INT, true), &[0x81], &[0xffff_ff81]);
    element(format(7, INT, false), &[1, 2], &[1, 2]);
    element(format(44, INT, false), &[1, 2, 3], &[1, 2, 3]);
    element(
        format(26, INT, true),
        &[1, 2, 3, 0xfc],
        &[1, 2, 3, 0xffff_fffc],
    );
    element(format(5, INT, false), &[0x34, 0x92], &[0x9234]);
    element(format(5, INT, true), &[0x34, 0x92], &[0xffff_9234]);
    element(format(15, INT, false), &[1, 0, 2, 0], &[1, 2]);
    element(format(45, INT, false), &[1, 0, 2, 0, 3, 0], &[1, 2, 3]);
    element(
        format(31, INT, false),
        &[1, 0, 2, 0, 3, 0, 4, 0],
        &[1, 2, 3, 4],
    );
    element(format(13, INT, true), &[4, 3, 2, 0x81], &[0x8102_0304]);
    element(format(29, INT, false), &[1, 0, 0, 0, 2, 0, 0, 0], &[1, 2]);
    element(
        format(47, INT, false),
        &[1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0],
        &[1, 2, 3],
    );
    let four = [1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0x80];
    element(format(34, INT, false), &four, &[1, 2, 3, 0x8000_0004]);
    // 0xa5: the high nibble is the name's first field, and Y.
    element(format(2, INT, false), &[0xa5], &[5, 10]);
    // 3_3_2, 0b101_011_10: X has two bits.
    element(format(3, INT, false), &[0b1010_1110], &[2, 3, 5]);
    // 5_6_5, 0b00011_000010_00001.
    element(
        format(8, INT, false),
        &0b0001_1000_0100_0001_u16.to_le_bytes(),
        &[1, 2, 3],
    );
    // 6_5_5, 0b000011_00010_00001.
    element(
        format(9, INT, false),
        &0b0000_1100_0100_0001_u16.to_le_bytes(),
        &[1, 2, 3],
    );
    // 1_5_5_5, 0b1_00011_00010_00001.
    element(
        format(10, INT, false),
        &0b1000_1100_0100_0001_u16.to_le_bytes(),
        &[1, 2, 3, 1],
    );
    element(
        format(11, INT, false),
        &0x4321_u16.to_le_bytes(),
        &[1, 2, 3, 4],
    );
    // 5_5_5_1, 0b00100_00011_00010_1.
    element(
        format(12, INT, false),
        &0b0010_0000_1100_0101_u16.to_le_bytes(),
        &[1, 2, 3, 4],
    );
    element(
        format(17, INT, false),
        &0xab12_3456_u32.to_le_bytes(),
        &[0x12_3456, 0xab],
    );
    element(
        format(19, INT, false),
        &0x1234_56ab_u32.to_le_bytes(),
        &[0xab, 0x12_3456],
    );
    // 10_11_11: 3 in bits 22 to 31, 2 in 11 to 21, 1 in 0 to 10.
    let word = 3 << 22 | 2 << 11 | 1_u32;
    element(format(21, INT, false), &word.to_le_bytes(), &[1, 2, 3]);
    // 11_11_10: 3 in bits 21 to 31, 2 in 10 to 20, 1 in 0 to 9.
    let word = 3 << 21 | 2 << 10 | 1_u32;
    element(format(23, INT, false), &word.to_le_bytes(), &[1, 2, 3]);
    // 2_10_10_10: two bits at the top; -1 in them and in Z.
    let word = 3 << 30 | 0x3ff << 20 | 2 << 10 | 1_u32;
    element(
        format(25, INT, false),
        &word.to_le_bytes(),
        &[1, 2, 0x3ff, 3],
    );
    element(
        format(25, INT, true),
        &word.to_le_bytes(),
        &[1, 2, u32::MAX, u32::MAX],
    );
    // 10_10_10_2: two bits at the bottom.
    let word = 4 << 22 | 3 << 12 | 2 << 2 | 1_u32;
    element(format(27, INT, false), &word.to_le_bytes(), &[1, 2, 3, 4]);
}

/// Floats: bits for 32, and for the shorter ones by hand. Half 0x3c00 is 1, 0xc000 is -2, 0x7c00 infinity; of 11 bits
/// 0x3c0 is 1 (exponent 15, no fraction), of 10 bits 0x1e0.
#[test]
fn floats_of_every_format() {
    let one = 1.0_f32.to_bits();
    let minus_two = (-2.0_f32).to_bits();
    let infinity = f32::INFINITY.to_bits();
    element(format(14, NORM, false), &[0, 0, 0x80, 0x3f], &[one]);
    // A NaN keeps its bits, as nothing is computed; so does a denormal, and NUM_FORMAT does not matter.
    element(format(14, INT, true), &[1, 0, 0x80, 0x7f], &[0x7f80_0001]);
    element(
        format(30, NORM, false),
        &[0, 0, 0x80, 0x3f, 1, 0, 0, 0],
        &[one, 1],
    );
    element(
        format(48, NORM, false),
        &[0, 0, 0x80, 0x3f, 1, 0, 0, 0, 2, 0, 0, 0],
        &[one, 1, 2],
    );
    let bytes = [0, 0, 0x80, 0x3f, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0xc0];
    element(format(35, NORM, false), &bytes, &[one, 1, 2, minus_two]);
    element(format(6, NORM, false), &[0, 0x3c], &[one]);
    element(
        format(16, NORM, false),
        &[0, 0xc0, 0, 0x7c],
        &[minus_two, infinity],
    );
    element(
        format(46, NORM, false),
        &[0, 0x3c, 0, 0x80, 0, 0xc0],
        &[one, 0x8000_0000, minus_two],
    );
    // 0x3555 is 2^-2 · (1 + 341/1024) = 0.333251953125.
    let third = 0.333_251_95_f32.to_bits();
    element(
        format(32, NORM, false),
        &[0, 0x3c, 0x55, 0x35, 0, 0, 0, 0xc0],
        &[one, third, 0, minus_two],
    );
    // X: 1; Y: 2 (0x400); Z: 1.5 (0x1f0).
    let word = 0x1f0 << 22 | 0x400 << 11 | 0x3c0_u32;
    element(
        format(22, NORM, false),
        &word.to_le_bytes(),
        &[one, 2.0_f32.to_bits(), 1.5_f32.to_bits()],
    );
    // X: 1 (0x1e0); Y: 1; Z: infinity (0x7c0).
    let word = 0x7c0 << 21 | 0x3c0 << 10 | 0x1e0_u32;
    element(
        format(24, NORM, false),
        &word.to_le_bytes(),
        &[one, one, infinity],
    );
    // Exponent 16: fractions times 2^(16 - 24) = 1/256. 256 is 1, 128 is 1/2, 511 is 511/256.
    let word = 16 << 27 | 511 << 18 | 128 << 9 | 256_u32;
    element(
        format(43, NORM, false),
        &word.to_le_bytes(),
        &[one, 0.5_f32.to_bits(), (511.0_f32 / 256.0).to_bits()],
    );
}

/// The smallest half denormal is 2^-24; it may be flushed. A half NaN is a NaN.
#[test]
fn short_floats_that_are_no_normal_numbers() {
    let environment = buffer(16, &[1, 0x80, 1, 0x7c]);
    let [x, y, ..] = fetched(&instruction(format(16, NORM, false)), 0, &environment);
    assert_eq!(x.number(), -(2.0_f32.powi(-24)));
    assert_eq!(x.possibilities(), Some([x.bits(), 0x8000_0000].as_slice()));
    assert_eq!(y.doubt(), &Doubt::AnyNan);
    // As integers short floats are not described.
    let [x, ..] = fetched(&instruction(format(16, INT, false)), 0, &environment);
    assert!(is_unknown(&x));
}

/// 51/255 = 0.2, -128 and -127 of 127 are -1, 64/127 = 0.503937; without a zero 0 is 1/255 and -128 is -255/255.
#[test]
fn normalized_integers() {
    let environment = buffer(16, &[0, 51, 255, 128, 129, 64]);
    let at = |signed, srf_mode, offset| {
        let mut fetch = instruction(format(1, NORM, signed));
        fetch.format.srf_mode = srf_mode;
        fetch.offset = offset;
        fetched(&fetch, 0, &environment)[0].clone()
    };
    assert_eq!(at(false, 0, 0), Value::float(0.0));
    assert_eq!(at(false, 0, 2), Value::float(1.0));
    let fifth = at(false, 0, 1);
    assert_eq!(fifth.number(), 0.2);
    assert_eq!(fifth.reason(), Some(Reason::Normalized));
    assert_eq!(bounds(&fifth), (0.2_f32.next_down(), 0.2_f32.next_up()));
    assert_eq!(at(true, 0, 3), Value::float(-1.0));
    assert_eq!(at(true, 0, 4), Value::float(-1.0));
    assert_eq!(at(true, 0, 5).number(), 0.503_937);
    assert_eq!(at(true, 0, 0), Value::float(0.0));
    assert_eq!(at(true, 1, 0).number(), 1.0 / 255.0);
    assert_eq!(at(true, 1, 3), Value::float(-1.0));
    // -127: (-254 + 1)/255.
    assert_eq!(at(true, 1, 4).number(), -253.0 / 255.0);
    // All ones of 32 bits are 1, as a signed number -1 of 2^31 - 1.
    let environment = buffer(16, &[0xff; 4]);
    let all = fetched(&instruction(format(13, NORM, false)), 0, &environment);
    assert_eq!(all[0], Value::float(1.0));
    let all = fetched(&instruction(format(13, NORM, true)), 0, &environment);
    assert_eq!(all[0].number(), -1.0 / 2_147_483_648.0);
    // A sign and nothing else: 0 of 0.
    let environment = buffer(16, &[0xff; 2]);
    let one = fetched(&instruction(format(12, NORM, true)), 0, &environment);
    assert!(is_unknown(&one[0]) && one[1].number() == -1.0 / 15.0);
}

/// 2^24 + 1 lies between two floats: 2^24 is nearest (to even) and toward zero; 2^24 + 3 is nearest to 2^24 + 4 and
/// 2^24 + 2 toward zero.
#[test]
fn scaled_integers() {
    element(
        format(7, SCALED, true),
        &[0xff, 3],
        &[(-1.0_f32).to_bits(), 3.0_f32.to_bits()],
    );
    element(
        format(13, SCALED, false),
        &[1, 0, 0, 1],
        &[16_777_216.0_f32.to_bits()],
    );
    let environment = buffer(16, &[3, 0, 0, 1]);
    let [x, ..] = fetched(&instruction(format(13, SCALED, false)), 0, &environment);
    assert_eq!(numbers(&x), [16_777_218.0, 16_777_220.0]);
    assert_eq!(x.number(), 16_777_220.0);
    // -(2^24 + 3): the same, below zero.
    let environment = buffer(16, &(-16_777_219_i32).to_le_bytes());
    let [x, ..] = fetched(&instruction(format(13, SCALED, true)), 0, &environment);
    assert_eq!(numbers(&x), [-16_777_220.0, -16_777_218.0]);
}

/// Bytes 01 02 03 04: pairs turned 02 01 04 03, all four turned 04 03 02 01.
#[test]
fn byte_swaps() {
    for (swap, word) in [(0, 0x0403_0201), (1, 0x0304_0102), (2, 0x0102_0304)] {
        let mut format = format(13, INT, false);
        format.endian_swap = swap;
        element(format, &[1, 2, 3, 4], &[word]);
    }
    // Two words of 16 bits, big-endian in memory.
    let mut pair = format(15, INT, false);
    pair.endian_swap = 1;
    element(pair, &[0x12, 0x34, 0x56, 0x78], &[0x1234, 0x5678]);
    // What of a byte is swapped with what, is open.
    let mut byte = format(1, INT, false);
    byte.endian_swap = 2;
    element(byte, &[1], &[]);
    byte.endian_swap = 3;
    let error = vertex(&instruction(byte), &Value::settled(0), &buffer(1, &[1])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "ENDIAN_SWAP is 3, which is reserved; 0 to 2 have a meaning"
    );
}

/// Element 2 of stride 4 with offset 1 is byte 9.
#[test]
fn addresses() {
    let bytes: Vec<u8> = (0..12).collect();
    let mut environment = buffer(4, &bytes);
    let mut fetch = instruction(format(1, INT, false));
    fetch.offset = 1;
    let at = |fetch: &VertexFetch, index, environment: &Environment| {
        fetched(fetch, index, environment)[0].clone()
    };
    assert_eq!(at(&fetch, 2, &environment), Value::settled(9));
    assert_eq!(at(&fetch, 3, &environment), Value::settled(0));
    assert_eq!(at(&fetch, u32::MAX, &environment), Value::settled(0));
    environment.buffers.get_mut(&160).unwrap().outside = Outside::Nan;
    assert_eq!(at(&fetch, 3, &environment), Value::settled(0xffc0_0000));
    // Bytes 9 to 12, of which the last is missing.
    let mut long = instruction(format(13, INT, false));
    long.offset = 1;
    let part = at(&long, 2, &environment);
    assert!(is_unknown(&part));
    assert_eq!(part.reason(), Some(Reason::Outside));
    environment.buffers.get_mut(&160).unwrap().stride = 0;
    assert_eq!(at(&fetch, 7, &environment), Value::settled(1));
}

#[test]
fn doubtful_indices() {
    let environment = buffer(1, &[5, 6, 5, 8]);
    let fetch = instruction(format(1, INT, false));
    let at = |index: &Value| {
        vertex(&fetch, index, &environment).unwrap()[0]
            .clone()
            .unwrap()
    };
    let reason = Reason::ConvertedFraction;
    assert_eq!(at(&Value::one_of(0, &[2], reason)), Value::settled(5));
    let open = at(&Value::one_of(0, &[1, 3], reason));
    assert_eq!(open.possibilities(), Some([5, 6, 8].as_slice()));
    assert_eq!(open.reason(), Some(reason));
    let unknown = at(&Value::unknown(1, Reason::Unset));
    assert!(is_unknown(&unknown));
    assert_eq!((unknown.bits(), unknown.reason()), (6, Some(Reason::Unset)));
}

/// The fetch shader of the Mesa corpus: R1.xy01 of 32_32 with NUM_FORMAT INT, and xyzw of 32_32_32_32_FLOAT at 16.
#[test]
fn selects_of_the_destination() {
    let mut bytes = vec![0; 32];
    bytes[16..20].copy_from_slice(&1.5_f32.to_le_bytes());
    bytes[0] = 7;
    let environment = buffer(32, &bytes);
    let mut fetch = instruction(format(29, INT, false));
    fetch.dst_sel = [Select::X, Select::Y, Select::Zero, Select::Mask];
    let found = vertex(&fetch, &Value::settled(0), &environment).unwrap();
    let expected = [Some(7), Some(0), Some(0), None].map(|word| word.map(Value::settled));
    assert_eq!(found, expected);
    let mut fetch = instruction(format(35, NORM, false));
    fetch.offset = 16;
    fetch.dst_sel = [Select::W, Select::X, Select::One, Select::One];
    let found = vertex(&fetch, &Value::settled(0), &environment).unwrap();
    let expected = [0.0, 1.5, 1.0, 1.0].map(|number| Some(Value::float(number)));
    assert_eq!(found, expected);
}

#[test]
fn the_buffers_own_format() {
    let mut environment = buffer(4, &[1, 2, 3, 4]);
    let mut fetch = instruction(format(13, INT, false));
    fetch.use_const_fields = true;
    let error = vertex(&fetch, &Value::settled(0), &environment).unwrap_err();
    assert_eq!(
        error.to_string(),
        "format of vertex buffer 160 is not in the environment"
    );
    environment.buffers.get_mut(&160).unwrap().format = Some(format(7, INT, false));
    assert_eq!(
        fetched(&fetch, 0, &environment)[..2],
        [1, 2].map(Value::settled)
    );
}

#[test]
fn what_is_refused() {
    let environment = buffer(4, &[1, 2, 3, 4]);
    let error = |fetch: &VertexFetch| {
        vertex(fetch, &Value::settled(0), &environment)
            .unwrap_err()
            .to_string()
    };
    // No format of the list, and no number format, may panic.
    for number in 0..=u8::MAX {
        let _ = vertex(
            &instruction(format(number, number % 5, true)),
            &Value::settled(0),
            &environment,
        );
    }
    assert!(error(&instruction(format(49, NORM, false))).starts_with("DATA_FORMAT 49 (BC1)"));
    assert!(error(&instruction(format(0, NORM, false))).contains("INVALID"));
    assert!(error(&instruction(format(1, 3, false))).starts_with("NUM_FORMAT_ALL is 3"));
    let mut fetch = instruction(format(1, NORM, false));
    fetch.const_buf_no_stride = true;
    assert!(error(&fetch).starts_with("CONST_BUF_NO_STRIDE"));
    fetch = instruction(format(1, NORM, false));
    fetch.buffer_id = 9;
    assert_eq!(error(&fetch), "vertex buffer 9 is not in the environment");
}
