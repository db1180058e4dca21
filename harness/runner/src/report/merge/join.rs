//! Joining lists: sorted, with one entry for each thing.

use std::cmp::Ordering;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use crate::report::model::{
    Certificate, Coverage, CoverageRow, ErratumResult, Execution, Finding, OpcodeRuns, Refused,
    Tally, Varied,
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
            Entry::Vacant(entry) => {
                entry.insert(item);
            }
            Entry::Occupied(mut entry) => join(entry.get_mut(), item),
        }
    }
    by_key.into_values().collect()
}

/// Where a kind stands: as the design lists them, and then any other by its name.
fn kind_order(kind: &str) -> (usize, String) {
    let known = [
        "golden",
        "property",
        "differential",
        "sweep",
        "execution",
        "faults",
    ];
    let at = known.iter().position(|known| *known == kind);
    (at.unwrap_or(known.len()), kind.to_string())
}

/// Counts of the same target, kind and part are added up.
pub(super) fn tallies(items: Vec<Tally>) -> Vec<Tally> {
    joined(
        items,
        |tally| {
            (
                tally.target.clone(),
                kind_order(&tally.kind),
                tally.part.clone(),
            )
        },
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
        |finding| {
            let Finding {
                id,
                target,
                kind,
                cause,
                options,
                ..
            } = finding.clone();
            (target, kind_order(&kind), options, cause, id)
        },
        |shown, finding| {
            let count = shown.count.saturating_add(finding.count);
            if smaller(&finding, shown) == Ordering::Less {
                *shown = finding;
            }
            shown.count = count;
        },
    )
}

/// Which of two findings stands for the cause: the one whose input was smaller before reduction, as in a whole run. Then
/// the rest of what is said of it, so that the choice never depends on the order in which findings come.
fn smaller(a: &Finding, b: &Finding) -> Ordering {
    let input = |f: &Finding| {
        (
            f.original_bytes,
            f.original.clone(),
            f.hex.clone(),
            f.origin.clone(),
        )
    };
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

/// The lowest bit in `bit 7` or `bits [9:0]`; last what names none.
fn lowest_bit(what: &str) -> u32 {
    let number = what.trim_end_matches(']').rsplit([':', ' ']).next();
    number
        .and_then(|number| number.parse().ok())
        .unwrap_or(u32::MAX)
}

/// Inputs are added up, and values too, since no value is swept in two jobs. Sweeps that disagree about how many values
/// there are stay apart.
pub(super) fn certificates(items: Vec<Certificate>) -> Vec<Certificate> {
    joined(
        items,
        |c| {
            (
                c.target.clone(),
                c.unit.clone(),
                lowest_bit(&c.what),
                c.what.clone(),
                c.of,
            )
        },
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

/// Rows are joined by name and columns by path, so it does not matter which names and fields a part has seen.
pub(super) fn coverage(items: Vec<Coverage>) -> Vec<Coverage> {
    #[derive(Default)]
    struct Axis {
        fields: BTreeSet<String>,
        rows: BTreeMap<String, (u64, BTreeMap<String, Varied>)>,
    }

    let mut axes: BTreeMap<(String, String), Axis> = BTreeMap::new();
    for item in items {
        let axis = axes.entry((item.target, item.axis)).or_default();
        for row in item.rows {
            let (seen, varied) = axis.rows.entry(row.name).or_default();
            *seen = seen.saturating_add(row.seen);
            for (field, cell) in item.fields.iter().zip(row.varied) {
                if let Some(cell) = cell {
                    let known = varied.entry(field.clone()).or_insert(cell);
                    *known = known.join(cell);
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
                    varied: fields
                        .iter()
                        .map(|field| varied.get(field).copied())
                        .collect(),
                })
                .collect(),
            fields: fields.into_iter().collect(),
        })
        .collect()
}

/// Executions of a target are added up; programs that were not translated are listed once.
pub(super) fn execution(items: Vec<Execution>) -> Vec<Execution> {
    let add = |sums: &mut BTreeMap<String, u64>, counts: BTreeMap<String, u64>| {
        for (name, count) in counts {
            let sum = sums.entry(name).or_default();
            *sum = sum.saturating_add(count);
        }
    };
    let mut all = joined(
        items,
        |execution| execution.target.clone(),
        |whole, part| {
            add(&mut whole.translated, part.translated);
            add(&mut whole.doubts, part.doubts);
            whole.refused.extend(part.refused);
            whole.opcodes.extend(part.opcodes);
        },
    );
    for execution in &mut all {
        execution.refused = refused(std::mem::take(&mut execution.refused));
        execution.opcodes = opcodes(std::mem::take(&mut execution.opcodes));
    }
    all
}

fn refused(items: Vec<Refused>) -> Vec<Refused> {
    let mut all = joined(
        items,
        |refused| refused.reason.clone(),
        |whole, part| whole.programs.extend(part.programs),
    );
    for refused in &mut all {
        refused.programs.sort();
        refused.programs.dedup();
    }
    all
}

fn opcodes(items: Vec<OpcodeRuns>) -> Vec<OpcodeRuns> {
    joined(
        items,
        |row| (row.class.clone(), row.name.clone()),
        |sum, row| sum.lanes = sum.lanes.saturating_add(row.lanes),
    )
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
