//! The register file.

use corpora::execution::Environment;

use super::code::Channel;
use super::lanes;
use super::operation::perhaps_merged;
use super::value::{Reason, Value};

/// Registers that an instruction can name.
const REGISTERS: usize = 128;
/// A register that no instruction can reach.
const UNREACHED: u8 = u8::MAX;

/// The registers of all lanes. Only those that the program can reach have room.
#[derive(Clone, Debug)]
pub(super) struct Registers {
    /// The lanes of a wavefront.
    lanes: usize,
    /// The room of each register.
    rows: [u8; REGISTERS],
    /// By room, channel, lane.
    values: Vec<Value>,
    /// Which lanes have been set, by room and channel.
    set: Vec<u64>,
    /// Registers from 0 on.
    general: u8,
    /// The first clause temporary.
    temporary: u8,
    /// Those whose words may be what a compiler makes of two ways that meet, a bit each: a liberty of an engine.
    merged: u128,
}

impl Registers {
    /// Registers as the lanes of an environment have them when they start. `used` has a bit for each register that
    /// instructions name; with `relative` any general one can be meant.
    pub(super) fn new(environment: &Environment, used: u128, relative: bool, merged: u128) -> Self {
        let general = environment.gprs.min(REGISTERS as u8);
        let temporary = REGISTERS as u8 - environment.clause_temporaries.min(REGISTERS as u8);
        let mut rows = [UNREACHED; REGISTERS];
        let mut room = 0;
        for (register, row) in rows.iter_mut().enumerate() {
            let indexed = relative && register < usize::from(general);
            // Register 0 stands in for those outside.
            if register == 0 || indexed || used >> register & 1 == 1 {
                *row = room;
                room += 1;
            }
        }
        let lanes = environment.lanes.len();
        let mut registers = Self {
            lanes,
            rows,
            values: vec![Value::settled(0); usize::from(room) * 4 * lanes],
            set: vec![0; usize::from(room) * 4],
            general,
            temporary,
            merged,
        };
        for (lane, start) in environment.lanes.iter().enumerate() {
            for (register, words) in &start.registers {
                for (channel, word) in words.iter().enumerate() {
                    registers.write(*register, channel, lane, Value::settled(*word));
                }
            }
        }
        registers
    }

    /// Whether a thread has the register: as its own, not as a clause temporary.
    pub(super) fn is_general(&self, register: u8) -> bool {
        register < self.general
    }

    fn exists(&self, register: u8) -> bool {
        self.is_general(register) || (self.temporary..=REGISTERS as u8 - 1).contains(&register)
    }

    fn room(&self, register: u8, channel: Channel) -> Option<usize> {
        let row = *self.rows.get(usize::from(register))?;
        (row != UNREACHED && self.exists(register)).then(|| usize::from(row) * 4 + (channel & 3))
    }

    /// A channel of a register; unknown if nothing has set it, or if there is no such register.
    #[inline]
    pub(super) fn read(&self, register: u8, channel: Channel, lane: usize) -> Value {
        match self.room(register, channel) {
            Some(room) if self.set[room] >> lane & 1 == 1 => {
                self.values[room * self.lanes + lane].clone()
            }
            _ => Value::unknown(0, Reason::Unset),
        }
    }

    /// Writes a channel of a register. Where there is no such register nothing happens.
    #[inline]
    pub(super) fn write(
        &mut self,
        register: u8,
        channel: Channel,
        lane: usize,
        value: Value,
    ) -> bool {
        let Some(room) = self.room(register, channel) else {
            return false;
        };
        self.set[room] |= lanes::one(lane);
        let merged = self.merged >> (register & 127) & 1 == 1;
        self.values[room * self.lanes + lane] = if merged { perhaps_merged(value) } else { value };
        true
    }

    /// Clause temporaries lose what they hold.
    pub(super) fn forget_temporaries(&mut self) {
        for register in self.temporary..REGISTERS as u8 {
            if let (false, Some(room)) = (self.is_general(register), self.room(register, 0)) {
                self.set[room..room + 4].fill(0);
            }
        }
    }

    /// The register that an index leads to from `base`; none if there is no saying.
    ///
    /// A sum outside of the general registers is register 0 for a read and none for a write (R6 p. 44); clause
    /// temporaries are not to be indexed.
    pub(super) fn indexed(&self, base: u8, index: i32) -> Indexed {
        if !self.is_general(base) {
            return Indexed::Undefined;
        }
        let sum = i32::from(base).saturating_add(index);
        match u8::try_from(sum) {
            Ok(register) if self.is_general(register) => Indexed::Register(register),
            _ => Indexed::Outside,
        }
    }
}

/// Where an index leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Indexed {
    /// To this register.
    Register(u8),
    /// From a general register to none.
    Outside,
    /// It starts at no general register.
    Undefined,
}

impl Indexed {
    /// The register that a write reaches.
    pub(super) fn written(self) -> Option<u8> {
        match self {
            Self::Register(register) => Some(register),
            Self::Outside | Self::Undefined => None,
        }
    }

    /// The register that a read gets.
    pub(super) fn read(self) -> Option<u8> {
        match self {
            Self::Register(register) => Some(register),
            Self::Outside => Some(0),
            Self::Undefined => None,
        }
    }
}
