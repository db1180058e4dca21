//! Calls in a C source.

use super::{MAX_ARGUMENTS, MineError, literal};

/// A call of a macro.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Call<'a> {
    /// The name after `IGC_`.
    pub(super) name: &'a str,
    /// The line of the name, from 1.
    pub(super) line: u32,
    pub(super) arguments: Vec<Argument>,
}

/// An argument, as far as its shape says what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Argument {
    Integer(i64),
    /// The bits of a binary32.
    Float(u32),
    Symbolic,
}

impl Argument {
    fn read(text: &str) -> Self {
        let text = text.trim();
        match (literal::integer(text), literal::float(text)) {
            (Some(integer), _) => Self::Integer(integer),
            (None, Some(bits)) => Self::Float(bits),
            (None, None) => Self::Symbolic,
        }
    }
}

/// The source with a space for every comment; lines stay lines.
pub(super) fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut left = text;
    while let Some(at) = left.find(['/', '"', '\'']) {
        kept.push_str(&left[..at]);
        left = &left[at..];
        let comment = left.starts_with("//") || left.starts_with("/*");
        let length = if left.starts_with("//") {
            left.find('\n').unwrap_or(left.len())
        } else if comment {
            left[2..].find("*/").map_or(left.len(), |end| end + 4)
        } else if left.starts_with('/') {
            1
        } else {
            quoted(left)
        };
        let (part, rest) = left.split_at(length);
        if comment {
            kept.push(' ');
            kept.extend(part.chars().filter(|c| *c == '\n'));
        } else {
            kept.push_str(part);
        }
        left = rest;
    }
    kept.push_str(left);
    kept
}

/// The length of a string or a character at the start of a text. One that is not closed ends with its line.
fn quoted(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\n' => return at,
            b'\\' => at += 1,
            byte if *byte == bytes[0] => return at + 1,
            _ => {}
        }
        at += 1;
    }
    text.len()
}

/// A macro's call whose parenthesis is open.
struct Open<'a> {
    name: &'a str,
    line: u32,
    /// Where the argument under way begins.
    start: usize,
    arguments: Vec<Argument>,
}

impl Open<'_> {
    fn argument(&mut self, text: &str) -> Result<(), MineError> {
        if self.arguments.len() == MAX_ARGUMENTS {
            return Err(MineError::Arguments {
                line: self.line,
                most: MAX_ARGUMENTS,
            });
        }
        self.arguments.push(Argument::read(text));
        Ok(())
    }
}

/// The calls of a source without comments, in the order of their names.
///
/// One pass: open parentheses are kept on a stack, so that the work is linear whatever is left open.
pub(super) fn calls(text: &str) -> Result<Vec<Call<'_>>, MineError> {
    let bytes = text.as_bytes();
    let mut calls = Vec::new();
    let mut open: Vec<Option<Box<Open<'_>>>> = Vec::new();
    // A macro's name, or a call of one, if nothing but space stands behind it yet.
    let (mut named, mut closed) = (None, None);
    let (mut at, mut line) = (0, 1);
    while let Some(byte) = bytes.get(at) {
        let start = at;
        at += 1;
        if byte.is_ascii_whitespace() {
            line += u32::from(*byte == b'\n');
            continue;
        }
        let (last_name, last_call) = (named.take(), closed.take());
        match byte {
            b'"' | b'\'' => at = start + quoted(&text[start..]),
            b'(' => open.push(last_name.map(|(name, line)| {
                Box::new(Open {
                    name,
                    line,
                    start: at,
                    arguments: Vec::new(),
                })
            })),
            b',' => {
                if let Some(Some(open)) = open.last_mut() {
                    open.argument(&text[open.start..start])?;
                    open.start = at;
                }
            }
            b')' => {
                if let Some(Some(mut open)) = open.pop() {
                    let last = &text[open.start..start];
                    if !open.arguments.is_empty() || !last.trim().is_empty() {
                        open.argument(last)?;
                    }
                    closed = Some(Call {
                        name: open.name,
                        line: open.line,
                        arguments: open.arguments,
                    });
                }
            }
            b';' => calls.extend(last_call),
            byte if part_of_name(byte) => {
                let length = bytes[at..].iter().take_while(|byte| part_of_name(byte));
                at += length.count();
                let name = text[start..at].strip_prefix("IGC_");
                named = name
                    .filter(|name| !name.is_empty())
                    .map(|name| (name, line));
            }
            _ => {}
        }
    }
    // A call within another's arguments ends first.
    calls.sort_by_key(|call| call.name.as_ptr());
    Ok(calls)
}

fn part_of_name(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(String, u32, Vec<Argument>)> {
        let text = without_comments(text);
        let calls = calls(&text).unwrap().into_iter();
        calls
            .map(|call| (call.name.into(), call.line, call.arguments))
            .collect()
    }

    #[test]
    fn arguments_have_shapes() {
        use Argument::{Float, Integer, Symbolic};
        let one = |text| found(text).pop().unwrap().2;
        assert_eq!(one("IGC_NOOP();"), []);
        assert_eq!(one("IGC_NOOP( );"), []);
        assert_eq!(
            one("IGC_CPY(0x10, -3, dst);"),
            [Integer(16), Integer(-3), Symbolic]
        );
        assert_eq!(
            one("IGC_X (1.5f, f(1, 2), (3), 4 /* , 5 */) ;"),
            [Float(1.5f32.to_bits()), Symbolic, Symbolic, Integer(4)]
        );
        assert_eq!(one("IGC_X(\"),\", ',');"), [Symbolic, Symbolic]);
        assert_eq!(one("IGC_X(1,);"), [Integer(1), Symbolic]);
    }

    #[test]
    fn calls_are_on_the_lines_of_their_names() {
        let text = "/* IGC_A();\n*/ IGC_B(1,\n 2); IGC_C();\n// IGC_D();\n\"IGC_E();\" XIGC_F(); IGC_G() + 1;\n\
                    IGC_H(IGC_I(1));\nIGC_();\nIGC_J\n(\n)\n;";
        let names: Vec<_> = found(text)
            .into_iter()
            .map(|(name, line, _)| (name, line))
            .collect();
        let expected = [("B", 2), ("C", 3), ("H", 6), ("J", 8)];
        assert!(
            names
                .iter()
                .map(|(name, line)| (name.as_str(), *line))
                .eq(expected),
            "{names:?}"
        );
    }

    #[test]
    fn what_is_left_open_costs_no_more() {
        assert_eq!(found(&"IGC_A(".repeat(100_000)), []);
        assert_eq!(found("IGC_A(1"), []);
        assert_eq!(found("/* IGC_A();"), []);
        assert_eq!(found("\"IGC_A();"), []);
        assert_eq!(found("\"\nIGC_A();").len(), 1);
        assert_eq!(found("'\\''; IGC_A();").len(), 1);
        let many = format!("IGC_A({}1);", "1,".repeat(32));
        assert!(matches!(
            calls(&many),
            Err(MineError::Arguments { line: 1, .. })
        ));
        assert_eq!(
            found(&format!("IGC_A({}1);", "1,".repeat(31)))[0].2.len(),
            32
        );
    }
}
