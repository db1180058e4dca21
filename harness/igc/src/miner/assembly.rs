//! Words that an assembly source stores through its rolling pointer.

use std::collections::HashMap;

use super::literal;

/// A word that was stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Emitted {
    /// The function, from 0; what stands before the first label is one.
    pub(super) function: u32,
    /// The place in the function: bytes from where the pointer was at first.
    pub(super) place: i64,
    /// The C line of the marker before it; 0 without one.
    pub(super) line: u32,
    /// None if the register's value is not known.
    pub(super) word: Option<u32>,
}

/// The words that are stored, in the order of the stores.
pub(super) fn words(text: &str, pointer: u8) -> Vec<Emitted> {
    let mut reader = Reader {
        literals: literals(text),
        pointer,
        place: 0,
        function: 0,
        line: 0,
        registers: Registers::default(),
        emitted: Vec::new(),
    };
    for line in Lines::new(text) {
        match line {
            Line::Marker(line) => reader.line = line,
            Line::Label(name) if name.starts_with('_') && name.ends_with("::") => {
                reader.function += 1;
                reader.place = 0;
                reader.registers = Registers::default();
            }
            Line::Code(code) => reader.code(code),
            Line::Label(_) | Line::Data(_) | Line::DataLabel(_) => {}
        }
    }
    reader.emitted
}

/// A line, by the section that it is in.
enum Line<'a> {
    Marker(u32),
    /// A label in `.text`, with its colons.
    Label(&'a str),
    Code(&'a str),
    /// A label in `.data`, without colons.
    DataLabel(&'a str),
    Data(&'a str),
}

struct Lines<'a> {
    lines: std::str::Lines<'a>,
    /// What follows a label on its line.
    left: &'a str,
    data: bool,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            lines: text.lines(),
            left: "",
            data: false,
        }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        loop {
            let line = match std::mem::take(&mut self.left) {
                "" => self.lines.next()?,
                left => left,
            };
            let (code, comment) = line.split_once("//").unwrap_or((line, ""));
            let code = code.trim();
            let first = code.split_whitespace().next().unwrap_or("");
            match first {
                "" => {
                    let number = comment.trim().strip_prefix("lineno:");
                    if let Some(Ok(number)) = number.map(|number| number.trim().parse()) {
                        return Some(Line::Marker(number));
                    }
                }
                ".data" => self.data = true,
                ".text" => self.data = false,
                label if label.ends_with(':') => {
                    self.left = code[label.len()..].trim();
                    return Some(if self.data {
                        Line::DataLabel(label.trim_end_matches(':'))
                    } else {
                        Line::Label(label)
                    });
                }
                _ if self.data => return Some(Line::Data(code)),
                _ => return Some(Line::Code(code)),
            }
        }
    }
}

/// Literals of four bytes, one after the other.
#[derive(Default)]
struct Literals<'a> {
    all: Vec<Literal>,
    /// The literal that a label names, with its run.
    labels: HashMap<&'a str, (usize, u32)>,
}

#[derive(Clone, Copy)]
struct Literal {
    /// None if it is not understood.
    word: Option<u32>,
    /// Data of another kind ends a run: over it nothing is reached, as its length is not known.
    run: u32,
}

impl Literals<'_> {
    /// The literal at `SYM` or `SYM+N`.
    fn get(&self, place: &str) -> Option<u32> {
        let (symbol, bytes) = match place.split_once('+') {
            Some((symbol, bytes)) => (symbol, usize::try_from(literal::word(bytes)?).ok()?),
            None => (place, 0),
        };
        let (start, run) = *self.labels.get(symbol)?;
        let literal = self.all.get(start.checked_add(bytes / 4)?)?;
        literal
            .word
            .filter(|_| bytes.is_multiple_of(4) && literal.run == run)
    }
}

fn literals(text: &str) -> Literals<'_> {
    let mut literals = Literals::default();
    let mut run = 0;
    for line in Lines::new(text) {
        match line {
            Line::DataLabel(name) if constant(name) => {
                literals.labels.insert(name, (literals.all.len(), run));
            }
            Line::Data(data) => {
                let word = match data.split_once(char::is_whitespace) {
                    Some((".long", number)) => literal::word(number.trim()),
                    Some((".float", number)) => literal::decimal(number.trim()),
                    _ => {
                        run += 1;
                        continue;
                    }
                };
                literals.all.push(Literal { word, run });
            }
            _ => {}
        }
    }
    literals
}

