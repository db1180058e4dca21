//! Each rule of a request: a border that is taken, and one that is not.

use corpora::RejectClass::*;

use super::*;

/// Three vertices of two unsigned bytes, at a stride of four; and indices 2, 0, 2, 1 behind them. The header has 20 bytes:
/// the attribute is at 20, the stream at 28, the data at 44. With indices those are 36, 44 and 60, and the indices at 20.
fn plain() -> Request {
    Request {
        mode: 1,
        count: 3,
        capacity: 3,
        attributes: vec![([0, 1, 2, 0], 0)],
        streams: vec![[0, 12, 0, 4]],
        data: vec![1, 2, 0, 0, 3, 4, 0, 0, 5, 6, 0, 0, 2, 0, 2, 1],
        ..Request::default()
    }
}

fn indexed() -> Request {
    Request {
        count: 4,
        capacity: 4,
        indices: Some([0, 0, 12, 4]),
        ..plain()
    }
}

#[track_caller]
fn taken(change: impl Fn(&mut Request)) {
    let mut request = plain();
    change(&mut request);
    request.fields();
}

#[track_caller]
fn refused(class: RejectClass, offset: u64, change: impl Fn(&mut Request)) {
    let mut request = plain();
    change(&mut request);
    assert_eq!(request.rejection(), (class, offset));
}

#[track_caller]
fn indices_taken(change: impl Fn(&mut Request)) {
    let mut request = indexed();
    change(&mut request);
    request.fields();
}

#[track_caller]
fn indices_refused(class: RejectClass, offset: u64, change: impl Fn(&mut Request)) {
    let mut request = indexed();
    change(&mut request);
    assert_eq!(request.rejection(), (class, offset));
}

#[test]
fn rule_1_header() {
    assert_eq!(rejection("decode", &[]), (Truncated, 0));
    assert_eq!(rejection("decode", &[9; 19]), (Truncated, 0));
    fields("decode", &[0; 20]);
    refused(OutOfRange, 2, |it| it.mode = 2);
    taken(|it| (it.mode, it.capacity) = (0, 0));
    refused(Reserved, 3, |it| it.reserved = 1);
    refused(Limit, 16, |it| it.zeros = 8_388_609);
    taken(|it| it.zeros = 8_388_608);
    // Numbers that are too large come before structures that are not there.
    let header = |attributes, streams| {
        let mut bytes = [0; 20];
        (bytes[0], bytes[1]) = (attributes, streams);
        rejection("decode", &bytes)
    };
    assert_eq!(header(13, 13), (Limit, 0));
    assert_eq!(header(12, 13), (Limit, 1));
    assert_eq!(header(12, 12), (Truncated, 20));
    // In the order of the rule, not of the bytes.
    refused(OutOfRange, 2, |it| (it.mode, it.reserved) = (2, 1));
    refused(Reserved, 3, |it| (it.reserved, it.zeros) = (1, u32::MAX));
    let mut bytes = [0; 20];
    (bytes[0], bytes[19]) = (13, 1);
    assert_eq!(rejection("decode", &bytes), (Limit, 16));
}

#[test]
fn rule_2_structures() {
    let bytes = indexed().bytes();
    let cut = |length: usize| rejection("indexed", &bytes[..length]);
    assert_eq!(cut(20), (Truncated, 20));
    assert_eq!(cut(35), (Truncated, 20));
    assert_eq!(cut(36), (Truncated, 36));
    assert_eq!(cut(43), (Truncated, 36));
    assert_eq!(cut(59), (Truncated, 44));
    // Zero bytes of the data are no bytes of the request.
    let mut short = bytes[..59].to_vec();
    short[16] = 100;
    assert_eq!(rejection("indexed", &short), (Truncated, 44));
    // All structures, and no data: the span of the indices is the first that is not there.
    assert_eq!(cut(60), (Truncated, 28));
}

