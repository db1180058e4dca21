//! Decoders with mistakes, each made of the honest one: what it is asked, or what it answers, is changed.

use corpora::{FieldId, Kind, Outcome, Record, Section, Status};

use super::Wrong;
use crate::targets::pica::request::Request;
use crate::targets::pica::{INDEXED, STATE};

impl Wrong {
    fn ask(&mut self, input: &[u8], outcome: &mut Outcome) {
        outcome.clear();
        self.honest.answer(input, outcome);
    }

    fn field(&self, path: &str) -> FieldId {
        self.vocabulary.id(path).expect("a field")
    }

    /// The request, if the input is one.
    fn request<'a>(&self, input: &'a [u8]) -> Option<Request<'a>> {
        let indexed = match self.unit.as_str() {
            STATE => return None,
            unit => unit == INDEXED,
        };
        Request::read(input, indexed).ok()
    }

    /// Asks about an altered request.
    fn ask_request(&mut self, request: &Request<'_>, outcome: &mut Outcome) {
        let mut bytes = Vec::new();
        request.write(&mut bytes);
        self.ask(&bytes, outcome);
    }

    /// Changes what was accepted, field by field: section, field, item and raw value give the new raw value.
    fn rewrite(&self, outcome: &mut Outcome, change: impl Fn(Section, FieldId, u32, u64) -> u64) {
        let Status::Accepted { consumed } = outcome.status else {
            return;
        };
        let mut record = Record::new();
        for entry in outcome.record.entries() {
            record.enter(entry.section);
            let raw = change(entry.section, entry.field, entry.item, entry.raw);
            if self.vocabulary.field(entry.field).kind == Kind::Symbol {
                let name = corpora::SymbolId::from_index(raw as u32);
                record.symbol_item(entry.field, entry.item, (raw >> 32) as u32, name);
            } else {
                record.unsigned_item(entry.field, entry.item, raw);
            }
        }
        outcome.record = record;
        outcome.accept(consumed as usize);
    }
}

pub(super) fn honest(wrong: &mut Wrong, input: &[u8], outcome: &mut Outcome) {
    wrong.ask(input, outcome);
}

pub(super) fn unsigned_bytes(wrong: &mut Wrong, input: &[u8], outcome: &mut Outcome) {
    let Some(mut request) = wrong.request(input) else {
        return wrong.ask(input, outcome);
    };
    for attribute in request.attributes_mut() {
        if attribute.format == 0 {
            attribute.format = 1;
        }
    }
    wrong.ask_request(&request, outcome);
}

/// Components are put one behind the other, without alignment.
pub(super) fn packed(wrong: &mut Wrong, input: &[u8], outcome: &mut Outcome) {
    wrong.ask(input, outcome);
    if wrong.unit != STATE {
        return;
    }
    let names = ["loader", "offset", "format", "components"];
    let fields: Vec<[FieldId; 4]> = (0..12)
        .map(|k| names.map(|name| wrong.field(&format!("draw[].attribute[{k}].{name}"))))
        .collect();
    let honest = outcome.record.clone();
    let value = |field, draw| {
        honest
            .find(Section::WHOLE, field, draw)
            .map(|entry| entry.raw)
    };
    wrong.rewrite(outcome, |_, field, draw, raw| {
        let Some(own) = fields.iter().find(|own| own[1] == field) else {
            return raw;
        };
        let loader = value(own[0], draw);
        let before = fields.iter().filter(|one| {
            value(one[0], draw) == loader && value(one[1], draw).is_some_and(|at| at < raw)
        });
        let size = |one: &[FieldId; 4]| {
            let element = [1, 1, 2, 4][value(one[2], draw).unwrap_or(0) as usize & 3];
            element * value(one[3], draw).unwrap_or(0)
        };
        before.map(size).sum()
    });
}

/// Ids 12 to 15 are taken for attributes 0 to 3.
pub(super) fn padding_as_attributes(wrong: &mut Wrong, input: &[u8], outcome: &mut Outcome) {
    if wrong.unit != STATE {
        return wrong.ask(input, outcome);
    }
    let mut list = input.to_vec();
    for command in list.chunks_exact_mut(8) {
        let register = u16::from_le_bytes([command[4], command[5]]);
        // The cases write each register with a command of its own.
        if (0x203..0x227).contains(&register) && (register - 0x203) % 3 == 1 {
            for byte in &mut command[..4] {
                for shift in [0, 4] {
                    if *byte >> shift & 15 >= 12 {
                        *byte &= !(12 << shift);
                    }
                }
            }
        }
    }
    wrong.ask(&list, outcome);
}

pub(super) fn missing_w_is_zero(wrong: &mut Wrong, input: &[u8], outcome: &mut Outcome) {
    wrong.ask(input, outcome);
    let Some(request) = wrong.request(input) else {
        return;
    };
    let w = wrong.field("slot[].w");
    let short: Vec<u32> = request
        .attributes()
        .iter()
        .filter(|attribute| attribute.components < 4)
        .map(|attribute| u32::from(attribute.slot))
        .collect();
    wrong.rewrite(outcome, |_, field, slot, raw| {
        if field == w && short.contains(&slot) {
            0
        } else {
            raw
        }
    });
}

