//! Joining the parts of a split run.
//!
//! A run split with `--shard K/N` gives N reports, each of a part of the jobs. [`merge`] gives the report that the
//! unsplit run would have given, byte for byte, as long as both are in the canonical order of [`canonical`] and each
//! job's contribution does not depend on the jobs beside it.

mod join;

use std::collections::{BTreeMap, BTreeSet};

use super::model::{ErratumResult, Report, Verdict};

/// Why reports cannot be joined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// No report was given.
    #[error("no report to merge")]
    Nothing,
    /// Two reports are not of one run.
    #[error("the reports are not of one run: {what} is {first:?} in one and {other:?} in another")]
    Differs {
        /// What differs: `schema`, `version`, `mode`, `seed`, `filters`, `plan`, or an erratum's id.
        what: String,
        /// What the first report says.
        first: String,
        /// What the other report says.
        other: String,
    },
    /// A part's name is not `K/N` with 1 ≤ K ≤ N.
    #[error("a part of a run is named K/N with K from 1 to N, not {0:?}")]
    BadShard(String),
    /// A report of the whole run among several.
    #[error("a report of a whole run cannot be merged with others")]
    Whole,
    /// A part is there more than once.
    #[error("part {0} is there twice")]
    Twice(String),
    /// Parts are not there.
    #[error("missing: part {}", .0.join(", "))]
    Missing(Vec<String>),
}

/// Joins the parts of one run into the report of the whole.
///
/// Counts are added up. A finding is shown by the smallest of its inputs. The result names no parts.
///
/// # Errors
///
/// The reports must have the same schema, version, mode, seed, filters and plan, state the errata alike, and be parts 1/N to
/// N/N of one run, each once. A single report of a whole run is given back in canonical order.
pub fn merge(reports: Vec<Report>) -> Result<Report, MergeError> {
    let first = reports.first().ok_or(MergeError::Nothing)?;
    for other in &reports[1..] {
        same("schema", &first.schema, &other.schema)?;
        same("version", &first.version, &other.version)?;
        same("mode", &first.mode, &other.mode)?;
        same("seed", &first.seed, &other.seed)?;
        same("filters", &first.filters, &other.filters)?;
        same("plan", &first.plan, &other.plan)?;
    }
    same_errata(&reports)?;
    if reports.len() > 1 || !first.shards.is_empty() {
        complete(&reports)?;
    }

    let mut whole: Option<Report> = None;
    for report in reports {
        match &mut whole {
            None => whole = Some(report),
            Some(whole) => append(whole, report),
        }
    }
    let mut whole = whole.ok_or(MergeError::Nothing)?;
    whole.shards.clear();
    canonical(&mut whole);
    Ok(whole)
}

/// Puts a report in canonical order, joins entries about the same thing, and computes the verdict anew.
///
/// Every list is sorted by its names: tallies by target, kind and part; findings by target, kind, options and cause;
/// certificates by target, options and lowest bit; coverage by target and axis, its rows by name and its columns by path;
/// errata by target and id, each entry's cases as the ledger has them. A run that is not split goes through this too;
/// otherwise it would differ from its merged parts in order.
pub fn canonical(report: &mut Report) {
    report.tallies = join::tallies(std::mem::take(&mut report.tallies));
    report.findings = join::findings(std::mem::take(&mut report.findings));
    report.certificates = join::certificates(std::mem::take(&mut report.certificates));
    report.coverage = join::coverage(std::mem::take(&mut report.coverage));
    report.execution = join::execution(std::mem::take(&mut report.execution));
    report.errata = join::errata(std::mem::take(&mut report.errata));
    report.single_source.sort();
    report.single_source.dedup();
    report
        .corpora
        .sort_by(|a, b| (&a.name, &a.holds).cmp(&(&b.name, &b.holds)));
    report.corpora.dedup();
    report
        .peers
        .sort_by(|a, b| (&a.name, &a.state, &a.note).cmp(&(&b.name, &b.state, &b.note)));
    report.peers.dedup();
    report.not_run.sort();
    report.not_run.dedup();
    let disagrees = !report.findings.is_empty() || report.tallies.iter().any(|t| t.disagree > 0);
    if disagrees {
        report.verdict = Verdict::Findings;
    }
}

/// Puts everything of one report after another's. A part that disagrees makes the whole disagree.
fn append(whole: &mut Report, part: Report) {
    if part.verdict == Verdict::Findings {
        whole.verdict = Verdict::Findings;
    }
    whole.tallies.extend(part.tallies);
    whole.findings.extend(part.findings);
    whole.certificates.extend(part.certificates);
    whole.coverage.extend(part.coverage);
    whole.execution.extend(part.execution);
    whole.errata.extend(part.errata);
    whole.single_source.extend(part.single_source);
    whole.corpora.extend(part.corpora);
    whole.peers.extend(part.peers);
    whole.not_run.extend(part.not_run);
    for (target, counts) in part.evidence {
        let sums = whole.evidence.entry(target).or_default();
        for (evidence, count) in counts {
            let sum = sums.entry(evidence).or_default();
            *sum = sum.saturating_add(count);
        }
    }
}

fn same<T: PartialEq + std::fmt::Debug>(
    what: &str,
    first: &T,
    other: &T,
) -> Result<(), MergeError> {
    if first == other {
        return Ok(());
    }
    Err(MergeError::Differs {
        what: what.to_string(),
        first: format!("{first:?}"),
        other: format!("{other:?}"),
    })
}

/// An erratum may differ between parts in how its cases went, and in nothing else.
fn same_errata(reports: &[Report]) -> Result<(), MergeError> {
    let mut known: BTreeMap<(&str, &str), &ErratumResult> = BTreeMap::new();
    for erratum in reports.iter().flat_map(|report| &report.errata) {
        let first = *known
            .entry((&erratum.target, &erratum.id))
            .or_insert(erratum);
        let what = |field: &str| format!("{field} of erratum {}", erratum.id);
        same(&what("title"), &first.title, &erratum.title)?;
        same(&what("status"), &first.status, &erratum.status)?;
        same(&what("ruling"), &first.ruling, &erratum.ruling)?;
        same(&what("sources"), &first.sources, &erratum.sources)?;
    }
    Ok(())
}

/// Whether the reports hold the parts 1/N to N/N, each once.
fn complete(reports: &[Report]) -> Result<(), MergeError> {
    let mut seen = BTreeSet::new();
    let mut parts = None;
    for report in reports {
        if report.shards.is_empty() {
            return Err(MergeError::Whole);
        }
        for shard in &report.shards {
            let (number, of) = numbers(shard)?;
            match parts {
                None => parts = Some(of),
                Some(parts) => same("the number of parts", &parts, &of)?,
            }
            if !seen.insert(number) {
                return Err(MergeError::Twice(shard.clone()));
            }
        }
    }
    let parts = parts.ok_or(MergeError::Nothing)?;
    let missing: Vec<String> = (1..=parts)
        .filter(|number| !seen.contains(number))
        .take(MISSING_NAMED)
        .map(|number| format!("{number}/{parts}"))
        .collect();
    if missing.is_empty() {
        Ok(())
    } else {
        Err(MergeError::Missing(missing))
    }
}

/// How many missing parts an error names.
const MISSING_NAMED: usize = 20;

/// Reads `K/N`.
fn numbers(shard: &str) -> Result<(u64, u64), MergeError> {
    shard
        .split_once('/')
        .and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)))
        .filter(|&(number, of)| 1 <= number && number <= of)
        .ok_or_else(|| MergeError::BadShard(shard.to_string()))
}

#[cfg(test)]
mod tests;
