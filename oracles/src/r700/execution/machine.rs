//! The machine: a wavefront that goes through a program in lockstep.

use std::collections::BTreeMap;

use corpora::execution::{Environment, MAX_LANES, Stage};

use super::ahead::Ahead;
use super::clause::Clause;
use super::code::{Action, AluClause, Around, BranchOp, Code, Control, Lock, Scope, Window};
use super::error::{Fault, Limits, RunError};
use super::exports::{LaneOutcome, Outcome};
use super::fetch::Precision;
use super::fetches::Fetches;
use super::flow::{Constants, Flow, Next, Place};
use super::lanes;
use super::observer::{Bench, ControlRecord, Observer, Origin};
use super::operation::Context;
use super::policy::{FloatPolicy, Liberty};
use super::program::Program;
use super::registers::Registers;
use super::value::{Reason, Truth, Value};

/// Runs a program for all lanes of an environment.
pub fn run(
    program: &Program,
    environment: &Environment,
    policy: &FloatPolicy,
    limits: &Limits,
    observer: &mut dyn Observer,
) -> Result<Outcome, RunError> {
    let at_start = |fault| RunError {
        slot: 0,
        fetch_shader: false,
        fault,
    };
    check(environment).map_err(at_start)?;
    let fetch_shader = match &environment.fetch_shader {
        Some(bytes) => Some(
            program
                .fetch_shader(bytes)
                .map_err(|error| at_start(error.into()))?,
        ),
        None => None,
    };
    let mut machine = Machine::new(
        program,
        fetch_shader.as_ref(),
        environment,
        policy,
        limits,
        observer,
    );
    let mut clause = Clause::new(environment.lanes.len(), [UNLOCKED; 2]);
    match machine.go(&mut clause) {
        Ok(()) => Ok(machine.outcome()),
        Err(fault) => Err(RunError {
            slot: machine.place.slot,
            fetch_shader: machine.place.code == FETCH_SHADER,
            fault,
        }),
    }
}

const UNLOCKED: Window = Window {
    lock: Lock::None,
    bank: 0,
    line: 0,
};

/// Which of the machine's two programs is which.
const PROGRAM: usize = 0;
const FETCH_SHADER: usize = 1;

/// An environment that a wavefront can have.
fn check(environment: &Environment) -> Result<(), Fault> {
    let lanes = environment.lanes.len();
    if lanes == 0 || lanes > MAX_LANES {
        return Err(Fault::Lanes { lanes });
    }
    let last = environment.gprs.min(128).saturating_sub(1);
    for (lane, start) in environment.lanes.iter().enumerate() {
        if let Some(&register) = start.registers.keys().find(|register| **register > last) {
            return Err(Fault::Register {
                lane,
                register,
                last,
            });
        }
    }
    Ok(())
}

/// A wavefront under way.
pub(super) struct Machine<'a> {
    pub(super) environment: &'a Environment,
    pub(super) context: Context<'a>,
    /// How precisely textures are sampled.
    pub(super) precision: Precision,
    limits: &'a Limits,
    /// The program, and the fetch shader if there is one.
    codes: [Option<&'a Code>; 2],
    pub(super) place: Place,
    pub(super) flow: Flow,
    pub(super) registers: Registers,
    pub(super) bench: Bench,
    /// Room for the components of an export.
    pub(super) exported: Vec<[Option<Value>; 4]>,
    pub(super) fetches: Fetches,
    pub(super) outcomes: Vec<LaneOutcome>,
    /// The lanes that are lost.
    pub(super) lost: u64,
    /// The slot of the program at which each of them was; of one that was lost in the fetch shader the first.
    lost_at: Vec<usize>,
    groups: u64,
    control: u64,
    pub(super) observer: &'a mut dyn Observer,
}

