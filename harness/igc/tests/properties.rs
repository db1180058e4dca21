//! Laws of words and streams, and that no input panics.

use igc::{Array, Error, Instruction, Op, TABLE, Word};
use proptest::prelude::*;

/// Words that are often first words: bases with any length and address, quoted words, and any.
fn word() -> impl Strategy<Value = u32> {
    prop_oneof![
        (0..TABLE.len(), any::<u8>(), any::<u8>()).prop_map(|(row, length, addr)| {
            let row = &TABLE[row];
            match row.op {
                Op::Edge => row.base + u32::from(addr % 3),
                Op::McWrite => row.base | u32::from(length) << 8 | u32::from(addr),
                _ => row.base | u32::from(length) << 23 | u32::from(addr),
            }
        }),
        prop::sample::select(
            TABLE
                .iter()
                .flat_map(|row| row.samples)
                .copied()
                .collect::<Vec<_>>()
        ),
        any::<u32>(),
    ]
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn parts_put_back_are_the_word(word in any::<u32>()) {
        let w = Word(word);
        let back = Word::from_parts(w.second(), w.length(), w.modifier(), w.opcode(), w.addr());
        prop_assert_eq!(back, Some(w));
    }

    #[test]
    fn encoding_is_the_inverse_of_decoding(words in prop::collection::vec(word(), 0..40)) {
        let stream = bytes(&words);
        match igc::stream::decode(&stream) {
            Ok(all) => {
                let whole = igc::stream::encode(all.iter().map(|placed| &placed.instruction));
                prop_assert_eq!(&whole, &Ok(stream.clone()));
                for placed in &all {
                    let same = Instruction::from_words(&words[placed.at / 4..]);
                    prop_assert_eq!(same, Ok(placed.instruction));
                }
                // The explanation goes over the same words, each once.
                let explained: Vec<_> = igc::explain(&stream).unwrap().map(Result::unwrap).collect();
                prop_assert_eq!(explained.len(), words.len());
                for (n, word) in explained.iter().enumerate() {
                    prop_assert_eq!((word.at, word.word.0), (4 * n, words[n]));
                    prop_assert_eq!(all[word.number].at, word.owner);
                }
            }
            // What is before the error is whole, and the error is in the instruction that is due there.
            Err(error) => {
                let before: Vec<_> = igc::instructions(&stream).unwrap().map_while(Result::ok).collect();
                let due: usize = before.iter().map(|placed| 4 * placed.instruction.count()).sum();
                prop_assert!(matches!(error.offset().checked_sub(due), Some(0 | 4)), "{}", error);
                let here = Instruction::decode(&stream[due..]).unwrap_err();
                prop_assert_eq!((here.class(), here.offset() + due), (error.class(), error.offset()));
            }
        }
    }

    #[test]
    fn an_instruction_cut_short_is_truncated(words in prop::collection::vec(word(), 4), left in 0..16usize) {
        let stream = bytes(&words);
        let needed = 4 * Word(words[0]).words();
        let cut = Instruction::decode(&stream[..left]);
        if left < 4 {
            prop_assert_eq!(cut, Err(Error::Truncated { at: 0, needed: 4, left }));
        } else if left < needed {
            prop_assert_eq!(cut, Err(Error::Truncated { at: 0, needed, left }));
        } else {
            // What follows is not judged.
            prop_assert_eq!(cut, Instruction::decode(&stream));
        }
    }

    #[test]
    fn any_bytes_have_an_answer(bytes in prop::collection::vec(any::<u8>(), 0..200), pointer in any::<u8>()) {
        let _ = Word::decode(&bytes);
        let _ = Instruction::decode(&bytes);
        let _ = igc::stream::count(&bytes);
        let _ = igc::dma::decode(&bytes);
        let memory = igc::dma::Memory { base: 8, bytes: &bytes };
        let _ = igc::dma::follow(memory, 8, 100, pointer);
        let _ = Array::new(3, 2).unwrap().run(&bytes);
        let _ = igc::miner::mine(&bytes, &bytes, pointer);
    }

    #[test]
    fn any_words_run_or_stop(words in prop::collection::vec(word(), 0..40)) {
        let _ = Array::new(65, 2).unwrap().run(&bytes(&words));
    }

    #[test]
    fn any_text_like_a_source_is_mined(
        c in prop::collection::vec(prop::sample::select(vec![
            "IGC_A", "IGC_", "(", ")", ",", ";", "1", "-2.5f", "0x", "/*", "*/", "//", "\n", "\"", "'", "\\", " ", "é",
        ]), 0..60),
        s in prop::collection::vec(prop::sample::select(vec![
            "// lineno: 1", "\n", "\n", "or", "orh", " ", " ", "1", ",", "r0", "r18", "r16", "st.l", "fst.l", "fld.l",
            "f8", "0(r16)", "0(r16)++", "l%.C1+4(r5)", "adds", "4", "mov", ".data", ".text", ".C1:", "_f::", ".long",
            ".float", "é", "-",
        ]), 0..80),
    ) {
        let mined = igc::miner::mine(c.concat().as_bytes(), s.concat().as_bytes(), 16).unwrap();
        for template in &mined.templates {
            prop_assert_eq!(template.word.len(), template.words);
            prop_assert!(template.samples > 0);
        }
    }
}
