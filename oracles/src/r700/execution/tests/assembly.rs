//! Programs by hand: words from fields, with the places that RG chapter 5 gives them.

/// Channels.
pub(super) const X: u32 = 0;
pub(super) const Y: u32 = 1;
pub(super) const Z: u32 = 2;
pub(super) const W: u32 = 3;

/// Opcodes of two-operand instructions.
pub(super) mod op2 {
    pub(crate) const ADD: u32 = 0;
    pub(crate) const MUL_IEEE: u32 = 2;
    pub(crate) const MOVA_INT: u32 = 24;
    pub(crate) const MOV: u32 = 25;
    pub(crate) const NOP: u32 = 26;
    pub(crate) const PRED_SETGT: u32 = 33;
    pub(crate) const PRED_SETGE: u32 = 34;
    pub(crate) const KILLGT: u32 = 45;
    pub(crate) const ADD_INT: u32 = 52;
    pub(crate) const DOT4: u32 = 80;
    pub(crate) const RECIP_IEEE: u32 = 102;
}

/// Opcodes of three-operand instructions.
pub(super) mod op3 {
    pub(crate) const CNDE: u32 = 24;
}

/// Opcodes of control flow.
pub(super) mod cf {
    pub(crate) const NOP: u32 = 0;
    pub(crate) const VTX: u32 = 2;
    pub(crate) const LOOP_START: u32 = 4;
    pub(crate) const LOOP_END: u32 = 5;
    pub(crate) const LOOP_START_DX10: u32 = 6;
    pub(crate) const LOOP_BREAK: u32 = 9;
    pub(crate) const JUMP: u32 = 10;
    pub(crate) const ELSE: u32 = 13;
    pub(crate) const POP: u32 = 14;
    pub(crate) const CALL: u32 = 18;
    pub(crate) const CALL_FS: u32 = 19;
    pub(crate) const RETURN: u32 = 20;
    pub(crate) const MEM_SCRATCH: u32 = 36;
    pub(crate) const ALU: u32 = 8;
    pub(crate) const ALU_PUSH_BEFORE: u32 = 9;
    pub(crate) const ALU_POP_AFTER: u32 = 10;
    pub(crate) const ALU_BREAK: u32 = 14;
    pub(crate) const ALU_ELSE_AFTER: u32 = 15;
}

/// An operand.
#[derive(Clone, Copy)]
pub(super) struct Src {
    select: u32,
    channel: u32,
    relative: bool,
    negative: bool,
    absolute: bool,
}

/// A register's channel, or any other select's.
pub(super) const fn src(select: u32, channel: u32) -> Src {
    Src {
        select,
        channel,
        relative: false,
        negative: false,
        absolute: false,
    }
}

/// Selects that are not registers.
pub(super) const ZERO: Src = src(248, X);
pub(super) const ONE_FLOAT: Src = src(249, X);
pub(super) const ONE_INT: Src = src(250, X);
pub(super) const HALF: Src = src(252, X);
pub(super) const PS: Src = src(255, X);

pub(super) const fn literal(channel: u32) -> Src {
    src(253, channel)
}

pub(super) const fn pv(channel: u32) -> Src {
    src(254, channel)
}

impl Src {
    pub(super) const fn relative(mut self) -> Self {
        self.relative = true;
        self
    }

    pub(super) const fn negative(mut self) -> Self {
        self.negative = true;
        self
    }

    pub(super) const fn absolute(mut self) -> Self {
        self.absolute = true;
        self
    }
}

/// An ALU instruction: its two words.
#[derive(Clone, Copy)]
pub(super) struct Alu(u32, u32);

fn first_word(a: Src, b: Src) -> u32 {
    let half = |src: Src| src.select | u32::from(src.relative) << 9 | src.channel << 10;
    half(a) | u32::from(a.negative) << 12 | half(b) << 13 | u32::from(b.negative) << 25
}

/// A two-operand instruction that writes its result.
pub(super) fn two(op: u32, dst: (u32, u32), a: Src, b: Src) -> Alu {
    let abs = u32::from(a.absolute) | u32::from(b.absolute) << 1;
    let write = 1 << 4;
    Alu(
        first_word(a, b),
        abs | write | op << 7 | dst.0 << 21 | dst.1 << 29,
    )
}

/// A three-operand instruction.
pub(super) fn three(op: u32, dst: (u32, u32), [a, b, c]: [Src; 3]) -> Alu {
    let third = c.select | u32::from(c.relative) << 9 | c.channel << 10;
    let third = third | u32::from(c.negative) << 12;
    Alu(
        first_word(a, b),
        third | op << 13 | dst.0 << 21 | dst.1 << 29,
    )
}

/// MOV.
pub(super) fn mov(dst: (u32, u32), a: Src) -> Alu {
    two(op2::MOV, dst, a, src(0, X))
}

impl Alu {
    /// LAST.
    pub(super) fn last(mut self) -> Self {
        self.0 |= 1 << 31;
        self
    }

    /// WRITE_MASK 0.
    pub(super) fn masked(mut self) -> Self {
        self.1 &= !(1 << 4);
        self
    }

