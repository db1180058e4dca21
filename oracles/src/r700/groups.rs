//! ALU clauses: groups, their literals, and the units of their instructions (rules 5 and 6 of the contract).

use corpora::{Record, RejectClass, Section};

use super::names::Conduct;
use super::program::{Broken, Named, Program};
use super::word::Words;

/// The trans unit, after X, Y, Z and W.
const TRANS: usize = 4;

/// Rule 5: a clause is a sequence of groups.
pub(super) fn clause(
    program: &Program<'_>,
    clause: &Named,
    record: &mut Record,
) -> Result<(), Broken> {
    let mut slot = clause.start;
    let mut number = 0;
    while slot < clause.end {
        slot = group(program, clause, slot, number, record)?;
        number += 1;
    }
    Ok(())
}

/// One group from slot `first` on. Returns the slot after it.
fn group(
    program: &Program<'_>,
    clause: &Named,
    first: usize,
    number: u64,
    record: &mut Record,
) -> Result<usize, Broken> {
    let truncated = Broken::at_slot(RejectClass::Truncated, first);
    // Rule 5: instructions up to the one with LAST, then the literals that any of their operands asks for.
    let mut after = first;
    let mut literals = 0;
    let mut last = false;
    while !last {
        if after >= clause.end {
            return Err(truncated);
        }
        let words = program.words(after);
        literals = literals.max(literals_of(program, &words));
        last = is_last(program, &words);
        after += 1;
    }
    if after + literals > clause.end {
        return Err(truncated);
    }
    // Rule 6, each instruction in turn.
    let walker = &program.core.walker;
    let mut taken = [false; 5];
    for slot in first..after {
        let unit = unit_of(program, &program.words(slot), &taken);
        if taken[unit] {
            return Err(Broken::at_slot(RejectClass::Overlap, slot));
        }
        taken[unit] = true;
        program.write(slot, &program.core.alu, walker.kind_alu, record);
        record.unsigned(walker.clause, clause.by as u64);
        record.unsigned(walker.group, number);
        record.symbol(
            walker.unit,
            walker.units[unit].code,
            walker.units[unit].name,
        );
    }
    for slot in after..after + literals {
        record.enter(Section::part(slot as u32));
        record.symbol(
            walker.kind,
            walker.kind_literal.code,
            walker.kind_literal.name,
        );
        record.unsigned(walker.clause, clause.by as u64);
        record.unsigned(walker.group, number);
        walker.literal.write(&program.words(slot), record);
    }
    Ok(after + literals)
}

/// How many literal slots an instruction asks for: the operands that its encoding has count, used or not.
fn literals_of(program: &Program<'_>, words: &Words) -> usize {
    let (alu, walker) = (&program.core.alu, &program.core.walker);
    let mut literals = 0;
    for (sel, chan) in walker.alu_src {
        let (Some(sel), Some(chan)) = (alu.read(words, sel), alu.read(words, chan)) else {
            continue;
        };
        if sel.name == walker.name_literal {
            let second = walker.names_second_literal.contains(&chan.name);
            literals = literals.max(if second { 2 } else { 1 });
        }
    }
    literals
}

fn is_last(program: &Program<'_>, words: &Words) -> bool {
    let last = program.core.alu.read(words, program.core.walker.alu_last);
    last.is_some_and(|last| last.value == 1)
}

/// Rule 6: the unit that an instruction goes to, taken or not.
fn unit_of(program: &Program<'_>, words: &Words, taken: &[bool; 5]) -> usize {
    let (alu, walker) = (&program.core.alu, &program.core.walker);
    let channel = alu.read(words, walker.alu_dst_chan);
    let channel = channel
        .and_then(|channel| {
            walker
                .units
                .iter()
                .position(|unit| unit.name == channel.name)
        })
        .unwrap_or_default();
    let op = alu.read(words, walker.alu_op);
    match op.map(|op| op.conduct).unwrap_or_default() {
        Conduct::Trans => TRANS,
        Conduct::Vector => channel,
        _ if taken[channel] => TRANS,
        _ => channel,
    }
}
