//! Every acceptance rule of the contract, broken once: the class and the offset of the error.

use gfd::{MAX_BLOCKS, parse};

use crate::fixture::{
    Bytes, DATA, PATCHES, TRAILER, bare_shader, block_header, file_header, get, set, smallest,
    texture, vertex,
};

/// What the parser says about bytes: `None`, or the error's class and offset.
fn verdict(bytes: &[u8]) -> Option<(&'static str, usize)> {
    parse(bytes)
        .err()
        .map(|error| (error.class(), error.offset()))
}

/// [`verdict`] on a file with one word replaced.
fn with(mut bytes: Vec<u8>, at: usize, word: u32) -> Option<(&'static str, usize)> {
    set(&mut bytes, at, word);
    verdict(&bytes)
}

#[test]
fn the_fixtures_are_in_order() {
    assert_eq!(verdict(&smallest()), None);
    assert_eq!(verdict(&vertex()), None);
    assert_eq!(verdict(&texture(7, 1, [11, 12, 13])), None);
    assert_eq!(verdict(&texture(6, 0, [10, 11, 12])), None);
    assert_eq!(verdict(&bare_shader(6, 0xE8, 0xB0)), None);
    assert_eq!(verdict(&bare_shader(8, 0xB0, 0x60)), None);
    assert_eq!(verdict(&bare_shader(14, 0x84, 0x38)), None);
}

#[test]
fn rule_1_file_header() {
    assert_eq!(verdict(&[]), Some(("truncated", 0)));
    assert_eq!(verdict(&smallest()[..31]), Some(("truncated", 0)));
    assert_eq!(verdict(b"Gfx2"), Some(("truncated", 0)));
    assert_eq!(with(smallest(), 0x00, 0x4766_7833), Some(("bad-magic", 0)));
    assert_eq!(with(smallest(), 0x04, 0x24), Some(("bad-length", 4)));
    assert_eq!(with(smallest(), 0x08, 5), Some(("bad-version", 8)));
    assert_eq!(with(smallest(), 0x08, 8), Some(("bad-version", 8)));
    assert_eq!(with(smallest(), 0x0C, 0xFFFF_FFFF), None);
    assert_eq!(with(smallest(), 0x14, 1), None);
    assert_eq!(with(smallest(), 0x14, 2), Some(("out-of-range", 0x14)));

    // Version 6.0 does not use the alignment word; 6.1 does.
    let mut old = smallest();
    set(&mut old, 0x08, 6);
    set(&mut old, 0x0C, 0);
    set(&mut old, 0x14, 0xFFFF_FFFF);
    assert_eq!(verdict(&old), None);
    assert_eq!(with(old, 0x0C, 1), Some(("out-of-range", 0x14)));
}

#[test]
fn rule_2_blocks() {
    // No byte, or fewer than 32, where a block should start.
    assert_eq!(verdict(&smallest()[..0x20]), Some(("truncated", 0x20)));
    assert_eq!(verdict(&smallest()[..0x3F]), Some(("truncated", 0x20)));
    assert_eq!(
        with(smallest(), 0x20, 0x424C_4B7C),
        Some(("bad-magic", 0x20))
    );
    assert_eq!(with(smallest(), 0x24, 0x1C), Some(("bad-length", 0x24)));
    assert_eq!(
        with(smallest(), 0x28, 0xFFFF_FFFF),
        None,
        "any block version is kept"
    );

    // The program of the vertex file is 8 bytes at 0x26C; one more than the file has behind 0x26C is too many.
    assert_eq!(
        with(vertex(), 0x24C + 0x14, 0x294 - 0x26C + 1),
        Some(("truncated", 0x26C))
    );
    assert_eq!(
        with(vertex(), 0x24C + 0x14, 0xFFFF_FFFF),
        Some(("truncated", 0x26C))
    );
    // Exactly as many are data, and then the end block is missing.
    assert_eq!(
        with(vertex(), 0x24C + 0x14, 0x294 - 0x26C),
        Some(("truncated", 0x294))
    );

    let mut end_with_data = smallest();
    set(&mut end_with_data, 0x34, 1);
    assert_eq!(verdict(&end_with_data), Some(("truncated", 0x40)));
    end_with_data.push(0);
    assert_eq!(verdict(&end_with_data), Some(("bad-length", 0x34)));

    // The end block ends the file: what follows is not judged.
    let mut followed = smallest();
    followed.extend_from_slice(b"BLK?");
    let file = parse(&followed).unwrap();
    assert_eq!((file.consumed(), file.trailing()), (0x40, &b"BLK?"[..]));
}

