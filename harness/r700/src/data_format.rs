//! DATA_FORMAT: the layout of an element in memory.
//!
//! Source: Mesa 22.3.6 `r600_formats.h`, and for 38 and from 54 on `sfn_defines.h` (erratum R072).
//! Widths are in bits, the first component is the highest field.

/// The names of the formats, all 64.
pub static DATA_FORMATS: [&str; 64] = [
    "INVALID",
    "8",
    "4_4",
    "3_3_2",
    "RESERVED_4",
    "16",
    "16_FLOAT",
    "8_8",
    "5_6_5",
    "6_5_5",
    "1_5_5_5",
    "4_4_4_4",
    "5_5_5_1",
    "32",
    "32_FLOAT",
    "16_16",
    "16_16_FLOAT",
    "8_24",
    "8_24_FLOAT",
    "24_8",
    "24_8_FLOAT",
    "10_11_11",
    "10_11_11_FLOAT",
    "11_11_10",
    "11_11_10_FLOAT",
    "2_10_10_10",
    "8_8_8_8",
    "10_10_10_2",
    "X24_8_32_FLOAT",
    "32_32",
    "32_32_FLOAT",
    "16_16_16_16",
    "16_16_16_16_FLOAT",
    "RESERVED_33",
    "32_32_32_32",
    "32_32_32_32_FLOAT",
    "RESERVED_36",
    "1",
    "1_REVERSED",
    "GB_GR",
    "BG_RG",
    "32_AS_8",
    "32_AS_8_8",
    "5_9_9_9_SHAREDEXP",
    "8_8_8",
    "16_16_16",
    "16_16_16_FLOAT",
    "32_32_32",
    "32_32_32_FLOAT",
    "BC1",
    "BC2",
    "BC3",
    "BC4",
    "BC5",
    "APC0",
    "APC1",
    "APC2",
    "APC3",
    "APC4",
    "APC5",
    "APC6",
    "APC7",
    "CTX1",
    "RESERVED_63",
];

/// The name of a format. Every code of the 6-bit field has one; what is above names none.
pub fn name(format: u8) -> &'static str {
    DATA_FORMATS
        .get(usize::from(format))
        .copied()
        .unwrap_or("RESERVED")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_stand_at_their_codes() {
        assert_eq!(name(0), "INVALID");
        assert_eq!(name(26), "8_8_8_8");
        assert_eq!(name(35), "32_32_32_32_FLOAT");
        assert_eq!(name(48), "32_32_32_FLOAT");
        // R072: not BC6, which is Evergreen's.
        assert_eq!(name(54), "APC0");
        assert_eq!(name(63), "RESERVED_63");
    }
}
