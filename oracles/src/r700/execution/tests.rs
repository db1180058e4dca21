//! The machine by programs of a few instructions, with results worked out by hand.

mod addressing;
mod assembly;
mod control;
mod groups;
mod reads;
mod totality;
mod traces;

use std::sync::Arc;

use corpora::execution::{Environment, Lane, Stage};

use super::policy::FloatPolicy;
use super::value::Value;
use super::{LaneOutcome, Limits, Observer, Program, RunError, Target, run};
use crate::r700::{Chip, Oracle, Tables, vocabulary};
use assembly::{Cf, program};

fn oracle() -> Oracle {
    let tables = Tables::embedded().unwrap();
    let vocabulary = vocabulary(&tables).unwrap();
    Oracle::new(&tables, Arc::new(vocabulary)).unwrap()
}

/// A pixel shader's environment: in lane *n*, R0 is (n, n as a float, 1.0, -2.0). Constant buffer 1 has 48 entries, of
/// which entry *e* is (100·e, 100·e + 1, 100·e + 2, 100·e + 3), as has the constant file.
fn environment(lanes: u32) -> Environment {
    let mut environment = Environment::new(Stage::Pixel);
    for lane in 0..lanes {
        let words = [lane, (lane as f32).to_bits(), ONE, (-2_f32).to_bits()];
        environment.lanes.push(Lane {
            registers: [(0, words)].into(),
            helper: false,
        });
    }
    let entries: Vec<[u32; 4]> = (0..48)
        .map(|entry| [0, 1, 2, 3].map(|channel| 100 * entry + channel))
        .collect();
    environment.constants = entries.clone();
    environment.blocks.insert(1, entries);
    environment
}

/// 1.0
const ONE: u32 = 0x3f80_0000;

fn prepared(instructions: &[Cf]) -> Program {
    Program::new(&oracle(), &program(instructions), Chip::R700).unwrap()
}

fn observed(
    instructions: &[Cf],
    environment: &Environment,
    observer: &mut dyn Observer,
) -> Result<Vec<LaneOutcome>, RunError> {
    let policy = FloatPolicy::embedded().unwrap();
    let limits = Limits {
        groups: 1000,
        control: 1000,
        ..Limits::default()
    };
    let program = prepared(instructions);
    run(&program, environment, &policy, &limits, observer).map(|outcome| outcome.lanes)
}

fn run_in(environment: &Environment, instructions: &[Cf]) -> Vec<LaneOutcome> {
    observed(instructions, environment, &mut ()).unwrap()
}

fn fault(instructions: &[Cf]) -> String {
    observed(instructions, &environment(4), &mut ())
        .unwrap_err()
        .to_string()
}

/// What a lane sent to PIXEL 0; components that it did not send, or that are not settled, are none.
fn pixel(lane: &LaneOutcome) -> [Option<u32>; 4] {
    let sent = lane.exports.get(&Target::Pixel(0)).cloned();
    sent.unwrap_or_default().map(|value| {
        let value = value?;
        value.is_settled().then(|| value.bits())
    })
}

/// The settled words that lanes sent as PIXEL 0's x.
fn first_words(lanes: &[LaneOutcome]) -> Vec<Option<u32>> {
    lanes.iter().map(|lane| pixel(lane)[0]).collect()
}

fn sent(lane: &LaneOutcome, channel: usize) -> &Value {
    lane.exports[&Target::Pixel(0)][channel].as_ref().unwrap()
}
