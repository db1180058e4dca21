//! Sample words decode to their row by the table alone.

use std::sync::Arc;

use super::{Tables, vocabulary, words};
use crate::igc::Oracle;
use crate::igc::acceptance::Rules;
use crate::igc::instructions::{Instructions, UNKNOWN};

/// No two rows take one word, so that their order matters to none but the exceptions that stand first.
#[test]
fn each_sample_word_is_of_its_row_and_of_no_other() {
    let tables = Tables::embedded();
    let instructions = Instructions::read(&tables).unwrap();
    assert_eq!(instructions.rows.len(), 30);
    for row in tables.instructions.rows() {
        let samples: Vec<_> = row.text("samples").split(';').collect();
        for sample in samples {
            let word = u32::from_str_radix(sample, 16).unwrap();
            let found = instructions.of(word).map_or(UNKNOWN, |row| &row.name);
            assert_eq!(found, row.text("name"), "{sample}");
            let mut without = tables.clone();
            let at = without.instructions.find(&[("name", found)]).unwrap();
            // A base that has bits outside the mask takes no word.
            without.instructions.replace(at, "mask", "0").unwrap();
            without.instructions.replace(at, "base", "1").unwrap();
            let others = Instructions::read(&without).unwrap();
            assert!(others.of(word).is_none(), "{sample} is of two rows");
        }
    }
}

/// Names, addresses and lengths as the notes have them.
#[test]
fn the_words_of_the_notes_say_what_the_notes_say() {
    let tables = Tables::embedded();
    let rules = Rules::read(&tables).unwrap();
    for row in tables.samples.rows() {
        let text = row.text("words");
        let word = rules.word(&words(text)).unwrap();
        let name = word.row.as_ref().map_or(UNKNOWN, |row| &row.name);
        assert_eq!(name, row.text("name"), "{text}");
        let addr = rules.instructions.addr.of(word.word);
        assert_eq!(addr, row.number("addr").unwrap(), "{text}");
        let len = rules
            .len(&word)
            .map_or("-".to_owned(), |len| len.to_string());
        assert_eq!(len, row.text("len"), "{text}");
        if text.contains(' ') {
            let whole = rules.instruction(&words(text), 0).unwrap();
            assert_eq!(4 * (1 + whole.operands.len()), words(text).len(), "{text}");
        }
    }
}

/// The borders of the rules, by the arithmetic of docs/targets/igc.md.
#[test]
fn lengths_end_where_the_rules_end() {
    let tables = Tables::embedded();
    let rules = Rules::read(&tables).unwrap();
    for (base, length, expected) in [
        (0x002A_4300, 114, None),
        (0x002A_4300, 115, Some(0)),
        (0x002A_4300, 255, Some(140)),
        (0x006A_2100, 116, None),
        (0x006A_2100, 117, Some(0)),
        (0x006A_2100, 255, Some(138)),
        // (0 - 116) mod 128, (115 - 116) mod 128, 127 - 116.
        (0x0010_F700, 0, Some(12)),
        (0x0010_F700, 115, Some(127)),
        (0x0010_F700, 127, Some(11)),
        (0x0010_F700, 128, None),
        (0x0000_4800, 0, None),
        (0x0000_4800, 1, Some(13)),
        (0x0000_0100, 0, None),
        (0x0069_4200, 117, None),
    ] {
        let word: u32 = base | length << 23;
        let word = rules.word(&word.to_le_bytes()).unwrap();
        assert_eq!(rules.len(&word), expected, "{base:08x} with L {length}");
    }
}

/// A table with a mistake is another oracle, or none.
#[test]
fn a_wrong_row_is_named_or_noticed() {
    let mut tables = Tables::embedded();
    let at = tables.lengths.find(&[("rule", "T")]).unwrap();
    tables.lengths.replace(at, "bias", "116").unwrap();
    let rules = Rules::read(&tables).unwrap();
    let word = rules.word(&words("3d2a4339")).unwrap();
    assert_eq!(rules.len(&word), Some(6));

    let mut tables = Tables::embedded();
    let at = tables.instructions.find(&[("name", "CPY")]).unwrap();
    tables.instructions.replace(at, "words", "3").unwrap();
    let vocabulary = Arc::new(vocabulary(&tables).unwrap());
    let error = Oracle::new(&tables, vocabulary).unwrap_err();
    assert_eq!(error.why, "3 words, where the operands make 2");
}
