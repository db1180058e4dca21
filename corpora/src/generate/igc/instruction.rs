//! Single instructions: within the rules, at a border of one, or anything at all.

use crate::generate::Random;

/// How L says a length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// It says none, and this L is the usual one.
    None(u32),
    /// L is len + bias.
    Plus(u32),
    /// L is (len + 116) mod 128.
    Modulo,
    /// The same, or 0 and no length.
    ZeroOrModulo,
}

impl Rule {
    /// The length that L says, if it says one.
    pub fn len(self, l: u32) -> Option<u32> {
        match self {
            Self::None(_) => None,
            Self::Plus(bias) => l.checked_sub(bias),
            Self::ZeroOrModulo if l == 0 => None,
            Self::Modulo | Self::ZeroOrModulo if l > 127 => None,
            Self::Modulo | Self::ZeroOrModulo => Some((l + 12) % 128),
        }
    }

    /// The longest length that can be said.
    fn longest(self) -> u32 {
        match self {
            Self::None(_) => 0,
            Self::Plus(bias) => 255 - bias,
            Self::Modulo | Self::ZeroOrModulo => 127,
        }
    }

    /// L for a length.
    pub(super) fn l(self, len: u32) -> u32 {
        match self {
            Self::None(l) => l,
            Self::Plus(bias) => len + bias,
            Self::Modulo | Self::ZeroOrModulo => (len + 116) % 128,
        }
    }
}

/// What stands behind a first word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behind {
    /// Nothing.
    Nothing,
    /// Three floats.
    Floats,
    /// A word of any value.
    Word,
    /// An address.
    Source,
    /// A source, the destination again, a second length.
    Sweep,
}

/// An instruction as it is generated.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Its bits 31 and 22:8.
    pub base: u32,
    /// Its length.
    pub rule: Rule,
    /// What stands behind the first word.
    pub behind: Behind,
    /// Whether it is executed.
    pub runs: bool,
    /// Whether `addr` is a place.
    pub placed: bool,
}

impl Shape {
    /// Its words, with the first.
    pub fn words(&self) -> usize {
        match self.behind {
            Behind::Nothing => 1,
            Behind::Floats => 4,
            _ => 2,
        }
    }
}

const fn shape(base: u32, rule: Rule, behind: Behind, runs: bool, placed: bool) -> Shape {
    Shape {
        base,
        rule,
        behind,
        runs,
        placed,
    }
}

/// All instructions that there are. The last three are the three words of EDGE.
pub const SHAPES: [Shape; 32] = {
    use Behind::{Floats, Nothing, Source, Sweep, Word};
    use Rule::{Modulo, None, Plus, ZeroOrModulo};
    const RUNS: bool = true;
    const PLACED: bool = true;
    [
        shape(0x0000_0000, None(0), Nothing, RUNS, !PLACED),
        shape(0x0000_0100, None(0), Nothing, RUNS, !PLACED),
        shape(0x0000_0200, None(0), Nothing, RUNS, !PLACED),
        shape(0x0000_0300, None(0), Nothing, RUNS, PLACED),
        shape(0x0000_0500, None(0), Nothing, RUNS, PLACED),
        shape(0x0000_0800, None(0), Nothing, RUNS, PLACED),
        shape(0x0000_4800, ZeroOrModulo, Nothing, RUNS, PLACED),
        shape(0x0000_b300, None(0), Nothing, RUNS, PLACED),
        shape(0x0000_b500, None(0), Nothing, RUNS, PLACED),
        shape(0x0000_b700, None(0), Nothing, RUNS, PLACED),
        shape(0x0000_b900, None(0), Nothing, RUNS, PLACED),
        shape(0x0001_0a00, None(0), Nothing, RUNS, PLACED),
        shape(0x0002_0000, None(0), Nothing, !RUNS, !PLACED),
        shape(0x0040_0a00, None(0), Nothing, !RUNS, PLACED),
        shape(0x0041_3c00, None(0), Nothing, !RUNS, PLACED),
        shape(0x0041_3f00, None(0), Nothing, !RUNS, PLACED),
        shape(0x0068_0d00, None(117), Floats, RUNS, !PLACED),
        shape(0x0069_4200, None(117), Floats, RUNS, !PLACED),
        shape(0x006a_2100, Plus(117), Floats, RUNS, PLACED),
        shape(0x002a_4300, Plus(115), Floats, RUNS, PLACED),
        shape(0x000a_4300, Plus(115), Nothing, RUNS, PLACED),
        shape(0x0010_f700, Modulo, Word, RUNS, PLACED),
        shape(0x8000_4c00, Plus(115), Source, RUNS, PLACED),
        shape(0x8011_6c00, Modulo, Word, !RUNS, PLACED),
        shape(0x8000_0000, None(0), Word, !RUNS, PLACED),
        shape(0x8000_e600, None(0), Source, !RUNS, PLACED),
        shape(0x8000_6c00, Modulo, Sweep, RUNS, PLACED),
        shape(0x8001_2100, Modulo, Source, !RUNS, PLACED),
        shape(0x8001_2500, Modulo, Sweep, !RUNS, PLACED),
        shape(0x0000_0601, None(0), Floats, !RUNS, !PLACED),
        shape(0x0000_0602, None(0), Floats, !RUNS, !PLACED),
        shape(0x0000_0603, None(0), Floats, !RUNS, !PLACED),
    ]
};

