//! A program around one instruction, and what the program has to export if the instruction computes what a case expects.

use corpora::execution::cases::{Expected, InstructionCase, LaneExpected, Word};
use corpora::execution::{Environment, Lane, Stage, Vec4};
use r700::Chip;
use r700::alu::{Alu, AluOp, Dest, Encoding, Source, SourceSel, UnitClass};
use r700::asm::{AluGroup, AsmError, Assembler};
use r700::cf::{CfAlu, CfAluOp, CfExport, CfOp};
use r700::codes::{Chan, IndexMode, Omod, PredSel};
use r700::registers::{Gpr, Swizzle};

const CHANNELS: [Chan; 4] = [Chan::X, Chan::Y, Chan::Z, Chan::W];

/// Where the operands are: one register each.
const OPERANDS: [u8; 3] = [0, 1, 2];

/// Where the result goes: pixel export 0.
const RESULT: u8 = 3;

/// Where 1.0 goes if the predicate is set, 0.0 if not: pixel export 1.
const PREDICATE: u8 = 4;

/// Where the word at the address goes: pixel export 2.
const ADDRESSED: u8 = 5;

/// A program, what it runs on, and what it has to export.
#[derive(Clone, Debug)]
pub struct Single {
    /// The program, little-endian.
    pub bytes: Vec<u8>,
    /// One lane.
    pub environment: Environment,
    /// What the lane has to export.
    pub expect: LaneExpected,
}

/// Why there is no program around a case's instruction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SingleError {
    /// No such opcode.
    #[error("the decoder has no opcode {0:?}")]
    Opcode(String),
    /// No such output modifier.
    #[error("no output modifier {0:?}: OFF, M2, M4, D2")]
    Omod(String),
    /// The operands have another number or shape.
    #[error("{op} takes {takes} operands of {words} words each")]
    Operands {
        /// The opcode.
        op: String,
        /// How many.
        takes: usize,
        /// Words in each.
        words: usize,
    },
    /// A field that the encoding does not have.
    #[error("{0} has neither abs, nor an output modifier: it is encoded as OP3")]
    Op3(String),
    /// The assembler refuses.
    #[error(transparent)]
    Assembler(#[from] AsmError),
}

/// Builds the program.
pub fn single(case: &InstructionCase) -> Result<Single, SingleError> {
    let chip = if case.chip == "r600" {
        Chip::R600
    } else {
        Chip::R700
    };
    let op = AluOp::from_name(&case.op).ok_or_else(|| SingleError::Opcode(case.op.clone()))?;
    let words = case.operands.first().map_or(1, Vec::len);
    let fits = case.operands.len() <= OPERANDS.len()
        && matches!(words, 1 | 2 | 4)
        && case.operands.iter().all(|operand| operand.len() == words);
    if !fits {
        return Err(SingleError::Operands {
            op: case.op.clone(),
            takes: usize::from(op.info().operands),
            words,
        });
    }
    let build = Build { case, op, chip };
    let groups = build.groups(words)?;
    let mut asm = Assembler::new(chip);
    asm.alu(CfAlu::new(CfAluOp::ALU, chip).with_barrier(true), &groups)?;
    let outputs = [RESULT, PREDICATE, ADDRESSED];
    for (number, register) in outputs.into_iter().enumerate() {
        let last = number + 1 == outputs.len();
        let name = if last { "EXPORT_DONE" } else { "EXPORT" };
        let export = CfExport::new(CfOp::from_name(name).expect("an export"), chip)
            .with_array_base(number as u16)
            .with_rw(Gpr::new(register))
            .with_elem_size(3)
            .with_sel(Swizzle::XYZW)
            .with_end_of_program(last)
            .with_barrier(true);
        asm.cf(export);
    }
    Ok(Single {
        bytes: asm.finish()?,
        environment: build.environment(),
        expect: expect(&case.expect, words, build.addresses()),
    })
}

struct Build<'a> {
    case: &'a InstructionCase,
    op: AluOp,
    chip: Chip,
}

