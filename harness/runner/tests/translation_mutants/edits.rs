//! Mistakes in one line: each edit is a kind and the line with the mistake.

use std::collections::BTreeSet;
use std::ops::Range;

use super::expression::{Kind as Part, Node};
use super::mutate::{Kind, expressions};

pub(crate) type Edits = BTreeSet<(Kind, String)>;

fn replaced(line: &str, span: &Range<usize>, by: &str) -> String {
    format!("{}{by}{}", &line[..span.start], &line[span.end..])
}

/// The line with two of its parts in each other's place.
fn swapped(line: &str, a: &Node, b: &Node) -> String {
    let (a, b) = if a.span.start < b.span.start {
        (a, b)
    } else {
        (b, a)
    };
    format!(
        "{}{}{}{}{}",
        &line[..a.span.start],
        b.text(line),
        &line[a.span.end..b.span.start],
        a.text(line),
        &line[b.span.end..]
    )
}

/// Whether the order of its parts does not matter.
fn commutes(node: &Node) -> bool {
    match &node.kind {
        Part::Binary(operator) => {
            ["+", "*", "==", "!=", "&", "|", "^", "&&", "||"].contains(&operator.as_str())
        }
        Part::Call(name) => {
            ["mul", "max", "min", "mul_high", "mul_high_signed"].contains(&name.as_str())
        }
        _ => false,
    }
}

/// A register, a constant, PV or PS.
fn is_place(node: &Node, line: &str) -> bool {
    let text = node.text(line);
    match &node.kind {
        Part::Member(channel) => {
            channel.len() == 1
                && ["R", "PV.", "KC", "C["]
                    .iter()
                    .any(|start| text.starts_with(start))
        }
        Part::Name => text == "PS",
        _ => false,
    }
}

/// Edits of an expression in a line.
pub(crate) fn of_expression(
    line: &str,
    tree: &Node,
    source: &str,
    in_group: bool,
    edits: &mut Edits,
) {
    let all = tree.all();
    let mut add = |kind, text: String| {
        if text != line {
            edits.insert((kind, text));
        }
    };
    for node in &all {
        match (&node.kind, node.parts.as_slice()) {
            (Part::Binary(_), [a, b]) if !commutes(node) => {
                add(Kind::OperandsSwapped, swapped(line, a, b));
            }
            (Part::Ternary, [_, a, b]) => add(Kind::OperandsSwapped, swapped(line, a, b)),
            (Part::Call(name), [value, low, high])
                if name == "clamp" && (low.text(line), high.text(line)) == ("0.0", "1.0") =>
            {
                let bare = format!("({})", value.text(line));
                add(Kind::ClampDropped, replaced(line, &node.span, &bare));
                if let Some((value, factor)) = scaled(value, line) {
                    let text = format!("clamp({}, 0.0, 1.0) * {}", value.text(line), factor);
                    add(Kind::ModifierBehindClamp, replaced(line, &node.span, &text));
                }
            }
            (Part::Call(name), [a, b]) if name == "larger" || name == "smaller" => {
                add(Kind::OperandsSwapped, swapped(line, a, b));
            }
            (Part::Call(name), [.., a, b]) if !commutes(node) && name != "clamp" => {
                add(Kind::OperandsSwapped, swapped(line, a, b));
            }
            _ => {}
        }
        if let Some((value, _)) = scaled(node, line) {
            add(
                Kind::ModifierDropped,
                replaced(line, &node.span, value.text(line)),
            );
        }
        signs(line, node, &mut add);
        constants(line, node, source, &mut add);
        if is_place(node, line) && in_group {
            previous(line, node, &mut add);
        }
    }
    let mut places: Vec<_> = all.iter().filter(|node| is_place(node, line)).collect();
    places.sort_by_key(|node| node.span.start);
    for pair in places.windows(2) {
        let together = |node: &&&Node| {
            commutes(node) && node.parts.contains(pair[0]) && node.parts.contains(pair[1])
        };
        if !all.iter().any(|node| together(&node)) {
            add(Kind::PlacesSwapped, swapped(line, pair[0], pair[1]));
        }
    }
}

