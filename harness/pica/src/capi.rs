//! The C interface, declared in `include/pica.h`, which a test generates from the comments and types here.
//!
//! All `unsafe` of this crate is in this file. A call looks at the addresses of everything that it was given before it
//! reads through a pointer, so that a report is never written over an input, nor a vertex over anything but the output.
//!
//! Nothing here or below panics for any input; if it did, `extern "C"` would end the process rather than unwind into C.
#![allow(unsafe_code, reason = "C hands over pointers")]

mod extent;
mod report;

pub use report::{CError, Field, Kind, NONE};

use crate::convert::BLOCK;
use crate::decode::judge;
use crate::{Attribute, Error, Indices, MAX_ATTRIBUTES, MAX_SPAN, MAX_STREAMS, Stream, Vertex};
use extent::Extent;

/// Version of the structures and functions here. `pica_abi` says which one a library has.
pub const ABI: u32 = 1;

/// Vertices at a constant distance in a span of bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CStream {
    /// The span, of any alignment. May be null if `length` is 0.
    pub bytes: *const u8,
    /// Bytes of the span: up to `PICA_MAX_SPAN`.
    pub length: usize,
    /// Byte of vertex 0 in the span.
    pub offset: u32,
    /// Bytes from a vertex to the next: 1 to 255.
    pub stride: u32,
}

/// Vertex numbers to gather. There is no restart index: 0xff and 0xffff select vertices.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CIndices {
    /// The span, of any alignment. May be null if `length` is 0.
    pub bytes: *const u8,
    /// Bytes of the span: up to `PICA_MAX_SPAN`.
    pub length: usize,
    /// Byte of index 0 in the span.
    pub offset: u32,
    /// 0: u8, 1: u16 (little-endian).
    pub format: u32,
}

/// The version of the library: `PICA_ABI` of the header that it belongs to.
#[unsafe(no_mangle)]
pub extern "C" fn pica_abi() -> u32 {
    ABI
}

/// Decodes the vertices `first` to `first + count - 1` into `output[0]` to `output[count - 1]`.
///
/// Returns the mask of slots that attributes go to (bit n: slot n), 0 to 0xffff, or a negative `pica_kind`. Then `output`
/// is as it was, and `*error` says more. `error` may be null; a call that succeeds leaves it alone, and so does one that
/// finds it misaligned, sharing bytes with the output or an input, or with an output that ends above the last address.
///
/// A null `output` with a `capacity` of 0 validates: every rule but that of the capacity, and nothing is written.
/// `capacity` is the number of vertices in `output`; those from `count` on are left alone.
///
/// `output` may not share a byte with the arrays, with any part of a span, or with `*error`. Inputs may share bytes with
/// each other.
///
/// # Safety
///
/// What each pointer leads to must be there, for the number of elements given, and must not change during the call:
/// arrays and spans initialised, `output` and `error` writable. Everything else is checked.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments, reason = "the C interface")]
pub unsafe extern "C" fn pica_decode(
    attributes: *const Attribute,
    attribute_count: usize,
    streams: *const CStream,
    stream_count: usize,
    first: u32,
    count: u32,
    output: *mut Vertex,
    capacity: usize,
    error: *mut CError,
) -> i32 {
    let call = Call {
        attributes,
        attribute_count,
        streams,
        stream_count,
        indices: None,
        first,
        count,
        output,
        capacity,
        error,
    };
    // SAFETY: the caller promises what `answer` asks for.
    unsafe { call.answer() }
}

/// Decodes the vertices that the indices `first` to `first + count - 1` select, in that order.
///
/// `first` is not added to an index. What no index selects is not read. Else as `pica_decode`.
///
/// # Safety
///
/// As of `pica_decode`, also for `indices` and their span.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments, reason = "the C interface")]
pub unsafe extern "C" fn pica_decode_indexed(
    attributes: *const Attribute,
    attribute_count: usize,
    streams: *const CStream,
    stream_count: usize,
    indices: *const CIndices,
    first: u32,
    count: u32,
    output: *mut Vertex,
    capacity: usize,
    error: *mut CError,
) -> i32 {
    let call = Call {
        attributes,
        attribute_count,
        streams,
        stream_count,
        indices: Some(indices),
        first,
        count,
        output,
        capacity,
        error,
    };
    // SAFETY: the caller promises what `answer` asks for.
    unsafe { call.answer() }
}

