//! The oracle: one unit of the target at a time.

use std::sync::Arc;

use corpora::{Implementation, OptionError, Options, Outcome, Vocabulary};

use super::Tables;
use super::acceptance::LayoutRules;
use super::commands::CommandRules;
use super::draw::DrawRules;
use super::fixed::Immediate;
use super::input::{Bytes, Rejection};
use super::report::DrawReport;
use super::request::RequestRules;
use super::selection::SelectionRules;
use super::vertices::Vertices;
use crate::table::TableError;

/// What an input is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Decode,
    Indexed,
    State,
}

impl Unit {
    const ALL: [(&str, Self); 3] = [
        ("decode", Self::Decode),
        ("indexed", Self::Indexed),
        ("state", Self::State),
    ];
}

/// The oracle of the `pica` target. Without options it takes requests of the unit `decode`.
///
/// It never panics and takes time in proportion to the input and to the vertices or draws that it answers with, which are
/// 4,096 at most. Zero bytes that a request says it has are not made.
#[derive(Clone, Debug)]
pub struct Oracle {
    unit: Unit,
    request: RequestRules,
    layout: LayoutRules,
    selection: SelectionRules,
    vertices: Vertices,
    commands: CommandRules,
    draw: DrawRules,
    report: DrawReport,
}

impl Oracle {
    /// An oracle of those tables, whose records are in that vocabulary. An error names the row that makes no sense, or
    /// whose path the vocabulary does not have.
    pub fn new(tables: &Tables, vocabulary: Arc<Vocabulary>) -> Result<Self, TableError> {
        Ok(Self {
            unit: Unit::Decode,
            request: RequestRules::read(tables)?,
            layout: LayoutRules::read(tables)?,
            selection: SelectionRules::read(tables)?,
            vertices: Vertices::read(tables, &vocabulary)?,
            commands: CommandRules::read(tables)?,
            draw: DrawRules::read(tables)?,
            report: DrawReport::read(tables, &vocabulary)?,
        })
    }

    /// A request: every rule, and only then the vertices.
    fn request(&self, input: &[u8], indexed: bool, outcome: &mut Outcome) -> Result<(), Rejection> {
        let request = self.request.request(input, indexed)?;
        let layout = self.layout.layout(&request)?;
        let selected = self.selection.vertices(&request, &layout)?;
        let record = &mut outcome.record;
        self.vertices.report(&request, &layout, &selected, record);
        Ok(())
    }

    /// A command list: each draw as it comes.
    fn state(&self, input: &[u8], outcome: &mut Outcome) -> Result<Option<Immediate>, Rejection> {
        let record = &mut outcome.record;
        self.commands.run(Bytes::stored(input), |draw, state| {
            self.report.draw(&self.draw.resolve(draw, state), record);
        })
    }
}

impl Implementation for Oracle {
    fn name(&self) -> &str {
        "pica oracle"
    }

    fn select(&mut self, options: &Options) -> Result<(), OptionError> {
        self.unit = Unit::Decode;
        for (name, value) in options.iter() {
            let unit = Unit::ALL
                .iter()
                .find(|unit| (name, value) == ("unit", unit.0));
            let (_, unit) = unit.ok_or_else(|| OptionError {
                name: name.to_owned(),
                value: value.to_owned(),
                allowed: "unit=decode, unit=indexed, unit=state".to_owned(),
            })?;
            self.unit = *unit;
        }
        Ok(())
    }

    fn answer(&mut self, input: &[u8], outcome: &mut Outcome) {
        let answer = match self.unit {
            Unit::Decode => self.request(input, false, outcome).map(|()| None),
            Unit::Indexed => self.request(input, true, outcome).map(|()| None),
            Unit::State => self.state(input, outcome),
        };
        match answer {
            Err(rejection) => outcome.reject(rejection.class, rejection.offset as usize),
            Ok(Some(Immediate)) => outcome.unsupported("vertices in immediate mode"),
            Ok(None) => outcome.accept(input.len()),
        }
    }
}
