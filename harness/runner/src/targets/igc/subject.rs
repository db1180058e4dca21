//! The decoder of words, instructions, streams and DMA lists as an implementation under test.

use std::sync::Arc;

use corpora::{Implementation, OptionError, Options, Outcome, Record, RejectClass, Section};
use igc::{Error, Op, Operand, Word};

use super::ids::{Ids, Instruction};
use super::{DMA, INSTRUCTION, STREAM, WORD};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Word,
    Instruction,
    Stream,
    Dma,
}

/// The library under test.
pub(super) struct Subject {
    ids: Arc<Ids>,
    unit: Option<Unit>,
}

impl Subject {
    pub(super) fn new(ids: Arc<Ids>) -> Self {
        Self { ids, unit: None }
    }

    /// The bytes that were consumed.
    fn decode(&self, unit: Unit, input: &[u8], record: &mut Record) -> Result<usize, Error> {
        let ids = &*self.ids;
        match unit {
            Unit::Word => {
                let word = Word::decode(input)?;
                first(ids, &ids.alone, word, record);
                Ok(4)
            }
            Unit::Instruction => {
                let instruction = igc::Instruction::decode(input)?;
                emit(ids, &ids.alone, &instruction, record);
                Ok(4 * instruction.count())
            }
            Unit::Stream => {
                let (instructions, unknown) = igc::stream::count(input)?;
                record.unsigned(ids.instructions, instructions as u64);
                record.unsigned(ids.unknown, unknown as u64);
                for (number, placed) in (0..).zip(igc::instructions(input)?) {
                    let placed = placed?;
                    record.enter(Section::part(number));
                    emit(ids, &ids.of_stream, &placed.instruction, record);
                    record.unsigned(ids.at, placed.at as u64);
                }
                Ok(input.len())
            }
            Unit::Dma => {
                for (number, pair) in (0..).zip(igc::dma::decode(input)?) {
                    record.unsigned_item(ids.pair_addr, number, pair.addr.into());
                    record.unsigned_item(ids.pair_count, number, pair.count().into());
                    let name = match pair.op() {
                        "SEND" => ids.send,
                        _ => ids.unknown_pair,
                    };
                    record.symbol_item(ids.pair_op, number, pair.opcode().into(), name);
                }
                Ok(input.len())
            }
        }
    }
}

/// What a first word says by itself.
fn first(ids: &Ids, fields: &Instruction, word: Word, record: &mut Record) {
    record.symbol(fields.op, word.opcode().into(), ids.name(word.op()));
    record.unsigned(fields.opcode, word.opcode().into());
    record.unsigned(fields.addr, word.addr().into());
    record.unsigned(fields.length, word.length().into());
    record.unsigned(fields.second, word.second().into());
    record.unsigned(fields.modifier, word.modifier().into());
    record.unsigned(fields.words, word.words() as u64);
    if let Some(len) = word.len() {
        record.unsigned(fields.len, len.into());
    }
}

/// An instruction, in the order of the vocabulary.
fn emit(ids: &Ids, fields: &Instruction, instruction: &igc::Instruction, record: &mut Record) {
    first(ids, fields, instruction.word(), record);
    match instruction.operand() {
        // By their bits: a float that is moved about may lose those of a NaN.
        Operand::Coefficients(_) => {
            let bits = instruction.following();
            for (field, &bits) in fields.coefficients.into_iter().zip(bits) {
                record.float(field, bits);
            }
        }
        Operand::Scalar(scalar) => record.unsigned(fields.scalar, scalar.into()),
        Operand::Source { src, rest } => {
            record.unsigned(fields.src, src.into());
            record.unsigned(fields.rest, rest.into());
        }
        Operand::Sweep {
            src,
            dst2,
            len2,
            rest,
        } => {
            record.unsigned(fields.src, src.into());
            record.unsigned(fields.dst2, dst2.into());
            record.unsigned(fields.len2, len2.into());
            record.unsigned(fields.rest, rest.into());
        }
        Operand::Raw(word) => record.unsigned(fields.operand, word.into()),
        // None; the library may learn of others, which have no fields yet.
        _ => debug_assert_eq!(instruction.count(), 1, "{}", Op::name(instruction.op())),
    }
}

impl Implementation for Subject {
    fn name(&self) -> &str {
        "igc decoder"
    }

    fn select(&mut self, options: &Options) -> Result<(), OptionError> {
        self.unit = None;
        for (name, value) in options.iter() {
            if name != "unit" {
                return Err(OptionError {
                    name: name.to_owned(),
                    value: value.to_owned(),
                    allowed: "unit=word, unit=instruction, unit=stream, unit=dma".to_owned(),
                });
            }
            // By rule 1 another unit is no fault of the caller, but unsupported.
            self.unit = match value {
                WORD => Some(Unit::Word),
                INSTRUCTION => Some(Unit::Instruction),
                STREAM => Some(Unit::Stream),
                DMA => Some(Unit::Dma),
                _ => None,
            };
        }
        Ok(())
    }

    fn answer(&mut self, input: &[u8], outcome: &mut Outcome) {
        let Some(unit) = self.unit else {
            return outcome.unsupported("a unit that is none of word, instruction, stream, dma");
        };
        match self.decode(unit, input, &mut outcome.record) {
            Ok(consumed) => outcome.accept(consumed),
            Err(error) => match RejectClass::from_name(error.class()) {
                Some(class) => outcome.reject(class, error.offset()),
                // A class that the contract lacks is the decoder's fault, and no answer.
                None => outcome.clear(),
            },
        }
    }
}
