//! Random calls over one piece of memory, so that anything can lie over anything.
//!
//! `ASSAY_ROUNDS` sets how many calls are tried.

use std::ops::Range;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use super::*;
use crate::{decode, decode_indexed};

/// Calls that are tried if `ASSAY_ROUNDS` does not say how many.
const ROUNDS: u32 = if cfg!(miri) { 60 } else { 20_000 };

const WORDS: usize = 512;

/// Descriptions come first and do not lie over each other: what they said would be no pointer.
const ATTRIBUTES: Range<usize> = 0..16;
const STREAMS: Range<usize> = 16..64;
const INDICES: Range<usize> = 64..88;

#[derive(Clone, Debug)]
struct Input {
    fill: Vec<u8>,
    attributes: [(u8, u8, u32); 2],
    spans: [(usize, usize); 2],
    strides: [u32; 2],
    indices: (usize, usize, u32),
    indexed: bool,
    first: u32,
    count: u32,
    output: usize,
    capacity: usize,
    error: usize,
}

fn input() -> impl Strategy<Value = Input> {
    let attribute = || (0..4u8, 1..5u8, 0..2u32);
    // Spans and structures mostly apart, at times in the way of each other.
    let span = || {
        (
            prop_oneof![3 => 100..300usize, 1 => 0..3900usize],
            0..160usize,
        )
    };
    let stride = || prop_oneof![20 => 16..40u32, 1 => Just(0), 1 => Just(256)];
    let output = prop_oneof![3 => 200..260usize, 1 => 0..767usize];
    (
        prop::collection::vec(prop_oneof![any::<u8>(), 0..3u8], 64),
        [attribute(), attribute()],
        [span(), span()],
        [stride(), stride()],
        (
            prop_oneof![3 => 100..300usize, 1 => 0..3900usize],
            0..16usize,
            0..3u32,
        ),
        any::<bool>(),
        (0..3u32, 0..4u32),
        // In words of four bytes; one in a few has a byte too many.
        (output, prop_oneof![12 => Just(0), 1 => 1..4usize]),
        prop_oneof![8 => 2..5usize, 1 => 0..2usize],
        (
            prop_oneof![2 => 480..500usize, 1 => 0..500usize],
            prop_oneof![12 => Just(0), 1 => 1..8usize],
        ),
    )
        .prop_map(
            |(
                fill,
                attributes,
                spans,
                strides,
                indices,
                indexed,
                range,
                output,
                capacity,
                error,
            )| Input {
                fill,
                attributes,
                spans,
                strides,
                indices,
                indexed,
                first: range.0,
                count: range.1,
                output: output.0 * 4 + output.1,
                capacity,
                error: error.0 * 8 + error.1,
            },
        )
}

fn cross(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.clone().any(|byte| other.contains(&byte))
}

