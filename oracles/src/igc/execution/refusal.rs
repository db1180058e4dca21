//! What is not executed, found before anything changes.

use super::effects::Effect;
use crate::igc::acceptance::{Instruction, Rules};
use crate::igc::instructions::Operands;

/// The numbers of an instruction that is executed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) addr: u32,
    /// 0 where the instruction has none.
    pub(super) len: u32,
    pub(super) source: u32,
    pub(super) second_len: u32,
    pub(super) scalar: u32,
}

/// Refuses with a reason unless `holds`.
fn require(holds: bool, reason: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(reason()) }
}

/// The numbers of an instruction, or why it is not executed.
pub(super) fn place(rules: &Rules, instruction: &Instruction) -> Result<Place, String> {
    let row = instruction.row.as_deref();
    let row = row
        .filter(|row| row.execution.is_some())
        .ok_or("what it does is not known")?;
    let parts = &rules.instructions;
    let addr = parts.addr.of(instruction.word);
    let length = parts.length.of(instruction.word);
    let len = rules.len(instruction);
    if row.zero_address {
        require(addr == 0, || format!("address {addr}, where 0 is executed"))?;
    }
    if let Some(rule) = &row.rule {
        match &rule.executed {
            Some(executed) => require(executed.contains(&length), || {
                format!("L of {length}, where {executed:?} is executed")
            })?,
            None if rule.has_lengths() => {
                let len = len.ok_or_else(|| format!("L of {length} is no length"))?;
                require(len > 0, || "a length of 0".to_owned())?;
            }
            None => {}
        }
    }
    if let (Some(max), Some(len)) = (row.len_max, len) {
        require(len <= max, || {
            format!("a length of {len}, where {max} is the most")
        })?;
    }
    let mut place = Place {
        addr,
        len: len.unwrap_or(0),
        ..Place::default()
    };
    let operand = instruction.operands.first().copied().unwrap_or(0);
    match row.operands {
        Operands::Scalar => place.scalar = operand,
        Operands::Source => {
            place.source = rules.source.of(operand);
            no_rest(rules.rest.of(operand))?;
        }
        Operands::Sweep => {
            place.source = rules.sweep_source.of(operand);
            place.second_len = rules.sweep_length.of(operand);
            no_rest(rules.sweep_rest.of(operand))?;
            let again = rules.sweep_destination.of(operand);
            require(again == addr, || {
                format!("destination {again} in the operand, {addr} in the first word")
            })?;
            require(place.second_len > 0, || "a second length of 0".to_owned())?;
        }
        Operands::None | Operands::Floats | Operands::Raw => {}
    }
    Ok(place)
}

fn no_rest(rest: u32) -> Result<(), String> {
    require(rest == 0, || format!("a rest of {rest:#x} in the operand"))
}

/// The tree after an instruction, or why it is not executed.
pub(super) fn tree(
    instruction: &Instruction,
    effect: Effect,
    live: Option<[f32; 3]>,
) -> Result<Option<[f32; 3]>, String> {
    let operands = instruction.row.as_ref().map(|row| row.operands);
    if operands == Some(Operands::Floats) {
        let mut tree = [0.0; 3];
        for (n, (place, &bits)) in tree.iter_mut().zip(&instruction.operands).enumerate() {
            *place = f32::from_bits(bits);
            let name = ["A", "B", "C"][n];
            require(place.is_finite(), || format!("{name} is not finite"))?;
        }
        return Ok(Some(tree));
    }
    let wants = effect == Effect::TreeStore;
    require(!wants || live.is_some(), || "no live tree".to_owned())?;
    Ok(live)
}
