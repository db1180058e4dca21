//! Every rule broken once, with its class and place.

use corpora::RejectClass::{self, *};

use super::files::*;
use super::{answer, rejection};

/// The file of one vertex shader header with these words replaced is rejected so.
#[track_caller]
fn vertex(edits: &[(usize, u32)], class: RejectClass, offset: u64) {
    assert_eq!(rejection(&edited(edits)), (class, offset), "{edits:x?}");
}

fn edited(edits: &[(usize, u32)]) -> Vec<u8> {
    edits
        .iter()
        .fold(vertex_file(), |file, &(at, word)| with(&file, at, word))
}

#[track_caller]
fn vertex_is_fine(edits: &[(usize, u32)]) {
    let status = answer(&edited(edits)).status;
    assert!(
        status.to_string().starts_with("accepted"),
        "{edits:x?}: {status}"
    );
}

#[test]
fn rule_1_file_header() {
    assert_eq!(rejection(b""), (Truncated, 0));
    assert_eq!(rejection(&vertex_file()[..31]), (Truncated, 0));
    vertex(&[(0, 0x4766_7833)], BadMagic, 0);
    vertex(&[(4, 0x24)], BadLength, 4);
    vertex(&[(8, 5)], BadVersion, 8);
    vertex(&[(8, 8)], BadVersion, 8);
    vertex(&[(0x14, 2)], OutOfRange, 0x14);
    vertex_is_fine(&[(0x14, 1)]);
    // 6.0 alone does not use the alignment mode.
    vertex_is_fine(&[(8, 6), (0xC, 0), (0x14, 2)]);
    vertex(&[(8, 6), (0xC, 1), (0x14, 2)], OutOfRange, 0x14);
    vertex(&[(8, 7), (0xC, 0), (0x14, 2)], OutOfRange, 0x14);
    // The first of several.
    vertex(&[(0, 0), (4, 0), (8, 0), (0x14, 9)], BadMagic, 0);
    vertex(&[(4, 0), (8, 0), (0x14, 9)], BadLength, 4);
    vertex(&[(8, 0), (0x14, 9)], BadVersion, 8);
}

#[test]
fn rule_2_blocks() {
    let file = vertex_file();
    assert_eq!(rejection(&file[..0x20]), (Truncated, 0x20));
    assert_eq!(rejection(&file[..0x3F]), (Truncated, 0x20));
    assert_eq!(rejection(&file[..0x1BB]), (Truncated, 0x40));
    assert_eq!(rejection(&file[..0x1BC]), (Truncated, 0x1BC));
    assert_eq!(rejection(&file[..0x1DB]), (Truncated, 0x1BC));
    vertex(&[(0x20, 0)], BadMagic, 0x20);
    vertex(&[(0x24, 0x1F)], BadLength, 0x24);
    vertex(&[(0x34, 0x19D)], Truncated, 0x40);
    vertex(&[(0x34, 0xFFFF_FFFF)], Truncated, 0x40);
    // The end block with data: beyond the end, and inside.
    vertex(&[(0x1BC + 0x14, 4)], Truncated, 0x1DC);
    let file = [header(7, 1, 0), block(1, &[0; 4])].concat();
    assert_eq!(rejection(&file), (BadLength, 0x34));
}

#[test]
fn rule_2_number_of_blocks() {
    let blocks = |count: usize| {
        let padding = block(2, &[]).repeat(count - 1);
        [header(7, 1, 0), padding, block(1, &[])].concat()
    };
    let status = answer(&blocks(65_535)).status;
    assert_eq!(status.to_string(), "accepted (2097152 bytes)");
    let first_too_many = 0x20 + 65_535 * 0x20;
    assert_eq!(rejection(&blocks(65_536)), (Limit, first_too_many));
    // Where there is no block, there is not one too many.
    let cut = &blocks(65_536)[..first_too_many as usize];
    assert_eq!(rejection(cut), (Truncated, first_too_many));
}

#[test]
fn rule_3_texture_header() {
    let short = &texture_data()[..0x98];
    assert_eq!(rejection(&file(&[block(11, short)])), (Truncated, 0x40));
    // In 6.0 it is 10 that is a texture header.
    let file = |kind| [header(6, 0, 0), block(kind, short), block(1, &[])].concat();
    assert_eq!(rejection(&file(10)), (Truncated, 0x40));
    assert!(answer(&file(11)).status.to_string().starts_with("accepted"));
}

