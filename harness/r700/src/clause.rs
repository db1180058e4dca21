//! ALU clauses: groups of instructions that run together, each with the literals that it reads.

use std::ops::Range;

use crate::alu::{Alu, Unit, UnitClass};
use crate::chip::Chip;
use crate::codes::Chan;
use crate::error::Error;

/// Bytes of a slot.
pub(crate) const SLOT_BYTES: usize = 8;

/// An instruction of an ALU clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AluSlot {
    /// The slot that it stands in.
    pub slot: usize,
    /// The group that it belongs to, from 0 in each clause.
    pub group: usize,
    /// The unit that runs it.
    pub unit: Unit,
    /// The instruction.
    pub alu: Alu,
}

/// A slot of literals: two dwords that the instructions of a group read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiteralSlot {
    /// The slot that it stands in.
    pub slot: usize,
    /// The group that it belongs to, from 0 in each clause.
    pub group: usize,
    /// The dwords: channels X and Y in a group's first slot, Z and W in its second.
    pub words: [u32; 2],
}

/// A decoded ALU clause.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AluClause {
    instructions: Vec<AluSlot>,
    literals: Vec<LiteralSlot>,
    groups: Vec<Group>,
}

/// Which instructions and literals of a clause a group has.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Group {
    instructions: Range<usize>,
    literals: Range<usize>,
}

/// A group of an ALU clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupRef<'a> {
    /// The number of the group in its clause, from 0.
    pub index: usize,
    /// Its instructions, in order.
    pub instructions: &'a [AluSlot],
    /// Its slots of literals, at most two.
    pub literals: &'a [LiteralSlot],
}

impl GroupRef<'_> {
    /// The literal that operands with this channel read.
    pub fn literal(&self, chan: Chan) -> Option<u32> {
        let chan = usize::from(chan.code());
        Some(self.literals.get(chan / 2)?.words[chan % 2])
    }

    /// The instruction that a unit runs.
    pub fn unit(&self, unit: Unit) -> Option<&Alu> {
        self.instructions
            .iter()
            .find(|slot| slot.unit == unit)
            .map(|slot| &slot.alu)
    }
}

impl AluClause {
    /// Decodes the slots of a clause, of which the first is `first_slot` of the program.
    ///
    /// # Errors
    ///
    /// [`Error::TruncatedGroup`] and [`Error::UnitTaken`], with offsets from the program's start.
    pub fn decode(slots: &[[u32; 2]], first_slot: usize, chip: Chip) -> Result<Self, Error> {
        let mut clause = Self::default();
        for (group, span) in Spans::new(slots, first_slot, chip).enumerate() {
            let span = span?;
            let instructions_before = clause.instructions.len();
            let literals_before = clause.literals.len();
            let mut units = Units::default();
            for i in span.instructions.clone() {
                let slot = first_slot + i;
                let alu = Alu::decode(slots[i], chip);
                let unit = units.assign(&alu).map_err(|unit| Error::UnitTaken {
                    unit,
                    offset: SLOT_BYTES * slot,
                })?;
                clause.instructions.push(AluSlot {
                    slot,
                    group,
                    unit,
                    alu,
                });
            }
            for i in span.literals.clone() {
                clause.literals.push(LiteralSlot {
                    slot: first_slot + i,
                    group,
                    words: slots[i],
                });
            }
            clause.groups.push(Group {
                instructions: instructions_before..clause.instructions.len(),
                literals: literals_before..clause.literals.len(),
            });
        }
        Ok(clause)
    }

    /// All instructions, in order.
    pub fn instructions(&self) -> &[AluSlot] {
        &self.instructions
    }

    /// All slots of literals, in order.
    pub fn literals(&self) -> &[LiteralSlot] {
        &self.literals
    }

    /// The groups, in order.
    pub fn groups(&self) -> impl ExactSizeIterator<Item = GroupRef<'_>> {
        self.groups
            .iter()
            .enumerate()
            .map(|(index, group)| GroupRef {
                index,
                instructions: &self.instructions[group.instructions.clone()],
                literals: &self.literals[group.literals.clone()],
            })
    }
}

