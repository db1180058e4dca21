//! Numbers as both sources write them.

/// A decimal or 0x number with a sign or without. A number that begins with a further 0 is octal in C and is not read.
pub(super) fn integer(text: &str) -> Option<i64> {
    let (negative, digits) = signed(text);
    let (radix, digits) = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(digits) => (16, digits),
        None if digits.len() > 1 && digits.starts_with('0') => return None,
        None => (10, digits),
    };
    // The library would take a sign of its own here.
    if !digits.starts_with(|c: char| c.is_digit(radix)) {
        return None;
    }
    let magnitude = i64::from_str_radix(digits, radix).ok()?;
    Some(if negative { -magnitude } else { magnitude })
}

/// A number that fits into 32 bits, signed or not.
pub(super) fn word(text: &str) -> Option<u32> {
    let number = integer(text)?;
    let signed = i32::try_from(number).map(|number| number as u32);
    u32::try_from(number).or(signed).ok()
}

/// The bits of a float of C: digits with a point, an exponent or an `f`, as its nearest binary32.
pub(super) fn float(text: &str) -> Option<u32> {
    let number = text.strip_suffix(['f', 'F']).unwrap_or(text);
    let marked = number.len() < text.len() || number.contains(['.', 'e', 'E']);
    marked.then(|| decimal(number)).flatten()
}

/// The bits of the binary32 nearest to a decimal number, a whole one too.
pub(super) fn decimal(text: &str) -> Option<u32> {
    // No names of infinities and the like.
    let (_, digits) = signed(text);
    let plain = |c: char| c.is_ascii_digit() || ".eE+-".contains(c);
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') || !digits.chars().all(plain) {
        return None;
    }
    text.parse().ok().map(f32::to_bits)
}

fn signed(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_decimal_or_hexadecimal() {
        for (text, expected) in [
            ("0", Some(0)),
            ("52", Some(52)),
            ("-7", Some(-7)),
            ("+7", Some(7)),
            ("0x1d", Some(29)),
            ("-0X10", Some(-16)),
            ("010", None),
            ("--1", None),
            ("0x+1", None),
            ("0x", None),
            ("", None),
            ("1u", None),
            ("1.0", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(integer(text), expected, "{text}");
        }
        assert_eq!(word("0xffffffff"), Some(u32::MAX));
        assert_eq!(word("-1"), Some(u32::MAX));
        assert_eq!(word("0x100000000"), None);
    }

    #[test]
    fn floats_have_a_point_an_exponent_or_an_f() {
        for (text, expected) in [
            ("1.0f", Some(1.0f32)),
            ("-1.5", Some(-1.5)),
            (".5", Some(0.5)),
            ("2.", Some(2.0)),
            ("1e3", Some(1000.0)),
            ("1e-1f", Some(0.1)),
            ("3f", Some(3.0)),
            ("3", None),
            ("inf", None),
            ("nan.", None),
            (".", None),
            ("f", None),
            ("0x1.8", None),
            ("x.y", None),
        ] {
            assert_eq!(float(text), expected.map(f32::to_bits), "{text}");
        }
        assert_eq!(decimal("3"), Some(3f32.to_bits()));
    }
}
