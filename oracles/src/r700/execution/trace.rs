//! A trace: JSON lines, as the contract's "The trace" has them.

use std::io;

use serde_json::{Map, Value as Json, json};

use super::lanes;
use super::observer::{
    ControlRecord, ExportRecord, FetchRecord, GroupRecord, Observer, OperationRecord, Origin,
};
use super::value::{Doubt, Reason, Value};

const CHANNELS: [&str; 4] = ["x", "y", "z", "w"];

/// Writes each record as a line. What goes wrong is kept, and nothing more is written: see [`TraceWriter::finish`].
#[derive(Debug)]
pub struct TraceWriter<W: io::Write> {
    to: W,
    failed: Option<io::Error>,
}

impl<W: io::Write> TraceWriter<W> {
    /// A trace of a run of that many lanes. Writes its first line.
    pub fn new(to: W, lanes: usize) -> Self {
        let mut writer = Self { to, failed: None };
        writer.line(&json!({"trace": "r700", "version": 1, "lanes": lanes}));
        writer
    }

    /// What it wrote to, or the first thing that went wrong.
    pub fn finish(mut self) -> io::Result<W> {
        match self.failed {
            Some(error) => Err(error),
            None => {
                self.to.flush()?;
                Ok(self.to)
            }
        }
    }

    fn line(&mut self, line: &Json) {
        if self.failed.is_none() {
            self.failed = writeln!(self.to, "{line}").err();
        }
    }

    fn record(&mut self, record: Map<String, Json>) {
        self.line(&Json::Object(record));
    }
}

/// The start of a record.
fn start(kind: &str, origin: Origin) -> Map<String, Json> {
    let mut record = Map::new();
    record.insert("kind".to_owned(), json!(kind));
    record.insert("slot".to_owned(), json!(origin.slot));
    record.insert("mask".to_owned(), json!(mask(origin.active)));
    if origin.fetch_shader {
        record.insert("fetch_shader".to_owned(), json!(true));
    }
    record
}

fn mask(lanes: u64) -> String {
    format!("{lanes:x}")
}

/// A word for each lane: null for those that are not of `which`, unknown for those that are lost.
fn words<'a>(origin: Origin, which: u64, value: impl Fn(usize) -> Option<&'a Value>) -> Json {
    let word = |lane| {
        let of_lane = which >> lane & 1 == 1;
        match value(lane).filter(|_| of_lane) {
            None => Json::Null,
            Some(value) if origin.lost >> lane & 1 == 1 => {
                let reason = value.reason().unwrap_or(Reason::LostLane);
                word(&Value::unknown(value.bits(), reason))
            }
            Some(value) => word(value),
        }
    };
    (0..origin.lanes).map(word).collect()
}

/// A word, or an object that says what of it is open.
fn word(value: &Value) -> Json {
    let hex = |word: u32| format!("{word:08x}");
    let bits = hex(value.bits());
    let Some(reason) = value.reason().map(|reason| reason.to_string()) else {
        return Json::String(bits);
    };
    match value.doubt() {
        Doubt::Settled => Json::String(bits),
        Doubt::OneOf(words) => {
            let words: Vec<String> = words.iter().map(|word| hex(*word)).collect();
            json!({"bits": bits, "doubt": "one-of", "words": words, "reason": reason})
        }
        Doubt::Within { low, high, nan } => json!({
            "bits": bits,
            "doubt": "within",
            "low": hex(low.to_bits()),
            "high": hex(high.to_bits()),
            "nan": nan,
            "reason": reason,
        }),
        Doubt::AnyNan => json!({"bits": bits, "doubt": "any-nan", "reason": reason}),
        Doubt::Unknown => json!({"bits": bits, "doubt": "unknown", "reason": reason}),
    }
}

