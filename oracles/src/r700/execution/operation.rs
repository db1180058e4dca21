//! What the ALU's instructions compute.
//!
//! An [`Operation`] is a row of `table`: a settled function of words, and how it reads its operands. `evaluate` runs it
//! for all that the operands can be. Sources of a rule are named at it, by the tags of the contract: R6 (AMD's R600 ISA),
//! R7 (AMD's R700 ISA), RG (AMD's register guide), S*nnn* (the ledger).

mod address;
mod approximate;
mod arithmetic;
mod compare;
mod convert;
mod cube;
mod evaluate;
mod exact;
mod integer;
mod liberty;
pub(super) use liberty::{perhaps_kept, perhaps_merged};
mod reduction;
mod select;
mod table;
#[cfg(test)]
mod tests;
mod wide;

use thiserror::Error;

use super::policy::FloatPolicy;
use super::value::{Outcomes, Reason, Truth, Value};
use crate::r700::Chip;

pub use wide::WideEffect;

/// An instruction of the ALU: what it computes.
#[derive(Debug)]
pub struct Operation {
    name: &'static str,
    /// Where it stands in the table, and its bound in a policy.
    index: usize,
    rule: Rule,
    /// How each operand that it reads is read.
    reads: &'static [Read],
    gives: Gives,
}

/// How an operand is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Read {
    /// As a float by arithmetic, which may flush it if it is denormal.
    Float,
    /// As a word that is copied, float or not.
    Copied,
    /// As an integer or as bits.
    Integer,
}

/// What a result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gives {
    Float,
    Integer,
}

/// The settled function of words, for one possibility of the operands.
type Function = fn(&[u32; 3], &mut Outcomes);

/// Four slots with two operands each, and the results of these slots.
type ReductionFunction = fn(&[[Value; 2]; 4]) -> [Value; 4];

/// How an operation is run.
#[derive(Clone, Copy, Debug)]
enum Rule {
    /// NOP.
    Nothing,
    /// A function of words, and what it does on operands that lie between two numbers.
    Words(Function, Course),
    /// A function of one float that hardware approximates.
    Approximate(approximate::Function, approximate::Limit, Course),
    /// A function of values.
    Values(fn(&[Value]) -> Value),
    /// A function of words that gives an address.
    Address(Function),
    /// Four slots, one result.
    Reduction(ReductionFunction),
    /// Doubles.
    Wide(wide::Double),
}

/// What is known of a function on operands that lie between two numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Course {
    /// In each operand, for any choice of the others, it is monotone between these points, zeros, the operand's own
    /// bounds, and what the other operands can be.
    Pieces(&'static [f32]),
    /// As `Pieces`, and constant there: its results are distinct words, not numbers with others between them.
    Steps(&'static [f32]),
    /// In its one operand it is monotone, and gives integers.
    Integers,
    /// As `Integers`, of which those without a place in 32 bits wrap.
    Wrapping,
    /// FRACT: it rises, and starts again at each integer.
    Fraction,
    /// It turns by no more than this for each 1.0 of its one operand.
    Gentle(f32),
    /// Nothing.
    Wild,
}

/// Where an operation runs.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// How far approximations may be off.
    pub policy: &'a FloatPolicy,
    /// The family: SIN and COS take revolutions on R700, radians on R600.
    pub chip: Chip,
}

/// What a scalar operation does.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// Its result, before OMOD and CLAMP.
    pub result: Value,
    /// The predicate that it computes.
    pub predicate: Option<Truth>,
    /// Whether it kills.
    pub kill: Option<Truth>,
    /// What MOVA* writes to AR: a signed 9-bit number, as the bits of an `i32`.
    pub address: Option<Value>,
}

/// How many slots an operation takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One.
    Scalar,
    /// The four vector slots, with one result.
    Reduction,
    /// Two or four vector slots that hold the halves of doubles: see [`Operation::wide`].
    Wide,
    /// NOP: one, and no result.
    Nothing,
}

/// An operation that cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Undefined {
    /// The name is not one of the table's.
    #[error("{0} is not an ALU operation of R600 or R700")]
    Unknown(String),
    /// It exists, and no source says what it does.
    #[error("no source defines {name}: {why}")]
    Unspecified {
        /// The operation.
        name: &'static str,
        /// What is missing.
        why: &'static str,
    },
}

impl Operation {
    /// The operation of a name in `oracles/spec/r700/opcodes.tsv`, class `op2` or `op3`.
    pub fn named(name: &str) -> Result<&'static Self, Undefined> {
        table::find(name)
    }

    /// Every operation that is defined.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        table::OPERATIONS.iter()
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Where it stands among [`Operation::all`].
    pub(super) fn index(&self) -> usize {
        self.index
    }

    /// How many operands it reads. A word has fields for two or three; the rest of them mean nothing.
    pub fn operands(&self) -> usize {
        self.reads.len()
    }

    /// How many slots it takes.
    pub fn shape(&self) -> Shape {
        match self.rule {
            Rule::Nothing => Shape::Nothing,
            Rule::Words(..) | Rule::Approximate(..) | Rule::Values(_) | Rule::Address(_) => {
                Shape::Scalar
            }
            Rule::Reduction(_) => Shape::Reduction,
            Rule::Wide(_) => Shape::Wide,
        }
    }

    /// Whether it reads a float, so that abs and neg mean something on one of its operands.
    pub fn takes_floats(&self) -> bool {
        self.reads.iter().any(|read| *read != Read::Integer)
    }

    /// Whether this operand is a float, so that abs and neg mean something on it. PRED_SETE_PUSH_INT, for one, reads a
    /// float and an integer.
    pub fn takes_float(&self, operand: usize) -> bool {
        self.reads
            .get(operand)
            .is_some_and(|read| *read != Read::Integer)
    }

    /// Whether its result is a float, so that OMOD and CLAMP mean something.
    pub fn gives_float(&self) -> bool {
        self.gives == Gives::Float
    }

    /// What a choice of the greater or the lesser can be beside its interval.
    fn chosen(&self, value: Value) -> Value {
        match self.name {
            "MAX" | "MIN" | "MAX_DX10" | "MIN_DX10" | "MAX4" => value.over_denormals(),
            _ => value,
        }
    }

    /// Runs a scalar operation. Operands that are missing are unknown; operations of other shapes give unknown.
    pub fn scalar(&self, sources: &[Value], context: &Context<'_>) -> Effect {
        evaluate::scalar(self, sources, context)
    }

    /// Runs a reduction: two operands of each of the slots X, Y, Z, W; the results of these slots. Operations of other
    /// shapes give unknown.
    pub fn reduce(&self, sources: &[[Value; 2]; 4], context: &Context<'_>) -> [Value; 4] {
        match self.rule {
            Rule::Reduction(function) => {
                let bound = context.policy.of(self);
                let run = |function: ReductionFunction| {
                    function(sources).map(|value| self.chosen(bound.widened(value)))
                };
                let results = run(function);
                std::array::from_fn(|slot| {
                    let operands = sources.iter().flatten();
                    self.freely(
                        results[slot].clone(),
                        context,
                        operands,
                        |sibling| match sibling.rule {
                            Rule::Reduction(function) => run(function)[slot].clone(),
                            _ => Value::unknown(0, Reason::NoPreviousResult),
                        },
                    )
                })
            }
            _ => std::array::from_fn(|_| Value::unknown(0, Reason::NoPreviousResult)),
        }
    }
}
