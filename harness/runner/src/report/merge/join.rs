//! Joining lists: sorted, with one entry for each thing.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use crate::report::model::{
    Certificate, Coverage, CoverageRow, ErratumResult, Finding, Peer, Tally,
};

/// Sorts by a key, and joins the entries that share it.
fn joined<T, K: Ord>(
    items: Vec<T>,
    key: impl Fn(&T) -> K,
    mut join: impl FnMut(&mut T, T),
) -> Vec<T> {
    let mut by_key: BTreeMap<K, T> = BTreeMap::new();
    for item in items {
        match by_key.entry(key(&item)) {
            std::collections::btree_map::Entry::Vacant(entry) => {
                entry.insert(item);
            }
            std::collections::btree_map::Entry::Occupied(mut entry) => join(entry.get_mut(), item),
        }
    }
    by_key.into_values().collect()
}

/// Counts of the same target, kind and part are added up.
pub(super) fn tallies(items: Vec<Tally>) -> Vec<Tally> {
    joined(
        items,
        |tally| (tally.target.clone(), tally.kind.clone(), tally.part.clone()),
        |sum, tally| {
            sum.agree = sum.agree.saturating_add(tally.agree);
            sum.disagree = sum.disagree.saturating_add(tally.disagree);
            sum.poisoned = sum.poisoned.saturating_add(tally.poisoned);
            sum.skipped = sum.skipped.saturating_add(tally.skipped);
        },
    )
}

/// Findings of one id are one finding, shown by the smallest input.
pub(super) fn findings(items: Vec<Finding>) -> Vec<Finding> {
    joined(
        items,
        |finding| finding.id.clone(),
        |shown, finding| {
            let count = shown.count.saturating_add(finding.count);
            if smaller(&finding, shown) == Ordering::Less {
                *shown = finding;
            }
            shown.count = count;
        },
    )
}

/// Which of two findings shows the cause better: the shorter input, then the lower, then the rest of what is said of
/// it, so that the choice never depends on the order in which findings come.
fn smaller(a: &Finding, b: &Finding) -> Ordering {
    let input = |f: &Finding| (f.hex.len(), f.hex.clone(), f.original_bytes, f.origin.clone());
    let rest = |f: &Finding| {
        let answers: Vec<String> = f
            .differences
            .iter()
            .flat_map(|difference| {
                let answers = difference.answers.iter();
                std::iter::once(difference.path.clone())
                    .chain(answers.flat_map(|answer| [answer.who.clone(), answer.value.clone()]))
            })
            .collect();
        (
            f.options.clone(),
            f.words.clone(),
            answers,
            f.odd_one_out.clone(),
            f.citations.clone(),
            f.replay.clone(),
            f.cause.clone(),
        )
    };
    input(a).cmp(&input(b)).then_with(|| rest(a).cmp(&rest(b)))
}

/// Inputs are added up, and values too, since no value is swept in two jobs. Sweeps that disagree about how many values
/// there are stay apart.
pub(super) fn certificates(items: Vec<Certificate>) -> Vec<Certificate> {
    joined(
        items,
        |c| (c.target.clone(), c.unit.clone(), c.what.clone(), c.of),
        |sum, certificate| {
            sum.inputs = sum.inputs.saturating_add(certificate.inputs);
            sum.agree = sum.agree.saturating_add(certificate.agree);
            sum.values = sum.values.saturating_add(certificate.values);
            if sum.of > 0 {
                sum.values = sum.values.min(sum.of);
            }
        },
    )
}

/// Rows are joined by name and columns by path.
///
/// How often a name was seen is exact. `varied` is the larger of the two shares, which is a lower bound: a bit that was
/// only 0 in one part and only 1 in another did vary, and a percentage cannot say so.
pub(super) fn coverage(items: Vec<Coverage>) -> Vec<Coverage> {
    #[derive(Default)]
    struct Axis {
        fields: BTreeSet<String>,
        rows: BTreeMap<String, (u64, BTreeMap<String, u8>)>,
    }

    let mut axes: BTreeMap<(String, String), Axis> = BTreeMap::new();
    for item in items {
        let axis = axes.entry((item.target, item.axis)).or_default();
        for row in item.rows {
            let (seen, varied) = axis.rows.entry(row.name).or_default();
            *seen = seen.saturating_add(row.seen);
            for (field, share) in item.fields.iter().zip(row.varied) {
                if let Some(share) = share {
                    let known = varied.entry(field.clone()).or_default();
                    *known = share.max(*known);
                }
            }
        }
        axis.fields.extend(item.fields);
    }
    axes.into_iter()
        .map(|((target, axis), Axis { fields, rows })| Coverage {
            target,
            axis,
            rows: rows
                .into_iter()
                .map(|(name, (seen, varied))| CoverageRow {
                    name,
                    seen,
                    varied: fields.iter().map(|field| varied.get(field).copied()).collect(),
                })
                .collect(),
            fields: fields.into_iter().collect(),
        })
        .collect()
}

/// Cases are joined by id: `not met` beats all, `met` beats `not run`.
pub(super) fn errata(items: Vec<ErratumResult>) -> Vec<ErratumResult> {
    joined(
        items,
        |erratum| (erratum.target.clone(), erratum.id.clone()),
        |sum, erratum| {
            for (case, state) in erratum.cases {
                match sum.cases.iter_mut().find(|(known, _)| *known == case) {
                    None => sum.cases.push((case, state)),
                    Some((_, known)) if case_rank(&state) < case_rank(known) => *known = state,
                    Some(_) => {}
                }
            }
        },
    )
}

fn case_rank(state: &str) -> u8 {
    match state {
        "not met" => 0,
        "met" => 1,
        "not run" => 2,
        _ => 3,
    }
}

/// Peers are joined by name: `missing` beats `used`, and `used` beats `not needed`.
pub(super) fn peers(items: Vec<Peer>) -> Vec<Peer> {
    joined(
        items,
        |peer| peer.name.clone(),
        |sum, peer| {
            let key = |peer: &Peer| (peer_rank(&peer.state), peer.state.clone(), peer.note.clone());
            if key(&peer) < key(sum) {
                *sum = peer;
            }
        },
    )
}

fn peer_rank(state: &str) -> u8 {
    match state {
        "missing" => 0,
        "used" => 1,
        "not needed" => 2,
        _ => 3,
    }
}
