//! Rule 4: shader headers, with their arrays, names, patch table and relocation trailer.

use std::ops::Range;

use corpora::RejectClass;

use super::constants::Constants;
use super::headers::{Array, ShaderHeader, Trailer};
use super::input::{Input, Rejection, require};
use super::report::{Report, Site};
use super::structure::{Book, Structure};
use super::tagged::{Tags, Text};
use crate::table::TableError;

/// What rule 4 knows besides the header itself.
#[derive(Clone, Debug)]
pub(super) struct ShaderRules {
    trailer: Trailer,
    patch_entry: Structure,
    tags: Tags,
    trailer_magic: u32,
    trailer_data_offset: u32,
    pointer_size: u64,
    pointer_alignment: u64,
    array_alignment: u64,
}

/// A shader header's data, whose trailer was found to be right. Offsets count from the start of the data.
#[derive(Clone, Copy, Debug)]
struct Data<'a> {
    input: Input<'a>,
    /// Its place in the file.
    at: u64,
    /// The header's size, *S*.
    header_size: u64,
    /// Where structures and text end, *D*.
    size: u64,
    /// The trailer's place in the file, *t*.
    trailer: u64,
    /// Where names are.
    text: Text<'a>,
    /// Where the patch table is in the file.
    patches: u64,
    patch_count: u64,
}

impl ShaderRules {
    /// Reads the rows of the trailer and the patch table, and the numbers.
    pub(super) fn read(book: &Book<'_>, tags: Tags) -> Result<Self, TableError> {
        let constants = Constants(&book.tables.constants);
        Ok(Self {
            trailer: Trailer::read(book)?,
            patch_entry: Structure::read_element(book, "PatchEntry")?,
            tags,
            trailer_magic: constants.one("trailer_magic")?,
            trailer_data_offset: constants.one("trailer_data_offset")?,
            pointer_size: u64::from(constants.one("pointer_size")?),
            pointer_alignment: u64::from(constants.one("pointer_alignment")?),
            array_alignment: u64::from(constants.one("array_alignment")?),
        })
    }

    /// Judges and reports the data of a shader header.
    pub(super) fn header(
        &self,
        header: &ShaderHeader,
        site: Site<'_>,
        report: &mut Report<'_>,
    ) -> Result<(), Rejection> {
        let data = self.trailer(header.structure.size, site)?;
        self.patches(&data)?;
        let arrays = self.arrays(header, &data)?;

        let site = Site {
            text: Some(data.text),
            ..site
        };
        report.structure(&header.structure, site);
        for (array, base, count) in arrays {
            report.array(&array.element, count, Site { base, ..site });
        }
        let base = data.trailer;
        report.structure(&self.trailer.structure, Site { base, ..site });
        let base = data.patches;
        report.array(&self.patch_entry, data.patch_count, Site { base, ..site });
        Ok(())
    }

