//! Image instructions, lane by lane.

use corpora::execution::{Dimension, Texture};

use super::Machine;
use crate::spirv::code::{ImageCode, ImageKind};
use crate::spirv::lanes::Lanes;
use crate::spirv::number::float;
use crate::spirv::sampling::{self, Derivatives, Level, Lookup, Request};

impl Machine<'_> {
    pub(super) fn image(&mut self, lanes: Lanes<'_>, code: &ImageCode) {
        for lane in lanes.iter() {
            let result = self.image_lane(code, lane);
            for (index, word) in (0..code.count).zip(result) {
                self.registers.set(code.to + index, lane, word);
            }
        }
    }

    fn image_lane(&self, code: &ImageCode, lane: usize) -> [u32; 4] {
        let texture = self.textures[code.image as usize];
        let word = |slot: u32| self.registers.get(slot, lane);
        match code.kind {
            ImageKind::Levels => [texture.levels.len() as u32, 0, 0, 0],
            ImageKind::Size { lod } => size(texture, lod.map_or(0, word)),
            ImageKind::Fetch { lod } => {
                let mut at = [0; 3];
                for index in 0..code.dimensions.min(3) {
                    // An offset has no part for the layer.
                    let layer = texture.dimension == Dimension::D2Array && index == 2;
                    let offset = code
                        .offset
                        .filter(|_| !layer)
                        .map_or(0, |slot| word(slot + index));
                    let coordinate = word(code.coordinates + index) as i32;
                    at[index as usize] = i64::from(coordinate) + i64::from(offset as i32);
                }
                sampling::fetch(texture, at, lod.map_or(0, word))
            }
            ImageKind::Implicit { .. }
            | ImageKind::Lod { .. }
            | ImageKind::Gradient { .. }
            | ImageKind::Gather { .. }
            | ImageKind::QueryLod => self.look_up(code, lane, texture),
        }
    }

    fn look_up(&self, code: &ImageCode, lane: usize, texture: &Texture) -> [u32; 4] {
        let Some(sampler) = code.sampler else {
            return [0; 4];
        };
        let lookup = Lookup {
            texture,
            sampler: self.samplers[sampler as usize],
        };
        let number = |slot: u32| float(self.registers.get(slot, lane));
        let mut offset = [0; 3];
        if let Some(slot) = code.offset {
            let axes = match texture.dimension {
                Dimension::D1 => 1,
                Dimension::D2 | Dimension::D2Array | Dimension::Cube => 2,
                Dimension::D3 => 3,
            };
            for (slot, offset) in (slot..).zip(&mut offset[..axes]) {
                *offset = self.registers.get(slot, lane) as i32;
            }
        }
        let vector = |slot: u32| {
            let mut of = [0.0; 3];
            for (slot, part) in (slot..).zip(&mut of[..code.dimensions.min(3) as usize]) {
                *part = f64::from(number(slot));
            }
            of
        };
        let level = match code.kind {
            ImageKind::Lod { lod } => Level::Explicit(f64::from(number(lod))),
            ImageKind::Gradient { x, y } => {
                // The layer has no derivative.
                let axes = if texture.dimension == Dimension::D2Array {
                    2
                } else {
                    3
                };
                let cut = |mut of: [f64; 3]| {
                    of[axes..].fill(0.0);
                    of
                };
                let derivatives = Derivatives {
                    x: cut(vector(x)),
                    y: cut(vector(y)),
                };
                Level::Derivatives(derivatives, 0.0)
            }
            ImageKind::Implicit { bias } => Level::Derivatives(
                self.slopes(code, lane),
                bias.map_or(0.0, |slot| f64::from(number(slot))),
            ),
            ImageKind::QueryLod => Level::Derivatives(self.slopes(code, lane), 0.0),
            _ => Level::Explicit(0.0),
        };
        let divided = |value: f32| code.divisor.map_or(value, |slot| value / number(slot));
        let request = Request {
            coordinates: self.coordinates(code, lane),
            level,
            offset,
            reference: code.reference.map(|slot| divided(number(slot))),
        };
        match code.kind {
            ImageKind::Gather { component } => lookup.gather(&request, component),
            ImageKind::QueryLod => {
                let [level, lod] = lookup.query_lod(&request);
                [level, lod, 0, 0]
            }
            _ => lookup.sample(&request),
        }
    }

    /// A lane's coordinates, divided by what they are to be divided by.
    fn coordinates(&self, code: &ImageCode, lane: usize) -> [f32; 3] {
        let number = |slot: u32| float(self.registers.get(slot, lane));
        let mut at = [0.0; 3];
        for (slot, part) in (code.coordinates..).zip(&mut at[..code.dimensions.min(3) as usize]) {
            *part = match code.divisor {
                Some(divisor) => number(slot) / number(divisor),
                None => number(slot),
            };
        }
        at
    }

    /// The derivatives of the coordinates over the quad: those of its top left, for all four.
    fn slopes(&self, code: &ImageCode, lane: usize) -> Derivatives {
        let quad = lane & !3;
        if quad + 3 >= self.registers.lanes {
            return Derivatives::default();
        }
        let [first, right, below] =
            [0, 1, 2].map(|index| self.coordinates(code, quad + index).map(f64::from));
        let step = |to: [f64; 3]| std::array::from_fn(|axis| to[axis] - first[axis]);
        Derivatives {
            x: step(right),
            y: step(below),
        }
    }
}

/// The size of a level, as OpImageQuerySizeLod gives it; zero of a level that is not there.
fn size(texture: &Texture, level: u32) -> [u32; 4] {
    if level as usize >= texture.levels.len() {
        return [0; 4];
    }
    let [x, y, z] = texture.level_size(level);
    [x, y, z, 0]
}
