//! Fixed attributes: three words of four packed floats of 24 bits.

use std::collections::HashMap;

use super::Tables;
use super::limits::{Limits, missing};
use super::registers::{BitField, Place, Registers, register};
use super::vertices::COMPONENTS;
use crate::table::TableError;

/// A float of 24 bits: sign, exponent, mantissa.
#[derive(Clone, Debug)]
pub(super) struct Float24 {
    sign: BitField,
    exponent: BitField,
    mantissa: BitField,
    bias: u32,
    special: u32,
}

/// The bias of a 32-bit float's exponent.
const BIAS: u32 = 127;
/// The exponent of a 32-bit float that is infinite or NaN.
const SPECIAL: u32 = 255;

impl Float24 {
    pub(super) fn read(tables: &Tables) -> Result<Self, TableError> {
        let limits = Limits(&tables.limits);
        let field = |name| BitField::of_word(tables, "float24", name);
        Ok(Self {
            sign: field("sign")?,
            exponent: field("exponent")?,
            mantissa: field("mantissa")?,
            bias: limits.number("float24_bias")? as u32,
            special: limits.number("float24_special")? as u32,
        })
    }

    /// The bits of the 32-bit float of that value; every one of 24 bits has one.
    ///
    /// Infinity keeps its sign, NaN its sign and its mantissa, and zero its sign.
    pub(super) fn to_f32(&self, packed: u32) -> u32 {
        let sign = self.sign.of(packed) << 31;
        let exponent = self.exponent.of(packed);
        let mantissa = self.mantissa.of(packed);
        // "The mantissa in its top bits": 16 of 23.
        let top = mantissa << 7;
        if exponent == self.special {
            return sign | SPECIAL << 23 | top;
        }
        if exponent == 0 && mantissa == 0 {
            return sign;
        }
        // Another bias; a mantissa with exponent 0 is no denormal.
        let exponent = exponent.wrapping_add(BIAS).wrapping_sub(self.bias) & SPECIAL;
        sign | exponent << 23 | top
    }
}

/// Some bits of a data word, which go to some bits of a component.
#[derive(Clone, Copy, Debug)]
struct Piece {
    component: usize,
    word: usize,
    bits: BitField,
    shift: u32,
}

/// How writes make fixed attributes.
#[derive(Clone, Debug)]
pub(super) struct FixedRules {
    pub(super) select: Place,
    data: Vec<u32>,
    words: usize,
    pieces: Vec<Piece>,
    float: Float24,
    immediate: u32,
    numbers: u32,
}

/// Fixed attributes as they are being written.
#[derive(Clone, Debug, Default)]
pub(super) struct Fixed {
    selected: u32,
    words: Vec<u32>,
    values: HashMap<u32, [u32; 4]>,
}

/// A write to an attribute of a vertex that is drawn at once: not something that is resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Immediate;

impl Fixed {
    /// The components of an attribute as bits of floats, if it was written.
    pub(super) fn value(&self, attribute: u32) -> Option<[u32; 4]> {
        self.values.get(&attribute).copied()
    }
}

impl FixedRules {
    pub(super) fn read(tables: &Tables) -> Result<Self, TableError> {
        let limits = Limits(&tables.limits);
        let words = limits.few("fixed_words")?;
        let data = (0..words).map(|word| register(tables, "fixed_data", Some(word)));
        let mut pieces = Vec::new();
        for row in tables.packing.rows() {
            let component = COMPONENTS
                .iter()
                .position(|name| *name == row.text("component"));
            let shift = row.number("shift")?;
            let word = row.number("word")?;
            if shift > 31 || word >= words {
                return Err(row.fault("it is not inside the words"));
            }
            pieces.push(Piece {
                component: component.ok_or_else(|| missing(&tables.packing, "a component"))?,
                word: word as usize,
                bits: BitField::of_row(row)?,
                shift,
            });
        }
        Ok(Self {
            select: Place::one(tables, "select")?,
            data: data.collect::<Result<_, _>>()?,
            words: words as usize,
            pieces,
            float: Float24::read(tables)?,
            immediate: limits.number("immediate")? as u32,
            numbers: limits.few("attribute_numbers")?,
        })
    }

    /// What a write to a register, which is in the registers already, does to fixed attributes.
    pub(super) fn written(
        &self,
        register: u32,
        word: u32,
        registers: &Registers,
        fixed: &mut Fixed,
    ) -> Result<(), Immediate> {
        if register == self.select.register {
            fixed.selected = registers.get(self.select);
            fixed.words.clear();
        }
        if self.data.contains(&register) {
            if fixed.selected == self.immediate {
                return Err(Immediate);
            }
            fixed.words.push(word);
            if fixed.words.len() == self.words {
                self.complete(fixed);
            }
        }
        Ok(())
    }

    /// Makes an attribute of the words, and moves on.
    fn complete(&self, fixed: &mut Fixed) {
        let mut packed = [0_u32; 4];
        for piece in &self.pieces {
            let word = fixed.words.get(piece.word).copied().unwrap_or(0);
            packed[piece.component] |= piece.bits.of(word) << piece.shift;
        }
        fixed.words.clear();
        if fixed.selected < self.numbers {
            let value = packed.map(|packed| self.float.to_f32(packed));
            fixed.values.insert(fixed.selected, value);
        }
        // Below the immediate-mode number, so this ends there.
        fixed.selected += 1;
    }
}