#[test]
fn rule_2_limits_the_number_of_blocks() {
    let mut bytes = Bytes(Vec::new());
    file_header(&mut bytes, 7, 1, 0);
    for _ in 0..MAX_BLOCKS - 1 {
        block_header(&mut bytes, 2, 0);
    }
    let mut full = bytes.0.clone();
    full.extend_from_slice(&smallest()[0x20..]);
    assert_eq!(parse(&full).unwrap().blocks().len(), 65_535);

    // One padding block more; the file header is 0x20 bytes, and so is each of 65,535 blocks before the one too many.
    block_header(&mut bytes, 2, 0);
    assert_eq!(verdict(&bytes.0), Some(("truncated", 0x20 + 65_535 * 0x20)));
    block_header(&mut bytes, 1, 0);
    assert_eq!(verdict(&bytes.0), Some(("limit", 0x20 + 65_535 * 0x20)));
}

#[test]
fn rule_3_texture_header() {
    // A block of 0x9B bytes, one byte short of the structure.
    let mut bytes = Bytes(Vec::new());
    file_header(&mut bytes, 7, 1, 0);
    block_header(&mut bytes, 11, 0x9B);
    bytes.raw(&[0; 0x9B]);
    block_header(&mut bytes, 1, 0);
    assert_eq!(verdict(&bytes.0), Some(("truncated", 0x40)));
    // In version 6.0, 11 is an image.
    set(&mut bytes.0, 0x08, 6);
    set(&mut bytes.0, 0x0C, 0);
    assert_eq!(verdict(&bytes.0), None);
    set(&mut bytes.0, 0x30, 10);
    assert_eq!(verdict(&bytes.0), Some(("truncated", 0x40)));
}

#[test]
fn rule_4a_size() {
    for (block_type, size, arrays) in [(6, 0xE8, 0xB0), (8, 0xB0, 0x60), (14, 0x84, 0x38)] {
        let whole = bare_shader(block_type, size, arrays);
        // The byte before the trailer taken out, and the block's size corrected.
        let mut short = whole.clone();
        short.remove(DATA + size as usize - 1);
        set(&mut short, 0x34, size + 0x27);
        assert_eq!(
            verdict(&short),
            Some(("truncated", DATA)),
            "block type {block_type}"
        );
    }
    let mut empty = bare_shader(3, 0x134, 0xDC);
    empty.drain(DATA..DATA + 0x134 + 0x28);
    set(&mut empty, 0x34, 0);
    assert_eq!(verdict(&empty), Some(("truncated", DATA)));
    // Version 6.0 has no compute shaders: 14 is unknown there, and any data goes.
    let mut unknown = bare_shader(14, 0x84, 0x38);
    set(&mut unknown, DATA + 0x84, 0);
    assert_eq!(verdict(&unknown), Some(("bad-magic", DATA + 0x84)));
    set(&mut unknown, 0x08, 6);
    set(&mut unknown, 0x0C, 0);
    assert_eq!(verdict(&unknown), None);
}

