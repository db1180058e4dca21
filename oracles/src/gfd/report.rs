//! From members to fields: the one routine that reads them, whatever the structure.

use corpora::Record;

use super::input::Input;
use super::structure::{Form, Member, Structure};
use super::tagged::{Tags, Text};

/// Where a structure stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site<'a> {
    /// The input.
    pub(super) input: Input<'a>,
    /// The structure's place in the file.
    pub(super) base: u64,
    /// Where the data that it stands in ends.
    pub(super) end: u64,
    /// The text that names are in, if there is one.
    pub(super) text: Option<Text<'a>>,
}

/// Writes members into a record.
pub(super) struct Report<'r> {
    record: &'r mut Record,
    tags: Tags,
    name_bytes_left: usize,
    /// Whether names were left out because there is no end of them.
    pub(super) names_left_out: bool,
}

impl<'r> Report<'r> {
    /// Writes into `record`. Names of more than `name_bytes_max` bytes together are left out: any number of elements may
    /// name the same long text, so that the names of a file can be far larger than the file.
    pub(super) fn new(record: &'r mut Record, tags: Tags, name_bytes_max: usize) -> Self {
        Self {
            record,
            tags,
            name_bytes_left: name_bytes_max,
            names_left_out: false,
        }
    }

    /// The record.
    pub(super) fn record(&mut self) -> &mut Record {
        self.record
    }

    /// Reports a structure.
    pub(super) fn structure(&mut self, structure: &Structure, site: Site<'_>) {
        self.array(structure, 1, site);
    }

    /// Reports `count` structures in a row, member by member: the order of the vocabulary.
    pub(super) fn array(&mut self, structure: &Structure, count: u64, site: Site<'_>) {
        for member in &structure.members {
            for element in 0..count {
                let base = site.base + element * structure.size;
                self.member(member, element, Site { base, ..site });
            }
        }
    }

    fn member(&mut self, member: &Member, element: u64, site: Site<'_>) {
        for index in 0..member.count {
            let item = (element * member.count + index) as u32;
            let at = site.base + member.offset + index * member.width;
            if self.value(member, item, at, site).is_none() {
                return;
            }
        }
    }

    /// Nothing if the input has no such place.
    fn value(&mut self, member: &Member, item: u32, at: u64, site: Site<'_>) -> Option<()> {
        let field = member.field;
        let number = || site.input.number(at, member.width);
        match &member.form {
            Form::Unsigned => self.record.unsigned_item(field, item, number()?),
            Form::Offset => {
                let offset = self.tags.offset(number()? as u32);
                self.record.unsigned_item(field, item, offset);
            }
            Form::Symbol(enumeration) => {
                let code = number()? as u32;
                let name = enumeration.name(code);
                self.record.symbol_item(field, item, code, name);
            }
            Form::Text => {
                let pointer = site.input.number(at, 4)? as u32;
                if pointer != 0 && !self.names_left_out {
                    let name = site.text?.name(self.tags.offset(pointer))?;
                    let name = String::from_utf8_lossy(name);
                    match self.name_bytes_left.checked_sub(name.len()) {
                        Some(left) => self.name_bytes_left = left,
                        None => self.names_left_out = true,
                    }
                    if !self.names_left_out {
                        self.record.bytes_item(field, item, name.as_bytes());
                    }
                }
            }
            Form::Bytes => {
                let bytes = site.input.bytes(at, member.width)?;
                self.record.bytes_item(field, item, bytes);
            }
            Form::Position => self.record.unsigned_item(field, item, at),
            Form::Rest => {
                let bytes = site.input.bytes(at, site.end.checked_sub(at)?)?;
                self.record.bytes_item(field, item, bytes);
            }
        }
        Some(())
    }
}
