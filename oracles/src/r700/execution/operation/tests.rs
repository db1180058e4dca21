//! Expectations are derived by hand at each test, or are exact numbers anyone can check.

mod doubt;
mod floats;
mod integers;
mod liberties;
mod reductions;
mod soundness;
mod wide;

use super::{Context, Effect, Operation, Shape, Undefined, table};
use crate::r700::execution::policy::FloatPolicy;
use crate::r700::execution::value::{Doubt, Reason, Value};
use crate::r700::{Chip, Tables};

fn policy() -> FloatPolicy {
    FloatPolicy::embedded().expect("the policy is well formed")
}

fn named(name: &str) -> &'static Operation {
    Operation::named(name).expect(name)
}

/// Runs a scalar operation on R700.
fn effect(name: &str, sources: &[Value]) -> Effect {
    let context = Context {
        policy: &policy(),
        chip: Chip::R700,
    };
    named(name).scalar(sources, &context)
}

fn run(name: &str, sources: &[Value]) -> Value {
    effect(name, sources).result
}

/// Runs it on settled floats.
fn floats(name: &str, numbers: &[f32]) -> Value {
    let sources: Vec<Value> = numbers.iter().map(|number| Value::float(*number)).collect();
    run(name, &sources)
}

/// Runs it on settled words.
fn words(name: &str, words: &[u32]) -> Value {
    let sources: Vec<Value> = words.iter().map(|word| Value::settled(*word)).collect();
    run(name, &sources)
}

/// The words that a value can be; none if they are not few.
fn possible(value: &Value) -> Vec<u32> {
    value
        .possibilities()
        .map(<[u32]>::to_vec)
        .unwrap_or_default()
}

fn is_any_nan(value: &Value) -> bool {
    *value.doubt() == Doubt::AnyNan
}

fn is_unknown(value: &Value, reason: Reason) -> bool {
    *value.doubt() == Doubt::Unknown && value.reason() == Some(reason)
}

#[test]
fn every_opcode_is_defined_or_undefined_by_name() {
    let tables = Tables::embedded().expect("the tables are well formed");
    let mut count = 0;
    for row in tables.opcodes.rows() {
        if !["op2", "op3"].contains(&row.text("class")) {
            continue;
        }
        let name = row.text("name");
        count += 1;
        match Operation::named(name) {
            Ok(operation) => assert_eq!(operation.name(), name),
            Err(Undefined::Unspecified { why, .. }) => assert!(!why.is_empty()),
            Err(Undefined::Unknown(_)) => panic!("{name} is missing"),
        }
        let reduction = ["DOT4", "DOT4_IEEE", "CUBE", "MAX4"].contains(&name);
        if let Ok(operation) = Operation::named(name) {
            assert_eq!(operation.shape() == Shape::Reduction, reduction, "{name}");
            assert_eq!(
                operation.shape() == Shape::Wide,
                name.contains("64"),
                "{name}"
            );
            let most = if row.text("class") == "op3" { 3 } else { 2 };
            assert!(operation.operands() <= most, "{name}");
        }
    }
    assert!(count > 130);
    // And nothing else is defined.
    for operation in Operation::all() {
        let known = tables
            .opcodes
            .rows()
            .any(|row| row.text("name") == operation.name());
        assert!(known, "{}", operation.name());
        assert_eq!(
            table::OPERATIONS[operation.index()].name(),
            operation.name()
        );
    }
}

#[test]
fn what_is_undefined_says_so_by_name() {
    let error = Operation::named("MOVA_GPR_INT").unwrap_err().to_string();
    assert!(error.contains("MOVA_GPR_INT"), "{error}");
    let error = Operation::named("FMA").unwrap_err();
    assert_eq!(error, Undefined::Unknown("FMA".to_owned()));
}

#[test]
fn modifiers_know_what_is_a_float() {
    let counter = named("PRED_SETE_PUSH_INT");
    assert!(counter.takes_float(0) && !counter.takes_float(1) && counter.gives_float());
    for name in ["SETE_DX10", "FLT_TO_INT", "MOVA"] {
        assert!(
            named(name).takes_floats() && !named(name).gives_float(),
            "{name}"
        );
    }
    for name in ["INT_TO_FLT", "PRED_SETE_INT", "KILLE_INT"] {
        assert!(
            !named(name).takes_floats() && named(name).gives_float(),
            "{name}"
        );
    }
    assert!(named("MOV").takes_floats() && named("CNDE").takes_float(2));
    assert!(!named("CNDE_INT").takes_floats() && !named("CNDE_INT").gives_float());
}

#[test]
fn no_operation_panics_on_any_operands() {
    let interesting = [
        Value::float(0.0),
        Value::float(-0.0),
        Value::float(1.0),
        Value::float(-1.5),
        Value::settled(1),
        Value::settled(0x8000_0001),
        Value::float(f32::INFINITY),
        Value::float(f32::NEG_INFINITY),
        Value::float(f32::NAN),
        Value::float(f32::MAX),
        Value::settled(0x7fff_ffff),
        Value::one_of(0, &[1, 2, 3, 4, 5, 6, 7], Reason::Denormal),
        Value::within(0.5, -1.0, 3.0, true, Reason::Approximation),
        Value::within(5.0, 4.0, f32::INFINITY, false, Reason::Approximation),
        Value::any_nan(0x7fc0_0000, Reason::NanResult),
        Value::unknown(3, Reason::Unset),
    ];
    let policy = policy();
    for chip in Chip::ALL {
        let context = Context {
            policy: &policy,
            chip,
        };
        for operation in Operation::all() {
            for a in &interesting {
                for b in &interesting {
                    for c in &interesting[..if operation.operands() == 3 { 16 } else { 1 }] {
                        let sources = [a.clone(), b.clone(), c.clone()];
                        operation.scalar(&sources, &context);
                        if operation.shape() == Shape::Wide {
                            let other = [b.clone(), a.clone(), c.clone()];
                            let slots = [sources.clone(), other, sources.clone(), sources];
                            let effect = operation.wide(&slots, &context);
                            assert_eq!(effect.results.len(), operation.slots());
                        } else if operation.shape() == Shape::Reduction {
                            let slot = |x: &Value, y: &Value| [x.clone(), y.clone()];
                            operation.reduce(
                                &[slot(a, b), slot(b, c), slot(c, a), slot(a, b)],
                                &context,
                            );
                        }
                    }
                }
            }
            operation.scalar(&[], &context);
            operation.wide(&[], &context);
        }
    }
}
