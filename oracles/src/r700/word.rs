//! How one instruction is read: the rows of its unit, compiled for one chip.

use corpora::{Bits, FieldId, Outcome, Record, RejectClass, SymbolId};

use super::names::Conduct;
use super::rows::WORDS;

/// The words of an instruction, word 0 first; zero where its unit has none.
pub(super) type Words = [u32; WORDS];

/// Reads words from little-endian bytes. What is missing at the end reads as zero.
pub(super) fn words(bytes: &[u8]) -> Words {
    let mut words = [0; WORDS];
    for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(4)) {
        *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    }
    words
}

/// Some bits of a word, and where they go in the value.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Part {
    pub(super) word: u8,
    pub(super) lo: u8,
    pub(super) shift: u8,
    /// Applied after `lo`.
    pub(super) mask: u32,
}

impl Part {
    #[inline]
    fn read(self, words: &Words) -> u64 {
        let word = words[usize::from(self.word) % WORDS];
        u64::from(word >> self.lo & self.mask) << self.shift
    }
}

/// What becomes of the bits.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reading {
    Unsigned,
    /// Two's complement of that many bits.
    Signed(u8),
    /// The number and its name, which is at this index of [`Layout::names`] for the number 0.
    Symbol(u32),
    /// The layout's own number and name.
    Format(u32, SymbolId),
    /// Unsigned, with these bits besides. Kept apart because hardly any field has a second piece: reading two parts of
    /// every field takes twice the time.
    Pieces(Part),
}

/// A field of one layout.
#[derive(Clone, Copy, Debug)]
pub(super) struct Compiled {
    pub(super) id: FieldId,
    pub(super) part: Part,
    pub(super) reading: Reading,
}

impl Compiled {
    /// All bits that it is made of.
    pub(super) fn parts(&self) -> impl Iterator<Item = Part> {
        let second = match self.reading {
            Reading::Pieces(second) => Some(second),
            _ => None,
        };
        std::iter::once(self.part).chain(second)
    }
}

/// One step of finding the layout of an instruction.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// The number; empty if all words have the one layout.
    pub(super) part: Part,
    /// The layout for each number; none leaves it to the next step.
    pub(super) formats: Vec<Option<u8>>,
    /// The layout for a number beyond the list.
    pub(super) otherwise: Option<u8>,
}

/// All layouts of a unit.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    pub(super) steps: Vec<Step>,
    /// The names of the layouts.
    pub(super) format_names: Vec<String>,
    /// The fields of each layout, ascending.
    pub(super) formats: Vec<Vec<Compiled>>,
    /// The names of all symbol fields' numbers.
    pub(super) names: Vec<SymbolId>,
    /// What the walk has to know of them, alike.
    pub(super) conducts: Vec<Conduct>,
    /// Bytes of an instruction.
    pub(super) bytes: usize,
}

/// The value of one field.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer {
    /// The number.
    pub(super) value: u64,
    /// Its name, if the field is a symbol.
    pub(super) name: SymbolId,
    /// What the walk has to know of it.
    pub(super) conduct: Conduct,
}

impl Layout {
    /// Whether the chip does not have the unit.
    pub(super) fn is_empty(&self) -> bool {
        self.formats.is_empty()
    }

    /// The index of the instruction's layout. A number that no step knows has none, which only altered tables can do.
    #[inline]
    pub(super) fn format(&self, words: &Words) -> Option<usize> {
        self.steps.iter().find_map(|step| {
            let number = step.part.read(words) as usize;
            let format = step.formats.get(number).copied();
            format.unwrap_or(step.otherwise).map(usize::from)
        })
    }

    #[inline]
    fn fields(&self, words: &Words) -> &[Compiled] {
        self.format(words)
            .and_then(|format| self.formats.get(format))
            .map_or(&[], Vec::as_slice)
    }

    #[inline]
    fn name(&self, first: u32, number: u64) -> SymbolId {
        let at = first as usize + number as usize;
        self.names.get(at).copied().unwrap_or(SymbolId::RESERVED)
    }

    /// Writes all fields of an instruction.
    #[inline]
    pub(super) fn write(&self, words: &Words, record: &mut Record) {
        for field in self.fields(words) {
            let raw = field.part.read(words);
            match field.reading {
                Reading::Unsigned => record.unsigned(field.id, raw),
                Reading::Signed(width) => {
                    let unused = 64 - u32::from(width);
                    record.signed(field.id, ((raw << unused) as i64) >> unused);
                }
                Reading::Symbol(first) => {
                    record.symbol(field.id, raw as u32, self.name(first, raw));
                }
                Reading::Format(code, name) => record.symbol(field.id, code, name),
                Reading::Pieces(second) => record.unsigned(field.id, raw | second.read(words)),
            }
        }
    }

    /// One field of an instruction, or nothing if its layout does not have it. Numbers are taken as unsigned.
    pub(super) fn read(&self, words: &Words, id: FieldId) -> Option<Answer> {
        let fields = self.fields(words);
        let field = &fields[fields.binary_search_by_key(&id, |field| field.id).ok()?];
        let raw = field.part.read(words);
        let (value, name, conduct) = match field.reading {
            Reading::Unsigned | Reading::Signed(_) => (raw, SymbolId::RESERVED, Conduct::Plain),
            Reading::Symbol(first) => {
                let conduct = self.conducts.get(first as usize + raw as usize).copied();
                (raw, self.name(first, raw), conduct.unwrap_or_default())
            }
            Reading::Format(code, name) => (u64::from(code), name, Conduct::Plain),
            Reading::Pieces(second) => {
                (raw | second.read(words), SymbolId::RESERVED, Conduct::Plain)
            }
        };
        Some(Answer {
            value,
            name,
            conduct,
        })
    }

    /// Answers for a single instruction.
    #[inline]
    pub(super) fn answer(&self, input: &[u8], outcome: &mut Outcome) {
        match input.get(..self.bytes) {
            Some(bytes) => {
                self.write(&words(bytes), &mut outcome.record);
                outcome.accept(self.bytes);
            }
            None => outcome.reject(RejectClass::Truncated, 0),
        }
    }

    /// Every place of a field and every run of unnamed bits, each once, ascending.
    pub(super) fn places(&self) -> Vec<Bits> {
        let mut places: Vec<Bits> = self
            .formats
            .iter()
            .flatten()
            .flat_map(Compiled::parts)
            .flat_map(runs)
            .collect();
        places.sort_unstable();
        places.dedup();
        places
    }
}

/// The runs of bits that a part takes from its word.
fn runs(part: Part) -> Vec<Bits> {
    let taken = |bit: u32| bit < 32 && part.mask >> bit & 1 == 1;
    let mut runs = Vec::new();
    for bit in 0..32 {
        if taken(bit) && (bit == 0 || !taken(bit - 1)) {
            let width = (bit..32).take_while(|bit| taken(*bit)).count();
            runs.push(Bits {
                low: (32 * u32::from(part.word) + u32::from(part.lo) + bit) as u16,
                width: width as u16,
            });
        }
    }
    runs
}
