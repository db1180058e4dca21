//! Fixed attributes: packing, 24-bit floats, selection.

use super::*;
use crate::pica::fixed::Float24;

#[test]
fn floats_of_24_bits() {
    let float = Float24::read(&Tables::embedded()).unwrap();
    for (packed, expected) in [
        // 1.0: exponent 63 is 0x3F.
        (0x3F_0000, 0x3F80_0000),
        // -2.0: sign, exponent 64.
        (0xC0_0000, 0xC000_0000),
        // 1.5: the highest bit of the mantissa.
        (0x3F_8000, 0x3FC0_0000),
        // 1 + 2^-16: the lowest bit of 16 is bit 7 of 23.
        (0x3F_0001, 0x3F80_0080),
        // Zero, and with a sign.
        (0x00_0000, 0x0000_0000),
        (0x80_0000, 0x8000_0000),
        // Exponent 0: 2^-63 · (1 + 2^-16), no denormal. The exponent of 32 bits is 127 - 63 = 64 = 0x40.
        (0x00_0001, 0x2000_0080),
        (0x80_FFFF, 0xA07F_FF80),
        // 2^-62, and the largest: 2^63 · (2 - 2^-16), exponent 63 + 127 = 190 = 0xBE.
        (0x01_0000, 0x2080_0000),
        (0x7E_FFFF, 0x5F7F_FF80),
        // Infinite, and NaN with its mantissa on top.
        (0x7F_0000, 0x7F80_0000),
        (0xFF_0000, 0xFF80_0000),
        (0x7F_0001, 0x7F80_0080),
        (0xFF_8000, 0xFFC0_0000),
    ] {
        assert_eq!(float.to_f32(packed), expected, "{packed:#08x}");
    }
}

#[test]
fn every_float_of_24_bits_has_its_value() {
    // Computed the other way: as a product of powers of two, which f64 holds exactly.
    let float = Float24::read(&Tables::embedded()).unwrap();
    for packed in 0..1_u32 << 24 {
        let (exponent, mantissa) = (packed >> 16 & 0x7F, packed & 0xFFFF);
        let found = f64::from(f32::from_bits(float.to_f32(packed)));
        assert_eq!(found.is_sign_negative(), packed >> 23 == 1, "{packed:#08x}");
        if exponent == 127 {
            assert_eq!(found.is_nan(), mantissa != 0, "{packed:#08x}");
            assert_eq!(found.is_infinite(), mantissa == 0, "{packed:#08x}");
        } else {
            let one_and = 1.0 + f64::from(mantissa) / 65_536.0;
            let value = one_and * 2_f64.powi(exponent as i32 - 63);
            let value = if packed & 0x7F_FFFF == 0 { 0.0 } else { value };
            assert_eq!(found.abs(), value, "{packed:#08x}");
        }
    }
}

/// Attributes 0 to 11 are fixed, twelve of them; then the draw.
fn drawn(list: &[u8]) -> Fields {
    fields(
        "state",
        &[list, &write(0x202, 0xBFFF_0000), &write(0x22E, 0)].concat(),
    )
}

/// x = 1.0, y = -2.0, z = 1.5, w = 0x012345: (w<<8 | z>>16), (z<<16 | y>>8), (y<<24 | x).
const PACKED: [u32; 3] = [0x0123_453F, 0x8000_C000, 0x003F_0000];

fn data() -> Vec<u8> {
    [
        write(0x233, PACKED[0]),
        write(0x234, PACKED[1]),
        write(0x235, PACKED[2]),
    ]
    .concat()
}

/// The components above; w has exponent 1, 2^-62: 0x41, and mantissa 0x2345 << 7.
const VALUE: [&str; 4] = ["0x3f800000", "0xc0000000", "0x3fc00000", "0x2091a280"];

#[track_caller]
fn assert_value(fields: &Fields, attribute: u32, written: bool) {
    let zero = ["0x00000000"; 4];
    let value = if written { VALUE } else { zero };
    for (component, expected) in ["x", "y", "z", "w"].iter().zip(value) {
        let path = format!("draw[0].attribute[{attribute}].{component}");
        assert_fields(fields, &[(&path, expected)]);
    }
    let path = format!("draw[0].attribute[{attribute}].written");
    let written = if written { "0x1" } else { "0x0" };
    assert_fields(fields, &[(&path, written)]);
    let path = format!("draw[0].attribute[{attribute}].source");
    assert_fields(fields, &[(&path, "fixed")]);
}

/// Which attributes hold [`VALUE`] after that list; the others are as at first.
#[track_caller]
fn assert_written(list: &[u8], written: &[u32]) {
    let fields = drawn(list);
    for attribute in 0..12 {
        assert_value(&fields, attribute, written.contains(&attribute));
    }
}

#[test]
fn three_words_make_an_attribute() {
    assert_written(&[], &[]);
    // Register 0x232 is zero at first.
    assert_written(&data(), &[0]);
    for attribute in 0..12 {
        assert_written(&[write(0x232, attribute), data()].concat(), &[attribute]);
    }
    // Two are none yet.
    assert_written(&data()[..16], &[]);
    // Bits 3:0 select.
    assert_written(&[write(0x232, 0xFFFF_FFF5), data()].concat(), &[5]);
    // By one command, whose parameters follow: 0x233, 0x234, 0x235.
    let follow = words(&[PACKED[0], 0x802F_0233, PACKED[1], PACKED[2]]);
    assert_written(&follow, &[0]);
    // By one that writes to one register, any of them, with any mask: the words are taken whole.
    for data in 0x233..0x236 {
        let same = words(&[PACKED[0], 0x22_0000 | data, PACKED[1], PACKED[2]]);
        assert_written(&same, &[0]);
    }
    // A mask of 0 is no write.
    let masked = words(&[PACKED[0], 0x20_0233, PACKED[1], PACKED[2]]);
    assert_written(&masked, &[]);
}

#[test]
fn the_next_attribute_is_selected() {
    let list = [write(0x232, 3), data(), data()].concat();
    assert_written(&list, &[3, 4]);
    // 11, and 12 to 14, which nothing keeps.
    let list = [write(0x232, 11), data().repeat(4)].concat();
    assert_written(&list, &[11]);
}

#[test]
fn a_selection_forgets_words() {
    let list = [write(0x233, 1), write(0x233, 2), write(0x232, 6), data()].concat();
    assert_written(&list, &[6]);
    // Not one with mask 0: the first two of the words are forgotten by the selection of 7 only.
    let none = words(&[7, 0x232]);
    let list = [data()[..16].to_vec(), none, data()[16..].to_vec()].concat();
    assert_written(&list, &[0]);
    // One whose mask leaves bits 3:0 as they were selects what they select, and forgets.
    let upper = words(&[7, 0xE_0232]);
    let list = [write(0x232, 2), write(0x233, 1), upper, data()].concat();
    assert_written(&list, &[2]);
}

#[test]
fn a_later_value_counts() {
    let list = [write(0x233, 0xFFFF_FFFF).repeat(3), write(0x232, 0), data()].concat();
    assert_written(&list, &[0]);
}
