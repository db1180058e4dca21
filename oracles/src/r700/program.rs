//! The walk of a whole program, in the words of the contract ("Programs", rules 1 to 7).

use std::ops::Range;

use corpora::{FieldId, Outcome, Record, RejectClass, Section, SymbolId};

use super::compile::{Compiler, Symbol};
use super::names::{Clause, Conduct};
use super::word::{self, Layout, Words};
use super::{Core, Unit, groups};
use crate::table::TableError;

/// Bytes of a slot.
pub(super) const SLOT: usize = 8;

/// The fields that the walk reads and writes, and the names that it looks for.
#[derive(Clone, Debug)]
pub(super) struct Walker {
    pub(super) kind: FieldId,
    pub(super) clause: FieldId,
    pub(super) group: FieldId,
    pub(super) unit: FieldId,
    kind_cf: Symbol,
    pub(super) kind_alu: Symbol,
    pub(super) kind_literal: Symbol,
    kind_tex: Symbol,
    kind_vtx: Symbol,
    kind_mem: Symbol,
    /// X, Y, Z, W, T.
    pub(super) units: [Symbol; 5],
    pub(super) literal: Layout,
    tex_clause: Fetches,
    vtx_clause: Fetches,
    cf_op: FieldId,
    cf_addr: FieldId,
    cf_count: FieldId,
    cf_end_of_program: FieldId,
    pub(super) alu_op: FieldId,
    pub(super) alu_last: FieldId,
    pub(super) alu_dst_chan: FieldId,
    /// Select and channel of each operand.
    pub(super) alu_src: [(FieldId, FieldId); 3],
    pub(super) name_literal: SymbolId,
    pub(super) names_second_literal: [SymbolId; 2],
}

/// The kinds of fetch in a clause: a layout whose formats are units.
#[derive(Clone, Debug)]
struct Fetches {
    layout: Layout,
    units: Vec<Unit>,
}

impl Fetches {
    fn new(compiler: &mut Compiler<'_>, clause: &str) -> Result<Self, TableError> {
        let layout = compiler.layout(clause)?;
        let units = layout
            .format_names
            .iter()
            .map(|name| match name.as_str() {
                "vtx" => Unit::Vtx,
                "mem" => Unit::Mem,
                _ => Unit::Tex,
            })
            .collect();
        Ok(Self { layout, units })
    }

    fn unit(&self, words: &Words) -> Unit {
        self.layout
            .format(words)
            .and_then(|format| self.units.get(format).copied())
            .unwrap_or(Unit::Tex)
    }
}

impl Walker {
    pub(super) fn new(compiler: &mut Compiler<'_>) -> Result<Self, TableError> {
        let operand = |compiler: &Compiler<'_>, number| -> Result<_, TableError> {
            Ok((
                compiler.field(&format!("alu.src{number}.sel"))?,
                compiler.field(&format!("alu.src{number}.chan"))?,
            ))
        };
        Ok(Self {
            kind: compiler.field("kind")?,
            clause: compiler.field("clause")?,
            group: compiler.field("alu.group")?,
            unit: compiler.field("alu.unit")?,
            kind_cf: compiler.walk_symbol("kind", "cf"),
            kind_alu: compiler.walk_symbol("kind", "alu"),
            kind_literal: compiler.walk_symbol("kind", "literal"),
            kind_tex: compiler.walk_symbol("kind", "tex"),
            kind_vtx: compiler.walk_symbol("kind", "vtx"),
            kind_mem: compiler.walk_symbol("kind", "mem"),
            units: ["X", "Y", "Z", "W", "T"].map(|unit| compiler.walk_symbol("alu.unit", unit)),
            literal: compiler.layout("literal")?,
            tex_clause: Fetches::new(compiler, "tex_clause")?,
            vtx_clause: Fetches::new(compiler, "vtx_clause")?,
            cf_op: compiler.field("cf.op")?,
            cf_addr: compiler.field("cf.addr")?,
            cf_count: compiler.field("cf.count")?,
            cf_end_of_program: compiler.field("cf.end_of_program")?,
            alu_op: compiler.field("alu.op")?,
            alu_last: compiler.field("alu.last")?,
            alu_dst_chan: compiler.field("alu.dst.chan")?,
            alu_src: [
                operand(compiler, 0)?,
                operand(compiler, 1)?,
                operand(compiler, 2)?,
            ],
            name_literal: compiler.name("LITERAL"),
            names_second_literal: ["Z", "W"].map(|channel| compiler.name(channel)),
        })
    }
}

/// The rule that a program breaks, as the contract counts it: a class and a byte offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Broken {
    class: RejectClass,
    offset: usize,
}

impl Broken {
    pub(super) fn at_slot(class: RejectClass, slot: usize) -> Self {
        let offset = SLOT * slot;
        Self { class, offset }
    }
}

/// A program under the walk.
pub(super) struct Program<'a> {
    pub(super) core: &'a Core,
    input: &'a [u8],
    /// How many slots it has.
    slots: usize,
}

/// A clause, as a CF instruction names it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Named {
    /// The slot of the CF instruction.
    pub(super) by: usize,
    /// Its first slot.
    pub(super) start: usize,
    /// The slot after its last.
    pub(super) end: usize,
    content: Clause,
    /// The opcode that named it.
    op: u64,
}

impl Named {
    /// Rule 4: the same start, size and type.
    fn is_same(&self, other: &Self) -> bool {
        let same_type = self.content == Clause::Alu || self.op == other.op;
        (self.start, self.end, self.content) == (other.start, other.end, other.content) && same_type
    }
}

/// Who has a slot.
#[derive(Clone, Copy)]
enum Owner {
    Nobody,
    ControlFlow,
    /// The clause of that number.
    Clause(usize),
}

