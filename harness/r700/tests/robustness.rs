//! Nothing that is decoded makes the crate panic, and every accepted program comes back whole: random
//! bytes, and random programs that are close to real ones.

use proptest::prelude::*;
use r700::disasm::Listing;
use r700::{Chip, Error, program};

/// What a fuzzer would run: decode, and use what was decoded in every way there is.
fn run(bytes: &[u8]) -> Result<(), Error> {
    let mut result = Ok(());
    for chip in Chip::ALL {
        match program::decode(bytes, chip) {
            Ok(program) => {
                assert_eq!(program.encode(), bytes);
                assert!(!Listing::new(&program).to_string().is_empty());
                let mut end = 0;
                for section in program.sections() {
                    assert_eq!(section.bytes.start, end);
                    end = section.bytes.end;
                }
                assert_eq!(end, bytes.len());
            }
            Err(error) => {
                assert!(error.offset() <= bytes.len(), "{error}");
                assert!(!error.to_string().is_empty());
                result = Err(error);
            }
        }
    }
    result
}

/// A control-flow instruction with addresses that can be in a small program.
fn cf(slots: u32) -> impl Strategy<Value = [u32; 2]> {
    prop_oneof![
        // Plain formats: any opcode, a short COUNT, sometimes END_OF_PROGRAM.
        (0..slots + 1, 0..64_u32, 0..2_u32, any::<bool>()).prop_map(|(addr, op, count, end)| {
            [
                addr,
                op << 23 | count << 10 | u32::from(end) << 21 | 1 << 31,
            ]
        }),
        // ALU clauses, of which one opcode has no name.
        (0..slots + 1, 8..16_u32, 0..6_u32)
            .prop_map(|(addr, op, count)| [addr, op << 26 | count << 18 | 1 << 31]),
    ]
}

/// An ALU instruction with LAST more often than not, and literals now and then.
fn alu() -> impl Strategy<Value = [u32; 2]> {
    (any::<[u32; 2]>(), 0..4_u32, 0..8_u32).prop_map(|([word0, word1], last, literal)| {
        let word0 = word0 & !(1 << 31) | u32::from(last != 0) << 31;
        [
            if literal == 0 {
                word0 & !511 | 253
            } else {
                word0 & !(3 << 7 | 3 << 20)
            },
            word1,
        ]
    })
}

fn programs() -> impl Strategy<Value = Vec<[u32; 2]>> {
    (1..6_usize, 0..24_usize).prop_flat_map(|(control, rest)| {
        let slots = (control + rest) as u32;
        let head = prop::collection::vec(cf(slots), control);
        let tail = prop::collection::vec(alu(), rest);
        (head, tail).prop_map(|(head, tail)| [head, tail].concat())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..256)) {
        let _ = run(&bytes);
    }

    #[test]
    fn random_slots(slots in prop::collection::vec(any::<[u32; 2]>(), 1..32)) {
        let bytes: Vec<u8> = slots.iter().flatten().flat_map(|word| word.to_le_bytes()).collect();
        let _ = run(&bytes);
    }

    #[test]
    fn random_programs(slots in programs()) {
        let bytes: Vec<u8> = slots.iter().flatten().flat_map(|word| word.to_le_bytes()).collect();
        let _ = run(&bytes);
    }
}

/// The generator of programs reaches past every rule: some programs are accepted, with clauses, and
/// every class of rejection occurs.
#[test]
fn the_generator_reaches_all_rules() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    use std::collections::HashSet;

    let mut runner = TestRunner::deterministic();
    let mut classes = HashSet::new();
    let mut with_clauses = 0;
    for _ in 0..20_000 {
        let slots = programs().new_tree(&mut runner).unwrap().current();
        let bytes: Vec<u8> = slots
            .iter()
            .flatten()
            .flat_map(|word| word.to_le_bytes())
            .collect();
        match program::decode(&bytes, Chip::R700) {
            Ok(program) if !program.clauses().is_empty() => with_clauses += 1,
            Ok(_) => {}
            Err(error) => {
                classes.insert(error.class().as_str());
            }
        }
    }
    assert!(with_clauses > 100, "{with_clauses}");
    for class in ["truncated", "out-of-range", "misaligned", "overlap"] {
        assert!(classes.contains(class), "{class}");
    }
}
