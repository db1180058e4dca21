//! Where ways meet: the components of registers that some lanes write while others keep what they hold.

use crate::r700::execution::code::{
    Action, AluClause, Around, BranchOp, Code, Destination, FetchClause, Instruction, Predicate,
};

/// Registers by channel, a bit each.
type Components = [u128; 4];

const ALL: Components = [u128::MAX; 4];

/// The components that are written where not all lanes need to be, in the order of the program's text. A program whose text
/// does not show it, since it jumps without a push or calls, is taken to write all of them so.
pub(super) fn merged(code: &Code) -> Components {
    let mut merged = [0; 4];
    let mut depth: u32 = 0;
    for control in &code.control {
        match &control.action {
            Action::Alu { clause, around, .. } => {
                depth += u32::from(*around == Around::PushBefore);
                if let Some(clause) = code.alu.get(*clause) {
                    add_alu(&mut merged, clause, depth > 0);
                }
                match around {
                    Around::PopAfter(pops) => depth = depth.saturating_sub(*pops),
                    // Lanes that leave a loop are away until its end, which is outside.
                    Around::Nothing
                    | Around::PushBefore
                    | Around::ElseAfter
                    | Around::Break
                    | Around::Continue => {}
                }
            }
            Action::Fetch { clause } if depth > 0 => {
                if let Some(clause) = code.fetches.get(*clause) {
                    add_fetches(&mut merged, clause);
                }
            }
            Action::Branch(branch) => match branch.op {
                BranchOp::LoopStart
                | BranchOp::LoopStartDx10
                | BranchOp::LoopStartNoAl
                | BranchOp::Push => depth += 1,
                BranchOp::LoopEnd => depth = depth.saturating_sub(1),
                BranchOp::Pop => depth = depth.saturating_sub(branch.pops),
                BranchOp::Jump if depth == 0 => return ALL,
                // These pop where they are taken; the way that goes on has its own POP.
                BranchOp::Jump
                | BranchOp::Else
                | BranchOp::LoopContinue
                | BranchOp::LoopBreak
                | BranchOp::CallFetchShader
                | BranchOp::Kill => {}
                BranchOp::PushElse
                | BranchOp::PopJump
                | BranchOp::PopPush
                | BranchOp::PopPushElse
                | BranchOp::Call
                | BranchOp::Return => return ALL,
            },
            _ => {}
        }
    }
    merged
}

fn add_alu(merged: &mut Components, clause: &AluClause, inside: bool) {
    let instructions = clause.groups.iter().flat_map(|group| &group.instructions);
    let apart = |one: &&Instruction| one.writes && (inside || one.predicate != Predicate::Always);
    for instruction in instructions.filter(apart) {
        let destination = instruction.destination;
        if destination.relative {
            *merged = ALL;
        } else if let Some(channel) = merged.get_mut(destination.channel) {
            *channel |= 1_u128.checked_shl(destination.register.into()).unwrap_or(0);
        }
    }
}

fn add_fetches(merged: &mut Components, clause: &FetchClause) {
    for fetch in &clause.fetches {
        match fetch.destination {
            Destination::Register {
                register,
                relative: false,
            } => {
                let bit = 1_u128.checked_shl(register.into()).unwrap_or(0);
                merged.iter_mut().for_each(|channel| *channel |= bit);
            }
            _ => *merged = ALL,
        }
    }
}
