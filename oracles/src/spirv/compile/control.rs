//! Blocks, branches, phis and calls.

use std::collections::HashMap;

use spirv::Op;

use super::{Compiler, Definition, Error, Place};
use crate::spirv::code::{Block, Code, Edge, End, Move};
use crate::spirv::order;
use crate::spirv::source::BlockSource;
use crate::spirv::types::{Scalar, Type};
use crate::spirv::words::Instruction;

/// The deepest nest of calls.
const MAX_CALLS: usize = 64;

/// A function in the course of being laid out.
#[derive(Default)]
pub(super) struct Activation {
    /// Where its value goes; none in the entry point.
    result: Option<(u32, u32)>,
    /// Whether it is called, rather than the entry point.
    called: bool,
    /// The flat block that a label has become.
    starts: HashMap<u32, usize>,
    /// Flat blocks whose edges name labels as yet, with the label that they end.
    pending: Vec<(usize, u32)>,
    phis: HashMap<u32, Vec<Phi>>,
    /// Flat blocks that return.
    returns: Vec<usize>,
}

struct Phi {
    word: u32,
    to: u32,
    of: u32,
    /// Values and the labels they come from.
    sources: Vec<(u32, u32)>,
}

impl Compiler<'_, '_> {
    /// Lays out a function: its first block goes on in the block in the making.
    pub(super) fn activate(
        &mut self,
        id: u32,
        arguments: Vec<Definition>,
        activation: &mut Activation,
    ) -> Result<(), Error> {
        let source = self.source;
        let function = source.functions.get(&id);
        let function =
            function.ok_or_else(|| Error::malformed(format!("%{id} is not a function")))?;
        if self.active.contains(&id) || self.active.len() >= MAX_CALLS {
            let message = format!("%{id} calls itself, or calls nest deeper than {MAX_CALLS}");
            return Err(Error::malformed(message));
        }
        let types: Vec<u32> = arguments.iter().map(|argument| argument.of).collect();
        let expected: Vec<u32> = function.parameters.iter().map(|&(_, of)| of).collect();
        if types != expected {
            return Err(Error::malformed(format!(
                "arguments of another type than %{id} takes"
            )));
        }
        self.active.push(id);
        self.scopes += 1;
        let outer = std::mem::replace(&mut self.scope, self.scopes);
        for (&(parameter, of), argument) in function.parameters.iter().zip(arguments) {
            self.define(parameter, of, argument.place)?;
        }
        // A body that is one block needs no blocks of its own.
        let straight = activation.called
            && function.blocks.len() == 1
            && matches!(
                source.instructions[function.blocks[0].end].op,
                Op::Return | Op::ReturnValue
            );
        for &number in &function.order {
            let block = &function.blocks[number];
            activation.starts.insert(block.label, self.blocks.len());
            self.block(block, activation, straight)?;
        }
        self.resolve(activation)?;
        if activation.called && !straight {
            // The block after the call.
            let after = self.blocks.len();
            for &block in &activation.returns {
                self.blocks[block].end = End::Jump(Edge {
                    to: after,
                    moves: Vec::new(),
                });
            }
        }
        self.scope = outer;
        self.active.pop();
        Ok(())
    }

    fn block(
        &mut self,
        block: &BlockSource,
        activation: &mut Activation,
        straight: bool,
    ) -> Result<(), Error> {
        let source = self.source;
        if !straight && self.codes.is_empty() {
            self.word = block.word;
        }
        for instruction in &source.instructions[block.body.clone()] {
            match instruction.op {
                Op::Phi => self.phi(instruction, block.label, activation),
                Op::FunctionCall => self.call(instruction),
                Op::Variable => self.local(instruction, activation.called),
                _ => self.instruction(instruction),
            }
            .map_err(|error| error.at(instruction.word))?;
        }
        let end = &source.instructions[block.end];
        self.end(end, block.label, activation, straight)
            .map_err(|error| error.at(end.word))
    }

