//! Layouts that are easy to get wrong: many streams, shared bytes, odd addresses, errors that come late.

use pica::{Attribute, Error, Indices, Stream, Vertex};

const POISON: Vertex = Vertex {
    slots: [[7.5; 4]; 16],
};

fn attribute(stream: u8, format: u8, components: u8, slot: u8, offset: u32) -> Attribute {
    Attribute {
        stream,
        format,
        components,
        slot,
        offset,
    }
}

/// Twelve streams of one u8 each: vertex v of stream s holds 16 v + s, at byte s + (s + 1) v of its span.
fn twelve() -> Vec<Vec<u8>> {
    let span = |s: usize| {
        let mut bytes = vec![0xee; s + (s + 1) * 8];
        for v in 0..8 {
            bytes[s + (s + 1) * v] = (16 * v + s) as u8;
        }
        bytes
    };
    (0..12).map(span).collect()
}

#[test]
fn twelve_streams_at_once() {
    let spans = twelve();
    let streams = (0..12).map(|s| Stream {
        bytes: &spans[s],
        offset: s as u32,
        stride: s as u32 + 1,
    });
    let streams: Vec<_> = streams.collect();
    // Stream s to slot 15 - s.
    let attributes: Vec<_> = (0..12).map(|s| attribute(s, 1, 1, 15 - s, 0)).collect();
    let expected = |numbers: [usize; 4]| {
        numbers.map(|v| {
            let mut vertex = Vertex::DEFAULT;
            for s in 0..12 {
                vertex.slots[15 - s][0] = (16 * v + s) as f32;
            }
            vertex
        })
    };
    let mut output = [POISON; 4];
    let enabled = pica::decode(&attributes, &streams, 3, 4, &mut output);
    assert_eq!((enabled, output), (Ok(0xfff0), expected([3, 4, 5, 6])));
    let indices = Indices {
        format: 1,
        bytes: &[0xee, 9, 9, 7, 0, 0, 0, 7, 0, 2, 0],
        offset: 1,
    };
    let enabled = pica::decode_indexed(&attributes, &streams, &indices, 1, 4, &mut output);
    assert_eq!((enabled, output), (Ok(0xfff0), expected([7, 0, 7, 2])));
}

#[test]
fn streams_may_share_bytes_at_different_strides() {
    // One span of 0 to 23; strides 2, 3 and 5 from bytes 0, 1 and 4; attributes of one stream that overlap.
    let bytes: Vec<u8> = (0..24).collect();
    let streams = [(0, 2), (1, 3), (4, 5)].map(|(offset, stride)| Stream {
        bytes: &bytes,
        offset,
        stride,
    });
    let attributes = [
        attribute(0, 1, 2, 0, 0),
        attribute(1, 1, 2, 1, 1),
        attribute(2, 1, 4, 2, 0),
        attribute(2, 2, 2, 3, 1),
    ];
    let mut output = [POISON; 3];
    pica::decode(&attributes, &streams, 0, 3, &mut output).unwrap();
    // Vertex 2 begins at 4, at 7 and at 14; the shorts are 15 + 256 * 16 and 17 + 256 * 18.
    let mut expected = Vertex::DEFAULT;
    expected.slots[0] = [4.0, 5.0, 0.0, 1.0];
    expected.slots[1] = [8.0, 9.0, 0.0, 1.0];
    expected.slots[2] = [14.0, 15.0, 16.0, 17.0];
    expected.slots[3] = [4111.0, 4625.0, 0.0, 1.0];
    assert_eq!(output[2], expected);
}

