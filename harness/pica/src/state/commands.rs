//! A command list as register writes.
//!
//! A command is a parameter, a header and further parameters, padded to 8 bytes (3dbrew, GPU/Internal Registers; libctru's
//! GPUCMD_HEADER has the same bits).

use super::registers::LAST;
use super::{MAX_LIST, StateError};

/// A write to a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Write {
    /// Where its command begins.
    pub(super) at: usize,
    pub(super) register: u16,
    pub(super) value: u32,
    /// Which bytes it writes, one bit each.
    pub(super) mask: u8,
}

/// The command under way.
#[derive(Clone, Copy, Debug)]
struct Command {
    at: usize,
    register: u16,
    mask: u8,
    consecutive: bool,
    /// Parameters in all.
    parameters: usize,
    /// Parameters that were handed out.
    done: usize,
}

/// The writes of a list.
pub(super) struct Commands<'a> {
    words: &'a [[u8; 4]],
    /// The word at which the next command begins.
    next: usize,
    command: Option<Command>,
}

impl<'a> Commands<'a> {
    pub(super) fn new(list: &'a [u8]) -> Result<Self, StateError> {
        let found = list.len();
        if !found.is_multiple_of(8) {
            return Err(StateError::Length { found });
        }
        if found > MAX_LIST {
            return Err(StateError::TooLong { found });
        }
        Ok(Self {
            words: list.as_chunks().0,
            next: 0,
            command: None,
        })
    }

    fn word(&self, at: usize) -> u32 {
        self.words
            .get(at)
            .map_or(0, |word| u32::from_le_bytes(*word))
    }

    /// Reads the header of the next command.
    fn begin(&mut self) -> Result<Command, StateError> {
        let first = self.next;
        let header = self.word(first + 1);
        let further = (header >> 20 & 0xff) as usize;
        let words = (2 + further).next_multiple_of(2);
        let at = 4 * first;
        // Whatever comes of this command, it is not read again.
        self.next += words;
        if self.next > self.words.len() {
            return Err(StateError::Truncated {
                at,
                needed: 4 * words,
                left: 4 * (self.words.len() - first),
            });
        }
        let consecutive = header >> 31 == 1;
        let register = header & 0xffff;
        let last = register + if consecutive { further as u32 } else { 0 };
        if last > u32::from(LAST) {
            return Err(StateError::Register {
                at: at + 4,
                found: last,
            });
        }
        Ok(Command {
            at,
            register: register as u16,
            mask: (header >> 16 & 0xf) as u8,
            consecutive,
            parameters: 1 + further,
            done: 0,
        })
    }
}

impl Iterator for Commands<'_> {
    type Item = Result<Write, StateError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut command = match self.command.take() {
            Some(command) => command,
            None if self.next >= self.words.len() => return None,
            None => match self.begin() {
                Ok(command) => command,
                Err(error) => return Some(Err(error)),
            },
        };
        // The first parameter stands before the header.
        let number = command.done;
        let at = command.at / 4 + if number == 0 { 0 } else { number + 1 };
        let step = if command.consecutive {
            number as u16
        } else {
            0
        };
        let write = Write {
            at: command.at,
            register: command.register + step,
            value: self.word(at),
            mask: command.mask,
        };
        command.done += 1;
        if command.done < command.parameters {
            self.command = Some(command);
        }
        Some(Ok(write))
    }
}