#[test]
fn rule_3_spans() {
    taken(|it| it.streams[0] = [4, 12, 0, 4]);
    refused(Truncated, 28, |it| it.streams[0] = [5, 12, 0, 4]);
    taken(|it| (it.zeros, it.streams[0]) = (1, [5, 12, 0, 4]));
    // An empty span at the very end, and one behind it; the count is zero, so that nothing is fetched.
    taken(|it| (it.count, it.streams[0]) = (0, [16, 0, 0, 4]));
    refused(Truncated, 28, |it| {
        (it.count, it.streams[0]) = (0, [17, 0, 0, 4])
    });
    // A sum above 32 bits.
    refused(Truncated, 28, |it| {
        it.streams[0] = [u32::MAX, u32::MAX, 0, 4]
    });
    indices_taken(|it| it.indices = Some([0, 0, 12, 4]));
    indices_refused(Truncated, 28, |it| it.indices = Some([0, 0, 13, 4]));
    // Indices before streams.
    indices_refused(Truncated, 28, |it| {
        it.indices = Some([0, 0, 13, 4]);
        it.streams[0][0] = 99;
    });
    indices_refused(Truncated, 44, |it| it.streams[0][0] = 99);
}

#[test]
fn rule_4_streams() {
    taken(|it| (it.zeros, it.streams[0][1]) = (8_388_608, 4_194_304));
    refused(Limit, 32, |it| {
        (it.zeros, it.streams[0][1]) = (8_388_608, 4_194_305)
    });
    refused(OutOfRange, 40, |it| it.streams[0][3] = 0);
    taken(|it| (it.streams[0][3], it.attributes[0].0[2]) = (1, 1));
    taken(|it| (it.zeros, it.streams[0]) = (600, [0, 600, 0, 255]));
    refused(OutOfRange, 40, |it| {
        (it.zeros, it.streams[0]) = (600, [0, 600, 0, 256])
    });
    // A stream that nothing uses, behind the other.
    refused(OutOfRange, 56, |it| it.streams.push([0; 4]));
    // Streams before attributes.
    refused(OutOfRange, 40, |it| {
        (it.streams[0][3], it.attributes[0].0[1]) = (0, 4)
    });
}

#[test]
fn rule_5_attributes() {
    let set = |byte: usize, value: u8| move |it: &mut Request| it.attributes[0].0[byte] = value;
    refused(OutOfRange, 20, set(0, 1));
    refused(Reserved, 21, set(1, 4));
    refused(OutOfRange, 22, set(2, 0));
    taken(set(2, 1));
    taken(set(2, 4));
    // Five bytes of a stride of eight.
    refused(OutOfRange, 22, |it| {
        it.attributes[0].0[2] = 5;
        it.streams[0][3] = 8;
    });
    taken(set(3, 15));
    refused(OutOfRange, 23, set(3, 16));
    refused(Overlap, 31, |it| it.attributes.push(([0, 1, 1, 0], 3)));
    taken(|it| it.attributes.push(([0, 1, 1, 1], 3)));
    // Two bytes in a stride of four.
    taken(|it| it.attributes[0].1 = 2);
    refused(OutOfRange, 24, |it| it.attributes[0].1 = 3);
    refused(OutOfRange, 24, |it| it.attributes[0].1 = u32::MAX);
    // All members are wrong, and mended one by one.
    let mut request = plain();
    request.attributes[0] = ([1, 4, 5, 16], 9);
    for (byte, good, expected) in [
        (0, 0, (OutOfRange, 20)),
        (1, 1, (Reserved, 21)),
        (2, 2, (OutOfRange, 22)),
        (3, 0, (OutOfRange, 23)),
    ] {
        assert_eq!(request.rejection(), expected);
        request.attributes[0].0[byte] = good;
    }
    assert_eq!(request.rejection(), (OutOfRange, 24));
}

