//! Reading another emulator's trace: line by line, within bounds, and nothing passes that the format does not have.

use std::collections::BTreeSet;
use std::io::{self, BufRead, Read};

use serde_json::{Map, Value as Json};

/// The longest line, in bytes: a group of 64 lanes whose words are all doubtful has some 100 KiB.
const LONGEST: u64 = 4 << 20;

/// The largest trace, in bytes.
const LARGEST: u64 = 256 << 20;

/// The version of the format.
const VERSION: u64 = 1;

/// A trace that is well formed.
#[derive(Clone, Debug, Default)]
pub struct OtherTrace {
    /// The records with the numbers of their lines, from 1.
    pub(super) lines: Vec<(usize, String)>,
    /// The kinds of its records.
    pub(super) kinds: BTreeSet<String>,
    /// Whether some record has `killed`: it is left out where it is zero.
    pub(super) says_killed: bool,
}

impl OtherTrace {
    /// Reads the trace of a run of that many lanes.
    ///
    /// # Errors
    ///
    /// The first line that is no record of the format, by its number: what was found and what is allowed.
    pub fn read(mut from: impl BufRead, lanes: usize) -> Result<Self, String> {
        let mut trace = Self::default();
        let (mut number, mut size, mut bytes) = (0, 0, Vec::new());
        let mut begun = false;
        loop {
            number += 1;
            let at = |why: String| format!("line {number}: {why}");
            bytes.clear();
            let read = read_line(&mut from, &mut bytes).map_err(|error| at(error.to_string()))?;
            if read == 0 {
                break;
            }
            if read > LONGEST {
                return Err(at(format!("it is longer than {LONGEST} bytes")));
            }
            size += read;
            if size > LARGEST {
                return Err(at(format!("the trace is larger than {LARGEST} bytes")));
            }
            let text = std::str::from_utf8(&bytes).map_err(|error| at(error.to_string()))?;
            let text = text.trim();
            if text.is_empty() {
                continue;
            }
            let record: Json = serde_json::from_str(text).map_err(|error| {
                at(error
                    .to_string()
                    .replace(" at line 1 column ", " at column "))
            })?;
            let Json::Object(record) = record else {
                return Err(at(format!("{record}: an object")));
            };
            if record.contains_key("trace") {
                if begun {
                    return Err(at("\"trace\": that is for the first line".to_owned()));
                }
                header(&record, lanes).map_err(at)?;
            } else {
                let kind = check(&record, lanes).map_err(at)?;
                trace.says_killed |= record.contains_key("killed");
                trace.kinds.insert(kind.to_owned());
                trace.lines.push((number, text.to_owned()));
            }
            begun = true;
        }
        if trace.lines.is_empty() {
            return Err("no record".to_owned());
        }
        Ok(trace)
    }
}

/// Reads a line, or as much of it as is more than the longest.
fn read_line(from: &mut impl BufRead, bytes: &mut Vec<u8>) -> io::Result<u64> {
    let read = from.by_ref().take(LONGEST + 1).read_until(b'\n', bytes)?;
    Ok(read as u64)
}

type Checked<T = ()> = Result<T, String>;

/// The first line: `{"trace":"r700","version":1,"lanes":N}`.
fn header(record: &Map<String, Json>, lanes: usize) -> Checked {
    keys(
        record,
        "the first line",
        &["trace", "version", "lanes"],
        &["trace", "version", "lanes"],
    )?;
    if record["trace"].as_str() != Some("r700") {
        return Err(format!("trace {}: \"r700\"", record["trace"]));
    }
    if record["version"].as_u64() != Some(VERSION) {
        return Err(format!("version {}: {VERSION}", record["version"]));
    }
    if record["lanes"].as_u64() != Some(lanes as u64) {
        return Err(format!(
            "lanes {}: the inputs have {lanes}",
            record["lanes"]
        ));
    }
    Ok(())
}

/// A record's kinds, and the keys that each has besides those of all.
const KINDS: [(&str, &[&str]); 4] = [
    ("group", &["ops", "pv", "ps", "writes", "killed"]),
    ("fetch", &["op", "writes"]),
    ("export", &["target", "values"]),
    ("cf", &["op", "next"]),
];

/// The keys of records of any kind.
const OF_ALL: [&str; 4] = ["kind", "slot", "mask", "fetch_shader"];

/// Checks a record, and says its kind.
fn check(record: &Map<String, Json>, lanes: usize) -> Checked<&'static str> {
    let kind = record.get("kind").and_then(Json::as_str);
    let Some((kind, own)) = KINDS.into_iter().find(|(name, _)| Some(*name) == kind) else {
        let found = record
            .get("kind")
            .map_or("no kind".to_owned(), |found| format!("kind {found}"));
        let known = KINDS.map(|(name, _)| name).join(", ");
        return Err(format!("{found}; one of {known}"));
    };
    let allowed: Vec<&str> = OF_ALL.iter().chain(own).copied().collect();
    keys(record, kind, &allowed, &["kind", "slot"])?;
    for (key, value) in record {
        let checked = match key.as_str() {
            "slot" => number(value),
            "next" if value.is_null() => Ok(()),
            "next" => number(value).map_err(|why| format!("{why} or null")),
            "mask" | "killed" => mask(value, lanes),
            "fetch_shader" => expect(value.is_boolean(), value, "true or false"),
            "op" => expect(value.is_string(), value, "a name"),
            "target" => expect(
                is_target(value),
                value,
                "pixel0, pos60, param3 and the like",
            ),
            "ops" => operations(value, lanes),
            "ps" => words(value, lanes),
            "pv" | "values" => map(value, lanes, is_channel, "x, y, z, w"),
            "writes" => map(value, lanes, is_register, "R0.x to R127.w"),
            _ => Ok(()),
        };
        checked.map_err(|why| format!("{key}: {why}"))?;
    }
    Ok(kind)
}

