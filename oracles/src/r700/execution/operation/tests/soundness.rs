//! Propagation leaves nothing out: whatever the operands turn out to be, the doubtful result accepts what comes of it.

use super::{named, policy};
use crate::r700::Chip;
use crate::r700::execution::operation::{Context, Effect, Operation, Shape};
use crate::r700::execution::value::{Acceptance, Doubt, Omod, Reason, Truth, Value};

/// SplitMix64 (Steele, Lea, Flood): a fixed sequence for a seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn word(&mut self) -> u32 {
        const WORDS: [u32; 24] = [
            0,
            0x8000_0000,
            1,
            0x8000_0001,
            0x007f_ffff,
            0x0080_0000,
            0x8080_0000,
            0x3f00_0000,
            0x3f80_0000,
            0xbf80_0000,
            0x3f80_0001,
            0x4000_0000,
            0xc020_0000,
            0x4049_0fdb,
            0x4b80_0001,
            0x7f7f_ffff,
            0xff7f_ffff,
            0x7f80_0000,
            0xff80_0000,
            0x7fc0_0000,
            0xff80_0001,
            7,
            0xffff_ffff,
            0x7fff_ffff,
        ];
        match self.below(3) {
            0 => self.next() as u32,
            // A float of moderate size.
            1 => (((self.next() % 4001) as f32 - 2000.0) / 64.0).to_bits(),
            _ => WORDS[self.below(WORDS.len())],
        }
    }

    fn number(&mut self) -> f32 {
        loop {
            let number = f32::from_bits(self.word());
            if !number.is_nan() {
                return number;
            }
        }
    }

    fn value(&mut self) -> Value {
        let why = Reason::Filtering;
        match self.below(8) {
            0 | 1 => Value::settled(self.word()),
            2 | 3 => {
                let others: Vec<u32> = (0..=self.below(4)).map(|_| self.word()).collect();
                Value::one_of(self.word(), &others, why)
            }
            4 | 5 => {
                let (a, b, c) = (self.number(), self.number(), self.number());
                Value::within(a, b, c, self.below(4) == 0, why)
            }
            6 => Value::any_nan(0x7fc0_0000, why),
            _ => Value::unknown(self.word(), why),
        }
    }

    /// Something that a value can be.
    fn member(&mut self, value: &Value) -> u32 {
        match value.doubt() {
            Doubt::Settled => value.bits(),
            Doubt::OneOf(words) => words[self.below(words.len())],
            Doubt::Within { nan: true, .. } if self.below(4) == 0 => self.nan(),
            Doubt::Within { low, high, .. } => self.between(*low, *high).to_bits(),
            Doubt::AnyNan => self.nan(),
            Doubt::Unknown => self.word(),
        }
    }

    fn nan(&mut self) -> u32 {
        (self.next() as u32 | 0x7f80_0001) & !(u32::from(self.below(2) == 0) << 31)
    }

    /// A number between two: an end, zero, or any float in the order of floats.
    fn between(&mut self, low: f32, high: f32) -> f32 {
        let order = |number: f32| {
            let bits = i64::from(number.to_bits() & 0x7fff_ffff);
            if number.is_sign_negative() {
                -bits
            } else {
                bits
            }
        };
        let zero = (low..=high).contains(&0.0);
        match self.below(5) {
            0 => low,
            1 => high,
            2 if zero => [0.0, -0.0][self.below(2)],
            _ => {
                let (first, last) = (order(low), order(high));
                let at = first + (self.next() % (last - first + 1) as u64) as i64;
                f32::from_bits(at.unsigned_abs() as u32 | u32::from(at < 0) << 31)
            }
        }
    }
}

/// Whether a doubtful result leaves room for all that a less doubtful one can be.
fn covers(wide: &Value, narrow: &Value) -> bool {
    let accepts = |word: u32| wide.accepts(word) != Acceptance::Disagree;
    match narrow.doubt() {
        Doubt::Settled | Doubt::OneOf(_) => narrow
            .possibilities()
            .unwrap_or(&[])
            .iter()
            .all(|word| accepts(*word)),
        Doubt::Within { low, high, nan } => {
            accepts(low.to_bits()) && accepts(high.to_bits()) && (!nan || accepts(0xffc0_0007))
        }
        Doubt::AnyNan => accepts(0xffc0_0007),
        Doubt::Unknown => *wide.doubt() == Doubt::Unknown,
    }
}