impl Build<'_> {
    fn groups(&self, words: usize) -> Result<Vec<AluGroup>, SingleError> {
        let mut groups = vec![
            self.zero(RESULT),
            self.zero(PREDICATE),
            self.zero(ADDRESSED),
        ];
        let slots = match halves(&self.case.op) {
            Some(halves) => &CHANNELS[..halves.len()],
            None if words == 4 => &CHANNELS[..],
            None => &CHANNELS[..1],
        };
        let instructions: Result<Vec<_>, _> =
            slots.iter().map(|&chan| self.instruction(chan)).collect();
        groups.push(AluGroup::new(instructions?, []));
        if self.case.op == "NOP" {
            // It writes nothing; what is stated is stated of PV.
            let previous = Source::new(SourceSel::PV, Chan::X);
            groups.push(AluGroup::new([self.mov(previous, RESULT, Chan::X)], []));
        }
        if self.case.expect.predicate.is_some() {
            let mov = self.mov(Source::new(SourceSel::ONE, Chan::X), PREDICATE, Chan::X);
            groups.push(AluGroup::new([mov.with_pred_sel(PredSel::ONE)], []));
        }
        if self.addresses() {
            let constant = Source::cfile(base(&self.case.expect), Chan::X).with_rel(true);
            let mov = self.mov(constant, ADDRESSED, Chan::X);
            groups.push(AluGroup::new([mov.with_index_mode(IndexMode::AR_X)], []));
        }
        Ok(groups)
    }

    fn addresses(&self) -> bool {
        self.case.op.starts_with("MOVA")
    }

    /// The instruction in the slot of a channel.
    fn instruction(&self, chan: Chan) -> Result<Alu, SingleError> {
        let case = self.case;
        let mut alu = Alu::new(self.op, self.chip).with_dst(Dest::new(RESULT, chan));
        let two = self.op.encoding() == Encoding::Op2;
        let flag = |flags: &[bool], operand: usize| flags.get(operand).copied().unwrap_or(false);
        for operand in 0..case.operands.len() {
            let source = self
                .place(operand, chan)
                .with_neg(flag(&case.neg, operand))
                .with_abs(flag(&case.abs, operand));
            if source.abs() && !two {
                return Err(SingleError::Op3(case.op.clone()));
            }
            alu = match operand {
                0 => alu.with_src0(source),
                1 => alu.with_src1(source),
                _ => alu.with_src2(source),
            };
        }
        alu = alu.with_clamp(case.clamp);
        let omod = match case.omod.as_str() {
            "OFF" => Omod::OFF,
            "M2" => Omod::M2,
            "M4" => Omod::M4,
            "D2" => Omod::D2,
            other => return Err(SingleError::Omod(other.to_owned())),
        };
        if two {
            // What MOVA* would write to the register is undefined.
            alu = alu.with_omod(omod).with_write_mask(!self.addresses());
            alu = alu.with_update_pred(case.expect.predicate.is_some());
        } else if omod != Omod::OFF {
            return Err(SingleError::Op3(case.op.clone()));
        }
        Ok(alu)
    }

    /// Where the slot of a channel finds an operand.
    fn place(&self, operand: usize, chan: Chan) -> Source {
        let slot = usize::from(chan.code());
        if self.case.op == "CUBE" {
            // One direction in one register, which the slots read as ZZXY and YXZZ.
            let reads = [
                [Chan::Z, Chan::Z, Chan::X, Chan::Y],
                [Chan::Y, Chan::X, Chan::Z, Chan::Z],
            ];
            return Source::gpr(OPERANDS[0], reads[operand.min(1)][slot]);
        }
        let chan = match halves(&self.case.op) {
            // The integer is the same for both slots.
            Some(_) if self.case.op == "LDEXP_64" && operand == 0 => Chan::X,
            Some(halves) => Chan::from_code(halves[slot]),
            None => chan,
        };
        Source::gpr(OPERANDS[operand], chan)
    }

    fn mov(&self, source: Source, register: u8, chan: Chan) -> Alu {
        Alu::new(AluOp::named("MOV"), self.chip)
            .with_src0(source)
            .with_dst(Dest::new(register, chan))
            .with_write_mask(true)
    }

    fn zero(&self, register: u8) -> AluGroup {
        let zero = Source::new(SourceSel::ZERO, Chan::X);
        AluGroup::new(CHANNELS.map(|chan| self.mov(zero, register, chan)), [])
    }

    fn environment(&self) -> Environment {
        let mut environment = Environment::new(Stage::Pixel);
        let mut lane = Lane::default();
        for (register, words) in OPERANDS.into_iter().zip(&self.case.operands) {
            let mut value: Vec4 = [0; 4];
            value[..words.len()].copy_from_slice(words);
            if self.case.op == "CUBE" && words.len() == 4 {
                // From the first operands of the slots back to the direction.
                value = [words[2], words[3], words[0], 0];
            }
            lane.registers.insert(register, value);
        }
        environment.lanes.push(lane);
        if self.addresses() {
            // Constant n holds n.
            environment.constants = (0..256).map(|number| [number; 4]).collect();
        }
        environment
    }
}

