//! Sweeps: every word by its bits that choose, and every length and address of every instruction.

use corpora::RejectClass;
use corpora::generate::igc::{SHAPES, Shape};

use super::{INSTRUCTION, WORD, unit};
use crate::target::{Enumeration, Stated};

/// Values of L: none, the least, that of TREEltZERO, all bits. The sweep of instructions takes all.
const LENGTHS: [u32; 4] = [0, 1, 117, 255];

/// Addresses: those of EDGE and next to them.
const ADDRESSES: [u32; 5] = [0, 1, 2, 3, 4];

/// Bits 31, 22:17 and 16:8.
const BASES: u64 = 1 << 16;

/// Values of L and `addr`.
const PLACES: u64 = 256 * 256;

/// All sweeps.
pub(super) fn all() -> Vec<Enumeration> {
    let words = BASES * (LENGTHS.len() * ADDRESSES.len()) as u64;
    // The three words of EDGE differ in their addresses alone.
    let instructions = (SHAPES.len() as u64 - 2) * PLACES;
    vec![
        Enumeration {
            what: "every bit 31, modifier and opcode, with 4 values of L and 5 of addr",
            options: unit(WORD),
            inputs: words,
            values: words,
            full: false,
            stated: |_| Stated::Accepted,
            make: Box::new(chosen),
        },
        Enumeration {
            what: "every instruction with every L and addr",
            options: unit(INSTRUCTION),
            inputs: instructions,
            values: instructions,
            full: false,
            stated: instruction_stated,
            make: Box::new(instruction),
        },
        Enumeration {
            what: "every word",
            options: unit(WORD),
            inputs: 1 << 32,
            values: 1 << 32,
            full: true,
            stated: |_| Stated::Accepted,
            make: Box::new(|number, out| {
                out.extend((number as u32).to_le_bytes());
                1
            }),
        },
    ]
}

fn chosen(number: u64, out: &mut Vec<u8>) -> u64 {
    let (base, place) = ((number % BASES) as u32, (number / BASES) as usize);
    let l = LENGTHS[place % LENGTHS.len()];
    let addr = ADDRESSES[place / LENGTHS.len()];
    let word = base >> 15 << 31 | (base & 0x7fff) << 8 | l << 23 | addr;
    out.extend(word.to_le_bytes());
    1
}

/// The shape of a number, its L and its address.
fn parts(number: u64) -> (Shape, u32, u32) {
    let shape = SHAPES[(number / PLACES) as usize];
    (shape, (number >> 8 & 0xff) as u32, (number & 0xff) as u32)
}

/// The base with that L and address in the bits that are free, and operand words that are 0.
fn instruction(number: u64, out: &mut Vec<u8>) -> u64 {
    let (shape, l, addr) = parts(number);
    let word = shape.base & !0xff | l << 23 | addr;
    let words = [word, 0, 0, 0];
    out.extend(
        words[..shape.words()]
            .iter()
            .flat_map(|word| word.to_le_bytes()),
    );
    1
}

/// Rule 6: a field that ends beyond the pixel's bits is out of range, at the first word.
fn instruction_stated(number: u64) -> Stated {
    const MEMGESCA: u32 = 0x8011_6c00;
    let (shape, l, addr) = parts(number);
    let len = shape.rule.len(l).unwrap_or(0);
    if addr + len > 256 && shape.base != MEMGESCA {
        Stated::Rejected(RejectClass::OutOfRange)
    } else {
        Stated::Accepted
    }
}