/// `.Cn`
fn constant(name: &str) -> bool {
    let digits = name.strip_prefix(".C").unwrap_or("");
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// `r5`, `f8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Register {
    Integer(u8),
    Float(u8),
}

impl Register {
    fn read(text: &str) -> Option<Self> {
        let (kind, digits) = text.split_at_checked(1)?;
        let plain = matches!(digits.len(), 1 | 2) && digits.bytes().all(|b| b.is_ascii_digit());
        let number = plain
            .then(|| digits.parse().ok())
            .flatten()
            .filter(|n| *n < 32)?;
        match kind {
            "r" => Some(Self::Integer(number)),
            "f" => Some(Self::Float(number)),
            _ => None,
        }
    }

    fn integer(text: &str) -> Option<Self> {
        Self::read(text).filter(|register| matches!(register, Self::Integer(_)))
    }

    fn float(text: &str) -> Option<Self> {
        Self::read(text).filter(|register| matches!(register, Self::Float(_)))
    }

    /// The register that a line names last.
    fn last_of(code: &str) -> Option<Self> {
        let words = code.rsplit(|c: char| !(c.is_alphanumeric() || "_.%".contains(c)));
        words.filter_map(Self::read).next()
    }
}

/// What is known of the registers.
#[derive(Default)]
struct Registers {
    integer: [Option<u32>; 32],
    float: [Option<u32>; 32],
}

impl Registers {
    fn get(&self, register: Register) -> Option<u32> {
        match register {
            Register::Integer(0) => Some(0),
            Register::Integer(n) => self.integer[usize::from(n)],
            Register::Float(n) => self.float[usize::from(n)],
        }
    }

    fn set(&mut self, register: Register, value: Option<u32>) {
        match register {
            Register::Integer(n) => self.integer[usize::from(n)] = value,
            Register::Float(n) => self.float[usize::from(n)] = value,
        }
    }
}

struct Reader<'a> {
    literals: Literals<'a>,
    pointer: u8,
    /// Where the pointer is.
    place: i64,
    function: u32,
    line: u32,
    registers: Registers,
    emitted: Vec<Emitted>,
}

impl Reader<'_> {
    /// A line of code. One that is not understood clears the register it names last.
    fn code(&mut self, code: &str) {
        if self.understood(code).is_none()
            && let Some(register) = Register::last_of(code)
        {
            self.registers.set(register, None);
        }
    }

    fn understood(&mut self, code: &str) -> Option<()> {
        let (mnemonic, operands) = code.split_once(char::is_whitespace)?;
        let operands: Vec<_> = operands.splitn(4, ',').map(str::trim).collect();
        match (mnemonic, &operands[..]) {
            ("or" | "orh", [immediate, from, to]) => {
                let from = Register::integer(from)?;
                let to = Register::integer(to)?;
                // A place, l% or h%, is no number that could be stored.
                let immediate = literal::word(immediate).filter(|bits| *bits <= 0xffff);
                let high = if mnemonic == "orh" { 16 } else { 0 };
                let value = self.registers.get(from).zip(immediate);
                self.registers
                    .set(to, value.map(|(old, bits)| old | bits << high));
            }
            ("mov", [from, to]) => {
                let value = self.registers.get(Register::integer(from)?);
                self.registers.set(Register::integer(to)?, value);
            }
            ("fld.l", [from, to]) => {
                let (place, _) = based(from.strip_prefix("l%")?)?;
                let to = Register::float(to)?;
                self.registers.set(to, self.literals.get(place));
            }
            ("st.l", [from, to]) => {
                let (offset, base) = based(to)?;
                let word = self.registers.get(Register::integer(from)?);
                self.store(word, displacement(offset)?, base, false);
            }
            ("fst.l", [from, to]) => {
                let (to, increment) = to.strip_suffix("++").map_or((*to, false), |to| (to, true));
                let (offset, base) = based(to)?;
                let word = self.registers.get(Register::float(from)?);
                self.store(word, displacement(offset)?, base, increment);
            }
            ("adds" | "addu", [number, from, to]) => {
                let number = displacement(number)?;
                let pointer = Register::Integer(self.pointer);
                if [from, to]
                    .iter()
                    .any(|register| Register::read(register) != Some(pointer))
                {
                    return None;
                }
                self.place += number;
            }
            _ => return None,
        }
        Some(())
    }

    fn store(&mut self, word: Option<u32>, offset: i64, base: Register, increment: bool) {
        if base == Register::Integer(self.pointer) {
            let place = self.place + offset;
            self.emitted.push(Emitted {
                function: self.function,
                place,
                line: self.line,
                word,
            });
            if increment {
                self.place = place;
            }
        } else if increment {
            self.registers.set(base, None);
        }
    }
}

