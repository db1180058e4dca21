//! What golden cases are too small for, and that sweeps and generators make what they say.

use std::path::Path;

use corpora::generate::{Random, igc as generate};
use corpora::{Options, Outcome, RejectClass, Status};
use igc::array::RunError;

use super::{DMA, Igc, STREAM, WORD, built, execution, sweeps, unit};
use crate::judge::{Pair, Verdict};
use crate::load;
use crate::target::Target;

fn pair(options: &Options) -> Pair {
    let target = Igc::new().expect("the target");
    let mut pair = Pair::new(target.subject(), target.oracle());
    pair.select(options).expect("options of the target");
    pair
}

/// Rules 4 and 7: 262,144 bytes are taken, and nothing longer.
#[test]
fn the_longest_inputs() {
    for (of, more) in [(STREAM, 4), (DMA, 8)] {
        let mut pair = pair(&unit(of));
        let mut input = vec![0; 262_144];
        assert_eq!(pair.judge(&input), Verdict::Agree, "{of}");
        let consumed = input.len() as u64;
        assert_eq!(pair.answer.status, Status::Accepted { consumed }, "{of}");
        input.extend(vec![0; more]);
        assert_eq!(pair.judge(&input), Verdict::Agree, "{of}");
        let class = RejectClass::Limit;
        let limit = Status::Rejected { class, offset: 0 };
        assert_eq!(pair.answer.status, limit, "{of}");
    }
}

/// Rule 1: a unit that is not there is unsupported, and so is none at all. Another option is refused.
#[test]
fn options() {
    let target = Igc::new().expect("the target");
    for mut side in [target.subject(), target.oracle()] {
        assert!(side.select(&Options::new().with("units", WORD)).is_err());
        for options in [unit("block"), Options::new()] {
            side.select(&options).expect("an answer to the unit");
            let mut outcome = Outcome::default();
            side.answer(&[0; 4], &mut outcome);
            let unsupported = matches!(outcome.status, Status::Unsupported { .. });
            assert!(unsupported, "{}: {}", side.name(), outcome.status);
        }
    }
}

#[test]
fn files_are_known_by_their_endings() {
    let target = Igc::new().expect("the target");
    assert!(target.reads(Path::new("a.igc")) && target.reads(Path::new("a.IGC")));
    assert!(!target.reads(Path::new("a.bin")) && !target.reads(Path::new("igc")));
    let found = target.inputs(Path::new("a.igc"), &[0; 4], "a.igc");
    let found = found.expect("an input").inputs;
    assert_eq!((found.len(), &found[0].options), (1, &unit(STREAM)));
}

/// One set of notes is all there is: every instruction, rule, bit field and limit is listed, each with its place.
#[test]
fn every_row_rests_on_one_source() {
    let rows = Igc::new().expect("the target").single_source_names();
    let of = |table: &str| {
        rows.iter()
            .filter(|row| row.what.starts_with(table))
            .count()
    };
    let counts = ["instructions.tsv: ", "lengths.tsv: ", "fields.tsv: "].map(of);
    assert_eq!(counts, [30, 6, 13]);
    assert!(of("limits.tsv: ") >= 7);
    assert!(rows.iter().all(|row| !row.source.is_empty()), "{rows:#?}");
    let named = "instructions.tsv: TREEltZERO_L3";
    assert!(rows.iter().any(|row| row.what == named));
}

/// The ledger names cases of the target that are there.
#[test]
fn errata_name_cases() {
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let targets: [Box<dyn Target>; 1] = [Box::new(Igc::new().expect("the target"))];
    let errata = load::errata(&testdata, &targets).expect("errata with their cases");
    let ids: Vec<_> = errata.iter().map(|erratum| erratum.id.as_str()).collect();
    for number in 1..=16 {
        let id = format!("I{number:03}");
        assert!(ids.contains(&id.as_str()), "{id} is not in {ids:?}");
    }
}

/// Each sweep covers as many values as it says, and no number is made twice.
#[test]
fn sweeps_count_what_they_cover() {
    for sweep in sweeps::all().iter().filter(|sweep| !sweep.full) {
        let (mut inputs, mut values) = (Vec::new(), 0);
        for number in 0..sweep.inputs {
            let mut input = Vec::new();
            values += (sweep.make)(number, &mut input);
            input.resize(16, 0);
            inputs.push(u128::from_le_bytes(input.try_into().expect("16 bytes")));
        }
        inputs.sort_unstable();
        assert!(
            inputs.windows(2).all(|two| two[0] != two[1]),
            "{}",
            sweep.what
        );
        assert_eq!(values, sweep.values, "{}", sweep.what);
    }
}

/// What the sweeps state is so, by both sides: some inputs of each, and the last.
#[test]
fn sweeps_state_what_is_said() {
    for sweep in &sweeps::all() {
        let mut pair = pair(&sweep.options);
        let numbers = (0..sweep.inputs).step_by((sweep.inputs / 20_011) as usize);
        for number in numbers.chain([sweep.inputs - 1]) {
            let mut input = Vec::new();
            (sweep.make)(number, &mut input);
            let what = sweep.what;
            assert_eq!(pair.judge(&input), Verdict::Agree, "{what}, {number}");
            let status = &pair.answer.status;
            assert!(
                (sweep.stated)(number).is(status),
                "{what}, {number}: {status}"
            );
        }
    }
}

/// How many instructions of a stream are executed.
fn executed(input: &[u8]) -> usize {
    let (width, height) = execution::size(input);
    let mut array = igc::Array::new(width, height).expect("a size");
    match array.run(input) {
        Ok(all) => all,
        Err(RunError::Unsupported(stop)) => {
            let placed = igc::instructions(input).expect("it was judged");
            placed
                .flatten()
                .take_while(|placed| placed.at / 4 < stop.word)
                .count()
        }
        Err(_) => 0,
    }
}

/// 12,000 programs are given to the law of execution in a quick run: they are to execute a million instructions.
#[test]
fn programs_execute_many_instructions() {
    let mut random = Random::new(1, 1);
    let mut all = 0;
    for _ in 0..1000 {
        let mut input = Vec::new();
        generate::program(&mut random, &[], &mut input);
        all += executed(&input);
    }
    assert!(all * 12 >= 1_000_000, "{all} of 1,000 programs");
}

/// Built streams are accepted unless they are damaged, and packets change pixels.
#[test]
fn built_streams_are_accepted_and_run() {
    let mut random = Random::new(1, 2);
    let (mut accepted, mut ran) = (0, 0);
    for _ in 0..600 {
        let mut input = Vec::new();
        built::stream(&mut random, &[], &mut input);
        accepted += usize::from(igc::stream::decode(&input).is_ok());
        let (width, height) = execution::size(&input);
        let mut array = igc::Array::new(width, height).expect("a size");
        let _ = array.run(&input);
        let changed = |bit: u8| array.plane(bit).iter().any(|&word| word != 0);
        ran += usize::from((32..52).any(changed));
    }
    assert!(accepted > 400, "{accepted}");
    assert!(ran > 50, "{ran}");
}
