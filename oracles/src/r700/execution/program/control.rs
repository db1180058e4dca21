//! Control-flow instructions.

use super::fields::Slot;
use super::{Builder, ProgramError, selects};
use crate::r700::execution::Target;
use crate::r700::execution::code::{
    Action, Around, Branch, BranchOp, Condition, Control, Export, Lock, Scope, Window,
};

impl Builder {
    pub(super) fn control(&mut self, slot: &Slot<'_>) -> Result<Control, ProgramError> {
        let action = match slot.name("cf.format")? {
            "ALU" => self.alu(slot)?,
            "EXPORT_SWIZ" => self.export(slot)?,
            _ => self.plain(slot)?,
        };
        Ok(Control {
            name: slot.spelled("cf.op")?.into(),
            action,
            scope: Scope {
                whole_quad: slot.flag("cf.whole_quad_mode")?,
                valid: slot.flag("cf.valid_pixel_mode")?,
            },
            end_of_program: slot.flag("cf.end_of_program")?,
        })
    }

    fn refuse(&mut self, slot: &Slot<'_>, what: String) -> Action {
        Action::Unsupported(self.unsupported(slot.number, what))
    }

    /// The starter of an ALU clause.
    fn alu(&mut self, slot: &Slot<'_>) -> Result<Action, ProgramError> {
        let around = match slot.name("cf.op")? {
            "ALU" => Around::Nothing,
            "ALU_PUSH_BEFORE" => Around::PushBefore,
            "ALU_POP_AFTER" => Around::PopAfter(1),
            "ALU_POP2_AFTER" => Around::PopAfter(2),
            "ALU_ELSE_AFTER" => Around::ElseAfter,
            "ALU_BREAK" => Around::Break,
            "ALU_CONTINUE" => Around::Continue,
            _ => {
                let what = format!("ALU clause instruction {}", slot.spelled("cf.op")?);
                return Ok(self.refuse(slot, what));
            }
        };
        if slot.flag("cf.alt_const")? {
            return Ok(self.refuse(slot, "ALT_CONST of an ALU clause".to_owned()));
        }
        if slot.flag("cf.uses_waterfall")? {
            return Ok(self.refuse(slot, "USES_WATERFALL".to_owned()));
        }
        let window = |name: &str| -> Result<Window, ProgramError> {
            Ok(Window {
                lock: match slot.name(&format!("cf.{name}.mode"))? {
                    "LOCK_1" => Lock::One,
                    "LOCK_2" => Lock::Two,
                    "LOCK_LOOP_INDEX" => Lock::LoopIndex,
                    _ => Lock::None,
                },
                bank: slot.number(&format!("cf.{name}.bank"))? as u8,
                line: slot.number(&format!("cf.{name}.addr"))?,
            })
        };
        let windows = [window("kcache0")?, window("kcache1")?];
        match self.alu.get(&slot.number("cf.addr")?) {
            Some(&clause) => Ok(Action::Alu {
                clause,
                around,
                windows,
            }),
            None => Ok(self.refuse(slot, "an ALU clause without groups".to_owned())),
        }
    }

    /// EXPORT and EXPORT_DONE.
    fn export(&mut self, slot: &Slot<'_>) -> Result<Action, ProgramError> {
        let kind = slot.spelled("cf.export.type")?;
        let base = slot.number("cf.export.array_base")?;
        let burst = slot.number("cf.export.burst_count")? + 1;
        let target = |base: u32| Target::new(&kind, base);
        let targets = [target(base), target(base + burst - 1)];
        let [Some(first), Some(_)] = targets else {
            let last = base + burst - 1;
            let what = format!("an export to {kind} {base} to {last}");
            return Ok(self.refuse(slot, what));
        };
        let Some(select) = selects(slot, "cf.export.sel")? else {
            return Ok(self.refuse(slot, "an export with a reserved select".to_owned()));
        };
        let register = slot.number("cf.export.rw_gpr")? as u8;
        let relative = slot.flag("cf.export.rw_rel")?;
        for register in (register..).take(burst as usize) {
            self.uses(register, relative);
        }
        Ok(Action::Export(Export {
            first,
            register,
            relative,
            burst: burst as u8,
            select,
        }))
    }

    /// Everything else: fetch clauses, branches, and what has no meaning here.
    fn plain(&mut self, slot: &Slot<'_>) -> Result<Action, ProgramError> {
        let name = slot.name("cf.op")?;
        let op = match name {
            "NOP" | "WAIT_ACK" => return Ok(Action::Nothing),
            "TEX" | "VTX" | "VTX_TC" | "TEX_ACK" | "VTX_ACK" | "VTX_TC_ACK" => {
                return Ok(match self.fetches.get(&slot.number("cf.addr")?) {
                    Some(&clause) => Action::Fetch { clause },
                    None => self.refuse(slot, "a fetch clause without fetches".to_owned()),
                });
            }
            "LOOP_START" => BranchOp::LoopStart,
            "LOOP_START_DX10" => BranchOp::LoopStartDx10,
            "LOOP_START_NO_AL" => BranchOp::LoopStartNoAl,
            "LOOP_END" => BranchOp::LoopEnd,
            "LOOP_CONTINUE" => BranchOp::LoopContinue,
            "LOOP_BREAK" => BranchOp::LoopBreak,
            "JUMP" => BranchOp::Jump,
            "PUSH" => BranchOp::Push,
            "PUSH_ELSE" => BranchOp::PushElse,
            "ELSE" => BranchOp::Else,
            "POP" => BranchOp::Pop,
            "POP_JUMP" => BranchOp::PopJump,
            "POP_PUSH" => BranchOp::PopPush,
            "POP_PUSH_ELSE" => BranchOp::PopPushElse,
            "CALL" => BranchOp::Call,
            "CALL_FS" => BranchOp::CallFetchShader,
            "RETURN" => BranchOp::Return,
            "KILL" => BranchOp::Kill,
            _ => {
                let what = slot.spelled("cf.op")?;
                return Ok(self.refuse(slot, what));
            }
        };
        let condition = match slot.name("cf.cond")? {
            "FALSE" => Condition::False,
            "BOOL" => Condition::Boolean,
            "NOT_BOOL" => Condition::NotBoolean,
            _ => Condition::Active,
        };
        Ok(Action::Branch(Branch {
            op,
            condition,
            target: slot.number("cf.addr")?,
            pops: slot.number("cf.pop_count")?,
            constant: slot.number("cf.const")? as usize,
            calls: slot.number("cf.call_count")?,
        }))
    }
}
