//! Planted mistakes: wrong decoders are noticed by a golden case and turn a run red, and so do wrong tables. An oracle that
//! executes otherwise breaks the law of execution.

mod decoders;

use std::path::Path;
use std::sync::Arc;

use corpora::generate::{Random, igc as generate};
use corpora::{Implementation, OptionError, Options, Outcome, Vocabulary};
use oracles::igc::Tables;

use super::{Igc, execution, unit_of};
use crate::check::unmet;
use crate::context::{Context, Settings};
use crate::finding::Kind;
use crate::load;
use crate::plan::Mode;
use crate::report::model::{Report, Verdict};
use crate::run::{Surroundings, run};
use crate::substitute::Substitute;
use crate::target::Target;

/// A mistake: what is answered, given the honest decoder and the unit.
type Mistake = fn(&mut Wrong, &[u8], &mut Outcome);

/// A decoder with a mistake.
struct Wrong {
    honest: Box<dyn Implementation>,
    vocabulary: Arc<Vocabulary>,
    unit: String,
    mistake: Mistake,
}

impl Implementation for Wrong {
    fn name(&self) -> &str {
        "wrong decoder"
    }

    fn select(&mut self, options: &Options) -> Result<(), OptionError> {
        self.unit = unit_of(options).to_owned();
        self.honest.select(options)
    }

    fn answer(&mut self, input: &[u8], outcome: &mut Outcome) {
        (self.mistake)(self, input, outcome);
    }
}

fn wrong(mistake: Mistake) -> Box<dyn Target> {
    let igc = Igc::new().expect("the target");
    let vocabulary = Arc::clone(igc.vocabulary());
    Box::new(Substitute::new(Box::new(igc), move || {
        let honest = Igc::new().expect("the target");
        Box::new(Wrong {
            honest: honest.subject(),
            vocabulary: Arc::clone(&vocabulary),
            unit: String::new(),
            mistake,
        })
    }))
}

/// The ids of golden cases that a target does not meet, and how many there are.
fn not_met(target: Box<dyn Target>) -> (Vec<String>, usize) {
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let targets = vec![target];
    let cases = load::cases(&testdata, &targets, None).expect("the cases");
    let cases: Vec<_> = cases.into_iter().flatten().collect();
    let all = cases.len();
    let unmet = cases
        .into_iter()
        .filter(|golden| !unmet(&*targets[0], golden).is_empty());
    (unmet.map(|golden| golden.case.id).collect(), all)
}

fn report(target: Box<dyn Target>, kind: Kind) -> Report {
    let settings = Settings {
        mode: Mode::Smoke,
        seed: 1,
        kinds: vec![kind],
        case: None,
        shard: None,
    };
    let context = Context::new(settings, vec![target], vec![vec![]], vec![vec![]]);
    run(&context, Surroundings::default(), &|_, _| {}).report
}

/// Whether a finding of a report names the field.
fn names(report: &Report, path: &str) -> bool {
    let mut differences = report
        .findings
        .iter()
        .flat_map(|finding| &finding.differences);
    differences.any(|difference| difference.path.ends_with(path))
}

/// A mistake must be noticed by the case, and a differential run must name the field.
fn noticed(case: &str, path: &str, mistake: Mistake) {
    let (unmet, _) = not_met(wrong(mistake));
    assert!(unmet.iter().any(|id| id == case), "only {unmet:#?}");
    let report = report(wrong(mistake), Kind::Differential);
    assert_eq!(report.verdict, Verdict::Findings);
    assert!(names(&report, path), "{path}: {:#?}", report.findings);
}

#[test]
fn the_decoder_as_it_is_meets_every_case() {
    let (unmet, all) = not_met(wrong(decoders::honest));
    assert_eq!(unmet, [""; 0]);
    assert!(all >= 113, "{all} cases");
}

#[test]
fn opcodes_of_a_byte() {
    noticed("igc/word/memgesca", "opcode", decoders::opcodes_of_a_byte);
}

#[test]
fn one_rule_of_lengths_for_all() {
    noticed(
        "igc/word/memlttree-32",
        "len",
        decoders::one_rule_of_lengths,
    );
}

#[test]
fn words_read_big_endian() {
    noticed("igc/word/setenabs", "op", decoders::big_endian);
}

#[test]
fn words_counted_by_their_bits() {
    noticed("igc/word/edge-1", "words", decoders::words_by_bits);
}

#[test]
fn source_and_destination_exchanged() {
    noticed("igc/insn/sweep-125", "src", decoders::source_is_destination);
}

#[test]
fn a_send_of_127_refused() {
    noticed("igc/border/dma-128", "status", decoders::send_below_127);
}

