//! The decoder of microcode as an implementation under test.

use std::sync::Arc;

use corpora::{Implementation, OptionError, Options, Outcome, Record, RejectClass, Section};
use r700::alu::Alu;
use r700::cf::Cf;
use r700::clause::AluClause;
use r700::fetch::{Fetch, Mem, Tex, Vtx};
use r700::program::{Clause, ClauseBody, FetchSlot, Program};
use r700::{Chip, program, words};

use super::ids::Ids;
use super::names::Names;
use super::unit::Emit;

/// What an input is decoded as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Program,
    Cf,
    Alu,
    Tex,
    Vtx,
    Mem,
}

const UNITS: [(&str, Unit); 6] = [
    ("program", Unit::Program),
    ("cf", Unit::Cf),
    ("alu", Unit::Alu),
    ("tex", Unit::Tex),
    ("vtx", Unit::Vtx),
    ("mem", Unit::Mem),
];

const CHIPS: [(&str, Chip); 2] = [("r600", Chip::R600), ("r700", Chip::R700)];

fn choose<T: Copy>(name: &str, value: &str, from: &[(&str, T)]) -> Result<T, OptionError> {
    from.iter()
        .find(|(known, _)| *known == value)
        .map(|(_, choice)| *choice)
        .ok_or_else(|| {
            let allowed: Vec<_> = from.iter().map(|(known, _)| *known).collect();
            OptionError {
                name: name.to_owned(),
                value: value.to_owned(),
                allowed: allowed.join(", "),
            }
        })
}

/// Reads the options of the target.
pub(super) fn options(options: &Options) -> Result<(Unit, Chip), OptionError> {
    let (mut unit, mut chip) = (Unit::Program, Chip::R700);
    for (name, value) in options.iter() {
        match name {
            "unit" => unit = choose(name, value, &UNITS)?,
            "chip" => chip = choose(name, value, &CHIPS)?,
            _ => {
                return Err(OptionError {
                    name: name.to_owned(),
                    value: value.to_owned(),
                    allowed: "the options unit and chip".to_owned(),
                });
            }
        }
    }
    Ok((unit, chip))
}

/// What all subjects of a run share.
pub(super) struct Shared {
    pub(super) ids: Ids,
    pub(super) names: Names,
}

/// The decoder under test.
pub(super) struct Subject {
    shared: Arc<Shared>,
    unit: Unit,
    chip: Chip,
}

impl Subject {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Self {
            shared,
            unit: Unit::Program,
            chip: Chip::R700,
        }
    }
}

fn reject(error: &r700::Error, outcome: &mut Outcome) {
    match RejectClass::from_name(error.class().as_str()) {
        Some(class) => outcome.reject(class, error.offset()),
        None => outcome.unsupported(error.class().as_str()),
    }
}

impl Implementation for Subject {
    fn name(&self) -> &str {
        "r700 decoder"
    }

    fn select(&mut self, given: &Options) -> Result<(), OptionError> {
        (self.unit, self.chip) = options(given)?;
        Ok(())
    }

    #[inline]
    fn answer(&mut self, input: &[u8], outcome: &mut Outcome) {
        let Shared { ids, names } = &*self.shared;
        let chip = self.chip;
        if self.unit == Unit::Program {
            match program::decode(input, chip) {
                Ok(program) => {
                    emit_program(&program, ids, names, &mut outcome.record);
                    outcome.accept(input.len());
                }
                Err(error) => reject(&error, outcome),
            }
            return;
        }
        let mut emit = Emit {
            ids,
            names,
            record: &mut outcome.record,
        };
        let consumed = match self.unit {
            Unit::Cf => words::read::<2>(input).map(|words| {
                emit.cf(&Cf::decode(words, chip));
                8
            }),
            Unit::Alu => words::read::<2>(input).map(|words| {
                emit.alu(&Alu::decode(words, chip));
                8
            }),
            Unit::Tex => words::read::<4>(input).map(|words| {
                emit.tex(&Tex::decode(words, chip));
                16
            }),
            Unit::Vtx => words::read::<4>(input).map(|words| {
                emit.vtx(&Vtx::decode(words, chip));
                16
            }),
            Unit::Mem if chip == Chip::R600 => {
                outcome.unsupported("memory fetches of r600");
                return;
            }
            Unit::Mem => words::read::<4>(input).map(|words| {
                emit.mem(&Mem::decode(words));
                16
            }),
            Unit::Program => return,
        };
        match consumed {
            Ok(consumed) => outcome.accept(consumed),
            Err(error) => reject(&error, outcome),
        }
    }
}

/// Section kinds, with the numbers of the vocabulary.
pub(super) mod kind {
    pub(super) const CF: usize = 0;
    pub(in super::super) const ALU: usize = 1;
    pub(super) const LITERAL: usize = 2;
    pub(super) const TEX: usize = 3;
    pub(super) const VTX: usize = 4;
    pub(super) const MEM: usize = 5;
}

fn emit_program(program: &Program, ids: &Ids, names: &Names, record: &mut Record) {
    let mut emit = Emit { ids, names, record };
    emit_control_flow(program, &mut emit);
    for clause in program.clauses() {
        match &clause.body {
            ClauseBody::Alu(alu) => emit_alu_clause(clause, alu, &mut emit),
            ClauseBody::Fetch(fetches) => emit_fetch_clause(clause, fetches, &mut emit),
        }
    }
}

/// Begins the section of a slot.
pub(super) fn enter(emit: &mut Emit<'_>, slot: usize) {
    emit.record.enter(Section::part(slot as u32));
}

/// Says what the slot is, behind the fields of its unit as in the vocabulary.
pub(super) fn describe(emit: &mut Emit<'_>, kind: usize, clause: Option<&Clause>) {
    let (ids, names) = (emit.ids, emit.names);
    emit.record.symbol(ids.kind, kind as u32, names.kind[kind]);
    if let Some(clause) = clause {
        emit.unsigned(ids.clause, clause.cf_slot as u64);
    }
}

pub(super) fn emit_control_flow(program: &Program, emit: &mut Emit<'_>) {
    for instruction in program.cf() {
        enter(emit, instruction.slot);
        emit.cf(&instruction.cf);
        describe(emit, kind::CF, None);
    }
}

fn emit_alu_clause(clause: &Clause, alu: &AluClause, emit: &mut Emit<'_>) {
    for group in alu.groups() {
        for instruction in group.instructions {
            enter(emit, instruction.slot);
            emit.alu(&instruction.alu);
            describe(emit, kind::ALU, Some(clause));
            emit.placed(instruction.group, instruction.unit);
        }
        for literal in group.literals {
            enter(emit, literal.slot);
            describe(emit, kind::LITERAL, Some(clause));
            let ids = emit.ids;
            emit.unsigned(ids.alu_group, literal.group as u64);
            emit.unsigned(ids.literal_x, literal.words[0]);
            emit.unsigned(ids.literal_y, literal.words[1]);
        }
    }
}

pub(super) fn emit_fetch_clause(clause: &Clause, fetches: &[FetchSlot], emit: &mut Emit<'_>) {
    for fetch in fetches {
        let kind = match fetch.fetch {
            Fetch::Tex(_) => kind::TEX,
            Fetch::Vtx(_) => kind::VTX,
            Fetch::Mem(_) => kind::MEM,
        };
        enter(emit, fetch.slot);
        emit.fetch(&fetch.fetch);
        describe(emit, kind, Some(clause));
    }
}
