//! The command line.

mod fields;
mod gfd;
mod igc;
mod input;
mod output;
mod pica;
mod r700;
mod replay;
mod report;
mod values;
mod verify;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::guard;

/// Holds decoders of GPU binaries against independent oracles, and says how far to trust them.
#[derive(Debug, Parser)]
#[command(version, about, max_term_width = 100, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  all agree
  1  findings
  2  usage, or input that is not what it should be
  3  the harness itself failed: nothing matched, a corpus is missing, output cannot be written;
     or nothing could be decided, since the specification leaves every answer open
  4  a required peer or engine is missing";

#[derive(Debug, Subcommand)]
enum Command {
    /// Run golden, property, differential, sweep and execution checks, and write a report
    Verify(verify::Verify),
    /// Show what decoder and oracle say of one input
    Replay(replay::Replay),
    /// Print a target's vocabulary: each field with its type, bits, evidence and source
    Fields(fields::Fields),
    /// Work with reports
    #[command(subcommand)]
    Report(report::Report),
    /// Look into Wii U GFD containers
    #[command(subcommand)]
    Gfd(gfd::Gfd),
    /// Look into R600/R700 microcode
    #[command(subcommand)]
    R700(r700::R700),
    /// Look into vertex fetches of the 3DS's PICA200
    #[command(subcommand)]
    Pica(pica::Pica),
    /// Look into words of the IGC of Pixel-Planes 5
    #[command(subcommand)]
    Igc(igc::Igc),
}

/// Why a command ends, as its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exit {
    /// All agree; the command did what it was asked.
    Agree,
    /// Something disagrees.
    Findings,
    /// The arguments, or the input, are not what they should be.
    Usage,
    /// Nothing could be decided: whatever was compared is open.
    Undecided,
    /// The harness itself failed.
    Harness,
    /// A required peer or engine is missing.
    Peer,
}

impl Exit {
    /// Of several ends the one that the whole ends with: a finding is certain, and goes before what kept others from being
    /// judged.
    fn worst(all: impl IntoIterator<Item = Self>) -> Self {
        let order = [
            Self::Findings,
            Self::Usage,
            Self::Harness,
            Self::Peer,
            Self::Undecided,
        ];
        let all: Vec<_> = all.into_iter().collect();
        let found = order.into_iter().find(|exit| all.contains(exit));
        found.unwrap_or(Self::Agree)
    }
}

/// An error with the exit code that it leads to.
#[derive(Debug)]
struct Failure {
    exit: Exit,
    error: anyhow::Error,
}

impl Failure {
    fn usage(error: impl Into<anyhow::Error>) -> Self {
        Self {
            exit: Exit::Usage,
            error: error.into(),
        }
    }
}

/// An error without more is the harness's own.
impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self {
            exit: Exit::Harness,
            error: error.into(),
        }
    }
}

type Outcome = Result<Exit, Failure>;

/// Runs the program with the process's arguments.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are no errors; clap knows where each is printed.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    guard::install();
    let exit = match guard::catch_loud(|| run(cli.command)) {
        Ok(Ok(exit)) => exit,
        Ok(Err(failure)) => {
            output::complain(&failure.error);
            failure.exit
        }
        // It has printed what and where already.
        Err(_) => Exit::Harness,
    };
    ExitCode::from(match exit {
        Exit::Agree => 0,
        Exit::Findings => 1,
        Exit::Usage => 2,
        Exit::Undecided | Exit::Harness => 3,
        Exit::Peer => 4,
    })
}

fn run(command: Command) -> Outcome {
    match command {
        Command::Verify(verify) => verify.run(),
        Command::Replay(replay) => replay.run(),
        Command::Fields(fields) => fields.run(),
        Command::Report(report) => report.run(),
        Command::Gfd(gfd) => gfd.run(),
        Command::R700(r700) => r700.run(),
        Command::Pica(pica) => pica.run(),
        Command::Igc(igc) => igc.run(),
    }
}
