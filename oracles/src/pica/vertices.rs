//! What an accepted request is answered with: one vertex after another, one component at a time.

use std::collections::BTreeMap;

use corpora::{FieldId, Record, Section, Vocabulary};

use super::Tables;
use super::acceptance::Layout;
use super::limits::Limits;
use super::paths::id;
use super::request::Request;
use crate::table::TableError;

/// The components of a slot.
pub(super) const COMPONENTS: [&str; 4] = ["x", "y", "z", "w"];

/// Writes vertices into a record.
#[derive(Clone, Debug)]
pub(super) struct Vertices {
    enabled: FieldId,
    vertices: FieldId,
    components: [FieldId; 4],
    unset: FieldId,
    /// What a component that is missing is, as the bits of a float.
    missing: [u32; 4],
    slots: u64,
}

impl Vertices {
    pub(super) fn read(tables: &Tables, vocabulary: &Vocabulary) -> Result<Self, TableError> {
        let limits = Limits(&tables.limits);
        let id = |path: &str| id(tables, vocabulary, path);
        let mut components = [id("enabled")?; 4];
        let mut missing = [0; 4];
        for (at, component) in COMPONENTS.iter().enumerate() {
            components[at] = id(&format!("slot[].{component}"))?;
            // Every attribute has the first component.
            if at > 0 {
                missing[at] = limits.number(&format!("missing_{component}"))? as u32;
            }
        }
        Ok(Self {
            enabled: id("enabled")?,
            vertices: id("vertices")?,
            components,
            unset: id("unset")?,
            missing,
            slots: u64::from(limits.few("slot_max")?) + 1,
        })
    }

    /// Reports the vertices of those numbers, if the request asks for them.
    pub(super) fn report(
        &self,
        request: &Request<'_>,
        layout: &Layout,
        selected: &[u64],
        record: &mut Record,
    ) {
        let slots = layout.fetches.iter().map(|fetch| fetch.slot);
        let enabled = slots.fold(0, |mask, slot| mask | 1_u64.wrapping_shl(slot as u32));
        record.unsigned(self.enabled, enabled);
        let written: &[u64] = if request.header.decodes() {
            selected
        } else {
            &[]
        };
        record.unsigned(self.vertices, written.len() as u64);
        for (number, &vertex) in written.iter().enumerate() {
            record.enter(Section::part(number as u32));
            let slots = self.slots_of(request, layout, vertex);
            for (component, &field) in self.components.iter().enumerate() {
                for (&slot, values) in &slots {
                    // The record holds the bits of a float as it holds an integer.
                    record.unsigned_item(field, slot as u32, values[component].into());
                }
            }
            // All other slots hold the default.
            let unset = self.slots.saturating_sub(slots.len() as u64);
            record.unsigned(self.unset, unset);
        }
    }

    /// The slots that a vertex fills.
    fn slots_of(
        &self,
        request: &Request<'_>,
        layout: &Layout,
        vertex: u64,
    ) -> BTreeMap<u64, [u32; 4]> {
        let mut slots = BTreeMap::new();
        for fetch in &layout.fetches {
            // Missing components come from (0, 0, 0, 1).
            let mut values = self.missing;
            for (component, value) in (0..fetch.components).zip(&mut values) {
                let at = fetch.stream.start.value + fetch.place(vertex, component);
                *value = fetch.format.component(request.data, at);
            }
            slots.insert(fetch.slot, values);
        }
        slots
    }
}