/// Refuses keys that there are not, and misses those that there have to be.
fn keys(record: &Map<String, Json>, what: &str, allowed: &[&str], needed: &[&str]) -> Checked {
    if let Some(key) = record.keys().find(|key| !allowed.contains(&key.as_str())) {
        return Err(format!("{what} has no {key:?}; {}", allowed.join(", ")));
    }
    match needed.iter().find(|key| !record.contains_key(**key)) {
        Some(key) => Err(format!("no {key} in {what}")),
        None => Ok(()),
    }
}

fn expect(holds: bool, found: &Json, allowed: &str) -> Checked {
    if holds {
        return Ok(());
    }
    let mut found = found.to_string();
    if found.len() > 60 {
        found = found.chars().take(60).chain("…".chars()).collect();
    }
    Err(format!("{found}: {allowed}"))
}

fn number(value: &Json) -> Checked {
    let fits = value
        .as_u64()
        .is_some_and(|number| number <= u64::from(u32::MAX));
    expect(fits, value, "a number of a slot")
}

/// Lanes as a mask: hexadecimal digits, lane 0 lowest.
pub(super) fn lanes_of(value: &Json) -> Option<u64> {
    let digits = value.as_str()?;
    let is_plain = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    u64::from_str_radix(digits, 16).ok().filter(|_| is_plain)
}

fn mask(value: &Json, lanes: usize) -> Checked {
    let Some(found) = lanes_of(value) else {
        return expect(false, value, "up to sixteen hexadecimal digits");
    };
    let outside = found.checked_shr(lanes as u32).unwrap_or(0);
    expect(outside == 0, value, &format!("a mask of {lanes} lanes"))
}

fn is_target(value: &Json) -> bool {
    let Some(name) = value.as_str().map(str::to_ascii_lowercase) else {
        return false;
    };
    let kinds = ["pixel", "pos", "param"];
    let number = kinds.iter().find_map(|kind| name.strip_prefix(kind));
    number.is_some_and(|number| number.parse::<u8>().is_ok())
}

fn is_channel(name: &str) -> bool {
    matches!(name, "x" | "y" | "z" | "w")
}

fn is_register(name: &str) -> bool {
    let parts = name.strip_prefix('R').and_then(|rest| rest.split_once('.'));
    parts.is_some_and(|(number, channel)| {
        is_channel(channel) && number.parse::<u8>().is_ok_and(|number| number < 128)
    })
}

/// An object with a word for each lane below each name.
fn map(value: &Json, lanes: usize, known: fn(&str) -> bool, allowed: &str) -> Checked {
    let Json::Object(entries) = value else {
        return expect(false, value, "an object");
    };
    for (name, value) in entries {
        if !known(name) {
            return Err(format!("{name:?}: {allowed}"));
        }
        words(value, lanes).map_err(|why| format!("{name}: {why}"))?;
    }
    Ok(())
}

/// A word for each lane, null for those that are not active.
fn words(value: &Json, lanes: usize) -> Checked {
    let Json::Array(all) = value else {
        return expect(false, value, "an array with a word for each lane");
    };
    if all.len() != lanes {
        return Err(format!("{} lanes: the inputs have {lanes}", all.len()));
    }
    for (lane, value) in all.iter().enumerate() {
        word(value).map_err(|why| format!("lane {lane}: {why}"))?;
    }
    Ok(())
}

/// The word that eight hexadecimal digits are.
pub(super) fn bits(value: &Json) -> Option<u32> {
    let digits = value.as_str().filter(|digits| digits.len() == 8)?;
    let is_plain = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    u32::from_str_radix(digits, 16).ok().filter(|_| is_plain)
}

const DIGITS: &str = "eight hexadecimal digits, null, or an object of bits and doubt";

/// The names of doubts.
const DOUBTS: [&str; 4] = ["one-of", "within", "any-nan", "unknown"];

fn word(value: &Json) -> Checked {
    match value {
        Json::Null => Ok(()),
        Json::Object(doubtful) => {
            let allowed = ["bits", "doubt", "words", "low", "high", "nan", "reason"];
            keys(doubtful, "a word", &allowed, &["bits", "doubt"])?;
            expect(bits(&doubtful["bits"]).is_some(), &doubtful["bits"], DIGITS)?;
            let doubt = &doubtful["doubt"];
            let known = doubt.as_str().is_some_and(|name| DOUBTS.contains(&name));
            expect(known, doubt, &DOUBTS.join(", "))
        }
        other => expect(bits(other).is_some(), other, DIGITS),
    }
}

fn operations(value: &Json, lanes: usize) -> Checked {
    let Json::Array(all) = value else {
        return expect(false, value, "an array of operations");
    };
    for one in all {
        let Json::Object(one) = one else {
            return expect(false, one, "an object");
        };
        keys(
            one,
            "an operation",
            &["slot", "unit", "op", "src", "result"],
            &["slot", "unit", "op"],
        )?;
        number(&one["slot"])?;
        let unit = one["unit"].as_str();
        let is_unit = unit.is_some_and(|unit| is_channel(unit) || unit == "t");
        expect(is_unit, &one["unit"], "x, y, z, w, t")?;
        expect(one["op"].is_string(), &one["op"], "a name")?;
        if let Some(result) = one.get("result") {
            words(result, lanes).map_err(|why| format!("result: {why}"))?;
        }
        match one.get("src") {
            None => {}
            Some(Json::Array(operands)) => {
                for operand in operands {
                    words(operand, lanes).map_err(|why| format!("src: {why}"))?;
                }
            }
            Some(other) => expect(false, other, "an array of operands")?,
        }
    }
    Ok(())
}
