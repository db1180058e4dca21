//! Operations on planes and on fields of them.

use std::mem::take;

use super::Array;
use super::tree::Tree;

/// `new` where `enable` is set.
fn blend(old: u64, new: u64, enable: u64) -> u64 {
    old & !enable | new & enable
}

/// The bits of word `word` that are in a range of x.
fn mask(range: &std::ops::Range<usize>, word: usize) -> u64 {
    let below = |x: usize| match x.saturating_sub(64 * word) {
        x if x >= 64 => u64::MAX,
        x => (1 << x) - 1,
    };
    below(range.end) & !below(range.start)
}

impl Array {
    /// enable ← f(enable, memory); all.
    pub(super) fn enable_from(&mut self, bit: u8, f: impl Fn(u64, u64) -> u64) {
        let memory = &self.memory[usize::from(bit)];
        for ((enable, memory), pixels) in self.enable.iter_mut().zip(memory).zip(&self.pixels) {
            *enable = f(*enable, *memory) & pixels;
        }
    }

    /// memory ← f(memory, enable); all.
    pub(super) fn memory_from(&mut self, bit: u8, f: impl Fn(u64, u64) -> u64) {
        let memory = &mut self.memory[usize::from(bit)];
        for (memory, enable) in memory.iter_mut().zip(&self.enable) {
            *memory = f(*memory, *enable);
        }
    }

    /// A plane ← the carry; enabled.
    pub(super) fn store_carry(&mut self, bit: u8) {
        let memory = &mut self.memory[usize::from(bit)];
        for ((memory, carry), enable) in memory.iter_mut().zip(&self.carry).zip(&self.enable) {
            *memory = blend(*memory, *carry, *enable);
        }
    }

    /// A field ← the low bits of a scalar; enabled.
    pub(super) fn store_scalar(&mut self, addr: u8, len: u8, scalar: u32) {
        let field = &mut self.memory[usize::from(addr)..][..usize::from(len)];
        for (n, plane) in field.iter_mut().enumerate() {
            let bits = if scalar >> n & 1 == 1 { u64::MAX } else { 0 };
            for (memory, enable) in plane.iter_mut().zip(&self.enable) {
                *memory = blend(*memory, bits, *enable);
            }
        }
    }

    /// A field ← another, read whole before; enabled.
    pub(super) fn copy(&mut self, addr: u8, src: u8, len: u8) {
        let one = |array: &mut Self, n: u8| {
            let (to, from) = (usize::from(addr + n), usize::from(src + n));
            let mut memory = take(&mut array.memory[to]);
            let planes = memory.iter_mut().zip(&array.memory[from]);
            for ((memory, source), enable) in planes.zip(&array.enable) {
                *memory = blend(*memory, *source, *enable);
            }
            array.memory[to] = memory;
        };
        // Each plane is read before it is written.
        match addr.cmp(&src) {
            std::cmp::Ordering::Less => (0..len).for_each(|n| one(self, n)),
            std::cmp::Ordering::Equal => {}
            std::cmp::Ordering::Greater => (0..len).rev().for_each(|n| one(self, n)),
        }
    }

    /// A field ← itself and another, which is read whole before; carry ← the last bit's. Enabled.
    pub(super) fn add(&mut self, (addr, len): (u8, u8), (src, len2): (u8, u8)) {
        let first = usize::from(src);
        let source = self.memory[first..][..usize::from(len2.min(len))].to_vec();
        let mut carries = vec![0; self.enable.len()];
        for n in 0..usize::from(len) {
            let memory = &mut self.memory[usize::from(addr) + n];
            let words = memory.iter_mut().zip(&mut carries).zip(&self.enable);
            for (word, ((memory, carry), enable)) in words.enumerate() {
                let (a, b) = (*memory, source.get(n).map_or(0, |plane| plane[word]));
                let sum = a ^ b ^ *carry;
                *carry = a & b | (a ^ b) & *carry;
                *memory = blend(a, sum, *enable);
            }
        }
        for ((carry, new), enable) in self.carry.iter_mut().zip(carries).zip(&self.enable) {
            *carry = blend(*carry, new, *enable);
        }
    }

    /// enable ∧= (t < 0) = `negative`.
    pub(super) fn enable_by_sign(&mut self, tree: Tree, negative: bool) {
        let products = tree.products(self.row);
        for (y, row) in self.enable.chunks_exact_mut(self.row).enumerate() {
            if row.iter().all(|enable| *enable == 0) {
                continue;
            }
            let range = tree.row(&products, y).negative(self.width.into());
            for (word, enable) in row.iter_mut().enumerate() {
                let inside = mask(&range, word);
                *enable &= if negative { inside } else { !inside };
            }
        }
    }

    /// enable ∧= field < t.
    pub(super) fn enable_below(&mut self, tree: Tree, addr: u8, len: u8) {
        let products = tree.products(self.row);
        let field = &self.memory[usize::from(addr)..][..usize::from(len)];
        for (y, row) in self.enable.chunks_exact_mut(self.row).enumerate() {
            if row.iter().all(|enable| *enable == 0) {
                continue;
            }
            let line = tree.row(&products, y);
            if !line.reaches_one() {
                // No field is below 0.
                row.fill(0);
                continue;
            }
            let before = y * self.row;
            for (word, enable) in row.iter_mut().enumerate() {
                if *enable == 0 {
                    continue;
                }
                let planes = line.planes(word, 64);
                let sign = planes.sign();
                let mut less = 0;
                // From the lowest bit up: the highest that differs decides.
                for bit in 0..sign.max(field.len()) {
                    let memory = field.get(bit).map_or(0, |plane| plane[before + word]);
                    let tree = planes.get(bit);
                    less = !memory & tree | !(memory ^ tree) & less;
                }
                *enable &= less & !planes.get(sign);
            }
        }
    }

    /// A field ← the low bits of t; enabled.
    pub(super) fn store_tree(&mut self, tree: Tree, addr: u8, len: u8) {
        let products = tree.products(self.row);
        let field = &mut self.memory[usize::from(addr)..][..usize::from(len)];
        for (y, row) in self.enable.chunks_exact(self.row).enumerate() {
            let line = tree.row(&products, y);
            let before = y * self.row;
            for (word, enable) in row.iter().enumerate() {
                if *enable == 0 {
                    continue;
                }
                let planes = line.planes(word, len.into());
                for (bit, plane) in field.iter_mut().enumerate() {
                    let memory = &mut plane[before + word];
                    *memory = blend(*memory, planes.get(bit), *enable);
                }
            }
        }
    }
}
