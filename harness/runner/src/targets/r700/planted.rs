//! Planted mistakes: each turns a run red, with a finding that names the field and shows the word.

use std::sync::Arc;

use corpora::{Implementation, OptionError, Options, Outcome};
use oracles::r700::Tables;
use r700::alu::Alu;
use r700::clause::Units;
use r700::program::{self, ClauseBody};
use r700::{Chip, words};

use super::unit::Emit;
use super::{R700, Shared, subject};
use crate::context::{Context, Settings};
use crate::finding::Kind;
use crate::plan::Mode;
use crate::report::model::{Finding, Report, Verdict};
use crate::run::{Surroundings, run};
use crate::substitute::Substitute;
use crate::target::Target;

/// A small run of one kind on a target, golden cases and corpora left out.
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

/// A run of sweeps with altered tables, which must be red.
fn red(alter: impl FnOnce(&mut Tables)) -> Report {
    let mut tables = Tables::embedded().unwrap();
    alter(&mut tables);
    let target = R700::with_tables(tables).expect("altered tables are still tables");
    let report = report(Box::new(target), Kind::Sweep);
    assert_eq!(report.verdict, Verdict::Findings);
    report
}

/// The finding whose differences name that field, with a word to show for it.
fn finding<'a>(report: &'a Report, path: &str) -> &'a Finding {
    let names = |finding: &&Finding| {
        finding
            .differences
            .iter()
            .any(|difference| difference.path.ends_with(path))
    };
    let found = report.findings.iter().find(names);
    let found = found.unwrap_or_else(|| panic!("no finding names {path}: {:#?}", report.findings));
    assert!(!found.words.is_empty(), "{found:#?}");
    assert!(
        found.replay.starts_with("assay replay r700"),
        "{}",
        found.replay
    );
    found
}

fn row(tables: &Tables, cells: &[(&str, &str)]) -> usize {
    tables.fields.find(cells).expect("such a row")
}

#[test]
fn the_tables_as_they_are_are_green() {
    for kind in [Kind::Sweep, Kind::Differential, Kind::Property] {
        let report = report(Box::new(R700::new().unwrap()), kind);
        assert_eq!(report.verdict, Verdict::Agree, "{:#?}", report.findings);
    }
}

#[test]
fn two_opcode_rows_swapped() {
    let report = red(|tables| {
        let at = |value| {
            tables
                .opcodes
                .find(&[("class", "op2"), ("value", value)])
                .unwrap()
        };
        let (add, mul) = (at("0"), at("1"));
        assert!(tables.opcodes.swap(add, mul, "name"));
    });
    let found = finding(&report, "alu.op");
    assert_eq!(found.cause, "alu.op");
    // Reduced to nothing but the opcode: all bits clear is ADD, one set is MUL.
    assert_eq!(found.words, ["00000000", "00000000"]);
    let says = |who: &str| {
        let answers = &found.differences[0].answers;
        answers
            .iter()
            .find(|answer| answer.who == who)
            .unwrap()
            .value
            .clone()
    };
    assert_eq!(says("r700 decoder"), "ADD (0)");
    assert_eq!(says("r700 oracle"), "MUL (0)");
}

#[test]
fn a_field_shifted() {
    let report = red(|tables| {
        let at = row(tables, &[("path", "alu.dst.gpr")]);
        let low = tables.fields.rows().nth(at).unwrap().number("lo").unwrap();
        tables.fields.replace(at, "lo", &(low + 1).to_string());
    });
    assert_eq!(finding(&report, "alu.dst.gpr").cause, "alu.dst.gpr");
}

#[test]
fn a_field_narrowed() {
    let report = red(|tables| {
        let at = row(tables, &[("path", "tex.resource_id")]);
        tables.fields.replace(at, "width", "7");
    });
    finding(&report, "tex.resource_id");
}

/// Fault R1: the OP2 opcode read at [17:8] on R700, so that every MUL is an ADD.
#[test]
fn the_op2_opcode_one_bit_too_high() {
    let report = red(|tables| {
        let at = row(tables, &[("path", "alu.op"), ("chip", "r700"), ("lo", "7")]);
        tables.fields.replace(at, "lo", "8");
        tables.fields.replace(at, "width", "10");
    });
    finding(&report, "alu.op");
}

#[test]
fn two_names_of_an_enumeration_swapped() {
    let report = red(|tables| {
        let at = |value| {
            tables
                .enums
                .find(&[("enum", "omod"), ("value", value)])
                .unwrap()
        };
        let (two, four) = (at("1"), at("2"));
        assert!(tables.enums.swap(two, four, "name"));
    });
    finding(&report, "alu.omod");
}

/// Fault R10: ALU_BREAK and ALU_CONTINUE mixed up.
#[test]
fn break_and_continue_swapped() {
    let report = red(|tables| {
        let at = |name| {
            tables
                .opcodes
                .find(&[("class", "cf_alu"), ("name", name)])
                .unwrap()
        };
        let (one, other) = (at("ALU_BREAK"), at("ALU_CONTINUE"));
        assert!(tables.opcodes.swap(one, other, "name"));
    });
    finding(&report, "cf.op");
}

/// A decoder that drops the literal rule: what follows a group is the next instruction, always (fault R3).
struct WithoutLiterals {
    shared: Arc<Shared>,
    right: Box<dyn Implementation>,
    program: bool,
}

impl Implementation for WithoutLiterals {
    fn name(&self) -> &str {
        "decoder without literals"
    }

    fn select(&mut self, options: &Options) -> Result<(), OptionError> {
        let (unit, chip) = subject::options(options)?;
        self.program = unit == subject::Unit::Program && chip == Chip::R700;
        self.right.select(options)
    }

    fn answer(&mut self, input: &[u8], outcome: &mut Outcome) {
        let decoded = program::decode(input, Chip::R700);
        let (true, Ok(program)) = (self.program, decoded) else {
            return self.right.answer(input, outcome);
        };
        let Shared { ids, names } = &*self.shared;
        let mut emit = Emit {
            ids,
            names,
            record: &mut outcome.record,
        };
        subject::emit_control_flow(&program, &mut emit);
        for clause in program.clauses() {
            if let ClauseBody::Fetch(fetches) = &clause.body {
                subject::emit_fetch_clause(clause, fetches, &mut emit);
                continue;
            }
            let (mut group, mut units) = (0, Units::default());
            for slot in clause.start..clause.start + clause.size {
                let alu = Alu::decode(words::read(&input[slot * 8..]).unwrap(), Chip::R700);
                subject::enter(&mut emit, slot);
                emit.alu(&alu);
                subject::describe(&mut emit, subject::kind::ALU, Some(clause));
                emit.placed(group, units.assign(&alu).unwrap_or_else(|taken| taken));
                if alu.last() {
                    group += 1;
                    units = Units::default();
                }
            }
        }
        outcome.accept(input.len());
    }
}

#[test]
fn the_literal_rule_dropped() {
    let right = R700::new().unwrap();
    let shared = Arc::clone(&right.shared);
    let decoder = R700::new().unwrap();
    let wrong = Substitute::new(Box::new(right), move || {
        Box::new(WithoutLiterals {
            shared: Arc::clone(&shared),
            right: decoder.subject(),
            program: true,
        })
    });
    let report = report(Box::new(wrong), Kind::Differential);
    assert_eq!(report.verdict, Verdict::Findings);
    finding(&report, "literal.x");
    finding(&report, "kind");
}
