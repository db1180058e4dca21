//! Doubles.

use super::{is_unknown, named, policy};
use crate::r700::Chip;
use crate::r700::execution::operation::{Context, WideEffect};
use crate::r700::execution::value::{Reason, Truth, Value};

fn halves(number: f64) -> [u32; 2] {
    let bits = number.to_bits();
    [(bits >> 32) as u32, bits as u32]
}

/// Runs it with each slot's half of each operand.
fn wide(name: &str, operands: &[f64]) -> WideEffect {
    let operation = named(name);
    let four = name.starts_with("MUL");
    let slots: Vec<[Value; 3]> = (0..operation.slots())
        .map(|slot| {
            let low = if four { slot == 3 } else { slot % 2 == 1 };
            std::array::from_fn(|at| {
                let number = operands.get(at).copied().unwrap_or(0.0);
                Value::settled(halves(number)[usize::from(low)])
            })
        })
        .collect();
    run(name, &slots)
}

fn run(name: &str, slots: &[[Value; 3]]) -> WideEffect {
    let context = Context {
        policy: &policy(),
        chip: Chip::R700,
    };
    named(name).wide(slots, &context)
}

/// The double that two slots write: low word first.
fn double(results: &[Value]) -> f64 {
    assert!(results.iter().all(Value::is_settled), "{results:?}");
    f64::from_bits(u64::from(results[1].bits()) << 32 | u64::from(results[0].bits()))
}

#[test]
fn sums_products_and_multiply_adds() {
    assert_eq!(double(&wide("ADD_64", &[1.5, 1e100]).results), 1e100);
    assert_eq!(
        double(&wide("ADD_64", &[0.1, 0.2]).results),
        0.300_000_000_000_000_04
    );
    let product = wide("MUL_64", &[3.0, -0.5]).results;
    assert_eq!(double(&product), -1.5);
    assert_eq!(product[..2], product[2..]);
    assert_eq!(double(&wide("MULADD_64", &[3.0, 4.0, 5.0]).results), 17.0);
    assert_eq!(
        double(&wide("MULADD_64_M4", &[3.0, 4.0, 5.0]).results),
        68.0
    );
    assert_eq!(double(&wide("MULADD_64_D2", &[3.0, 4.0, 5.0]).results), 8.5);
    let nan = wide("ADD_64", &[f64::INFINITY, f64::NEG_INFINITY]).results;
    assert!(nan.iter().all(|word| is_unknown(word, Reason::Double)));
    // A denormal sum is kept or flushed: the low word is 1 or 0.
    let least = f64::from_bits(1);
    let sum = wide("ADD_64", &[least, 0.0]).results;
    assert_eq!(sum[0].possibilities(), Some([1, 0].as_slice()));
    assert!(sum[1].is_settled());
}

#[test]
fn exponents_are_taken_apart_and_put_together() {
    // 12 = 0.75 · 2^4
    let parts = wide("FREXP_64", &[12.0]).results;
    assert_eq!(parts[1], Value::settled(4));
    assert_eq!(double(&parts[2..]), 0.75);
    let with = |exponent: i32, number: f64| {
        let [high, low] = halves(number).map(Value::settled);
        let exponent = Value::settled(exponent as u32);
        let none = Value::settled(0);
        run(
            "LDEXP_64",
            &[
                [exponent.clone(), high, none.clone()],
                [exponent, low, none],
            ],
        )
        .results
    };
    assert_eq!(double(&with(4, 0.75)), 12.0);
    assert_eq!(double(&with(-2000, -1.0)).to_bits(), (-0.0f64).to_bits());
    assert_eq!(double(&with(2000, -1.0)), f64::NEG_INFINITY);
    assert_eq!(double(&with(5, f64::INFINITY)), f64::INFINITY);
    // Denormals are zero, as the page says.
    assert_eq!(
        double(&with(5, -f64::from_bits(3))).to_bits(),
        (-0.0f64).to_bits()
    );
}

#[test]
fn conversions_fractions_and_predicates() {
    // 1 + 2^-40 is 1 as a float.
    let narrow = wide("FLT64_TO_FLT32", &[1.0 + f64::powi(2.0, -40)]).results;
    assert_eq!(narrow[0], Value::float(1.0));
    let none = || Value::settled(0);
    let slots = [
        [Value::float(0.1), none(), none()],
        [none(), none(), none()],
    ];
    assert_eq!(
        double(&run("FLT32_TO_FLT64", &slots).results),
        f64::from(0.1f32)
    );
    assert_eq!(double(&wide("FRACT_64", &[-1.25]).results), 0.75);
    let effect = wide("PRED_SETGE_64", &[2.0, 2.0]);
    assert_eq!(effect.predicate, Some(Truth::Settled(true)));
    assert_eq!(effect.results[0], Value::float(0.0));
    let effect = wide("PRED_SETGT_64", &[f64::NAN, 2.0]);
    assert_eq!(effect.predicate, Some(Truth::Settled(false)));
}

#[test]
fn slots_that_disagree_and_unknown_halves() {
    let word = |bits: u32| Value::settled(bits);
    let slot = |bits: u32| [word(bits), word(bits), word(0)];
    // The third slot should have the high words as well.
    let effect = run("MUL_64", &[slot(1), slot(1), slot(2), slot(0)]);
    assert!(
        effect
            .results
            .iter()
            .all(|value| is_unknown(value, Reason::Double))
    );
    let unknown = Value::unknown(0, Reason::Unset);
    let [high, low] = halves(1.0).map(Value::settled);
    let slots = [
        [high.clone(), unknown, word(0)],
        [low.clone(), low, word(0)],
    ];
    let effect = run("PRED_SETE_64", &slots);
    assert!(matches!(effect.predicate, Some(Truth::Unsettled { .. })));
    let effect = run("ADD_64", &slots);
    assert!(
        effect
            .results
            .iter()
            .all(|value| is_unknown(value, Reason::Unset))
    );
}
