//! A tiny report for the tests of the views.

use std::collections::BTreeMap;

use super::model::*;

/// Everything agrees, and every list but the findings has an entry.
pub(super) fn agreeing() -> Report {
    Report {
        schema: SCHEMA,
        version: "0.1.0".into(),
        mode: "quick".into(),
        plan: String::new(),
        seed: 7,
        shards: vec![],
        filters: vec![],
        verdict: Verdict::Agree,
        tallies: vec![
            tally("gfd", "golden", "container", [3, 0, 0, 0]),
            tally("r700", "differential", "alu", [2000, 0, 2, 0]),
            tally("r700", "golden", "alu", [12, 0, 0, 1]),
        ],
        findings: vec![],
        certificates: vec![Certificate {
            target: "r700".into(),
            unit: "chip=r700,unit=alu".into(),
            what: "alu.op".into(),
            values: 1024,
            of: 1024,
            inputs: 4096,
            agree: 4096,
        }],
        coverage: vec![Coverage {
            target: "r700".into(),
            axis: "alu.op".into(),
            fields: vec!["alu.clamp".into(), "alu.omod".into()],
            rows: vec![
                CoverageRow {
                    name: "ADD".into(),
                    seen: 20,
                    varied: vec![varied(1, 1, 1), varied(2, 3, 1)],
                },
                CoverageRow {
                    name: "MUL".into(),
                    seen: 0,
                    varied: vec![None, None],
                },
                CoverageRow {
                    name: "MULADD".into(),
                    seen: 9,
                    varied: vec![varied(1, 0, 1), None],
                },
            ],
        }],
        execution: vec![Execution {
            target: "r700".into(),
            translated: BTreeMap::from([("corpus mesa".to_owned(), 30)]),
            refused: vec![Refused {
                reason: "CF slot 3: EMIT_VERTEX is not translated".into(),
                programs: vec!["mesa:abc".into()],
            }],
            opcodes: vec![
                OpcodeRuns {
                    class: "alu".into(),
                    name: "ADD".into(),
                    lanes: 640,
                },
                OpcodeRuns {
                    class: "alu".into(),
                    name: "CUBE".into(),
                    lanes: 0,
                },
            ],
            doubts: BTreeMap::from([("a denormal".to_owned(), 7)]),
        }],
        errata: vec![ErratumResult {
            id: "r700-cf-25".into(),
            target: "r700".into(),
            title: "CF opcode 25 has two names".into(),
            status: "settled".into(),
            ruling: "reserved".into(),
            sources: vec![
                ("R700 ISA".into(), "reserved".into()),
                ("header".into(), "X".into()),
            ],
            cases: vec![
                ("r700/cf/25".into(), "met".into()),
                ("r700/cf/26".into(), "not run".into()),
            ],
        }],
        evidence: BTreeMap::from([(
            "r700".into(),
            BTreeMap::from([("vendor-spec".into(), 12), ("hardware".into(), 1)]),
        )]),
        single_source: vec![SingleSource {
            target: "r700".into(),
            what: "cf.alt_const".into(),
            source: "R700 ISA".into(),
        }],
        corpora: vec![Corpus {
            name: "shaders".into(),
            holds: "14 files, 22 programs".into(),
        }],
        peers: vec![Peer {
            name: "llvm-mc".into(),
            state: "missing".into(),
            note: "package llvm-19".into(),
        }],
        not_run: vec![NotRun {
            what: "rdna2 differential against llvm-mc".into(),
            reason: "llvm-mc is not installed".into(),
        }],
    }
}

/// As [`agreeing`], with one finding whose text is hostile to every format.
pub(super) fn disagreeing() -> Report {
    let mut report = agreeing();
    report.verdict = Verdict::Findings;
    report.tallies[1].disagree = 412;
    report
        .findings
        .push(finding("r700-differential-1a2b", "1100000000020000", 412));
    report
}

/// A finding with hostile text.
pub(super) fn finding(id: &str, hex: &str, count: u64) -> Finding {
    Finding {
        id: id.into(),
        target: "r700".into(),
        kind: "differential".into(),
        cause: "<script>alert(\"alu.op\" & 'x')</script>\u{1b}[31m".into(),
        count,
        origin: format!("generator alu 1{hex}"),
        options: BTreeMap::from([
            ("unit".into(), "alu".into()),
            ("chip".into(), "r700".into()),
        ]),
        hex: hex.into(),
        words: vec!["0x00000011".into(), "0x00000200".into()],
        original_bytes: hex.len() as u64 / 2,
        original: hex.to_owned(),
        differences: vec![Difference {
            path: "alu.op".into(),
            answers: vec![
                answer("expected", "MUL (1)"),
                answer("r700 decoder", "ADD (0)"),
            ],
        }],
        odd_one_out: Some("r700 decoder".into()),
        citations: vec!["R700 ISA, ALU_WORD1_OP2, ALU_INST".into()],
        replay: format!("assay verify --target r700 --hex {hex} --options 'unit=alu'"),
    }
}

/// What one party says.
pub(super) fn answer(who: &str, value: &str) -> Answer {
    Answer {
        who: who.into(),
        value: value.into(),
    }
}

/// Bits of a field that were seen as one and as zero.
pub(super) fn varied(width: u16, ones: u64, zeros: u64) -> Option<Varied> {
    Some(Varied { width, ones, zeros })
}

/// Counts: agree, disagree, poisoned, skipped.
pub(super) fn tally(target: &str, kind: &str, part: &str, counts: [u64; 4]) -> Tally {
    let [agree, disagree, poisoned, skipped] = counts;
    Tally {
        target: target.into(),
        kind: kind.into(),
        part: part.into(),
        agree,
        disagree,
        poisoned,
        skipped,
    }
}
