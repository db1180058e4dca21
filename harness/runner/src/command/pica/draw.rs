//! Draws of a command list, as the decoder resolves them.

use std::fmt::Write;

use corpora::{Outcome as Said, Section, Value, VocabularyError};
use serde_json::{Value as Json, json};

use super::fetched::{number, tuple};
use crate::target::Target;

/// A draw.
pub(super) struct Draw {
    /// Byte of the header of its command.
    pub(super) at: u32,
    /// `resolved`, or why it is not.
    pub(super) status: String,
    pub(super) vertices: u32,
    pub(super) first: u32,
    pub(super) index: Option<IndexArray>,
    pub(super) base: u32,
    pub(super) attribute_count: u32,
    pub(super) loaders: Vec<Loader>,
    pub(super) attributes: Vec<Attribute>,
}

/// An array of indices.
pub(super) struct IndexArray {
    pub(super) address: u32,
    /// Bytes of an index.
    pub(super) width: u32,
}

/// A loader that has components.
pub(super) struct Loader {
    pub(super) number: u32,
    pub(super) address: u32,
    pub(super) stride: u32,
    /// Bytes of the record that it walks through.
    pub(super) size: u32,
}

/// An attribute below the count.
pub(super) struct Attribute {
    pub(super) number: u32,
    pub(super) source: Source,
    /// How many places of loaders name it.
    pub(super) named: u32,
    pub(super) format: u32,
    pub(super) components: u32,
    pub(super) slot: u32,
}

/// Where an attribute comes from.
pub(super) enum Source {
    Loader { loader: u32, offset: u32 },
    Fixed { value: [f32; 4], written: bool },
    Nowhere,
}

impl Draw {
    /// All draws of an answer, in order.
    pub(super) fn all(said: &Said, target: &dyn Target) -> Result<Vec<Self>, VocabularyError> {
        let at = target.vocabulary().id("draw[].at")?;
        let draws = said
            .record
            .entries()
            .iter()
            .filter(|entry| entry.field == at);
        draws
            .map(|entry| Self::of(said, target, entry.item))
            .collect()
    }

    fn of(said: &Said, target: &dyn Target, draw: u32) -> Result<Self, VocabularyError> {
        let vocabulary = target.vocabulary();
        let entry = |path: &str| {
            let id = vocabulary.id(&format!("draw[].{path}"))?;
            Ok::<_, VocabularyError>(said.record.find(Section::WHOLE, id, draw))
        };
        let number = |path: &str| Ok(entry(path)?.map(|entry| entry.raw as u32));
        let some = |path: &str| Ok::<u32, VocabularyError>(number(path)?.unwrap_or(0));
        let symbol = |path: &str| {
            let value = entry(path)?.map(|entry| said.record.value(entry, vocabulary));
            Ok::<_, VocabularyError>(match value {
                Some(Value::Symbol { name, .. }) => Some(name),
                _ => None,
            })
        };
        let index = match number("index.address")? {
            Some(address) => Some(IndexArray {
                address,
                width: some("index.width")?,
            }),
            None => None,
        };
        let (mut loaders, mut attributes) = (Vec::new(), Vec::new());
        for k in 0..12 {
            let of = |name: &str| format!("loader[{k}].{name}");
            if let Some(address) = number(&of("address"))? {
                loaders.push(Loader {
                    number: k,
                    address,
                    stride: some(&of("stride"))?,
                    size: some(&of("size"))?,
                });
            }
            let of = |name: &str| format!("attribute[{k}].{name}");
            let Some(source) = symbol(&of("source"))? else {
                continue;
            };
            let source = match source.as_str() {
                "loader" => Source::Loader {
                    loader: some(&of("loader"))?,
                    offset: some(&of("offset"))?,
                },
                "fixed" => Source::Fixed {
                    value: [
                        some(&of("x"))?,
                        some(&of("y"))?,
                        some(&of("z"))?,
                        some(&of("w"))?,
                    ]
                    .map(f32::from_bits),
                    written: some(&of("written"))? == 1,
                },
                _ => Source::Nowhere,
            };
            attributes.push(Attribute {
                number: k,
                source,
                named: some(&of("named"))?,
                format: some(&of("format"))?,
                components: some(&of("components"))?,
                slot: some(&of("slot"))?,
            });
        }
        Ok(Self {
            at: some("at")?,
            status: symbol("status")?.unwrap_or_default(),
            vertices: some("vertices")?,
            first: some("first")?,
            index,
            base: some("base")?,
            attribute_count: some("attributes")?,
            loaders,
            attributes,
        })
    }