impl<'a> Machine<'a> {
    fn new(
        program: &'a Program,
        fetch_shader: Option<&'a Code>,
        environment: &'a Environment,
        policy: &'a FloatPolicy,
        limits: &'a Limits,
        observer: &'a mut dyn Observer,
    ) -> Self {
        let count = environment.lanes.len();
        let mut helpers = 0;
        let mut used = 0;
        for (lane, start) in environment.lanes.iter().enumerate() {
            helpers |= u64::from(start.helper) << lane;
            for register in start.registers.keys() {
                used |= 1_u128 << (register & 127);
            }
        }
        let codes = [Some(&program.code), fetch_shader];
        for code in codes.into_iter().flatten() {
            used |= code.registers;
        }
        for register in environment.semantics.values() {
            used |= 1_u128 << (register & 127);
        }
        let relative = codes.into_iter().flatten().any(|code| code.relative);
        let merged = match policy.takes(Liberty::MergesCopies) {
            true => codes
                .into_iter()
                .flatten()
                .fold(0, |all, code| all | code.merged),
            false => 0,
        };
        let all = lanes::all(count);
        Self {
            environment,
            context: Context {
                policy,
                chip: program.chip(),
            },
            precision: Precision::of(policy),
            limits,
            codes,
            place: Place::default(),
            flow: Flow::new(all, all & !helpers, limits.stack),
            registers: Registers::new(environment, used, relative, merged),
            bench: Bench::new(count),
            exported: vec![[const { None }; 4]; count],
            fetches: Fetches::new(count),
            outcomes: vec![LaneOutcome::default(); count],
            lost: 0,
            lost_at: vec![0; count],
            groups: 0,
            control: 0,
            observer,
        }
    }

    fn outcome(self) -> Outcome {
        let mut lanes = self.outcomes;
        // Lanes are lost together, most often.
        let mut known: BTreeMap<usize, Ahead> = BTreeMap::new();
        for (lane, slot) in lanes.iter_mut().zip(self.lost_at) {
            let (Some(reason), Some(code)) = (lane.lost, self.codes[PROGRAM]) else {
                continue;
            };
            let ahead = known.entry(slot).or_insert_with(|| code.ahead(slot));
            lane.doubt(reason, ahead);
        }
        Outcome { lanes }
    }

    /// Goes through the program to its end.
    fn go(&mut self, clause: &mut Clause) -> Result<(), Fault> {
        loop {
            self.control += 1;
            if self.control > self.limits.control {
                return Err(Fault::Control {
                    limit: self.limits.control,
                });
            }
            let Place { code, slot } = self.place;
            let control = self.codes[code]
                .and_then(|code| code.control.get(slot as usize))
                .ok_or(Fault::NoInstruction { slot })?;
            let before = self.flow.states.active;
            let next = self.step(clause, control)?;
            // The program ends even if no lane has run the instruction (R6 p. 22).
            let ends = control.end_of_program && !matches!(next, Next::Return(_));
            let following = match next {
                Next::On => Place {
                    code,
                    slot: slot + 1,
                },
                Next::Jump(slot) => Place { code, slot },
                Next::FetchShader => Place {
                    code: FETCH_SHADER,
                    slot: 0,
                },
                Next::Return(place) => place,
            };
            let origin = self.origin(slot, before);
            self.observer.cf(&ControlRecord {
                origin,
                op: &control.name,
                next: (!ends).then_some(following.slot),
                after: self.flow.states.active,
            });
            if ends {
                return if self.flow.is_balanced() {
                    Ok(())
                } else {
                    Err(Fault::Unbalanced)
                };
            }
            self.place = following;
        }
    }

    /// One control-flow instruction and its clause.
    fn step(&mut self, clause: &mut Clause, control: &'a Control) -> Result<Next, Fault> {
        let slot = self.place.slot;
        match &control.action {
            Action::Nothing => Ok(Next::On),
            Action::Alu {
                clause: number,
                around,
                windows,
            } => {
                let found = self.codes[self.place.code].and_then(|code| code.alu.get(*number));
                let code = found.ok_or(Fault::NoInstruction { slot })?;
                self.alu(clause, code, *around, *windows, control.scope)?;
                Ok(Next::On)
            }
            Action::Fetch { clause } => {
                let found = self.codes[self.place.code].and_then(|code| code.fetches.get(*clause));
                let code = found.ok_or(Fault::NoInstruction { slot })?;
                self.fetch_clause(code, control.scope)?;
                Ok(Next::On)
            }
            Action::Branch(branch) => {
                if branch.op == BranchOp::CallFetchShader && self.codes[FETCH_SHADER].is_none() {
                    return Ok(Next::On);
                }
                if branch.op == BranchOp::Kill {
                    self.check_stage(slot, &control.name)?;
                }
                let constants = Constants {
                    booleans: self.environment.booleans,
                    loops: &self.environment.loops,
                };
                let valid = self.flow.valid;
                let next = self
                    .flow
                    .branch(branch, control.scope, constants, self.place)?;
                let killed = valid & !self.flow.valid;
                self.killed(killed);
                Ok(next)
            }
            Action::Export(export) => {
                let scope = self.flow.in_scope(control.scope);
                let origin = self.origin(slot, scope);
                self.export(export, origin);
                Ok(Next::On)
            }
            Action::Unsupported(at) => Err(self.unsupported(*at)),
        }
    }

