//! The `igc` target: words of the image generation controller of Pixel-Planes 5.

mod built;
mod execution;
mod ids;
mod laws;
#[cfg(test)]
mod planted;
mod subject;
mod sweeps;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use corpora::generate::Random;
use corpora::generate::igc as generate;
use corpora::{FieldId, Implementation, Options, Vocabulary};
use oracles::igc::{Oracle, Tables};

use ids::Ids;

use crate::report::model::SingleSource;
use crate::target::{Enumeration, Found, Generator, Input, Law, Target};

/// A first word alone.
pub const WORD: &str = "word";
/// An instruction with its operand words.
pub const INSTRUCTION: &str = "instruction";
/// Instruction after instruction.
pub const STREAM: &str = "stream";
/// DMA commands.
pub const DMA: &str = "dma";

/// The options of a unit.
pub fn unit(name: &str) -> Options {
    Options::new().with("unit", name)
}

/// The unit of some options; empty, which is none of them, if they name none.
pub(super) fn unit_of(options: &Options) -> &str {
    options.get("unit").unwrap_or("")
}

/// The `igc` target.
pub struct Igc {
    vocabulary: Arc<Vocabulary>,
    ids: Arc<Ids>,
    oracle: Oracle,
    single: Vec<SingleSource>,
}

impl Igc {
    /// The target with the specification's own tables.
    pub fn new() -> Result<Self> {
        Self::with_tables(Tables::embedded())
    }

    /// The target with other tables: a wrong oracle, to see whether it is noticed.
    pub fn with_tables(tables: Tables) -> Result<Self> {
        let mut vocabulary = oracles::igc::vocabulary(&tables)?;
        let ids = Arc::new(Ids::new(&mut vocabulary)?);
        let vocabulary = Arc::new(vocabulary);
        Ok(Self {
            oracle: Oracle::new(&tables, Arc::clone(&vocabulary))?,
            vocabulary,
            ids,
            single: single_source_rows(&tables),
        })
    }
}

impl Target for Igc {
    fn name(&self) -> &'static str {
        "igc"
    }

    fn vocabulary(&self) -> &Arc<Vocabulary> {
        &self.vocabulary
    }

    fn subject(&self) -> Box<dyn Implementation> {
        Box::new(subject::Subject::new(Arc::clone(&self.ids)))
    }

    fn oracle(&self) -> Box<dyn Implementation> {
        Box::new(self.oracle.clone())
    }

    fn enumerations(&self) -> Vec<Enumeration> {
        sweeps::all()
    }

    fn reads(&self, path: &Path) -> bool {
        path.extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("igc"))
    }

    fn inputs(&self, _: &Path, bytes: &[u8], origin: &str) -> Result<Found, String> {
        let input = Input {
            origin: origin.to_owned(),
            options: unit(STREAM),
            bytes: bytes.into(),
            peer: None,
        };
        Ok(Found {
            inputs: vec![input],
            passed_over: Vec::new(),
        })
    }

    fn generators(&self) -> Vec<Generator> {
        let generator = |name, of: &'static str, make: Make, quick, full| Generator {
            name,
            options: unit(of),
            make: Box::new(
                move |random: &mut Random, corpus: &[Input], out: &mut Vec<u8>| {
                    let own = corpus.iter().filter(|input| unit_of(&input.options) == of);
                    let own: Vec<&[u8]> = own.map(AsRef::as_ref).collect();
                    make(random, &own, out);
                },
            ),
            quick,
            full,
        };
        vec![
            generator("words", WORD, generate::word, 500_000, 100_000_000),
            generator(
                "instructions",
                INSTRUCTION,
                generate::instruction,
                500_000,
                100_000_000,
            ),
            generator("streams", STREAM, generate::stream, 300_000, 20_000_000),
            generator("packets", STREAM, built::stream, 50_000, 2_000_000),
            // Each law takes a tenth: 12,000 that execute some 90 instructions each are a million.
            generator("programs", STREAM, generate::program, 120_000, 2_000_000),
            generator("lists", DMA, generate::dma, 300_000, 20_000_000),
        ]
    }

    fn laws(&self) -> Vec<Law> {
        laws::all()
    }

    fn axes(&self) -> Vec<FieldId> {
        vec![self.ids.alone.op, self.ids.of_stream.op, self.ids.pair_op]
    }

    fn axis_names(&self, axis: FieldId) -> Vec<String> {
        if axis == self.ids.pair_op {
            ids::pair_names()
        } else {
            ids::instruction_names()
        }
    }

    fn single_source_names(&self) -> Vec<SingleSource> {
        self.single.clone()
    }

    fn expects_recorded_peer(&self) -> bool {
        false
    }

    fn is_words(&self) -> bool {
        true
    }

    fn grain(&self, options: &Options) -> usize {
        match unit_of(options) {
            STREAM => 4,
            DMA => 8,
            _ => 0,
        }
    }
}

type Make = fn(&mut Random, &[&[u8]], &mut Vec<u8>);

/// Rows that are no field of the vocabulary. All of them rest on one set of notes, so that the tables do not count sources.
fn single_source_rows(tables: &Tables) -> Vec<SingleSource> {
    let lists = [
        (&tables.instructions, &["name"][..]),
        (&tables.lengths, &["rule"]),
        (&tables.fields, &["word", "field"]),
        (&tables.limits, &["name"]),
    ];
    let rows = lists.into_iter().flat_map(|(table, columns)| {
        table.rows().map(move |row| {
            let cells: Vec<_> = columns.iter().map(|column| row.text(column)).collect();
            SingleSource {
                target: "igc".to_owned(),
                what: format!("{}: {}", table.name(), cells.join(" ")),
                source: row.text("source").to_owned(),
            }
        })
    });
    rows.collect()
}
