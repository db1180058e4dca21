//! Command lists: the library's resolution of registers as fields.

use corpora::{Outcome, Record, RejectClass};
use pica::state::{self, Draw, StateError, Status};

use super::ids::{Ids, NUMBERS};

/// A draw as the contract asks for it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Resolved {
    /// Byte of the header of its command.
    pub(super) at: u32,
    /// Place of its status in the contract's list.
    pub(super) status: usize,
    pub(super) vertices: u32,
    pub(super) first: u32,
    /// Address of the indices, and bytes of one.
    pub(super) index: Option<(u32, u32)>,
    pub(super) base: u32,
    pub(super) attribute_count: u32,
    /// Address, stride and size of each loader that has components.
    pub(super) loaders: [Option<[u32; 3]>; NUMBERS],
    /// Those below the count and below 12.
    pub(super) attributes: Vec<ResolvedAttribute>,
}

/// An attribute of a draw.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ResolvedAttribute {
    pub(super) source: Source,
    pub(super) named: u32,
    pub(super) format: u32,
    pub(super) components: u32,
    pub(super) slot: u32,
}

/// Where an attribute comes from.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Source {
    /// Loader, and place in its record.
    Loader(u32, u32),
    /// The bits of x, y, z, w, and whether they were ever written.
    Fixed([u32; 4], bool),
    Nowhere,
}

/// Why a list is not resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    Rejected(RejectClass, usize),
    Unsupported(&'static str),
}

/// Asks the library.
pub(super) fn resolve(list: &[u8]) -> Result<Vec<Resolved>, Failure> {
    let draws = state::draws(list).map_err(failure)?;
    Ok(draws.iter().map(resolved).collect())
}

fn failure(error: StateError) -> Failure {
    match error {
        StateError::Length { .. } => Failure::Rejected(RejectClass::BadLength, 0),
        StateError::TooLong { .. } => Failure::Rejected(RejectClass::Limit, 0),
        StateError::Truncated { at, .. } => Failure::Rejected(RejectClass::Truncated, at),
        StateError::Register { at, .. } => Failure::Rejected(RejectClass::OutOfRange, at),
        StateError::TooManyDraws { at } => Failure::Rejected(RejectClass::Limit, at),
        StateError::Immediate { .. } => Failure::Unsupported("vertices of immediate mode"),
        _ => Failure::Unsupported("an error of the library that has no class here"),
    }
}

fn resolved(draw: &Draw) -> Resolved {
    let status = match draw.status {
        Status::AttributeCount => 0,
        Status::ComponentCount => 1,
        Status::Stride => 2,
        Status::BeyondStride => 3,
        Status::Slot => 4,
        Status::Count => 5,
        Status::Resolved => 6,
    };
    let attribute = |one: &state::DrawAttribute| ResolvedAttribute {
        source: match one.source {
            state::Source::Loader { loader, offset } => Source::Loader(loader.into(), offset),
            state::Source::Fixed(fixed) => {
                Source::Fixed(fixed.value.map(f32::to_bits), fixed.written)
            }
            state::Source::Nowhere => Source::Nowhere,
        },
        named: one.named.into(),
        format: one.format.into(),
        components: one.components.into(),
        slot: one.slot.into(),
    };
    let loader = |one: state::Loader| [one.address, one.stride.into(), one.size];
    Resolved {
        // The contract's place is the header's, behind the first parameter.
        at: draw.at as u32 + 4,
        status,
        vertices: draw.vertices,
        first: draw.first,
        index: draw
            .indices
            .map(|indices| (indices.address, indices.width.into())),
        base: draw.base,
        attribute_count: draw.attribute_count.into(),
        loaders: draw.loaders.map(|one| one.map(loader)),
        attributes: draw.attributes.iter().map(attribute).collect(),
    }
}

/// The library's answer, with places counted from `shift`.
pub(super) fn unplaced(list: &[u8], shift: u32) -> Result<Vec<Resolved>, Failure> {
    let resolved = resolve(list).map_err(|failure| match failure {
        // The length is judged at 0, wherever the commands are.
        Failure::Rejected(RejectClass::BadLength, at) => {
            Failure::Rejected(RejectClass::BadLength, at)
        }
        Failure::Rejected(class, at) => Failure::Rejected(class, at.wrapping_sub(shift as usize)),
        other => other,
    });
    let mut draws = resolved?;
    for draw in &mut draws {
        draw.at = draw.at.wrapping_sub(shift);
    }
    Ok(draws)
}

/// Answers for a command list.
pub(super) fn answer(ids: &Ids, list: &[u8], outcome: &mut Outcome) {
    match resolve(list) {
        Ok(draws) => {
            for (number, draw) in draws.iter().enumerate() {
                emit(ids, number as u32, draw, &mut outcome.record);
            }
            outcome.accept(list.len());
        }
        Err(Failure::Rejected(class, at)) => outcome.reject(class, at),
        Err(Failure::Unsupported(what)) => outcome.unsupported(what),
    }
}

/// A draw as fields: the items of number `draw`.
fn emit(ids: &Ids, draw: u32, from: &Resolved, record: &mut Record) {
    let Resolved {
        at,
        status,
        vertices,
        first,
        index,
        base,
        attribute_count,
        loaders,
        attributes,
    } = from;
    record.unsigned_item(ids.at, draw, (*at).into());
    let (_, name) = ids.names.statuses[*status];
    record.symbol_item(ids.status, draw, *status as u32, name);
    record.unsigned_item(ids.indexed, draw, index.is_some().into());
    record.unsigned_item(ids.draw_vertices, draw, (*vertices).into());
    record.unsigned_item(ids.first, draw, (*first).into());
    if let Some((address, width)) = index {
        record.unsigned_item(ids.index_address, draw, (*address).into());
        record.unsigned_item(ids.index_width, draw, (*width).into());
    }
    record.unsigned_item(ids.base, draw, (*base).into());
    record.unsigned_item(ids.attributes, draw, (*attribute_count).into());
    for (fields, loader) in ids.loader.iter().zip(loaders) {
        if let Some([address, stride, size]) = loader {
            record.unsigned_item(fields.address, draw, (*address).into());
            record.unsigned_item(fields.stride, draw, (*stride).into());
            record.unsigned_item(fields.size, draw, (*size).into());
        }
    }
    for (fields, attribute) in ids.attribute.iter().zip(attributes) {
        let source = match attribute.source {
            Source::Loader(..) => 0,
            Source::Fixed(..) => 1,
            Source::Nowhere => 2,
        };
        let (_, name) = ids.names.sources[source];
        record.symbol_item(fields.source, draw, source as u32, name);
        if let Source::Loader(loader, offset) = attribute.source {
            record.unsigned_item(fields.loader, draw, loader.into());
            record.unsigned_item(fields.offset, draw, offset.into());
        }
        record.unsigned_item(fields.named, draw, attribute.named.into());
        record.unsigned_item(fields.format, draw, attribute.format.into());
        record.unsigned_item(fields.components, draw, attribute.components.into());
        record.unsigned_item(fields.slot, draw, attribute.slot.into());
        if let Source::Fixed(value, written) = attribute.source {
            for (field, bits) in fields.value.into_iter().zip(value) {
                record.unsigned_item(field, draw, bits.into());
            }
            record.unsigned_item(fields.written, draw, written.into());
        }
    }
}
