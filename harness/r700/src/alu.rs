//! ALU instructions.
//!
//! Positions: Mesa 22.3.6 `r600_sq.h` and `r700_sq.h`, ALU_WORD0, ALU_WORD1_OP2 and ALU_WORD1_OP3.

use crate::chip::Chip;
use crate::codes::{BankSwizzle, Chan, IndexMode, Omod, PredSel};
use crate::words::mask;

pub use crate::alu_operand::{Dest, Source, SourceKind, SourceSel};
use crate::alu_ops::OP3_BASE;
pub use crate::alu_ops::{ALU_OPS, AluFlags, AluInfo, AluOp, Encoding, UnitClass, flags};
pub use crate::unit::Unit;
use at::{
    BANK_SWIZZLE, CLAMP, DST, FOG_MERGE, INDEX_MODE, LAST, OMOD, PRED_SEL, R600,
    UPDATE_EXECUTE_MASK, UPDATE_PRED, WRITE_MASK,
};

/// One ALU instruction: 64 bits, in encoding OP2 or OP3.
///
/// The parsed fields stand in three dwords, in places that the encoding and the chip don't change:
/// twelve bytes that a loop fills without branches, several instructions at a time.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Alu {
    /// Operands 0 and 1, 16 bits each: SEL, REL, CHAN, NEG, ABS.
    pub(crate) sources: u32,
    /// Operand 2 in the low half; in the high half DST_GPR, DST_REL, DST_CHAN, CLAMP.
    pub(crate) third_and_dst: u32,
    /// The opcode and everything that has a bit or a few, at the positions below.
    pub(crate) action: u32,
}

/// Positions of the fields in [`Alu`]'s dwords.
pub(crate) mod at {
    // In `action`.
    pub(crate) const INDEX_MODE: u32 = 12;
    pub(crate) const PRED_SEL: u32 = 15;
    pub(crate) const LAST: u32 = 17;
    pub(crate) const BANK_SWIZZLE: u32 = 18;
    pub(crate) const UPDATE_EXECUTE_MASK: u32 = 24;
    pub(crate) const UPDATE_PRED: u32 = 25;
    pub(crate) const WRITE_MASK: u32 = 26;
    pub(crate) const OMOD: u32 = 27;
    pub(crate) const FOG_MERGE: u32 = 29;
    pub(crate) const R600: u32 = 31;
    // In `third_and_dst`.
    pub(crate) const DST: u32 = 16;
    pub(crate) const CLAMP: u32 = 26;
}

impl Alu {
    /// Parses the two words of an instruction. Every pair of words is one.
    #[inline]
    pub const fn decode(words: [u32; 2], chip: Chip) -> Self {
        Self::from_words(words[0], words[1], chip)
    }

    // Two arguments, not a pair: the compiler loads a pair as one 64-bit value, and then handles half
    // as many instructions at a time in `decode_words`.
    #[inline]
    const fn from_words(word0: u32, word1: u32, chip: Chip) -> Self {
        // Bits 17:15 are the top of the opcode in both encodings; no opcode of OP2 uses them.
        let op3 = word1 >> 15 & 7 != 0;

        let abs = if op3 {
            0
        } else {
            (word1 & 1) << 13 | (word1 & 2) << 28
        };
        let sources = word0 & 0x1fff | word0 << 3 & 0x1fff_0000 | abs;

        let third = if op3 { word1 & 0x1fff } else { 0 };
        let third_and_dst = third | word1 >> 5 & 0x07ff_0000;

        // OMOD and the opcode are one bit lower on R700, where FOG_MERGE is gone (erratum R053).
        let (op2, modifiers, chip) = match chip {
            Chip::R700 => (word1 >> 7 & 0xff, (word1 & 0x7c) << 22, 0),
            Chip::R600 => (
                word1 >> 8 & 0x7f,
                (word1 & 0x1c) << 22 | (word1 & 0xc0) << 21 | (word1 & 0x20) << 24,
                1 << R600,
            ),
        };
        let (op, modifiers) = if op3 {
            (OP3_BASE as u32 | word1 >> 13 & 0x1f, 0)
        } else {
            (op2, modifiers)
        };
        let control = word0 >> 14 & 0x0003_f000;
        let bank_swizzle = word1 & 0x001c_0000;
        Self {
            sources,
            third_and_dst,
            action: op | control | bank_swizzle | modifiers | chip,
        }
    }

