use crate::check::{self, Selection};
use crate::convert::BLOCK;
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
    let capacity = output.as_ref().map(|output| output.len());
    let judged = judge(attributes, streams, indices, first, count, capacity)?;
    if let Some(output) = output {
        for (number, block) in output[..count as usize].chunks_mut(BLOCK).enumerate() {
            block.fill(Vertex::DEFAULT);
            judged.write(number * BLOCK, block);
        }
    }
    Ok(judged.enabled)
}

/// A call that broke no rule.
pub(crate) struct Judged<'a> {
    attributes: &'a [Attribute],
    streams: &'a [Stream<'a>],
    selection: Option<Selection<'a>>,
    /// The mask of slots that attributes go to.
    pub(crate) enabled: u16,
}

impl Judged<'_> {
    /// Writes the attributes of the selected vertices, from place `start` on, into vertices that are [`Vertex::DEFAULT`].
    ///
    /// Blocks of [`BLOCK`] are what caches like best; any length does.
    pub(crate) fn write(&self, start: usize, block: &mut [Vertex]) {
        if let Some(selection) = &self.selection {
            convert::write(self.attributes, self.streams, selection, start, block);
        }
    }
}

/// Every rule, before anything is written. Without a capacity the call has no output.
pub(crate) fn judge<'a>(
    attributes: &'a [Attribute],
    streams: &'a [Stream<'a>],
    indices: Option<&Indices<'a>>,
    first: u32,
    count: u32,
    capacity: Option<usize>,
) -> Result<Judged<'a>, Error> {
    let enabled = check::layout(attributes, streams)?;
    check::request(indices, count, capacity)?;
    let selection = if count == 0 {
        None
    } else {
        let selection = Selection::new(indices, first, count)?;
        check::ranges(attributes, streams, &selection)?;
        convert::check_floats(attributes, streams, &selection)?;
        Some(selection)
    };
    Ok(Judged {
        attributes,
        streams,
        selection,
        enabled,
    })
}
