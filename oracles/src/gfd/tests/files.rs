//! Files for the tests, from numbers typed here and not from the tables.

/// Big-endian bytes of 32-bit words.
pub(super) fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_be_bytes()).collect()
}

/// The same bytes with the word at `at` replaced.
pub(super) fn with(bytes: &[u8], at: usize, word: u32) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at..at + 4].copy_from_slice(&word.to_be_bytes());
    bytes
}

/// A file header.
pub(super) fn header(major: u32, minor: u32, align: u32) -> Vec<u8> {
    words(&[
        0x4766_7832, // 00 "Gfx2"
        0x20,        // 04 size of this header
        major,       // 08
        minor,       // 0C
        2,           // 10 GPU version
        align,       // 14
        0,           // 18 padding
        0,           // 1C padding
    ])
}

/// A block.
pub(super) fn block(kind: u32, data: &[u8]) -> Vec<u8> {
    let mut block = words(&[
        0x424C_4B7B,       // 00 "BLK{"
        0x20,              // 04 size of this header
        1,                 // 08 major version
        0,                 // 0C minor version
        kind,              // 10
        data.len() as u32, // 14
        0,                 // 18 id
        0,                 // 1C index
    ]);
    block.extend_from_slice(data);
    block
}

/// A file of version 7.1 with those blocks and an end block.
pub(super) fn file(blocks: &[Vec<u8>]) -> Vec<u8> {
    [header(7, 1, 0), blocks.concat(), block(1, &[])].concat()
}

/// The data of a vertex shader header with one uniform variable, a vec4 named `a`: 0x17C bytes.
pub(super) fn vertex_data() -> Vec<u8> {
    let mut data = Vec::new();
    data.extend(words(&[
        0x0000_0102, // 00 sq_pgm_resources_vs
        0x0000_0001, // 04 vgt_primitiveid_en
        0x0000_0002, // 08 spi_vs_out_config
        0x0000_0003, // 0C num_spi_vs_out_id
    ]));
    data.extend(words(&[0xFF, 1, 2, 3, 4, 5, 6, 7, 8, 9])); // 10 spi_vs_out_id
    data.extend(words(&[
        0x0000_0010, // 38 pa_cl_vs_out_cntl
        0x0000_0011, // 3C sq_vtx_semantic_clear
        0x0000_0012, // 40 num_sq_vtx_semantic
    ]));
    data.extend(words(&[0x0BAD_0BAD; 32])); // 44 sq_vtx_semantic
    data.extend(words(&[
        0x0000_0013, // C4 vgt_strmout_buffer_en
        0x0000_000E, // C8 vgt_vertex_reuse_block_cntl
        0x0000_0010, // CC vgt_hos_reuse_depth
        0x0000_0140, // D0 program size
        0x0000_0000, // D4 program
        0x0000_0001, // D8 mode: uniform block
        0,           // DC no uniform blocks
        0,           // E0
        1,           // E4 one uniform variable
        0xD060_0134, // E8 at 134
        0,           // EC no initial values
        0,           // F0
        0,           // F4 no loop variables
        0,           // F8
        0,           // FC no samplers
        0,           // 100
        0,           // 104 no attributes
        0,           // 108
        0x0000_0020, // 10C ring item size
        0x0000_0001, // 110 has stream out
        0x0000_0004, // 114 stream out strides
        0x0000_0008, // 118
        0x0000_000C, // 11C
        0x0000_0014, // 120
        0x0000_0055, // 124 buffer flags
        0x0000_0056, // 128 buffer element size
        0x0000_0057, // 12C buffer element count
        0x0000_0058, // 130 buffer
        // 134 GX2UniformVar
        0xCA70_0148, // 134 name
        0x0000_000B, // 138 type: FLOAT4
        0x0000_0001, // 13C count
        0x0000_0010, // 140 offset
        0xFFFF_FFFF, // 144 block
    ]));
    data.extend(b"a\0\0\0"); // 148 text
    data.extend(words(&[
        0xD060_00E8, // 14C patch: the pointer to the variables
        0xCA70_0134, // 150 patch: the pointer to the name
        // 154 trailer
        0x7D42_4C4B, // 154 "}BLK"
        0x28,        // 158 size of the trailer
        0,           // 15C zero
        0x0000_014C, // 160 structures and text
        0xD060_0000, // 164 where they are
        0x0000_0004, // 168 size of the text
        0xD060_0148, // 16C where it is
        0x0000_0007, // 170 patch base
        2,           // 174 patches
        0xD060_014C, // 178 where they are
    ]));
    assert_eq!(data.len(), 0x17C);
    data
}

/// A file with that header alone, 0x1DC bytes: data at 0x40, variable at 0x174, text at 0x188, patches at 0x18C, trailer
/// at 0x194, end block at 0x1BC.
pub(super) fn vertex_file() -> Vec<u8> {
    file(&[block(3, &vertex_data())])
}