#[test]
fn rule_4a_to_4d_trailer() {
    let data = vertex_data();
    let short = &data[..0x134 + 0x27];
    assert_eq!(rejection(&file(&[block(3, short)])), (Truncated, 0x40));
    vertex(&[(0x194, 0)], BadMagic, 0x194);
    vertex(&[(0x198, 0x24)], BadLength, 0x198);
    // Structures and text: not less than the structure, nor into the trailer.
    vertex(&[(0x1A0, 0x130)], OutOfRange, 0x1A0);
    vertex(&[(0x1A0, 0x158)], OutOfRange, 0x1A0);
    vertex(&[(0x1A0, 0xFFFF_FFFF)], OutOfRange, 0x1A0);
    vertex(&[(0x1A4, 0xD060_0004)], OutOfRange, 0x1A4);
    vertex(&[(0x1A4, 0)], OutOfRange, 0x1A4);
}

#[test]
fn rule_4e_text() {
    vertex(&[(0x1AC, 0xCA70_0148)], OutOfRange, 0x1AC);
    vertex(&[(0x1AC, 0x0000_0148)], OutOfRange, 0x1AC);
    vertex(&[(0x1A8, 5)], OutOfRange, 0x1AC);
    vertex(&[(0x1A8, 0xFFFF_FFFF)], OutOfRange, 0x1AC);
    vertex(&[(0x1AC, 0xD060_0149)], OutOfRange, 0x1AC);
}

#[test]
fn rule_4f_patch_table() {
    vertex(&[(0x1B8, 0xCA70_014C)], OutOfRange, 0x1B8);
    vertex(&[(0x1B8, 0xD060_0148)], OutOfRange, 0x1B8);
    vertex(&[(0x1B8, 0xD060_0150)], OutOfRange, 0x1B8);
    vertex(&[(0x1B4, 3)], OutOfRange, 0x1B8);
    vertex(&[(0x1B4, 0xFFFF_FFFF)], OutOfRange, 0x1B8);
    vertex_is_fine(&[(0x1B4, 1)]);
}

#[test]
fn rule_4g_patch_entries() {
    vertex(&[(0x18C, 0x1230_00E8)], OutOfRange, 0x18C);
    vertex(&[(0x18C, 0x0000_00E8)], OutOfRange, 0x18C);
    vertex(&[(0x18C, 0xD060_00E9)], Misaligned, 0x18C);
    vertex(&[(0x18C, 0xD060_00EA)], Misaligned, 0x18C);
    vertex(&[(0x18C, 0xD060_014C)], OutOfRange, 0x18C);
    vertex(&[(0x18C, 0xD06F_FFFC)], OutOfRange, 0x18C);
    // Either tag will do, and the place is what counts.
    vertex_is_fine(&[(0x18C, 0xCA70_00E8), (0x190, 0xD060_0134)]);
    vertex(&[(0x190, 0xCA70_00E8)], Overlap, 0x190);
    vertex_is_fine(&[(0x18C, 0), (0x190, 0)]);
    // Misaligned comes before out of range, out of range before overlap.
    vertex(&[(0x18C, 0xD06F_FFFF)], Misaligned, 0x18C);
    // An entry of tag and place zero is not a zero entry: it leads to the first register.
    vertex(&[(0x18C, 0xD060_0000)], OutOfRange, 0x40);
}

