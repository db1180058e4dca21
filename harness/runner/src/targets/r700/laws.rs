//! Laws of the microcode library.

use corpora::{Options, hex};
use r700::alu::Alu;
use r700::cf::Cf;
use r700::disasm::Listing;
use r700::fetch::{Mem, Tex, Vtx};
use r700::program::ClauseBody;
use r700::{Chip, program, words};

use super::subject::{self, Unit};
use crate::target::{Broken, Held, Law};

/// All laws.
pub(super) fn all() -> Vec<Law> {
    vec![
        Law {
            name: "decode-encode",
            applies: is_unit,
            check: decode_encode,
        },
        Law {
            name: "program-decode-encode",
            applies: is_program,
            check: program_decode_encode,
        },
        Law {
            name: "program-gaps-are-free",
            applies: is_program,
            check: gaps_are_free,
        },
        Law {
            name: "disassembly-is-total",
            applies: is_program,
            check: disassembly_is_total,
        },
        Law {
            name: "error-in-bounds",
            applies: is_program,
            check: error_in_bounds,
        },
    ]
}

fn is_program(options: &Options) -> bool {
    matches!(subject::options(options), Ok((Unit::Program, _)))
}

fn is_unit(options: &Options) -> bool {
    matches!(subject::options(options), Ok((unit, _)) if unit != Unit::Program)
}

fn broken(expected: impl Into<String>, found: impl Into<String>) -> Result<Held, Broken> {
    Err(Broken {
        expected: expected.into(),
        found: found.into(),
    })
}

fn chip(options: &Options) -> Chip {
    subject::options(options).map_or(Chip::R700, |(_, chip)| chip)
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Encoding what was decoded gives the same words, whatever the words are.
fn decode_encode(input: &[u8], options: &Options) -> Result<Held, Broken> {
    let Ok((unit, chip)) = subject::options(options) else {
        return Ok(Held::Silent);
    };
    // A shorter input is no word, and the law says nothing of it.
    let Ok(two) = words::read::<2>(input) else {
        return Ok(Held::Silent);
    };
    let four = words::read::<4>(input);
    let encoded = match unit {
        Unit::Cf => Ok(bytes(&Cf::decode(two, chip).encode())),
        Unit::Alu => Ok(bytes(&Alu::decode(two, chip).encode())),
        Unit::Tex => four.map(|words| bytes(&Tex::decode(words, chip).encode())),
        Unit::Vtx => four.map(|words| bytes(&Vtx::decode(words, chip).encode())),
        Unit::Mem if chip == Chip::R700 => four.map(|words| bytes(&Mem::decode(words).encode())),
        Unit::Mem | Unit::Program => return Ok(Held::Silent),
    };
    let Ok(encoded) = encoded else {
        return Ok(Held::Silent);
    };
    if input.starts_with(&encoded) {
        return Ok(Held::Holds);
    }
    broken(
        hex::encode(&input[..encoded.len().min(input.len())]),
        hex::encode(&encoded),
    )
}

/// The same for a whole program, gaps included.
fn program_decode_encode(input: &[u8], options: &Options) -> Result<Held, Broken> {
    let Ok(program) = program::decode(input, chip(options)) else {
        return Ok(Held::Silent);
    };
    let encoded = program.encode();
    if encoded == input {
        return Ok(Held::Holds);
    }
    let at = encoded.iter().zip(input).position(|(a, b)| a != b);
    broken(
        "the bytes that were decoded",
        format!("a difference at {at:?}, {} bytes", encoded.len()),
    )
}

/// What stands in a gap changes nothing in the rest: the gaps really are what no instruction names.
fn gaps_are_free(input: &[u8], options: &Options) -> Result<Held, Broken> {
    let chip = chip(options);
    let Ok(before) = program::decode(input, chip) else {
        return Ok(Held::Silent);
    };
    if before.gaps().is_empty() {
        return Ok(Held::Silent);
    }
    let mut changed = input.to_vec();
    for gap in before.gaps() {
        for byte in &mut changed[gap.start * 8..(gap.start + gap.words.len()) * 8] {
            *byte ^= 0xa5;
        }
    }
    match program::decode(&changed, chip) {
        Ok(after) if after.cf() == before.cf() && after.clauses() == before.clauses() => {
            Ok(Held::Holds)
        }
        Ok(_) => broken("the same instructions", "others"),
        Err(error) => broken("the same instructions", format!("error: {error}")),
    }
}

/// A decoded program is disassembled without a panic, each instruction, fetch and literal slot with a line of its own.
fn disassembly_is_total(input: &[u8], options: &Options) -> Result<Held, Broken> {
    let Ok(program) = program::decode(input, chip(options)) else {
        return Ok(Held::Silent);
    };
    let lines = Listing::new(&program).to_string().lines().count();
    let in_clause = |body: &ClauseBody| match body {
        ClauseBody::Alu(alu) => alu.instructions().len() + alu.literals().len(),
        ClauseBody::Fetch(fetches) => fetches.len(),
    };
    let clauses: usize = program
        .clauses()
        .iter()
        .map(|clause| in_clause(&clause.body))
        .sum();
    let least = program.cf().len() + clauses;
    if lines >= least {
        return Ok(Held::Holds);
    }
    broken(format!("at least {least} lines"), format!("{lines} lines"))
}

/// An error names a class of the contract and a place in the input.
fn error_in_bounds(input: &[u8], options: &Options) -> Result<Held, Broken> {
    let Err(error) = program::decode(input, chip(options)) else {
        return Ok(Held::Silent);
    };
    let known = corpora::RejectClass::from_name(error.class().as_str()).is_some();
    if known && error.offset() <= input.len() {
        return Ok(Held::Holds);
    }
    broken(
        format!("a class of the contract, at most at {}", input.len()),
        format!("{} at {}", error.class().as_str(), error.offset()),
    )
}
