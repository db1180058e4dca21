//! Whatever the program: no panic, no unbounded work, and no word that depends on what was run before.

use corpora::execution::LoopConstant;

use super::assembly::{Cf, alu, cf, control, export, literal, program, src, two, vertex};
use super::{environment, oracle};
use crate::r700::Chip;
use crate::r700::execution::policy::FloatPolicy;
use crate::r700::execution::{Fault, Limits, Program, run};

/// A small generator (xorshift), so that a failure can be had again.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end) as u32
    }

    fn clause(&mut self) -> Cf {
        let count = 1 + self.below(6);
        let groups: Vec<_> = (0..count)
            .map(|at| {
                let operands: [_; 2] = std::array::from_fn(|_| {
                    // No literal: a group that asks for one needs a slot more.
                    let select = [self.below(6), self.below(253), 256 + self.below(256)];
                    let operand = src(select[self.below(3) as usize], self.below(4));
                    match self.below(6) {
                        0 => operand.relative(),
                        1 => operand.negative(),
                        2 => operand.absolute(),
                        _ => operand,
                    }
                });
                let target = (self.below(6) + 122 * (self.below(8) / 7), self.below(4));
                // Those below 80 take one unit; of the others many need four.
                let op = if self.below(16) > 0 {
                    self.below(80)
                } else {
                    self.below(127)
                };
                let mut instruction = two(op, target, operands[0], operands[1]);
                for _ in 0..self.below(3) {
                    instruction = match self.below(8) {
                        0 => instruction.masked(),
                        1 => instruction.updating(),
                        2 => instruction.clamped(),
                        3 => instruction.omod(self.below(4)),
                        4 => instruction.relative(),
                        5 => instruction.index(self.below(8)),
                        _ => instruction.predicated(self.below(4)),
                    };
                }
                if at + 1 == count || self.below(4) > 0 {
                    instruction.last()
                } else {
                    instruction
                }
            })
            .collect();
        let op = [cf::ALU, cf::ALU, cf::ALU, cf::ALU + self.below(8)][self.below(4) as usize];
        alu(op, &groups).kcache(self.below(4), self.below(2), self.below(4))
    }

    fn instruction(&mut self, slots: u64) -> Cf {
        match self.below(8) {
            0..5 => self.clause(),
            5 => export(
                self.below(3),
                [0, 60, 61, 8][self.below(4) as usize],
                self.below(6),
                std::array::from_fn(|_| self.below(8)),
            )
            .with(self.below(2) << 22, self.below(3) << 17),
            6 => vertex(self.below(4), self.below(4)),
            _ => {
                let op = [
                    0, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 24,
                ];
                let op = op[self.below(op.len() as u64) as usize];
                let parts = self.below(4) << 8 | self.below(4) << 3 | self.below(3) << 13;
                let modes = self.below(2) << 22 | self.below(2) << 30;
                control(op, self.below(slots), self.below(3)).with(0, parts | modes)
            }
        }
    }
}

#[test]
fn random_programs_never_panic() {
    let (oracle, policy) = (oracle(), FloatPolicy::embedded().unwrap());
    let limits = Limits {
        groups: 200,
        control: 200,
        stack: 8,
    };
    let mut environment = environment(6);
    environment.lanes[3].helper = true;
    environment.loops[1] = LoopConstant::new(3, 4095, 127);
    environment.loops[2] = LoopConstant::new(3, 0, -128);
    environment.booleans = 0b10;
    environment.fetch_shader = Some(program(&[vertex(0, 1), control(cf::RETURN, 0, 0)]));
    let mut random = Random(0x5eed);
    let (mut ended, mut faults) = (0, 0);
    for _ in 0..3000 {
        let count = 2 + random.below(6);
        let mut instructions: Vec<Cf> = (1..count)
            .map(|_| random.instruction(u64::from(count)))
            .collect();
        instructions.push(control(cf::NOP, 0, 0).end());
        let Ok(program) = Program::new(&oracle, &program(&instructions), Chip::R700) else {
            continue;
        };
        environment.gprs = if random.below(2) == 0 { 124 } else { 3 };
        let go = || run(&program, &environment, &policy, &limits, &mut ());
        let found = go();
        assert_eq!(found, go());
        match found {
            Ok(outcome) => {
                assert_eq!(outcome.lanes.len(), 6);
                ended += 1;
            }
            Err(error) => {
                assert_ne!(error.fault, Fault::Lanes { lanes: 6 });
                faults += 1;
            }
        }
    }
    assert!(
        ended > 100 && faults > 100,
        "{ended} ended, {faults} did not"
    );
}

#[test]
fn bytes_that_are_no_program_are_refused() {
    let error = Program::new(&oracle(), &[0; 12], Chip::R700).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the program is not decodable: rejected: bad-length at byte 8"
    );
    let literals = alu(cf::ALU, &[two(0, (1, 0), literal(0), literal(0)).last()]);
    let truncated = program(&[literals, control(cf::NOP, 0, 0).end()]);
    assert!(Program::new(&oracle(), &truncated, Chip::R700).is_err());
}
