//! What a program reads beside itself, by its own instructions.

use std::collections::{BTreeMap, BTreeSet};

use super::{Program, ProgramError};
use crate::r700::execution::code::{
    Action, AluClause, Around, BranchOp, Code, Condition, Control, Destination, Export, Fetch,
    FetchClause, FetchKind, Group, Lock, Predicate, Select, Source, Window,
};
use crate::r700::execution::fetch::{self, TextureFetch, TextureOperation};

/// What a program reads: with all of it in its environment, a run finds nothing missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// The registers that it may read before it has written them, a bit each. An index may mean all up to the highest that
    /// the program names.
    pub registers: u128,
    /// Whether it reads the constant file.
    pub constants: bool,
    /// The constant buffers by bank, and how many entries its locks reach.
    pub blocks: BTreeMap<u8, usize>,
    /// The vertex fetch resources by BUFFER_ID.
    pub buffers: BTreeSet<u8>,
    /// The texture resources by RESOURCE_ID, and whether one is compared.
    pub textures: BTreeMap<u8, bool>,
    /// The samplers by SAMPLER_ID, and whether one compares.
    pub samplers: BTreeMap<u8, bool>,
    /// The literals and inline constants among its operands.
    pub words: BTreeSet<u32>,
}

/// Entries of a line of the constant cache.
const LINE: usize = 16;

/// Lines that a loop index is given to move a lock by.
const LOOP_LINES: usize = 4;

impl Program {
    /// What the program reads, together with what CALL_FS runs.
    ///
    /// # Errors
    ///
    /// If the fetch shader cannot be decoded.
    pub fn reads(&self, fetch_shader: Option<&[u8]>) -> Result<Reads, ProgramError> {
        let called = fetch_shader
            .map(|bytes| self.fetch_shader(bytes))
            .transpose()?;
        let mut scan = Scan {
            reads: Reads::default(),
            written: [0; 4],
            straight: true,
            indexes: false,
            called: called.as_ref(),
        };
        scan.code(&self.code);
        let named = self.code.registers | called.as_ref().map_or(0, |code| code.registers);
        let Scan {
            mut reads, indexes, ..
        } = scan;
        if indexes {
            reads.registers |= u128::MAX.checked_shr(named.leading_zeros()).unwrap_or(0);
        }
        Ok(reads)
    }
}

/// A way through the text of a program.
struct Scan<'a> {
    reads: Reads,
    /// The components that all lanes have written, a bit for each register, by channel.
    written: [u128; 4],
    /// Whether there was no branch yet, so that all lanes have come this way.
    straight: bool,
    /// Whether a register is read by an index.
    indexes: bool,
    called: Option<&'a Code>,
}

impl<'a> Scan<'a> {
    fn code(&mut self, code: &'a Code) {
        for control in &code.control {
            self.control(code, control);
        }
    }

    fn control(&mut self, code: &'a Code, control: &Control) {
        // Lanes that are not valid sit such an instruction out.
        let all = !control.scope.valid;
        match &control.action {
            Action::Nothing | Action::Unsupported(_) => {}
            Action::Alu {
                clause,
                around,
                windows,
            } => {
                if let Some(clause) = code.alu.get(*clause) {
                    self.alu(clause, *windows, all);
                }
                self.straight &= *around == Around::Nothing;
            }
            Action::Fetch { clause } => {
                if let Some(clause) = code.fetches.get(*clause) {
                    self.fetches(clause, all);
                }
            }
            Action::Branch(branch) => match (branch.op, branch.condition, self.called.take()) {
                (BranchOp::CallFetchShader, Condition::Active, Some(called)) => self.code(called),
                (BranchOp::CallFetchShader, _, Some(called)) => {
                    self.straight = false;
                    self.code(called);
                }
                (BranchOp::CallFetchShader | BranchOp::Return, ..) => {}
                (_, _, called) => {
                    self.called = called;
                    self.straight = false;
                }
            },
            Action::Export(export) => self.export(export),
        }
    }

