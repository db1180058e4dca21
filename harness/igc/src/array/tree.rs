//! The tree: A·x + B·y + C at every pixel.
//!
//! v = ((A·x) + (B·y)) + C, each operation rounded to f64, truncated towards zero to t. Along a row nothing but A·x changes, and
//! rounding keeps order; so neither v nor t ever turns back along a row. The pixels where t is below zero are therefore the
//! row's beginning or its end, and between two pixels whose t have their high bits in common, all have them. Both are used
//! here, and neither changes a bit of a result. Stepping from pixel to pixel would.

use std::ops::Range;

use super::transpose::transpose;

/// The coefficients, widened.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tree {
    a: f64,
    b: f64,
    c: f64,
}

/// t of 64 pixels, as planes of two's complement.
pub(super) struct Planes {
    /// Those in which the pixels may differ, the lowest first.
    planes: [u64; 64],
    varying: usize,
    /// t of one pixel: the bits above are those of all.
    common: i64,
    count: usize,
}

impl Planes {
    /// A plane; beyond 64, that of the sign.
    pub(super) fn get(&self, bit: usize) -> u64 {
        let bit = bit.min(63);
        if bit < self.varying {
            self.planes[bit]
        } else {
            // 0, or all ones.
            (self.common >> bit & 1).wrapping_neg() as u64
        }
    }

    /// From which plane on all are the sign's; this one is, too.
    pub(super) fn sign(&self) -> usize {
        self.count - 1
    }
}

/// The bits that a number needs, its sign's among them.
fn significant(number: i64) -> u32 {
    65 - (number ^ number >> 63).leading_zeros()
}

impl Tree {
    pub(super) fn new(abc: [f32; 3]) -> Self {
        let [a, b, c] = abc.map(f64::from);
        Self { a, b, c }
    }

    pub(super) fn coefficients(self) -> [f32; 3] {
        // They were floats, so this is exact.
        [self.a, self.b, self.c].map(|c| c as f32)
    }

    /// A·x of a row, in words of 64 pixels, the last one whole.
    pub(super) fn products(self, words: usize) -> Vec<[f64; 64]> {
        let x = |word: usize, n: usize| (64 * word + n) as f64;
        (0..words)
            .map(|word| std::array::from_fn(|n| self.a * x(word, n)))
            .collect()
    }

    pub(super) fn row(self, products: &[[f64; 64]], y: usize) -> Row<'_> {
        Row {
            products,
            by: self.b * y as f64,
            c: self.c,
            falling: self.a < 0.0,
        }
    }
}

/// The tree along a row.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    products: &'a [[f64; 64]],
    by: f64,
    c: f64,
    falling: bool,
}