fn operation(origin: Origin, operation: &OperationRecord<'_>) -> Json {
    let source = |number| {
        words(origin, operation.executed(), |lane| {
            Some(operation.operand(number, lane))
        })
    };
    let sources: Vec<Json> = (0..operation.operands()).map(source).collect();
    let mut record = Map::new();
    record.insert("slot".to_owned(), json!(operation.slot()));
    record.insert(
        "unit".to_owned(),
        json!(operation.unit().letter().to_string()),
    );
    record.insert("op".to_owned(), json!(operation.name()));
    record.insert("src".to_owned(), Json::Array(sources));
    if operation.has_result() {
        record.insert("result".to_owned(), result(origin, operation));
    }
    Json::Object(record)
}

fn result(origin: Origin, operation: &OperationRecord<'_>) -> Json {
    words(origin, operation.executed(), |lane| {
        Some(operation.result(lane))
    })
}

impl<W: io::Write> Observer for TraceWriter<W> {
    fn group(&mut self, group: &GroupRecord<'_>) {
        let origin = group.origin;
        let mut record = start("group", origin);
        let operations = group.operations();
        let operations: Vec<Json> = operations.map(|one| operation(origin, &one)).collect();
        record.insert("ops".to_owned(), Json::Array(operations));
        let mut vector = Map::new();
        for (channel, name) in CHANNELS.into_iter().enumerate() {
            if let Some(of_unit) = group.pv(channel) {
                vector.insert(name.to_owned(), result(origin, &of_unit));
            }
        }
        record.insert("pv".to_owned(), Json::Object(vector));
        if let Some(trans) = group.ps() {
            record.insert("ps".to_owned(), result(origin, &trans));
        }
        record.insert("writes".to_owned(), Json::Object(group_writes(group)));
        if group.killed() != 0 {
            record.insert("killed".to_owned(), json!(mask(group.killed())));
        }
        self.record(record);
    }

    fn fetch(&mut self, fetch: &FetchRecord<'_>) {
        let mut record = start("fetch", fetch.origin);
        record.insert("op".to_owned(), json!(fetch.name));
        let mut writes = Map::new();
        if let Some(register) = fetch.register {
            for (name, values) in components(fetch.origin, fetch.values) {
                writes.insert(format!("R{register}.{name}"), values);
            }
        }
        record.insert("writes".to_owned(), Json::Object(writes));
        self.record(record);
    }

    fn export(&mut self, export: &ExportRecord<'_>) {
        let mut record = start("export", export.origin);
        record.insert("target".to_owned(), json!(export.target.to_string()));
        let values = components(export.origin, export.values);
        let values = values.map(|(name, values)| (name.to_owned(), values));
        record.insert("values".to_owned(), Json::Object(values.collect()));
        self.record(record);
    }

    fn cf(&mut self, control: &ControlRecord<'_>) {
        let mut record = start("cf", control.origin);
        record.insert("op".to_owned(), json!(control.op));
        record.insert("next".to_owned(), json!(control.next));
        self.record(record);
    }
}

/// The components that some lane has.
fn components<'a>(
    origin: Origin,
    values: &'a [[Option<Value>; 4]],
) -> impl Iterator<Item = (&'static str, Json)> + 'a {
    let names = CHANNELS.into_iter().enumerate();
    names.filter_map(move |(channel, name)| {
        let has = |lane: usize| values[lane][channel].is_some();
        lanes::each(origin.active).any(has).then(|| {
            let of_lane = |lane: usize| values[lane][channel].as_ref();
            (name, words(origin, origin.active, of_lane))
        })
    })
}

/// What reached the register file, the last write to an element for each lane.
fn group_writes(group: &GroupRecord<'_>) -> Map<String, Json> {
    let mut writes = Map::new();
    for write in group.writes() {
        let name = format!("R{}.{}", write.register, CHANNELS[write.channel & 3]);
        let same = |other: &&super::Write| {
            (other.register, other.channel) == (write.register, write.channel)
        };
        let all = group.writes().iter().filter(same);
        let which = all.clone().fold(0, |lanes, write| lanes | write.lanes);
        let value = |lane: usize| {
            let last = all.clone().rfind(|write| write.lanes >> lane & 1 == 1);
            last.map(|write| group.written(write, lane))
        };
        writes.insert(name, words(group.origin, which, value));
    }
    writes
}
