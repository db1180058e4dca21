//! Reductions: the four vector slots give one result.

use super::arithmetic::{as_zero, flushed_product, greater, product};
use super::evaluate::float_words;
use super::{Outcomes, Reason, exact};
use crate::r700::execution::value::{Doubt, SIGN, Value, is_denormal};

/// The most combinations of operands that are run; beyond, the result lies between what their bounds give.
const MAX_RUNS: usize = 512;

/// DOT4: w·w + z·z + y·y + x·x, with the zero rule (R6 p. 124, S044, S051).
pub(super) fn dot4(slots: &[[Value; 2]; 4]) -> [Value; 4] {
    dot(slots, true)
}

/// DOT4_IEEE (R6 p. 125, S051).
pub(super) fn dot4_ieee(slots: &[[Value; 2]; 4]) -> [Value; 4] {
    dot(slots, false)
}

fn dot(slots: &[[Value; 2]; 4], zero_rule: bool) -> [Value; 4] {
    let operands: Vec<&Value> = slots.iter().flatten().collect();
    let run = |words: &[u32], out: &mut Outcomes| {
        let mut factors = [[0.0; 2]; 4];
        for (factors, words) in factors.iter_mut().zip(words.chunks_exact(2)) {
            *factors = [f32::from_bits(words[0]), f32::from_bits(words[1])];
        }
        dot_words(&factors, zero_rule, out);
    };
    let between = |out: &mut Outcomes| dot_between(slots, zero_rule, out);
    same(reduce(&operands, run, between))
}

/// One result in every slot (S017).
fn same(value: Value) -> [Value; 4] {
    std::array::from_fn(|_| value.clone())
}

/// Runs a reduction for all words that its operands can be, or lets bounds do if there are too many.
fn reduce(
    operands: &[&Value],
    run: impl Fn(&[u32], &mut Outcomes),
    between: impl Fn(&mut Outcomes),
) -> Value {
    let mut out = Outcomes::new(true);
    let mut words: [u32; 8] = [0; 8];
    let words = &mut words[..operands.len()];
    let mut plain = true;
    for (word, operand) in words.iter_mut().zip(operands) {
        *word = operand.bits();
        plain &= operand.is_settled() && !is_denormal(*word);
    }
    if let Some(reason) = operands.iter().find_map(|operand| operand.reason()) {
        out.because(reason);
    }
    run(words, &mut out);
    if plain {
        return out.finish();
    }
    let lists: Option<Vec<Vec<u32>>> = operands.iter().map(|each| float_words(each)).collect();
    let runs = lists.iter().flatten().try_fold(1usize, |runs, list| {
        runs.checked_mul(list.len())
            .filter(|runs| *runs <= MAX_RUNS)
    });
    match (lists, runs) {
        (Some(lists), Some(runs)) => {
            for run_at in 0..runs {
                let mut at = run_at;
                for (word, list) in words.iter_mut().zip(&lists) {
                    *word = list[at % list.len()];
                    at /= list.len();
                }
                run(words, &mut out);
            }
        }
        _ => between(&mut out),
    }
    out.because(Reason::Denormal);
    out.finish()
}

/// The orders in which four terms are commonly added, nominal first, that of AMD's text.
const ORDERS: [fn(&[f32; 4], Sum) -> f32; 4] = [
    |[x, y, z, w], sum| sum(sum(sum(*w, *z), *y), *x),
    |[x, y, z, w], sum| sum(sum(sum(*x, *y), *z), *w),
    |[x, y, z, w], sum| sum(sum(*x, *y), sum(*z, *w)),
    |[x, y, z, w], sum| sum(sum(*x, *z), sum(*y, *w)),
];

type Sum = fn(f32, f32) -> f32;

fn dot_words(factors: &[[f32; 2]; 4], zero_rule: bool, out: &mut Outcomes) {
    let mut products = [0.0; 4];
    let mut other = [0.0; 4];
    let mut exact = [0.0; 4];
    for (at, [a, b]) in factors.iter().enumerate() {
        if zero_rule && (*a == 0.0 || *b == 0.0) {
            let (zero, negative) = product(*a, *b);
            products[at] = zero;
            other[at] = negative.unwrap_or(zero);
        } else {
            products[at] = a * b;
            other[at] = products[at];
            exact[at] = f64::from(*a) * f64::from(*b);
        }
    }
    let nominal = ORDERS[0](&products, |a, b| a + b);
    out.float(nominal);
    for order in &ORDERS[1..] {
        out.also_float(order(&products, |a, b| a + b), Reason::ReductionOrder);
    }
    if exact.iter().all(|product| product.is_finite()) {
        let sum = exact::sum(exact);
        // The sign of a zero is not a matter of rounding.
        if sum != 0.0 || nominal != 0.0 {
            out.also_float(sum, Reason::ReductionOrder);
        }
    }
    // With denormals flushed on the way.
    let mut flushed = products;
    for (at, [a, b]) in factors.iter().enumerate() {
        if let Some(zero) = flushed_product(*a, *b) {
            flushed[at] = zero;
            other[at] = zero;
        }
    }
    for order in ORDERS {
        out.also_float(order(&flushed, |a, b| as_zero(a + b)), Reason::Denormal);
    }
    // A sum of zeros is negative only if all of them are.
    if other.iter().all(|product| product.to_bits() == SIGN) {
        out.also_float(-0.0, Reason::ZeroSign);
    }
}

