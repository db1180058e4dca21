//! Text: one line an instruction, clauses below the control-flow instruction that runs them.
//!
//! ```text
//! 0 TEX addr=32 (1 instruction)
//!     0: SAMPLE R1.w___ <- R0.xy0x resource=1 sampler=1
//! 1 ALU addr=48 (3 slots) kcache0(LOCK_1 bank=0 addr=0)
//!     0.0 x: MUL ---- = R1.x, KC0[2].x
//!     0.1 w: MOV R1.w = literal.x
//!     0.lit 1.0 (0x3f800000), 0.0 (0x00000000)
//! 2 EXPORT_DONE type=PIXEL array_base=0 R1.xyzw END_OF_PROGRAM
//! ```
//!
//! Addresses are in bytes, for control flow the number of the instruction stands behind. In a clause,
//! fetches are numbered; ALU instructions have the number of their group, that of their slot in the
//! clause, and the letter of their unit. What is usual isn't written: a set BARRIER, a whole element,
//! zero in fields that an opcode doesn't use. Where such a field is not zero it is listed as `unused`.

mod alu;
mod cf;
mod fetch;

use std::fmt;

use crate::clause::{AluClause, SLOT_BYTES};
use crate::program::{CfSlot, Clause, ClauseBody, FetchSlot, Program};

/// The text of a program: control flow with the clauses inline.
#[derive(Clone, Copy, Debug)]
pub struct Listing<'a> {
    program: &'a Program,
}

impl<'a> Listing<'a> {
    /// The text of `program`.
    pub const fn new(program: &'a Program) -> Self {
        Self { program }
    }
}

impl fmt::Display for Listing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for CfSlot { slot, cf, clause } in self.program.cf() {
            write!(f, "{slot} {cf}")?;
            match clause.map(|index| &self.program.clauses()[index]) {
                None => writeln!(f)?,
                Some(clause) if clause.cf_slot != *slot => {
                    writeln!(f, " (the clause of {})", clause.cf_slot)?;
                }
                Some(clause) => {
                    writeln!(f)?;
                    write_clause(f, clause)?;
                }
            }
        }
        Ok(())
    }
}

fn write_clause(f: &mut fmt::Formatter<'_>, clause: &Clause) -> fmt::Result {
    match &clause.body {
        ClauseBody::Alu(alu) => write_groups(f, alu, clause.start),
        ClauseBody::Fetch(fetches) => fetches
            .iter()
            .enumerate()
            .try_for_each(|(i, FetchSlot { fetch, .. })| writeln!(f, "    {i}: {fetch}")),
    }
}

fn write_groups(f: &mut fmt::Formatter<'_>, clause: &AluClause, start: usize) -> fmt::Result {
    for group in clause.groups() {
        for instruction in group.instructions {
            writeln!(
                f,
                "    {}.{} {}: {}",
                group.index,
                instruction.slot - start,
                instruction.unit.name().to_ascii_lowercase(),
                instruction.alu
            )?;
        }
        for literal in group.literals {
            let [first, second] = literal.words;
            writeln!(
                f,
                "    {}.lit {:?} ({first:#010x}), {:?} ({second:#010x})",
                group.index,
                f32::from_bits(first),
                f32::from_bits(second)
            )?;
        }
    }
    Ok(())
}

/// The byte that a slot is at.
const fn byte(slot: u32) -> u64 {
    slot as u64 * SLOT_BYTES as u64
}

/// Fields that an instruction does not use, collected to be written behind it.
#[derive(Default)]
struct Unused(String);

impl Unused {
    fn note(&mut self, name: &str, value: impl fmt::Display, is_zero: bool) {
        if !is_zero {
            let space = if self.0.is_empty() { "" } else { " " };
            self.0.push_str(&format!("{space}{name}={value}"));
        }
    }
}

impl fmt::Display for Unused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_str() {
            "" => Ok(()),
            fields => write!(f, " unused({fields})"),
        }
    }
}

/// Writes ` name` if the flag is set.
fn flag(f: &mut fmt::Formatter<'_>, name: &str, set: bool) -> fmt::Result {
    if set { write!(f, " {name}") } else { Ok(()) }
}

/// Writes ` name=value` unless the value is the usual one.
fn field<T: fmt::Display + PartialEq>(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    value: T,
    usual: T,
) -> fmt::Result {
    if value == usual {
        Ok(())
    } else {
        write!(f, " {name}={value}")
    }
}

