//! The command list, and rules 1 to 3 of register state.

use corpora::RejectClass;

use super::Tables;
use super::fixed::{Fixed, FixedRules, Immediate};
use super::input::{Bytes, Rejection, require};
use super::limits::Limits;
use super::registers::{BitField, Registers, register};
use crate::table::TableError;

/// Bytes of a word.
const WORD: u64 = 4;

/// Everything that writes have left behind.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) registers: Registers,
    pub(super) fixed: Fixed,
}

/// A draw that a command starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Draw {
    /// Which draw of the list: counted from 0.
    pub(super) number: u64,
    /// The place of the command's header.
    pub(super) at: u64,
    /// Whether through indices.
    pub(super) indexed: bool,
}

/// How command lists are read.
#[derive(Clone, Debug)]
pub(super) struct CommandRules {
    register: BitField,
    mask: BitField,
    further: BitField,
    follow: BitField,
    fixed: FixedRules,
    draw_sequence: u32,
    draw_indices: u32,
    list_bytes_max: u64,
    list_unit: u64,
    register_max: u64,
    draws_max: u64,
}

/// One command.
struct Command {
    /// The place of its first word, which is a parameter.
    at: u64,
    register: u32,
    mask: u32,
    /// Further parameters.
    further: u64,
    /// Whether they go to the registers that follow.
    follow: bool,
}

impl Command {
    /// The place of the second word.
    fn header_at(&self) -> u64 {
        self.at + WORD
    }

    /// The place behind the last parameter.
    fn end(&self) -> u64 {
        self.at + WORD * (2 + self.further)
    }

    /// The register of parameter n.
    fn register_of(&self, n: u64) -> u64 {
        u64::from(self.register) + if self.follow { n } else { 0 }
    }

    /// The place of parameter n: before the header, or behind it.
    fn parameter_at(&self, n: u64) -> u64 {
        self.at + if n == 0 { 0 } else { WORD * (1 + n) }
    }
}

impl CommandRules {
    pub(super) fn read(tables: &Tables) -> Result<Self, TableError> {
        let limits = Limits(&tables.limits);
        let field = |name| BitField::of_word(tables, "command", name);
        Ok(Self {
            register: field("register")?,
            mask: field("mask")?,
            further: field("further")?,
            follow: field("follow")?,
            fixed: FixedRules::read(tables)?,
            draw_sequence: register(tables, "draw_sequence", None)?,
            draw_indices: register(tables, "draw_indices", None)?,
            list_bytes_max: limits.number("list_bytes_max")?,
            list_unit: limits.few("list_unit")?.into(),
            register_max: limits.number("register_max")?,
            draws_max: limits.number("draws_max")?,
        })
    }

    /// Follows a list, and hands each draw on with the state as it is then. Says if there was immediate mode in it:
    /// a list that is wrong elsewhere is rejected nevertheless.
    pub(super) fn run(
        &self,
        list: Bytes<'_>,
        mut draws: impl FnMut(Draw, &State),
    ) -> Result<Option<Immediate>, Rejection> {
        use RejectClass::{BadLength, Limit, OutOfRange, Truncated};

        // Rule 1.
        let whole = list.len().is_multiple_of(self.list_unit);
        require(whole, BadLength, 0)?;
        require(list.len() <= self.list_bytes_max, Limit, 0)?;

        // Rule 2, and 3.
        let mut state = State::default();
        let mut immediate = None;
        let mut number = 0;
        let mut at = 0;
        while at < list.len() {
            let command = self.command(list, at);
            require(command.end() <= list.len(), Truncated, command.at)?;
            for register in [command.register_of(0), command.register_of(command.further)] {
                let taken = register <= self.register_max;
                require(taken, OutOfRange, command.header_at())?;
            }
            for n in 0..=command.further {
                let register = command.register_of(n) as u32;
                let word = list.number(command.parameter_at(n), WORD) as u32;
                if command.mask == 0 {
                    continue;
                }
                state.registers.write(register, word, command.mask);
                let fixed = &mut state.fixed;
                let written = self.fixed.written(register, word, &state.registers, fixed);
                immediate = immediate.or(written.err());
                if register == self.draw_sequence || register == self.draw_indices {
                    require(number < self.draws_max, Limit, command.at)?;
                    let draw = Draw {
                        number,
                        at: command.header_at(),
                        indexed: register == self.draw_indices,
                    };
                    draws(draw, &state);
                    number += 1;
                }
            }
            at = command.end().next_multiple_of(self.list_unit);
        }
        Ok(immediate)
    }

    /// The command at that place.
    fn command(&self, list: Bytes<'_>, at: u64) -> Command {
        let header = list.number(at + WORD, WORD) as u32;
        Command {
            at,
            register: self.register.of(header),
            mask: self.mask.of(header),
            further: self.further.of(header).into(),
            follow: self.follow.of(header) != 0,
        }
    }
}
