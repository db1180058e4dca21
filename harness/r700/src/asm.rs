//! Builds programs: control flow, clauses behind it, addresses filled in.
//!
//! ```
//! use r700::alu::{Alu, AluOp, Dest, Source};
//! use r700::asm::{AluGroup, Assembler};
//! use r700::cf::{CfAlu, CfAluOp, CfExport, CfOp};
//! use r700::codes::Chan;
//! use r700::registers::{Gpr, Swizzle};
//! use r700::{Chip, program};
//!
//! let chip = Chip::R700;
//! let mov = Alu::new(AluOp::named("MOV"), chip)
//!     .with_src0(Source::literal(Chan::X))
//!     .with_dst(Dest::new(2, Chan::Y))
//!     .with_write_mask(true);
//! let export = CfExport::new(CfOp::from_name("EXPORT_DONE").unwrap(), chip)
//!     .with_rw(Gpr::new(2))
//!     .with_sel(Swizzle::XYZW)
//!     .with_end_of_program(true);
//!
//! let mut asm = Assembler::new(chip);
//! asm.alu(CfAlu::new(CfAluOp::ALU, chip), &[AluGroup::new([mov], [1.5_f32.to_bits()])])?;
//! asm.cf(export);
//! let bytes = asm.finish()?;
//!
//! let program = program::decode(&bytes, chip).unwrap();
//! assert_eq!((program.cf().len(), program.clauses().len()), (2, 1));
//! # Ok::<(), r700::asm::AsmError>(())
//! ```

use crate::alu::Alu;
use crate::cf::{Cf, CfAlu, CfPlain, ClauseKind};
use crate::chip::Chip;
use crate::error::Error;
use crate::fetch::Fetch;
use crate::program;

/// Why a program can't be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AsmError {
    /// An instruction is for another chip than the program.
    #[error("an instruction is for {found}, the program is for {wanted}")]
    WrongChip {
        /// The chip of the program.
        wanted: Chip,
        /// The chip of the instruction.
        found: Chip,
    },
    /// A clause without instructions, or an ALU group without.
    #[error("a clause and a group have at least one instruction")]
    Empty,
    /// A clause has more slots than its COUNT can say.
    #[error("a clause of {slots} slots, at most {most} are possible")]
    ClauseTooLong {
        /// Slots of the clause.
        slots: usize,
        /// The most that the chip can run.
        most: usize,
    },
    /// A group has more or fewer literals than its operands have slots for.
    #[error("the operands of the group ask for {slots} slots of literals, found {literals} dwords")]
    Literals {
        /// Slots that the operands ask for: one for X and Y, two with Z or W.
        slots: usize,
        /// Dwords that are there.
        literals: usize,
    },
    /// The instruction does not run such a clause.
    #[error("the instruction does not run a clause of this kind")]
    NotAClause,
    /// There is no jumping instruction of this number.
    #[error("instruction {at} is not a jump")]
    NotAJump {
        /// The number of the instruction.
        at: usize,
    },
    /// A clause lies too high for the address field of its instruction.
    #[error("the clause starts at slot {start}, beyond the address field")]
    AddressTooHigh {
        /// The first slot of the clause.
        start: usize,
    },
    /// The program would not be decoded again.
    #[error("the program is not valid: {0}")]
    Invalid(Error),
}

/// A group of an ALU clause: instructions that run together, and the literals that they read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AluGroup {
    instructions: Vec<Alu>,
    literals: Vec<u32>,
}

impl AluGroup {
    /// A group of these instructions, in the order of their slots, and literals, X first.
    ///
    /// LAST is set for the last instruction and cleared for all others.
    pub fn new(instructions: impl Into<Vec<Alu>>, literals: impl Into<Vec<u32>>) -> Self {
        let mut instructions = instructions.into();
        let count = instructions.len();
        for (i, alu) in instructions.iter_mut().enumerate() {
            *alu = alu.with_last(i + 1 == count);
        }
        Self {
            instructions,
            literals: literals.into(),
        }
    }

    fn encode(&self, slots: &mut Vec<[u32; 2]>) -> Result<(), AsmError> {
        let literal_slots = self.instructions.iter().map(Alu::literal_slots).max();
        let literal_slots = literal_slots.ok_or(AsmError::Empty)?;
        if self.literals.len().div_ceil(2) != literal_slots {
            let literals = self.literals.len();
            return Err(AsmError::Literals {
                slots: literal_slots,
                literals,
            });
        }
        slots.extend(self.instructions.iter().map(Alu::encode));
        let second = |pair: &[u32]| pair.get(1).copied().unwrap_or(0);
        slots.extend(self.literals.chunks(2).map(|pair| [pair[0], second(pair)]));
        Ok(())
    }
}