    /// UPDATE_EXECUTE_MASK and UPDATE_PRED.
    pub(super) fn updating(mut self) -> Self {
        self.1 |= 0b1100;
        self
    }

    /// UPDATE_PRED alone.
    pub(super) fn updating_predicate(mut self) -> Self {
        self.1 |= 0b1000;
        self
    }

    pub(super) fn clamped(mut self) -> Self {
        self.1 |= 1 << 31;
        self
    }

    pub(super) fn omod(mut self, modifier: u32) -> Self {
        self.1 |= modifier << 5;
        self
    }

    /// DST_REL.
    pub(super) fn relative(mut self) -> Self {
        self.1 |= 1 << 28;
        self
    }

    pub(super) fn index(mut self, mode: u32) -> Self {
        self.0 |= mode << 26;
        self
    }

    /// PRED_SEL: 2 where the predicate is clear, 3 where it is set.
    pub(super) fn predicated(mut self, select: u32) -> Self {
        self.0 |= select << 29;
        self
    }
}

/// A control-flow instruction, and the slots of its clause.
#[derive(Clone)]
pub(super) struct Cf {
    words: [u32; 2],
    clause: Vec<[u32; 2]>,
    /// Slots that a clause's start is a multiple of.
    align: usize,
}

/// An instruction of format CF: opcode, ADDR, POP_COUNT.
pub(super) fn control(op: u32, addr: u32, pops: u32) -> Cf {
    Cf {
        words: [addr, op << 23 | pops | 1 << 31],
        clause: Vec::new(),
        align: 1,
    }
}

/// A clause of instructions, and of literals where a group has them.
pub(super) fn clause(op: u32, slots: &[Slot]) -> Cf {
    let clause: Vec<[u32; 2]> = slots
        .iter()
        .map(|slot| match *slot {
            Slot::Alu(Alu(first, second)) => [first, second],
            Slot::Literal(x, y) => [x, y],
        })
        .collect();
    let count = clause.len() as u32 - 1;
    Cf {
        words: [0, op << 26 | count << 18 | 1 << 31],
        clause,
        align: 1,
    }
}

/// A slot of an ALU clause.
pub(super) enum Slot {
    Alu(Alu),
    Literal(u32, u32),
}

impl From<Alu> for Slot {
    fn from(alu: Alu) -> Self {
        Self::Alu(alu)
    }
}

/// A clause whose groups have no literals.
pub(super) fn alu(op: u32, instructions: &[Alu]) -> Cf {
    let slots: Vec<Slot> = instructions.iter().map(|alu| Slot::Alu(*alu)).collect();
    clause(op, &slots)
}

/// A clause of one vertex fetch: index in R`src`.x, to R`dst`.xyzw as four floats, from buffer 0.
pub(super) fn vertex(src: u32, dst: u32) -> Cf {
    // DATA_FORMAT 35 is 32_32_32_32_FLOAT; selects X, Y, Z, W.
    let words = [
        src << 16,
        dst | 1 << 12 | 2 << 15 | 3 << 18 | 35 << 22,
        0,
        0,
    ];
    Cf {
        words: [0, cf::VTX << 23 | 1 << 31],
        clause: vec![[words[0], words[1]], [words[2], words[3]]],
        align: 2,
    }
}

/// An export of a register's channels: type, base, register, selects.
pub(super) fn export(kind: u32, base: u32, register: u32, selects: [u32; 4]) -> Cf {
    let [x, y, z, w] = selects;
    Cf {
        words: [
            base | kind << 13 | register << 15 | 3 << 30,
            x | y << 3 | z << 6 | w << 9 | 40 << 23 | 1 << 31,
        ],
        clause: Vec::new(),
        align: 1,
    }
}

/// R`register` to PIXEL 0 at the end of the program.
pub(super) fn out(register: u32) -> Cf {
    export(0, 0, register, [0, 1, 2, 3]).end()
}

impl Cf {
    /// END_OF_PROGRAM.
    pub(super) fn end(mut self) -> Self {
        self.words[1] |= 1 << 21;
        self
    }

    /// Bits of word 0 and word 1.
    pub(super) fn with(mut self, first: u32, second: u32) -> Self {
        self.words[0] |= first;
        self.words[1] |= second;
        self
    }

    /// KCACHE0: LOCK_1 or another mode, bank, line.
    pub(super) fn kcache(self, mode: u32, bank: u32, line: u32) -> Self {
        self.with(bank << 22 | mode << 30, line << 2)
    }
}

/// The bytes of a program: control flow, then clauses in order.
pub(super) fn program(instructions: &[Cf]) -> Vec<u8> {
    let mut slots: Vec<[u32; 2]> = instructions.iter().map(|one| one.words).collect();
    for (at, instruction) in instructions.iter().enumerate() {
        if instruction.clause.is_empty() {
            continue;
        }
        while !slots.len().is_multiple_of(instruction.align) {
            slots.push([0, 0]);
        }
        slots[at][0] |= slots.len() as u32;
        slots.extend(&instruction.clause);
    }
    let words = slots.into_iter().flatten();
    words.flat_map(u32::to_le_bytes).collect()
}