/// Writes ` name=bits` in hexadecimal unless there are none.
fn bits(f: &mut fmt::Formatter<'_>, name: &str, bits: impl Into<u64>) -> fmt::Result {
    match bits.into() {
        0 => Ok(()),
        bits => write!(f, " {name}={bits:#x}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alu::{Alu, AluOp, Dest, Source};
    use crate::asm::{AluGroup, Assembler};
    use crate::cf::{CfAlu, CfAluOp, CfExport, CfOp, CfPlain, Kcache};
    use crate::chip::Chip;
    use crate::codes::{Chan, KcacheMode, Sel};
    use crate::fetch::{Tex, TexOp};
    use crate::program;
    use crate::registers::{Gpr, Swizzle};

    const CHIP: Chip = Chip::R700;

    #[test]
    fn a_program_with_its_clauses() {
        let op = |name| CfOp::from_name(name).unwrap();
        let sample = Tex::new(TexOp::from_name("SAMPLE").unwrap(), CHIP)
            .with_dst(Gpr::new(1))
            .with_dst_sel(Swizzle::new(Sel::W, Sel::MASK, Sel::MASK, Sel::MASK))
            .with_src_sel(Swizzle::new(Sel::X, Sel::Y, Sel::ZERO, Sel::X))
            .with_resource_id(1)
            .with_sampler_id(1);
        let mul = Alu::new(AluOp::named("MUL"), CHIP)
            .with_src0(Source::gpr(1, Chan::X))
            .with_src1(Source::kcache(0, 2, Chan::X));
        let mov = Alu::new(AluOp::named("MOV"), CHIP)
            .with_src0(Source::literal(Chan::X))
            .with_dst(Dest::new(1, Chan::W))
            .with_write_mask(true);
        let lock = Kcache {
            bank: 0,
            mode: KcacheMode::LOCK_1,
            addr: 0,
        };

        let mut asm = Assembler::new(CHIP);
        asm.fetch(
            CfPlain::new(op("TEX"), CHIP).with_barrier(true),
            &[sample.into()],
        )
        .unwrap();
        asm.alu(
            CfAlu::new(CfAluOp::ALU, CHIP)
                .with_kcache0(lock)
                .with_barrier(true),
            &[
                AluGroup::new([mul, mov], [1.0_f32.to_bits()]),
                AluGroup::new([mul], []),
            ],
        )
        .unwrap();
        asm.cf(CfExport::new(op("EXPORT_DONE"), CHIP)
            .with_rw(Gpr::new(1))
            .with_sel(Swizzle::XYZW)
            .with_elem_size(3)
            .with_barrier(true)
            .with_end_of_program(true));
        let program = program::decode(&asm.finish().unwrap(), CHIP).unwrap();
        let expected = "\
0 TEX addr=32 (1 instruction)
    0: SAMPLE R1.w___ <- R0.xy0x resource=1 sampler=1
1 ALU addr=48 (4 slots) kcache0(LOCK_1 bank=0 addr=0)
    0.0 x: MUL ---- = R1.x, KC0[2].x
    0.1 w: MOV R1.w = literal.x
    0.lit 1.0 (0x3f800000), 0.0 (0x00000000)
    1.3 x: MUL ---- = R1.x, KC0[2].x
2 EXPORT_DONE type=PIXEL array_base=0 R1.xyzw END_OF_PROGRAM
";
        assert_eq!(Listing::new(&program).to_string(), expected);
    }

    #[test]
    fn a_shared_clause_is_listed_once() {
        // ALU and ALU_PUSH_BEFORE of slot 3, then the end of the program, then one MOV.
        let words: [u32; 8] = [
            3,
            0xa000_0000, // ALU: ADDR 3, COUNT 0, BARRIER
            3,
            0xa400_0000, // ALU_PUSH_BEFORE: the same
            0,
            0x8020_0000, // NOP: END_OF_PROGRAM, BARRIER
            0x8000_0000,
            0x0000_0c90, // MOV R0.x = R0.x, WRITE_MASK, LAST
        ];
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let program = program::decode(&bytes, CHIP).unwrap();
        let expected = "\
0 ALU addr=24 (1 slot)
    0.0 x: MOV R0.x = R0.x
1 ALU_PUSH_BEFORE addr=24 (1 slot) (the clause of 0)
2 NOP END_OF_PROGRAM
";
        assert_eq!(Listing::new(&program).to_string(), expected);
    }
}
