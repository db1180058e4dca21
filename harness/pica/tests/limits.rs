//! The limits of a call, each at the last value that is allowed and the first that is not, and the errors of indices.

use pica::{Attribute, Error, Indices, Stream, Vertex};

const POISON: Vertex = Vertex {
    slots: [[7.5; 4]; 16],
};

/// The most bytes of a span.
const SPAN: usize = 4_194_304;

/// One byte as u8, from stream `stream` to slot `slot`.
fn byte(stream: u8, slot: u8) -> Attribute {
    Attribute {
        stream,
        format: 1,
        components: 1,
        slot,
        offset: 0,
    }
}

fn stream(bytes: &[u8], stride: u32) -> Stream<'_> {
    Stream {
        bytes,
        offset: 0,
        stride,
    }
}

fn indices(format: u32, bytes: &[u8], offset: u32) -> Indices<'_> {
    Indices {
        format,
        bytes,
        offset,
    }
}

/// A call that is refused, in order and through indices, and leaves the output as it was.
fn refused(attributes: &[Attribute], streams: &[Stream<'_>], count: u32) -> Error {
    let mut output = vec![POISON; 5000];
    let error = pica::decode(attributes, streams, 0, count, &mut output).unwrap_err();
    let zeros = [0; 5000];
    let chosen = indices(0, &zeros, 0);
    assert_eq!(
        pica::decode_indexed(attributes, streams, &chosen, 0, count, &mut output),
        Err(error)
    );
    assert!(output.iter().all(|vertex| *vertex == POISON));
    error
}

#[test]
fn attributes_12_and_13() {
    let streams = [stream(&[9], 1)];
    let attributes: Vec<_> = (0..13).map(|slot| byte(0, slot)).collect();
    assert_eq!(pica::validate(&attributes[..12], &streams, 0, 1), Ok(0xfff));
    assert_eq!(
        refused(&attributes, &streams, 1),
        Error::AttributeCount { found: 13 }
    );
}

#[test]
fn streams_12_and_13() {
    let streams = [stream(&[9], 1); 13];
    let last = [byte(11, 0)];
    assert_eq!(pica::validate(&last, &streams[..12], 0, 1), Ok(1));
    assert_eq!(
        refused(&last, &streams, 1),
        Error::StreamCount { found: 13 }
    );
}

#[test]
fn vertices_4096_and_4097() {
    let bytes = vec![3; 4097];
    let (attributes, streams) = ([byte(0, 0)], [stream(&bytes, 1)]);
    let mut output = vec![POISON; 4097];
    assert_eq!(
        pica::decode(&attributes, &streams, 0, 4096, &mut output),
        Ok(1)
    );
    assert_eq!(output[4095].slots[0], [3.0, 0.0, 0.0, 1.0]);
    assert_eq!(output[4096], POISON);
    assert_eq!(
        refused(&attributes, &streams, 4097),
        Error::VertexCount { found: 4097 }
    );
}

#[test]
fn a_stream_of_4_mib_and_one_more() {
    let mut bytes = vec![0; SPAN + 1];
    bytes[SPAN - 1] = 77;
    let mut output = [POISON];
    let attributes = [byte(0, 0)];
    let whole = [stream(&bytes[..SPAN], 1)];
    let last = SPAN as u32 - 1;
    assert_eq!(
        pica::decode(&attributes, &whole, last, 1, &mut output),
        Ok(1)
    );
    assert_eq!(output[0].slots[0][0], 77.0);
    let found = SPAN + 1;
    assert_eq!(
        refused(&attributes, &[stream(&bytes, 1)], 1),
        Error::StreamLength { stream: 0, found }
    );
    // Also of a stream that no attribute uses.
    assert_eq!(
        refused(&attributes, &[whole[0], stream(&bytes, 1)], 1),
        Error::StreamLength { stream: 1, found }
    );
}

#[test]
fn indices_of_4_mib_and_one_more() {
    let mut chosen = vec![0; SPAN + 1];
    chosen[SPAN - 1] = 2;
    let (attributes, streams) = ([byte(0, 0)], [stream(&[5, 6, 7], 1)]);
    let mut output = [POISON; 2];
    let whole = indices(0, &chosen[..SPAN], 0);
    let last = SPAN as u32 - 2;
    let decoded = pica::decode_indexed(&attributes, &streams, &whole, last, 2, &mut output);
    assert_eq!(decoded, Ok(1));
    assert_eq!(output.map(|vertex| vertex.slots[0][0]), [5.0, 7.0]);
    assert_eq!(
        pica::validate_indexed(&attributes, &streams, &indices(0, &chosen, 0), 0, 1),
        Err(Error::IndexLength { found: SPAN + 1 })
    );
}

#[test]
fn slots_0_to_15_and_no_other() {
    let streams = [stream(&[9], 1)];
    for slot in 0..=255 {
        if slot > 15 {
            let error = Error::Slot {
                attribute: 0,
                found: slot,
            };
            assert_eq!(refused(&[byte(0, slot)], &streams, 1), error);
            continue;
        }
        let mut output = [POISON];
        let enabled = pica::decode(&[byte(0, slot)], &streams, 0, 1, &mut output);
        assert_eq!(enabled, Ok(1 << slot));
        let mut expected = Vertex::DEFAULT;
        expected.slots[usize::from(slot)][0] = 9.0;
        assert_eq!(output, [expected]);
    }
}

#[test]
fn strides_1_to_255_and_no_other() {
    let bytes: Vec<u8> = (0..=255).chain(0..=255).collect();
    for stride in 1..=255u32 {
        let mut output = [POISON; 2];
        let streams = [stream(&bytes, stride)];
        pica::decode(&[byte(0, 0)], &streams, 0, 2, &mut output).unwrap();
        let read = output.map(|vertex| vertex.slots[0][0]);
        assert_eq!(read, [0.0, stride as f32], "stride {stride}");
        // The last byte of a vertex is its own; one more is not.
        let at = |offset| Attribute {
            offset,
            ..byte(0, 0)
        };
        assert_eq!(pica::validate(&[at(stride - 1)], &streams, 0, 2), Ok(1));
        let error = Error::BeyondStride {
            attribute: 0,
            end: u64::from(stride) + 1,
            stride,
        };
        assert_eq!(refused(&[at(stride)], &streams, 2), error);
    }
    for found in [0, 256, u32::MAX] {
        let error = Error::Stride { stream: 0, found };
        assert_eq!(refused(&[byte(0, 0)], &[stream(&bytes, found)], 1), error);
    }
}

#[test]
fn every_error_of_indices() {
    let (attributes, streams) = ([byte(0, 0)], [stream(&[5, 6, 7], 1)]);
    let chosen = [0, 1, 2, 0, 1];
    let mut output = [POISON; 4];
    let mut run = |indices: &Indices<'_>, first, count| {
        let result =
            pica::decode_indexed(&attributes, &streams, indices, first, count, &mut output);
        if result.is_err() {
            assert_eq!(output, [POISON; 4]);
        }
        output = [POISON; 4];
        result
    };
    for found in [2, 0x100, u32::MAX] {
        assert_eq!(
            run(&indices(found, &chosen, 0), 0, 1),
            Err(Error::IndexFormat { found })
        );
    }
    // Five bytes: indices 2 to 4 as bytes, but no third short, and not the second one from byte 2 on.
    assert_eq!(run(&indices(0, &chosen, 0), 2, 3), Ok(1));
    let truncated = |end| Err(Error::IndexTruncated { end, length: 5 });
    assert_eq!(run(&indices(0, &chosen, 0), 2, 4), truncated(6));
    assert_eq!(run(&indices(0, &chosen, 5), 0, 1), truncated(6));
    let shorts = [1, 0, 2, 0, 0];
    assert_eq!(run(&indices(1, &shorts, 0), 0, 2), Ok(1));
    assert_eq!(run(&indices(1, &shorts, 0), 2, 1), truncated(6));
    assert_eq!(run(&indices(1, &shorts, 2), 1, 1), truncated(6));
    // The end is 2^32 - 1, no matter how long the span is, and then one more: as a byte and as a short.
    let end = u64::from(u32::MAX);
    assert_eq!(
        run(&indices(0, &chosen, u32::MAX - 1), 0, 1),
        truncated(end)
    );
    let overflow = |end| Err(Error::IndexOverflow { end });
    assert_eq!(run(&indices(0, &chosen, u32::MAX), 0, 1), overflow(end + 1));
    assert_eq!(run(&indices(1, &shorts, 1), 0x7fff_fffe, 1), truncated(end));
    assert_eq!(
        run(&indices(1, &shorts, 0), 0x7fff_ffff, 1),
        overflow(end + 1)
    );
    // The number of the last index.
    let (first, count) = (u32::MAX, 2);
    assert_eq!(
        run(&indices(0, &chosen, 0), first, count),
        Err(Error::LastOverflow { first, count })
    );
    // An index beyond the stream: the last of those that are selected.
    let beyond = Error::RangeTruncated {
        attribute: 0,
        vertex: 3,
        end: 4,
        length: 3,
    };
    assert_eq!(run(&indices(0, &[0, 1, 2, 3], 0), 0, 4), Err(beyond));
    assert_eq!(run(&indices(0, &[0, 1, 2, 3], 0), 0, 3), Ok(1));
}
