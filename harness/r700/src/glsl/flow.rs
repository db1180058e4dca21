//! The control flow of one lane, as a tree of branches and loops.
//!
//! The instructions are taken in order, as a wavefront runs them in which some other lane is always active: then no
//! jump is ever taken, and PUSH, ELSE and POP alone say when the lane takes part. A jump only skips instructions in
//! which no lane would; that is checked, so that the tree is what the hardware does whoever else is in the wavefront.

use std::collections::BTreeMap;

use super::jumps::Jumps;
use super::refusal::{Reason, Refusal};
use crate::cf::{Cf, CfAluOp, CfPlain};
use crate::codes::Cond;
use crate::program::{CfSlot, ClauseBody, Program};

/// The longest control-flow section: checks are quadratic in it.
const MOST_INSTRUCTIONS: usize = 4096;
/// The deepest nesting, so that whoever reads the tree can recurse.
const DEEPEST: usize = 200;
/// The most subroutines.
const MOST_FUNCTIONS: usize = 64;

/// When a part of the tree runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// Always.
    Always,
    /// Never.
    Never,
    /// The ALU clause that the control-flow instruction of this slot runs has left the lane active.
    Mask(usize),
    /// That clause has switched the lane off.
    Failed(usize),
    /// The boolean constant has the value.
    Boolean(u8, bool),
}

/// A part of the tree. Instructions are named by their slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    /// Runs a clause, an export, a call, a kill.
    Run(usize),
    /// An instruction that the structure stands for: a comment.
    Note(usize),
    /// The rest of the frame, loop or program, for the lanes in which the condition holds.
    Narrow(Condition, Vec<Node>),
    /// Instructions that a jump skips, for all lanes alike, unless a constant says so.
    Guard(Condition, Vec<Node>),
    /// From a PUSH to its POP: the parts between, each but the first begun by an ELSE.
    Frame(usize, Vec<Vec<Node>>),
    /// A loop: the slot of its start, the body.
    Loop(usize, Vec<Node>),
    /// Leaves the innermost loop.
    Break(Condition),
    /// Goes on with the next iteration of the innermost loop.
    Continue(Condition),
}

/// The control flow of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flow {
    pub(crate) main: Vec<Node>,
    /// The subroutines by their first slots, callees before callers.
    pub(crate) functions: Vec<(usize, Vec<Node>)>,
}

/// Finds the structure of a program.
pub(crate) fn structure(program: &Program) -> Result<Flow, Refusal> {
    let count = program.cf().len();
    if count > MOST_INSTRUCTIONS {
        let why = format!("{count} instructions, at most {MOST_INSTRUCTIONS} are looked at");
        return Err(Refusal::new(0, Reason::Unstructured(why)));
    }
    let mut calls = Vec::new();
    let main = Builder::new(program, 0, false)?.build(&mut calls)?;
    let mut bodies: BTreeMap<usize, Vec<Node>> = BTreeMap::new();
    let mut callees: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
    let mut work = calls.clone();
    while let Some((at, target)) = work.pop() {
        if bodies.contains_key(&target) {
            continue;
        }
        if bodies.len() == MOST_FUNCTIONS || target >= count {
            let why = "a CALL leads out of the control flow, or there are too many subroutines";
            return Err(Refusal::new(at, Reason::Unstructured(why.into())));
        }
        let mut inner = Vec::new();
        let body = Builder::new(program, target, true)?.build(&mut inner)?;
        bodies.insert(target, body);
        work.extend(&inner);
        callees.insert(target, inner);
    }
    let mut order = Vec::new();
    for (at, target) in calls {
        depth_first(at, target, 1, &callees, &mut order)?;
    }
    let functions = order
        .into_iter()
        .filter_map(|target| Some((target, bodies.remove(&target)?)))
        .collect();
    Ok(Flow { main, functions })
}

/// Puts the subroutine `target` behind all that it calls. Calls nest 32 deep on the hardware.
fn depth_first(
    at: usize,
    target: usize,
    depth: usize,
    callees: &BTreeMap<usize, Vec<(usize, usize)>>,
    order: &mut Vec<usize>,
) -> Result<(), Refusal> {
    if order.contains(&target) {
        return Ok(());
    }
    if depth > 32 {
        let why = "calls nest deeper than 32, or a subroutine calls itself";
        return Err(Refusal::new(at, Reason::Unstructured(why.into())));
    }
    for (inner_at, inner) in &callees[&target] {
        depth_first(*inner_at, *inner, depth + 1, callees, order)?;
    }
    order.push(target);
    Ok(())
}

