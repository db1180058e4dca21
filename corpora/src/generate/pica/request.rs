//! Requests: a layout that fits its data exactly, then perhaps one step beyond a border.

use super::{ELEMENT, INTERESTING, damaged};
use crate::generate::{Random, mutate};

/// Bytes of a request's header, of its indices, an attribute, a stream.
const HEADER: usize = 20;
const INDICES: usize = 16;
const ATTRIBUTE: usize = 8;
const STREAM: usize = 16;

struct Attribute {
    stream: u8,
    format: u8,
    components: u8,
    slot: u8,
    offset: u32,
}

impl Attribute {
    fn size(&self) -> u32 {
        ELEMENT[usize::from(self.format)] * u32::from(self.components)
    }
}

struct Stream {
    start: u32,
    length: u32,
    offset: u32,
    stride: u32,
}

#[derive(Clone, Copy)]
struct Indices {
    wide: bool,
    offset: u32,
    length: u32,
}

/// A request in parts, as it is about to be written.
struct Parts {
    decode: bool,
    first: u32,
    count: u32,
    capacity: u32,
    zeros: u32,
    indices: Option<Indices>,
    attributes: Vec<Attribute>,
    streams: Vec<Stream>,
    data: Vec<u8>,
    /// The vertices that are selected.
    selected: Vec<u32>,
}

/// Appends a request that decodes vertices in sequence.
pub fn sequential(random: &mut Random, corpus: &[&[u8]], out: &mut Vec<u8>) {
    if !(random.one_in(8) && damaged(random, corpus, out)) {
        request(random, false, out);
    }
}

/// Appends a request that gathers vertices through indices.
pub fn indexed(random: &mut Random, corpus: &[&[u8]], out: &mut Vec<u8>) {
    if !(random.one_in(8) && damaged(random, corpus, out)) {
        request(random, true, out);
    }
}

fn request(random: &mut Random, indexed: bool, out: &mut Vec<u8>) {
    let parts = Parts::valid(random, indexed);
    let mut bytes = parts.write();
    match random.below(8) {
        // Half of all requests stay as they are: most of those are accepted.
        0..=3 => {}
        4..=6 => step_beyond(&mut bytes, &parts, random),
        _ => mutate::words(&mut bytes, random, &INTERESTING, false),
    }
    out.extend(bytes);
}

/// How many: mostly few, sometimes as many as there may be.
fn few(random: &mut Random, most: u64) -> usize {
    let few = if random.one_in(16) { most } else { most.min(5) };
    random.below(few + 1) as usize
}

impl Parts {
    fn valid(random: &mut Random, indexed: bool) -> Self {
        let streams = few(random, 12);
        let attributes = if streams == 0 { 0 } else { few(random, 12) };
        let attributes = attributes_in(random, attributes, streams);
        let decode = !random.one_in(5);
        // A full call has tens of thousands of answers, so there are few of them.
        let count = match random.below(1024) {
            0 => 4096,
            1..=8 => 255 + random.below(4) as u32,
            9..=72 => 0,
            _ => 1 + random.below(12) as u32,
        };
        let room = if random.one_in(4) {
            random.below(9) as u32
        } else {
            0
        };
        let first = if random.one_in(3) {
            random.below(20) as u32
        } else {
            0
        };
        let mut parts = Self {
            decode,
            first,
            count,
            capacity: if decode { count + room } else { 0 },
            zeros: 0,
            indices: None,
            attributes,
            streams: Vec::new(),
            data: Vec::new(),
            selected: (first..first + count).collect(),
        };
        if indexed {
            parts.gather(random);
        }
        for stream in 0..streams {
            parts.stream(random, stream as u8);
        }
        if let Some(stream) = parts.streams.last_mut()
            && random.one_in(4)
        {
            // The last span goes on in the zero bytes, now and then up to what a span may have.
            let free = 0x40_0000 - stream.length;
            let more = if random.one_in(8) {
                free
            } else {
                1 + random.below(40) as u32
            };
            stream.length += more;
            parts.zeros = more;
        }
        parts
    }

    /// Indices at the front of the data, and the vertices that they select.
    fn gather(&mut self, random: &mut Random) {
        let wide = random.one_in(2);
        let width = if wide { 2 } else { 1 };
        let most = match random.below(48) {
            0 => 255,
            1 if wide => 1000 + random.below(3000),
            _ => random.below(10),
        };
        let offset = random.below(4) as u32;
        let vertices: Vec<u32> = (0..self.count)
            .map(|_| random.below(most + 1) as u32)
            .collect();
        let before = (offset + self.first * width) as usize;
        // What is not selected may be anything.
        self.data.extend((0..before).map(|_| random.word() as u8));
        for &vertex in &vertices {
            let bytes = vertex.to_le_bytes();
            self.data.extend(&bytes[..width as usize]);
        }
        let behind = if random.one_in(2) { 0 } else { random.below(5) };
        self.data.extend((0..behind).map(|_| random.word() as u8));
        self.indices = Some(Indices {
            wide,
            offset,
            length: self.data.len() as u32,
        });
        self.selected = vertices;
    }

