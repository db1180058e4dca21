//! Fields in a flat buffer.

use crate::Kind;
use crate::value::Value;
use crate::vocabulary::{FieldId, SymbolId, Vocabulary};

/// Which part of an input a field belongs to: the whole, or one numbered part (a slot, a block).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Section(u32);

impl Section {
    /// The input as a whole.
    pub const WHOLE: Self = Self(0);

    /// Part number `n`.
    pub fn part(n: u32) -> Self {
        Self(n.saturating_add(1))
    }

    /// The number of the part, or nothing for the whole.
    pub fn number(self) -> Option<u32> {
        self.0.checked_sub(1)
    }
}

/// One field: where, which, and its value in 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The part of the input.
    pub section: Section,
    /// The field.
    pub field: FieldId,
    /// Whether the specification leaves this value open: it is then not compared.
    pub poisoned: bool,
    /// Whether the value is text or bytes in the record's own store.
    pub stored: bool,
    /// The index where the field's path has `[]`, otherwise 0.
    pub item: u32,
    /// The value. An integer or float bits as they are, a symbol as `code << 32 | name`, text and bytes as
    /// `start << 32 | length` in the record's own store.
    pub raw: u64,
}

impl Entry {
    /// What entries are ordered by.
    pub fn key(&self) -> (Section, FieldId, u32) {
        (self.section, self.field, self.item)
    }
}

/// Fields of one accepted input, in the order of [`Entry::key`] once sealed.
#[derive(Clone, Debug, Default)]
pub struct Record {
    entries: Vec<Entry>,
    store: Vec<u8>,
    section: Section,
    /// Place and item of the entry that was added last, as numbers that order like its key.
    last: (u64, u32),
    /// Whether some entry came before its place.
    disordered: bool,
}

impl Default for Section {
    fn default() -> Self {
        Self::WHOLE
    }
}

impl Record {
    /// An empty record.
    pub fn new() -> Self {
        Self::default()
    }

    /// Empties it and keeps its buffers.
    #[inline]
    pub fn clear(&mut self) {
        self.entries.clear();
        self.store.clear();
        self.section = Section::WHOLE;
        self.last = (0, 0);
        self.disordered = false;
    }

    /// Puts the following fields into this part of the input.
    #[inline]
    pub fn enter(&mut self, section: Section) {
        self.section = section;
    }

    #[inline]
    fn push(&mut self, field: FieldId, item: u32, raw: u64) {
        let section = self.section;
        // Kept up here, where it costs next to nothing, so that sealing costs nothing for a writer that follows the order.
        let place = u64::from(section.0) << 32 | field.index() as u64;
        self.disordered |= (place, item) < self.last;
        self.last = (place, item);
        self.entries.push(Entry {
            section,
            field,
            poisoned: false,
            stored: false,
            item,
            raw,
        });
    }

    /// Adds an unsigned field.
    #[inline]
    pub fn unsigned(&mut self, field: FieldId, value: u64) {
        self.push(field, 0, value);
    }

    /// Adds a signed field.
    #[inline]
    pub fn signed(&mut self, field: FieldId, value: i64) {
        self.push(field, 0, value as u64);
    }

    /// Adds a 32-bit float by its bits.
    #[inline]
    pub fn float(&mut self, field: FieldId, bits: u32) {
        self.push(field, 0, u64::from(bits));
    }

    /// Adds a symbol: the number in the input, and its name.
    #[inline]
    pub fn symbol(&mut self, field: FieldId, code: u32, name: SymbolId) {
        self.push(field, 0, u64::from(code) << 32 | u64::from(name.index()));
    }

    /// Adds an element of an unsigned array field.
    #[inline]
    pub fn unsigned_item(&mut self, field: FieldId, item: u32, value: u64) {
        self.push(field, item, value);
    }

    /// Adds an element of a symbol array field.
    #[inline]
    pub fn symbol_item(&mut self, field: FieldId, item: u32, code: u32, name: SymbolId) {
        self.push(field, item, u64::from(code) << 32 | u64::from(name.index()));
    }

    /// Adds bytes, or text by its UTF-8 bytes; `item` is 0 unless the field is an array.
    pub fn bytes_item(&mut self, field: FieldId, item: u32, bytes: &[u8]) {
        let start = self.store.len() as u64;
        self.store.extend_from_slice(bytes);
        self.push(field, item, start << 32 | bytes.len() as u64);
        if let Some(last) = self.entries.last_mut() {
            last.stored = true;
        }
    }

    /// Marks the field that was added last as left open by the specification.
    pub fn poison_last(&mut self) {
        if let Some(last) = self.entries.last_mut() {
            last.poisoned = true;
        }
    }

    /// Brings the entries into canonical order. Costs nothing when they already are, as a writer that follows the
    /// vocabulary leaves them.
    #[inline]
    pub fn seal(&mut self) {
        if self.disordered {
            self.entries.sort_by_key(Entry::key);
            self.disordered = false;
        }
    }

    /// The fields.
    #[inline]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// All text and bytes of the record, one behind the other.
    #[inline]
    pub fn store(&self) -> &[u8] {
        &self.store
    }

    /// The bytes of a text or bytes field of this record.
    pub fn stored(&self, entry: &Entry) -> &[u8] {
        let (start, length) = ((entry.raw >> 32) as usize, entry.raw as u32 as usize);
        self.store.get(start..start + length).unwrap_or(&[])
    }

    /// A field's value, rendered with its vocabulary.
    pub fn value(&self, entry: &Entry, vocabulary: &Vocabulary) -> Value {
        match vocabulary.field(entry.field).kind {
            Kind::Unsigned => Value::Unsigned(entry.raw),
            Kind::Signed => Value::Signed(entry.raw as i64),
            Kind::Float => Value::Float(entry.raw as u32),
            Kind::Symbol => Value::Symbol {
                code: (entry.raw >> 32) as u32,
                name: vocabulary
                    .symbol_name(SymbolId::from_index(entry.raw as u32))
                    .to_owned(),
            },
            Kind::Text => Value::Text(String::from_utf8_lossy(self.stored(entry)).into_owned()),
            Kind::Bytes => Value::Bytes(self.stored(entry).to_vec()),
        }
    }

    /// The entry of that place, if the record has it.
    pub fn find(&self, section: Section, field: FieldId, item: u32) -> Option<&Entry> {
        self.entries
            .binary_search_by_key(&(section, field, item), Entry::key)
            .ok()
            .map(|at| &self.entries[at])
    }
}
