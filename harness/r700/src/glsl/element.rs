//! The elements of a buffer: where their components lie, and how they become numbers.

use super::options::ElementFormat;
use crate::data_format;

/// What becomes of an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    Normalised,
    Integer,
    Scaled,
}

/// A component: bits `low` and up of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) word: u32,
    pub(crate) low: u32,
    pub(crate) width: u32,
}

/// The layout of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Element {
    /// The widths in bits, X first, which lies lowest.
    widths: Vec<u32>,
    pub(crate) float: bool,
    pub(crate) number: Number,
    pub(crate) signed: bool,
    pub(crate) no_zero: bool,
    swap: u8,
}

impl Element {
    /// The layout of a format, or why there is none.
    pub(crate) fn of(format: &ElementFormat) -> Result<Self, String> {
        let name = data_format::name(format.data_format);
        let (widths, float) = match name.strip_suffix("_FLOAT") {
            Some(widths) => (widths, true),
            None => (name, false),
        };
        // The names list the widths from the highest to the lowest component.
        let widths: Option<Vec<u32>> = widths
            .split('_')
            .rev()
            .map(|width| width.parse().ok())
            .collect();
        let widths = widths.filter(|widths| {
            let bits: u32 = widths.iter().sum();
            let known = !float || widths.iter().all(|width| matches!(width, 16 | 32));
            known && widths.len() <= 4 && bits >= 8 && bits.is_multiple_of(8)
        });
        let Some(widths) = widths else {
            return Err(format!(
                "no layout of DATA_FORMAT {} ({name})",
                format.data_format
            ));
        };
        let number = match format.num_format {
            0 => Number::Normalised,
            1 => Number::Integer,
            2 => Number::Scaled,
            code => return Err(format!("NUM_FORMAT_ALL {code} is reserved")),
        };
        if format.endian_swap > 2 {
            return Err(format!("ENDIAN_SWAP {} is reserved", format.endian_swap));
        }
        Ok(Self {
            widths,
            float,
            number,
            signed: format.signed,
            no_zero: format.no_zero,
            swap: format.endian_swap,
        })
    }

    /// Its size.
    pub(crate) fn bytes(&self) -> u32 {
        self.widths.iter().sum::<u32>() / 8
    }

    /// The words that hold it.
    pub(crate) fn words(&self) -> u32 {
        self.bytes().div_ceil(4)
    }

    /// Component `i`, if it has one.
    pub(crate) fn part(&self, i: usize) -> Option<Part> {
        let width = *self.widths.get(i)?;
        let low: u32 = self.widths[..i].iter().sum();
        Some(Part {
            word: low / 32,
            low: low % 32,
            width,
        })
    }

    /// A word with its bytes in order.
    pub(crate) fn swapped(&self, word: &str) -> String {
        match self.swap {
            1 => format!("swap16({word})"),
            2 => format!("swap32({word})"),
            _ => word.into(),
        }
    }
}

/// The functions that put bytes in order, as far as `text` calls them.
pub(crate) fn swap_functions(text: &str) -> String {
    let mut functions = String::new();
    if text.contains("swap16(") {
        functions.push_str(
            "uint swap16(uint a) { return (a & 0xff00ffu) << 8u | (a >> 8u & 0xff00ffu); }\n",
        );
    }
    if text.contains("swap32(") {
        functions.push_str(
            "uint swap32(uint a) {\n    \
                 return a << 24u | (a & 0xff00u) << 8u | (a >> 8u & 0xff00u) | a >> 24u;\n}\n",
        );
    }
    functions
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(data_format: u8) -> Result<Element, String> {
        Element::of(&ElementFormat {
            data_format,
            ..ElementFormat::default()
        })
    }

    #[test]
    fn the_lowest_component_is_x() {
        // 2_10_10_10: W is the upper two bits.
        let packed = element(25).unwrap();
        let part = |i| packed.part(i).map(|part| (part.word, part.low, part.width));
        assert_eq!(part(0), Some((0, 0, 10)));
        assert_eq!(part(3), Some((0, 30, 2)));
        // 16_16_16_16: Z and W are the second word.
        let halves = element(31).unwrap();
        assert_eq!(
            halves.part(2).map(|part| (part.word, part.low)),
            Some((1, 0))
        );
        assert_eq!((halves.bytes(), halves.words()), (8, 2));
        // 8_8_8: three bytes, of one word.
        assert_eq!(
            (element(44).unwrap().bytes(), element(44).unwrap().words()),
            (3, 1)
        );
    }

    #[test]
    fn formats_without_a_layout() {
        // INVALID, 10_11_11_FLOAT, BC1, 1, 5_9_9_9_SHAREDEXP, RESERVED_4.
        for code in [0, 22, 49, 37, 43, 4] {
            assert!(element(code).is_err(), "{code}");
        }
        assert!(element(35).unwrap().float);
    }
}
