//! Translations with one mistake.

use std::ops::Range;

use super::edits;
use super::expression::parse;

/// Kinds of mistakes, as the report names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    OperandsSwapped,
    PlacesSwapped,
    WrongChannel,
    ClampDropped,
    WriteInline,
    OtherPrevious,
    ModifierDropped,
    ModifierBehindClamp,
    SignDropped,
    SignsTurned,
    ConstantBeside,
    ConstantOfOtherBlock,
    ConditionNegated,
    ElseDropped,
    OtherExit,
    ScalarToVector,
}

impl Kind {
    /// All of them.
    pub(crate) const ALL: [Self; 16] = [
        Self::OperandsSwapped,
        Self::PlacesSwapped,
        Self::WrongChannel,
        Self::ClampDropped,
        Self::WriteInline,
        Self::OtherPrevious,
        Self::ModifierDropped,
        Self::ModifierBehindClamp,
        Self::SignDropped,
        Self::SignsTurned,
        Self::ConstantBeside,
        Self::ConstantOfOtherBlock,
        Self::ConditionNegated,
        Self::ElseDropped,
        Self::OtherExit,
        Self::ScalarToVector,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::OperandsSwapped => "operands swapped",
            Self::PlacesSwapped => "places swapped",
            Self::WrongChannel => "wrong channel",
            Self::ClampDropped => "clamp dropped",
            Self::WriteInline => "write before a read",
            Self::OtherPrevious => "PV and PS confused",
            Self::ModifierDropped => "output modifier dropped",
            Self::ModifierBehindClamp => "modifier behind clamp",
            Self::SignDropped => "neg or abs dropped",
            Self::SignsTurned => "neg before abs",
            Self::ConstantBeside => "constant beside",
            Self::ConstantOfOtherBlock => "constant of other block",
            Self::ConditionNegated => "condition negated",
            Self::ElseDropped => "else dropped",
            Self::OtherExit => "break and continue",
            Self::ScalarToVector => "PS written to PV",
        }
    }
}

/// A translation with a mistake.
#[derive(Clone, Debug)]
pub(crate) struct Mutant {
    pub(crate) kind: Kind,
    /// The slot of the group that is wrong; none outside of groups.
    pub(crate) slot: Option<u32>,
    /// The first line that differs, from 0.
    pub(crate) line: usize,
    /// What takes the place of `count` lines.
    pub(crate) lines: Vec<String>,
    pub(crate) count: usize,
}

impl Mutant {
    /// Its source.
    pub(crate) fn source(&self, original: &str) -> String {
        let mut text = String::with_capacity(original.len() + 64);
        for (number, line) in original.lines().enumerate() {
            if number == self.line {
                for line in &self.lines {
                    text.push_str(line);
                    text.push('\n');
                }
            }
            if !(self.line..self.line + self.count).contains(&number) {
                text.push_str(line);
                text.push('\n');
            }
        }
        text
    }

    /// What was there, and what there is now.
    pub(crate) fn shown(&self, original: &str) -> String {
        let was = original.lines().skip(self.line).take(self.count);
        let was: Vec<_> = was.map(str::trim).collect();
        let is: Vec<_> = self.lines.iter().map(|line| line.trim()).collect();
        format!(
            "line {}: `{}` became `{}`",
            self.line + 1,
            was.join(" "),
            is.join(" ")
        )
    }
}

/// An ALU group in the text: its lines between the braces.
struct Group {
    lines: Range<usize>,
    slot: u32,
}

