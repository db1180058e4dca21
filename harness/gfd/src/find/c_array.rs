//! Containers in the arrays of C and C++ sources.

use std::borrow::Cow;

use super::c_token::{Token, Tokens};
use super::{Findings, Found, Hit, InputKind, Near, Place, blobs};
use crate::FILE_MAGIC;

/// A place in an array of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayPlace {
    /// The array's identifier.
    pub identifier: Option<String>,
    /// The line of the identifier, counted from 1; without one, that of the initializer.
    pub line: usize,
    /// Bytes of an element: 1, 2 or 4, big-endian; 1 for a string.
    pub element_size: usize,
    /// Bytes between the initializer's first element and the container.
    pub offset: usize,
}

/// Finds every container in the initializers of a C or C++ source: in bytes, in big-endian words of 16 or 32 bits, and
/// in string literals.
///
/// Nested braces are read as one list, so the rows of a table and the members of a structure are all seen. The
/// preprocessor is not run: what a directive's line holds is not seen, and both sides of a condition are.
pub fn c_arrays(text: &str) -> Findings<'static> {
    let mut findings = Findings::new(InputKind::Text);
    let mut declaration = Declaration::default();
    let mut tokens = Tokens::new(text).peekable();
    let mut last = Token::Mark(b';');
    while let Some((line, token)) = tokens.next() {
        let next = tokens.peek().map(|(_, token)| token);
        let initializer = match (&token, next) {
            (Token::Mark(b'{'), _) if starts_list(&last, next) => {
                let mut initializer = Initializer::new(&mut declaration, line);
                initializer.read_list(&mut tokens);
                Some(initializer)
            }
            (Token::Mark(b'='), Some(Token::String(_))) => {
                let mut initializer = Initializer::new(&mut declaration, line);
                while let Some((_, Token::String(bytes))) =
                    tokens.next_if(|(_, token)| matches!(token, Token::String(_)))
                {
                    initializer.string(bytes);
                }
                Some(initializer)
            }
            _ => {
                declaration.step(&token, line);
                None
            }
        };
        if let Some(initializer) = initializer {
            initializer.search(&mut findings);
        }
        last = token;
    }
    findings
}

/// Whether a brace starts a list of values, going by what is before and behind it, and not a scope.
fn starts_list(last: &Token<'_>, next: Option<&Token<'_>>) -> bool {
    let value = matches!(
        next,
        Some(Token::Number(_) | Token::String(_) | Token::Mark(b'{' | b'-'))
    );
    match last {
        Token::Mark(b'=') => true,
        Token::Mark(b']' | b'(' | b',' | b'>') | Token::Word(_) => value,
        _ => false,
    }
}

/// What is known about the declaration before an initializer.
#[derive(Default)]
struct Declaration {
    /// The last word, and its line.
    name: Option<(String, usize)>,
    /// Whether a bracket has followed the name, so that no later word is one.
    is_array: bool,
}

impl Declaration {
    fn step(&mut self, token: &Token<'_>, line: usize) {
        match token {
            Token::Word(word) if !self.is_array => self.name = Some(((*word).to_owned(), line)),
            Token::Mark(b'[') => self.is_array = self.name.is_some(),
            Token::Mark(b';' | b'{' | b'}') => *self = Declaration::default(),
            _ => {}
        }
    }
}

/// The values of an initializer.
struct Initializer {
    identifier: Option<String>,
    line: usize,
    runs: Vec<Run>,
    /// Elements so far, in all runs.
    count: usize,
}

/// Values without anything else between them.
struct Run {
    /// Elements of the initializer before these.
    first: usize,
    values: Values,
}

enum Values {
    Numbers(Vec<u32>),
    /// String literals, put together.
    String(Vec<u8>),
}

impl Initializer {
    /// An initializer for what has been declared.
    fn new(declaration: &mut Declaration, line: usize) -> Initializer {
        let (identifier, line) = match std::mem::take(declaration).name {
            Some((name, line)) => (Some(name), line),
            None => (None, line),
        };
        Initializer {
            identifier,
            line,
            runs: Vec::new(),
            count: 0,
        }
    }

