//! The bytes of an executable's sections, inflated where the Wii U's linker has deflated them.

use std::borrow::Cow;
use std::io::Read;

use super::ExecutableError;
use crate::word::word;

/// Bytes that the deflated sections of one executable may have together.
pub const INFLATE_LIMIT: usize = 256 << 20;

/// Bytes that one deflated byte may stand for: deflate cannot do better than 1032.
pub const INFLATE_RATIO: usize = 1032;

/// Section flag of a deflated section: the inflated size as a big-endian word, then a zlib stream.
pub(super) const SHF_DEFLATED: u64 = 0x0800_0000;

/// Reads sections within limits that hold for all of them together.
pub(super) struct Sections<'a> {
    file: &'a [u8],
    /// Bytes that deflated sections may still have.
    inflatable: usize,
    /// Bytes that sections may still take from the file; they may overlap, but not without end.
    readable: usize,
}

/// How often the sections of an executable may cover its bytes.
const COVERS: usize = 4;

impl<'a> Sections<'a> {
    pub(super) fn new(file: &'a [u8]) -> Sections<'a> {
        let readable = file.len().saturating_mul(COVERS);
        Sections {
            file,
            inflatable: INFLATE_LIMIT,
            readable,
        }
    }

    /// The bytes of a section.
    pub(super) fn read(
        &mut self,
        section: usize,
        offset: usize,
        size: usize,
        flags: u64,
    ) -> Result<Cow<'a, [u8]>, ExecutableError> {
        let length = self.file.len();
        let bytes = (offset.checked_add(size))
            .and_then(|end| self.file.get(offset..end))
            .ok_or(ExecutableError::BadSection {
                offset,
                section,
                size,
                length,
            })?;
        let allowed = length.saturating_mul(COVERS);
        self.readable = (self.readable.checked_sub(size)).ok_or(ExecutableError::OverlapLimit {
            offset,
            section,
            allowed,
        })?;
        if flags & SHF_DEFLATED == 0 {
            return Ok(Cow::Borrowed(bytes));
        }

        let Some(stream) = bytes.get(4..) else {
            return Err(ExecutableError::BadSection {
                offset,
                section,
                size,
                length,
            });
        };
        let declared = word(bytes, 0) as usize;
        let allowed = stream
            .len()
            .saturating_mul(INFLATE_RATIO)
            .min(self.inflatable);
        if declared > allowed {
            return Err(ExecutableError::InflateLimit {
                offset,
                section,
                declared,
                allowed,
            });
        }
        self.inflatable -= declared;

        let mut inflated = Vec::with_capacity(declared);
        // One byte more is asked for, so that a longer stream does not pass for one of the declared length.
        let mut reader = flate2::read::ZlibDecoder::new(stream).take(declared as u64 + 1);
        match reader.read_to_end(&mut inflated) {
            Ok(length) if length == declared => Ok(Cow::Owned(inflated)),
            _ => Err(ExecutableError::BadDeflate {
                offset,
                section,
                declared,
            }),
        }
    }
}
