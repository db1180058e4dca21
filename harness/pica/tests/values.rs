//! Every value of every integer format and of both index formats, every format with every number of components.

use pica::{Attribute, Indices, Stream, Vertex};

fn attribute(format: u8, components: u8) -> Attribute {
    Attribute {
        stream: 0,
        format,
        components,
        slot: 0,
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

/// The x of `count` vertices from `first` on.
fn decoded(format: u8, stream: Stream<'_>, first: u32, count: u32) -> Vec<f32> {
    let mut output = vec![Vertex::DEFAULT; count as usize];
    let enabled = pica::decode(
        &[attribute(format, 1)],
        &[stream],
        first,
        count,
        &mut output,
    );
    assert_eq!(enabled, Ok(1));
    output.iter().map(|vertex| vertex.slots[0][0]).collect()
}

#[test]
fn all_256_signed_and_unsigned_bytes() {
    let bytes: Vec<u8> = (0..=255).collect();
    // 0 to 127, then -128 to -1.
    let signed: Vec<f32> = (0..128).chain(-128..0).map(|n: i16| f32::from(n)).collect();
    assert_eq!(decoded(0, stream(&bytes, 1), 0, 256), signed);
    let unsigned: Vec<f32> = (0..256).map(|n: u16| f32::from(n)).collect();
    assert_eq!(decoded(1, stream(&bytes, 1), 0, 256), unsigned);
}

#[test]
fn all_65536_signed_shorts() {
    // -32768 to 32767, low byte first, each on an odd address; sixteen calls of 4,096.
    let mut bytes = vec![0xee];
    for value in -32768..32768i32 {
        bytes.push((value & 0xff) as u8);
        bytes.push((value >> 8 & 0xff) as u8);
    }
    for call in 0..16 {
        let source = Stream {
            offset: 1,
            ..stream(&bytes, 2)
        };
        let expected: Vec<f32> = (0..4096)
            .map(|n| (call * 4096 + n - 32768) as f32)
            .collect();
        assert_eq!(decoded(2, source, call as u32 * 4096, 4096), expected);
    }
}

#[test]
fn all_formats_with_all_numbers_of_components() {
    // In each format four components that read 1, 2, 3, 4.
    let floats: Vec<u8> = [0x3f80_0000u32, 0x4000_0000, 0x4040_0000, 0x4080_0000]
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect();
    let vertices = [
        vec![1, 2, 3, 4],
        vec![1, 2, 3, 4],
        vec![1, 0, 2, 0, 3, 0, 4, 0],
        floats,
    ];
    let expected = [
        [1.0, 0.0, 0.0, 1.0],
        [1.0, 2.0, 0.0, 1.0],
        [1.0, 2.0, 3.0, 1.0],
        [1.0, 2.0, 3.0, 4.0],
    ];
    for (format, bytes) in vertices.iter().enumerate() {
        for (less, expected) in expected.iter().enumerate() {
            // The span ends with the last component that is read.
            let components = less + 1;
            let size = bytes.len() / 4 * components;
            let source = stream(&bytes[..size], size as u32);
            let attribute = attribute(format as u8, components as u8);
            let mut output = [Vertex::DEFAULT];
            pica::decode(&[attribute], &[source], 0, 1, &mut output).unwrap();
            assert_eq!(output[0].slots[0], *expected, "format {format}");
        }
    }
}

/// The vertices that `indices` select of records that hold 0, 1, 2 and so on, low byte first.
fn gathered(format: u32, indices: &[u8], records: usize, count: u32) -> Vec<u32> {
    let mut bytes = Vec::new();
    for number in 0..records {
        bytes.extend([(number & 0xff) as u8, (number >> 8) as u8]);
    }
    let indices = Indices {
        format,
        bytes: indices,
        offset: 0,
    };
    let mut output = vec![Vertex::DEFAULT; count as usize];
    pica::decode_indexed(
        &[attribute(1, 2)],
        &[stream(&bytes, 2)],
        &indices,
        0,
        count,
        &mut output,
    )
    .unwrap();
    let number = |vertex: &Vertex| vertex.slots[0][0] as u32 + 256 * vertex.slots[0][1] as u32;
    output.iter().map(number).collect()
}

#[test]
fn all_256_byte_indices_also_0xff() {
    let indices: Vec<u8> = (0..=255).rev().collect();
    let expected: Vec<u32> = (0..256).rev().collect();
    assert_eq!(gathered(0, &indices, 256, 256), expected);
}

#[test]
fn all_65536_short_indices_also_0xffff() {
    for call in 0..16 {
        let numbers: Vec<u32> = (call * 4096..(call + 1) * 4096).rev().collect();
        let indices: Vec<u8> = numbers
            .iter()
            .flat_map(|number| [(number & 0xff) as u8, (number >> 8) as u8])
            .collect();
        assert_eq!(gathered(1, &indices, 65536, 4096), numbers);
    }
}
