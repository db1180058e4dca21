use super::*;
use crate::report::model::{Certificate, Coverage, CoverageRow, NotRun, Peer, Varied};
use crate::report::sample::{agreeing, disagreeing, finding, tally, varied};

fn json(report: &Report) -> String {
    serde_json::to_string(report).unwrap()
}

/// A report with nothing in it but who it is of.
fn empty(shard: &str) -> Report {
    let mut report = agreeing();
    report.shards = vec![shard.into()];
    report.tallies.clear();
    report.certificates.clear();
    report.coverage.clear();
    report.evidence.clear();
    for erratum in &mut report.errata {
        for (_, state) in &mut erratum.cases {
            *state = "not run".into();
        }
    }
    report
}

/// The jobs of [`disagreeing`], dealt out over three parts.
fn parts() -> Vec<Report> {
    let whole = disagreeing();
    let mut parts = [empty("1/3"), empty("2/3"), empty("3/3")];
    parts[0].tallies = vec![
        tally("r700", "golden", "alu", [12, 0, 0, 1]),
        tally("r700", "differential", "alu", [1500, 400, 2, 0]),
    ];
    parts[1].tallies = vec![tally("r700", "differential", "alu", [0, 12, 0, 0])];
    parts[2].tallies = vec![
        tally("r700", "differential", "alu", [500, 0, 0, 0]),
        tally("gfd", "golden", "container", [3, 0, 0, 0]),
    ];
    for part in &mut parts[..2] {
        part.verdict = Verdict::Findings;
    }
    parts[0].findings = vec![finding("r700-differential-1a2b", "110000000002000000", 400)];
    parts[1].findings = vec![finding("r700-differential-1a2b", "1100000000020000", 12)];
    let mut certificate = whole.certificates[0].clone();
    (certificate.values, certificate.inputs, certificate.agree) = (1000, 4000, 4000);
    parts[0].certificates = vec![certificate.clone()];
    (certificate.values, certificate.inputs, certificate.agree) = (24, 96, 96);
    parts[2].certificates = vec![certificate];
    let rows = |seen: [u64; 3], varied: [[Option<Varied>; 2]; 3]| -> Vec<CoverageRow> {
        ["ADD", "MUL", "MULADD"]
            .iter()
            .zip(seen)
            .zip(varied)
            .map(|((name, seen), varied)| CoverageRow {
                name: (*name).into(),
                seen,
                varied: varied.into(),
            })
            .collect()
    };
    let axis = |rows| Coverage {
        rows,
        ..whole.coverage[0].clone()
    };
    // A bit that is 1 in one part and 0 in another did vary.
    let (one, zero) = (varied(1, 1, 0), varied(1, 0, 1));
    let nothing = [None, None];
    parts[0].coverage = vec![axis(rows(
        [12, 0, 0],
        [[one, varied(2, 2, 0)], nothing, nothing],
    ))];
    parts[1].coverage = vec![axis(rows([0, 0, 9], [nothing, nothing, [zero, None]]))];
    parts[2].coverage = vec![axis(rows(
        [8, 0, 0],
        [[zero, varied(2, 1, 1)], nothing, nothing],
    ))];
    parts[1].errata[0].cases[0].1 = "met".into();
    // What was executed is the part of one.
    parts[0].execution.clear();
    parts[2].execution.clear();
    parts[0].evidence = whole.evidence.clone();
    parts[2].evidence = whole.evidence;
    for evidence in ["vendor-spec", "hardware"] {
        parts[2]
            .evidence
            .get_mut("r700")
            .unwrap()
            .insert(evidence.into(), 0);
    }
    parts.into()
}

#[test]
fn parts_make_the_whole_byte_for_byte_in_any_order() {
    let mut whole = disagreeing();
    canonical(&mut whole);
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let parts = parts();
        let merged = merge(order.iter().map(|&at| parts[at].clone()).collect()).unwrap();
        assert_eq!(json(&merged), json(&whole));
    }
}

#[test]
fn a_whole_run_alone_is_given_back() {
    let mut whole = agreeing();
    canonical(&mut whole);
    assert_eq!(merge(vec![agreeing()]), Ok(whole));
}

#[test]
fn parts_must_be_all_there_and_once() {
    let merged = |shards: &[&str]| merge(shards.iter().map(|shard| empty(shard)).collect());
    assert_eq!(merged(&[]), Err(MergeError::Nothing));
    assert_eq!(
        merged(&["2/4", "1/4"]),
        Err(MergeError::Missing(vec!["3/4".into(), "4/4".into()]))
    );
    assert_eq!(
        merged(&["1/2", "1/2"]),
        Err(MergeError::Twice("1/2".into()))
    );
    assert_eq!(
        merged(&["1/2", "0/2"]),
        Err(MergeError::BadShard("0/2".into()))
    );
    assert_eq!(
        merged(&["1/2", "3/2"]),
        Err(MergeError::BadShard("3/2".into()))
    );
    assert_eq!(merged(&["half"]), Err(MergeError::BadShard("half".into())));
    assert!(matches!(
        merged(&["1/2", "2/3"]),
        Err(MergeError::Differs { .. })
    ));
    assert_eq!(
        merge(vec![empty("1/2"), agreeing()]),
        Err(MergeError::Whole)
    );
    assert!(merged(&["1/1"]).unwrap().shards.is_empty());
}

#[test]
fn a_huge_number_of_parts_is_no_long_list() {
    let Err(MergeError::Missing(missing)) = merge(vec![empty("1/4294967295")]) else {
        panic!("parts are missing");
    };
    assert_eq!(missing.len(), MISSING_NAMED);
}