    fn close(&mut self, end: End) {
        let codes = std::mem::take(&mut self.codes);
        // An empty block costs something too, or a loop of such would never end.
        let cost = std::mem::take(&mut self.cost) + 1;
        self.blocks.push(Block {
            word: self.word,
            codes,
            cost,
            end,
        });
    }

    fn end(
        &mut self,
        end: &Instruction<'_>,
        label: u32,
        activation: &mut Activation,
        straight: bool,
    ) -> Result<(), Error> {
        let edge = |label: u32| Edge {
            to: label as usize,
            moves: Vec::new(),
        };
        let flat = match end.op {
            Op::Branch => End::Jump(edge(end.operand(0)?)),
            Op::BranchConditional => {
                let (condition, scalar, count) = self.numeric(end.operand(0)?)?;
                if scalar != Scalar::Bool || count != 1 {
                    return Err(Error::malformed("a condition that is not a Boolean"));
                }
                End::Branch {
                    condition,
                    yes: edge(end.operand(1)?),
                    no: edge(end.operand(2)?),
                }
            }
            Op::Switch => {
                let selector = end.operand(0)?;
                let (slot, scalar, count) = self.numeric(selector)?;
                if !matches!(scalar, Scalar::Int { width: 32, .. }) || count != 1 {
                    return Err(Error::unsupported(
                        "a switch on what is not an integer of 32 bits",
                    ));
                }
                let edges = order::targets(end)?.into_iter().map(edge).collect();
                let literals = end.operands[2..].chunks_exact(2);
                let cases = literals
                    .zip(1..)
                    .map(|(case, edge)| (case[0], edge))
                    .collect();
                End::Switch {
                    selector: slot,
                    cases,
                    edges,
                }
            }
            Op::Kill | Op::TerminateInvocation => End::Kill,
            Op::Unreachable => End::Unreachable,
            Op::Return | Op::ReturnValue => {
                if let Some((of, to)) = activation.result {
                    let from = match end.operands.first() {
                        Some(&value) => self.value_of(value, of)?,
                        None => {
                            return Err(Error::malformed("OpReturn in a function with a value"));
                        }
                    };
                    let count = self.source.types.slots(of)?;
                    self.copy(to, from, count)?;
                } else if end.op == Op::ReturnValue {
                    return Err(Error::malformed(
                        "OpReturnValue in a function without a value",
                    ));
                }
                if straight {
                    return Ok(());
                }
                if activation.called {
                    activation.returns.push(self.blocks.len());
                }
                End::Return
            }
            op => return Err(Error::opcode(op)),
        };
        if matches!(flat, End::Jump(_) | End::Branch { .. } | End::Switch { .. }) {
            activation.pending.push((self.blocks.len(), label));
        }
        self.close(flat);
        Ok(())
    }

    fn phi(
        &mut self,
        instruction: &Instruction<'_>,
        label: u32,
        activation: &mut Activation,
    ) -> Result<(), Error> {
        let (of, id) = instruction.typed_result()?;
        if matches!(self.source.types.get(of)?, Type::Pointer { .. }) {
            return Err(Error::unsupported("OpPhi of pointers"));
        }
        let to = self.take_for(of)?;
        let sources = instruction
            .operands
            .chunks_exact(2)
            .map(|pair| (pair[0], pair[1]))
            .collect();
        let phi = Phi {
            word: instruction.word,
            to,
            of,
            sources,
        };
        activation.phis.entry(label).or_default().push(phi);
        self.define(id, of, Place::Slots(to))
    }

    /// Gives edges their blocks and their copies.
    fn resolve(&mut self, activation: &Activation) -> Result<(), Error> {
        for &(flat, from) in &activation.pending {
            let mut end = std::mem::replace(&mut self.blocks[flat].end, End::Unreachable);
            let edges: Vec<&mut Edge> = match &mut end {
                End::Jump(edge) => vec![edge],
                End::Branch { yes, no, .. } => vec![yes, no],
                End::Switch { edges, .. } => edges.iter_mut().collect(),
                End::Return | End::Kill | End::Unreachable => Vec::new(),
            };
            let mut cost = 0;
            for edge in edges {
                let label = edge.to as u32;
                let start = activation.starts.get(&label);
                edge.to = *start.ok_or_else(|| {
                    Error::malformed(format!("%{label} is not a block of the function"))
                })?;
                edge.moves = match activation.phis.get(&label) {
                    Some(phis) => self.moves(phis, from)?,
                    None => Vec::new(),
                };
                cost += edge
                    .moves
                    .iter()
                    .map(|step| u64::from(step.count))
                    .sum::<u64>();
            }
            self.blocks[flat].cost += cost;
            self.blocks[flat].end = end;
        }
        Ok(())
    }

