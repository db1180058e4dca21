//! The float policy: how far a result may be off where no source bounds an error.
//!
//! `oracles/spec/float-policy.toml` says for each operation that gives a float whether its results are exact, or within
//! what; and for each engine what it is known to do otherwise.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use thiserror::Error;

use super::operation::Operation;
use super::value::{Doubt, Reason, Value};

const FILE: &str = include_str!("../../../spec/float-policy.toml");

/// Bounds by operation.
#[derive(Clone, Debug)]
pub struct FloatPolicy {
    /// By the operation's place in its table.
    operations: Vec<Bound>,
    /// Of what is not an operation of the ALU.
    others: BTreeMap<String, Bound>,
    /// What the engine takes; nothing without one.
    liberties: Vec<Liberty>,
    engines: Arc<Vec<Engine>>,
}

/// What an engine's compiler or sampler makes of a program that no bound of an operation can say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Liberty {
    /// x + 0 is x where the zero is a constant: of zeros of both signs the sum is either.
    AddsZero,
    /// x · 0 is 0 where the zero is a constant, whatever x is: the _IEEE forms may be their siblings without, and the
    /// zero is of either sign.
    MultipliesByZero,
    /// A choice between the constants 0 and 1, of any sign, is made of a truth value as a float: its zero is of either
    /// sign.
    NegatesChoices,
    /// |x| is x where x is known not to be negative, as -0 is.
    KeepsSigns,
    /// Where ways meet, a register may hold what a sum with zero passes on: a signalling NaN quiet, a denormal flushed.
    /// So may the result of a conditional move. Zeros are of either sign, as those of a choice are.
    MergesCopies,
    /// The level that is an operand of a fetch may be that of another lane: of the quad for a sample, of any lane for a
    /// texture's size. So may be what it decides, that a sample is minified or magnified.
    SharesLevels,
}

/// What is known of an engine.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Engine {
    /// Its name.
    pub name: String,
    /// What it does that bears on results, measured or documented: for whoever reads a report.
    #[serde(default)]
    pub facts: Vec<String>,
    /// Operations of which it may be further off than the policy's own bounds.
    #[serde(default)]
    pub departures: Vec<Entry>,
    /// What it takes besides.
    #[serde(default)]
    pub liberties: Vec<Taken>,
}

/// A liberty that an engine takes.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Taken {
    /// Which one.
    pub liberty: Liberty,
    /// Who states or measured it.
    pub source: String,
    /// Why it is so.
    pub reason: String,
}

/// Operations with one bound.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Their names.
    pub operations: Vec<String>,
    /// Results are those that the interpreter computes, up to the doubts that it states itself.
    #[serde(default)]
    pub exact: bool,
    /// Otherwise: the widest of the terms that apply.
    #[serde(default)]
    pub terms: Vec<Term>,
    /// Who states the bound.
    pub source: String,
    /// Why it is the bound here.
    pub reason: String,
}

/// A bound of an error, perhaps for some operands only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Term {
    /// Units in the last place of the exact result.
    #[serde(default)]
    pub ulp: f64,
    /// As many more for each 1.0 of the operand's absolute value.
    #[serde(default)]
    pub ulp_per_input: f64,
    /// As a number.
    #[serde(default)]
    pub absolute: f64,
    /// It applies to operands from the first to the second number only.
    pub inside: Option<[f64; 2]>,
    /// It applies to other operands only.
    pub outside: Option<[f64; 2]>,
}

/// How far a result may be off: the widest of its terms. Without any it is exact.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bound {
    terms: Vec<Term>,
    engine: bool,
}

/// A fault of the policy's text, or a question that it has no answer to.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PolicyError {
    /// The text cannot be read.
    #[error("float policy: {0}")]
    Syntax(String),
    /// An entry cannot be meant.
    #[error("float policy: {operation}: {why}")]
    Entry {
        /// Of which operation.
        operation: String,
        /// What is wrong.
        why: &'static str,
    },
    /// There is no such engine.
    #[error("float policy: no engine {name}; it has {allowed}")]
    Engine {
        /// The name that was asked for.
        name: String,
        /// The names that it has.
        allowed: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    bounds: Vec<Entry>,
    engines: Vec<Engine>,
}