    /// What it draws, in a line.
    pub(super) fn headline(&self, number: usize) -> String {
        let vertices = self.vertices;
        let noun = if vertices == 1 { "vertex" } else { "vertices" };
        let which = match &self.index {
            Some(index) => {
                let bits = 8 * index.width;
                format!("through u{bits} indices at {:#010x}", index.address)
            }
            None => format!("from {}", self.first),
        };
        format!(
            "draw {number} at {:#x}: {vertices} {noun} {which}: {}",
            self.at, self.status
        )
    }

    /// Its layout, line by line.
    pub(super) fn describe(&self, number: usize, text: &mut String) {
        let mut line = |indent: usize, line: String| {
            writeln!(text, "{:indent$}{line}", "").expect("a string");
        };
        line(0, self.headline(number));
        let count = self.attribute_count;
        let noun = if count == 1 {
            "attribute"
        } else {
            "attributes"
        };
        line(2, format!("base {:#010x}, {count} {noun}", self.base));
        for loader in &self.loaders {
            let Loader {
                number,
                address,
                stride,
                size,
            } = loader;
            let note = if stride == size {
                ""
            } else {
                " (not the stride: hardware may hang)"
            };
            line(
                2,
                format!(
                    "loader {number}: at {address:#010x}, stride {stride}, record of {size} bytes{note}"
                ),
            );
        }
        for attribute in &self.attributes {
            line(2, attribute.line());
        }
    }

    /// The same as JSON.
    pub(super) fn json(&self) -> Json {
        let loader = |loader: &Loader| {
            json!({
                "loader": loader.number,
                "address": loader.address,
                "stride": loader.stride,
                "size": loader.size,
            })
        };
        let index = self.index.as_ref();
        let index = index.map(|index| json!({ "address": index.address, "width": index.width }));
        json!({
            "at": self.at,
            "status": self.status,
            "vertices": self.vertices,
            "first": self.first,
            "index": index,
            "base": self.base,
            "attribute_count": self.attribute_count,
            "loaders": self.loaders.iter().map(loader).collect::<Vec<_>>(),
            "attributes": self.attributes.iter().map(Attribute::json).collect::<Vec<_>>(),
        })
    }
}

impl Attribute {
    fn line(&self) -> String {
        let format = ["s8", "u8", "s16", "f32"]
            .get(self.format as usize)
            .unwrap_or(&"?");
        let source = match &self.source {
            Source::Loader { loader, offset } => {
                format!(
                    "{format} x {}, loader {loader} at {offset}",
                    self.components
                )
            }
            Source::Fixed {
                value,
                written: true,
            } => format!("fixed {}", tuple(value)),
            Source::Fixed { .. } => "fixed, never written".to_owned(),
            Source::Nowhere => "from nowhere".to_owned(),
        };
        let more = if self.named > 1 {
            format!(" (named {} times)", self.named)
        } else {
            String::new()
        };
        format!(
            "attribute {} to v{}: {source}{more}",
            self.number, self.slot
        )
    }

    fn json(&self) -> Json {
        let (source, loader, offset, value, written) = match &self.source {
            Source::Loader { loader, offset } => ("loader", Some(loader), Some(offset), None, None),
            Source::Fixed { value, written } => {
                let value: Json = value.iter().map(|value| number(*value)).collect();
                ("fixed", None, None, Some(value), Some(written))
            }
            Source::Nowhere => ("none", None, None, None, None),
        };
        json!({
            "attribute": self.number,
            "source": source,
            "loader": loader,
            "offset": offset,
            "value": value,
            "written": written,
            "named": self.named,
            "format": self.format,
            "components": self.components,
            "slot": self.slot,
        })
    }
}
