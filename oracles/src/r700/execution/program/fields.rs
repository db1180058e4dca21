//! The oracle's record of a program, read by the paths of the contract.

use corpora::{Entry, Record, SymbolId, Vocabulary};

use super::ProgramError;

/// A decoded program as fields.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a> {
    pub(super) record: &'a Record,
    pub(super) vocabulary: &'a Vocabulary,
}

impl<'a> Fields<'a> {
    /// Every slot that has fields, ascending.
    pub(super) fn slots(self) -> impl Iterator<Item = Slot<'a>> {
        let entries = self.record.entries();
        let slots = entries.chunk_by(|one, next| one.section == next.section);
        slots.filter_map(move |entries| {
            Some(Slot {
                vocabulary: self.vocabulary,
                entries,
                number: entries.first()?.section.number()?,
            })
        })
    }
}

/// The fields of one slot.
#[derive(Clone, Copy)]
pub(super) struct Slot<'a> {
    vocabulary: &'a Vocabulary,
    /// In the order of fields.
    entries: &'a [Entry],
    /// Its number.
    pub(super) number: u32,
}

impl<'a> Slot<'a> {
    fn raw(&self, path: &str) -> Result<Option<u64>, ProgramError> {
        let id = self.vocabulary.id(path);
        let id = id.map_err(|_| ProgramError::Vocabulary {
            path: path.to_owned(),
        })?;
        let at = self.entries.binary_search_by_key(&id, |entry| entry.field);
        Ok(at.ok().map(|at| self.entries[at].raw))
    }

    /// A number; 0 if the layout does not have the field.
    pub(super) fn number(&self, path: &str) -> Result<u32, ProgramError> {
        Ok(self.raw(path)?.unwrap_or_default() as u32)
    }

    /// A signed number; 0 if the layout does not have the field.
    pub(super) fn signed(&self, path: &str) -> Result<i32, ProgramError> {
        Ok(self.raw(path)?.unwrap_or_default() as i64 as i32)
    }

    /// A flag; clear if the layout does not have it.
    pub(super) fn flag(&self, path: &str) -> Result<bool, ProgramError> {
        Ok(self.raw(path)?.unwrap_or_default() != 0)
    }

    /// Whether the layout has the field.
    pub(super) fn has(&self, path: &str) -> Result<bool, ProgramError> {
        Ok(self.raw(path)?.is_some())
    }

    /// The number of a symbol.
    pub(super) fn code(&self, path: &str) -> Result<u32, ProgramError> {
        Ok((self.raw(path)?.unwrap_or_default() >> 32) as u32)
    }

    /// The name of a symbol; empty if the layout does not have the field.
    pub(super) fn name(&self, path: &str) -> Result<&'a str, ProgramError> {
        Ok(match self.raw(path)? {
            Some(raw) => self
                .vocabulary
                .symbol_name(SymbolId::from_index(raw as u32)),
            None => "",
        })
    }

    /// The name of a symbol where it has one, else its number.
    pub(super) fn spelled(&self, path: &str) -> Result<String, ProgramError> {
        let name = self.name(path)?;
        Ok(if name == RESERVED {
            format!("reserved {}", self.code(path)?)
        } else {
            name.to_owned()
        })
    }
}

/// The name of a number without one.
pub(super) const RESERVED: &str = "reserved";
