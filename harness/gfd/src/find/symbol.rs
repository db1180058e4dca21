//! Symbols of an executable: what is at an address, how large it says it is, and which file it came from.

use object::elf::{self, Sym32};
use object::{BigEndian, StringTable, pod};

/// A symbol `NAME_size` beside a symbol `NAME`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizeSymbol {
    /// Its name.
    pub name: String,
    /// The big-endian word at its address.
    pub value: u32,
    /// Whether the value is the container's length in bytes.
    pub agrees: bool,
}

/// A symbol that names a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Symbol<'a> {
    /// Its place among the symbols.
    index: usize,
    pub(super) name: &'a [u8],
    /// Index of its section; a reserved index for an absolute or undefined symbol.
    pub(super) section: usize,
    pub(super) value: u32,
    /// The file symbol before it. Global symbols come after all local ones, so theirs only counts if it is the only
    /// one in the table.
    pub(super) file: Option<&'a [u8]>,
}

/// The symbol table.
#[derive(Debug, Default)]
pub(super) struct Symbols<'a> {
    symbols: Vec<Symbol<'a>>,
    /// Value, section and index of every symbol, in order.
    by_place: Vec<(u32, usize, usize)>,
    /// Name and index of every symbol, in order.
    by_name: Vec<(&'a [u8], usize)>,
}

impl<'a> Symbols<'a> {
    /// Reads a table and its strings. A table that is cut off counts up to there.
    pub(super) fn read(table: &'a [u8], strings: &'a [u8]) -> Symbols<'a> {
        let count = table.len() / size_of::<Sym32<BigEndian>>();
        let Ok((entries, _)) = pod::slice_from_bytes::<Sym32<BigEndian>>(table, count) else {
            return Symbols::default();
        };
        let names = StringTable::new(strings, 0, strings.len() as u64);
        let files = entries
            .iter()
            .filter(|entry| entry.st_type() == elf::STT_FILE)
            .count();

        let mut symbols = Vec::new();
        let mut file = None;
        for entry in entries {
            let name = names.get(entry.st_name.get(BigEndian)).unwrap_or_default();
            if entry.st_type() == elf::STT_FILE {
                file = Some(name).filter(|name| !name.is_empty());
            } else if entry.st_type() != elf::STT_SECTION && !name.is_empty() {
                let is_local = entry.st_bind() == elf::STB_LOCAL;
                symbols.push(Symbol {
                    index: symbols.len(),
                    name,
                    section: usize::from(entry.st_shndx.get(BigEndian).0),
                    value: entry.st_value.get(BigEndian),
                    file: file.filter(|_| is_local || files == 1),
                });
            }
        }
        let mut by_place: Vec<_> = symbols
            .iter()
            .map(|symbol| (symbol.value, symbol.section, symbol.index))
            .collect();
        by_place.sort_unstable();
        let mut by_name: Vec<_> = symbols
            .iter()
            .map(|symbol| (symbol.name, symbol.index))
            .collect();
        by_name.sort_unstable();
        Symbols {
            symbols,
            by_place,
            by_name,
        }
    }

    /// The first symbol in a section with a value.
    pub(super) fn at(&self, section: usize, value: u32) -> Option<Symbol<'a>> {
        let place = (value, section, 0);
        let next = self
            .by_place
            .get(self.by_place.partition_point(|&other| other < place))?;
        (next.0 == value && next.1 == section).then(|| self.symbols[next.2])
    }

    /// The symbol whose name is that of `symbol` with `_size` behind it; the closest in the table, since local
    /// symbols of several files may share a name.
    pub(super) fn size_of(&self, symbol: &Symbol<'_>) -> Option<Symbol<'a>> {
        let name = [symbol.name, b"_size"].concat();
        let after = self
            .by_name
            .partition_point(|&other| other < (&name[..], symbol.index));
        [after.checked_sub(1), Some(after)]
            .into_iter()
            .filter_map(|i| self.by_name.get(i?))
            .filter(|&&(other, _)| other == &name[..])
            .map(|&(_, index)| self.symbols[index])
            .min_by_key(|other| other.index.abs_diff(symbol.index))
    }
}
