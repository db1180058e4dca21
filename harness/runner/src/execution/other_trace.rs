//! Another emulator's trace against the reference interpreter's.
//!
//! Both are JSON lines as the contract has them. Records are compared in order, kind by kind: of each kind that the other
//! trace has at all. Of a record only the keys that it has are compared, so a trace can be as thin as `kind`, `slot` and
//! `pv`.

use std::collections::BTreeSet;

use serde_json::Value as Json;

/// Where two traces part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parting {
    /// The line of the other trace, from 1; 0 if it has ended.
    pub line: usize,
    /// The slot, as the reference has it.
    pub slot: Option<u64>,
    /// `pv.x of lane 3`.
    pub what: String,
    /// What the reference says.
    pub reference: String,
    /// What the other says.
    pub other: String,
}

/// What a comparison found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// Records that were compared.
    pub records: usize,
    /// Words that were.
    pub words: usize,
    /// Words of which the reference says that anything is possible.
    pub unknown: usize,
    /// The first difference.
    pub parting: Option<Parting>,
}

/// The keys that are compared: `op` and `mask` are how others name and count things.
const KEYS: [&str; 5] = ["pv", "ps", "writes", "values", "target"];

/// Compares traces.
///
/// # Errors
///
/// A line of the other trace that is no record, by its number.
pub fn compare(reference: &str, other: &str) -> Result<Compared, String> {
    let parse = |(number, line): (usize, &str)| -> Result<Option<(usize, Json)>, String> {
        if line.trim().is_empty() {
            return Ok(None);
        }
        let at = |why: String| format!("line {}: {why}", number + 1);
        let record: Json = serde_json::from_str(line).map_err(|error| at(error.to_string()))?;
        if record.get("trace").is_some() {
            return Ok(None);
        }
        let known = ["group", "fetch", "export", "cf"];
        match record.get("kind").and_then(Json::as_str) {
            Some(kind) if known.contains(&kind) => Ok(Some((number + 1, record))),
            _ => Err(at(format!("no kind; one of {}", known.join(", ")))),
        }
    };
    let records = |text: &str| -> Result<Vec<(usize, Json)>, String> {
        text.lines()
            .enumerate()
            .filter_map(|line| parse(line).transpose())
            .collect()
    };
    let own = records(reference)?;
    let theirs = records(other)?;
    if theirs.is_empty() {
        return Err("no record".to_owned());
    }
    let kind = |record: &Json| record["kind"].as_str().unwrap_or_default().to_owned();
    let kinds: BTreeSet<String> = theirs.iter().map(|(_, record)| kind(record)).collect();
    let mut compared = Compared {
        records: 0,
        words: 0,
        unknown: 0,
        parting: None,
    };
    let mut own = own
        .iter()
        .filter(|(_, record)| kinds.contains(&kind(record)));
    let mut theirs = theirs.iter();
    loop {
        let (mine, (line, their)) = match (own.next(), theirs.next()) {
            (None, None) => return Ok(compared),
            (Some((_, mine)), None) => {
                compared.parting = Some(Parting {
                    line: 0,
                    slot: mine["slot"].as_u64(),
                    what: "records".to_owned(),
                    reference: format!("{} at slot {}", kind(mine), mine["slot"]),
                    other: "the end".to_owned(),
                });
                return Ok(compared);
            }
            (None, Some((line, their))) => {
                compared.parting = Some(Parting {
                    line: *line,
                    slot: None,
                    what: "records".to_owned(),
                    reference: "the end".to_owned(),
                    other: format!("{} at slot {}", kind(their), their["slot"]),
                });
                return Ok(compared);
            }
            (Some((_, mine)), Some(their)) => (mine, their),
        };
        compared.records += 1;
        let part = |what: String, reference: &Json, other: &Json| {
            Some(Parting {
                line: *line,
                slot: mine["slot"].as_u64(),
                what,
                reference: reference.to_string(),
                other: other.to_string(),
            })
        };
        for key in ["kind", "slot"] {
            if mine[key] != their[key] {
                compared.parting = part(key.to_owned(), &mine[key], &their[key]);
                return Ok(compared);
            }
        }
        for key in KEYS {
            if let Some(theirs) = their.get(key) {
                let found = differs(
                    key,
                    &mine[key],
                    theirs,
                    &mut compared.words,
                    &mut compared.unknown,
                );
                if let Some((what, reference, other)) = found {
                    compared.parting = part(what, &reference, &other);
                    return Ok(compared);
                }
            }
        }
    }
}

