//! The rules of a shader header block, in the order of the `gfd` target's contract (rule 4, a to h).

use super::places::Places;
use super::relocation::{TRAILER_MAGIC, TRAILER_SIZE, Trailer};
use crate::error::{Error, Part};
use crate::gx2::{
    Array, AttribVar, Element, InitialValue, LoopVar, SamplerVar, Stage, UniformBlock, UniformVar,
};
use crate::pointer::{Pointer, Tag};
use crate::word::{Field, word};

/// Checks the data of a shader header block that starts at `base` in the file.
///
/// The work is linear in the data: counts are compared with the data before anything is done `count` times, and a
/// name is looked at in constant time.
pub(crate) fn check(stage: Stage, data: &[u8], base: usize) -> Result<(), Error> {
    let size = stage.layout().size;
    let needed = size + TRAILER_SIZE;
    if data.len() < needed {
        let (part, left) = (Part::ShaderHeader, data.len());
        return Err(Error::Truncated {
            offset: base,
            part,
            needed,
            left,
        });
    }
    let header = Header {
        stage,
        data,
        base,
        trailer: trailer(size, data, base)?,
    };
    header.check_patches()?;
    header.check_arrays()
}

/// Rules b to f: the trailer.
fn trailer(size: usize, data: &[u8], base: usize) -> Result<Trailer, Error> {
    let end = data.len() - TRAILER_SIZE;
    let at = base + end;
    let part = Part::RelocationTrailer;

    let (found, allowed) = (word(data, end), TRAILER_MAGIC);
    if found != allowed {
        return Err(Error::BadMagic {
            offset: at,
            part,
            found,
            allowed,
        });
    }
    let (found, allowed) = (word(data, end + 4), TRAILER_SIZE as u32);
    if found != allowed {
        return Err(Error::BadHeaderSize {
            offset: at + 4,
            part,
            found,
            allowed,
        });
    }

    let trailer = Trailer::read(data, end);
    let data_size = trailer.data_size;
    if (data_size as usize) < size || data_size as usize > end {
        let (found, least, most) = (data_size, size, end);
        return Err(Error::BadDataSize {
            offset: at + 0xC,
            found,
            least,
            most,
        });
    }
    if trailer.data_offset != Pointer(0xD060_0000) {
        let found = trailer.data_offset.0;
        return Err(Error::BadDataOffset {
            offset: at + 0x10,
            found,
        });
    }

    let text = trailer.text_offset;
    let text_end = u64::from(text.offset()) + u64::from(trailer.text_size);
    if text.tag() != Tag::DATA || text_end > u64::from(data_size) {
        let (found, size, most) = (text.0, trailer.text_size, data_size);
        return Err(Error::BadText {
            offset: at + 0x18,
            found,
            size,
            most,
        });
    }

    let table = trailer.patch_offset;
    let table_end = u64::from(table.offset()) + 4 * u64::from(trailer.patch_count);
    if table.tag() != Tag::DATA || table.offset() < data_size || table_end > end as u64 {
        return Err(Error::BadPatchTable {
            offset: at + 0x24,
            found: table.0,
            count: trailer.patch_count,
            least: data_size,
            most: end,
        });
    }
    Ok(trailer)
}

/// A shader header whose trailer is in order.
struct Header<'a> {
    stage: Stage,
    data: &'a [u8],
    base: usize,
    trailer: Trailer,
}

