//! Numbers as people read them.

/// A number with its thousands grouped: `1,234,567`.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number and what it counts: `1 case`, `2,000 cases`.
pub(super) fn counted(number: u64, one: &str, many: &str) -> String {
    format!(
        "{} {}",
        grouped(number),
        if number == 1 { one } else { many }
    )
}

/// A share in whole percent, rounded down, so that 100 means all of it. All of nothing is 0.
pub(super) fn percent(part: u64, whole: u64) -> u64 {
    match u128::from(whole) {
        0 => 0,
        whole => u64::try_from(u128::from(part) * 100 / whole).unwrap_or(u64::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1000), "1,000");
        assert_eq!(grouped(4_294_967_296), "4,294,967,296");
        assert_eq!(grouped(u64::MAX), "18,446,744,073,709,551,615");
    }

    #[test]
    fn one_is_singular() {
        assert_eq!(counted(1, "case", "cases"), "1 case");
        assert_eq!(counted(0, "case", "cases"), "0 cases");
    }

    #[test]
    fn a_hundred_percent_means_all() {
        assert_eq!(percent(999_999, 1_000_000), 99);
        assert_eq!(percent(u64::MAX, u64::MAX), 100);
        assert_eq!(percent(0, 0), 0);
    }
}