/// The first word of a key that differs: its name, both values.
fn differs(
    path: &str,
    reference: &Json,
    other: &Json,
    words: &mut usize,
    unknown: &mut usize,
) -> Option<(String, Json, Json)> {
    match other {
        Json::Object(entries) => entries.iter().find_map(|(name, value)| {
            differs(
                &format!("{path}.{name}"),
                &reference[name.as_str()],
                value,
                words,
                unknown,
            )
        }),
        Json::Array(lanes) => lanes.iter().enumerate().find_map(|(lane, value)| {
            differs(
                &format!("{path} of lane {lane}"),
                &reference[lane],
                value,
                words,
                unknown,
            )
        }),
        // A lane that is not active, or of which the other says nothing.
        Json::Null => None,
        other => {
            *words += 1;
            match accepts(reference, other) {
                Some(true) => None,
                Some(false) => Some((path.to_owned(), reference.clone(), other.clone())),
                None => {
                    *unknown += 1;
                    None
                }
            }
        }
    }
}

/// Whether the reference allows a word; none if it allows anything.
fn accepts(reference: &Json, other: &Json) -> Option<bool> {
    let word = |json: &Json| {
        json.as_str()
            .and_then(|text| u32::from_str_radix(text, 16).ok())
    };
    let (Some(found), Some(doubt)) = (word(other), reference.get("doubt").and_then(Json::as_str))
    else {
        // Names, as of targets, and settled words, in whatever case.
        let (a, b) = (reference.as_str(), other.as_str());
        return Some(match (a, b) {
            (Some(a), Some(b)) => a.eq_ignore_ascii_case(b),
            _ => reference == other,
        });
    };
    let float = f32::from_bits(found);
    let bound = |key: &str| word(&reference[key]).map(f32::from_bits);
    match doubt {
        "one-of" => {
            let words = reference["words"].as_array();
            Some(words.is_some_and(|words| words.iter().any(|known| word(known) == Some(found))))
        }
        "within" => {
            let nan = reference["nan"] == Json::Bool(true) && float.is_nan();
            let inside = bound("low").is_some_and(|low| low <= float)
                && bound("high").is_some_and(|high| float <= high);
            Some(nan || inside)
        }
        "any-nan" => Some(float.is_nan()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = concat!(
        "{\"trace\":\"r700\",\"version\":1,\"lanes\":2}\n",
        "{\"kind\":\"cf\",\"slot\":0,\"op\":\"ALU\",\"next\":1}\n",
        "{\"kind\":\"group\",\"slot\":2,\"pv\":{\"x\":[\"3f800000\",{\"bits\":\"00000000\",\"doubt\":\"one-of\",\
         \"words\":[\"00000000\",\"80000000\"]}]},\"writes\":{}}\n",
        "{\"kind\":\"group\",\"slot\":3,\"pv\":{\"y\":[\"00000007\",null]}}\n",
    );

    fn other(words: &str) -> String {
        format!(
            "{{\"kind\":\"group\",\"slot\":2,\"pv\":{{\"x\":{words}}}}}\n{{\"kind\":\"group\",\"slot\":3}}\n"
        )
    }

    #[test]
    fn a_thin_trace_agrees_by_what_it_has() {
        let compared = compare(OWN, &other("[\"3F800000\",\"80000000\"]")).expect("a trace");
        assert_eq!(
            (compared.records, compared.words, compared.parting),
            (2, 2, None)
        );
    }

    #[test]
    fn the_first_word_that_differs_is_named() {
        let compared = compare(OWN, &other("[\"3f800000\",\"80000001\"]")).expect("a trace");
        let parting = compared.parting.expect("a difference");
        assert_eq!(
            (parting.line, parting.slot, parting.what.as_str()),
            (1, Some(2), "pv.x of lane 1")
        );
    }

    #[test]
    fn a_missing_record_and_a_broken_line_are_named() {
        let first = other("[\"3f800000\",\"00000000\"]");
        let compared = compare(OWN, first.lines().next().unwrap_or_default()).expect("a trace");
        assert_eq!(
            compared
                .parting
                .map(|parting| (parting.line, parting.other)),
            Some((0, "the end".to_owned()))
        );
        assert_eq!(
            compare(OWN, "{}\n"),
            Err("line 1: no kind; one of group, fetch, export, cf".to_owned())
        );
    }
}