    /// The copies for coming from a label, in an order in which none destroys what another needs.
    fn moves(&mut self, phis: &[Phi], from: u32) -> Result<Vec<Move>, Error> {
        let mut moves: Vec<Move> = Vec::new();
        for phi in phis {
            let source = phi.sources.iter().find(|&&(_, label)| label == from);
            let &(value, _) = source.ok_or_else(|| {
                Error::malformed(format!("OpPhi lacks a value for %{from}")).at(phi.word)
            })?;
            let from = self
                .value_of(value, phi.of)
                .map_err(|error| error.at(phi.word))?;
            let count = self.source.types.slots(phi.of)?;
            if from != phi.to && count != 0 {
                moves.push(Move {
                    to: phi.to,
                    from,
                    count,
                });
            }
        }
        let overlap =
            |a: u32, b: u32, a_count: u32, b_count: u32| a < b + b_count && b < a + a_count;
        let clash = moves.iter().enumerate().any(|(index, step)| {
            moves[..index]
                .iter()
                .any(|done| overlap(step.from, done.to, step.count, done.count))
        });
        self.total += moves.iter().map(|step| u64::from(step.count)).sum::<u64>();
        self.affordable()?;
        if clash {
            let mut out = Vec::new();
            for step in &mut moves {
                let aside = self.take(step.count)?;
                out.push(Move {
                    to: aside,
                    from: step.from,
                    count: step.count,
                });
                step.from = aside;
            }
            out.append(&mut moves);
            moves = out;
        }
        Ok(moves)
    }

    fn call(&mut self, instruction: &Instruction<'_>) -> Result<(), Error> {
        let (of, id) = instruction.typed_result()?;
        let function = instruction.operand(0)?;
        let declared = self
            .source
            .functions
            .get(&function)
            .map(|function| function.result);
        if declared != Some(of) {
            return Err(Error::malformed(format!(
                "%{function} does not return %{of}"
            )));
        }
        let arguments: Vec<Definition> = instruction.operands[1..]
            .iter()
            .map(|&argument| self.definition(argument).cloned())
            .collect::<Result<_, _>>()?;
        let result = match self.source.types.get(of)? {
            Type::Void => None,
            _ => Some((of, self.take_for(of)?)),
        };
        let mut activation = Activation {
            result,
            called: true,
            ..Activation::default()
        };
        let mark = self.next;
        self.activate(function, arguments, &mut activation)?;
        self.next = mark;
        if self.codes.is_empty() {
            self.word = instruction.word;
        }
        match result {
            Some((of, slot)) => self.define(id, of, Place::Slots(slot)),
            None => Ok(()),
        }
    }

    /// A variable of the function.
    fn local(&mut self, instruction: &Instruction<'_>, called: bool) -> Result<(), Error> {
        let (_, id) = instruction.typed_result()?;
        let (of, pointer) = self.slot_variable(instruction)?;
        let super::Root::Slots { base, .. } = pointer.root else {
            return Err(Error::malformed(
                "a variable of a function has storage class Function",
            ));
        };
        let count = self.source.types.slots(pointer.to)?;
        if let Some(&initial) = instruction.operands.get(1) {
            let from = self.value_of(initial, pointer.to)?;
            self.copy(base, from, count)?;
        } else if called {
            // In the entry point its slots have not been used yet.
            self.emit(Code::Zero { to: base, count }, count)?;
        }
        self.define(id, of, Place::Pointer(pointer))
    }
}
