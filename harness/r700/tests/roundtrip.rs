//! All words are accepted, and all bits of them come back.

use proptest::prelude::*;
use r700::alu::{Alu, decode_words};
use r700::cf::{Cf, CfOp};
use r700::fetch::{Fetch, Mem, Tex, Vtx};
use r700::{Chip, program};

fn chips() -> impl Strategy<Value = Chip> {
    prop_oneof![Just(Chip::R600), Just(Chip::R700)]
}

/// Four words of which the first is likely to have a low opcode.
fn fetch_words() -> impl Strategy<Value = [u32; 4]> {
    (
        any::<[u32; 4]>(),
        prop_oneof![Just(None), (0..4_u32).prop_map(Some)],
    )
        .prop_map(|(mut words, op)| {
            if let Some(op) = op {
                words[0] = words[0] & !31 | op;
            }
            words
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn cf(words: [u32; 2], chip in chips()) {
        prop_assert_eq!(Cf::decode(words, chip).encode(), words);
    }

    #[test]
    fn alu(words: [u32; 2], chip in chips()) {
        prop_assert_eq!(Alu::decode(words, chip).encode(), words);
    }

    #[test]
    fn tex(words in fetch_words(), chip in chips()) {
        prop_assert_eq!(Tex::decode(words, chip).encode(), words);
    }

    #[test]
    fn vtx(words in fetch_words(), chip in chips()) {
        prop_assert_eq!(Vtx::decode(words, chip).encode(), words);
    }

    #[test]
    fn mem(words in fetch_words()) {
        prop_assert_eq!(Mem::decode(words).encode(), words);
    }

    #[test]
    fn fetch(words in fetch_words(), op in 0..64_u8, chip in chips()) {
        prop_assert_eq!(Fetch::decode(words, CfOp::from_code(op), chip).encode(), words);
    }

    #[test]
    fn different_words_are_different_instructions(words: [u32; 2], bit in 0..64_u32, chip in chips()) {
        let mut other = words;
        other[bit as usize / 32] ^= 1 << (bit % 32);
        prop_assert_ne!(Alu::decode(words, chip), Alu::decode(other, chip));
        prop_assert_ne!(Cf::decode(words, chip), Cf::decode(other, chip));
    }

    #[test]
    fn many_words_at_once(words: Vec<u32>, chip in chips()) {
        let mut out = Vec::new();
        decode_words(&words, chip, &mut out);
        let one_by_one: Vec<_> =
            words.as_chunks::<2>().0.iter().map(|pair| Alu::decode(*pair, chip)).collect();
        prop_assert_eq!(out, one_by_one);
    }

    #[test]
    fn any_bytes_as_a_program(bytes: Vec<u8>, chip in chips()) {
        if let Ok(program) = program::decode(&bytes, chip) {
            prop_assert_eq!(program.encode(), bytes);
        }
    }
}

/// Every opcode of both encodings, and every control-flow opcode.
#[test]
fn all_opcodes() {
    for chip in Chip::ALL {
        for op in 0..1 << 11 {
            let words = [0xffff_ffff, op << 7];
            assert_eq!(Alu::decode(words, chip).encode(), words);
        }
        for op in 0..1 << 7 {
            for rest in [0, !(0x7f << 23)] {
                let words = [rest, op << 23 | rest];
                assert_eq!(Cf::decode(words, chip).encode(), words);
            }
        }
    }
}
