use quick_xml::Reader;

use super::*;
use crate::report::sample::{agreeing, disagreeing, tally};

/// The start tags, with their attributes as a reader sees them.
fn tags(xml: &str) -> Vec<(String, Vec<(String, String)>)> {
    let mut reader = Reader::from_str(xml);
    let mut tags = Vec::new();
    loop {
        match reader.read_event().unwrap() {
            Event::Start(tag) | Event::Empty(tag) => {
                let name = tag.name().as_ref().to_string();
                let attributes = tag.attributes().map(|attribute| {
                    let attribute = attribute.unwrap();
                    let value = quick_xml::escape::unescape(&attribute.value).unwrap();
                    (attribute.key.as_ref().to_string(), value.into_owned())
                });
                tags.push((name, attributes.collect()));
            }
            Event::Eof => return tags,
            _ => {}
        }
    }
}

fn attribute<'a>(tag: &'a (String, Vec<(String, String)>), name: &str) -> &'a str {
    &tag.1.iter().find(|(key, _)| key == name).unwrap().1
}

#[test]
fn every_part_erratum_and_certificate_is_a_test_case() {
    let tags = tags(&render(&agreeing()));
    let names = |tag: &str| -> Vec<&str> {
        let tags = tags.iter().filter(|(name, _)| name == tag);
        tags.map(|tag| attribute(tag, "name")).collect()
    };
    assert_eq!(
        names("testsuite"),
        [
            "gfd.golden",
            "r700.differential",
            "r700.golden",
            "r700.certificates",
            "r700.errata",
            "not-run"
        ]
    );
    assert_eq!(names("testcase").len(), 6);
    assert_eq!(attribute(&tags[0], "tests"), "6");
    assert_eq!(attribute(&tags[0], "failures"), "0");
}

#[test]
fn a_finding_is_a_failure_with_its_replay() {
    let xml = render(&disagreeing());
    let tags = tags(&xml);
    assert_eq!(attribute(&tags[0], "failures"), "2");
    let messages: Vec<&str> = tags
        .iter()
        .filter(|(name, _)| name == "failure")
        .map(|tag| attribute(tag, "message"))
        .collect();
    assert_eq!(
        messages,
        [
            "412 cases are not as expected",
            "<script>alert(\"alu.op\" & 'x')</script>[31m"
        ]
    );
    assert!(xml.contains("assay verify --target r700 --hex 1100000000020000"));
}

#[test]
fn control_characters_are_dropped() {
    assert_eq!(
        characters("a\0b\u{1b}c\u{ffff}d\te\u{1f600}"),
        "abcd\te\u{1f600}"
    );
    assert!(!render(&disagreeing()).contains('\u{1b}'));
}

#[test]
fn line_ends_survive_in_an_attribute() {
    let mut report = agreeing();
    report.not_run[0].reason = "two\nlines".into();
    let tags = tags(&render(&report));
    let skipped = tags.iter().find(|(name, _)| name == "skipped").unwrap();
    assert_eq!(attribute(skipped, "message"), "two\nlines");
}

#[test]
fn nothing_judged_is_skipped_and_not_met_fails() {
    assert!(matches!(
        part(&tally("a", "b", "c", [0, 0, 0, 9])).went,
        Went::Skipped(_)
    ));
    assert!(matches!(
        part(&tally("a", "b", "c", [0, 0, 1, 0])).went,
        Went::Passed
    ));
    assert!(matches!(
        part(&tally("a", "b", "c", [9, 1, 0, 0])).went,
        Went::Failed { .. }
    ));
    let mut entry = agreeing().errata.remove(0);
    assert!(matches!(erratum(&entry).went, Went::Passed));
    entry.cases[0].1 = "not run".into();
    assert!(matches!(erratum(&entry).went, Went::Skipped(_)));
    entry.cases[0].1 = "not met".into();
    assert!(matches!(erratum(&entry).went, Went::Failed { .. }));
}

#[test]
fn the_same_report_gives_the_same_text() {
    assert_eq!(render(&disagreeing()), render(&disagreeing()));
}
