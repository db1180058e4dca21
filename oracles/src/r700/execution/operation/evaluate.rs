//! Running an operation for all that its operands can be.

use super::{Context, Course, Effect, Operation, Read, Rule, approximate, convert};
use crate::r700::execution::value::{
    Doubt, NAN, Outcomes, Reason, SIGN, Truth, Value, flushed, is_denormal,
};

/// The most points that stand for what one operand can be: eight words, each perhaps flushed, or the ends of an interval
/// and the points where a function turns.
const MAX_POINTS: usize = 40;

/// The most combinations of operands that are run. Beyond, the result is unknown.
const MAX_RUNS: usize = 4096;

/// Runs a scalar operation.
pub(super) fn scalar(operation: &Operation, sources: &[Value], context: &Context<'_>) -> Effect {
    let bound = context.policy.of(operation);
    let numeric = operation.gives_float();
    let missing = sources.len() < operation.reads.len();
    match operation.rule {
        _ if missing => Effect::of(Value::unknown(0, Reason::Unset)),
        Rule::Words(function, course) => {
            let out = words(function, course, sources, operation.reads, numeric);
            let result = operation.chosen(bound.widened(out.finish()));
            let result = operation.freely(result, context, sources.iter(), |sibling| match sibling
                .rule
            {
                Rule::Words(function, course) => {
                    words(function, course, sources, sibling.reads, numeric).finish()
                }
                _ => Value::unknown(0, Reason::NoPreviousResult),
            });
            Effect::with_truth(result, out.finish_truth(), operation.name)
        }
        Rule::Approximate(function, limit, course) => {
            // A unit doubles at each power of two, so between its ends a function may be off by twice as much as there.
            let ends = matches!(course, Course::Pieces(_)) && bounds(&sources[0]).is_some();
            let bound = (if ends { 2.0 } else { 1.0 }, bound);
            let run = |words: &[u32; 3], out: &mut Outcomes| {
                let operand = f32::from_bits(words[0]);
                approximate::run(function(operand, context.chip), operand, limit, bound, out);
            };
            Effect::of(words(run, course, sources, operation.reads, numeric).finish())
        }
        Rule::Address(function) => {
            let address =
                words(function, Course::Integers, sources, operation.reads, false).finish();
            Effect {
                address: Some(address),
                ..Effect::of(Value::unknown(sources[0].bits(), Reason::AddressResult))
            }
        }
        Rule::Values(function) => {
            let result = function(sources);
            // None of these has a sibling.
            let sibling = |_: &Operation| Value::unknown(0, Reason::NoPreviousResult);
            Effect::of(operation.freely(result, context, sources.iter(), sibling))
        }
        Rule::Nothing | Rule::Reduction(_) | Rule::Wide(_) => {
            Effect::of(Value::unknown(0, Reason::NoPreviousResult))
        }
    }
}

impl Effect {
    fn of(result: Value) -> Self {
        Self {
            result,
            predicate: None,
            kill: None,
            address: None,
        }
    }

    /// The truth that an operation of this name finds is its predicate or its kill.
    fn with_truth(result: Value, truth: Option<Truth>, name: &str) -> Self {
        let kills = name.starts_with("KILL");
        Self {
            result,
            predicate: truth.filter(|_| !kills),
            kill: truth.filter(|_| kills),
            address: None,
        }
    }
}

fn words(
    function: impl Fn(&[u32; 3], &mut Outcomes),
    course: Course,
    sources: &[Value],
    reads: &[Read],
    numeric: bool,
) -> Outcomes {
    let mut out = Outcomes::new(numeric);
    let mut nominal = [0; 3];
    let mut plain = true;
    for ((word, source), read) in nominal.iter_mut().zip(sources).zip(reads) {
        *word = source.bits();
        plain &= source.is_settled() && !(*read == Read::Float && is_denormal(*word));
    }
    if plain {
        function(&nominal, &mut out);
        return out;
    }
    let sources = &sources[..reads.len()];
    if let Some(reason) = sources.iter().find_map(Value::reason) {
        out.because(reason);
    }
    function(&nominal, &mut out);
    if !possibilities(function, course, sources, reads, &mut out) {
        out.anything();
    }
    // Nothing else was open, so a flushed operand made the difference.
    out.because(Reason::Denormal);
    out
}

/// Runs it for all that doubtful operands can be; the nominal run has been. False if that cannot be said by few runs.
fn possibilities(
    function: impl Fn(&[u32; 3], &mut Outcomes),
    course: Course,
    sources: &[Value],
    reads: &[Read],
    out: &mut Outcomes,
) -> bool {
    let mut lists: [Points; 3] = std::array::from_fn(|_| Points::new());
    let mut spread = false;
    for (at, source) in sources.iter().enumerate() {
        let read = reads[at];
        if !lists[at].fill(source, read, course, sources) {
            return false;
        }
        spread |= read == Read::Float && bounds(source).is_some();
    }
    if spread {
        match course {
            Course::Wild => return false,
            Course::Steps(_) | Course::Integers => {}
            Course::Wrapping => {
                let ends = bounds(&sources[0]).map(|(low, high, _)| [low, high]);
                if !ends.is_some_and(|ends| ends.into_iter().all(convert::fits)) {
                    return false;
                }
            }
            Course::Pieces(_) => out.spread(),
            Course::Fraction => {
                out.spread();
                let floors =
                    bounds(&sources[0]).map(|(low, high, _)| [low, high].map(libm::floorf));
                if floors.is_none_or(|[low, high]| low != high) {
                    [0.0, 1.0].into_iter().for_each(|end| out.float(end));
                }
            }
            Course::Gentle(slope) => {
                let number = sources[0].number();
                let reach = bounds(&sources[0])
                    .map_or(0.0, |(low, high, _)| (high - number).max(number - low));
                out.reach(slope * reach);
            }
        }
    }
    let counts: [usize; 3] = std::array::from_fn(|at| lists[at].count.max(1));
    let runs: usize = counts.iter().product();
    if runs > MAX_RUNS {
        return false;
    }
    for run in 0..runs {
        let at = [
            run % counts[0],
            run / counts[0] % counts[1],
            run / counts[0] / counts[1],
        ];
        let words = std::array::from_fn(|operand| lists[operand].words[at[operand]]);
        function(&words, out);
    }
    if spread && matches!(course, Course::Integers | Course::Wrapping) {
        out.fill_integers();
    }
    true
}