/// Why a call wrote nothing.
enum Refusal {
    /// `error` itself is at fault, so that nothing may be written there.
    Unreported(Kind),
    Reported(CError),
}

impl<T: Into<CError>> From<T> for Refusal {
    fn from(error: T) -> Self {
        Self::Reported(error.into())
    }
}

/// The arguments.
struct Call {
    attributes: *const Attribute,
    attribute_count: usize,
    streams: *const CStream,
    stream_count: usize,
    indices: Option<*const CIndices>,
    first: u32,
    count: u32,
    output: *mut Vertex,
    capacity: usize,
    error: *mut CError,
}

impl Call {
    /// # Safety
    ///
    /// As of [`pica_decode_indexed`].
    unsafe fn answer(&self) -> i32 {
        // SAFETY: the caller's promise is passed on.
        match unsafe { self.run() } {
            Ok(enabled) => enabled.into(),
            Err(Refusal::Unreported(kind)) => kind as i32,
            Err(Refusal::Reported(report)) => {
                if !self.error.is_null() {
                    // SAFETY: `run` found `error` aligned and apart from everything else; the caller promises that it
                    // can be written.
                    unsafe { self.error.write(report) };
                }
                report.kind as i32
            }
        }
    }

    /// # Safety
    ///
    /// As of [`pica_decode_indexed`], but for `error`, which is not touched.
    unsafe fn run(&self) -> Result<u16, Refusal> {
        // SAFETY: the caller's promise is passed on.
        let (described, indices) = unsafe { self.described() };
        self.judge_error(described, indices.as_ref())?;
        self.judge_arrays()?;
        self.judge_spans(described, indices.as_ref())?;

        // SAFETY: null only where the count is 0, aligned, of at most 12 elements that end below the last address; the
        // caller promises that they are there and do not change. Any bits make an attribute.
        let attributes = unsafe { slice(self.attributes, self.attribute_count) };
        let mut streams = [Stream {
            bytes: &[],
            offset: 0,
            stride: 1,
        }; MAX_STREAMS];
        for (stream, described) in streams.iter_mut().zip(described) {
            *stream = Stream {
                // SAFETY: as above, of at most 4 MiB.
                bytes: unsafe { slice(described.bytes, described.length) },
                offset: described.offset,
                stride: described.stride,
            };
        }
        let indices = indices.map(|described| Indices {
            format: described.format,
            // SAFETY: as above, of at most 4 MiB.
            bytes: unsafe { slice(described.bytes, described.length) },
            offset: described.offset,
        });
        let judged = judge(
            attributes,
            &streams[..described.len()],
            indices.as_ref(),
            self.first,
            self.count,
            (!self.output.is_null()).then_some(self.capacity),
        )?;
        if self.output.is_null() {
            return Ok(judged.enabled);
        }
        let count = self.count as usize;
        for start in (0..count).step_by(BLOCK) {
            let length = BLOCK.min(count - start);
            // SAFETY: `count` is at most the capacity, and the output is aligned, ends below the last address, and shares
            // no byte with what is borrowed; the caller promises that it can be written. What was there may be
            // uninitialised: there is no reference to a vertex before all of the block is written.
            let block = unsafe {
                let block = self.output.add(start);
                for number in 0..length {
                    block.add(number).write(Vertex::DEFAULT);
                }
                std::slice::from_raw_parts_mut(block, length)
            };
            judged.write(start, block);
        }
        Ok(judged.enabled)
    }

