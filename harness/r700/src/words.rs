//! Words as tables of fields: one row gives a field's name, type and place.
//!
//! The macro `words` turns such a table into a struct of parsed fields, its accessors and its setters, and
//! the two directions between the struct and the words. Bits that no row names are kept, in place.

use crate::error::Error;

/// Reads the words of a unit: `N` little-endian dwords, word 0 first. Further bytes are ignored.
///
/// # Errors
///
/// [`Error::ShortUnit`] if there are fewer than `4 * N` bytes.
pub fn read<const N: usize>(bytes: &[u8]) -> Result<[u32; N], Error> {
    let (dwords, _) = bytes.as_chunks::<4>();
    let Some(dwords) = dwords.first_chunk::<N>() else {
        return Err(Error::ShortUnit {
            needed: 4 * N,
            found: bytes.len(),
        });
    };
    Ok(dwords.map(u32::from_le_bytes))
}

/// A type that a field of a word is parsed into.
pub(crate) trait Field: Copy + Default {
    /// The value of a field that is `width` bits wide and holds `bits`.
    fn from_bits(bits: u32, width: u32) -> Self;

    /// The bits of the value, before they are cut to the width of the field.
    fn to_bits(self) -> u32;

    /// Whether a field of `width` bits can hold the value.
    fn fits(self, width: u32) -> bool {
        self.to_bits() <= mask(width)
    }
}

/// The lowest `width` bits set; `width` is 1 to 32.
pub(crate) const fn mask(width: u32) -> u32 {
    u32::MAX >> (32 - width)
}

impl Field for bool {
    fn from_bits(bits: u32, _width: u32) -> Self {
        bits != 0
    }

    fn to_bits(self) -> u32 {
        u32::from(self)
    }
}

macro_rules! unsigned_field {
    ($($int:ty)*) => {$(
        impl Field for $int {
            fn from_bits(bits: u32, _width: u32) -> Self {
                bits as $int
            }

            fn to_bits(self) -> u32 {
                u32::from(self)
            }
        }
    )*};
}

unsigned_field!(u8 u16 u32);

/// Two's complement of the width of the field.
impl Field for i8 {
    fn from_bits(bits: u32, width: u32) -> Self {
        let unused = 32 - width;
        ((bits << unused) as i32 >> unused) as i8
    }

    fn to_bits(self) -> u32 {
        self as u32
    }

    fn fits(self, width: u32) -> bool {
        Self::from_bits(self.to_bits(), width) == self
    }
}

