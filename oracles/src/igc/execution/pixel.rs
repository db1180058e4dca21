//! A pixel: its memory, its enable bit and its carry bit.

/// Bits of a pixel's memory: all that eight address bits reach.
pub(super) const MEMORY: usize = 256;

/// One pixel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pixel {
    pub(super) memory: [bool; MEMORY],
    pub(super) enable: bool,
    pub(super) carry: bool,
}

impl Default for Pixel {
    fn default() -> Self {
        Self {
            memory: [false; MEMORY],
            enable: false,
            carry: false,
        }
    }
}

impl Pixel {
    /// One bit. Beyond the memory there is none, and no accepted instruction asks.
    pub(super) fn bit(&self, at: u32) -> bool {
        self.memory.get(at as usize).copied().unwrap_or(false)
    }

    pub(super) fn set(&mut self, at: u32, value: bool) {
        if let Some(bit) = self.memory.get_mut(at as usize) {
            *bit = value;
        }
    }

    /// A field, least significant bit first.
    pub(super) fn read(&self, addr: u32, len: u32) -> Vec<bool> {
        (0..len).map(|n| self.bit(addr + n)).collect()
    }

    pub(super) fn write(&mut self, addr: u32, bits: impl IntoIterator<Item = bool>) {
        for (n, bit) in (0..).zip(bits) {
            self.set(addr + n, bit);
        }
    }
}
