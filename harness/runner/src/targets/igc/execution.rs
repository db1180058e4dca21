//! The library's array of planes beside the oracle's array of pixels.

use std::cell::RefCell;

use igc::array::RunError;
use oracles::igc::Tables;
use oracles::igc::execution::{Array as Pixels, Stop};

/// Sizes of the arrays: rows that end inside a word of a plane, at its end, and one pixel behind it.
pub(super) const SIZES: [(u16, u16); 4] = [(13, 5), (64, 1), (65, 2), (1, 1)];

/// The size that an input runs on.
pub(super) fn size(input: &[u8]) -> (u16, u16) {
    SIZES[input.len() / 4 % SIZES.len()]
}

thread_local! {
    /// Arrays of the oracle that nothing ran on yet: reading the tables takes longer than most streams.
    static FRESH: RefCell<Vec<Pixels>> = RefCell::new(pixels(&Tables::embedded()));
}

/// An array of the oracle of each size.
pub(super) fn pixels(tables: &Tables) -> Vec<Pixels> {
    let of = |(width, height): (u16, u16)| {
        Pixels::new(tables, width.into(), height.into()).expect("the embedded tables")
    };
    SIZES.into_iter().map(of).collect()
}

/// Runs a stream on both, on the array of its size. Nothing if all is the same afterwards; else what the oracle has, and
/// what the library has.
pub(super) fn difference(input: &[u8]) -> Option<(String, String)> {
    FRESH.with_borrow(|fresh| difference_to(fresh, input))
}

/// The same, with arrays of an oracle that may have other tables.
pub(super) fn difference_to(fresh: &[Pixels], input: &[u8]) -> Option<(String, String)> {
    let (width, height) = size(input);
    let fresh = fresh
        .iter()
        .find(|pixels| (pixels.width(), pixels.height()) == (u32::from(width), u32::from(height)));
    let mut pixels = fresh.expect("an array of each size").clone();
    let mut planes = igc::Array::new(width, height).expect("a size within the limits");
    let (expected, found) = (
        end_of(pixels.run(input)),
        end(planes.run(input).map(|_| ())),
    );
    if expected != found {
        return Some((expected, found));
    }
    compare(&pixels, &planes)
}

/// How a run of the oracle ended: the reason is each side's own words, word and name are the contract's.
fn end_of(run: Result<(), Stop>) -> String {
    match run {
        Ok(()) => "executed".to_owned(),
        Err(Stop::Rejected { class, offset }) => format!("rejected: {class} at byte {offset}"),
        Err(Stop::Unsupported {
            index, instruction, ..
        }) => format!("unsupported: {instruction} at word {index}"),
        Err(other) => other.to_string(),
    }
}

/// How a run of the library ended.
fn end(run: Result<(), RunError>) -> String {
    match run {
        Ok(()) => "executed".to_owned(),
        Err(RunError::Rejected(error)) => {
            format!("rejected: {} at byte {}", error.class(), error.offset())
        }
        Err(RunError::Unsupported(stop)) => {
            format!("unsupported: {} at word {}", stop.op, stop.word)
        }
        Err(other) => other.to_string(),
    }
}

/// The first bit that differs, by pixel.
fn compare(pixels: &Pixels, planes: &igc::Array) -> Option<(String, String)> {
    let bits = |tree: Option<[f32; 3]>| tree.map(|abc| abc.map(f32::to_bits));
    let trees = (bits(pixels.tree()), bits(planes.tree()));
    if trees.0 != trees.1 {
        return Some((
            format!("tree {:x?}", trees.0),
            format!("tree {:x?}", trees.1),
        ));
    }
    let row = planes.row_words();
    for (y, x) in (0..planes.height()).flat_map(|y| (0..planes.width()).map(move |x| (y, x))) {
        let word = usize::from(y) * row + usize::from(x) / 64;
        let found = |plane: &[u64]| plane[word] >> (x % 64) & 1 == 1;
        let (column, line) = (u32::from(x), u32::from(y));
        let differ = |what: String, expected: bool| {
            let say = |value: bool| format!("pixel ({x}, {y}) {what} = {}", u8::from(value));
            Some((say(expected), say(!expected)))
        };
        for bit in 0..=u8::MAX {
            let expected = pixels.memory(column, line, bit.into()) == Some(true);
            if expected != found(planes.plane(bit)) {
                return differ(format!("bit {bit}"), expected);
            }
        }
        let sides = [
            ("enable", pixels.enable(column, line), planes.enable()),
            ("carry", pixels.carry(column, line), planes.carry()),
        ];
        for (name, expected, plane) in sides {
            let expected = expected == Some(true);
            if expected != found(plane) {
                return differ(name.to_owned(), expected);
            }
        }
    }
    None
}
