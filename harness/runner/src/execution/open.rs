//! Lanes that agree only within what is open: a fault may hide behind an interval, or behind a value that nothing exports.
//! Of a few of them the groups are looked at as well.

use corpora::execution::{Environment, Returned};
use oracles::r700::execution::{self as interpreter, Outcome};

use super::compare::{self, Comparison};
use super::divergence::Divergence;
use super::probed::Probed;
use super::shader::Shader;
use super::trial::{NotTried, Reference, Translated};
use crate::engine::Engine;

/// The most runs of a program of which a quad is looked at.
const RUNS: usize = 2;

/// One lane in so many has to be open: where most agree to the bit, little can hide, and probes cost a compilation.
const SHARE: u64 = 4;

/// Lanes of a quad.
const QUAD: usize = 4;

/// Whether so much of a program is open that its groups are looked at.
pub fn hides(comparison: &Comparison) -> bool {
    let open = comparison.within + comparison.poisoned;
    open > 0 && open * SHARE >= comparison.lanes()
}

/// A run: its inputs, what the interpreter says, what an engine returned.
pub type Run<'a> = (&'a Environment, &'a Outcome, &'a Returned);

/// A quad with lanes that agree only within what is open.
struct Quad {
    /// The inputs of the run, for this quad alone.
    environment: Environment,
    /// Those lanes, by their number in the quad, and whether something of them is unknown.
    lanes: Vec<(usize, bool)>,
}

/// A lane whose groups part where its exports agree within what is open.
pub struct Hidden {
    /// Where.
    pub divergence: Divergence,
    /// Whether something of its exports is unknown, rather than one of several words or between bounds.
    pub poisoned: bool,
}

/// The first hidden divergence of a program in a few of these runs.
pub fn hidden(
    runs: &[Run<'_>],
    shader: &Shader,
    translated: &Translated,
    reference: &Reference,
    program: &interpreter::Program,
    engine: &dyn Engine,
) -> Result<Option<Hidden>, NotTried> {
    let mut quads: Vec<Quad> = runs
        .iter()
        .filter_map(|run| quad(*run, translated))
        .collect();
    // What is unknown hides the most.
    quads.sort_by_key(|quad| !quad.lanes.iter().any(|(_, poisoned)| *poisoned));
    quads.truncate(RUNS);
    if quads.is_empty() {
        return Ok(None);
    }
    let Some(probed) = Probed::new(shader, translated, engine)? else {
        return Ok(None);
    };
    for Quad { environment, lanes } in quads {
        let numbers: Vec<usize> = lanes.iter().map(|(lane, _)| *lane).collect();
        let found = probed.partings(reference, program, &environment, &numbers)?;
        if let Some((lane, divergence)) = found.into_iter().next() {
            let poisoned = lanes.contains(&(lane, true));
            return Ok(Some(Hidden {
                divergence,
                poisoned,
            }));
        }
    }
    Ok(None)
}

/// The first quad of a run with such lanes.
fn quad((environment, outcome, returned): Run<'_>, translated: &Translated) -> Option<Quad> {
    let is_open = |lane: usize| {
        let others = |other: usize| other != lane || environment.lanes[other].helper;
        let one = compare::compare(outcome, returned, &translated.interface, others);
        (one.within + one.poisoned > 0).then_some((lane, one.poisoned > 0))
    };
    let first = (0..environment.lanes.len()).find_map(is_open)?.0 / QUAD * QUAD;
    let end = environment.lanes.len().min(first + QUAD);
    let mut alone = environment.clone();
    alone.lanes = environment.lanes[first..end].to_vec();
    let lanes = (first..end).filter_map(is_open);
    Some(Quad {
        environment: alone,
        lanes: lanes
            .map(|(lane, poisoned)| (lane - first, poisoned))
            .collect(),
    })
}
