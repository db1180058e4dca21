//! Expressions of GLSL as trees of spans: enough to change a part and leave the rest of the text as it is.

use std::ops::Range;

/// A part of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    /// Its bytes in the text.
    pub(crate) span: Range<usize>,
    pub(crate) parts: Vec<Node>,
}

/// What a part is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Name,
    Number,
    Parenthesised,
    /// A call of this function or constructor; the parts are its arguments.
    Call(String),
    /// An element of an array: the array, the index.
    Index,
    /// A member, or channels.
    Member(String),
    Unary(String),
    Binary(String),
    /// A condition and two arms.
    Ternary,
}

impl Node {
    /// Its text.
    pub(crate) fn text<'a>(&self, text: &'a str) -> &'a str {
        &text[self.span.clone()]
    }

    /// All parts, itself first.
    pub(crate) fn all(&self) -> Vec<&Self> {
        let mut all = vec![self];
        let mut at = 0;
        while let Some(node) = all.get(at).copied() {
            all.extend(&node.parts);
            at += 1;
        }
        all
    }
}

/// Binary operators, from the loosest on.
const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", ">", "<=", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

/// The expression in these bytes of a text. None if it is no expression.
pub(crate) fn parse(text: &str, span: Range<usize>) -> Option<Node> {
    let mut parser = Parser {
        text,
        tokens: tokens(text, span)?,
        at: 0,
    };
    let node = parser.ternary()?;
    (parser.at == parser.tokens.len()).then_some(node)
}

fn tokens(text: &str, span: Range<usize>) -> Option<Vec<Range<usize>>> {
    let bytes = text.as_bytes();
    let (mut at, end) = (span.start, span.end);
    let mut tokens = Vec::new();
    while at < end {
        let start = at;
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        match bytes[at] {
            b' ' => {
                at += 1;
                continue;
            }
            byte if byte.is_ascii_digit() => {
                while at < end && (is_word(bytes[at]) || bytes[at] == b'.') {
                    // The sign of an exponent; hexadecimal digits have none behind them.
                    let exponent = bytes[at] == b'e' && !text[start..at].starts_with("0x");
                    at += if exponent && bytes.get(at + 1) == Some(&b'-') {
                        2
                    } else {
                        1
                    };
                }
            }
            byte if is_word(byte) => {
                while at < end && is_word(bytes[at]) {
                    at += 1;
                }
            }
            _ => {
                let double = text.get(at..at + 2).filter(|_| at + 2 <= end);
                let known = ["||", "&&", "==", "!=", "<=", ">=", "<<", ">>"];
                at += if double.is_some_and(|double| known.contains(&double)) {
                    2
                } else {
                    1
                };
                text.get(start..at)?;
            }
        }
        tokens.push(start..at);
    }
    Some(tokens)
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Range<usize>>,
    at: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> &'a str {
        match self.tokens.get(self.at) {
            Some(token) => &self.text[token.clone()],
            None => "",
        }
    }

    fn take(&mut self, wanted: &str) -> bool {
        let there = self.peek() == wanted;
        self.at += usize::from(there);
        there
    }

    /// A part from `start` to the token before this.
    fn node(&self, kind: Kind, start: usize, parts: Vec<Node>) -> Node {
        let span = start..self.tokens[self.at - 1].end;
        Node { kind, span, parts }
    }

    fn ternary(&mut self) -> Option<Node> {
        let test = self.binary(0)?;
        if !self.take("?") {
            return Some(test);
        }
        let first = self.ternary()?;
        if !self.take(":") {
            return None;
        }
        let second = self.ternary()?;
        let start = test.span.start;
        Some(self.node(Kind::Ternary, start, vec![test, first, second]))
    }

    fn binary(&mut self, level: usize) -> Option<Node> {
        let Some(operators) = LEVELS.get(level) else {
            return self.unary();
        };
        let mut left = self.binary(level + 1)?;
        while operators.contains(&self.peek()) {
            let operator = self.peek().to_owned();
            self.at += 1;
            let right = self.binary(level + 1)?;
            let start = left.span.start;
            left = self.node(Kind::Binary(operator), start, vec![left, right]);
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<Node> {
        let operator = self.peek();
        if !["-", "!", "~"].contains(&operator) {
            return self.postfix();
        }
        let start = self.tokens[self.at].start;
        self.at += 1;
        let operand = self.unary()?;
        Some(self.node(Kind::Unary(operator.to_owned()), start, vec![operand]))
    }

    fn postfix(&mut self) -> Option<Node> {
        let start = self.tokens.get(self.at)?.start;
        let first = self.peek();
        let mut node = if self.take("(") {
            let inner = self.ternary()?;
            if !self.take(")") {
                return None;
            }
            self.node(Kind::Parenthesised, start, vec![inner])
        } else {
            let byte = *first.as_bytes().first()?;
            self.at += 1;
            match byte {
                b'0'..=b'9' => self.node(Kind::Number, start, Vec::new()),
                b'a'..=b'z' | b'A'..=b'Z' | b'_' if self.take("(") => {
                    let mut arguments = Vec::new();
                    while !self.take(")") {
                        arguments.push(self.ternary()?);
                        if !self.take(",") && self.peek() != ")" {
                            return None;
                        }
                    }
                    self.node(Kind::Call(first.to_owned()), start, arguments)
                }
                b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.node(Kind::Name, start, Vec::new()),
                _ => return None,
            }
        };
        loop {
            if self.take("[") {
                let index = self.ternary()?;
                if !self.take("]") {
                    return None;
                }
                node = self.node(Kind::Index, start, vec![node, index]);
            } else if self.take(".") {
                let name = self.peek().to_owned();
                self.at += usize::from(self.at < self.tokens.len());
                node = self.node(Kind::Member(name), start, vec![node]);
            } else {
                return Some(node);
            }
        }
    }
}

#[test]
fn precedence_and_spans() {
    let text = "x = clamp((-abs(R1.x) + KC1[5].y) * 2.0, 0.0, 1e-5) > PS ? 1.0 : word(0x7fu);";
    let tree = parse(text, 4..text.len() - 1).expect("an expression");
    assert_eq!(tree.kind, Kind::Ternary);
    let comparison = &tree.parts[0];
    assert_eq!(comparison.kind, Kind::Binary(">".to_owned()));
    let clamp = &comparison.parts[0];
    assert_eq!(clamp.kind, Kind::Call("clamp".to_owned()));
    let arguments: Vec<_> = clamp.parts.iter().map(|part| part.text(text)).collect();
    assert_eq!(arguments, ["(-abs(R1.x) + KC1[5].y) * 2.0", "0.0", "1e-5"]);
    let places = tree.all().into_iter();
    let places = places.filter(|node| matches!(node.kind, Kind::Member(_)));
    let mut places: Vec<_> = places.map(|node| node.text(text)).collect();
    places.sort_unstable();
    assert_eq!(places, ["KC1[5].y", "R1.x"]);
    assert!(parse("a + ", 0..4).is_none());
}