    fn alu(&mut self, clause: &AluClause, windows: [Window; 2], all: bool) {
        for group in &clause.groups {
            self.operands(group, windows);
            for instruction in &group.instructions {
                let to = instruction.destination;
                let certain = instruction.writes
                    && instruction.has_result()
                    && instruction.predicate == Predicate::Always
                    && !to.relative;
                if certain && all {
                    self.writes(to.register, to.channel);
                }
            }
        }
    }

    fn operands(&mut self, group: &Group, windows: [Window; 2]) {
        let instructions = group.instructions.iter();
        for operand in instructions.flat_map(|instruction| &instruction.operands) {
            match operand.source {
                Source::Register(from) => self.register(from.register, from.channel, from.relative),
                Source::Cache { window, .. } => {
                    if let Some(window) = windows.get(window) {
                        self.block(*window);
                    }
                }
                Source::File { .. } => self.reads.constants = true,
                Source::Word(word) => {
                    self.reads.words.insert(word);
                }
                Source::Vector(_) | Source::Scalar => {}
            }
        }
    }

    fn block(&mut self, window: Window) {
        let lines = match window.lock {
            Lock::None => return,
            Lock::One => 1,
            Lock::Two => 2,
            Lock::LoopIndex => 2 + LOOP_LINES,
        };
        let entries = (window.line as usize + lines) * LINE;
        let known = self.reads.blocks.entry(window.bank).or_default();
        *known = entries.max(*known);
    }

    fn fetches(&mut self, clause: &FetchClause, all: bool) {
        for fetch in &clause.fetches {
            for select in fetch.source_select {
                if let Select::Channel(channel) = select {
                    self.register(fetch.source, channel, fetch.source_relative);
                }
            }
            let selects = match &fetch.kind {
                FetchKind::Unsupported(_) => continue,
                FetchKind::Vertex(vertex) => {
                    self.reads.buffers.insert(vertex.buffer_id);
                    vertex.dst_sel
                }
                FetchKind::Texture(texture) => {
                    self.texture(texture);
                    texture.dst_sel
                }
            };
            if all && !sets_gradients(fetch) {
                self.delivers(fetch.destination, selects);
            }
        }
    }

    fn texture(&mut self, texture: &TextureFetch) {
        let (sampled, compares) = match texture.op {
            TextureOperation::SetGradientsH | TextureOperation::SetGradientsV => return,
            TextureOperation::Sample(sample) => (true, sample.compare),
            TextureOperation::Fetch4
            | TextureOperation::LevelOfDetail
            | TextureOperation::LerpFactors => (true, false),
            _ => (false, false),
        };
        let reads = &mut self.reads;
        *reads.textures.entry(texture.resource_id).or_default() |= compares;
        if sampled {
            *reads.samplers.entry(texture.sampler_id).or_default() |= compares;
        }
    }

    fn delivers(&mut self, to: Destination, selects: [fetch::Select; 4]) {
        let Destination::Register {
            register,
            relative: false,
        } = to
        else {
            return;
        };
        for (channel, select) in selects.into_iter().enumerate() {
            if select != fetch::Select::Mask {
                self.writes(register, channel);
            }
        }
    }

    fn export(&mut self, export: &Export) {
        for register in (export.register..).take(export.burst.into()) {
            for select in export.select {
                if let Select::Channel(channel) = select {
                    self.register(register, channel, export.relative);
                }
            }
        }
    }

    fn register(&mut self, register: u8, channel: usize, relative: bool) {
        self.indexes |= relative;
        let bit = bit(register);
        if self.written[channel & 3] & bit == 0 {
            self.reads.registers |= bit;
        }
    }

    fn writes(&mut self, register: u8, channel: usize) {
        if self.straight {
            self.written[channel & 3] |= bit(register);
        }
    }
}

fn bit(register: u8) -> u128 {
    1_u128.checked_shl(register.into()).unwrap_or_default()
}

/// SET_GRADIENTS_* has a destination and writes nothing.
fn sets_gradients(fetch: &Fetch) -> bool {
    matches!(&fetch.kind, FetchKind::Texture(texture)
        if matches!(texture.op, TextureOperation::SetGradientsH | TextureOperation::SetGradientsV))
}
