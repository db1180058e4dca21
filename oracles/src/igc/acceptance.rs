//! Rules 2 to 7: what is taken, word by word.

use std::sync::Arc;

use corpora::RejectClass;

use super::Tables;
use super::fields::BitField;
use super::instructions::{Definition, Instructions, SourceLength};
use super::limits::limit;
use crate::table::TableError;

/// Bytes of a word.
pub(super) const WORD: usize = 4;

/// Bytes of a DMA pair.
const PAIR: usize = 8;

/// Which rule an input breaks, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rejection {
    /// Why.
    pub(super) class: RejectClass,
    /// Byte offset in the input.
    pub(super) offset: usize,
}

/// Ends the judgment with `class` at `offset` unless `holds`.
fn require(holds: bool, class: RejectClass, offset: usize) -> Result<(), Rejection> {
    if holds {
        Ok(())
    } else {
        Err(Rejection { class, offset })
    }
}

/// A first word with the operands it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Instruction {
    /// The byte of the first word.
    pub(super) at: usize,
    /// The first word.
    pub(super) word: u32,
    /// Its row, nothing for `unknown`.
    pub(super) row: Option<Arc<Definition>>,
    /// The words that follow; none in the unit `word`.
    pub(super) operands: Vec<u32>,
}

/// A DMA command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) addr: u32,
    pub(super) count: u32,
    pub(super) op: u32,
    /// Whether the opcode is that of SEND.
    pub(super) send: bool,
}

/// The acceptance rules.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    pub(super) instructions: Instructions,
    /// The source in an operand word P, and in W.
    pub(super) source: BitField,
    pub(super) rest: BitField,
    pub(super) sweep_source: BitField,
    pub(super) sweep_destination: BitField,
    pub(super) sweep_length: BitField,
    pub(super) sweep_rest: BitField,
    pair_count: BitField,
    pair_op: BitField,
    memory_bits: u32,
    stream_bytes_max: usize,
    dma_bytes_max: usize,
    send_op: u32,
    send_min: u32,
    send_max: u32,
}

/// The little-endian word at that byte, if all of it is there.
fn word(input: &[u8], at: usize) -> Option<u32> {
    let bytes = input.get(at..at.checked_add(WORD)?)?;
    let shifted = (0..).zip(bytes);
    Some(shifted.fold(0, |word, (n, &byte)| word | u32::from(byte) << (8 * n)))
}

impl Rules {
    pub(super) fn read(tables: &Tables) -> Result<Self, TableError> {
        let field = |word, field| BitField::read(tables, word, field);
        Ok(Self {
            instructions: Instructions::read(tables)?,
            source: field("P", "src")?,
            rest: field("P", "rest")?,
            sweep_source: field("W", "src")?,
            sweep_destination: field("W", "dst2")?,
            sweep_length: field("W", "len2")?,
            sweep_rest: field("W", "rest")?,
            pair_count: field("pair", "count")?,
            pair_op: field("pair", "op")?,
            memory_bits: limit(tables, "memory_bits")?,
            stream_bytes_max: limit(tables, "stream_bytes_max")? as usize,
            dma_bytes_max: limit(tables, "dma_bytes_max")? as usize,
            send_op: limit(tables, "send_op")?,
            send_min: limit(tables, "send_min")?,
            send_max: limit(tables, "send_max")?,
        })
    }

    /// Rule 2: the first word alone.
    pub(super) fn word(&self, input: &[u8]) -> Result<Instruction, Rejection> {
        self.first(input, 0)
    }

    fn first(&self, input: &[u8], at: usize) -> Result<Instruction, Rejection> {
        let truncated = Rejection {
            class: RejectClass::Truncated,
            offset: at,
        };
        let word = word(input, at).ok_or(truncated)?;
        Ok(Instruction {
            at,
            word,
            row: self.instructions.of(word).map(Arc::clone),
            operands: Vec::new(),
        })
    }

    /// Rules 3, 5 and 6: the instruction at that byte.
    pub(super) fn instruction(&self, input: &[u8], at: usize) -> Result<Instruction, Rejection> {
        let mut instruction = self.first(input, at)?;
        let Some(row) = instruction.row.clone() else {
            return Ok(instruction);
        };
        for n in 1..row.words as usize {
            let operand = word(input, at + n * WORD);
            require(operand.is_some(), RejectClass::Truncated, at)?;
            instruction.operands.extend(operand);
        }
        let len = self.len(&instruction);
        if row.bounded {
            let addr = self.instructions.addr.of(instruction.word);
            self.within(addr, len, at)?;
        }
        if let Some(&operand) = instruction.operands.first() {
            let operand_at = at + WORD;
            match row.source_length {
                SourceLength::Unbounded => {}
                SourceLength::First => self.within(self.source.of(operand), len, operand_at)?,
                SourceLength::Second => {
                    let second = self.sweep_length.of(operand);
                    let source = self.sweep_source.of(operand);
                    self.within(source, Some(second), operand_at)?;
                }
            }
        }
        Ok(instruction)
    }

    /// Whether a field is within the memory of a pixel; one without a length is.
    fn within(&self, addr: u32, len: Option<u32>, at: usize) -> Result<(), Rejection> {
        let within = len.is_none_or(|len| addr + len <= self.memory_bits);
        require(within, RejectClass::OutOfRange, at)
    }

    /// The length of an instruction by its rule.
    pub(super) fn len(&self, instruction: &Instruction) -> Option<u32> {
        let length = self.instructions.length.of(instruction.word);
        instruction.row.as_ref()?.len(length)
    }

    /// Rule 4: instruction after instruction.
    pub(super) fn stream(&self, input: &[u8]) -> Result<Vec<Instruction>, Rejection> {
        let whole = input.len().is_multiple_of(WORD);
        require(whole, RejectClass::BadLength, 0)?;
        let taken = input.len() <= self.stream_bytes_max;
        require(taken, RejectClass::Limit, 0)?;
        let mut instructions = Vec::new();
        let mut at = 0;
        while at < input.len() {
            let instruction = self.instruction(input, at)?;
            at += WORD * (1 + instruction.operands.len());
            instructions.push(instruction);
        }
        Ok(instructions)
    }

    /// Rule 7: pairs.
    pub(super) fn dma(&self, input: &[u8]) -> Result<Vec<Pair>, Rejection> {
        let whole = input.len().is_multiple_of(PAIR);
        require(whole, RejectClass::BadLength, 0)?;
        let taken = input.len() <= self.dma_bytes_max;
        require(taken, RejectClass::Limit, 0)?;
        let mut pairs = Vec::new();
        for at in (0..input.len()).step_by(PAIR) {
            let (Some(addr), Some(command)) = (word(input, at), word(input, at + WORD)) else {
                break;
            };
            let (count, op) = (self.pair_count.of(command), self.pair_op.of(command));
            let send = op == self.send_op;
            let counted = !send || (self.send_min..=self.send_max).contains(&count);
            require(counted, RejectClass::OutOfRange, at + WORD)?;
            pairs.push(Pair {
                addr,
                count,
                op,
                send,
            });
        }
        Ok(pairs)
    }
}
