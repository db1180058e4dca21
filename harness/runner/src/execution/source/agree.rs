//! When a word that the source gives is as good as the one that the microcode gives.
//!
//! A compiler may write division as a multiplication with a reciprocal, contract a product and a sum, and put terms into
//! another order. So besides what the interpreter allows, a float may be off by a share of its size.

use corpora::execution::LaneReturn;
use oracles::r700::execution::value::{Acceptance, Doubt, Truth, Value};
use oracles::r700::execution::{LaneOutcome, Target};

use super::glsl::{Source, Storage, Variable};
use super::wiring::{Wiring, Written};
use crate::execution::compare::{describe, show};

/// How far a float may be off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Of its size.
    pub relative: f64,
    /// Near zero.
    pub absolute: f64,
}

impl Tolerance {
    /// What rounding in another order makes of numbers of ordinary size.
    pub const ROUNDING: Self = Self {
        relative: 1e-5,
        absolute: 1e-6,
    };

    /// None.
    pub const EXACT: Self = Self {
        relative: 0.0,
        absolute: 0.0,
    };

    /// What a source leaves to its compiler. Integers are exact. `atan` is a polynomial of the compiler's own choice:
    /// Vulkan's table of precision gives it 4096 units in the last place.
    pub fn of(source: &Source) -> Self {
        let numbers = source.variables.iter().filter(|variable| {
            matches!(variable.storage, Storage::Input | Storage::Uniform)
                && source.uses(&variable.name)
        });
        let mut of_integers = numbers.map(Variable::is_integer).peekable();
        if source.uses("atan") {
            Self {
                relative: 4096.0 / 8_388_608.0,
                ..Self::ROUNDING
            }
        } else if of_integers.peek().is_some() && of_integers.all(|integer| integer) {
            Self::EXACT
        } else {
            Self::ROUNDING
        }
    }

    /// Whether a float is off by no more from one that the value can be.
    fn takes(&self, value: &Value, found: u32) -> bool {
        let found = f64::from(f32::from_bits(found));
        let near = |number: f32| {
            let number = f64::from(number);
            (found - number).abs() <= (self.relative * number.abs()).max(self.absolute)
        };
        match value.doubt() {
            Doubt::OneOf(words) => words.iter().any(|word| near(f32::from_bits(*word))),
            Doubt::Within { low, high, .. } => near(*low) || near(*high),
            Doubt::Settled => near(value.number()),
            Doubt::AnyNan | Doubt::Unknown => false,
        }
    }
}

/// How lanes went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Lanes of which every word is among what the interpreter allows.
    pub allowed: u64,
    /// Lanes of which a float is off by no more than the tolerance.
    pub near: u64,
    /// Lanes of which the interpreter says nothing, or not of every word.
    pub open: u64,
    /// Those of them that agree in what the interpreter went on with nevertheless.
    pub nominal: u64,
    /// Lanes that differ.
    pub different: u64,
}

impl Tally {
    /// Lanes in all.
    pub fn lanes(&self) -> u64 {
        self.allowed + self.near + self.open + self.different
    }
}

/// A word that differs: what the microcode gives, and the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    /// `pixel0.x`, or `killed`.
    pub what: String,
    /// What the interpreter makes of the microcode.
    pub microcode: String,
    /// What the engine makes of the source.
    pub source: String,
}

/// Holds a lane against the other; an error is the first word that differs.
pub fn lane(
    tally: &mut Tally,
    microcode: &LaneOutcome,
    source: &LaneReturn,
    wiring: &Wiring,
    tolerance: Tolerance,
) -> Result<(), Words> {
    let lost = microcode.lost.is_some() || !microcode.killed.is_settled();
    let words = words(microcode, source, wiring, tolerance);
    if lost || words == Ok(Level::Open) {
        tally.open += 1;
        tally.nominal += u64::from(is_nominal(microcode, source, wiring, tolerance));
        return Ok(());
    }
    match words {
        Ok(Level::Near) => tally.near += 1,
        Ok(_) => tally.allowed += 1,
        Err(_) => tally.different += 1,
    }
    words.map(drop)
}

/// Whether a lane agrees in what the interpreter went on with.
fn is_nominal(
    microcode: &LaneOutcome,
    source: &LaneReturn,
    wiring: &Wiring,
    tolerance: Tolerance,
) -> bool {
    let mut settled = LaneOutcome {
        killed: Truth::Settled(microcode.killed.nominal()),
        ..LaneOutcome::default()
    };
    for (target, values) in &microcode.exports {
        let nominal =
            |value: &Option<Value>| value.as_ref().map(|value| Value::settled(value.bits()));
        let [x, y, z, w] = values;
        settled
            .exports
            .insert(*target, [nominal(x), nominal(y), nominal(z), nominal(w)]);
    }
    words(&settled, source, wiring, tolerance).is_ok()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Allowed,
    Near,
    Open,
}

fn words(
    microcode: &LaneOutcome,
    source: &LaneReturn,
    wiring: &Wiring,
    tolerance: Tolerance,
) -> Result<Level, Words> {
    if microcode.killed != Truth::Settled(source.killed) {
        return Err(Words {
            what: "killed".to_owned(),
            microcode: microcode.killed.nominal().to_string(),
            source: source.killed.to_string(),
        });
    }
    if source.killed {
        return Ok(Level::Allowed);
    }
    let mut level = Level::Allowed;
    for (&(target, channel), &written) in &wiring.outputs {
        let found = match written {
            Written::Position(at) => source.position.map(|words| words[at]),
            Written::Location(location, at) => source.outputs.get(&location).map(|words| words[at]),
        };
        let exported = exported(microcode, target, channel);
        let differs = |microcode: String| Words {
            what: format!("{target}.{}", ["x", "y", "z", "w"][channel]),
            microcode,
            source: found.map_or_else(|| "nothing".to_owned(), show),
        };
        let value = exported.ok_or_else(|| differs("nothing".to_owned()))?;
        let found = found.ok_or_else(|| differs(describe(value)))?;
        level = level.max(match value.accepts(found) {
            Acceptance::Agree | Acceptance::Within(_) => Level::Allowed,
            Acceptance::Poisoned(_) => Level::Open,
            Acceptance::Disagree if tolerance.takes(value, found) => Level::Near,
            Acceptance::Disagree => return Err(differs(describe(value))),
        });
    }
    Ok(level)
}

fn exported(lane: &LaneOutcome, target: Target, channel: usize) -> Option<&Value> {
    lane.exports.get(&target)?[channel].as_ref()
}

#[cfg(test)]
mod tests {
    use super::*;
    use oracles::r700::execution::value::Reason;

    #[test]
    fn tolerance_is_relative_and_near_zero_absolute() {
        let takes = |value: &Value, found: f32| Tolerance::ROUNDING.takes(value, found.to_bits());
        let near = |value: f32, found: f32| takes(&Value::float(value), found);
        // 1e-5 of 100 is 1e-3; floats near 100 are 8e-6 apart.
        assert!(near(100.0, 100.000_9));
        assert!(!near(100.0, 100.002));
        assert!(near(0.0, 9e-7));
        assert!(near(0.0, -0.0));
        assert!(!near(0.0, 2e-6));
        assert!(!near(1.0, f32::NAN));
        let one_of = Value::one_of(0, &[0x3f80_0000], Reason::ConvertedFraction);
        assert!(takes(&one_of, 1.000_001));
        assert!(!takes(&one_of, 0.5));
    }
}