/// A run with altered tables must be red, and a finding must name the field.
fn red(path: &str, alter: impl FnOnce(&mut Tables)) {
    let mut tables = Tables::embedded();
    alter(&mut tables);
    let target = Igc::with_tables(tables).expect("altered tables are still tables");
    let report = report(Box::new(target), Kind::Differential);
    assert_eq!(report.verdict, Verdict::Findings);
    assert!(names(&report, path), "{path}: {:#?}", report.findings);
}

#[test]
fn the_tables_as_they_are_are_green() {
    for kind in [Kind::Differential, Kind::Property] {
        let report = report(Box::new(Igc::new().expect("the target")), kind);
        assert_eq!(report.verdict, Verdict::Agree, "{:#?}", report.findings);
    }
}

fn set(table: &mut oracles::table::Table, key: (&str, &str), column: &str, value: &str) {
    let at = table.find(&[key]).expect("the row");
    table.replace(at, column, value).expect("the column");
}

#[test]
fn a_field_a_bit_too_narrow() {
    red("opcode", |tables| {
        set(&mut tables.fields, ("field", "opcode"), "width", "8");
    });
}

#[test]
fn a_rule_with_the_bias_of_another() {
    red("len", |tables| {
        set(&mut tables.lengths, ("rule", "Z"), "bias", "115");
    });
}

#[test]
fn two_comparisons_exchanged() {
    red("op", |tables| {
        let instructions = &mut tables.instructions;
        let of = |name| instructions.find(&[("name", name)]).expect("the row");
        let (below, above) = (of("TREEltZERO_L3"), of("TREEgeZERO_L3"));
        assert!(instructions.swap(below, above, "base"));
    });
}

#[test]
fn a_source_that_is_not_held_against_the_memory() {
    red("status", |tables| {
        let instructions = &mut tables.instructions;
        set(instructions, ("name", "CPY"), "source_length", "-");
    });
}

#[test]
fn a_send_that_is_too_long() {
    red("status", |tables| {
        set(&mut tables.limits, ("name", "send_max"), "value", "128");
    });
}

/// How many of some hundred programs end differently with those tables, and the first difference.
fn execution_differences(tables: &Tables) -> Vec<(String, String)> {
    let fresh = execution::pixels(tables);
    let mut random = Random::new(1, 9);
    let programs = (0..200).map(|_| {
        let mut program = Vec::new();
        generate::program(&mut random, &[], &mut program);
        program
    });
    let differences = programs.map(|program| execution::difference_to(&fresh, &program));
    differences.flatten().collect()
}

#[test]
fn execution_of_the_tables_as_they_are_agrees() {
    assert_eq!(execution_differences(&Tables::embedded()), []);
}

/// Two instructions that do what the other does: the difference names a pixel and a bit of it.
#[test]
fn effects_exchanged() {
    for (one, other) in [
        ("TREEltZERO_L3", "TREEgeZERO_L3"),
        ("ENABandeqMEM", "ENABandeqMEMBAR"),
        ("ENABandeqMEM", "ENABxoreqMEM"),
        ("MEMoreqENAB", "MEMandeqENAB"),
        ("MEMintoENAB", "MEMBARintoENAB"),
        ("ENABintoMEM", "CRYintoMEM"),
        ("SETENABS", "CLRENABS"),
    ] {
        let mut tables = Tables::embedded();
        let instructions = &mut tables.instructions;
        let of = |name| instructions.find(&[("name", name)]).expect("the row");
        let rows = (of(one), of(other));
        assert!(instructions.swap(rows.0, rows.1, "execution"));
        let differences = execution_differences(&tables);
        let pixel = |(expected, found): &(String, String)| {
            [expected, found]
                .iter()
                .all(|side| side.starts_with("pixel ("))
        };
        assert!(differences.iter().any(pixel), "{one}: {differences:#?}");
    }
}

/// An instruction that is not executed, or executed where it is not to be: the difference names instruction and word.
#[test]
fn execution_that_stops_elsewhere() {
    let mut tables = Tables::embedded();
    let instructions = &mut tables.instructions;
    set(instructions, ("name", "CPY"), "execution", "-");
    let differences = execution_differences(&tables);
    let stopped = |side: &str| side.starts_with("unsupported: CPY at word ");
    assert!(differences.iter().any(|(expected, _)| stopped(expected)));
    let mut tables = Tables::embedded();
    let instructions = &mut tables.instructions;
    set(instructions, ("name", "SCAintoMEM_S1"), "len_max", "31");
    let differences = execution_differences(&tables);
    let stopped = |side: &str| side.starts_with("unsupported: SCAintoMEM_S1 at word ");
    assert!(differences.iter().any(|(expected, _)| stopped(expected)));
}