/// Values of L at which a rule begins, ends, or turns round.
const EDGES: [u32; 12] = [0, 1, 18, 114, 115, 116, 117, 118, 127, 128, 130, 255];

/// A length that a field usually has, at most `longest`.
pub(super) fn length(random: &mut Random, longest: u32) -> u32 {
    match random.below(8) {
        0 => random.below(u64::from(longest) + 1) as u32,
        1 => longest,
        _ => longest.min(1 + random.below(40) as u32),
    }
}

/// An address at which `len` bits fit.
pub(super) fn address(random: &mut Random, len: u32) -> u32 {
    match random.below(6) {
        0 => (256 - len).min(255),
        _ => random.below(257 - u64::from(len)).min(255) as u32,
    }
}

/// A float's bits: often a small number, sometimes any bits.
pub(super) fn float(random: &mut Random) -> u32 {
    let small = random.below(65) as f32 - 32.0;
    match random.below(8) {
        0 => random.word() as u32,
        1 => 0,
        2 => (small / 3.0).to_bits(),
        3 => (small / 2.0).to_bits(),
        4 => (small * 4096.0).to_bits(),
        _ => small.to_bits(),
    }
}

/// The words behind the first, with the source at which `len` and `len2` bits fit.
pub(super) fn operands(
    random: &mut Random,
    behind: Behind,
    (addr, len, len2): (u32, u32, u32),
    out: &mut Vec<u32>,
) {
    match behind {
        Behind::Nothing => {}
        Behind::Floats => out.extend([0; 3].map(|_: u32| float(random))),
        Behind::Word => out.push(random.word() as u32),
        Behind::Source => out.push(address(random, len)),
        Behind::Sweep => out.push(len2 << 16 | addr << 8 | address(random, len2)),
    }
}

/// An instruction that every rule accepts.
pub(super) fn within(random: &mut Random, out: &mut Vec<u32>) {
    let shape = random.pick(&SHAPES);
    let len = length(random, shape.rule.longest());
    let addr = if shape.base >> 8 == 6 {
        0
    } else {
        address(random, len)
    };
    out.push(shape.base | shape.rule.l(len) << 23 | addr);
    let len2 = length(random, 127);
    operands(random, shape.behind, (addr, len, len2), out);
}

/// An instruction with one number at the border of a rule, on either side.
pub(super) fn at_a_border(random: &mut Random, out: &mut Vec<u32>) {
    let shape = random.pick(&SHAPES);
    let l = match random.below(4) {
        0 => *random.pick(&EDGES),
        1 => random.below(256) as u32,
        _ => {
            let len = length(random, shape.rule.longest());
            shape.rule.l(len)
        }
    };
    let len = shape.rule.len(l).unwrap_or(0);
    // One below, at, and one above the last place that fits.
    let near = |random: &mut Random, len: u32| {
        let last = 256_u32.saturating_sub(len);
        (last + random.below(3) as u32).saturating_sub(1).min(255)
    };
    let addr = match random.below(3) {
        _ if shape.base >> 8 == 6 && !random.one_in(4) => 0,
        0 => near(random, len),
        1 => random.below(4) as u32,
        _ => address(random, len.min(256)),
    };
    out.push(shape.base | l << 23 | addr);
    let start = out.len();
    let len2 = length(random, 127);
    operands(random, shape.behind, (addr, len.min(256), len2), out);
    if let (Behind::Source | Behind::Sweep, Some(operand)) = (shape.behind, out.get_mut(start)) {
        match random.below(4) {
            0 => {
                let held = if shape.behind == Behind::Sweep {
                    len2
                } else {
                    len
                };
                *operand = *operand & !0xff | near(random, held);
            }
            1 => *operand ^= 1 << random.below(32),
            _ => {}
        }
    }
}

/// An instruction with a bit changed, or words of noise.
pub(super) fn wild(random: &mut Random, out: &mut Vec<u32>) {
    let start = out.len();
    within(random, out);
    if random.one_in(2) {
        out[start] ^= 1 << random.below(32);
    } else {
        out[start] = random.word() as u32;
    }
}