#[test]
fn reports_must_be_of_one_run() {
    let differing = |change: fn(&mut Report)| {
        let mut other = empty("2/2");
        change(&mut other);
        match merge(vec![empty("1/2"), other]) {
            Err(MergeError::Differs { what, .. }) => what,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(differing(|r| r.schema += 1), "schema");
    assert_eq!(differing(|r| r.version.push('1')), "version");
    assert_eq!(differing(|r| r.mode = "full".into()), "mode");
    assert_eq!(differing(|r| r.seed += 1), "seed");
    assert_eq!(
        differing(|r| r.filters.push("target=r700".into())),
        "filters"
    );
    assert_eq!(
        differing(|r| r.errata[0].ruling = "X".into()),
        "ruling of erratum r700-cf-25"
    );
}

#[test]
fn a_case_that_was_not_met_stays_so() {
    let states = |a: &str, b: &str| {
        let mut parts = [empty("1/2"), empty("2/2")];
        parts[0].errata[0].cases[0].1 = a.into();
        parts[1].errata[0].cases[0].1 = b.into();
        merge(parts.into()).unwrap().errata[0].cases[0].1.clone()
    };
    assert_eq!(states("not run", "met"), "met");
    assert_eq!(states("met", "not run"), "met");
    assert_eq!(states("met", "not met"), "not met");
    assert_eq!(states("not met", "not run"), "not met");
}

#[test]
fn a_finding_is_shown_by_its_smallest_input() {
    let mut parts = [empty("1/3"), empty("2/3"), empty("3/3")];
    parts[0].findings = vec![finding("a", "00ff", 1)];
    parts[1].findings = vec![finding("a", "0001", 2), finding("b", "00", 5)];
    parts[2].findings = vec![finding("a", "000000", 4)];
    let merged = merge(parts.into()).unwrap();
    assert_eq!(merged.verdict, Verdict::Findings);
    assert_eq!(
        merged.findings,
        vec![finding("a", "0001", 7), finding("b", "00", 5)]
    );
}

#[test]
fn sums_do_not_overflow_and_values_are_bounded() {
    let mut parts = [empty("1/2"), empty("2/2")];
    for part in &mut parts {
        part.tallies = vec![tally("r700", "sweep", "alu", [u64::MAX, 0, 0, 0])];
        part.certificates = vec![Certificate {
            target: "r700".into(),
            unit: "unit=alu".into(),
            what: "alu.op".into(),
            values: 3,
            of: 4,
            inputs: 3,
            agree: 3,
        }];
    }
    let merged = merge(parts.into()).unwrap();
    assert_eq!(merged.tallies[0].agree, u64::MAX);
    assert_eq!(
        (merged.certificates[0].values, merged.certificates[0].inputs),
        (4, 6)
    );
}

#[test]
fn lists_are_sorted_unions() {
    let mut parts = [empty("1/2"), empty("2/2")];
    let peer = |state: &str| Peer {
        name: "naga".into(),
        state: state.into(),
        note: state.into(),
    };
    parts[0].peers = vec![peer("used")];
    parts[1].peers = vec![peer("missing"), peer("used")];
    parts[1].not_run.push(NotRun {
        what: "a".into(),
        reason: "b".into(),
    });
    let merged = merge(parts.into()).unwrap();
    assert_eq!(merged.peers, vec![peer("missing"), peer("used")]);
    assert_eq!(merged.not_run.len(), 2);
    assert_eq!(merged.not_run[0].what, "a");
    assert_eq!(merged.corpora.len(), 1);
    assert_eq!(merged.single_source.len(), 1);
}

#[test]
fn columns_are_joined_by_path() {
    let axis = |field: &str, varied| Coverage {
        target: "r700".into(),
        axis: "alu.op".into(),
        fields: vec![field.into()],
        rows: vec![CoverageRow {
            name: "ADD".into(),
            seen: 2,
            varied: vec![varied],
        }],
    };
    let mut parts = [empty("1/3"), empty("2/3"), empty("3/3")];
    parts[0].coverage = vec![axis("b", varied(4, 0b1100, 0b0011))];
    parts[1].coverage = vec![axis("a", None)];
    parts[2].coverage = vec![axis("b", varied(4, 0b0100, 0b1011))];
    let merged = merge(parts.into()).unwrap();
    assert_eq!(merged.coverage[0].fields, ["a", "b"]);
    assert_eq!(merged.coverage[0].rows[0].seen, 6);
    assert_eq!(
        merged.coverage[0].rows[0].varied,
        [None, varied(4, 0b1100, 0b1011)]
    );
}

#[test]
fn order_is_for_reading() {
    let mut report = agreeing();
    let kinds = |report: &Report| -> Vec<String> {
        report
            .tallies
            .iter()
            .map(|tally| tally.kind.clone())
            .collect()
    };
    report.tallies = ["sweep", "another", "golden", "differential", "property"]
        .map(|kind| tally("r700", kind, "", [1, 0, 0, 0]))
        .into();
    let certificate = report.certificates[0].clone();
    report.certificates = ["random words", "bits [19:10]", "bit 9", "bits [8:2]"]
        .map(|what| Certificate {
            what: what.into(),
            ..certificate.clone()
        })
        .into();
    canonical(&mut report);
    assert_eq!(
        kinds(&report),
        ["golden", "property", "differential", "sweep", "another"]
    );
    let swept: Vec<&str> = report
        .certificates
        .iter()
        .map(|c| c.what.as_str())
        .collect();
    assert_eq!(
        swept,
        ["bits [8:2]", "bit 9", "bits [19:10]", "random words"]
    );
}