    /// A stream that ends with the last byte that is read, or a little behind it.
    fn stream(&mut self, random: &mut Random, number: u8) {
        let own = self
            .attributes
            .iter()
            .filter(|attribute| attribute.stream == number);
        let least = own.map(Attribute::size).max().unwrap_or(1);
        let stride = match random.below(8) {
            0 => 255,
            1..=3 => least,
            _ => (least + random.below(40) as u32).min(255),
        };
        for attribute in self
            .attributes
            .iter_mut()
            .filter(|one| one.stream == number)
        {
            let free = stride - attribute.size();
            attribute.offset = if random.one_in(3) {
                free
            } else {
                random.below(u64::from(free) + 1) as u32
            };
        }
        let offset = if random.one_in(3) {
            random.below(9) as u32
        } else {
            0
        };
        let last = self.selected.iter().max();
        let own = self
            .attributes
            .iter()
            .filter(|attribute| attribute.stream == number);
        let end = own
            .filter_map(|attribute| {
                Some(offset + last? * stride + attribute.offset + attribute.size())
            })
            .max();
        let slack = if random.one_in(2) {
            0
        } else {
            random.below(6) as u32
        };
        let length = end.unwrap_or(0) + slack;
        self.data
            .extend((0..random.below(3)).map(|_| random.word() as u8));
        let start = self.data.len() as u32;
        self.data.extend((0..length).map(|_| random.word() as u8));
        self.streams.push(Stream {
            start,
            length,
            offset,
            stride,
        });
        self.finite(random, number);
    }

    /// Makes the floats finite that somebody reads. The others stay as they are, infinite ones among them.
    fn finite(&mut self, random: &mut Random, number: u8) {
        let spoiled = random.one_in(24);
        let mut places = Vec::new();
        let stream = &self.streams[usize::from(number)];
        for attribute in self
            .attributes
            .iter()
            .filter(|one| one.stream == number && one.format == 3)
        {
            for &vertex in &self.selected {
                let at = stream.start + stream.offset + vertex * stream.stride + attribute.offset;
                places.extend((0..u32::from(attribute.components)).map(|c| (at + 4 * c) as usize));
            }
        }
        for &at in &places {
            if let Some(top) = self.data.get_mut(at + 3) {
                // Without the lowest bit of its top seven no exponent is all ones.
                *top &= !1;
                // And now and then a zero or a subnormal.
                if random.one_in(16) {
                    *top &= 0x80;
                    self.data[at + 2] &= 0x7f;
                }
            }
        }
        if spoiled && !places.is_empty() {
            let at = *random.pick(&places);
            if let Some(word) = self.data.get_mut(at + 2..at + 4) {
                word[0] |= 0x80;
                word[1] |= 0x7f;
            }
        }
    }

    fn write(&self) -> Vec<u8> {
        let mut out = vec![
            self.attributes.len() as u8,
            self.streams.len() as u8,
            u8::from(self.decode),
            0,
        ];
        let words = |out: &mut Vec<u8>, words: &[u32]| {
            out.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        };
        words(
            &mut out,
            &[self.first, self.count, self.capacity, self.zeros],
        );
        if let Some(indices) = self.indices {
            words(
                &mut out,
                &[u32::from(indices.wide), indices.offset, 0, indices.length],
            );
        }
        for attribute in &self.attributes {
            out.extend([
                attribute.stream,
                attribute.format,
                attribute.components,
                attribute.slot,
            ]);
            words(&mut out, &[attribute.offset]);
        }
        for stream in &self.streams {
            words(
                &mut out,
                &[stream.start, stream.length, stream.offset, stream.stride],
            );
        }
        out.extend(&self.data);
        out
    }

    /// Where the first attribute stands in the request.
    fn attributes_at(&self) -> usize {
        HEADER + if self.indices.is_some() { INDICES } else { 0 }
    }
}

/// Attributes with slots of their own, and places still to be found.
fn attributes_in(random: &mut Random, count: usize, streams: usize) -> Vec<Attribute> {
    let mut slots: Vec<u8> = (0..16).collect();
    (0..count)
        .map(|_| Attribute {
            stream: random.below(streams as u64) as u8,
            format: random.below(4) as u8,
            components: 1 + random.below(4) as u8,
            slot: slots.swap_remove(random.below(slots.len() as u64) as usize),
            offset: 0,
        })
        .collect()
}

