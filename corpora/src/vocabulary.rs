//! The public vocabulary of a target: every field path with its type, bits and source.

use std::collections::HashMap;

use thiserror::Error;

use crate::Kind;
use crate::evidence::Evidence;
use crate::record::Section;

/// Index of a field in its vocabulary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldId(u16);

impl FieldId {
    /// The index.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Index of a name that a symbol field can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(u32);

impl SymbolId {
    /// The name of every number that has none.
    pub const RESERVED: Self = Self(0);

    /// The index.
    pub fn index(self) -> u32 {
        self.0
    }

    /// The name with that index.
    pub fn from_index(index: u32) -> Self {
        Self(index)
    }
}

/// Where a field stands in its unit, for display and for sweeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bits {
    /// Lowest bit, counted from bit 0 of word 0 through all words of the unit.
    pub low: u16,
    /// How many bits.
    pub width: u16,
}

/// One field of a target.
#[derive(Clone, Debug)]
pub struct Field {
    /// Dotted path; `[]` in it stands for an index.
    pub path: String,
    /// Type.
    pub kind: Kind,
    /// Where it stands, if in one place.
    pub bits: Option<Bits>,
    /// Document and place that defines it.
    pub source: String,
    /// How it is known.
    pub evidence: Evidence,
    /// How many independent sources name it.
    pub sources: u8,
}

/// A fault of a vocabulary, or a path that it does not have.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum VocabularyError {
    /// Two fields with one path.
    #[error("field {0:?} is defined twice")]
    Duplicate(String),
    /// More fields than an index can count.
    #[error("more than {} fields", u16::MAX)]
    TooMany,
    /// A path that no field has.
    #[error("no field {path:?} in target {target}{}", nearest.as_ref().map(|near| format!("; is it {near:?}?")).unwrap_or_default())]
    Unknown {
        /// The path.
        path: String,
        /// The target.
        target: String,
        /// A field with a similar path.
        nearest: Option<String>,
    },
}

/// All fields of a target, and the names that its symbols can have.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    target: String,
    section: String,
    fields: Vec<Field>,
    by_path: HashMap<String, FieldId>,
    symbols: Vec<String>,
    by_name: HashMap<String, SymbolId>,
}

impl Vocabulary {
    /// An empty vocabulary. `section` is the word for a numbered part of an input: `slot`, `block`.
    pub fn new(target: &str, section: &str) -> Self {
        let mut vocabulary = Self {
            target: target.to_owned(),
            section: section.to_owned(),
            fields: Vec::new(),
            by_path: HashMap::new(),
            symbols: Vec::new(),
            by_name: HashMap::new(),
        };
        let reserved = vocabulary.intern("reserved");
        debug_assert_eq!(reserved, SymbolId::RESERVED);
        vocabulary
    }

    /// Adds a field at the end. Records are compared fastest when they are written in this order.
    pub fn add(&mut self, field: Field) -> Result<FieldId, VocabularyError> {
        let id = FieldId(u16::try_from(self.fields.len()).map_err(|_| VocabularyError::TooMany)?);
        if self.by_path.insert(field.path.clone(), id).is_some() {
            return Err(VocabularyError::Duplicate(field.path));
        }
        self.fields.push(field);
        Ok(id)
    }

    /// The index of a name, added if it is new.
    pub fn intern(&mut self, name: &str) -> SymbolId {
        if let Some(&id) = self.by_name.get(name) {
            return id;
        }
        let id = SymbolId(self.symbols.len() as u32);
        self.symbols.push(name.to_owned());
        self.by_name.insert(name.to_owned(), id);
        id
    }

    /// The index of a name that is already known.
    pub fn symbol_id(&self, name: &str) -> Option<SymbolId> {
        self.by_name.get(name).copied()
    }

    /// The name of a symbol.
    pub fn symbol_name(&self, id: SymbolId) -> &str {
        self.symbols.get(id.0 as usize).map_or("?", String::as_str)
    }

    /// The target's name.
    pub fn target(&self) -> &str {
        &self.target
    }

    /// The word for a numbered part of an input.
    pub fn section_word(&self) -> &str {
        &self.section
    }

    /// All fields in order.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// A field by its index.
    pub fn field(&self, id: FieldId) -> &Field {
        &self.fields[id.index()]
    }

