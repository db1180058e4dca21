//! What the reference interpreter says of the exports, against what an engine returned.

use std::collections::BTreeMap;

use corpora::execution::{LaneReturn, Returned};
use oracles::r700::execution::value::{Acceptance, Doubt, Reason, Truth, Value};
use oracles::r700::execution::{LaneOutcome, Outcome, Target};
use r700::glsl::{Interface, Place, Target as Exported};

use super::unexported;

/// How the lanes of a run went.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// Lanes of which every word is the nominal one.
    pub agree: u64,
    /// Lanes that agree thanks to a doubt alone.
    pub within: u64,
    /// Lanes of which a word is unknown, and the others agree.
    pub poisoned: u64,
    /// Doubts that were needed, and words that needed them.
    pub reasons: BTreeMap<String, u64>,
    /// Lanes that differ, at their first word.
    pub differences: Vec<Difference>,
}

/// What a comparison comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Some lanes agree, and none differs.
    Agree,
    /// Some lane differs.
    Differ,
    /// Nothing was compared, or whatever was the specification leaves open.
    Undecided,
}

impl Verdict {
    /// As output begins with it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Agree => "agree",
            Self::Differ => "differ",
            Self::Undecided => "undecided",
        }
    }
}

/// A word that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The lane.
    pub lane: usize,
    /// `pixel0.x`, or `killed`.
    pub what: String,
    /// What the interpreter allows.
    pub allowed: String,
    /// What the engine returned.
    pub found: String,
}

impl Comparison {
    /// What it comes to.
    pub fn verdict(&self) -> Verdict {
        if !self.differences.is_empty() {
            Verdict::Differ
        } else if self.agree + self.within > 0 {
            Verdict::Agree
        } else {
            Verdict::Undecided
        }
    }

    /// Lanes in all.
    pub fn lanes(&self) -> u64 {
        self.agree + self.within + self.poisoned + self.differences.len() as u64
    }

    /// Takes in another.
    pub fn add(&mut self, other: Self) {
        self.agree += other.agree;
        self.within += other.within;
        self.poisoned += other.poisoned;
        for (reason, count) in other.reasons {
            *self.reasons.entry(reason).or_default() += count;
        }
        self.differences.extend(other.differences);
    }
}

/// Compares a run. Helper lanes count for nothing: neither side says what they export.
pub fn compare(
    outcome: &Outcome,
    returned: &Returned,
    interface: &Interface,
    helper: impl Fn(usize) -> bool,
) -> Comparison {
    let mut comparison = Comparison::default();
    for (lane, expected) in outcome.lanes.iter().enumerate() {
        if helper(lane) {
            continue;
        }
        match returned.lanes.get(lane) {
            Some(found) => comparison.lane(lane, expected, found, interface),
            None => comparison.differences.push(Difference {
                lane,
                what: "lane".to_owned(),
                allowed: "an answer".to_owned(),
                found: "none".to_owned(),
            }),
        }
    }
    comparison
}

impl Comparison {
    fn lane(
        &mut self,
        lane: usize,
        expected: &LaneOutcome,
        found: &LaneReturn,
        interface: &Interface,
    ) {
        let differs = |what: &str, allowed: String, found: String| Difference {
            lane,
            what: what.to_owned(),
            allowed,
            found,
        };
        if let Truth::Settled(killed) = expected.killed
            && killed != found.killed
        {
            let said = |killed: bool| if killed { "killed" } else { "not killed" }.to_owned();
            return self
                .differences
                .push(differs("killed", said(killed), said(found.killed)));
        }
        let (mut within, mut poisoned) = (false, false);
        if let Truth::Unsettled { reason, .. } = expected.killed {
            poisoned = true;
            self.note(reason);
        }
        // A killed lane exports nothing. One that only may be is held to what it sends if it is not.
        if found.killed {
            let count = if poisoned {
                &mut self.poisoned
            } else {
                &mut self.agree
            };
            *count += 1;
            return;
        }
        for (target, values) in &expected.exports {
            for (channel, value) in values.iter().enumerate() {
                let Some(value) = value else { continue };
                let what = || format!("{target}.{}", "xyzw".as_bytes()[channel] as char);
                let Some(word) = word(*target, channel, found, interface) else {
                    if *value.doubt() == Doubt::Unknown {
                        poisoned = true;
                        continue;
                    }
                    let found = "not written".to_owned();
                    return self
                        .differences
                        .push(differs(&what(), describe(value), found));
                };
                match value.accepts(word) {
                    Acceptance::Agree => {}
                    Acceptance::Within(reason) => {
                        within = true;
                        self.note(reason);
                    }
                    Acceptance::Poisoned(reason) => {
                        poisoned = true;
                        self.note(reason);
                    }
                    Acceptance::Disagree => {
                        let found = show(word);
                        return self
                            .differences
                            .push(differs(&what(), describe(value), found));
                    }
                }
            }
        }
        if let Some((what, found)) = unexported::first(found, interface) {
            return self
                .differences
                .push(differs(&what, "not exported".to_owned(), found));
        }
        match (poisoned, within) {
            (true, _) => self.poisoned += 1,
            (false, true) => self.within += 1,
            (false, false) => self.agree += 1,
        }
    }

    fn note(&mut self, reason: Reason) {
        *self.reasons.entry(reason.to_string()).or_default() += 1;
    }
}

/// The word that a translation returned for a component of an export.
pub fn word(
    target: Target,
    channel: usize,
    found: &LaneReturn,
    interface: &Interface,
) -> Option<u32> {
    let wanted = match target {
        Target::Pixel(61) => Exported::Depth,
        Target::Pixel(number) => Exported::Pixel(number),
        Target::Position(number) => Exported::Position(number),
        Target::Parameter(number) => Exported::Parameter(number),
    };
    let output = interface
        .outputs
        .iter()
        .find(|output| output.target == wanted && output.components >> channel & 1 == 1)?;
    match (output.place, wanted) {
        (Place::Location(location), _) => found.outputs.get(&location).map(|words| words[channel]),
        (Place::Builtin(_), Exported::Depth) => match channel {
            0 => found.frag_depth,
            2 => found.sample_mask,
            _ => None,
        },
        (Place::Builtin(_), Exported::Position(60)) => found.position.map(|words| words[channel]),
        (Place::Builtin(_), Exported::Position(61)) => found.point_size.filter(|_| channel == 0),
        (Place::Builtin(_), Exported::Position(number)) => {
            let first = 4 * usize::from(number.checked_sub(62)?);
            found.clip_distances.get(first + channel).copied()
        }
        _ => None,
    }
}

/// A word as a person reads it: bits, and the float that they are.
pub fn show(word: u32) -> String {
    format!("{word:08x} ({:?})", f32::from_bits(word))
}

/// A value as a person reads it, with its doubt.
pub fn describe(value: &Value) -> String {
    let nominal = show(value.bits());
    let because = value
        .reason()
        .map(|reason| format!(" ({reason})"))
        .unwrap_or_default();
    match value.doubt() {
        Doubt::Settled => nominal,
        Doubt::OneOf(words) => {
            let words: Vec<_> = words.iter().copied().map(show).collect();
            format!("one of {}{because}", words.join(", "))
        }
        Doubt::Within { low, high, nan } => {
            let nan = if *nan { ", or NaN" } else { "" };
            format!("{low:?} to {high:?}{nan}, nominally {nominal}{because}")
        }
        Doubt::AnyNan => format!("any NaN{because}"),
        Doubt::Unknown => format!("anything, nominally {nominal}{because}"),
    }
}
