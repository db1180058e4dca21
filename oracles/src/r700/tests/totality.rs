//! Whatever the input, and whatever is done to the tables: no panic, no unbounded work.

use std::time::Instant;

use super::*;

/// A small generator (xorshift), so that a failure can be had again.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

#[test]
fn random_bytes_never_panic() {
    let mut oracle = oracle();
    let mut outcome = Outcome::default();
    let mut random = Random(0x5eed);
    let mut accepted = 0;
    for round in 0..40_000 {
        let length = random.next() as usize % 80;
        let mut input: Vec<u8> = (0..length).map(|_| random.next() as u8).collect();
        // Half of the inputs get addresses and counts that can be met, so that the walk gets somewhere.
        if round % 2 == 0 {
            for slot in input.chunks_exact_mut(8) {
                slot[0] &= 7;
                slot[1..3].fill(0);
                slot[3] &= 0x80;
                slot[4..6].fill(0);
                slot[6] &= 0x2f;
            }
        }
        oracle.set(
            Unit::ALL[random.next() as usize % 6],
            Chip::ALL[random.next() as usize % 2],
        );
        outcome.clear();
        oracle.answer(&input, &mut outcome);
        assert_ne!(outcome.status, Status::Unanswered);
        if matches!(outcome.status, Status::Accepted { .. }) && oracle.unit == Unit::Program {
            accepted += 1;
        }
    }
    assert!(accepted > 100, "{accepted} programs accepted");
}

/// A program of 1 MiB: control flow, then clauses of 128 slots, which all names of them name again.
fn large() -> Vec<u8> {
    let slots = 1 << 17;
    let mut words = vec![0_u32; 2 * slots];
    let control_flow = slots / 2;
    for slot in 0..control_flow {
        let clause = control_flow + 128 * (slot % (slots / 256));
        words[2 * slot] = clause as u32;
        words[2 * slot + 1] = 8 << 26 | 127 << 18;
    }
    words[2 * control_flow - 1] = 1 << 21;
    for slot in control_flow..slots {
        words[2 * slot] = 1 << 31;
    }
    bytes(&words)
}

#[test]
fn a_large_program_is_bounded_work() {
    let input = large();
    let (_, outcome) = ask(Unit::Program, Chip::R700, &input);
    let consumed = input.len() as u64;
    assert_eq!(outcome.status, Status::Accepted { consumed });
    // 13 fields and `kind` of a CF instruction; 24 and four more of an ALU instruction.
    assert_eq!(outcome.record.entries().len(), (1 << 16) * (14 + 28));
}

#[test]
fn an_altered_row_makes_an_oracle_or_an_error() {
    let tables = Tables::embedded().unwrap();
    let vocabulary = Arc::new(vocabulary(&tables).unwrap());
    let mut random = Random(0xa17e);
    let mut oracles = 0;
    for row in 0..tables.fields.len() {
        for (column, value) in [("lo", "3"), ("width", "2"), ("word", "1"), ("enum", "chan")] {
            let mut altered = tables.clone();
            altered.fields.replace(row, column, value);
            let Ok(mut oracle) = Oracle::new(&altered, Arc::clone(&vocabulary)) else {
                continue;
            };
            oracles += 1;
            let input: Vec<u8> = (0..64).map(|_| random.next() as u8).collect();
            for unit in Unit::ALL {
                oracle.set(unit, Chip::R700);
                oracle.answer(&input, &mut Outcome::default());
            }
        }
    }
    assert!(oracles > 500, "{oracles}");
}

/// Nanoseconds for each of `rounds` calls, the least of many batches, since other work shares the machine.
fn nanoseconds(rounds: u32, mut call: impl FnMut(usize)) -> f64 {
    let batch = |_| {
        let start = Instant::now();
        (0..rounds as usize).for_each(&mut call);
        start.elapsed().as_secs_f64() * 1e9 / f64::from(rounds)
    };
    (0..100).map(batch).fold(f64::MAX, f64::min)
}

/// Not a test: `cargo test --release -p oracles r700::tests::totality::speed -- --ignored --nocapture` reports the time
/// that an answer takes. The registers and selects of the words are random, their layout is not.
#[test]
#[ignore = "a measurement"]
fn speed() {
    let mut oracle = oracle();
    let mut outcome = Outcome::default();
    let mut random = Random(0x51eed);
    for (unit, what, words) in [
        (Unit::Alu, "OP2", [0, 0x10, 0, 0]),
        (Unit::Alu, "OP3", [0, 0x0002_8000, 0, 0]),
        (Unit::Cf, "EXPORT_SWIZ", [0, 0x9420_0688, 0, 0]),
        (Unit::Cf, "ALU", [0, 0xa00c_0000, 0, 0]),
        (Unit::Tex, "SAMPLE", [0x10, 0xf00d_1002, 0, 0]),
        (Unit::Vtx, "FETCH", [0, 0x08cd_1001, 0x0008_0000, 0]),
        (Unit::Mem, "READ_MEM", [0x0202, 0, 0, 0]),
    ] {
        oracle.set(unit, Chip::R700);
        let inputs: Vec<Vec<u8>> = (0..1024)
            .map(|_| {
                let mut words = words;
                words[0] |= random.next() as u32 & 0xffff_0000;
                bytes(&words)
            })
            .collect();
        let each = nanoseconds(20_000, |round| {
            outcome.clear();
            oracle.answer(&inputs[round % inputs.len()], &mut outcome);
        });
        let fields = outcome.record.entries().len();
        eprintln!("{unit:?} {what}: {each:.0} ns, {fields} fields");
    }
    oracle.set(Unit::Program, Chip::R700);
    let input = large();
    let start = Instant::now();
    outcome.clear();
    oracle.answer(&input, &mut outcome);
    eprintln!("program of {} bytes: {:?}", input.len(), start.elapsed());
}
