//! Random structured programs: nests of conditions and loops with break, continue, kill and predicated instructions, in
//! the shapes in which compilers emit them and in the folded ones that the instruction set offers beside.
//!
//! Every loop ends by construction: a counted one by its loop constant, an endless one by a counter of its own. Float and
//! integer values live in registers of their own, so that most values stay within what the sources settle.

mod groups;

use corpora::generate::Random;
use r700::Chip;
use r700::alu::{Alu, AluOp, Dest, Source};
use r700::asm::{AluGroup, AsmError, Assembler};
use r700::cf::{CfAlu, CfAluOp, CfExport, CfOp, CfPlain, Kcache};
use r700::codes::{Chan, Cond, KcacheMode};
use r700::registers::{Gpr, Swizzle};

use groups::Groups;

/// The registers that a generated program reads before it writes them: two of floats, one of integers.
pub const INPUTS: [u8; 3] = [0, 1, 2];

/// Registers that hold floats.
pub(crate) const REALS: [u8; 3] = [3, 4, 5];

/// Registers that hold integers.
pub(crate) const INTEGERS: [u8; 2] = [6, 7];

/// The constant buffer that it reads: the first eight entries hold floats, the others integers.
pub const BANK: u8 = 1;

/// Entries of that constant buffer.
pub const ENTRIES: usize = 16;

/// Loop constants that it uses; their counts have to be small.
pub const LOOPS: u8 = 4;

/// Boolean constants that it uses.
pub const BOOLEANS: u8 = 4;

/// The first of the loop counters, one for each depth of nesting.
const COUNTER: u8 = 20;

/// The deepest nest of conditions and loops.
const DEPTH: u32 = 4;

/// The most statements.
const STATEMENTS: u32 = 24;

/// A program from a seed, little-endian.
///
/// # Errors
///
/// None that is known: an error is a fault of this generator or of the assembler.
pub fn program(random: &mut Random) -> Result<Vec<u8>, AsmError> {
    let mut builder = Builder {
        random,
        items: Vec::new(),
        loops: Vec::new(),
        statements: 0,
    };
    builder.preamble();
    builder.block(0);
    builder.epilogue();
    assemble(builder.items)
}

/// A control-flow instruction in the making.
enum Item {
    /// One that is as it is, or jumps to the instruction of that number.
    Plain(CfPlain, Option<usize>),
    /// One that runs an ALU clause.
    Alu(CfAluOp, Vec<AluGroup>),
    Export(CfExport),
}

fn assemble(items: Vec<Item>) -> Result<Vec<u8>, AsmError> {
    let mut asm = Assembler::new(Chip::R700);
    let mut targets = Vec::new();
    for item in items {
        match item {
            Item::Plain(cf, target) => {
                let at = asm.cf(cf);
                targets.extend(target.map(|target| (at, target)));
            }
            Item::Alu(op, groups) => {
                let lock = Kcache {
                    bank: BANK,
                    mode: KcacheMode::LOCK_1,
                    addr: 0,
                };
                let cf = CfAlu::new(op, Chip::R700).with_kcache0(lock);
                asm.alu(cf.with_barrier(true), &groups)?;
            }
            Item::Export(export) => {
                asm.cf(export);
            }
        }
    }
    for (at, target) in targets {
        asm.set_target(at, target)?;
    }
    asm.finish()
}

/// A loop that is open.
struct Open {
    /// Instructions that lead to its LOOP_END.
    leave: Vec<usize>,
}

struct Builder<'a> {
    random: &'a mut Random,
    items: Vec<Item>,
    loops: Vec<Open>,
    statements: u32,
}

fn plain(name: &str) -> CfPlain {
    let op = CfOp::from_name(name).expect("a control-flow opcode");
    CfPlain::new(op, Chip::R700).with_barrier(true)
}