    /// An ALU clause with what its starter does before and after it.
    fn alu(
        &mut self,
        clause: &mut Clause,
        code: &AluClause,
        around: Around,
        windows: [Window; 2],
        scope: Scope,
    ) -> Result<(), Fault> {
        if around == Around::PushBefore {
            self.flow.push()?;
        }
        let before = self.flow.states.active;
        let running = self.flow.in_scope(scope);
        self.registers.forget_temporaries();
        if running != 0 {
            clause.start(windows, running);
            for group in &code.groups {
                self.spend()?;
                self.group(clause, group)?;
            }
            self.flow.keep(clause.passing);
        }
        match around {
            Around::Nothing | Around::PushBefore => Ok(()),
            Around::PopAfter(count) => self.flow.pop(count),
            Around::ElseAfter => self.flow.invert(),
            Around::Break => self.flow.leave_after_clause(before, true),
            Around::Continue => self.flow.leave_after_clause(before, false),
        }
    }

    /// Counts a group or a fetch.
    pub(super) fn spend(&mut self) -> Result<(), Fault> {
        self.groups += 1;
        if self.groups > self.limits.groups {
            return Err(Fault::Groups {
                limit: self.limits.groups,
            });
        }
        Ok(())
    }

    /// Where a record is from.
    pub(super) fn origin(&self, slot: u32, active: u64) -> Origin {
        Origin {
            slot,
            fetch_shader: self.place.code == FETCH_SHADER,
            active,
            lost: self.lost,
            lanes: self.bench.lanes,
        }
    }

    /// Something without a meaning here was reached.
    pub(super) fn unsupported(&self, at: usize) -> Fault {
        let list = self.codes[self.place.code].map(|code| &code.unsupported);
        match list.and_then(|list| list.get(at)) {
            Some(unsupported) => Fault::Unsupported {
                slot: unsupported.slot,
                what: unsupported.what.clone(),
            },
            None => Fault::Unsupported {
                slot: self.place.slot,
                what: "an instruction".to_owned(),
            },
        }
    }

    /// Kills are for pixels: elsewhere one page has them as illegal and others as ignored (R6 p. 59, 131).
    pub(super) fn check_stage(&self, slot: u32, name: &str) -> Result<(), Fault> {
        match self.environment.stage {
            Stage::Pixel => Ok(()),
            stage => Err(Fault::Unsupported {
                slot,
                what: format!("{name} in a {} shader", stage.name()),
            }),
        }
    }

    /// A lane whose way is unsettled: it goes on with the nominal one.
    pub(super) fn lose(&mut self, lane: usize, reason: Reason) {
        if self.lost & lanes::one(lane) == 0 && self.place.code == PROGRAM {
            self.lost_at[lane] = self.place.slot as usize;
        }
        self.lost |= lanes::one(lane);
        self.outcomes[lane].lost.get_or_insert(reason);
    }

    /// Notes lanes whose valid bit has gone.
    pub(super) fn killed(&mut self, killed: u64) {
        for lane in lanes::each(killed) {
            let outcome = &mut self.outcomes[lane];
            outcome.killed = match outcome.lost {
                None => Truth::Settled(true),
                Some(reason) => Truth::Unsettled {
                    nominal: true,
                    reason,
                },
            };
        }
    }

    /// Takes the valid bit of lanes.
    pub(super) fn invalidate(&mut self, gone: u64) {
        let killed = self.flow.valid & gone;
        self.flow.valid &= !gone;
        self.killed(killed);
    }
}
