//! ALU clauses.

use super::fields::{RESERVED, Slot};
use super::{Builder, ProgramError, channel};
use crate::r700::execution::code::{
    AluClause, Group, Index, Instruction, Operand, Predicate, Register, Source, TRANS,
};
use crate::r700::execution::operation::{Operation, Shape};
use crate::r700::execution::value::Omod;

/// An instruction, or what of it has no meaning here.
type Made = Result<Instruction, String>;

impl Builder {
    /// A clause from its slots.
    pub(super) fn alu_clause(
        &mut self,
        start: u32,
        slots: &[Slot<'_>],
    ) -> Result<(), ProgramError> {
        let mut clause = AluClause::default();
        let mut rest = slots;
        while let Some(first) = rest.first() {
            let number = first.number("alu.group")?;
            let mut size = 1;
            while size < rest.len() && rest[size].number("alu.group")? == number {
                size += 1;
            }
            let (group, after) = rest.split_at(size);
            clause.groups.push(self.group(group)?);
            rest = after;
        }
        self.alu.insert(start, self.code.alu.len());
        self.code.alu.push(clause);
        Ok(())
    }

    fn group(&mut self, slots: &[Slot<'_>]) -> Result<Group, ProgramError> {
        let mut literals = Vec::new();
        for slot in slots {
            if slot.name("kind")? == "literal" {
                literals.push(slot.number("literal.x")?);
                literals.push(slot.number("literal.y")?);
            }
        }
        let mut group = Group {
            slot: slots.first().map_or(0, |slot| slot.number),
            ..Group::default()
        };
        for slot in slots {
            if slot.name("kind")? != "alu" {
                continue;
            }
            match instruction(slot, &literals)? {
                Ok(instruction) => {
                    for operand in &instruction.operands {
                        if let Source::Register(register) = operand.source {
                            self.uses_register(register);
                        }
                    }
                    self.uses_register(instruction.destination);
                    group.instructions.push(instruction);
                }
                Err(what) => {
                    let at = self.unsupported(slot.number, what);
                    group.unsupported.get_or_insert(at);
                }
            }
        }
        group
            .instructions
            .sort_by_key(|instruction| instruction.unit);
        if let Some(what) = incomplete(&group.instructions) {
            let at = self.unsupported(group.slot, what);
            group.unsupported.get_or_insert(at);
        }
        let exclusive = group.instructions.iter().filter(|one| one.is_exclusive());
        group.crowded = exclusive.count() > 1;
        group.kills = group.instructions.iter().any(Instruction::kills);
        Ok(group)
    }
}

/// What is wrong with an operation that takes several units, if anything is: it needs all of them, and a 64-bit operand
/// has no modifier of which a source says what it does.
fn incomplete(instructions: &[Instruction]) -> Option<String> {
    let mut rest = instructions;
    while let Some(first) = rest.first() {
        let needed = match first.operation.shape() {
            Shape::Reduction | Shape::Wide => first.operation.slots(),
            Shape::Scalar | Shape::Nothing => 1,
        };
        let same = |one: &&Instruction| one.name == first.name;
        let found = rest.iter().take(needed).take_while(same).count();
        if found < needed || needed > 1 && first.unit % needed != 0 {
            return Some(format!("{} in {found} of {needed} units", first.name));
        }
        let modified = |operand: &Operand| operand.absolute || operand.negative;
        let (slots, others) = rest.split_at(found);
        if first.operation.shape() == Shape::Wide
            && slots.iter().flat_map(|one| &one.operands).any(modified)
        {
            return Some(format!("abs or neg of an operand of {}", first.name));
        }
        rest = others;
    }
    None
}

impl Instruction {
    fn kills(&self) -> bool {
        self.name.starts_with("KILL")
    }

    /// Whether it is one of those of which the manual allows one in a group (R6 p. 59). A PRED_SET that updates nothing is
    /// an arithmetic operation like others.
    fn is_exclusive(&self) -> bool {
        self.kills()
            || self.name.starts_with("PRED_SET") && (self.update_mask || self.update_predicate)
    }
}

/// One instruction.
fn instruction(slot: &Slot<'_>, literals: &[u32]) -> Result<Made, ProgramError> {
    let name = slot.spelled("alu.op")?;
    let operation = match Operation::named(&name) {
        Ok(operation) => operation,
        Err(undefined) => return Ok(Err(undefined.to_string())),
    };
    let unit = match slot.name("alu.unit")? {
        "X" => 0,
        "Y" => 1,
        "Z" => 2,
        "W" => 3,
        _ => TRANS,
    };
    let mut indexed = slot.flag("alu.dst.rel")?;
    let mut operands = Vec::new();
    for number in 0..operation.operands() {
        let path = |field: &str| format!("alu.src{number}.{field}");
        let source = match source(slot, number, literals)? {
            Ok(source) => source,
            Err(what) => return Ok(Err(what)),
        };
        indexed |= slot.flag(&path("rel"))?;
        operands.push(Operand {
            source,
            // OP3 has no third abs, nor a first.
            absolute: number < 2 && slot.flag(&path("abs"))?,
            negative: slot.flag(&path("neg"))?,
        });
    }
    let index = match slot.name("alu.index_mode")? {
        "AR_X" => Index::Address(0),
        "AR_Y" => Index::Address(1),
        "AR_Z" => Index::Address(2),
        "AR_W" => Index::Address(3),
        "LOOP" => Index::Loop,
        _ if !indexed => Index::Address(0),
        _ => {
            return Ok(Err(format!(
                "index mode {}",
                slot.spelled("alu.index_mode")?
            )));
        }
    };
    let predicate = match slot.name("alu.pred_sel")? {
        "OFF" => Predicate::Always,
        "ZERO" => Predicate::Clear,
        "ONE" => Predicate::Set,
        _ => return Ok(Err("a reserved PRED_SEL".to_owned())),
    };
    Ok(Ok(Instruction {
        slot: slot.number,
        unit,
        name: name.into(),
        operation,
        operands,
        destination: Register {
            register: slot.number("alu.dst.gpr")? as u8,
            channel: channel(slot, "alu.dst.chan")?,
            relative: slot.flag("alu.dst.rel")?,
        },
        writes: !slot.has("alu.write_mask")? || slot.flag("alu.write_mask")?,
        output_modifier: Omod::new(slot.code("alu.omod")?).unwrap_or_default(),
        clamp: slot.flag("alu.clamp")?,
        predicate,
        update_predicate: slot.flag("alu.update_pred")?,
        update_mask: slot.flag("alu.update_execute_mask")?,
        index,
    }))
}

/// An operand's source, or what of it has no meaning here.
fn source(
    slot: &Slot<'_>,
    number: usize,
    literals: &[u32],
) -> Result<Result<Source, String>, ProgramError> {
    let path = |field: &str| format!("alu.src{number}.{field}");
    let code = slot.code(&path("sel"))?;
    let channel = channel(slot, &path("chan"))?;
    let relative = slot.flag(&path("rel"))?;
    Ok(Ok(match slot.name(&path("sel"))? {
        "GPR" => Source::Register(Register {
            register: code as u8,
            channel,
            relative,
        }),
        "KCACHE0" => Source::Cache {
            window: 0,
            entry: code.saturating_sub(128),
            channel,
            relative,
        },
        "KCACHE1" => Source::Cache {
            window: 1,
            entry: code.saturating_sub(160),
            channel,
            relative,
        },
        "CFILE" => Source::File {
            entry: code.saturating_sub(256),
            channel,
            relative,
        },
        "ZERO" => Source::Word(0),
        "ONE" => Source::Word(1_f32.to_bits()),
        "ONE_INT" => Source::Word(1),
        "M_ONE_INT" => Source::Word(u32::MAX),
        "HALF" => Source::Word(0.5_f32.to_bits()),
        "LITERAL" => Source::Word(literals.get(channel).copied().unwrap_or_default()),
        "PV" => Source::Vector(channel),
        "PS" => Source::Scalar,
        RESERVED => return Ok(Err(format!("source select {code}"))),
        other => return Ok(Err(format!("source {other}"))),
    }))
}
