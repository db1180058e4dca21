//! Sweeps: every value of a format, every index, every layout at its borders.

use corpora::RejectClass;

use super::request::{Attribute, Indices, Request, Stream};
use super::{DECODE, INDEXED, unit};
use crate::target::{Enumeration, Stated};

const S8: u8 = 0;
const U8: u8 = 1;
const S16: u8 = 2;
const F32: u8 = 3;

/// Bytes of a component of formats 0 to 3.
const ELEMENT: [u32; 4] = [1, 1, 2, 4];

/// Vertices of a call.
const BATCH: u64 = 4096;

/// Floats of a request: twelve attributes of four components.
const FLOATS: u64 = BATCH * 48;

/// Floats without a sign whose exponent is not all ones.
const FINITE: u64 = 0x7f80_0000;

/// Floats without a sign that are infinite or not a number.
const NONFINITE: u64 = 0x0080_0000;

/// All sweeps.
pub(super) fn all() -> Vec<Enumeration> {
    vec![
        Enumeration {
            what: "every s16",
            options: unit(DECODE),
            inputs: (1 << 16) / BATCH,
            values: 1 << 16,
            full: false,
            stated: |_| Stated::Accepted,
            make: Box::new(shorts),
        },
        Enumeration {
            what: "every byte, signed and unsigned",
            options: unit(DECODE),
            inputs: 1,
            values: 2 * 256,
            full: false,
            stated: |_| Stated::Accepted,
            make: Box::new(bytes),
        },
        Enumeration {
            what: "every format and number of components, in every slot",
            options: unit(DECODE),
            inputs: 16 * 16,
            values: 16 * 16,
            full: false,
            stated: |_| Stated::Accepted,
            make: Box::new(descriptor),
        },
        Enumeration {
            what: "every u8 index",
            options: unit(INDEXED),
            inputs: 1,
            values: 256,
            full: false,
            stated: |_| Stated::Accepted,
            make: Box::new(|_, out| indices(0, 0..256, out)),
        },
        Enumeration {
            what: "every u16 index",
            options: unit(INDEXED),
            inputs: (1 << 16) / BATCH,
            values: 1 << 16,
            full: false,
            stated: |_| Stated::Accepted,
            make: Box::new(|number, out| indices(1, number * BATCH..(number + 1) * BATCH, out)),
        },
        Enumeration {
            what: "floats by their upper 16 bits: every finite one",
            options: unit(DECODE),
            inputs: (2 * (FINITE >> 16)).div_ceil(FLOATS),
            values: 2 * (FINITE >> 16),
            full: false,
            stated: |_| Stated::Accepted,
            make: Box::new(|number, out| finite(number, 16, out)),
        },
        Enumeration {
            what: "floats by their upper 16 bits: every infinite one and NaN",
            options: unit(DECODE),
            inputs: 2 * (NONFINITE >> 16),
            values: 2 * (NONFINITE >> 16),
            full: false,
            stated: |_| Stated::Rejected(RejectClass::Nonfinite),
            make: Box::new(|number, out| nonfinite(number, 16, out)),
        },
        Enumeration {
            what: "every finite float",
            options: unit(DECODE),
            inputs: (2 * FINITE).div_ceil(FLOATS),
            values: 2 * FINITE,
            full: true,
            stated: |_| Stated::Accepted,
            make: Box::new(|number, out| finite(number, 0, out)),
        },
        Enumeration {
            what: "every infinite float and NaN",
            options: unit(DECODE),
            inputs: 2 * NONFINITE,
            values: 2 * NONFINITE,
            full: true,
            stated: |_| Stated::Rejected(RejectClass::Nonfinite),
            make: Box::new(|number, out| nonfinite(number, 0, out)),
        },
        Enumeration {
            what: "every stride, offset and size, with a span that fits and one that is a byte short",
            options: unit(DECODE),
            inputs: STRIDES * OFFSETS * 16 * 2,
            values: STRIDES * OFFSETS * 16 * 2,
            full: true,
            stated: border_stated,
            make: Box::new(border),
        },
    ]
}

/// A request of one stream over all of `data`.
fn over(data: &[u8], count: u64, stride: u32) -> Request<'_> {
    let mut request = Request::new(count as u32, data);
    request.add_stream(Stream {
        start: 0,
        length: data.len() as u32,
        offset: 0,
        stride,
    });
    request
}

fn attribute(format: u8, components: u8, slot: u8, offset: u32) -> Attribute {
    Attribute {
        stream: 0,
        format,
        components,
        slot,
        offset,
    }
}

fn shorts(number: u64, out: &mut Vec<u8>) -> u64 {
    let values = number * BATCH..(number + 1) * BATCH;
    let data: Vec<u8> = values
        .flat_map(|value| (value as u16).to_le_bytes())
        .collect();
    let mut request = over(&data, BATCH, 2);
    request.add_attribute(attribute(S16, 1, 0, 0));
    request.write(out);
    BATCH
}

fn bytes(_: u64, out: &mut Vec<u8>) -> u64 {
    let data: Vec<u8> = (0..=255).collect();
    let mut request = over(&data, 256, 1);
    request.add_attribute(attribute(S8, 1, 3, 0));
    request.add_attribute(attribute(U8, 1, 5, 0));
    request.write(out);
    512
}