/// All the mutants of a translation. The functions before its own code stay as they are.
pub(crate) fn mutants(source: &str) -> Vec<Mutant> {
    let lines: Vec<&str> = source.lines().collect();
    let is_own = |line: &&str| line.starts_with("void main") || line.starts_with("void call");
    let first = lines.iter().position(is_own).unwrap_or(0);
    let groups = groups(&lines);
    let slot_of = |number: usize| {
        let group = groups.iter().find(|group| group.lines.contains(&number));
        group.map(|group| group.slot)
    };
    let mut mutants = Vec::new();
    for (number, line) in lines.iter().enumerate().skip(first) {
        let slot = slot_of(number);
        let mut found = edits::Edits::new();
        if let Some(tree) = expressions(line).and_then(|span| parse(line, span)) {
            edits::of_expression(line, &tree, source, slot.is_some(), &mut found);
        }
        edits::of_statement(line, slot.is_some(), &mut found);
        mutants.extend(found.into_iter().map(|(kind, text)| Mutant {
            kind,
            slot,
            line: number,
            lines: vec![text],
            count: 1,
        }));
        if line.trim() == "} else {"
            && let Some(end) = end_of_block(&lines, number)
        {
            mutants.push(Mutant {
                kind: Kind::ElseDropped,
                slot: None,
                line: number,
                lines: vec!["}".to_owned()],
                count: end + 1 - number,
            });
        }
    }
    for group in &groups {
        inline_writes(&lines, group, &mut mutants);
    }
    mutants
}

/// The groups: braces on lines of their own, with a marker behind.
fn groups(lines: &[&str]) -> Vec<Group> {
    let mut groups = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        if line.trim() != "{" {
            continue;
        }
        let Some(end) = end_of_block(lines, number) else {
            continue;
        };
        let marker = lines.get(end + 1).map_or("", |line| line.trim());
        let slot = marker
            .strip_prefix("//@ ")
            .and_then(|rest| rest.split(' ').next()?.parse().ok());
        groups.extend(slot.map(|slot| Group {
            lines: number + 1..end,
            slot,
        }));
    }
    groups
}

/// The line that closes the block which a line opens, by its indentation.
fn end_of_block(lines: &[&str], open: usize) -> Option<usize> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let depth = indent(lines[open]);
    let behind = lines.iter().skip(open + 1);
    let end = behind
        .clone()
        .position(|line| indent(line) == depth && line.trim_start().starts_with('}'));
    end.map(|end| open + 1 + end)
}

/// The bytes of a line that are expressions which it computes.
pub(crate) fn expressions(line: &str) -> Option<Range<usize>> {
    let start = line.len() - line.trim_start().len();
    let text = &line[start..];
    if text.starts_with("//") || text.starts_with("for ") {
        return None;
    }
    if let Some(condition) = text.strip_prefix("if (") {
        let from = start + 4;
        let mut depth = 0_i32;
        let end = condition.find(|letter| {
            depth += i32::from(letter == '(') - i32::from(letter == ')');
            depth < 0
        })?;
        return Some(from..from + end);
    }
    let from = start + text.find(" = ")? + 3;
    let end = line.rfind(';')?;
    (from < end).then_some(from..end)
}

/// Writes that come before a later instruction of the group reads the place.
fn inline_writes(lines: &[&str], group: &Group, mutants: &mut Vec<Mutant>) {
    let inner = |number: usize| {
        let line = lines[number];
        line.len() - line.trim_start().len()
    };
    let depth = inner(group.lines.start);
    let mut writes: Vec<(String, String)> = Vec::new();
    for number in group.lines.clone().filter(|number| inner(*number) == depth) {
        writes.extend(written(lines[number]));
    }
    for (place, temporary) in writes {
        let declared = format!("float {temporary} = ");
        let Some(at) = group
            .lines
            .clone()
            .find(|number| lines[*number].trim_start().starts_with(&declared))
        else {
            continue;
        };
        let reads = |number: &usize| {
            let line = lines[*number];
            let computes = ["float ", "bool ", "int ", "vec4 "];
            let computes = computes
                .iter()
                .any(|start| line.trim_start().starts_with(start));
            let tree = expressions(line).and_then(|span| parse(line, span));
            computes
                && tree.is_some_and(|tree| tree.all().iter().any(|node| node.text(line) == place))
        };
        if (at + 1..group.lines.end).any(|number| reads(&number)) {
            mutants.push(Mutant {
                kind: Kind::WriteInline,
                slot: Some(group.slot),
                line: at,
                lines: vec![
                    lines[at].to_owned(),
                    format!("{}{place} = {temporary};", " ".repeat(depth)),
                ],
                count: 1,
            });
        }
    }
}