/// Whether a test of one operand holds.
pub(super) fn truth(test: fn(u32) -> bool, source: &Value, read: Read) -> Truth {
    let run = |words: &[u32; 3], out: &mut Outcomes| {
        out.word(u32::from(test(words[0])));
        out.truth(test(words[0]));
    };
    let sources = std::slice::from_ref(source);
    let out = words(run, Course::Steps(&[]), sources, &[read], false);
    out.finish_truth().unwrap_or(Truth::Settled(false))
}

/// The numbers that a float operand lies between, and whether it can be a NaN. An unknown one can be all of that.
fn bounds(value: &Value) -> Option<(f32, f32, bool)> {
    match value.doubt() {
        Doubt::Unknown => Some((f32::NEG_INFINITY, f32::INFINITY, true)),
        _ => value.bounds(),
    }
}

/// Words that stand for all that an operand can be.
struct Points {
    words: [u32; MAX_POINTS],
    count: usize,
}

impl Points {
    fn new() -> Self {
        Self {
            words: [0; MAX_POINTS],
            count: 0,
        }
    }

    fn add(&mut self, word: u32) -> bool {
        if self.words[..self.count].contains(&word) {
            return true;
        }
        if self.count == MAX_POINTS {
            return false;
        }
        self.words[self.count] = word;
        self.count += 1;
        true
    }

    /// Takes in what a value can be. False if no few words stand for it.
    fn fill(&mut self, value: &Value, read: Read, course: Course, all: &[Value]) -> bool {
        let float = read == Read::Float;
        let mut add = |word| self.add(word) && (!float || self.add(flushed(word)));
        match value.doubt() {
            Doubt::Settled => add(value.bits()),
            Doubt::OneOf(words) => words.iter().all(|word| add(*word)),
            // Of both signs, as the sign of a NaN is seen in that of a zero product.
            Doubt::AnyNan if float => add(NAN) && add(NAN | SIGN),
            _ => match (bounds(value), course) {
                (Some(bounds), Course::Pieces(turns) | Course::Steps(turns)) if float => {
                    self.fill_between(value.bits(), bounds, turns, all)
                }
                (Some(bounds), Course::Integers | Course::Wrapping | Course::Fraction) if float => {
                    self.fill_between(value.bits(), bounds, &[], all)
                }
                (Some((low, high, nan)), Course::Gentle(_)) if float => {
                    add(low.to_bits()) && add(high.to_bits()) && (!nan || add(NAN))
                }
                (_, Course::Steps(_)) if !float => self.fill_integers(value.bits(), all),
                _ => false,
            },
        }
    }

    /// The ends of an interval, and the numbers in it at which a function may turn: stated ones, zeros, and what the other
    /// operands can be.
    fn fill_between(
        &mut self,
        nominal: u32,
        (low, high, nan): (f32, f32, bool),
        turns: &[f32],
        all: &[Value],
    ) -> bool {
        let mut whole = self.add(nominal);
        for end in [low, high].map(f32::to_bits) {
            whole &= self.add(end) && self.add(flushed(end));
        }
        if nan {
            whole &= self.add(NAN) && self.add(NAN | SIGN);
        }
        let mut turn = |number: f32| {
            if low <= number && number <= high {
                whole &= self.add(number.to_bits());
            }
        };
        turns.iter().for_each(|number| turn(*number));
        [0.0, -0.0].into_iter().for_each(&mut turn);
        for other in all {
            for word in other.possibilities().unwrap_or(&[]) {
                turn(f32::from_bits(*word));
            }
            if let Some((low, high, _)) = other.bounds() {
                turn(low);
                turn(high);
            }
        }
        whole
    }

    /// Integers of which one lies in each place where a comparison with the other operands can turn.
    fn fill_integers(&mut self, nominal: u32, all: &[Value]) -> bool {
        let mut whole = self.add(nominal);
        let ends = [0, SIGN];
        let others = all.iter().filter_map(Value::possibilities).flatten();
        for word in ends.iter().chain(others) {
            for near in [word.wrapping_sub(1), *word, word.wrapping_add(1)] {
                whole &= self.add(near);
            }
        }
        whole
    }
}

/// The words that a float operand can be, each perhaps flushed, if they are few.
pub(super) fn float_words(value: &Value) -> Option<Vec<u32>> {
    if *value.doubt() == Doubt::AnyNan {
        return Some(vec![NAN, NAN | SIGN]);
    }
    let mut words = Vec::new();
    for word in value.possibilities()? {
        for word in [*word, flushed(*word)] {
            if !words.contains(&word) {
                words.push(word);
            }
        }
    }
    Some(words)
}