/// The slots of a group, counted from the start of its clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The instructions: at least one.
    pub instructions: Range<usize>,
    /// The literals after them: at most two slots.
    pub literals: Range<usize>,
}

/// Splits the slots of an ALU clause into groups, without a look at units.
///
/// A group goes up to the instruction with LAST; then come the literals that its instructions ask for.
/// After an error the iterator is done.
#[derive(Clone, Debug)]
pub struct Spans<'a> {
    slots: &'a [[u32; 2]],
    first_slot: usize,
    chip: Chip,
    next: usize,
}

impl<'a> Spans<'a> {
    /// The groups of a clause, of which the first slot is `first_slot` of the program.
    pub const fn new(slots: &'a [[u32; 2]], first_slot: usize, chip: Chip) -> Self {
        Self {
            slots,
            first_slot,
            chip,
            next: 0,
        }
    }
}

impl Iterator for Spans<'_> {
    type Item = Result<Span, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.next;
        if start == self.slots.len() {
            return None;
        }
        self.next = self.slots.len();
        let truncated = Error::TruncatedGroup {
            end: self.first_slot + self.slots.len(),
            offset: SLOT_BYTES * (self.first_slot + start),
        };

        let mut literal_slots = 0;
        for (i, words) in self.slots.iter().enumerate().skip(start) {
            let alu = Alu::decode(*words, self.chip);
            literal_slots = literal_slots.max(alu.literal_slots());
            if alu.last() {
                let end = i + 1;
                if self.slots.len() - end < literal_slots {
                    break;
                }
                self.next = end + literal_slots;
                return Some(Ok(Span {
                    instructions: start..end,
                    literals: end..self.next,
                }));
            }
        }
        Some(Err(truncated))
    }
}

/// The units that the instructions of a group have taken so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Units {
    taken: [bool; 5],
}

impl Units {
    /// Gives the next instruction of the group its unit.
    ///
    /// What only the trans unit can run goes there, what only a vector unit can run goes to that of
    /// its destination channel. The rest prefers the vector unit, and takes the trans unit if that
    /// one has an instruction already.
    ///
    /// # Errors
    ///
    /// The unit that the instruction has to go to, if that is taken.
    pub fn assign(&mut self, alu: &Alu) -> Result<Unit, Unit> {
        let vector = Unit::of(alu.dst().chan());
        let unit = match alu.op().info().units(alu.chip()) {
            UnitClass::Trans => Unit::T,
            UnitClass::Vector => vector,
            UnitClass::Any if self.is_taken(vector) => Unit::T,
            UnitClass::Any => vector,
        };
        if self.is_taken(unit) {
            return Err(unit);
        }
        self.taken[usize::from(unit.code())] = true;
        Ok(unit)
    }