/// A part that is not over yet.
enum Open {
    Root,
    Function,
    Narrow(Condition),
    Guard { condition: Condition, until: usize },
    Frame { push: usize, parts: Vec<Vec<Node>> },
    Loop { start: usize, end: usize },
}

struct Builder<'a> {
    program: &'a Program,
    jumps: Jumps,
    start: usize,
    open: Vec<(Open, Vec<Node>)>,
}

impl<'a> Builder<'a> {
    fn new(program: &'a Program, start: usize, function: bool) -> Result<Self, Refusal> {
        let root = if function { Open::Function } else { Open::Root };
        Ok(Self {
            program,
            jumps: Jumps::of(program, start, function),
            start,
            open: vec![(root, Vec::new())],
        })
    }

    fn build(mut self, calls: &mut Vec<(usize, usize)>) -> Result<Vec<Node>, Refusal> {
        let program = self.program;
        for CfSlot { slot, cf, .. } in &program.cf()[self.start..] {
            self.end_guards(*slot)?;
            let over = match cf {
                Cf::Plain(cf) => self.plain(*slot, cf, calls)?,
                Cf::Alu(cf) => {
                    self.alu(*slot, cf.op())?;
                    false
                }
                Cf::Export(_) => {
                    self.node(Node::Run(*slot));
                    false
                }
                Cf::Reserved(cf) => {
                    let name = format!("with the reserved opcode {}", cf.op().code());
                    return Err(Refusal::new(*slot, Reason::ControlFlow(name)));
                }
            };
            if self.open.len() > DEEPEST {
                return self.refuse(*slot, format!("nested deeper than {DEEPEST}"));
            }
            if over || cf.end_of_program() == Some(true) {
                return self.finish(*slot, over);
            }
        }
        let last = program.cf().len() - 1;
        match self.open[0].0 {
            Open::Function => self.refuse(last, "a subroutine without RETURN".into()),
            // The section ended before a clause: what follows is no control flow.
            _ => self.finish(last, false),
        }
    }

    /// Closes what is open at the end of the program or, at a RETURN, of a subroutine.
    fn finish(mut self, slot: usize, returned: bool) -> Result<Vec<Node>, Refusal> {
        while self.open.len() > 1 {
            match self.open.last() {
                Some((Open::Narrow(_) | Open::Guard { .. } | Open::Frame { .. }, _))
                    if !returned =>
                {
                    self.close();
                }
                _ => return self.refuse(slot, "it ends inside of a branch or a loop".into()),
            }
        }
        match self.open.pop() {
            Some((Open::Function, nodes)) if returned => Ok(nodes),
            Some((Open::Root, nodes)) if !returned => Ok(nodes),
            Some((Open::Root, _)) => self.refuse(slot, "RETURN outside of a subroutine".into()),
            _ => self.refuse(slot, "the program ends in a subroutine".into()),
        }
    }

    fn refuse<T>(&self, slot: usize, why: String) -> Result<T, Refusal> {
        Err(Refusal::new(slot, Reason::Unstructured(why)))
    }

    fn node(&mut self, node: Node) {
        if let Some((_, nodes)) = self.open.last_mut() {
            nodes.push(node);
        }
    }

    fn begin(&mut self, open: Open) {
        self.open.push((open, Vec::new()));
    }

    fn narrow(&mut self, condition: Condition) {
        if condition != Condition::Always {
            self.begin(Open::Narrow(condition));
        }
    }

    /// Closes the innermost part; never the root.
    fn close(&mut self) {
        let Some((open, nodes)) = self.open.pop() else {
            return;
        };
        let node = match open {
            Open::Narrow(condition) => Node::Narrow(condition, nodes),
            Open::Guard { condition, .. } => Node::Guard(condition, nodes),
            Open::Frame { push, mut parts } => {
                parts.push(nodes);
                Node::Frame(push, parts)
            }
            Open::Loop { start, .. } => Node::Loop(start, nodes),
            Open::Root | Open::Function => return,
        };
        self.node(node);
    }

