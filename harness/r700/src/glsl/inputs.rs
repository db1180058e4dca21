//! Which channels of registers are read before they are written, on some path.

use std::collections::BTreeMap;
use std::ops::{BitAnd, BitOr, Not};

use super::flow::{Condition, Flow, Node};
use crate::alu::{SourceKind, flags};
use crate::cf::{Cf, CfExport};
use crate::clause::AluClause;
use crate::codes::PredSel;
use crate::fetch::Fetch;
use crate::program::{ClauseBody, Program};

/// A set of channels of registers: a bit for each register, by channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Channels([u128; 4]);

impl Channels {
    /// Everything: what holds where no path leads.
    const ALL: Self = Self([u128::MAX; 4]);

    pub(crate) fn insert(&mut self, gpr: u8, chan: u8) {
        self.0[usize::from(chan & 3)] |= 1 << (gpr & 127);
    }

    /// The channels of a register, X lowest.
    pub(crate) fn of(&self, gpr: u8) -> u8 {
        (0..4).fold(0, |mask, chan| {
            mask | ((self.0[chan] >> (gpr & 127) & 1) as u8) << chan
        })
    }
}

impl BitAnd for Channels {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

impl BitOr for Channels {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl Not for Channels {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0.map(|bits| !bits))
    }
}

/// Where a Narrow stands: what a lane does that is out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    /// Waits behind the frame or at the end.
    Branch,
    /// Is done with the loop.
    Loop,
}

/// What a subroutine reads before it writes it, and what it writes on every path.
type Summary = (Channels, Channels);

/// What CALL_FS does.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FetchShader {
    /// The channels that it reads.
    pub(crate) read: Channels,
    /// The channels that it writes.
    pub(crate) written: Channels,
}

/// The inputs of a program. `indexable` are the registers, from 0, that an indexed
/// read may reach.
pub(crate) fn inputs(
    program: &Program,
    flow: &Flow,
    fetch_shader: FetchShader,
    indexable: u8,
) -> Channels {
    let mut scan = Scan {
        program,
        fetch_shader,
        indexable,
        functions: BTreeMap::new(),
        read: Channels::default(),
        breaks: Vec::new(),
    };
    for (slot, body) in &flow.functions {
        scan.read = Channels::default();
        let written = scan.nodes(body, Channels::default(), Level::Branch);
        scan.functions.insert(*slot, (scan.read, written));
    }
    scan.read = Channels::default();
    scan.nodes(&flow.main, Channels::default(), Level::Branch);
    scan.read
}

struct Scan<'a> {
    program: &'a Program,
    fetch_shader: FetchShader,
    indexable: u8,
    functions: BTreeMap<usize, Summary>,
    read: Channels,
    /// What is written wherever the loops that are open are left.
    breaks: Vec<Channels>,
}