/// Declares a unit: a struct with one field for each row of the table.
///
/// A row reads `accessor / setter: Type = word[high bit:low bit];`, without `/ setter` if the field
/// can't be changed. A row that ends in `when condition` exists only for values for which the
/// condition holds, and is an `Option`; rows that the condition looks at stand above it.
///
/// Beside accessors and setters the struct gets `parse` and `pack`, which are each other's inverse
/// for all words: `reserved` keeps what no row took.
macro_rules! words {
    (
        $(#[$meta:meta])*
        pub struct $name:ident: $count:literal words {
            $(
                $(#[$doc:meta])*
                $vis:vis $field:ident $(/ $with:ident)?: $ty:ty
                    = $word:literal[$hi:literal:$lo:literal] $(when $cond:path)?;
            )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $name {
            chip: crate::Chip,
            $( $field: words!(@type $ty $(, $cond)?), )*
            reserved: [u32; $count],
        }

        impl $name {
            fn parse(words: [u32; $count], chip: crate::Chip) -> Self {
                let mut unit = Self {
                    chip,
                    $( $field: Default::default(), )*
                    reserved: words,
                };
                $( words!(@parse unit, $field, $word, $hi, $lo $(, $cond)?); )*
                unit
            }

            fn pack(&self) -> [u32; $count] {
                let mut words = self.reserved;
                $( words!(@pack words, self.$field, $word, $hi, $lo $(, $cond)?); )*
                words
            }

            /// The chip family that the words are for.
            pub const fn chip(&self) -> crate::Chip {
                self.chip
            }

            $(
                $(#[$doc])*
                #[doc = ""]
                #[doc = concat!("Word ", $word, ", bits ", $hi, ":", $lo, ".")]
                $vis const fn $field(&self) -> words!(@type $ty $(, $cond)?) {
                    self.$field
                }

                words!(@setter [$($with)?] [$($cond)?] $vis $field: $ty, $hi, $lo);
            )*
        }
    };

    (@type $ty:ty) => { $ty };
    (@type $ty:ty, $cond:path) => { Option<$ty> };

    (@setter [] [$($cond:path)?] $vis:vis $field:ident: $ty:ty, $hi:literal, $lo:literal) => {};
    (@setter [$with:ident] [$($cond:path)?] $vis:vis $field:ident: $ty:ty, $hi:literal, $lo:literal) => {
        #[doc = concat!(
            "The same with [`", stringify!($field), "`](Self::", stringify!($field), ") replaced."
        )]
        #[doc = ""]
        #[doc = "# Panics"]
        #[doc = ""]
        #[doc = concat!(
            "If the value needs more than the bits ", $hi, ":", $lo,
            ", or if this unit has no such field."
        )]
        #[must_use]
        $vis fn $with(mut self, value: $ty) -> Self {
            words!(@set self, $field, value, $hi, $lo $(, $cond)?);
            self
        }
    };

    (@take $unit:ident, $word:literal, $hi:literal, $lo:literal) => {{
        let width = $hi - $lo + 1;
        let bits = $unit.reserved[$word] >> $lo & crate::words::mask(width);
        $unit.reserved[$word] &= !(crate::words::mask(width) << $lo);
        crate::words::Field::from_bits(bits, width)
    }};
    (@parse $unit:ident, $field:ident, $word:literal, $hi:literal, $lo:literal) => {
        $unit.$field = words!(@take $unit, $word, $hi, $lo);
    };
    (@parse $unit:ident, $field:ident, $word:literal, $hi:literal, $lo:literal, $cond:path) => {
        if $cond(&$unit) {
            $unit.$field = Some(words!(@take $unit, $word, $hi, $lo));
        }
    };

    (@put $words:ident, $value:expr, $word:literal, $hi:literal, $lo:literal) => {
        $words[$word] |=
            (crate::words::Field::to_bits($value) & crate::words::mask($hi - $lo + 1)) << $lo;
    };
    (@pack $words:ident, $value:expr, $word:literal, $hi:literal, $lo:literal) => {
        words!(@put $words, $value, $word, $hi, $lo);
    };
    (@pack $words:ident, $value:expr, $word:literal, $hi:literal, $lo:literal, $cond:path) => {
        if let Some(value) = $value {
            words!(@put $words, value, $word, $hi, $lo);
        }
    };

    (@check $field:ident, $value:ident, $hi:literal, $lo:literal) => {
        assert!(
            crate::words::Field::fits($value, $hi - $lo + 1),
            concat!(stringify!($field), " does not fit its ", "bits ", $hi, ":", $lo)
        );
    };
    (@set $unit:ident, $field:ident, $value:ident, $hi:literal, $lo:literal) => {
        words!(@check $field, $value, $hi, $lo);
        $unit.$field = $value;
    };
    (@set $unit:ident, $field:ident, $value:ident, $hi:literal, $lo:literal, $cond:path) => {
        words!(@check $field, $value, $hi, $lo);
        assert!($cond(&$unit), concat!("this unit has no ", stringify!($field)));
        $unit.$field = Some($value);
    };
}

pub(crate) use words;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_little_endian_dwords() {
        let bytes = [
            0x01, 0x00, 0x00, 0x80, // word 0
            0x78, 0x56, 0x34, 0x12, // word 1
            0xff, // beyond the unit
        ];
        assert_eq!(read::<2>(&bytes), Ok([0x8000_0001, 0x1234_5678]));
        assert_eq!(
            read::<4>(&bytes),
            Err(Error::ShortUnit {
                needed: 16,
                found: 9
            })
        );
    }

    #[test]
    fn signed_fields_extend_their_top_bit() {
        assert_eq!(i8::from_bits(0b0_1111, 5), 15);
        assert_eq!(i8::from_bits(0b1_0000, 5), -16);
        assert_eq!(i8::from_bits(0b1_1111, 5), -1);
        assert!((-16_i8).fits(5) && 15_i8.fits(5));
        assert!(!(-17_i8).fits(5) && !16_i8.fits(5));
    }

    #[test]
    fn masks_reach_the_full_width() {
        assert_eq!(mask(1), 1);
        assert_eq!(mask(32), u32::MAX);
    }
}
