//! The contract's sentences, each with a result derived by hand.

use pica::{Attribute, Error, Indices, Stream, Vertex};

const POISON: Vertex = Vertex {
    slots: [[7.5; 4]; 16],
};

fn attribute(format: u8, components: u8, slot: u8, offset: u32) -> Attribute {
    Attribute {
        stream: 0,
        format,
        components,
        slot,
        offset,
    }
}

fn stream(bytes: &[u8], stride: u32) -> Stream<'_> {
    Stream {
        bytes,
        offset: 0,
        stride,
    }
}

/// Decodes into poison, and holds the output to be untouched on an error.
fn fails(attributes: &[Attribute], streams: &[Stream<'_>], first: u32, count: u32) -> Error {
    let mut output = [POISON; 4];
    let error = pica::decode(attributes, streams, first, count, &mut output).unwrap_err();
    assert_eq!(output, [POISON; 4]);
    error
}

#[test]
fn integers_keep_their_values_and_missing_components_come_from_0001() {
    // -128 as s8, 255 as u8, -32768 as s16, in one vertex of four bytes; the rest stays (0, 0, 0, 1).
    let bytes = [0x80, 0xff, 0x00, 0x80];
    let attributes = [
        attribute(0, 1, 3, 0),
        attribute(1, 1, 0, 1),
        attribute(2, 1, 15, 2),
    ];
    let mut output = [POISON; 2];
    let enabled = pica::decode(&attributes, &[stream(&bytes, 4)], 0, 1, &mut output);
    assert_eq!(enabled, Ok(0x8009));
    let mut expected = Vertex::DEFAULT;
    expected.slots[3][0] = -128.0;
    expected.slots[0][0] = 255.0;
    expected.slots[15][0] = -32768.0;
    assert_eq!(output, [expected, POISON]);
}

#[test]
fn floats_keep_their_bits() {
    // -0, the smallest subnormal, the largest finite number.
    let words = [0x8000_0000u32, 1, 0x7f7f_ffff];
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut output = [POISON];
    pica::decode(
        &[attribute(3, 3, 0, 0)],
        &[stream(&bytes, 12)],
        0,
        1,
        &mut output,
    )
    .unwrap();
    let [x, y, z, w] = output[0].slots[0].map(f32::to_bits);
    assert_eq!(([x, y, z], w), (words, 0x3f80_0000));
}

#[test]
fn indices_gather_in_their_order_and_first_is_not_added() {
    // Indices 9, 2, 0, 2, 1 from the second on; record n holds 10 n.
    let bytes = [0, 10, 20];
    for (format, indices) in [
        (0, vec![9, 2, 0, 2, 1]),
        (1, vec![9, 0, 2, 0, 0, 0, 2, 0, 1, 0]),
    ] {
        let indices = Indices {
            format,
            bytes: &indices,
            offset: 0,
        };
        let mut output = [POISON; 4];
        let attributes = [attribute(1, 1, 0, 0)];
        let streams = [stream(&bytes, 1)];
        pica::decode_indexed(&attributes, &streams, &indices, 1, 4, &mut output).unwrap();
        assert_eq!(
            output.map(|vertex| vertex.slots[0][0]),
            [20.0, 0.0, 20.0, 10.0]
        );
    }
}

#[test]
fn floats_that_no_index_selects_are_not_looked_at() {
    let mut bytes = [0; 8];
    bytes[4..].copy_from_slice(&0x7fc0_0001u32.to_le_bytes());
    let (attributes, streams) = ([attribute(3, 1, 0, 0)], [stream(&bytes, 4)]);
    let indices = Indices {
        format: 0,
        bytes: &[0, 0, 1],
        offset: 0,
    };
    assert_eq!(
        pica::validate_indexed(&attributes, &streams, &indices, 0, 2),
        Ok(1)
    );
    let error = Error::NonFinite {
        attribute: 0,
        stream: 0,
        vertex: 1,
        component: 0,
        at: 4,
        bits: 0x7fc0_0001,
    };
    assert_eq!(
        pica::validate_indexed(&attributes, &streams, &indices, 0, 3),
        Err(error)
    );
    assert_eq!(fails(&attributes, &streams, 0, 2), error);
}

#[test]
fn layouts_are_judged_in_the_order_of_the_contract() {
    let s = [stream(&[0; 8], 4)];
    assert_eq!(
        fails(&[], &[stream(&[], 256)], 0, 0),
        Error::Stride {
            stream: 0,
            found: 256
        }
    );
    let absent = Attribute {
        stream: 1,
        ..attribute(9, 9, 99, 9)
    };
    assert_eq!(
        fails(&[absent], &s, 0, 0),
        Error::AttributeStream {
            attribute: 0,
            found: 1,
            streams: 1
        }
    );
    assert_eq!(
        fails(&[attribute(4, 9, 99, 9)], &s, 0, 0),
        Error::Format {
            attribute: 0,
            found: 4
        }
    );
    assert_eq!(
        fails(&[attribute(3, 5, 99, 9)], &s, 0, 0),
        Error::Components {
            attribute: 0,
            found: 5
        }
    );
    assert_eq!(
        fails(&[attribute(3, 1, 16, 9)], &s, 0, 0),
        Error::Slot {
            attribute: 0,
            found: 16
        }
    );
    assert_eq!(
        fails(&[attribute(0, 1, 2, 0), attribute(0, 1, 2, 9)], &s, 0, 0),
        Error::SlotTaken {
            attribute: 1,
            found: 2
        }
    );
    assert_eq!(
        fails(&[attribute(3, 1, 2, 1)], &s, 0, 0),
        Error::BeyondStride {
            attribute: 0,
            end: 5,
            stride: 4
        }
    );
}

#[test]
fn ranges_are_judged_before_floats() {
    let (a, s) = ([attribute(0, 1, 0, 0)], [stream(&[0; 8], 4)]);
    assert_eq!(fails(&a, &s, 0, 4097), Error::VertexCount { found: 4097 });
    assert_eq!(
        fails(&a, &s, 0, 5),
        Error::Capacity {
            count: 5,
            capacity: 4
        }
    );
    assert_eq!(
        fails(&a, &s, u32::MAX, 2),
        Error::LastOverflow {
            first: u32::MAX,
            count: 2
        }
    );
    // Vertex 2 starts at byte 8 and has one byte.
    assert_eq!(
        fails(&a, &s, 0, 3),
        Error::RangeTruncated {
            attribute: 0,
            vertex: 2,
            end: 9,
            length: 8
        }
    );
    // 4 (2^32 - 1) + 1 = 17179869181.
    assert_eq!(
        fails(&a, &s, u32::MAX, 1),
        Error::RangeOverflow {
            attribute: 0,
            vertex: u32::MAX,
            end: 17_179_869_181
        }
    );
    assert_eq!(pica::validate(&a, &s, u32::MAX, 0), Ok(1));
}