#[test]
fn rule_6_indices() {
    indices_refused(Reserved, 20, |it| it.indices = Some([2, 0, 12, 4]));
    indices_refused(Limit, 32, |it| {
        it.zeros = 8_388_608;
        it.indices = Some([0, 0, 0, 4_194_305]);
    });
    // Six bytes of u16 at 0: indices 0x0201, 0x0000, 0x0403 of one byte each, in zero bytes.
    indices_taken(|it| {
        it.zeros = 100_000;
        it.indices = Some([1, 0, 0, 4_194_304 / 64]);
        it.streams[0][1] = 100_000;
        it.count = 3;
    });
    // Attributes before indices.
    indices_refused(Reserved, 37, |it| {
        it.indices = Some([2, 0, 12, 4]);
        it.attributes[0].0[1] = 4;
    });
}

#[test]
fn rule_7_count_and_capacity() {
    let many = |count| {
        move |it: &mut Request| {
            (it.count, it.capacity, it.zeros) = (count, 5000, 100_000);
            it.streams[0][1] = 50_000;
        }
    };
    taken(many(4_096));
    refused(Limit, 8, many(4_097));
    refused(OutOfRange, 12, |it| it.capacity = 2);
    taken(|it| it.capacity = 4);
    refused(OutOfRange, 12, |it| it.mode = 0);
    taken(|it| (it.mode, it.capacity) = (0, 0));
    // Also where nothing is to be written.
    refused(OutOfRange, 12, |it| {
        (it.mode, it.count, it.capacity) = (0, 0, 1)
    });
    refused(Limit, 8, |it| (it.count, it.capacity) = (4_097, 0));
}

#[test]
fn rule_8_nothing_to_fetch() {
    // A first vertex, a stream's offset and indices that no other count is accepted with.
    taken(|it| (it.count, it.first, it.streams[0][2]) = (0, u32::MAX, u32::MAX));
    indices_taken(|it| {
        (it.count, it.first) = (0, u32::MAX);
        it.indices = Some([1, u32::MAX, 0, 0]);
    });
    // The layout is judged.
    refused(Reserved, 21, |it| {
        (it.count, it.attributes[0].0[1]) = (0, 4)
    });
}

#[test]
fn rule_9_vertex_numbers() {
    let unused = |first, count| {
        move |it: &mut Request| {
            it.attributes.clear();
            (it.first, it.count) = (first, count);
        }
    };
    // Without attributes no other rule looks at vertices.
    taken(unused(0xFFFF_FFFE, 2));
    refused(Overflow, 4, unused(0xFFFF_FFFE, 3));
    indices_refused(Overflow, 4, |it| it.first = 0xFFFF_FFFD);
    // 2^32 - 4 + 4 - 1 is the last number there is; what it is the index of is not there: (first + count) · 1 = 2^32.
    indices_refused(Overflow, 24, |it| it.first = 0xFFFF_FFFC);
}

#[test]
fn rule_10_index_range() {
    // Four indices of one byte in a span of four.
    indices_refused(Truncated, 24, |it| it.first = 1);
    indices_refused(Truncated, 24, |it| it.indices = Some([0, 1, 12, 4]));
    indices_taken(|it| (it.count, it.indices) = (3, Some([0, 1, 12, 4])));
    indices_taken(|it| (it.first, it.count) = (1, 3));
    // Two of two bytes: (0 + 2) · 2 = 4. They are 2 and 0x102, which needs 0x103 records of four bytes.
    let two = |it: &mut Request| {
        (it.count, it.zeros, it.indices) = (2, 0x500, Some([1, 0, 12, 4]));
        it.streams[0][1] = 0x102 * 4 + 2;
    };
    indices_taken(two);
    indices_refused(Truncated, 24, |it| {
        two(it);
        it.count = 3;
    });
    // Offset 2^32 - 4 and (0 + 4) · 1: above; 2^32 - 5: not above, and beyond the span.
    indices_refused(Overflow, 24, |it| {
        it.indices = Some([0, 0xFFFF_FFFC, 12, 4])
    });
    indices_refused(Truncated, 24, |it| {
        it.indices = Some([0, 0xFFFF_FFFB, 12, 4])
    });
    // 2^31 indices of two bytes, computed without bound: not zero.
    indices_refused(Overflow, 24, |it| {
        (it.first, it.count) = (0x7FFF_FFFE, 2);
        it.indices = Some([1, 0, 12, 4]);
    });
}