    /// Reads values up to the brace that closes the one before.
    fn read_list<'t>(&mut self, tokens: &mut impl Iterator<Item = (usize, Token<'t>)>) {
        let (mut depth, mut parentheses) = (1, 0_usize);
        let (mut in_index, mut is_negative) = (false, false);
        for (_, token) in tokens {
            if in_index {
                in_index = token != Token::Mark(b']');
                continue;
            }
            let is_minus = token == Token::Mark(b'-');
            match token {
                Token::Number(Some(value)) => self.number(value, is_negative),
                Token::String(bytes) => self.string(bytes),
                Token::Mark(b'{') => depth += 1,
                Token::Mark(b'}') => {
                    depth -= 1;
                    if depth == 0 {
                        return;
                    }
                }
                // The index of a designator is no value.
                Token::Mark(b'[') => in_index = true,
                Token::Mark(b'(') => parentheses += 1,
                Token::Mark(b')') => parentheses = parentheses.saturating_sub(1),
                Token::Mark(b',' | b'-' | b'+' | b'=') => {}
                // The words of a cast stand between values without parting them.
                Token::Word(_) | Token::Mark(b'*') if parentheses > 0 => {}
                _ => self.part(),
            }
            is_negative = is_minus;
        }
    }

    /// Ends the run: something stands there whose value is not known.
    fn part(&mut self) {
        self.runs.push(Run {
            first: self.count,
            values: Values::Numbers(Vec::new()),
        });
    }

    fn number(&mut self, value: u64, is_negative: bool) {
        let Ok(mut value) = u32::try_from(value) else {
            return self.part();
        };
        if is_negative {
            // A byte if it is one, as in an array of signed characters.
            value = if value <= 0x80 {
                value.wrapping_neg() & 0xFF
            } else {
                value.wrapping_neg()
            };
        }
        match self.runs.last_mut() {
            Some(Run {
                values: Values::Numbers(numbers),
                ..
            }) => numbers.push(value),
            _ => {
                let values = Values::Numbers(vec![value]);
                self.runs.push(Run {
                    first: self.count,
                    values,
                });
            }
        }
        self.count += 1;
    }

    fn string(&mut self, mut bytes: Vec<u8>) {
        let length = bytes.len();
        match self.runs.last_mut() {
            Some(Run {
                values: Values::String(string),
                ..
            }) => string.append(&mut bytes),
            _ => self.runs.push(Run {
                first: self.count,
                values: Values::String(bytes),
            }),
        }
        self.count += length;
    }

    fn search(&self, findings: &mut Findings<'static>) {
        for run in &self.runs {
            match &run.values {
                Values::String(bytes) => self.search_bytes(findings, bytes, 1, run.first),
                Values::Numbers(numbers) => {
                    self.search_elements::<1>(findings, numbers, run.first);
                    self.search_elements::<2>(findings, numbers, run.first);
                    self.search_elements::<4>(findings, numbers, run.first);
                }
            }
        }
    }

    /// Searches numbers as elements of N bytes, wherever the magic number is among them as such.
    fn search_elements<const N: usize>(
        &self,
        findings: &mut Findings<'static>,
        numbers: &[u32],
        first: usize,
    ) {
        let magic = FILE_MAGIC.to_be_bytes();
        let magic: Vec<u32> = magic.chunks(N).map(big_endian).collect();
        if !numbers.windows(magic.len()).any(|window| window == magic) {
            return;
        }
        let most = u32::MAX >> (32 - 8 * N);
        let mut first = first;
        for stretch in numbers.split(|&number| number > most) {
            let bytes: Vec<u8> = stretch
                .iter()
                .flat_map(|n| n.to_be_bytes().into_iter().skip(4 - N))
                .collect();
            self.search_bytes(findings, &bytes, N, first);
            first += stretch.len() + 1;
        }
    }

    fn search_bytes(
        &self,
        findings: &mut Findings<'static>,
        bytes: &[u8],
        element_size: usize,
        first: usize,
    ) {
        for hit in blobs(bytes) {
            let (Hit::Found { offset, .. } | Hit::Near { offset, .. }) = hit;
            let place = Place::Array(Box::new(ArrayPlace {
                identifier: self.identifier.clone(),
                line: self.line,
                element_size,
                offset: first * element_size + offset,
            }));
            match hit {
                Hit::Found { offset, length } => {
                    let bytes = Cow::Owned(bytes[offset..offset + length].to_vec());
                    findings.found.push(Found { place, bytes });
                }
                Hit::Near { error, .. } => findings.near.push(Near { place, error }),
            }
        }
    }
}

fn big_endian(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .fold(0, |word, &byte| word << 8 | u32::from(byte))
}
