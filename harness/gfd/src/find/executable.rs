//! Containers in Wii U executables (.rpx, .rpl) and in other 32-bit big-endian ELF files.

use std::borrow::Cow;

use object::elf::{self, FileHeader32, SectionHeader32};
use object::read::elf::{FileHeader, SectionHeader};
use object::{BigEndian, StringTable};

use super::inflate::Sections;
use super::source::{self, SourceName, SourceOrigin};
use super::symbol::{SizeSymbol, Symbol, Symbols};
use super::{ExecutableError, Findings, Found, Hit, InputKind, Near, Place, blobs};

/// A place in a section of an executable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionPlace {
    /// The section's name; empty if it cannot be read.
    pub section: String,
    /// The section's index.
    pub index: usize,
    /// Byte offset in the section, inflated if it was deflated.
    pub offset: usize,
    /// Virtual address: the section's and the offset.
    pub address: u32,
    /// The symbol that stands for the place.
    pub symbol: Option<String>,
    /// The symbol that tells the size of `symbol`.
    pub size_symbol: Option<SizeSymbol>,
    /// The source file.
    pub source: Option<SourceName>,
}

/// Finds every container in an executable: section by section, then in what lies outside of the sections.
///
/// A section that cannot be read is a problem of the findings, and the others are searched nevertheless.
///
/// # Errors
///
/// The file header or the section headers cannot be read.
pub fn executable(bytes: &[u8]) -> Result<Findings<'_>, ExecutableError> {
    let file = Executable::read(bytes)?;
    let symbols = file.symbols();
    let mut findings = Findings::new(InputKind::Executable);
    findings.problems.clone_from(&file.problems);
    for (index, contents) in file.contents.iter().enumerate() {
        for hit in blobs(contents) {
            match hit {
                Hit::Found { offset, length } => {
                    let place = file.place(&symbols, index, offset, length);
                    let place = Place::Section(Box::new(place));
                    let range = offset..offset + length;
                    let bytes = match contents {
                        Cow::Borrowed(contents) => Cow::Borrowed(&contents[range]),
                        Cow::Owned(contents) => Cow::Owned(contents[range].to_vec()),
                    };
                    findings.found.push(Found { place, bytes });
                }
                Hit::Near { offset, error } => {
                    let place = Place::Section(Box::new(file.place(&symbols, index, offset, 0)));
                    findings.near.push(Near { place, error });
                }
            }
        }
    }
    let outside = blobs(bytes).filter(|hit| {
        let (Hit::Found { offset, .. } | Hit::Near { offset, .. }) = hit;
        !file.covers(*offset)
    });
    findings.add(bytes, outside, Place::Offset);
    Ok(findings)
}

/// An executable with its sections inflated.
struct Executable<'a> {
    headers: &'a [SectionHeader32<BigEndian>],
    /// Bytes by section; empty for a section that has none or cannot be read.
    contents: Vec<Cow<'a, [u8]>>,
    problems: Vec<ExecutableError>,
    /// Index of the section with the section names.
    names: Option<usize>,
    /// The symbol table's section, and its strings'.
    symbols: Option<(usize, usize)>,
    /// Whether symbols have offsets in their sections for values, as in an object file, not addresses.
    is_relocatable: bool,
    /// File ranges of the sections that could be read: ordered, without a common byte.
    covered: Vec<(usize, usize)>,
}

