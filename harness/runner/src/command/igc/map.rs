//! Maps of the pixel memory: which bits have a name.

use std::str::FromStr;

use clap::ValueEnum;

/// A map of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Map {
    /// The names of DIVPXMAP.H, as the notes list them
    Dvpx,
    /// The places of the logged triangle packets
    Tst,
}

/// A named field: first bit and width.
type Named = (&'static str, u8, u8);

const DVPX: [Named; 20] = [
    ("io", 0, 32),
    ("texz", 32, 20),
    ("opacity", 52, 5),
    ("texu", 57, 20),
    ("texv", 77, 20),
    ("zbuf", 97, 20),
    ("r24", 117, 8),
    ("g24", 125, 8),
    ("b24", 133, 8),
    ("scalar", 141, 13),
    ("texsize", 141, 2),
    ("texid", 143, 6),
    ("rampsel", 149, 2),
    ("texmode", 151, 3),
    ("enblpush", 154, 1),
    ("fog", 160, 8),
    ("subu", 168, 5),
    ("subv", 173, 5),
    ("ramp", 178, 2),
    ("mode", 180, 3),
];

const TST: [Named; 7] = [
    ("zbuf", 32, 20),
    ("scalar", 52, 30),
    ("diff", 82, 8),
    ("spec", 90, 8),
    ("texu", 98, 16),
    ("texv", 114, 16),
    ("texz", 130, 16),
];

impl Map {
    /// Its fields, in the order of their bits.
    pub(super) fn fields(self) -> &'static [Named] {
        match self {
            Self::Dvpx => &DVPX,
            Self::Tst => &TST,
        }
    }

    /// Its name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Dvpx => "dvpx",
            Self::Tst => "tst",
        }
    }

    /// What is drawn if nothing is asked for.
    fn usual(self) -> &'static str {
        match self {
            Self::Dvpx => "r24",
            Self::Tst => "diff",
        }
    }

    /// The place that is asked for: a name of the map, or a place by its numbers.
    pub(super) fn place(self, asked: Option<&Asked>) -> Result<Place, UnknownField> {
        let name = match asked {
            Some(Asked::Place(place)) => return Ok(*place),
            Some(Asked::Name(name)) => name.as_str(),
            None => self.usual(),
        };
        let known = self.fields().iter().find(|field| field.0 == name);
        let &(_, addr, len) = known.ok_or_else(|| UnknownField {
            name: name.to_owned(),
            map: self,
        })?;
        Ok(Place { addr, len })
    }
}

/// Bits of a pixel's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The least significant bit.
    pub(super) addr: u8,
    /// How many, 1 to 64.
    pub(super) len: u8,
}

/// A field as it is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// By its name.
    Name(String),
    /// By its bits.
    Place(Place),
}

impl FromStr for Asked {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((addr, len)) = text.split_once(':') else {
            return Ok(Self::Name(text.to_owned()));
        };
        let (addr, len) = (addr.parse::<u8>(), len.parse::<u8>());
        match (addr, len) {
            (Ok(addr), Ok(len @ 1..=64)) if u16::from(addr) + u16::from(len) <= 256 => {
                Ok(Self::Place(Place { addr, len }))
            }
            _ => Err("ADDR:LEN with 1 to 64 bits that end within 256 is allowed".to_owned()),
        }
    }
}

/// A name that a map does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no field {name:?} in map {}; there are: {}", map.name(), map.fields().iter().map(|field| field.0).collect::<Vec<_>>().join(", "))]
pub(super) struct UnknownField {
    name: String,
    map: Map,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both maps are those of `testdata/igc/pixel_map.toml`, entry by entry.
    #[test]
    fn maps_are_the_contracts() {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../testdata/igc/pixel_map.toml"
        );
        let text = std::fs::read_to_string(path).expect("the maps");
        let maps: toml::Table = text.parse().expect("TOML");
        assert_eq!(maps.len(), 2);
        for map in [Map::Dvpx, Map::Tst] {
            let stated = maps[map.name()].as_array().expect("a list").iter();
            let stated: Vec<_> = stated
                .map(|entry| {
                    let number = |key: &str| entry[key].as_integer().expect("a number");
                    let name = entry["name"].as_str().expect("a name");
                    (name, number("bit"), number("width"))
                })
                .collect();
            let fields = map.fields().iter();
            let fields: Vec<_> = fields.map(|&(n, b, w)| (n, b.into(), w.into())).collect();
            assert_eq!(fields, stated, "{}", map.name());
        }
    }

    #[test]
    fn a_field_is_asked_for_by_name_or_by_bits() {
        let asked = |text: &str| text.parse::<Asked>();
        let (addr, len) = (90, 8);
        assert_eq!(asked("90:8"), Ok(Asked::Place(Place { addr, len })));
        let named = asked("spec").expect("a name");
        assert_eq!(Map::Tst.place(Some(&named)), Ok(Place { addr, len }));
        assert!(Map::Dvpx.place(Some(&named)).is_err());
        for wrong in ["0:0", "0:65", "250:7", "256:1", "a:1", ":", "1:-1"] {
            assert!(asked(wrong).is_err(), "{wrong}");
        }
        assert!(asked("192:64").is_ok());
    }
}
