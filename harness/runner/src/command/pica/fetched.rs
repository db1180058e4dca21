//! Asks the decoder, and holds its answer as commands show it.

use std::fmt::Write;

use anyhow::{Context as _, anyhow};
use corpora::{FieldId, Outcome as Said, Section, Status};
use serde_json::{Map, Value as Json, json};

use crate::command::Failure;
use crate::load;
use crate::target::Target;
use crate::targets::pica::{explain, unit};

/// The target. Making it reads the tables of all targets: once for a command.
pub(super) fn target() -> Result<Box<dyn Target>, Failure> {
    Ok(load::targets(Some("pica"))?
        .pop()
        .context("no target pica")?)
}

/// What the decoder says of an input; what it does not take is an error that names the input.
pub(super) fn ask(
    target: &dyn Target,
    name: &str,
    unit_name: &str,
    input: &[u8],
) -> Result<Said, Failure> {
    let mut subject = target.subject();
    subject.select(&unit(unit_name))?;
    let mut said = Said::default();
    subject.answer(input, &mut said);
    match said.status {
        Status::Accepted { .. } => Ok(said),
        other => {
            let why = explain(input, unit_name).unwrap_or_else(|| other.to_string());
            Err(Failure::usage(anyhow!("{name}: {why}")))
        }
    }
}

/// Vertices with the slots that they have, in order.
pub(super) struct Vertices {
    /// Slots of the mask.
    pub(super) slots: Vec<u32>,
    /// For each vertex the (x, y, z, w) of each slot.
    pub(super) vertices: Vec<Vec<[f32; 4]>>,
}

impl Vertices {
    /// Takes them from an answer.
    pub(super) fn of(said: &Said, target: &dyn Target) -> Result<Self, Failure> {
        let vocabulary = target.vocabulary();
        let id = |path: &str| vocabulary.id(path);
        let whole = |field: FieldId| said.record.find(Section::WHOLE, field, 0);
        let number = |field| whole(field).map_or(0, |entry| entry.raw as u32);
        let components = [
            id("slot[].x")?,
            id("slot[].y")?,
            id("slot[].z")?,
            id("slot[].w")?,
        ];
        let enabled = number(id("enabled")?);
        let slots: Vec<u32> = (0..16).filter(|slot| enabled >> slot & 1 == 1).collect();
        let bits = |vertex, slot, field| {
            let entry = said.record.find(Section::part(vertex), field, slot);
            f32::from_bits(entry.map_or(0, |entry| entry.raw as u32))
        };
        let vertices = (0..number(id("vertices")?)).map(|vertex| {
            let of = |&slot: &u32| components.map(|field| bits(vertex, slot, field));
            slots.iter().map(of).collect()
        });
        Ok(Self {
            vertices: vertices.collect(),
            slots,
        })
    }

    /// A slot that every vertex has the same value in.
    pub(super) fn add_constant(&mut self, slot: u32, value: [f32; 4]) {
        let at = self.slots.partition_point(|own| *own < slot);
        self.slots.insert(at, slot);
        for vertex in &mut self.vertices {
            vertex.insert(at, value);
        }
    }

    /// One line a vertex.
    pub(super) fn describe(&self, text: &mut String) {
        for (number, vertex) in self.vertices.iter().enumerate() {
            write!(text, "{number}:").expect("a string");
            for (slot, value) in self.slots.iter().zip(vertex) {
                write!(text, " v{slot} {}", tuple(value)).expect("a string");
            }
            text.push('\n');
        }
    }

    /// How many, and in which slots.
    pub(super) fn summary(&self) -> String {
        let slots: Vec<String> = self.slots.iter().map(|slot| format!("v{slot}")).collect();
        let count = self.vertices.len();
        let noun = if count == 1 { "vertex" } else { "vertices" };
        if slots.is_empty() {
            return format!("{count} {noun}, no slot enabled");
        }
        format!("{count} {noun} in {}", slots.join(", "))
    }

    /// The slots, and the vertices as objects by slot.
    pub(super) fn json(&self) -> Json {
        let vertex = |vertex: &Vec<[f32; 4]>| {
            let slot = |(slot, value): (&u32, &[f32; 4])| {
                let value: Json = value.iter().map(|value| number(*value)).collect();
                (format!("v{slot}"), value)
            };
            Json::Object(
                self.slots
                    .iter()
                    .zip(vertex)
                    .map(slot)
                    .collect::<Map<_, _>>(),
            )
        };
        json!({
            "slots": self.slots,
            "vertices": self.vertices.iter().map(vertex).collect::<Vec<_>>(),
        })
    }

    /// x and y of a slot, of each vertex.
    pub(super) fn points(&self, slot: u32) -> Option<Vec<[f32; 2]>> {
        let at = self.slots.iter().position(|own| *own == slot)?;
        Some(
            self.vertices
                .iter()
                .map(|vertex| [vertex[at][0], vertex[at][1]])
                .collect(),
        )
    }
}

/// A float as JSON; one that JSON has no number for is a text.
pub(super) fn number(value: f32) -> Json {
    if value.is_finite() {
        json!(value)
    } else {
        json!(value.to_string())
    }
}

/// A value as people write it.
pub(super) fn tuple(value: &[f32; 4]) -> String {
    let [x, y, z, w] = value;
    format!("({x}, {y}, {z}, {w})")
}