    /// Whether an instruction has the unit already.
    pub const fn is_taken(&self, unit: Unit) -> bool {
        self.taken[unit as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alu::{AluOp, Dest, Source};

    const MOV: AluOp = AluOp::named("MOV");

    fn to(op: AluOp, chan: Chan) -> Alu {
        Alu::new(op, Chip::R700).with_dst(Dest::new(1, chan))
    }

    fn slots(instructions: &[Alu]) -> Vec<[u32; 2]> {
        instructions.iter().map(Alu::encode).collect()
    }

    fn units(instructions: &[Alu]) -> Result<Vec<Unit>, Error> {
        let clause = AluClause::decode(&slots(instructions), 0, Chip::R700)?;
        Ok(clause.instructions().iter().map(|slot| slot.unit).collect())
    }

    #[test]
    fn instructions_go_to_the_units_of_their_channels() {
        let group = [Chan::Y, Chan::W, Chan::X].map(|chan| to(MOV, chan));
        let group = [group[0], group[1], group[2].with_last(true)];
        assert_eq!(units(&group), Ok(vec![Unit::Y, Unit::W, Unit::X]));
    }

    #[test]
    fn the_second_of_a_channel_goes_to_the_trans_unit() {
        let (first, last) = (to(MOV, Chan::X), to(MOV, Chan::X).with_last(true));
        assert_eq!(units(&[first, last]), Ok(vec![Unit::X, Unit::T]));
        let third = units(&[first, first, last]);
        assert_eq!(
            third,
            Err(Error::UnitTaken {
                unit: Unit::T,
                offset: 16
            })
        );
    }

    #[test]
    fn some_opcodes_have_no_choice() {
        let sin = to(AluOp::named("SIN"), Chan::X);
        let dot = to(AluOp::named("DOT4"), Chan::X);
        assert_eq!(units(&[sin.with_last(true)]), Ok(vec![Unit::T]));
        let two_trans = units(&[sin, sin.with_last(true)]);
        assert_eq!(
            two_trans,
            Err(Error::UnitTaken {
                unit: Unit::T,
                offset: 8
            })
        );
        let two_vector = units(&[dot, dot.with_last(true)]);
        assert_eq!(
            two_vector,
            Err(Error::UnitTaken {
                unit: Unit::X,
                offset: 8
            })
        );
    }

    #[test]
    fn reserved_opcodes_go_anywhere() {
        let op = to(AluOp::op2(0xd6), Chan::Z);
        assert_eq!(units(&[op, op.with_last(true)]), Ok(vec![Unit::Z, Unit::T]));
    }

    #[test]
    fn shifts_need_the_trans_unit_on_r600_only() {
        let shift = AluOp::named("LSHL_INT");
        for (chip, unit) in [(Chip::R600, Unit::T), (Chip::R700, Unit::X)] {
            let words = [Alu::new(shift, chip).with_last(true).encode()];
            let clause = AluClause::decode(&words, 0, chip).unwrap();
            assert_eq!(clause.instructions()[0].unit, unit);
        }
    }

    #[test]
    fn literals_follow_their_group() {
        let y = to(MOV, Chan::X)
            .with_src0(Source::literal(Chan::Y))
            .with_last(true);
        // Operand 1 of MOV is not used, and still counts.
        let w = to(MOV, Chan::X)
            .with_src1(Source::literal(Chan::W))
            .with_last(true);
        let mut words = slots(&[y]);
        words.push([1, 2]);
        words.extend(slots(&[w]));
        words.extend([[3, 4], [5, 6]]);
        let clause = AluClause::decode(&words, 10, Chip::R700).unwrap();
        let groups: Vec<_> = clause.groups().collect();
        assert_eq!(groups.len(), 2);
        assert_eq!(groups[0].literal(Chan::Y), Some(2));
        assert_eq!(groups[0].literal(Chan::Z), None);
        assert_eq!(groups[1].literal(Chan::X), Some(3));
        assert_eq!(groups[1].literal(Chan::W), Some(6));
        assert_eq!(groups[1].instructions[0].slot, 12);
        assert_eq!(groups[1].literals[1].slot, 14);
    }

    #[test]
    fn a_group_is_cut_off_before_last_or_in_its_literals() {
        let first = to(MOV, Chan::X).with_last(true);
        let open = to(MOV, Chan::X);
        let cut = AluClause::decode(&slots(&[first, open, open]), 4, Chip::R700);
        assert_eq!(cut, Err(Error::TruncatedGroup { end: 7, offset: 40 }));
        let z = to(MOV, Chan::X)
            .with_src0(Source::literal(Chan::Z))
            .with_last(true);
        let mut words = slots(&[z]);
        words.push([0, 0]);
        let cut = AluClause::decode(&words, 0, Chip::R700);
        assert_eq!(cut, Err(Error::TruncatedGroup { end: 2, offset: 0 }));
    }

    #[test]
    fn truncation_is_seen_before_a_taken_unit() {
        let sin = to(AluOp::named("SIN"), Chan::X);
        let cut = AluClause::decode(&slots(&[sin, sin]), 0, Chip::R700);
        assert_eq!(cut, Err(Error::TruncatedGroup { end: 2, offset: 0 }));
    }
}
