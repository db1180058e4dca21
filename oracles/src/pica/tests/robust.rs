//! Whatever the bytes, there is an answer, and its place is in the input.

use corpora::generate::Random;

use super::*;

/// Numbers that are near something.
fn number(random: &mut Random) -> u32 {
    match random.below(8) {
        0 => u32::MAX,
        1 => 0x7F80_0000,
        2 => random.word() as u32,
        3 => 4_194_304 + random.below(2) as u32,
        _ => random.below(24) as u32,
    }
}

fn request(random: &mut Random, indexed: bool) -> Vec<u8> {
    let attributes = random.below(4);
    let streams = random.below(3);
    let byte = |random: &mut Random| random.below(5) as u8;
    let mut request = Request {
        mode: 1,
        count: random.below(5) as u32,
        capacity: 5,
        zeros: 100,
        indices: indexed
            .then(|| [0, 1].map(|n| random.below(2) as u32 + n))
            .map(|[a, b]| [a, b, 0, 40]),
        ..Request::default()
    };
    for slot in 0..attributes {
        let numbers = [byte(random) % 2, byte(random), byte(random), slot as u8];
        request.attributes.push((numbers, random.below(3) as u32));
    }
    for _ in 0..streams {
        request
            .streams
            .push([random.below(9) as u32, 90, 0, 1 + random.below(20) as u32]);
    }
    request.data = (0..40).map(|_| byte(random)).collect();
    request.bytes()
}

fn list(random: &mut Random) -> Vec<u8> {
    let mut list = Vec::new();
    for _ in 0..random.below(30) {
        let register = match random.below(16) {
            0 => random.word() as u32 & 0xFFFF,
            1..4 => 0x22E + random.below(2) as u32,
            _ => 0x200 + random.below(0x40) as u32,
        };
        let further = random.below(3) as u32;
        let mask = if random.one_in(4) {
            random.below(16) as u32
        } else {
            15
        };
        let follow = (random.below(2) as u32) << 31;
        list.push(number(random));
        list.push(follow | further << 20 | mask << 16 | register);
        list.extend((0..further.next_multiple_of(2)).map(|_| number(random)));
    }
    words(&list)
}

#[test]
fn every_input_is_answered() {
    let mut random = Random::new(1, 0);
    let (mut taken, mut refused, mut unsupported) = (0, BTreeMap::new(), 0);
    for unit in ["decode", "indexed", "state"] {
        let (mut oracle, _) = oracle(unit);
        for round in 0..20_000 {
            let mut bytes = match unit {
                "state" => list(&mut random),
                _ => request(&mut random, unit == "indexed"),
            };
            // One in four as it is, the others spoiled; one in sixteen at random altogether.
            if round % 16 == 0 {
                bytes
                    .iter_mut()
                    .for_each(|byte| *byte = random.word() as u8);
            } else if round % 4 != 0 && bytes.len() >= 4 {
                let at = random.below(bytes.len() as u64 / 4) as usize * 4;
                bytes[at..at + 4].copy_from_slice(&number(&mut random).to_le_bytes());
                if random.one_in(8) {
                    bytes.truncate(random.below(bytes.len() as u64) as usize);
                }
            }
            let mut outcome = Outcome::default();
            oracle.answer(&bytes, &mut outcome);
            match outcome.status {
                Status::Accepted { consumed } => {
                    assert_eq!(consumed, bytes.len() as u64);
                    taken += 1;
                }
                Status::Rejected { class, offset } => {
                    assert!(offset <= bytes.len() as u64);
                    assert!(outcome.record.entries().is_empty());
                    *refused.entry(class).or_insert(0) += 1;
                }
                Status::Unsupported { .. } => unsupported += 1,
                Status::Unanswered => panic!("no answer"),
            }
        }
    }
    // All happen often enough to mean something.
    assert!(taken > 5_000, "{taken}");
    assert!(unsupported > 10, "{unsupported}");
    assert!(refused.len() >= 6, "{refused:?}");
}

#[test]
fn no_prefix_of_structures_is_a_request() {
    let mut random = Random::new(2, 0);
    let bytes = request(&mut random, true);
    let (attributes, streams) = (usize::from(bytes[0]), usize::from(bytes[1]));
    let data = 36 + 8 * attributes + 16 * streams;
    for length in 0..data {
        assert_eq!(
            rejection("indexed", &bytes[..length]).0,
            RejectClass::Truncated
        );
    }
}