#[test]
fn rules_4b_to_4d_trailer() {
    assert_eq!(
        with(vertex(), TRAILER, 0x7D42_4C4C),
        Some(("bad-magic", TRAILER))
    );
    assert_eq!(
        with(vertex(), TRAILER + 4, 0x20),
        Some(("bad-length", TRAILER + 4))
    );
    assert_eq!(
        with(vertex(), TRAILER + 8, 0xFFFF_FFFF),
        None,
        "a reserved word"
    );
    // 4c: the structure has 0x134 bytes, and the trailer is at 0x1E4.
    assert_eq!(
        with(vertex(), TRAILER + 0xC, 0x133),
        Some(("out-of-range", TRAILER + 0xC))
    );
    assert_eq!(
        with(vertex(), TRAILER + 0xC, 0x1E5),
        Some(("out-of-range", TRAILER + 0xC))
    );
    // 4d: the tag and the zero.
    assert_eq!(
        with(vertex(), TRAILER + 0x10, 0),
        Some(("out-of-range", TRAILER + 0x10))
    );
    assert_eq!(
        with(vertex(), TRAILER + 0x10, 0xD060_0004),
        Some(("out-of-range", TRAILER + 0x10))
    );
    assert_eq!(
        with(vertex(), TRAILER + 0x1C, 0xFFFF_FFFF),
        None,
        "the patch base"
    );
}

#[test]
fn rule_4e_text() {
    let error = Some(("out-of-range", TRAILER + 0x18));
    assert_eq!(with(vertex(), TRAILER + 0x18, 0xCA70_01A0), error, "tag");
    assert_eq!(with(vertex(), TRAILER + 0x18, 0x0000_01A0), error, "no tag");
    assert_eq!(
        with(vertex(), TRAILER + 0x14, 0x15),
        error,
        "one byte beyond the data"
    );
    assert_eq!(with(vertex(), TRAILER + 0x14, 0xFFFF_FFFF), error);
    // A text of no bytes may lie at the data's end, but not behind it.
    let mut empty = bare_shader(6, 0xE8, 0xB0);
    let trailer = DATA + 0xE8;
    set(&mut empty, trailer + 0x18, 0xD060_0000);
    assert_eq!(verdict(&empty), None);
    set(&mut empty, trailer + 0x18, 0xD060_00E9);
    assert_eq!(verdict(&empty), Some(("out-of-range", trailer + 0x18)));
}

#[test]
fn rule_4f_patch_table() {
    let error = Some(("out-of-range", TRAILER + 0x24));
    assert_eq!(with(vertex(), TRAILER + 0x24, 0xCA70_01B4), error, "tag");
    assert_eq!(
        with(vertex(), TRAILER + 0x24, 0xD060_01B0),
        error,
        "inside the data"
    );
    assert_eq!(
        with(vertex(), TRAILER + 0x20, 13),
        error,
        "into the trailer"
    );
    assert_eq!(with(vertex(), TRAILER + 0x20, 0xFFFF_FFFF), error);
    // Up to the trailer: the twelfth entry is the zero word before it.
    assert_eq!(with(vertex(), TRAILER + 0x20, 12), None);
    // The table need not be aligned, nor start where the data ends: 0x1B5 + 4 entries, all of them of the kind
    // 0x6000_xxD0, whose first has the tag 0x600.
    let mut shifted = vertex();
    set(&mut shifted, TRAILER + 0x20, 1);
    set(&mut shifted, TRAILER + 0x24, 0xD060_01B5);
    assert_eq!(verdict(&shifted), Some(("out-of-range", PATCHES + 1)));
}

#[test]
fn rule_4g_patch_entries() {
    // The first entry is that of the uniform blocks' pointer at 0xE0.
    assert_eq!(with(vertex(), PATCHES, 0), None, "zero is skipped");
    assert_eq!(
        with(vertex(), PATCHES, 0xD070_00E0),
        Some(("out-of-range", PATCHES)),
        "tag"
    );
    assert_eq!(
        with(vertex(), PATCHES, 0x0000_00E0),
        Some(("out-of-range", PATCHES)),
        "no tag"
    );
    assert_eq!(
        with(vertex(), PATCHES, 0xD060_00E1),
        Some(("misaligned", PATCHES))
    );
    assert_eq!(
        with(vertex(), PATCHES, 0xD060_00E2),
        Some(("misaligned", PATCHES))
    );
    assert_eq!(
        with(vertex(), PATCHES, 0xD060_01B4),
        Some(("out-of-range", PATCHES)),
        "the data's end"
    );
    assert_eq!(
        with(vertex(), PATCHES, 0xD060_01B5),
        Some(("misaligned", PATCHES)),
        "before range"
    );
    // The last word of the data is "pos\0", which is no pointer.
    assert_eq!(
        with(vertex(), PATCHES, 0xD060_01B0),
        Some(("out-of-range", DATA + 0x1B0))
    );
    // Either tag goes for either pointer.
    assert_eq!(with(vertex(), PATCHES, 0xCA70_00E0), None);
    // The second entry repeats the first one's place, under another tag.
    assert_eq!(
        with(vertex(), PATCHES + 4, 0xCA70_00E0),
        Some(("overlap", PATCHES + 4))
    );
    // Zero entries are no places: a second one at 0x1C8 beside that at 0x1CC.
    assert_eq!(with(vertex(), PATCHES + 0x14, 0), None);
    // Place 0 is one, with a register there that is no pointer: 0xC000_0000.
    assert_eq!(
        with(vertex(), PATCHES, 0xD060_0000),
        Some(("out-of-range", DATA))
    );
}