#[test]
fn every_alignment_of_span_and_attribute() {
    // s16 -2 and f32 0.5, 0.25 in a vertex of 11 bytes.
    let vertex = [0xfe, 0xff, 0, 0, 0, 0x3f, 0, 0, 0x80, 0x3e, 0xee];
    for before in 0..16usize {
        for offset in 0..4u32 {
            let mut bytes = vec![0xee; before + offset as usize];
            for _ in 0..3 {
                bytes.extend(vertex);
            }
            let stream = Stream {
                bytes: &bytes[before..],
                offset,
                stride: 11,
            };
            let attributes = [attribute(0, 2, 1, 0, 0), attribute(0, 3, 2, 1, 2)];
            let mut output = [POISON; 3];
            pica::decode(&attributes, &[stream], 0, 3, &mut output).unwrap();
            let mut expected = Vertex::DEFAULT;
            expected.slots[0][0] = -2.0;
            expected.slots[1] = [0.5, 0.25, 0.0, 1.0];
            assert_eq!(output, [expected; 3]);
        }
    }
}

/// 4,096 vertices of four floats, all zero but for one word.
fn floats(at: usize, bits: u32) -> Vec<u8> {
    let mut bytes = vec![0; 4096 * 16];
    bytes[at..at + 4].copy_from_slice(&bits.to_le_bytes());
    bytes
}

#[test]
fn a_float_that_is_not_finite_in_the_last_place_leaves_all_vertices() {
    let last = 4096 * 16 - 4;
    let good = vec![1; 4096];
    let attributes = [attribute(1, 1, 1, 3, 0), attribute(0, 3, 4, 0, 0)];
    let mut output = vec![POISON; 4096];
    // Infinities, quiet and signaling NaNs of both signs.
    for bits in [
        0x7f80_0000,
        0xff80_0000,
        0x7f80_0001,
        0xffbf_ffff,
        0x7fff_ffff,
    ] {
        let bytes = floats(last, bits);
        let streams = [(&bytes, 16), (&good, 1)].map(|(bytes, stride)| Stream {
            bytes,
            offset: 0,
            stride,
        });
        let error = Error::NonFinite {
            attribute: 1,
            stream: 0,
            vertex: 4095,
            component: 3,
            at: last,
            bits,
        };
        let result = pica::decode(&attributes, &streams, 0, 4096, &mut output);
        assert_eq!(result, Err(error));
        assert_eq!(pica::validate(&attributes, &streams, 0, 4096), Err(error));
        assert!(output.iter().all(|vertex| *vertex == POISON));
        // One vertex less, and it is not looked at.
        let fewer = pica::validate(&attributes, &streams, 0, 4095);
        assert_eq!(fewer, Ok(0b1001));
    }
}

#[test]
fn no_call_allocates() {
    let bytes = floats(0, 0x3f80_0000);
    let bad = floats(16, 0x7f80_0000);
    let attributes = [attribute(0, 3, 4, 0, 0)];
    let [streams, wrong] = [&bytes, &bad].map(|bytes| {
        [Stream {
            bytes,
            offset: 0,
            stride: 16,
        }]
    });
    let chosen: Vec<u8> = (0..4096u32)
        .flat_map(|n| [n as u8, (n >> 8) as u8])
        .collect();
    let shorts = Indices {
        format: 1,
        bytes: &chosen,
        offset: 0,
    };
    let small = Indices {
        format: 0,
        ..shorts
    };
    let mut output = vec![POISON; 4096];
    let counted = allocation_counter::measure(|| {
        pica::decode(&attributes, &streams, 0, 4096, &mut output).unwrap();
        pica::decode_indexed(&attributes, &streams, &shorts, 0, 4096, &mut output).unwrap();
        pica::decode_indexed(&attributes, &streams, &small, 0, 4096, &mut output).unwrap();
        pica::validate_indexed(&attributes, &streams, &shorts, 0, 4096).unwrap();
        pica::decode_indexed(&attributes, &wrong, &shorts, 0, 4096, &mut output).unwrap_err();
    });
    assert_eq!(counted.count_total, 0);
    // The counter does count.
    assert_ne!(allocation_counter::measure(|| drop(vec![1])).count_total, 0);
}
