//! Where ways meet: the registers that some lanes write while others keep what they hold.

use crate::r700::execution::code::{
    Action, AluClause, Around, BranchOp, Code, Destination, FetchClause, Instruction, Predicate,
};

/// All registers, a bit each.
const ALL: u128 = u128::MAX;

/// The registers of which a component is written where not all lanes need to be, in the order of the program's text: compilers
/// merge whole vectors. A program whose text does not show it, since it jumps without a push or calls, is taken to write
/// all of them so.
pub(super) fn merged(code: &Code) -> u128 {
    let mut merged = 0;
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

fn add_alu(merged: &mut u128, clause: &AluClause, inside: bool) {
    let instructions = clause.groups.iter().flat_map(|group| &group.instructions);
    let apart = |one: &&Instruction| one.writes && (inside || one.predicate != Predicate::Always);
    for instruction in instructions.filter(apart) {
        let destination = instruction.destination;
        *merged |= match destination.relative {
            true => ALL,
            false => bit(destination.register),
        };
    }
}

fn add_fetches(merged: &mut u128, clause: &FetchClause) {
    for fetch in &clause.fetches {
        *merged |= match fetch.destination {
            Destination::Register {
                register,
                relative: false,
            } => bit(register),
            _ => ALL,
        };
    }
}

fn bit(register: u8) -> u128 {
    1_u128.checked_shl(register.into()).unwrap_or(0)
}
