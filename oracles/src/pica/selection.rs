//! Rules 8 to 12: which vertices are selected, and whether all that is fetched of them is there and finite.

use corpora::RejectClass;

use super::Tables;
use super::acceptance::Layout;
use super::formats::{Format, Sign, is_finite};
use super::input::{Rejection, require};
use super::limits::Limits;
use super::request::{Indices, Request};
use crate::table::TableError;

/// Rules 8 to 12.
#[derive(Clone, Debug)]
pub(super) struct SelectionRules {
    place_max: u64,
}

impl SelectionRules {
    pub(super) fn read(tables: &Tables) -> Result<Self, TableError> {
        Ok(Self {
            place_max: Limits(&tables.limits).number("place_max")?,
        })
    }

    /// The numbers of the selected vertices, in the order of the call; none for a count of zero.
    pub(super) fn vertices(
        &self,
        request: &Request<'_>,
        layout: &Layout,
    ) -> Result<Vec<u64>, Rejection> {
        use RejectClass::{Nonfinite, Overflow, Truncated};
        let header = &request.header;
        let (first, count) = (header.first, header.count.value);

        // Rule 8.
        if count == 0 {
            return Ok(Vec::new());
        }

        // Rule 9.
        let last = first.value + count - 1;
        require(last <= self.place_max, Overflow, first.at)?;

        // Rule 10.
        let vertices: Vec<u64> = match (&request.indices, layout.index_format) {
            (Some(indices), Some(format)) => {
                self.index_range(indices, format, first.value + count)?;
                (first.value..=last)
                    .map(|element| index(request, indices, format, element))
                    .collect()
            }
            _ => (first.value..=last).collect(),
        };

        // Rule 11.
        let largest = vertices.iter().copied().max().unwrap_or(0);
        for fetch in &layout.fetches {
            let end = fetch.place(largest, 0) + fetch.size();
            require(end <= self.place_max, Overflow, fetch.at)?;
            require(end <= fetch.stream.length.value, Truncated, fetch.at)?;
        }

        // Rule 12.
        for fetch in &layout.fetches {
            if fetch.format.sign != Sign::Float {
                continue;
            }
            for &vertex in &vertices {
                for component in 0..fetch.components {
                    let at = fetch.stream.start.value + fetch.place(vertex, component);
                    let bits = fetch.format.component(request.data, at);
                    require(is_finite(bits), Nonfinite, request.data_at + at)?;
                }
            }
        }
        Ok(vertices)
    }

    /// Rule 10: the indices up to `end` are inside their span.
    fn index_range(&self, indices: &Indices, format: Format, end: u64) -> Result<(), Rejection> {
        let offset = indices.offset;
        let end = offset.value + end * format.bytes;
        require(end <= self.place_max, RejectClass::Overflow, offset.at)?;
        let inside = end <= indices.length.value;
        require(inside, RejectClass::Truncated, offset.at)
    }
}

/// One index. Every number is a vertex: there is no restart index, and the first index is not added to it.
fn index(request: &Request<'_>, indices: &Indices, format: Format, element: u64) -> u64 {
    let at = indices.start.value + indices.offset.value + element * format.bytes;
    request.data.number(at, format.bytes)
}