/// `D(rP)`: D, and rP.
fn based(text: &str) -> Option<(&str, Register)> {
    let (offset, base) = text.strip_suffix(')')?.split_once('(')?;
    Some((offset.trim(), Register::integer(base.trim())?))
}

/// A number of bytes. It has 32 bits at most, so that no sum of them over a source is too large.
fn displacement(text: &str) -> Option<i64> {
    literal::integer(text).filter(|number| i32::try_from(*number).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (place, line, word) of each store.
    fn stored(text: &str) -> Vec<(i64, u32, Option<u32>)> {
        let words = words(text, 16).into_iter();
        words
            .map(|word| (word.place, word.line, word.word))
            .collect()
    }

    #[test]
    fn registers_are_followed() {
        let text = "_f::\n// lineno: 3\n\torh 0x3c90,r0,r18\n\tor 0xf734,r18,r19\n\tst.l r19,4(r16)\n\
                    \tmov r19,r20\n\tst.l r20,8(r16)\n\tst.l r0,12(r16)\n\tst.l r21,16(r16)\n\
                    \tand 0xff,r17,r19\n\tst.l r19,20(r16)\n\tst.l r20,0(r5)\n";
        let expected = [
            (4, 3, Some(0x3c90_f734)),
            (8, 3, Some(0x3c90_f734)),
            (12, 3, Some(0)),
            (16, 3, None),
            (20, 3, None),
        ];
        assert_eq!(stored(text), expected);
    }

    #[test]
    fn the_pointer_moves_and_starts_again() {
        let text = "_f::\n st.l r0,0(r16)\n adds 4,r16,r16\n fst.l f8,4(r16)++\n st.l r0,4(r16)\n\
                    .L1:\n addu -8,r16,r16\n st.l r0,0(r16)\n_g::\n st.l r0,0(r16)\n";
        let places: Vec<_> = words(text, 16)
            .iter()
            .map(|w| (w.function, w.place))
            .collect();
        assert_eq!(places, [(1, 0), (1, 8), (1, 12), (1, 0), (2, 0)]);
    }

    #[test]
    fn labels_clear_what_was_known() {
        let text = "_f::\n or 1,r0,r18\n.L1:\n st.l r18,0(r16)\n_g::\n st.l r18,0(r16)\n";
        assert_eq!(stored(text), [(0, 0, Some(1)), (0, 0, None)]);
    }

    #[test]
    fn literals_are_read_from_the_data() {
        let text = "\t.data\n.C1:\n\t.float 1.0\n\t.long 0xbf800000\n.C2:\t.long 5\n\t.double 1.0\n\t.long 6\n\
                    \t.text\n orh h%.C1,r0,r30\n fld.l l%.C1(r30),f8\n fst.l f8,0(r16)\n\
                    fld.l l%.C1+4(r30),f9\n fst.l f9,4(r16)\n fld.l l%.C1+8(r30),f9\n fst.l f9,8(r16)\n\
                    fld.l l%.C2+4(r30),f9\n fst.l f9,12(r16)\n fld.l l%.C1+2(r30),f9\n fst.l f9,16(r16)\n\
                    st.l r30,20(r16)\n fld.l 4(r5),f8\n fst.l f8,24(r16)\n";
        let words: Vec<_> = stored(text).into_iter().map(|(_, _, word)| word).collect();
        let expected = [
            Some(0x3f80_0000),
            Some(0xbf80_0000),
            Some(5),
            None,
            None,
            None,
            None,
        ];
        assert_eq!(words, expected);
    }

    #[test]
    fn a_line_of_another_shape_clears_its_last_register() {
        for line in [
            "ld.l 4(r5),r18",
            "or 0x10000,r0,r18",
            "shl 2,r18,r18 // r5",
            "or 1,f3,r18",
            "adds 4,r18,r18",
        ] {
            let text = format!("or 7,r0,r18\n{line}\nst.l r18,0(r16)\n");
            assert_eq!(stored(&text), [(0, 0, None)], "{line}");
        }
        for line in ["// r18", "bri r1", " nop", "st.l r18,0(r5)", "call _r18"] {
            let text = format!("or 7,r0,r18\n{line}\nst.l r18,0(r16)\n");
            assert_eq!(stored(&text), [(0, 0, Some(7))], "{line}");
        }
    }
}