#[test]
fn rule_11_ranges() {
    // The last of three vertices ends at 0 + 2 · 4 + 0 + 2 = 10.
    taken(|it| it.streams[0][1] = 10);
    refused(Truncated, 20, |it| it.streams[0][1] = 9);
    taken(|it| it.streams[0][2] = 2);
    refused(Truncated, 20, |it| it.streams[0][2] = 3);
    refused(Truncated, 20, |it| it.first = 1);
    // 2^32 - 11 + 10 is the largest end that is none too large.
    refused(Truncated, 20, |it| it.streams[0][2] = 0xFFFF_FFF5);
    refused(Overflow, 20, |it| it.streams[0][2] = 0xFFFF_FFF6);
    // The largest vertex, wherever it stands: 2 of 2, 0, 2, 1.
    indices_taken(|it| it.streams[0][1] = 10);
    indices_refused(Truncated, 36, |it| it.streams[0][1] = 9);
    // Attribute by attribute: the first is beyond the span, the second would overflow.
    let two = |first, second| {
        move |it: &mut Request| {
            it.streams = vec![[0, 12, first, 4], [0, 12, second, 4]];
            it.attributes.push(([1, 1, 2, 1], 0));
        }
    };
    refused(Truncated, 20, two(9, u32::MAX));
    refused(Overflow, 28, two(0, u32::MAX));
}

#[test]
fn rule_12_floats() {
    // Two vertices of two floats; the data is at 44. The third float, of vertex 1, is at 44 + 8.
    let floats = |bits: [u32; 4]| Request {
        mode: 1,
        count: 2,
        capacity: 2,
        attributes: vec![([0, 3, 2, 0], 0)],
        streams: vec![[0, 16, 0, 8]],
        data: words(&bits),
        ..Request::default()
    };
    floats([0, 0x7F7F_FFFF, 0xFF7F_FFFF, 1]).fields();
    for bad in [0x7F80_0000, 0xFF80_0000, 0x7F80_0001, 0x7FC0_0000, u32::MAX] {
        assert_eq!(floats([0, 0, bad, bad]).rejection(), (Nonfinite, 52));
        assert_eq!(floats([0, 0, 0, bad]).rejection(), (Nonfinite, 56));
        // Vertex 0 alone does not refer to it.
        let mut one = floats([0, 0, bad, bad]);
        one.count = 1;
        one.fields();
        // Nor does an attribute of one component to the second.
        one = floats([0, bad, 0, bad]);
        one.attributes[0].0[2] = 1;
        one.fields();
        // A validation looks as well; nothing selected, nothing looked at.
        one = floats([0, 0, bad, bad]);
        (one.mode, one.capacity) = (0, 0);
        assert_eq!(one.rejection(), (Nonfinite, 52));
        one.count = 0;
        one.fields();
        // In the order of the call: vertex 1 comes first. 16 bytes of indices: the data is at 60.
        one = floats([bad, 0, 0, bad]);
        one.indices = Some([0, 0, 16, 2]);
        one.data.extend([1, 0]);
        assert_eq!(one.rejection(), (Nonfinite, 60 + 12));
    }
    // Integers of the same bytes are no floats.
    let mut bytes = floats([u32::MAX; 4]);
    bytes.attributes[0].0[1] = 0;
    bytes.fields();
    // Attribute before vertex: vertex 1 of the first, before vertex 0 of the second.
    let bad = 0x7F80_0000;
    let mut two = floats([0, bad, bad, 0]);
    two.attributes = vec![([0, 3, 1, 0], 0), ([0, 3, 1, 1], 4)];
    // Eight bytes more of attributes: the data is at 52.
    assert_eq!(two.rejection(), (Nonfinite, 52 + 8));
}
