//! ALU groups of generated programs.

use corpora::generate::Random;
use r700::Chip;
use r700::alu::{Alu, AluOp, Dest, Encoding, Source, SourceSel};
use r700::asm::AluGroup;
use r700::clause::Units;
use r700::codes::{Chan, Omod, PredSel};

use super::{INTEGERS, REALS};

/// Opcodes with float operands and a float result, or one that is as good as one.
const FLOAT: [&str; 24] = [
    "ADD",
    "MUL",
    "MUL_IEEE",
    "MAX",
    "MIN",
    "SETE",
    "SETGT",
    "SETGE",
    "SETNE",
    "FRACT",
    "TRUNC",
    "CEIL",
    "RNDNE",
    "FLOOR",
    "MOV",
    "MULADD",
    "MULADD_IEEE",
    "CNDE",
    "CNDGT",
    "CNDGE",
    "ADD",
    "MUL",
    "MULADD_M2",
    "MAX",
];

/// Opcodes with integer operands and an integer result.
const INTEGER: [&str; 24] = [
    "AND_INT",
    "OR_INT",
    "XOR_INT",
    "NOT_INT",
    "ADD_INT",
    "SUB_INT",
    "MAX_INT",
    "MIN_INT",
    "MAX_UINT",
    "MIN_UINT",
    "SETE_INT",
    "SETGT_INT",
    "SETGE_INT",
    "SETNE_INT",
    "SETGT_UINT",
    "SETGE_UINT",
    "CNDE_INT",
    "CNDGT_INT",
    "CNDGE_INT",
    "MULLO_INT",
    "MULHI_UINT",
    "MOV",
    "ADD_INT",
    "SUB_INT",
];

/// Predicate setters, and whether their operands are floats.
const DECIDE: [(&str, bool); 8] = [
    ("PRED_SETE", true),
    ("PRED_SETGT", true),
    ("PRED_SETGE", true),
    ("PRED_SETNE", true),
    ("PRED_SETE_INT", false),
    ("PRED_SETGT_INT", false),
    ("PRED_SETGE_INT", false),
    ("PRED_SETNE_INT", false),
];

/// Kills, and whether their operands are floats.
const KILL: [(&str, bool); 4] = [
    ("KILLE", true),
    ("KILLGT", true),
    ("KILLGT_INT", false),
    ("KILLE_INT", false),
];

/// Float literals: most of them harmless.
const LITERALS: [u32; 10] = [
    0x0000_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x4000_0000,
    0x3f00_0000,
    0x40f8_0000,
    0xc100_0000,
    0x3e00_0000,
    0x8000_0000,
    0x7f80_0000,
];

const CHANNELS: [Chan; 4] = [Chan::X, Chan::Y, Chan::Z, Chan::W];

/// Register 127: what compilers name where only PV or PS is wanted.
const DUMMY: u8 = 127;

/// Makes the groups of one clause.
pub(super) struct Groups<'a> {
    random: &'a mut Random,
    /// What PV.x to PV.w and PS hold: floats, integers, nothing.
    previous: [Option<bool>; 5],
    /// Whether the predicate was set in this clause.
    predicated: bool,
}

/// A group in the making.
#[derive(Default)]
struct Group {
    alus: Vec<Alu>,
    literals: Vec<u32>,
    holds: [Option<bool>; 5],
}

impl Group {
    /// The channel of a literal; none if there is no room for another.
    fn literal(&mut self, word: u32) -> Option<Chan> {
        let at = match self.literals.iter().position(|&known| known == word) {
            Some(at) => at,
            None if self.literals.len() < 4 => {
                self.literals.push(word);
                self.literals.len() - 1
            }
            None => return None,
        };
        Some(CHANNELS[at])
    }

    fn finish(self) -> AluGroup {
        AluGroup::new(self.alus, self.literals)
    }
}

fn op2(name: &str) -> Alu {
    Alu::new(AluOp::named(name), Chip::R700)
}

impl<'a> Groups<'a> {
    pub(super) fn new(random: &'a mut Random) -> Self {
        Self {
            random,
            previous: [None; 5],
            predicated: false,
        }
    }

    /// A counter's register set to 0.
    pub(super) fn zero(counter: u8) -> AluGroup {
        let mov = op2("MOV").with_src0(Source::new(SourceSel::ZERO, Chan::X));
        let mov = mov.with_dst(Dest::new(counter, Chan::X));
        AluGroup::new([mov.with_write_mask(true)], [])
    }

    /// A counter increased by 1.
    pub(super) fn count(counter: u8) -> AluGroup {
        let add = op2("ADD_INT")
            .with_src0(Source::gpr(counter, Chan::X))
            .with_src1(Source::new(SourceSel::ONE_INT, Chan::X))
            .with_dst(Dest::new(counter, Chan::X));
        AluGroup::new([add.with_write_mask(true)], [])
    }

    /// The predicate: has a counter reached `most`, or has it not?
    pub(super) fn reached(counter: u8, most: u32, reached: bool) -> AluGroup {
        let (name, first, second) = if reached {
            (
                "PRED_SETGE_INT",
                Source::gpr(counter, Chan::X),
                Source::literal(Chan::X),
            )
        } else {
            (
                "PRED_SETGT_INT",
                Source::literal(Chan::X),
                Source::gpr(counter, Chan::X),
            )
        };
        let set = op2(name)
            .with_src0(first)
            .with_src1(second)
            .with_dst(Dest::new(DUMMY, Chan::X))
            .with_update_execute_mask(true)
            .with_update_pred(true);
        AluGroup::new([set], [most])
    }