/// The call, and what must hold of it whatever it is. Whether it succeeded.
fn holds(input: &Input) -> bool {
    let mut memory = vec![0u64; WORDS];
    let base = memory.as_mut_ptr().cast::<u8>();
    let size = WORDS * 8;
    let span = |(start, length): (usize, usize)| start..start + length;
    let [one, other] = input.spans.map(span);
    let chosen = span((input.indices.0, input.indices.1));
    // SAFETY: every place below is within the memory; the generator's ranges say so.
    let result = unsafe {
        for n in 0..size {
            base.add(n).write(input.fill[n % input.fill.len()]);
        }
        for (n, &(format, components, offset)) in input.attributes.iter().enumerate() {
            let attribute = Attribute {
                stream: n as u8,
                format,
                components,
                slot: n as u8,
                offset,
            };
            base.add(ATTRIBUTES.start + 8 * n)
                .cast::<Attribute>()
                .write(attribute);
        }
        for (n, (start, length)) in input.spans.into_iter().enumerate() {
            let (bytes, stride) = (base.add(start).cast_const(), input.strides[n]);
            let stream = CStream {
                bytes,
                length,
                offset: 0,
                stride,
            };
            base.add(STREAMS.start + 24 * n)
                .cast::<CStream>()
                .write(stream);
        }
        let (start, length, format) = input.indices;
        let indices = CIndices {
            bytes: base.add(start),
            length,
            offset: 0,
            format,
        };
        base.add(INDICES.start).cast::<CIndices>().write(indices);
        let before = bytes(base, 0..size);

        let call = Call {
            attributes: base.add(ATTRIBUTES.start).cast(),
            attribute_count: 2,
            streams: base.add(STREAMS.start).cast(),
            stream_count: 2,
            indices: input
                .indexed
                .then(|| base.add(INDICES.start).cast_const().cast()),
            first: input.first,
            count: input.count,
            output: base.add(input.output).cast(),
            capacity: input.capacity,
            error: base.add(input.error).cast(),
        };
        let result = call.answer();
        (result, before, bytes(base, 0..size))
    };
    let (result, before, after) = result;
    let output = span((input.output, 256 * input.capacity));
    let error = span((input.error, size_of::<CError>()));
    let mut inputs = vec![ATTRIBUTES, STREAMS, one.clone(), other.clone()];
    if input.indexed {
        inputs.extend([INDICES, chosen.clone()]);
    }
    let hit = |place: &Range<usize>| inputs.iter().any(|input| cross(place, input));
    let aligned = input.output.is_multiple_of(4) && input.error.is_multiple_of(8);
    let unwritable = hit(&error) || cross(&error, &output) || !input.error.is_multiple_of(8);

    // What may have changed: the vertices of a success, the report of a failure that has room for one.
    let mut expected = before.clone();
    let expected_result = if unwritable || hit(&output) || !aligned {
        assert!(result < 0, "{result}");
        if !unwritable {
            expected[error.clone()].copy_from_slice(&after[error.clone()]);
            assert_ne!(before, after, "there was room for a report");
        }
        None
    } else {
        Some(rust(input, &before, [one, other], chosen))
    };
    match expected_result {
        None => {}
        Some(Ok((mask, written))) => {
            assert_eq!(result, i32::from(mask));
            expected[output.start..][..written.len()].copy_from_slice(&written);
        }
        Some(Err(report)) => {
            assert_eq!(result, CError::from(report).kind as i32, "{report}");
            expected[error.clone()].copy_from_slice(&after[error]);
        }
    }
    assert!(expected == after, "a byte changed that may not");
    result >= 0
}

/// The same call of the Rust interface, on copies.
fn rust(
    input: &Input,
    memory: &[u8],
    spans: [Range<usize>; 2],
    chosen: Range<usize>,
) -> Result<(u16, Vec<u8>), Error> {
    let attributes = [0, 1].map(|n: usize| {
        let (format, components, offset) = input.attributes[n];
        Attribute {
            stream: n as u8,
            format,
            components,
            slot: n as u8,
            offset,
        }
    });
    let streams = [0, 1].map(|n: usize| Stream {
        bytes: &memory[spans[n].clone()],
        offset: 0,
        stride: input.strides[n],
    });
    let mut output = vec![Vertex::DEFAULT; input.capacity];
    let (first, count) = (input.first, input.count);
    let mask = if input.indexed {
        let indices = Indices {
            format: input.indices.2,
            bytes: &memory[chosen],
            offset: 0,
        };
        decode_indexed(&attributes, &streams, &indices, first, count, &mut output)?
    } else {
        decode(&attributes, &streams, first, count, &mut output)?
    };
    let written = output[..count as usize]
        .iter()
        .flat_map(|vertex| vertex.slots)
        .flatten();
    Ok((mask, written.flat_map(f32::to_ne_bytes).collect()))
}

/// # Safety
///
/// The bytes are there.
unsafe fn bytes(base: *const u8, range: Range<usize>) -> Vec<u8> {
    // SAFETY: the caller's promise.
    range.map(|at| unsafe { base.add(at).read() }).collect()
}

#[test]
fn whatever_lies_over_whatever_only_results_are_written() {
    let given = std::env::var("ASSAY_ROUNDS").ok();
    let rounds = given
        .map(|text| text.parse().expect("ASSAY_ROUNDS is a number"))
        .unwrap_or(ROUNDS);
    let config = ProptestConfig {
        cases: rounds,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let succeeded = std::cell::Cell::new(0u32);
    TestRunner::new(config)
        .run(&input(), |input| {
            succeeded.set(succeeded.get() + u32::from(holds(&input)));
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
    eprintln!("{rounds} calls, {} succeeded", succeeded.get());
    assert!(
        succeeded.get() >= rounds / 20,
        "{} succeeded",
        succeeded.get()
    );
}
