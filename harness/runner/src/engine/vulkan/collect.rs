//! What came back.

use corpora::execution::{Invocation, LaneReturn, Launch, Returned};

use super::placement::Placed;
use super::program::Prepared;
use crate::engine::patch::{Field, Kind};

/// Reads what a launch left in memory.
pub(super) fn read(
    prepared: &Prepared,
    launch: &Launch,
    placed: &Placed,
    memory: &[u8],
) -> Returned {
    let fields = &prepared.patched.outputs;
    let outputs = &memory[placed.outputs.clone()];
    let mut lanes = Vec::with_capacity(launch.lanes.len());
    let records = outputs.chunks_exact((fields.len() * 4).max(1));
    for (invocation, record) in launch.lanes.iter().zip(records) {
        lanes.push(lane(invocation, fields, record));
    }
    // Buffers that the module does not use come back as they went.
    let mut storage = launch.storage.clone();
    for (slot, kind, room) in &placed.buffers {
        if *kind == Kind::Storage
            && let Some(bytes) = storage.get_mut(slot)
        {
            let length = bytes.len();
            bytes.copy_from_slice(&memory[room.clone()][..length]);
        }
    }
    Returned { lanes, storage }
}

/// Reads a lane's words. A helper has written nothing.
fn lane(invocation: &Invocation, fields: &[Field], record: &[u8]) -> LaneReturn {
    let mut lane = LaneReturn::default();
    if invocation.helper {
        return lane;
    }
    let words = record
        .chunks_exact(4)
        .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
    for (&field, word) in fields.iter().zip(words) {
        match field {
            Field::Finished if word == 0 => {
                lane.killed = true;
                break;
            }
            Field::Location {
                location,
                component,
            } => {
                lane.outputs.entry(location).or_default()[component as usize & 3] = word;
            }
            Field::Position(component) => {
                lane.position.get_or_insert_default()[component as usize & 3] = word;
            }
            Field::PointSize => lane.point_size = Some(word),
            Field::ClipDistance(index) => {
                let index = index as usize;
                if lane.clip_distances.len() <= index {
                    lane.clip_distances.resize(index + 1, 0);
                }
                lane.clip_distances[index] = word;
            }
            Field::FragDepth => lane.frag_depth = Some(word),
            Field::SampleMask(0) => lane.sample_mask = Some(word),
            _ => {}
        }
    }
    lane
}
