use super::*;

/// A command that writes one register.
fn write(register: u32, value: u32) -> [u32; 2] {
    [value, 0xf << 16 | register]
}

fn resolved(commands: &[u32]) -> Result<Vec<Draw>, StateError> {
    let bytes: Vec<u8> = commands
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect();
    draws(&bytes)
}

fn one(commands: &[[u32; 2]]) -> Draw {
    let mut draws = resolved(commands.as_flattened()).expect("a good list");
    assert_eq!(draws.len(), 1);
    draws.remove(0)
}

#[test]
fn components_are_aligned_in_the_record_and_padding_is_no_attribute() {
    // s8 x1, padding of 8 bytes (id 13), f32 x1: 0, then 4 + 8 = 12, so the float is at 12 and the record has 16 bytes.
    let draw = one(&[
        write(0x200, 0x0300_0000),
        write(0x201, 0x30),
        write(0x202, 1 << 28),
        write(0x203, 0x10),
        write(0x204, 0x1d0),
        write(0x205, 3 << 28 | 16 << 16),
        write(0x228, 3),
        write(0x22a, 5),
        write(0x2bb, 0x21),
        write(0x22e, 1),
    ]);
    let loader = draw.loaders[0].expect("it has components");
    // 0x03000000 · 8 and the offset.
    assert_eq!(
        (loader.address, loader.stride, loader.size),
        (0x1800_0010, 16, 16)
    );
    let sources: Vec<_> = draw
        .attributes
        .iter()
        .map(|attribute| attribute.source)
        .collect();
    let at = |offset| Source::Loader { loader: 0, offset };
    assert_eq!(sources, [at(0), at(12)]);
    let slots: Vec<_> = draw
        .attributes
        .iter()
        .map(|attribute| attribute.slot)
        .collect();
    assert_eq!(
        (slots.as_slice(), draw.status),
        ([1, 2].as_slice(), Status::Resolved)
    );
    assert_eq!((draw.first, draw.vertices, draw.at), (5, 3, 72));
}

#[test]
fn a_fixed_value_goes_before_an_array_and_the_first_vertex_is_not_for_indices() {
    // 1.0 is 0x3f0000: exponent 63, mantissa 0. x = 1, y = 0, z = 0, w = -2 (0xc00000).
    let draw = one(&[
        write(0x202, 1 << 16),
        write(0x205, 1 << 28 | 4 << 16),
        write(0x232, 0),
        write(0x233, 0xc0_0000 << 8),
        write(0x234, 0),
        write(0x235, 0x3f_0000),
        write(0x227, 1 << 31 | 0x40),
        write(0x22a, 7),
        write(0x22f, 1),
    ]);
    let value = Fixed {
        value: [1.0, 0.0, 0.0, -2.0],
        written: true,
    };
    assert_eq!(draw.attributes[0].source, Source::Fixed(value));
    assert_eq!((draw.attributes[0].named, draw.first), (1, 0));
    assert_eq!(
        draw.indices,
        Some(IndexArray {
            address: 0x40,
            width: 2
        })
    );
}

#[test]
fn parameters_go_to_one_register_or_to_those_that_follow_it() {
    // Three words to 0x233 make fixed attribute 2 and the header's bit 31 spreads two words over 0x22a and 0x22b.
    let list = [
        2,
        0x000f_0232, // select attribute 2
        0,
        0x002f_0233,
        0,
        0x40_0000, // 2.0 in x
        9,
        0x801f_022a,
        8,
        0, // 9 to 0x22a, 8 to 0x22b; padded
        0,
        0x0003_022a, // the low half of it to 0
        4 << 16,
        0x0004_022a, // byte 2 to 4
        0x2004_0000,
        0x000f_0202, // three attributes, attribute 2 fixed
        0,
        0x0000_022e, // mask 0: no draw
        0,
        0x000f_022e,
    ];
    let draws = resolved(&list).expect("a good list");
    assert_eq!(draws.len(), 1);
    assert_eq!(draws[0].first, 4 << 16);
    let Source::Fixed(fixed) = draws[0].attributes[2].source else {
        panic!("{:?}", draws[0].attributes[2]);
    };
    assert_eq!((fixed.value, fixed.written), ([2.0, 0.0, 0.0, 0.0], true));
    assert_eq!(draws[0].attributes[0].source, Source::Nowhere);
}

