//! A layout in TOML, which people can write, as a request.
//!
//! ```toml
//! first = 0                # first vertex, or first index
//! count = 4
//!
//! [[stream]]
//! file = "vertices.bin"    # from the layout's directory; or hex = "0a00 0b00"
//! offset = 0               # of vertex 0
//! stride = 20
//!
//! [[attribute]]
//! stream = 0
//! format = "f32"           # s8, u8, s16, f32
//! components = 3
//! slot = 0
//! offset = 0               # in a vertex
//!
//! [indices]                # only for a gather
//! format = "u16"           # u8, u16
//! file = "indices.bin"
//! offset = 0
//! ```

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail, ensure};
use corpora::hex;
use serde::Deserialize;

use crate::command::input;
use crate::targets::pica::request::{Attribute, Indices, MOST, Request, Stream};

/// Most bytes of one file: what a span may have.
const MOST_BYTES: u64 = 4 << 20;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Layout {
    #[serde(default)]
    first: u32,
    count: u32,
    #[serde(default, rename = "stream")]
    streams: Vec<Source>,
    #[serde(default, rename = "attribute")]
    attributes: Vec<Read>,
    indices: Option<Gather>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Source {
    file: Option<PathBuf>,
    hex: Option<String>,
    #[serde(default)]
    offset: u32,
    stride: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Read {
    #[serde(default)]
    stream: u8,
    format: Format,
    components: u8,
    slot: u8,
    #[serde(default)]
    offset: u32,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Format {
    S8,
    U8,
    S16,
    F32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Gather {
    format: Index,
    file: Option<PathBuf>,
    hex: Option<String>,
    #[serde(default)]
    offset: u32,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Index {
    U8,
    U16,
}

/// The request that a layout says, and whether it gathers. `path` is where the layout is: files are found from its directory.
pub(super) fn request(text: &str, path: &Path) -> anyhow::Result<(Vec<u8>, bool)> {
    let layout: Layout = toml::from_str(text).map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start));
        let line = before.map_or(1, |before| before.matches('\n').count() + 1);
        anyhow!("line {line}: {}", error.message())
    })?;
    let home = path.parent().unwrap_or(Path::new(""));
    for (what, count) in [
        ("streams", layout.streams.len()),
        ("attributes", layout.attributes.len()),
    ] {
        ensure!(count <= MOST, "{count} {what}; there may be {MOST}");
    }
    let mut data = Vec::new();
    let mut take = |what: String, file: &Option<PathBuf>, hex: &Option<String>| {
        let bytes = bytes(home, file.as_deref(), hex.as_deref()).with_context(|| what)?;
        let start = data.len() as u32;
        data.extend_from_slice(&bytes);
        Ok::<_, anyhow::Error>((start, bytes.len() as u32))
    };
    let indices = match &layout.indices {
        None => None,
        Some(gather) => {
            let (start, length) = take("indices".to_owned(), &gather.file, &gather.hex)?;
            Some(Indices {
                format: gather.format as u32,
                offset: gather.offset,
                start,
                length,
            })
        }
    };
    let mut streams = Vec::new();
    for (number, source) in layout.streams.iter().enumerate() {
        let (start, length) = take(format!("stream {number}"), &source.file, &source.hex)?;
        streams.push(Stream {
            start,
            length,
            offset: source.offset,
            stride: source.stride,
        });
    }
    let mut request = Request::new(layout.count, &data);
    request.first = layout.first;
    request.indices = indices;
    for stream in streams {
        request.add_stream(stream);
    }
    for read in &layout.attributes {
        request.add_attribute(Attribute {
            stream: read.stream,
            format: read.format as u8,
            components: read.components,
            slot: read.slot,
            offset: read.offset,
        });
    }
    let mut bytes = Vec::new();
    request.write(&mut bytes);
    Ok((bytes, layout.indices.is_some()))
}

fn bytes(home: &Path, file: Option<&Path>, text: Option<&str>) -> anyhow::Result<Vec<u8>> {
    match (file, text) {
        (Some(file), None) => input::read_up_to(MOST_BYTES, &home.join(file)),
        (None, Some(text)) => Ok(hex::bytes(text)?),
        _ => bail!("one of file and hex is needed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layout_becomes_a_request() {
        let text = "first = 1\ncount = 2\n[[stream]]\nhex = \"0a0b0c\"\nstride = 1\n\
                    [[attribute]]\nformat = \"u8\"\ncomponents = 1\nslot = 3\n\
                    [indices]\nformat = \"u16\"\nhex = \"0000 0200 0100\"\n";
        let (bytes, indexed) = request(text, Path::new("layout.toml")).expect("a layout");
        // Indices first in the data, the stream behind them.
        let expected = "01010100 01000000 02000000 02000000 00000000 \
                        01000000 00000000 00000000 06000000 00010103 00000000 \
                        06000000 03000000 00000000 01000000 000002000100 0a0b0c";
        assert!(indexed);
        assert_eq!(hex::encode(&bytes), expected.replace(' ', ""));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, why) in [
            (
                "count = 1\n[[stream]]\nstride = 1",
                "stream 0: one of file and hex",
            ),
            (
                "count = 1\n[[stream]]\nstride = 1\nhex = \"0\"",
                "stream 0: 1 hex digits",
            ),
            ("count = 1\ncolour = 2", "unknown field `colour`"),
            (
                "count = 1\n[[attribute]]\nformat = \"u16\"\ncomponents = 1\nslot = 0",
                "unknown variant `u16`",
            ),
        ] {
            let error = request(text, Path::new("layout.toml")).expect_err(why);
            assert!(format!("{error:#}").contains(why), "{error:#}");
        }
    }
}
