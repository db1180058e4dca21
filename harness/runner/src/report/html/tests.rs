use super::*;
use crate::report::model::{Coverage, CoverageRow, ErratumResult, SingleSource};
use crate::report::sample::{agreeing, disagreeing, finding, varied};

/// The page without its style and script.
fn body(report: &Report) -> String {
    let page = render(report);
    let (_, body) = page.split_once("<body>").unwrap();
    body.split_once("<script>").unwrap().0.to_string()
}

#[test]
fn the_same_report_gives_the_same_page() {
    assert_eq!(render(&disagreeing()), render(&disagreeing()));
}

#[test]
fn text_is_escaped() {
    let body = body(&disagreeing());
    assert!(!body.contains("<script"));
    assert!(body.contains("&lt;script&gt;alert(&quot;alu.op&quot; &amp; 'x')&lt;/script&gt;"));
}

#[test]
fn style_and_script_cannot_end_early() {
    assert!(!STYLE.contains("</") && !SCRIPT.contains("</") && !SCRIPT.contains("<!--"));
}

#[test]
fn nothing_is_asked_of_the_network() {
    let page = render(&disagreeing());
    for needle in ["http:", "https:", "src=", "url(", "@import", "fetch("] {
        assert!(!page.contains(needle), "{needle}");
    }
}

#[test]
fn findings_come_first_and_only_if_there_are_any() {
    let sections = |report: &Report| -> Vec<&str> {
        sections(report)
            .into_iter()
            .map(|section| section.anchor)
            .collect()
    };
    assert_eq!(sections(&agreeing())[..2], ["cases", "not-run"]);
    assert_eq!(sections(&disagreeing())[..2], ["findings", "cases"]);
}

#[test]
fn the_verdict_is_in_words() {
    assert!(body(&agreeing()).contains("<h1>All agree</h1>"));
    assert!(body(&disagreeing()).contains("<h1>1 finding</h1>"));
    let mut report = agreeing();
    report.tallies.clear();
    let body = body(&report);
    assert!(body.contains("<h1>Nothing was judged</h1>") && body.contains("class=\"top bad\""));
}

#[test]
fn a_part_of_a_run_says_so() {
    let mut report = agreeing();
    assert!(!body(&report).contains("class=\"partial\""));
    report.shards = vec!["1/4".into()];
    report.filters = vec!["target=r700".into()];
    let body = body(&report);
    assert!(body.contains("This is part 1/4 of a run"));
    assert!(body.contains("Filtered: only target=r700 was run."));
}

#[test]
fn a_finding_has_its_anchor_bits_and_replay() {
    let body = body(&disagreeing());
    assert!(body.contains("id=\"finding-r700-differential-1a2b\""));
    assert!(body.contains("<code class=\"bits\">000<mark>0</mark></code>"));
    assert!(body.contains("bits 4, 0"));
    assert!(body.contains(">assay verify --target r700 --hex 1100000000020000"));
}

#[test]
fn anchors_hold_any_name() {
    assert_eq!(anchor("finding", "r700/a_b.c:1"), "finding-r700/a_b.c:1");
    assert_eq!(anchor("finding", "a b~\"é"), "finding-a~20~b~7e~~22~~e9~");
}

#[test]
fn a_hole_stands_out() {
    let body = body(&agreeing());
    let hole = "<th scope=\"row\">MUL</th><td class=\"hole\" colspan=\"3\">never seen</td>";
    assert!(body.contains(hole));
    assert!(body.contains("2 of 3 names seen; 1 of 3 cells full, 1 never varied."));
    assert!(body.contains("<td>9</td><td class=\"v0\" title=\"never 1: 0\">0</td><td></td>"));
}

#[test]
fn empty_lists_are_said_to_be_empty() {
    let mut report = agreeing();
    report.tallies.clear();
    report.certificates.clear();
    report.coverage.clear();
    report.errata.clear();
    report.evidence.clear();
    report.single_source.clear();
    report.corpora.clear();
    report.peers.clear();
    report.not_run.clear();
    assert_eq!(body(&report).matches("class=\"none\"").count(), 9);
}

#[test]
fn a_large_report_stays_small() {
    let mut report = disagreeing();
    report.errata = (0..250)
        .map(|n| ErratumResult {
            id: format!("r700-{n}"),
            title: "a title of some length that says what it is about".repeat(2),
            ..report.errata[0].clone()
        })
        .collect();
    report.single_source = (0..1000)
        .map(|n| SingleSource {
            what: format!("field.{n}"),
            ..report.single_source[0].clone()
        })
        .collect();
    report.findings = (0..50)
        .map(|n| finding(&format!("f{n}"), "1100000000020000", n))
        .collect();
    let row = |n: u32| CoverageRow {
        name: format!("SOME_OPCODE_{n}"),
        seen: 1_000_000,
        varied: vec![varied(32, 0xffff_0000, 0xf0f0_f0f0); 40],
    };
    report.coverage = (0..6)
        .map(|n| Coverage {
            target: "r700".into(),
            axis: format!("axis{n}"),
            fields: (0..40)
                .map(|field| format!("alu.some.field{field}"))
                .collect(),
            rows: (0..200).map(row).collect(),
        })
        .collect();
    let size = render(&report).len();
    assert!(size < 5_000_000, "{size} bytes");
}