    /// Indices of all fields in order.
    pub fn ids(&self) -> impl Iterator<Item = FieldId> {
        (0..self.fields.len() as u16).map(FieldId)
    }

    /// The index of the field with that path (`[]` for an index).
    pub fn id(&self, path: &str) -> Result<FieldId, VocabularyError> {
        self.by_path
            .get(path)
            .copied()
            .ok_or_else(|| VocabularyError::Unknown {
                path: path.to_owned(),
                target: self.target.clone(),
                nearest: self.nearest(path),
            })
    }

    fn nearest(&self, path: &str) -> Option<String> {
        // Same last word is what a person most often means.
        let last = path.rsplit('.').next()?;
        let candidates = || self.fields.iter().map(|field| field.path.as_str());
        candidates()
            .find(|known| known.rsplit('.').next() == Some(last))
            .or_else(|| candidates().find(|known| known.contains(last)))
            .map(str::to_owned)
    }

    /// The full path of a place: `slot[4].alu.op`, `block[1].uniform_var[0].name`, `alu.op`.
    pub fn render(&self, section: Section, field: FieldId, item: u32) -> String {
        let path = self
            .field(field)
            .path
            .replacen("[]", &format!("[{item}]"), 1);
        match section.number() {
            Some(number) => format!("{}[{number}].{path}", self.section),
            None => path,
        }
    }

    /// Reads a full path back into a place.
    pub fn resolve(&self, full: &str) -> Result<(Section, FieldId, u32), VocabularyError> {
        let unknown = || VocabularyError::Unknown {
            path: full.to_owned(),
            target: self.target.clone(),
            nearest: self.nearest(full),
        };
        let mut section = Section::WHOLE;
        let mut path = full;
        if let Some(rest) = full
            .strip_prefix(&self.section)
            .and_then(|rest| rest.strip_prefix('['))
        {
            let (number, rest) = rest.split_once("].").ok_or_else(unknown)?;
            section = Section::part(number.parse().map_err(|_| unknown())?);
            path = rest;
        }
        let (generic, item) = match path.split_once('[') {
            Some((before, rest)) => {
                let (number, after) = rest.split_once(']').ok_or_else(unknown)?;
                (
                    format!("{before}[]{after}"),
                    number.parse().map_err(|_| unknown())?,
                )
            }
            None => (path.to_owned(), 0),
        };
        let id = self.by_path.get(&generic).copied().ok_or_else(unknown)?;
        Ok((section, id, item))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vocabulary() -> Vocabulary {
        let mut vocabulary = Vocabulary::new("t", "slot");
        for path in ["alu.op", "alu.dst.gpr", "var[].name"] {
            let field = Field {
                path: path.to_owned(),
                kind: Kind::Unsigned,
                bits: None,
                source: String::new(),
                evidence: Evidence::Inferred,
                sources: 1,
            };
            vocabulary.add(field).unwrap();
        }
        vocabulary
    }

    #[test]
    fn a_rendered_path_resolves_to_its_place() {
        let vocabulary = vocabulary();
        for (section, path, item, full) in [
            (Section::WHOLE, "alu.op", 0, "alu.op"),
            (Section::part(0), "alu.op", 0, "slot[0].alu.op"),
            (Section::part(7), "var[].name", 3, "slot[7].var[3].name"),
        ] {
            let id = vocabulary.id(path).unwrap();
            assert_eq!(vocabulary.render(section, id, item), full);
            assert_eq!(vocabulary.resolve(full), Ok((section, id, item)));
        }
    }

    #[test]
    fn an_unknown_path_is_refused_with_a_hint() {
        let error = vocabulary().resolve("slot[1].alu.gpr").unwrap_err();
        assert_eq!(
            error.to_string(),
            "no field \"slot[1].alu.gpr\" in target t; is it \"alu.dst.gpr\"?"
        );
        for bad in [
            "slot[x].alu.op",
            "slot[1]alu.op",
            "var[.name",
            "slot[99999999999].alu.op",
            "",
        ] {
            assert!(vocabulary().resolve(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_path_is_defined_once() {
        let mut vocabulary = vocabulary();
        let again = vocabulary.fields()[0].clone();
        assert_eq!(
            vocabulary.add(again),
            Err(VocabularyError::Duplicate("alu.op".to_owned()))
        );
    }
}
