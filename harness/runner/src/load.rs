//! Reads what a run needs: targets, cases, corpora, the errata ledger.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use corpora::execution;

use oracles::errata::{self, Erratum};

use crate::context::{Context, Golden, Settings};
use crate::execution::expected;
use crate::execution::setup::Setup;
use crate::inputs;
use crate::report::model::NotRun;
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

/// Reads everything: the context, and what looked like an input and is not judged. Fails if a directory is missing or has
/// nothing to judge, a case is malformed, or a case names no target.
pub fn context(settings: Settings, sources: &Sources) -> Result<(Context, Vec<NotRun>)> {
    let targets = targets(sources.target.as_deref())?;
    let only = settings.case.clone();
    let only = only.as_deref();
    let mut ids = HashSet::new();
    let mut cases = cases(&sources.testdata, &targets, only)?;
    ids.extend(cases.iter().flatten().map(|golden| golden.case.id.clone()));
    let mut found = inputs::directory(&sources.testdata, Some("testdata"), &targets)?;
    for corpus in &sources.corpora {
        let name = corpus.display();
        ensure!(corpus.is_dir(), "corpus {name} is not a directory");
        let more = inputs::directory(corpus, None, &targets)?;
        let stated = self::cases(corpus, &targets, only)?;
        ensure!(
            more.iter()
                .any(|more| !more.inputs.is_empty() || !more.passed_over.is_empty())
                || stated.iter().any(|cases| !cases.is_empty()),
            "corpus {name} has nothing to judge: no .gsh, .gtx, .gfd, .rpx, .rpl, programs.jsonl, .pica, .picacmd, .igc or \
             *{CASES} for the targets asked for"
        );
        for (all, more) in found.iter_mut().zip(more) {
            all.inputs.extend(more.inputs);
            all.passed_over.extend(more.passed_over);
        }
        for (all, stated) in cases.iter_mut().zip(stated) {
            for golden in stated {
                let id = &golden.case.id;
                ensure!(
                    ids.insert(id.clone()),
                    "corpus {name}: case {id:?} is there already"
                );
                all.push(golden);
            }
        }
    }
    let (inputs, passed_over): (Vec<_>, Vec<_>) = found
        .into_iter()
        .map(|found| (found.inputs, found.passed_over))
        .unzip();
    let mut passed_over: Vec<NotRun> = passed_over.into_iter().flatten().collect();
    let mut context = Context::new(settings, targets, cases, inputs);
    if context.targets.iter().any(|target| target.name() == "r700") {
        context.execution = execution_setup(sources, only)?;
        passed_over.append(&mut context.execution.not_run);
    }
    Ok((context, passed_over))
}

/// What execution works on, but for the engines.
fn execution_setup(sources: &Sources, only: Option<&str>) -> Result<Setup> {
    let mut setup = Setup::default();
    let mut add = |root: &Path, prefix| setup.add(root, prefix).map_err(|why| anyhow!(why));
    add(&sources.testdata, Some("testdata"))?;
    for corpus in &sources.corpora {
        add(corpus, None)?;
    }
    let faults = expected::compiler_faults(&sources.testdata).map_err(|why| anyhow!(why))?;
    for known in &mut setup.expected {
        for fault in &faults {
            known.apply(fault).map_err(|why| anyhow!(why))?;
        }
    }
    if let Some(only) = only {
        setup
            .cases
            .instructions
            .retain(|case| case.id.contains(only));
        setup.cases.programs.retain(|case| case.id.contains(only));
    }
    Ok(setup)
}

/// How the names of case files end.
pub const CASES: &str = ".cases.toml";

/// Golden cases by target. Those of a target that is not asked for are left out; those of no target at all are an error.
pub fn cases(
    testdata: &Path,
    targets: &[Box<dyn Target>],
    only: Option<&str>,
) -> Result<Vec<Vec<Golden>>> {
    let mut cases: Vec<Vec<Golden>> = targets.iter().map(|_| Vec::new()).collect();
    let known: Vec<_> = targets::NAMES.to_vec();
    for case in corpora::load::directory(testdata, CASES)? {
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
    let mut targets_of: HashMap<String, String> = corpora::load::directory(testdata, CASES)?
        .into_iter()
        .map(|case| (case.id, case.target))
        .collect();
    let executed = execution::cases::directory(testdata)?;
    let instructions = executed.instructions.into_iter().map(|case| case.id);
    let programs = executed.programs.into_iter().map(|case| case.id);
    targets_of.extend(
        instructions
            .chain(programs)
            .map(|id| (id, "r700".to_owned())),
    );
    let mut errata = errata::parse(errata::LEDGER)?;
    for erratum in &errata {
        for case in &erratum.cases {
            let id = &erratum.id;
            match targets_of.get(case) {
                Some(target) if *target == erratum.target => {}
                Some(target) => bail!(
                    "erratum {id} of {} names case {case:?} of {target}",
                    erratum.target
                ),
                None => bail!("erratum {id} names case {case:?}, which is not in testdata"),
            }
        }
    }
    errata.retain(|erratum| targets.iter().any(|target| target.name() == erratum.target));
    Ok(errata)
}
