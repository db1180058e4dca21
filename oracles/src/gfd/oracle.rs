//! Rules 1, 2, 3 and 5: the file header, and block after block until the end block.

use std::sync::Arc;

use corpora::{Implementation, OptionError, Options, Outcome, RejectClass, Section, Vocabulary};

use super::Tables;
use super::constants::Constants;
use super::enumeration::enumerations;
use super::headers::FileHeader;
use super::input::{Input, Rejection, require};
use super::numbering::{Holds, Numberings};
use super::report::{Report, Site};
use super::shader::ShaderRules;
use super::structure::Book;
use super::tagged::Tags;
use crate::table::TableError;

/// Places in a record's store have 32 bits; so much of it is left to the data of blocks.
const INPUT_BYTES_MAX: usize = 1 << 31;

/// The oracle of the `gfd` target.
///
/// It never panics, takes time in proportion to the input, and keeps no more than the input's fields. The one exception
/// is names, which may share their bytes and be far longer together than the file: beyond `name_bytes_max` bytes of them
/// (a row of `constants.tsv`) an acceptable file is answered with unsupported, as is any input over 2 GiB.
#[derive(Clone, Debug)]
pub struct Oracle {
    file: FileHeader,
    numberings: Numberings,
    shader: ShaderRules,
    tags: Tags,
    file_magic: u32,
    major_versions: Vec<u32>,
    align_modes: Vec<u32>,
    align_unused_in: (u32, u32),
    block_magic: u32,
    blocks_max: u32,
    name_bytes_max: usize,
}

impl Oracle {
    /// An oracle of those tables, whose records are in that vocabulary. An error names the row that makes no sense, or
    /// whose path or kind the vocabulary does not have.
    pub fn new(tables: &Tables, vocabulary: Arc<Vocabulary>) -> Result<Self, TableError> {
        // Looking a name up and adding one are the same call, so it is done on a copy. Names that a wrong table brings
        // in get numbers that the shared vocabulary does not have.
        let mut symbols = Vocabulary::clone(&vocabulary);
        let enumerations = enumerations(&tables.enums, &mut symbols)?;
        let numberings = Numberings::read(tables, &mut symbols, &enumerations)?;
        let constants = Constants(&tables.constants);
        let tags = Tags::read(&constants)?;
        let book = Book {
            tables,
            vocabulary: &symbols,
            enumerations,
        };
        Ok(Self {
            file: FileHeader::read(&book)?,
            numberings,
            shader: ShaderRules::read(&book, tags)?,
            tags,
            file_magic: constants.one("file_magic")?,
            major_versions: constants.all("major_version")?,
            align_modes: constants.all("align_mode")?,
            align_unused_in: (
                constants.one("align_unused_major")?,
                constants.one("align_unused_minor")?,
            ),
            block_magic: constants.one("block_magic")?,
            blocks_max: constants.one("blocks_max")?,
            name_bytes_max: constants.one("name_bytes_max")? as usize,
        })
    }

    /// The whole file: reports it, and answers how many bytes it takes.
    fn file(&self, input: Input<'_>, report: &mut Report<'_>) -> Result<u64, Rejection> {
        let (major, minor) = self.file_header(input, report)?;
        let numbering = self.numberings.of(major, minor);
        let header = &numbering.header;

        let mut block = self.file.structure.size;
        let mut number = 0;
        loop {
            // Rule 2: no byte left where a block should start, or fewer than its header has.
            let whole = input.bytes(block, header.structure.size).is_some();
            require(whole, RejectClass::Truncated, block)?;
            // Rule 2: one block too many.
            require(number < self.blocks_max, RejectClass::Limit, block)?;
            // Rule 2: magic and header size.
            let is_block = header.magic.read(input, block)? == self.block_magic;
            require(is_block, RejectClass::BadMagic, block)?;
            let size = u64::from(header.header_size.read(input, block)?);
            require(
                size == header.structure.size,
                RejectClass::BadLength,
                header.header_size.at(block),
            )?;
            // Rule 2: data beyond the end of the input.
            let data = block + header.structure.size;
            let data_size = u64::from(header.data_size.read(input, block)?);
            let whole = input.bytes(data, data_size).is_some();
            require(whole, RejectClass::Truncated, data)?;
            let site = Site {
                input,
                base: data,
                end: data + data_size,
                text: None,
            };

            report.record().enter(Section::part(number));
            let header_site = Site {
                base: block,
                ..site
            };
            report.structure(&header.structure, header_site);
            let holds = numbering.holds(header.kind.read(input, block)?);
            match holds {
                Holds::End(structure) => {
                    // Rule 2: an end block with data.
                    require(
                        data_size == 0,
                        RejectClass::BadLength,
                        header.data_size.at(block),
                    )?;
                    report.structure(structure, site);
                }
                Holds::Opaque(structure) => report.structure(structure, site),
                Holds::Plain(structure) => {
                    // Rule 3: data shorter than the structure.
                    let whole = structure.size <= data_size;
                    require(whole, RejectClass::Truncated, data)?;
                    report.structure(structure, site);
                }
                Holds::Relocated(shader) => self.shader.header(shader, site, report)?,
            }
            block = data + data_size;
            number += 1;
            if let Holds::End(_) = holds {
                // Rule 5: what follows the end block is not judged.
                return Ok(block);
            }
        }
    }

    /// Rule 1: the file header. Answers the file's version.
    fn file_header(
        &self,
        input: Input<'_>,
        report: &mut Report<'_>,
    ) -> Result<(u32, u32), Rejection> {
        let header = &self.file;
        let base = 0;
        let whole = header.structure.size <= input.len();
        require(whole, RejectClass::Truncated, base)?;

        let is_file = header.magic.read(input, base)? == self.file_magic;
        require(is_file, RejectClass::BadMagic, header.magic.at(base))?;

        let size = u64::from(header.header_size.read(input, base)?);
        require(
            size == header.structure.size,
            RejectClass::BadLength,
            header.header_size.at(base),
        )?;

        let major = header.major.read(input, base)?;
        let minor = header.minor.read(input, base)?;
        require(
            self.major_versions.contains(&major),
            RejectClass::BadVersion,
            header.major.at(base),
        )?;

        let align = header.align.read(input, base)?;
        let unused = (major, minor) == self.align_unused_in;
        require(
            unused || self.align_modes.contains(&align),
            RejectClass::OutOfRange,
            header.align.at(base),
        )?;

        let site = Site {
            input,
            base,
            end: input.len(),
            text: None,
        };
        report.structure(&header.structure, site);
        Ok((major, minor))
    }
}

impl Implementation for Oracle {
    fn name(&self) -> &str {
        "gfd oracle"
    }

    fn select(&mut self, options: &Options) -> Result<(), OptionError> {
        match options.iter().next() {
            None => Ok(()),
            Some((name, value)) => Err(OptionError {
                name: name.to_owned(),
                value: value.to_owned(),
                allowed: "no option at all".to_owned(),
            }),
        }
    }

    fn answer(&mut self, input: &[u8], outcome: &mut Outcome) {
        if input.len() > INPUT_BYTES_MAX {
            return outcome.unsupported("input over 2 GiB");
        }
        let mut report = Report::new(&mut outcome.record, self.tags, self.name_bytes_max);
        let answer = self.file(Input(input), &mut report);
        let names_left_out = report.names_left_out;
        match answer {
            Err(rejection) => outcome.reject(rejection.class, rejection.offset as usize),
            Ok(_) if names_left_out => outcome.unsupported("names far longer than the file"),
            Ok(consumed) => outcome.accept(consumed as usize),
        }
    }
}