/// Which half of a double each slot of a 64-bit operation reads: 0 the low word, 1 the high one. None if it is no such
/// operation. (LDEXP_64: R7 p. 9-77; the others: Mesa 17.3.9 `r600_shader.c`, for the next chip family.)
fn halves(op: &str) -> Option<&'static [u8]> {
    match op {
        "MUL_64" | "MULADD_64" | "MULADD_64_M2" | "MULADD_64_M4" | "MULADD_64_D2" => {
            Some(&[1, 1, 1, 0])
        }
        "FREXP_64" => Some(&[1, 0, 1, 0]),
        "FLT32_TO_FLT64" => Some(&[0, 0]),
        _ if op.ends_with("_64") || op == "FLT64_TO_FLT32" => Some(&[1, 0]),
        _ => None,
    }
}

/// The constant that the address is added to: so that the sum is one, if any can be.
fn base(expect: &Expected) -> u8 {
    match expect.address {
        Some(address) if address > 127 => 0,
        Some(address) if address < -128 => 255,
        _ => 128,
    }
}

/// What the constant at an address holds: outside the file the manual has 0x7FFFFFFF.
fn at_address(address: i32, base: u8) -> u32 {
    u8::try_from(address + i32::from(base)).map_or(0x7fff_ffff, u32::from)
}

fn expect(stated: &Expected, words: usize, addresses: bool) -> LaneExpected {
    let mut expected = LaneExpected {
        killed: stated.killed == Some(true),
        ..LaneExpected::default()
    };
    let any = || [Word::Any, Word::Any, Word::Any, Word::Any];
    let base = base(stated);
    let addressed = match (&stated.result[..], stated.address) {
        (_, Some(address)) => Some(Word::Is(at_address(address, base))),
        ([Word::OneOf(words)], None) if addresses => {
            let address = |word: &u32| at_address(*word as i32, base);
            Some(Word::OneOf(words.iter().map(address).collect()))
        }
        _ => None,
    };
    if let Some(word) = addressed {
        let mut target = any();
        target[0] = word;
        expected.exports.insert("pixel2".to_owned(), target);
        return expected;
    }
    if let Some(set) = stated.predicate {
        let mut target = any();
        target[0] = Word::Is(if set { 1.0_f32 } else { 0.0 }.to_bits());
        expected.exports.insert("pixel1".to_owned(), target);
    }
    let mut target = any();
    match &stated.result[..] {
        // One expectation of a reduction or a double is that of each of its words.
        [one] if words == 4 => target = [0; 4].map(|_| one.clone()),
        words => target
            .iter_mut()
            .zip(words)
            .for_each(|(to, word)| *to = word.clone()),
    }
    expected.exports.insert("pixel0".to_owned(), target);
    expected
}

/// Whether an opcode goes to the four vector units at once, or to two of them.
pub fn is_joint(op: AluOp, chip: Chip) -> bool {
    op.info().units(chip) == UnitClass::Vector
        && !op.info().name.is_some_and(|name| name.starts_with("MOVA"))
}
