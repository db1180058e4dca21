//! Laws of the library: encoding gives back what was decoded, explanations own every word, and execution does to pixels what
//! the oracle does to them.

use corpora::Options;

use super::{DMA, INSTRUCTION, STREAM, WORD, execution, unit_of};
use crate::target::{Broken, Held, Law};

/// All laws.
pub(super) fn all() -> Vec<Law> {
    vec![
        Law {
            name: "decode-encode",
            applies: |_| true,
            check: decode_encode,
        },
        Law {
            name: "explained",
            applies: |options| unit_of(options) == STREAM,
            check: explained,
        },
        Law {
            name: "execution",
            applies: |options| unit_of(options) == STREAM,
            check: executed,
        },
    ]
}

fn broken(expected: impl Into<String>, found: impl Into<String>) -> Result<Held, Broken> {
    Err(Broken {
        expected: expected.into(),
        found: found.into(),
    })
}

/// What is decoded and encoded again, with the bytes that it was decoded from; nothing if it is refused.
fn encoded(input: &[u8], unit: &str) -> Option<(usize, Result<Vec<u8>, String>)> {
    match unit {
        WORD => {
            let word = igc::Word::decode(input).ok()?;
            let parts = igc::Word::from_parts(
                word.second(),
                word.length(),
                word.modifier(),
                word.opcode(),
                word.addr(),
            );
            let bytes = parts.map(|word| word.0.to_le_bytes().to_vec());
            Some((4, bytes.ok_or_else(|| "no word".to_owned())))
        }
        INSTRUCTION => {
            let instruction = igc::Instruction::decode(input).ok()?;
            Some((4 * instruction.count(), Ok(instruction.encode())))
        }
        STREAM => {
            let placed = igc::stream::decode(input).ok()?;
            let instructions = placed.iter().map(|placed| &placed.instruction);
            let bytes = igc::stream::encode(instructions).map_err(|error| error.to_string());
            Some((input.len(), bytes))
        }
        DMA => {
            let pairs = igc::dma::decode(input).ok()?;
            let bytes = pairs.iter().flat_map(|pair| pair.encode()).collect();
            Some((input.len(), Ok(bytes)))
        }
        _ => None,
    }
}

/// What is accepted is encoded byte for byte.
fn decode_encode(input: &[u8], options: &Options) -> Result<Held, Broken> {
    let Some((consumed, bytes)) = encoded(input, unit_of(options)) else {
        return Ok(Held::Silent);
    };
    match bytes {
        Ok(bytes) if bytes == input[..consumed] => Ok(Held::Holds),
        Ok(bytes) => {
            let at = bytes.iter().zip(input).position(|(a, b)| a != b);
            let at = at.unwrap_or(bytes.len().min(consumed));
            broken(
                format!("{consumed} bytes, as they were"),
                format!("{} bytes, another one at {at:#x}", bytes.len()),
            )
        }
        Err(error) => broken("the bytes that were decoded", error),
    }
}

/// Explanations name the words of a stream one after the other, each owned by the instruction that it is decoded with.
fn explained(input: &[u8], _: &Options) -> Result<Held, Broken> {
    let Ok(placed) = igc::stream::decode(input) else {
        return Ok(Held::Silent);
    };
    let owners = placed.iter().enumerate().flat_map(|(number, placed)| {
        let words = placed.instruction.words().iter().enumerate();
        words.map(move |(n, &word)| (placed.at + 4 * n, word, number, placed.at))
    });
    let explanations = match igc::explain(input) {
        Ok(explanations) => explanations,
        Err(error) => return broken("an explanation", error.to_string()),
    };
    let found: Result<Vec<_>, _> = explanations
        .map(|one| one.map(|one| (one.at, one.word.0, one.number, one.owner)))
        .collect();
    let found = match found {
        Ok(found) => found,
        Err(error) => return broken("an explanation of each word", error.to_string()),
    };
    let owners: Vec<_> = owners.collect();
    if owners == found {
        return Ok(Held::Holds);
    }
    let at = owners.iter().zip(&found).position(|(a, b)| a != b);
    let at = at.unwrap_or(owners.len().min(found.len()));
    broken(
        format!("word {at}: {:x?}", owners.get(at)),
        format!("{:x?}", found.get(at)),
    )
}

/// The fast array and the naive one end alike, in every bit of every pixel.
fn executed(input: &[u8], _: &Options) -> Result<Held, Broken> {
    match execution::difference(input) {
        None => Ok(Held::Holds),
        Some((expected, found)) => broken(expected, found),
    }
}
