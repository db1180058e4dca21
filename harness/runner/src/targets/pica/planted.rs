//! Planted mistakes: wrong decoders that people have shipped, and wrong tables. Each is noticed by a golden case that says
//! so, or turns a run red.

mod decoders;

use std::path::Path;
use std::sync::Arc;

use corpora::{Implementation, OptionError, Options, Outcome, Vocabulary};
use oracles::pica::Tables;

use super::{DECODE, Pica, unit_of};
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

/// The ids of golden cases that a decoder with that mistake does not meet.
fn unmet_cases(mistake: Mistake) -> Vec<(String, String)> {
    let pica = Pica::new().expect("the target");
    let vocabulary = Arc::clone(pica.vocabulary());
    let substitute = Substitute::new(Box::new(pica), move || {
        let honest = Pica::new().expect("the target");
        Box::new(Wrong {
            honest: honest.subject(),
            vocabulary: Arc::clone(&vocabulary),
            unit: DECODE.to_owned(),
            mistake,
        })
    });
    not_met(Box::new(substitute))
}

fn not_met(target: Box<dyn Target>) -> Vec<(String, String)> {
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let targets = vec![target];
    let cases = load::cases(&testdata, &targets, None).expect("the cases");
    let cases = cases.into_iter().flatten();
    let unmet = cases.filter(|golden| !unmet(&*targets[0], golden).is_empty());
    unmet
        .map(|golden| (golden.case.id, golden.case.note))
        .collect()
}

/// A mistake must be noticed by a case whose note names the fault.
fn noticed(fault: &str, mistake: Mistake) {
    // What the honest decoder does not meet either proves nothing.
    let honest = unmet_cases(decoders::honest);
    let mut unmet = unmet_cases(mistake);
    unmet.retain(|case| !honest.contains(case));
    let name = format!("fault {fault}");
    let named = unmet.iter().any(|(_, note)| {
        note.split(|c: char| !c.is_alphanumeric() && c != ' ')
            .any(|part| part.trim() == name)
    });
    assert!(
        named,
        "no case that names {fault} notices it, only {unmet:#?}"
    );
}

#[test]
fn the_decoder_as_it_is_meets_every_case() {
    assert_eq!(unmet_cases(decoders::honest), []);
}

#[test]
fn p1_signed_bytes_read_as_unsigned() {
    noticed("P1", decoders::unsigned_bytes);
}

#[test]
fn p3_components_not_aligned() {
    noticed("P3", decoders::packed);
}

#[test]
fn p4_missing_components_all_zero() {
    noticed("P4", decoders::missing_w_is_zero);
}

#[test]
fn p5_a_partial_result_published() {
    noticed("P5", decoders::partial);
}

#[test]
fn p6_restart_markers() {
    noticed("P6", decoders::restart);
}

#[test]
fn p7_vertex_offset_through_indices() {
    noticed("P7", decoders::offset_through_indices);
}

#[test]
fn p8_an_unreferenced_nan_rejects() {
    noticed("P8", decoders::reads_unreferenced);
}

#[test]
fn p9_first_index_added() {
    noticed("P9", decoders::first_index_added);
}

#[test]
fn p10_shorts_normalised() {
    noticed("P10", decoders::normalised);
}

fn report(tables: Tables, kind: Kind) -> Report {
    let settings = Settings {
        mode: Mode::Smoke,
        seed: 1,
        kinds: vec![kind],
        case: None,
        shard: None,
    };
    let target = Box::new(Pica::with_tables(tables).expect("altered tables are still tables"));
    let context = Context::new(settings, vec![target], vec![vec![]], vec![vec![]]);
    run(&context, Surroundings::default(), &|_, _| {}).report
}

/// A run with altered tables must be red, and a finding must name the field.
fn red(path: &str, alter: impl FnOnce(&mut Tables)) {
    let mut tables = Tables::embedded();
    alter(&mut tables);
    let report = report(tables, Kind::Differential);
    assert_eq!(report.verdict, Verdict::Findings);
    let named = report.findings.iter().any(|finding| {
        finding
            .differences
            .iter()
            .any(|difference| difference.path.ends_with(path))
    });
    assert!(named, "no finding names {path}: {:#?}", report.findings);
}

#[test]
fn the_tables_as_they_are_are_green() {
    for kind in [Kind::Differential, Kind::Property, Kind::Sweep] {
        let report = report(Tables::embedded(), kind);
        assert_eq!(report.verdict, Verdict::Agree, "{:#?}", report.findings);
    }
}

/// Fault P2: padding ids are not what they should be. A differential run is red, and so is a case that names the fault.
#[test]
fn p2_padding_that_is_none() {
    let alter = |tables: &mut Tables| {
        let at = tables.ids.find(&[("id", "13")]).expect("the id");
        tables.ids.replace(at, "bytes", "0");
    };
    red("size", alter);
    let mut tables = Tables::embedded();
    alter(&mut tables);
    let unmet = not_met(Box::new(Pica::with_tables(tables).expect("tables")));
    assert!(
        unmet.iter().any(|(_, note)| note.contains("fault P2")),
        "{unmet:#?}"
    );
}

#[test]
fn p2_padding_ids_as_attributes() {
    noticed("P2", decoders::padding_as_attributes);
}

#[test]
fn a_register_field_shifted() {
    red("base", |tables| {
        let at = tables.fields.find(&[("field", "base")]).expect("the field");
        tables.fields.replace(at, "lo", "0");
    });
}

#[test]
fn two_formats_swapped() {
    red("x", |tables| {
        let of = |name| {
            tables
                .formats
                .find(&[("list", "attribute"), ("name", name)])
        };
        let (byte, unsigned) = (of("GPU_BYTE"), of("GPU_UNSIGNED_BYTE"));
        let swapped = tables.formats.swap(
            byte.expect("the format"),
            unsigned.expect("the format"),
            "sign",
        );
        assert!(swapped);
    });
}
