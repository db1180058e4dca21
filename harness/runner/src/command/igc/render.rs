//! `assay igc render`: a field of the pixels, as a picture.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap::Args;
use igc::Array;
use igc::array::RunError;

use super::map::{Asked, Map, Place};
use crate::command::{Exit, Failure, Outcome, input, output};

/// Arguments of `assay igc render`.
#[derive(Debug, Args)]
pub(in crate::command) struct Render {
    /// A stream of little-endian words; - for standard input
    file: PathBuf,
    /// The picture, a PNG in grey: of a field longer than 8 bits the upper 8, a shorter one spread over all greys
    #[arg(short, long, value_name = "PNG")]
    output: PathBuf,
    /// Pixels of the array
    #[arg(long, value_name = "WxH", default_value = "128x128", value_parser = size)]
    size: (u16, u16),
    /// What is drawn: a name of the map, or first bit and number of bits. If none is given, diff of tst, r24 of dvpx
    #[arg(long, value_name = "NAME|ADDR:LEN")]
    field: Option<Asked>,
    /// The map that has the names
    #[arg(long, value_enum, default_value = "tst")]
    map: Map,
}

/// `128x96`.
fn size(text: &str) -> Result<(u16, u16), String> {
    let sides = text.split_once('x');
    let sides = sides.and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    sides
        .filter(|&(width, height)| Array::new(width, height).is_ok())
        .ok_or_else(|| "WxH with 1 to 512 pixels each is allowed".to_owned())
}

impl Render {
    pub(super) fn run(self) -> Outcome {
        let place = self
            .map
            .place(self.field.as_ref())
            .map_err(Failure::usage)?;
        let bytes = input::read(&self.file)?;
        let (width, height) = self.size;
        let mut array = Array::new(width, height)?;
        let stopped = match array.run(&bytes) {
            Ok(_) => None,
            Err(RunError::Rejected(error)) => {
                let error = anyhow::Error::new(error).context(input::name(&self.file));
                return Err(Failure::usage(error));
            }
            // What was executed before stands, and is drawn.
            Err(stop) => Some(stop),
        };
        let numbers = array.field(place.addr, place.len)?;
        let greys: Vec<u8> = numbers.iter().map(|&number| grey(number, place)).collect();
        write(&self.output, self.size, &greys)
            .with_context(|| self.output.display().to_string())?;
        let (least, most) = (numbers.iter().min(), numbers.iter().max());
        let mut text = format!(
            "{width} x {height} pixels, {} bits at {}: {} to {}\n",
            place.len,
            place.addr,
            least.unwrap_or(&0),
            most.unwrap_or(&0),
        );
        if let Some(stop) = &stopped {
            text.push_str(&format!("stopped: {stop}\n"));
        }
        output::print(&text)?;
        Ok(match stopped {
            Some(_) => Exit::Findings,
            None => Exit::Agree,
        })
    }
}

/// The upper 8 bits of a number of `len` bits, or a shorter one spread over 0 to 255.
fn grey(number: u64, place: Place) -> u8 {
    match place.len {
        len @ 8.. => (number >> (len - 8)) as u8,
        len => (number * 255 / ((1 << len) - 1)) as u8,
    }
}

fn write(path: &Path, (width, height): (u16, u16), greys: &[u8]) -> Result<()> {
    let file = BufWriter::new(File::create(path)?);
    let mut encoder = png::Encoder::new(file, width.into(), height.into());
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(greys)?;
    Ok(writer.finish()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn greys_reach_from_black_to_white() {
        let of = |number, len| grey(number, Place { addr: 0, len });
        assert_eq!([of(0, 1), of(1, 1)], [0, 255]);
        assert_eq!([of(0, 5), of(1, 5), of(31, 5)], [0, 8, 255]);
        assert_eq!([of(0, 8), of(200, 8), of(255, 8)], [0, 200, 255]);
        assert_eq!(
            [of(0xff, 20), of(0x8_0000, 20), of(0xf_ffff, 20)],
            [0, 128, 255]
        );
        assert_eq!(of(u64::MAX, 64), 255);
    }

    #[test]
    fn sizes_are_those_of_arrays() {
        assert_eq!(size("13x5"), Ok((13, 5)));
        for wrong in ["", "13", "0x5", "5x0", "513x1", "1x513", "ax5", "1x1x1"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
