//! Values in GLSL: words that are known, and places that hold one.

use super::prelude::{Helper, Helpers};

/// What an operation reads a word as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Read {
    /// A float that it calculates with.
    Float,
    /// A word that it copies.
    Bits,
    /// A signed integer.
    Int,
    /// An unsigned integer.
    Uint,
}

/// A word, before the modifiers of an operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// A word that is known.
    Word(u32),
    /// An expression of type `float` that can stand before a postfix or behind a minus.
    Place(String),
}

const SIGN: u32 = 1 << 31;

impl Value {
    /// The expression that reads the value, with the modifiers of an operand: abs, then neg. `None` if they stand on
    /// an integer, where nobody says what they do.
    pub(crate) fn read(
        &self,
        read: Read,
        abs: bool,
        neg: bool,
        helpers: &mut Helpers,
    ) -> Option<String> {
        if matches!(read, Read::Int | Read::Uint) && (abs || neg) {
            return None;
        }
        let text = match self {
            Self::Word(bits) => {
                let bits = if abs { bits & !SIGN } else { *bits };
                let bits = if neg { bits ^ SIGN } else { bits };
                match read {
                    Read::Float | Read::Bits => float(bits, helpers),
                    Read::Int => int(bits),
                    Read::Uint => uint(bits),
                }
            }
            Self::Place(place) => match (read, abs, neg) {
                (Read::Int, ..) => format!("floatBitsToInt({place})"),
                (Read::Uint, ..) => format!("floatBitsToUint({place})"),
                (_, false, false) => place.clone(),
                (Read::Float, true, false) => format!("abs({place})"),
                (Read::Float, false, true) => format!("-{place}"),
                (Read::Float, true, true) => format!("-abs({place})"),
                (Read::Bits, ..) => {
                    let mut text = place.clone();
                    if abs {
                        helpers.insert(Helper::Magnitude);
                        text = format!("magnitude({text})");
                    }
                    if neg {
                        helpers.insert(Helper::Negated);
                        text = format!("negated({text})");
                    }
                    text
                }
            },
        };
        Some(text)
    }
}

/// A float literal that comes back to exactly these bits, or a call where there is none.
pub(crate) fn float(bits: u32, helpers: &mut Helpers) -> String {
    let value = f32::from_bits(bits);
    if value.is_normal() || value == 0.0 {
        // The shortest text that reads as the value. Compilers may read it as a double first.
        let text = format!("{value:?}");
        let as_double = text.parse::<f64>().map(|double| (double as f32).to_bits());
        // A compiler may take -0.0 for 0.0 with a sign in front of it, and drop that.
        if as_double == Ok(bits) && bits != SIGN {
            return text;
        }
    }
    helpers.insert(Helper::Word);
    format!("word({bits:#010x}u)")
}

fn int(bits: u32) -> String {
    match bits as i32 {
        // The literal without its sign does not fit.
        i32::MIN => "(-2147483647 - 1)".into(),
        value => value.to_string(),
    }
}

fn uint(bits: u32) -> String {
    if bits < 1 << 16 {
        format!("{bits}u")
    } else {
        format!("{bits:#x}u")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_come_back() {
        let mut helpers = Helpers::default();
        let mut text = |bits| float(bits, &mut helpers);
        assert_eq!(text(0x3f80_0000), "1.0");
        assert_eq!(text(0xc020_0000), "-2.5");
        // The largest float, and the smallest normal one.
        assert_eq!(text(0x7f7f_ffff), "3.4028235e38");
        assert_eq!(text(0x0080_0000), "1.1754944e-38");
        // A denormal, -0, infinity and a NaN have no literal that every compiler keeps.
        assert_eq!(text(1), "word(0x00000001u)");
        assert_eq!(text(0x8000_0000), "word(0x80000000u)");
        assert_eq!(text(0x7f80_0000), "word(0x7f800000u)");
        assert_eq!(text(0xffff_ffff), "word(0xffffffffu)");
    }

    #[test]
    fn modifiers_by_what_is_read() {
        let mut helpers = Helpers::default();
        let place = Value::Place("R1.x".into());
        let mut read = |read, abs, neg| place.read(read, abs, neg, &mut helpers);
        assert_eq!(read(Read::Float, true, true).as_deref(), Some("-abs(R1.x)"));
        assert_eq!(
            read(Read::Bits, true, true).as_deref(),
            Some("negated(magnitude(R1.x))")
        );
        assert_eq!(
            read(Read::Int, false, false).as_deref(),
            Some("floatBitsToInt(R1.x)")
        );
        assert_eq!(read(Read::Int, false, true), None);
        // neg of abs of -2.0.
        let word = Value::Word(0xc000_0000);
        assert_eq!(
            word.read(Read::Float, true, true, &mut helpers).as_deref(),
            Some("-2.0")
        );
        assert_eq!(
            Value::Word(u32::MAX)
                .read(Read::Int, false, false, &mut helpers)
                .as_deref(),
            Some("-1")
        );
    }
}
