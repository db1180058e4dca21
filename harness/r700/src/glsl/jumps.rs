//! What a jump skips: whether a lane that does not take part notices.

use crate::cf::{Cf, CfAluOp};
use crate::program::{CfSlot, Program};

/// What the control flow from one instruction on does to the stack, taken in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Jumps {
    start: usize,
    /// The depth of the stack before and after each instruction.
    depths: Vec<(i32, i32)>,
    /// Whether the instruction is an ELSE, at the depth that it has before.
    others: Vec<bool>,
    /// Whether the instruction pushes after it may have jumped.
    pushes: Vec<bool>,
    /// The start of the loop that the instruction ends.
    loops: Vec<Option<usize>>,
}

impl Jumps {
    /// Looks at the instructions from `start` to the end of the program or, in a subroutine, to its RETURN.
    pub(crate) fn of(program: &Program, start: usize, function: bool) -> Self {
        let mut jumps = Self {
            start,
            ..Self::default()
        };
        let mut depth = 0_i32;
        let mut open = Vec::new();
        for CfSlot { slot, cf, .. } in program.cf().get(start..).unwrap_or_default() {
            let before = depth;
            let (mut other, mut pushes) = (false, false);
            let mut ended = None;
            match cf {
                Cf::Alu(cf) => match cf.op() {
                    CfAluOp::ALU_PUSH_BEFORE => depth += 1,
                    CfAluOp::ALU_POP_AFTER => depth -= 1,
                    CfAluOp::ALU_POP2_AFTER => depth -= 2,
                    CfAluOp::ALU_ELSE_AFTER => other = true,
                    _ => {}
                },
                Cf::Plain(cf) => match cf.op().name(cf.chip()) {
                    Some("PUSH") => {
                        depth += 1;
                        pushes = true;
                    }
                    Some("POP" | "POP_JUMP") => depth -= i32::from(cf.pop_count()),
                    Some("POP_PUSH") => {
                        depth += 1 - i32::from(cf.pop_count());
                        pushes = true;
                    }
                    Some("ELSE") => other = true,
                    Some("LOOP_START" | "LOOP_START_NO_AL" | "LOOP_START_DX10") => {
                        depth += 1;
                        open.push(*slot);
                    }
                    Some("LOOP_END") => {
                        depth -= 1;
                        ended = open.pop();
                    }
                    _ => {}
                },
                Cf::Export(_) | Cf::Reserved(_) => {}
            }
            jumps.depths.push((before, depth));
            jumps.others.push(other);
            jumps.pushes.push(pushes);
            jumps.loops.push(ended);
            if cf.end_of_program() == Some(true) || (function && cf.is_return()) {
                break;
            }
        }
        jumps
    }

    /// The start of the loop that the instruction of `slot` ends.
    pub(crate) fn loop_of(&self, slot: usize) -> Option<usize> {
        *self.loops.get(slot.checked_sub(self.start)?)?
    }

    /// Whether it is all the same to an inactive lane if the jump of `slot` to `target`, which then takes `pops`
    /// entries from the stack, is taken; if not, why.
    ///
    /// A lane that is inactive where the jump stands must be so in everything skipped: no ELSE of the same depth, and
    /// no POP but as the last instruction, which then does what the jump does.
    pub(crate) fn check(&self, slot: usize, target: usize, pops: u8) -> Result<(), &'static str> {
        let at = slot.wrapping_sub(self.start);
        let to = target.wrapping_sub(self.start);
        if target <= slot {
            return Err("leads backwards");
        }
        let (Some((_, after)), Some((depth_there, _))) = (self.depths.get(at), self.depths.get(to))
        else {
            return Err("leads out of the control flow");
        };
        // A PUSH jumps without pushing; POP_JUMP and POP_PUSH pop first.
        let depth = after - i32::from(self.pushes[at]);
        if *depth_there != depth - i32::from(pops) {
            return Err("arrives with another stack than what it skips");
        }
        for i in at + 1..to {
            let (before, after) = self.depths[i];
            if self.others[i] && before == depth {
                return Err("skips an ELSE that it stands before");
            }
            if after < depth && i + 1 != to {
                return Err("skips more than what stands before the POP");
            }
        }
        Ok(())
    }
}