    /// Closes the guards of the jumps that lead to `slot`.
    fn end_guards(&mut self, slot: usize) -> Result<(), Refusal> {
        while self
            .open
            .iter()
            .any(|(open, _)| matches!(open, Open::Guard { until, .. } if *until == slot))
        {
            match self.open.last() {
                Some((Open::Guard { .. }, _)) => self.close(),
                _ => return self.refuse(slot, "a jump leads into a branch".into()),
            }
        }
        Ok(())
    }

    fn pop(&mut self, slot: usize, count: u8) -> Result<(), Refusal> {
        for _ in 0..count {
            loop {
                let is_frame = match self.open.last() {
                    Some((Open::Narrow(_) | Open::Guard { .. }, _)) => false,
                    Some((Open::Frame { .. }, _)) => true,
                    _ => return self.refuse(slot, "a POP without a PUSH before it".into()),
                };
                self.close();
                if is_frame {
                    break;
                }
            }
        }
        Ok(())
    }

    fn other(&mut self, slot: usize) -> Result<(), Refusal> {
        while let Some((Open::Narrow(_) | Open::Guard { .. }, _)) = self.open.last() {
            self.close();
        }
        match self.open.last_mut() {
            Some((Open::Frame { parts, .. }, nodes)) => {
                parts.push(std::mem::take(nodes));
                Ok(())
            }
            _ => self.refuse(slot, "an ELSE without a PUSH before it".into()),
        }
    }

    fn push(&mut self, slot: usize) {
        self.begin(Open::Frame {
            push: slot,
            parts: Vec::new(),
        });
    }

    fn check_jump(&self, slot: usize, target: u32, pops: u8) -> Result<(), Refusal> {
        match self.jumps.check(slot, target as usize, pops) {
            Ok(()) => Ok(()),
            Err(why) => self.refuse(slot, format!("the jump to slot {target} {why}")),
        }
    }

    fn alu(&mut self, slot: usize, op: CfAluOp) -> Result<(), Refusal> {
        if op == CfAluOp::ALU_PUSH_BEFORE {
            self.push(slot);
        }
        self.node(Node::Run(slot));
        let condition = match masks(self.program, slot) {
            true => Condition::Mask(slot),
            false => Condition::Always,
        };
        match op {
            CfAluOp::ALU_BREAK | CfAluOp::ALU_CONTINUE => {
                self.innermost_loop(slot)?;
                // PUSH, the clause, ELSE, break or continue, POP: it is for the lanes that fail.
                let failed = match condition {
                    Condition::Mask(slot) => Condition::Failed(slot),
                    _ => Condition::Never,
                };
                self.node(if op == CfAluOp::ALU_BREAK {
                    Node::Break(failed)
                } else {
                    Node::Continue(failed)
                });
                Ok(())
            }
            CfAluOp::ALU | CfAluOp::ALU_PUSH_BEFORE => {
                self.narrow(condition);
                Ok(())
            }
            CfAluOp::ALU_ELSE_AFTER => {
                self.narrow(condition);
                self.other(slot)
            }
            CfAluOp::ALU_POP_AFTER => self.pop(slot, 1),
            CfAluOp::ALU_POP2_AFTER => self.pop(slot, 2),
            _ => Err(Refusal::new(
                slot,
                Reason::ControlFlow("ALU 12, which is reserved".into()),
            )),
        }
    }

    fn innermost_loop(&self, slot: usize) -> Result<usize, Refusal> {
        let found = self.open.iter().rev().find_map(|(open, _)| match open {
            Open::Loop { end, .. } => Some(*end),
            _ => None,
        });
        match found {
            Some(end) => Ok(end),
            None => self.refuse(slot, "a break or continue outside of a loop".into()),
        }
    }

