//! Another emulator's trace against the reference interpreter's.
//!
//! Both are JSON lines as the contract has them. Records are compared in order, of each kind that the other trace has at
//! all; of a record everything that it has. The reference's trace is compared as it is written and not kept.

mod read;
mod record;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::io;
use std::rc::Rc;

use oracles::r700::execution::{
    ControlRecord, ExportRecord, FetchRecord, GroupRecord, Observer, Origin, TraceWriter,
};
use serde_json::Value as Json;

pub use read::OtherTrace;

use super::compare::Verdict;
use record::Counts;

/// Where two traces part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parting {
    /// The line of the other trace, from 1; 0 if it has ended.
    pub line: usize,
    /// The slot, as the reference has it.
    pub slot: Option<u64>,
    /// `pv.x of lane 3`.
    pub what: String,
    /// What the reference says.
    pub reference: String,
    /// What the other says.
    pub other: String,
}

/// What a comparison found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Records that were compared.
    pub records: usize,
    /// Words that were.
    pub words: usize,
    /// Words of which the reference says that anything is possible.
    pub unknown: usize,
    /// The first difference.
    pub parting: Option<Parting>,
}

impl Compared {
    /// What it comes to. Where no word could be compared, nothing is decided.
    pub fn verdict(&self) -> Verdict {
        if self.parting.is_some() {
            Verdict::Differ
        } else if self.words > self.unknown {
            Verdict::Agree
        } else {
            Verdict::Undecided
        }
    }
}

/// Looks on at a run of the reference and holds each record against the other trace's.
pub struct Comparison<'a> {
    writer: TraceWriter<Lines<'a>>,
    state: Rc<RefCell<State<'a>>>,
}

impl<'a> Comparison<'a> {
    /// A comparison with a trace of as many lanes.
    pub fn new(other: &'a OtherTrace, lanes: usize) -> Self {
        let state = Rc::new(RefCell::new(State {
            other,
            next: 0,
            lost: 0,
            records: 0,
            counts: Counts::default(),
            parting: None,
        }));
        let lines = Lines {
            state: Rc::clone(&state),
            line: Vec::new(),
        };
        Self {
            writer: TraceWriter::new(lines, lanes),
            state,
        }
    }

    /// What was found, once the run has ended.
    pub fn finish(self) -> Compared {
        let mut state = self.state.borrow_mut();
        state.end();
        Compared {
            records: state.records,
            words: state.counts.words,
            unknown: state.counts.unknown,
            parting: state.parting.take(),
        }
    }

    fn note(&self, origin: Origin) {
        self.state.borrow_mut().lost = origin.lost;
    }
}

impl Observer for Comparison<'_> {
    fn group(&mut self, record: &GroupRecord<'_>) {
        self.note(record.origin);
        self.writer.group(record);
    }

    fn fetch(&mut self, record: &FetchRecord<'_>) {
        self.note(record.origin);
        self.writer.fetch(record);
    }

    fn export(&mut self, record: &ExportRecord<'_>) {
        self.note(record.origin);
        self.writer.export(record);
    }

    fn cf(&mut self, record: &ControlRecord<'_>) {
        self.note(record.origin);
        self.writer.cf(record);
    }
}

/// Takes the reference's trace apart into lines.
struct Lines<'a> {
    state: Rc<RefCell<State<'a>>>,
    line: Vec<u8>,
}

impl io::Write for Lines<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(part);
            if self.line.ends_with(b"\n") {
                let own: Json = serde_json::from_slice(&self.line)?;
                self.line.clear();
                let mut state = self.state.borrow_mut();
                state.take(&own)?;
                if state.parting.is_some() {
                    // The writer writes nothing more after an error.
                    return Err(io::Error::other("the traces part"));
                }
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct State<'a> {
    other: &'a OtherTrace,
    /// The next of the other's records.
    next: usize,
    /// The lanes that are lost in the reference's record.
    lost: u64,
    records: usize,
    counts: Counts,
    parting: Option<Parting>,
}

impl State<'_> {
    /// Takes a record of the reference.
    fn take(&mut self, own: &Json) -> io::Result<()> {
        // The first line has no kind.
        let kind = own["kind"].as_str().unwrap_or_default();
        if !self.other.kinds.contains(kind) {
            return Ok(());
        }
        let slot = own["slot"].as_u64();
        let Some((line, text)) = self.other.lines.get(self.next) else {
            self.parting = Some(Parting {
                line: 0,
                slot,
                what: "records".to_owned(),
                reference: named(own),
                other: "the end".to_owned(),
            });
            return Ok(());
        };
        let their: Json = serde_json::from_str(text)?;
        self.next += 1;
        self.records += 1;
        let says_killed = self.other.says_killed;
        let found = record::difference(own, &their, self.lost, says_killed, &mut self.counts);
        self.parting = found.map(|(what, reference, other)| Parting {
            line: *line,
            slot,
            what,
            reference: reference.to_string(),
            other: other.to_string(),
        });
        Ok(())
    }

    /// The reference has ended.
    fn end(&mut self) {
        if self.parting.is_some() {
            return;
        }
        if let Some((line, text)) = self.other.lines.get(self.next) {
            let their: Json = serde_json::from_str(text).unwrap_or_default();
            self.parting = Some(Parting {
                line: *line,
                slot: None,
                what: "records".to_owned(),
                reference: "the end".to_owned(),
                other: named(&their),
            });
        }
    }
}

fn named(record: &Json) -> String {
    let kind = record["kind"].as_str().unwrap_or_default();
    format!("{kind} at slot {}", record["slot"])
}
