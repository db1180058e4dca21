//! Field indices of the `igc` vocabulary, looked up once, and the names that the decoder gives.

use corpora::{FieldId, SymbolId, Vocabulary, VocabularyError};
use igc::{Op, TABLE};

/// Fields of an instruction.
pub(super) struct Instruction {
    pub(super) op: FieldId,
    pub(super) opcode: FieldId,
    pub(super) addr: FieldId,
    pub(super) length: FieldId,
    pub(super) second: FieldId,
    pub(super) modifier: FieldId,
    pub(super) words: FieldId,
    pub(super) len: FieldId,
    /// A, B, C.
    pub(super) coefficients: [FieldId; 3],
    pub(super) scalar: FieldId,
    pub(super) src: FieldId,
    pub(super) dst2: FieldId,
    pub(super) len2: FieldId,
    pub(super) rest: FieldId,
    pub(super) operand: FieldId,
}

impl Instruction {
    fn new(vocabulary: &Vocabulary, before: &str) -> Result<Self, VocabularyError> {
        let id = |name: &str| vocabulary.id(&format!("{before}{name}"));
        Ok(Self {
            op: id("op")?,
            opcode: id("opcode")?,
            addr: id("addr")?,
            length: id("length")?,
            second: id("second")?,
            modifier: id("modifier")?,
            words: id("words")?,
            len: id("len")?,
            coefficients: [id("a")?, id("b")?, id("c")?],
            scalar: id("scalar")?,
            src: id("src")?,
            dst2: id("dst2")?,
            len2: id("len2")?,
            rest: id("rest")?,
            operand: id("operand")?,
        })
    }
}

/// One index for each path, and the names.
pub(super) struct Ids {
    /// `insn.op` and its like, of the units `word` and `instruction`.
    pub(super) alone: Instruction,
    /// `insn[n].op` and its like, of a stream.
    pub(super) of_stream: Instruction,
    pub(super) at: FieldId,
    pub(super) instructions: FieldId,
    pub(super) unknown: FieldId,
    pub(super) pair_addr: FieldId,
    pub(super) pair_count: FieldId,
    pub(super) pair_op: FieldId,
    /// By instruction.
    ops: Vec<SymbolId>,
    pub(super) send: SymbolId,
    pub(super) unknown_pair: SymbolId,
}

impl Ids {
    /// Looks every path up, and names what the decoder names.
    pub(super) fn new(vocabulary: &mut Vocabulary) -> Result<Self, VocabularyError> {
        let names = ops().map(|op| vocabulary.intern(op.name()));
        let ops = names.collect();
        let pair = |opcode: u8| igc::dma::Pair {
            addr: 0,
            command: u32::from(opcode) << 28,
        };
        let send = vocabulary.intern(pair(igc::dma::SEND).op());
        let unknown_pair = vocabulary.intern(pair(0).op());
        let vocabulary = &*vocabulary;
        Ok(Self {
            alone: Instruction::new(vocabulary, "insn.")?,
            of_stream: Instruction::new(vocabulary, "")?,
            at: vocabulary.id("at")?,
            instructions: vocabulary.id("stream.instructions")?,
            unknown: vocabulary.id("stream.unknown")?,
            pair_addr: vocabulary.id("pair[].addr")?,
            pair_count: vocabulary.id("pair[].count")?,
            pair_op: vocabulary.id("pair[].op")?,
            ops,
            send,
            unknown_pair,
        })
    }

    /// The name of an instruction.
    #[inline]
    pub(super) fn name(&self, op: Op) -> SymbolId {
        self.ops[op as usize]
    }
}

/// Every instruction in the order of [`Op`].
fn ops() -> impl Iterator<Item = Op> {
    TABLE.iter().map(|row| row.op).chain([Op::Unknown])
}

/// Names that an instruction can have.
pub(super) fn instruction_names() -> Vec<String> {
    ops().map(|op| op.name().to_owned()).collect()
}

/// Names that a DMA command can have.
pub(super) fn pair_names() -> Vec<String> {
    ["SEND", "unknown"].map(str::to_owned).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_numbered_in_the_order_of_their_names() {
        for (number, op) in ops().enumerate() {
            assert_eq!(op as usize, number, "{op}");
        }
    }
}
