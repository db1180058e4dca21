//! Resolving: sources, statuses in their order, indices, slots.

use super::*;

/// Registers and what they hold, and a draw in sequence.
fn drawn(registers: &[(u32, u32)]) -> Fields {
    let writes = registers
        .iter()
        .map(|&(register, word)| write(register, word));
    fields(
        "state",
        &writes.chain([write(0x22E, 1)]).collect::<Vec<_>>().concat(),
    )
}

#[track_caller]
fn assert_status(registers: &[(u32, u32)], status: &str) {
    assert_fields(&drawn(registers), &[("draw[0].status", status)]);
}

#[test]
fn nothing_written_at_all() {
    let fields = drawn(&[]);
    let expected = [
        ("draw[0].at", "0x4"),
        ("draw[0].status", "resolved"),
        ("draw[0].indexed", "0x0"),
        ("draw[0].vertices", "0x0"),
        ("draw[0].first", "0x0"),
        ("draw[0].base", "0x0"),
        ("draw[0].attributes", "0x1"),
        ("draw[0].attribute[0].source", "none"),
        ("draw[0].attribute[0].named", "0x0"),
        ("draw[0].attribute[0].format", "0x0"),
        ("draw[0].attribute[0].components", "0x1"),
        ("draw[0].attribute[0].slot", "0x0"),
    ];
    assert_fields(&fields, &expected);
    assert_eq!(fields.len(), expected.len());
}

#[test]
fn descriptors_of_every_attribute() {
    // Twelve attributes. Nibble n of the two registers is n: attribute 7 has format 3, components 1 + 1.
    let fields = drawn(&[(0x201, 0x7654_3210), (0x202, 0xB000_BA98)]);
    for attribute in 0..12 {
        let path = |name| format!("draw[0].attribute[{attribute}].{name}");
        let format = format!("{:#x}", attribute % 4);
        let components = format!("{:#x}", attribute / 4 + 1);
        assert_fields(
            &fields,
            &[
                (&path("format"), &format),
                (&path("components"), &components),
            ],
        );
    }
}

#[test]
fn slots_of_every_attribute() {
    // Attribute n goes to slot 15 - n.
    let fields = drawn(&[
        (0x202, 0xBFFF_0000),
        (0x2BB, 0x89AB_CDEF),
        (0x2BC, 0x0000_4567),
    ]);
    for attribute in 0..12 {
        let path = format!("draw[0].attribute[{attribute}].slot");
        assert_fields(&fields, &[(&path, &format!("{:#x}", 15 - attribute))]);
    }
    assert_fields(&fields, &[("draw[0].status", "resolved")]);
}

#[test]
fn a_fixed_attribute_is_not_loaded() {
    // Attributes 0 and 1, 0 fixed; a loader of one byte each names both.
    let fields = drawn(&[
        (0x202, 0x1001_0000),
        (0x204, 0x10),
        (0x205, 0x2002_0000),
        (0x2BB, 0x10),
    ]);
    let expected = [
        ("draw[0].attribute[0].source", "fixed"),
        ("draw[0].attribute[0].named", "0x1"),
        ("draw[0].attribute[0].loader", ""),
        ("draw[0].attribute[0].offset", ""),
        ("draw[0].attribute[0].x", "0x00000000"),
        ("draw[0].attribute[0].w", "0x00000000"),
        ("draw[0].attribute[0].written", "0x0"),
        ("draw[0].attribute[1].source", "loader"),
        ("draw[0].attribute[1].loader", "0x0"),
        ("draw[0].attribute[1].offset", "0x1"),
        ("draw[0].attribute[1].x", ""),
        ("draw[0].attribute[1].written", ""),
        ("draw[0].attribute[2].source", ""),
        ("draw[0].loader[0].size", "0x2"),
    ];
    assert_fields(&fields, &expected);
}

#[test]
fn every_fixed_bit() {
    for attribute in 0..12 {
        let fields = drawn(&[(0x202, 0xB000_0000 | 1 << (16 + attribute))]);
        for other in 0..12 {
            let path = format!("draw[0].attribute[{other}].source");
            let source = if other == attribute { "fixed" } else { "none" };
            assert_fields(&fields, &[(&path, source)]);
        }
    }
}