/// Breaks one thing, by one where that can be.
fn step_beyond(bytes: &mut Vec<u8>, parts: &Parts, random: &mut Random) {
    let (attributes, streams) = (parts.attributes.len(), parts.streams.len());
    let attribute = parts.attributes_at() + ATTRIBUTE * random.below(attributes as u64) as usize;
    let stream = parts.attributes_at()
        + ATTRIBUTE * attributes
        + STREAM * random.below(streams as u64) as usize;
    let indices = HEADER;
    match random.below(24) {
        0 => bytes[random.below(2) as usize] = 12 + random.below(3) as u8,
        1 => bytes[2] = 2,
        2 => bytes[3] = 1 << random.below(8),
        3 => set(bytes, 16, 0x80_0000 + random.below(2) as u32),
        4 => set(bytes, 8, 4096 + random.below(2) as u32),
        5 => change(bytes, 12, if parts.decode { -1 } else { 1 }),
        6 => set(bytes, 4, u32::MAX - random.below(3) as u32),
        7 => bytes.truncate(bytes.len() - random.below(4).min(bytes.len() as u64) as usize),
        8 => bytes.truncate(random.below(bytes.len() as u64 + 1) as usize),
        9 if attributes > 0 => bytes[attribute] = streams as u8,
        10 if attributes > 0 => bytes[attribute + 1] = 4,
        11 if attributes > 0 => bytes[attribute + 2] = *random.pick(&[0, 5, 4]),
        12 if attributes > 0 => bytes[attribute + 3] = random.below(17) as u8,
        13 if attributes > 0 => change(bytes, attribute + 4, 1),
        14 if attributes > 0 => set(bytes, attribute + 4, u32::MAX - random.below(17) as u32),
        15 if streams > 0 => change(bytes, stream, 1),
        16 | 17 if streams > 0 => change(bytes, stream + 4, *random.pick(&[-1, 1])),
        18 if streams > 0 => change(bytes, stream + 8, *random.pick(&[-1, 1])),
        19 if streams > 0 => set(bytes, stream + 8, u32::MAX - random.below(300) as u32),
        20 if streams > 0 => set(
            bytes,
            stream + 12,
            *random.pick(&[0, 1, 255, 256, 0x8000_0001]),
        ),
        21 if parts.indices.is_some() => set(bytes, indices, 1 + random.below(2) as u32),
        22 if parts.indices.is_some() => change(bytes, indices + 4, *random.pick(&[-1, 1, 2])),
        23 if parts.indices.is_some() => change(bytes, indices + 12, *random.pick(&[-1, 1])),
        _ => change(bytes, 8, 1),
    }
}

fn set(bytes: &mut [u8], at: usize, word: u32) {
    if let Some(place) = bytes.get_mut(at..at + 4) {
        place.copy_from_slice(&word.to_le_bytes());
    }
}

fn change(bytes: &mut [u8], at: usize, by: i32) {
    if let Some(place) = bytes.get_mut(at..at + 4) {
        let old = u32::from_le_bytes([place[0], place[1], place[2], place[3]]);
        place.copy_from_slice(&old.wrapping_add_signed(by).to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_valid_request_has_its_spans_in_its_data() {
        let mut random = Random::new(9, 9);
        let mut gathered = 0;
        for number in 0..2000 {
            let parts = Parts::valid(&mut random, number % 2 == 1);
            gathered += usize::from(parts.indices.is_some());
            let bytes = parts.write();
            let layout =
                parts.attributes_at() + 8 * parts.attributes.len() + 16 * parts.streams.len();
            assert_eq!(bytes.len(), layout + parts.data.len());
            let data = parts.data.len() as u64 + u64::from(parts.zeros);
            for stream in &parts.streams {
                assert!(u64::from(stream.start) + u64::from(stream.length) <= data);
                assert!((1..=255).contains(&stream.stride) && stream.length <= 0x40_0000);
            }
            let mut slots = 0_u32;
            for attribute in &parts.attributes {
                let stream = &parts.streams[usize::from(attribute.stream)];
                assert!(attribute.offset + attribute.size() <= stream.stride);
                for vertex in &parts.selected {
                    let end = stream.offset
                        + vertex * stream.stride
                        + attribute.offset
                        + attribute.size();
                    assert!(end <= stream.length);
                }
                assert_eq!(slots & 1 << attribute.slot, 0);
                slots |= 1 << attribute.slot;
            }
        }
        assert_eq!(gathered, 1000);
    }
}
