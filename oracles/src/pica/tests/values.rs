//! What accepted requests are answered with.

use super::*;

/// One attribute in slot 0, from one stream that holds it alone.
fn alone(format: u8, components: u8, stride: u32, data: Vec<u8>) -> Request {
    let count = data.len() as u32 / stride;
    Request {
        mode: 1,
        count,
        capacity: count,
        attributes: vec![([0, format, components, 0], 0)],
        streams: vec![[0, data.len() as u32, 0, stride]],
        data,
        ..Request::default()
    }
}

#[test]
fn every_format() {
    // Floats by hand: 1.0 is 0x3F800000; -1 the same with its sign; 127 = 1.984375 · 2^6, exponent 127 + 6 = 0x85 and
    // mantissa 0.984375 = 0x7E0000; 128 = 2^7, exponent 0x86; 255 = 1.9921875 · 2^7, mantissa 0x7F0000.
    let x = |format, bytes: &[u8]| {
        let stride = bytes.len() as u32;
        alone(format, 1, stride, bytes.to_vec()).fields()["vertex[0].slot[0].x"].clone()
    };
    assert_eq!(x(0, &[0x00]), "0x00000000");
    assert_eq!(x(0, &[0x01]), "0x3f800000");
    assert_eq!(x(0, &[0xFF]), "0xbf800000");
    assert_eq!(x(0, &[0x7F]), "0x42fe0000");
    assert_eq!(x(0, &[0x80]), "0xc3000000");
    assert_eq!(x(1, &[0x80]), "0x43000000");
    assert_eq!(x(1, &[0xFF]), "0x437f0000");
    // 0x0102 = 258 = 1.0078125 · 2^8: exponent 0x87, mantissa 2 / 256 = 0x010000. The low byte is the first.
    assert_eq!(x(2, &[0x02, 0x01]), "0x43810000");
    // -32768 = -2^15: exponent 0x8E. 32767 = 1.99993896484375 · 2^14: mantissa 0x7FFE00.
    assert_eq!(x(2, &[0x00, 0x80]), "0xc7000000");
    assert_eq!(x(2, &[0xFF, 0x7F]), "0x46fffe00");
    // Floats as they are: -0, the smallest denormal, one with every byte another.
    assert_eq!(x(3, &[0, 0, 0, 0x80]), "0x80000000");
    assert_eq!(x(3, &[1, 0, 0, 0]), "0x00000001");
    assert_eq!(x(3, &[0x78, 0x56, 0x34, 0x12]), "0x12345678");
}

#[test]
fn missing_components() {
    let one = "0x3f800000";
    for (components, expected) in [
        (1, ["0x40000000", "0x00000000", "0x00000000", one]),
        (2, ["0x40000000", "0x40400000", "0x00000000", one]),
        (3, ["0x40000000", "0x40400000", "0x40800000", one]),
        (4, ["0x40000000", "0x40400000", "0x40800000", "0x40a00000"]),
    ] {
        // 2, 3, 4, 5.
        let fields = alone(1, components, 4, vec![2, 3, 4, 5]).fields();
        let paths = ["x", "y", "z", "w"].map(|name| format!("vertex[0].slot[0].{name}"));
        for (path, expected) in paths.iter().zip(expected) {
            assert_fields(&fields, &[(path, expected)]);
        }
        assert_fields(
            &fields,
            &[
                ("enabled", "0x1"),
                ("vertices", "0x1"),
                ("vertex[0].unset", "0xf"),
            ],
        );
        // enabled, vertices, four components, unset.
        assert_eq!(fields.len(), 7);
    }
}