impl Row<'_> {
    fn value(&self, x: usize) -> f64 {
        (self.products[x / 64][x % 64] + self.by) + self.c
    }

    /// The x below `width` where t < 0, that is, v ≤ −1.
    pub(super) fn negative(&self, width: usize) -> Range<usize> {
        // The number of x at the row's beginning where the answer is the first one's.
        let turn = |answer: bool| {
            let (mut low, mut high) = (0, width);
            while low < high {
                let middle = low.midpoint(high);
                if (self.value(middle) <= -1.0) == answer {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            low
        };
        if self.falling {
            turn(false)..width
        } else {
            0..turn(true)
        }
    }

    /// t is above zero at some pixel of the row, perhaps one beyond its end.
    pub(super) fn reaches_one(&self) -> bool {
        [0, 64 * self.products.len() - 1]
            .iter()
            .any(|x| self.value(*x) >= 1.0)
    }

    /// t of a word's pixels, as many planes of it as are of use to who needs `needed`.
    pub(super) fn planes(&self, word: usize, needed: usize) -> Planes {
        let [first, last] = [0, 63].map(|n| self.value(64 * word + n) as i64);
        // All between the two have the bits that these have in common from the highest on.
        let varying = 64 - (first ^ last).leading_zeros() as usize;
        let mut planes = Planes {
            planes: [0; 64],
            varying,
            common: first,
            count: significant(first).max(significant(last)) as usize,
        };
        if varying > 0 {
            let pixels = planes.planes.iter_mut().zip(&self.products[word]);
            let values = pixels.map(|(number, product)| (number, (product + self.by) + self.c));
            // Where the sign varies, all 64 bits do.
            if varying < 51 && planes.count < 51 {
                let sign = (first >> 63) as u64;
                values.for_each(|(number, value)| *number = low_bits(value, sign));
            } else {
                values.for_each(|(number, value)| *number = value as i64 as u64);
            }
            transpose(&mut planes.planes, varying.min(needed));
        }
        planes
    }
}

/// The low 51 bits of `value as i64`, of a magnitude below 2^51 and a sign that is known: 0, or all ones. Others are of no use.
///
/// In operations that processors have for several numbers at once, as the conversion is not everywhere.
#[inline(always)]
fn low_bits(value: f64, sign: u64) -> u64 {
    /// Adding it leaves no bit for a fraction, and a whole number in the low bits.
    const WHOLE: f64 = (1u64 << 52) as f64;
    let magnitude = value.abs();
    let nearest = magnitude + WHOLE;
    let above = u64::from(nearest - WHOLE > magnitude);
    ((nearest.to_bits() - above) ^ sign).wrapping_sub(sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truncation_is_towards_zero() {
        let below = f64::from_bits(2f64.to_bits() - 1);
        for (value, expected) in [
            (0.0, 0u64),
            (0.5, 0),
            (0.99, 0),
            (1.0, 1),
            (1.5, 1),
            (2.5, 2),
            (3.5, 3),
            (below, 1),
            (5e-324, 0),
            (1e15, 1_000_000_000_000_000),
            (2_251_799_813_685_247.5, 2_251_799_813_685_247),
        ] {
            let low = (1 << 51) - 1;
            assert_eq!(low_bits(value, 0) & low, expected, "{value}");
            assert_eq!(
                low_bits(-value, u64::MAX) & low,
                expected.wrapping_neg() & low,
                "-{value}"
            );
        }
    }

    #[test]
    fn planes_are_the_numbers_of_the_pixels() {
        let numbers = |abc: [f32; 3]| {
            let tree = Tree::new(abc);
            let products = tree.products(1);
            let planes = tree.row(&products, 0).planes(0, 64);
            let number =
                |n: usize| (0..64).fold(0, |all, bit| all | (planes.get(bit) >> n & 1) << bit);
            (number(0) as i64, number(63) as i64, planes.sign())
        };
        assert_eq!(numbers([0.0, 0.0, 1e30]), (i64::MAX, i64::MAX, 63));
        assert_eq!(numbers([0.0, 0.0, -1e30]), (i64::MIN, i64::MIN, 63));
        assert_eq!(numbers([1e30, 0.0, -1e30]), (i64::MIN, i64::MAX, 63));
        assert_eq!(numbers([0.0, 0.0, 5.0]), (5, 5, 3));
        assert_eq!(numbers([2.0, 0.0, 1.0]), (1, 127, 7));
        assert_eq!(numbers([-2.0, 0.0, -1.5]), (-1, -127, 7));
        assert_eq!(numbers([2.0, 0.0, 2.0]), (2, 128, 8));
        assert_eq!(numbers([-1.0, 0.0, 10.0]), (10, -53, 6));
        assert_eq!(numbers([0.0, 0.0, -128.0]), (-128, -128, 7));
        // At 2^50 and above: not the fast way.
        let far = 2f32.powi(50);
        assert_eq!(numbers([1.0, 0.0, far]), (1 << 50, (1 << 50) + 63, 51));
        assert_eq!(numbers([0.0, 0.0, 0.0]), (0, 0, 0));
    }

    #[test]
    fn the_negative_pixels_are_one_end_of_a_row() {
        let negative = |abc: [f32; 3], y: usize| {
            let tree = Tree::new(abc);
            let products = tree.products(2);
            tree.row(&products, y).negative(100)
        };
        // x − 5: −1 at 4, 0 at 5.
        assert_eq!(negative([1.0, 0.0, -5.0], 0), 0..5);
        // −0.5 is truncated to 0: x/2 − 2 is −1 at 2, −0.5 at 3.
        assert_eq!(negative([0.5, 0.0, -2.0], 0), 0..3);
        assert_eq!(negative([-1.0, 0.0, 5.0], 0), 6..100);
        assert_eq!(negative([0.0, -1.0, 0.5], 1), 0..0);
        assert_eq!(negative([0.0, -1.0, 0.0], 1), 0..100);
        assert_eq!(negative([-1.0, 0.0, 500.0], 0), 100..100);
    }
}