#[test]
fn what_no_decoder_can_follow_is_said() {
    // Stride 2 for a float; both attributes to slot 0; stride 0; 13 components; 13 attributes; 4,097 vertices.
    let status = |low: u32, count: u32, ids: u32, last: u32, vertices: u32| {
        let commands = [
            write(0x201, low),
            write(0x202, (count - 1) << 28),
            write(0x204, ids),
            write(0x205, last),
            write(0x228, vertices),
            write(0x22e, 1),
        ];
        one(&commands).status
    };
    assert_eq!(
        status(0x3, 1, 0, 1 << 28 | 2 << 16, 1),
        Status::BeyondStride
    );
    assert_eq!(status(0, 2, 0x10, 2 << 28 | 2 << 16, 1), Status::Slot);
    assert_eq!(status(0, 1, 0, 1 << 28, 1), Status::Stride);
    assert_eq!(
        status(0, 1, 0, 13 << 28 | 255 << 16, 1),
        Status::ComponentCount
    );
    assert_eq!(
        status(0, 13, 0, 1 << 28 | 1 << 16, 1),
        Status::AttributeCount
    );
    assert_eq!(status(0, 1, 0, 1 << 28 | 1 << 16, 4097), Status::Count);
    assert_eq!(status(0, 1, 0, 1 << 28 | 1 << 16, 4096), Status::Resolved);
}

#[test]
fn broken_lists_are_refused_at_their_place() {
    assert_eq!(draws(&[0; 4]), Err(StateError::Length { found: 4 }));
    // One further parameter needs two more words.
    let truncated = StateError::Truncated {
        at: 8,
        needed: 16,
        left: 8,
    };
    assert_eq!(resolved(&[0, 0xf_0200, 0, 0x1f_0200]), Err(truncated));
    let register = StateError::Register {
        at: 4,
        found: 0x300,
    };
    assert_eq!(resolved(&[0, 0xf_0300]), Err(register));
    assert_eq!(resolved(&[0, 0x801f_02ff, 0, 0]), Err(register));
    // Fixed attribute 15 is immediate mode; what comes after it is judged all the same.
    let immediate = [15, 0xf_0232, 0, 0xf_0233];
    assert_eq!(resolved(&immediate), Err(StateError::Immediate { at: 8 }));
    let later = [15, 0xf_0232, 0, 0xf_0233, 0, 0xf_0300];
    assert_eq!(
        resolved(&later),
        Err(StateError::Register {
            at: 20,
            found: 0x300
        })
    );
    let many: Vec<u32> = (0..4097).flat_map(|_| write(0x22e, 1)).collect();
    assert_eq!(
        resolved(&many),
        Err(StateError::TooManyDraws { at: 4096 * 8 })
    );
    assert_eq!(resolved(&[]), Ok(Vec::new()));
}

#[test]
fn floats_of_24_bits_are_floats_of_32() {
    for (bits, number) in [
        (0, 0.0),
        (0x3f_0000, 1.0),
        (0xc0_0000, -2.0),
        (0x3f_8000, 1.5),
        (0x3e_0001, 0.5 + 0.5 / 65536.0),
        // The smallest: exponent 0 is 2^-63, there are no denormals.
        (0x00_0001, (1.0 + 1.0 / 65536.0) * 2.0_f32.powi(-63)),
        (0x7f_0000, f32::INFINITY),
        (0xff_0000, f32::NEG_INFINITY),
    ] {
        assert_eq!(float24(bits).to_bits(), number.to_bits(), "{bits:06x}");
    }
    assert_eq!(float24(0x7f_0001).to_bits(), 0x7f80_0080);
    assert_eq!(float24(0x80_0000).to_bits(), 0x8000_0000);
}
