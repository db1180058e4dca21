//! Bytes as people write them in case files: hex digits with blanks where they help.

use thiserror::Error;

/// Why a text is not hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum HexError {
    /// A character that is neither a hex digit nor white space.
    #[error("character {found:?} at column {column} is not a hex digit")]
    Digit {
        /// The character.
        found: char,
        /// Its place, counted in characters from 1.
        column: usize,
    },
    /// An odd number of digits: half a byte is left over.
    #[error("{digits} hex digits are not a whole number of units of {unit} digits")]
    Odd {
        /// How many digits there are.
        digits: usize,
        /// Digits of a unit: 2 for bytes, 8 for words.
        unit: usize,
    },
}

fn digits(text: &str) -> Result<Vec<u8>, HexError> {
    let mut digits = Vec::with_capacity(text.len());
    for (at, found) in text.chars().enumerate() {
        if found.is_whitespace() {
            continue;
        }
        let digit = found.to_digit(16).ok_or(HexError::Digit {
            found,
            column: at + 1,
        })?;
        digits.push(digit as u8);
    }
    Ok(digits)
}

/// Reads bytes: two digits each, in order.
pub fn bytes(text: &str) -> Result<Vec<u8>, HexError> {
    let digits = digits(text)?;
    if !digits.len().is_multiple_of(2) {
        return Err(HexError::Odd {
            digits: digits.len(),
            unit: 2,
        });
    }
    Ok(digits
        .chunks_exact(2)
        .map(|pair| pair[0] << 4 | pair[1])
        .collect())
}

/// Reads 32-bit words, eight digits each, most significant first, and stores them little-endian: the way
/// disassemblers print microcode.
pub fn little_endian_words(text: &str) -> Result<Vec<u8>, HexError> {
    let digits = digits(text)?;
    if !digits.len().is_multiple_of(8) {
        return Err(HexError::Odd {
            digits: digits.len(),
            unit: 8,
        });
    }
    let word = |eight: &[u8]| {
        eight
            .iter()
            .fold(0_u32, |word, &digit| word << 4 | u32::from(digit))
    };
    Ok(digits
        .chunks_exact(8)
        .flat_map(|eight| word(eight).to_le_bytes())
        .collect())
}

/// Writes bytes as lower-case digits without blanks.
pub fn encode(bytes: &[u8]) -> String {
    use std::fmt::Write;
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        write!(text, "{byte:02x}").expect("writing to a string");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_stored_least_significant_byte_first() {
        assert_eq!(
            little_endian_words("81802c00 60400010").unwrap(),
            [0x00, 0x2c, 0x80, 0x81, 0x10, 0x00, 0x40, 0x60]
        );
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert_eq!(bytes("4 7 6"), Err(HexError::Odd { digits: 3, unit: 2 }));
        assert_eq!(
            bytes("4g"),
            Err(HexError::Digit {
                found: 'g',
                column: 2
            })
        );
        assert_eq!(
            little_endian_words("1234"),
            Err(HexError::Odd { digits: 4, unit: 8 })
        );
        assert_eq!(encode(&bytes("DE ad").unwrap()), "dead");
    }
}
