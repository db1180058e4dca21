//! `assay verify`: run the checks and write a report.

use std::fs;
use std::io::{IsTerminal, stderr};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};

use super::{Exit, Failure, Outcome, output};
use crate::context::Settings;
use crate::engines::{self, Choice};
use crate::finding::Kind;
use crate::load::{self, Sources};
use crate::peers::{self, Policy};
use crate::plan::Mode;
use crate::report::model::{NotRun, Report, Verdict};
use crate::report::{text, write};
use crate::run::{self, Surroundings};

/// Arguments of `assay verify`.
#[derive(Debug, Args)]
pub(super) struct Verify {
    /// How much to do
    #[arg(long, value_enum, default_value_t = Amount::Quick)]
    mode: Amount,
    /// Only this target: gfd, r700, pica, igc
    #[arg(long, value_name = "T")]
    target: Option<String>,
    /// Only this kind of check; may be given several times
    #[arg(long = "kind", value_enum, value_name = "K")]
    kinds: Vec<KindName>,
    /// Only golden cases whose id contains this
    #[arg(long, value_name = "ID")]
    case: Option<String>,
    /// A directory of more inputs (.gsh, .gtx, .rpx, programs.jsonl …); may be given several times
    #[arg(long = "corpus", value_name = "DIR")]
    corpora: Vec<PathBuf>,
    /// The project's own cases and inputs [default: ./testdata, or the one in a directory above]
    #[arg(long, value_name = "DIR")]
    testdata: Option<PathBuf>,
    /// The seed of everything generated: the same seed gives the same report
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Run part K of N only
    #[arg(long, value_name = "K/N", value_parser = shard)]
    shard: Option<(u64, u64)>,
    /// Whether outside programs are asked for a third opinion
    #[arg(long, value_enum, default_value_t = Policy::Auto)]
    peers: Policy,
    /// What runs translations [default: all, in smoke mode embedded]
    #[arg(long, value_enum)]
    engines: Option<Choice>,
    /// Directory of the report
    #[arg(long, default_value = "reports/latest", value_name = "DIR")]
    out: PathBuf,
    /// Print the report as JSON instead of a summary
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Amount {
    /// A second or two
    Smoke,
    /// Under a minute
    Quick,
    /// All values of the main chip's 64-bit units' fields, 10^9 random words of each of these units
    Full,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum KindName {
    Golden,
    Property,
    Differential,
    Sweep,
    Execution,
}

impl KindName {
    fn kind(self) -> Kind {
        match self {
            Self::Golden => Kind::Golden,
            Self::Property => Kind::Property,
            Self::Differential => Kind::Differential,
            Self::Sweep => Kind::Sweep,
            Self::Execution => Kind::Execution,
        }
    }
}

fn shard(text: &str) -> Result<(u64, u64), String> {
    let parts = text
        .split_once('/')
        .and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    match parts {
        Some((k, n)) if k >= 1 && k <= n => Ok((k, n)),
        _ => Err("not K/N with 1 <= K <= N".to_owned()),
    }
}

impl Verify {
    pub(super) fn run(self) -> Outcome {
        if let Some(target) = &self.target {
            load::targets(Some(target)).map_err(Failure::usage)?;
        }
        clear(&self.out).with_context(|| format!("an earlier report in {}", self.out.display()))?;
        let testdata = match &self.testdata {
            Some(dir) => dir.clone(),
            None => load::find_testdata()?,
        };
        let settings = Settings {
            mode: match self.mode {
                Amount::Smoke => Mode::Smoke,
                Amount::Quick => Mode::Quick,
                Amount::Full => Mode::Full,
            },
            seed: self.seed,
            kinds: self.kinds.iter().map(|kind| kind.kind()).collect(),
            case: self.case.clone(),
            shard: self.shard,
        };
        let sources = Sources {
            testdata: testdata.clone(),
            corpora: self.corpora.clone(),
            target: self.target.clone(),
        };
        let (mut context, passed_over) = load::context(settings, &sources)?;
        let errata = load::errata(&testdata, &context.targets)?;
        let mut peers = peers::look(self.peers, &context.targets, &mut context.inputs);
        if context.settings.wants_kind(Kind::Execution) && !context.execution.is_empty() {
            let engines = engines::look(self.peers, self.engines());
            peers.listed.extend(engines.listed);
            peers.missing.extend(engines.missing);
            context.execution.judges = engines.judges.map_err(|error| anyhow!(error))?;
        }
        if self.peers == Policy::Require && !peers.missing.is_empty() {
            let missing: Vec<_> = peers
                .missing
                .iter()
                .map(|m| format!("{}: {}", m.what, m.reason))
                .collect();
            let error = anyhow!("a required peer is missing: {}", missing.join("; "));
            return Err(Failure {
                exit: Exit::Peer,
                error,
            });
        }
        let mut not_run = peers.missing;
        not_run.extend(passed_over);
        not_run.extend(self.left_out());
        let surroundings = Surroundings {
            errata,
            peers: peers.listed,
            not_run,
            filters: self.filters(),
        };
        let bar = progress();
        let done = run::run(&context, surroundings, &|at, of| {
            bar.set_length(of as u64);
            bar.set_position(at as u64);
        });
        bar.finish_and_clear();
        let report = done.report;
        if report.judged() == 0 {
            return Err(anyhow!(
                "nothing was run: no case, input or unit matches the filters{}",
                if report.filters.is_empty() {
                    String::new()
                } else {
                    format!(" {}", report.filters.join(" "))
                }
            )
            .into());
        }
        let save = |error| anyhow!("cannot write the report to {}: {error}", self.out.display());
        write::write(&report, &done.durations, &self.out).map_err(save)?;
        save_inputs(&report, &self.out).map_err(|error| save(std::io::Error::other(error)))?;
        if self.json {
            output::print_json(&report)?;
        } else {
            let place = format!("report: {}\n", self.out.join("report.html").display());
            output::print(&(text::summary(&report, output::colour()) + &place))?;
        }
        Ok(match report.verdict {
            Verdict::Agree => Exit::Agree,
            Verdict::Findings => Exit::Findings,
        })
    }

    fn filters(&self) -> Vec<String> {
        let mut filters = Vec::new();
        filters.extend(self.target.iter().map(|target| format!("target={target}")));
        filters.extend(
            self.kinds
                .iter()
                .map(|kind| format!("kind={}", kind.kind().name())),
        );
        filters.extend(self.case.iter().map(|case| format!("case={case}")));
        filters
    }

    /// What runs translations: a driver compiles each of them, which is too much for a second or two.
    fn engines(&self) -> Choice {
        self.engines.unwrap_or(match self.mode {
            Amount::Smoke => Choice::Embedded,
            Amount::Quick | Amount::Full => Choice::All,
        })
    }

    /// What this run leaves out, beside peers.
    fn left_out(&self) -> Vec<NotRun> {
        let entry = |what: &str, reason: &str| NotRun {
            what: what.to_owned(),
            reason: reason.to_owned(),
        };
        let mut left = Vec::new();
        if self.corpora.is_empty() {
            left.push(entry(
                "corpora beside testdata",
                "none was named with --corpus DIR",
            ));
        }
        if !matches!(self.mode, Amount::Full) {
            left.push(entry(
                "10^9 random words of each 64-bit unit",
                "this mode takes fewer; --mode full takes them",
            ));
        }
        left.push(entry(
            "containers that the search misses in executables and other files",
            "only the tests of the gfd library judge its search",
        ));
        if !self.kinds.is_empty() || self.case.is_some() || self.target.is_some() {
            left.push(entry(
                "everything else",
                "left out by --target, --kind or --case",
            ));
        }
        let vulkan = match (self.engines(), self.peers) {
            (Choice::Embedded, _) => Some("--engines all runs them there too"),
            (Choice::All, Policy::None) => Some("switched off by --peers none"),
            (Choice::All, _) => None,
        };
        if let Some(reason) = vulkan {
            left.push(entry("translations on a Vulkan device", reason));
        }
        left.push(entry(
            "fault score",
            "the catalogue of faults is not part of this version",
        ));
        left
    }
}

/// Inputs that a replay line names by file, since they are too long to spell out.
pub(super) fn save_inputs(report: &Report, out: &Path) -> anyhow::Result<()> {
    let dir = out.join(FINDINGS);
    for finding in &report.findings {
        if finding.replay.ends_with(".bin") {
            fs::create_dir_all(&dir)?;
            let bytes = corpora::hex::bytes(&finding.hex).context("a finding's hex")?;
            fs::write(dir.join(format!("{}.bin", finding.id)), bytes)?;
        }
    }
    Ok(())
}

/// Where those inputs are, in the report's directory.
const FINDINGS: &str = "findings";

/// Takes an earlier report away, so that a run that fails does not leave one that looks like its own. Only files that a run
/// writes are touched.
fn clear(out: &Path) -> std::io::Result<()> {
    let gone = |result: std::io::Result<()>| match result {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        result => result,
    };
    for name in write::FILES {
        gone(fs::remove_file(out.join(name)))?;
    }
    let dir = out.join(FINDINGS);
    for entry in fs::read_dir(&dir).into_iter().flatten() {
        let path = entry?.path();
        let ours = path.extension().is_some_and(|ending| ending == "bin")
            && path
                .file_stem()
                .is_some_and(|name| is_finding(&name.to_string_lossy()));
        if ours {
            fs::remove_file(path)?;
        }
    }
    // Stays if something else is in it.
    let _ = fs::remove_dir(&dir);
    Ok(())
}

/// Whether a name is that of a finding: target, kind, eight hex digits.
fn is_finding(name: &str) -> bool {
    let parts: Vec<&str> = name.split('-').collect();
    let hex = |text: &str| text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    matches!(parts[..], [_, kind, id] if Kind::from_name(kind).is_some() && hex(id))
}

/// A bar on a terminal, nothing elsewhere.
fn progress() -> ProgressBar {
    if !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(0);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} jobs, {eta} left") {
        bar.set_style(style);
    }
    bar
}
