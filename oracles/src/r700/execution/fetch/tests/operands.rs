use corpora::execution::{Dimension, Sampler};

use super::super::{LevelSource, Sample};
use super::*;

#[test]
fn names_of_forms() {
    let form = |name| match TextureOperation::named(name) {
        Some(TextureOperation::Sample(Sample {
            compare,
            gradients,
            level,
        })) => Some((compare, gradients, level)),
        _ => None,
    };
    use LevelSource::{Biased, Derivatives, Operand, Zero};
    assert_eq!(form("SAMPLE"), Some((false, false, Derivatives)));
    assert_eq!(form("SAMPLE_L"), Some((false, false, Operand)));
    assert_eq!(form("SAMPLE_LB"), Some((false, false, Biased)));
    assert_eq!(form("SAMPLE_LZ"), Some((false, false, Zero)));
    assert_eq!(form("SAMPLE_G"), Some((false, true, Derivatives)));
    assert_eq!(form("SAMPLE_C"), Some((true, false, Derivatives)));
    assert_eq!(form("SAMPLE_C_L"), Some((true, false, Operand)));
    assert_eq!(form("SAMPLE_C_G_LZ"), Some((true, true, Zero)));
    for other in ["SAMPLE_X", "SAMPLE_CG", "SAMPLES", "", "VTX_FETCH", "MEM"] {
        assert_eq!(TextureOperation::named(other), None, "{other}");
    }
}

/// Every texture operation that the tables name is one here, but the fetches of other kinds.
#[test]
fn the_tables_operations() {
    let tables = crate::r700::Tables::embedded().unwrap();
    let mut count = 0;
    for row in tables
        .opcodes
        .rows()
        .filter(|row| row.text("class") == "tex")
    {
        let name = row.text("name");
        let other = matches!(name, "VTX_FETCH" | "VTX_SEMANTIC" | "MEM");
        assert_eq!(TextureOperation::named(name).is_none(), other, "{name}");
        count += 1;
    }
    assert_eq!(count, 32);
}

#[test]
fn what_is_refused_by_name() {
    let environment = environment(
        texels(Dimension::D1, [1, 1, 1], &[&[1.0]]),
        Sampler::default(),
    );
    let error = |fetch: &TextureFetch| {
        run(fetch, &flat([0.0; 4]), &environment)
            .unwrap_err()
            .to_string()
    };
    for op in [
        "GET_LERP",
        "KEEP_GRADIENTS",
        "PASS",
        "SET_CUBEMAP_INDEX",
        "FETCH4",
    ] {
        assert_eq!(
            error(&fetch(op)),
            format!("{op} is not supported by the interpreter: no source says what it gives")
        );
    }
    assert!(error(&fetch("SAMPLE_G_L")).contains("_G and _L"));
    let mut other = fetch("SAMPLE");
    other.alt_const = true;
    assert!(error(&other).contains("ALT_CONST"));
    other = fetch("SAMPLE");
    other.resource_id = 18;
    assert_eq!(error(&other), "texture 18 is not in the environment");
    other = fetch("SAMPLE");
    other.sampler_id = 3;
    assert_eq!(error(&other), "sampler 3 is not in the environment");
}

#[test]
fn selects() {
    for (code, expected) in [
        (0, Some(Select::X)),
        (3, Some(Select::W)),
        (4, Some(Select::Zero)),
        (5, Some(Select::One)),
        (6, None),
        (7, Some(Select::Mask)),
        (8, None),
    ] {
        assert_eq!(Select::from_code(code), expected);
    }
}