    /// Takes an instruction of the plain format; whether the subroutine is over with it.
    fn plain(
        &mut self,
        slot: usize,
        cf: &CfPlain,
        calls: &mut Vec<(usize, usize)>,
    ) -> Result<bool, Refusal> {
        let name = cf.op().name(cf.chip()).unwrap_or("reserved");
        let condition = match cf.cond() {
            Cond::ACTIVE => Condition::Always,
            Cond::FALSE => Condition::Never,
            Cond::BOOL => Condition::Boolean(cf.cf_const(), true),
            _ => Condition::Boolean(cf.cf_const(), false),
        };
        let needs_active = || match condition {
            Condition::Always => Ok(()),
            _ => Err(Refusal::new(
                slot,
                Reason::ControlFlow(format!("{name} with COND {}", cf.cond())),
            )),
        };
        match name {
            "NOP" | "WAIT_ACK" => self.node(Node::Note(slot)),
            "TEX" | "VTX" | "VTX_TC" | "TEX_ACK" | "VTX_ACK" | "VTX_TC_ACK" | "KILL" => {
                needs_active()?;
                self.node(Node::Run(slot));
            }
            "PUSH" => {
                self.check_jump(slot, cf.addr(), cf.pop_count())?;
                self.push(slot);
                self.node(Node::Note(slot));
                self.narrow(condition);
            }
            "POP_PUSH" => {
                self.pop(slot, cf.pop_count())?;
                self.check_jump(slot, cf.addr(), 0)?;
                self.push(slot);
                self.node(Node::Note(slot));
                self.narrow(condition);
            }
            "JUMP" | "POP_JUMP" => {
                let pops = if name == "JUMP" {
                    cf.pop_count()
                } else {
                    self.pop(slot, cf.pop_count())?;
                    0
                };
                self.check_jump(slot, cf.addr(), pops)?;
                self.node(Node::Note(slot));
                if condition != Condition::Always {
                    let until = cf.addr() as usize;
                    self.begin(Open::Guard { condition, until });
                }
            }
            "ELSE" => {
                needs_active()?;
                self.check_jump(slot, cf.addr(), cf.pop_count())?;
                self.other(slot)?;
                self.node(Node::Note(slot));
            }
            "POP" => {
                self.node(Node::Note(slot));
                self.pop(slot, cf.pop_count())?;
                self.narrow(condition);
            }
            "LOOP_START" | "LOOP_START_NO_AL" | "LOOP_START_DX10" => {
                let end = (cf.addr() as usize).wrapping_sub(1);
                if self.jumps.loop_of(end) != Some(slot) {
                    return self.refuse(slot, format!("{name} does not lead behind its LOOP_END"));
                }
                if condition != Condition::Always {
                    // Closed together with the loop.
                    self.begin(Open::Guard {
                        condition,
                        until: end + 1,
                    });
                }
                self.begin(Open::Loop { start: slot, end });
            }
            "LOOP_END" => {
                needs_active()?;
                while let Some((Open::Narrow(_), _)) = self.open.last() {
                    self.close();
                }
                match self.open.last() {
                    Some((Open::Loop { start, .. }, _)) if start + 1 == cf.addr() as usize => {
                        self.close()
                    }
                    _ => {
                        return self.refuse(slot, "LOOP_END does not lead behind its start".into());
                    }
                }
            }
            "LOOP_BREAK" | "LOOP_CONTINUE" => {
                let end = self.innermost_loop(slot)?;
                if cf.addr() as usize != end {
                    return self.refuse(slot, format!("{name} does not lead to LOOP_END"));
                }
                self.node(Node::Note(slot));
                self.node(if name == "LOOP_BREAK" {
                    Node::Break(condition)
                } else {
                    Node::Continue(condition)
                });
            }
            "CALL" | "CALL_FS" => {
                if cf.pop_count() != 0 {
                    return Err(Refusal::new(
                        slot,
                        Reason::ControlFlow(format!("{name} with POP_COUNT")),
                    ));
                }
                if name == "CALL" {
                    calls.push((slot, cf.addr() as usize));
                }
                match condition {
                    Condition::Always => self.node(Node::Run(slot)),
                    _ => self.node(Node::Guard(condition, vec![Node::Run(slot)])),
                }
            }
            "RETURN" => {
                needs_active()?;
                return Ok(true);
            }
            _ => return Err(Refusal::new(slot, Reason::ControlFlow(name.into()))),
        }
        Ok(false)
    }
}

/// Whether the clause that the instruction of `slot` runs changes the active mask.
pub(crate) fn masks(program: &Program, slot: usize) -> bool {
    let clause = program.cf().get(slot).and_then(|cf| cf.clause);
    match clause.map(|index| &program.clauses()[index].body) {
        Some(ClauseBody::Alu(clause)) => clause
            .instructions()
            .iter()
            .any(|slot| slot.alu.update_execute_mask()),
        _ => false,
    }
}