/// A program in the making.
#[derive(Clone, Debug)]
pub struct Assembler {
    chip: Chip,
    cf: Vec<Instruction>,
    clauses: Vec<Vec<[u32; 2]>>,
}

#[derive(Clone, Copy, Debug)]
struct Instruction {
    cf: Cf,
    runs: Runs,
}

/// The clause whose address an instruction gets.
#[derive(Clone, Copy, Debug)]
enum Runs {
    Nothing,
    /// A clause of its own.
    Own(usize),
    /// That of an earlier instruction.
    That(usize),
}

impl Assembler {
    /// An empty program.
    pub const fn new(chip: Chip) -> Self {
        Self {
            chip,
            cf: Vec::new(),
            clauses: Vec::new(),
        }
    }

    /// Adds a control-flow instruction as it is and returns its number, which is also its slot.
    pub fn cf(&mut self, cf: impl Into<Cf>) -> usize {
        self.push(cf.into(), Runs::Nothing)
    }

    /// Adds an ALU clause and the instruction that runs it, whose ADDR and COUNT are filled in.
    /// Returns the number of the instruction.
    ///
    /// # Errors
    ///
    /// If the clause is empty or too long, the literals of a group don't fit its operands, an
    /// instruction is for another chip, or `cf` has no opcode that runs a clause.
    pub fn alu(&mut self, cf: CfAlu, groups: &[AluGroup]) -> Result<usize, AsmError> {
        if cf.op().name().is_none() {
            return Err(AsmError::NotAClause);
        }
        let mut slots = Vec::new();
        for group in groups {
            for alu in &group.instructions {
                self.check_chip(alu.chip())?;
            }
            group.encode(&mut slots)?;
        }
        let count = clause_count(slots.len(), slots.len(), 128, 128)?;
        self.push_clause(cf.with_count(count), slots)
    }

    /// Adds a fetch clause and the instruction that runs it (TEX, VTX or one of their forms), whose
    /// ADDR and COUNT are filled in. Returns the number of the instruction.
    ///
    /// # Errors
    ///
    /// If the clause is empty or too long, a fetch is for another chip, or `cf` does not run fetches.
    pub fn fetch(&mut self, cf: CfPlain, fetches: &[Fetch]) -> Result<usize, AsmError> {
        let runs = Cf::from(cf).clause().map(|clause| clause.kind);
        if !matches!(runs, Some(ClauseKind::Fetch(_))) {
            return Err(AsmError::NotAClause);
        }
        for fetch in fetches {
            self.check_chip(match fetch {
                Fetch::Tex(fetch) => fetch.chip(),
                Fetch::Vtx(fetch) => fetch.chip(),
                Fetch::Mem(_) => Chip::R700,
            })?;
        }
        let halves = |fetch: &Fetch| {
            let [word0, word1, word2, word3] = fetch.encode();
            [[word0, word1], [word2, word3]]
        };
        let slots: Vec<_> = fetches.iter().flat_map(halves).collect();
        let most = match self.chip {
            Chip::R600 => 8,
            Chip::R700 => 16,
        };
        let count = clause_count(fetches.len(), slots.len(), most, 2 * most)?;
        self.push_clause(cf.with_count(count), slots)
    }

    /// Adds an instruction that runs the clause of an earlier one, `of`; its ADDR and COUNT are filled
    /// in. Returns the number of the instruction.
    ///
    /// # Errors
    ///
    /// If `of` was not given a clause here, or not one that `cf` could run.
    pub fn again(&mut self, cf: impl Into<Cf>, of: usize) -> Result<usize, AsmError> {
        let cf = cf.into();
        self.check_chip(cf.chip())?;
        let earlier = self
            .cf
            .get(of)
            .filter(|cf| !matches!(cf.runs, Runs::Nothing));
        let earlier = earlier.ok_or(AsmError::NotAClause)?.cf;
        let kind = |cf: Cf| cf.clause().map(|clause| clause.kind);
        let cf = match (cf, earlier.count()) {
            _ if kind(cf) != kind(earlier) => return Err(AsmError::NotAClause),
            (Cf::Plain(cf), Some(count)) => cf.with_count(count).into(),
            (Cf::Alu(cf), Some(count)) => cf.with_count(count).into(),
            _ => return Err(AsmError::NotAClause),
        };
        Ok(self.push(cf, Runs::That(of)))
    }