#[test]
fn rule_4g_patched_pointers() {
    vertex(&[(0x128, 0x0000_0134)], OutOfRange, 0x128);
    vertex(&[(0x128, 0xD060_014C)], OutOfRange, 0x128);
    vertex(&[(0x174, 0xCA70_0147)], OutOfRange, 0x174);
    vertex(&[(0x174, 0xCA70_014C)], OutOfRange, 0x174);
    // Zero is fine here; rule 4h then asks for an array.
    vertex(&[(0x128, 0)], OutOfRange, 0x128);
    vertex_is_fine(&[(0x128, 0), (0x124, 0)]);
    // A pointer into the data is a fine thing to patch, and no name.
    vertex(&[(0x174, 0xD060_014B)], OutOfRange, 0x174);
    vertex_is_fine(&[(0x190, 0xD060_0140), (0x180, 0xD060_014B)]);
    vertex_is_fine(&[(0x190, 0xD060_0140), (0x180, 0xCA70_014B)]);
    // The entries are taken one by one, each with its pointer.
    vertex(
        &[(0x128, 0x5555_5555), (0x190, 0xCA70_00E8)],
        OutOfRange,
        0x128,
    );
    // The last word that can be patched.
    vertex_is_fine(&[(0x190, 0xD060_0144), (0x184, 0)]);
}

/// Without patches, so that the rule on arrays is the one that is broken.
const UNPATCHED: [(usize, u32); 2] = [(0x18C, 0), (0x190, 0)];

#[test]
fn rule_4h_arrays() {
    let array = |edits: &[(usize, u32)], class, offset| {
        vertex(&[&UNPATCHED, edits].concat(), class, offset);
    };
    array(&[(0x128, 0xCA70_0134)], OutOfRange, 0x128);
    array(&[(0x128, 0x0000_0134)], OutOfRange, 0x128);
    array(&[(0x128, 0)], OutOfRange, 0x128);
    array(&[(0x124, 2)], OutOfRange, 0x128);
    array(&[(0x124, 0xFFFF_FFFF)], OutOfRange, 0x128);
    array(&[(0x128, 0xD060_013C)], OutOfRange, 0x128);
    array(&[(0x128, 0xD060_0136)], Misaligned, 0x128);
    array(&[(0x128, 0xD060_0132)], Misaligned, 0x128);
    array(&[(0x128, 0xD060_0130)], Overlap, 0x128);
    array(&[(0x128, 0xD060_0000)], Overlap, 0x128);
    // A block at the variable: the later array is the one at fault.
    array(&[(0x11C, 1), (0x120, 0xD060_0134)], Overlap, 0x128);
    // A loop variable in the last word of the variable, and one in the text behind it.
    array(&[(0x134, 1), (0x138, 0xD060_0144)], Overlap, 0x138);
    array(&[(0x134, 1), (0x138, 0xD060_0148)], OutOfRange, 0x138);
    vertex_is_fine(&[
        UNPATCHED[0],
        UNPATCHED[1],
        (0x124, 0),
        (0x134, 1),
        (0x138, 0xD060_0144),
    ]);
}

#[test]
fn rule_4h_names() {
    let name = |pointer, class, offset| {
        vertex(
            &[UNPATCHED[0], UNPATCHED[1], (0x174, pointer)],
            class,
            offset,
        );
    };
    name(0xD060_0148, OutOfRange, 0x174);
    name(0x0000_0148, OutOfRange, 0x174);
    name(0xCA70_0147, OutOfRange, 0x174);
    name(0xCA70_014C, OutOfRange, 0x174);
    // The zero byte must be in the text: "abcd", and "a", whose zero is behind a text of one byte.
    vertex(&[(0x188, 0x6162_6364)], OutOfRange, 0x174);
    vertex(&[(0x1A8, 1)], OutOfRange, 0x174);
    vertex_is_fine(&[(0x1A8, 2)]);
    // Names of an array come before the next array: a bad name of a block, then a bad array of variables.
    vertex(
        &[
            UNPATCHED[0],
            UNPATCHED[1],
            (0x11C, 1),           // one uniform block
            (0x120, 0xD060_0138), // whose name is the word 0000000B
            (0x128, 0),           // and no place for the variables
        ],
        OutOfRange,
        0x178,
    );
}

#[test]
fn every_stage_has_the_rules() {
    for stage in &STAGES {
        let data = full_data(stage, 0, 2);
        let of = |data: &[u8]| rejection(&file(&[block(stage.kind, data)]));
        for &(count, ..) in stage.arrays {
            let pointer = 0x40 + count as u64 + 4;
            assert_eq!(of(&with(&data, count, 0x0100_0000)), (OutOfRange, pointer));
        }
        let short = &data[..stage.size + 0x27];
        assert_eq!(of(short), (Truncated, 0x40));
    }
}
