//! Words of a unit whose fields are known by their bits only: every value of each field against random others.

use crate::vocabulary::Bits;

use super::Random;

/// Fields wider than this are swept by their edges, single bits and random values instead of exhaustively.
pub const EXHAUSTIVE_WIDTH: u16 = 13;

/// How many values [`values`] gives for a wide field besides its edges and single bits.
const SAMPLES: u64 = 256;

/// The values of a field of `width` bits that a sweep takes: all of them up to [`EXHAUSTIVE_WIDTH`] bits.
pub fn values(width: u16, random: &mut Random) -> Vec<u64> {
    if width <= EXHAUSTIVE_WIDTH {
        return (0..1_u64 << width).collect();
    }
    let mask = u64::MAX >> (64 - u32::from(width.min(64)));
    let mut values: Vec<u64> = (0..width).map(|bit| 1 << bit).collect();
    values.extend([0, mask, mask >> 1]);
    values.extend((0..SAMPLES).map(|_| random.word() & mask));
    values
}

/// Writes random bits over a whole unit.
#[inline]
pub fn fill(unit: &mut [u8], random: &mut Random) {
    for chunk in unit.chunks_mut(8) {
        let word = random.word().to_le_bytes();
        chunk.copy_from_slice(&word[..chunk.len()]);
    }
}

/// Writes `value` into the field at `bits` of a unit of little-endian words (bit 0 is bit 0 of the first byte).
pub fn set(unit: &mut [u8], bits: Bits, value: u64) {
    for at in 0..bits.width {
        let place = usize::from(bits.low + at);
        let mask = 1 << (place % 8);
        if value >> at & 1 == 1 {
            unit[place / 8] |= mask;
        } else {
            unit[place / 8] &= !mask;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_across_bytes_is_set_in_place() {
        let mut unit = [0xff; 8];
        set(&mut unit, Bits { low: 6, width: 4 }, 0b0101);
        // Bits 9..6 become 0101: bit 6 = 1, bit 7 = 0, bit 8 = 1, bit 9 = 0.
        assert_eq!(unit[..2], [0b0111_1111, 0b1111_1101]);
    }

    #[test]
    fn narrow_fields_are_swept_whole() {
        let mut random = Random::new(0, 0);
        assert_eq!(values(9, &mut random), (0..512).collect::<Vec<_>>());
        let wide = values(32, &mut random);
        assert!(wide.contains(&0xffff_ffff) && wide.contains(&0x8000_0000));
        assert!(values(64, &mut random).contains(&u64::MAX));
    }
}
