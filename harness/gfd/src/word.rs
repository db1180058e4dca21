//! Big-endian words at fixed places, and the table form in which a structure's layout is written down.

/// The big-endian word at `at`. The caller has checked that it is there.
#[inline]
pub(crate) fn word(bytes: &[u8], at: usize) -> u32 {
    let [a, b, c, d] = bytes[at..at + 4] else {
        unreachable!("a range of four")
    };
    u32::from_be_bytes([a, b, c, d])
}

/// Puts a big-endian word at `at`.
#[inline]
pub(crate) fn put(bytes: &mut [u8], at: usize, value: u32) {
    bytes[at..at + 4].copy_from_slice(&value.to_be_bytes());
}

/// A value with a fixed size and form in big-endian bytes.
pub(crate) trait Field: Sized {
    /// Bytes it takes.
    const SIZE: usize;
    /// Reads it at `at`; the caller has checked that it is there.
    fn read(bytes: &[u8], at: usize) -> Self;
    /// Puts it at `at`.
    fn write(&self, bytes: &mut [u8], at: usize);
}

impl Field for u32 {
    const SIZE: usize = 4;

    #[inline]
    fn read(bytes: &[u8], at: usize) -> u32 {
        word(bytes, at)
    }

    #[inline]
    fn write(&self, bytes: &mut [u8], at: usize) {
        put(bytes, at, *self);
    }
}

impl<const N: usize> Field for [u32; N] {
    const SIZE: usize = 4 * N;

    fn read(bytes: &[u8], at: usize) -> [u32; N] {
        std::array::from_fn(|i| word(bytes, at + 4 * i))
    }

    fn write(&self, bytes: &mut [u8], at: usize) {
        for (i, &value) in self.iter().enumerate() {
            put(bytes, at + 4 * i, value);
        }
    }
}

impl Field for [u8; 16] {
    const SIZE: usize = 16;

    fn read(bytes: &[u8], at: usize) -> [u8; 16] {
        std::array::from_fn(|i| bytes[at + i])
    }

    fn write(&self, bytes: &mut [u8], at: usize) {
        bytes[at..at + 16].copy_from_slice(self);
    }
}

/// Declares a structure as a table of offsets, from which its reader and its writer are derived.
///
/// The fields must tile the stated range without a hole; the compiler checks it. A `without` range belongs to
/// something else (the pointers and counts of arrays) and is neither read nor written.
macro_rules! structure {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident: $start:literal .. $end:literal $(, without $gap:literal .. $gap_end:literal)? {
            $($(#[$doc:meta])* $offset:literal $field:ident: $type:ty,)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        $vis struct $name {
            $(
                $(#[$doc])*
                #[doc = concat!(" (offset ", stringify!($offset), ")")]
                $vis $field: $type,
            )*
        }

        impl $crate::word::Field for $name {
            const SIZE: usize = $end;

            #[inline]
            fn read(bytes: &[u8], at: usize) -> $name {
                $name { $($field: $crate::word::Field::read(bytes, at + $offset),)* }
            }

            #[inline]
            fn write(&self, bytes: &mut [u8], at: usize) {
                $($crate::word::Field::write(&self.$field, bytes, at + $offset);)*
            }
        }

        const _: () = {
            let gaps: &[(usize, usize)] = &[$(($gap, $gap_end))?];
            let mut at = $start;
            $(
                if !gaps.is_empty() && at == gaps[0].0 {
                    at = gaps[0].1;
                }
                assert!(at == $offset, "a hole or an overlap before this field");
                at += <$type as $crate::word::Field>::SIZE;
            )*
            assert!(at == $end, "the fields do not fill the structure");
        };
    };
}
pub(crate) use structure;

#[cfg(test)]
mod tests {
    use super::*;

    structure! {
        /// Two words and a gap between them.
        struct Sample: 0x4 .. 0x10, without 0x8 .. 0xC {
            /// First.
            0x4 first: u32,
            /// Second.
            0xC second: u32,
        }
    }

    #[test]
    fn a_structure_reads_and_writes_only_its_fields() {
        let mut bytes = [0xAA; 18];
        let sample = Sample {
            first: 0x0102_0304,
            second: 0x0506_0708,
        };
        sample.write(&mut bytes, 1);
        assert_eq!(
            bytes,
            [
                0xAA, // before the structure
                0xAA, 0xAA, 0xAA, 0xAA, // before its first field
                1, 2, 3, 4, // first
                0xAA, 0xAA, 0xAA, 0xAA, // the gap
                5, 6, 7, 8, // second
                0xAA,
            ]
        );
        assert_eq!(Sample::read(&bytes, 1), sample);
    }
}
