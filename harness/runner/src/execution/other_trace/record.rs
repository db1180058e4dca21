//! A record of another trace against the reference's record of the same step.

use std::collections::BTreeSet;

use serde_json::{Map, Value as Json};

use super::read::{bits, lanes_of};

/// What was compared so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) words: usize,
    pub(super) unknown: usize,
}

/// A difference: what differs, what the reference says and what the other does.
pub(super) type Difference = (String, Json, Json);

/// Compares what the other record has. Of lanes that are `lost` nothing is known.
pub(super) fn difference(
    own: &Json,
    their: &Json,
    lost: u64,
    says_killed: bool,
    counts: &mut Counts,
) -> Option<Difference> {
    let mut compare = Compare { lost, counts };
    for key in ["kind", "slot"] {
        if own[key] != their[key] {
            return Some((key.to_owned(), own[key].clone(), their[key].clone()));
        }
    }
    let has = |key: &&str| their.get(*key).is_some();
    for key in ["op", "target", "next", "fetch_shader"]
        .iter()
        .filter(|key| has(key))
    {
        let no = Json::Bool(false);
        let mine = match own.get(*key) {
            None if *key == "fetch_shader" => &no,
            mine => mine.unwrap_or(&Json::Null),
        };
        if !same_name(mine, &their[*key]) {
            return Some(((*key).to_owned(), mine.clone(), their[*key].clone()));
        }
    }
    let masks = ["mask", "killed"];
    let wanted =
        |key: &&&str| has(key) || (**key == "killed" && says_killed && own["kind"] == "group");
    for key in masks.iter().filter(wanted) {
        let of = |record: &Json| record.get(*key).and_then(lanes_of).unwrap_or(0);
        if (of(own) ^ of(their)) & !lost != 0 {
            let shown = |record: &Json| Json::String(format!("{:x}", of(record)));
            return Some(((*key).to_owned(), shown(own), shown(their)));
        }
    }
    if let Some(theirs) = their.get("ops")
        && let Some(found) = compare.operations(&own["ops"], theirs)
    {
        return Some(found);
    }
    if let Some(theirs) = their.get("ps")
        && let Some(found) = compare.lanes("ps", &own["ps"], theirs)
    {
        return Some(found);
    }
    ["pv", "writes", "values"]
        .into_iter()
        .find_map(|key| compare.map(key, &own[key], their.get(key)?))
}

/// Whether two names are the same, in whatever case; or two other things.
fn same_name(own: &Json, their: &Json) -> bool {
    match (own.as_str(), their.as_str()) {
        (Some(own), Some(their)) => own.eq_ignore_ascii_case(their),
        _ => own == their,
    }
}

struct Compare<'a> {
    lost: u64,
    counts: &'a mut Counts,
}

impl Compare<'_> {
    fn operations(&mut self, own: &Json, theirs: &Json) -> Option<Difference> {
        let all = |json: &Json| json.as_array().cloned().unwrap_or_default();
        let (own, theirs) = (all(own), all(theirs));
        if own.len() != theirs.len() {
            let count = |all: &[Json]| Json::from(all.len());
            return Some(("number of ops".to_owned(), count(&own), count(&theirs)));
        }
        own.iter().zip(&theirs).find_map(|(own, their)| {
            let name = |key: &str| format!("{key} of the operation in slot {}", own["slot"]);
            let keys = ["slot", "unit", "op"];
            if let Some(key) = keys
                .into_iter()
                .find(|key| !same_name(&own[*key], &their[*key]))
            {
                return Some((name(key), own[key].clone(), their[key].clone()));
            }
            if let Some(theirs) = their.get("src") {
                let (own, theirs) = (all(&own["src"]), all(theirs));
                if own.len() != theirs.len() {
                    let count = |all: &[Json]| Json::from(all.len());
                    return Some((name("number of src"), count(&own), count(&theirs)));
                }
                let operands = own.iter().zip(&theirs).enumerate();
                for (number, (own, their)) in operands {
                    let found = self.lanes(&name(&format!("src {number}")), own, their);
                    if found.is_some() {
                        return found;
                    }
                }
            }
            self.lanes(&name("result"), &own["result"], their.get("result")?)
        })
    }

    /// Words by name. What one side lacks is as if no lane were active there.
    fn map(&mut self, path: &str, own: &Json, theirs: &Json) -> Option<Difference> {
        let names = |json: &Json| -> Vec<String> {
            let entries = json.as_object().map(Map::keys);
            entries.into_iter().flatten().cloned().collect()
        };
        let all: BTreeSet<String> = names(own).into_iter().chain(names(theirs)).collect();
        all.iter().find_map(|name| {
            self.lanes(
                &format!("{path}.{name}"),
                &own[name.as_str()],
                &theirs[name.as_str()],
            )
        })
    }

    fn lanes(&mut self, path: &str, own: &Json, theirs: &Json) -> Option<Difference> {
        let count = |json: &Json| json.as_array().map_or(0, Vec::len);
        (0..count(own).max(count(theirs))).find_map(|lane| {
            let (mine, their) = (&own[lane], &theirs[lane]);
            let what = self.word(mine, their, self.lost >> lane & 1 == 1)?;
            Some((
                format!("{path} of lane {lane}{what}"),
                mine.clone(),
                their.clone(),
            ))
        })
    }

    /// Whether a word differs, and in what of it.
    fn word(&mut self, own: &Json, their: &Json, is_lost: bool) -> Option<&'static str> {
        if own.is_null() && their.is_null() {
            return None;
        }
        self.counts.words += 1;
        let doubt = own.get("doubt").and_then(Json::as_str);
        if is_lost {
            self.counts.unknown += 1;
            return None;
        }
        // Another that has doubts of its own is held to have the same.
        if let Some(theirs) = their.get("doubt")
            && theirs.as_str() != doubt
        {
            return Some(", doubt");
        }
        if doubt == Some("unknown") {
            self.counts.unknown += 1;
            return None;
        }
        let found = bits(their.get("bits").unwrap_or(their));
        let allowed = found.is_some_and(|found| accepts(own, found));
        (!allowed).then_some("")
    }
}

/// Whether the reference allows a word; it is not unknown.
fn accepts(own: &Json, found: u32) -> bool {
    let float = f32::from_bits(found);
    let bound = |key: &str| own.get(key).and_then(bits).map(f32::from_bits);
    match own.get("doubt").and_then(Json::as_str) {
        None => bits(own) == Some(found),
        Some("one-of") => {
            let words = own["words"].as_array();
            words.is_some_and(|words| words.iter().any(|known| bits(known) == Some(found)))
        }
        Some("within") => {
            let nan = own["nan"] == Json::Bool(true) && float.is_nan();
            let inside = bound("low").is_some_and(|low| low <= float)
                && bound("high").is_some_and(|high| float <= high);
            nan || inside
        }
        Some(_) => float.is_nan(),
    }
}
