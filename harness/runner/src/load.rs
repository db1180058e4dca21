//! Reads what a run needs: targets, cases, corpora, the errata ledger.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};

use oracles::errata::{self, Erratum};

use crate::context::{Context, Golden, Settings};
use crate::inputs;
use crate::target::Target;
use crate::targets;

/// Where a run reads from.
#[derive(Clone, Debug)]
pub struct Sources {
    /// The project's own cases and inputs.
    pub testdata: PathBuf,
    /// More inputs.
    pub corpora: Vec<PathBuf>,
    /// Only this target.
    pub target: Option<String>,
}

/// Finds `testdata` in this directory or one above it.
pub fn find_testdata() -> Result<PathBuf> {
    let here = std::env::current_dir().context("the current directory")?;
    here.ancestors()
        .map(|dir| dir.join("testdata"))
        .find(|dir| dir.is_dir())
        .with_context(|| {
            format!(
                "no testdata directory in {} or above; say --testdata DIR",
                here.display()
            )
        })
}

/// The targets that are asked for.
pub fn targets(only: Option<&str>) -> Result<Vec<Box<dyn Target>>> {
    let mut all = targets::all()?;
    if let Some(only) = only {
        let names: Vec<_> = all.iter().map(|target| target.name()).collect();
        ensure!(
            names.contains(&only),
            "no target {only:?}; there are: {}",
            names.join(", ")
        );
        all.retain(|target| target.name() == only);
    }
    Ok(all)
}

/// Reads everything. Fails if a directory is missing, a case is malformed, or a case names no target.
pub fn context(settings: Settings, sources: &Sources) -> Result<Context> {
    let targets = targets(sources.target.as_deref())?;
    let cases = cases(&sources.testdata, &targets, settings.case.as_deref())?;
    let mut inputs = inputs::directory(&sources.testdata, Some("testdata"), &targets)?;
    for corpus in &sources.corpora {
        ensure!(
            corpus.is_dir(),
            "corpus {} is not a directory",
            corpus.display()
        );
        for (all, more) in inputs
            .iter_mut()
            .zip(inputs::directory(corpus, None, &targets)?)
        {
            all.extend(more);
        }
    }
    Ok(Context {
        settings,
        targets,
        cases,
        inputs,
    })
}

/// Golden cases by target. Those of a target that is not asked for are left out; those of no target at all are an error.
pub fn cases(
    testdata: &Path,
    targets: &[Box<dyn Target>],
    only: Option<&str>,
) -> Result<Vec<Vec<Golden>>> {
    let mut cases: Vec<Vec<Golden>> = targets.iter().map(|_| Vec::new()).collect();
    let known: Vec<_> = targets::NAMES.to_vec();
    for case in corpora::load::directory(testdata)? {
        let Some(at) = targets
            .iter()
            .position(|target| target.name() == case.target)
        else {
            ensure!(
                known.contains(&case.target.as_str()),
                "{}: case {:?}: no target {:?}; there are: {}",
                case.file.display(),
                case.id,
                case.target,
                known.join(", ")
            );
            continue;
        };
        if only.is_some_and(|only| !case.id.contains(only)) {
            continue;
        }
        let expected = case
            .expect
            .resolve(targets[at].vocabulary())
            .with_context(|| format!("{}: case {:?}", case.file.display(), case.id))?;
        cases[at].push(Golden { case, expected });
    }
    Ok(cases)
}

/// The errata of the targets. Fails if one names a case that is not in `testdata`.
pub fn errata(testdata: &Path, targets: &[Box<dyn Target>]) -> Result<Vec<Erratum>> {
    let ids: std::collections::HashSet<String> = corpora::load::directory(testdata)?
        .into_iter()
        .map(|case| case.id)
        .collect();
    let mut errata = errata::parse(errata::LEDGER)?;
    for erratum in &errata {
        if let Some(dead) = erratum.cases.iter().find(|case| !ids.contains(*case)) {
            bail!(
                "erratum {} names case {dead:?}, which is not in testdata",
                erratum.id
            );
        }
    }
    errata.retain(|erratum| targets.iter().any(|target| target.name() == erratum.target));
    Ok(errata)
}