/// Answers for a whole program.
pub(super) fn answer(core: &Core, input: &[u8], outcome: &mut Outcome) {
    match walk(core, input, &mut outcome.record) {
        Ok(()) => outcome.accept(input.len()),
        Err(broken) => outcome.reject(broken.class, broken.offset),
    }
}

fn walk(core: &Core, input: &[u8], record: &mut Record) -> Result<(), Broken> {
    // Rule 1.
    let slots = input.len() / SLOT;
    if !input.len().is_multiple_of(SLOT) {
        return Err(Broken::at_slot(RejectClass::BadLength, slots));
    }
    if slots == 0 {
        return Err(Broken::at_slot(RejectClass::Truncated, 0));
    }
    let program = Program { core, input, slots };
    let mut clauses = Vec::new();
    let section = program.control_flow(record, &mut clauses)?;
    let mut owners = vec![Owner::Nobody; slots];
    owners[section].fill(Owner::ControlFlow);
    // Rule 4.
    for (number, clause) in clauses.iter().enumerate() {
        if let Owner::Clause(earlier) = owners[clause.start]
            && clauses[earlier].is_same(clause)
        {
            continue;
        }
        let owners = &mut owners[clause.start..clause.end];
        if owners.iter().any(|owner| !matches!(owner, Owner::Nobody)) {
            return Err(Broken::at_slot(RejectClass::Overlap, clause.by));
        }
        owners.fill(Owner::Clause(number));
        match clause.content {
            Clause::Alu => groups::clause(&program, clause, record)?,
            Clause::Tex => program.fetches(clause, &core.walker.tex_clause, record),
            Clause::Vtx => program.fetches(clause, &core.walker.vtx_clause, record),
        }
    }
    Ok(())
}

impl Program<'_> {
    /// The four words from a slot on.
    pub(super) fn words(&self, slot: usize) -> Words {
        word::words(self.input.get(SLOT * slot..).unwrap_or_default())
    }

    /// Opens the section of a slot and writes the fields of its instruction.
    pub(super) fn write(&self, slot: usize, layout: &Layout, kind: Symbol, record: &mut Record) {
        record.enter(Section::part(slot as u32));
        layout.write(&self.words(slot), record);
        record.symbol(self.core.walker.kind, kind.code, kind.name);
    }

    /// Rules 2 and 3: the section of control flow, and the clauses that it names.
    fn control_flow(
        &self,
        record: &mut Record,
        clauses: &mut Vec<Named>,
    ) -> Result<Range<usize>, Broken> {
        let (cf, walker) = (&self.core.cf, &self.core.walker);
        let mut reach = 0;
        let mut wall = self.slots;
        let mut slot = 0;
        // "It ends before slot `wall`", also when a clause starts at or before the instruction that names it.
        while slot < wall {
            let words = self.words(slot);
            self.write(slot, cf, walker.kind_cf, record);
            let value = |field| cf.read(&words, field).map_or(0, |answer| answer.value);
            let op = cf.read(&words, walker.cf_op);
            let conduct = op.map(|op| op.conduct).unwrap_or_default();
            match conduct {
                Conduct::Jump => reach = reach.max(self.target(slot, value(walker.cf_addr))?),
                Conduct::Clause(content) => {
                    let (addr, count) = (value(walker.cf_addr), value(walker.cf_count));
                    let (start, end) = self.extent(slot, content, addr, count)?;
                    wall = wall.min(start);
                    clauses.push(Named {
                        by: slot,
                        start,
                        end,
                        content,
                        op: value(walker.cf_op),
                    });
                }
                Conduct::Plain | Conduct::Vector | Conduct::Trans | Conduct::Return => {}
            }
            let ending = value(walker.cf_end_of_program) == 1 || conduct == Conduct::Return;
            if ending && reach <= slot {
                return Ok(0..slot + 1);
            }
            slot += 1;
        }
        if wall == self.slots {
            return Err(Broken::at_slot(RejectClass::Truncated, self.slots));
        }
        Ok(0..slot)
    }

    /// Rule 3, a jumping instruction: its ADDR must be a slot of the program.
    fn target(&self, slot: usize, addr: u64) -> Result<usize, Broken> {
        if addr < self.slots as u64 {
            Ok(addr as usize)
        } else {
            Err(Broken::at_slot(RejectClass::OutOfRange, slot))
        }
    }

    /// Rule 3, a clause instruction: where its clause starts, and the slot after it.
    fn extent(
        &self,
        slot: usize,
        content: Clause,
        addr: u64,
        count: u64,
    ) -> Result<(usize, usize), Broken> {
        let size = match content {
            Clause::Alu => count + 1,
            Clause::Tex | Clause::Vtx => 2 * (count + 1),
        };
        if content != Clause::Alu && !addr.is_multiple_of(2) {
            return Err(Broken::at_slot(RejectClass::Misaligned, slot));
        }
        match addr.checked_add(size) {
            Some(end) if end <= self.slots as u64 => Ok((addr as usize, end as usize)),
            _ => Err(Broken::at_slot(RejectClass::OutOfRange, slot)),
        }
    }

    /// Rule 7: the fetches of a clause, two slots each.
    fn fetches(&self, clause: &Named, fetches: &Fetches, record: &mut Record) {
        let walker = &self.core.walker;
        for slot in (clause.start..clause.end).step_by(2) {
            let (layout, kind) = match fetches.unit(&self.words(slot)) {
                Unit::Vtx => (&self.core.vtx, walker.kind_vtx),
                Unit::Mem => (&self.core.mem, walker.kind_mem),
                _ => (&self.core.tex, walker.kind_tex),
            };
            self.write(slot, layout, kind, record);
            record.unsigned(walker.clause, clause.by as u64);
        }
    }
}