impl Scan<'_> {
    /// Takes nodes in which `written` is written at the start. Answers what is at the end.
    fn nodes(&mut self, nodes: &[Node], mut written: Channels, level: Level) -> Channels {
        for node in nodes {
            match node {
                Node::Run(slot) => self.run(*slot, &mut written),
                Node::Narrow(_, rest) => {
                    if level == Level::Loop {
                        self.leave(written);
                        written = self.nodes(rest, written, level);
                    } else {
                        written = written & self.nodes(rest, written, level);
                    }
                }
                Node::Note(_) | Node::Guard(Condition::Never, _) => {}
                Node::Guard(_, body) => written = written & self.nodes(body, written, level),
                Node::Frame(_, parts) => written = self.frame(parts, written),
                Node::Loop(start, body) => {
                    self.breaks.push(Channels::ALL);
                    self.nodes(body, written, Level::Loop);
                    let left = self.breaks.pop().unwrap_or(Channels::ALL);
                    // A loop with a count may have no iteration at all.
                    if is_endless(self.program, *start) && left != Channels::ALL {
                        written = left;
                    }
                }
                Node::Break(condition) => {
                    self.leave(written);
                    if *condition == Condition::Always {
                        return Channels::ALL;
                    }
                }
                Node::Continue(Condition::Always) => return Channels::ALL,
                Node::Continue(_) => {}
            }
        }
        written
    }

    fn leave(&mut self, written: Channels) {
        if let Some(left) = self.breaks.last_mut() {
            *left = *left & written;
        }
    }

    /// The parts of a frame. A lane that its first part switches off has run at least what stands before.
    fn frame(&mut self, parts: &[Vec<Node>], written: Channels) -> Channels {
        let Some((first, others)) = parts.split_first() else {
            return written;
        };
        if others.is_empty() {
            return self.nodes(first, written, Level::Branch);
        }
        let narrow = first
            .iter()
            .position(|node| matches!(node, Node::Narrow(..) | Node::Guard(..)));
        let (before, after) = first.split_at(narrow.unwrap_or(first.len()));
        let switched = self.nodes(before, written, Level::Branch);
        let mut end = match after {
            [Node::Narrow(_, rest)] => self.nodes(rest, switched, Level::Branch),
            _ => self.nodes(after, switched, Level::Branch),
        };
        for part in others {
            end = end & self.nodes(part, switched, Level::Branch);
        }
        if others.len() > 1 {
            end & switched
        } else {
            end
        }
    }

    fn run(&mut self, slot: usize, written: &mut Channels) {
        let Some(instruction) = self.program.cf().get(slot) else {
            return;
        };
        if let Some(clause) = instruction.clause {
            match &self.program.clauses()[clause].body {
                ClauseBody::Alu(clause) => self.alu(clause, written),
                ClauseBody::Fetch(fetches) => {
                    for slot in fetches {
                        self.fetch(&slot.fetch, written);
                    }
                }
            }
            return;
        }
        match &instruction.cf {
            Cf::Export(export) => self.export(export, *written),
            Cf::Plain(cf) => match cf.op().name(cf.chip()) {
                Some("CALL_FS") => {
                    self.read = self.read | self.fetch_shader.read & !*written;
                    *written = *written | self.fetch_shader.written;
                }
                Some("CALL") => {
                    if let Some((read, always)) = self.functions.get(&(cf.addr() as usize)).copied()
                    {
                        self.read = self.read | read & !*written;
                        *written = *written | always;
                    }
                }
                _ => {}
            },
            _ => {}
        }
    }

    fn reads(&mut self, gpr: u8, rel: bool, chan: u8, written: &Channels) {
        let mut read = Channels::default();
        if rel {
            for gpr in 0..self.indexable {
                read.insert(gpr, chan);
            }
        } else {
            read.insert(gpr, chan);
        }
        self.read = self.read | read & !*written;
    }

    fn alu(&mut self, clause: &AluClause, written: &mut Channels) {
        for group in clause.groups() {
            for slot in group.instructions {
                let operands = usize::from(slot.alu.op().info().operands);
                for source in slot.alu.sources().take(operands) {
                    if let SourceKind::Gpr(gpr) = source.sel().kind() {
                        self.reads(gpr, source.rel(), source.chan().code(), written);
                    }
                }
            }
            for slot in group.instructions {
                let dst = slot.alu.dst();
                let always = slot.alu.pred_sel() == PredSel::OFF && !dst.rel();
                let op = slot.alu.op();
                let has_result = op.name() != Some("NOP") && !op.info().flags.contains(flags::MOVA);
                if slot.alu.writes_dst() && always && has_result {
                    written.insert(dst.gpr(), dst.chan().code());
                }
            }
        }
    }

    fn fetch(&mut self, fetch: &Fetch, written: &mut Channels) {
        match fetch {
            Fetch::Tex(tex) => {
                for sel in tex
                    .src_sel()
                    .selects()
                    .into_iter()
                    .filter(|sel| sel.code() < 4)
                {
                    self.reads(tex.src().gpr(), tex.src().rel(), sel.code(), written);
                }
                let sets = matches!(tex.op_name(), Some("SET_GRADIENTS_H" | "SET_GRADIENTS_V"));
                if !tex.dst().rel() && !sets {
                    self.writes(tex.dst().gpr(), tex.dst_sel(), written);
                }
            }
            Fetch::Vtx(vtx) => {
                self.reads(
                    vtx.src().gpr(),
                    vtx.src().rel(),
                    vtx.src_sel_x().code(),
                    written,
                );
                if let Some(dst) = vtx.dst().filter(|dst| !dst.rel()) {
                    self.writes(dst.gpr(), vtx.dst_sel(), written);
                }
            }
            Fetch::Mem(_) => {}
        }
    }

    fn writes(&mut self, gpr: u8, sel: crate::registers::Swizzle, written: &mut Channels) {
        for (chan, sel) in (0..4).zip(sel.selects()) {
            if sel.code() < 6 {
                written.insert(gpr, chan);
            }
        }
    }

    fn export(&mut self, export: &CfExport, written: Channels) {
        let Some(sel) = export.sel() else {
            return;
        };
        for n in 0..=export.burst_count() {
            let gpr = export.rw().gpr() + n;
            for sel in sel.selects().into_iter().filter(|sel| sel.code() < 4) {
                if gpr < 128 {
                    self.reads(gpr, export.rw().rel(), sel.code(), &written);
                }
            }
        }
    }
}

/// Whether a loop has no count: only breaks leave it.
pub(crate) fn is_endless(program: &Program, start: usize) -> bool {
    program.cf().get(start).and_then(|slot| slot.cf.op_name()) == Some("LOOP_START_DX10")
}
