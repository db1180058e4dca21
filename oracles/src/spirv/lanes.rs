//! The register file and the loops over lanes.
//!
//! A register is a slot of 32 bits for every lane, and all lanes of a slot lie together. Values of several slots take
//! consecutive ones. The compiler gives an operation's result a higher slot than its operands have, which is what lets
//! the loops borrow both.

/// The lanes that execute.
#[derive(Clone, Copy)]
pub(super) struct Lanes<'a> {
    /// Their numbers, ascending.
    pub(super) list: &'a [u32],
    /// The number of lanes there are.
    pub(super) count: usize,
}

impl<'a> Lanes<'a> {
    /// Whether every lane executes.
    pub(super) fn all(self) -> bool {
        self.list.len() == self.count
    }

    /// The numbers of the lanes that execute.
    pub(super) fn iter(self) -> impl Iterator<Item = usize> + 'a {
        self.list.iter().map(|&lane| lane as usize)
    }
}

/// Where an operation reads and writes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operands<const N: usize> {
    /// First slot of the result.
    pub(super) to: u32,
    /// First slots of the operands, below that of the result.
    pub(super) from: [u32; N],
    /// Slots of each.
    pub(super) count: u32,
}

/// The register file.
pub(super) struct Registers {
    /// The words, by slot, then by lane.
    pub(super) words: Vec<u32>,
    /// Lanes.
    pub(super) lanes: usize,
}

impl Registers {
    /// This many slots for this many lanes, all zero.
    pub(super) fn new(slots: usize, lanes: usize) -> Self {
        Self {
            words: vec![0; slots * lanes],
            lanes,
        }
    }

    /// One word.
    pub(super) fn get(&self, slot: u32, lane: usize) -> u32 {
        self.words[slot as usize * self.lanes + lane]
    }

    /// Sets one word.
    pub(super) fn set(&mut self, slot: u32, lane: usize, word: u32) {
        self.words[slot as usize * self.lanes + lane] = word;
    }

    /// The words of a slot.
    pub(super) fn slot(&self, slot: u32) -> &[u32] {
        &self.words[slot as usize * self.lanes..][..self.lanes]
    }

    /// The words of a slot, to be written.
    pub(super) fn slot_mut(&mut self, slot: u32) -> &mut [u32] {
        &mut self.words[slot as usize * self.lanes..][..self.lanes]
    }

    /// Sets a slot of the executing lanes.
    pub(super) fn fill(&mut self, lanes: Lanes<'_>, slot: u32, word: u32) {
        let to = self.slot_mut(slot);
        if lanes.all() {
            to.fill(word);
        } else {
            lanes.iter().for_each(|lane| to[lane] = word);
        }
    }

    /// Copies consecutive slots, which may overlap only if all lanes are the same before and after.
    pub(super) fn copy(&mut self, lanes: Lanes<'_>, to: u32, from: u32, count: u32) {
        let n = self.lanes;
        let (to, from, count) = (to as usize * n, from as usize * n, count as usize);
        if lanes.all() {
            self.words.copy_within(from..from + count * n, to);
        } else {
            for index in 0..count {
                for lane in lanes.iter() {
                    self.words[to + index * n + lane] = self.words[from + index * n + lane];
                }
            }
        }
    }

    /// `to = f(from)`, slot by slot.
    #[inline(always)]
    pub(super) fn map<const N: usize>(
        &mut self,
        lanes: Lanes<'_>,
        operands: Operands<N>,
        f: impl Fn([u32; N]) -> u32,
    ) {
        let n = self.lanes;
        let (low, high) = self.words.split_at_mut(operands.to as usize * n);
        let size = operands.count as usize * n;
        let to = &mut high[..size];
        let from = operands.from.map(|slot| &low[slot as usize * n..][..size]);
        if lanes.all() {
            for (index, to) in to.iter_mut().enumerate() {
                *to = f(std::array::from_fn(|operand| from[operand][index]));
            }
        } else {
            for start in (0..size).step_by(n) {
                let to = &mut to[start..start + n];
                let from = from.map(|slots| &slots[start..start + n]);
                for lane in lanes.iter() {
                    to[lane] = f(std::array::from_fn(|operand| from[operand][lane]));
                }
            }
        }
    }
}
