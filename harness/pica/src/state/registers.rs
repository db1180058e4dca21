//! The registers that vertex fetch reads, by libctru's names without GPUREG_.

/// ATTRIBBUFFERS_LOC: the address of all arrays, divided by 8.
pub(super) const BASE: u16 = 0x200;
/// ATTRIBBUFFERS_FORMAT_LOW: a nibble for each of attributes 0 to 7.
pub(super) const FORMAT_LOW: u16 = 0x201;
/// ATTRIBBUFFERS_FORMAT_HIGH: attributes 8 to 11, fixed mask, count.
pub(super) const FORMAT_HIGH: u16 = 0x202;
/// ATTRIBBUFFER0_OFFSET, the first of three words of each loader.
pub(super) const LOADERS: u16 = 0x203;
/// INDEXBUFFER_CONFIG: offset from the base, and width.
pub(super) const INDICES: u16 = 0x227;
/// NUMVERTICES.
pub(super) const VERTICES: u16 = 0x228;
/// VERTEX_OFFSET: the first vertex of a draw without indices.
pub(super) const FIRST: u16 = 0x22a;
/// DRAWARRAYS.
pub(super) const DRAW_ARRAYS: u16 = 0x22e;
/// DRAWELEMENTS.
pub(super) const DRAW_ELEMENTS: u16 = 0x22f;
/// FIXEDATTRIB_INDEX.
pub(super) const FIXED_INDEX: u16 = 0x232;
/// FIXEDATTRIB_DATA0, the first of three.
pub(super) const FIXED_DATA: u16 = 0x233;
/// VSH_ATTRIBUTES_PERMUTATION_LOW: a nibble for each of attributes 0 to 7.
pub(super) const SLOTS_LOW: u16 = 0x2bb;
/// VSH_ATTRIBUTES_PERMUTATION_HIGH.
pub(super) const SLOTS_HIGH: u16 = 0x2bc;

/// The last register.
pub(super) const LAST: u16 = 0x2ff;

/// All registers; zero at first.
#[derive(Clone, Debug)]
pub(super) struct Registers(Box<[u32; LAST as usize + 1]>);

impl Registers {
    pub(super) fn new() -> Self {
        Self(Box::new([0; LAST as usize + 1]))
    }

    /// Writes the bytes that the mask lets through, and gives what the register holds then.
    pub(super) fn write(&mut self, register: u16, value: u32, mask: u8) -> u32 {
        let mut bits = 0;
        for byte in 0..4 {
            if mask >> byte & 1 == 1 {
                bits |= 0xff << (8 * byte);
            }
        }
        let Some(held) = self.0.get_mut(usize::from(register)) else {
            return value & bits;
        };
        *held = *held & !bits | value & bits;
        *held
    }

    pub(super) fn read(&self, register: u16) -> u32 {
        self.0.get(usize::from(register)).copied().unwrap_or(0)
    }

    /// Nibble `number` of two registers with eight each.
    pub(super) fn nibble(&self, low: u16, high: u16, number: u8) -> u8 {
        let register = if number < 8 { low } else { high };
        (self.read(register) >> (4 * (number & 7)) & 0xf) as u8
    }
}
