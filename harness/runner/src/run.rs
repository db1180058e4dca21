//! Runs the plan and makes the report.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Instant;

use rayon::prelude::*;

use oracles::errata::{Erratum, Status};

use crate::check::{self, JobResult};
use crate::context::Context;
use crate::coverage::Coverage;
use crate::execution::seen::Seen;
use crate::finding::Finds;
use crate::plan::{self, Job, corpus_of};
use crate::present;
use crate::report::merge::canonical;
use crate::report::model::{
    Certificate, Corpus, ErratumResult, NotRun, Peer, Report, SCHEMA, Tally, Verdict,
};
use crate::target::single_source_fields;

/// A report and how long its parts took, which is no part of it.
pub struct Done {
    /// The report.
    pub report: Report,
    /// Milliseconds of work by target, kind and part.
    pub durations: serde_json::Value,
}

/// What a run says of its surroundings: none of it is judged.
#[derive(Default)]
pub struct Surroundings {
    /// The ledger of contradictions.
    pub errata: Vec<Erratum>,
    /// Peers and engines.
    pub peers: Vec<Peer>,
    /// What cannot run, and why.
    pub not_run: Vec<NotRun>,
    /// Filters in force, for the report.
    pub filters: Vec<String>,
}

/// Runs everything that the context asks for. `tick` is told how many jobs are done, and of how many.
pub fn run(
    context: &Context,
    surroundings: Surroundings,
    tick: &(dyn Fn(usize, usize) + Sync),
) -> Done {
    let started = Instant::now();
    let mut surroundings = surroundings;
    let plan = plan::jobs(context);
    let digest = plan::digest(&plan, context);
    surroundings.not_run.extend(plan::sampled(&plan, context));
    let jobs: Vec<Job> = plan
        .into_iter()
        .enumerate()
        .filter(|(at, _)| context.settings.takes(*at))
        .map(|(_, job)| job)
        .collect();
    let done = std::sync::atomic::AtomicUsize::new(0);
    let totals = jobs
        .par_iter()
        .map(|job| {
            let began = Instant::now();
            let result = check::run(job, context);
            let taken = began.elapsed().as_micros() as u64;
            let before = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            tick(before + 1, jobs.len());
            let mut totals = Totals::new(context);
            totals.add(job, result, taken);
            totals
        })
        .reduce(|| Totals::new(context), Totals::join);
    let durations = durations(&totals, context, started.elapsed().as_millis() as u64);
    Done {
        report: totals.into_report(context, surroundings, digest),
        durations,
    }
}

type PartKey = (usize, u8, String);

/// Sums over jobs. Joining is commutative, so the order in which jobs end does not show.
struct Totals {
    tallies: BTreeMap<PartKey, Counts>,
    finds: Finds,
    coverage: Vec<Option<Coverage>>,
    certificates: BTreeMap<(usize, String, u32, String), Certificate>,
    cases: BTreeMap<String, bool>,
    seen: Seen,
}

#[derive(Default)]
struct Counts {
    agree: u64,
    disagree: u64,
    poisoned: u64,
    skipped: u64,
    micros: u64,
}

impl Totals {
    fn new(context: &Context) -> Self {
        Self {
            tallies: BTreeMap::new(),
            finds: Finds::default(),
            coverage: context.targets.iter().map(|_| None).collect(),
            certificates: BTreeMap::new(),
            cases: BTreeMap::new(),
            seen: Seen::default(),
        }
    }

    fn add(&mut self, job: &Job, result: JobResult, micros: u64) {
        let counts = self
            .tallies
            .entry((job.target, job.kind as u8, job.part.clone()))
            .or_default();
        counts.agree += result.agree;
        counts.disagree += result.disagree;
        counts.poisoned += result.poisoned;
        counts.skipped += result.skipped;
        counts.micros += micros;
        self.finds.join(result.finds);
        join_coverage(&mut self.coverage[job.target], Some(result.coverage));
        if let Some(certificate) = result.certificate {
            self.certify(job.target, certificate);
        }
        self.cases.extend(result.cases);
        self.seen.join(result.seen);
    }

    fn certify(&mut self, target: usize, certificate: Certificate) {
        // `bits [9:0]` sorts by its lowest bit, and random words come last.
        let low = certificate
            .what
            .trim_end_matches(']')
            .rsplit([':', ' '])
            .next();
        let low = low.and_then(|low| low.parse().ok()).unwrap_or(u32::MAX);
        let key = (
            target,
            certificate.unit.clone(),
            low,
            certificate.what.clone(),
        );
        self.certificates
            .entry(key)
            .and_modify(|known| {
                known.values += certificate.values;
                known.inputs += certificate.inputs;
                known.agree += certificate.agree;
            })
            .or_insert(certificate);
    }

    fn join(mut self, other: Self) -> Self {
        for (key, counts) in other.tallies {
            let own = self.tallies.entry(key).or_default();
            own.agree += counts.agree;
            own.disagree += counts.disagree;
            own.poisoned += counts.poisoned;
            own.skipped += counts.skipped;
            own.micros += counts.micros;
        }
        self.finds.join(other.finds);
        for (own, other) in self.coverage.iter_mut().zip(other.coverage) {
            join_coverage(own, other);
        }
        for ((target, ..), certificate) in other.certificates {
            self.certify(target, certificate);
        }
        self.cases.extend(other.cases);
        self.seen.join(other.seen);
        self
    }

