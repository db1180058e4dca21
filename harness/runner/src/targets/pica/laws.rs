//! Laws of the vertex decoder, and of the resolution of registers.

use corpora::{Options, RejectClass};
use pica::Vertex;

use super::fetch::{Fetched, Fetcher, POISON};
use super::request::{Indices, MOST_ZEROS, Refusal, Request};
use super::{INDEXED, STATE, draws, unit_of};
use crate::target::{Broken, Held, Law};

/// All laws.
pub(super) fn all() -> Vec<Law> {
    let requests = |name, check| Law {
        name,
        applies: |options: &Options| unit_of(options) != STATE,
        check,
    };
    let indexed = |name, check| Law {
        name,
        applies: |options: &Options| unit_of(options) == INDEXED,
        check,
    };
    let state = |name, check| Law {
        name,
        applies: |options: &Options| unit_of(options) == STATE,
        check,
    };
    vec![
        requests("error-writes-nothing", error_writes_nothing),
        requests("nothing-behind-the-count", nothing_behind_the_count),
        requests("validation-agrees", validation_agrees),
        requests("decoding-again", decoding_again),
        requests("order-of-attributes", order_of_attributes),
        requests("error-in-request", error_in_request),
        Law {
            name: "indices-in-sequence",
            applies: |options| !matches!(unit_of(options), INDEXED | STATE),
            check: indices_in_sequence,
        },
        indexed("permuted-indices", permuted_indices),
        state("write-without-mask", write_without_mask),
    ]
}

fn broken(expected: impl Into<String>, found: impl Into<String>) -> Result<Held, Broken> {
    Err(Broken {
        expected: expected.into(),
        found: found.into(),
    })
}

/// Room for the vertices of a request and for a few more, all poisoned.
fn poisoned(request: &Request<'_>) -> Vec<Vertex> {
    const BEHIND: usize = 3;
    vec![POISON; request.count.min(4096) as usize + BEHIND]
}

fn read<'a>(input: &'a [u8], options: &Options) -> Option<Request<'a>> {
    Request::read(input, unit_of(options) == INDEXED).ok()
}

/// What is decoded, with as much room as there is.
fn decoded(request: &Request<'_>) -> Result<(Fetched, Vec<Vertex>), Refusal> {
    let mut out = poisoned(request);
    let fetched = Fetcher::default().fetch(request, &mut out)?;
    out.truncate(fetched.vertices as usize);
    Ok((fetched, out))
}

/// The bits, so that zeros are told apart.
fn same(a: &[Vertex], b: &[Vertex]) -> bool {
    let bits = |vertices: &[Vertex]| {
        let floats = vertices.iter().flat_map(|vertex| vertex.slots).flatten();
        floats.map(|float| float.to_bits()).collect::<Vec<_>>()
    };
    a.len() == b.len() && bits(a) == bits(b)
}

fn is_poison(vertices: &[Vertex]) -> bool {
    let mut floats = vertices.iter().flat_map(|vertex| vertex.slots).flatten();
    floats.all(|float| float.to_bits() == POISON.slots[0][0].to_bits())
}

/// Whatever is refused leaves the output as it was.
fn error_writes_nothing(input: &[u8], options: &Options) -> Result<Held, Broken> {
    let Some(request) = read(input, options) else {
        return Ok(Held::Silent);
    };
    let mut out = poisoned(&request);
    match Fetcher::default().fetch(&request, &mut out) {
        Ok(_) => Ok(Held::Silent),
        Err(_) if is_poison(&out) => Ok(Held::Holds),
        Err((class, at)) => broken(
            "an output that is not touched",
            format!("{class} at {at}, and it was written to"),
        ),
    }
}

/// Behind the vertices that were asked for nothing is written, and a validation writes nothing at all.
fn nothing_behind_the_count(input: &[u8], options: &Options) -> Result<Held, Broken> {
    let Some(request) = read(input, options) else {
        return Ok(Held::Silent);
    };
    let mut out = poisoned(&request);
    let Ok(fetched) = Fetcher::default().fetch(&request, &mut out) else {
        return Ok(Held::Silent);
    };
    let expected = if request.decode { request.count } else { 0 };
    if fetched.vertices != expected {
        return broken(format!("{expected} vertices"), fetched.vertices.to_string());
    }
    if is_poison(&out[expected as usize..]) {
        return Ok(Held::Holds);
    }
    broken(format!("{expected} vertices written"), "more than that")
}

/// What is valid can be decoded, and the other way round, with the same answer to what is wrong.
fn validation_agrees(input: &[u8], options: &Options) -> Result<Held, Broken> {
    let Some(mut request) = read(input, options) else {
        return Ok(Held::Silent);
    };
    (request.decode, request.capacity) = (true, request.count);
    let decoded = decoded(&request).map(|(fetched, _)| fetched.enabled);
    (request.decode, request.capacity) = (false, 0);
    let valid = Fetcher::default()
        .fetch(&request, &mut [])
        .map(|fetched| fetched.enabled);
    if decoded == valid {
        return Ok(Held::Holds);
    }
    broken(
        format!("{decoded:?}, as decoding says"),
        format!("{valid:?}"),
    )
}