/// Descriptor and slot by number; the component begins at an odd place.
fn descriptor(number: u64, out: &mut Vec<u8>) -> u64 {
    let (descriptor, slot) = (number % 16, number / 16);
    let (format, components) = ((descriptor & 3) as u8, (descriptor >> 2) as u8 + 1);
    let stride = 1 + ELEMENT[usize::from(format)] * u32::from(components);
    // No two bytes alike, and no four that are a NaN.
    let data: Vec<u8> = (0..3 * stride).map(|at| (at * 5 + 0x81) as u8).collect();
    let mut request = over(&data, 3, stride);
    request.add_attribute(attribute(format, components, slot as u8, 1));
    request.write(out);
    1
}

/// These indices, into as many vertices as the format can number, each holding its own number.
fn indices(format: u32, indices: std::ops::Range<u64>, out: &mut Vec<u8>) -> u64 {
    let width = 1 + format;
    let (count, vertices) = (indices.end - indices.start, 1_u32 << (8 * width));
    let mut data: Vec<u8> = indices
        .flat_map(|index| {
            (index as u16)
                .to_le_bytes()
                .into_iter()
                .take(width as usize)
        })
        .collect();
    let start = data.len() as u32;
    data.extend((0..vertices).flat_map(|vertex| (vertex as u16).to_le_bytes()));
    let mut request = Request::new(count as u32, &data);
    request.indices = Some(Indices {
        format,
        offset: 0,
        start: 0,
        length: start,
    });
    request.add_stream(Stream {
        start,
        length: 2 * vertices,
        offset: 0,
        stride: 2,
    });
    request.add_attribute(attribute(S16, 1, 0, 0));
    request.write(out);
    count
}

/// Finite floats, as many as a request takes, with `zeros` low bits clear: all of one sign, then all of the other.
fn finite(number: u64, zeros: u32, out: &mut Vec<u8>) -> u64 {
    let finite = FINITE >> zeros;
    let first = number * FLOATS;
    let count = FLOATS.min((2 * finite).saturating_sub(first));
    let bits = |at: u64| match at.checked_sub(finite) {
        None => at << zeros,
        // The last request is filled up with zeros of the other sign.
        Some(at) if at < finite => 1 << 31 | at << zeros,
        Some(_) => 1 << 31,
    };
    let data: Vec<u8> = (first..first + FLOATS)
        .flat_map(|at| (bits(at) as u32).to_le_bytes())
        .collect();
    let mut request = over(&data, BATCH, 192);
    for at in 0..12 {
        request.add_attribute(attribute(F32, 4, 15 - at, 16 * u32::from(at)));
    }
    request.write(out);
    count
}

/// One float that is infinite or not a number, among finite ones, in each component in turn.
fn nonfinite(number: u64, zeros: u32, out: &mut Vec<u8>) -> u64 {
    let half = NONFINITE >> zeros;
    let sign = number / half;
    let bits = (sign << 31 | (FINITE + ((number % half) << zeros))) as u32;
    let mut data = [0; 16];
    let place = 4 * (number % 4) as usize;
    data[place..place + 4].copy_from_slice(&bits.to_le_bytes());
    let mut request = over(&data, 1, 16);
    request.add_attribute(attribute(F32, 4, 0, 0));
    request.write(out);
    1
}

/// Strides and offsets from 0 to 256: one beyond what there may be, on each side.
const STRIDES: u64 = 257;
const OFFSETS: u64 = 257;

/// A layout of one attribute, by number.
struct Border {
    format: u8,
    components: u8,
    stride: u64,
    offset: u64,
    size: u64,
    /// 1 if the span is a byte short.
    short: u64,
}

impl Border {
    fn of(number: u64) -> Self {
        let descriptor = number / 2 % 16;
        let (format, components) = ((descriptor & 3) as u8, (descriptor >> 2) as u8 + 1);
        Self {
            format,
            components,
            stride: number / 32 / OFFSETS,
            offset: number / 32 % OFFSETS,
            size: u64::from(ELEMENT[usize::from(format)]) * u64::from(components),
            short: number % 2,
        }
    }
}

/// What rules 4, 5 and 11 say of such a layout.
fn border_stated(number: u64) -> Stated {
    let border = Border::of(number);
    if !(1..=255).contains(&border.stride) || border.offset + border.size > border.stride {
        Stated::Rejected(RejectClass::OutOfRange)
    } else if border.short == 1 {
        Stated::Rejected(RejectClass::Truncated)
    } else {
        Stated::Accepted
    }
}

/// Two vertices of one attribute whose layout, and whose span, are at a border or beyond it.
fn border(number: u64, out: &mut Vec<u8>) -> u64 {
    let Border {
        format,
        components,
        stride,
        offset,
        size,
        short,
    } = Border::of(number);
    let length = stride + offset + size - short;
    // No byte is the top of a float with all ones in its exponent.
    let data: Vec<u8> = (0..length).map(|at| (at * 7 % 125) as u8).collect();
    let mut request = over(&data, 2, stride as u32);
    request.add_attribute(attribute(format, components, 0, offset as u32));
    request.write(out);
    1
}
