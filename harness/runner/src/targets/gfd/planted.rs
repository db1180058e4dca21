//! Planted mistakes: each turns a run red, with a finding that names the field.

use oracles::gfd::Tables;

use super::Gfd;
use crate::context::{Context, Settings};
use crate::finding::Kind;
use crate::plan::Mode;
use crate::report::model::{Report, Verdict};
use crate::run::{Surroundings, run};

fn report(tables: Tables, kind: Kind) -> Report {
    let settings = Settings {
        mode: Mode::Smoke,
        seed: 1,
        kinds: vec![kind],
        case: None,
        shard: None,
    };
    let target = Box::new(Gfd::with_tables(tables).expect("altered tables are still tables"));
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
        !finding.hex.is_empty()
            && finding
                .differences
                .iter()
                .any(|difference| difference.path.ends_with(path))
    });
    assert!(named, "no finding names {path}: {:#?}", report.findings);
}

#[test]
fn the_tables_as_they_are_are_green() {
    for kind in [Kind::Differential, Kind::Property] {
        let report = report(Tables::embedded(), kind);
        assert_eq!(report.verdict, Verdict::Agree, "{:#?}", report.findings);
    }
}

#[test]
fn a_member_shifted() {
    red("align", |tables| {
        let at = tables
            .structs
            .find(&[("struct", "GFDHeader"), ("path", "header.align")])
            .unwrap();
        tables.structs.replace(at, "offset", "0x18");
    });
}

#[test]
fn two_members_swapped() {
    red("uniform_var[0].offset", |tables| {
        let at = |path| {
            tables
                .structs
                .find(&[("struct", "GX2UniformVar"), ("path", path)])
                .unwrap()
        };
        let (count, offset) = (at("uniform_var[].count"), at("uniform_var[].offset"));
        assert!(tables.structs.swap(count, offset, "offset"));
    });
}

#[test]
fn two_block_types_swapped() {
    red("type", |tables| {
        let first = tables.blocks.find(&[("name", "TEXTURE_IMAGE")]).unwrap();
        let second = tables.blocks.find(&[("name", "TEXTURE_MIPMAP")]).unwrap();
        assert!(tables.blocks.swap(first, second, "name"));
    });
}

/// Fault G6: relocation tags left in the offset.
#[test]
fn a_tag_left_in_an_offset() {
    red("reloc.text_offset", |tables| {
        let at = tables
            .structs
            .find(&[("path", "reloc.text_offset")])
            .unwrap();
        tables.structs.replace(at, "kind", "unsigned");
    });
}
