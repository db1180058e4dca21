//! What an engine's liberties add to a result.

use super::{Context, Operation, Outcomes, Reason, Value};
use crate::r700::execution::policy::Liberty;
use crate::r700::execution::value::SIGN;

impl Operation {
    /// A result with what the engine's liberties add. `run` gives the result of another operation on the same operands.
    pub(super) fn freely(
        &self,
        mut result: Value,
        context: &Context<'_>,
        run: impl Fn(&Self) -> Value,
    ) -> Value {
        if context.policy.takes(Liberty::MultipliesByZero)
            && let Some(sibling) = self.without_ieee()
        {
            result = either(&[result, run(sibling)]);
        }
        if context.policy.takes(Liberty::AddsZero) && self.adds() {
            result = of_either_sign(result);
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
        name == "ADD" || name.starts_with("DOT4") || name.starts_with("MULADD")
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
    let words = result.possibilities().unwrap_or(&[]);
    if !words.iter().any(|word| word & !SIGN == 0) {
        return result;
    }
    let [plus, minus] = [0, SIGN].map(Value::settled);
    either(&[result, plus, minus])
}
