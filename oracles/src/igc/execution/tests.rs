//! Expectations computed by hand from docs/targets/igc.md, Execution.

mod bits;
mod packet;
mod refusals;
mod tree;

use super::{Array, Stop};
use crate::igc::Tables;

/// An array of that size with all bits 0.
fn array(width: u32, height: u32) -> Array {
    Array::new(&Tables::embedded(), width, height).unwrap()
}

/// The bytes of words in hexadecimal, with blanks between them.
fn words(text: &str) -> Vec<u8> {
    text.split_whitespace()
        .flat_map(|word| u32::from_str_radix(word, 16).unwrap().to_le_bytes())
        .collect()
}

/// Executes all of the words.
#[track_caller]
fn run(array: &mut Array, text: &str) {
    assert_eq!(array.run(&words(text)), Ok(()));
}

/// Where execution of the words stops, by which instruction and why.
#[track_caller]
fn stop(array: &mut Array, text: &str) -> (usize, String, String) {
    match array.run(&words(text)) {
        Err(Stop::Unsupported {
            index,
            instruction,
            reason,
        }) => (index, instruction, reason),
        other => panic!("{other:?}"),
    }
}

/// Writes a number of so many bits into a pixel.
fn put(array: &mut Array, (x, y): (u32, u32), addr: u32, len: u32, value: u64) {
    for n in 0..len {
        assert!(array.set_memory(x, y, addr + n, value >> n & 1 == 1));
    }
}

/// One enable bit per pixel of the first row.
fn enables(array: &Array) -> Vec<bool> {
    (0..array.width())
        .map(|x| array.enable(x, 0).unwrap())
        .collect()
}
