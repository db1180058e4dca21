//! Any bytes get an answer, and the limits of the rules are met exactly.

use corpora::{Implementation, Options, Outcome, RejectClass, Status};

use super::{answer, oracle, words};

const UNITS: [&str; 4] = ["word", "instruction", "stream", "dma"];

fn rejected(class: RejectClass, offset: u64) -> Status {
    Status::Rejected { class, offset }
}

#[test]
fn every_opcode_and_flag_has_an_answer() {
    let mut oracle = oracle().0;
    let mut outcome = Outcome::default();
    for unit in UNITS {
        oracle.select(&Options::new().with("unit", unit)).unwrap();
        for upper in 0..=0xFFFF_u32 {
            // Lengths that no rule takes, that one takes, that another takes; the highest address.
            for length in [0, 117, 255] {
                let word = (upper & 0x7FFF) << 8 | (upper >> 15) << 31 | length << 23 | 0xFF;
                let bytes = [word.to_le_bytes(); 4].concat();
                outcome.clear();
                oracle.answer(&bytes, &mut outcome);
                match outcome.status {
                    Status::Accepted { consumed } if unit == "word" => assert_eq!(consumed, 4),
                    Status::Accepted { consumed } => assert!(consumed <= 16, "{word:08x}"),
                    Status::Rejected { offset, .. } if unit != "word" => assert!(offset < 16),
                    ref other => panic!("{unit} {word:08x}: {other}"),
                }
            }
        }
    }
}

#[test]
fn a_stream_has_262144_bytes_at_most() {
    let bytes = vec![0; 262_144];
    let consumed = bytes.len() as u64;
    for unit in ["stream", "dma"] {
        assert_eq!(answer(unit, &bytes).status, Status::Accepted { consumed });
    }
    let more = vec![0; 262_152];
    for unit in ["stream", "dma"] {
        assert_eq!(answer(unit, &more).status, rejected(RejectClass::Limit, 0));
    }
    // The length is judged before the limit.
    let odd = vec![0; 262_145];
    let status = answer("stream", &odd).status;
    assert_eq!(status, rejected(RejectClass::BadLength, 0));
}

#[test]
fn exceptions_of_the_bounds() {
    // MEMgeSCA_S1 at 255 with a length of 5 is exempt.
    let status = answer("instruction", &words("bc916cff 00000034")).status;
    assert_eq!(status, Status::Accepted { consumed: 8 });
    // SWEEP_121 reads one bit at 255 whatever its length, 20 here.
    let status = answer("instruction", &words("8401213a 000000ff")).status;
    assert_eq!(status, Status::Accepted { consumed: 8 });
    // MEMpluseqMEM_K: 237 + 20 = 257.
    let status = answer("instruction", &words("ba006c3a 00143aed")).status;
    assert_eq!(status, rejected(RejectClass::OutOfRange, 4));
    // CPY without a length, L = 114: no border for either address.
    let status = answer("instruction", &words("b9004cff 000000ff")).status;
    assert_eq!(status, Status::Accepted { consumed: 8 });
}

#[test]
fn units_that_are_none() {
    for unit in ["", "words", "STREAM"] {
        let status = answer(unit, &words("00000100")).status;
        assert!(matches!(status, Status::Unsupported { .. }), "{unit}");
    }
}
