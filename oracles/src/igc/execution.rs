//! The naive executor: a pixel and a bit at a time.
//!
//! Each effect is the line of `docs/targets/igc.md`, Execution, that has its name in `instructions.tsv`. What is not
//! stated, inferred or chosen there is refused before anything changes.

mod effects;
mod pixel;
mod refusal;
#[cfg(test)]
mod tests;

use corpora::RejectClass;
use thiserror::Error;

use super::Tables;
use super::acceptance::{Instruction, Rules, WORD};
use super::instructions::UNKNOWN;
use super::limits::limit;
use crate::table::TableError;
use effects::Effect;
use pixel::Pixel;

/// Why execution ended before the end of the stream.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Stop {
    /// The stream breaks an acceptance rule; nothing was executed.
    #[error("rejected: {class} at byte {offset}")]
    Rejected {
        /// Why.
        class: RejectClass,
        /// Byte offset in the stream.
        offset: usize,
    },
    /// An instruction that is not executed. What came before it was.
    #[error("word {index}, {instruction}: {reason}")]
    Unsupported {
        /// The index of the instruction's first word.
        index: usize,
        /// The instruction's name, or `unknown`.
        instruction: String,
        /// What of it is not executed.
        reason: String,
    },
}

/// Why there is no array.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ArrayError {
    /// A side outside what is allowed.
    #[error("an array of {width} x {height} pixels, where a side is 1 to {allowed}")]
    Size {
        /// Pixels in a row.
        width: u32,
        /// Rows.
        height: u32,
        /// The longest side.
        allowed: u32,
    },
    /// A table that makes no sense.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// An array of pixels with 256 bits of memory, an enable and a carry bit each, and one tree for all.
#[derive(Clone, Debug)]
pub struct Array {
    rules: Rules,
    effects: Vec<(String, Effect)>,
    width: u32,
    height: u32,
    pixels: Vec<Pixel>,
    tree: Option<[f32; 3]>,
}

impl Array {
    /// An array of that size by those tables; all bits are 0 and there is no tree.
    pub fn new(tables: &Tables, width: u32, height: u32) -> Result<Self, ArrayError> {
        // A table with a mistake must not ask for more memory than the target has pixels.
        let allowed = limit(tables, "array_side_max")?.min(512);
        let side = 1..=allowed;
        if !side.contains(&width) || !side.contains(&height) {
            return Err(ArrayError::Size {
                width,
                height,
                allowed,
            });
        }
        Ok(Self {
            rules: Rules::read(tables)?,
            effects: effects::read(tables)?,
            width,
            height,
            pixels: vec![Pixel::default(); width as usize * height as usize],
            tree: None,
        })
    }

    /// The array of the default size.
    pub fn default_size(tables: &Tables) -> Result<Self, ArrayError> {
        let side = limit(tables, "array_side")?;
        Self::new(tables, side, side)
    }

    /// Executes a stream, which is judged whole first.
    pub fn run(&mut self, stream: &[u8]) -> Result<(), Stop> {
        let instructions = self.rules.stream(stream);
        let instructions = instructions.map_err(|rejection| Stop::Rejected {
            class: rejection.class,
            offset: rejection.offset,
        })?;
        for instruction in &instructions {
            self.execute(instruction)
                .map_err(|reason| Stop::Unsupported {
                    index: instruction.at / WORD,
                    instruction: (instruction.row.as_ref())
                        .map_or(UNKNOWN, |row| &row.name)
                        .to_owned(),
                    reason,
                })?;
        }
        Ok(())
    }

    /// Pixels in a row.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The tree: A, B and C of the instruction that loaded it last.
    pub fn tree(&self) -> Option<[f32; 3]> {
        self.tree
    }

    fn index(&self, x: u32, y: u32) -> Option<usize> {
        let inside = x < self.width && y < self.height;
        inside.then(|| y as usize * self.width as usize + x as usize)
    }

    fn pixel(&self, x: u32, y: u32) -> Option<&Pixel> {
        self.pixels.get(self.index(x, y)?)
    }

    /// One bit of a pixel's memory; nothing where there is no such pixel or bit.
    pub fn memory(&self, x: u32, y: u32, bit: u32) -> Option<bool> {
        self.pixel(x, y)?.memory.get(bit as usize).copied()
    }

    /// Writes one bit of a pixel's memory. False if there is no such pixel or bit.
    pub fn set_memory(&mut self, x: u32, y: u32, bit: u32, value: bool) -> bool {
        let pixel = self.index(x, y).and_then(|at| self.pixels.get_mut(at));
        let place = pixel.and_then(|pixel| pixel.memory.get_mut(bit as usize));
        place.map(|place| *place = value).is_some()
    }

    /// The unsigned number of at most 64 bits at that address.
    pub fn field(&self, x: u32, y: u32, addr: u32, len: u32) -> Option<u64> {
        if len > u64::BITS {
            return None;
        }
        (0..len).try_fold(0, |number, n| {
            let bit = self.memory(x, y, addr.checked_add(n)?)?;
            Some(number | u64::from(bit) << n)
        })
    }

    /// The enable bit of a pixel.
    pub fn enable(&self, x: u32, y: u32) -> Option<bool> {
        self.pixel(x, y).map(|pixel| pixel.enable)
    }

    /// The carry bit of a pixel.
    pub fn carry(&self, x: u32, y: u32) -> Option<bool> {
        self.pixel(x, y).map(|pixel| pixel.carry)
    }

    fn execute(&mut self, instruction: &Instruction) -> Result<(), String> {
        let place = refusal::place(&self.rules, instruction)?;
        let name = instruction
            .row
            .as_ref()
            .and_then(|row| row.execution.as_ref());
        let effect = self.effects.iter().find(|known| Some(&known.0) == name);
        let effect = effect.ok_or("what it does is not known")?.1;
        let tree = refusal::tree(instruction, effect, self.tree)?;
        self.tree = tree;
        let width = self.width as usize;
        for (at, pixel) in self.pixels.iter_mut().enumerate() {
            let (x, y) = (at % width, at / width);
            let value = tree.map_or(0, |tree| effects::tree_value(tree, x as f64, y as f64));
            effects::apply(effect, pixel, &place, value);
        }
        Ok(())
    }
}
