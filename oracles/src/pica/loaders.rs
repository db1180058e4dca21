//! Loaders: where the components of a record stand.

use std::collections::HashMap;

use super::Tables;
use super::formats::Formats;
use super::limits::Limits;
use super::registers::{Place, Registers};
use crate::table::TableError;

/// How the values of an attribute are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Descriptor {
    /// The number of its format.
    pub(super) format: u32,
    /// How many components it has.
    pub(super) components: u32,
    /// Bytes of a component; 0 if the format is unknown, which the registers cannot say.
    pub(super) element: u64,
}

impl Descriptor {
    /// How many bytes it has.
    pub(super) fn size(&self) -> u64 {
        self.element * u64::from(self.components)
    }
}

/// A place in a loader's record that an attribute stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) attribute: u32,
    /// The number of the loader.
    pub(super) loader: u32,
    /// Its place in the record.
    pub(super) offset: u64,
}

/// A loader that has components.
#[derive(Clone, Debug)]
pub(super) struct Loader {
    pub(super) number: u32,
    /// Where its arrays start, from the base.
    pub(super) offset: u32,
    pub(super) stride: u32,
    /// How many components it says it has; those that have no id counted.
    pub(super) components: u32,
    /// The size of its record.
    pub(super) size: u64,
    /// Attributes in its record, in its order.
    pub(super) named: Vec<Named>,
}

/// What a component id stands for.
#[derive(Clone, Copy, Debug)]
enum Component {
    /// The attribute of that number.
    Attribute,
    /// So many bytes that nothing stands in.
    Padding(u64),
}

/// The registers of one loader.
#[derive(Clone, Debug)]
struct LoaderPlaces {
    offset: Place,
    ids: Vec<Place>,
    stride: Place,
    count: Place,
}

/// How loaders are walked.
#[derive(Clone, Debug)]
pub(super) struct LoaderRules {
    loaders: Vec<LoaderPlaces>,
    format: Vec<Place>,
    components: Vec<Place>,
    formats: Formats,
    ids: HashMap<u32, Component>,
    padding_alignment: u64,
}

impl LoaderRules {
    pub(super) fn read(tables: &Tables) -> Result<Self, TableError> {
        let limits = Limits(&tables.limits);
        let ids = limits.few("loader_ids")?;
        let attributes = limits.few("attribute_numbers")?;
        let of_attributes = |field| {
            let places = (0..attributes).map(|n| Place::nth(tables, field, n));
            places.collect::<Result<Vec<_>, _>>()
        };
        let mut loaders = Vec::new();
        for number in 0..limits.few("loaders")? {
            let place = |field, index| Place::of_loader(tables, field, index, number);
            let ids = (0..ids).map(|position| place("id", Some(position)));
            loaders.push(LoaderPlaces {
                offset: place("offset", None)?,
                ids: ids.collect::<Result<_, _>>()?,
                stride: place("stride", None)?,
                count: place("count", None)?,
            });
        }
        let mut components = HashMap::new();
        for row in tables.ids.rows() {
            let what = match row.text("what") {
                "attribute" => Component::Attribute,
                "padding" => Component::Padding(row.number("bytes")?.into()),
                other => return Err(row.fault(format!("no component {other:?}"))),
            };
            components.insert(row.number("id")?, what);
        }
        Ok(Self {
            loaders,
            format: of_attributes("format")?,
            components: of_attributes("components")?,
            formats: Formats::read(&tables.formats, "attribute")?,
            ids: components,
            padding_alignment: limits.few("padding_alignment")?.into(),
        })
    }

    /// How many ids the registers of a loader hold.
    pub(super) fn ids_of_a_loader(&self) -> u32 {
        self.loaders.first().map_or(0, |loader| loader.ids.len()) as u32
    }

    /// The format and components of an attribute.
    pub(super) fn descriptor(&self, registers: &Registers, attribute: u32) -> Descriptor {
        let get = |places: &[Place]| {
            let place = places.get(attribute as usize);
            place.map_or(0, |&place| registers.get(place))
        };
        let format = get(&self.format);
        Descriptor {
            format,
            components: get(&self.components) + 1,
            element: self
                .formats
                .get(format.into())
                .map_or(0, |format| format.bytes),
        }
    }

    /// The loaders that have components, walked.
    pub(super) fn loaders(&self, registers: &Registers) -> Vec<Loader> {
        let numbers = 0_u32..;
        numbers
            .zip(&self.loaders)
            .map(|(number, places)| self.walk(registers, number, places))
            .filter(|loader| loader.components != 0)
            .collect()
    }

    fn walk(&self, registers: &Registers, number: u32, places: &LoaderPlaces) -> Loader {
        let components = registers.get(places.count);
        let mut position: u64 = 0;
        let mut named = Vec::new();
        // Components that have no id are passed over.
        for &place in places.ids.iter().take(components as usize) {
            let id = registers.get(place);
            match self.ids.get(&id) {
                Some(Component::Attribute) => {
                    let descriptor = self.descriptor(registers, id);
                    position = position.next_multiple_of(descriptor.element.max(1));
                    named.push(Named {
                        attribute: id,
                        loader: number,
                        offset: position,
                    });
                    position += descriptor.size();
                }
                Some(Component::Padding(bytes)) => {
                    position = position.next_multiple_of(self.padding_alignment) + bytes;
                }
                // Every id has a row, unless the table is wrong.
                None => {}
            }
        }
        Loader {
            number,
            offset: registers.get(places.offset),
            stride: registers.get(places.stride),
            components,
            size: position,
            named,
        }
    }
}
