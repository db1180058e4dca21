//! Containers laid out by hand, word by word. No code of the crate takes part in making them.

/// Bytes in the making.
pub(crate) struct Bytes(pub(crate) Vec<u8>);

impl Bytes {
    /// Appends big-endian words.
    pub(crate) fn words(&mut self, words: &[u32]) -> &mut Bytes {
        for word in words {
            self.0.extend_from_slice(&word.to_be_bytes());
        }
        self
    }

    /// Appends bytes as they are.
    pub(crate) fn raw(&mut self, bytes: &[u8]) -> &mut Bytes {
        self.0.extend_from_slice(bytes);
        self
    }
}

/// Replaces the word at `at`.
pub(crate) fn set(bytes: &mut [u8], at: usize, word: u32) {
    bytes[at..at + 4].copy_from_slice(&word.to_be_bytes());
}

/// The word at `at`.
pub(crate) fn get(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap())
}

pub(crate) fn file_header(bytes: &mut Bytes, major: u32, minor: u32, align: u32) {
    bytes.raw(b"Gfx2").words(&[
        0x20,  // 04 header size
        major, // 08
        minor, // 0C
        2,     // 10 gpu version
        align, // 14 alignment mode
        0,     // 18 reserved
        0,     // 1C reserved
    ]);
}

pub(crate) fn block_header(bytes: &mut Bytes, block_type: u32, size: u32) {
    bytes.raw(b"BLK{").words(&[
        0x20, // 04 header size
        1, 0,          // 08 version
        block_type, // 10
        size,       // 14
        0,          // 18 id
        0,          // 1C index
    ]);
}

/// A file header and an end block.
pub(crate) fn smallest() -> Vec<u8> {
    let mut bytes = Bytes(Vec::new());
    file_header(&mut bytes, 7, 1, 0);
    block_header(&mut bytes, 1, 0);
    bytes.0
}

/// Where the vertex header's data starts in [`vertex`].
pub(crate) const DATA: usize = 0x40;

/// Where the relocation trailer is in [`vertex`].
pub(crate) const TRAILER: usize = DATA + 0x1E4;

/// Where the patch table is in [`vertex`].
pub(crate) const PATCHES: usize = DATA + 0x1B4;

/// A vertex header with something in every array, its program of 8 bytes, and the end block.
///
/// | file offset | what |
/// |---|---|
/// | 0x000 | file header |
/// | 0x020 | vertex shader header block, 0x20C bytes of data from 0x40 |
/// | 0x24C | vertex shader program block, 8 bytes of data from 0x26C |
/// | 0x274 | end block |
/// | 0x294 | end |
pub(crate) fn vertex() -> Vec<u8> {
    let mut bytes = Bytes(Vec::new());
    file_header(&mut bytes, 7, 1, 0);
    block_header(&mut bytes, 3, 0x20C);
    // Registers: 0xC000_00nn, with nn the word's number in the structure.
    bytes.words(&(0..0x34).map(|n| 0xC000_0000 + n).collect::<Vec<u32>>());
    bytes.words(&[
        8, // 0D0 size
        0, // 0D4 program
        1, // 0D8 mode: UNIFORM_BLOCK
        1,
        0xD060_0134, // 0DC uniform blocks
        2,
        0xD060_0140, // 0E4 uniform variables
        1,
        0xD060_0168, // 0EC initial values
        1,
        0xD060_017C, // 0F4 loop variables
        1,
        0xD060_0184, // 0FC samplers
        1,
        0xD060_0190, // 104 attributes
        0x11,        // 10C ring item size
        0x22,        // 110 has stream out
        0x31,
        0x32,
        0x33,
        0x34, // 114 stream out strides
        0x41,
        0x42,
        0x43,
        0x44, // 124 resource buffer
    ]);
    bytes.words(&[0xCA70_01A0, 2, 0x100]); // 134 uniform block "ub": offset, size
    bytes.words(&[0xCA70_01A4, 29, 1, 16, 0]); // 140 variable "u_mvp": FLOAT4X4, count, offset, block
    bytes.words(&[0, 99, 3, 4, 0xFFFF_FFFF]); // 154 variable without a name, of an unknown type
    bytes.words(&[0x3F80_0000, 0, 0, 0x4000_0000, 7]); // 168 initial value of four words, offset
    bytes.words(&[5, 0x0001_0003]); // 17C loop variable: offset, value
    bytes.words(&[0xCA70_01AC, 1, 6]); // 184 sampler "tex": SAMPLER_2D, location
    bytes.words(&[0xCA70_01B0, 10, 1, 9]); // 190 attribute "pos": FLOAT3, count, location
    bytes.raw(b"ub\0\0u_mvp\0\0\0tex\0pos\0"); // 1A0 text, 0x14 bytes, up to 1B4
    bytes.words(&[
        0xD060_00E0, // 1B4 patches of the six array pointers
        0xD060_00E8, // 1B8
        0xD060_00F0, // 1BC
        0xD060_00F8, // 1C0
        0xD060_0100, // 1C4
        0xD060_0108, // 1C8
        0,           // 1CC none
        0xCA70_0134, // 1D0 patches of the four name pointers
        0xCA70_0140, // 1D4
        0xCA70_0184, // 1D8
        0xCA70_0190, // 1DC
    ]);
    bytes.words(&[0]); // 1E0 behind the patch table
    bytes.raw(b"}BLK").words(&[
        0x28,        // 1E8 size of the trailer
        0,           // 1EC reserved
        0x1B4,       // 1F0 data size
        0xD060_0000, // 1F4 data offset
        0x14,        // 1F8 text size
        0xD060_01A0, // 1FC text offset
        0,           // 200 patch base
        11,          // 204 patch count
        0xD060_01B4, // 208 patch offset
    ]);
    block_header(&mut bytes, 5, 8);
    bytes.raw(&[1, 0, 0, 0, 2, 0, 0, 0]);
    block_header(&mut bytes, 1, 0);
    assert_eq!(bytes.0.len(), 0x294);
    bytes.0
}

