//! Fixed attributes: values that the GPU holds in place of an array.

use super::registers::{FIXED_DATA, FIXED_INDEX};

/// A fixed attribute.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fixed {
    /// x, y, z and w.
    pub value: [f32; 4],
    /// Whether it was ever written; it is all zeros before.
    pub written: bool,
}

/// How many can be kept.
const KEPT: usize = 12;
/// The number that stands for vertices of immediate mode.
const IMMEDIATE: u8 = 15;

/// The fixed attributes, and what is on its way to the next one.
#[derive(Clone, Debug, Default)]
pub(super) struct FixedAttributes {
    values: [Fixed; KEPT],
    selected: u8,
    words: [u32; 3],
    collected: usize,
}

/// A word of a vertex of immediate mode.
pub(super) struct Immediate;

impl FixedAttributes {
    pub(super) fn get(&self, attribute: u8) -> Fixed {
        let value = self.values.get(usize::from(attribute));
        value.copied().unwrap_or_default()
    }

    /// Takes in a write. `merged` is what the register holds after it, `word` what was written.
    pub(super) fn takes(&mut self, register: u16, merged: u32, word: u32) -> Result<(), Immediate> {
        if register == FIXED_INDEX {
            self.selected = (merged & 0xf) as u8;
            self.collected = 0;
        } else if (FIXED_DATA..FIXED_DATA + 3).contains(&register) {
            if self.selected == IMMEDIATE {
                return Err(Immediate);
            }
            self.words[self.collected] = word;
            self.collected += 1;
            if self.collected == self.words.len() {
                self.collected = 0;
                if let Some(to) = self.values.get_mut(usize::from(self.selected)) {
                    *to = Fixed {
                        value: unpacked(self.words),
                        written: true,
                    };
                }
                self.selected += 1;
            }
        }
        Ok(())
    }
}

/// The four numbers of three words: w, z, y, x from the top bit down.
fn unpacked([first, second, third]: [u32; 3]) -> [f32; 4] {
    let x = third & 0x00ff_ffff;
    let y = (second & 0xffff) << 8 | third >> 24;
    let z = (first & 0xff) << 16 | second >> 16;
    let w = first >> 8;
    [x, y, z, w].map(float24)
}

/// The number of a 24-bit float: sign, 7 bits of exponent with bias 63, 16 bits of mantissa. There are no denormals; an
/// exponent of 127 is infinite or NaN. Every one of them is a number of 32 bits.
pub fn float24(bits: u32) -> f32 {
    let sign = (bits >> 23 & 1) << 31;
    let exponent = bits >> 16 & 0x7f;
    let mantissa = (bits & 0xffff) << 7;
    let rest = match (exponent, mantissa) {
        (0, 0) => 0,
        (127, _) => 255 << 23 | mantissa,
        // From a bias of 63 to one of 127.
        _ => (exponent + 64) << 23 | mantissa,
    };
    f32::from_bits(sign | rest)
}