    /// The two words of the instruction.
    pub const fn encode(&self) -> [u32; 2] {
        let src0 = self.src0().to_bits() & mask(13);
        let src1 = self.src1().to_bits() & mask(13);
        let control = self.field(INDEX_MODE, 6);
        let word0 = src0 | src1 << 13 | control << 26;

        let op = self.op().code() as u32;
        let dst = self.third_and_dst >> DST;
        let tail = self.field(BANK_SWIZZLE, 3) << 18 | dst << 21;
        let word1 = match self.encoding() {
            Encoding::Op3 => (self.third_and_dst & mask(13)) | op << 13 | tail,
            Encoding::Op2 => {
                let abs = (self.src0().abs() as u32) | (self.src1().abs() as u32) << 1;
                let common = abs | self.field(UPDATE_EXECUTE_MASK, 3) << 2 | tail;
                let omod = self.field(OMOD, 2);
                match self.chip() {
                    Chip::R700 => common | omod << 5 | op << 7,
                    Chip::R600 => common | self.field(FOG_MERGE, 1) << 5 | omod << 6 | op << 8,
                }
            }
        };
        [word0, word1]
    }

    const fn field(&self, position: u32, width: u32) -> u32 {
        self.action >> position & mask(width)
    }

    /// The chip family that the words are for.
    pub const fn chip(&self) -> Chip {
        if self.action >> R600 == 0 {
            Chip::R700
        } else {
            Chip::R600
        }
    }

    /// The encoding of word 1.
    pub const fn encoding(&self) -> Encoding {
        self.op().encoding()
    }

    /// ALU_INST: the opcode.
    pub const fn op(&self) -> AluOp {
        AluOp::from_index((self.action & mask(9)) as u16)
    }

    /// Operand 0.
    pub const fn src0(&self) -> Source {
        Source::from_bits(self.sources & mask(16))
    }

    /// Operand 1.
    pub const fn src1(&self) -> Source {
        Source::from_bits(self.sources >> 16)
    }

    /// Operand 2, which only OP3 has.
    pub const fn src2(&self) -> Option<Source> {
        match self.encoding() {
            Encoding::Op2 => None,
            Encoding::Op3 => Some(Source::from_bits(self.third_and_dst & mask(16))),
        }
    }

    /// The operands that the encoding has, used by the opcode or not.
    pub fn sources(&self) -> impl Iterator<Item = Source> + use<> {
        [Some(self.src0()), Some(self.src1()), self.src2()]
            .into_iter()
            .flatten()
    }

    /// INDEX_MODE: what relative operands are indexed with.
    pub const fn index_mode(&self) -> IndexMode {
        IndexMode::from_code(self.field(INDEX_MODE, 3) as u8)
    }

    /// PRED_SEL: the lanes that the instruction runs in.
    pub const fn pred_sel(&self) -> PredSel {
        PredSel::from_code(self.field(PRED_SEL, 2) as u8)
    }

    /// LAST: whether the group ends here.
    pub const fn last(&self) -> bool {
        self.field(LAST, 1) != 0
    }

    /// BANK_SWIZZLE: the cycles in which operands are read.
    pub const fn bank_swizzle(&self) -> BankSwizzle {
        BankSwizzle::from_code(self.field(BANK_SWIZZLE, 3) as u8)
    }

    /// The destination.
    pub const fn dst(&self) -> Dest {
        Dest::from_bits(self.third_and_dst >> DST)
    }

    /// CLAMP: whether the result is clamped to 0 to 1.
    pub const fn clamp(&self) -> bool {
        self.third_and_dst >> CLAMP != 0
    }

    /// UPDATE_EXECUTE_MASK: whether the predicate becomes the execute mask. Never set in OP3.
    pub const fn update_execute_mask(&self) -> bool {
        self.field(UPDATE_EXECUTE_MASK, 1) != 0
    }

    /// UPDATE_PRED: whether the predicate is written. Never set in OP3.
    pub const fn update_pred(&self) -> bool {
        self.field(UPDATE_PRED, 1) != 0
    }

    /// WRITE_MASK: whether OP2 writes its destination. Never set in OP3, which always does; see
    /// [`writes_dst`](Self::writes_dst).
    pub const fn write_mask(&self) -> bool {
        self.field(WRITE_MASK, 1) != 0
    }

    /// Whether the destination register is written, in either encoding.
    pub const fn writes_dst(&self) -> bool {
        self.write_mask() || matches!(self.encoding(), Encoding::Op3)
    }

