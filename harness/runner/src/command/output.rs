//! Where commands write: standard output that may be a closed pipe, one line of complaint on standard error.

use std::io::{self, IsTerminal, Write};

/// Writes text to standard output. A reader that went away has seen enough: that is no fault, and changes nothing of how
/// the command ends.
pub(super) fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// Writes a value as JSON to standard output.
pub(super) fn print_json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    let mut text = serde_json::to_string_pretty(value)?;
    text.push('\n');
    Ok(print(&text)?)
}

/// Whether standard output is a terminal that may be coloured.
pub(super) fn colour() -> bool {
    io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// Says something beside the output, in one line.
pub(super) fn note(text: &str) {
    let _ = writeln!(io::stderr(), "assay: note: {}", printable(text));
}

/// Text without control characters: names in a file are not to move a terminal's cursor or forge a line.
pub(super) fn printable(text: &str) -> String {
    text.replace(|c: char| c.is_control(), "\u{fffd}")
}

/// Says an error in one line.
pub(super) fn complain(error: &anyhow::Error) {
    let line = format!("{error:#}").trim_end().replace('\n', "\n  ");
    let _ = writeln!(io::stderr(), "assay: {line}");
}