/// What an entry can be about that is not an operation of the ALU.
const OTHERS: [&str; 1] = ["sample_linear"];

impl FloatPolicy {
    /// The policy in `oracles/spec/float-policy.toml`, for an engine without departures.
    pub fn embedded() -> Result<Self, PolicyError> {
        Self::parse(FILE)
    }

    /// The same, with the departures of an engine.
    pub fn for_engine(name: &str) -> Result<Self, PolicyError> {
        Self::embedded()?.with_engine(name)
    }

    /// Reads a policy. Every operation that gives a float has to have one bound.
    pub fn parse(text: &str) -> Result<Self, PolicyError> {
        let file: File =
            toml::from_str(text).map_err(|error| PolicyError::Syntax(error.to_string()))?;
        let mut bounds = BTreeMap::new();
        for entry in &file.bounds {
            let bound = entry.bound(false)?;
            for name in &entry.operations {
                if bounds.insert(name.clone(), bound.clone()).is_some() {
                    return Err(fault(name, "it has two bounds"));
                }
            }
        }
        let mut operations = Vec::new();
        for operation in Operation::all() {
            operations.push(match bounds.remove(operation.name()) {
                Some(bound) => bound,
                None if operation.gives_float() => {
                    return Err(fault(operation.name(), "it gives a float and has no bound"));
                }
                None => Bound::default(),
            });
        }
        let stray = bounds.keys().find(|name| !OTHERS.contains(&name.as_str()));
        if let Some(name) = stray {
            return Err(fault(name, "there is no such operation"));
        }
        for entry in file.engines.iter().flat_map(|engine| &engine.departures) {
            entry.bound(true)?;
        }
        Ok(Self {
            operations,
            others: bounds,
            liberties: Vec::new(),
            engines: Arc::new(file.engines),
        })
    }

    /// This policy with the departures of an engine.
    pub fn with_engine(mut self, name: &str) -> Result<Self, PolicyError> {
        let engines = Arc::clone(&self.engines);
        let engine = engines.iter().find(|engine| engine.name == name);
        let Some(engine) = engine else {
            let names: Vec<&str> = engines.iter().map(|engine| engine.name.as_str()).collect();
            return Err(PolicyError::Engine {
                name: name.to_owned(),
                allowed: names.join(", "),
            });
        };
        for entry in &engine.departures {
            let bound = entry.bound(true)?;
            for name in &entry.operations {
                let into = match Operation::named(name) {
                    Ok(operation) => self.operations.get_mut(operation.index()),
                    Err(_) => self.others.get_mut(name),
                };
                let into = into.ok_or_else(|| fault(name, "there is no such operation"))?;
                into.terms.extend(&bound.terms);
                into.engine = true;
            }
        }
        let taken = engine.liberties.iter().map(|taken| taken.liberty);
        self.liberties.extend(taken);
        Ok(self)
    }

    /// What is known of the engines.
    pub fn engines(&self) -> &[Engine] {
        &self.engines
    }

    /// Whether no liberty is taken, as without an engine.
    pub fn has_no_liberties(&self) -> bool {
        self.liberties.is_empty()
    }

    /// Whether the engine takes a liberty.
    pub fn takes(&self, liberty: Liberty) -> bool {
        self.liberties.contains(&liberty)
    }

    /// The bound of an operation.
    pub fn of(&self, operation: &Operation) -> &Bound {
        &self.operations[operation.index()]
    }

    /// The bound of a name: an operation's, or `sample_linear`.
    pub fn named(&self, name: &str) -> Option<&Bound> {
        match Operation::named(name) {
            Ok(operation) => Some(self.of(operation)),
            Err(_) => self.others.get(name),
        }
    }
}

fn fault(operation: &str, why: &'static str) -> PolicyError {
    PolicyError::Entry {
        operation: operation.to_owned(),
        why,
    }
}

