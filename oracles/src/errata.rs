//! The ledger of contradictions: where two sources say different things, and the case that settles it.

use std::collections::HashSet;

use serde::Deserialize;
use thiserror::Error;

/// A contradiction between sources.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Erratum {
    /// Stable and unique.
    pub id: String,
    /// The target's name.
    pub target: String,
    /// What the contradiction is about, in one line.
    pub title: String,
    /// Who says what; two at least.
    pub sources: Vec<Statement>,
    /// Whether it is settled.
    pub status: Status,
    /// What Assay holds, and why; for an open one, what would settle it.
    pub ruling: String,
    /// Ids of the cases that settle it, or that hold the words at stake while it is open; one at least.
    pub cases: Vec<String>,
}

/// What one source says.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statement {
    /// The source: document and page, or project, version and file.
    pub source: String,
    /// What it says, in our words.
    pub says: String,
}

/// How far a contradiction is resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// The named cases show which source is right.
    Settled,
    /// No source or case settles it yet: what depends on it is never chosen silently.
    Open,
}

/// A ledger that cannot be read, or an entry that is not one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ErrataError {
    /// Not TOML, or not of this shape.
    #[error("errata: {0}")]
    Syntax(String),
    /// Two entries with one id.
    #[error("erratum {0} is there twice")]
    Twice(String),
    /// Fewer than two sources: nothing contradicts.
    #[error("erratum {0} names fewer than two sources")]
    OneSided(String),
    /// No case at all.
    #[error("erratum {0} names no case")]
    NoCase(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ledger {
    #[serde(default, rename = "erratum")]
    errata: Vec<Erratum>,
}

/// The ledger of this crate.
pub const LEDGER: &str = include_str!("../errata.toml");

/// Reads a ledger.
pub fn parse(text: &str) -> Result<Vec<Erratum>, ErrataError> {
    let ledger: Ledger =
        toml::from_str(text).map_err(|error| ErrataError::Syntax(error.to_string()))?;
    let mut ids = HashSet::new();
    for erratum in &ledger.errata {
        let id = || erratum.id.clone();
        if !ids.insert(&erratum.id) {
            return Err(ErrataError::Twice(id()));
        }
        if erratum.sources.len() < 2 {
            return Err(ErrataError::OneSided(id()));
        }
        if erratum.cases.is_empty() {
            return Err(ErrataError::NoCase(id()));
        }
    }
    Ok(ledger.errata)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = r#"
        [[erratum]]
        id = "R053"
        target = "r700"
        title = "t"
        sources = [{ source = "a", says = "x" }, { source = "b", says = "y" }]
        status = "settled"
        ruling = "r"
        cases = ["r700/alu/a"]
    "#;

    #[test]
    fn an_entry_needs_two_sides_and_a_case() {
        assert_eq!(parse(ONE).unwrap()[0].cases, ["r700/alu/a"]);
        assert_eq!(
            parse(&ONE.repeat(2)),
            Err(ErrataError::Twice("R053".to_owned()))
        );
        let one_sided = ONE.replace(r#", { source = "b", says = "y" }"#, "");
        assert_eq!(
            parse(&one_sided),
            Err(ErrataError::OneSided("R053".to_owned()))
        );
        let no_case = ONE.replace(r#"["r700/alu/a"]"#, "[]");
        assert_eq!(parse(&no_case), Err(ErrataError::NoCase("R053".to_owned())));
    }

    #[test]
    fn the_ledger_is_well_formed() {
        parse(LEDGER).unwrap();
    }
}