    /// Makes the jumping instruction `at` lead to the instruction `target`, which may come later.
    ///
    /// # Errors
    ///
    /// If there is no jumping instruction `at`.
    pub fn set_target(&mut self, at: usize, target: usize) -> Result<(), AsmError> {
        let not_a_jump = AsmError::NotAJump { at };
        let instruction = self.cf.get_mut(at).ok_or(not_a_jump)?;
        match instruction.cf {
            Cf::Plain(cf) if instruction.cf.jump_target().is_some() => {
                let addr = u32::try_from(target).map_err(|_| not_a_jump)?;
                instruction.cf = cf.with_addr(addr).into();
                Ok(())
            }
            _ => Err(not_a_jump),
        }
    }

    /// The bytes of the program: control flow, then the clauses in the order in which they were
    /// added, fetches on even slots.
    ///
    /// # Errors
    ///
    /// If a clause lies too high, an instruction is for another chip, or the program breaks a rule
    /// that [`program::decode`] knows, such as a unit that is taken or control flow without an end.
    pub fn finish(self) -> Result<Vec<u8>, AsmError> {
        let mut slots = vec![[0; 2]; self.cf.len()];
        let mut starts = vec![0; self.cf.len()];
        for (i, Instruction { cf, runs }) in self.cf.iter().enumerate() {
            self.check_chip(cf.chip())?;
            slots[i] = match *runs {
                Runs::Nothing => cf.encode(),
                Runs::That(of) => {
                    starts[i] = starts[of];
                    placed(*cf, starts[i])?.encode()
                }
                Runs::Own(clause) => {
                    let is_fetch = matches!(cf, Cf::Plain(_));
                    if is_fetch && !slots.len().is_multiple_of(2) {
                        slots.push([0; 2]);
                    }
                    starts[i] = slots.len();
                    slots.extend(&self.clauses[clause]);
                    placed(*cf, starts[i])?.encode()
                }
            };
        }
        let bytes: Vec<u8> = slots
            .iter()
            .flatten()
            .flat_map(|word| word.to_le_bytes())
            .collect();
        match program::decode(&bytes, self.chip) {
            Ok(_) => Ok(bytes),
            Err(error) => Err(AsmError::Invalid(error)),
        }
    }

    fn check_chip(&self, found: Chip) -> Result<(), AsmError> {
        let wanted = self.chip;
        if found == wanted {
            Ok(())
        } else {
            Err(AsmError::WrongChip { wanted, found })
        }
    }

    fn push(&mut self, cf: Cf, runs: Runs) -> usize {
        self.cf.push(Instruction { cf, runs });
        self.cf.len() - 1
    }

    fn push_clause(&mut self, cf: impl Into<Cf>, slots: Vec<[u32; 2]>) -> Result<usize, AsmError> {
        let cf = cf.into();
        self.check_chip(cf.chip())?;
        self.clauses.push(slots);
        Ok(self.push(cf, Runs::Own(self.clauses.len() - 1)))
    }
}

/// COUNT of a clause of `items`, of which `most` are possible.
fn clause_count(
    items: usize,
    slots: usize,
    most: usize,
    most_slots: usize,
) -> Result<u8, AsmError> {
    match items {
        0 => Err(AsmError::Empty),
        _ if items > most => Err(AsmError::ClauseTooLong {
            slots,
            most: most_slots,
        }),
        _ => Ok((items - 1) as u8),
    }
}