/// Whatever comes before the vertex that is wrong is published.
pub(super) fn partial(wrong: &mut Wrong, input: &[u8], outcome: &mut Outcome) {
    wrong.ask(input, outcome);
    let Some(mut request) = wrong.request(input) else {
        return;
    };
    let judged = matches!(
        outcome.status,
        Status::Rejected {
            class: corpora::RejectClass::Nonfinite | corpora::RejectClass::Truncated,
            ..
        }
    );
    while judged && request.count > 0 && !matches!(outcome.status, Status::Accepted { .. }) {
        request.count -= 1;
        wrong.ask_request(&request, outcome);
    }
    if matches!(outcome.status, Status::Accepted { .. }) {
        outcome.accept(input.len());
    }
}

/// Rewrites the indices that a request selects.
fn with_indices(
    request: &Request<'_>,
    change: impl Fn(u64, u64) -> Option<u64>,
) -> Option<(Vec<u8>, u32)> {
    let indices = request.indices?;
    let width = u64::from(indices.format) + 1;
    let first =
        u64::from(indices.start) + u64::from(indices.offset) + u64::from(request.first) * width;
    let mut data = request.data.to_vec();
    let mut to = first as usize;
    let mut kept = 0;
    for number in 0..u64::from(request.count) {
        let from = (first + number * width) as usize;
        let bytes = data.get(from..from + width as usize)?.to_vec();
        let index = bytes
            .iter()
            .rev()
            .fold(0, |index, byte| index << 8 | u64::from(*byte));
        if let Some(new) = change(index, width) {
            data.get_mut(to..to + width as usize)?
                .copy_from_slice(&new.to_le_bytes()[..width as usize]);
            to += width as usize;
            kept += 1;
        }
    }
    Some((data, kept))
}

fn through(
    wrong: &mut Wrong,
    input: &[u8],
    outcome: &mut Outcome,
    change: impl Fn(&Request<'_>, u64, u64) -> Option<u64>,
) {
    let request = wrong.request(input);
    let altered = request
        .as_ref()
        .and_then(|request| with_indices(request, |index, width| change(request, index, width)));
    let (Some(mut request), Some((data, count))) = (request, altered) else {
        return wrong.ask(input, outcome);
    };
    request.data = &data;
    request.count = count;
    wrong.ask_request(&request, outcome);
}

/// An index of all ones ends a strip, and is no vertex.
pub(super) fn restart(wrong: &mut Wrong, input: &[u8], outcome: &mut Outcome) {
    through(wrong, input, outcome, |_, index, width| {
        (index != (1 << (8 * width)) - 1).then_some(index)
    });
}

pub(super) fn first_index_added(wrong: &mut Wrong, input: &[u8], outcome: &mut Outcome) {
    through(wrong, input, outcome, |request, index, _| {
        Some(index + u64::from(request.first))
    });
}

/// Draws through indices take the vertex offset as draws in sequence do.
pub(super) fn offset_through_indices(wrong: &mut Wrong, input: &[u8], outcome: &mut Outcome) {
    if wrong.unit != STATE {
        return wrong.ask(input, outcome);
    }
    let mut arrays = input.to_vec();
    for command in arrays.chunks_exact_mut(8) {
        if command[4..6] == [0x2f, 0x02] {
            command[4] = 0x2e;
        }
    }
    let mut other = Outcome::default();
    wrong.ask(&arrays, &mut other);
    wrong.ask(input, outcome);
    let first = wrong.field("draw[].first");
    wrong.rewrite(outcome, |section, field, draw, raw| {
        let taken = other.record.find(section, field, draw);
        match taken {
            Some(entry) if field == first => entry.raw,
            _ => raw,
        }
    });
}

/// Every vertex up to the largest index is read.
pub(super) fn reads_unreferenced(wrong: &mut Wrong, input: &[u8], outcome: &mut Outcome) {
    wrong.ask(input, outcome);
    let Some(request) = wrong.request(input) else {
        return;
    };
    if request.indices.is_none() || !matches!(outcome.status, Status::Accepted { .. }) {
        return;
    }
    // A float anywhere in a stream that an attribute of floats reads.
    for attribute in request.attributes().iter().filter(|one| one.format == 3) {
        let stream = request.streams()[usize::from(attribute.stream)];
        // Zero bytes behind the data are finite.
        let records = request.data.get((stream.start + stream.offset) as usize..);
        let records = records.unwrap_or(&[]);
        let records = &records[..records.len().min((stream.length - stream.offset) as usize)];
        for record in records.chunks(stream.stride as usize) {
            let word = record
                .get(attribute.offset as usize..)
                .and_then(|rest| rest.first_chunk());
            if let Some(word) = word
                && !f32::from_le_bytes(*word).is_finite()
            {
                return outcome.reject(corpora::RejectClass::Nonfinite, 0);
            }
        }
    }
}

pub(super) fn normalised(wrong: &mut Wrong, input: &[u8], outcome: &mut Outcome) {
    wrong.ask(input, outcome);
    let Some(request) = wrong.request(input) else {
        return;
    };
    let components = ["slot[].x", "slot[].y", "slot[].z", "slot[].w"].map(|path| wrong.field(path));
    wrong.rewrite(outcome, |_, field, slot, raw| {
        let component = components.iter().position(|own| *own == field);
        let short = request.attributes().iter().any(|attribute| {
            u32::from(attribute.slot) == slot
                && attribute.format == 2
                && component.is_some_and(|at| at < usize::from(attribute.components))
        });
        if short {
            u64::from((f32::from_bits(raw as u32) / 32767.0).to_bits())
        } else {
            raw
        }
    });
}
