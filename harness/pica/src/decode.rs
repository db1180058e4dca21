use crate::check::{self, Selection};
use crate::{Attribute, Error, Indices, Stream, Vertex, convert};

/// Decodes the vertices `first` to `first + count − 1`; gives the mask of slots that attributes go to.
///
/// Vertices of the output beyond `count` stay as they are; all of them do on an error.
pub fn decode(
    attributes: &[Attribute],
    streams: &[Stream<'_>],
    first: u32,
    count: u32,
    output: &mut [Vertex],
) -> Result<u16, Error> {
    run(attributes, streams, None, first, count, Some(output))
}

/// [`decode`] without an output: the same rules but for the capacity.
pub fn validate(
    attributes: &[Attribute],
    streams: &[Stream<'_>],
    first: u32,
    count: u32,
) -> Result<u16, Error> {
    run(attributes, streams, None, first, count, None)
}

/// Decodes the vertices that the indices `first` to `first + count − 1` select, in that order.
///
/// `first` is not added to an index. What no index selects is not read. Else as [`decode`].
pub fn decode_indexed(
    attributes: &[Attribute],
    streams: &[Stream<'_>],
    indices: &Indices<'_>,
    first: u32,
    count: u32,
    output: &mut [Vertex],
) -> Result<u16, Error> {
    run(
        attributes,
        streams,
        Some(indices),
        first,
        count,
        Some(output),
    )
}

/// [`decode_indexed`] without an output: the same rules but for the capacity.
pub fn validate_indexed(
    attributes: &[Attribute],
    streams: &[Stream<'_>],
    indices: &Indices<'_>,
    first: u32,
    count: u32,
) -> Result<u16, Error> {
    run(attributes, streams, Some(indices), first, count, None)
}

fn run(
    attributes: &[Attribute],
    streams: &[Stream<'_>],
    indices: Option<&Indices<'_>>,
    first: u32,
    count: u32,
    output: Option<&mut [Vertex]>,
) -> Result<u16, Error> {
    let enabled = check::layout(attributes, streams)?;
    let capacity = output.as_ref().map(|output| output.len());
    check::request(indices, count, capacity)?;
    if count == 0 {
        return Ok(enabled);
    }
    let selection = Selection::new(indices, first, count)?;
    check::ranges(attributes, streams, &selection)?;
    convert::check_floats(attributes, streams, &selection)?;
    if let Some(output) = output {
        convert::write(
            attributes,
            streams,
            &selection,
            &mut output[..count as usize],
        );
    }
    Ok(enabled)
}