#[test]
fn indexed_draws() {
    let draw = |config: u32| {
        let list = [
            write(0x200, 2),
            write(0x227, config),
            write(0x22A, 7),
            write(0x22F, 1),
        ];
        fields("state", &list.concat())
    };
    // Base 16. Bits 27:0 are the offset, bit 31 the width; 30:28 are neither.
    let expected = [
        ("draw[0].indexed", "0x1"),
        ("draw[0].first", "0x0"),
        ("draw[0].index.address", "0x11"),
        ("draw[0].index.width", "0x2"),
    ];
    assert_fields(&draw(0xF000_0001), &expected);
    assert_fields(&draw(0x7000_0001), &[("draw[0].index.width", "0x1")]);
    assert_fields(
        &draw(0x0FFF_FFFF),
        &[("draw[0].index.address", "0x1000000f")],
    );
    let expected = [
        ("draw[0].first", "0x7"),
        ("draw[0].index.address", ""),
        ("draw[0].index.width", ""),
    ];
    assert_fields(&drawn(&[(0x227, 0x8000_0001), (0x22A, 7)]), &expected);
}

#[test]
fn status_attribute_count() {
    assert_status(&[(0x202, 0xB000_0000)], "resolved");
    for count in 12..16 {
        let fields = drawn(&[(0x202, count << 28)]);
        let attributes = format!("{:#x}", count + 1);
        let expected = [
            ("draw[0].status", "attribute-count"),
            ("draw[0].attributes", attributes.as_str()),
            ("draw[0].attribute[11].source", "none"),
        ];
        assert_fields(&fields, &expected);
    }
}

#[test]
fn status_stride() {
    // One byte, stride 0.
    assert_status(&[(0x205, 0x1000_0000)], "stride");
    assert_status(&[(0x205, 0x1001_0000)], "resolved");
    // The loader gives nothing: its attribute is fixed, or comes from a later loader, or is not below the count.
    assert_status(&[(0x202, 0x0001_0000), (0x205, 0x1000_0000)], "resolved");
    assert_status(&[(0x205, 0x1000_0000), (0x208, 0x1001_0000)], "resolved");
    assert_status(&[(0x204, 1), (0x205, 0x1000_0000)], "resolved");
    // Padding alone.
    assert_status(&[(0x204, 12), (0x205, 0x1000_0000)], "resolved");
}

#[test]
fn status_beyond_stride() {
    // f32 of four components (nibble 0xF): 16 bytes.
    assert_status(&[(0x201, 0xF), (0x205, 0x1010_0000)], "resolved");
    assert_status(&[(0x201, 0xF), (0x205, 0x100F_0000)], "beyond-stride");
    // Padding behind it may be: the record has 20 bytes.
    let padded = [(0x201, 0xF), (0x204, 0xC0), (0x205, 0x2010_0000)];
    assert_status(&padded, "resolved");
    assert_fields(&drawn(&padded), &[("draw[0].loader[0].size", "0x14")]);
    // An earlier place that it does not come from: s8 at 8 of stride 4, and then again in a loader that has room.
    let twice = [(0x204, 0x0D), (0x205, 0x2004_0000), (0x208, 0x1001_0000)];
    assert_status(&twice, "resolved");
    assert_status(&twice[..2], "beyond-stride");
}

#[test]
fn status_slot() {
    // Two fixed attributes with slot 0, then with another.
    assert_status(&[(0x202, 0x1003_0000)], "slot");
    assert_status(&[(0x202, 0x1003_0000), (0x2BB, 0x10)], "resolved");
    // One from nowhere does not count, nor one that is not below the count.
    assert_status(&[(0x202, 0x1001_0000)], "resolved");
    assert_status(&[(0x202, 0x0003_0000)], "resolved");
    // One fixed, one loaded.
    assert_status(
        &[(0x202, 0x1001_0000), (0x204, 1), (0x205, 0x1001_0000)],
        "slot",
    );
}

#[test]
fn status_count() {
    assert_status(&[(0x228, 4_096)], "resolved");
    assert_status(&[(0x228, 4_097)], "count");
    assert_status(&[(0x228, u32::MAX)], "count");
}

#[test]
fn the_first_status_that_holds() {
    // Everything is wrong, and mended one by one. Attributes 0 and 1 of f32 times four come from loaders 0 and 1, the first of
    // stride 0, the second of stride 1; both have slot 0; loader 2 has 15 components.
    let mut registers = vec![
        (0x202, 0xC000_0000),
        (0x201, 0xFF),
        (0x205, 0x1000_0000),
        (0x207, 1),
        (0x208, 0x1001_0000),
        (0x20A, 0xCCCC_CCCC),
        (0x20B, 0xF000_CCCC),
        (0x228, 5_000),
    ];
    for (status, mended) in [
        ("attribute-count", (0x202, 0x1000_0000)),
        ("component-count", (0x20B, 0)),
        ("stride", (0x205, 0x1010_0000)),
        ("beyond-stride", (0x208, 0x1010_0000)),
        ("slot", (0x2BB, 0x10)),
        ("count", (0x228, 3)),
    ] {
        assert_status(&registers, status);
        registers.push(mended);
    }
    assert_status(&registers, "resolved");
}