    /// Rules 4a to 4f: the trailer, and the two tables that it places.
    fn trailer<'a>(&self, header_size: u64, site: Site<'a>) -> Result<Data<'a>, Rejection> {
        let Site {
            input, base, end, ..
        } = site;
        let trailer = &self.trailer;

        // a. Room for the structure and the trailer.
        let whole = header_size + trailer.structure.size <= end - base;
        require(whole, RejectClass::Truncated, base)?;
        let t = end - trailer.structure.size;

        // b. The trailer's magic and size.
        let is_trailer = trailer.magic.read(input, t)? == self.trailer_magic;
        require(is_trailer, RejectClass::BadMagic, trailer.magic.at(t))?;
        let size = u64::from(trailer.header_size.read(input, t)?);
        require(
            size == trailer.structure.size,
            RejectClass::BadLength,
            trailer.header_size.at(t),
        )?;

        // c. The size of structures and text.
        let data_size = u64::from(trailer.data_size.read(input, t)?);
        require(
            header_size <= data_size && data_size <= t - base,
            RejectClass::OutOfRange,
            trailer.data_size.at(t),
        )?;

        // d. The place of the data.
        require(
            trailer.data_offset.read(input, t)? == self.trailer_data_offset,
            RejectClass::OutOfRange,
            trailer.data_offset.at(t),
        )?;

        // e. The text.
        let text_size = u64::from(trailer.text_size.read(input, t)?);
        let word = trailer.text_offset.read(input, t)?;
        let text_offset = self.tags.offset(word);
        require(
            self.tags.tag(word) == self.tags.data && text_offset + text_size <= data_size,
            RejectClass::OutOfRange,
            trailer.text_offset.at(t),
        )?;

        // f. The patch table.
        let patch_count = u64::from(trailer.patch_count.read(input, t)?);
        let word = trailer.patch_offset.read(input, t)?;
        let patch_offset = self.tags.offset(word);
        let patch_end = patch_offset + self.patch_entry.size * patch_count;
        require(
            self.tags.tag(word) == self.tags.data
                && data_size <= patch_offset
                && patch_end <= t - base,
            RejectClass::OutOfRange,
            trailer.patch_offset.at(t),
        )?;

        Ok(Data {
            input,
            at: base,
            header_size,
            size: data_size,
            trailer: t,
            text: Text::new(input, base, text_offset, text_size),
            patches: base + patch_offset,
            patch_count,
        })
    }

    /// Rule 4g: every patch entry, and the pointer that it leads to.
    fn patches(&self, data: &Data<'_>) -> Result<(), Rejection> {
        let input = data.input;
        let mut patched = vec![false; data.size as usize];
        for index in 0..data.patch_count {
            let at = data.patches + index * self.patch_entry.size;
            let entry = word(input, at)?;
            if entry == 0 {
                continue;
            }
            let tag = self.tags.tag(entry);
            let place = self.tags.offset(entry);
            require(
                tag == self.tags.data || tag == self.tags.text,
                RejectClass::OutOfRange,
                at,
            )?;
            let aligned = place.is_multiple_of(self.pointer_alignment);
            require(aligned, RejectClass::Misaligned, at)?;
            let inside = place + self.pointer_size <= data.size;
            require(inside, RejectClass::OutOfRange, at)?;
            let earlier = patched.get_mut(place as usize);
            let again = earlier.is_some_and(|earlier| std::mem::replace(earlier, true));
            require(!again, RejectClass::Overlap, at)?;

            let at = data.at + place;
            let pointer = word(input, at)?;
            let tag = self.tags.tag(pointer);
            let offset = self.tags.offset(pointer);
            require(
                pointer == 0
                    || tag == self.tags.data && offset < data.size
                    || tag == self.tags.text && data.text.contains(offset),
                RejectClass::OutOfRange,
                at,
            )?;
        }
        Ok(())
    }

    /// Rule 4h: every array of the header, and the names of its elements. Answers place and count of those that are not
    /// empty.
    fn arrays<'h>(
        &self,
        header: &'h ShaderHeader,
        data: &Data<'_>,
    ) -> Result<Vec<(&'h Array, u64, u64)>, Rejection> {
        let input = data.input;
        let mut found = Vec::new();
        // A header has six arrays at most, so each is held against all before it.
        let mut taken: Vec<Range<u64>> = Vec::new();
        for array in &header.arrays {
            let count = u64::from(array.count.read(input, data.at)?);
            if count == 0 {
                continue;
            }
            let at = array.pointer.at(data.at);
            let pointer = array.pointer.read(input, data.at)?;
            let start = self.tags.offset(pointer);
            let end = start + count * array.element.size;
            require(
                self.tags.tag(pointer) == self.tags.data && end <= data.size,
                RejectClass::OutOfRange,
                at,
            )?;
            let aligned = start.is_multiple_of(self.array_alignment);
            require(aligned, RejectClass::Misaligned, at)?;
            let free = taken
                .iter()
                .all(|other| end <= other.start || other.end <= start);
            require(data.header_size <= start && free, RejectClass::Overlap, at)?;
            taken.push(start..end);

            let base = data.at + start;
            for element in 0..count {
                for name in &array.names {
                    self.name(data, name.at(base + element * array.element.size))?;
                }
            }
            found.push((array, base, count));
        }
        Ok(found)
    }

    /// Rule 4h: the name pointer at that place of the file.
    fn name(&self, data: &Data<'_>, at: u64) -> Result<(), Rejection> {
        let pointer = word(data.input, at)?;
        require(
            pointer == 0
                || self.tags.tag(pointer) == self.tags.text
                    && data.text.has_name(self.tags.offset(pointer)),
            RejectClass::OutOfRange,
            at,
        )
    }
}

/// A word whose place was found to be in the data; `truncated` there if a wrong table leads elsewhere.
fn word(input: Input<'_>, at: u64) -> Result<u32, Rejection> {
    let value = input.number(at, 4);
    require(value.is_some(), RejectClass::Truncated, at)?;
    Ok(value.unwrap_or(0) as u32)
}
