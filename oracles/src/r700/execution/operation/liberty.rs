//! What an engine's liberties add to a result.

use super::{Context, Operation, Outcomes, Reason, Value};
use crate::r700::execution::policy::{FloatPolicy, Liberty};
use crate::r700::execution::value::{SIGN, flushed};

const ONE: u32 = 0x3f80_0000;
/// The bit of a NaN that says that it does not signal.
const QUIET: u32 = 0x0040_0000;

impl Operation {
    /// A result with what the engine's liberties add. `run` gives the result of another operation on the same operands.
    pub(super) fn freely<'v>(
        &self,
        mut result: Value,
        context: &Context<'_>,
        operands: impl Iterator<Item = &'v Value> + Clone,
        run: impl Fn(&Self) -> Value,
    ) -> Value {
        let policy = context.policy;
        if policy.has_no_liberties() {
            return result;
        }
        let zero = |value: &Value| can_be(value, |word| word & !SIGN == 0);
        if policy.takes(Liberty::MultipliesByZero)
            && operands.clone().any(zero)
            && let Some(sibling) = self.without_ieee()
        {
            result = either(&[result, run(sibling)]);
        }
        if self.adds() && operands.clone().any(zero) && takes_zeros(policy)
            || self.chooses() && policy.takes(Liberty::NegatesChoices) && between(operands)
        {
            result = of_either_sign(result);
        }
        if self.copies() && policy.takes(Liberty::MergesCopies) {
            result = perhaps_added(result);
        }
        result
    }

    /// Of a form of MUL, MULADD or DOT4 with _IEEE, the one by the rule that zero times anything is zero.
    fn without_ieee(&self) -> Option<&'static Self> {
        let (before, after) = self.name.split_once("_IEEE")?;
        let multiplies = ["MUL", "MULADD", "DOT4"].contains(&before);
        let sibling = multiplies.then(|| format!("{before}{after}"))?;
        Self::named(&sibling).ok()
    }

    fn adds(&self) -> bool {
        let name = self.name;
        name == "ADD" || ["MUL", "DOT4"].iter().any(|start| name.starts_with(start))
    }

    /// Whether the result is one of the operands.
    fn chooses(&self) -> bool {
        self.copies() || self.name.starts_with("MAX") || self.name.starts_with("MIN")
    }

    /// Whether the result is one of the operands, on which nothing is computed.
    fn copies(&self) -> bool {
        self.name.starts_with("CND")
    }
}

/// Whether zeros of sums and products may be of another sign.
fn takes_zeros(policy: &FloatPolicy) -> bool {
    policy.takes(Liberty::AddsZero) || policy.takes(Liberty::MultipliesByZero)
}

/// Whether there is a choice between 0 and 1 of any sign.
fn between<'v>(mut operands: impl Iterator<Item = &'v Value> + Clone) -> bool {
    operands
        .clone()
        .any(|value| can_be(value, |word| word & !SIGN == ONE))
        && operands.any(|value| can_be(value, |word| word & !SIGN == 0))
}

fn can_be(value: &Value, test: impl Fn(u32) -> bool) -> bool {
    match value.possibilities() {
        Some(words) => words.iter().any(|word| test(*word)),
        // What lies between two numbers was computed at run time, and is no constant.
        None => false,
    }
}

fn either(values: &[Value]) -> Value {
    let mut out = Outcomes::new(true);
    for value in values {
        out.value(value, Reason::EngineDeparture);
    }
    out.finish()
}

/// The same, where a zero is of either sign.
fn of_either_sign(result: Value) -> Value {
    if !can_be(&result, |word| word & !SIGN == 0) {
        return result;
    }
    let [plus, minus] = [0, SIGN].map(Value::settled);
    either(&[result, plus, minus])
}

/// What a compiler may make of a value where ways meet: what a choice may give, and what a sum with zero passes on.
pub(in crate::r700::execution) fn perhaps_merged(value: Value) -> Value {
    of_either_sign(perhaps_added(value))
}

/// The absolute value of `value`, of which a zero may have kept its sign.
pub(in crate::r700::execution) fn perhaps_kept(value: &Value, absolute: Value) -> Value {
    match can_be(value, |word| word == SIGN) {
        true => of_either_sign(absolute),
        false => absolute,
    }
}

/// A value that a sum with zero may have passed on.
fn perhaps_added(value: Value) -> Value {
    let added = |word: u32| match f32::from_bits(word).is_nan() {
        true => word | QUIET,
        false => flushed(word),
    };
    let words = value.possibilities().unwrap_or(&[]);
    if words.iter().all(|word| added(*word) == *word) {
        return value;
    }
    let all: Vec<u32> = words
        .iter()
        .copied()
        .chain(words.iter().copied().map(added))
        .collect();
    let reason = value.reason().unwrap_or(Reason::EngineDeparture);
    Value::one_of(value.bits(), &all, reason)
}