impl<'a> Executable<'a> {
    fn read(bytes: &'a [u8]) -> Result<Executable<'a>, ExecutableError> {
        if !bytes.starts_with(&elf::ELFMAG) {
            return Err(ExecutableError::NotElf { offset: 0 });
        }
        let header = FileHeader32::<BigEndian>::parse(bytes)
            .ok()
            .filter(|header| header.is_big_endian())
            .ok_or(ExecutableError::NotBigEndian32 { offset: 0 })?;
        let (offset, length) = (header.e_shoff(BigEndian) as usize, bytes.len());
        let headers = header
            .section_headers(BigEndian, bytes)
            .map_err(|_| ExecutableError::BadSectionTable { offset, length })?;
        if headers.is_empty() {
            return Err(ExecutableError::NoSections { offset: 0x20 });
        }

        let mut sections = Sections::new(bytes);
        let (mut contents, mut problems, mut covered) = (Vec::new(), Vec::new(), Vec::new());
        let mut symbols = None;
        for (index, section) in headers.iter().enumerate() {
            let kind = section.sh_type.get(BigEndian);
            if kind == elf::SHT_NULL || kind == elf::SHT_NOBITS {
                contents.push(Cow::Borrowed(&[][..]));
                continue;
            }
            if kind == elf::SHT_SYMTAB && symbols.is_none() {
                symbols = Some((index, section.sh_link.get(BigEndian) as usize));
            }
            let offset = section.sh_offset.get(BigEndian) as usize;
            let size = section.sh_size.get(BigEndian) as usize;
            match sections.read(index, offset, size, section.sh_flags(BigEndian).0) {
                Ok(bytes) => {
                    contents.push(bytes);
                    covered.push((offset, offset + size));
                }
                Err(problem) => {
                    contents.push(Cow::Borrowed(&[][..]));
                    problems.push(problem);
                }
            }
        }
        Ok(Executable {
            headers,
            contents,
            problems,
            names: header
                .shstrndx(BigEndian, bytes)
                .ok()
                .map(|index| index as usize),
            symbols,
            is_relocatable: header.e_type(BigEndian) == elf::ET_REL,
            covered: merged(covered),
        })
    }

    /// Whether a byte of the file belongs to a section that could be read.
    fn covers(&self, offset: usize) -> bool {
        let after = self.covered.partition_point(|&(start, _)| start <= offset);
        after > 0 && offset < self.covered[after - 1].1
    }

    /// What is known about `length` bytes in a section. For no bytes, no source file is looked for.
    fn place(
        &self,
        symbols: &Symbols<'_>,
        index: usize,
        offset: usize,
        length: usize,
    ) -> SectionPlace {
        let address = self.address(index).wrapping_add(offset as u32);
        let value = if self.is_relocatable {
            offset as u32
        } else {
            address
        };
        let symbol = symbols.at(index, value);
        let size_symbol = symbol
            .and_then(|symbol| symbols.size_of(&symbol))
            .and_then(|size| {
                let value = self.word_at(&size)?;
                let agrees = length > 0 && value as usize == length;
                Some(SizeSymbol {
                    name: text(size.name),
                    value,
                    agrees,
                })
            });
        let source = match symbol.and_then(|symbol| symbol.file) {
            Some(path) => Some(SourceName {
                path: text(path),
                origin: SourceOrigin::FileSymbol,
            }),
            None if length == 0 => None,
            None => source::nearby(&self.contents[index], offset, offset + length),
        };
        SectionPlace {
            section: self.name(index),
            index,
            offset,
            address,
            symbol: symbol.map(|symbol| text(symbol.name)),
            size_symbol,
            source,
        }
    }

    fn address(&self, index: usize) -> u32 {
        self.headers[index].sh_addr.get(BigEndian)
    }

    fn name(&self, index: usize) -> String {
        let names = self.names.and_then(|names| self.contents.get(names));
        let names: &[u8] = names.map_or(&[], |names| names);
        StringTable::new(names, 0, names.len() as u64)
            .get(self.headers[index].sh_name.get(BigEndian))
            .map(text)
            .unwrap_or_default()
    }

    fn symbols(&self) -> Symbols<'_> {
        let Some((table, strings)) = self.symbols else {
            return Symbols::default();
        };
        let strings = self
            .contents
            .get(strings)
            .map_or(&[][..], |strings| strings);
        Symbols::read(&self.contents[table], strings)
    }

    /// The word that a symbol stands for.
    fn word_at(&self, symbol: &Symbol<'_>) -> Option<u32> {
        let contents = self.contents.get(symbol.section)?;
        let base = if self.is_relocatable {
            0
        } else {
            self.address(symbol.section)
        };
        let at = symbol.value.checked_sub(base)? as usize;
        Some(u32::from_be_bytes(*contents.get(at..)?.first_chunk()?))
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Ranges in order, those that touch put together.
fn merged(mut ranges: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    ranges.sort_unstable();
    let mut merged: Vec<(usize, usize)> = Vec::new();
    for (start, end) in ranges {
        match merged.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => merged.push((start, end)),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_touch_become_one() {
        assert_eq!(
            merged(vec![(8, 9), (0, 4), (4, 6), (1, 2), (12, 12)]),
            [(0, 6), (8, 9), (12, 12)]
        );
    }
}