fn truth_covers(wide: Option<Truth>, narrow: Option<Truth>) -> bool {
    match (wide, narrow) {
        (None, None) | (Some(Truth::Unsettled { .. }), Some(_)) => true,
        (Some(Truth::Settled(wide)), Some(Truth::Settled(narrow))) => wide == narrow,
        _ => false,
    }
}

#[test]
fn doubtful_operands_leave_nothing_out() {
    let policy = policy();
    let mut random = Random(0x5eed);
    let mut failures = Vec::new();
    let scalar = |operation: &&Operation| operation.shape() == Shape::Scalar;
    'operations: for operation in Operation::all().filter(scalar) {
        for round in 0..1500 {
            let chip = Chip::ALL[round % 2];
            let context = Context {
                policy: &policy,
                chip,
            };
            let sources: Vec<Value> = (0..operation.operands()).map(|_| random.value()).collect();
            let wide = operation.scalar(&sources, &context);
            for _ in 0..4 {
                let members: Vec<Value> = sources
                    .iter()
                    .map(|source| Value::settled(random.member(source)))
                    .collect();
                let narrow = operation.scalar(&members, &context);
                let fine = |wide: &Effect, narrow: &Effect| {
                    covers(&wide.result, &narrow.result)
                        && truth_covers(wide.predicate, narrow.predicate)
                        && truth_covers(wide.kill, narrow.kill)
                        && match (&wide.address, &narrow.address) {
                            (Some(wide), Some(narrow)) => covers(wide, narrow),
                            (wide, narrow) => wide == narrow,
                        }
                };
                let name = operation.name();
                if !fine(&wide, &narrow) {
                    failures.push(format!(
                        "{name} {sources:?}\n{members:?}\n{wide:?}\n{narrow:?}"
                    ));
                    continue 'operations;
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn doubtful_slots_leave_nothing_out() {
    let policy = policy();
    let context = Context {
        policy: &policy,
        chip: Chip::R700,
    };
    let mut random = Random(0xd07);
    for name in ["DOT4", "DOT4_IEEE", "MAX4", "CUBE"] {
        let operation = named(name);
        for _ in 0..4000 {
            let [x, y, z] = std::array::from_fn(|_| random.value());
            let cube = [[2, 1], [2, 0], [0, 2], [1, 2]];
            let direction = [x, y, z];
            let members = std::array::from_fn(|at| Value::settled(random.member(&direction[at])));
            let pick = |of: &[Value; 3]| cube.map(|slot| slot.map(|at| of[at].clone()));
            let (sources, members): ([[Value; 2]; 4], [[Value; 2]; 4]) = if name == "CUBE" {
                (pick(&direction), pick(&members))
            } else {
                let sources: [[Value; 2]; 4] =
                    std::array::from_fn(|_| std::array::from_fn(|_| random.value()));
                let members = sources
                    .clone()
                    .map(|slot| slot.map(|value| Value::settled(random.member(&value))));
                (sources, members)
            };
            let wide = operation.reduce(&sources, &context);
            let narrow = operation.reduce(&members, &context);
            for (wide, narrow) in wide.iter().zip(&narrow) {
                assert!(
                    covers(wide, narrow),
                    "{name} {sources:?}\n{members:?}\n{wide:?}\n{narrow:?}"
                );
            }
        }
    }
}

#[test]
fn doubtful_results_leave_nothing_out_when_modified() {
    let mut random = Random(0x0d);
    for _ in 0..20_000 {
        let value = random.value();
        let member = Value::settled(random.member(&value));
        let modifiers: [fn(&Value) -> Value; 6] = [
            Value::absolute,
            Value::negated,
            Value::clamped,
            |value| value.output_modifier(Omod::M2),
            |value| value.output_modifier(Omod::M4).clamped(),
            |value| value.output_modifier(Omod::D2).negated(),
        ];
        for modifier in modifiers {
            let (wide, narrow) = (modifier(&value), modifier(&member));
            assert!(
                covers(&wide, &narrow),
                "{value:?} {member:?}\n{wide:?}\n{narrow:?}"
            );
        }
    }
}