impl Entry {
    fn bound(&self, engine: bool) -> Result<Bound, PolicyError> {
        let refuse = |why| {
            let first = self.operations.first();
            Err(fault(first.map_or("an entry", |name| name), why))
        };
        if self.operations.is_empty() {
            return refuse("it names no operation");
        }
        if self.exact != self.terms.is_empty() {
            return refuse("it has to be exact or to have terms, one of the two");
        }
        for term in &self.terms {
            let sizes = [term.ulp, term.ulp_per_input, term.absolute];
            if !sizes.iter().all(|size| *size >= 0.0 && size.is_finite()) {
                return refuse("a bound is a finite number, not below zero");
            }
            if sizes.iter().all(|size| *size == 0.0) {
                return refuse("a term without a bound");
            }
            let ranges = [term.inside, term.outside];
            if ranges
                .iter()
                .flatten()
                .any(|[from, to]| from.is_nan() || to.is_nan() || from > to)
            {
                return refuse("a range starts after its end");
            }
        }
        Ok(Bound {
            terms: self.terms.clone(),
            engine,
        })
    }
}

impl Term {
    fn applies(&self, operand: f64) -> bool {
        let within = |[from, to]: [f64; 2]| (from..=to).contains(&operand);
        self.inside.is_none_or(within) && !self.outside.is_some_and(within)
    }

    fn size(&self, operand: f64, exact: f64) -> f64 {
        (self.ulp + self.ulp_per_input * operand.abs()) * ulp(exact) + self.absolute
    }
}

impl Bound {
    /// Whether nothing may be off.
    pub fn is_exact(&self) -> bool {
        self.terms.is_empty()
    }

    /// The floats between which a result lies, for an operand and the exact result.
    pub fn around(&self, operand: f64, exact: f64) -> (f32, f32) {
        self.around_times(1.0, operand, exact)
    }

    /// The same for so many times the bound.
    pub(super) fn around_times(&self, times: f64, operand: f64, exact: f64) -> (f32, f32) {
        let terms = self.terms.iter().filter(|term| term.applies(operand));
        let size = terms.map(|term| term.size(operand, exact));
        inward(exact, times * size.fold(0.0, f64::max))
    }

    /// A result with this bound about it, whatever the operands were: the terms that are for some operands only count for
    /// all.
    pub fn widened(&self, value: Value) -> Value {
        if self.is_exact() {
            return value;
        }
        let about = |number: f32| {
            let exact = f64::from(number);
            let sizes = self.terms.iter().map(|term| term.size(0.0, exact));
            inward(exact, sizes.fold(0.0, f64::max))
        };
        let reason = value.reason().unwrap_or(if self.engine {
            Reason::EngineDeparture
        } else {
            Reason::Approximation
        });
        let number = value.number();
        let (low, high, nan) = match value.doubt() {
            Doubt::AnyNan | Doubt::Unknown => return value,
            Doubt::Settled if !number.is_finite() => return value,
            Doubt::Within { low, high, nan } => (*low, *high, *nan),
            Doubt::Settled | Doubt::OneOf(_) => {
                let numbers = value.possibilities().unwrap_or(&[]).iter();
                let numbers = numbers.map(|word| f32::from_bits(*word));
                let nan = numbers.clone().any(f32::is_nan);
                let low = numbers.clone().fold(f32::INFINITY, f32::min);
                (low, numbers.fold(f32::NEG_INFINITY, f32::max), nan)
            }
        };
        Value::within(number, about(low).0, about(high).1, nan, reason)
    }
}

/// A unit in the last place of a real number, as a float has it; of zero, nothing.
fn ulp(number: f64) -> f64 {
    if number == 0.0 || !number.is_finite() {
        return 0.0;
    }
    let exponent = libm::ilogb(number).clamp(-126, 127);
    libm::ldexp(1.0, exponent - 23)
}

/// The least and the greatest float that are no further than `size` from a number. What overflows is infinite.
fn inward(exact: f64, size: f64) -> (f32, f32) {
    if !exact.is_finite() {
        return (exact as f32, exact as f32);
    }
    let (low, high) = (exact - size, exact + size);
    (-down(-low), down(high))
}

/// The greatest float that is not above a number.
fn down(number: f64) -> f32 {
    let float = number as f32;
    if f64::from(float) > number && float.is_finite() {
        float.next_down()
    } else {
        float
    }
}