/// Places that a line of the writes at a group's end writes, with the temporaries.
fn written(line: &str) -> Vec<(String, String)> {
    let text = line.trim().trim_end_matches(';');
    let Some((place, value)) = text.split_once(" = ") else {
        return Vec::new();
    };
    if place == "PS" {
        return vec![(place.to_owned(), value.to_owned())];
    }
    if !place.starts_with('R') && !place.starts_with("PV") {
        return Vec::new();
    }
    let (base, channels) = match place.rsplit_once('.') {
        Some((base, channels)) => (base, channels),
        None => (place, "xyzw"),
    };
    let values = value.split_once('(').map_or(value, |(_, list)| list);
    let values: Vec<_> = values.trim_end_matches(')').split(", ").collect();
    // One value for all channels is a reduction's, before which nothing is written.
    if values.len() != channels.len() {
        return Vec::new();
    }
    let channels = channels.chars().zip(values);
    channels
        .map(|(channel, value)| (format!("{base}.{channel}"), value.to_owned()))
        .collect()
}

/// By hand: one group in a branch, and what can go wrong in each of its lines.
#[test]
fn mutants_of_a_group() {
    let source = "float larger(float a, float b) { return a >= b ? a : b; }\n\
        void main() {\n    \
            if (mask0) {\n        \
                {\n            \
                    float x = clamp((-abs(R1.x) - PS) * 2.0, 0.0, 1.0);\n            \
                    float t = R2.x + KC1[5].y;\n            \
                    PS = t;\n            \
                    R2.xy = vec2(x, t);\n        \
                }\n        \
                //@ 4 R2.xy PV.x PS\n    \
            } else {\n        \
                break;\n    \
            }\n\
        }\n";
    let found = mutants(source);
    let of = |kind: Kind| {
        let found = found.iter().filter(move |mutant| mutant.kind == kind);
        found
            .map(|mutant| {
                let lines: Vec<_> = mutant.lines.iter().map(|line| line.trim()).collect();
                (mutant.slot, lines.join(" "))
            })
            .collect::<Vec<_>>()
    };
    let group = |text: &str| (Some(4), text.to_owned());
    let beside = |text: &str| (None, text.to_owned());
    assert_eq!(
        of(Kind::ClampDropped),
        [group("float x = ((-abs(R1.x) - PS) * 2.0);")]
    );
    assert_eq!(
        of(Kind::ModifierBehindClamp),
        [group("float x = clamp((-abs(R1.x) - PS), 0.0, 1.0) * 2.0;")]
    );
    assert_eq!(
        of(Kind::ModifierDropped),
        [group("float x = clamp((-abs(R1.x) - PS), 0.0, 1.0);")]
    );
    // The sum's operands commute; the list of what is written does not.
    assert_eq!(
        of(Kind::OperandsSwapped),
        [
            group("float x = clamp((PS - -abs(R1.x)) * 2.0, 0.0, 1.0);"),
            group("R2.xy = vec2(t, x);")
        ]
    );
    assert_eq!(
        of(Kind::SignsTurned),
        [group("float x = clamp((abs(-R1.x) - PS) * 2.0, 0.0, 1.0);")]
    );
    // R2.x is read behind the line that computes what is written to it; R2.y is not read.
    assert_eq!(
        of(Kind::WriteInline),
        [group(
            "float x = clamp((-abs(R1.x) - PS) * 2.0, 0.0, 1.0); R2.x = x;"
        )]
    );
    assert_eq!(of(Kind::ScalarToVector), [group("PV.x = t;")]);
    assert_eq!(of(Kind::ConditionNegated), [beside("if (!(mask0)) {")]);
    assert_eq!(of(Kind::ElseDropped), [beside("}")]);
    assert_eq!(of(Kind::OtherExit), [beside("continue;")]);
    let dropped = found.iter().find(|mutant| mutant.kind == Kind::ElseDropped);
    let dropped = dropped.expect("a mutant").source(source);
    assert!(dropped.ends_with("PV.x PS\n}\n}\n"), "{dropped}");
}