/// Value and factor of an output modifier: a product of something in parentheses with a literal.
fn scaled<'a>(node: &'a Node, line: &'a str) -> Option<(&'a Node, &'a str)> {
    match (&node.kind, node.parts.as_slice()) {
        (Part::Binary(operator), [value, factor])
            if operator == "*"
                && value.kind == Part::Parenthesised
                && ["2.0", "4.0", "0.5"].contains(&factor.text(line)) =>
        {
            Some((value, factor.text(line)))
        }
        _ => None,
    }
}

fn signs(line: &str, node: &Node, add: &mut impl FnMut(Kind, String)) {
    const MAGNITUDES: [&str; 2] = ["abs", "magnitude"];
    let is_neg = |node: &Node| match &node.kind {
        Part::Unary(operator) => operator == "-",
        Part::Call(name) => name == "negated",
        _ => false,
    };
    let is_abs =
        |node: &Node| matches!(&node.kind, Part::Call(name) if MAGNITUDES.contains(&name.as_str()));
    if !is_neg(node) && !is_abs(node) {
        return;
    }
    let [inner] = node.parts.as_slice() else {
        return;
    };
    add(
        Kind::SignDropped,
        replaced(line, &node.span, inner.text(line)),
    );
    if is_neg(node) && is_abs(inner) {
        let Part::Call(name) = &inner.kind else {
            return;
        };
        let (neg, place) = match &node.kind {
            Part::Call(neg) => (format!("{neg}("), format!("{})", inner.parts[0].text(line))),
            _ => ("-".to_owned(), inner.parts[0].text(line).to_owned()),
        };
        let text = format!("{name}({neg}{place})");
        add(Kind::SignsTurned, replaced(line, &node.span, &text));
    }
}

/// Constants beside the right ones: the next entry, the next line of entries, another block.
fn constants(line: &str, node: &Node, source: &str, add: &mut impl FnMut(Kind, String)) {
    let (Part::Index, [array, index]) = (&node.kind, node.parts.as_slice()) else {
        return;
    };
    let name = array.text(line);
    let is_block = name.starts_with("KC");
    if !is_block && name != "C" {
        return;
    }
    if let Ok(number) = index.text(line).parse::<u32>() {
        for other in [number + 1, number.wrapping_sub(1), number + 16] {
            if other < 256 && (is_block || other != number + 16) {
                let text = replaced(line, &index.span, &other.to_string());
                add(Kind::ConstantBeside, text);
            }
        }
    }
    let blocks = (0..16).map(|bank| format!("KC{bank}"));
    for other in blocks.filter(|other| is_block && other != name) {
        if source.contains(&format!("vec4 {other}[")) {
            add(
                Kind::ConstantOfOtherBlock,
                replaced(line, &array.span, &other),
            );
        }
    }
}

/// Another channel of a register; PS for PV, another channel of PV, PV for PS.
fn previous(line: &str, node: &Node, add: &mut impl FnMut(Kind, String)) {
    let text = node.text(line);
    let Part::Member(channel) = &node.kind else {
        return add(Kind::OtherPrevious, replaced(line, &node.span, "PV.x"));
    };
    let next = match channel.as_str() {
        "x" => "y",
        "y" => "z",
        "z" => "w",
        _ => "x",
    };
    let base = &text[..text.len() - 1];
    let beside = replaced(line, &node.span, &format!("{base}{next}"));
    if base == "PV." {
        add(Kind::OtherPrevious, beside);
        add(Kind::OtherPrevious, replaced(line, &node.span, "PS"));
    } else {
        add(Kind::WrongChannel, beside);
    }
}

/// Edits of whole statements.
pub(crate) fn of_statement(line: &str, in_group: bool, edits: &mut Edits) {
    let text = line.trim();
    if text.starts_with("if (")
        && !(in_group && text.contains(">= 0 &&"))
        && let Some(span) = expressions(line)
    {
        let negated = format!("!({})", &line[span.clone()]);
        edits.insert((Kind::ConditionNegated, replaced(line, &span, &negated)));
    }
    for (one, other) in [("break;", "continue;"), ("continue;", "break;")] {
        if text.starts_with(one) || text.ends_with(&format!("{{ {one} }}")) {
            edits.insert((Kind::OtherExit, line.replace(one, other)));
        }
    }
    if in_group && text == "PS = t;" {
        edits.insert((Kind::ScalarToVector, line.replace("PS", "PV.x")));
    }
}
