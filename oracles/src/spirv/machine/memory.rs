//! Places that lanes compute, buffers and atomic operations.

use super::Machine;
use crate::spirv::code::{Atomic, AtomicOperation, BufferPlace, Indexed, Term};
use crate::spirv::lanes::{Lanes, Registers};
use crate::spirv::layout::Piece;
use crate::spirv::operations::binary;

/// The slot of a place for a lane; none if an index is outside.
fn slot(registers: &Registers, place: &Indexed, lane: usize) -> Option<u32> {
    let mut slot = place.base;
    for &Term {
        index,
        stride,
        length,
    } in &place.terms
    {
        let index = registers.get(index, lane);
        if index >= length {
            return None;
        }
        slot += index * stride;
    }
    Some(slot)
}

fn read(bytes: &[u8], address: u64, piece: Piece) -> u32 {
    let start = address.saturating_add(u64::from(piece.offset));
    let end = start.saturating_add(u64::from(piece.bytes));
    let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
    let Some(found) = range.and_then(|(start, end)| bytes.get(start..end)) else {
        return 0;
    };
    let mut word = [0; 4];
    word[..found.len()].copy_from_slice(found);
    u32::from_le_bytes(word)
}

fn write(bytes: &mut [u8], address: u64, piece: Piece, word: u32) {
    let start = address.saturating_add(u64::from(piece.offset));
    let end = start.saturating_add(u64::from(piece.bytes));
    let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
    if let Some(found) = range.and_then(|(start, end)| bytes.get_mut(start..end)) {
        found.copy_from_slice(&word.to_le_bytes()[..piece.bytes as usize]);
    }
}

impl Machine<'_> {
    pub(super) fn load_indexed(&mut self, lanes: Lanes<'_>, to: u32, place: &Indexed) {
        for lane in lanes.iter() {
            let from = slot(&self.registers, place, lane);
            for index in 0..place.count {
                let word = from.map_or(0, |from| self.registers.get(from + index, lane));
                self.registers.set(to + index, lane, word);
            }
        }
    }

    pub(super) fn store_indexed(&mut self, lanes: Lanes<'_>, from: u32, place: &Indexed) {
        for lane in lanes.iter() {
            let Some(to) = slot(&self.registers, place, lane) else {
                continue;
            };
            for index in 0..place.count {
                let word = self.registers.get(from + index, lane);
                self.registers.set(to + index, lane, word);
            }
        }
    }

    /// The byte address of a place for a lane.
    fn address(&self, place: &BufferPlace, lane: usize) -> u64 {
        let terms = place
            .terms
            .iter()
            .map(|term| u64::from(self.registers.get(term.index, lane)) * u64::from(term.stride));
        // Each is below 2^64 - 2^33, but their sum may not be.
        terms.fold(u64::from(place.offset), u64::saturating_add)
    }

    pub(super) fn load_buffer(&mut self, lanes: Lanes<'_>, to: u32, place: &BufferPlace) {
        if place.terms.is_empty() {
            for (to, &piece) in (to..).zip(&place.pieces) {
                let bytes = &self.buffers[place.buffer as usize].bytes;
                let word = read(bytes, u64::from(place.offset), piece);
                self.registers.fill(lanes, to, word);
            }
            return;
        }
        for lane in lanes.iter() {
            let address = self.address(place, lane);
            let bytes = &self.buffers[place.buffer as usize].bytes;
            for (to, &piece) in (to..).zip(&place.pieces) {
                self.registers.set(to, lane, read(bytes, address, piece));
            }
        }
    }

    pub(super) fn store_buffer(&mut self, lanes: Lanes<'_>, from: u32, place: &BufferPlace) {
        for lane in lanes.iter().filter(|&lane| self.lanes[lane].writes()) {
            let address = self.address(place, lane);
            let bytes = &mut self.buffers[place.buffer as usize].bytes;
            for (from, &piece) in (from..).zip(&place.pieces) {
                write(bytes, address, piece, self.registers.get(from, lane));
            }
        }
    }

    /// One lane after the other. Helpers are given the value and leave it.
    pub(super) fn atomic(&mut self, lanes: Lanes<'_>, atomic: &Atomic) {
        let place = &atomic.place;
        let piece = Piece {
            offset: 0,
            bytes: 4,
        };
        for lane in lanes.iter() {
            let address = self.address(place, lane);
            let value = self.registers.get(atomic.value, lane);
            let bytes = &mut self.buffers[place.buffer as usize].bytes;
            let old = read(bytes, address, piece);
            let new = match atomic.operation {
                AtomicOperation::Load => old,
                AtomicOperation::Exchange => value,
                AtomicOperation::CompareExchange => {
                    if old == self.registers.get(atomic.comparator, lane) {
                        value
                    } else {
                        old
                    }
                }
                AtomicOperation::Combine(operation) => binary(operation, [old, value]),
            };
            if self.lanes[lane].writes() {
                write(bytes, address, piece, new);
            }
            if let Some(to) = atomic.to {
                self.registers.set(to, lane, old);
            }
        }
    }
}
