//! DATA_FORMAT: where the components of an element stand.
//!
//! AMD's public register documents do not number the formats. The numbers and names are those that Mesa's and wut's
//! headers agree on; special formats (bits, block compression, packed 4:2:2) are textures', and no source describes them
//! for buffers.
//!
//! A name lists fields from the highest bit down, and component X is the lowest: 2_10_10_10 has X in bits 0 to 9, as
//! wut's UNORM_R10_G10_B10_A2 for it says. Formats of whole bytes, words or doublewords have X first in memory, which is
//! the same rule.

/// How the bits of a component are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// As NUM_FORMAT and FORMAT_COMP say.
    Integer,
    /// A float: 32 bits, 16 bits with a sign, 11 and 10 bits without.
    Float,
    /// Nine bits of a fraction, whose exponent is shared.
    SharedExponent,
}

/// A component: its lowest bit in the element and its width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) low: u32,
    pub(super) width: u32,
    pub(super) kind: Kind,
}

/// The fields of an element, X first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Format {
    /// Bytes of an element.
    pub(super) size: usize,
    pub(super) fields: Vec<Field>,
}

/// The format of a number; none where the number is reserved or no source says what a buffer of it holds.
pub(super) fn format(number: u8) -> Option<Format> {
    use Kind::{Float, Integer};
    let (widths, kind): (&[u32], Kind) = match number {
        1 => (&[8], Integer),
        2 => (&[4, 4], Integer),
        3 => (&[2, 3, 3], Integer),
        5 => (&[16], Integer),
        6 => (&[16], Float),
        7 => (&[8, 8], Integer),
        8 => (&[5, 6, 5], Integer),
        9 => (&[5, 5, 6], Integer),
        10 => (&[5, 5, 5, 1], Integer),
        11 => (&[4, 4, 4, 4], Integer),
        12 => (&[1, 5, 5, 5], Integer),
        13 => (&[32], Integer),
        14 => (&[32], Float),
        15 => (&[16, 16], Integer),
        16 => (&[16, 16], Float),
        17 => (&[24, 8], Integer),
        19 => (&[8, 24], Integer),
        21 => (&[11, 11, 10], Integer),
        22 => (&[11, 11, 10], Float),
        23 => (&[10, 11, 11], Integer),
        24 => (&[10, 11, 11], Float),
        25 => (&[10, 10, 10, 2], Integer),
        26 => (&[8, 8, 8, 8], Integer),
        27 => (&[2, 10, 10, 10], Integer),
        29 => (&[32, 32], Integer),
        30 => (&[32, 32], Float),
        31 => (&[16, 16, 16, 16], Integer),
        32 => (&[16, 16, 16, 16], Float),
        34 => (&[32, 32, 32, 32], Integer),
        35 => (&[32, 32, 32, 32], Float),
        43 => (&[9, 9, 9], Kind::SharedExponent),
        44 => (&[8, 8, 8], Integer),
        45 => (&[16, 16, 16], Integer),
        46 => (&[16, 16, 16], Float),
        47 => (&[32, 32, 32], Integer),
        48 => (&[32, 32, 32], Float),
        _ => return None,
    };
    let mut low = 0;
    let fields: Vec<Field> = widths
        .iter()
        .map(|&width| {
            let field = Field { low, width, kind };
            low += width;
            field
        })
        .collect();
    // The shared exponent is bits 27 to 31, after the three fractions.
    let bits = if kind == Kind::SharedExponent {
        32
    } else {
        low
    };
    Some(Format {
        size: bits as usize / 8,
        fields,
    })
}

/// The name of a format that [`format`] lacks, for an error message.
pub(super) fn name(number: u8) -> &'static str {
    match number {
        0 => "INVALID",
        18 => "8_24_FLOAT",
        20 => "24_8_FLOAT",
        28 => "X24_8_32_FLOAT",
        37 => "1",
        38 => "1_REVERSED",
        39 => "GB_GR",
        40 => "BG_RG",
        41 => "32_AS_8",
        42 => "32_AS_8_8",
        49 => "BC1",
        50 => "BC2",
        51 => "BC3",
        52 => "BC4",
        53 => "BC5",
        _ => "reserved",
    }
}
