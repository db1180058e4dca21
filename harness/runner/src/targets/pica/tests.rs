//! What golden cases are too small for, and that sweeps sweep what they say.

use std::path::Path;

use corpora::{Options, Outcome, RejectClass, Status};

use super::{DECODE, INDEXED, Pica, STATE, sweeps, unit};
use crate::judge::{Pair, Verdict};
use crate::target::Target;

fn pair(options: &Options) -> Pair {
    let target = Pica::new().expect("the target");
    let mut pair = Pair::new(target.subject(), target.oracle());
    pair.select(options).expect("options of the target");
    pair
}

/// 4 MiB of writes with mask 0 are a list; with another such write it is too long.
#[test]
fn the_longest_command_list() {
    let mut pair = pair(&unit(STATE));
    let mut list = vec![0; 4 << 20];
    assert_eq!(pair.judge(&list), Verdict::Agree);
    let consumed = list.len() as u64;
    assert_eq!(pair.answer.status, Status::Accepted { consumed });
    list.extend([0; 8]);
    assert_eq!(pair.judge(&list), Verdict::Agree);
    let class = RejectClass::Limit;
    assert_eq!(pair.answer.status, Status::Rejected { class, offset: 0 });
}

/// An option that is not there is refused, by both sides; none at all means `decode`.
#[test]
fn options() {
    let target = Pica::new().expect("the target");
    for mut side in [target.subject(), target.oracle()] {
        assert!(side.select(&unit("vertex")).is_err());
        assert!(side.select(&Options::new().with("units", DECODE)).is_err());
        side.select(&Options::new()).expect("no options");
        let mut outcome = Outcome::default();
        side.answer(&[0; 20], &mut outcome);
        assert_eq!(outcome.status, Status::Accepted { consumed: 20 });
    }
}

#[test]
fn files_are_known_by_their_endings() {
    let target = Pica::new().expect("the target");
    let units = |name: &str| {
        let found = target.inputs(Path::new(name), &[], name).expect("inputs");
        found
            .inputs
            .into_iter()
            .map(|input| input.options)
            .collect::<Vec<_>>()
    };
    assert_eq!(units("a.pica"), [unit(DECODE), unit(INDEXED)]);
    assert_eq!(units("a.PICACMD"), [unit(STATE)]);
    assert!(!target.reads(Path::new("a.bin")) && !target.reads(Path::new("pica")));
}

/// Each sweep covers as many values as it says, and no number is made twice.
#[test]
fn sweeps_count_what_they_cover() {
    for sweep in sweeps::all().iter().filter(|sweep| !sweep.full) {
        let mut inputs = std::collections::HashSet::new();
        let mut values = 0;
        for number in 0..sweep.inputs {
            let mut input = Vec::new();
            values += (sweep.make)(number, &mut input);
            assert!(
                inputs.insert(input),
                "{}: number {number} again",
                sweep.what
            );
        }
        assert_eq!(values, sweep.values, "{}", sweep.what);
    }
}

/// Of the sweeps that only a full run takes: first, last, and some between.
#[test]
fn large_sweeps_state_what_is_said() {
    for sweep in sweeps::all().iter().filter(|sweep| sweep.full) {
        let mut pair = pair(&sweep.options);
        // A request of many floats is large.
        let samples = if sweep.inputs < 100_000 { 13 } else { 1009 };
        let step = sweep.inputs / samples;
        let numbers = (0..sweep.inputs).step_by(step as usize);
        for number in numbers.chain([sweep.inputs - 1]) {
            let mut input = Vec::new();
            assert!((sweep.make)(number, &mut input) > 0);
            assert_eq!(
                pair.judge(&input),
                Verdict::Agree,
                "{}, number {number}",
                sweep.what
            );
            let status = &pair.answer.status;
            assert!(
                (sweep.stated)(number).is(status),
                "{}, number {number}: {status}",
                sweep.what
            );
        }
    }
}

/// The bits at both ends of each range of floats, through both sides.
#[test]
fn floats_at_the_ends_of_their_sweeps() {
    let sweeps = sweeps::all();
    let of = |what: &str| {
        sweeps
            .iter()
            .find(|sweep| sweep.what == what)
            .expect("the sweep")
    };
    let finite = of("every finite float");
    let data = |number: u64| {
        let mut input = Vec::new();
        let count = (finite.make)(number, &mut input);
        // 20 + 12 attributes of 8 + one stream of 16.
        let word =
            |at: usize| u32::from_le_bytes(input[132 + 4 * at..][..4].try_into().expect("4"));
        (word(0), word(count as usize - 1))
    };
    assert_eq!(data(0).0, 0);
    assert_eq!(data(finite.inputs - 1).1, 0xff7f_ffff);
    let others = of("every infinite float and NaN");
    let word = |number: u64| {
        let mut input = Vec::new();
        (others.make)(number, &mut input);
        let at = 44 + 4 * (number % 4) as usize;
        u32::from_le_bytes(input[at..at + 4].try_into().expect("4"))
    };
    let half = others.inputs / 2;
    let ends = [0, half - 1, half, others.inputs - 1].map(word);
    assert_eq!(ends, [0x7f80_0000, 0x7fff_ffff, 0xff80_0000, 0xffff_ffff]);
    assert_eq!(finite.values + others.values, 1 << 32);
}