#[test]
fn rule_4g_patched_pointers() {
    // A word of the registers with a patch entry of its own, in the place of the zero entry.
    let patched = |pointer| {
        let mut bytes = vertex();
        set(&mut bytes, PATCHES + 0x18, 0xD060_0008);
        with(bytes, DATA + 8, pointer)
    };
    let error = Some(("out-of-range", DATA + 8));
    assert_eq!(patched(0), None);
    assert_eq!(patched(0xD060_01B3), None, "the data's last byte");
    assert_eq!(patched(0xD060_01B4), error, "the data's end");
    assert_eq!(patched(0xCA70_01A0), None, "the text's first byte");
    assert_eq!(patched(0xCA70_01B3), None, "the text's last byte");
    assert_eq!(patched(0xCA70_019F), error, "before the text");
    assert_eq!(patched(0xCA70_01B4), error, "behind the text");
    assert_eq!(patched(0x0000_0134), error, "no tag");
    // The pointer is looked at with its entry: before the next entry, which is broken here too.
    let mut both = vertex();
    set(&mut both, DATA + 0xE0, 1);
    set(&mut both, PATCHES + 4, 0xD060_0001);
    assert_eq!(verdict(&both), Some(("out-of-range", DATA + 0xE0)));
}

/// A vertex file without a patch table, so that only the arrays themselves are judged.
fn unpatched() -> Vec<u8> {
    let mut bytes = vertex();
    set(&mut bytes, TRAILER + 0x20, 0);
    bytes
}

#[test]
fn rule_4h_arrays() {
    // The places of the six counts, the size of an element, and the array's offset.
    let arrays = [
        (0xDC, 0xC, 0x134),
        (0xE4, 0x14, 0x140),
        (0xEC, 0x14, 0x168),
        (0xF4, 0x8, 0x17C),
        (0xFC, 0xC, 0x184),
        (0x104, 0x10, 0x190),
    ];
    for (count_at, size, offset) in arrays {
        let at = DATA + count_at;
        let pointer = at + 4;
        let error = Some(("out-of-range", pointer));
        assert_eq!(
            with(unpatched(), pointer, 0xCA70_0000 + offset),
            error,
            "tag"
        );
        assert_eq!(with(unpatched(), pointer, 0), error, "zero with a count");
        // As many elements as have room before the data's end at 0x1B4, and one more.
        let most = (0x1B4 - offset) / size;
        assert_eq!(with(unpatched(), at, most + 1), error, "count");
        assert_eq!(with(unpatched(), at, 0xFFFF_FFFF), error, "count");
        assert_eq!(with(unpatched(), pointer, 0xD06F_FFFC), error, "far away");

        let mut none = unpatched();
        set(&mut none, at, 0);
        set(&mut none, pointer, 0xFFFF_FFFF);
        assert_eq!(verdict(&none), None, "no elements, and any pointer");

        assert_eq!(
            with(unpatched(), pointer, 0xD060_0000 + offset - 2),
            Some(("misaligned", pointer))
        );
        assert_eq!(
            with(unpatched(), pointer, 0xD060_0130),
            Some(("overlap", pointer))
        );
    }
    // The loop variable moved onto the last bytes of the initial value at 0x168..0x17C.
    let loops = DATA + 0xF8;
    assert_eq!(
        with(unpatched(), loops, 0xD060_0178),
        Some(("overlap", loops))
    );
    // Range before alignment before overlap: 0x1B3 is all of it at once.
    assert_eq!(
        with(unpatched(), loops, 0xD060_01B3),
        Some(("out-of-range", loops))
    );
    assert_eq!(
        with(unpatched(), loops, 0xD060_0131),
        Some(("misaligned", loops))
    );
    // Arrays need not follow one another: the loop variable over the text is nobody's business.
    assert_eq!(with(unpatched(), loops, 0xD060_01A4), None);
}

