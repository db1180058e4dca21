//! Records as JSON: flat, by full path, or nested, by the parts of their paths.

use corpora::{Entry, Record, Section, Value, Vocabulary};
use serde_json::{Map, Value as Json};

fn json(value: Value) -> Json {
    match value {
        Value::Unsigned(value) => value.into(),
        Value::Signed(value) => value.into(),
        Value::Float(bits) => format!("0x{bits:08x}").into(),
        Value::Symbol { code, name } if name == "reserved" => format!("reserved({code})").into(),
        Value::Symbol { name, .. } => name.into(),
        Value::Text(text) => text.into(),
        Value::Bytes(bytes) => corpora::hex::encode(&bytes).into(),
    }
}

/// Every field under its full path.
pub(super) fn flat(record: &Record, vocabulary: &Vocabulary) -> Map<String, Json> {
    let row = |entry: &Entry| {
        let path = vocabulary.render(entry.section, entry.field, entry.item);
        (path, json(record.value(entry, vocabulary)))
    };
    record.entries().iter().map(row).collect()
}

/// The fields of one section as nested objects and arrays, but for those that `leave_out` says no to.
pub(super) fn nested(
    record: &Record,
    vocabulary: &Vocabulary,
    section: Section,
    leave_out: impl Fn(&str) -> bool,
) -> Json {
    let mut root = Map::new();
    for entry in record
        .entries()
        .iter()
        .filter(|entry| entry.section == section)
    {
        let path = &vocabulary.field(entry.field).path;
        if !leave_out(path) {
            put(
                &mut root,
                path,
                entry.item as usize,
                json(record.value(entry, vocabulary)),
            );
        }
    }
    Json::Object(root)
}

/// Puts a value at `a.b[].c`, with `item` for the index.
fn put(object: &mut Map<String, Json>, path: &str, item: usize, value: Json) {
    let (head, rest) = path
        .split_once('.')
        .map_or((path, None), |(head, rest)| (head, Some(rest)));
    let name = head.trim_end_matches("[]");
    let slot = object.entry(name).or_insert(Json::Null);
    let slot = if head.ends_with("[]") {
        if !slot.is_array() {
            *slot = Json::Array(Vec::new());
        }
        let Some(list) = slot.as_array_mut() else {
            return;
        };
        if list.len() <= item {
            list.resize(item + 1, Json::Null);
        }
        &mut list[item]
    } else {
        slot
    };
    match rest {
        None => *slot = value,
        Some(rest) => {
            if !slot.is_object() {
                *slot = Json::Object(Map::new());
            }
            if let Some(object) = slot.as_object_mut() {
                put(object, rest, item, value);
            }
        }
    }
}