/// The instruction with its clause at `start`.
fn placed(cf: Cf, start: usize) -> Result<Cf, AsmError> {
    let too_high = AsmError::AddressTooHigh { start };
    let addr = u32::try_from(start).map_err(|_| too_high)?;
    match cf {
        Cf::Plain(cf) => Ok(cf.with_addr(addr).into()),
        Cf::Alu(cf) if addr < 1 << 22 => Ok(cf.with_addr(addr).into()),
        _ => Err(too_high),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alu::{AluOp, Dest, Source};
    use crate::cf::{CfAluOp, CfOp};
    use crate::codes::Chan;
    use crate::fetch::{Tex, TexOp};

    const CHIP: Chip = Chip::R700;

    fn plain(name: &str) -> CfPlain {
        CfPlain::new(CfOp::from_name(name).unwrap(), CHIP)
    }

    fn mov(literal: Option<Chan>) -> Alu {
        let source = literal.map_or(Source::gpr(0, Chan::X), Source::literal);
        Alu::new(AluOp::named("MOV"), CHIP)
            .with_src0(source)
            .with_dst(Dest::new(0, Chan::X))
    }

    fn end(asm: &mut Assembler) {
        asm.cf(plain("NOP").with_end_of_program(true));
    }

    #[test]
    fn clauses_follow_the_control_flow() {
        let mut asm = Assembler::new(CHIP);
        let alu = CfAlu::new(CfAluOp::ALU, CHIP);
        asm.alu(alu, &[AluGroup::new([mov(Some(Chan::Y))], [1, 2])])
            .unwrap();
        let sample = Tex::new(TexOp::from_name("SAMPLE").unwrap(), CHIP);
        asm.fetch(plain("TEX"), &[sample.into()]).unwrap();
        end(&mut asm);
        let program = program::decode(&asm.finish().unwrap(), CHIP).unwrap();
        // Three of control flow, two of the ALU clause, one to make the fetches even.
        let starts: Vec<_> = program
            .clauses()
            .iter()
            .map(|clause| clause.start)
            .collect();
        assert_eq!(starts, [3, 6]);
        assert_eq!((program.gaps().len(), program.slots()), (1, 8));
    }

    #[test]
    fn a_clause_can_run_again() {
        let mut asm = Assembler::new(CHIP);
        let alu = |op| CfAlu::new(op, CHIP);
        let groups = [
            AluGroup::new([mov(None)], []),
            AluGroup::new([mov(None)], []),
        ];
        let first = asm.alu(alu(CfAluOp::ALU), &groups).unwrap();
        let second = asm.again(alu(CfAluOp::ALU_PUSH_BEFORE), first).unwrap();
        assert_eq!(asm.again(alu(CfAluOp::ALU_BREAK), second), Ok(2));
        assert_eq!(asm.again(plain("TEX"), first), Err(AsmError::NotAClause));
        end(&mut asm);
        let program = program::decode(&asm.finish().unwrap(), CHIP).unwrap();
        assert_eq!((program.clauses().len(), program.clauses()[0].size), (1, 2));
        assert_eq!(program.cf()[2].clause, Some(0));
    }

    #[test]
    fn jumps_lead_to_later_instructions() {
        let mut asm = Assembler::new(CHIP);
        let jump = asm.cf(plain("JUMP"));
        end(&mut asm);
        let target = asm.cf(plain("POP").with_pop_count(1));
        end(&mut asm);
        asm.set_target(jump, target).unwrap();
        assert_eq!(
            asm.set_target(target, 0),
            Err(AsmError::NotAJump { at: target })
        );
        let program = program::decode(&asm.finish().unwrap(), CHIP).unwrap();
        assert_eq!(program.cf().len(), 4);
    }

    #[test]
    fn what_would_not_decode_is_refused() {
        let alu = CfAlu::new(CfAluOp::ALU, CHIP);
        let mut asm = Assembler::new(CHIP);
        assert_eq!(asm.alu(alu, &[]), Err(AsmError::Empty));
        let group = AluGroup::new([mov(Some(Chan::Z))], [1, 2]);
        assert_eq!(
            asm.alu(alu, &[group]),
            Err(AsmError::Literals {
                slots: 2,
                literals: 2
            })
        );
        let groups = vec![AluGroup::new([mov(None)], []); 129];
        let too_long = AsmError::ClauseTooLong {
            slots: 129,
            most: 128,
        };
        assert_eq!(asm.alu(alu, &groups), Err(too_long));
        assert_eq!(asm.fetch(plain("NOP"), &[]), Err(AsmError::NotAClause));
        asm.alu(alu, &[AluGroup::new([mov(None); 3], [])]).unwrap();
        end(&mut asm);
        assert!(matches!(
            asm.finish(),
            Err(AsmError::Invalid(Error::UnitTaken { .. }))
        ));
    }

    #[test]
    fn chips_are_not_mixed() {
        let mut asm = Assembler::new(Chip::R600);
        let wrong = AsmError::WrongChip {
            wanted: Chip::R600,
            found: Chip::R700,
        };
        let cf = CfAlu::new(CfAluOp::ALU, Chip::R600);
        assert_eq!(asm.alu(cf, &[AluGroup::new([mov(None)], [])]), Err(wrong));
    }
}
