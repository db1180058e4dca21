//! Random calls, against a model that is written from the document; the output is poisoned before each.
//!
//! `ASSAY_ROUNDS` sets how many calls are tried.

mod model;

use model::{At, Broken, Call, answer};
use pica::{Attribute, Error, Indices, Stream, Vertex};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

/// Calls that are tried if `ASSAY_ROUNDS` does not say how many.
const ROUNDS: u32 = 20_000;

/// No float that a decoder would write by chance, and bits that a comparison of floats would miss.
const POISON: Vertex = Vertex {
    slots: [[f32::from_bits(0x7fa5_a5a5); 4]; 16],
};

/// Bytes that every span is a part of; the first are mostly small numbers of two bytes, which make indices.
const POOL: usize = 192;
const SMALL: usize = 32;

/// A span: start and length in the pool; both are cut to fit.
type Span = (usize, usize);

#[derive(Clone, Debug)]
struct Input {
    pool: Vec<u8>,
    attributes: Vec<Attribute>,
    streams: Vec<(Span, u32, u32)>,
    indices: Option<(Span, u32, u32)>,
    first: u32,
    count: u32,
    capacity: Option<usize>,
}

fn span() -> impl Strategy<Value = Span> {
    prop_oneof![9 => (0..8usize, 170..POOL), 1 => (0..POOL, 0..POOL)]
}

/// Mostly small, seldom at the ends of what a u32 holds.
fn number(usual: std::ops::Range<u32>) -> impl Strategy<Value = u32> {
    const FAR: [u32; 7] = [
        0,
        4096,
        4097,
        0x7fff_ffff,
        0x8000_0000,
        u32::MAX - 1,
        u32::MAX,
    ];
    prop_oneof![120 => usual, 1 => select(FAR.to_vec()), 1 => any::<u32>()]
}

fn mostly(usual: std::ops::Range<u8>) -> impl Strategy<Value = u8> {
    prop_oneof![200 => usual, 1 => any::<u8>()]
}

fn attributes() -> impl Strategy<Value = Vec<Attribute>> {
    let one = (
        mostly(0..2),
        mostly(0..4),
        mostly(1..5),
        mostly(0..16),
        number(0..4),
    );
    // Slots go on from the one that was drawn, so that few calls end at a slot that is taken.
    let many = (prop::collection::vec(one, 0..6), prop::bool::weighted(0.95));
    many.prop_map(|(mut many, apart)| {
        for n in 1..many.len() {
            if apart && many[n].3 < 16 {
                many[n].3 = many[n - 1].3.wrapping_add(1) & 15;
            }
        }
        let built = many
            .into_iter()
            .map(|(stream, format, components, slot, offset)| Attribute {
                stream,
                format,
                components,
                slot,
                offset,
            });
        built.collect()
    })
}

fn input() -> impl Strategy<Value = Input> {
    let low = prop_oneof![20 => 0..5u8, 1 => any::<u8>()];
    let small = (low, prop_oneof![20 => Just(0), 1 => any::<u8>()]);
    let stream = (
        span(),
        number(0..4),
        prop_oneof![60 => 18..25u32, 1 => number(0..260)],
    );
    let chosen = prop_oneof![9 => (0..4usize, 20..SMALL), 1 => span()];
    (
        prop::collection::vec(small, SMALL / 2),
        prop::collection::vec(any::<u8>(), POOL - SMALL),
        attributes(),
        prop::collection::vec(stream, 2..4),
        prop::option::of((chosen, number(0..3), number(0..2))),
        number(0..3),
        number(0..5),
        prop::option::weighted(0.8, prop_oneof![9 => 4..7usize, 1 => 0..4usize]),
    )
        .prop_map(
            |(small, rest, attributes, streams, indices, first, count, capacity)| Input {
                pool: small
                    .into_iter()
                    .flat_map(|(low, high)| [low, high])
                    .chain(rest)
                    .collect(),
                attributes,
                streams,
                indices,
                first,
                count,
                capacity,
            },
        )
}

