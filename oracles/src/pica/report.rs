//! The fields of a resolved draw.

use std::collections::HashMap;

use corpora::{FieldId, Record, SymbolId, Vocabulary};

use super::Tables;
use super::draw::{Attribute, Resolved, Source, Status};
use super::limits::{Limits, missing};
use super::paths::{id, numbered};
use super::vertices::COMPONENTS;
use crate::table::TableError;

/// Writes draws into a record.
#[derive(Clone, Debug)]
pub(super) struct DrawReport {
    at: FieldId,
    status: FieldId,
    indexed: FieldId,
    vertices: FieldId,
    first: FieldId,
    index_address: FieldId,
    index_width: FieldId,
    base: FieldId,
    count: FieldId,
    loaders: Vec<LoaderIds>,
    attributes: Vec<AttributeIds>,
    sources: HashMap<u32, SymbolId>,
    statuses: HashMap<u32, SymbolId>,
}

#[derive(Clone, Copy, Debug)]
struct LoaderIds {
    address: FieldId,
    stride: FieldId,
    size: FieldId,
}

#[derive(Clone, Copy, Debug)]
struct AttributeIds {
    source: FieldId,
    loader: FieldId,
    offset: FieldId,
    named: FieldId,
    format: FieldId,
    components: FieldId,
    slot: FieldId,
    value: [FieldId; 4],
    written: FieldId,
}

/// The names of one list of `symbols.tsv` by number, which the vocabulary knows or gets.
fn names(
    tables: &Tables,
    vocabulary: &mut Vocabulary,
    list: &str,
) -> Result<HashMap<u32, SymbolId>, TableError> {
    let mut names = HashMap::new();
    for row in tables.symbols.rows().filter(|row| row.text("list") == list) {
        names.insert(row.number("number")?, vocabulary.intern(row.text("name")));
    }
    if names.is_empty() {
        return Err(missing(&tables.symbols, list));
    }
    Ok(names)
}

impl DrawReport {
    pub(super) fn read(tables: &Tables, vocabulary: &Vocabulary) -> Result<Self, TableError> {
        let limits = Limits(&tables.limits);
        let draw = |path: &str| id(tables, vocabulary, &format!("draw[].{path}"));
        let loader = |number| {
            let id = |name| draw(&numbered(&format!("loader[k].{name}"), number));
            Ok(LoaderIds {
                address: id("address")?,
                stride: id("stride")?,
                size: id("size")?,
            })
        };
        let attribute = |number| {
            let id = |name| draw(&numbered(&format!("attribute[k].{name}"), number));
            let mut value = [id("x")?; 4];
            for (field, component) in value.iter_mut().zip(COMPONENTS) {
                *field = id(component)?;
            }
            Ok(AttributeIds {
                source: id("source")?,
                loader: id("loader")?,
                offset: id("offset")?,
                named: id("named")?,
                format: id("format")?,
                components: id("components")?,
                slot: id("slot")?,
                value,
                written: id("written")?,
            })
        };
        let loaders = (0..limits.few("loaders")?).map(loader);
        let attributes = (0..limits.few("attribute_numbers")?).map(attribute);
        // Looking a name up and adding one are the same call. Names that a wrong table brings in get numbers that the
        // shared vocabulary does not have.
        let mut symbols = Vocabulary::clone(vocabulary);
        Ok(Self {
            at: draw("at")?,
            status: draw("status")?,
            indexed: draw("indexed")?,
            vertices: draw("vertices")?,
            first: draw("first")?,
            index_address: draw("index.address")?,
            index_width: draw("index.width")?,
            base: draw("base")?,
            count: draw("attributes")?,
            loaders: loaders.collect::<Result<_, TableError>>()?,
            attributes: attributes.collect::<Result<_, TableError>>()?,
            sources: names(tables, &mut symbols, "source")?,
            statuses: names(tables, &mut symbols, "status")?,
        })
    }

    /// Reports a draw.
    pub(super) fn draw(&self, draw: &Resolved, record: &mut Record) {
        let item = draw.draw.number as u32;
        record.unsigned_item(self.at, item, draw.draw.at);
        let status = status_code(draw.status);
        record.symbol_item(self.status, item, status, name(&self.statuses, status));
        record.unsigned_item(self.indexed, item, draw.draw.indexed.into());
        record.unsigned_item(self.vertices, item, draw.vertices.into());
        record.unsigned_item(self.first, item, draw.first.into());
        if let Some((address, width)) = draw.index {
            record.unsigned_item(self.index_address, item, address.into());
            record.unsigned_item(self.index_width, item, width);
        }
        record.unsigned_item(self.base, item, draw.base.into());
        record.unsigned_item(self.count, item, draw.count.into());
        for loader in &draw.loaders {
            if let Some(ids) = self.loaders.get(loader.number as usize) {
                let address = draw.base.wrapping_add(loader.offset);
                record.unsigned_item(ids.address, item, address.into());
                record.unsigned_item(ids.stride, item, loader.stride.into());
                record.unsigned_item(ids.size, item, loader.size);
            }
        }
        for (ids, attribute) in self.attributes.iter().zip(&draw.attributes) {
            self.attribute(ids, attribute, item, record);
        }
    }

    fn attribute(&self, ids: &AttributeIds, attribute: &Attribute, item: u32, record: &mut Record) {
        let source = source_code(attribute.source);
        record.symbol_item(ids.source, item, source, name(&self.sources, source));
        if let Source::Loader(place) = attribute.source {
            record.unsigned_item(ids.loader, item, place.loader.into());
            record.unsigned_item(ids.offset, item, place.offset);
        }
        record.unsigned_item(ids.named, item, attribute.named);
        let descriptor = attribute.descriptor;
        record.unsigned_item(ids.format, item, descriptor.format.into());
        record.unsigned_item(ids.components, item, descriptor.components.into());
        record.unsigned_item(ids.slot, item, attribute.slot.into());
        if let Source::Fixed(value) = attribute.source {
            for (field, bits) in ids.value.into_iter().zip(value.unwrap_or([0; 4])) {
                // The record holds the bits of a float as it holds an integer.
                record.unsigned_item(field, item, bits.into());
            }
            record.unsigned_item(ids.written, item, value.is_some().into());
        }
    }
}

fn name(names: &HashMap<u32, SymbolId>, code: u32) -> SymbolId {
    names.get(&code).copied().unwrap_or(SymbolId::RESERVED)
}

/// The number of a status in `symbols.tsv`.
fn status_code(status: Status) -> u32 {
    match status {
        Status::AttributeCount => 0,
        Status::ComponentCount => 1,
        Status::Stride => 2,
        Status::BeyondStride => 3,
        Status::Slot => 4,
        Status::Count => 5,
        Status::Resolved => 6,
    }
}

/// The number of a source in `symbols.tsv`.
fn source_code(source: Source) -> u32 {
    match source {
        Source::Loader(_) => 0,
        Source::Fixed(_) => 1,
        Source::None => 2,
    }
}
