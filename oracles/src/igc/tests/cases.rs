//! Every case of `testdata/igc`.

use std::path::Path;

use corpora::{Implementation, Outcome, load};

use super::oracle;

#[test]
fn every_case_is_met() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/igc");
    let cases = load::directory(&root, ".cases.toml").unwrap();
    assert!(cases.len() > 100, "{} cases", cases.len());
    let (mut oracle, vocabulary) = oracle();
    let mut unmet = Vec::new();
    for case in cases {
        let expected = case.expect.resolve(&vocabulary).unwrap();
        oracle.select(&case.options).unwrap();
        let mut outcome = Outcome::default();
        oracle.answer(&case.input, &mut outcome);
        for one in expected.unmet(&outcome, &vocabulary) {
            unmet.push(format!("{}: {one:?}", case.id));
        }
    }
    assert!(unmet.is_empty(), "{unmet:#?}");
}
