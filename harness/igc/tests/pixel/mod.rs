//! One pixel, as the document's table reads: a bit at a time, nothing shared with other pixels.

use igc::{Instruction, Op, Operand};

pub(crate) struct Pixel {
    pub(crate) memory: [bool; 256],
    pub(crate) enable: bool,
    pub(crate) carry: bool,
}

impl Pixel {
    /// The pixel at (x, y) after a program of which all is supported.
    pub(crate) fn after(program: &[Instruction], x: u16, y: u16) -> Self {
        let mut pixel = Self {
            memory: [false; 256],
            enable: false,
            carry: false,
        };
        let mut t = None;
        for instruction in program {
            if let Operand::Coefficients([a, b, c]) = instruction.operand() {
                let [a, b, c] = [a, b, c].map(f64::from);
                let v = ((a * f64::from(x)) + (b * f64::from(y))) + c;
                t = Some(v.trunc() as i64);
            }
            pixel.step(instruction, t);
        }
        pixel
    }

    fn step(&mut self, instruction: &Instruction, t: Option<i64>) {
        let addr = usize::from(instruction.word().addr());
        let len = usize::from(instruction.len().unwrap_or(0));
        let (bit, enable) = (self.memory[addr], self.enable);
        match (instruction.op(), instruction.operand()) {
            (Op::SetEnabs, _) => self.enable = true,
            (Op::ClrEnabs, _) => self.enable = false,
            (Op::MemIntoEnab, _) => self.enable = bit,
            (Op::MemBarIntoEnab, _) => self.enable = !bit,
            (Op::EnabAndEqMem, _) => self.enable = enable && bit,
            (Op::EnabAndEqMemBar, _) => self.enable = enable && !bit,
            (Op::EnabXorEqMem, _) => self.enable = enable != bit,
            (Op::EnabIntoMem, _) => self.memory[addr] = enable,
            (Op::MemOrEqEnab, _) => self.memory[addr] = bit || enable,
            (Op::MemAndEqEnab, _) => self.memory[addr] = bit && enable,
            (Op::CryIntoMem, _) if enable => self.memory[addr] = self.carry,
            (Op::TreeLtZeroL3, _) => self.enable = enable && t.unwrap() < 0,
            (Op::TreeGeZeroL3, _) => self.enable = enable && t.unwrap() >= 0,
            (Op::MemLtTreeL3, _) => {
                let field = &self.memory[addr..addr + len];
                let high = field.iter().skip(63).any(|bit| *bit);
                let low = field
                    .iter()
                    .take(63)
                    .rev()
                    .fold(0i64, |n, bit| 2 * n + i64::from(*bit));
                self.enable = enable && !high && low < t.unwrap();
            }
            (Op::TreeIntoMemL3, _) if enable => {
                for n in 0..len {
                    self.memory[addr + n] = t.unwrap() >> n.min(63) & 1 == 1;
                }
            }
            (Op::ScaIntoMemS1, Operand::Scalar(scalar)) if enable => {
                for n in 0..len {
                    self.memory[addr + n] = scalar >> n & 1 == 1;
                }
            }
            (Op::Cpy, Operand::Source { src, .. }) if enable => {
                let src = usize::from(src);
                let source = self.memory[src..src + len].to_vec();
                self.memory[addr..addr + len].copy_from_slice(&source);
            }
            (Op::MemPlusEqMemK, Operand::Sweep { src, len2, .. }) if enable => {
                let src = usize::from(src);
                let source = self.memory[src..src + usize::from(len2)].to_vec();
                let mut carry = 0;
                for n in 0..len {
                    let other = source.get(n).is_some_and(|bit| *bit);
                    let sum = u8::from(self.memory[addr + n]) + u8::from(other) + carry;
                    self.memory[addr + n] = sum & 1 == 1;
                    carry = sum >> 1;
                }
                self.carry = carry == 1;
            }
            _ => {}
        }
    }
}
