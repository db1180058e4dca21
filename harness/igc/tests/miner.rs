//! Sources of our own whose templates were derived by hand: testdata/igc/miner.

use igc::miner::{DEFAULT_POINTER, Mined, mine};
use serde_json::{Value, json};

/// The JSON that docs/targets/igc.md describes.
fn value(mined: &Mined) -> Value {
    let field = |field: &igc::miner::Field| json!({"arg": field.arg, "shift": field.shift, "width": field.width, "offset": field.offset, "samples": field.samples});
    let word = |word: &igc::miner::WordTemplate| {
        json!({
            "mask": word.mask,
            "value": word.value,
            "fields": word.fields.iter().map(field).collect::<Vec<_>>(),
            "float": word.float,
            "without_effect": word.without_effect,
        })
    };
    let templates = mined.templates.iter().map(|template| {
        json!({
            "name": template.name,
            "words": template.words,
            "samples": template.samples,
            "word": template.word.iter().map(word).collect::<Vec<_>>(),
        })
    });
    let contradictions = mined.contradictions.iter().map(|c| {
        json!({"name": c.name, "kind": c.kind.name(), "word": c.word, "bit": c.bit, "lines": c.lines})
    });
    let warnings = mined
        .warnings
        .iter()
        .map(|w| json!({"line": w.line, "what": w.what.name()}));
    json!({
        "templates": templates.collect::<Vec<_>>(),
        "contradictions": contradictions.collect::<Vec<_>>(),
        "warnings": warnings.collect::<Vec<_>>(),
    })
}

fn known_answer(name: &str) {
    let read = |end: &str| {
        let path = format!(
            "{}/../../testdata/igc/miner/{name}.{end}",
            env!("CARGO_MANIFEST_DIR")
        );
        std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
    };
    let mined = mine(&read("c"), &read("s"), DEFAULT_POINTER).unwrap();
    let answer: Value = serde_json::from_slice(&read("answer.json")).unwrap();
    assert_eq!(value(&mined), answer, "{name}");
    #[cfg(feature = "serde")]
    assert_eq!(
        serde_json::to_value(&mined).unwrap(),
        answer,
        "{name}, serialized"
    );
}

#[test]
fn bits() {
    known_answer("bits");
}

#[test]
fn tree() {
    known_answer("tree");
}

#[test]
fn odd() {
    known_answer("odd");
}

#[test]
fn roll() {
    known_answer("roll");
}

/// Mines one word for each call, on a line of its own.
fn words(calls: &[(&str, u32)]) -> Mined {
    let mut c = String::new();
    let mut assembly = String::new();
    for (n, (call, word)) in calls.iter().enumerate() {
        c += &format!("IGC_{call};\n");
        let (high, low) = (word >> 16, word & 0xffff);
        assembly += &format!(
            "// lineno: {}\n orh {high},r0,r18\n or {low},r18,r18\n st.l r18,{}(r16)\n",
            n + 1,
            4 * n
        );
    }
    mine(c.as_bytes(), assembly.as_bytes(), 16).unwrap()
}

#[test]
fn arguments_that_vary_may_have_no_effect() {
    let mined = words(&[("X(1, 2.0, a, 7)", 5), ("X(1, 3.0, b, 8)", 5)]);
    let word = &mined.templates[0].word[0];
    assert_eq!((word.mask, word.value), (u32::MAX, 5));
    assert_eq!(word.without_effect, [1, 3]);
}

#[test]
fn seven_bits_are_found_where_eight_do_not_hold() {
    // (len + 116) & 0x7f at bit 23, with bit 30 clear: 20 is 8, 11 is 127, 1 is 117, 30 is 18. Eight bits from 23 on would
    // be 8 − 20 = 244 and 127 − 11 = 116.
    let mined = words(&[
        ("X(20)", 8 << 23),
        ("X(11)", 127 << 23),
        ("X(1)", 117 << 23),
        ("X(30)", 18 << 23),
    ]);
    let field = &mined.templates[0].word[0].fields[0];
    assert_eq!((field.shift, field.width, field.offset), (23, 7, 116));
    assert_eq!(field.samples, [1, 2, 3, 4]);
    assert_eq!(mined.contradictions, []);
}

#[test]
fn the_sample_that_is_left_out_takes_no_further_part() {
    // Line 1 is the odd one: 10 should be in bits 7:0. Its bit 31 is then no contradiction.
    let mined = words(&[
        ("X(10)", 0x8000_00ff),
        ("X(20)", 20),
        ("X(30)", 30),
        ("X(45)", 45),
    ]);
    let word = &mined.templates[0].word[0];
    assert_eq!((word.mask, word.value), (0xffff_ff00, 0));
    assert_eq!(word.fields[0].samples, [2, 3, 4]);
    assert_eq!(mined.contradictions.len(), 1);
    assert_eq!(
        (
            mined.contradictions[0].kind.name(),
            &mined.contradictions[0].lines[..]
        ),
        ("sample", &[1][..])
    );
    // Three samples are too few for that.
    let mined = words(&[("X(10)", 0xff), ("X(20)", 20), ("X(30)", 30)]);
    assert_eq!(mined.templates[0].word[0].fields, []);
}
