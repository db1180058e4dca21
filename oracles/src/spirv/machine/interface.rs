//! What a run is given, and what it gives back.

use std::collections::BTreeMap;

use corpora::execution::{Dimension, LaneReturn, Launch, Returned, Sampler, Texture};
use spirv::{BuiltIn, Dim};

use super::{Buffer, Machine};
use crate::spirv::Error;
use crate::spirv::code::{Port, PortKind, Program};
use crate::spirv::lanes::Lanes;

/// The buffers that a program uses, copied from the launch.
pub(super) fn buffers(program: &Program, launch: &Launch) -> Result<Vec<Buffer>, Error> {
    let uses = program.buffers.iter();
    uses.map(|used| {
        let (from, kind) = match used.storage {
            true => (&launch.storage, "storage"),
            false => (&launch.uniforms, "uniform"),
        };
        let bytes = from.get(&used.slot).ok_or_else(|| {
            let (set, binding) = (used.slot.set, used.slot.binding);
            Error::launch(format!("no {kind} buffer at set {set}, binding {binding}"))
        })?;
        Ok(Buffer {
            bytes: bytes.clone(),
        })
    })
    .collect()
}

/// The textures that a program uses, each of the shape that the program expects.
pub(super) fn textures<'a>(
    program: &Program,
    launch: &'a Launch,
) -> Result<Vec<&'a Texture>, Error> {
    let uses = program.images.iter();
    uses.map(|used| {
        let place = format!("set {}, binding {}", used.slot.set, used.slot.binding);
        let texture = launch.textures.get(&used.slot);
        let texture = texture.ok_or_else(|| Error::launch(format!("no texture at {place}")))?;
        let expected = match (used.dim, used.arrayed) {
            (Dim::Dim1D, _) => Dimension::D1,
            (Dim::Dim2D, false) => Dimension::D2,
            (Dim::Dim2D, true) => Dimension::D2Array,
            (Dim::Dim3D, _) => Dimension::D3,
            _ => Dimension::Cube,
        };
        if texture.dimension != expected || texture.integer != used.integer {
            return Err(Error::launch(format!(
                "the texture at {place} is {:?}, integer: {}; the module has {expected:?}, integer: {}",
                texture.dimension, texture.integer, used.integer
            )));
        }
        for (level, texels) in texture.levels.iter().enumerate() {
            let size = texture.level_size(level as u32).map(u64::from);
            let count = size[0].checked_mul(size[1]).and_then(|plane| plane.checked_mul(size[2]));
            if count != Some(texels.len() as u64) {
                return Err(Error::launch(format!(
                    "level {level} of the texture at {place} has {} texels for a size of {size:?}",
                    texels.len()
                )));
            }
        }
        if texture.levels.is_empty() || texture.levels.len() > 32 {
            let count = texture.levels.len();
            let message = format!("the texture at {place} has {count} levels; 1 to 32 are allowed");
            return Err(Error::launch(message));
        }
        if expected == Dimension::Cube && (texture.size[2] != 6 || texture.size[0] != texture.size[1])
        {
            let message = format!("the cube at {place} has not six square faces");
            return Err(Error::launch(message));
        }
        Ok(texture)
    })
    .collect()
}

/// The samplers that a program uses.
pub(super) fn samplers<'a>(
    program: &Program,
    launch: &'a Launch,
) -> Result<Vec<&'a Sampler>, Error> {
    let uses = program.samplers.iter();
    uses.map(|used| {
        let place = format!("set {}, binding {}", used.slot.set, used.slot.binding);
        let sampler = launch.samplers.get(&used.slot);
        let sampler = sampler.ok_or_else(|| Error::launch(format!("no sampler at {place}")))?;
        if used.compares && sampler.compare.is_none() {
            return Err(Error::launch(format!(
                "the sampler at {place} has no comparison"
            )));
        }
        Ok(sampler)
    })
    .collect()
}

impl Machine<'_> {
    /// Sets constants, initial values and inputs.
    pub(super) fn start(&mut self, launch: &Launch) {
        let list: Vec<u32> = (0..self.lanes.len() as u32).collect();
        let all = Lanes {
            list: &list,
            count: self.lanes.len(),
        };
        for (slot, &word) in (0..).zip(&self.program.constants) {
            self.registers.fill(all, slot, word);
        }
        for step in &self.program.presets {
            self.registers.copy(all, step.to, step.from, step.count);
        }
        for port in &self.program.inputs {
            for (lane, given) in launch.lanes.iter().enumerate() {
                let mut words = [0; 4];
                match port.what {
                    PortKind::Location {
                        location,
                        component,
                    } => {
                        let from = given.inputs.get(&location).copied().unwrap_or_default();
                        let from = from.iter().skip(component as usize);
                        words
                            .iter_mut()
                            .zip(from)
                            .for_each(|(to, from)| *to = *from);
                    }
                    PortKind::BuiltIn(BuiltIn::FragCoord) => words = given.frag_coord,
                    PortKind::BuiltIn(built_in) => {
                        words[0] = match built_in {
                            BuiltIn::VertexIndex => given.vertex_index,
                            BuiltIn::InstanceIndex => given.instance_index,
                            BuiltIn::FrontFacing => u32::from(given.front_facing),
                            BuiltIn::HelperInvocation => u32::from(given.helper),
                            _ => 0,
                        }
                    }
                }
                for (index, word) in (0..port.count).zip(words) {
                    self.registers.set(port.slot + index, lane, word);
                }
            }
        }
    }

    /// Collects outputs and buffers.
    pub(super) fn finish(self, launch: &Launch) -> Returned {
        let lanes = (0..self.lanes.len()).map(|lane| self.lane(lane)).collect();
        let mut storage: BTreeMap<_, _> = launch.storage.clone();
        for (used, buffer) in self.program.buffers.iter().zip(self.buffers) {
            if used.storage {
                storage.insert(used.slot, buffer.bytes);
            }
        }
        Returned { lanes, storage }
    }

    fn lane(&self, lane: usize) -> LaneReturn {
        let mut returned = LaneReturn {
            killed: self.lanes[lane].killed,
            ..LaneReturn::default()
        };
        for port in &self.program.outputs {
            let words = |count: u32| {
                (0..count.min(port.count)).map(|index| self.registers.get(port.slot + index, lane))
            };
            match port.what {
                PortKind::Location {
                    location,
                    component,
                } => {
                    let output = returned.outputs.entry(location).or_default();
                    let to = output.iter_mut().skip(component as usize);
                    to.zip(words(4)).for_each(|(to, word)| *to = word);
                }
                PortKind::BuiltIn(built_in) if port.written => {
                    self.built_in(&mut returned, built_in, *port, lane);
                }
                PortKind::BuiltIn(_) => {}
            }
        }
        returned
    }

    fn built_in(&self, returned: &mut LaneReturn, built_in: BuiltIn, port: Port, lane: usize) {
        let word = |index: u32| self.registers.get(port.slot + index, lane);
        match built_in {
            BuiltIn::Position => returned.position = Some([0, 1, 2, 3].map(word)),
            BuiltIn::PointSize => returned.point_size = Some(word(0)),
            BuiltIn::ClipDistance => returned.clip_distances = (0..port.count).map(word).collect(),
            BuiltIn::FragDepth => returned.frag_depth = Some(word(0)),
            BuiltIn::SampleMask => returned.sample_mask = Some(word(0)),
            // CullDistance: nothing asks for it.
            _ => {}
        }
    }
}
