//! The field paths of the target.

use corpora::{Evidence, Field, Kind, Vocabulary};

use super::Tables;
use super::instructions::UNKNOWN;
use crate::table::TableError;

/// The name of the only DMA opcode that is known.
pub(super) const SEND: &str = "SEND";

/// The vocabulary of the target: fields in the order of `paths.tsv`, and the names of instructions.
///
/// Instructions of a stream are sections, `insn[n].op`; the one instruction of the units `word` and `instruction` is
/// `insn.op`. No field has bits, for a path is that of a word's field in several instructions.
pub fn vocabulary(tables: &Tables) -> Result<Vocabulary, TableError> {
    let mut vocabulary = Vocabulary::new("igc", "insn");
    for row in tables.paths.rows() {
        let kind = row.text("kind");
        let field = Field {
            path: row.text("path").to_owned(),
            kind: Kind::from_name(kind).ok_or_else(|| row.fault(format!("no kind {kind:?}")))?,
            bits: None,
            source: row.text("source").to_owned(),
            // One set of notes that only samples support.
            evidence: Evidence::Inferred,
            sources: 1,
        };
        let added = vocabulary.add(field);
        added.map_err(|error| row.fault(error.to_string()))?;
    }
    for row in tables.instructions.rows() {
        vocabulary.intern(row.text("name"));
    }
    vocabulary.intern(UNKNOWN);
    vocabulary.intern(SEND);
    Ok(vocabulary)
}
