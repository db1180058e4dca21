//! Where the operands of ALU instructions come from.

use super::refusal::Reason;
use super::value::Value;
use super::writer::{Writer, letter};
use crate::alu::{Alu, Source, SourceKind, Unit};
use crate::cf::Kcache;
use crate::clause::GroupRef;
use crate::codes::{IndexMode, KcacheMode};

/// What surrounds a group.
#[derive(Clone, Copy)]
pub(crate) struct Surroundings<'a> {
    pub(crate) group: GroupRef<'a>,
    pub(crate) locks: [Kcache; 2],
    /// The units that the group before gave a result, as bits.
    pub(crate) previous: u8,
}

/// What a constant reads that lies outside of the file, or of its window.
const OUTSIDE: u32 = 0x7fff_ffff;

impl Writer<'_> {
    /// What operand number `operand` of an instruction reads.
    pub(crate) fn source(
        &mut self,
        alu: &Alu,
        operand: usize,
        around: &Surroundings<'_>,
    ) -> Result<Value, Reason> {
        let source = match operand {
            0 => alu.src0(),
            1 => alu.src1(),
            _ => alu.src2().unwrap_or_default(),
        };
        self.place(alu, source, around).map_err(|why| match why {
            Ok(reason) => reason,
            Err(why) => Reason::Operand { operand, why },
        })
    }

    fn place(
        &mut self,
        alu: &Alu,
        source: Source,
        around: &Surroundings<'_>,
    ) -> Result<Value, Result<Reason, String>> {
        let chan = letter(source.chan());
        let word = |bits| Ok(Value::Word(bits));
        match source.sel().kind() {
            SourceKind::Gpr(gpr) => {
                let register = if source.rel() {
                    let index = self.register_index(alu.index_mode()).map_err(Err)?;
                    if gpr >= self.gprs {
                        return Err(Err(format!(
                            "R{gpr} is none of the {} registers, and indexed",
                            self.gprs
                        )));
                    }
                    self.relative(gpr, index)
                } else if self.options.has_register(gpr) {
                    self.register(gpr)
                } else {
                    return Err(Err(format!(
                        "R{gpr} is none of the {} registers",
                        self.gprs
                    )));
                };
                Ok(Value::Place(format!("{register}.{chan}")))
            }
            SourceKind::Kcache0(i) => self.locked(around.locks[0], i, source, alu).map_err(Err),
            SourceKind::Kcache1(i) => self.locked(around.locks[1], i, source, alu).map_err(Err),
            SourceKind::Cfile(i) => self.constant(i, source, alu).map_err(Err),
            SourceKind::Zero => word(0),
            SourceKind::One => word(1.0_f32.to_bits()),
            SourceKind::OneInt => word(1),
            SourceKind::MinusOneInt => word(u32::MAX),
            SourceKind::Half => word(0.5_f32.to_bits()),
            SourceKind::Literal => match around.group.literal(source.chan()) {
                Some(bits) => word(bits),
                None => Err(Err("the group has no such literal".into())),
            },
            SourceKind::Pv if around.previous >> source.chan().code() & 1 == 0 => Err(Err(
                format!("no instruction of the group before gave PV.{chan} a value"),
            )),
            SourceKind::Ps if around.previous >> Unit::T.code() & 1 == 0 => Err(Err(
                "no instruction of the group before gave PS a value".into(),
            )),
            SourceKind::Pv => {
                self.used.previous = true;
                Ok(Value::Place(format!("PV.{chan}")))
            }
            SourceKind::Ps => {
                self.used.previous = true;
                Ok(Value::Place("PS".into()))
            }
            SourceKind::Reserved => Err(Err(format!("select {} is reserved", source.sel().code()))),
        }
    }

    /// The index that moves a register.
    pub(crate) fn register_index(&mut self, mode: IndexMode) -> Result<&'static str, String> {
        match mode {
            IndexMode::AR_X | IndexMode::AR_Y | IndexMode::AR_Z | IndexMode::AR_W => {
                self.used.address = true;
                Ok("AR.x")
            }
            IndexMode::LOOP => {
                self.used.loop_index = true;
                Ok("aL")
            }
            _ => Err(format!(
                "index mode {} is for registers that threads share",
                mode.code()
            )),
        }
    }

    /// A constant of the constant file.
    fn constant(&mut self, i: u8, source: Source, alu: &Alu) -> Result<Value, String> {
        self.used.constants = true;
        let chan = letter(source.chan());
        let clamped = self
            .options
            .registers
            .and_then(|registers| registers.pixel());
        let clamped = clamped.is_some_and(|registers| registers.clamps_constants());
        if !source.rel() {
            return Ok(Value::Place(if clamped && i < 8 {
                format!("clamp(C[{i}].{chan}, -1.0, 1.0)")
            } else {
                format!("C[{i}].{chan}")
            }));
        }
        if clamped {
            return Err("an indexed constant, of which the first are clamped".into());
        }
        let index = match alu.index_mode() {
            IndexMode::AR_X => "AR.x",
            IndexMode::AR_Y => "AR.y",
            IndexMode::AR_Z => "AR.z",
            IndexMode::AR_W => "AR.w",
            IndexMode::LOOP => "aL",
            mode => {
                return Err(format!(
                    "index mode {} does not index constants",
                    mode.code()
                ));
            }
        };
        if index == "aL" {
            self.used.loop_index = true;
        } else {
            self.used.address = true;
        }
        self.used.constant_index = true;
        Ok(Value::Place(format!("constant({i} + {index}).{chan}")))
    }

    /// A constant of the window that a lock opens.
    fn locked(&mut self, lock: Kcache, i: u8, source: Source, alu: &Alu) -> Result<Value, String> {
        let entries = match lock.mode {
            KcacheMode::LOCK_1 => 16,
            KcacheMode::LOCK_2 | KcacheMode::LOCK_LOOP_INDEX => 32,
            _ => return Err("the clause locks no constant buffer for it".into()),
        };
        let base = 16 * u32::from(lock.addr);
        let bank = lock.bank;
        let chan = letter(source.chan());
        let moved = lock.mode == KcacheMode::LOCK_LOOP_INDEX;
        if !source.rel() && !moved {
            let entry = base + u32::from(i);
            if u32::from(i) >= entries || entry >= 4096 {
                return Ok(Value::Word(OUTSIDE));
            }
            self.used.blocks.insert(bank);
            return Ok(Value::Place(format!("KC{bank}[{entry}].{chan}")));
        }
        self.used.blocks.insert(bank);
        self.used.loop_index = true;
        let line = if moved {
            format!("{base} + aL / 16 * 16")
        } else {
            base.to_string()
        };
        if !source.rel() {
            return Ok(Value::Place(format!(
                "KC{bank}[clamp({line} + {i}, 0, 4095)].{chan}"
            )));
        }
        if alu.index_mode() != IndexMode::LOOP {
            return Err("locked constants are indexed by the loop index only".into());
        }
        self.call(super::prelude::Helper::Word);
        Ok(Value::Place(format!(
            "({i} + aL >= 0 && {i} + aL < {entries} ? KC{bank}[clamp({line} + {i} + aL, 0, 4095)].{chan} : word(0x7fffffffu))"
        )))
    }
}
