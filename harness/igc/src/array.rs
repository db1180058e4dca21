//! The array of pixels: their memory as planes of bits, and how it is read.
//!
//! Sixty-four pixels of a row are a word of a plane, so that an instruction on bits costs a few operations for all of
//! them. Bits of a word beyond the row's end are 0 in every plane.

mod bits;
mod refusal;
mod run;
mod transpose;
mod tree;

pub use refusal::Unsupported;
pub use run::{RunError, Stop};

use crate::PIXEL_BITS;
use tree::Tree;

/// Pixels that a row or a column may have.
pub const MAX_SIDE: u16 = 512;

/// Pixels of which each has 256 bits of memory, an enable and a carry; and the tree that they share.
///
/// Everything is 0 at first, and there is no tree.
#[derive(Clone, Debug)]
pub struct Array {
    width: u16,
    height: u16,
    /// Words of a row in a plane.
    row: usize,
    /// Which bits of a plane are pixels.
    pixels: Plane,
    memory: Vec<Plane>,
    enable: Plane,
    carry: Plane,
    tree: Option<Tree>,
}

/// A bit of every pixel, row after row.
type Plane = Vec<u64>;

/// Why there is no such array, or no such field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the message says what the fields are")]
pub enum ArrayError {
    /// A side of no pixel, or of too many.
    #[error("{width} by {height} pixels, 1 to 512 each are allowed")]
    Size { width: u16, height: u16 },
    /// A field that is too long for a number, or ends beyond the pixel's bits.
    #[error("{len} bits at {addr}, at most 64 that end within 256 are allowed")]
    Field { addr: u8, len: u8 },
}

impl Default for Array {
    /// 128 by 128 pixels.
    fn default() -> Self {
        Self::with_size(128, 128)
    }
}

impl Array {
    /// An array of `width` by `height` pixels.
    pub fn new(width: u16, height: u16) -> Result<Self, ArrayError> {
        if [width, height]
            .iter()
            .all(|side| (1..=MAX_SIDE).contains(side))
        {
            Ok(Self::with_size(width, height))
        } else {
            Err(ArrayError::Size { width, height })
        }
    }

    fn with_size(width: u16, height: u16) -> Self {
        let row = usize::from(width.div_ceil(64));
        let mut one_row = vec![u64::MAX; row];
        if !width.is_multiple_of(64) {
            one_row[row - 1] = (1 << (width % 64)) - 1;
        }
        let empty = vec![0; row * usize::from(height)];
        Self {
            width,
            height,
            row,
            pixels: one_row.repeat(height.into()),
            memory: vec![empty.clone(); PIXEL_BITS.into()],
            enable: empty.clone(),
            carry: empty,
            tree: None,
        }
    }

    /// Pixels in a row.
    pub fn width(&self) -> u16 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u16 {
        self.height
    }

    /// Words of a row in a plane: pixel x is bit x mod 64 of word x / 64.
    pub fn row_words(&self) -> usize {
        self.row
    }

    /// A bit of every pixel's memory, row after row of [`Array::row_words`].
    pub fn plane(&self, bit: u8) -> &[u64] {
        &self.memory[usize::from(bit)]
    }

    /// Every pixel's enable, as a plane.
    pub fn enable(&self) -> &[u64] {
        &self.enable
    }

    /// Every pixel's carry, as a plane.
    pub fn carry(&self) -> &[u64] {
        &self.carry
    }

    /// A, B, C of the tree, if there is one.
    pub fn tree(&self) -> Option<[f32; 3]> {
        self.tree.map(Tree::coefficients)
    }

    /// Every pixel's unsigned number of the `len` bits from `addr` on, row after row, without gaps.
    pub fn field(&self, addr: u8, len: u8) -> Result<Vec<u64>, ArrayError> {
        let (first, count) = (usize::from(addr), usize::from(len));
        if count > 64 || first + count > self.memory.len() {
            return Err(ArrayError::Field { addr, len });
        }
        let planes = &self.memory[first..first + count];
        let width = usize::from(self.width);
        let mut numbers = Vec::with_capacity(width * usize::from(self.height));
        for word in 0..self.enable.len() {
            let mut bits = [0; 64];
            for (bits, plane) in bits.iter_mut().zip(planes) {
                *bits = plane[word];
            }
            transpose::transpose(&mut bits, 64);
            let left = width - 64 * (word % self.row);
            numbers.extend_from_slice(&bits[..left.min(64)]);
        }
        Ok(numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_array_has_a_size() {
        for (width, height) in [(0, 1), (1, 0), (513, 1), (1, 513)] {
            assert!(Array::new(width, height).is_err(), "{width} {height}");
        }
        let array = Array::new(512, 512).unwrap();
        assert_eq!((array.row_words(), array.plane(255).len()), (8, 4096));
        assert_eq!(Array::default().field(0, 64).unwrap().len(), 16_384);
    }

    #[test]
    fn a_field_is_read_from_its_lowest_bit() {
        let mut array = Array::new(65, 2).unwrap();
        // Pixel (64, 1): bits 10 and 12; pixel (3, 0): bit 11.
        array.memory[10][3] = 1;
        array.memory[12][3] = 1;
        array.memory[11][0] = 8;
        let numbers = array.field(10, 3).unwrap();
        assert_eq!(numbers.len(), 130);
        assert_eq!((numbers[3], numbers[65 + 64]), (2, 5));
        assert_eq!(numbers.iter().sum::<u64>(), 7);
        assert!(array.field(0, 65).is_err());
        assert!(array.field(250, 7).is_err());
        assert_eq!(array.field(250, 6).unwrap().len(), 130);
    }
}