impl Builder<'_> {
    /// The number of the next instruction.
    fn here(&self) -> usize {
        self.items.len()
    }

    /// Adds an instruction; one that jumps gets its target later.
    fn cf(&mut self, cf: CfPlain) -> usize {
        self.items.push(Item::Plain(cf, None));
        self.here() - 1
    }

    fn clause(&mut self, op: CfAluOp, groups: Vec<AluGroup>) {
        self.items.push(Item::Alu(op, groups));
    }

    /// Lets the jump `at` lead to the next instruction.
    fn lands_here(&mut self, at: usize) {
        let here = self.here();
        if let Item::Plain(_, target) = &mut self.items[at] {
            *target = Some(here);
        }
    }

    fn set_pop_count(&mut self, at: usize, count: u8) {
        if let Item::Plain(cf, _) = &mut self.items[at] {
            *cf = cf.with_pop_count(count);
        }
    }

    /// Gives every data register a value, from the inputs.
    fn preamble(&mut self) {
        let mut groups = Vec::new();
        for (i, &register) in REALS.iter().chain(&INTEGERS).enumerate() {
            let from = if INTEGERS.contains(&register) {
                INPUTS[2]
            } else {
                INPUTS[i % 2]
            };
            let mov = |chan: Chan| {
                Alu::new(AluOp::named("MOV"), Chip::R700)
                    .with_src0(Source::gpr(from, chan))
                    .with_dst(Dest::new(register, chan))
                    .with_write_mask(true)
            };
            let movs = [Chan::X, Chan::Y, Chan::Z, Chan::W].map(mov);
            groups.push(AluGroup::new(movs, []));
        }
        self.clause(CfAluOp::ALU, groups);
    }

    /// Exports the data registers.
    fn epilogue(&mut self) {
        let count = REALS.len() + INTEGERS.len();
        for (i, &register) in REALS.iter().chain(&INTEGERS).enumerate() {
            let last = i + 1 == count;
            let op = if last { "EXPORT_DONE" } else { "EXPORT" };
            let op = CfOp::from_name(op).expect("an export");
            let export = CfExport::new(op, Chip::R700)
                .with_array_base(i as u16)
                .with_rw(Gpr::new(register))
                .with_elem_size(3)
                .with_sel(Swizzle::XYZW)
                .with_end_of_program(last)
                .with_barrier(true);
            self.items.push(Item::Export(export));
        }
    }

    /// A few statements; never none.
    fn block(&mut self, depth: u32) {
        for _ in 0..1 + self.random.below(3) {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u32) {
        self.statements += 1;
        let nested = depth < DEPTH && self.statements < STATEMENTS;
        match self.random.below(12) {
            0..=3 if nested => self.condition(depth),
            4..=5 if nested => self.repeat(depth),
            6..=7 if !self.loops.is_empty() => self.leave(depth),
            8 if self.random.one_in(3) => self.kill(),
            _ => self.work(),
        }
    }

    /// An ALU clause without effect on control.
    fn work(&mut self) {
        let groups = Groups::new(self.random).work();
        self.clause(CfAluOp::ALU, groups);
    }

    fn kill(&mut self) {
        let groups = Groups::new(self.random).kill();
        self.clause(CfAluOp::ALU, groups);
    }

    /// A condition: pushed by the clause that decides it, or by a PUSH of its own on a boolean constant.
    fn condition(&mut self, depth: u32) {
        if self.random.one_in(6) {
            return self.constant_condition(depth);
        }
        let groups = Groups::new(self.random).decide();
        self.clause(CfAluOp::ALU_PUSH_BEFORE, groups);
        let jump = self.cf(plain("JUMP"));
        self.block(depth + 1);
        if self.random.one_in(2) {
            self.pop();
            // Without an ELSE the jump takes the entry off the stack itself.
            self.set_pop_count(jump, 1);
            self.lands_here(jump);
            return;
        }
        // Where the jump leads there has to be an ELSE of its own: a clause with ELSE_AFTER would run.
        self.lands_here(jump);
        let swap = self.cf(plain("ELSE").with_pop_count(1));
        self.block(depth + 1);
        self.pop();
        self.lands_here(swap);
    }

    /// Pops an entry: sometimes folded into the clause before.
    fn pop(&mut self) {
        let fold = self.random.one_in(2);
        match self.items.last_mut() {
            Some(Item::Alu(op, _)) if fold && *op == CfAluOp::ALU => *op = CfAluOp::ALU_POP_AFTER,
            Some(Item::Alu(op, _)) if fold && *op == CfAluOp::ALU_POP_AFTER => {
                *op = CfAluOp::ALU_POP2_AFTER;
                self.skips_two_pops();
            }
            _ => {
                self.cf(plain("POP").with_pop_count(1));
            }
        }
    }

    /// What jumps over the clause before jumps over both of its pops now, and has to make up for the second.
    fn skips_two_pops(&mut self) {
        let here = self.here();
        for item in &mut self.items {
            if let Item::Plain(cf, Some(target)) = item
                && *target == here
                && cf.pop_count() > 0
            {
                *cf = cf.with_pop_count(cf.pop_count() + 1);
            }
        }
    }

    /// PUSH on a boolean constant, which is the same for all lanes.
    fn constant_condition(&mut self, depth: u32) {
        let cond = *self.random.pick(&[Cond::BOOL, Cond::NOT_BOOL]);
        let constant = self.random.below(u64::from(BOOLEANS)) as u8;
        let push = self.cf(plain("PUSH").with_cond(cond).with_cf_const(constant));
        self.block(depth + 1);
        self.cf(plain("POP").with_pop_count(1));
        self.lands_here(push);
    }

    fn repeat(&mut self, depth: u32) {
        let counter = COUNTER + self.loops.len() as u8;
        let forms = ["LOOP_START_DX10", "LOOP_START", "LOOP_START_NO_AL"];
        let form = *self.random.pick(&forms);
        let constant = self.random.below(u64::from(LOOPS)) as u8;
        let endless = form == "LOOP_START_DX10";
        if endless {
            self.clause(CfAluOp::ALU, vec![Groups::zero(counter)]);
        }
        let start = self.cf(plain(form).with_cf_const(if endless { 0 } else { constant }));
        self.loops.push(Open { leave: Vec::new() });
        if endless {
            let most = 1 + self.random.below(4) as u32;
            self.break_at(counter, most);
        }
        self.block(depth + 1);
        let leave = self.loops.pop().map(|open| open.leave).unwrap_or_default();
        for at in leave {
            self.lands_here(at);
        }
        let end = self.cf(plain("LOOP_END"));
        self.lands_here(start);
        if let Item::Plain(_, target) = &mut self.items[end] {
            *target = Some(start + 1);
        }
    }

    /// Counts, and breaks at `most`: in the clause itself, or in a condition around LOOP_BREAK.
    fn break_at(&mut self, counter: u8, most: u32) {
        // ALU_BREAK lets the lanes go that fail its predicate.
        let folded = self.random.one_in(3);
        let groups = vec![
            Groups::count(counter),
            Groups::reached(counter, most, !folded),
        ];
        if folded {
            return self.clause(CfAluOp::ALU_BREAK, groups);
        }
        self.clause(CfAluOp::ALU_PUSH_BEFORE, groups);
        self.guarded("LOOP_BREAK");
    }

    /// JUMP, `op`, POP.
    fn guarded(&mut self, op: &str) {
        let jump = self.cf(plain("JUMP").with_pop_count(1));
        if self.random.one_in(3) {
            self.work();
        }
        self.exit(op);
        self.cf(plain("POP").with_pop_count(1));
        self.lands_here(jump);
    }

    fn exit(&mut self, op: &str) {
        let at = self.cf(plain(op));
        if let Some(open) = self.loops.last_mut() {
            open.leave.push(at);
        }
    }

    /// A break or a continue of the innermost loop.
    fn leave(&mut self, depth: u32) {
        let (folded, op) = *self.random.pick(&[
            (CfAluOp::ALU_BREAK, "LOOP_BREAK"),
            (CfAluOp::ALU_CONTINUE, "LOOP_CONTINUE"),
        ]);
        match self.random.below(8) {
            0..=1 => {
                let groups = Groups::new(self.random).decide();
                self.clause(folded, groups);
            }
            // Without a condition, behind which there is nothing left to do; only deep down, or loops would be short.
            2 if depth >= 2 => self.exit(op),
            _ => {
                let groups = Groups::new(self.random).decide();
                self.clause(CfAluOp::ALU_PUSH_BEFORE, groups);
                self.guarded(op);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All opcodes of control flow that the generator knows come up, and every program decodes to what was meant.
    #[test]
    fn programs_are_valid_and_varied() {
        let mut seen = std::collections::BTreeSet::new();
        for stream in 0..400 {
            let mut random = Random::new(1, stream);
            let bytes = program(&mut random).expect("a program");
            let program = r700::program::decode(&bytes, Chip::R700).expect("decodes");
            assert_eq!(program.encode(), bytes);
            seen.extend(program.cf().iter().filter_map(|slot| slot.cf.op_name()));
        }
        let wanted = [
            "ALU",
            "ALU_PUSH_BEFORE",
            "ALU_POP_AFTER",
            "ALU_POP2_AFTER",
            "ALU_BREAK",
            "ALU_CONTINUE",
            "JUMP",
            "ELSE",
            "POP",
            "PUSH",
            "LOOP_START",
            "LOOP_START_DX10",
            "LOOP_START_NO_AL",
            "LOOP_END",
            "LOOP_BREAK",
            "LOOP_CONTINUE",
            "EXPORT",
            "EXPORT_DONE",
        ];
        let missing: Vec<_> = wanted.iter().filter(|op| !seen.contains(*op)).collect();
        assert!(missing.is_empty(), "{missing:?} of {seen:?}");
    }
}
