//! From words to instructions. The grammar is rspirv's: it checks that every instruction has the operands it must have
//! and no others. What is kept is the words themselves and where they are.

use rspirv::binary::{self, Consumer, ParseAction, ParseState};
use rspirv::dr;
use spirv::Op;

use super::Error;

/// Words of a module's header.
const HEADER: usize = 5;

/// The greatest bound that is accepted; the specification's universal limit is four times it.
const MAX_BOUND: u32 = 1 << 20;

/// An instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instruction<'w> {
    /// The opcode.
    pub(super) op: Op,
    /// Its offset in words.
    pub(super) word: u32,
    /// The id of the result's type.
    pub(super) result_type: Option<u32>,
    /// The id of the result.
    pub(super) result: Option<u32>,
    /// The words after those.
    pub(super) operands: &'w [u32],
}

impl Instruction<'_> {
    /// An operand that the grammar promises.
    pub(super) fn operand(&self, index: usize) -> Result<u32, Error> {
        let found = self.operands.get(index).copied();
        found.ok_or_else(|| {
            Error::malformed(format!("Op{:?} lacks operand {index}", self.op)).at(self.word)
        })
    }

    /// The result's id and its type's.
    pub(super) fn typed_result(&self) -> Result<(u32, u32), Error> {
        self.result_type.zip(self.result).ok_or_else(|| {
            Error::malformed(format!("Op{:?} lacks a result", self.op)).at(self.word)
        })
    }

    /// The result's id.
    pub(super) fn result_id(&self) -> Result<u32, Error> {
        self.result.ok_or_else(|| {
            Error::malformed(format!("Op{:?} lacks a result", self.op)).at(self.word)
        })
    }
}

/// A literal string among operands, and the number of words it takes.
pub(super) fn string(words: &[u32]) -> (String, usize) {
    let bytes = words.iter().flat_map(|word| word.to_le_bytes());
    let text: Vec<u8> = bytes.take_while(|&byte| byte != 0).collect();
    let taken = text.len() / 4 + 1;
    (String::from_utf8_lossy(&text).into_owned(), taken)
}

/// All instructions of a module in order, and its bound: ids are below it.
pub(super) fn instructions(words: &[u32]) -> Result<(Vec<Instruction<'_>>, u32), Error> {
    walk(words)?;
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut collector = Collector {
        words,
        at: HEADER,
        bound: 0,
        list: Vec::new(),
    };
    match binary::parse_bytes(&bytes, &mut collector) {
        Ok(()) | Err(ParseState::Complete) => {}
        Err(state) => {
            let word = u32::try_from(collector.at.min(words.len())).unwrap_or(u32::MAX);
            return Err(Error::malformed(state.to_string()).at(word));
        }
    }
    let Collector { list, bound, .. } = collector;
    if bound > MAX_BOUND {
        return Err(Error::malformed(format!(
            "the bound is {bound}, at most {MAX_BOUND} are allowed"
        ))
        .at(3));
    }
    for instruction in &list {
        let id = instruction.result.unwrap_or(1);
        if id == 0 || id >= bound {
            let message = format!("result id %{id} is not between 1 and the bound {bound}");
            return Err(Error::malformed(message).at(instruction.word));
        }
    }
    Ok((list, bound))
}

/// Checks that the instructions' word counts lead to the module's end: rspirv's decoder of strings relies on that.
fn walk(words: &[u32]) -> Result<(), Error> {
    let mut at = HEADER;
    while let Some(word) = words.get(at) {
        let count = (word >> 16) as usize;
        if count == 0 || count > words.len() - at {
            let message = format!(
                "an instruction of {count} words where {} are left",
                words.len() - at
            );
            return Err(Error::malformed(message).at(u32::try_from(at).unwrap_or(u32::MAX)));
        }
        at += count;
    }
    Ok(())
}

struct Collector<'w> {
    words: &'w [u32],
    at: usize,
    bound: u32,
    list: Vec<Instruction<'w>>,
}

impl Consumer for Collector<'_> {
    fn initialize(&mut self) -> ParseAction {
        ParseAction::Continue
    }

    fn finalize(&mut self) -> ParseAction {
        ParseAction::Continue
    }

    fn consume_header(&mut self, header: dr::ModuleHeader) -> ParseAction {
        self.bound = header.bound;
        ParseAction::Continue
    }

    fn consume_instruction(&mut self, instruction: dr::Instruction) -> ParseAction {
        // The parser has checked the count against the words that it took.
        let count = self
            .words
            .get(self.at)
            .map_or(0, |word| (word >> 16) as usize);
        let head = 1
            + usize::from(instruction.result_type.is_some())
            + usize::from(instruction.result_id.is_some());
        let operands = self
            .words
            .get(self.at + head..self.at + count)
            .unwrap_or(&[]);
        self.list.push(Instruction {
            op: instruction.class.opcode,
            word: u32::try_from(self.at).unwrap_or(u32::MAX),
            result_type: instruction.result_type,
            result: instruction.result_id,
            operands,
        });
        self.at += count;
        ParseAction::Continue
    }
}
