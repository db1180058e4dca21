//! Inputs and values, bit by bit.

use maud::{Markup, html};

/// A value as a pattern of bits, as wide as the values beside it need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    bits: u128,
    width: u32,
}

/// The bit patterns of values that are held against each other: nothing for a value that is no number, and nothing at
/// all if fewer than two are.
///
/// Negative numbers are in two's complement. The width is a multiple of four that holds every value.
pub(super) fn patterns<'a>(values: impl Iterator<Item = &'a str>) -> Vec<Option<Pattern>> {
    let numbers: Vec<Option<i128>> = values.map(number).collect();
    let known = || numbers.iter().flatten().copied();
    if known().count() < 2 {
        return vec![None; numbers.len()];
    }
    let signed = known().any(|number| number < 0);
    let needed = |number: i128| {
        let magnitude = if number < 0 { !number } else { number };
        128 - magnitude.leading_zeros() + u32::from(signed)
    };
    let width = known()
        .map(needed)
        .max()
        .unwrap_or(0)
        .max(1)
        .next_multiple_of(4);
    let mask = u128::MAX >> (128 - width);
    let pattern = |number: i128| Pattern {
        bits: number.cast_unsigned() & mask,
        width,
    };
    numbers
        .into_iter()
        .map(|number| number.map(pattern))
        .collect()
}

/// The number in a rendered value: `5`, `-3`, `17 (0x11)`, `MUL (1)`, `1.0 (0x3f800000)`, `code 1`.
fn number(value: &str) -> Option<i128> {
    // A value that the specification leaves open says so behind it.
    let value = value.strip_suffix(" (open)").unwrap_or(value);
    let text = match value.strip_suffix(')') {
        Some(value) => value.rsplit_once('(')?.1,
        None => value.strip_prefix("code ").unwrap_or(value),
    };
    let number = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok().map(i128::from),
        None => text
            .parse::<i64>()
            .ok()
            .map(i128::from)
            .or_else(|| text.parse().ok().map(from_u64)),
    };
    number.filter(|_| {
        text.chars()
            .all(|c| c.is_ascii_hexdigit() || matches!(c, '-' | 'x'))
    })
}

fn from_u64(number: u64) -> i128 {
    i128::from(number)
}

/// A pattern in groups of four, with the bits marked that differ from another's.
pub(super) fn against(pattern: Pattern, other: Pattern) -> Markup {
    let differing = pattern.bits ^ other.bits;
    html! {
        code.bits {
            @for bit in (0..pattern.width).rev() {
                @let digit = (pattern.bits >> bit) & 1;
                @if (differing >> bit) & 1 == 1 { mark { (digit) } } @else { (digit) }
                @if bit > 0 && bit % 4 == 0 { " " }
            }
        }
    }
}

/// A 32-bit word: its number, hex and bits, under a ruler.
pub(super) fn word(at: usize, text: &str) -> Markup {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    let value = u32::from_str_radix(digits, 16)
        .ok()
        .filter(|_| digits.len() <= 8);
    html! {
        div.word {
            span.at { "word " (at) }
            code.hex { (text) }
            @if let Some(value) = value {
                code.bits {
                    span.ruler aria-hidden="true" { (RULER) }
                    @for bit in (0..32u32).rev() {
                        @if (value >> bit) & 1 == 1 { b { "1" } } @else { "0" }
                        @if bit > 0 && bit % 4 == 0 { " " }
                    }
                }
                span.set { (set(value)) }
            }
        }
    }
}

/// The numbers of the bits above the first digit of each group of four.
const RULER: &str = "31   27   23   19   15   11   7    3";

/// Which bits are set, in words: `bits 31–28, 7, 0`.
fn set(value: u32) -> String {
    match value.count_ones() {
        0 => "no bit set".to_string(),
        1 => format!("bit {}", runs(value.into())),
        _ => format!("bits {}", runs(value.into())),
    }
}

/// The numbers of the bits that are set, from the highest: `31–28, 7, 0`.
pub(super) fn runs(value: u64) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for bit in (0..64).rev().filter(|bit| (value >> bit) & 1 == 1) {
        match runs.last_mut() {
            Some((_, low)) if *low == bit + 1 => *low = bit,
            _ => runs.push((bit, bit)),
        }
    }
    let run = |&(high, low): &(u32, u32)| match high - low {
        0 => high.to_string(),
        _ => format!("{high}–{low}"),
    };
    runs.iter().map(run).collect::<Vec<_>>().join(", ")
}

/// Hex digits as a dump: an offset and sixteen bytes a line.
pub(super) fn dump(hex: &str, most: usize) -> String {
    let digits: Vec<char> = hex.chars().take(most.saturating_mul(2)).collect();
    let mut dump = String::new();
    for (at, line) in digits.chunks(32).enumerate() {
        let bytes: Vec<String> = line.chunks(2).map(|byte| byte.iter().collect()).collect();
        dump.push_str(&format!("{:06x}  {}\n", at * 16, bytes.join(" ")));
    }
    dump
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_in_rendered_values() {
        assert_eq!(number("5"), Some(5));
        assert_eq!(number("-3"), Some(-3));
        assert_eq!(number("17 (0x11)"), Some(17));
        assert_eq!(number("MUL (1)"), Some(1));
        assert_eq!(number("a (b) (12)"), Some(12));
        assert_eq!(number("1.0 (0x3f800000)"), Some(0x3f80_0000));
        assert_eq!(
            number("18446744073709551615 (0xffffffffffffffff)"),
            Some(u64::MAX.into())
        );
        assert_eq!(number("code 7"), Some(7));
        assert_eq!(number("17 (0x11) (open)"), Some(17));
        for text in [
            "",
            ")",
            "(",
            "00ff… (4 bytes)",
            "rejected truncated @ 8",
            "\"5\"",
            "+5",
            "(0x)",
        ] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn differing_bits_are_marked() {
        let patterns = patterns(["MUL (1)", "rejected", "17 (0x11)"].into_iter());
        assert_eq!(patterns[1], None);
        assert_eq!(
            against(patterns[2].unwrap(), patterns[0].unwrap()).into_string(),
            "<code class=\"bits\">000<mark>1</mark> 0001</code>"
        );
    }

    #[test]
    fn negative_numbers_are_twos_complement() {
        let pattern = |bits, width| Some(Pattern { bits, width });
        assert_eq!(
            patterns(["-8", "7"].into_iter()),
            [pattern(8, 4), pattern(7, 4)]
        );
        assert_eq!(
            patterns(["-1", "8"].into_iter()),
            [pattern(0xff, 8), pattern(8, 8)]
        );
        assert_eq!(patterns(["1", "rejected"].into_iter()), [None, None]);
    }

    #[test]
    fn set_bits_are_named_in_runs() {
        assert_eq!(set(0), "no bit set");
        assert_eq!(set(1 << 31), "bit 31");
        assert_eq!(set(0xf000_0081), "bits 31–28, 7, 0");
        assert_eq!(set(u32::MAX), "bits 31–0");
    }

    #[test]
    fn the_ruler_stands_over_its_bits() {
        for (high, column) in (0..8).map(|group| (31 - 4 * group, 5 * group)) {
            assert!(RULER[column..].starts_with(&high.to_string()));
        }
    }

    #[test]
    fn a_dump_is_cut_and_takes_any_text() {
        assert_eq!(
            dump(&"0a".repeat(20), 17),
            format!("000000  {}\n000010  0a\n", ["0a"; 16].join(" "))
        );
        assert_eq!(dump("é0<", 9), "000000  é0 <\n");
        assert_eq!(dump("", 9), "");
    }
}
