//! Rows of the field table as values, and the vocabulary that they define.

use corpora::{Bits, Evidence, Field, Kind, Vocabulary};

use super::{Chip, Tables};
use crate::table::{Row, TableError};

/// What the bits of a row are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// They are (part of) a field.
    Field,
    /// The field is what no other row of the layout covers.
    Rest,
    /// The field is the layout itself.
    Format,
    /// The field has no bits: the walk of a program sets it.
    Walk,
    /// They are no field; they decide the layout.
    Select,
}

/// A place in the words of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The word.
    pub(super) word: u32,
    /// Its lowest bit there.
    pub(super) lo: u32,
    /// How many bits.
    pub(super) width: u32,
    /// Where its lowest bit goes in the value.
    pub(super) shift: u32,
}

impl Place {
    /// The place counted from bit 0 of word 0.
    pub(super) fn bits(self) -> Bits {
        Bits {
            low: (32 * self.word + self.lo) as u16,
            width: self.width as u16,
        }
    }

    /// The bits in their word.
    pub(super) fn mask(self) -> u32 {
        (u64::MAX >> (64 - self.width) << self.lo) as u32
    }
}

/// A row of `fields.tsv`.
#[derive(Clone, Copy, Debug)]
pub(super) struct FieldRow<'a> {
    /// The row, for messages.
    pub(super) row: Row<'a>,
    pub(super) role: Role,
    pub(super) kind: Kind,
    /// None for roles without bits, and for a layout that all words have.
    pub(super) place: Option<Place>,
}

/// Words of the longest unit.
pub(super) const WORDS: usize = 4;

/// Words of a unit: a fetch takes two slots, everything else one.
pub(super) fn words_of(unit: &str) -> u32 {
    match unit {
        "cf" | "alu" | "literal" => 2,
        _ => 4,
    }
}

impl<'a> FieldRow<'a> {
    fn read(row: Row<'a>) -> Result<Self, TableError> {
        let role = match row.text("role") {
            "field" => Role::Field,
            "rest" => Role::Rest,
            "format" => Role::Format,
            "walk" => Role::Walk,
            "select" => Role::Select,
            other => return Err(row.fault(format!("no role {other:?}"))),
        };
        let kind = match Kind::from_name(row.text("kind")) {
            Some(kind @ (Kind::Unsigned | Kind::Signed | Kind::Symbol)) => kind,
            _ => return Err(row.fault(format!("no kind {:?} of bits", row.text("kind")))),
        };
        let place = match role {
            Role::Format | Role::Walk => None,
            Role::Select if row.text("word") == "-" => None,
            Role::Field | Role::Rest | Role::Select => Some(Self::place(row)?),
        };
        Ok(Self {
            row,
            role,
            kind,
            place,
        })
    }

    fn place(row: Row<'_>) -> Result<Place, TableError> {
        let place = Place {
            word: row.number("word")?,
            lo: row.number("lo")?,
            width: row.number("width")?,
            shift: row.number("shift")?,
        };
        let inside = place.word < words_of(row.text("unit"))
            && (1..=32).contains(&place.width)
            && place.lo <= 32 - place.width
            && place.shift <= 64 - place.width;
        if inside {
            Ok(place)
        } else {
            Err(row.fault("it is not inside the words of its unit"))
        }
    }

    /// Whether the row belongs to that layout.
    pub(super) fn in_format(&self, format: &str) -> bool {
        let formats = self.row.text("format");
        formats == "*" || formats.split(',').any(|one| one == format)
    }

    /// The dotted path of its field.
    pub(super) fn path(&self) -> &'a str {
        self.row.text("path")
    }
}

/// Whether a cell of chips has this one.
pub(super) fn has_chip(cell: &str, chip: Chip) -> bool {
    cell == "*" || cell == chip.name()
}

/// All rows of the field table.
pub(super) fn field_rows(tables: &Tables) -> Result<Vec<FieldRow<'_>>, TableError> {
    tables.fields.rows().map(FieldRow::read).collect()
}

/// The fields of the target, in the order of their rows, and all names of the tables as symbols.
///
/// A field that stands in different places in different layouts, or in two pieces, has no bits. Where the chips differ,
/// bits and source are those of R700.
pub fn vocabulary(tables: &Tables) -> Result<Vocabulary, TableError> {
    let rows = field_rows(tables)?;
    let mut vocabulary = Vocabulary::new("r700", "slot");
    for row in rows.iter().filter(|row| row.role != Role::Select) {
        let path = row.path();
        if vocabulary.id(path).is_ok() {
            continue;
        }
        let same = || {
            rows.iter()
                .filter(move |other| other.role != Role::Select && other.path() == path)
        };
        let of_r700: Vec<_> = same()
            .filter(|row| has_chip(row.row.text("chip"), Chip::R700))
            .collect();
        let chosen = if of_r700.is_empty() {
            same().collect()
        } else {
            of_r700
        };
        let first = chosen.first().copied().unwrap_or(row);
        let field = Field {
            path: path.to_owned(),
            kind: row.kind,
            bits: one_place(&chosen),
            source: first.row.text("source").to_owned(),
            evidence: Evidence::from_name(first.row.text("evidence"))
                .ok_or_else(|| first.row.fault("no such evidence"))?,
            sources: u8::try_from(first.row.number("sources")?)
                .map_err(|_| first.row.fault("more sources than can be"))?,
        };
        vocabulary
            .add(field)
            .map_err(|error| row.row.fault(error.to_string()))?;
    }
    for row in tables.opcodes.rows().chain(tables.enums.rows()) {
        vocabulary.intern(row.text("name"));
    }
    Ok(vocabulary)
}

/// The place of these rows, if they have one and the same.
fn one_place(rows: &[&FieldRow<'_>]) -> Option<Bits> {
    let bits = |row: &FieldRow<'_>| match row.role {
        Role::Field => row.place.map(Place::bits),
        _ => None,
    };
    let first = bits(rows.first()?)?;
    rows.iter()
        .all(|row| bits(row) == Some(first))
        .then_some(first)
}