#[test]
fn rule_4h_names() {
    // The names of the uniform block, of the first variable, of the sampler and of the attribute.
    for place in [0x134, 0x140, 0x184, 0x190] {
        let at = DATA + place;
        let error = Some(("out-of-range", at));
        assert_eq!(with(unpatched(), at, 0), None, "no name");
        assert_eq!(
            with(unpatched(), at, 0xCA70_01A1),
            None,
            "the end of a name"
        );
        assert_eq!(with(unpatched(), at, 0xCA70_01B3), None, "an empty name");
        assert_eq!(with(unpatched(), at, 0xD060_01A0), error, "tag");
        assert_eq!(with(unpatched(), at, 0xCA70_019C), error, "before the text");
        assert_eq!(with(unpatched(), at, 0xCA70_01B4), error, "behind the text");
    }
    // The text without the zero of "pos", its last byte: that name does not end, and the others do.
    let mut cut = unpatched();
    set(&mut cut, TRAILER + 0x14, 0x13);
    assert_eq!(verdict(&cut), Some(("out-of-range", DATA + 0x190)));
    // The names are judged array by array: a sampler's name before the attributes' pointer.
    let mut both = unpatched();
    set(&mut both, DATA + 0x184, 1);
    set(&mut both, DATA + 0x108, 1);
    assert_eq!(verdict(&both), Some(("out-of-range", DATA + 0x184)));
    set(&mut both, DATA + 0x184, 0);
    assert_eq!(verdict(&both), Some(("out-of-range", DATA + 0x108)));
    // The second variable is judged too.
    assert_eq!(
        with(unpatched(), DATA + 0x154, 4),
        Some(("out-of-range", DATA + 0x154))
    );
}

#[test]
fn arrays_of_other_stages_are_where_their_structures_have_them() {
    // The pair of each stage's last array, the samplers, broken.
    for (block_type, size, arrays) in [(6, 0xE8, 0xB0), (8, 0xB0, 0x60), (14, 0x84, 0x38)] {
        let mut bytes = bare_shader(block_type, size, arrays);
        let samplers = DATA + arrays as usize + 0x20;
        assert_eq!(get(&bytes, samplers), 0);
        set(&mut bytes, samplers, 1);
        assert_eq!(verdict(&bytes), Some(("out-of-range", samplers + 4)));
    }
}

#[test]
fn the_first_broken_rule_counts() {
    // A broken trailer and a broken end block behind it.
    let mut bytes = vertex();
    set(&mut bytes, TRAILER + 0xC, 0);
    set(&mut bytes, 0x274, 0);
    assert_eq!(verdict(&bytes), Some(("out-of-range", TRAILER + 0xC)));
    // A patch entry before the arrays.
    let mut bytes = vertex();
    set(&mut bytes, PATCHES + 0x28, 1);
    set(&mut bytes, DATA + 0xDC, 0xFFFF_FFFF);
    assert_eq!(verdict(&bytes), Some(("out-of-range", PATCHES + 0x28)));
}

#[test]
fn an_error_tells_offset_value_and_what_is_allowed() {
    let mut bytes = vertex();
    set(&mut bytes, TRAILER + 0xC, 0x1E5);
    assert_eq!(
        parse(&bytes).unwrap_err().to_string(),
        "0x230: data size 0x1e5 of the trailer is not within 0x134..=0x1e4"
    );
}
