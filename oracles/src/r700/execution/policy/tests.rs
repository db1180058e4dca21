use super::{FloatPolicy, Liberty, PolicyError};
use crate::r700::execution::operation::Operation;
use crate::r700::execution::value::{Acceptance, Reason, Value};

/// A policy in which every operation that gives a float is exact, but for what `more` says of RECIP_IEEE.
fn text(recip: &str, engines: &str) -> String {
    let names: Vec<String> = Operation::all()
        .filter(|operation| operation.gives_float() && operation.name() != "RECIP_IEEE")
        .map(|operation| format!("{:?}", operation.name()))
        .collect();
    let exact = names.join(", ");
    format!(
        "[[bounds]]\noperations = [{exact}]\nexact = true\nsource = \"s\"\nreason = \"r\"\n\
         [[bounds]]\noperations = [\"RECIP_IEEE\"]\n{recip}\nsource = \"s\"\nreason = \"r\"\n{engines}"
    )
}

const NO_ENGINES: &str = "[[engines]]\nname = \"plain\"\n";

fn error(text: &str) -> String {
    FloatPolicy::parse(text).expect_err(text).to_string()
}

#[test]
fn the_embedded_policy_bounds_every_float() {
    let policy = FloatPolicy::embedded().expect("well formed");
    for operation in Operation::all() {
        let exact = policy.of(operation).is_exact();
        let approximated = ["RECIP_", "RECIPSQRT", "SQRT", "EXP_", "LOG_", "SIN", "COS"];
        let name = operation.name();
        let expected = approximated.iter().any(|start| name.starts_with(start))
            && !["RECIP_INT", "RECIP_UINT"].contains(&name);
        assert_eq!(!exact, expected, "{name}");
    }
    assert!(policy.named("sample_linear").is_some());
    assert!(policy.named("sample_cubic").is_none());
    let names: Vec<&str> = policy
        .engines()
        .iter()
        .map(|each| each.name.as_str())
        .collect();
    assert_eq!(names, ["embedded", "lavapipe"]);
    let lavapipe = FloatPolicy::for_engine("lavapipe").expect("it is there");
    let embedded = FloatPolicy::for_engine("embedded").expect("it is there");
    for liberty in [
        Liberty::AddsZero,
        Liberty::MultipliesByZero,
        Liberty::NegatesChoices,
        Liberty::KeepsSigns,
        Liberty::MergesCopies,
        Liberty::SharesLevels,
    ] {
        assert!(lavapipe.takes(liberty));
        // The judgement of the reference's own engine is as strict as without one.
        assert!(!embedded.takes(liberty) && !policy.takes(liberty));
    }
}

#[test]
fn units_are_those_of_the_exact_result() {
    let policy = FloatPolicy::parse(&text("terms = [{ ulp = 2 }]", NO_ENGINES)).expect("fine");
    let bound = policy.named("RECIP_IEEE").expect("it has one");
    // Above 1 a unit is 2^-23: 2 of them either way are 2 floats above, 4 below, where floats are half as far apart.
    let (low, high) = bound.around(1.0, 1.0);
    assert_eq!(high.to_bits(), 0x3f80_0002);
    assert_eq!(low.to_bits(), 0x3f7f_fffc);
    // A number between two floats: what is no further than the bound, no float more.
    let (low, high) = bound.around(1.0, 1.0 + f64::powi(2.0, -24));
    assert_eq!((low.to_bits(), high.to_bits()), (0x3f7f_fffd, 0x3f80_0002));
    // Denormals are 2^-149 apart, all of them.
    let (low, high) = bound.around(1.0, f64::powi(2.0, -140));
    assert_eq!((low.to_bits(), high.to_bits()), (510, 514));
    // Beyond the largest float is infinity.
    let (_, high) = bound.around(1.0, f64::from(f32::MAX));
    assert_eq!(high, f32::INFINITY);
}

#[test]
fn terms_apply_to_their_operands() {
    let terms = "terms = [{ absolute = 0.25, inside = [0.5, 2.0] }, { ulp = 1, ulp-per-input = 1, outside = [0.5, 2.0] }]";
    let policy = FloatPolicy::parse(&text(terms, NO_ENGINES)).expect("fine");
    let bound = policy.named("RECIP_IEEE").expect("it has one");
    assert_eq!(bound.around(1.0, 1.0), (0.75, 1.25));
    assert_eq!(bound.around(2.0, 1.0), (0.75, 1.25));
    let (_, high) = bound.around(-3.0, 1.0);
    assert_eq!(high.to_bits(), 0x3f80_0004);
}

#[test]
fn an_engine_may_be_further_off() {
    let engines = "[[engines]]\nname = \"plain\"\n[[engines]]\nname = \"sloppy\"\nfacts = [\"f\"]\n\
        [[engines.departures]]\noperations = [\"ADD\", \"RECIP_IEEE\"]\nterms = [{ ulp = 3 }]\nsource = \"s\"\nreason = \"r\"\n";
    let text = text("terms = [{ ulp = 2 }]", engines);
    let plain = FloatPolicy::parse(&text).expect("fine");
    let sloppy = plain.clone().with_engine("sloppy").expect("it is there");
    let around = |policy: &FloatPolicy| {
        policy
            .named("RECIP_IEEE")
            .map(|bound| bound.around(1.0, 1.0).1)
    };
    assert_eq!(around(&plain).map(f32::to_bits), Some(0x3f80_0002));
    assert_eq!(around(&sloppy).map(f32::to_bits), Some(0x3f80_0003));
    let sum = sloppy
        .named("ADD")
        .expect("it has one")
        .widened(Value::float(1.0));
    let within = Acceptance::Within(Reason::EngineDeparture);
    assert_eq!(sum.accepts(0x3f80_0003), within);
    assert_eq!(sum.accepts(0x3f80_0004), Acceptance::Disagree);
    let infinite = sloppy
        .named("ADD")
        .expect("it has one")
        .widened(Value::float(f32::INFINITY));
    assert!(infinite.is_settled());
    let error = plain.with_engine("none").expect_err("it is not there");
    assert_eq!(
        error.to_string(),
        "float policy: no engine none; it has plain, sloppy"
    );
}

#[test]
fn what_cannot_be_meant_is_refused() {
    for (recip, why) in [
        ("exact = true\nterms = [{ ulp = 1 }]", "one of the two"),
        ("", "one of the two"),
        ("terms = [{ ulp = -1 }]", "not below zero"),
        ("terms = [{ ulp = nan }]", "not below zero"),
        ("terms = [{ inside = [0, 1] }]", "without a bound"),
        (
            "terms = [{ ulp = 1, inside = [2, 1] }]",
            "starts after its end",
        ),
        ("terms = [{ ulps = 1 }]", "unknown field"),
    ] {
        let error = error(&text(recip, NO_ENGINES));
        assert!(error.contains(why), "{recip}: {error}");
    }
    let twice =
        text("exact = true", NO_ENGINES).replace("\"RECIP_IEEE\"", "\"RECIP_IEEE\", \"ADD\"");
    assert!(error(&twice).contains("ADD: it has two bounds"));
    let missing = text("exact = true", NO_ENGINES).replace("\"ADD\", ", "");
    assert!(error(&missing).contains("ADD: it gives a float and has no bound"));
    let stray =
        text("exact = true", NO_ENGINES).replace("\"RECIP_IEEE\"", "\"RECIP_IEEE\", \"FMA\"");
    assert!(error(&stray).contains("FMA: there is no such operation"));
    assert!(matches!(
        FloatPolicy::parse("bounds = 1"),
        Err(PolicyError::Syntax(_))
    ));
}
