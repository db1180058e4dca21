//! Constants: the constant file, and the windows of the constant cache that a clause locks.

use corpora::execution::Environment;

use super::code::{Channel, Lock, Window};
use super::value::{Reason, Value};

/// What a read outside of the constant file or of a window gives (R6 p. 45).
const OUTSIDE: u32 = 0x7fff_ffff;
/// Entries of the constant file.
const FILE: i32 = 256;
/// Entries of a line of the constant cache.
const LINE: i32 = 16;

/// A channel of an entry of the constant file.
pub(super) fn file(environment: &Environment, entry: i32, channel: Channel) -> Value {
    if !(0..FILE).contains(&entry) {
        return Value::settled(OUTSIDE);
    }
    word(environment.constants.get(entry as usize), channel)
}

/// A channel of an entry of a locked window, counted from the window's start.
pub(super) fn cache(
    environment: &Environment,
    window: Window,
    loop_index: Option<i32>,
    entry: i32,
    channel: Channel,
) -> Value {
    let (lines, line) = match (window.lock, loop_index) {
        (Lock::None, _) | (Lock::LoopIndex, None) => return Value::unknown(0, Reason::NotLocked),
        (Lock::One, _) => (1, window.line as i32),
        (Lock::Two, _) => (2, window.line as i32),
        (Lock::LoopIndex, Some(index)) => (2, window.line as i32 + index.div_euclid(LINE)),
    };
    if !(0..lines * LINE).contains(&entry) {
        return Value::settled(OUTSIDE);
    }
    let block = environment.blocks.get(&window.bank);
    let entry = usize::try_from(line * LINE + entry).ok();
    word(block.and_then(|block| block.get(entry?)), channel)
}

fn word(entry: Option<&[u32; 4]>, channel: Channel) -> Value {
    match entry {
        Some(words) => Value::settled(words[channel & 3]),
        None => Value::unknown(0, Reason::Unset),
    }
}
