//! Tokens of C and C++ sources, as far as initializers need them.

/// A token; comments, white space and preprocessor lines are none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Word(&'a str),
    /// An integer or character; nothing for a number that is no integer of 64 bits.
    Number(Option<u64>),
    /// The bytes of a string literal, without the zero at its end.
    String(Vec<u8>),
    /// A byte of punctuation, or of something unknown.
    Mark(u8),
}

/// The tokens of a text, each with its line, counted from 1.
pub(super) struct Tokens<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    /// Whether the line has had no token yet, so that a `#` starts a preprocessor line.
    fresh: bool,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Tokens<'a> {
        Tokens {
            text,
            at: 0,
            line: 1,
            fresh: true,
        }
    }

    fn rest(&self) -> &'a [u8] {
        &self.text.as_bytes()[self.at..]
    }

    fn peek(&self) -> Option<u8> {
        self.rest().first().copied()
    }

    fn bump(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        if byte == b'\n' {
            self.line += 1;
            self.fresh = true;
        }
        Some(byte)
    }

    /// Skips to behind `end`, or to the end of the text.
    fn skip_past(&mut self, end: &[u8]) {
        while !self.rest().starts_with(end) {
            if self.bump().is_none() {
                return;
            }
        }
        for _ in end {
            self.bump();
        }
    }

    /// Skips the rest of a preprocessor line, with the lines that a backslash joins to it.
    fn skip_directive(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b'\n' => return,
                b'\\' => {
                    self.bump();
                    if self.peek() == Some(b'\r') {
                        self.bump();
                    }
                    self.bump();
                }
                b'/' if self.rest().starts_with(b"/*") => self.skip_past(b"*/"),
                _ => {
                    self.bump();
                }
            }
        }
    }

    fn skip_blank(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b'/' if self.rest().starts_with(b"//") => {
                    while self.peek().is_some_and(|byte| byte != b'\n') {
                        self.bump();
                    }
                }
                b'/' if self.rest().starts_with(b"/*") => {
                    self.bump();
                    self.bump();
                    self.skip_past(b"*/");
                }
                b'#' if self.fresh => self.skip_directive(),
                _ if byte.is_ascii_whitespace() || byte == b'\\' => {
                    self.bump();
                }
                _ => return,
            }
        }
    }

    fn word(&mut self) -> &'a str {
        let length = self
            .rest()
            .iter()
            .take_while(|&&byte| is_word(byte))
            .count();
        let word = &self.text[self.at..self.at + length];
        self.at += length;
        word
    }

    fn number(&mut self) -> Option<u64> {
        let start = self.at;
        while let Some(byte) = self.peek() {
            // The separator of C++, as in 0x4766'7832.
            let separates = byte == b'\'' && self.rest().get(1).is_some_and(|&next| is_word(next));
            if !is_word(byte) && byte != b'.' && !separates {
                break;
            }
            self.at += 1;
        }
        let digits = self.text[start..self.at]
            .replace('\'', "")
            .to_ascii_lowercase();
        let (digits, radix) = match digits.as_bytes() {
            [b'0', b'x', ..] => (&digits[2..], 16),
            [b'0', b'b', ..] => (&digits[2..], 2),
            [b'0', _, ..] => (&digits[1..], 8),
            _ => (&digits[..], 10),
        };
        let digits = digits.trim_end_matches(['u', 'l', 'z']);
        // What is left of 0u, 0l and the like.
        let digits = if digits.is_empty() && radix == 8 {
            "0"
        } else {
            digits
        };
        u64::from_str_radix(digits, radix).ok()
    }

    /// A character or string up to its closing quote, escapes resolved.
    fn quoted(&mut self, quote: u8) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.bump();
        while let Some(byte) = self.peek() {
            // A quote left open ends with its line.
            if byte == b'\n' {
                break;
            }
            self.bump();
            match byte {
                b'\\' => self.escape(&mut bytes),
                _ if byte == quote => break,
                _ => bytes.push(byte),
            }
        }
        bytes
    }

    fn escape(&mut self, bytes: &mut Vec<u8>) {
        let Some(byte) = self.bump() else { return };
        bytes.push(match byte {
            b'\n' => return,
            b'\r' => {
                if self.peek() == Some(b'\n') {
                    self.bump();
                }
                return;
            }
            b'x' => self.digits(16, usize::MAX),
            b'0'..=b'7' => {
                self.at -= 1;
                self.digits(8, 3)
            }
            b'a' => 7,
            b'b' => 8,
            b't' => 9,
            b'n' => 10,
            b'v' => 11,
            b'f' => 12,
            b'r' => 13,
            other => other,
        });
    }

    fn digits(&mut self, radix: u32, most: usize) -> u8 {
        let mut value: u32 = 0;
        for _ in 0..most {
            let Some(digit) = self
                .peek()
                .and_then(|byte| char::from(byte).to_digit(radix))
            else {
                break;
            };
            self.at += 1;
            value = (value * radix + digit) & 0xFF;
        }
        value as u8
    }

    /// A raw string of C++, from behind its `R`.
    fn raw_string(&mut self) -> Vec<u8> {
        let rest = self.rest();
        let Some(open) = memchr::memchr(b'(', rest) else {
            return Vec::new();
        };
        let end = [b")", &rest[1..open], b"\""].concat();
        let body = &rest[open + 1..];
        let length = memchr::memmem::find(body, &end).unwrap_or(body.len());
        let after = (self.at + open + 1 + length + end.len()).min(self.text.len());
        while self.at < after {
            self.bump();
        }
        body[..length].to_vec()
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = (usize, Token<'a>);

    fn next(&mut self) -> Option<(usize, Token<'a>)> {
        self.skip_blank();
        let byte = self.peek()?;
        self.fresh = false;
        let line = self.line;
        let token = match byte {
            b'0'..=b'9' => Token::Number(self.number()),
            b'\'' => match self.quoted(b'\'')[..] {
                [byte] => Token::Number(Some(u64::from(byte))),
                _ => Token::Number(None),
            },
            b'"' => Token::String(self.quoted(b'"')),
            _ if is_word(byte) => match self.word() {
                "R" | "LR" | "uR" | "UR" | "u8R" if self.peek() == Some(b'"') => {
                    Token::String(self.raw_string())
                }
                "L" | "u" | "U" | "u8" if matches!(self.peek(), Some(b'"' | b'\'')) => {
                    return self.next();
                }
                word => Token::Word(word),
            },
            _ => {
                self.bump();
                Token::Mark(byte)
            }
        };
        Some((line, token))
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<(usize, Token<'_>)> {
        Tokens::new(text).collect()
    }

    #[test]
    fn numbers_of_every_form() {
        let numbers: Vec<Option<u64>> =
            tokens(r"0x47 0X4766'7832u 71 0107 0b0100'0111 0 0u 0UL 'G' '\x47' '\107' '\0' '\'' 1.5 08 0xFFFFFFFFFFFFFFFFF")
                .into_iter()
                .map(|(_, token)| match token {
                    Token::Number(number) => number,
                    other => panic!("{other:?}"),
                })
                .collect();
        let expected = [0x47, 0x4766_7832, 71, 71, 71, 0, 0, 0, 71, 71, 71, 0, 39];
        assert_eq!(numbers[..13], expected.map(Some));
        assert_eq!(numbers[13..], [None; 3]);
    }

    #[test]
    fn comments_and_directives_are_no_tokens_and_lines_count() {
        let text = "a // b 'c\n#define X \\\n  y \"\n/* d\n'\" */ e # f\n  #g\nh";
        let word = Token::Word;
        assert_eq!(
            tokens(text),
            [
                (1, word("a")),
                (5, word("e")),
                (5, Token::Mark(b'#')),
                (5, word("f")),
                (7, word("h"))
            ]
        );
    }

    #[test]
    fn strings_have_their_escapes_resolved() {
        let string = |bytes: &[u8]| Token::String(bytes.to_vec());
        assert_eq!(
            tokens("\"\\x47\\146x2\\n\\\n\\\"\" R\"x(a\")\")x\" u8\"b\" \"open\nz"),
            [
                (1, string(b"Gfx2\n\"")),
                (2, string(b"a\")\"")),
                (2, string(b"b")),
                (2, string(b"open")),
                (3, Token::Word("z")),
            ]
        );
    }
}