/// Between which numbers an operand lies, zero among them if it can be flushed; and whether it can be a NaN.
pub(super) fn ends(value: &Value) -> (f32, f32, bool) {
    let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
    let mut nan = false;
    match value.doubt() {
        Doubt::Unknown => return (f32::NEG_INFINITY, f32::INFINITY, true),
        Doubt::Within { low, high, nan } => {
            let low = if is_denormal(low.to_bits()) {
                low.min(0.0)
            } else {
                *low
            };
            let high = if is_denormal(high.to_bits()) {
                high.max(0.0)
            } else {
                *high
            };
            return (low, high, *nan);
        }
        _ => {}
    }
    for word in float_words(value).unwrap_or_default() {
        let number = f32::from_bits(word);
        nan |= number.is_nan();
        low = low.min(number);
        high = high.max(number);
    }
    (low, high, nan)
}

/// Products grow with each factor or fall, and sums grow: so the ends give the ends.
fn dot_between(slots: &[[Value; 2]; 4], zero_rule: bool, out: &mut Outcomes) {
    let (mut lows, mut highs) = ([0.0; 4], [0.0; 4]);
    for (at, [a, b]) in slots.iter().enumerate() {
        let (a, b) = (ends(a), ends(b));
        let zero = |(low, high, nan): (f32, f32, bool)| low == 0.0 && high == 0.0 && !nan;
        if zero_rule && (zero(a) || zero(b)) {
            continue;
        }
        if a.2 || b.2 {
            out.nan();
        }
        let corners = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)];
        let touches = |(low, high, _): (f32, f32, bool)| low <= 0.0 && high >= 0.0;
        if corners.iter().any(|(a, b)| (a * b).is_nan()) || a.0 > a.1 || b.0 > b.1 {
            // An infinity and a zero, or NaN alone: it can be anything.
            out.anything();
            return;
        }
        let products = corners.map(|(a, b)| a * b);
        lows[at] = products.into_iter().fold(f32::INFINITY, f32::min);
        highs[at] = products.into_iter().fold(f32::NEG_INFINITY, f32::max);
        if touches(a) || touches(b) {
            lows[at] = lows[at].min(0.0);
            highs[at] = highs[at].max(0.0);
        }
    }
    if lows.contains(&f32::NEG_INFINITY) && highs.contains(&f32::INFINITY) {
        out.anything();
        return;
    }
    for products in [lows, highs] {
        for order in ORDERS {
            let sum = order(&products, |a, b| a + b);
            out.within(sum, sum, sum, Reason::ReductionOrder);
        }
    }
    // What is rounded or flushed on the way is no more than this, whatever cancels.
    let size = lows
        .iter()
        .chain(&highs)
        .fold(0.0f32, |most, end| most.max(end.abs()));
    out.reach(size * 4.0 * f32::EPSILON + 8.0 * f32::MIN_POSITIVE);
}

/// MAX4: the greatest of the four slots' first operands (R6 p. 143). What a NaN does is not said.
pub(super) fn max4(slots: &[[Value; 2]; 4]) -> [Value; 4] {
    let operands: Vec<&Value> = slots.iter().map(|[operand, _]| operand).collect();
    let run = |words: &[u32], out: &mut Outcomes| {
        let numbers: Vec<f32> = words.iter().map(|word| f32::from_bits(*word)).collect();
        max_words(&numbers, out);
    };
    let between = |out: &mut Outcomes| {
        let ends: Vec<(f32, f32, bool)> = operands.iter().map(|each| ends(each)).collect();
        let low = ends
            .iter()
            .fold(f32::NEG_INFINITY, |most, end| most.max(end.0));
        let high = ends
            .iter()
            .fold(f32::NEG_INFINITY, |most, end| most.max(end.1));
        if ends.iter().any(|end| end.2) {
            // A NaN may push out whichever is greatest.
            out.anything();
        } else {
            out.within(low, low, high, Reason::Max4);
        }
    };
    same(reduce(&operands, run, between))
}

fn max_words(numbers: &[f32], out: &mut Outcomes) {
    let exact = |a, b| greater(a, b, |number| number);
    let flushing = |a, b| greater(a, b, as_zero);
    let forth = || numbers.iter().copied();
    let back = || forth().rev();
    out.float(forth().reduce(exact).unwrap_or_default());
    out.also_float(back().reduce(exact).unwrap_or_default(), Reason::Max4);
    for greatest in [forth().reduce(flushing), back().reduce(flushing)] {
        out.also_float(greatest.unwrap_or_default(), Reason::Denormal);
    }
    let (nans, others): (Vec<f32>, Vec<f32>) =
        numbers.iter().copied().partition(|number| number.is_nan());
    if !nans.is_empty() && !others.is_empty() {
        out.because(Reason::Max4);
        out.nan();
        let greatest = others.into_iter().fold(f32::NEG_INFINITY, f32::max);
        out.also_float(greatest, Reason::Max4);
    }
}