/// The document's words for an error.
fn broken(error: Error, streams: &[Stream<'_>]) -> Broken {
    match error {
        Error::AttributeCount { .. } => ("limit", At::Attributes),
        Error::StreamCount { .. } => ("limit", At::Streams),
        Error::StreamLength { stream, .. } => ("limit", At::Length(stream)),
        Error::Stride { stream, found } => {
            assert_eq!(found, streams[stream].stride);
            ("out-of-range", At::Stride(stream))
        }
        Error::AttributeStream { attribute, .. } => ("out-of-range", At::Stream(attribute)),
        Error::Format { attribute, .. } => ("reserved", At::Format(attribute)),
        Error::Components { attribute, .. } => ("out-of-range", At::Components(attribute)),
        Error::Slot { attribute, .. } => ("out-of-range", At::Slot(attribute)),
        Error::SlotTaken { attribute, .. } => ("overlap", At::Slot(attribute)),
        Error::BeyondStride { attribute, .. } => ("out-of-range", At::Offset(attribute)),
        Error::IndexFormat { .. } => ("reserved", At::IndexFormat),
        Error::IndexLength { .. } => ("limit", At::IndexLength),
        Error::VertexCount { .. } => ("limit", At::Count),
        Error::Capacity { .. } => ("out-of-range", At::Capacity),
        Error::LastOverflow { .. } => ("overflow", At::First),
        Error::IndexOverflow { .. } => ("overflow", At::IndexOffset),
        Error::IndexTruncated { .. } => ("truncated", At::IndexOffset),
        Error::RangeOverflow { attribute, .. } => ("overflow", At::Attribute(attribute)),
        Error::RangeTruncated { attribute, .. } => ("truncated", At::Attribute(attribute)),
        Error::NonFinite {
            stream, at, bits, ..
        } => {
            let word = streams[stream].bytes[at..][..4]
                .try_into()
                .expect("four bytes");
            assert_eq!(bits, u32::from_le_bytes(word));
            ("nonfinite", At::Float(stream, at as u128))
        }
        other => panic!("{other:?} is not in the document"),
    }
}

fn bits(vertex: &Vertex) -> model::Bits {
    vertex.slots.map(|slot| slot.map(f32::to_bits))
}

fn cut(pool: &[u8], (start, length): Span) -> &[u8] {
    &pool[start..(start + length).min(pool.len())]
}

/// Whether the call was accepted, and decoded something.
fn agrees(input: &Input) -> bool {
    let streams = input.streams.iter().map(|&(span, offset, stride)| Stream {
        bytes: cut(&input.pool, span),
        offset,
        stride,
    });
    let streams: Vec<_> = streams.collect();
    let indices = input.indices.map(|(span, offset, format)| Indices {
        format,
        bytes: cut(&input.pool, span),
        offset,
    });
    let call = Call {
        attributes: &input.attributes,
        streams: &streams,
        indices,
        first: input.first,
        count: input.count,
        capacity: input.capacity,
    };
    let (a, first, count) = (call.attributes, input.first, input.count);
    let mut output = [POISON; 7];
    let room = input.capacity.unwrap_or(0);
    let given = match (indices, input.capacity) {
        (None, Some(_)) => pica::decode(a, &streams, first, count, &mut output[..room]),
        (None, None) => pica::validate(a, &streams, first, count),
        (Some(indices), Some(_)) => {
            pica::decode_indexed(a, &streams, &indices, first, count, &mut output[..room])
        }
        (Some(indices), None) => pica::validate_indexed(a, &streams, &indices, first, count),
    };
    let expected = answer(&call);
    let mut vertices = [bits(&POISON); 7];
    if let Ok((_, written)) = &expected {
        vertices[..written.len()].copy_from_slice(written);
    }
    let given = given.map_err(|error| broken(error, &streams));
    assert_eq!(given, expected.clone().map(|(enabled, _)| enabled));
    assert_eq!(output.each_ref().map(bits), vertices);
    matches!(expected, Ok((enabled, written)) if enabled != 0 && !written.is_empty())
}

#[test]
fn random_calls_do_what_the_document_says() {
    let given = std::env::var("ASSAY_ROUNDS").ok();
    let rounds = given
        .map(|text| text.parse().expect("ASSAY_ROUNDS is a number"))
        .unwrap_or(ROUNDS);
    let config = ProptestConfig {
        cases: rounds,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let decoded = std::cell::Cell::new(0u32);
    TestRunner::new_with_rng(config, rng)
        .run(&input(), |input| {
            decoded.set(decoded.get() + u32::from(agrees(&input)));
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
    eprintln!("{rounds} calls, {} of them decoded vertices", decoded.get());
    assert!(decoded.get() >= rounds / 8, "{} decoded", decoded.get());
}
