//! `assay report`: work with reports.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::verify::save_inputs;
use super::{Exit, Failure, Outcome, output};
use crate::report::{merge, model, text, write};

/// Subcommands of `assay report`.
#[derive(Debug, Subcommand)]
pub(super) enum Report {
    /// Join the reports of all shards of a run
    Merge(Merge),
    /// Show a report's summary
    Show(Show),
    /// Print the JSON schema of report.json
    Schema,
}

/// Arguments of `assay report merge`.
#[derive(Debug, Args)]
pub(super) struct Merge {
    /// Reports: report.json files, or directories that hold one
    #[arg(required = true)]
    reports: Vec<PathBuf>,
    /// Directory of the joined report
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Print the joined report as JSON
    #[arg(long)]
    json: bool,
}

/// Arguments of `assay report show`.
#[derive(Debug, Args)]
pub(super) struct Show {
    /// A report.json file, or a directory that holds one
    report: PathBuf,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

impl Report {
    pub(super) fn run(self) -> Outcome {
        match self {
            Self::Merge(arguments) => {
                let reports = arguments
                    .reports
                    .iter()
                    .map(|path| write::read(path))
                    .collect::<Result<Vec<_>, _>>()
                    .map_err(Failure::usage)?;
                let report = merge::merge(reports).map_err(Failure::usage)?;
                write::write(&report, &serde_json::Value::Null, &arguments.out)?;
                save_inputs(&report, &arguments.out)?;
                show(&report, arguments.json)
            }
            Self::Schema => {
                output::print_json(&schemars::schema_for!(model::Report))?;
                Ok(Exit::Agree)
            }
            Self::Show(arguments) => {
                let report = write::read(&arguments.report).map_err(Failure::usage)?;
                show(&report, arguments.json)
            }
        }
    }
}

fn show(report: &model::Report, json: bool) -> Outcome {
    if json {
        output::print_json(report)?;
    } else {
        output::print(&text::summary(report, output::colour()))?;
    }
    if report.judged() == 0 {
        return Err(anyhow::anyhow!("nothing was judged: this report proves nothing").into());
    }
    Ok(match report.verdict {
        model::Verdict::Agree => Exit::Agree,
        model::Verdict::Findings => Exit::Findings,
    })
}