    /// OMOD: what the result is multiplied with. `OFF` in OP3.
    pub const fn omod(&self) -> Omod {
        Omod::from_code(self.field(OMOD, 2) as u8)
    }

    /// FOG_MERGE of OP2 on R600. Never set otherwise.
    pub const fn fog_merge(&self) -> bool {
        self.field(FOG_MERGE, 1) != 0
    }

    /// The literal slots that the instruction asks for: none, one, or two if it reads the channels Z
    /// or W of the literals.
    pub const fn literal_slots(&self) -> usize {
        let third = match self.src2() {
            Some(source) => literal_slots(source),
            None => 0,
        };
        max(
            max(literal_slots(self.src0()), literal_slots(self.src1())),
            third,
        )
    }
}

const fn literal_slots(source: Source) -> usize {
    match (source.is_literal(), source.chan()) {
        (false, _) => 0,
        (true, Chan::X | Chan::Y) => 1,
        (true, _) => 2,
    }
}

const fn max(a: usize, b: usize) -> usize {
    if a > b { a } else { b }
}

/// Parses ALU instructions into `out`, which is emptied first: two words each, and a single word at
/// the end is ignored. No group structure is looked at, so literals come out as instructions too.
pub fn decode_words(words: &[u32], chip: Chip, out: &mut Vec<Alu>) {
    let (pairs, _) = words.as_chunks::<2>();
    out.clear();
    // One loop for each chip, so that neither asks for it inside.
    match chip {
        Chip::R600 => out.extend(
            pairs
                .iter()
                .map(|&[word0, word1]| Alu::from_words(word0, word1, Chip::R600)),
        ),
        Chip::R700 => out.extend(
            pairs
                .iter()
                .map(|&[word0, word1]| Alu::from_words(word0, word1, Chip::R700)),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn op2(name: &str) -> Alu {
        Alu::new(AluOp::from_name(name).unwrap(), Chip::R700)
    }

    /// Both directions: the words parse to the instruction, and it encodes to them.
    fn check(words: [u32; 2], alu: Alu) {
        assert_eq!(Alu::decode(words, alu.chip()), alu);
        assert_eq!(alu.encode(), words);
    }

    // The words of the first tests are a compiler's; the fields are read off by hand.

    #[test]
    fn add() {
        let words = [
            0x8180_2c00, // SRC0 0.W; SRC1_SEL 1 at 21:13, SRC1_CHAN 3 at 24:23; LAST
            0x6040_0010, // WRITE_MASK; ALU_INST 0; DST_GPR 2, DST_CHAN 3
        ];
        let alu = op2("ADD")
            .with_src0(Source::gpr(0, Chan::W))
            .with_src1(Source::gpr(1, Chan::W))
            .with_dst(Dest::new(2, Chan::W))
            .with_write_mask(true)
            .with_last(true);
        check(words, alu);
    }

    #[test]
    fn constant_operand() {
        let words = [
            0x0190_0c00, // SRC0 0.W; SRC1_SEL 128, SRC1_CHAN 3
            0x0020_0290, // WRITE_MASK; ALU_INST 5 at 17:7; DST_GPR 1, DST_CHAN 0
        ];
        let alu = op2("MAX_DX10")
            .with_src0(Source::gpr(0, Chan::W))
            .with_src1(Source::kcache(0, 0, Chan::W))
            .with_dst(Dest::new(1, Chan::X))
            .with_write_mask(true);
        check(words, alu);
    }

    #[test]
    fn three_operands() {
        let words = [
            0x0080_2400, // SRC0 0.Y; SRC1_SEL 1, SRC1_CHAN 1
            0x0042_98fe, // SRC2_SEL 254, SRC2_CHAN 2, SRC2_NEG; ALU_INST 0x14 at 17:13; DST 2.X
        ];
        let alu = op2("MULADD_IEEE")
            .with_src0(Source::gpr(0, Chan::Y))
            .with_src1(Source::gpr(1, Chan::Y))
            .with_src2(Source::new(SourceSel::PV, Chan::Z).with_neg(true))
            .with_dst(Dest::new(2, Chan::X));
        check(words, alu);
        assert_eq!((alu.encoding(), alu.op().code()), (Encoding::Op3, 0x14));
        assert!(alu.writes_dst() && !alu.write_mask());
    }

    #[test]
    fn reduction_without_write() {
        let words = [
            0x0100_0000, // SRC0 0.X; SRC1_SEL 0, SRC1_CHAN 2
            0x0fc0_2880, // ALU_INST 0x51; DST_GPR 126, DST_CHAN 0
        ];
        let alu = op2("DOT4_IEEE")
            .with_src1(Source::gpr(0, Chan::Z))
            .with_dst(Dest::new(126, Chan::X));
        check(words, alu);
        assert!(alu.op().info().flags.contains(flags::REDUCTION));
    }

    #[test]
    fn absolute_operand() {
        let words = [
            0x8000_0000, // SRC0 0.X; LAST
            0x2040_3111, // SRC0_ABS; WRITE_MASK; ALU_INST 0x62; DST_GPR 2, DST_CHAN 1
        ];
        let alu = op2("LOG_CLAMPED")
            .with_src0(Source::gpr(0, Chan::X).with_abs(true))
            .with_dst(Dest::new(2, Chan::Y))
            .with_write_mask(true)
            .with_last(true);
        check(words, alu);
    }

    #[test]
    fn predicate() {
        let words = [
            0x801f_04fe, // SRC0_SEL 254, SRC0_CHAN 1; SRC1_SEL 248; LAST
            0x4fe0_2284, // UPDATE_EXECUTE_MASK; ALU_INST 0x45; DST_GPR 127, DST_CHAN 2
        ];
        let alu = op2("PRED_SETNE_INT")
            .with_src0(Source::new(SourceSel::PV, Chan::Y))
            .with_src1(Source::new(SourceSel::ZERO, Chan::X))
            .with_dst(Dest::new(127, Chan::Z))
            .with_update_execute_mask(true)
            .with_last(true);
        check(words, alu);
    }

    #[test]
    fn every_other_field_of_r700() {
        let words = [
            0x5600_1200, // SRC0_REL, SRC0_NEG; SRC1_NEG at 25; INDEX_MODE 5, PRED_SEL 2
            0x900c_002a, // SRC1_ABS, UPDATE_PRED, OMOD 1 at 6:5; BANK_SWIZZLE 3; DST_REL, CLAMP
        ];
        let alu = op2("ADD")
            .with_src0(Source::gpr(0, Chan::X).with_rel(true).with_neg(true))
            .with_src1(Source::gpr(0, Chan::X).with_neg(true).with_abs(true))
            .with_index_mode(IndexMode::GLOBAL)
            .with_pred_sel(PredSel::ZERO)
            .with_update_pred(true)
            .with_omod(Omod::M2)
            .with_bank_swizzle(BankSwizzle::VEC_102)
            .with_dst(Dest::new(0, Chan::X).with_rel(true))
            .with_clamp(true);
        check(words, alu);
    }

    #[test]
    fn r600_has_its_modifiers_elsewhere() {
        // R053: FOG_MERGE 5, OMOD 3 at 7:6, ALU_INST 0x19 at 17:8; WRITE_MASK 4.
        let words = [0, 0x0000_19f0];
        let alu = Alu::new(AluOp::named("MOV"), Chip::R600)
            .with_fog_merge(true)
            .with_omod(Omod::D2)
            .with_write_mask(true);
        check(words, alu);
        // The same bits on R700: OMOD 3 at 6:5, ALU_INST 0x33 at 17:7.
        let r700 = Alu::decode(words, Chip::R700);
        assert_eq!((r700.omod(), r700.op().name()), (Omod::D2, Some("NOT_INT")));
        assert!(!r700.fog_merge());
    }

    #[test]
    fn the_top_of_the_opcode_tells_the_encodings_apart() {
        // Bits 17:7 all set but 17:15: the last opcode of OP2. One more is the first of OP3.
        let last = Alu::decode([0, 0xff << 7], Chip::R700);
        assert_eq!((last.encoding(), last.op().code()), (Encoding::Op2, 255));
        let first = Alu::decode([0, 0x100 << 7], Chip::R700);
        assert_eq!((first.encoding(), first.op().code()), (Encoding::Op3, 4));
        let r600 = Alu::decode([0, 0x7f << 8], Chip::R600);
        assert_eq!((r600.encoding(), r600.op().code()), (Encoding::Op2, 127));
    }

    #[test]
    fn words_are_decoded_in_pairs() {
        let mut out = vec![op2("NOP"); 9];
        decode_words(&[0, 0x10, 0, 0x20, 7], Chip::R700, &mut out);
        assert_eq!(
            out,
            [
                Alu::decode([0, 0x10], Chip::R700),
                Alu::decode([0, 0x20], Chip::R700)
            ]
        );
    }
}