    fn into_report(self, context: &Context, surroundings: Surroundings, plan: String) -> Report {
        let Self {
            tallies,
            finds,
            coverage,
            certificates,
            cases,
            seen,
        } = self;
        let tallies: Vec<Tally> = tallies
            .into_iter()
            .map(|((target, kind, part), counts)| Tally {
                target: context.targets[target].name().to_owned(),
                kind: crate::finding::Kind::ALL[usize::from(kind)]
                    .name()
                    .to_owned(),
                part,
                agree: counts.agree,
                disagree: counts.disagree,
                poisoned: counts.poisoned,
                skipped: counts.skipped,
            })
            .collect();
        let findings = present::findings(finds, context);
        let verdict = if findings.is_empty() && tallies.iter().all(|tally| tally.disagree == 0) {
            Verdict::Agree
        } else {
            Verdict::Findings
        };
        let coverage = context
            .targets
            .iter()
            .zip(&coverage)
            .flat_map(|(target, seen)| {
                seen.as_ref()
                    .map(|seen| seen.tables(&**target))
                    .unwrap_or_default()
            });
        let settings = &context.settings;
        let mut report = Report {
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            mode: settings.mode.name().to_owned(),
            seed: settings.seed,
            plan,
            shards: settings
                .shard
                .map(|(part, of)| format!("{part}/{of}"))
                .into_iter()
                .collect(),
            filters: surroundings.filters,
            verdict,
            tallies,
            findings,
            certificates: certificates.into_values().collect(),
            coverage: coverage.collect(),
            execution: seen.report("r700").into_iter().collect(),
            errata: surroundings
                .errata
                .iter()
                .map(|entry| erratum(entry, &cases))
                .collect(),
            evidence: evidence(context, &cases),
            single_source: single_source(context),
            corpora: corpora(context),
            peers: surroundings.peers,
            not_run: surroundings.not_run,
        };
        canonical(&mut report);
        report
    }
}

fn join_coverage(own: &mut Option<Coverage>, other: Option<Coverage>) {
    match (own.as_mut(), other) {
        (Some(own), Some(other)) => own.join(&other),
        (None, Some(other)) => *own = Some(other),
        (_, None) => {}
    }
}

fn erratum(entry: &Erratum, cases: &BTreeMap<String, bool>) -> ErratumResult {
    ErratumResult {
        id: entry.id.clone(),
        target: entry.target.clone(),
        title: entry.title.clone(),
        status: match entry.status {
            Status::Settled => "settled".to_owned(),
            Status::Open => "open".to_owned(),
        },
        ruling: entry.ruling.clone(),
        sources: entry
            .sources
            .iter()
            .map(|s| (s.source.clone(), s.says.clone()))
            .collect(),
        cases: entry
            .cases
            .iter()
            .map(|id| {
                let state = match cases.get(id) {
                    Some(true) => "met",
                    Some(false) => "not met",
                    None => "not run",
                };
                (id.clone(), state.to_owned())
            })
            .collect(),
    }
}

/// How the expectations of the cases that ran are known.
fn evidence(
    context: &Context,
    ran: &BTreeMap<String, bool>,
) -> BTreeMap<String, BTreeMap<String, u64>> {
    let mut evidence: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
    for (target, cases) in context.targets.iter().zip(&context.cases) {
        let counts = evidence.entry(target.name().to_owned()).or_default();
        for golden in cases
            .iter()
            .filter(|golden| ran.contains_key(&golden.case.id))
        {
            *counts
                .entry(golden.case.evidence.name().to_owned())
                .or_default() += 1;
        }
    }
    evidence
}

fn single_source(context: &Context) -> Vec<crate::report::model::SingleSource> {
    let mut all = BTreeSet::new();
    for target in &context.targets {
        all.extend(single_source_fields(target.vocabulary()));
        all.extend(target.single_source_names());
    }
    all.into_iter().collect()
}

fn corpora(context: &Context) -> Vec<Corpus> {
    let mut corpora: BTreeMap<String, (BTreeSet<&str>, HashMap<&str, u64>)> = BTreeMap::new();
    for (target, inputs) in context.targets.iter().zip(&context.inputs) {
        for input in inputs {
            let (files, counts) = corpora
                .entry(corpus_of(&input.origin).to_owned())
                .or_default();
            files.insert(input.origin.split(':').next().unwrap_or(""));
            *counts.entry(target.name()).or_default() += 1;
        }
    }
    corpora
        .into_iter()
        .map(|(name, (files, counts))| {
            let mut counts: Vec<_> = counts.into_iter().collect();
            counts.sort_unstable();
            let counts: Vec<_> = counts
                .into_iter()
                .map(|(target, n)| format!("{n} {target} inputs"))
                .collect();
            Corpus {
                name,
                holds: format!("{} files: {}", files.len(), counts.join(", ")),
            }
        })
        .collect()
}

fn durations(totals: &Totals, context: &Context, wall: u64) -> serde_json::Value {
    let parts: Vec<_> = totals
        .tallies
        .iter()
        .map(|((target, kind, part), counts)| {
            serde_json::json!({
                "target": context.targets[*target].name(),
                "kind": crate::finding::Kind::ALL[usize::from(*kind)].name(),
                "part": part,
                "work_ms": counts.micros / 1000,
            })
        })
        .collect();
    serde_json::json!({ "wall_ms": wall, "threads": rayon::current_num_threads(), "parts": parts })
}
