//! A divergence as small as it gets: a program of the one group, whose operands are inputs.

use std::fmt::Write;

use oracles::r700::execution::AluUnit;
use oracles::r700::execution::value::{Doubt, Value};
use r700::alu::{Alu, Dest, Source};
use r700::asm::{AluGroup, AsmError, Assembler};
use r700::cf::{CfAlu, CfAluOp, CfExport, CfOp};
use r700::codes::{Chan, PredSel};
use r700::program::{Clause, ClauseBody, Program};
use r700::registers::{Gpr, Swizzle};

use super::divergence::{Operation, Step};
use super::single::is_joint;

/// Where the result goes.
const RESULT: u8 = 100;

/// A program of one group.
#[derive(Clone, Debug)]
pub struct Slice {
    /// The program, little-endian.
    pub bytes: Vec<u8>,
    /// What its lane starts with, by register.
    pub registers: Vec<(u8, [u32; 4])>,
    /// What its lane has to export to pixel 0: the results by the channel of the unit; that of the trans unit in X.
    pub expect: [Option<Value>; 4],
}

/// The slice of the instruction of a step; none if it is a fetch, or the decoder has no such instruction.
pub fn slice(program: &Program, step: &Step, operation: usize) -> Option<Result<Slice, AsmError>> {
    let wanted = step.operations.get(operation)?;
    let chip = program.chip();
    let first = alu(program, wanted.slot)?;
    let joint = is_joint(first.op(), chip);
    let chosen: Vec<&Operation> = step
        .operations
        .iter()
        .filter(|other| {
            if joint {
                other.unit != Some(AluUnit::T)
            } else {
                std::ptr::eq(*other, wanted)
            }
        })
        .collect();
    let mut alus = Vec::new();
    let mut registers = Vec::new();
    let mut expect = [None, None, None, None];
    for (number, operation) in chosen.into_iter().enumerate() {
        let mut alu = alu(program, operation.slot)?;
        let unit = operation.unit? as u8;
        let chan = Chan::from_code(if unit < 4 { unit } else { 0 });
        let register = number as u8;
        let mut value = [0; 4];
        for (at, (operand, to)) in operation.operands.iter().zip(&mut value).enumerate() {
            *to = operand.bits();
            // Operands are recorded after their modifiers.
            let source = Source::gpr(register, Chan::from_code(at as u8));
            alu = match at {
                0 => alu.with_src0(source),
                1 => alu.with_src1(source),
                _ => alu.with_src2(source),
            };
        }
        // Operands that the opcode does not use may have asked for literals.
        let plain = Source::gpr(register, Chan::X);
        if operation.operands.is_empty() {
            alu = alu.with_src0(plain);
        }
        if operation.operands.len() < 2 {
            alu = alu.with_src1(plain);
        }
        alu = alu
            .with_dst(Dest::new(RESULT, chan))
            .with_pred_sel(PredSel::OFF);
        if alu.op().encoding() == r700::alu::Encoding::Op2 {
            alu = alu.with_write_mask(true);
        }
        registers.push((register, value));
        expect[usize::from(chan.code())].clone_from(&operation.result);
        alus.push(alu);
    }
    let build = || {
        let mut asm = Assembler::new(chip);
        asm.alu(
            CfAlu::new(CfAluOp::ALU, chip).with_barrier(true),
            &[AluGroup::new(alus, [])],
        )?;
        let done = CfOp::from_name("EXPORT_DONE").expect("an export");
        let export = CfExport::new(done, chip)
            .with_rw(Gpr::new(RESULT))
            .with_elem_size(3)
            .with_sel(Swizzle::XYZW)
            .with_end_of_program(true)
            .with_barrier(true);
        asm.cf(export);
        asm.finish()
    };
    Some(build().map(|bytes| Slice {
        bytes,
        registers,
        expect,
    }))
}

/// The ALU instruction in a slot.
fn alu(program: &Program, slot: u32) -> Option<Alu> {
    let in_clause = |clause: &Clause| match &clause.body {
        ClauseBody::Alu(body) => {
            let mut all = body.instructions().iter();
            all.find(|instruction| instruction.slot == slot as usize)
                .map(|instruction| instruction.alu)
        }
        ClauseBody::Fetch(_) => None,
    };
    program.clauses().iter().find_map(in_clause)
}

impl Slice {
    /// The slice as a case for a file that ends in `.programs.toml`. What it expects is what the interpreter allows.
    pub fn case(&self, id: &str, note: &str) -> String {
        let quoted = |word: u32| format!("\"0x{word:08x}\"");
        let four = |words: &[u32; 4]| words.map(quoted).join(", ");
        let mut text = String::from("[[program]]\n");
        let words: Vec<_> = self.bytes.chunks_exact(4).collect();
        let words: Vec<_> = words
            .iter()
            .map(|word| {
                format!(
                    "{:08x}",
                    u32::from_le_bytes([word[0], word[1], word[2], word[3]])
                )
            })
            .collect();
        let lane: Vec<_> = self
            .registers
            .iter()
            .map(|(number, words)| format!("R{number} = [{}]", four(words)))
            .collect();
        let expected = self.expect.each_ref().map(|value| match value {
            Some(value) if *value.doubt() == Doubt::Settled => quoted(value.bits()),
            _ => "\"-\"".to_owned(),
        });
        let _ = writeln!(text, "id       = {id:?}");
        let _ = writeln!(text, "words    = \"{}\"", words.join(" "));
        let _ = writeln!(text, "stage    = \"pixel\"");
        let _ = writeln!(text, "lanes    = [{{ {} }}]", lane.join(", "));
        let _ = writeln!(
            text,
            "expect   = [{{ pixel0 = [{}] }}]",
            expected.join(", ")
        );
        let _ = writeln!(text, "evidence = \"inferred\"");
        let _ = writeln!(
            text,
            "source   = \"the reference interpreter, on a program that a translation got wrong\""
        );
        let _ = writeln!(text, "note     = {note:?}");
        text
    }
}