/// The data of a texture header.
pub(super) fn texture_data() -> Vec<u8> {
    let mut data = words(&[
        1,           // 00 dim: 2D
        0x0000_0280, // 04 width
        0x0000_0168, // 08 height
        1,           // 0C depth
        11,          // 10 mip levels
        0x0000_001A, // 14 format: UNORM_R8_G8_B8_A8
        2,           // 18 aa
        3,           // 1C use
        0x000E_A000, // 20 image size
        0x0000_0005, // 24 image
        0x0000_0006, // 28 mipmap size
        0x0000_0007, // 2C mipmaps
        4,           // 30 tile mode: TILED_2D_THIN1
        0x000D_0000, // 34 swizzle
        0x0000_0800, // 38 alignment
        0x0000_0280, // 3C pitch
    ]);
    data.extend(words(&[
        64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, // 40 mip level offsets
    ]));
    data.extend(words(&[
        1,           // 74 view: first mip
        2,           // 78 number of mips
        3,           // 7C first slice
        4,           // 80 number of slices
        0x0001_0203, // 84 component map
        0x88,        // 88 registers
        0x8C,
        0x90,
        0x94,
        0x98,
    ]));
    assert_eq!(data.len(), 0x9C);
    data
}

/// A kind of shader header: block type, size, place of the mode, and its arrays: place of the count, size and whether
/// elements start with a name.
pub(super) struct Stage {
    pub(super) kind: u32,
    pub(super) size: usize,
    pub(super) mode: Option<usize>,
    pub(super) arrays: &'static [(usize, usize, bool)],
}

/// Vertex, pixel, geometry and compute shader headers.
pub(super) const STAGES: [Stage; 4] = [
    Stage {
        kind: 3,
        size: 0x134,
        mode: Some(0xD8),
        arrays: &[
            (0xDC, 12, true),
            (0xE4, 20, true),
            (0xEC, 20, false),
            (0xF4, 8, false),
            (0xFC, 12, true),
            (0x104, 16, true),
        ],
    },
    Stage {
        kind: 6,
        size: 0xE8,
        mode: Some(0xAC),
        arrays: &[
            (0xB0, 12, true),
            (0xB8, 20, true),
            (0xC0, 20, false),
            (0xC8, 8, false),
            (0xD0, 12, true),
        ],
    },
    Stage {
        kind: 8,
        size: 0xB0,
        mode: Some(0x5C),
        arrays: &[
            (0x60, 12, true),
            (0x68, 20, true),
            (0x70, 20, false),
            (0x78, 8, false),
            (0x80, 12, true),
        ],
    },
    Stage {
        kind: 14,
        size: 0x84,
        mode: None,
        arrays: &[
            (0x38, 12, true),
            (0x40, 20, true),
            (0x48, 20, false),
            (0x50, 8, false),
            (0x58, 12, true),
        ],
    },
];

/// The data of a shader header with all of its arrays, `count` elements each. Every word is another; the second word of
/// element *k* (often a type) is *k*, its name is `name` and the digits of *k*. The text stands before the arrays, so that
/// the last word that can be patched is the last of an element, and the patch table is not aligned.
pub(super) fn full_data(stage: &Stage, mode: u32, count: u32) -> Vec<u8> {
    let mut data: Vec<u8> = words(&(0..stage.size as u32 / 4).map(filler).collect::<Vec<_>>());
    if let Some(place) = stage.mode {
        data = with(&data, place, mode);
    }
    let text = data.len();
    let mut names = Vec::new();
    for element in 0..count {
        names.push(0xCA70_0000 | data.len() as u32);
        data.extend(format!("name{element}\0").into_bytes());
    }
    let text_size = data.len() - text;
    data.resize(data.len().next_multiple_of(4), 0xEE);

    let mut patches = vec![0];
    for &(place, size, named) in stage.arrays {
        let start = data.len();
        data = with(&data, place, count);
        data = with(&data, place + 4, 0xD060_0000 | start as u32);
        patches.push(0xD060_0000 | (place + 4) as u32);
        for element in 0..count {
            let at = data.len();
            let word = |word| filler((at as u32 / 4) + word);
            let mut fields: Vec<u32> = (0..size as u32 / 4).map(word).collect();
            fields[1] = element;
            if named {
                fields[0] = names[element as usize];
                patches.push(0xCA70_0000 | at as u32);
            }
            data.extend(words(&fields));
        }
    }
    // A null pointer in the very last word: zero, and patched all the same.
    let size = data.len();
    data = with(&data, size - 4, 0);
    patches.push(0xD060_0000 | (size - 4) as u32);

    data.push(0xEE);
    let patch_offset = data.len() as u32;
    data.extend(words(&patches));
    data.extend([0; 8]);
    data.extend(words(&[
        0x7D42_4C4B,
        0x28,
        0x0000_0BAD,
        size as u32,
        0xD060_0000,
        text_size as u32,
        0xD060_0000 | text as u32,
        0x0000_0BAE,
        patches.len() as u32,
        0xD060_0000 | patch_offset,
    ]));
    data
}

/// A word that differs from word to word.
fn filler(word: u32) -> u32 {
    0x0123_4567_u32.wrapping_mul(2 * word + 1)
}