    /// A clause that computes.
    pub(super) fn work(mut self) -> Vec<AluGroup> {
        let mut groups = Vec::new();
        for _ in 0..1 + self.random.below(4) {
            if self.random.one_in(6) {
                groups.push(self.setter(false));
                self.predicated = true;
            } else {
                groups.push(self.group());
            }
        }
        groups
    }

    /// A clause whose last group sets the active mask.
    pub(super) fn decide(mut self) -> Vec<AluGroup> {
        let mut groups = Vec::new();
        for _ in 0..self.random.below(3) {
            groups.push(self.group());
        }
        groups.push(self.setter(true));
        groups
    }

    /// A clause whose last group kills.
    pub(super) fn kill(mut self) -> Vec<AluGroup> {
        let mut groups = Vec::new();
        for _ in 0..self.random.below(2) {
            groups.push(self.group());
        }
        let (name, float) = *self.random.pick(&KILL);
        let mut group = Group::default();
        let kill = op2(name)
            .with_src0(self.operand(float, &mut group))
            .with_src1(self.operand(float, &mut group))
            .with_dst(Dest::new(DUMMY, Chan::X));
        group.alus.push(kill);
        groups.push(group.finish());
        groups
    }

    fn setter(&mut self, mask: bool) -> AluGroup {
        let (name, float) = *self.random.pick(&DECIDE);
        let mut group = Group::default();
        let set = op2(name)
            .with_src0(self.operand(float, &mut group))
            .with_src1(self.operand(float, &mut group))
            .with_dst(Dest::new(DUMMY, *self.random.pick(&CHANNELS)))
            .with_update_execute_mask(mask)
            .with_update_pred(!mask || self.random.one_in(2));
        let chan = usize::from(set.dst().chan().code());
        group.alus.push(set);
        group.holds[chan] = Some(true);
        self.previous = group.holds;
        group.finish()
    }

    /// A group of one to five instructions.
    fn group(&mut self) -> AluGroup {
        let mut group = Group::default();
        let mut units = Units::default();
        for _ in 0..1 + self.random.below(5) {
            let alu = self.instruction(&mut group);
            // A unit that is taken: the group is as it is. Its operands may have asked for literals in vain.
            if let Ok(unit) = units.assign(&alu.0) {
                group.holds[usize::from(unit.code())] = Some(alu.1);
                group.alus.push(alu.0);
            }
        }
        self.previous = group.holds;
        trim(group)
    }

    /// An instruction, and whether its result is a float.
    fn instruction(&mut self, group: &mut Group) -> (Alu, bool) {
        let float = self.random.below(5) < 3;
        let name = *self.random.pick(if float { &FLOAT } else { &INTEGER });
        let registers: &[u8] = if float { &REALS } else { &INTEGERS };
        let op = AluOp::named(name);
        let mut alu = Alu::new(op, Chip::R700).with_dst(Dest::new(
            *self.random.pick(registers),
            *self.random.pick(&CHANNELS),
        ));
        // Only OP2 has abs, and a write mask.
        let two = op.encoding() == Encoding::Op2;
        alu = alu.with_src0(self.source(float, two, group));
        alu = alu.with_src1(self.source(float, two, group));
        alu = if two {
            alu.with_write_mask(!self.random.one_in(5))
        } else {
            alu.with_src2(self.source(float, two, group))
        };
        if float {
            alu = alu.with_clamp(self.random.one_in(8));
            if two && self.random.one_in(8) {
                alu = alu.with_omod(*self.random.pick(&[Omod::M2, Omod::M4, Omod::D2]));
            }
        }
        if self.predicated && self.random.one_in(2) {
            alu = alu.with_pred_sel(*self.random.pick(&[PredSel::ZERO, PredSel::ONE]));
        }
        (alu, float)
    }

    /// An operand with modifiers, if they make sense.
    fn source(&mut self, float: bool, abs: bool, group: &mut Group) -> Source {
        let source = self.operand(float, group);
        let neg = float && self.random.one_in(4);
        let abs = float && abs && self.random.one_in(6);
        source.with_neg(neg).with_abs(abs)
    }

    fn operand(&mut self, float: bool, group: &mut Group) -> Source {
        let chan = *self.random.pick(&CHANNELS);
        match self.random.below(10) {
            0 => {
                let word = if float {
                    *self.random.pick(&LITERALS)
                } else {
                    (self.random.below(19) as u32).wrapping_sub(9)
                };
                match group.literal(word) {
                    Some(chan) => return Source::literal(chan),
                    None => return Source::new(SourceSel::ZERO, Chan::X),
                }
            }
            1 => {
                let inline: &[SourceSel] = if float {
                    &[SourceSel::ZERO, SourceSel::ONE, SourceSel::HALF]
                } else {
                    &[SourceSel::ZERO, SourceSel::ONE_INT, SourceSel::M_ONE_INT]
                };
                return Source::new(*self.random.pick(inline), Chan::X);
            }
            2..=3 => {
                let half = self.random.below(8) as u8;
                return Source::kcache(0, half + if float { 0 } else { 8 }, chan);
            }
            4..=5 => {
                // What the group before left, if it is of the kind that is wanted.
                let at = self.random.below(5) as usize;
                if self.previous[at] == Some(float) {
                    return match at {
                        4 => Source::new(SourceSel::PS, Chan::X),
                        at => Source::new(SourceSel::PV, CHANNELS[at]),
                    };
                }
            }
            _ => {}
        }
        let registers: &[u8] = if float { &REALS } else { &INTEGERS };
        Source::gpr(*self.random.pick(registers), chan)
    }
}

/// Takes away literals that no instruction of the group reads: their number has to fit the operands.
fn trim(mut group: Group) -> AluGroup {
    let slots = group.alus.iter().map(Alu::literal_slots).max().unwrap_or(0);
    group.literals.truncate(2 * slots);
    group.finish()
}