/// A file of one shader header of `size` bytes of structure without arrays or text, filled with the words' numbers
/// from 1 on, and the end block. The counts of its arrays, five pairs from `arrays` on, are zero.
pub(crate) fn bare_shader(block_type: u32, size: u32, arrays: u32) -> Vec<u8> {
    let mut bytes = Bytes(Vec::new());
    file_header(&mut bytes, 7, 1, 0);
    block_header(&mut bytes, block_type, size + 0x28);
    for word in 0..size / 4 {
        let is_array = (arrays / 4..arrays / 4 + 10).contains(&word);
        bytes.words(&[if is_array { 0 } else { word + 1 }]);
    }
    bytes.raw(b"}BLK").words(&[
        0x28,               // size of the trailer
        0,                  // reserved
        size,               // data size
        0xD060_0000,        // data offset
        0,                  // text size
        0xD060_0000 + size, // text offset
        0,                  // patch base
        0,                  // patch count
        0xD060_0000 + size, // patch offset
    ]);
    block_header(&mut bytes, 1, 0);
    bytes.0
}

/// A texture header with 4 bytes behind the structure, an image of 16 bytes and a mipmap of 4.
///
/// | file offset | what |
/// |---|---|
/// | 0x020 | texture header block, 0xA0 bytes of data from 0x40 |
/// | 0x0E0 | image block, 16 bytes of data from 0x100 |
/// | 0x110 | mipmap block, 4 bytes of data from 0x130 |
/// | 0x134 | end block |
pub(crate) fn texture(major: u32, minor: u32, numbers: [u32; 3]) -> Vec<u8> {
    let mut bytes = Bytes(Vec::new());
    file_header(&mut bytes, major, minor, 0);
    block_header(&mut bytes, numbers[0], 0xA0);
    bytes.words(&[
        1,           // 00 dimensions: TEXTURE_2D
        2,           // 04 width
        3,           // 08 height
        4,           // 0C depth
        5,           // 10 mip levels
        26,          // 14 format: UNORM_R8_G8_B8_A8
        6,           // 18 antialiasing
        7,           // 1C use
        16,          // 20 image size
        8,           // 24 image
        4,           // 28 mipmap size
        9,           // 2C mipmaps
        4,           // 30 tile mode: TILED_2D_THIN1
        0x000D_0000, // 34 swizzle
        0x800,       // 38 alignment
        32,          // 3C pitch
    ]);
    bytes.words(&[40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52]); // 40 mip level offsets
    bytes.words(&[60, 61, 62, 63]); // 74 view
    bytes.words(&[0x0001_0203]); // 84 component map
    bytes.words(&[70, 71, 72, 73, 74]); // 88 registers
    bytes.raw(b"rest"); // 9C behind the structure
    block_header(&mut bytes, numbers[1], 16);
    bytes.raw(b"0123456789abcdef");
    block_header(&mut bytes, numbers[2], 4);
    bytes.raw(b"mips");
    block_header(&mut bytes, 1, 0);
    assert_eq!(bytes.0.len(), 0x154);
    bytes.0
}