#[test]
fn indices_in_their_order() {
    // The example of the contract: 2, 0, 2, 1 give the records 2, 0, 2, 1.
    let mut request = alone(1, 1, 1, vec![10, 11, 12]);
    request.data.extend([2, 0, 2, 1]);
    (request.count, request.capacity) = (4, 4);
    request.indices = Some([0, 0, 3, 4]);
    let expected = [
        // 12 = 1.5 · 2^3, 10 = 1.25 · 2^3, 11 = 1.375 · 2^3: exponent 0x82.
        ("vertices", "0x4"),
        ("vertex[0].slot[0].x", "0x41400000"),
        ("vertex[1].slot[0].x", "0x41200000"),
        ("vertex[2].slot[0].x", "0x41400000"),
        ("vertex[3].slot[0].x", "0x41300000"),
    ];
    assert_fields(&request.fields(), &expected);
    // The first index is the third, and is not added to it: 2, 1.
    (request.first, request.count) = (2, 2);
    let expected = [
        ("vertices", "0x2"),
        ("vertex[0].slot[0].x", "0x41400000"),
        ("vertex[1].slot[0].x", "0x41300000"),
        ("vertex[2].slot[0].x", ""),
    ];
    assert_fields(&request.fields(), &expected);
}

#[test]
fn no_index_is_a_restart() {
    for (format, index, length) in [(0, 0xFF_u32, 1), (1, 0xFFFF, 2)] {
        let mut request = alone(1, 1, 1, vec![0; 2]);
        // The stream is index + 1 zero bytes, the last of which is the vertex of that number.
        request.data = index.to_le_bytes()[..length].to_vec();
        request.zeros = 0x1_0000;
        (request.count, request.capacity) = (1, 1);
        request.streams = vec![[length as u32, index + 1, 0, 1]];
        request.indices = Some([format, 0, 0, length as u32]);
        assert_fields(&request.fields(), &[("vertex[0].slot[0].x", "0x00000000")]);
        request.streams[0][1] = index;
        assert_eq!(request.rejection(), (RejectClass::Truncated, 36));
    }
}

#[test]
fn places_of_a_layout() {
    // Two streams that share their bytes. Vertex 1 of stream 0 is at 1 + 2 + 1 · 5 = 8, its attribute one further: 9.
    // Vertex 1 of stream 1 is at 0 + 0 + 1 · 3 = 3. Byte n of the data is n.
    let request = Request {
        mode: 1,
        first: 1,
        count: 1,
        capacity: 9,
        attributes: vec![([0, 1, 1, 15], 1), ([1, 1, 2, 2], 0)],
        streams: vec![[1, 9, 2, 5], [0, 6, 0, 3]],
        data: (0..10).collect(),
        ..Request::default()
    };
    let expected = [
        ("enabled", "0x8004"),
        ("vertices", "0x1"),
        ("vertex[0].slot[15].x", "0x41100000"), // 9
        ("vertex[0].slot[15].y", "0x00000000"),
        ("vertex[0].slot[2].x", "0x40400000"), // 3
        ("vertex[0].slot[2].y", "0x40800000"), // 4
        ("vertex[0].slot[0].x", ""),
        ("vertex[0].unset", "0xe"),
    ];
    assert_fields(&request.fields(), &expected);
}

#[test]
fn zero_bytes_behind_the_data() {
    // A float whose last two bytes are not stored: 0x00001234. One that is not stored at all.
    let mut request = alone(3, 1, 4, vec![0; 8]);
    (request.data, request.zeros) = (vec![0x34, 0x12], 6);
    let expected = [
        ("vertex[0].slot[0].x", "0x00001234"),
        ("vertex[1].slot[0].x", "0x00000000"),
    ];
    assert_fields(&request.fields(), &expected);
}

#[test]
fn a_validation_writes_nothing() {
    let mut request = alone(0, 3, 3, vec![1; 9]);
    (request.mode, request.capacity) = (0, 0);
    let fields = request.fields();
    assert_fields(&fields, &[("enabled", "0x1"), ("vertices", "0x0")]);
    assert_eq!(fields.len(), 2);
}

#[test]
fn no_attributes_at_all() {
    let request = Request {
        mode: 1,
        count: 1,
        capacity: 1,
        ..Request::default()
    };
    let fields = request.fields();
    assert_fields(
        &fields,
        &[
            ("enabled", "0x0"),
            ("vertices", "0x1"),
            ("vertex[0].unset", "0x10"),
        ],
    );
    assert_eq!(fields.len(), 3);
}
