//! Streams that run: what they do to pixels is to be compared, so that little of them stops execution.

use super::instruction::{Behind, SHAPES, Shape, address, at_a_border, float, length, operands};
use super::put;
use crate::generate::Random;

/// SETENABS.
const ENABLE: u32 = 0x100;

/// TREEintoMEM_L3.
const STORE: u32 = 0x002a_4300;

/// A stream of instructions that are executed; one in a few hundred may stop it.
pub fn program(random: &mut Random, _: &[&[u8]], out: &mut Vec<u8>) {
    let runs: Vec<Shape> = SHAPES.into_iter().filter(|shape| shape.runs).collect();
    let mut words = vec![ENABLE];
    // Memory that differs from pixel to pixel, and a tree.
    for _ in 0..4 {
        let len = 64;
        words.push(STORE | (len + 115) << 23 | address(random, len));
        words.extend(coefficients(random));
    }
    for _ in 0..random.below(220) {
        match random.below(256) {
            0 => at_a_border(random, &mut words),
            // Enables only ever get fewer without it.
            1..24 => words.push(ENABLE),
            _ => {
                let shape = random.pick(&runs);
                step(random, shape, &mut words);
            }
        }
    }
    put(&words, out);
}

fn coefficients(random: &mut Random) -> [u32; 3] {
    let mut finite = || {
        let bits = float(random);
        if f32::from_bits(bits).is_finite() {
            bits
        } else {
            0x3f80_0000
        }
    };
    [finite(), finite(), finite()]
}

/// One instruction that is executed.
fn step(random: &mut Random, shape: &Shape, out: &mut Vec<u32>) {
    let longest = if shape.behind == Behind::Word {
        32
    } else {
        127
    };
    let len = length(random, longest).max(1);
    let (l, len) = match shape.rule {
        super::Rule::None(l) => (l, 1),
        super::Rule::ZeroOrModulo => (if random.one_in(2) { 0 } else { 117 }, 1),
        rule => (rule.l(len), len),
    };
    let addr = if shape.placed {
        address(random, len)
    } else {
        0
    };
    out.push(shape.base | l << 23 | addr);
    match shape.behind {
        Behind::Floats => out.extend(coefficients(random)),
        behind => {
            let len2 = length(random, 127).max(1);
            operands(random, behind, (addr, len, len2), out);
        }
    }
}