fn decoding_again(input: &[u8], options: &Options) -> Result<Held, Broken> {
    let Some(request) = read(input, options) else {
        return Ok(Held::Silent);
    };
    // One fetcher for both: what it keeps between calls must not show.
    let mut fetcher = Fetcher::default();
    let (mut first, mut second) = (poisoned(&request), poisoned(&request));
    let answers = [&mut first, &mut second].map(|out| fetcher.fetch(&request, out));
    if answers[0] == answers[1] && same(&first, &second) {
        return Ok(Held::Holds);
    }
    broken(
        format!("{:?} again", answers[0]),
        format!("{:?}", answers[1]),
    )
}

/// In which order attributes are listed does not show in the vertices.
fn order_of_attributes(input: &[u8], options: &Options) -> Result<Held, Broken> {
    let Some(mut request) = read(input, options) else {
        return Ok(Held::Silent);
    };
    let Ok((fetched, vertices)) = decoded(&request) else {
        return Ok(Held::Silent);
    };
    if request.attributes().len() < 2 {
        return Ok(Held::Silent);
    }
    request.attributes_mut().reverse();
    match decoded(&request) {
        Ok((again, reversed)) if again == fetched && same(&vertices, &reversed) => Ok(Held::Holds),
        Ok(_) => broken("the same vertices", "others"),
        Err((class, at)) => broken("the same vertices", format!("{class} at {at}")),
    }
}

/// An error is at a place in the request.
fn error_in_request(input: &[u8], options: &Options) -> Result<Held, Broken> {
    let Some(request) = read(input, options) else {
        return Ok(Held::Silent);
    };
    let Err((class, at)) = decoded(&request) else {
        return Ok(Held::Silent);
    };
    let bound = if class == RejectClass::Nonfinite {
        request.data_at()..input.len()
    } else {
        0..request.data_at()
    };
    if bound.contains(&at) {
        return Ok(Held::Holds);
    }
    broken(format!("{class} in {bound:?}"), format!("at {at}"))
}

/// Indices that count up select what a decoding in sequence does.
fn indices_in_sequence(input: &[u8], options: &Options) -> Result<Held, Broken> {
    let Some(request) = read(input, options) else {
        return Ok(Held::Silent);
    };
    let Ok((fetched, vertices)) = decoded(&request) else {
        return Ok(Held::Silent);
    };
    let last = u64::from(request.first) + u64::from(request.count);
    if last > 1 << 16 || request.zeros > MOST_ZEROS / 2 {
        return Ok(Held::Silent);
    }
    // The indices go behind the data and its zero bytes, which are then written out.
    let mut data = request.data.to_vec();
    data.resize(data.len() + request.zeros as usize, 0);
    let start = data.len() as u32;
    for index in u64::from(request.first)..last {
        data.extend((index as u16).to_le_bytes());
    }
    let mut gather = request.clone();
    gather.indices = Some(Indices {
        format: 1,
        offset: 0,
        start,
        length: data.len() as u32 - start,
    });
    (gather.first, gather.zeros, gather.data) = (0, 0, &data);
    match decoded(&gather) {
        Ok((again, gathered)) if again == fetched && same(&vertices, &gathered) => Ok(Held::Holds),
        Ok(_) => broken("the vertices of a decoding in sequence", "others"),
        Err((class, at)) => broken(
            "the vertices of a decoding in sequence",
            format!("{class} at {at}"),
        ),
    }
}

/// Indices in another order select the same vertices in that order.
fn permuted_indices(input: &[u8], options: &Options) -> Result<Held, Broken> {
    let Some(request) = read(input, options) else {
        return Ok(Held::Silent);
    };
    let Ok((fetched, mut vertices)) = decoded(&request) else {
        return Ok(Held::Silent);
    };
    let Some(indices) = request.indices else {
        return Ok(Held::Silent);
    };
    let width = if indices.format == 1 { 2 } else { 1 };
    let start = u64::from(indices.start) + u64::from(indices.offset);
    let start = (start + u64::from(request.first) * width) as usize;
    let end = start + request.count as usize * width as usize;
    let shared = request.streams().iter().any(|stream| {
        let span = stream.start as usize..stream.start as usize + stream.length as usize;
        span.start < end && start < span.end
    });
    // Indices that are vertices as well, or that are not stored, cannot be put in another order alone.
    if shared || end > request.data.len() || request.count < 2 {
        return Ok(Held::Silent);
    }
    let mut data = request.data.to_vec();
    let turned: Vec<u8> = data[start..end]
        .chunks_exact(width as usize)
        .rev()
        .flatten()
        .copied()
        .collect();
    data[start..end].copy_from_slice(&turned);
    let mut other = request.clone();
    other.data = &data;
    vertices.reverse();
    match decoded(&other) {
        Ok((again, reversed)) if again == fetched && same(&vertices, &reversed) => Ok(Held::Holds),
        Ok(_) => broken("the same vertices in the order of the indices", "others"),
        Err((class, at)) => broken("the same vertices", format!("{class} at {at}")),
    }
}

/// A write that lets no byte through changes nothing but the place of what follows.
fn write_without_mask(list: &[u8], _: &Options) -> Result<Held, Broken> {
    // Register 0x22F, which would draw, with mask 0.
    const IDLE: [u8; 8] = [1, 0, 0, 0, 0x2f, 0x02, 0, 0];
    if list.len() + IDLE.len() > 4 << 20 {
        return Ok(Held::Silent);
    }
    let longer = [&IDLE, list].concat();
    let alone = draws::unplaced(list, 0);
    let behind = draws::unplaced(&longer, IDLE.len() as u32);
    if alone == behind {
        return Ok(Held::Holds);
    }
    broken(format!("{alone:?}, as without it"), format!("{behind:?}"))
}
