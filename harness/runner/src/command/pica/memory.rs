//! Draws over dumps of memory: a resolved layout and the bytes at its addresses, as a request.

use std::path::PathBuf;
use std::str::FromStr;

use anyhow::anyhow;

use super::draw::{Draw, Source};
use crate::targets::pica::request::{Attribute, Indices, Request, Stream};

/// Longest span of a request.
const SPAN: u64 = 4 << 20;

/// `ADDRESS=FILE`: a file with the bytes that are at an address.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) address: u32,
    pub(super) file: PathBuf,
}

impl FromStr for Place {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (address, file) = text
            .split_once('=')
            .ok_or_else(|| anyhow!("{text:?} is not ADDRESS=FILE"))?;
        let address = address.trim();
        let number = match address.strip_prefix("0x") {
            Some(hex) => u32::from_str_radix(hex, 16),
            None => address.parse(),
        };
        Ok(Self {
            address: number.map_err(|error| anyhow!("address {address:?}: {error}"))?,
            file: file.into(),
        })
    }
}

/// Dumps, one behind the other.
#[derive(Default)]
pub(super) struct Memory {
    /// Address, place in the bytes, length.
    dumps: Vec<(u32, u32, u32)>,
    bytes: Vec<u8>,
}

impl Memory {
    /// Adds the bytes at an address. A later dump does not hide an earlier one.
    pub(super) fn add(&mut self, address: u32, bytes: &[u8]) -> Result<(), anyhow::Error> {
        let start = u32::try_from(self.bytes.len());
        let length = u32::try_from(bytes.len());
        let (Ok(start), Ok(length)) = (start, length) else {
            return Err(anyhow!("more than 4 GiB of memory"));
        };
        if u32::try_from(self.bytes.len() + bytes.len()).is_err() {
            return Err(anyhow!("more than 4 GiB of memory"));
        }
        self.dumps.push((address, start, length));
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    /// What there is from an address on, as start and length of a span: as much as a span may have.
    fn span(&self, address: u64) -> Option<(u32, u32)> {
        self.dumps.iter().find_map(|&(base, start, length)| {
            let within = address.checked_sub(u64::from(base))?;
            let left = u64::from(length)
                .checked_sub(within)
                .filter(|left| *left > 0)?;
            Some((start + within as u32, left.min(SPAN) as u32))
        })
    }

    /// The request that a resolved draw is. Fixed attributes have no part in it.
    pub(super) fn request(&self, draw: &Draw) -> Result<Vec<u8>, String> {
        let mut request = Request::new(draw.vertices, &self.bytes);
        if let Some(index) = &draw.index {
            let (start, length) = self
                .span(index.address.into())
                .filter(|_| draw.vertices > 0)
                .map_or_else(
                    || absent("indices", index.address.into(), draw.vertices),
                    Ok,
                )?;
            request.indices = Some(Indices {
                format: index.width - 1,
                offset: 0,
                start,
                length,
            });
        }
        // Streams are numbered by the loaders that attributes come from.
        let mut streams: Vec<u32> = Vec::new();
        for attribute in &draw.attributes {
            let Source::Loader { loader, offset } = attribute.source else {
                continue;
            };
            let stream = match streams.iter().position(|own| *own == loader) {
                Some(stream) => stream,
                None => {
                    let of = draw.loaders.iter().find(|own| own.number == loader);
                    let of = of.ok_or_else(|| format!("loader {loader} is not there"))?;
                    // The span begins at the first vertex, so that 4 MiB of it are enough for any draw.
                    let first = u64::from(draw.first) * u64::from(of.stride);
                    let address = u64::from(of.address) + first;
                    let (start, length) = self.span(address).map_or_else(
                        || absent(&format!("loader {loader}"), address, draw.vertices),
                        Ok,
                    )?;
                    request.add_stream(Stream {
                        start,
                        length,
                        offset: 0,
                        stride: of.stride,
                    });
                    streams.push(loader);
                    streams.len() - 1
                }
            };
            request.add_attribute(Attribute {
                stream: stream as u8,
                format: attribute.format as u8,
                components: attribute.components as u8,
                slot: attribute.slot as u8,
                offset,
            });
        }
        let mut bytes = Vec::new();
        request.write(&mut bytes);
        Ok(bytes)
    }
}

/// Nothing is there, which is all that a draw of no vertices needs.
fn absent(what: &str, address: u64, vertices: u32) -> Result<(u32, u32), String> {
    if vertices == 0 {
        return Ok((0, 0));
    }
    Err(format!("{what}: no memory given for {address:#010x}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_end_with_their_dump() {
        let mut memory = Memory::default();
        memory.add(0x1000, &[1; 16]).expect("room");
        memory.add(0x2000, &vec![2; 5 << 20]).expect("room");
        assert_eq!(memory.span(0x1000), Some((0, 16)));
        assert_eq!(memory.span(0x100f), Some((15, 1)));
        assert_eq!(memory.span(0x1010), None);
        assert_eq!(memory.span(0xfff), None);
        assert_eq!(memory.span(0x2001), Some((17, 4 << 20)));
    }

    #[test]
    fn places_are_read() {
        let place: Place = "0x18000000=a=b.bin".parse().expect("a place");
        assert_eq!(
            (place.address, place.file),
            (0x1800_0000, PathBuf::from("a=b.bin"))
        );
        for (text, why) in [("x", "not ADDRESS=FILE"), ("0x1g=f", "address \"0x1g\"")] {
            let error = text.parse::<Place>().expect_err(why);
            assert!(error.to_string().contains(why), "{error}");
        }
    }
}