impl Header<'_> {
    /// Whether an offset lies in the text.
    #[inline]
    fn in_text(&self, offset: u32) -> bool {
        let start = self.trailer.text_offset.offset();
        (start..start + self.trailer.text_size).contains(&offset)
    }

    /// Rule g: the patch table, and the pointers it names.
    fn check_patches(&self) -> Result<(), Error> {
        let most = self.trailer.data_size;
        let start = self.trailer.patch_offset.offset() as usize;
        let table = &self.data[start..start + 4 * self.trailer.patch_count as usize];
        let mut places = Places::new(most as usize);
        for (i, entry) in table.chunks_exact(4).enumerate() {
            let entry = Pointer(word(entry, 0));
            if entry.is_null() {
                continue;
            }
            let (offset, found) = (self.base + start + 4 * i, entry.0);
            if entry.tag() != Tag::DATA && entry.tag() != Tag::TEXT {
                return Err(Error::BadPatchTag { offset, found });
            }
            let place = entry.offset();
            if !place.is_multiple_of(4) {
                return Err(Error::MisalignedPatch { offset, found });
            }
            if place + 4 > most {
                return Err(Error::PatchBeyondData {
                    offset,
                    found,
                    most,
                });
            }
            if !places.insert(place as usize / 4) {
                return Err(Error::RepeatedPatch { offset, found });
            }

            let pointer = Pointer(word(self.data, place as usize));
            let leads_somewhere = pointer.is_null()
                || match pointer.tag() {
                    Tag::DATA => pointer.offset() < most,
                    Tag::TEXT => self.in_text(pointer.offset()),
                    _ => false,
                };
            if !leads_somewhere {
                let (offset, found) = (self.base + place as usize, pointer.0);
                return Err(Error::BadPatchedPointer { offset, found });
            }
        }
        Ok(())
    }

    /// Rule h: the arrays, and the names of their elements.
    fn check_arrays(&self) -> Result<(), Error> {
        let mut taken = Taken {
            ranges: [(0, self.stage.layout().size); 7],
            count: 1,
        };
        let mut names = Names {
            header: self,
            past_last_zero: None,
        };
        self.check_array::<UniformBlock<'_>>(Array::UniformBlocks, &mut taken, &mut names)?;
        self.check_array::<UniformVar<'_>>(Array::UniformVars, &mut taken, &mut names)?;
        self.check_array::<InitialValue>(Array::InitialValues, &mut taken, &mut names)?;
        self.check_array::<LoopVar>(Array::LoopVars, &mut taken, &mut names)?;
        self.check_array::<SamplerVar<'_>>(Array::SamplerVars, &mut taken, &mut names)?;
        if self.stage == Stage::Vertex {
            self.check_array::<AttribVar<'_>>(Array::AttribVars, &mut taken, &mut names)?;
        }
        Ok(())
    }

    fn check_array<'e, T: Element<'e>>(
        &self,
        array: Array,
        taken: &mut Taken,
        names: &mut Names<'_>,
    ) -> Result<(), Error> {
        let layout = self.stage.layout();
        let count = word(self.data, layout.count_at(array as usize));
        if count == 0 {
            return Ok(());
        }
        let at = layout.pointer_at(array as usize);
        let pointer = Pointer(word(self.data, at));
        let (offset, found) = (self.base + at, pointer.0);

        let most = self.trailer.data_size;
        let end = u64::from(pointer.offset()) + u64::from(count) * T::SIZE as u64;
        if pointer.tag() != Tag::DATA || end > u64::from(most) {
            return Err(Error::BadArray {
                offset,
                found,
                count,
                size: T::SIZE,
                most,
            });
        }
        let range = (pointer.offset() as usize, end as usize);
        if !range.0.is_multiple_of(4) {
            return Err(Error::MisalignedArray { offset, found });
        }
        if !taken.take(range) {
            return Err(Error::OverlappingArray { offset, found });
        }

        if T::NAMED {
            for at in (range.0..range.1).step_by(T::SIZE) {
                names.check(at)?;
            }
        }
        Ok(())
    }
}

/// The byte ranges of the structure and of the arrays so far.
struct Taken {
    ranges: [(usize, usize); 7],
    count: usize,
}

impl Taken {
    /// Adds a range; whether it shares no byte with an earlier one.
    fn take(&mut self, (start, end): (usize, usize)) -> bool {
        let free = self.ranges[..self.count]
            .iter()
            .all(|taken| end <= taken.0 || taken.1 <= start);
        self.ranges[self.count] = (start, end);
        self.count += 1;
        free
    }
}

/// Checks pointers to names. A name ends within the text exactly when it starts before the text's last zero, so that
/// many names in one long text cost no more than their pointers.
struct Names<'a> {
    header: &'a Header<'a>,
    past_last_zero: Option<u32>,
}

impl Names<'_> {
    fn check(&mut self, at: usize) -> Result<(), Error> {
        let pointer = Pointer(word(self.header.data, at));
        if pointer.is_null() {
            return Ok(());
        }
        let offset = pointer.offset();
        let start = self.header.trailer.text_offset.offset();
        if pointer.tag() != Tag::TEXT || offset < start || offset >= self.past_last_zero(start) {
            let (offset, found) = (self.header.base + at, pointer.0);
            return Err(Error::BadName { offset, found });
        }
        Ok(())
    }

    /// The offset behind the text's last zero byte, or the text's start if it has none.
    fn past_last_zero(&mut self, start: u32) -> u32 {
        *self.past_last_zero.get_or_insert_with(|| {
            let text = start as usize..(start + self.header.trailer.text_size) as usize;
            match memchr::memrchr(0, &self.header.data[text]) {
                Some(last) => start + last as u32 + 1,
                None => start,
            }
        })
    }
}
