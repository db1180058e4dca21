//! Lengths: how bits 30:23 of a first word say them, family by family.

/// How L, bits 30:23, says a length.
///
/// Every sample of the notes fits exactly one of these (errata I001 to I003, I005).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// No length, and no L that the notes give.
    None,
    /// No length; L is 0.
    Zero,
    /// No length; L is 117.
    Fixed,
    /// L is len + 115: the tree into memory, and copies.
    T,
    /// L is len + 117: the comparison with the tree.
    Z,
    /// L is (len + 116) mod 128: scalars and sums.
    M,
    /// L is 0 without a length, or rule M with one.
    ZeroOrM,
}

impl Rule {
    /// The length that `l` says, if it says one.
    #[inline]
    pub const fn len(self, l: u8) -> Option<u8> {
        match self {
            Self::None | Self::Zero | Self::Fixed => None,
            Self::T => l.checked_sub(115),
            Self::Z => l.checked_sub(117),
            Self::ZeroOrM if l == 0 => None,
            Self::M | Self::ZeroOrM if l > 127 => None,
            Self::M | Self::ZeroOrM => Some((l + 12) % 128),
        }
    }

    /// The greatest length that can be said; none where none can.
    pub const fn longest(self) -> Option<u8> {
        match self {
            Self::None | Self::Zero | Self::Fixed => None,
            Self::T => Some(140),
            Self::Z => Some(138),
            Self::M | Self::ZeroOrM => Some(127),
        }
    }

    /// L for a length, or for none. The inverse of [`Rule::len`], except that rule 0 or M says a length of 12 by an L of
    /// 0, which reads as none: it has no L.
    pub const fn l(self, len: Option<u8>) -> Option<u8> {
        match (self, len) {
            (Self::None | Self::Zero | Self::ZeroOrM, None) => Some(0),
            (Self::Fixed, None) => Some(117),
            (Self::T, Some(len)) => len.checked_add(115),
            (Self::Z, Some(len)) => len.checked_add(117),
            (Self::ZeroOrM, Some(12)) => None,
            (Self::M | Self::ZeroOrM, Some(len)) if len <= 127 => Some((len + 116) % 128),
            _ => None,
        }
    }
}

impl std::fmt::Display for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::None => "-",
            Self::Zero => "0",
            Self::Fixed => "E",
            Self::T => "T",
            Self::Z => "Z",
            Self::M => "M",
            Self::ZeroOrM => "0 or M",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_of_the_notes_have_their_lengths() {
        // (rule, L, len) of the table in docs/targets/igc.md.
        for (rule, l, len) in [
            (Rule::T, 122, 7),
            (Rule::T, 130, 15),
            (Rule::T, 135, 20),
            (Rule::T, 123, 8),
            (Rule::T, 131, 16),
            (Rule::T, 120, 5),
            (Rule::T, 118, 3),
            (Rule::T, 115, 0),
            (Rule::T, 255, 140),
            (Rule::Z, 137, 20),
            (Rule::Z, 255, 138),
            (Rule::M, 117, 1),
            (Rule::M, 116, 0),
            (Rule::M, 18, 30),
            (Rule::M, 121, 5),
            (Rule::M, 8, 20),
            (Rule::M, 127, 11),
            (Rule::M, 0, 12),
            (Rule::M, 115, 127),
            (Rule::ZeroOrM, 117, 1),
        ] {
            assert_eq!(rule.len(l), Some(len), "{rule} {l}");
            assert_eq!(rule.l(Some(len)), Some(l), "{rule} {len}");
        }
    }

    #[test]
    fn outside_of_a_rule_there_is_no_length() {
        for (rule, l) in [
            (Rule::T, 114),
            (Rule::Z, 116),
            (Rule::M, 128),
            (Rule::M, 146),
            (Rule::ZeroOrM, 0),
            (Rule::Zero, 0),
            (Rule::Fixed, 117),
            (Rule::None, 130),
        ] {
            assert_eq!(rule.len(l), None, "{rule} {l}");
        }
        for (rule, len) in [(Rule::T, 141), (Rule::Z, 139), (Rule::M, 128)] {
            assert_eq!(rule.l(Some(len)), None, "{rule} {len}");
            assert_eq!(rule.longest(), Some(len - 1));
        }
        assert_eq!(Rule::ZeroOrM.l(Some(12)), None, "would read as no length");
        assert_eq!(Rule::Fixed.l(None), Some(117));
        assert_eq!(Rule::ZeroOrM.l(None), Some(0));
    }
}