    /// The descriptions of spans that can be read: none behind a pointer that is at fault, at most 12 streams.
    ///
    /// # Safety
    ///
    /// As of [`pica_decode_indexed`].
    unsafe fn described<'a>(&self) -> (&'a [CStream], Option<CIndices>) {
        let count = match Extent::new(self.streams, self.stream_count).judge() {
            Ok(()) => self.stream_count.min(MAX_STREAMS),
            Err(_) => 0,
        };
        let readable = |indices: &*const CIndices| Extent::new(*indices, 1).judge().is_ok();
        // SAFETY: null only where the count is 0, aligned, and they end below the last address; the caller promises
        // that they are there and do not change. Any bits make a description, whose pointer is judged before its use.
        unsafe {
            (
                slice(self.streams, count),
                self.indices.filter(readable).map(|indices| *indices),
            )
        }
    }

    /// The arrays and descriptions, and what of the call is wrong if they are.
    fn arrays(&self) -> [(Field, Extent); 4] {
        let indices = match self.indices {
            Some(indices) => Extent::new(indices, 1),
            None => Extent::EMPTY,
        };
        [
            (
                Field::Attributes,
                Extent::new(self.attributes, self.attribute_count),
            ),
            (Field::Streams, Extent::new(self.streams, self.stream_count)),
            (Field::Indices, indices),
            (Field::Output, Extent::new(self.output, self.capacity)),
        ]
    }

    /// First of all: whether a report can be written without writing over anything that the call has.
    fn judge_error(&self, streams: &[CStream], indices: Option<&CIndices>) -> Result<(), Refusal> {
        let error = self.place();
        error.judge().map_err(Refusal::Unreported)?;
        let arrays = self.arrays();
        let [.., (_, output)] = arrays;
        if output.judge() == Err(Kind::Overflow) {
            // Nobody can tell which bytes must stay as they are.
            return Err(Refusal::Unreported(Kind::Overflow));
        }
        let arrays = arrays.into_iter().map(|(_, array)| array);
        let spans = spans(streams, indices).map(|(_, _, span)| span);
        match arrays.chain(spans).any(|other| error.overlaps(&other)) {
            true => Err(Refusal::Unreported(Kind::Alias)),
            false => Ok(()),
        }
    }

    fn place(&self) -> Extent {
        Extent::new(self.error, usize::from(!self.error.is_null()))
    }

    fn judge_arrays(&self) -> Result<(), Refusal> {
        let arrays = self.arrays();
        for (field, extent) in arrays {
            extent.judge().map_err(|kind| extent.report(kind, field))?;
        }
        if self.attribute_count > MAX_ATTRIBUTES {
            let found = self.attribute_count;
            return Err(Error::AttributeCount { found }.into());
        }
        if self.stream_count > MAX_STREAMS {
            let found = self.stream_count;
            return Err(Error::StreamCount { found }.into());
        }
        let [inputs @ .., (_, output)] = arrays;
        for (field, input) in inputs {
            if let Some(shared) = output.shares(&input) {
                return Err(CError::new(Kind::Alias, field, shared, 0).into());
            }
        }
        Ok(())
    }

    fn judge_spans(&self, streams: &[CStream], indices: Option<&CIndices>) -> Result<(), Refusal> {
        let output = Extent::new(self.output, self.capacity);
        for (field, stream, span) in spans(streams, indices) {
            let report = |report: CError| Refusal::Reported(CError { stream, ..report });
            span.judge()
                .map_err(|kind| report(span.report(kind, field)))?;
            if span.length() > MAX_SPAN {
                let (found, allowed) = (span.length() as u64, MAX_SPAN as u64);
                return Err(report(CError::new(Kind::Limit, field, found, allowed)));
            }
            if let Some(shared) = output.shares(&span) {
                return Err(report(CError::new(Kind::Alias, field, shared, 0)));
            }
        }
        Ok(())
    }
}

/// The spans, of what, and of which stream.
fn spans(
    streams: &[CStream],
    indices: Option<&CIndices>,
) -> impl Iterator<Item = (Field, u32, Extent)> {
    let streams = streams.iter().enumerate().map(|(number, stream)| {
        let span = Extent::new(stream.bytes, stream.length);
        (Field::StreamBytes, number as u32, span)
    });
    let indices = indices.map(|indices| {
        let span = Extent::new(indices.bytes, indices.length);
        (Field::IndexBytes, NONE, span)
    });
    streams.chain(indices)
}

/// # Safety
///
/// As of [`std::slice::from_raw_parts`], unless the length is 0.
unsafe fn slice<'a, T>(pointer: *const T, length: usize) -> &'a [T] {
    if length == 0 {
        return &[];
    }
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(pointer, length) }
}

#[cfg(test)]
mod tests;
